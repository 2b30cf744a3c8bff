//! [`Readings`]: the possible meanings of a cell's text. A cell may have several at once ("12:42.3" is a number, two
//! numbers and a duration), and none is preferred here. [`read_cell`] has to be cheap, because it runs for every
//! distinct text of a table; a look at the bytes rules out most readings first.

use super::clock::read_time;
use super::convention::{Colons, Convention, DayMonth, Decimals, FourDigits, is_year, with_month_first, with_point};
use super::dashes::joins_years;
use super::dates::{is_season, later_year, read_dates};
use super::durations::read_duration;
use super::number_words::number_in_words;
use super::numerals::{Numeral, next_numeral};
use crate::value::Date;
use crate::words::Words;

/// Length in bytes beyond which a text is prose: it has numbers and parts, but is no date or duration.
const LONGEST_VALUE: usize = 120;
/// Length in bytes beyond which a text without digits names no number or date.
const LONGEST_NUMBER_WORD: usize = 48;

/// All possible meanings of a cell's text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Readings<'a> {
    /// The first number.
    pub number: Option<f64>,
    /// The second number: the other side of a score, the end of a range.
    pub number2: Option<f64>,
    /// The first date.
    pub date: Option<Date>,
    /// The end of a range of dates, or the second date of a list.
    pub date2: Option<Date>,
    /// A duration, or a time of day since midnight, in seconds.
    pub duration: Option<f64>,
    /// The pieces of a list or of a `City, Country` cell, trimmed. Empty, or at least two.
    pub parts: Vec<&'a str>,
}

impl Readings<'_> {
    /// The readings but for the parts.
    pub fn without_parts<'a>(self) -> Readings<'a> {
        let Readings { number, number2, date, date2, duration, parts: _ } = self;
        Readings { number, number2, date, date2, duration, parts: Vec::new() }
    }
}

/// Returns the readings of a cell's text.
pub fn read_cell<'a>(text: &'a str, words: &Words) -> Readings<'a> {
    if let Some(readings) = plain_number(text) {
        return readings;
    }
    let traits = Traits::of(text);
    let mut readings = Readings::default();
    if !traits.digit {
        read_words(text, words, &mut readings);
    } else {
        read_numbers(text, words, &mut readings);
        if text.len() <= LONGEST_VALUE {
            read_times(text, &traits, words, &mut readings);
        }
    }
    // A duration such as `55 years, 318 days` is not a list.
    if traits.separator && readings.duration.is_none() {
        readings.parts = parts(text, words);
    }
    readings
}

/// Returns the readings of a text that is written by a convention.
pub fn read_cell_by<'a>(text: &'a str, convention: Convention, words: &Words) -> Readings<'a> {
    if convention.colons == Colons::TimeOfDay
        && let Some(time) = read_time(text, words)
    {
        return Readings { duration: Some(time.seconds), ..Readings::default() };
    }
    if convention.decimals == Decimals::Comma
        && let Some(turned) = with_point(text)
    {
        return read_cell(&turned, words).without_parts();
    }
    let mut readings = read_cell(text, words);
    if convention.digits == FourDigits::Number && is_year(text) {
        readings.date = None;
    }
    if convention.order == DayMonth::DayFirst
        && let Some(turned) = with_month_first(text)
    {
        let Readings { date, date2, .. } = read_cell(&turned, words);
        (readings.date, readings.date2) = (date, date2);
    }
    readings
}

/// Fast path for an empty cell and for a cell of digits only, the most frequent kinds.
fn plain_number(text: &str) -> Option<Readings<'static>> {
    let bytes = text.as_bytes();
    // 15 digits are exact in a double.
    if bytes.is_empty() || bytes.len() > 15 {
        return bytes.is_empty().then(Readings::default);
    }
    let mut number = 0u64;
    for byte in bytes {
        number = number * 10 + u64::from(byte.is_ascii_digit().then(|| byte - b'0')?);
    }
    let year = (bytes.len() == 4 && (1000..=2100).contains(&number)).then_some(number as i32);
    Some(Readings {
        number: Some(number as f64),
        date: year.and_then(|y| Date::new(Some(y), None, None)),
        ..Readings::default()
    })
}

/// Kinds of characters in a text, by which readings are ruled out.
#[derive(Default)]
struct Traits {
    digit: bool,
    letter: bool,
    wide: bool,
    /// True for `: - / .`, an apostrophe or a separator: a date or a duration without letters needs one.
    joint: bool,
    /// True for a character that may separate parts.
    separator: bool,
}

impl Traits {
    fn of(text: &str) -> Traits {
        let mut traits = Traits::default();
        for byte in text.bytes() {
            match byte {
                b'0'..=b'9' => traits.digit = true,
                b'a'..=b'z' | b'A'..=b'Z' => traits.letter = true,
                b',' | b'/' | b';' | b'\n' => (traits.separator, traits.joint) = (true, true),
                b'-' | b'.' | b':' | b'\'' => traits.joint = true,
                0x80.. => traits.wide = true,
                _ => {}
            }
        }
        traits
    }
}

/// Adds the readings of a cell without digits: number words, or a month.
fn read_words(text: &str, words: &Words, readings: &mut Readings) {
    if text.len() > LONGEST_NUMBER_WORD {
        return;
    }
    let Some(first) = text.split(|c: char| !c.is_ascii_alphabetic()).find(|word| !word.is_empty()) else {
        readings.number = next_numeral(text, 0, words).map(|n| n.value);
        return;
    };
    let Some(meaning) = words.meaning(first) else { return };
    if meaning.number.is_some() || meaning.ordinal.is_some() {
        readings.number = number_in_words(text.trim_end_matches(['.', '*', '!']), words);
    } else if meaning.month.is_some() || meaning.weekday {
        set_dates(text, words, readings);
    }
}

/// Adds the first two numbers written with digits.
fn read_numbers(text: &str, words: &Words, readings: &mut Readings) {
    let Some(first) = next_numeral(text, 0, words) else { return };
    readings.number = Some(first.value);
    let Some(second) = next_numeral(text, first.end, words) else { return };
    readings.number2 = Some(year_range_end(text, &first, &second).unwrap_or(second.value));
}

/// Returns the full year of `97` in `1871–97`.
fn year_range_end(text: &str, first: &Numeral, second: &Numeral) -> Option<f64> {
    if first.plain_digits != 4 || second.plain_digits != 2 || first.value < 0.0 {
        return None;
    }
    let (start, two_digits) = (first.value as u32, second.value.abs() as u32);
    let joint = text.get(first.end..second.start)?.trim();
    let month = joint == "-" && (1..=12).contains(&two_digits) && !is_season(start, two_digits);
    let joined = joint == "/" || joins_years(joint);
    let further = text[second.end..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '/' | '.'));
    (joined && !month && !further).then(|| later_year(start, two_digits).map(f64::from))?
}

/// Adds dates, and a duration if there is no date.
fn read_times(text: &str, traits: &Traits, words: &Words, readings: &mut Readings) {
    if traits.letter || traits.joint || traits.wide {
        set_dates(text, words, readings);
        if readings.date.is_none() {
            readings.duration = read_duration(text, words);
        } else if let Some((first, second)) = dotted_date(text) {
            (readings.number, readings.number2) = (Some(first), Some(second));
        }
    } else {
        set_dates(text, words, readings);
    }
}

/// Returns the first two numbers of `24.03.1984`, whose dots are not decimal points.
fn dotted_date(text: &str) -> Option<(f64, f64)> {
    let mut pieces = text.split('.');
    let (day, month, year) = (pieces.next()?, pieces.next()?, pieces.next()?);
    year.as_bytes().first().filter(|b| b.is_ascii_digit())?;
    Some((day.trim().parse::<u8>().ok()?.into(), month.trim().parse::<u8>().ok()?.into()))
}

fn set_dates(text: &str, words: &Words, readings: &mut Readings) {
    if let Some((first, second)) = read_dates(text, words) {
        readings.date = Some(first);
        readings.date2 = second;
    }
}

/// Splits a text at commas with a space, line breaks, slashes and semicolons; but not inside parentheses, a date or a
/// web address, nor at a slash between digits.
fn parts<'a>(text: &'a str, words: &Words) -> Vec<&'a str> {
    let bytes = text.as_bytes();
    let mut pieces = Vec::new();
    let (mut start, mut depth, mut address) = (0, 0u32, false);
    for at in 0..bytes.len() {
        let cuts = match bytes[at] {
            b'(' | b'[' => {
                depth += 1;
                false
            }
            b')' | b']' => {
                depth = depth.saturating_sub(1);
                false
            }
            b'\n' => {
                // Parentheses do not span lines; one that is never closed ends here.
                depth = 0;
                true
            }
            b';' => depth == 0,
            b',' => depth == 0 && bytes.get(at + 1).is_some_and(u8::is_ascii_whitespace) && !in_date(text, at, words),
            b'/' => {
                address |= text[..at].ends_with(':');
                depth == 0 && !address && !between_digits(bytes, at)
            }
            _ => false,
        };
        if cuts {
            push_piece(&mut pieces, &text[start..at]);
            start = at + 1;
        }
    }
    push_piece(&mut pieces, &text[start..]);
    if pieces.len() >= 2 { pieces } else { Vec::new() }
}

fn between_digits(bytes: &[u8], at: usize) -> bool {
    at > 0 && bytes[at - 1].is_ascii_digit() && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
}

/// True for a comma inside a date: after a weekday, or between a month (and perhaps a day) and a year.
fn in_date(text: &str, comma: usize, words: &Words) -> bool {
    let before = text[..comma].trim_end_matches('.');
    let after = text[comma + 1..].trim_start();
    let word = last_word(before);
    if words.meaning(word).is_some_and(|m| m.weekday) {
        return after.starts_with(|c: char| c.is_ascii_digit()) || words.month(first_word(after)).is_some();
    }
    if after.bytes().take_while(u8::is_ascii_digit).count() != 4 {
        return before.len() == 4 && all_digits(before) && words.month(first_word(after)).is_some();
    }
    let days = |c: char| c.is_ascii_digit() || words.is_dash(c) || c == ' ' || c == '.';
    words.month(word).is_some() || words.month(last_word(before.trim_end_matches(days))).is_some()
}

fn all_digits(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

fn first_word(text: &str) -> &str {
    &text[..text.bytes().take_while(u8::is_ascii_alphabetic).count()]
}

fn last_word(text: &str) -> &str {
    let start = text.bytes().rposition(|b| !b.is_ascii_alphabetic()).map_or(0, |at| at + 1);
    &text[start..]
}

fn push_piece<'a>(pieces: &mut Vec<&'a str>, piece: &'a str) {
    let piece = piece.trim();
    if !piece.is_empty() {
        pieces.push(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> String {
        let r = read_cell(text, &Words::embedded());
        let mut out = Vec::new();
        out.extend(r.number.map(|n| format!("number {n}")));
        out.extend(r.number2.map(|n| format!("second {n}")));
        out.extend(r.date.map(|d| format!("date {d}")));
        out.extend(r.date2.map(|d| format!("to {d}")));
        out.extend(r.duration.map(|d| format!("duration {d}")));
        if !r.parts.is_empty() {
            out.push(format!("parts {}", r.parts.join("|")));
        }
        out.join(", ")
    }

    #[test]
    fn cells_have_several_readings() {
        assert_eq!(show("1871–97"), "number 1871, second 1897, date 1871-XX-XX, to 1897-XX-XX");
        assert_eq!(show("L 38–66"), "number 38, second 66");
        assert_eq!(show("12:42.3"), "number 12, second 42.3, duration 762.3");
        assert_eq!(show("Bangkok, Thailand"), "parts Bangkok|Thailand");
        assert_eq!(show("January 1, 1940"), "number 1, second 1940, date 1940-01-01");
        assert_eq!(show("2004"), "number 2004, date 2004-XX-XX");
        assert_eq!(show("8000"), "number 8000");
        assert_eq!(show("third"), "number 3");
        assert_eq!(show("24.03.1984"), "number 24, second 3, date 1984-03-24");
        assert_eq!(show("2010-05"), "number 2010, second 5, date 2010-05-XX");
        assert_eq!(show("1936, 1940").split(", parts ").nth(1), Some("1936|1940"));
        assert_eq!(show("Left post, Apr 23, 1956").split(", parts ").nth(1), Some("Left post|Apr 23, 1956"));
        assert_eq!(show("1000 m"), "number 1000");
        assert_eq!(show("?-2012"), "number 2012");
        assert_eq!(show(""), "");
        assert_eq!(show("A / B\nC; D (1, 2)"), "number 1, second 2, parts A|B|C|D (1, 2)");
    }
}
