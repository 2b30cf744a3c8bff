//! A view of binaries as relations, read one way or the other. `R[City]` and `City` are the same relation, followed in
//! two directions; code that asks "which relation is this?" asks here and does not take reverses apart itself.

use super::{Compare, FormulaId, Formulas, Node, Var};
use crate::graph::{ColumnId, Reading};

/// A binary without its reverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Pairs (row, entity).
    Column(ColumnId),
    /// Pairs (entity, value).
    Reading(Reading),
    /// Pairs (row, the row after it).
    Next,
    /// Pairs (row, its number).
    Index,
    /// Pairs (row, length of the run up to it).
    Run(ColumnId),
    /// Pairs of values that compare so.
    Compare(Compare),
    /// Pairs (member of the body, bound value).
    Lambda(Var, FormulaId),
}

/// Direction in which a relation is followed by a join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From right to left: `City.Athens` are rows.
    Back,
    /// From left to right, as by `R[...]`: `R[City].Rows` are cities.
    Forth,
}

impl Way {
    /// The other direction.
    pub fn turned(self) -> Way {
        match self {
            Way::Back => Way::Forth,
            Way::Forth => Way::Back,
        }
    }
}

impl Formulas {
    /// The relation of a binary and the way a join follows it; `None` for a unary.
    #[inline]
    pub fn relation(&self, binary: FormulaId) -> Option<(Relation, Way)> {
        // A reverse is never that of a reverse: the arena spells those one way.
        let (node, way) = match self.node(binary) {
            Node::Reverse(inner) => (self.node(inner), Way::Forth),
            node => (node, Way::Back),
        };
        let relation = match node {
            Node::Column(column) => Relation::Column(column),
            Node::Reading(reading) => Relation::Reading(reading),
            Node::Next => Relation::Next,
            Node::Index => Relation::Index,
            Node::Run(column) => Relation::Run(column),
            Node::Compare(op) => Relation::Compare(op),
            Node::Lambda(var, body) => Relation::Lambda(var, body),
            Node::Reverse(_)
            | Node::Value(_)
            | Node::Rows
            | Node::Var(_)
            | Node::Join(..)
            | Node::And(..)
            | Node::Or(..) => return None,
            Node::Aggregate(..) | Node::Superlative(..) | Node::Arithmetic(..) | Node::Mark(..) => return None,
        };
        Some((relation, way))
    }

    /// The relation, the way and the unary of a join; `None` for any other formula.
    pub fn joined(&self, id: FormulaId) -> Option<(Relation, Way, FormulaId)> {
        let Node::Join(binary, unary) = self.node(id) else { return None };
        self.relation(binary).map(|(relation, way)| (relation, way, unary))
    }

    /// The relation and the unary of `R[b].u`.
    pub fn looked_up(&self, id: FormulaId) -> Option<(Relation, FormulaId)> {
        self.joined(id).filter(|(_, way, _)| *way == Way::Forth).map(|(relation, _, unary)| (relation, unary))
    }

    /// The relation that a binary follows from left to right, as `R[City]` does.
    pub fn forth(&self, binary: FormulaId) -> Option<Relation> {
        self.relation(binary).filter(|(_, way)| *way == Way::Forth).map(|(relation, _)| relation)
    }

    /// The comparison that a binary makes, its sides exchanged where it is turned round.
    pub fn comparison(&self, binary: FormulaId) -> Option<Compare> {
        match self.relation(binary)? {
            (Relation::Compare(op), Way::Back) => Some(op),
            (Relation::Compare(op), Way::Forth) => Some(op.flipped()),
            _ => None,
        }
    }
}
