//! Steps in time: "the month after March 2005" is April 2005, and "the year before 2000" is 1999.

use super::{Link, LinkKind};
use crate::text::Token;
use crate::text::values::ValueSpan;
use crate::value::{Date, Value};

/// Units of time that a table may go by, one row each.
const STEPS: [&str; 7] = ["day", "week", "month", "quarter", "season", "year", "decade"];

/// Tells if the words before a token make it the start of a step: "the week after".
pub(super) fn is_step(tokens: &[Token], start: usize) -> bool {
    let word = |back: usize| start.checked_sub(back).map_or("", |at| tokens[at].lemma.as_str());
    let is_step = |back: usize| {
        direction(word(back)).is_some()
            && STEPS.contains(&word(back + 1))
            && matches!(word(back + 2), "the" | "immediately" | "right" | "just")
    };
    is_step(1) || matches!(word(1), "the" | "row" | "order" | "entry") && is_step(2)
}

/// True for a later date, false for an earlier one; `None` if the word is no direction.
fn direction(word: &str) -> Option<bool> {
    match word {
        "after" | "follow" | "following" => Some(true),
        "before" | "precede" | "preceding" => Some(false),
        _ => None,
    }
}

/// Links to the dates one step from those that are said, if the unit of the step is their last known part.
pub(super) fn step_links(tokens: &[Token], values: &[ValueSpan]) -> Vec<Link> {
    let lemma = |at: usize| tokens[at].lemma.as_str();
    let link = |span: &ValueSpan| {
        let Value::Date(date) = span.value else { return None };
        let before = span.tokens.start.checked_sub(1)?;
        let is_later = direction(lemma(before))?;
        let is_filler = before > 0 && matches!(lemma(before - 1), "right" | "just" | "immediately" | "directly");
        let unit = before.checked_sub(if is_filler { 2 } else { 1 })?;
        let is_unit = matches!((lemma(unit), date.known()), ("year", 4) | ("month", 6) | ("day", 7));
        let value = Value::Date(beside(date, is_later).filter(|_| is_unit)?);
        Some(Link { tokens: unit..span.tokens.end, value, others: Vec::new(), kind: LinkKind::Value })
    };
    values.iter().filter_map(link).collect()
}

/// The date one year, month or day later or earlier, by its last known part.
fn beside(date: Date, is_later: bool) -> Option<Date> {
    let step = if is_later { 1 } else { -1 };
    let (year, month, day) = (date.year()?, date.month(), date.day());
    let month_beside = |month: u8| match i32::from(month) + step {
        0 => (year - 1, 12),
        13 => (year + 1, 1),
        month => (year, month as u8),
    };
    match (month, day) {
        (None, _) => Date::new(Some(year + step), None, None),
        (Some(month), None) => {
            let (year, month) = month_beside(month);
            Date::new(Some(year), Some(month), None)
        }
        (Some(month), Some(day)) => {
            let same_month = u8::try_from(i32::from(day) + step).ok();
            let in_month = same_month.and_then(|day| Date::new(Some(year), Some(month), Some(day)));
            in_month.or_else(|| {
                let (year, month) = month_beside(month);
                let days: &[u8] = if is_later { &[1] } else { &[31, 30, 29, 28] };
                days.iter().find_map(|day| Date::new(Some(year), Some(month), Some(*day)))
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_beside_others() {
        let date = |year, month, day| Date::new(Some(year), month, day).unwrap();
        for (from, is_later, to) in [
            (date(1999, None, None), true, date(2000, None, None)),
            (date(2005, Some(12), None), true, date(2006, Some(1), None)),
            (date(2005, Some(1), None), false, date(2004, Some(12), None)),
            (date(2004, Some(2), Some(28)), true, date(2004, Some(2), Some(29))),
            (date(2005, Some(2), Some(28)), true, date(2005, Some(3), Some(1))),
            (date(2005, Some(3), Some(1)), false, date(2005, Some(2), Some(28))),
            (date(2005, Some(1), Some(1)), false, date(2004, Some(12), Some(31))),
        ] {
            assert_eq!(beside(from, is_later), Some(to));
        }
    }
}
