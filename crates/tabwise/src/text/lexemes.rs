//! Lexemes: a text cut into the few pieces that dates are made of (numbers, months, dashes, ...). Everything else is a
//! word or a sign to them.

use crate::words::Words;

/// A text of more lexemes than this is prose; only its beginning is looked at.
pub(crate) const MOST_LEXEMES: usize = 24;

/// One piece of a text as dates see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Lexeme {
    /// Its value and its number of digits, at most four.
    Number(u32, u8),
    Ordinal(u32),
    Month(u8),
    Weekday,
    Approximation,
    Era(i32),
    OpenEnd,
    RangeWord,
    /// "of", "the": words that may stand inside a date.
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
    /// A word or a number that dates do not know.
    Word,
    /// Any other character.
    Other,
}
use Lexeme::*;

/// The lexemes of a text, on the stack.
pub(crate) struct Lexemes {
    list: [Lexeme; MOST_LEXEMES],
    length: usize,
}

impl Lexemes {
    /// Cuts a text.
    pub fn cut(text: &str, words: &Words) -> Lexemes {
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

    /// The lexemes, from left to right.
    pub fn all(&self) -> &[Lexeme] {
        &self.list[..self.length]
    }
}

/// The lexeme at a place (none for a space) and where the next one starts.
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
    match letters {
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
