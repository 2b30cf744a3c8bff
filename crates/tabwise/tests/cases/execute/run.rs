//! Execution. The content is a CSV, the input is a formula in either notation; the output is what it denotes, one value on
//! a line, then the cells it was read or computed from and those that conditions looked at, or why it means nothing.

use tabwise::execute::{Denotation, Executor, evidence};
use tabwise::formula::{Formulas, lisp, notation};
use tabwise::graph::{Cell, Cells, Graph};
use tabwise::table::Table;
use tabwise::words::Words;

pub fn run(content: &str, input: &str) -> String {
    let table = Table::from_csv(content).expect("the content is a CSV");
    // Formulas of the dataset name empty cells.
    let cells = if lisp::is_lisp(input) { Cells::Alone } else { Cells::InColumns };
    let graph = Graph::with_cells(&table, &Words::embedded(), cells);
    let mut formulas = Formulas::new();
    let read = match lisp::is_lisp(input) {
        true => lisp::read(input, &graph, &mut formulas).map_err(|error| error.to_string()),
        false => notation::read(input, &graph, &mut formulas).map_err(|error| error.to_string()),
    };
    let id = match read {
        Ok(id) => id,
        Err(error) => return format!("no formula: {error}"),
    };
    let mut lines = Vec::new();
    if lisp::is_lisp(input) {
        lines.push(notation::show(&formulas, &graph, id));
    }
    let mut executor = Executor::new(&graph, formulas);
    match executor.denote(id) {
        Err(undefined) => lines.push(format!("undefined: {undefined}")),
        Ok(denotation) => lines.extend(show(&denotation, &graph)),
    }
    let found = evidence(&mut executor, id);
    for (name, cells) in [("from", &found.answer), ("because of", &found.used)] {
        if !cells.is_empty() {
            lines.push(format!("{name} {}", places(cells, &graph)));
        }
    }
    lines.join("\n")
}

fn show(denotation: &Denotation, graph: &Graph) -> Vec<String> {
    match denotation {
        Denotation::Passing(filter) => vec![format!("all that pass {filter:?}")],
        _ if denotation.is_empty() => vec!["nothing".to_owned()],
        _ => denotation.show(graph),
    }
}

fn places(cells: &[Cell], graph: &Graph) -> String {
    let place = |cell: &Cell| format!("{} {}", graph.column(cell.column).name, cell.row);
    cells.iter().map(place).collect::<Vec<_>>().join(", ")
}
