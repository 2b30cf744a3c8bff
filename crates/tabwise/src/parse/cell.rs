//! Cells of the chart: derivations in short, best first.

use crate::derivation::DerivationId;
use crate::formula::types::Type;
use crate::formula::{FormulaId, Formulas, Node};
use crate::question::Places;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// What must be known of a derivation to see whether it fits another.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub id: DerivationId,
    pub score: f64,
    pub bounds: Bounds,
    /// The tokens of the question that were used, as bits.
    pub tokens: u128,
    /// Where its members may be found; of a relation or function, what it may be joined with.
    pub places: Places,
    /// The kind of its members; of a relation, the kind of its values.
    pub kind: Type,
    /// Whether it has more than one member.
    pub is_many: bool,
    /// Whether its members are only described, as all numbers above 5 are: there is nothing to make one thing of.
    pub is_endless: bool,
    pub superlatives: u8,
    pub origin: Origin,
}

/// What a derivation can bring to a larger one.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// The most it can add to a score.
    pub most: f64,
    /// How much of that is below 0, and is not paid twice when the other part has it too.
    pub negative: f64,
}

/// Where the members of a formula come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Said in the question, or compared with what is said there.
    Said,
    /// Read from rows of the table.
    LookedUp,
    /// Read from rows that were picked by an order or a position.
    Picked,
    /// Counted, summed, subtracted, or chosen by an order.
    Computed,
}

impl Origin {
    /// Where a formula with this at its top comes from.
    pub fn of(formulas: &Formulas, id: FormulaId) -> Origin {
        match formulas.node(id) {
            Node::Aggregate(..) | Node::Arithmetic(..) | Node::Superlative(..) => Origin::Computed,
            Node::Join(binary, unary) => match formulas.node(binary) {
                Node::Compare(_) => Origin::of(formulas, unary),
                Node::Reverse(_) if is_picked(formulas, unary) => Origin::Picked,
                Node::Reverse(_) => Origin::LookedUp,
                _ => Origin::Said,
            },
            _ => Origin::Said,
        }
    }
}

/// Whether rows, or what is read from them, were picked by an order or a position, and not by a condition.
fn is_picked(formulas: &Formulas, id: FormulaId) -> bool {
    match formulas.node(id) {
        Node::Superlative(..) => true,
        Node::Join(binary, of) => match formulas.node(binary) {
            Node::Next | Node::Index => true,
            Node::Reverse(inner) => formulas.node(inner) == Node::Next || is_picked(formulas, of),
            _ => false,
        },
        _ => false,
    }
}

/// The derivations of one category and size, best first.
pub(super) type Cell = Vec<Entry>;

/// A cell while it is filled: what came in, and the scores of the best so far.
#[derive(Default)]
pub(super) struct Filling {
    entries: Vec<Entry>,
    best: BinaryHeap<Reverse<Score>>,
}

impl Filling {
    /// Whether a cell that keeps `beam` would keep a derivation of this score.
    pub fn would_keep(&self, score: f64, beam: usize) -> bool {
        self.best.len() < beam || self.best.peek().is_some_and(|worst| Score(score) > worst.0)
    }

    pub fn push(&mut self, entry: Entry, beam: usize) {
        self.entries.push(entry);
        self.best.push(Reverse(Score(entry.score)));
        if self.best.len() > beam {
            self.best.pop();
        }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Takes out the best entries, and says how many were cut off. Of equals, the one that was built first stands first.
    pub fn close(&mut self, beam: usize) -> (Cell, usize) {
        let mut order: Vec<(Score, u32)> = self.entries.iter().map(|entry| Score(entry.score)).zip(0..).collect();
        let best_first = |a: &(Score, u32), b: &(Score, u32)| b.0.cmp(&a.0).then(a.1.cmp(&b.1));
        let cut = order.len().saturating_sub(beam);
        if cut > 0 {
            order.select_nth_unstable_by(beam, best_first);
            order.truncate(beam);
        }
        order.sort_unstable_by(best_first);
        let cell = order.into_iter().map(|(_, at)| self.entries[at as usize]).collect();
        self.entries.clear();
        self.best.clear();
        (cell, cut)
    }
}

/// A score with a total order; scores are never NaN.
#[derive(Clone, Copy, PartialEq)]
struct Score(f64);

impl Eq for Score {}
impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Score {
    fn cmp(&self, other: &Score) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}
