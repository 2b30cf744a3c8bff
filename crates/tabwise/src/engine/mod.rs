//! Engines: databases that hold a table and answer queries about it, so that the table never has to be in memory here. An
//! [`Engine`] names its columns and runs SQL; what is known of its table is a [`Held`] profile: the types and counts of its
//! columns, and rows that stand for all. Candidates are found by these rows, as for any big table, and the formulas that
//! are shown are run by the engine as SQL. Nothing but the profile, a few rows that a question names, and the lines of
//! answers leave the engine.
//!
//! A table in memory needs none of this: [`PreparedTable`](crate::answer::PreparedTable) is that engine.

mod held;
mod look;
mod view;

pub use held::Held;
pub(crate) use look::Named;

use crate::sql::Dialect;
use crate::table::Table;

/// Lines of a result. A cell is the text that a table would have, and `None` is `NULL`.
pub type Lines = Vec<Vec<Option<String>>>;

/// A database that holds a table.
pub trait Engine: Send + Sync {
    /// SQL that it takes.
    fn dialect(&self) -> Dialect;

    /// Name of the table, without quotes.
    fn table(&self) -> &str;

    /// Columns of the table, from left to right.
    fn columns(&self) -> Result<Vec<Declared>, EngineError>;

    /// Runs a query.
    fn run(&self, sql: &str) -> Result<Lines, EngineError>;

    /// Finds out what has to be known of the table: a few passes over it, each of them a query.
    fn profile(&self) -> Result<Held, EngineError> {
        held::profile(self)
    }
}

/// A column as an engine declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Name in the engine.
    pub name: String,
    /// Type of its values.
    pub kind: Type,
}

/// Type of a column of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Whole numbers.
    Whole,
    /// Numbers.
    Number,
    /// Decimal numbers, which some engines compute with more coarsely than with others.
    Decimal,
    /// Texts.
    Text,
    /// Days.
    Day,
    /// Days with a time.
    Moment,
    /// Yes or no.
    Truth,
    /// Anything else, which questions cannot be about.
    Other,
}

impl Type {
    /// True if values can be put in order by size.
    pub(crate) fn is_ordered(self) -> bool {
        matches!(self, Type::Whole | Type::Number | Type::Decimal | Type::Day | Type::Moment)
    }

    /// True for numbers.
    pub(crate) fn is_number(self) -> bool {
        matches!(self, Type::Whole | Type::Number | Type::Decimal)
    }
}

/// A query that an engine could not run, with its own words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{table} cannot be asked by {engine}: {reason}")]
pub struct EngineError {
    /// Name of the engine.
    pub engine: String,
    /// Name of the table.
    pub table: String,
    /// Reason, as the engine gives it.
    pub reason: String,
}

/// Adds lines to a table, each as a row; `NULL` is an empty cell.
pub(crate) fn add_rows(table: &mut Table, lines: &Lines) {
    for line in lines {
        let cells: Vec<&str> = line.iter().map(|cell| cell.as_deref().unwrap_or_default()).collect();
        table.push_row(&cells);
    }
}
