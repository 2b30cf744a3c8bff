//! [`guess`]: finds the dialect of a CSV. The delimiter is the one that gives the most records the width of the first
//! record. For quotes and backslashes, it is the interpretation under which all of them make sense.

use super::Format;
use super::csv::{Field, Fields};
use memchr::memmem;

/// Delimiter and quoting of a CSV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    /// Delimiter between fields.
    pub delimiter: u8,
    /// Use of quotes.
    pub quotes: Quotes,
}

/// Way in which a field holds a delimiter, a line break or a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quotes {
    /// In quotes, where a quote is written twice.
    Doubled,
    /// In quotes, where a quote is written twice or after a backslash, and a backslash is written twice.
    Backslash,
    /// Not possible: a quote is text.
    Literal,
    /// As `\n` and `\p`; a backslash is written twice; a quote is text.
    Escaped,
}

/// Number of bytes that are examined.
const SAMPLE: usize = 1 << 18;
/// Number of records that are examined.
const RECORDS: usize = 200;

/// Finds the dialect of a text, with the given delimiter if there is one.
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

/// Beginning of a text, up to the end of a line.
pub(super) fn sample(text: &str) -> &str {
    let end = text.floor_char_boundary(SAMPLE);
    let end = if end == text.len() { end } else { text[..end].rfind('\n').unwrap_or(end) };
    &text[..end]
}

/// True if there is an escaped quote, and every backslash is before a quote or another backslash. A path such as
/// `"C:\games\"` fails the second condition.
fn backslash_escapes(text: &str) -> bool {
    memmem::find(text.as_bytes(), b"\\\"").is_some() && backslashes_precede(text, b"\"\\")
}

/// True if all quotes close if a backslash is text, but not if it escapes: a field may end with a backslash.
fn only_doubled_closes(text: &str) -> bool {
    let all_close = |quotes| {
        let mut fields = Fields::new(text, Dialect { delimiter: b',', quotes });
        while fields.next().is_some() {}
        !fields.has_open_quote()
    };
    !all_close(Quotes::Backslash) && all_close(Quotes::Doubled)
}

/// True if every backslash is before one of these bytes.
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

/// Returns the delimiter that gives the most records the width of the first record; on a tie the one that gives more
/// columns, then the more usual one.
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

/// Returns the share of records, per mille, that are as wide as the first and have no text after a closing quote, and
/// that width.
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

/// Finds the use of quotes in tab-separated text. Many writers of TSV do not quote, so quotes are text unless each
/// quoted field ends with its quote, and either one of them needs its quotes or all names of the header have them.
fn quotes_of_tsv(text: &str, quotes: Quotes) -> Quotes {
    match quoting(sample(text)) {
        Quoting::Used => quotes,
        Quoting::Unused if text.contains('\\') && backslashes_precede(text, b"np\\") => Quotes::Escaped,
        Quoting::Unused => Quotes::Literal,
    }
}

/// Use of quotes in a TSV.
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

/// Returns the start of the next field that begins with a quote.
fn next_quoted(text: &str) -> Option<usize> {
    let begins = |at: usize| at == 0 || matches!(text.as_bytes()[at - 1], b'\t' | b'\n' | b'\r');
    memchr::memchr_iter(b'"', text.as_bytes()).find(|&at| begins(at))
}

/// Returns the length of a quoted field, and true if it needs its quotes; `None` if it does not end with its quote.
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
