//! Formulas: reading one, what it denotes, the cells behind it, and what it says in English.
//!
//!     cargo run --example 3_formula

#![allow(clippy::disallowed_macros)]

use std::error::Error;
use tabwise::execute::{Executor, evidence};
use tabwise::explain::{Explainer, Phrases};
use tabwise::formula::{Formulas, notation};
use tabwise::graph::Graph;
use tabwise::table::Table;
use tabwise::words::Words;

fn main() -> Result<(), Box<dyn Error>> {
    let table = Table::from_csv(include_str!("../../../examples/olympics.csv"))?;
    let graph = Graph::new(&table, &Words::embedded());
    let mut formulas = Formulas::new();
    let id = notation::read("R[Year].argmax(Country.Greece, Index)", &graph, &mut formulas)?;
    println!("{}", notation::paper(&formulas, &graph, id));
    let mut executor = Executor::new(&graph, formulas);
    println!("denotes {}", executor.denote(id)?.show(&graph).join(", "));
    for cell in evidence(&mut executor, id).answer {
        println!("from row {} of {}", cell.row + 1, graph.column(cell.column).header);
    }
    let phrases = Phrases::embedded();
    let mut explainer = Explainer::new(&phrases, &mut executor);
    println!("in English: {}", explainer.english(id));
    for step in explainer.steps(id) {
        println!("  {} → {}", step.english, step.result.join(", "));
    }
    Ok(())
}
