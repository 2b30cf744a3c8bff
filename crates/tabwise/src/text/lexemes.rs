//! [`Lexeme`]s: a text split into the few kinds of pieces that dates consist of (numbers, months, dashes, ...).
//! Everything else is `Word` or `Other`.

use crate::words::Words;

/// Number of lexemes that are read; a longer text is prose, and a date that matters is at its beginning.
pub(crate) const MOST_LEXEMES: usize = 24;

/// One piece of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Lexeme {
    /// A number: its value and its number of digits, at most four.
    Number(u32, u8),
    Ordinal(u32),
    Month(u8),
    Weekday,
    Approximation,
    Era(i32),
    OpenEnd,
    RangeWord,
    /// A word that may occur inside a date: "of", "the".
    Filler,
    Hyphen,
    /// A dash longer than a hyphen, which is never part of a single date.
    Dash,
    Slash,
    Dot,
    Comma,
    Break,
    Apostrophe,
    Open,
    /// A word or a number that is no part of a date.
    Word,
    /// Any other character.
    Other,
}
use Lexeme::*;

/// Lexemes of a text. They are on the stack because every cell is split into lexemes.
pub(crate) struct Lexemes {
    list: [Lexeme; MOST_LEXEMES],
    length: usize,
}

impl Lexemes {
    /// Splits a text.
    pub(super) fn cut(text: &str, words: &Words) -> Lexemes {
        let mut lexemes = Lexemes { list: [Other; MOST_LEXEMES], length: 0 };
        let mut at = 0;
        while at < text.len() && lexemes.length < MOST_LEXEMES {
            let (lexeme, end) = next_lexeme(text, at, words);
            if let Some(lexeme) = lexeme {
                lexemes.list[lexemes.length] = lexeme;
                lexemes.length += 1;
            }
            at = end;
        }
        lexemes
    }

    /// Returns the lexemes, from left to right.
    pub(super) fn all(&self) -> &[Lexeme] {
        &self.list[..self.length]
    }
}

/// Returns the lexeme at a position (`None` for a space) and the position after it.
pub(crate) fn next_lexeme(text: &str, at: usize, words: &Words) -> (Option<Lexeme>, usize) {
    let bytes = text.as_bytes();
    let lexeme = match bytes[at] {
        b'0'..=b'9' => return number_lexeme(bytes, at),
        b'a'..=b'z' | b'A'..=b'Z' => return word_lexeme(text, at, words),
        b' ' | b'\t' | b'\r' => return (None, at + 1),
        b'\n' => Break,
        b'-' => Hyphen,
        b'/' => Slash,
        b'.' => Dot,
        b',' => Comma,
        b'\'' => Apostrophe,
        b'(' | b'[' => Open,
        b'~' => Approximation,
        0..0x80 => Other,
        _ => return wide_lexeme(text, at, words),
    };
    (Some(lexeme), at + 1)
}

/// Digits with the letters that follow: `12`, `12th`. More than four digits, or other letters, make a word.
fn number_lexeme(bytes: &[u8], at: usize) -> (Option<Lexeme>, usize) {
    let digits = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
    let end = at + digits;
    let letters = bytes[end..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
    if digits > 4 {
        return (Some(Word), end + letters);
    }
    let value = bytes[at..end].iter().fold(0, |n, d| n * 10 + u32::from(d - b'0'));
    let suffix = &bytes[end..end + letters];
    let ordinal = letters == 2 && ["st", "nd", "rd", "th"].iter().any(|s| suffix.eq_ignore_ascii_case(s.as_bytes()));
    // The T of `2019-05-01T12:30` separates the date from the time.
    let time = digits == 2 && letters == 1 && bytes[end] == b'T' && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
    match letters {
        _ if time => (Some(Number(value, 2)), end),
        0 => (Some(Number(value, digits as u8)), end),
        _ if ordinal => (Some(Ordinal(value)), end + letters),
        _ => (Some(Word), end + letters),
    }
}

fn word_lexeme(text: &str, at: usize, words: &Words) -> (Option<Lexeme>, usize) {
    let length = text.as_bytes()[at..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let end = at + length;
    let lexeme = match words.meaning(&text[at..end]) {
        None => Word,
        Some(m) => match (m.month, m.era) {
            (Some(month), _) => Month(month),
            (_, Some(era)) => Era(era),
            _ if m.weekday => Weekday,
            _ if m.approximation => Approximation,
            _ if m.open_end => OpenEnd,
            _ if m.range_word => RangeWord,
            _ if m.stop => Filler,
            _ => Word,
        },
    };
    (Some(lexeme), end)
}

/// A lexeme that starts with a character outside ASCII.
fn wide_lexeme(text: &str, at: usize, words: &Words) -> (Option<Lexeme>, usize) {
    let c = text[at..].chars().next().expect("a place between characters");
    let lexeme = match c {
        '’' | '‘' => Apostrophe,
        '≈' => Approximation,
        _ if words.is_dash(c) => Dash,
        _ if c.is_whitespace() || c == '\u{feff}' => return (None, at + c.len_utf8()),
        _ if c.is_alphanumeric() => Word,
        _ => Other,
    };
    (Some(lexeme), at + c.len_utf8())
}
