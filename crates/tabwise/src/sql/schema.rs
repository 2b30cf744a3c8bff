//! The table that a query reads: its columns as the source has them, and the readings that a text needs a column of its own
//! for. A column whose cells are all plain numbers, or days as `yyyy-mm-dd`, is stored as that, and its readings are the
//! column itself. For any other text the table has a further column with the reading (`Score_number`), made when the table is
//! loaded: no dialect reads "3rd" or "May 2010" as we do. A missing cell is `NULL`, and all spellings of an entity are one.

use crate::graph::{Cell, ColumnId, Graph, Reading};
use crate::value::{Date, EntityId, Value};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// A column of the stored table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// Number of the row, from 0.
    RowNumber,
    /// A column of the source.
    Cell(ColumnId),
    /// Number of each cell, the second number, or the length of time in seconds.
    Number(ColumnId, Amount),
    /// Date of each cell, or a part of it.
    Date(ColumnId, Which, Part),
    /// Number of consecutive rows with the same cell that end with a row.
    Run(ColumnId),
}

/// Reading that is a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Amount {
    /// First number.
    First,
    /// Second number.
    Second,
    /// Length of time or time of day.
    Seconds,
}

/// One of the two dates of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Which {
    /// Start, or the only one.
    Start,
    /// End of a span.
    End,
}

/// Column for a part of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// Whole date, of a column where every date names a day.
    Whole,
    /// Year.
    Year,
    /// Month, from 1.
    Month,
    /// Day of the month.
    Day,
    /// Day of the week, from 1 for Monday.
    Weekday,
    /// First day that the date may mean, as a text that sorts.
    First,
    /// Last day that the date may mean, as a text that sorts.
    Last,
    /// Date as it is printed in answers, with `x` for what is unknown.
    Shown,
}

/// A stored value.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// No value.
    Null,
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// A day, as `yyyy-mm-dd`.
    Day(String),
}

/// Type of a stored column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers.
    Whole,
    /// Numbers.
    Number,
    /// Texts.
    Text,
    /// Days.
    Day,
}

/// What dates a column has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dates {
    /// Every date names a day.
    Days,
    /// Every date is a year.
    Years,
    /// Some dates have other parts than others.
    Mixed,
    /// Some year is before the common era.
    Ancient,
}

/// The stored form of a table.
pub struct Schema<'g> {
    graph: &'g Graph,
    table: String,
    /// Names of the source's columns.
    names: Vec<String>,
    known: Kept<'g>,
}

/// What was found out about the columns of one table. Finding it takes a pass over a column, so a table that is asked several
/// questions keeps it.
#[derive(Debug, Default)]
pub struct Known(Mutex<BTreeMap<Field, Facts>>);

impl Known {
    /// What is known of a table that is not looked at.
    pub fn new(facts: Vec<(Field, Facts)>) -> Known {
        Known(Mutex::new(facts.into_iter().collect()))
    }
}

/// Where a schema keeps what it finds out.
enum Kept<'g> {
    Here(Known),
    WithTable(&'g Known),
}

/// What a query may rely on.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Type of the values.
    pub kind: Kind,
    /// True if some row has no value.
    pub has_nulls: bool,
    /// True if no value is in two rows.
    pub is_unique: bool,
}

impl<'g> Schema<'g> {
    /// Makes the schema of a table with this name.
    pub fn new(graph: &'g Graph, table: &str) -> Schema<'g> {
        Schema::with(graph, table, Kept::Here(Known::default()))
    }

    /// Makes the schema of a table that keeps what is found out about it.
    pub fn knowing(graph: &'g Graph, table: &str, known: &'g Known) -> Schema<'g> {
        Schema::with(graph, table, Kept::WithTable(known))
    }

    /// Makes the schema of a table that is stored under this very name, and of which this is known. The graph has only
    /// some of its rows.
    pub fn stored_as(graph: &'g Graph, table: &str, known: &'g Known) -> Schema<'g> {
        Schema { table: table.to_string(), ..Schema::knowing(graph, table, known) }
    }

    fn with(graph: &'g Graph, table: &str, known: Kept<'g>) -> Schema<'g> {
        let mut names: Vec<String> = Vec::new();
        for column in graph.columns() {
            let name = unused(&column.name, &names);
            names.push(name);
        }
        Schema { graph, table: identifier(table), names, known }
    }

    /// Graph of the table.
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// Name of the table.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// Fields of the source's columns, from left to right.
    pub fn columns(&self) -> impl Iterator<Item = Field> + use<> {
        self.graph.column_ids().map(Field::Cell)
    }

    /// Name of a field.
    pub fn name(&self, field: Field) -> String {
        let (column, ending) = match field {
            Field::Cell(column) => return self.names[usize::from(column.0)].clone(),
            Field::RowNumber => return unused("row_number", &self.names),
            Field::Number(column, Amount::First) => (column, "number"),
            Field::Number(column, Amount::Second) => (column, "number2"),
            Field::Number(column, Amount::Seconds) => (column, "seconds"),
            Field::Run(column) => (column, "run"),
            Field::Date(column, which, part) => {
                let end = if which == Which::End { "end_" } else { "" };
                let name = format!("{}_{end}{}", self.name(Field::Cell(column)), part.ending());
                return unused(&name, &self.names);
            }
        };
        unused(&format!("{}_{ending}", self.name(Field::Cell(column))), &self.names)
    }

    /// Name of the table with the parts of a column's texts.
    pub fn parts_table(&self, column: ColumnId) -> String {
        format!("{}_{}_parts", self.table, identifier(&self.name(Field::Cell(column))))
    }

    /// Name of the column of [`Schema::parts_table`] that has the parts.
    pub fn part_name(&self, column: ColumnId) -> String {
        unused("part", &[self.name(Field::Cell(column))])
    }

    /// Texts of a column with each of their parts, as [`Schema::parts_table`] stores them.
    pub fn parts(&self, column: ColumnId) -> Vec<(&'g str, &'g str)> {
        let graph = self.graph;
        let mut found = Vec::new();
        for entity in self.distinct(column) {
            let parts = graph.parts(entity);
            let parts = if parts.is_empty() { vec![entity] } else { parts.to_vec() };
            let mut seen = FxHashSet::default();
            let present = parts.into_iter().filter(|part| !graph.is_missing(*part) && seen.insert(*part));
            found.extend(present.map(|part| (graph.name(entity), graph.name(part))));
        }
        found
    }

    /// True if some text of the column is a list.
    pub(super) fn has_parts(&self, column: ColumnId) -> bool {
        self.graph.column(column).cells.iter().any(|entity| !self.graph.parts(*entity).is_empty())
    }

    /// Different entities of a column, without the missing one, in the order of rows.
    pub(super) fn distinct(&self, column: ColumnId) -> impl Iterator<Item = EntityId> + use<'g> {
        let graph = self.graph;
        let mut seen = vec![0u64; graph.entity_count().div_ceil(64)];
        let cells = graph.column(column).cells.iter().copied();
        cells.filter(move |entity| {
            let (word, bit) = (entity.0 as usize / 64, 1 << (entity.0 % 64));
            let is_new = seen[word] & bit == 0;
            seen[word] |= bit;
            is_new && !graph.is_missing(*entity)
        })
    }

    /// Field that stores the same as this one: a column of the source, where it can be.
    pub(super) fn stored(&self, field: Field) -> Field {
        let cell = |column| Field::Cell(column);
        match field {
            Field::Number(column, Amount::First) if self.is_number(column) => cell(column),
            Field::Date(column, Which::Start, Part::Whole) if self.kind(cell(column)) == Kind::Day => cell(column),
            Field::Date(column, Which::Start, Part::Year) if self.kind(cell(column)) == Kind::Whole => {
                let same = |entity: EntityId| {
                    self.graph.read(entity, Reading::Year) == self.graph.read(entity, Reading::Number)
                };
                if self.distinct(column).all(same) { cell(column) } else { field }
            }
            _ => field,
        }
    }

    fn is_number(&self, column: ColumnId) -> bool {
        matches!(self.kind(Field::Cell(column)), Kind::Whole | Kind::Number)
    }

    /// Type of a field.
    pub fn kind(&self, field: Field) -> Kind {
        self.facts(field).kind
    }

    /// What is known of a field. It is found once.
    pub(super) fn facts(&self, field: Field) -> Facts {
        let Known(known) = match &self.known {
            Kept::Here(known) => known,
            Kept::WithTable(known) => known,
        };
        if let Some(facts) = known.lock().unwrap_or_else(PoisonError::into_inner).get(&field) {
            return *facts;
        }
        let facts = self.find_facts(field);
        known.lock().unwrap_or_else(PoisonError::into_inner).insert(field, facts);
        facts
    }

    fn find_facts(&self, field: Field) -> Facts {
        let graph = self.graph;
        match field {
            Field::RowNumber => Facts { kind: Kind::Whole, has_nulls: false, is_unique: true },
            Field::Run(_) => Facts { kind: Kind::Whole, has_nulls: false, is_unique: false },
            Field::Cell(column) => {
                let cells = &graph.column(column).cells;
                let present = cells.iter().filter(|entity| !graph.is_missing(**entity)).count();
                let kind = self.cell_kind(column);
                Facts { kind, has_nulls: present < cells.len(), is_unique: self.distinct(column).count() == present }
            }
            Field::Number(column, _) | Field::Date(column, ..) => {
                let mut facts = Facts { kind: Kind::Whole, has_nulls: false, is_unique: false };
                if let Field::Date(_, _, part) = field {
                    facts.kind = part.kind();
                }
                let cells = &graph.column(column).cells;
                facts.has_nulls = cells.iter().any(|entity| graph.is_missing(*entity));
                for entity in self.distinct(column) {
                    match self.of_entity(field, entity) {
                        Datum::Null => facts.has_nulls = true,
                        Datum::Number(n) if !is_whole(n) => facts.kind = Kind::Number,
                        _ => {}
                    }
                }
                facts
            }
        }
    }

    /// Type of a column of the source: numbers or days if a cell's text is nothing but that, and no two texts mean the same.
    fn cell_kind(&self, column: ColumnId) -> Kind {
        let (mut numbers, mut days, mut whole) = (true, true, true);
        let mut values: FxHashSet<Value> = FxHashSet::default();
        for entity in self.distinct(column) {
            let (name, number) = (self.graph.name(entity), self.graph.read(entity, Reading::Number));
            let day = self.graph.read(entity, Reading::Date);
            numbers &= is_plain_number(name, number) && number.is_some_and(|number| values.insert(number));
            days &= matches!(day, Some(Value::Date(date)) if date.known() == 7 && date.to_string() == name);
            whole &= matches!(number, Some(Value::Number(n)) if is_whole(n));
            if !numbers && !days {
                return Kind::Text;
            }
        }
        match (numbers, whole, days) {
            // A column without a cell is a text like any other.
            _ if self.distinct(column).next().is_none() => Kind::Text,
            (true, true, _) => Kind::Whole,
            (true, false, _) => Kind::Number,
            (_, _, true) => Kind::Day,
            _ => Kind::Text,
        }
    }

    /// Dates of a column; `None` if it has none.
    pub(super) fn dates(&self, column: ColumnId, which: Which) -> Option<Dates> {
        let mut found: Option<Dates> = None;
        for entity in self.distinct(column) {
            let Some(date) = self.date(entity, which) else { continue };
            let own = match date.known() {
                _ if date.year().is_some_and(|year| year <= 0) => return Some(Dates::Ancient),
                7 => Dates::Days,
                4 => Dates::Years,
                _ => Dates::Mixed,
            };
            found = Some(match found {
                None => own,
                Some(before) if before == own => own,
                Some(_) => Dates::Mixed,
            });
        }
        found
    }

    fn date(&self, entity: EntityId, which: Which) -> Option<Date> {
        let reading = if which == Which::Start { Reading::Date } else { Reading::Date2 };
        match self.graph.read(entity, reading) {
            Some(Value::Date(date)) => Some(date),
            _ => None,
        }
    }

    /// Value of a field in a row.
    pub fn value(&self, field: Field, row: usize) -> Datum {
        let column = match field {
            Field::RowNumber => return Datum::Number(row as f64),
            Field::Run(column) => {
                let cells = &self.graph.column(column).cells;
                let run = (0..=row).rev().take_while(|at| cells[*at] == cells[row]).count();
                return Datum::Number(run as f64);
            }
            Field::Cell(column) | Field::Number(column, _) | Field::Date(column, ..) => column,
        };
        let entity = self.graph.entity_at(Cell { row: row as u32, column });
        if self.graph.is_missing(entity) { Datum::Null } else { self.of_entity(field, entity) }
    }

    /// Value of a field for an entity that is not missing.
    pub(super) fn of_entity(&self, field: Field, entity: EntityId) -> Datum {
        let number = |reading| match self.graph.read(entity, reading) {
            Some(Value::Number(n)) => Datum::Number(n),
            _ => Datum::Null,
        };
        match field {
            Field::RowNumber | Field::Run(_) => Datum::Null,
            Field::Cell(column) => match self.kind(Field::Cell(column)) {
                Kind::Whole | Kind::Number => number(Reading::Number),
                Kind::Day => Datum::Day(self.graph.name(entity).to_string()),
                Kind::Text => Datum::Text(self.graph.name(entity).to_string()),
            },
            Field::Number(_, Amount::First) => number(Reading::Number),
            Field::Number(_, Amount::Second) => number(Reading::Number2),
            Field::Number(_, Amount::Seconds) => number(Reading::Duration),
            Field::Date(_, which, part) => self.date(entity, which).map_or(Datum::Null, |date| part.of(date)),
        }
    }
}

impl Part {
    fn ending(self) -> &'static str {
        match self {
            Part::Whole | Part::Shown => "date",
            Part::Year => "year",
            Part::Month => "month",
            Part::Day => "day",
            Part::Weekday => "weekday",
            Part::First => "first_day",
            Part::Last => "last_day",
        }
    }

    fn kind(self) -> Kind {
        match self {
            Part::Whole => Kind::Day,
            Part::Year | Part::Month | Part::Day | Part::Weekday => Kind::Whole,
            Part::First | Part::Last | Part::Shown => Kind::Text,
        }
    }

    fn of(self, date: Date) -> Datum {
        let number = |part: Option<u8>| part.map_or(Datum::Null, |part| Datum::Number(f64::from(part)));
        match self {
            Part::Whole if date.known() == 7 => Datum::Day(date.to_string()),
            Part::Whole => Datum::Null,
            Part::Year => date.year().map_or(Datum::Null, |year| Datum::Number(f64::from(year))),
            Part::Month => number(date.month()),
            Part::Day => number(date.day()),
            Part::Weekday => number(date.weekday()),
            Part::First => Datum::Text(sorted(date, 1, 1)),
            Part::Last => Datum::Text(sorted(date, 12, 31)),
            Part::Shown => match (date.year(), date.known()) {
                (Some(year), 4) => Datum::Text(year.to_string()),
                _ => Datum::Text(date.to_string().to_lowercase()),
            },
        }
    }
}

/// Date as a text that sorts, with these for an unknown month and day.
pub(super) fn sorted(date: Date, month: u8, day: u8) -> String {
    format!("{:04}-{:02}-{:02}", date.year().unwrap_or(0), date.month().unwrap_or(month), date.day().unwrap_or(day))
}

/// True if a database may store the number as a whole one without losing anything.
pub(super) fn is_whole(n: f64) -> bool {
    n.fract() == 0.0 && n.abs() < 1e15
}

/// True if a text is the number and nothing else, as every database writes it: `-12`, `3.50`.
fn is_plain_number(text: &str, number: Option<Value>) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(whole, fraction)| (whole, Some(fraction)));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_short = whole == "0" || !whole.starts_with('0');
    is_digits(whole)
        && is_short
        && fraction.is_none_or(is_digits)
        && text.parse().is_ok_and(|n: f64| number == Some(Value::Number(n)))
}

/// Longest name: PostgreSQL cuts longer ones.
const LONGEST: usize = 60;

/// Name that no other has, without regard to letter case.
fn unused(wanted: &str, taken: &[String]) -> String {
    let wanted: String = wanted.chars().filter(|c| !c.is_control()).collect();
    let wanted = if wanted.trim().is_empty() { "column".to_string() } else { wanted.trim().to_string() };
    let cut = |room: usize| {
        let end = (0..=room.min(wanted.len())).rev().find(|at| wanted.is_char_boundary(*at)).unwrap_or(0);
        wanted[..end].trim_end().to_string()
    };
    let is_taken = |name: &String| taken.iter().any(|other| other.to_lowercase() == name.to_lowercase());
    let first = cut(LONGEST);
    if !is_taken(&first) {
        return first;
    }
    (2..).map(|n| format!("{}_{n}", cut(LONGEST - 6))).find(|name| !is_taken(name)).expect("numbers do not end")
}

/// Name of a table that needs no quotes.
fn identifier(text: &str) -> String {
    let plain: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    let words: Vec<&str> = plain.split('_').filter(|word| !word.is_empty()).collect();
    let name: String = words.join("_").chars().take(40).collect();
    match name.chars().next() {
        None => "data".to_string(),
        Some(first) if first.is_ascii_digit() => format!("t_{name}"),
        Some(_) => name,
    }
}
