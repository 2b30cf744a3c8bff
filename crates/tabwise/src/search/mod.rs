//! The floating search. Cells of the chart are (category, size); rules fill them from smaller cells, whatever the order of
//! words, and each cell keeps its best derivations. Every new derivation goes one way: typed → scored → formula →
//! denotation → pruned, and what the cell would not keep is dropped before the costly steps. Whole candidates come out
//! unranked: the scores inside the chart are those of predicates alone.

mod active;
mod apply;
mod base;
mod cell;
mod chart;
mod members;
mod prune;
mod report;
mod whole;

pub use report::Report;
pub use whole::{GROUPS, confirm};

use crate::derivation::{DerivationId, Derivations};
use crate::execute::{Denotation, Executor};
use crate::features::{Groups, Scene, Weights};
use crate::formula::FormulaId;
use crate::grammar::Grammar;
use crate::settings::{Candidates, Settings};
use chart::Chart;
use prune::Pruners;
use std::rc::Rc;

/// Result of a search: the formulas that may answer the question, unranked, and everything behind them.
pub struct Search<'a> {
    /// Formulas that may answer the question, smaller derivations first.
    pub found: Vec<Found>,
    /// Formulas and their denotations.
    pub executor: Executor<'a>,
    /// Groups of features, so far those of predicates.
    pub groups: Groups<'a>,
    /// All derivations.
    pub derivations: Derivations,
    /// Counts of the search.
    pub report: Report,
}

/// A formula that may answer the question.
#[derive(Clone, Debug)]
pub struct Found {
    /// The formula.
    pub formula: FormulaId,
    /// Derivation of the formula; `None` for a cell of the retrieval baseline.
    pub derivation: Option<DerivationId>,
    /// Denotation of the formula.
    pub denotation: Rc<Denotation>,
}

/// Builds the formulas that may answer a question, within a beam by the weights of predicates.
pub fn search<'a>(scene: Scene<'a>, grammar: &Grammar, settings: &Settings, weights: &impl Weights) -> Search<'a> {
    let mut chart = Chart::new(scene, grammar, settings, weights);
    match settings.candidates {
        Candidates::Formulas => {
            chart.fill();
            chart.answers()
        }
        Candidates::Cells => chart.cells_of_table(),
    }
}
