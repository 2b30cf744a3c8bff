//! Why a file could not be used as a table: one sentence that says what, where and what would do.

use super::{Choice, Format};

/// Input that cannot be used. What can be repaired is not an error; it is a note of the table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// Nothing is in the file.
    #[error("the input is empty; a table needs a header row")]
    Empty,
    /// The bytes are no text and no known binary format.
    #[error("the input is not text ({0}); a table is read from {titles}", titles = Format::titles())]
    NotText(&'static str),
    /// A limit was reached.
    #[error("{what} is more than the limit of {limit}; raise the limit \"{name}\" if the input is trusted")]
    TooLarge {
        /// What there is too much of, with its amount where known.
        what: String,
        /// The limit's value.
        limit: u64,
        /// The limit's name in the settings.
        name: &'static str,
    },
    /// The input has the format's marks, but not its form.
    #[error("the input does not read as {format}: {reason}")]
    Malformed {
        /// The format it was read as.
        format: Format,
        /// What is wrong and where.
        reason: String,
    },
    /// The format was read, but it holds no table.
    #[error("there is no table in this {format} input{why}")]
    NoTable {
        /// The format it was read as.
        format: Format,
        /// More words, or none.
        why: String,
    },
    /// The chosen table or sheet is not there.
    #[error("there is no {what} {choice}; there are {there}")]
    NotFound {
        /// `table` or `sheet`.
        what: &'static str,
        /// What was asked for.
        choice: Choice,
        /// What could be asked for.
        there: String,
    },
    /// The CSS selector does not parse.
    #[error("\"{0}\" is not a CSS selector; \"table.wikitable\" would be one")]
    Selector(String),
    /// The encoding's label is not known.
    #[error("there is no encoding \"{0}\"; \"utf-8\", \"utf-16le\" and \"windows-1252\" would do")]
    Encoding(String),
}
