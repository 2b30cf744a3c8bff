//! Values in a question: numbers ("42", "twenty three", "third", "25 %", "$5 million", "3:45") and dates ("may 2010",
//! "june 12", "2008", "the 1990s"), each with the tokens that express it. Spans are the longest that have a meaning. In
//! addition, a single token that is a number always gives a number, so a year gives both a date and a number.

use super::dates::{TokenDates, read_dates, whole_date};
use super::durations::read_duration;
use super::lexemes::Lexeme;
use super::number_words::NumberWords;
use super::numerals::measured_number;
use super::{Tag, Token};
use crate::value::{Date, Value};
use crate::words::Words;
use std::ops::Range;

/// A value and the tokens of the question that express it.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueSpan {
    /// Positions of the tokens; never empty.
    pub tokens: Range<usize>,
    /// A number or a date.
    pub value: Value,
}

/// Returns the values of a question, from left to right, longer spans first. A decade or a season gives both of its
/// ends.
pub fn find_values(tokens: &[Token], words: &Words) -> Vec<ValueSpan> {
    let mut found = Vec::new();
    numbers(tokens, words, &mut found);
    dates(tokens, words, &mut found);
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| may_be_value(token)) {
        single_token(at, token, words, &mut found);
    }
    found.sort_by_key(|span| (span.tokens.start, usize::MAX - span.tokens.end, span.value));
    found.dedup();
    found
}

/// True if a token has a digit.
fn may_be_value(token: &Token) -> bool {
    token.text.bytes().any(|b| b.is_ascii_digit())
}

/// Finds the longest runs of tokens that name one number.
fn numbers(tokens: &[Token], words: &Words, found: &mut Vec<ValueSpan>) {
    let mut at = 0;
    while at < tokens.len() {
        match number_run(tokens, at, words) {
            Some((value, end)) => {
                push(found, at..end, Value::number(value));
                at = end;
            }
            None => at += 1,
        }
    }
}

/// A number at a token, with the currency sign before it and the magnitude or percent sign after it.
fn number_run(tokens: &[Token], start: usize, words: &Words) -> Option<(f64, usize)> {
    let money = matches!(tokens[start].tag, Tag::Dollar | Tag::Hash) || is_currency(&tokens[start].text, words);
    let first = if money { start + 1 } else { start };
    let (mut value, mut end) = word_run(tokens, first, words).or_else(|| digits_run(tokens, first, words))?;
    let after = |at: usize| tokens.get(at).map(|token| token.text.as_str());
    // Only digits take a magnitude here; number words ("two million") have taken theirs in `word_run`.
    if let Some(meaning) = after(end).and_then(|text| words.meaning(text)).filter(|_| may_be_value(&tokens[first])) {
        let magnitude = meaning.magnitude.or(if money { meaning.money_magnitude } else { None });
        value *= magnitude.unwrap_or(1.0);
        end += usize::from(magnitude.is_some());
    }
    if matches!(after(end), Some("%" | "percent")) {
        end += 1;
    }
    Some((value, end))
}

/// True for a currency sign, perhaps with letters before it: "US$".
fn is_currency(text: &str, words: &Words) -> bool {
    text.ends_with(|c| words.is_currency_sign(c)) && text.chars().count() <= 3
}

/// Number in words: "twenty three", "two hundred and five", "third", "thousand".
fn word_run(tokens: &[Token], start: usize, words: &Words) -> Option<(f64, usize)> {
    let mut sum = NumberWords::default();
    let mut best = None;
    let mut at = start;
    // Keeps the last complete number: of "two hundred and the", "and" is taken, but the number ends before it.
    while at < tokens.len() && sum.take(&tokens[at].text, words) {
        at += 1;
        best = sum.value().map(|value| (value, at)).or(best);
    }
    best.or_else(|| Some((words.magnitude(&tokens.get(start)?.text)?, start + 1)))
}

/// Number in digits, perhaps with a unit: "1,500", "3000m".
fn digits_run(tokens: &[Token], at: usize, words: &Words) -> Option<(f64, usize)> {
    let token = tokens.get(at).filter(|token| may_be_value(token))?;
    measured_number(&token.text, words).map(|value| (value, at + 1))
}

/// Finds the dates that are written with a month, over one or more tokens.
fn dates(tokens: &[Token], words: &Words, found: &mut Vec<ValueSpan>) {
    let known = TokenDates::new(tokens.iter().map(|token| token.text.as_str()), words);
    let mut at = 0;
    while at < tokens.len() {
        let date = known.date_at(at).filter(|(date, end)| is_date(tokens, at..*end, date, &known));
        match date {
            Some((date, end)) => {
                push(found, at..end, Some(Value::Date(date)));
                at = end;
            }
            None => at += 1,
        }
    }
}

/// True if tokens that could be a date are meant as one: a month alone may be a verb ("may", "march"), but not after a
/// preposition.
fn is_date(tokens: &[Token], span: Range<usize>, date: &Date, known: &TokenDates) -> bool {
    let verb = matches!(tokens[span.start].tag, Tag::Aux | Tag::Md | Tag::Vb | Tag::Vbp | Tag::Vbd);
    let placed = span.start > 0 && tokens[span.start - 1].tag == Tag::In;
    let month = matches!(known.lexeme(span.start), Lexeme::Month(_));
    date.month().is_some() && !(span.len() == 1 && month && verb && !placed)
}

/// Adds the values of a single token with digits, without its neighbours.
fn single_token(at: usize, token: &Token, words: &Words, found: &mut Vec<ValueSpan>) {
    let number = measured_number(&token.text, words).or_else(|| clock(&token.text, words));
    push(found, at..at + 1, number.and_then(Value::number));
    let date = whole_date(&token.text, words);
    push(found, at..at + 1, date.map(Value::Date));
    if let Some((start, end)) = season(&token.text, words).filter(|_| date.is_none() && number.is_none()) {
        push(found, at..at + 1, start.year().map(|year| Value::Number(f64::from(year))));
        push(found, at..at + 1, Some(Value::Date(start)));
        push(found, at..at + 1, Some(Value::Date(end)));
    }
    if let Some(start) = decade(&token.text) {
        for year in [start, start + 9] {
            push(found, at..at + 1, Some(Value::Number(f64::from(year))));
            push(found, at..at + 1, Date::new(Some(year), None, None).map(Value::Date));
        }
    }
}

/// Seconds of `3:45`, which compare with the durations of cells.
fn clock(text: &str, words: &Words) -> Option<f64> {
    if text.contains(':') { read_duration(text, words) } else { None }
}

/// Returns both years of "1997/98" or "1990-1995".
pub(super) fn season(text: &str, words: &Words) -> Option<(Date, Date)> {
    let (start, end) = read_dates(text, words)?;
    Some((start, end?))
}

/// Returns the first year of "1990s" or "1990's".
pub(super) fn decade(text: &str) -> Option<i32> {
    let digits = text.strip_suffix('s')?.trim_end_matches('\'');
    let year: i32 = if digits.len() == 4 { digits.parse().ok()? } else { return None };
    (year % 10 == 0 && (1000..2100).contains(&year)).then_some(year)
}

fn push(found: &mut Vec<ValueSpan>, tokens: Range<usize>, value: Option<Value>) {
    found.extend(value.map(|value| ValueSpan { tokens, value }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Annotator;
    use crate::value::show_number;

    fn values(question: &str) -> String {
        let tokens = Annotator::embedded().annotate(question);
        let spans = find_values(&tokens, &Words::embedded());
        let shown = spans.into_iter().map(|span| {
            let text = &question[tokens[span.tokens.start].start..tokens[span.tokens.end - 1].end];
            match span.value {
                Value::Number(n) => format!("{text}={}", show_number(n)),
                Value::Date(d) => format!("{text}={d}"),
                Value::Entity(_) | Value::Truth(_) => unreachable!("a question's values are numbers and dates"),
            }
        });
        shown.collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn numbers_in_questions() {
        assert_eq!(values("how many had at least twenty three goals?"), "twenty three=23");
        assert_eq!(values("who came third with 1,500 points?"), "third=3; 1,500=1500");
        assert_eq!(values("which cost more than $8 billion?"), "$8 billion=8000000000; 8=8");
        assert_eq!(values("who got over 25 %?"), "25 %=25; 25=25");
        assert_eq!(values("who ran under 3:45?"), "3:45=225");
        assert_eq!(values("which team won?"), "");
    }

    #[test]
    fn dates_in_questions() {
        assert_eq!(values("who won in 2008?"), "2008=2008; 2008=2008-XX-XX");
        assert_eq!(
            values("what opened on june 12, 2010?"),
            "june 12, 2010=2010-06-12; 12=12; 2010=2010; 2010=2010-XX-XX"
        );
        assert_eq!(values("what happened in may?"), "may=XXXX-05-XX");
        assert_eq!(values("what may happen?"), "");
        assert_eq!(values("between 1990 and 2000"), "1990=1990; 1990=1990-XX-XX; 2000=2000; 2000=2000-XX-XX");
        assert_eq!(values("in 1997/98"), "1997/98=1997; 1997/98=1997-XX-XX; 1997/98=1998-XX-XX");
        assert_eq!(values("in sept. of 2012"), "sept. of 2012=2012-09-XX; 2012=2012; 2012=2012-XX-XX");
        assert_eq!(values("in the 1990s"), "1990s=1990; 1990s=1999; 1990s=1990-XX-XX; 1990s=1999-XX-XX");
    }
}
