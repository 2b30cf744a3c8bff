//! JSON: an array of objects or of arrays, or one of them on each line. A value is kept as written (`1.50` stays
//! `1.50`), null is an empty cell, a list is a cell with one item per line, and an object stays JSON. Items are visited
//! one by one, so that limits apply before the memory is used.

use super::sparse::Sparse;
use super::{Allowance, Format, Table, TableError};
use rustc_hash::FxHashMap;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// Reads one JSON text: an array of rows, or an object with `header` (or `columns`) and `rows` (or `data`).
pub(super) fn read(text: &str, allowance: &Allowance) -> Result<Table, TableError> {
    let mut rows = Rows::new(allowance);
    if text.trim_start().starts_with('{') {
        let (header, body) = parts(text)?;
        header.map_or(Ok(()), |header| rows.push(header))?;
        each_item(body, |row| rows.push(row))?;
    } else {
        each_item(text, |row| rows.push(row))?;
    }
    rows.table(Format::Json)
}

/// Reads a JSON text from each line.
pub(super) fn read_lines(text: &str, allowance: &Allowance) -> Result<Table, TableError> {
    let mut rows = Rows::new(allowance);
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let row = serde_json::from_str(line).map_err(|error| malformed(&error, Format::JsonLines, number));
        rows.push(row?)?;
    }
    rows.table(Format::JsonLines)
}

/// Returns the header and the rows of an object that holds a table.
fn parts(text: &str) -> Result<(Option<&RawValue>, &str), TableError> {
    let (mut header, mut rows) = (None, None);
    each_field(text, |key, value| {
        match key.as_str() {
            "header" | "columns" => header = Some(value),
            "rows" | "data" => rows = Some(value.get()),
            _ => {}
        }
        Ok(())
    })?;
    let reason = "an object must have an array \"rows\"; for one object on each line use the format \"jsonl\"";
    let none = || TableError::Malformed { format: Format::Json, reason: reason.to_owned() };
    Ok((header, rows.filter(|rows| rows.starts_with('[')).ok_or_else(none)?))
}

/// The rows read so far. Keys become columns in the order of their first occurrence.
struct Rows<'l> {
    cells: Sparse,
    header: Vec<String>,
    columns: FxHashMap<String, usize>,
    allowance: &'l Allowance,
}

impl<'l> Rows<'l> {
    fn new(allowance: &'l Allowance) -> Rows<'l> {
        Rows { cells: Sparse::default(), header: Vec::new(), columns: FxHashMap::default(), allowance }
    }

    /// Adds a row. The first row is the header if it is an array.
    fn push(&mut self, row: &RawValue) -> Result<(), TableError> {
        match row.get().as_bytes().first() {
            Some(b'{') => each_field(row.get(), |key, value| self.push_field(key, value))?,
            Some(b'[') if self.header.is_empty() => return each_item(row.get(), |name| self.push_name(text(name)?)),
            Some(b'[') => self.push_array(row.get())?,
            _ => {
                let reason = "each row must be an object or an array".to_owned();
                return Err(TableError::Malformed { format: Format::Json, reason });
            }
        }
        self.cells.end_row(1, self.allowance)
    }

    fn push_field(&mut self, key: String, value: &RawValue) -> Result<(), TableError> {
        let column = match self.columns.get(&key) {
            Some(column) => *column,
            None => {
                self.columns.insert(key.clone(), self.header.len());
                self.push_name(key)?;
                self.header.len() - 1
            }
        };
        self.cells.push(column, &text(value)?, self.allowance)
    }

    fn push_name(&mut self, name: String) -> Result<(), TableError> {
        self.allowance.take(2 * (size_of::<String>() + name.len()))?;
        self.header.push(name);
        self.cells.widen(self.header.len(), self.allowance)
    }

    fn push_array(&mut self, row: &str) -> Result<(), TableError> {
        let mut column = 0;
        each_item(row, |value| {
            column += 1;
            self.cells.push(column - 1, &text(value)?, self.allowance)
        })
    }

    fn table(self, format: Format) -> Result<Table, TableError> {
        let mut header = self.header;
        header.resize(self.cells.width().max(header.len()), String::new());
        if header.is_empty() {
            return Err(TableError::NoTable { format, why: ": it has no rows with values".to_owned() });
        }
        self.cells.table(header, self.allowance)
    }
}

/// Returns the text of a cell with this value.
fn text(value: &RawValue) -> Result<String, TableError> {
    let raw = value.get();
    match raw.as_bytes().first() {
        Some(b'"') => serde_json::from_str(raw).map_err(|error| malformed(&error, Format::Json, 0)),
        Some(b'[') => list_text(raw),
        // Only `null` starts with this letter.
        Some(b'n') => Ok(String::new()),
        _ => Ok(raw.to_owned()),
    }
}

/// Returns the items of a list, one per line; a list of lists or objects stays JSON.
fn list_text(raw: &str) -> Result<String, TableError> {
    let (mut lines, mut is_flat) = (String::new(), true);
    each_item(raw, |item| {
        is_flat &= !item.get().starts_with(['[', '{']);
        if is_flat {
            lines += if lines.is_empty() { "" } else { "\n" };
            lines += &text(item)?;
        }
        Ok(())
    })?;
    Ok(if is_flat { lines } else { raw.to_owned() })
}

/// Wraps an error of the JSON parser. Its message gets the line of the file, and loses the column.
fn malformed(error: &serde_json::Error, format: Format, lines_before: usize) -> TableError {
    let reason = error.to_string();
    let reason = reason.split(" at line ").next().unwrap_or("");
    TableError::Malformed { format, reason: format!("{reason} in line {}", error.line() + lines_before) }
}

/// Visits the items of an array one by one, without keeping them.
fn each_item<'t>(text: &'t str, step: impl FnMut(&'t RawValue) -> Result<(), TableError>) -> Result<(), TableError> {
    let mut error = None;
    let mut json = serde_json::Deserializer::from_str(text);
    let done = json.deserialize_seq(Items { step, error: &mut error }).and_then(|()| json.end());
    finish(done, error)
}

/// Visits the fields of an object one by one, without keeping them.
fn each_field<'t>(
    text: &'t str,
    step: impl FnMut(String, &'t RawValue) -> Result<(), TableError>,
) -> Result<(), TableError> {
    let mut error = None;
    let mut json = serde_json::Deserializer::from_str(text);
    let done = json.deserialize_map(Fields { step, error: &mut error }).and_then(|()| json.end());
    finish(done, error)
}

/// Returns the error of a step if one stopped the parser, else the parser's own.
fn finish(done: serde_json::Result<()>, error: Option<TableError>) -> Result<(), TableError> {
    match (done, error) {
        (Ok(()), _) => Ok(()),
        (Err(_), Some(error)) => Err(error),
        (Err(error), None) => Err(malformed(&error, Format::Json, 0)),
    }
}

/// Visitor of an array.
struct Items<'e, F> {
    step: F,
    error: &'e mut Option<TableError>,
}

impl<'t, F: FnMut(&'t RawValue) -> Result<(), TableError>> Visitor<'t> for Items<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an array of objects or of arrays")
    }

    fn visit_seq<A: SeqAccess<'t>>(mut self, mut items: A) -> Result<(), A::Error> {
        while let Some(item) = items.next_element()? {
            (self.step)(item).map_err(|error| stop(self.error, error))?;
        }
        Ok(())
    }
}

/// Visitor of an object.
struct Fields<'e, F> {
    step: F,
    error: &'e mut Option<TableError>,
}

impl<'t, F: FnMut(String, &'t RawValue) -> Result<(), TableError>> Visitor<'t> for Fields<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(mut self, mut fields: A) -> Result<(), A::Error> {
        while let Some((key, value)) = fields.next_entry()? {
            (self.step)(key, value).map_err(|error| stop(self.error, error))?;
        }
        Ok(())
    }
}

/// Keeps the error of a step aside, and returns one that stops the parser.
fn stop<E: Error>(keep: &mut Option<TableError>, error: TableError) -> E {
    let stopped = E::custom(&error);
    *keep = Some(error);
    stopped
}
