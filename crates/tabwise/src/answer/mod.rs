//! Answers: the plain record that leaves the library, and the calls that make it. An answer holds its values, how sure it
//! is, the formula behind it, the same in English and step by step, the cells it was read from, and other meanings that
//! the question may have.

mod asker;
mod error;
mod execution;
mod knowledge;
mod print;
pub mod reading;
mod record;
mod reread;
mod tell;
mod unused;

pub use asker::{Asker, PreparedTable, ask};
pub use error::Error;
pub use execution::{Execution, read_formula};
pub use knowledge::{Knowledge, KnowledgeError};
pub use print::{Printer, answer_of, groups_of, readable_value, show_value};
pub use record::{Answer, Groups, Listed, Meaning, Unused};

/// Extent of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Confidence below which the answer abstains.
    pub min_confidence: f64,
    /// Number of meanings that are explained.
    pub meanings: usize,
    /// Number of candidates that are listed.
    pub candidates: usize,
}

impl Wanted {
    /// Below this confidence an answer is wrong more than four times in five, which is more of a guess than is useful: of
    /// held-out questions, about 13 % are answered so unsurely, about 17 % of those rightly (`tabwise lab eval` prints the
    /// effect of thresholds).
    pub const MIN_CONFIDENCE: f64 = 0.2;
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted { min_confidence: Wanted::MIN_CONFIDENCE, meanings: 4, candidates: 10 }
    }
}
