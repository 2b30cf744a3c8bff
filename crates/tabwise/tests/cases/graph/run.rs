//! The graph of a table. The content is a CSV; the input is `columns` (output: their names, with 1 in their unit, and the
//! entities of each), `notes`, or the text of an entity (output: how it is spelt in the graph, its readings and parts, and the cells that hold it).

use tabwise::graph::{Column, Graph, Reading};
use tabwise::table::Table;
use tabwise::value::EntityId;
use tabwise::words::Words;

pub fn run(content: &str, input: &str) -> String {
    let table = Table::from_csv(content).expect("the content is a CSV");
    let graph = Graph::new(&table, &Words::embedded());
    let entity = |name: &str| graph.entity_named(name).map_or("no such entity".into(), |entity| show(&graph, entity));
    match input {
        "columns" => graph.columns().iter().map(|column| show_column(&graph, column)).collect::<Vec<_>>().join("\n"),
        "notes" => graph.notes().join("\n"),
        name => entity(&name.replace("\\n", "\n")),
    }
}

fn show_column(graph: &Graph, column: &Column) -> String {
    let entities: Vec<&str> = column.cells.iter().map(|entity| shown(graph, *entity)).collect();
    let unit = column.unit.as_ref().map_or(String::new(), |unit| format!(" ({})", unit.show("1")));
    format!("{}{unit}: {}", column.name, entities.join(" | "))
}

/// The text of an entity, or `∅` for that of missing cells.
fn shown(graph: &Graph, entity: EntityId) -> &str {
    if graph.is_missing(entity) { "∅" } else { graph.name(entity) }
}

fn show(graph: &Graph, entity: EntityId) -> String {
    let mut lines = vec![format!("{:?}", graph.name(entity))];
    let read = |reading: Reading| Some(format!("{} {}", reading.name(), graph.show(graph.read(entity, reading)?)));
    let listed = Reading::ALL.into_iter().filter(|reading| !reading.is_of_date());
    lines.extend(listed.filter_map(read));
    let parts: Vec<&str> = graph.parts(entity).iter().map(|part| graph.name(*part)).collect();
    if !parts.is_empty() {
        lines.push(format!("Part {}", parts.join(" | ")));
    }
    for column in graph.columns() {
        let rows = column.cells.iter().enumerate().filter(|(_, here)| **here == entity).map(|(row, _)| row.to_string());
        let rows: Vec<String> = rows.collect();
        if !rows.is_empty() {
            lines.push(format!("{} of row {}", column.name, rows.join(", ")));
        }
    }
    lines.join("\n")
}
