//! Aggregates and arithmetic, which make one value from a list or from two values. [`Best`] finds the extreme values of
//! an order, for aggregates and superlatives alike.

use super::{Denotation, Item, Undefined};
use crate::formula::{Aggregate, Arithmetic, Superlative};
use crate::value::{Date, Value};
use std::cmp::Ordering;

/// Computes an aggregate. Only a count takes rows, and only a count of an empty list has a value.
pub(super) fn aggregate(op: Aggregate, list: &Denotation) -> Result<Value, Undefined> {
    if op == Aggregate::Count {
        return list.count().map(|n| Value::Number(n as f64)).ok_or(Undefined::Infinite);
    }
    match list {
        Denotation::Values(items) if items.is_empty() => Err(Undefined::Empty),
        Denotation::Values(items) => aggregate_values(op, items),
        Denotation::Rows(_) => Err(Undefined::Type),
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
    }
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

/// Computes an operation on two numbers. The difference of two dates is in years.
pub(super) fn arithmetic(op: Arithmetic, a: Value, b: Value) -> Result<Value, Undefined> {
    if let (Arithmetic::Sub, Value::Date(a), Value::Date(b)) = (op, a, b) {
        return years_between(a, b);
    }
    let (a, b) = (number(a)?, number(b)?);
    let result = match op {
        Arithmetic::Add => a + b,
        Arithmetic::Sub => a - b,
        Arithmetic::Mul => a * b,
        Arithmetic::Div => a / b,
    };
    Value::number(result).ok_or(Undefined::NotANumber)
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
        (Value::Entity(_), _) | (_, Value::Entity(_)) => Err(Undefined::Type),
        _ => Err(Undefined::Unordered),
    }
}
