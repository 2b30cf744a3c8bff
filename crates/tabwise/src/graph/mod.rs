//! [`Graph`]: the rows and entities of a table, and the relations between them. Each column is a relation from a row to
//! an entity (equal texts are one entity in all cells). Each reading is a relation from an entity to a number, a date
//! or a part. Rows are connected by `Next` and numbered by `Index`. A graph is read-only once built.
//!
//! Cells are stored by column as entity ids, and readings by entity, so a filter is one pass over small integers. This
//! is fast enough for a million rows without an index.
//!
//! [`Cells`] says how cells are read: each text by itself, or in sight of its column. Then all cells without a value
//! hold one entity without text ([`Graph::is_missing`]), and the convention of its column decides how a text is read
//! that may be read in two ways. A text in several columns is read by the convention of the first.

mod clock;
mod conventions;
mod entities;
mod missing;
mod names;
mod recent;
mod unit;

pub use unit::Unit;

use crate::meter::{Budget, Exceeded, Meter};
use crate::named::named;
use crate::table::Table;
use crate::text::clock::show_time;
use crate::value::{EntityId, Value};
use crate::words::Words;
use conventions::Conventions;
use entities::{Entities, intern};
use missing::Missing;
use names::Names;
use recent::Recent;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A column of the table, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnId(pub u16);

/// A cell: a row and a column, both counted from 0, the header not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// Row, from 0.
    pub row: u32,
    /// Column.
    pub column: ColumnId,
}

named! {
    /// Meaning of a cell's text, as a relation from the entity to the value.
    pub enum Reading is "reading" {
        /// The number that the text is or begins with.
        Number => "Number",
        /// The second number: the other side of a score, the end of a range.
        Number2 => "Number2",
        /// The date, or the start of a span of dates.
        Date => "Date",
        /// The end of a span of dates.
        Date2 => "Date2",
        /// The year of the date.
        Year => "YearOf",
        /// The month of the date, from 1 to 12.
        Month => "MonthOf",
        /// The day of the week of the date, from 1 for Monday to 7 for Sunday.
        Weekday => "WeekdayOf",
        /// A length of time or a time of day, in seconds.
        Duration => "Duration",
        /// Each part of a list, or of a place such as `City, Country`.
        Part => "Part",
    }
}

impl Reading {
    /// True for the year, the month and the weekday of a date.
    pub fn is_of_date(self) -> bool {
        matches!(self, Reading::Year | Reading::Month | Reading::Weekday)
    }
}

/// Way of reading cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Cells {
    /// Each text by itself, as in the paper. An empty cell or `n/a` is an entity like any other.
    #[default]
    Alone,
    /// In sight of the column. A cell without a value is missing: it is no entity of its column. Decimal commas, the
    /// order of day and month, and times of day are decided for a column.
    InColumns,
}

/// A column of the table.
pub struct Column {
    /// Header as in the table; it may be empty or repeat.
    pub header: String,
    /// Name that no other column has.
    pub name: String,
    /// Entity in each row.
    pub cells: Vec<EntityId>,
    /// Unit of its numbers, if they have one.
    pub unit: Option<Unit>,
    /// True if its cells are times of day; their durations are seconds since midnight.
    pub is_of_times: bool,
}

/// The graph of one table.
pub struct Graph {
    columns: Vec<Column>,
    row_count: usize,
    /// Texts and their readings, which a sample of the rows shares.
    entities: Arc<Entities>,
    /// Entities of a sample and their parts, in ascending order; `None` if all rows are here.
    sampled: Option<Vec<EntityId>>,
    /// Entity in all missing cells, if there are any.
    missing: Option<EntityId>,
    notes: Vec<String>,
    cells: Cells,
    /// Bytes of memory that what is computed on the graph may take.
    room: u64,
    /// Bytes of memory that the graph was made with.
    budget: u64,
}

impl Graph {
    /// Builds the graph of a table, with its cells read in sight of their columns.
    pub fn new(table: &Table, words: &Words) -> Graph {
        Graph::with_cells(table, words, Cells::InColumns)
    }

    /// Builds the graph of a table. Each distinct text is read once.
    pub fn with_cells(table: &Table, words: &Words, cells: Cells) -> Graph {
        let meter = Meter::new(Budget::UNLIMITED);
        Graph::within(table, words, cells, &meter).expect("without a limit nothing is exceeded")
    }

    /// Builds the graph of a table within a budget. What is left of it is for formulas that are executed on the graph.
    pub fn within(table: &Table, words: &Words, cells: Cells, meter: &Meter) -> Result<Graph, Exceeded> {
        let mut names = Names::default();
        let (columns, missing) = match cells {
            Cells::Alone => (read_columns(table, &mut names, meter, |text, _| text)?, None),
            Cells::InColumns => {
                let missing = Missing::new(table, words);
                let text = |text, column| if missing.is_missing(text, column) { "" } else { text };
                (read_columns(table, &mut names, meter, text)?, names.find(""))
            }
        };
        let conventions = match cells {
            Cells::Alone => Conventions::default(),
            Cells::InColumns => Conventions::of(&columns, &names, words),
        };
        let entities = Arc::new(Entities::read(names, &conventions, words, meter)?);
        let budget = meter.budget().memory;
        let notes = conventions.notes;
        let mut graph = Graph {
            columns,
            row_count: table.row_count(),
            entities,
            sampled: None,
            missing,
            notes,
            cells,
            room: u64::MAX,
            budget,
        };
        graph.columns.iter_mut().zip(&conventions.times).for_each(|(column, times)| column.is_of_times = *times);
        if cells == Cells::InColumns {
            let units: Vec<Option<Unit>> = graph.columns.iter().map(|one| unit::unit(one, &graph, words)).collect();
            graph.columns.iter_mut().zip(units).for_each(|(column, unit)| column.unit = unit);
        }
        graph.room = meter.room();
        Ok(graph)
    }

    /// Returns a graph of some of the rows, in this order. Its texts have the ids that they have in this one, so formulas
    /// mean the same in both.
    pub fn sample(&self, rows: &[u32]) -> Graph {
        let column = |column: &Column| Column {
            header: column.header.clone(),
            name: column.name.clone(),
            cells: rows.iter().map(|row| column.cells[*row as usize]).collect(),
            unit: column.unit.clone(),
            is_of_times: column.is_of_times,
        };
        let columns: Vec<Column> = self.columns.iter().map(column).collect();
        let mut sampled: Vec<EntityId> = columns.iter().flat_map(|column| column.cells.iter().copied()).collect();
        sampled.sort_unstable();
        sampled.dedup();
        let parts: Vec<EntityId> = sampled.iter().flat_map(|entity| self.parts(*entity)).copied().collect();
        sampled.extend(parts);
        sampled.sort_unstable();
        sampled.dedup();
        Graph {
            columns,
            row_count: rows.len(),
            entities: self.entities.clone(),
            sampled: Some(sampled),
            notes: self.notes.clone(),
            ..*self
        }
    }

    /// Bytes of memory that what is computed on the graph may take.
    pub fn room(&self) -> u64 {
        self.room
    }

    /// Returns the error for what needs more than that.
    pub fn exceeded(&self) -> Exceeded {
        Exceeded::Memory(self.budget)
    }

    /// Takes from that memory for something that is kept with the graph.
    pub(crate) fn take_room(&mut self, bytes: usize, meter: &Meter) -> Result<(), Exceeded> {
        meter.take(bytes)?;
        self.room = meter.room();
        Ok(())
    }

    /// Returns the way in which cells are read.
    pub fn cells(&self) -> Cells {
        self.cells
    }

    /// Returns notes on columns that may be read in two ways, and on decimal commas; one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the number of rows, without the header.
    pub fn row_count(&self) -> usize {
        self.row_count
    }

    /// Returns all columns, from left to right.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the ids of all columns, from left to right.
    pub fn column_ids(&self) -> impl Iterator<Item = ColumnId> + Clone + use<> {
        (0..self.columns.len() as u16).map(ColumnId)
    }

    /// Returns a column. Panics if it is not in the table.
    pub fn column(&self, id: ColumnId) -> &Column {
        &self.columns[usize::from(id.0)]
    }

    /// Finds the column with this name, or else the first whose name or header differs only in letter case.
    pub fn column_named(&self, name: &str) -> Option<ColumnId> {
        let same = |text: &str| text.to_lowercase() == name.to_lowercase();
        let exactly = self.columns.iter().position(|c| c.name == name);
        let nearly = || self.columns.iter().position(|c| same(&c.name) || same(&c.header));
        exactly.or_else(nearly).map(|at| ColumnId(at as u16))
    }

    /// Returns the number of entities.
    pub fn entity_count(&self) -> usize {
        self.entities.count()
    }

    /// Returns all entities: those of cells first, in the order of rows, then those that are only parts.
    pub fn entities(&self) -> impl Iterator<Item = EntityId> + Clone + use<> {
        (0..self.entities.count() as u32).map(EntityId)
    }

    /// Returns the entities of the rows that are here, in ascending order: all of them, or those of a sample.
    pub fn entities_here(&self) -> impl Iterator<Item = EntityId> + '_ {
        let all = if self.sampled.is_none() { self.entity_count() } else { 0 };
        (0..all as u32).map(EntityId).chain(self.sampled.iter().flatten().copied())
    }

    /// Returns the number of entities of the rows that are here.
    pub fn entity_count_here(&self) -> usize {
        self.sampled.as_ref().map_or(self.entity_count(), Vec::len)
    }

    /// Returns the text of an entity, as first spelled in the table.
    pub fn name(&self, entity: EntityId) -> &str {
        self.entities.name(entity)
    }

    /// Finds the entity with this text. Letter case, white space and kinds of dashes and quotation marks are ignored.
    pub fn entity_named(&self, text: &str) -> Option<EntityId> {
        self.entities.named(text)
    }

    /// True for the entity of missing cells, which have no value. Graphs of [`Cells::Alone`] have none.
    pub fn is_missing(&self, entity: EntityId) -> bool {
        self.missing == Some(entity)
    }

    /// Returns the entity in a cell. Panics if the cell is not in the table.
    pub fn entity_at(&self, cell: Cell) -> EntityId {
        self.column(cell.column).cells[cell.row as usize]
    }

    /// Tells if some text is a list.
    pub fn has_parts(&self) -> bool {
        self.entities.has_parts()
    }

    /// Returns the parts of a list; empty if the text is not a list.
    pub fn parts(&self, entity: EntityId) -> &[EntityId] {
        self.entities.parts(entity)
    }

    /// Returns the number, date or duration of a reading. `Part` may have several values: see [`Graph::parts`].
    pub fn read(&self, entity: EntityId, reading: Reading) -> Option<Value> {
        self.entities.reading(entity, reading)
    }

    /// True if a text has this reading.
    pub fn has_reading(&self, entity: EntityId, reading: Reading) -> bool {
        match reading {
            Reading::Part => !self.parts(entity).is_empty(),
            _ => self.read(entity, reading).is_some(),
        }
    }

    /// Returns a time of day of a column, in seconds, as one of its cells writes it; `None` for a column of other things.
    pub fn show_time(&self, column: ColumnId, seconds: f64) -> Option<String> {
        let column = self.columns.get(usize::from(column.0)).filter(|column| column.is_of_times)?;
        let is_it = |entity: &&EntityId| self.read(**entity, Reading::Duration) == Some(Value::Number(seconds));
        let written = column.cells.iter().find(is_it).map(|entity| self.name(*entity).to_string());
        Some(written.unwrap_or_else(|| show_time(seconds)))
    }

    /// Returns a value as text: the name of an entity, or the number or date as printed.
    pub fn show(&self, value: Value) -> String {
        match value {
            Value::Entity(entity) => self.name(entity).to_string(),
            Value::Number(n) => crate::value::show_number(n),
            Value::Date(date) => date.to_string(),
            Value::Truth(truth) => crate::value::show_truth(truth).to_string(),
        }
    }
}

/// Reads the columns, at most as many as there are ids; `text` gives the text of the entity for that of a cell.
fn read_columns<'t>(
    table: &'t Table,
    names: &mut Names,
    meter: &Meter,
    text: impl Fn(&'t str, usize) -> &'t str,
) -> Result<Vec<Column>, Exceeded> {
    let row = table.column_count() * size_of::<EntityId>();
    let header: usize = table.header().iter().map(|name| size_of::<Column>() + 4 * name.len()).sum();
    meter.take(table.row_count().saturating_mul(row).saturating_add(header))?;
    let headers = &table.header()[..table.column_count().min(usize::from(u16::MAX))];
    let named = headers.iter().zip(unique_names(headers));
    let mut columns: Vec<Column> = named
        .map(|(header, name)| Column {
            header: header.clone(),
            name,
            cells: Vec::with_capacity(table.row_count()),
            unit: None,
            is_of_times: false,
        })
        .collect();
    let mut recent = Recent::of_columns(table.row_count(), columns.len());
    for row in 0..table.row_count() {
        for (at, (column, cell)) in columns.iter_mut().zip(table.row(row)).enumerate() {
            column.cells.push(recent[at].id(cell, |cell| intern(names, text(cell, at), meter))?);
        }
    }
    Ok(columns)
}

/// Returns the headers, made unique: an empty one becomes `column_3`, a repeated one gets a number at its end.
fn unique_names(headers: &[String]) -> Vec<String> {
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let mut repeats: FxHashMap<String, usize> = FxHashMap::default();
    let mut names = Vec::with_capacity(headers.len());
    for (at, header) in headers.iter().enumerate() {
        let text = header.split_whitespace().collect::<Vec<_>>().join(" ");
        let base = if text.is_empty() { format!("column_{}", at + 1) } else { text };
        let mut name = base.clone();
        // A loop, because the table may have a column named like the numbered one: `A`, `A`, `A_2`.
        while !taken.insert(name.clone()) {
            let number = repeats.entry(base.clone()).and_modify(|n| *n += 1).or_insert(2);
            name = format!("{base}_{number}");
        }
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_names_of_their_own() {
        let headers = ["A", "A", "A_2", "", "A", " A\nB "].map(str::to_owned);
        assert_eq!(unique_names(&headers), ["A", "A_2", "A_2_2", "column_4", "A_3", "A B"]);
    }
}
