//! The graph of a table: columns are relations from rows to texts, and texts have readings.
//!
//!     cargo run --example 2_graph

#![allow(clippy::disallowed_macros)]

use tabwise::graph::{Graph, Reading};
use tabwise::table::{Table, TableError};
use tabwise::words::Words;

fn main() -> Result<(), TableError> {
    let table = Table::from_csv(include_str!("../../../examples/matches.csv"))?;
    let graph = Graph::new(&table, &Words::embedded());
    println!("{} rows, {} texts", graph.row_count(), graph.entity_count());
    for name in ["12 August 2023", "2–1", "4,210", "Lind, Okafor, Reyes"] {
        let entity = graph.entity_named(name).expect("the table has this text");
        for reading in Reading::ALL.into_iter().filter(|reading| *reading != Reading::Part) {
            if let Some(value) = graph.read(entity, reading) {
                println!("{name:?} as {}: {}", reading.name(), graph.show(value));
            }
        }
        for part in graph.parts(entity) {
            println!("{name:?} has the part {:?}", graph.name(*part));
        }
    }
    Ok(())
}
