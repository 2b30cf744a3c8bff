//! Tables without a header: the first row is data like the others. The names of columns are needed to ask about them, so
//! the first row is the header unless told otherwise; a note says when it does not look like one.

use super::{Allowance, Table, TableError, clean};

/// Rows that are compared with the header.
const SAMPLE: usize = 100;
/// Fewest rows that tell what a column holds.
const FEWEST: usize = 2;

/// Adds a note if the header looks like one more row.
pub(super) fn noted(mut table: Table) -> Table {
    if has_data_for_header(&table) {
        let first: Vec<String> = table.header().iter().take(3).map(|name| clean::quote(name)).collect();
        let more = if table.column_count() > 3 { ", …" } else { "" };
        table.note(format!(
            "the header looks like data: {}{more}; the option \"no-header\" reads it as a row",
            first.join(", ")
        ));
    }
    table
}

/// Returns the table with its header as the first row, and numbers for names.
pub(super) fn with_numbers(table: Table, allowance: &Allowance) -> Result<Table, TableError> {
    allowance.take(table.memory())?;
    let names = (1..=table.column_count()).map(|number| format!("column {number}")).collect();
    let mut fresh = Table::new(names);
    fresh.push_row(table.header());
    (0..table.row_count()).for_each(|row| fresh.push_row(table.row(row)));
    table.notes().iter().for_each(|note| fresh.note(note));
    Ok(fresh)
}

/// True if some column has the kind of its cells in its header as well, and none has a name above numbers or dates.
fn has_data_for_header(table: &Table) -> bool {
    let header = table.header();
    if table.row_count() < FEWEST || header.iter().any(|name| name.trim().is_empty()) || counts_columns(header) {
        return false;
    }
    let signs = (0..table.column_count()).map(|column| sign(table, column));
    signs.collect::<Option<Vec<bool>>>().is_some_and(|signs| signs.contains(&true))
}

/// True if the header numbers its columns.
fn counts_columns(header: &[String]) -> bool {
    [0, 1].iter().any(|first| header.iter().enumerate().all(|(at, name)| name.trim() == (at + first).to_string()))
}

/// True if the header of a column is like its cells, false if that is open, `None` if it is clearly a name.
fn sign(table: &Table, column: usize) -> Option<bool> {
    let name = table.header()[column].trim();
    let cells = (0..table.row_count().min(SAMPLE)).map(|row| table.cell(row, column).trim());
    let cells: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
    if cells.len() < FEWEST {
        return Some(false);
    }
    let kind = shape(cells[0]);
    if !cells.iter().all(|cell| shape(cell) == kind) {
        return Some(false);
    }
    match kind {
        Shape::Text => Some(false),
        // A year above numbers that are none is the name of a column.
        Shape::Number if is_year(name) && !cells.iter().all(|cell| is_year(cell)) => None,
        kind if shape(name) == kind => Some(true),
        _ => None,
    }
}

/// Look of a text.
#[derive(PartialEq, Eq)]
enum Shape {
    Number,
    /// Digits with dashes, slashes or colons.
    Date,
    Text,
}

fn shape(text: &str) -> Shape {
    let is_any = |signs: &str| text.chars().all(|c| c.is_ascii_digit() || signs.contains(c));
    match text.chars().any(|c| c.is_ascii_digit()) {
        true if is_any(".,-+$€£%") && text.rfind('-').unwrap_or(0) == 0 => Shape::Number,
        true if is_any("-/:. T") => Shape::Date,
        _ => Shape::Text,
    }
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.parse().is_ok_and(|year: u16| (1000..2200).contains(&year))
}
