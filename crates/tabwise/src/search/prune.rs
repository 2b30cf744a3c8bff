//! Applying pruners: reasons to drop a formula as soon as it is built, because it means nothing or the same as a smaller
//! formula.

use crate::execute::{Denotation, Executor, Outcome};
use crate::formula::{Aggregate, Arithmetic, Compare, FormulaId, Formulas, Node, Relation, Test, Way};
use crate::graph::ColumnId;
use crate::named::Set;
use crate::question::Vocabulary;
use crate::settings::Pruner;
use crate::value::Value;
use std::cmp::Ordering;

/// The pruners in use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pruners(pub Set<Pruner>);

impl Pruners {
    /// Tells if a pruner is in use.
    pub(super) fn uses(&self, pruner: Pruner) -> bool {
        self.0.has(pruner)
    }

    /// Pruner that drops a formula by its form, before it is executed.
    pub(super) fn by_form(&self, formulas: &Formulas, id: FormulaId) -> Option<Pruner> {
        match formulas.node(id) {
            Node::And(a, b) | Node::Or(a, b) => self.by_merged(formulas, a, b),
            Node::Join(binary, unary) => by_join(formulas, binary, unary).filter(|pruner| self.uses(*pruner)),
            Node::Arithmetic(Arithmetic::Share, a, b) if self.uses(Pruner::Whole) && is_all(formulas, a, b) => {
                Some(Pruner::Whole)
            }
            Node::Aggregate(Aggregate::Sum, of) if self.uses(Pruner::OfShares) && has_shares(formulas, of) => {
                Some(Pruner::OfShares)
            }
            Node::Across(op, a, b) if self.uses(Pruner::OfShares) => {
                let is_same = op == Arithmetic::Share && a == b;
                let has_shares = has_shares(formulas, a) || has_shares(formulas, b);
                (is_same || has_shares).then_some(Pruner::OfShares)
            }
            Node::Aggregate(..) | Node::Arithmetic(Arithmetic::Share, ..) if self.uses(Pruner::Picked) => {
                formulas.children(id).any(|part| is_picked(formulas, part)).then_some(Pruner::Picked)
            }
            Node::Except(_, without) => by_complement(formulas, without).filter(|pruner| self.uses(*pruner)),
            Node::Exists(of) if self.uses(Pruner::Whole) => is_whole(formulas, of).then_some(Pruner::Whole),
            Node::Test(Test::Within, _, of) if self.uses(Pruner::Whole) => {
                is_whole(formulas, of).then_some(Pruner::Whole)
            }
            _ => None, // other forms are judged by what they denote
        }
    }

    /// Pruner that keeps two formulas from being merged.
    pub(super) fn by_merged(&self, formulas: &Formulas, a: FormulaId, b: FormulaId) -> Option<Pruner> {
        let found = match a.cmp(&b) {
            Ordering::Equal => Some(Pruner::SameMerge),
            Ordering::Greater => Some(Pruner::UnsortedMerge),
            Ordering::Less => [a, b].iter().any(|part| formulas.node(*part) == Node::Rows).then_some(Pruner::Whole),
        };
        found.filter(|pruner| self.uses(*pruner))
    }

    /// Pruner that drops a choice among values.
    pub(super) fn by_choice(&self, formulas: &Formulas, id: FormulaId, vocabulary: &Vocabulary) -> Option<Pruner> {
        let (Node::Superlative(_, of, key) | Node::Top(_, of, key, _)) = formulas.node(id) else { return None };
        let (column, rows) = column_read(formulas, of)?;
        let is_scoped = formulas.node(rows) == Node::Rows || formulas.walk(key).contains(&rows);
        let pruner = (!is_scoped && vocabulary.repeats(column)).then_some(Pruner::Unscoped);
        pruner.filter(|pruner| self.uses(*pruner))
    }

    /// Pruner that drops a condition by the place of its text.
    pub(super) fn by_place(&self, formulas: &Formulas, id: FormulaId, vocabulary: &Vocabulary) -> Option<Pruner> {
        let Node::Join(binary, of) = formulas.node(id) else { return None };
        let (Node::Column(column), Node::Join(unequal, text)) = (formulas.node(binary), formulas.node(of)) else {
            return None;
        };
        let Node::Value(Value::Entity(entity)) = formulas.node(text) else { return None };
        let is_foreign =
            formulas.node(unequal) == Node::Compare(Compare::NotEqual) && !vocabulary.is_in(entity, column);
        is_foreign.then_some(Pruner::Foreign).filter(|pruner| self.uses(*pruner))
    }

    /// Pruner that drops a function.
    pub(super) fn by_function(&self, formulas: &Formulas, id: FormulaId, vocabulary: &Vocabulary) -> Option<Pruner> {
        let counted = counted_column(formulas, id).filter(|column| !vocabulary.repeats(*column));
        counted.map(|_| Pruner::CountedOnce).filter(|pruner| self.uses(*pruner))
    }

    /// Pruner that drops a formula by its denotation, or by that of its part.
    pub(super) fn by_denotation(&self, executor: &mut Executor, id: FormulaId, outcome: &Outcome) -> Option<Pruner> {
        let Ok(denotation) = outcome else { return Some(Pruner::Undefined) };
        if self.uses(Pruner::Empty) && denotation.is_empty() {
            return Some(Pruner::Empty);
        }
        let count = |executor: &mut Executor, part: FormulaId| match executor.denote(part).as_deref() {
            Ok(Denotation::Rows(rows)) => rows.count(),
            Ok(Denotation::Values(items)) => items.len(),
            _ => usize::MAX,
        };
        let found = match executor.formulas().node(id) {
            Node::Superlative(_, part, _) if compares_rows(executor.formulas(), part) => None,
            Node::Superlative(_, part, _) | Node::Aggregate(_, part) => {
                (count(executor, part) <= 1).then_some(Pruner::Singleton)
            }
            Node::Join(binary, part) if is_next(executor.formulas(), binary) => {
                (count(executor, part) != 1).then_some(Pruner::ManyNext)
            }
            _ => None,
        };
        found.filter(|pruner| self.uses(*pruner))
    }
}

/// Tells if rows are chosen by how they compare with another row; the nearest of them is wanted even if it is the only one.
fn compares_rows(formulas: &Formulas, id: FormulaId) -> bool {
    formulas.walk(id).into_iter().any(|part| match formulas.node(part) {
        Node::Join(binary, of) => matches!(formulas.node(binary), Node::Compare(_)) && formulas.looked_up(of).is_some(),
        _ => false,
    })
}

/// The column and the rows that a list of cells or of their readings was read from.
pub(super) fn column_read(formulas: &Formulas, id: FormulaId) -> Option<(ColumnId, FormulaId)> {
    match formulas.looked_up(id)? {
        (Relation::Column(column), rows) => Some((column, rows)),
        (Relation::Reading(_), of) => column_read(formulas, of),
        _ => None,
    }
}

/// Tells if rows, or what is read, counted or summed from them, were picked by a superlative.
fn is_picked(formulas: &Formulas, id: FormulaId) -> bool {
    match formulas.node(id) {
        Node::Superlative(..) | Node::Top(..) => true,
        Node::Aggregate(_, of) => is_picked(formulas, of),
        Node::And(a, b) => is_picked(formulas, a) || is_picked(formulas, b),
        Node::Join(binary, of) => formulas.forth(binary).is_some() && is_picked(formulas, of),
        _ => false, // other forms pick nothing
    }
}

/// Tells if a formula has percentages of each row.
fn has_shares(formulas: &Formulas, id: FormulaId) -> bool {
    formulas.parts(id).into_iter().any(|part| matches!(formulas.node(part), Node::Across(Arithmetic::Share, ..)))
}

fn by_complement(formulas: &Formulas, without: FormulaId) -> Option<Pruner> {
    let is_double = match formulas.node(without) {
        Node::Except(..) | Node::Superlative(..) | Node::Top(..) | Node::Compare(Compare::NotEqual) => true,
        Node::And(..) | Node::Or(..) | Node::Join(..) => {
            formulas.children(without).any(|part| by_complement(formulas, part).is_some())
        }
        _ => false, // nothing is negated or picked here
    };
    is_double.then_some(Pruner::DoubleNegation)
}

/// Tells if a formula is all rows, or all rows merged with some.
fn is_whole(formulas: &Formulas, id: FormulaId) -> bool {
    match formulas.node(id) {
        Node::Rows => true,
        Node::And(a, b) => [a, b].iter().any(|part| formulas.node(*part) == Node::Rows),
        _ => false,
    }
}

/// Tells if a share is that of a whole in itself.
fn is_all(formulas: &Formulas, part: FormulaId, whole: FormulaId) -> bool {
    let of = |id| match formulas.node(id) {
        Node::Aggregate(_, of) => Some(of),
        _ => None,
    };
    part == whole || of(part).is_some_and(|rows| is_whole(formulas, rows))
}

/// The column of `R[λx[count(column.x)]]`.
fn counted_column(formulas: &Formulas, id: FormulaId) -> Option<ColumnId> {
    let Relation::Lambda(_, body) = formulas.forth(id)? else { return None };
    let Node::Aggregate(Aggregate::Count, rows) = formulas.node(body) else { return None };
    match formulas.joined(rows)? {
        (Relation::Column(column), Way::Back, _) => Some(column),
        _ => None,
    }
}

fn by_join(formulas: &Formulas, binary: FormulaId, unary: FormulaId) -> Option<Pruner> {
    let Node::Join(next, condition) = formulas.node(unary) else { return None };
    if is_next(formulas, binary) && is_next(formulas, next) {
        return Some(Pruner::DoubleNext);
    }
    // The names that start with B are some of the names.
    let is_test = matches!(formulas.node(condition), Node::Text(..));
    (!is_test && undoes(formulas, binary, next)).then_some(Pruner::Reversal)
}

/// Tells if following `first` and then `second` leads back: R[City] after City.
pub(super) fn undoes(formulas: &Formulas, second: FormulaId, first: FormulaId) -> bool {
    formulas.node(second) == Node::Reverse(first)
}

fn is_next(formulas: &Formulas, binary: FormulaId) -> bool {
    matches!(formulas.relation(binary), Some((Relation::Next, _)))
}
