//! Denotations of formulas, and the set operations on them. A [`Denotation`] is a set of rows, a list of values with
//! the cells they were read from, a filter, or a table of groups.

use super::{Filter, RowSet};
use crate::graph::{Cell, Graph};
use crate::value::Value;
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

/// Value of a list, with its source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    /// The value.
    pub value: Value,
    /// Cell that it was read from; `None` if it was computed or named by the formula.
    pub cell: Option<Cell>,
}

/// List of values with their cells. Most lists have one item, which is stored without an allocation.
pub type Items = SmallVec<[Item; 1]>;

/// List of values without cells.
pub type Values = SmallVec<[Value; 2]>;

impl Item {
    /// Item for a value that was computed, or that the formula names.
    pub fn bare(value: Value) -> Item {
        Item { value, cell: None }
    }
}

/// Meaning of a unary formula in a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Denotation {
    /// A set of rows.
    Rows(RowSet),
    /// A list with repeats: one item for each row that it was read from.
    Values(Items),
    /// Every value that passes a filter, such as "more than 5".
    Passing(Filter),
    /// A table of different values with their partners. Nothing can be made of it.
    Groups(Vec<Group>),
}

/// Line of a table of groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Value that the line is about, with the first cell that it was read from.
    pub key: Item,
    /// Partners of the value; mostly one.
    pub values: Items,
}

/// Reason why a formula has no meaning in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Undefined {
    /// An operation on values of the wrong kind.
    #[error("its parts are of the wrong kinds")]
    Type,
    /// An aggregate of an empty list.
    #[error("it takes a maximum, a sum or another value of an empty list")]
    Empty,
    /// An order of values that cannot be compared.
    #[error("it orders numbers and dates together, or dates with a year and dates without")]
    Unordered,
    /// A list of none or several values where a single one is needed.
    #[error("it needs one value where there are none or several")]
    NotSingle,
    /// A result that is no finite number.
    #[error("it divides by zero, or the result is too large for a number")]
    NotANumber,
    /// A number of things to pick that is not 1, 2, 3, ...
    #[error("it picks a number of things that is no whole number from 1 on")]
    NotACount,
    /// A filter where a list is needed.
    #[error("it is a set that can only be described, such as all numbers above 5")]
    Infinite,
    /// More work than [`Executor::STEPS`](super::Executor::STEPS), or a formula that is too deep.
    #[error("it takes more steps than the limit allows")]
    TooLong,
    /// More memory than the graph has room for.
    #[error("it takes more memory than the limit allows")]
    TooLarge,
}

impl Denotation {
    /// List of one computed value.
    pub(super) fn single(value: Value) -> Denotation {
        Denotation::Values(smallvec![Item::bare(value)])
    }

    /// Tells if there are no rows or values. A filter never counts as empty.
    pub fn is_empty(&self) -> bool {
        match self {
            Denotation::Rows(rows) => rows.is_empty(),
            Denotation::Values(items) => items.is_empty(),
            Denotation::Passing(_) => false,
            Denotation::Groups(groups) => groups.is_empty(),
        }
    }

    /// Tells if this can be an answer: it has values, or lines of groups.
    pub fn is_answer(&self) -> bool {
        matches!(self, Denotation::Values(_) | Denotation::Groups(_)) && !self.is_empty()
    }

    /// Number of rows, of different values or of groups; `None` for a filter.
    pub fn count(&self) -> Option<usize> {
        match self {
            Denotation::Rows(rows) => Some(rows.count()),
            Denotation::Values(items) => Some(count_distinct(items)),
            Denotation::Passing(_) => None,
            Denotation::Groups(groups) => Some(groups.len()),
        }
    }

    /// Prints the rows, values or groups for people, each different value once. Rows are numbered from 0, as `Index`
    /// does. A filter gives an empty list.
    pub fn show(&self, graph: &Graph) -> Vec<String> {
        let show =
            |items: &[Item]| -> Vec<String> { distinct(items).into_iter().map(|value| graph.show(value)).collect() };
        match self {
            Denotation::Rows(rows) => match rows.ranking() {
                Some(ranking) => ranking.iter().map(|row| format!("row {row}")).collect(),
                None => rows.iter().map(|row| format!("row {row}")).collect(),
            },
            Denotation::Values(items) => show(items),
            Denotation::Groups(groups) => {
                let line =
                    |group: &Group| format!("{}: {}", graph.show(group.key.value), show(&group.values).join(", "));
                groups.iter().map(line).collect()
            }
            Denotation::Passing(_) => Vec::new(),
        }
    }

    /// Bytes of memory that it takes.
    pub(super) fn memory(&self) -> usize {
        match self {
            Denotation::Rows(rows) => rows.memory(),
            Denotation::Values(items) => items.len() * size_of::<Item>(),
            Denotation::Passing(filter) => filter.memory(),
            Denotation::Groups(groups) => {
                groups.iter().map(|group| size_of::<Group>() + group.values.len() * size_of::<Item>()).sum()
            }
        }
    }

    /// Number of steps that a pass over it counts as.
    pub(super) fn weight(&self) -> usize {
        match self {
            Denotation::Rows(rows) => rows.weight(),
            Denotation::Values(items) => items.len(),
            Denotation::Passing(_) => 1,
            Denotation::Groups(groups) => groups.len(),
        }
    }

    /// The set of rows; an error for values.
    pub(super) fn rows(&self) -> Result<&RowSet, Undefined> {
        match self {
            Denotation::Rows(rows) => Ok(rows),
            _ => Err(Undefined::Type),
        }
    }

    /// The single value of a list; repeats of it are allowed.
    pub(super) fn the_value(&self) -> Result<Value, Undefined> {
        match self {
            Denotation::Values(items) => match items.split_first() {
                Some((first, rest)) if rest.iter().all(|item| item.value == first.value) => Ok(first.value),
                _ => Err(Undefined::NotSingle),
            },
            Denotation::Rows(_) | Denotation::Groups(_) => Err(Undefined::Type),
            Denotation::Passing(_) => Err(Undefined::Infinite),
        }
    }

    /// Filter that passes these values.
    pub(super) fn filter(&self) -> Result<Filter, Undefined> {
        match self {
            Denotation::Rows(_) | Denotation::Groups(_) => Err(Undefined::Type),
            Denotation::Values(items) => Ok(Filter::one_of(items)),
            Denotation::Passing(filter) => Ok(filter.clone()),
        }
    }
}

/// Length of a list up to which comparing all pairs is faster than a hash set.
const FEW: usize = 16;

/// Different values of a list, in the order of their first occurrence.
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
    let mut seen = FxHashSet::with_capacity_and_hasher(items.len(), Default::default());
    items.iter().map(|item| item.value).filter(|value| seen.insert(*value)).collect()
}

/// Tells if a list has more different values than that. Most lists that do show it by their first items.
pub fn has_more_values(items: &[Item], most: usize) -> bool {
    let mut seen = FxHashSet::default();
    items.len() > most && items.iter().any(|item| seen.insert(item.value) && seen.len() > most)
}

/// Number of different values of a list.
fn count_distinct(items: &[Item]) -> usize {
    if items.len() <= FEW {
        return (0..items.len()).filter(|at| items[..*at].iter().all(|item| item.value != items[*at].value)).count();
    }
    items.iter().map(|item| item.value).collect::<FxHashSet<Value>>().len()
}

/// `a & b`. The items keep the cells of `a`, or those of `b` if only `b` has a cell for every value.
pub(super) fn intersection(a: &Denotation, b: &Denotation, graph: &Graph) -> Result<Denotation, Undefined> {
    use Denotation::{Passing, Rows, Values};
    match (a, b) {
        (Rows(a), Rows(b)) => Ok(Rows(a.and(b))),
        (Values(a), Values(b)) => {
            let (kept, wanted) = if has_cells(a) || !has_cells(b) { (a, b) } else { (b, a) };
            Ok(Values(among(kept, wanted)))
        }
        (Values(items), Passing(filter)) | (Passing(filter), Values(items)) => {
            Ok(Values(items.iter().filter(|item| filter.passes(graph, item.value)).copied().collect()))
        }
        (Passing(a), Passing(b)) => Ok(Passing(Filter::All(vec![a.clone(), b.clone()]))),
        _ => Err(Undefined::Type),
    }
}

fn has_cells(items: &[Item]) -> bool {
    items.iter().all(|item| item.cell.is_some())
}

/// `except(a, b)`. The items keep their cells.
pub(super) fn difference(a: &Denotation, b: &Denotation, graph: &Graph) -> Result<Denotation, Undefined> {
    use Denotation::{Passing, Rows, Values};
    match (a, b) {
        (Rows(a), Rows(b)) => Ok(Rows(a.without(b))),
        (Values(a), Values(b)) => {
            let unwanted: FxHashSet<Value> = b.iter().map(|item| item.value).collect();
            Ok(Values(a.iter().filter(|item| !unwanted.contains(&item.value)).copied().collect()))
        }
        (Values(items), Passing(filter)) => {
            Ok(Values(items.iter().filter(|item| !filter.passes(graph, item.value)).copied().collect()))
        }
        (Passing(a), Passing(_) | Values(_)) => Ok(Passing(Filter::Except(Box::new(a.clone()), Box::new(b.filter()?)))),
        _ => Err(Undefined::Type),
    }
}

/// Items whose value is also in `wanted`.
fn among(items: &[Item], wanted: &[Item]) -> Items {
    if wanted.len() <= FEW {
        let is_wanted = |item: &&Item| wanted.iter().any(|other| other.value == item.value);
        return items.iter().filter(is_wanted).copied().collect();
    }
    let wanted: FxHashSet<Value> = wanted.iter().map(|item| item.value).collect();
    items.iter().filter(|item| wanted.contains(&item.value)).copied().collect()
}

/// `a | b | ..`. A value read from the same cell twice is listed once; a computed value is listed each time.
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
            let filters = parts.iter().map(|part| part.filter()).collect::<Result<Vec<Filter>, Undefined>>()?;
            Ok(Denotation::Passing(Filter::Any(filters)))
        }
    }
}

/// Concatenates lists without repeating items of the same cell.
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
