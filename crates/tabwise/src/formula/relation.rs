//! A view of binaries as a [`Relation`] and the [`Way`] it is followed: `City` and `R[City]` are the same relation in
//! two directions. Code that handles binaries uses this view and does not match on `Node::Reverse` itself.

use super::{Arithmetic, Compare, FormulaId, Formulas, Node, Var};
use crate::graph::{ColumnId, Reading};

/// A binary with its direction removed.
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
    /// Pairs of values for which the comparison holds.
    Compare(Compare),
    /// Pairs (member of the body, bound value).
    Lambda(Var, FormulaId),
    /// Pairs (row, amount computed from the row's partners in two binaries).
    Across(Arithmetic, FormulaId, FormulaId),
}

/// Direction in which a join follows a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From right to left: `City.Athens` denotes rows.
    Back,
    /// From left to right, as with `R[...]`: `R[City].Rows` denotes cities.
    Forth,
}

impl Way {
    /// Opposite direction.
    pub fn turned(self) -> Way {
        match self {
            Way::Back => Way::Forth,
            Way::Forth => Way::Back,
        }
    }
}

impl Formulas {
    /// Returns the relation of a binary and the way a join follows it; `None` for a unary.
    #[inline]
    pub fn relation(&self, binary: FormulaId) -> Option<(Relation, Way)> {
        // The arena never holds the reverse of a reverse, so one step is enough.
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
            Node::Across(op, a, b) => Relation::Across(op, a, b),
            Node::Reverse(_)
            | Node::Value(_)
            | Node::Rows
            | Node::Var(_)
            | Node::Join(..)
            | Node::And(..)
            | Node::Or(..) => return None,
            Node::Aggregate(..) | Node::Superlative(..) | Node::Arithmetic(..) | Node::Mark(..) => return None,
            Node::Top(..) | Node::Group(..) | Node::Having(..) | Node::Except(..) | Node::Exists(_) => return None,
            Node::Test(..) | Node::Missing(_) | Node::Text(..) => return None,
        };
        Some((relation, way))
    }

    /// Returns the relation, the way and the unary of a join; `None` for any other formula.
    pub fn joined(&self, id: FormulaId) -> Option<(Relation, Way, FormulaId)> {
        let Node::Join(binary, unary) = self.node(id) else { return None };
        self.relation(binary).map(|(relation, way)| (relation, way, unary))
    }

    /// Returns the relation and the unary of `R[b].u`; `None` for any other formula.
    pub fn looked_up(&self, id: FormulaId) -> Option<(Relation, FormulaId)> {
        self.joined(id).filter(|(_, way, _)| *way == Way::Forth).map(|(relation, _, unary)| (relation, unary))
    }

    /// Returns the relation of a binary that is followed from left to right, such as `R[City]`.
    pub fn forth(&self, binary: FormulaId) -> Option<Relation> {
        self.relation(binary).filter(|(_, way)| *way == Way::Forth).map(|(relation, _)| relation)
    }

    /// Returns the comparison of a binary, flipped if the binary is reversed; `None` for any other binary.
    pub fn comparison(&self, binary: FormulaId) -> Option<Compare> {
        match self.relation(binary)? {
            (Relation::Compare(op), Way::Back) => Some(op),
            (Relation::Compare(op), Way::Forth) => Some(op.flipped()),
            _ => None,
        }
    }
}
