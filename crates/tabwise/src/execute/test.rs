//! Conditions on values: the meaning of comparisons and of readings used as filters. A condition is asked value by value
//! and never listed out.

use super::{Item, distinct};
use crate::formula::Compare;
use crate::graph::{Graph, Reading};
use crate::value::{Date, Value};

/// A condition on one value.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// It compares so with a value.
    Compare(Compare, Value),
    /// It is one of these; a date with unknown parts stands for every date that agrees with it.
    OneOf(Wanted),
    /// The entity reads as something that passes.
    Read(Reading, Box<Test>),
    All(Vec<Test>),
    Any(Vec<Test>),
}

impl Test {
    pub(super) fn one_of(items: &[Item]) -> Test {
        Test::OneOf(Wanted::new(distinct(items).into_vec()))
    }

    /// Whether a value of the table passes.
    pub fn passes(&self, graph: &Graph, value: Value) -> bool {
        match self {
            Test::Compare(op, bound) => holds(*op, value, *bound),
            Test::OneOf(wanted) => wanted.contains(value),
            Test::Read(reading, test) => test.passes_read(graph, *reading, value),
            Test::All(tests) => tests.iter().all(|test| test.passes(graph, value)),
            Test::Any(tests) => tests.iter().any(|test| test.passes(graph, value)),
        }
    }

    /// A value that this is a comparison with.
    pub fn bound(&self) -> Option<Value> {
        match self {
            Test::Compare(_, bound) => Some(*bound),
            Test::All(tests) => tests.first().and_then(Test::bound),
            _ => None,
        }
    }

    fn passes_read(&self, graph: &Graph, reading: Reading, value: Value) -> bool {
        let Value::Entity(entity) = value else { return false };
        match reading {
            // A text that is no list is its own only part.
            Reading::Part if graph.parts(entity).is_empty() => self.passes(graph, value),
            Reading::Part => graph.parts(entity).iter().any(|part| self.passes(graph, Value::Entity(*part))),
            _ => graph.read(entity, reading).is_some_and(|value| self.passes(graph, value)),
        }
    }

    /// Whether only entities can pass, of which a table has so many and no more.
    pub fn is_about_entities(&self) -> bool {
        match self {
            Test::Compare(_, bound) => matches!(bound, Value::Entity(_)),
            Test::OneOf(wanted) => wanted.values.iter().any(|value| matches!(value, Value::Entity(_))),
            Test::Read(..) => true,
            Test::All(tests) | Test::Any(tests) => tests.iter().any(Test::is_about_entities),
        }
    }
}

/// The values of a list, ready to be looked up.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Sorted.
    values: Vec<Value>,
    /// Which parts the dates among them know, each kind once.
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

/// Whether `value op bound`.
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

/// A date before or after another: unknown parts of the bound are the earliest for `<` and `>=`, the latest for `>` and
/// `<=`. A bound without a year compares month and day alone; a date without what the bound begins with never passes.
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
