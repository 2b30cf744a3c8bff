//! Confirming: what was found by a sample of a big table is executed on all of its rows before it is shown.

use crate::execute::Denotation;
use crate::formula::FormulaId;
use crate::graph::Graph;
use crate::rank::{Candidate, Ranking};
use crate::search::confirm;
use crate::settings::Settings;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Number of candidates that may fail before nothing is answered.
const MOST_FAILED: usize = 30;

/// Denotations of shown candidates on all rows of a table.
pub(super) struct Confirmed {
    denotations: FxHashMap<FormulaId, Rc<Denotation>>,
    /// Number of candidates that hold in the sample and not on all rows, and were ranked before one that is shown.
    pub failed: usize,
}

impl Confirmed {
    /// Executes the best candidates of the first answers on all rows, as many as are shown. Those that do not hold there
    /// leave the ranking.
    pub(super) fn new<'a>(
        ranking: Ranking<'a>,
        graph: &'a Graph,
        shown: usize,
        settings: &Settings,
    ) -> (Ranking<'a>, Confirmed) {
        let mut ranking = ranking.on(graph);
        let mut confirmed = Confirmed { denotations: FxHashMap::default(), failed: 0 };
        while let Some(at) = confirmed.first_failed(&mut ranking, shown, settings) {
            ranking.candidates.remove(at);
            confirmed.failed += 1;
            if confirmed.failed == MOST_FAILED {
                ranking.candidates.clear();
            }
        }
        (ranking, confirmed)
    }

    /// Position of the first candidate to show that does not hold.
    fn first_failed(&mut self, ranking: &mut Ranking, shown: usize, settings: &Settings) -> Option<usize> {
        let (pools, _) = ranking.pooled();
        pools.iter().take(shown).map(|pool| pool.best()).find(|at| {
            let Candidate { formula, derivation, .. } = ranking.candidates[*at];
            if self.denotations.contains_key(&formula) {
                return false;
            }
            let denotation =
                derivation.and_then(|id| confirm(&mut ranking.executor, &ranking.derivations, id, settings));
            denotation.map(|denotation| self.denotations.insert(formula, denotation)).is_none()
        })
    }

    /// Denotation of a candidate, if it was executed on all rows.
    pub(super) fn get(&self, candidate: &Candidate) -> Option<&Rc<Denotation>> {
        self.denotations.get(&candidate.formula)
    }
}
