//! Report of a search: numbers of derivations that were tried, built and lost, and to which pruner.

use crate::settings::Pruner;

/// Counts of one search.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Ways to apply a rule that were tried.
    pub attempts: usize,
    /// Derivations that were built.
    pub built: usize,
    /// Derivations that were not kept because their cell had enough better ones.
    pub beyond_beam: usize,
    pruned: [usize; Pruner::ALL.len()],
}

impl Report {
    /// Counts a derivation lost to a pruner.
    pub fn prune(&mut self, pruner: Pruner) {
        self.pruned[pruner as usize] += 1;
    }

    /// Derivations that each pruner dropped.
    pub fn pruned(&self) -> impl Iterator<Item = (Pruner, usize)> + '_ {
        Pruner::ALL.into_iter().zip(self.pruned)
    }
}
