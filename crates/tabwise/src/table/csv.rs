//! CSV and TSV as they are found: any of four delimiters, quotes doubled or escaped by a backslash, line breaks inside
//! quotes, rows of different lengths. The scanner is written out here because it has to read every one of these
//! dialects, mend a quote that never closes, and stop at a limit before the memory is spent.

use super::clean::count;
use super::dialect::{Dialect, Quotes, guess};
use super::{Format, Limits, ReadSettings, Repair, Table, TableError};
use crate::text::escapes::unescape_into;
use memchr::{memchr2, memchr3};

/// Reads the text into a table. The first record is the header. The text is scanned twice: once for the size of the
/// table, so that limits are kept and rows longer than the header have room, and once for the cells.
pub(super) fn read(text: &str, format: Format, settings: &ReadSettings) -> Result<Table, TableError> {
    let (text, named) = without_separator_line(text);
    let dialect = guess(text, format, settings.delimiter.or(named));
    let shape = Shape::measure(Fields::new(text, dialect), &settings.limits)?;
    shape.check(format, settings)?;
    let mut table = fill(Fields::new(text, dialect), &shape);
    note(&mut table, &shape, dialect);
    Ok(table)
}

/// Spreadsheet programs write a first line such as `sep=;` to name the delimiter.
fn without_separator_line(text: &str) -> (&str, Option<u8>) {
    let Some((line, rest)) = text.split_once('\n') else { return (text, None) };
    match line.trim_end_matches('\r').strip_prefix("sep=").map(str::as_bytes) {
        Some(&[delimiter]) if delimiter.is_ascii() && delimiter != b'"' => (rest, Some(delimiter)),
        _ => (text, None),
    }
}

/// The size of a table and what is odd about it.
#[derive(Default)]
struct Shape {
    rows: usize,
    header: usize,
    /// The header, or the last non-empty cell of the widest row.
    width: usize,
    /// Rows with fewer or more cells than the header, and the first of them.
    ragged: usize,
    first_ragged: Option<(usize, usize)>,
    /// The line of a quote that never closes.
    open_quote: Option<usize>,
}

impl Shape {
    fn measure(mut fields: Fields, limits: &Limits) -> Result<Shape, TableError> {
        let mut shape = Shape::default();
        let (mut cells, mut filled, mut records) = (0, 0, 0);
        while let Some(field) = fields.next() {
            cells += 1;
            if !field.text.is_empty() {
                filled = cells;
            }
            shape.keep_to(limits, cells.min(filled.max(shape.header)))?;
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

    fn keep_to(&self, limits: &Limits, columns: usize) -> Result<(), TableError> {
        let width = self.width.max(columns);
        limits.check_columns(width)?;
        limits.check_cells(width.saturating_mul(self.rows + 1))
    }

    /// Whether ragged rows may be mended.
    fn check(&self, format: Format, settings: &ReadSettings) -> Result<(), TableError> {
        match self.first_ragged {
            Some((record, cells)) if !settings.repairs.has(Repair::RaggedRows) => {
                let reason = format!(
                    "record {record} has {cells} cells and the header has {}; the repair \"ragged-rows\" would mend it",
                    self.header
                );
                Err(TableError::Malformed { format, reason })
            }
            _ => Ok(()),
        }
    }
}

fn fill(mut fields: Fields, shape: &Shape) -> Table {
    let mut header = Vec::new();
    while let Some(field) = fields.next() {
        header.push(field.text.to_owned());
        if field.last {
            break;
        }
    }
    header.resize(shape.width, String::new());
    let mut table = Table::with_capacity(header, shape.rows, fields.rest().len());
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
    table
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

/// One field, and whether it is the last of its record.
pub(super) struct Field<'a> {
    pub text: &'a str,
    pub last: bool,
}

/// The fields of a text, one after the other. Empty lines are no records.
pub(super) struct Fields<'a> {
    text: &'a str,
    at: usize,
    dialect: Dialect,
    /// Holds a field that differs from what stands in the text.
    scratch: String,
    /// Whether the field to come begins a record.
    fresh: bool,
    /// Where a quote opens that never closes. From there on quotes are text, so that no text is scanned again and again.
    open_quote: Option<usize>,
    /// How often text stood between a closing quote and the next delimiter.
    pub tails: usize,
}

impl<'a> Fields<'a> {
    pub fn new(text: &'a str, dialect: Dialect) -> Fields<'a> {
        Fields { text, at: 0, dialect, scratch: String::new(), fresh: true, open_quote: None, tails: 0 }
    }

    /// The next field; none at the end of the text.
    pub fn next(&mut self) -> Option<Field<'_>> {
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

    /// Whether a quote was met that never closes.
    pub fn has_open_quote(&self) -> bool {
        self.open_quote.is_some()
    }

    /// What has not been scanned yet.
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

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

    /// Puts what stands between the quotes into `scratch`; where the closing quote ends.
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
                _ => {
                    self.scratch.push('\\');
                    at = found + 1;
                    continue;
                }
            }
            at = found + 2;
        }
    }

    /// Steps over the delimiter or line break that ends a field; whether the record ends here too.
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
