//! Answers: the plain record that leaves the library, and the calls that make it. An answer holds its values, how sure it
//! is, the formula behind it, the same in English and step by step, the cells it was read from, and other meanings that
//! the question may have.

mod asker;
mod confirm;
mod corrections;
mod error;
mod execution;
mod held;
mod knowledge;
mod print;
mod ran;
pub mod reading;
mod record;
mod reread;
mod tell;
mod unused;

pub use asker::{Asker, PreparedTable, ask};
pub use corrections::{Correction, Corrections, Given, Identity};
pub use error::Error;
pub use execution::{Execution, read_formula};
pub use held::{HeldTable, Told};
pub use knowledge::{Knowledge, KnowledgeError};
pub use print::{Printer, answer_of, groups_of, readable_value, show_value};
pub use ran::{Found, Sort};
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
    /// Rows of a big table by which meanings are found.
    pub rows: Rows,
}

/// Rows of a big table by which meanings are found. An answer is computed from all rows either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rows {
    /// A sample; small tables have none.
    #[default]
    Sample,
    /// Every row, which takes time and memory in proportion.
    All,
}

impl Wanted {
    /// Below this confidence an answer is wrong more than four times in five, which is more of a guess than is useful (`tabwise lab eval` prints
    /// the effect of thresholds).
    pub const MIN_CONFIDENCE: f64 = 0.2;
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted { min_confidence: Wanted::MIN_CONFIDENCE, meanings: 4, candidates: 10, rows: Rows::Sample }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Calibration, Signal, Signals};

    #[test]
    fn what_leaves_out_a_decisive_word_is_withheld() {
        let with = |ignored: f64| {
            let signals = Signals::new(false, |signal| match signal {
                Signal::Odds => 9.0,
                Signal::Ignored => ignored,
                _ => 0.0,
            });
            Calibration::default().confidence(&signals)
        };
        assert!(with(0.0) > 0.9 && with(1.0) < Wanted::MIN_CONFIDENCE);
    }
}
