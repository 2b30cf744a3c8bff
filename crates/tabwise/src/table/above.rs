//! Lines above the header of a CSV: the title of a report, or the account and the dates of a bank's export. They have one
//! cell, or a name and a value, and the header below them has more.

use super::Format;
use super::csv::Fields;
use super::dialect::{Dialect, Quotes, sample};

/// The lines above a header.
pub(super) struct Above {
    /// Place in the text where the header begins.
    pub end: usize,
    /// Number of lines, at least one.
    pub lines: usize,
    /// First text of the first line.
    pub first: String,
    /// Number of columns of the header.
    columns: usize,
}

/// Most lines above a header.
const MOST_LINES: usize = 15;
/// Fewest columns of a header that is told from a row of data.
const FEWEST_COLUMNS: usize = 3;
/// Fewest rows below a header, and the most that are looked at.
const ROWS: std::ops::RangeInclusive<usize> = 2..=5;
/// Length in bytes from which a text of several words is taken for a title.
const SHORTEST_TITLE: usize = 10;

impl Above {
    /// Finds the lines above the header of a text, if there are any.
    pub(super) fn find(text: &str, format: Format, delimiter: Option<u8>) -> Option<Above> {
        let known = delimiter.map(|delimiter| [delimiter]);
        let delimiters = match (format, &known) {
            (Format::Tsv | Format::TsvEscaped, _) => b"\t",
            (_, Some(known)) => &known[..],
            _ => &b",;\t|"[..],
        };
        let found = delimiters.iter().filter_map(|delimiter| Above::of(sample(text), *delimiter));
        found.max_by_key(|above| above.columns)
    }

    /// Likewise, with this delimiter.
    fn of(text: &str, delimiter: u8) -> Option<Above> {
        let mut fields = Fields::new(text, Dialect { delimiter, quotes: Quotes::Doubled });
        let (mut first, mut fewest, mut is_apart) = (String::new(), FEWEST_COLUMNS, false);
        for lines in 0..=MOST_LINES {
            let end = text.len() - fields.rest().len();
            let record = record(&mut fields)?;
            let columns = record.len();
            if lines > 0 && is_header(&record, fewest) && has_rows(&mut fields, columns) {
                return (is_apart || is_title(&first)).then_some(Above { end, lines, first, columns });
            }
            let filled = record.iter().filter(|text| !text.is_empty()).count();
            // A name and a value are data in a table of two or three columns.
            match (filled, columns) {
                (1, _) if !record[0].is_empty() => {}
                (2, 2) => (fewest, is_apart) = (FEWEST_COLUMNS + 1, true),
                _ => return None,
            }
            is_apart |= fields.rest().starts_with(['\n', '\r']);
            if lines == 0 {
                first = record.into_iter().next().unwrap_or_default();
            }
        }
        None
    }
}

/// True for a text of several words; a single word may as well be the name of the first column.
pub(super) fn is_title(text: &str) -> bool {
    text.trim().len() >= SHORTEST_TITLE && text.split_whitespace().nth(1).is_some()
}

/// The texts of the next record.
fn record(fields: &mut Fields) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    loop {
        let field = fields.next()?;
        texts.push(field.text.trim().to_owned());
        if field.last {
            return Some(texts);
        }
    }
}

/// True for a different name with letters in each of some columns. Writers that end every line with a delimiter give one
/// column more, without a name.
fn is_header(record: &[String], fewest: usize) -> bool {
    let names = if record.last().is_some_and(String::is_empty) { &record[..record.len() - 1] } else { record };
    let is_name = |(at, name): (usize, &String)| name.contains(char::is_alphabetic) && !names[..at].contains(name);
    names.len() >= fewest && names.iter().enumerate().all(is_name)
}

/// True if the next records are rows of this many columns.
fn has_rows(fields: &mut Fields, columns: usize) -> bool {
    let rows: Vec<Vec<String>> = std::iter::from_fn(|| record(fields)).take(*ROWS.end()).collect();
    rows.len() >= *ROWS.start() && rows.iter().all(|row| row.len() == columns)
}
