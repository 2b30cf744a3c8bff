//! What a table and its answers share.

use crate::value::Kind;
use tabwise::answer::PreparedTable;
use tabwise::table::Table as Text;

/// A table and what is known of it.
pub(crate) struct Source {
    /// Its cells as texts.
    pub text: Text,
    /// The same, made ready for questions.
    pub prepared: PreparedTable,
    /// Types of the columns.
    pub kinds: Vec<Kind>,
}
