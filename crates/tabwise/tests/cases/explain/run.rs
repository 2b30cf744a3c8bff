//! English for formulas. The content is a table, the input a formula in the notation; with `steps` in front of it, the
//! steps follow, each with what it gives.

use tabwise::execute::Executor;
use tabwise::explain::{Explainer, Phrases};
use tabwise::formula::{Formulas, notation};
use tabwise::graph::Graph;
use tabwise::table::Table;
use tabwise::words::Words;

pub fn run(content: &str, input: &str) -> String {
    let table = Table::from_csv(content).expect("the content is a table");
    let graph = Graph::new(&table, &Words::embedded());
    let (steps, text) = input.strip_prefix("steps ").map_or((false, input), |rest| (true, rest));
    let mut formulas = Formulas::new();
    let formula = match notation::read(text, &graph, &mut formulas) {
        Ok(formula) => formula,
        Err(error) => return format!("error: {error}"),
    };
    let mut executor = Executor::new(&graph, formulas);
    let phrases = Phrases::embedded();
    let mut explainer = Explainer::new(&phrases, &mut executor);
    let mut lines = vec![explainer.english(formula)];
    if steps {
        let shown = |step: &tabwise::explain::Step| format!("- {}: {} {:?}", step.english, step.result.join(", "), step.cells);
        lines.extend(explainer.steps(formula).iter().map(shown));
    }
    lines.join("\n")
}
