//! Numbers and dates in the notation of formulas.

use crate::value::{Date, Value};

/// Reads the number or date that begins at `start`. Returns it with the position behind it.
pub(super) fn number_or_date(chars: &[char], start: usize) -> Result<(Value, usize), String> {
    let goes_on = |at: &usize| *at < chars.len() && is_number_char(chars, *at);
    let end = (start + 1..).find(|at| !goes_on(at)).expect("the text ends");
    let text: String = chars[start..end].iter().collect();
    let number = || text.parse().ok().and_then(Value::number);
    match read_date(&text).map(Value::Date).or_else(number) {
        Some(value) => Ok((value, end)),
        None => Err(format!("{text:?} is neither a number nor a date (yyyy-mm-dd, with XX for unknown parts)")),
    }
}

/// Tells if a character continues a number or a date: a full stop only before a digit, a minus only within a date or
/// after an exponent, a plus only after an exponent.
fn is_number_char(chars: &[char], at: usize) -> bool {
    match chars[at] {
        'X' | 'x' | '-' => chars[at] != '-' || matches!(chars[at - 1], '0'..='9' | 'X' | 'x' | 'e' | 'E'),
        'e' | 'E' => chars.get(at + 1).is_some_and(|c| c.is_ascii_digit() || *c == '-' || *c == '+'),
        '+' => matches!(chars[at - 1], 'e' | 'E'),
        '.' => chars.get(at + 1).is_some_and(char::is_ascii_digit),
        c => c.is_ascii_digit(),
    }
}

/// Reads `yyyy-mm-dd`, with `XXXX` or `XX` for unknown parts; a leading `-` is a year before Christ.
pub fn read_date(text: &str) -> Option<Date> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let mut parts = digits.split('-');
    let mut part = |width: usize| -> Option<Option<i32>> {
        let part = parts.next()?;
        if part.len() == width && part.bytes().all(|b| b == b'X' || b == b'x') {
            return Some(None);
        }
        (part.len() == width && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse().ok())
    };
    let (year, month, day) = (part(4)?, part(2)?, part(2)?);
    if parts.next().is_some() {
        return None;
    }
    let small = |n: Option<i32>| n.map(|n| n as u8);
    Date::new(year.map(|y| y * sign), small(month), small(day))
}
