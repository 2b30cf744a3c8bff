//! [`Held`]: the profile of a table that an engine holds. A table that is not long is here as a whole. Of a long one there
//! are rows drawn by lot, a row for each different text of columns with few of them, and the rows with the smallest and
//! the largest values; so the words of a question find what they name, and a bound that some row exceeds is exceeded.

use super::view::{Column, View};
use super::{Declared, Engine, EngineError, Lines, Type, add_rows};
use crate::graph::{ColumnId, Graph};
use crate::sql::{Dialect, Facts, Field, Kind, Known, Part, Which};
use crate::table::Table;

/// What is known of a table in an engine.
pub struct Held {
    pub(crate) view: View,
    /// Number of rows in the engine.
    rows: usize,
    /// Rows that stand for all.
    sample: Table,
    /// Columns of which some text may not be in the sample.
    pub(crate) is_partial: Vec<bool>,
    has_nulls: Vec<bool>,
    notes: Vec<String>,
}

/// Number of rows up to which a profile has all of them.
const WHOLE: usize = 20_000;
/// Number of rows drawn by lot.
const DRAWN: usize = 4_000;
/// Number of different texts of a column up to which there is a row for each.
const TEXTS: usize = 2_000;

impl Held {
    /// Number of rows in the engine.
    pub fn row_count(&self) -> usize {
        self.rows
    }

    /// Rows that stand for all.
    pub fn sample(&self) -> &Table {
        &self.sample
    }

    /// True if the sample has every row, in the order of the engine.
    pub fn is_whole(&self) -> bool {
        self.sample.row_count() == self.rows
    }

    /// Notes on columns that questions cannot be about, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Notes what the graph of the sample reads otherwise than it is spelled: texts that mean a missing value, and
    /// spellings of a text that is spelled in another way elsewhere.
    pub(crate) fn respell(&mut self, graph: &Graph) {
        for (at, column) in self.view.columns.iter_mut().enumerate().filter(|(_, column)| column.kind == Type::Text) {
            for (row, entity) in graph.columns()[at].cells.iter().enumerate() {
                let (text, name) = (self.sample.cell(row, at), graph.name(*entity));
                let read = (!graph.is_missing(*entity)).then_some(name);
                if !text.is_empty() && read != Some(text) {
                    column.respelled.insert(text.to_string(), read.map(str::to_string));
                }
            }
            if column.is_odd {
                column.respelled.insert(String::new(), None);
            }
            self.has_nulls[at] |= column.respelled.values().any(Option::is_none);
        }
    }

    /// Types of the columns for queries. No column is taken for one without repeats: that is not looked at.
    pub(crate) fn known(&self) -> Known {
        let mut known = Vec::new();
        for (at, column) in self.view.columns.iter().enumerate() {
            let (id, has_nulls) = (ColumnId(at as u16), self.has_nulls[at]);
            known.push((Field::Cell(id), Facts { kind: kind(column), has_nulls, is_unique: false }));
            let day = Facts { kind: Kind::Day, has_nulls, is_unique: false };
            known.push((Field::Date(id, Which::Start, Part::Whole), day));
        }
        Known::new(known)
    }
}

/// Type of a column in queries.
fn kind(column: &Column) -> Kind {
    match column.kind {
        Type::Whole => Kind::Whole,
        Type::Number | Type::Decimal => Kind::Number,
        Type::Day => Kind::Day,
        Type::Moment if !column.is_odd => Kind::Day,
        Type::Moment | Type::Text | Type::Truth | Type::Other => Kind::Text,
    }
}

/// Looks at the table of an engine.
pub(super) fn profile<E: Engine + ?Sized>(engine: &E) -> Result<Held, EngineError> {
    let declared = engine.columns()?;
    let mut view = View::new(engine.dialect(), engine.table(), &declared);
    if view.columns.is_empty() {
        return Err(error(engine, "it has no column of numbers, texts, days or truths"));
    }
    let counts = Counts::of(engine, &view)?;
    view.columns.iter_mut().zip(&counts.odd).for_each(|(column, odd)| column.is_odd = *odd > 0);
    let is_whole = counts.rows <= WHOLE;
    let is_partial = |(column, texts): (&Column, &usize)| !is_whole && (column.kind != Type::Truth && *texts > TEXTS);
    let is_partial: Vec<bool> = view.columns.iter().zip(&counts.texts).map(is_partial).collect();
    let mut sample = Table::new(view.columns.iter().map(|column| column.name.clone()).collect());
    let lines = if is_whole { engine.run(&view.of(""))? } else { some_rows(engine, &view, counts.rows, &is_partial)? };
    add_rows(&mut sample, &lines);
    let is_nan = |column: &Column| column.is_odd && column.kind == Type::Number;
    let present = counts.present.iter().zip(&view.columns);
    let has_nulls = present.map(|(present, column)| *present < counts.rows || is_nan(column)).collect();
    Ok(Held { view, rows: counts.rows, sample, is_partial, has_nulls, notes: notes(&declared) })
}

fn notes(declared: &[Declared]) -> Vec<String> {
    let other = declared.iter().filter(|column| column.kind == Type::Other);
    other
        .map(|column| {
            format!("column \"{}\" is left out: its type is none of text, number, date and truth", column.name)
        })
        .collect()
}

/// Rows that stand for all of a long table, each once and in an order that does not depend on the engine's.
fn some_rows<E: Engine + ?Sized>(
    engine: &E,
    view: &View,
    rows: usize,
    is_partial: &[bool],
) -> Result<Lines, EngineError> {
    let mut lines = engine.run(&view.draw(DRAWN, rows))?;
    for (column, _) in
        view.columns.iter().zip(is_partial).filter(|(column, is_partial)| has_texts(column) && !**is_partial)
    {
        lines.extend(engine.run(&view.of_each(column, 2 * TEXTS))?);
    }
    let ordered = view.columns.iter().filter(|column| column.kind.is_ordered());
    let ordered: Vec<String> = ordered.map(|column| view.quoted(&column.name)).collect();
    if !ordered.is_empty() {
        lines.extend(engine.run(&view.extremes(&ordered, ""))?);
    }
    lines.sort_unstable();
    lines.dedup();
    Ok(lines)
}

fn has_texts(column: &Column) -> bool {
    matches!(column.kind, Type::Text | Type::Truth)
}

/// Counts of a table.
struct Counts {
    rows: usize,
    /// Cells that are not `NULL`, for each column.
    present: Vec<usize>,
    /// Different texts, about; 0 for other columns.
    texts: Vec<usize>,
    /// Moments that are not at midnight, numbers that are none, and empty texts; 0 for other columns.
    odd: Vec<usize>,
}

impl Counts {
    /// Counts in one pass.
    fn of<E: Engine + ?Sized>(engine: &E, view: &View) -> Result<Counts, EngineError> {
        let names: Vec<String> = view.columns.iter().map(|column| view.quoted(&column.name)).collect();
        let present = names.iter().map(|name| format!("COUNT({name})"));
        let texts = names.iter().zip(&view.columns).map(|(name, column)| different(view, name, column));
        let odd = names.iter().zip(&view.columns).map(|(name, column)| odd(view.dialect, name, column));
        let counts: Vec<String> =
            std::iter::once("COUNT(*)".to_string()).chain(present).chain(texts).chain(odd).collect();
        let lines = engine.run(&format!("SELECT {} FROM {}", counts.join(", "), view.quoted(&view.table)))?;
        let number = |cell: &Option<String>| cell.as_ref().and_then(|text| text.parse().ok()).unwrap_or(0);
        let found: Vec<usize> = lines.iter().flatten().map(number).collect();
        let [rows, rest @ ..] = &found[..] else { return Err(error(engine, "it gave no counts")) };
        let columns = names.len();
        if rest.len() != 3 * columns {
            return Err(error(engine, "it gave other counts than were asked for"));
        }
        let part = |at: usize| rest[at * columns..(at + 1) * columns].to_vec();
        Ok(Counts { rows: *rows, present: part(0), texts: part(1), odd: part(2) })
    }
}

/// Number of different texts of a column. SQLite counts no further than has to be known.
fn different(view: &View, name: &str, column: &Column) -> String {
    match (has_texts(column), view.dialect) {
        (false, _) => TEXTS.saturating_add(1).to_string(),
        (true, Dialect::Sqlite) => {
            let table = view.quoted(&view.table);
            format!("(SELECT COUNT(*) FROM (SELECT DISTINCT {name} FROM {table} LIMIT {}))", TEXTS + 1)
        }
        (true, Dialect::Postgres) => format!("COUNT(DISTINCT {name})"),
        (true, Dialect::Duckdb | Dialect::Spark) => format!("APPROX_COUNT_DISTINCT({name})"),
    }
}

/// Number of moments of a column that are not at midnight, of its numbers that are none, or of its empty texts.
fn odd(dialect: Dialect, name: &str, column: &Column) -> String {
    match (column.kind, dialect) {
        (Type::Text, _) => format!("SUM(CASE WHEN {name} = '' THEN 1 ELSE 0 END)"),
        (Type::Moment, Dialect::Sqlite) => format!("SUM(TIME({name}) <> '00:00:00')"),
        (Type::Number, Dialect::Duckdb | Dialect::Spark) => format!("SUM(CASE WHEN ISNAN({name}) THEN 1 ELSE 0 END)"),
        (Type::Moment, _) => {
            format!(
                "SUM(CASE WHEN CAST(CAST({name} AS DATE) AS TIMESTAMP) = CAST({name} AS TIMESTAMP) THEN 0 ELSE 1 END)"
            )
        }
        _ => "0".to_string(),
    }
}

fn error<E: Engine + ?Sized>(engine: &E, reason: &str) -> EngineError {
    EngineError {
        engine: engine.dialect().name().to_string(),
        table: engine.table().to_string(),
        reason: reason.to_string(),
    }
}
