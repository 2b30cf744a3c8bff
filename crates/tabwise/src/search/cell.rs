//! Cells of the chart: derivations in short, best first.

use crate::derivation::DerivationId;
use crate::formula::types::Type;
use crate::formula::{FormulaId, Formulas, Node, Relation, Way};
use crate::question::Places;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Summary of a derivation: enough to tell if it fits another.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// The derivation.
    pub id: DerivationId,
    /// Its score.
    pub score: f64,
    /// Bounds on its score in a larger derivation.
    pub bounds: Bounds,
    /// The tokens of the question that were used, as bits.
    pub tokens: u128,
    /// Places where its members may be found; of a relation or function, what it may be joined with.
    pub places: Places,
    /// The kind of its members; of a relation, the kind of its values.
    pub kind: Type,
    /// More than one member.
    pub is_many: bool,
    /// Members that are only described, as all numbers above 5 are.
    pub is_endless: bool,
    /// Number of superlatives in its formula.
    pub superlatives: u8,
    /// Source of its members.
    pub origin: Origin,
    /// Groups of rules that words of the question asked for and that it was built with, as bits.
    pub asked: u32,
}

/// Bounds on the score that a derivation brings to a larger one.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// Upper bound on its score in a larger derivation.
    pub most: f64,
    /// Sum of its negative scores, with the sign turned: a larger derivation pays them only once if both parts have them.
    pub negative: f64,
}

/// Source of a formula's members.
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
    /// Source of a formula's members, by the node at its top.
    pub(super) fn of(formulas: &Formulas, id: FormulaId) -> Origin {
        match formulas.node(id) {
            Node::Aggregate(..) | Node::Arithmetic(..) | Node::Superlative(..) => Origin::Computed,
            Node::Top(..) | Node::Group(..) | Node::Having(..) | Node::Exists(_) | Node::Test(..) => Origin::Computed,
            Node::Except(of, _) => Origin::of(formulas, of),
            Node::Join(binary, unary) => match formulas.relation(binary) {
                Some((Relation::Compare(_), Way::Back)) => Origin::of(formulas, unary),
                Some((_, Way::Forth)) if is_picked(formulas, unary) => Origin::Picked,
                Some((_, Way::Forth)) => Origin::LookedUp,
                _ => Origin::Said,
            },
            Node::Value(_) | Node::Rows | Node::Var(_) | Node::And(..) | Node::Or(..) | Node::Mark(..) => Origin::Said,
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => Origin::Said,
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => Origin::Said,
            Node::Missing(_) | Node::Text(..) => Origin::Said,
        }
    }
}

/// Tells if rows, or values read from them, were picked by an order or a position, and not by a condition.
fn is_picked(formulas: &Formulas, id: FormulaId) -> bool {
    match formulas.node(id) {
        Node::Superlative(..) | Node::Top(..) => true,
        Node::Join(binary, of) => match formulas.relation(binary) {
            Some((Relation::Next, _) | (Relation::Index, Way::Back)) => true,
            Some((_, Way::Forth)) => is_picked(formulas, of),
            _ => false,
        },
        _ => false,
    }
}

/// The derivations of one category and size, best first.
pub(super) type Cell = Vec<Entry>;

/// How many derivations a cell keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// Number of the best.
    pub beam: usize,
    /// Number of the best with each group of rules that the question asks for, even if they are not among the best of all:
    /// what is said outright should not be lost to what is merely likely.
    pub asked: usize,
}

/// A cell while it is filled: what came in, and the scores of the best so far.
#[derive(Default)]
pub(super) struct Filling {
    entries: Vec<Entry>,
    best: Best,
    /// The best with each group of rules that the question asks for.
    asked: Vec<Best>,
}

impl Filling {
    /// Tells if a cell would keep a derivation of this score that was built with these groups of rules.
    pub(super) fn would_keep(&self, score: f64, asked: u32, room: Room) -> bool {
        let is_good = |group: usize| self.asked.get(group).is_none_or(|best| best.has_room(score, room.asked));
        self.best.has_room(score, room.beam) || ones(asked).any(is_good)
    }

    pub(super) fn push(&mut self, entry: Entry, room: Room) {
        self.entries.push(entry);
        self.best.push(entry.score, room.beam);
        for group in ones(entry.asked) {
            if self.asked.len() <= group {
                self.asked.resize_with(group + 1, Best::default);
            }
            self.asked[group].push(entry.score, room.asked);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Takes out the best entries, and says how many were cut off. Of equals, the one that was built first stands first.
    pub(super) fn close(&mut self, room: Room) -> (Cell, usize) {
        let mut order: Vec<(Score, u32)> = self.entries.iter().map(|entry| Score(entry.score)).zip(0..).collect();
        let best_first = |a: &(Score, u32), b: &(Score, u32)| b.0.cmp(&a.0).then(a.1.cmp(&b.1));
        if self.asked.is_empty() && order.len() > room.beam {
            order.select_nth_unstable_by(room.beam, best_first);
            order.truncate(room.beam);
        }
        order.sort_unstable_by(best_first);
        let mut taken = vec![0; self.asked.len()];
        let mut cell = Cell::new();
        for (_, at) in order {
            let entry = self.entries[at as usize];
            if cell.len() < room.beam || ones(entry.asked).any(|group| taken[group] < room.asked) {
                ones(entry.asked).for_each(|group| taken[group] += 1);
                cell.push(entry);
            }
        }
        let cut = self.entries.len() - cell.len();
        self.entries.clear();
        self.best.0.clear();
        self.asked.clear();
        (cell, cut)
    }
}

/// Positions of the bits that are set.
fn ones(bits: u32) -> impl Iterator<Item = usize> {
    (0..u32::BITS as usize).filter(move |at| bits >> at & 1 == 1)
}

/// The best scores of those that came in.
#[derive(Default)]
struct Best(BinaryHeap<Reverse<Score>>);

impl Best {
    /// Tells if a score is among the best so many.
    fn has_room(&self, score: f64, count: usize) -> bool {
        self.0.len() < count || self.0.peek().is_some_and(|worst| Score(score) > worst.0)
    }

    fn push(&mut self, score: f64, count: usize) {
        self.0.push(Reverse(Score(score)));
        if self.0.len() > count {
            self.0.pop();
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derivation::Derivations;

    fn entry(score: f64, tokens: u128) -> Entry {
        Entry {
            id: Derivations::default().next_id(),
            score,
            bounds: Bounds { most: score, negative: 0.0 },
            tokens,
            places: Places::ANY,
            kind: Type::ANY,
            is_many: false,
            is_endless: false,
            superlatives: 0,
            origin: Origin::Said,
            asked: 0,
        }
    }

    fn room(beam: usize) -> Room {
        Room { beam, asked: 1 }
    }

    #[test]
    fn of_equals_the_first_one_built_comes_first() {
        let mut filling = Filling::default();
        for (number, score) in [(1, 0.5), (2, 1.0), (3, 0.5), (4, 1.0), (5, 0.5)] {
            filling.push(entry(score, number), room(4));
        }
        let (cell, cut) = filling.close(room(4));
        assert_eq!(cell.iter().map(|entry| entry.tokens).collect::<Vec<_>>(), [2, 4, 1, 3]);
        assert_eq!((cut, filling.len()), (1, 0));
    }

    #[test]
    fn a_full_cell_keeps_only_better_ones() {
        let mut filling = Filling::default();
        assert!(filling.would_keep(f64::MIN, 0, room(2)));
        filling.push(entry(1.0, 0), room(2));
        filling.push(entry(3.0, 0), room(2));
        assert!(!filling.would_keep(1.0, 0, room(2)) && filling.would_keep(1.1, 0, room(2)));
        filling.push(entry(2.0, 0), room(2));
        assert!(!filling.would_keep(2.0, 0, room(2)) && filling.would_keep(2.1, 0, room(2)));
        assert_eq!(filling.len(), 3);
    }

    #[test]
    fn what_was_asked_for_has_room_of_its_own() {
        let mut filling = Filling::default();
        let asked = |score: f64, tokens: u128| Entry { asked: 0b10, ..entry(score, tokens) };
        for one in [entry(3.0, 1), asked(1.0, 2), entry(4.0, 3), asked(0.5, 4)] {
            filling.push(one, room(2));
        }
        assert!(filling.would_keep(1.1, 0b10, room(2)) && !filling.would_keep(1.0, 0b10, room(2)));
        assert!(filling.would_keep(0.0, 0b01, room(2)) && !filling.would_keep(1.1, 0, room(2)));
        let (cell, cut) = filling.close(room(2));
        assert_eq!(cell.iter().map(|entry| entry.tokens).collect::<Vec<_>>(), [3, 1, 2]);
        assert_eq!(cut, 1);
    }
}
