//! Types. The content is a CSV, the input is a formula; the output is its type, or why it has none or is no formula.

use tabwise::formula::types::type_of;
use tabwise::formula::{Formulas, notation};
use tabwise::graph::Graph;
use tabwise::table::Table;
use tabwise::words::Words;

pub fn run(content: &str, input: &str) -> String {
    let table = Table::from_csv(content).expect("the content is a CSV");
    let graph = Graph::new(&table, &Words::embedded());
    let mut formulas = Formulas::new();
    match notation::read(input, &graph, &mut formulas) {
        Err(error) => format!("no formula: {error}"),
        Ok(id) => match type_of(&formulas, &graph, id) {
            Err(error) => format!("no type: {error}"),
            Ok(kind) => kind.to_string(),
        },
    }
}
