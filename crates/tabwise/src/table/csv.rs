//! CSV and TSV as found in practice: any of four delimiters, quotes doubled or escaped by a backslash, line breaks
//! inside quotes, rows of different lengths. The scanner is our own because it has to read all of these dialects,
//! survive a quote that never closes, and stop at a limit before the memory is used.

use super::above::Above;
use super::clean::{self, count};
use super::dialect::{Dialect, Quotes, guess};
use super::{Allowance, Format, ReadSettings, Repair, Table, TableError};
use crate::text::escapes::unescape_into;
use memchr::{memchr2, memchr3};

/// Reads a table. The first record is the header. The text is scanned twice: first for the size of the table, to check
/// the limits and to find rows longer than the header, then for the cells.
pub(super) fn read(
    text: &str,
    format: Format,
    settings: &ReadSettings,
    allowance: &Allowance,
) -> Result<Table, TableError> {
    let (text, named) = without_separator_line(text);
    let delimiter = settings.delimiter.or(named);
    let has_titles = settings.repairs.has(Repair::TitleRows);
    let above = has_titles.then(|| Above::find(text, format, delimiter)).flatten();
    let start = above.as_ref().map_or(0, |above| above.end);
    let dialect = guess(&text[start..], format, delimiter);
    let shape = Shape::measure(Fields::starting(text, start, dialect), allowance)?;
    shape.check(format, settings)?;
    let mut table = fill(Fields::starting(text, start, dialect), &shape, allowance)?;
    note(&mut table, &shape, dialect);
    if let Some(Above { lines, first, .. }) = above {
        let first = clean::quote(&first);
        table.note(match lines {
            1 => format!("dropped the title {first} above the header"),
            _ => format!("dropped {lines} lines above the header, the first {first}"),
        });
        return Ok(table);
    }
    if has_titles { clean::without_title(table, allowance) } else { Ok(table) }
}

/// Splits off a first line such as `sep=;`, by which spreadsheet programs name the delimiter.
fn without_separator_line(text: &str) -> (&str, Option<u8>) {
    let Some((line, rest)) = text.split_once('\n') else { return (text, None) };
    match line.trim_end_matches('\r').strip_prefix("sep=").map(str::as_bytes) {
        Some(&[delimiter]) if delimiter.is_ascii() && delimiter != b'"' => (rest, Some(delimiter)),
        _ => (text, None),
    }
}

/// Size of a table, and its irregularities.
#[derive(Default)]
struct Shape {
    /// Number of rows, without the header.
    rows: usize,
    /// Number of cells in the header.
    header: usize,
    /// Number of columns: up to the last non-empty cell of any row, but at least the header.
    width: usize,
    /// Number of rows with fewer or more cells than the header.
    ragged: usize,
    /// First such row: the number of its record, and its number of cells.
    first_ragged: Option<(usize, usize)>,
    /// Line of a quote that never closes.
    open_quote: Option<usize>,
}

impl Shape {
    /// Scans the text for its size, and stops at the first limit that it exceeds.
    fn measure(mut fields: Fields, allowance: &Allowance) -> Result<Shape, TableError> {
        let mut shape = Shape::default();
        // `filled` is the number of cells up to the last non-empty one: empty cells at the end do not widen the table.
        let (mut cells, mut filled, mut records) = (0, 0, 0);
        while let Some(field) = fields.next() {
            cells += 1;
            if !field.text.is_empty() {
                filled = cells;
            }
            allowance.check_cell(field.text.len())?;
            shape.keep_to(allowance, cells.min(filled.max(shape.header)))?;
            if field.last {
                records += 1;
                shape.end_record(records, cells, filled);
                (cells, filled) = (0, 0);
            }
        }
        shape.open_quote = fields.open_quote.map(|at| fields.line(at));
        if records == 0 { Err(TableError::Empty) } else { Ok(shape) }
    }

    fn end_record(&mut self, record: usize, cells: usize, filled: usize) {
        if record == 1 {
            (self.header, self.width) = (cells, cells);
            return;
        }
        self.rows += 1;
        self.width = self.width.max(filled);
        if cells < self.header || filled > self.header {
            self.ragged += 1;
            self.first_ragged.get_or_insert((record, cells));
        }
    }

    fn keep_to(&self, allowance: &Allowance, columns: usize) -> Result<(), TableError> {
        allowance.check_shape(self.rows + 1, self.width.max(columns))
    }

    /// Returns an error if there are ragged rows and repairing them is not allowed.
    fn check(&self, format: Format, settings: &ReadSettings) -> Result<(), TableError> {
        match self.first_ragged {
            Some((record, cells)) if !settings.repairs.has(Repair::RaggedRows) => {
                let reason = format!(
                    "record {record} has {cells} cells and the header has {}; the repair \"ragged-rows\" would fix it",
                    self.header
                );
                Err(TableError::Malformed { format, reason })
            }
            _ => Ok(()),
        }
    }
}

/// Reads the cells into a table of this shape.
fn fill(mut fields: Fields, shape: &Shape, allowance: &Allowance) -> Result<Table, TableError> {
    let mut header = Vec::new();
    while let Some(field) = fields.next() {
        header.push(field.text.to_owned());
        if field.last {
            break;
        }
    }
    header.resize(shape.width, String::new());
    let mut table = Table::with_capacity(header, shape.rows, fields.rest().len(), allowance)?;
    let mut column = 0;
    while let Some(field) = fields.next() {
        if column < shape.width {
            table.push_cell(field.text);
        }
        column += 1;
        if field.last {
            table.finish_row();
            column = 0;
        }
    }
    Ok(table)
}

fn note(table: &mut Table, shape: &Shape, dialect: Dialect) {
    if dialect.delimiter != b',' {
        table.note(format!("cells are separated by {}", delimiter_name(dialect.delimiter)));
    }
    if dialect.quotes == Quotes::Escaped {
        table.note("\\n, \\p and \\\\ were read as a line break, a pipe and a backslash");
    }
    if shape.width > shape.header {
        let added = count(shape.width - shape.header, "column", "columns");
        table.note(format!("added {added} without a name for rows longer than the header"));
    }
    if let Some((record, _)) = shape.first_ragged {
        let ragged = count(shape.ragged, "row", "rows");
        table.note(format!("{ragged} with more or fewer cells than the header, the first in record {record}"));
    }
    if let Some(line) = shape.open_quote {
        table.note(format!("the quote that opens in line {line} never closes; quotes from there on were read as text"));
    }
}

fn delimiter_name(delimiter: u8) -> String {
    match delimiter {
        b';' => "semicolons".to_owned(),
        b'\t' => "tabs".to_owned(),
        b'|' => "pipes".to_owned(),
        other => format!("\"{}\"", char::from(other)),
    }
}

/// One field of a record.
pub(super) struct Field<'a> {
    /// Text, without quotes and escapes.
    pub text: &'a str,
    /// True for the last field of its record.
    pub last: bool,
}

/// Scanner that returns the fields of a text one by one. Empty lines are skipped.
pub(super) struct Fields<'a> {
    text: &'a str,
    at: usize,
    dialect: Dialect,
    /// Text of the last field, if it differs from the source.
    scratch: String,
    /// True if the next field begins a record.
    fresh: bool,
    /// Position of a quote that never closes. From there on quotes are text, so that the rest is not scanned again for
    /// each of them.
    open_quote: Option<usize>,
    /// Number of fields with text between the closing quote and the next delimiter.
    pub tails: usize,
}

impl<'a> Fields<'a> {
    /// Starts at the beginning of a text.
    pub(super) fn new(text: &'a str, dialect: Dialect) -> Fields<'a> {
        Fields::starting(text, 0, dialect)
    }

    /// Starts at a place of a text.
    fn starting(text: &'a str, at: usize, dialect: Dialect) -> Fields<'a> {
        Fields { text, at, dialect, scratch: String::new(), fresh: true, open_quote: None, tails: 0 }
    }

    /// Returns the next field; `None` at the end of the text. Not an `Iterator`, because the field may borrow from
    /// `self`.
    pub(super) fn next(&mut self) -> Option<Field<'_>> {
        if self.fresh {
            self.skip_empty_lines();
            if self.at == self.text.len() {
                return None;
            }
        }
        match self.dialect.quotes {
            Quotes::Doubled | Quotes::Backslash => self.quoted_field(),
            Quotes::Literal => Some(self.plain_field()),
            Quotes::Escaped => Some(self.escaped_field()),
        }
    }

    /// True after a quote that never closes.
    pub(super) fn has_open_quote(&self) -> bool {
        self.open_quote.is_some()
    }

    /// Rest of the text that has not been scanned.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Line number of a position, from 1.
    fn line(&self, at: usize) -> usize {
        memchr::memchr_iter(b'\n', &self.text.as_bytes()[..at]).count() + 1
    }

    fn skip_empty_lines(&mut self) {
        while let Some(b'\n' | b'\r') = self.text.as_bytes().get(self.at) {
            self.at += 1;
        }
    }

    fn plain_field(&mut self) -> Field<'a> {
        let rest = self.rest();
        let length = memchr3(self.dialect.delimiter, b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
        self.at += length;
        Field { text: &rest[..length], last: self.step_over() }
    }

    fn escaped_field(&mut self) -> Field<'_> {
        let Field { text, last } = self.plain_field();
        if !text.contains('\\') {
            return Field { text, last };
        }
        self.scratch.clear();
        unescape_into(text, &mut self.scratch);
        Field { text: &self.scratch, last }
    }

    fn quoted_field(&mut self) -> Option<Field<'_>> {
        let start = self.at + self.rest().bytes().take_while(|&byte| byte == b' ').count();
        if self.text.as_bytes().get(start) != Some(&b'"') || self.open_quote.is_some() {
            return Some(self.plain_field());
        }
        self.scratch.clear();
        let Some(end) = self.unquote(start + 1) else {
            self.open_quote = Some(start);
            return Some(self.plain_field());
        };
        self.at = end;
        let tail = self.plain_field();
        if !tail.text.trim_matches(' ').is_empty() {
            self.scratch.push_str(tail.text);
            self.tails += 1;
        }
        Some(Field { text: &self.scratch, last: tail.last })
    }

    /// Writes the text between quotes into `scratch`; returns the position after the closing quote.
    fn unquote(&mut self, mut at: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let escape = if self.dialect.quotes == Quotes::Backslash { b'\\' } else { b'"' };
        loop {
            let found = at + memchr2(b'"', escape, &bytes[at..])?;
            self.scratch.push_str(&self.text[at..found]);
            match (bytes[found], bytes.get(found + 1)) {
                (b'"', Some(b'"')) | (b'\\', Some(b'"')) => self.scratch.push('"'),
                (b'\\', Some(b'\\')) => self.scratch.push('\\'),
                (b'"', _) => return Some(found + 1),
                // A backslash that escapes nothing is text.
                _ => {
                    self.scratch.push('\\');
                    at = found + 1;
                    continue;
                }
            }
            at = found + 2;
        }
    }

    /// Steps over the delimiter or line break after a field; returns true at the end of the record.
    fn step_over(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        self.fresh = bytes.get(self.at) != Some(&self.dialect.delimiter);
        self.at += match (bytes.get(self.at), bytes.get(self.at + 1)) {
            (None, _) => 0,
            (Some(b'\r'), Some(b'\n')) => 2,
            _ => 1,
        };
        self.fresh
    }
}
