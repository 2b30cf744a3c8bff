//! Ranges in a question: "between 1990 and 1995", "from 5 to 10", "March through June", "1990-1995", "the 1990s", "the
//! nineties". Both ends are numbers or both are dates, and belong to the range. Years are given as both.

use super::Token;
use super::values::{ValueSpan, decade, season};
use crate::value::{Date, Value};
use crate::words::Words;
use std::cmp::Ordering;
use std::ops::Range;

/// A range of values, and the tokens of the question that express it.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeSpan {
    /// Positions of the tokens; never empty.
    pub tokens: Range<usize>,
    /// First value of the range.
    pub from: Value,
    /// Last value of the range.
    pub to: Value,
}

/// Finds the ranges of a question, given its values.
pub fn find_ranges(tokens: &[Token], values: &[ValueSpan], words: &Words) -> Vec<RangeSpan> {
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        years(tokens, at, words, &mut found);
    }
    for (at, first) in values.iter().enumerate() {
        let Some((start, end)) = joint(tokens, &first.tokens, words) else { continue };
        let second = values[at + 1..].iter().filter(|second| second.tokens.start == end);
        for (second, (from, to)) in second.filter_map(|second| Some((second, ordered(first.value, second.value)?))) {
            found.push(RangeSpan { tokens: start..second.tokens.end, from, to });
        }
    }
    longest(found)
}

/// Adds the years that one token names: "1990s", "90s", "nineties", "1990-1995".
fn years(tokens: &[Token], at: usize, words: &Words, found: &mut Vec<RangeSpan>) {
    let text = tokens[at].text.as_str();
    let decade = decade(text).or_else(|| short_decade(text)).or_else(|| words.decade(text));
    let ends = match decade {
        Some(start) => Some((start, start + 9)),
        None if text.bytes().any(|b| b.is_ascii_digit()) => {
            season(text, words).and_then(|(start, end)| Some((start.year()?, end.year()?)))
        }
        None => None,
    };
    let Some((start, end)) = ends else { return };
    let date = |year: i32| Date::new(Some(year), None, None).map(Value::Date);
    let number = |year: i32| Some(Value::Number(f64::from(year)));
    for (from, to) in [(number(start), number(end)), (date(start), date(end))] {
        found.extend(from.zip(to).map(|(from, to)| RangeSpan { tokens: at..at + 1, from, to }));
    }
}

/// Returns the first year of "90s" or "'90s": of the last century, but for the first three decades.
fn short_decade(text: &str) -> Option<i32> {
    let digits = text.trim_start_matches(['\'', '’', '‘']).strip_suffix('s')?.trim_end_matches(['\'', '’']);
    let tens: i32 = if digits.len() == 2 { digits.parse().ok()? } else { return None };
    (tens % 10 == 0).then_some(if tens < 30 { 2000 + tens } else { 1900 + tens })
}

/// Returns the start of a range whose first value is in these tokens, and the position of its second value: "between 5
/// and ..", "from 5 to ..", "5 - ..". Only "between" makes a range of "and".
fn joint(tokens: &[Token], first: &Range<usize>, words: &Words) -> Option<(usize, usize)> {
    let lower = |at: usize| tokens.get(at).map(|token| token.text.to_lowercase());
    let is_filler = |at: usize| words.is_stop(&tokens[at].text) || tokens[at].lemma == "year";
    let mut before = first.start;
    while before > 0 && is_filler(before - 1) {
        before -= 1;
    }
    let opener = before.checked_sub(1).and_then(lower).unwrap_or_default();
    let between = words.meaning(&opener).is_some_and(|m| m.between);
    let opened = between || words.meaning(&opener).is_some_and(|m| m.since);
    let joint = lower(first.end)?;
    let meaning = words.meaning(&joint);
    let joins = meaning.is_some_and(|m| m.range_word)
        || between && joint == "and"
        || joint.len() <= 3 && joint.chars().all(|c| words.is_dash(c));
    let mut next = first.end + 1;
    while next < tokens.len() && is_filler(next) {
        next += 1;
    }
    joins.then_some((if opened { before - 1 } else { first.start }, next))
}

/// Returns two values as the ends of a range: of one kind, in order, and with the year that both share.
fn ordered(first: Value, second: Value) -> Option<(Value, Value)> {
    match (first, second) {
        (Value::Number(a), Value::Number(b)) => (a.partial_cmp(&b)? == Ordering::Less).then_some((first, second)),
        (Value::Date(a), Value::Date(b)) => {
            let a = Date::new(a.year().or(b.year()), a.month(), a.day())?;
            let comparable = a.begins_with() == b.begins_with();
            (comparable && a.earliest() < b.earliest()).then_some((Value::Date(a), second))
        }
        _ => None,
    }
}

/// Drops the ranges of each kind whose tokens are a part of those of another.
fn longest(found: Vec<RangeSpan>) -> Vec<RangeSpan> {
    let is_date = |span: &RangeSpan| matches!(span.from, Value::Date(_));
    let holds = |outer: &RangeSpan, inner: &RangeSpan| {
        is_date(outer) == is_date(inner)
            && outer.tokens.len() > inner.tokens.len()
            && outer.tokens.start <= inner.tokens.start
            && inner.tokens.end <= outer.tokens.end
    };
    found.iter().filter(|one| !found.iter().any(|other| holds(other, one))).cloned().collect()
}
