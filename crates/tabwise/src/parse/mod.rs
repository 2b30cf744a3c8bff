//! The floating parser. Cells of the chart are (category, size); rules fill them from smaller cells, whatever the order of
//! words, and each cell keeps its best derivations. Every new derivation goes one way: typed → scored → formula →
//! denotation → pruned, and what the cell would not keep is dropped before the costly steps.

mod apply;
mod base;
mod candidate;
mod cell;
mod chart;
mod prune;
mod report;

pub use candidate::Candidate;
pub use prune::{Pruner, Pruners};
pub use report::Report;

use crate::derivation::Derivation;
use crate::execute::Executor;
use crate::features::{Groups, Scene};
use crate::formula::Formulas;
use crate::grammar::Grammar;
use crate::model::Weights;
use crate::settings::{Candidates, Settings};
use chart::Chart;

/// What a parse gives: the candidates, best first, and all that stands behind them.
pub struct Parse<'a> {
    pub candidates: Vec<Candidate>,
    pub formulas: Formulas,
    pub executor: Executor<'a>,
    pub groups: Groups<'a>,
    pub derivations: Vec<Derivation>,
    pub report: Report,
}

/// Builds the candidates for a question and ranks them by a model's weights.
pub fn parse<'a>(scene: Scene<'a>, grammar: &Grammar, settings: &Settings, weights: &impl Weights) -> Parse<'a> {
    let mut chart = Chart::new(scene, grammar, settings, weights);
    match settings.candidates {
        Candidates::Formulas => {
            chart.fill();
            chart.candidates()
        }
        Candidates::Cells => chart.cells_of_table(),
    }
}
