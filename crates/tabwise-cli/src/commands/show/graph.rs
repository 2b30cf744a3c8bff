//! `tabwise show graph`: the graph of a table, in which formulas are executed: columns, entities with their readings,
//! and rows.

use crate::asker::KnowledgeArgs;
use crate::input::TableArgs;
use crate::outcome::Outcome;
use anyhow::Result;
use serde::Serialize;
use std::io::Write;
use tabwise::graph::{Column, Graph, Reading, Unit};
use tabwise::value::EntityId;

const EXAMPLES: &str = "Examples:
  tabwise show graph games.csv
  tabwise show graph games.csv --limit 5
  tabwise show graph games.csv --json | jq '.entities[] | select(.Date)'

Rows and entities are counted from 0. An entity is a text; equal texts, ignoring case, are one \
entity in the whole table. In a formula, R[Number].R[Year].Rows are the numbers of the column Year.";

/// Options of `show graph`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Maximum number of rows and entities to print [default: 20, or all with --json]
    #[arg(long, value_name = "NUMBER", help_heading = None)]
    limit: Option<usize>,
    /// Print a JSON object with columns, entities and rows
    #[arg(long, help_heading = None)]
    json: bool,
    #[command(flatten)]
    knowledge: KnowledgeArgs,
}

/// Reads the table and prints its graph.
pub(super) fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    let table = args.table.load()?;
    let graph = Graph::new(&table, &args.knowledge.load()?.words);
    match args.json {
        true => json(&graph, args.limit.unwrap_or(usize::MAX), out)?,
        false => text(&graph, args.limit.unwrap_or(20), out)?,
    }
    Ok(Outcome::Done)
}

fn text(graph: &Graph, limit: usize, out: &mut impl Write) -> Result<()> {
    let (rows, columns) = (graph.row_count(), graph.columns().len());
    writeln!(out, "{rows} rows, {columns} columns, {} entities", graph.entity_count())?;
    writeln!(out, "\nColumns: relations from a row to an entity")?;
    for column in graph.columns() {
        writeln!(out, "  {}: {}", quoted(&column.name), summary(graph, column))?;
    }
    graph.notes().iter().try_for_each(|note| writeln!(out, "  note: {note}"))?;
    writeln!(out, "\nEntities: texts and their readings")?;
    for entity in graph.entities().take(limit) {
        writeln!(out, "  {} {}", quoted(graph.name(entity)), readings(graph, entity))?;
    }
    more(graph.entity_count(), limit, "entities", out)?;
    writeln!(out, "\nRows: each is Next of the one before it")?;
    for row in 0..rows.min(limit) {
        let cell = |column: &Column| format!("{}.{}", quoted(&column.name), quoted(graph.name(column.cells[row])));
        writeln!(out, "  Index {row}: {}", graph.columns().iter().map(cell).collect::<Vec<_>>().join("  "))?;
    }
    more(rows, limit, "rows", out)
}

/// Prints the number of entries beyond the limit.
fn more(total: usize, limit: usize, what: &str, out: &mut impl Write) -> Result<()> {
    if total > limit {
        writeln!(out, "  … and {} more {what} (--limit)", total - limit)?;
    }
    Ok(())
}

/// Number of different entities of a column, and of cells with each reading.
fn summary(graph: &Graph, column: &Column) -> String {
    let mut distinct: Vec<EntityId> = column.cells.iter().filter(|one| !graph.is_missing(**one)).copied().collect();
    let missing = Some(column.cells.len() - distinct.len()).filter(|missing| *missing > 0);
    distinct.sort_unstable();
    distinct.dedup();
    let listed = Reading::ALL.into_iter().filter(|reading| !reading.is_of_date());
    let counts = listed.map(|reading| (reading, count(graph, column, reading)));
    let counts = counts.filter(|(_, count)| *count > 0).map(|(reading, count)| format!("{count} {}", reading.name()));
    let missing = missing.map(|missing| format!("{missing} missing"));
    let unit = column.unit.as_ref().map(|unit| format!("in {}", quoted(unit.name())));
    let all = std::iter::once(format!("{} different", distinct.len())).chain(missing).chain(counts).chain(unit);
    all.collect::<Vec<_>>().join(", ")
}

fn count(graph: &Graph, column: &Column, reading: Reading) -> usize {
    column.cells.iter().filter(|entity| graph.has_reading(**entity, reading)).count()
}

/// The readings of an entity, in words.
fn readings(graph: &Graph, entity: EntityId) -> String {
    if graph.is_missing(entity) {
        return "missing".to_owned();
    }
    let mut shown: Vec<String> = Vec::new();
    for reading in Reading::ALL.into_iter().filter(|reading| !reading.is_of_date()) {
        shown.extend(graph.read(entity, reading).map(|value| format!("{} {}", reading.name(), graph.show(value))));
    }
    let parts: Vec<String> = graph.parts(entity).iter().map(|part| quoted(graph.name(*part))).collect();
    if !parts.is_empty() {
        shown.push(format!("Part {}", parts.join(" ")));
    }
    shown.join(", ")
}

/// Maximum number of characters of a text.
const WIDEST: usize = 60;

fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(WIDEST).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("{shown:?}")
}

/// A graph, for output.
#[derive(Serialize)]
struct GraphView<'g> {
    columns: Vec<ColumnView<'g>>,
    entities: Vec<EntityView<'g>>,
    /// For each row, the index of the entity in each column.
    rows: Vec<Vec<u32>>,
    /// Index of the entity of missing cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<u32>,
    notes: &'g [String],
}

/// A column, for output.
#[derive(Serialize)]
struct ColumnView<'g> {
    name: &'g str,
    header: &'g str,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'g str>,
}

/// An entity with its readings, for output. The readings have their names of the formula language.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct EntityView<'g> {
    #[serde(rename = "name")]
    name: &'g str,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number2: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date2: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    part: Vec<&'g str>,
}

impl<'g> EntityView<'g> {
    fn new(graph: &'g Graph, entity: EntityId) -> EntityView<'g> {
        let read = |reading: Reading| graph.read(entity, reading).map(|value| graph.show(value));
        EntityView {
            name: graph.name(entity),
            number: read(Reading::Number),
            number2: read(Reading::Number2),
            date: read(Reading::Date),
            date2: read(Reading::Date2),
            duration: read(Reading::Duration),
            part: graph.parts(entity).iter().map(|part| graph.name(*part)).collect(),
        }
    }
}

fn json(graph: &Graph, limit: usize, out: &mut impl Write) -> Result<()> {
    let columns = graph.columns().iter().map(|column| ColumnView {
        name: &column.name,
        header: &column.header,
        unit: column.unit.as_ref().map(Unit::name),
    });
    let row = |row: usize| graph.columns().iter().map(|column| column.cells[row].0).collect();
    let shown = GraphView {
        columns: columns.collect(),
        entities: graph.entities().take(limit).map(|entity| EntityView::new(graph, entity)).collect(),
        rows: (0..graph.row_count().min(limit)).map(row).collect(),
        missing: graph.entities().find(|entity| graph.is_missing(*entity)).map(|entity| entity.0),
        notes: graph.notes(),
    };
    serde_json::to_writer(&mut *out, &shown)?;
    Ok(writeln!(out)?)
}
