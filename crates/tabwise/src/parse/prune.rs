//! Pruners: reasons to drop a formula as soon as it is built, because it can only mean nothing, or what a smaller formula
//! means. Each is a row with a name, and can be switched off.

use crate::execute::{Denotation, Executor, Outcome};
use crate::formula::{Aggregate, FormulaId, Formulas, Node};
use crate::graph::ColumnId;
use crate::question::Vocabulary;
use crate::settings::Settings;
use std::cmp::Ordering;

/// A reason to drop a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pruner {
    Undefined,
    Empty,
    Singleton,
    Reversal,
    Crossing,
    Computed,
    Whole,
    DoubleNext,
    ManyNext,
    Superlatives,
    SameMerge,
    UnsortedMerge,
    MistypedMerge,
    Atomic,
    TooMany,
    Blank,
    CountedOnce,
}

impl Pruner {
    pub const ALL: [Pruner; 17] = [
        Pruner::Undefined,
        Pruner::Empty,
        Pruner::Singleton,
        Pruner::Reversal,
        Pruner::Crossing,
        Pruner::Computed,
        Pruner::Whole,
        Pruner::DoubleNext,
        Pruner::ManyNext,
        Pruner::Superlatives,
        Pruner::SameMerge,
        Pruner::UnsortedMerge,
        Pruner::MistypedMerge,
        Pruner::Atomic,
        Pruner::TooMany,
        Pruner::Blank,
        Pruner::CountedOnce,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Pruner::Undefined => "undefined",
            Pruner::Empty => "empty",
            Pruner::Singleton => "singleton",
            Pruner::Reversal => "reversal",
            Pruner::Crossing => "crossing",
            Pruner::Computed => "computed",
            Pruner::Whole => "whole",
            Pruner::DoubleNext => "double-next",
            Pruner::ManyNext => "many-next",
            Pruner::Superlatives => "superlatives",
            Pruner::SameMerge => "same-merge",
            Pruner::UnsortedMerge => "unsorted-merge",
            Pruner::MistypedMerge => "mistyped-merge",
            Pruner::Atomic => "atomic",
            Pruner::TooMany => "too-many",
            Pruner::Blank => "blank",
            Pruner::CountedOnce => "counted-once",
        }
    }

    /// What is dropped, in a line.
    pub fn doc(self) -> &'static str {
        match self {
            Pruner::Undefined => "a formula that means nothing in this table",
            Pruner::Empty => "a formula that denotes nothing",
            Pruner::Singleton => "an aggregate or superlative of a single thing",
            Pruner::Reversal => {
                "a relation right after its reverse, as in R[City].City.Beijing, or a difference of what is only read"
            }
            Pruner::Crossing => {
                "a condition or a difference by what was just looked up, as in City.R[City].x or City.R[Country].x"
            }
            Pruner::Computed => "a condition or a difference made of a count, a sum, a difference or a choice",
            Pruner::Whole => "all rows merged with some",
            Pruner::DoubleNext => "the row after the row after",
            Pruner::ManyNext => "the rows after several rows",
            Pruner::Superlatives => "more than one superlative",
            Pruner::SameMerge => "a formula merged with itself",
            Pruner::UnsortedMerge => "a merge whose parts stand in the other order",
            Pruner::MistypedMerge => "a union of texts that share no column",
            Pruner::Atomic => "an answer that only repeats a value of the question",
            Pruner::TooMany => "an answer of too many values",
            Pruner::Blank => "an answer of empty cells",
            Pruner::CountedOnce => "how often a text stands in a column that has each text once",
        }
    }
}

/// The pruners in use.
#[derive(Clone, Copy, Debug)]
pub struct Pruners([bool; Pruner::ALL.len()]);

impl Pruners {
    pub fn new(settings: &Settings) -> Pruners {
        Pruners(Pruner::ALL.map(|pruner| settings.pruners.iter().any(|name| name == pruner.name())))
    }

    pub fn uses(&self, pruner: Pruner) -> bool {
        self.0[pruner as usize]
    }

    /// Why a formula is dropped for the look of it, before it is executed.
    pub fn by_form(&self, formulas: &Formulas, id: FormulaId) -> Option<Pruner> {
        match formulas.node(id) {
            Node::And(a, b) | Node::Or(a, b) => self.by_merged(formulas, a, b),
            Node::Join(binary, unary) => by_join(formulas, binary, unary).filter(|pruner| self.uses(*pruner)),
            _ => None,
        }
    }

    /// Why two formulas are not merged.
    pub fn by_merged(&self, formulas: &Formulas, a: FormulaId, b: FormulaId) -> Option<Pruner> {
        let found = match a.cmp(&b) {
            Ordering::Equal => Some(Pruner::SameMerge),
            Ordering::Greater => Some(Pruner::UnsortedMerge),
            Ordering::Less => [a, b].iter().any(|part| formulas.node(*part) == Node::Rows).then_some(Pruner::Whole),
        };
        found.filter(|pruner| self.uses(*pruner))
    }

    /// Why a function is dropped.
    pub fn by_function(&self, formulas: &Formulas, id: FormulaId, vocabulary: &Vocabulary) -> Option<Pruner> {
        let counted = counted_column(formulas, id).filter(|column| !vocabulary.repeats(*column));
        counted.map(|_| Pruner::CountedOnce).filter(|pruner| self.uses(*pruner))
    }

    /// Why a formula is dropped for what it denotes, or for what its part denotes.
    pub fn by_denotation(
        &self,
        executor: &mut Executor,
        formulas: &Formulas,
        id: FormulaId,
        outcome: &Outcome,
    ) -> Option<Pruner> {
        let Ok(denotation) = outcome else { return Some(Pruner::Undefined) };
        if self.uses(Pruner::Empty) && denotation.is_empty() {
            return Some(Pruner::Empty);
        }
        let mut count = |part: FormulaId| match executor.denote(formulas, part).as_deref() {
            Ok(Denotation::Rows(rows)) => rows.count(),
            Ok(Denotation::Values(items)) => items.len(),
            _ => usize::MAX,
        };
        let found = match formulas.node(id) {
            Node::Superlative(_, part, _) | Node::Aggregate(_, part) if count(part) <= 1 => Some(Pruner::Singleton),
            Node::Join(binary, part) if is_next(formulas, binary) && count(part) != 1 => Some(Pruner::ManyNext),
            _ => None,
        };
        found.filter(|pruner| self.uses(*pruner))
    }
}

/// The column of `R[λx[count(column.x)]]`.
fn counted_column(formulas: &Formulas, id: FormulaId) -> Option<ColumnId> {
    let Node::Reverse(function) = formulas.node(id) else { return None };
    let Node::Lambda(_, body) = formulas.node(function) else { return None };
    let Node::Aggregate(Aggregate::Count, rows) = formulas.node(body) else { return None };
    let Node::Join(binary, _) = formulas.node(rows) else { return None };
    match formulas.node(binary) {
        Node::Column(column) => Some(column),
        _ => None,
    }
}

fn by_join(formulas: &Formulas, binary: FormulaId, unary: FormulaId) -> Option<Pruner> {
    let Node::Join(next, _) = formulas.node(unary) else { return None };
    if is_next(formulas, binary) && is_next(formulas, next) {
        return Some(Pruner::DoubleNext);
    }
    let is_reversal = formulas.node(binary) == Node::Reverse(next);
    is_reversal.then_some(Pruner::Reversal)
}

fn is_next(formulas: &Formulas, binary: FormulaId) -> bool {
    match formulas.node(binary) {
        Node::Next => true,
        Node::Reverse(inner) => formulas.node(inner) == Node::Next,
        _ => false,
    }
}
