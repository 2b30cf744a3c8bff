//! Outcome of a command that ran without an error.

/// Outcome of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The command did its work.
    Done,
    /// A check is below its bar.
    BelowBar,
}
