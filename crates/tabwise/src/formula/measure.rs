//! Measures: what the numbers that a formula denotes are counted in. A share is in percent; a number read from a column, or
//! computed from its numbers, has the unit of that column. Printing asks for it; execution does not.

use super::{Aggregate, Arithmetic, FormulaId, Formulas, Node, Relation, Way};
use crate::graph::{ColumnId, Reading};

/// What numbers are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Nothing: a count, a ratio, a rank.
    Plain,
    /// Hundredths.
    Percent,
    /// The unit of a column, if it has one.
    Of(ColumnId),
    /// Seconds, which are times of day if the column holds those.
    Time(ColumnId),
}

impl Measure {
    /// Measure of an amount that is computed of such numbers: a difference of times of day is none of them.
    fn of_amount(self) -> Measure {
        match self {
            Measure::Time(_) => Measure::Plain,
            measure => measure,
        }
    }

    /// Measure of a sum or difference, of which one side may be a plain number.
    fn with(self, other: Measure) -> Measure {
        match (self, other) {
            (Measure::Plain, measure) | (measure, Measure::Plain) => measure,
            (one, other) if one == other => one,
            _ => Measure::Plain,
        }
    }
}

impl Formulas {
    /// Returns the measure of a unary's numbers.
    pub fn measure(&self, id: FormulaId) -> Measure {
        match self.node(id) {
            Node::Aggregate(Aggregate::Count, _) => Measure::Plain,
            Node::Aggregate(Aggregate::Sum, of) => self.measure(of).of_amount(),
            Node::Aggregate(_, of) | Node::Superlative(_, of, _) | Node::Top(_, of, ..) => self.measure(of),
            Node::Having(of, ..) | Node::Except(of, _) => self.measure(of),
            Node::And(a, b) | Node::Or(a, b) => self.measure(a).with(self.measure(b)),
            Node::Arithmetic(op, a, b) => computed(op, self.measure(a), self.measure(b)),
            Node::Join(binary, of) => self.measure_of_join(binary, of),
            Node::Value(_) | Node::Rows | Node::Var(_) | Node::Mark(..) | Node::Group(..) => Measure::Plain,
            Node::Exists(_) | Node::Test(..) | Node::Missing(_) | Node::Text(..) => Measure::Plain,
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => Measure::Plain,
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => Measure::Plain,
        }
    }

    fn measure_of_join(&self, binary: FormulaId, of: FormulaId) -> Measure {
        match self.relation(binary) {
            Some((Relation::Reading(Reading::Number | Reading::Number2), Way::Forth)) => {
                self.column_of_texts(of).map_or(Measure::Plain, Measure::Of)
            }
            Some((Relation::Reading(Reading::Duration), Way::Forth)) => {
                self.column_of_texts(of).map_or(Measure::Plain, Measure::Time)
            }
            Some((Relation::Across(op, a, b), Way::Forth)) => computed(op, self.key_measure(a), self.key_measure(b)),
            Some((Relation::Lambda(_, body), Way::Back)) => self.measure(body),
            _ => Measure::Plain,
        }
    }

    /// Column that the texts of a unary were read from.
    fn column_of_texts(&self, id: FormulaId) -> Option<ColumnId> {
        match self.node(id) {
            Node::Superlative(_, of, _) | Node::Top(_, of, ..) => self.column_of_texts(of),
            Node::Having(of, ..) | Node::Except(of, _) => self.column_of_texts(of),
            _ => match self.looked_up(id)? {
                (Relation::Column(column), _) => Some(column),
                _ => None,
            },
        }
    }

    /// Returns the measure of the numbers on the right side of a binary, such as the key of a group.
    pub fn key_measure(&self, key: FormulaId) -> Measure {
        match self.relation(key) {
            Some((Relation::Lambda(_, body), Way::Forth)) => self.measure(body),
            Some((Relation::Across(op, a, b), Way::Back)) => computed(op, self.key_measure(a), self.key_measure(b)),
            Some((Relation::Lambda(var, body), Way::Back)) => match self.chain(var, body).as_deref() {
                Some([.., column, reading]) => match (self.node(*column), self.node(*reading)) {
                    (Node::Column(column), Node::Reading(Reading::Number | Reading::Number2)) => Measure::Of(column),
                    (Node::Column(column), Node::Reading(Reading::Duration)) => Measure::Time(column),
                    _ => Measure::Plain,
                },
                _ => Measure::Plain,
            },
            _ => Measure::Plain,
        }
    }
}

/// Measure of what an operation gives.
fn computed(op: Arithmetic, a: Measure, b: Measure) -> Measure {
    let (a, b) = (a.of_amount(), b.of_amount());
    match op {
        Arithmetic::Add | Arithmetic::Sub => a.with(b),
        Arithmetic::Share => Measure::Percent,
        Arithmetic::Div if b == Measure::Plain => a,
        Arithmetic::Mul if a == Measure::Plain || b == Measure::Plain => a.with(b),
        Arithmetic::Mul | Arithmetic::Div | Arithmetic::Days | Arithmetic::Months => Measure::Plain,
    }
}
