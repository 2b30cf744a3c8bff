//! What happened during a parse: how many derivations were tried, built and lost, and to what.

use super::Pruner;

/// Counts of one parse.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many ways to apply a rule were looked at.
    pub attempts: usize,
    /// How many derivations were built.
    pub built: usize,
    /// How many were not kept because their cell had enough better ones.
    pub beyond_beam: usize,
    pruned: [usize; Pruner::ALL.len()],
}

impl Report {
    /// Counts a derivation lost to a pruner.
    pub fn prune(&mut self, pruner: Pruner) {
        self.pruned[pruner as usize] += 1;
    }

    /// How many derivations each pruner dropped.
    pub fn pruned(&self) -> impl Iterator<Item = (Pruner, usize)> + '_ {
        Pruner::ALL.into_iter().zip(self.pruned)
    }
}
