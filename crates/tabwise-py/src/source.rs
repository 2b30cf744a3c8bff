//! What a table and its answers share.

use crate::value::Kind;
use tabwise::answer::{HeldTable, PreparedTable};
use tabwise::table::Table as Text;

/// A table and what is known of it.
pub(crate) struct Source {
    /// Its cells as texts; of a table in an engine, those of the rows that stand for all.
    pub text: Text,
    /// Types of the columns.
    pub kinds: Vec<Kind>,
    /// Where it is, made ready for questions.
    pub place: Place,
}

/// Where a table is.
pub(crate) enum Place {
    Memory(Box<PreparedTable>),
    Engine(Box<HeldTable>),
}

impl Source {
    /// The rows that are here, made ready for questions.
    pub(crate) fn prepared(&self) -> &PreparedTable {
        match &self.place {
            Place::Memory(prepared) => prepared,
            Place::Engine(held) => held.prepared(),
        }
    }

    /// Number of all rows.
    pub(crate) fn row_count(&self) -> usize {
        match &self.place {
            Place::Memory(_) => self.text.row_count(),
            Place::Engine(held) => held.held().row_count(),
        }
    }

    /// True if every row is here.
    pub(crate) fn is_whole(&self) -> bool {
        self.text.row_count() == self.row_count()
    }
}
