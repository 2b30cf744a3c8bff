//! Filters: the denotation of comparisons, such as `>.5`, and of readings, such as `Number.5`. Infinitely many values
//! may pass a [`Filter`], so it is kept as a tree of conditions and applied to one value at a time.

use super::{Item, distinct};
use crate::formula::{Compare, TextTest};
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
    /// The first passes the value and the second does not.
    Except(Box<Filter>, Box<Filter>),
    /// The value is an entity whose text passes.
    Text(TextFilter),
}

impl Filter {
    /// Makes the filter that passes the values of a list.
    pub(super) fn one_of(items: &[Item]) -> Filter {
        Filter::OneOf(Wanted::new(distinct(items).into_vec()))
    }

    /// Bytes of memory that the filter takes, at most.
    pub(super) fn memory(&self) -> usize {
        let inside = match self {
            Filter::Compare(..) => 0,
            Filter::OneOf(wanted) => wanted.values.len() * 4 * size_of::<Value>(),
            Filter::Read(_, filter) => filter.memory(),
            Filter::All(filters) | Filter::Any(filters) => filters.iter().map(Filter::memory).sum(),
            Filter::Except(of, other) => of.memory() + other.memory(),
            Filter::Text(_) => size_of::<TextFilter>(),
        };
        inside + size_of::<Filter>()
    }

    /// Tells if a value passes. A text that stands for a missing value never does.
    pub fn passes(&self, graph: &Graph, value: Value) -> bool {
        let is_missing = matches!(value, Value::Entity(entity) if graph.is_missing(entity));
        !is_missing && self.holds(graph, value)
    }

    fn holds(&self, graph: &Graph, value: Value) -> bool {
        match self {
            Filter::Compare(op, bound) => holds(*op, value, *bound),
            Filter::OneOf(wanted) => wanted.contains(value),
            Filter::Read(reading, filter) => filter.passes_read(graph, *reading, value),
            Filter::All(filters) => filters.iter().all(|filter| filter.passes(graph, value)),
            Filter::Any(filters) => filters.iter().any(|filter| filter.passes(graph, value)),
            Filter::Except(of, other) => of.passes(graph, value) && !other.passes(graph, value),
            Filter::Text(text) => matches!(value, Value::Entity(entity) if text.passes(graph.name(entity))),
        }
    }

    /// Reading and value of a filter that passes the texts with one number, or with one part.
    pub(super) fn one_reading(&self) -> Option<(Reading, Value)> {
        let Filter::Read(reading, of) = self else { return None };
        let Filter::OneOf(wanted) = &**of else { return None };
        match (reading, wanted.values.as_slice()) {
            // A date is also found by dates that leave parts of it open, so it has no single place in an index.
            (Reading::Date | Reading::Date2, _) => None,
            (_, [value]) => Some((*reading, *value)),
            _ => None,
        }
    }

    /// Value of the comparison, or of the first of several; it tells the kind of the values that pass.
    pub fn bound(&self) -> Option<Value> {
        match self {
            Filter::Compare(_, bound) => Some(*bound),
            Filter::All(filters) => filters.first().and_then(Filter::bound),
            Filter::Except(of, _) => of.bound(),
            Filter::OneOf(_) | Filter::Read(..) | Filter::Any(_) | Filter::Text(_) => None,
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
            Filter::Read(..) | Filter::Text(_) => true,
            Filter::Except(of, _) => of.is_about_entities(),
            Filter::All(filters) | Filter::Any(filters) => filters.iter().any(Filter::is_about_entities),
        }
    }
}

/// Test of a text, without regard to letter case and to the amount of white space.
#[derive(Clone, Debug, PartialEq)]
pub struct TextFilter {
    test: TextTest,
    text: String,
}

impl TextFilter {
    pub(crate) fn new(test: TextTest, text: &str) -> TextFilter {
        TextFilter { test, text: folded(test, text) }
    }

    pub(crate) fn passes(&self, name: &str) -> bool {
        let name = folded(self.test, name);
        match self.test {
            // Both begin and end with a space, so only whole words are found.
            TextTest::Contains => self.text.len() > 1 && name.contains(&self.text),
            TextTest::Starts => name.starts_with(&self.text),
            TextTest::Ends => name.ends_with(&self.text),
        }
    }
}

/// Lower case and single spaces; for a search of words also a space for every other sign, and one at either end.
fn folded(test: TextTest, text: &str) -> String {
    let words = test == TextTest::Contains;
    let is_gap = |c: char| if words { !c.is_alphanumeric() } else { c.is_whitespace() };
    let mut folded = String::with_capacity(text.len() + 2);
    if words {
        folded.push(' ');
    }
    for word in text.split(is_gap).filter(|word| !word.is_empty()) {
        if !folded.is_empty() && !folded.ends_with(' ') {
            folded.push(' ');
        }
        folded.extend(word.chars().flat_map(char::to_lowercase));
    }
    if words && folded.len() > 1 {
        folded.push(' ');
    }
    folded
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
pub(super) fn holds(op: Compare, value: Value, bound: Value) -> bool {
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
        (Value::Truth(a), Value::Truth(b)) => op == Compare::NotEqual && a != b,
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
