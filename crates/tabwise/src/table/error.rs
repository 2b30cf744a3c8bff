//! [`TableError`]: reasons why an input cannot be read as a table. Each message says what is wrong, where, and what to
//! do.

use super::{Choice, Format};

/// Reason why an input cannot be read. Faults that can be repaired are not errors; the table has notes on them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The input has no bytes, or only white space.
    #[error("the input is empty; a table needs a header row")]
    Empty,
    /// The input is neither text nor a known binary format.
    #[error("the input is not text ({0}); a table is read from {titles}", titles = Format::titles())]
    NotText(&'static str),
    /// A compressed input that cannot be unpacked.
    #[error("the input is compressed by {what}, but cannot be unpacked: {reason}")]
    Packed {
        /// Kind of compression.
        what: &'static str,
        /// The fault.
        reason: String,
    },
    /// A limit was exceeded.
    #[error("{what} is more than the limit of {limit}; raise the limit \"{name}\" if the input is trusted")]
    TooLarge {
        /// The thing that is too large, with its size.
        what: String,
        /// Value of the limit.
        limit: u64,
        /// Name of the limit in the settings.
        name: &'static str,
    },
    /// The input is not valid in the given or detected format.
    #[error("cannot read the input as {format}: {reason}")]
    Malformed {
        /// Format that it was read as.
        format: Format,
        /// The fault and its position.
        reason: String,
    },
    /// The input is valid, but has no table.
    #[error("there is no table in this {format} input{why}")]
    NoTable {
        /// Format that it was read as.
        format: Format,
        /// Rest of the message, with its leading space or colon; may be empty.
        why: String,
    },
    /// The chosen table or sheet does not exist.
    #[error("there is no {what} {choice}; {there}")]
    NotFound {
        /// `table` or `sheet`.
        what: &'static str,
        /// The choice.
        choice: Choice,
        /// Sentence on the possible choices.
        there: String,
    },
    /// A table or sheet was chosen from an input that always holds one.
    #[error("there is no {what} {choice}: an input in the format {format} holds one table")]
    OnlyTable {
        /// Format that it was read as.
        format: Format,
        /// `table` or `sheet`.
        what: &'static str,
        /// The choice.
        choice: Choice,
    },
    /// A CSS selector was given for an input that is not a page.
    #[error("the selector {select} is for HTML, and the input is in the format {format}")]
    NotAPage {
        /// Format that it was read as.
        format: Format,
        /// The selector, in quotes and cut if it is long.
        select: String,
    },
    /// The CSS selector is malformed; it is in quotes, and cut if it is long.
    #[error("{0} is not a CSS selector; an example of one is \"table.wikitable\"")]
    Selector(String),
    /// The CSS selector is too long.
    #[error("a CSS selector of {bytes} bytes is too long; {most} are the most")]
    LongSelector {
        /// Length of the selector.
        bytes: usize,
        /// Maximum length.
        most: usize,
    },
    /// The label of the encoding is unknown.
    #[error("unknown encoding \"{0}\"; use one such as \"utf-8\", \"utf-16le\" or \"windows-1252\"")]
    Encoding(String),
    /// One of several inputs cannot be read.
    #[error("{name}: {error}")]
    Part {
        /// Name of the input.
        name: String,
        /// Reason.
        error: Box<TableError>,
    },
    /// Inputs that should have one schema have different columns.
    #[error("its columns are {other}, those of {first} are {has}; files of one table have the same")]
    Differ {
        /// Name of the first input.
        first: String,
        /// Its columns.
        has: String,
        /// Columns of the other.
        other: String,
    },
}
