//! The graph of a table: rows, entities and the relations between them. Each column is a relation from a row to an entity
//! (the same string is one entity wherever it stands); each reading of a text is a relation from the entity to a number,
//! a date or a part; rows are linked by `Next` and numbered by `Index`. A graph is read-only once built.
//!
//! Cells are stored by column as entity ids, and readings by entity, so a filter is one pass over small integers: a table
//! of a million rows needs no other index.

use crate::table::Table;
use crate::text::readings::read_cell;
use crate::value::{Date, EntityId, Value};
use crate::words::Words;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A column of the table, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnId(pub u16);

/// A cell: a row and a column, both counted from 0, the header not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    pub row: u32,
    pub column: ColumnId,
}

/// What a cell's text may mean, as a relation from the entity to the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reading {
    /// The number that the text is or begins with.
    Number,
    /// The second number: the other side of a score, the end of a range.
    Number2,
    /// The date, or the start of a span of dates.
    Date,
    /// The end of a span of dates.
    Date2,
    /// A length of time or a time of day, in seconds.
    Duration,
    /// Each part of a list, or of a place such as `City, Country`.
    Part,
}

impl Reading {
    pub const ALL: [Reading; 6] =
        [Reading::Number, Reading::Number2, Reading::Date, Reading::Date2, Reading::Duration, Reading::Part];

    /// The name in formulas.
    pub fn name(self) -> &'static str {
        match self {
            Reading::Number => "Number",
            Reading::Number2 => "Number2",
            Reading::Date => "Date",
            Reading::Date2 => "Date2",
            Reading::Duration => "Duration",
            Reading::Part => "Part",
        }
    }
}

/// A column: its header as it was read, a name that no other column has, and the entity in each row.
pub struct Column {
    pub header: String,
    pub name: String,
    pub cells: Vec<EntityId>,
}

/// The graph of one table.
pub struct Graph {
    columns: Vec<Column>,
    row_count: usize,
    names: Names,
    numbers: Vec<f64>,
    numbers2: Vec<f64>,
    durations: Vec<f64>,
    dates: Vec<Option<Date>>,
    dates2: Vec<Option<Date>>,
    /// Where the parts of each entity end in `parts`.
    part_ends: Vec<u32>,
    parts: Vec<EntityId>,
}

impl Graph {
    /// Builds the graph: each distinct string is read once.
    pub fn new(table: &Table, words: &Words) -> Graph {
        let mut names = Names::default();
        let columns = read_columns(table, &mut names);
        let mut graph = Graph {
            columns,
            row_count: table.row_count(),
            names,
            numbers: Vec::new(),
            numbers2: Vec::new(),
            durations: Vec::new(),
            dates: Vec::new(),
            dates2: Vec::new(),
            part_ends: Vec::new(),
            parts: Vec::new(),
        };
        graph.read_entities(words);
        graph
    }

    /// Reads every entity; parts become entities behind the cells, and have no parts of their own.
    fn read_entities(&mut self, words: &Words) {
        let whole = self.names.len();
        let mut at = 0;
        while at < self.names.len() {
            let readings = read_cell(self.names.get(at), words);
            self.numbers.push(readings.number.unwrap_or(f64::NAN));
            self.numbers2.push(readings.number2.unwrap_or(f64::NAN));
            self.durations.push(readings.duration.unwrap_or(f64::NAN));
            self.dates.push(readings.date);
            self.dates2.push(readings.date2);
            if at < whole {
                let parts: Vec<String> = readings.parts.iter().map(|part| part.to_string()).collect();
                let ids = parts.iter().map(|part| self.names.intern(part));
                self.parts.extend(ids);
            }
            self.part_ends.push(self.parts.len() as u32);
            at += 1;
        }
    }

    pub fn row_count(&self) -> usize {
        self.row_count
    }

    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    pub fn column_ids(&self) -> impl Iterator<Item = ColumnId> + Clone + use<> {
        (0..self.columns.len() as u16).map(ColumnId)
    }

    pub fn column(&self, id: ColumnId) -> &Column {
        &self.columns[usize::from(id.0)]
    }

    /// The column of this name, or else the first with this header (case aside).
    pub fn column_named(&self, name: &str) -> Option<ColumnId> {
        let by_name = self.columns.iter().position(|c| c.name == name);
        let by_header = || self.columns.iter().position(|c| c.header.eq_ignore_ascii_case(name));
        by_name.or_else(by_header).map(|at| ColumnId(at as u16))
    }

    pub fn entity_count(&self) -> usize {
        self.names.len()
    }

    pub fn entities(&self) -> impl Iterator<Item = EntityId> + Clone + use<> {
        (0..self.names.len() as u32).map(EntityId)
    }

    /// The text of an entity.
    pub fn name(&self, entity: EntityId) -> &str {
        self.names.get(entity.0 as usize)
    }

    /// The entity with exactly this text.
    pub fn entity_named(&self, text: &str) -> Option<EntityId> {
        self.names.find(text)
    }

    pub fn entity_at(&self, cell: Cell) -> EntityId {
        self.column(cell.column).cells[cell.row as usize]
    }

    /// The parts of a list text; empty when it is not a list.
    pub fn parts(&self, entity: EntityId) -> &[EntityId] {
        let at = entity.0 as usize;
        let start = if at == 0 { 0 } else { self.part_ends[at - 1] };
        &self.parts[start as usize..self.part_ends[at] as usize]
    }

    /// The number, date or duration that an entity reads as. `Part` has any number of values: see [`Graph::parts`].
    pub fn read(&self, entity: EntityId, reading: Reading) -> Option<Value> {
        let at = entity.0 as usize;
        let number = |n: f64| (!n.is_nan()).then_some(Value::Number(n));
        match reading {
            Reading::Number => number(self.numbers[at]),
            Reading::Number2 => number(self.numbers2[at]),
            Reading::Duration => number(self.durations[at]),
            Reading::Date => self.dates[at].map(Value::Date),
            Reading::Date2 => self.dates2[at].map(Value::Date),
            Reading::Part => None,
        }
    }

    /// Whether a text reads this way.
    pub fn has_reading(&self, entity: EntityId, reading: Reading) -> bool {
        match reading {
            Reading::Part => !self.parts(entity).is_empty(),
            _ => self.read(entity, reading).is_some(),
        }
    }

    /// A value as text: an entity by its name, a number or a date as printed.
    pub fn show(&self, value: Value) -> String {
        match value {
            Value::Entity(entity) => self.name(entity).to_string(),
            Value::Number(n) => crate::value::show_number(n),
            Value::Date(date) => date.to_string(),
        }
    }
}

fn read_columns(table: &Table, names: &mut Names) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for (at, header) in table.header().iter().enumerate() {
        let name = unique_name(header, at, &columns);
        columns.push(Column { header: header.clone(), name, cells: Vec::with_capacity(table.row_count()) });
    }
    for row in 0..table.row_count() {
        for (column, text) in columns.iter_mut().zip(table.row(row)) {
            column.cells.push(names.intern(text));
        }
    }
    columns
}

/// The header, made unique: an empty one becomes `column_3`, a repeated one gets a number behind it.
fn unique_name(header: &str, at: usize, before: &[Column]) -> String {
    let base = header.split_whitespace().collect::<Vec<_>>().join(" ");
    let base = if base.is_empty() { format!("column_{}", at + 1) } else { base };
    let taken = |name: &str| before.iter().any(|c| c.name == name);
    let numbered = (2..).map(|n| format!("{base}_{n}"));
    std::iter::once(base.clone()).chain(numbered).find(|name| !taken(name)).expect("some number is free")
}

/// Interned strings in one buffer, found again through an open table of ids.
#[derive(Default)]
struct Names {
    text: String,
    ends: Vec<usize>,
    /// Ids plus one, by hash; 0 is free. Its length is a power of two, and at most half is in use.
    slots: Vec<u32>,
}

impl Names {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, at: usize) -> &str {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.text[start..self.ends[at]]
    }

    fn find(&self, text: &str) -> Option<EntityId> {
        if self.slots.is_empty() {
            return None;
        }
        match self.slots[self.slot(text)] {
            0 => None,
            id => Some(EntityId(id - 1)),
        }
    }

    fn intern(&mut self, text: &str) -> EntityId {
        if self.ends.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(text);
        if self.slots[slot] == 0 {
            self.text.push_str(text);
            self.ends.push(self.text.len());
            self.slots[slot] = self.ends.len() as u32;
        }
        EntityId(self.slots[slot] - 1)
    }

    /// The slot that holds this text, or the free one where it would go.
    fn slot(&self, text: &str) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(text) as usize & mask;
        while self.slots[slot] != 0 && self.get(self.slots[slot] as usize - 1) != text {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(64);
        self.slots = vec![0; size];
        for at in 0..self.ends.len() {
            let mut slot = hash(self.get(at)) as usize & (size - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = at as u32 + 1;
        }
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}
