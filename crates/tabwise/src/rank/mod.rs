//! Ranking: takes the formulas that a search found and gives candidates with scores, best first; then pools of candidates
//! that give the same answer, and the signals that confidence is made of. The linear model ranks all candidates, and the
//! reader, if there is one, the best of them a second time.

mod basis;
mod linear;
mod pool;
pub mod reader;
mod second;
mod signals;

pub use linear::{Candidate, Ranking, rank};
pub use pool::{Pool, pools, probabilities};

use crate::model::Signals;

impl Ranking<'_> {
    /// The candidates pooled by their answer, the most probable answer first, and the signals of the first.
    pub fn pooled(&self) -> (Vec<Pool>, Option<Signals>) {
        let pools = pools(&self.candidates, self.executor.graph());
        let signals = signals::signals(self, &pools);
        (pools, signals)
    }
}
