//! Denotations: rows, values, or a condition that values pass; and what the set operations make of them.

use super::{RowSet, Test};
use crate::graph::{Cell, Graph};
use crate::value::Value;
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

/// A value of a list, with the cell it was read from, if it was read from one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    pub value: Value,
    pub cell: Option<Cell>,
}

/// A list of values with their cells; most have one.
pub type Items = SmallVec<[Item; 1]>;

/// Values alone.
pub type Values = SmallVec<[Value; 2]>;

impl Item {
    /// A value that was computed, or that the formula names.
    pub fn bare(value: Value) -> Item {
        Item { value, cell: None }
    }
}

/// What a unary formula denotes.
#[derive(Clone, Debug, PartialEq)]
pub enum Denotation {
    Rows(RowSet),
    /// A list with repeats: one item for each row it was read from.
    Values(Items),
    /// Every value that passes a test, such as "more than 5": known by the test, never listed out.
    Passing(Test),
}

/// Why a formula means nothing in this table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Undefined {
    #[error("its parts are of the wrong kinds")]
    Type,
    #[error("it takes a maximum, a sum or another value of an empty list")]
    Empty,
    #[error("it orders numbers and dates together, or dates with a year and dates without")]
    Unordered,
    #[error("it needs one value where there are none or several")]
    NotSingle,
    #[error("it divides by zero, or the result is too large for a number")]
    NotANumber,
    #[error("it is a set that can only be described, such as all numbers above 5")]
    Infinite,
    #[error("it takes more steps than the limit allows")]
    TooLong,
}

impl Denotation {
    /// A list of one computed value.
    pub(super) fn single(value: Value) -> Denotation {
        Denotation::Values(smallvec![Item::bare(value)])
    }

    pub fn is_empty(&self) -> bool {
        match self {
            Denotation::Rows(rows) => rows.is_empty(),
            Denotation::Values(items) => items.is_empty(),
            Denotation::Passing(_) => false,
        }
    }

    /// How many different rows or values there are; `None` when they are only described.
    pub fn count(&self) -> Option<usize> {
        match self {
            Denotation::Rows(rows) => Some(rows.count()),
            Denotation::Values(items) => Some(count_distinct(items)),
            Denotation::Passing(_) => None,
        }
    }

    /// The answer as people read it: each different value once; a row by its number, from 0 as `Index` counts. Empty for
    /// what is only described.
    pub fn show(&self, graph: &Graph) -> Vec<String> {
        match self {
            Denotation::Rows(rows) => rows.iter().map(|row| format!("row {row}")).collect(),
            Denotation::Values(items) => distinct(items).into_iter().map(|value| graph.show(value)).collect(),
            Denotation::Passing(_) => Vec::new(),
        }
    }

    /// How much it takes to go over it.
    pub(super) fn weight(&self) -> usize {
        match self {
            Denotation::Rows(rows) => rows.weight(),
            Denotation::Values(items) => items.len(),
            Denotation::Passing(_) => 1,
        }
    }

    pub(super) fn rows(&self) -> Result<&RowSet, Undefined> {
        match self {
            Denotation::Rows(rows) => Ok(rows),
            _ => Err(Undefined::Type),
        }
    }

    /// The only value there is.
    pub(super) fn the_value(&self) -> Result<Value, Undefined> {
        match self {
            Denotation::Values(items) => match items.split_first() {
                Some((first, rest)) if rest.iter().all(|item| item.value == first.value) => Ok(first.value),
                _ => Err(Undefined::NotSingle),
            },
            Denotation::Rows(_) => Err(Undefined::Type),
            Denotation::Passing(_) => Err(Undefined::Infinite),
        }
    }

    /// The condition of being among these values.
    pub(super) fn test(&self) -> Result<Test, Undefined> {
        match self {
            Denotation::Rows(_) => Err(Undefined::Type),
            Denotation::Values(items) => Ok(Test::one_of(items)),
            Denotation::Passing(test) => Ok(test.clone()),
        }
    }
}

/// Up to so many items, comparing each with each is faster than a hash set.
const FEW: usize = 16;

/// The different values of a list, in the order of their first occurrence.
pub fn distinct(items: &[Item]) -> Values {
    if items.len() <= FEW {
        let mut found = Values::with_capacity(items.len());
        for item in items {
            if !found.contains(&item.value) {
                found.push(item.value);
            }
        }
        return found;
    }
    let mut seen = FxHashSet::default();
    items.iter().map(|item| item.value).filter(|value| seen.insert(*value)).collect()
}

fn count_distinct(items: &[Item]) -> usize {
    if items.len() <= FEW {
        return (0..items.len()).filter(|at| items[..*at].iter().all(|item| item.value != items[*at].value)).count();
    }
    items.iter().map(|item| item.value).collect::<FxHashSet<Value>>().len()
}

/// `a & b`. The items keep the cells of `a`, or those of `b` when `a` only names its values.
pub(super) fn intersection(a: &Denotation, b: &Denotation, graph: &Graph) -> Result<Denotation, Undefined> {
    use Denotation::{Passing, Rows, Values};
    match (a, b) {
        (Rows(a), Rows(b)) => Ok(Rows(a.and(b))),
        (Values(a), Values(b)) => {
            let (kept, wanted) = if has_cells(a) || !has_cells(b) { (a, b) } else { (b, a) };
            Ok(Values(among(kept, wanted)))
        }
        (Values(items), Passing(test)) | (Passing(test), Values(items)) => {
            Ok(Values(items.iter().filter(|item| test.passes(graph, item.value)).copied().collect()))
        }
        (Passing(a), Passing(b)) => Ok(Passing(Test::All(vec![a.clone(), b.clone()]))),
        _ => Err(Undefined::Type),
    }
}

fn has_cells(items: &[Item]) -> bool {
    items.iter().all(|item| item.cell.is_some())
}

fn among(items: &[Item], wanted: &[Item]) -> Items {
    if wanted.len() <= FEW {
        let is_wanted = |item: &&Item| wanted.iter().any(|other| other.value == item.value);
        return items.iter().filter(is_wanted).copied().collect();
    }
    let wanted: FxHashSet<Value> = wanted.iter().map(|item| item.value).collect();
    items.iter().filter(|item| wanted.contains(&item.value)).copied().collect()
}

/// `a | b | ..`. What was read from one cell counts once; a computed value counts each time it was computed.
pub(super) fn union(parts: &[&Denotation]) -> Result<Denotation, Undefined> {
    let is_rows = |part: &&Denotation| matches!(part, Denotation::Rows(_));
    if parts.iter().any(is_rows) {
        let rows = parts.iter().map(|part| part.rows()).collect::<Result<Vec<&RowSet>, Undefined>>()?;
        return Ok(Denotation::Rows(RowSet::union(rows[0].len(), rows.iter().copied())));
    }
    let lists = parts.iter().map(|part| match part {
        Denotation::Values(items) => Some(items.as_slice()),
        _ => None,
    });
    match lists.collect::<Option<Vec<&[Item]>>>() {
        Some(lists) => Ok(Denotation::Values(joined(&lists))),
        None => {
            let tests = parts.iter().map(|part| part.test()).collect::<Result<Vec<Test>, Undefined>>()?;
            Ok(Denotation::Passing(Test::Any(tests)))
        }
    }
}

fn joined(lists: &[&[Item]]) -> Items {
    let total = lists.iter().map(|list| list.len()).sum();
    let mut all = Items::with_capacity(total);
    let mut seen = FxHashSet::default();
    for item in lists.iter().copied().flatten() {
        let is_new = match item.cell {
            None => true,
            Some(_) if total <= FEW => !all.contains(item),
            Some(cell) => seen.insert((item.value, cell)),
        };
        if is_new {
            all.push(*item);
        }
    }
    all
}
