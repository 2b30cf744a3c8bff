//! Numerals: numbers written with digits, with their thousands separators, decimals, signs, currencies, fractions and
//! magnitudes ("1.5 million"). [`next_numeral`] finds them inside a text, [`whole_number`] reads a text that is one.

use crate::words::Words;

/// Most digits that a `u64` holds exactly. Longer runs are summed up as `f64`: they lose precision, not size.
const EXACT_DIGITS: u32 = 18;

/// A number written with digits, and its position in the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Numeral {
    /// Value with its sign, fraction and magnitude.
    pub value: f64,
    /// Position of the first digit; sign and currency come before it.
    pub start: usize,
    /// Position after the digits, the fraction and the magnitude.
    pub end: usize,
    /// Number of digits if it consists of digits only, else 0.
    pub plain_digits: u8,
}

/// Finds the first number written with digits at or after `from`.
/// Footnote marks such as `[3]` and powers of units (`km2`) are not numbers.
pub(crate) fn next_numeral(text: &str, from: usize, words: &Words) -> Option<Numeral> {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            b'0'..=b'9' if !is_power(text, at, words) => return numeral_at(text, at, words),
            b'.' if is_digit(bytes, at + 1) && (at == 0 || !bytes[at - 1].is_ascii_alphanumeric()) => {
                return numeral_at(text, at, words);
            }
            b'[' if at > 0 => at = after_footnote(bytes, at),
            // First bytes of `½` and `⅓` in UTF-8.
            0xC2 | 0xE2 => match fraction_at(text, at, words) {
                Some((value, end)) => return Some(Numeral { value, start: at, end, plain_digits: 0 }),
                None => at += 1,
            },
            _ => at += 1,
        }
    }
    None
}

/// Reads the number whose first digit (or decimal point) is at `at`.
fn numeral_at(text: &str, at: usize, words: &Words) -> Option<Numeral> {
    let bytes = text.as_bytes();
    let digits = scan_digits(bytes, at);
    let (fraction, mut end) = mixed_fraction(text, &digits, words);
    let mut value = digits.value() + fraction;
    if let Some((power, after)) = exponent(bytes, end) {
        value *= 10f64.powi(power);
        end = after;
    }
    let before = Before::look(text, at, words);
    if let Some((magnitude, after)) = magnitude_after(text, end, &before, words) {
        value *= magnitude;
        end = after;
    }
    // An en dash before a year is the joint of a range ("–1998"), not a sign.
    let year_like = digits.is_plain() && digits.count == 4 && (1000.0..=2100.0).contains(&value);
    if before.minus.is_some_and(|c| c != '–' || !year_like) {
        value = -value;
    }
    let plain = if digits.is_plain() && digits.end == end { digits.count.min(255) as u8 } else { 0 };
    value.is_finite().then_some(Numeral { value, start: at, end, plain_digits: plain })
}

/// Reads the exponent of `1.5e-05`, as programs write it: with a sign. Without one, `3E8` is a code.
fn exponent(bytes: &[u8], at: usize) -> Option<(i32, usize)> {
    let [b'e' | b'E', sign @ (b'+' | b'-'), ..] = bytes.get(at..)? else { return None };
    let length = run_length(bytes, at + 2);
    let digits = (1..=3).contains(&length).then(|| &bytes[at + 2..at + 2 + length])?;
    let power = digits.iter().fold(0, |n, d| n * 10 + i32::from(d - b'0'));
    Some((if *sign == b'-' { -power } else { power }, at + 2 + length))
}

/// Digits with their separators.
struct Digits {
    /// All digits as one number, rounded.
    mantissa: f64,
    /// All digits as one number, exact up to [`EXACT_DIGITS`]; it wraps around beyond.
    small: u64,
    /// Number of digits after the decimal point.
    decimals: u32,
    /// Number of all digits.
    count: u32,
    separators: bool,
    end: usize,
}

impl Digits {
    fn value(&self) -> f64 {
        let whole = if self.count <= EXACT_DIGITS { self.small as f64 } else { self.mantissa };
        if self.decimals == 0 { whole } else { whole / 10f64.powi(self.decimals as i32) }
    }

    fn is_plain(&self) -> bool {
        !self.separators
    }

    /// Takes the run of digits at `end` and returns their number.
    fn take(&mut self, bytes: &[u8]) -> u32 {
        let start = self.end;
        while is_digit(bytes, self.end) {
            let digit = bytes[self.end] - b'0';
            self.small = self.small.wrapping_mul(10).wrapping_add(u64::from(digit));
            self.mantissa = self.mantissa * 10.0 + f64::from(digit);
            self.end += 1;
        }
        let taken = (self.end - start) as u32;
        self.count += taken;
        taken
    }

    /// Steps over a separator.
    fn separator(&mut self, length: usize) {
        self.end += length;
        self.separators = true;
    }
}

/// Reads digits, the separators of groups, and decimals.
fn scan_digits(bytes: &[u8], at: usize) -> Digits {
    let mut digits = Digits { mantissa: 0.0, small: 0, decimals: 0, count: 0, separators: false, end: at };
    let first = digits.take(bytes);
    match bytes.get(digits.end) {
        Some(b',') => take_comma_groups(bytes, &mut digits, first),
        // 0xC2 and 0xE2 are the first bytes of the no-break and the narrow spaces.
        Some(b' ' | b'\'' | 0xC2 | 0xE2) if (1..=3).contains(&first) && bytes[at] != b'0' => {
            take_spaced_groups(bytes, &mut digits);
        }
        Some(b'.') if (1..=3).contains(&first) => take_dot_groups(bytes, &mut digits),
        _ => {}
    }
    if bytes.get(digits.end) == Some(&b'.') && is_digit(bytes, digits.end + 1) && digits.decimals == 0 {
        digits.separator(1);
        digits.decimals = digits.take(bytes);
    }
    digits
}

/// Takes the rest of `4,321`, `1,23,456` (Indian groups) and `1,94` (a decimal comma). Any other comma separates
/// numbers.
fn take_comma_groups(bytes: &[u8], digits: &mut Digits, first: u32) {
    while bytes.get(digits.end) == Some(&b',') {
        match run_length(bytes, digits.end + 1) {
            3 => {
                digits.separator(1);
                digits.take(bytes);
            }
            2 if indian_groups_follow(bytes, digits.end) => {
                while run_length(bytes, digits.end + 1) == 2 {
                    digits.separator(1);
                    digits.take(bytes);
                }
            }
            // A decimal comma: few digits on both sides, and no other comma.
            run @ 1..=2 if !digits.separators && first <= 3 && bytes.get(digits.end + 1 + run) != Some(&b',') => {
                digits.separator(1);
                digits.decimals = digits.take(bytes);
                return;
            }
            _ => return,
        }
    }
}

/// True if groups of `,dd` that end with `,ddd` follow at `at`.
fn indian_groups_follow(bytes: &[u8], mut at: usize) -> bool {
    while bytes.get(at) == Some(&b',') {
        match run_length(bytes, at + 1) {
            2 => at += 3,
            3 => return true,
            _ => return false,
        }
    }
    false
}

/// Takes the rest of `31 906`, with any narrow or no-break space, and of `31'906`.
fn take_spaced_groups(bytes: &[u8], digits: &mut Digits) {
    while let Some(length) = group_space(&bytes[digits.end..]) {
        if run_length(bytes, digits.end + length) != 3 {
            return;
        }
        digits.separator(length);
        digits.take(bytes);
    }
}

/// Length of the space or apostrophe between two groups.
fn group_space(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b' ' | b'\'', ..] => Some(1),
        [0xC2, 0xA0, ..] => Some(2),
        [0xE2, 0x80, 0x87..=0x89 | 0xAF, ..] => Some(3),
        _ => None,
    }
}

/// Takes the rest of `1.234.567`. Dots separate groups only if there are at least two; a single one is a decimal point.
fn take_dot_groups(bytes: &[u8], digits: &mut Digits) {
    let grouped = |at: usize| bytes.get(at) == Some(&b'.') && run_length(bytes, at + 1) == 3;
    if !(grouped(digits.end) && grouped(digits.end + 4)) {
        return;
    }
    while grouped(digits.end) {
        digits.separator(1);
        digits.take(bytes);
    }
}

/// Returns the fraction of a mixed number (`4½`, `7 3/8`, `9 1⁄4`) and the position after it.
fn mixed_fraction(text: &str, digits: &Digits, words: &Words) -> (f64, usize) {
    let bytes = text.as_bytes();
    if digits.decimals > 0 || digits.end >= bytes.len() {
        return (0.0, digits.end);
    }
    let at = digits.end + usize::from(bytes[digits.end] == b' ');
    let found = match bytes.get(at) {
        Some(0xC2 | 0xE2) => fraction_at(text, at, words),
        Some(b'1'..=b'9') if at > digits.end => written_fraction(bytes, at),
        _ => None,
    };
    found.unwrap_or((0.0, digits.end))
}

/// Reads a fraction in one character.
fn fraction_at(text: &str, at: usize, words: &Words) -> Option<(f64, usize)> {
    let c = text.get(at..)?.chars().next()?;
    Some((words.fraction(c)?, at + c.len_utf8()))
}

/// Reads the fraction after a whole number and a space. It is a proper one with a usual denominator; anything else with
/// a slash ("5 3/7") is more likely a score or a date.
fn written_fraction(bytes: &[u8], at: usize) -> Option<(f64, usize)> {
    let mut end = at;
    let above = small_number(bytes, &mut end)?;
    end += match bytes.get(end..)? {
        [b'/', ..] => 1,
        // U+2044, the fraction slash.
        [0xE2, 0x81, 0x84, ..] => 3,
        _ => return None,
    };
    let below = small_number(bytes, &mut end)?;
    let usual = matches!(below, 2 | 3 | 4 | 8 | 16 | 32 | 64);
    (usual && above < below).then(|| (f64::from(above) / f64::from(below), end))
}

/// Reads one or two digits.
fn small_number(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let length = run_length(bytes, *at);
    let digits = (1..=2).contains(&length).then(|| &bytes[*at..*at + length])?;
    *at += length;
    Some(digits.iter().fold(0, |n, d| n * 10 + u32::from(d - b'0')))
}

/// Sign and currency before the digits.
struct Before {
    minus: Option<char>,
    money: bool,
}

impl Before {
    fn look(text: &str, at: usize, words: &Words) -> Before {
        let nothing = Before { minus: None, money: false };
        if at == 0 {
            return nothing;
        }
        let mut before = text[..at].chars();
        let mut last = before.next_back();
        let money = last.is_some_and(|c| words.is_currency_sign(c));
        if money {
            last = before.next_back();
        } else if last == Some(' ') {
            let word = before.as_str();
            let start = word.rfind(|c: char| !c.is_ascii_alphabetic()).map_or(0, |i| i + 1);
            let named = word.get(start..).is_some_and(|w| words.meaning(w).is_some_and(|m| m.currency && w.len() > 1));
            return Before { minus: None, money: named || word.ends_with(|c| words.is_currency_sign(c)) };
        }
        Before { minus: last.filter(|c| words.is_minus(*c) && may_be_signed(before.as_str())), money }
    }
}

/// True if a dash after this text is a sign: at the start, or after an opening or a space, but not after a number and a
/// space, where it is a range or a score.
fn may_be_signed(before: &str) -> bool {
    match before.chars().next_back() {
        None | Some('(' | '[' | '/' | ';' | ':' | '=' | '~' | '±') => true,
        Some(c) if c.is_whitespace() => {
            c == '\n' || !before.trim_end().ends_with(|c: char| c.is_ascii_digit() || matches!(c, '%' | ')' | '?'))
        }
        Some(_) => false,
    }
}

/// Returns the magnitude after a number ("1.5 million", "$4m") and the position after it.
fn magnitude_after(text: &str, at: usize, before: &Before, words: &Words) -> Option<(f64, usize)> {
    let bytes = text.as_bytes();
    let start = at + usize::from(matches!(bytes.get(at), Some(b' ' | b'-')));
    let length = bytes.get(start..)?.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let meaning = if length == 0 { None } else { words.meaning(text.get(start..start + length)?) }?;
    let money = if before.money { meaning.money_magnitude } else { None };
    Some((money.or(meaning.magnitude)?, start + length))
}

/// True if the digit at `at` is the power of a unit: `km2`, `m3`.
fn is_power(text: &str, at: usize, words: &Words) -> bool {
    let bytes = text.as_bytes();
    let alone = matches!(bytes[at], b'2' | b'3') && !bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
    if !alone || at == 0 || !bytes[at - 1].is_ascii_lowercase() {
        return false;
    }
    let start = bytes[..at].iter().rposition(|b| !b.is_ascii_alphabetic()).map_or(0, |i| i + 1);
    let measured = bytes[..start].iter().rev().find(|b| **b != b' ').is_some_and(u8::is_ascii_digit);
    measured && text.get(start..at).is_some_and(|word| words.is_unit(word))
}

/// Returns the position after the footnote mark that starts at `at`, or after its bracket if it is something else.
fn after_footnote(bytes: &[u8], at: usize) -> usize {
    // Footnote marks are short ("[note 12]"); the bound also keeps the search linear.
    let inside = bytes[at + 1..].iter().take(12).position(|b| *b == b']');
    inside.map_or(at + 1, |length| at + length + 2)
}

fn is_digit(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(u8::is_ascii_digit)
}

/// Number of digits at `at`.
fn run_length(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).map_or(0, |rest| rest.iter().take_while(|b| b.is_ascii_digit()).count())
}

/// Reads a text that is one number: digits with sign, currency, percent, ordinal ending, magnitude, or one word after
/// it that is counted or measured ("12 points"). A note in parentheses may follow a bare number.
pub(crate) fn whole_number(text: &str, words: &Words) -> Option<f64> {
    let text = text.trim();
    let numeral = next_numeral(text, 0, words)?;
    let before = text[..numeral.start].trim_end();
    let after = &text[numeral.end..];
    let bare = before.chars().all(|c| matches!(c, '+' | '#') || words.is_minus(c) || words.is_currency_sign(c));
    let named = words.meaning(before).is_some_and(|m| m.since);
    ((bare && before.len() <= 4 || named) && is_counted(after)).then_some(numeral.value)
}

/// Reads a token that is one number, as [`whole_number`], or a number with a unit attached: "3000m".
pub(crate) fn measured_number(token: &str, words: &Words) -> Option<f64> {
    whole_number(token, words).or_else(|| {
        let numeral = next_numeral(token, 0, words).filter(|numeral| numeral.start == 0)?;
        words.is_unit(&token[numeral.end..]).then_some(numeral.value)
    })
}

/// True if nothing follows a number but `%`, an ordinal ending, one lower-case word, or a note in parentheses.
fn is_counted(after: &str) -> bool {
    let spaced = after.strip_prefix([' ', '\u{a0}']);
    let word = spaced.unwrap_or(after);
    let lower = !word.is_empty() && word.len() <= 20 && word.bytes().all(|b| b.is_ascii_lowercase());
    match spaced {
        None => matches!(after, "" | "%" | "." | "st" | "nd" | "rd" | "th"),
        Some(note) => lower || matches!(note, "%") || (note.starts_with('(') && note.find(')') == Some(note.len() - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Vec<f64> {
        let words = Words::embedded();
        let mut at = 0;
        let mut found = Vec::new();
        while let Some(numeral) = next_numeral(text, at, &words) {
            found.push(numeral.value);
            at = numeral.end;
        }
        found
    }

    #[test]
    fn separators() {
        assert_eq!(numbers("4,321 (2011)"), [4321.0, 2011.0]);
        assert_eq!(numbers("1,091,918"), [1091918.0]);
        assert_eq!(numbers("31 906"), [31906.0]);
        assert_eq!(numbers("20\u{2009}755\u{a0}222"), [20755222.0]);
        assert_eq!(numbers("1.234.567"), [1234567.0]);
        assert_eq!(numbers("1,94 m"), [1.94]);
        assert_eq!(numbers("12,34,567"), [1234567.0]);
        assert_eq!(numbers("1965,1966"), [1965.0, 1966.0]);
        assert_eq!(numbers("9 1"), [9.0, 1.0]);
        assert_eq!(numbers(".852"), [0.852]);
        assert_eq!(numbers("2,241.4"), [2241.4]);
        assert_eq!(numbers("7.3e-05 1E+3"), [7.3e-05, 1000.0]);
        assert_eq!(numbers("3E8"), [3.0, 8.0]);
    }

    #[test]
    fn signs_are_not_dashes() {
        assert_eq!(numbers("-5"), [-5.0]);
        assert_eq!(numbers("−6.3"), [-6.3]);
        assert_eq!(numbers("3–1"), [3.0, 1.0]);
        assert_eq!(numbers("3 - 1"), [3.0, 1.0]);
        assert_eq!(numbers("SR-89"), [89.0]);
        assert_eq!(numbers("268 (–16)"), [268.0, -16.0]);
        assert_eq!(numbers("-$5"), [-5.0]);
    }

    #[test]
    fn what_follows_a_number() {
        assert_eq!(numbers("$1.5 million"), [1_500_000.0]);
        assert_eq!(numbers("£24.1M"), [24_100_000.0]);
        assert_eq!(numbers("24.1 m"), [24.1]);
        assert_eq!(numbers("14 km2"), [14.0]);
        assert_eq!(numbers("4½ stories"), [4.5]);
        assert_eq!(numbers("7 3/8 inch"), [7.375]);
        assert_eq!(numbers("28 [3]"), [28.0]);
    }
}
