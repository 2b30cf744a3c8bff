//! Times and durations in seconds: `3:45.79`, `2:12:01`, `5h 29' 10"`, `1 hr 20 min`, `55 years, 318 days`, and times
//! of day (`3:00 PM`) as seconds since midnight.

use crate::words::Words;

/// Reads the duration or the time of day that a text starts with, in seconds.
pub(crate) fn read_duration(text: &str, words: &Words) -> Option<f64> {
    let text = text.trim_start_matches(['+', ' ', '~']);
    clock(text, words).or_else(|| with_units(text, words))
}

/// Reads `m:ss` and `h:mm:ss`, either with fractions of a second. With "am", "pm" or "hours" after it, `m:ss` is
/// `h:mm`.
fn clock(text: &str, words: &Words) -> Option<f64> {
    let (first, rest) = leading_number(text, 3)?;
    let (second, rest) = sixty(rest.strip_prefix(':')?)?;
    let third = rest.strip_prefix(':').and_then(sixty);
    let (seconds, rest) = match third {
        Some((third, rest)) => ((first * 60.0 + second) * 60.0 + third, rest),
        None => (first * 60.0 + second, rest),
    };
    let (fraction, rest) = decimals(rest);
    if rest.starts_with(|c: char| c == ':' || c.is_ascii_digit()) {
        return None;
    }
    let after = rest.trim_start();
    let word = &after[..letters(after)];
    match half_day(after, words) {
        Some(hours) if (1.0..=12.0).contains(&first) => {
            // Without a third number, hours and minutes were taken for minutes and seconds.
            let scale = if third.is_some() { 1.0 } else { 60.0 };
            Some(seconds * scale + (if first == 12.0 { hours - 12.0 } else { hours }) * 3600.0)
        }
        _ if third.is_none() && words.seconds(word) == Some(3600.0) => Some(seconds * 60.0),
        _ => Some(seconds + fraction),
    }
}

/// Returns the hours to add for "am", "p.m.".
pub(super) fn half_day(text: &str, words: &Words) -> Option<f64> {
    let bytes = text.as_bytes();
    let spelled = match bytes {
        [a, b'.', m, ..] => [*a, *m],
        [a, m, ..] => [*a, *m],
        _ => return None,
    };
    words.meaning(std::str::from_utf8(&spelled).ok()?)?.half_day
}

/// Reads numbers with units of time, from the largest unit to the smallest.
fn with_units(text: &str, words: &Words) -> Option<f64> {
    let mut total = 0.0;
    let mut last = f64::INFINITY;
    let mut rest = text;
    let mut units = 0;
    while let Some((number, after)) = leading_number(rest, 6) {
        let (fraction, after) = decimals(after);
        let (unit, after) = time_unit(after, last, words)?;
        if unit >= last {
            return None;
        }
        total += (number + fraction) * unit;
        (last, units) = (unit, units + 1);
        rest = after.trim_start_matches([' ', ',', '.']);
        rest = rest.strip_prefix("and ").unwrap_or(rest);
    }
    // "9m" is a length and "1990s" a decade.
    let metres = units == 1 && text.trim_end_matches('.').ends_with('m');
    let decade = units == 1 && total % 10.0 == 0.0 && text.len() == 5 && text.ends_with('s');
    (units > 0 && !metres && !decade && (rest.is_empty() || rest.starts_with(['(', '[']))).then_some(total)
}

/// Returns the unit at the start of a text in seconds, and the rest. Primes are minutes and seconds only after hours:
/// otherwise they are feet and inches.
fn time_unit<'a>(text: &'a str, last: f64, words: &Words) -> Option<(f64, &'a str)> {
    let text = text.trim_start_matches([' ', '-', '\u{a0}']);
    if last == 3600.0
        && let Some(rest) = text.strip_prefix(['\'', '′', '’'])
    {
        return Some((60.0, rest));
    }
    if last == 60.0
        && let Some(rest) = text.strip_prefix(['"', '″', '”'])
    {
        return Some((1.0, rest));
    }
    let (word, rest) = text.split_at(letters(text));
    Some((words.seconds(word)?, rest))
}

fn letters(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_alphabetic).count()
}

/// Reads a number of at most `most` digits at the start of a text.
fn leading_number(text: &str, most: usize) -> Option<(f64, &str)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(length);
    (1..=most).contains(&length).then(|| (digits.bytes().fold(0.0, |n, d| n * 10.0 + f64::from(d - b'0')), rest))
}

/// Reads two digits below sixty.
fn sixty(text: &str) -> Option<(f64, &str)> {
    let (digits, rest) = text.split_at_checked(2)?;
    let (number, _) = leading_number(digits, 2).filter(|(_, left)| left.is_empty())?;
    (number < 60.0).then_some((number, rest))
}

/// Reads the decimals at the start of a text as a fraction; 0 if there are none.
fn decimals(text: &str) -> (f64, &str) {
    let Some(rest) = text.strip_prefix(['.', ',']) else { return (0.0, text) };
    let length = rest.bytes().take_while(u8::is_ascii_digit).count();
    match rest[..length.min(9)].parse::<u32>() {
        Ok(digits) => (f64::from(digits) / 10f64.powi(length.min(9) as i32), &rest[length..]),
        Err(_) => (0.0, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_times() {
        let words = Words::embedded();
        for (text, seconds) in [
            ("3:45.79", 225.79),
            ("2:12:01", 7921.0),
            ("5h 29' 10\"", 19750.0),
            ("1 hr 20 min", 4800.0),
            ("+10:50.2", 650.2),
            ("3:00 PM", 54000.0),
            ("12:30 a.m.", 1800.0),
            ("2m 27s", 147.0),
            ("1.5 hours", 5400.0),
            ("12 days", 1036800.0),
            ("55 years, 318 days", 55.0 * 31557600.0 + 318.0 * 86400.0),
            ("1:30 hours", 5400.0),
        ] {
            assert_eq!(read_duration(text, &words), Some(seconds), "{text}");
        }
        for text in
            ["", "9m", "1990s", "6'2\"", "3:1", "87:65", "5", "Mark 03:01", "5 years of war", "1:2:3", "20 s 4 min"]
        {
            assert_eq!(read_duration(text, &words), None, "{text}");
        }
    }
}
