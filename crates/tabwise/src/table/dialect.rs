//! Which CSV is this? The delimiter is the one that gives the most records the width of the first; the use of quotes and
//! backslashes is found by whether all of them make sense under one reading.

use super::Format;
use super::csv::{Field, Fields};
use memchr::memmem;

/// How fields are separated and quoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    pub delimiter: u8,
    pub quotes: Quotes,
}

/// How a field may hold a delimiter, a line break or a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quotes {
    /// In quotes, where a quote is written twice.
    Doubled,
    /// In quotes, where a quote is written twice or after a backslash, and a backslash is written twice.
    Backslash,
    /// Not at all: a quote is text.
    Literal,
    /// As `\n` and `\p`; a backslash is written twice; a quote is text.
    Escaped,
}

/// How much text is looked at, and how many records.
const SAMPLE: usize = 1 << 18;
const RECORDS: usize = 200;

/// Finds the dialect of a text. A delimiter that is given is taken.
pub(super) fn guess(text: &str, format: Format, delimiter: Option<u8>) -> Dialect {
    let quotes = if backslash_escapes(text) { Quotes::Backslash } else { Quotes::Doubled };
    let quotes = if quotes == Quotes::Backslash && only_doubled_closes(text) { Quotes::Doubled } else { quotes };
    let delimiter = match format {
        Format::Tsv | Format::TsvEscaped => b'\t',
        _ => delimiter.unwrap_or_else(|| guess_delimiter(sample(text), quotes)),
    };
    let quotes = match (format, delimiter) {
        (Format::TsvEscaped, _) => Quotes::Escaped,
        (_, b'\t') => quotes_of_tsv(text, quotes),
        _ => quotes,
    };
    Dialect { delimiter, quotes }
}

fn sample(text: &str) -> &str {
    let end = text.floor_char_boundary(SAMPLE);
    let end = if end == text.len() { end } else { text[..end].rfind('\n').unwrap_or(end) };
    &text[..end]
}

/// Whether every backslash stands before a quote or another backslash, and there is an escaped quote. A path such as
/// `"C:\games\"` fails the first.
fn backslash_escapes(text: &str) -> bool {
    memmem::find(text.as_bytes(), b"\\\"").is_some() && backslashes_precede(text, b"\"\\")
}

/// Whether all quotes close if a backslash is text, but not if it escapes: a field may end with a backslash.
fn only_doubled_closes(text: &str) -> bool {
    let all_close = |quotes| {
        let mut fields = Fields::new(text, Dialect { delimiter: b',', quotes });
        while fields.next().is_some() {}
        !fields.has_open_quote()
    };
    !all_close(Quotes::Backslash) && all_close(Quotes::Doubled)
}

fn backslashes_precede(text: &str, followers: &[u8]) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &bytes[at..]) {
        at += found + 2;
        if !bytes.get(at - 1).is_some_and(|byte| followers.contains(byte)) {
            return false;
        }
    }
    true
}

/// The delimiter under which most records are as wide as the first; the wider, then the more usual one on a tie.
fn guess_delimiter(sample: &str, quotes: Quotes) -> u8 {
    let mut best = (0, 0, b',');
    for delimiter in *b",;\t|" {
        let (share, width) = evenness(Fields::new(sample, Dialect { delimiter, quotes }));
        if width > 1 && (share, width) > (best.0, best.1) {
            best = (share, width, delimiter);
        }
    }
    best.2
}

/// Per mille of the records that are as wide as the first and have no text after a closing quote, and that width.
fn evenness(mut fields: Fields) -> (usize, usize) {
    let (mut records, mut even, mut width, mut cells, mut tails) = (0, 0, 0, 0, 0);
    while let Some(Field { last, .. }) = fields.next() {
        cells += 1;
        if last {
            width = if records == 0 { cells } else { width };
            even += usize::from(cells == width && fields.tails == tails);
            (records, cells, tails) = (records + 1, 0, fields.tails);
            if records == RECORDS {
                break;
            }
        }
    }
    (even * 1000 / records.max(1), width)
}

/// The use of quotes in tab-separated text. Many writers of TSV know no quotes, so they are taken for quoting only when
/// each quoted field ends with its quote and either one of them needs its quotes or all names of the header have them.
fn quotes_of_tsv(text: &str, quotes: Quotes) -> Quotes {
    match quoting(sample(text)) {
        Quoting::Used => quotes,
        Quoting::Unused if text.contains('\\') && backslashes_precede(text, b"np\\") => Quotes::Escaped,
        Quoting::Unused => Quotes::Literal,
    }
}

enum Quoting {
    Used,
    Unused,
}

fn quoting(sample: &str) -> Quoting {
    let header = sample.lines().next().unwrap_or("");
    let is_quoted = |field: &str| field.len() > 1 && field.starts_with('"') && field.ends_with('"');
    let mut needed = header.split('\t').all(is_quoted);
    let mut rest = sample;
    while let Some(start) = next_quoted(rest) {
        let Some((length, needs)) = quoted_length(&rest[start..]) else { return Quoting::Unused };
        needed |= needs;
        rest = &rest[start + length..];
    }
    if needed { Quoting::Used } else { Quoting::Unused }
}

/// Where the next field that begins with a quote begins.
fn next_quoted(text: &str) -> Option<usize> {
    let begins = |at: usize| at == 0 || matches!(text.as_bytes()[at - 1], b'\t' | b'\n' | b'\r');
    memchr::memchr_iter(b'"', text.as_bytes()).find(|&at| begins(at))
}

/// The length of a quoted field, and whether it needs its quotes; nothing if it does not end with its quote.
fn quoted_length(field: &str) -> Option<(usize, bool)> {
    let bytes = field.as_bytes();
    let (mut at, mut needs) = (1, false);
    loop {
        at += memchr::memchr(b'"', &bytes[at..])?;
        match bytes.get(at + 1) {
            Some(b'"') => (at, needs) = (at + 2, true),
            None | Some(b'\t' | b'\n' | b'\r') => {
                needs |= bytes[1..at].iter().any(|byte| matches!(byte, b'\t' | b'\n' | b'\r'));
                return Some((at + 1, needs));
            }
            Some(_) => return None,
        }
    }
}
