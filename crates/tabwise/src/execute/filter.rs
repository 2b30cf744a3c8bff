//! Filters: the denotation of comparisons, such as `>.5`, and of readings, such as `Number.5`. Infinitely many values
//! may pass a [`Filter`], so it is kept as a tree of conditions and applied to one value at a time.

use super::{Item, distinct};
use crate::formula::Compare;
use crate::graph::{Graph, Reading};
use crate::value::{Date, Value};

/// Condition on one value.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// The comparison with this value holds.
    Compare(Compare, Value),
    /// The value is one of these. A date with unknown parts includes every date that agrees with the known ones.
    OneOf(Wanted),
    /// The value is an entity with a reading that passes.
    Read(Reading, Box<Filter>),
    /// All of these pass the value.
    All(Vec<Filter>),
    /// At least one of these passes the value.
    Any(Vec<Filter>),
}

impl Filter {
    /// Makes the filter that passes the values of a list.
    pub(super) fn one_of(items: &[Item]) -> Filter {
        Filter::OneOf(Wanted::new(distinct(items).into_vec()))
    }

    /// Tells if a value passes.
    pub fn passes(&self, graph: &Graph, value: Value) -> bool {
        match self {
            Filter::Compare(op, bound) => holds(*op, value, *bound),
            Filter::OneOf(wanted) => wanted.contains(value),
            Filter::Read(reading, filter) => filter.passes_read(graph, *reading, value),
            Filter::All(filters) => filters.iter().all(|filter| filter.passes(graph, value)),
            Filter::Any(filters) => filters.iter().any(|filter| filter.passes(graph, value)),
        }
    }

    /// Value of the comparison, or of the first of several; it tells the kind of the values that pass.
    pub fn bound(&self) -> Option<Value> {
        match self {
            Filter::Compare(_, bound) => Some(*bound),
            Filter::All(filters) => filters.first().and_then(Filter::bound),
            _ => None,
        }
    }

    fn passes_read(&self, graph: &Graph, reading: Reading, value: Value) -> bool {
        let Value::Entity(entity) = value else { return false };
        match reading {
            // A text that is not a list counts as a list of one.
            Reading::Part if graph.parts(entity).is_empty() => self.passes(graph, value),
            Reading::Part => graph.parts(entity).iter().any(|part| self.passes(graph, Value::Entity(*part))),
            _ => graph.read(entity, reading).is_some_and(|value| self.passes(graph, value)),
        }
    }

    /// Tells if only entities can pass. Then the values that pass can be listed, since a table has finitely many.
    pub fn is_about_entities(&self) -> bool {
        match self {
            Filter::Compare(_, bound) => matches!(bound, Value::Entity(_)),
            Filter::OneOf(wanted) => wanted.values.iter().any(|value| matches!(value, Value::Entity(_))),
            Filter::Read(..) => true,
            Filter::All(filters) | Filter::Any(filters) => filters.iter().any(Filter::is_about_entities),
        }
    }
}

/// Set of values in which dates with unknown parts are found as well.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Values in ascending order, for binary search.
    values: Vec<Value>,
    /// Combinations of known parts that the dates among them have, each once.
    known: Vec<u8>,
}

impl Wanted {
    fn new(mut values: Vec<Value>) -> Wanted {
        values.sort_unstable();
        let mut known: Vec<u8> = Vec::new();
        for value in &values {
            if let Value::Date(date) = value
                && !known.contains(&date.known())
            {
                known.push(date.known());
            }
        }
        Wanted { values, known }
    }

    /// Tells if a value is in the set. A date is reduced to each combination of known parts and looked up, which takes
    /// a few searches instead of a comparison with every date.
    fn contains(&self, value: Value) -> bool {
        let has = |value: Value| self.values.binary_search(&value).is_ok();
        match value {
            Value::Date(date) => {
                self.known.iter().filter_map(|parts| date.only(*parts)).any(|date| has(Value::Date(date)))
            }
            _ => has(value),
        }
    }
}

/// Tells if `value op bound` holds. Values of different kinds never compare.
fn holds(op: Compare, value: Value, bound: Value) -> bool {
    match (value, bound) {
        (Value::Number(a), Value::Number(b)) => match op {
            Compare::Less => a < b,
            Compare::Greater => a > b,
            Compare::AtMost => a <= b,
            Compare::AtLeast => a >= b,
            Compare::NotEqual => a != b,
        },
        (Value::Date(a), Value::Date(b)) => date_holds(op, a, b),
        (Value::Entity(a), Value::Entity(b)) => op == Compare::NotEqual && a != b,
        _ => false,
    }
}

/// Compares two dates. Unknown parts of the bound count as the earliest for `<` and `>=` and as the latest for `>` and
/// `<=`, so "after May" excludes all of May. With a bound without a year, only month and day are compared. A date that
/// lacks the largest part of the bound never passes.
fn date_holds(op: Compare, date: Date, bound: Date) -> bool {
    let comparable = match bound.year() {
        Some(_) => date.year().map(|_| date),
        None => Date::new(None, date.month(), date.day()).filter(|d| d.month().is_some() == bound.month().is_some()),
    };
    match op {
        Compare::Less => comparable.is_some_and(|date| date.earliest() < bound.earliest()),
        Compare::AtLeast => comparable.is_some_and(|date| date.earliest() >= bound.earliest()),
        Compare::Greater => comparable.is_some_and(|date| date.latest() > bound.latest()),
        Compare::AtMost => comparable.is_some_and(|date| date.latest() <= bound.latest()),
        Compare::NotEqual => date.only(bound.known()) != Some(bound),
    }
}
