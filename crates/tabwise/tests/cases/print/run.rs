//! Values as an answer prints them. The content is a CSV, the input a formula; the output is the printed answer, one value
//! on a line, or a table of groups with its header.

use tabwise::answer::{answer_of, groups_of};
use tabwise::execute::Executor;
use tabwise::explain::{Explainer, Phrases};
use tabwise::formula::{Formulas, notation};
use tabwise::graph::Graph;
use tabwise::table::Table;
use tabwise::words::Words;

pub fn run(content: &str, input: &str) -> String {
    let table = Table::from_csv(content).expect("the content is a CSV");
    let graph = Graph::new(&table, &Words::embedded());
    let mut formulas = Formulas::new();
    let id = match notation::read(input, &graph, &mut formulas) {
        Ok(id) => id,
        Err(error) => return format!("no formula: {error}"),
    };
    let mut executor = Executor::new(&graph, formulas);
    let denotation = match executor.denote(id) {
        Ok(denotation) => denotation,
        Err(undefined) => return format!("undefined: {undefined}"),
    };
    let answer = answer_of(&executor, id, &denotation);
    let phrases = Phrases::embedded();
    match groups_of(&mut Explainer::new(&phrases, &mut executor), id, &denotation) {
        Some(groups) => {
            let lines = std::iter::once(&groups.header).chain(&groups.rows).map(|row| row.join(" | "));
            lines.chain([format!("or {}", answer.join("; "))]).collect::<Vec<_>>().join("\n")
        }
        None => answer.join("\n"),
    }
}
