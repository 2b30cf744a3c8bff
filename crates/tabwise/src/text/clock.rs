//! Times of day in seconds since midnight: `9:05`, `14:35`, `14:35:20`, `2:30 pm`, `2 pm`. [`read_time`] reads a whole
//! text, [`with_times`] finds those of a question.

use super::Token;
use super::durations::half_day;
use super::values::ValueSpan;
use crate::value::Value;
use crate::words::Words;

/// Time of day, as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    /// Seconds since midnight.
    pub seconds: f64,
    /// True if it has "am" or "pm".
    pub half_day: bool,
    /// True if it is written as in a timetable: two digits for the hour, no seconds, minutes in steps of five.
    pub is_plain: bool,
}

/// Reads a text that is a time of day and nothing else. Without "am" or "pm" it needs minutes.
pub fn read_time(text: &str, words: &Words) -> Option<Time> {
    let (hour, hour_digits, rest) = number(text.trim())?;
    let (minute, rest) = after_colon(rest);
    let (second, rest) = if minute.is_some() { after_colon(rest) } else { (None, rest) };
    let after = rest.trim_start();
    let half = half_day(after, words).filter(|_| after.chars().filter(char::is_ascii_alphabetic).count() == 2);
    let is_end = half.is_some() && after.chars().all(|c| c.is_ascii_alphabetic() || c == '.');
    let added = match half {
        Some(hours) if is_end && (1..=12).contains(&hour) => hours - if hour == 12 { 12.0 } else { 0.0 },
        None if after.is_empty() && hour < 24 && minute.is_some() => 0.0,
        _ => return None,
    };
    Some(Time {
        seconds: (f64::from(hour) + added) * 3600.0 + f64::from(minute.unwrap_or(0) * 60 + second.unwrap_or(0)),
        half_day: half.is_some(),
        is_plain: hour_digits == 2 && second.is_none() && minute.is_some_and(|minute| minute % 5 == 0),
    })
}

/// Writes a time of day: `14:35`, or `14:35:20` if it has seconds.
pub fn show_time(seconds: f64) -> String {
    let seconds = seconds.round() as i64;
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match second {
        0 => format!("{hour}:{minute:02}"),
        _ => format!("{hour}:{minute:02}:{second:02}"),
    }
}

/// One or two digits at the start of a text: their value, how many there are, and the rest.
fn number(text: &str) -> Option<(u32, usize, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let value = text[..digits].parse().ok().filter(|_| digits <= 2)?;
    Some((value, digits, &text[digits..]))
}

/// Two digits below 60 after a colon, and the rest.
fn after_colon(text: &str) -> (Option<u32>, &str) {
    let found = text.strip_prefix(':').and_then(number).filter(|(value, digits, _)| *digits == 2 && *value < 60);
    found.map_or((None, text), |(value, _, rest)| (Some(value), rest))
}

/// Adds the times of day of a question to its values, for a table that has such times. They take the place of the
/// values of the same words; if the table has lengths of time as well, `3:45` remains one, but for "3:45 pm".
pub fn with_times(values: Vec<ValueSpan>, tokens: &[Token], lengths: Lengths, words: &Words) -> Vec<ValueSpan> {
    let times: Vec<ValueSpan> = (0..tokens.len()).filter_map(|at| time_at(tokens, at, words)).collect();
    let is_replaced = |span: &ValueSpan| {
        let mut around = times.iter().filter(|time| time.tokens.start <= span.tokens.start);
        around.any(|time| span.tokens.end <= time.tokens.end && (lengths == Lengths::None || time.tokens.len() > 1))
    };
    let kept = values.into_iter().filter(|span| !is_replaced(span));
    let mut all: Vec<ValueSpan> = kept.chain(times.iter().cloned()).collect();
    all.sort_by_key(|span| (span.tokens.start, usize::MAX - span.tokens.end, span.value));
    all.dedup();
    all
}

/// Lengths of time in a table beside its times of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lengths {
    /// No column has them.
    None,
    /// Some column has them.
    Some,
}

/// The time of day that begins at a token: "9:00", "2 pm", "2pm".
fn time_at(tokens: &[Token], at: usize, words: &Words) -> Option<ValueSpan> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let two = read_time(&format!("{} {}", text(at), text(at + 1)), words).filter(|time| time.half_day);
    let one = || read_time(text(at), words).map(|time| (time, at + 1));
    let (time, end) = two.map(|time| (time, at + 2)).or_else(one)?;
    Some(ValueSpan { tokens: at..end, value: Value::number(time.seconds)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_day_are_read_whole() {
        let words = Words::embedded();
        let seconds = |text: &str| read_time(text, &words).map(|time| time.seconds);
        for (text, shown) in [
            ("9:05", Some("9:05")),
            ("14:35", Some("14:35")),
            ("00:00:07", Some("0:00:07")),
            ("2 pm", Some("14:00")),
            ("2:30 p.m.", Some("14:30")),
            ("12:15am", Some("0:15")),
            ("12 pm", Some("12:00")),
            ("24:00", None),
            ("14:35 pm", None),
            ("9:5", None),
            ("9:60", None),
            ("9", None),
            ("3:45.79", None),
            ("9:05 amber", None),
            ("", None),
        ] {
            assert_eq!(seconds(text).map(show_time).as_deref(), shown, "{text}");
        }
    }
}
