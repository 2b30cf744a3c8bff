//! The end of a laboratory command that ran to its end.

/// The end of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It did what was asked.
    Done,
    /// A check did not reach its bar.
    BelowBar,
}
