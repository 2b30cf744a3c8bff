//! Aggregates and arithmetic, which make one value from a list or from two values. [`Best`] finds the extreme values of
//! an order, for aggregates and superlatives alike.

use super::filter::holds;
use super::{Denotation, Item, Undefined};
use crate::formula::{Aggregate, Arithmetic, Compare, Superlative, Test};
use crate::value::{Date, Value};
use std::cmp::Ordering;

/// Computes an aggregate. Only a count takes rows, and only a count of an empty list has a value.
pub(super) fn aggregate(op: Aggregate, list: &Denotation) -> Result<Value, Undefined> {
    if op == Aggregate::Count && !matches!(list, Denotation::Groups(_)) {
        return list.count().map(|n| Value::Number(n as f64)).ok_or(Undefined::Infinite);
    }
    match list {
        Denotation::Values(items) if items.is_empty() => Err(Undefined::Empty),
        Denotation::Values(items) => aggregate_values(op, items),
        Denotation::Rows(_) | Denotation::Groups(_) => Err(Undefined::Type),
        Denotation::Passing(_) => Err(Undefined::Infinite),
    }
}

fn aggregate_values(op: Aggregate, items: &[Item]) -> Result<Value, Undefined> {
    let sum = || items.iter().try_fold(0.0, |sum, item| Ok(sum + number(item.value)?));
    match op {
        Aggregate::Count => Value::number(items.len() as f64).ok_or(Undefined::NotANumber),
        Aggregate::Max => extreme(Superlative::Argmax, items),
        Aggregate::Min => extreme(Superlative::Argmin, items),
        Aggregate::Sum => Value::number(sum()?).ok_or(Undefined::NotANumber),
        Aggregate::Avg => Value::number(sum()? / items.len() as f64).ok_or(Undefined::NotANumber),
        Aggregate::Median => median(items),
    }
}

/// Number in the middle of a list, or the mean of the two in the middle.
fn median(items: &[Item]) -> Result<Value, Undefined> {
    let mut numbers = items.iter().map(|item| number(item.value)).collect::<Result<Vec<f64>, Undefined>>()?;
    let middle = numbers.len() / 2;
    let (below, upper, _) = numbers.select_nth_unstable_by(middle, f64::total_cmp);
    let upper = *upper;
    let lower = match items.len() % 2 {
        0 => below.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        _ => upper,
    };
    // Halved first, so that the sum of two huge numbers is none.
    Value::number(if lower == upper { upper } else { lower / 2.0 + upper / 2.0 }).ok_or(Undefined::NotANumber)
}

/// Largest or smallest value.
fn extreme(op: Superlative, items: &[Item]) -> Result<Value, Undefined> {
    let mut best = Best::new(op);
    items.iter().try_for_each(|item| best.offer((), item.value))?;
    best.value.ok_or(Undefined::Empty)
}

fn number(value: Value) -> Result<f64, Undefined> {
    match value {
        Value::Number(n) => Ok(n),
        _ => Err(Undefined::Type),
    }
}

/// Computes an operation on two numbers or dates. The difference of two dates is in years.
pub(super) fn arithmetic(op: Arithmetic, a: Value, b: Value) -> Result<Value, Undefined> {
    if let (Value::Date(later), Value::Date(earlier)) = (a, b) {
        return between(op, later, earlier);
    }
    let (a, b) = (number(a)?, number(b)?);
    let result = match op {
        Arithmetic::Add => a + b,
        Arithmetic::Sub => a - b,
        Arithmetic::Mul => a * b,
        Arithmetic::Div => a / b,
        Arithmetic::Share => 100.0 * (a / b),
        Arithmetic::Days | Arithmetic::Months => return Err(Undefined::Type),
    };
    Value::number(result).ok_or(Undefined::NotANumber)
}

/// Time between two dates.
fn between(op: Arithmetic, later: Date, earlier: Date) -> Result<Value, Undefined> {
    let number = match op {
        Arithmetic::Sub => return years_between(later, earlier),
        Arithmetic::Days => later.days_since(earlier),
        Arithmetic::Months => later.months_since(earlier),
        Arithmetic::Add | Arithmetic::Mul | Arithmetic::Div | Arithmetic::Share => return Err(Undefined::Type),
    };
    number.map(|n| Value::Number(f64::from(n))).ok_or(Undefined::Unordered)
}

/// Compares two single values. Dates compare as in conditions: May is not after any day of May.
pub(super) fn test(op: Test, a: Value, b: Value) -> Result<bool, Undefined> {
    let op = match op {
        Test::Greater => Compare::Greater,
        Test::Less => Compare::Less,
        Test::AtLeast => Compare::AtLeast,
        Test::AtMost => Compare::AtMost,
        Test::Equal | Test::Within => return Ok(!holds(Compare::NotEqual, a, b) && same_kind(a, b)),
    };
    ordered(a, b)?;
    Ok(holds(op, a, b))
}

fn same_kind(a: Value, b: Value) -> bool {
    std::mem::discriminant(&a) == std::mem::discriminant(&b)
}

/// Reads a number of things to pick.
pub(super) fn count_of(value: Value) -> Result<usize, Undefined> {
    match value {
        Value::Number(n) if n >= 1.0 && n.fract() == 0.0 => Ok(n as usize),
        Value::Number(_) => Err(Undefined::NotACount),
        _ => Err(Undefined::Type),
    }
}

/// Sorts things by a value that each has, best first; equals stay in their order. An error if two have no order.
pub(super) fn rank<T>(op: Superlative, things: &mut [(T, Value)]) -> Result<(), Undefined> {
    if let Some(&(_, first)) = things.first() {
        // Whatever can be compared with one of them can be compared with all.
        things.iter().try_for_each(|(_, value)| ordered(*value, first).map(|_| ()))?;
    }
    let order = |a: Value, b: Value| ordered(a, b).unwrap_or(Ordering::Equal);
    match op {
        Superlative::Argmax => things.sort_by(|a, b| order(b.1, a.1)),
        Superlative::Argmin => things.sort_by(|a, b| order(a.1, b.1)),
    }
    Ok(())
}

/// Years between two dates. A month counts as a twelfth of a year and a day as a 31st of a month, so that anniversaries
/// are whole numbers. Months and days count only if both dates have them.
fn years_between(later: Date, earlier: Date) -> Result<Value, Undefined> {
    let known = later.known() & earlier.known();
    let both = later.only(known).zip(earlier.only(known)).filter(|(date, _)| date.year().is_some());
    let (later, earlier) = both.ok_or(Undefined::Unordered)?;
    let days = later.earliest() - earlier.earliest();
    // `earliest` counts twelve months of 31 days, 372 days a year.
    Ok(Value::Number(f64::from(days) / 372.0))
}

/// Largest or smallest value offered so far.
pub(super) struct Best<T> {
    op: Superlative,
    value: Option<Value>,
    /// Things that were offered with the best value, in the order of the offers.
    pub(super) holders: Vec<T>,
}

impl<T> Best<T> {
    pub(super) fn new(op: Superlative) -> Best<T> {
        Best { op, value: None, holders: Vec::new() }
    }

    /// Compares one more value with the best; an error if they have no order.
    pub(super) fn offer(&mut self, holder: T, value: Value) -> Result<(), Undefined> {
        let order = match (self.value, self.op) {
            // Compared with itself, so that a first value without an order is an error too.
            (None, _) => ordered(value, value).map(|_| Ordering::Greater)?,
            (Some(best), Superlative::Argmax) => ordered(value, best)?,
            (Some(best), Superlative::Argmin) => ordered(best, value)?,
        };
        match order {
            Ordering::Greater => {
                self.value = Some(value);
                self.holders.clear();
                self.holders.push(holder);
            }
            Ordering::Equal => self.holders.push(holder),
            Ordering::Less => {}
        }
        Ok(())
    }
}

/// Compares two numbers, or two dates by their earliest day. A date with a year and one without have no order.
fn ordered(a: Value, b: Value) -> Result<Ordering, Undefined> {
    match (a, b) {
        (Value::Number(_), Value::Number(_)) => Ok(a.cmp(&b)),
        (Value::Date(x), Value::Date(y)) if x.begins_with() == y.begins_with() => Ok(x.earliest().cmp(&y.earliest())),
        (Value::Entity(_) | Value::Truth(_), _) | (_, Value::Entity(_) | Value::Truth(_)) => Err(Undefined::Type),
        _ => Err(Undefined::Unordered),
    }
}
