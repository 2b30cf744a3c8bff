//! Clean-up that turns a table made for reading into one to compute with ([`table`]), as was done for the
//! WikiTableQuestions dataset: title rows and nearly empty columns are dropped, columns that never disagree are merged,
//! and so are header rows. Each step is a named repair and adds a note.

use super::above::is_title;
use super::grid::Grid;
use super::{Allowance, Format, ReadSettings, Repair, Table, TableError};
use rustc_hash::FxHashSet;

/// Makes a table of a grid, with clean-up.
pub(super) fn table(
    grid: &Grid,
    format: Format,
    settings: &ReadSettings,
    allowance: &Allowance,
) -> Result<Table, TableError> {
    let mut view = View::new(grid, allowance)?;
    if settings.repairs.has(Repair::TitleRows) {
        view.drop_title_rows();
    }
    if settings.repairs.has(Repair::SparseColumns) {
        view.drop_sparse_columns();
    }
    if settings.repairs.has(Repair::SameColumns) {
        view.merge_same_columns();
    }
    view.check_ragged(format, settings)?;
    let header_rows = if settings.repairs.has(Repair::HeaderRows) { view.header_rows() } else { 1 };
    if view.rows.is_empty() || view.columns.is_empty() {
        let why = ": no rows or columns are left after the repairs; fewer repairs may keep some".to_owned();
        return Err(TableError::NoTable { format, why });
    }
    view.table(header_rows, allowance)
}

/// Makes a table of a grid without clean-up: the first row is the header.
pub(super) fn plain_table(
    grid: &Grid,
    format: Format,
    settings: &ReadSettings,
    allowance: &Allowance,
) -> Result<Table, TableError> {
    let mut view = View::new(grid, allowance)?;
    view.check_ragged(format, settings)?;
    view.table(1, allowance)
}

/// Drops the columns that have no text at all.
pub(super) fn without_empty_columns(table: Table, allowance: &Allowance) -> Result<Table, TableError> {
    let is_empty = |&column: &usize| {
        table.header()[column].is_empty() && (0..table.row_count()).all(|row| table.cell(row, column).is_empty())
    };
    let kept: Vec<usize> = (0..table.column_count()).filter(|column| !is_empty(column)).collect();
    if kept.len() == table.column_count() || kept.is_empty() {
        return Ok(table);
    }
    allowance.take(table.memory())?;
    let mut fresh = Table::new(kept.iter().map(|&column| table.header()[column].clone()).collect());
    (0..table.row_count()).for_each(|row| fresh.push_row(kept.iter().map(|&column| table.cell(row, column))));
    table.notes().iter().for_each(|note| fresh.note(note));
    let dropped = table.column_count() - kept.len();
    fresh.note(format!("dropped {} without text", count(dropped, "column", "columns")));
    Ok(fresh)
}

/// Drops a title above the header: a first line with one text of several words, above a line with a different name in each
/// column. In a table of two columns, that line could be the first row of a table whose second column has no name, unless it is
/// the only one with letters in a column.
pub(super) fn without_title(table: Table, allowance: &Allowance) -> Result<Table, TableError> {
    let (title, rest) = table.header().split_first().map_or(("", &[][..]), |(title, rest)| (title.as_str(), rest));
    let is_title = is_title(title) && !rest.is_empty() && rest.iter().all(|text| text.trim().is_empty());
    if !is_title || table.row_count() < 2 {
        return Ok(table);
    }
    let below: FxHashSet<&str> = table.row(0).filter(|text| text.contains(char::is_alphabetic)).collect();
    let has_letters = |row: usize, column: usize| table.cell(row, column).contains(char::is_alphabetic);
    let is_name = |column: usize| !(1..table.row_count()).any(|row| has_letters(row, column));
    let is_header = rest.len() >= 2 || (0..table.column_count()).any(is_name);
    if below.len() < table.column_count() || !is_header {
        return Ok(table);
    }
    allowance.take(table.memory())?;
    let mut fresh = Table::new(table.row(0).map(str::to_owned).collect());
    (1..table.row_count()).for_each(|row| fresh.push_row(table.row(row)));
    table.notes().iter().for_each(|note| fresh.note(note));
    fresh.note(format!("dropped the title {} above the header", quote(title)));
    Ok(fresh)
}

/// Steps that the repairs take for a place.
const PASSES: usize = 10;
/// Bytes that a column of a view takes: a list of one number.
const COLUMN: usize = 64;

/// The part of a grid that is kept.
struct View<'a> {
    grid: &'a Grid,
    /// Rows that are kept.
    rows: Vec<usize>,
    /// Columns that are kept; each is one or more columns of the grid, merged.
    columns: Vec<Vec<usize>>,
    notes: Vec<String>,
}

impl<'a> View<'a> {
    /// Keeps everything. Each repair is a pass over all places, filled or not.
    fn new(grid: &'a Grid, allowance: &Allowance) -> Result<View<'a>, TableError> {
        let (rows, width) = (grid.row_count(), grid.width());
        allowance.step(rows.saturating_mul(width).saturating_mul(PASSES))?;
        allowance.take(rows * (size_of::<usize>() + 2 * size_of::<&str>()) + width * COLUMN)?;
        let columns = (0..width).map(|column| vec![column]).collect();
        Ok(View { grid, rows: (0..rows).collect(), columns, notes: Vec::new() })
    }

    /// Returns the text in a place; empty if there is no cell.
    fn text(&self, row: usize, column: usize) -> &'a str {
        self.grid.cell(row, column).map_or("", |cell| cell.text.as_str())
    }

    /// Returns the text of merged columns: the first that is not empty.
    fn merged_text(&self, row: usize, columns: &[usize]) -> &'a str {
        columns.iter().map(|&column| self.text(row, column)).find(|text| !text.is_empty()).unwrap_or("")
    }

    /// Drops rows whose cells all have the same text. Places without a cell do not count, so that a remark across half
    /// of the table is a title as well. A table of one column has no titles.
    fn drop_title_rows(&mut self) {
        if self.columns.len() < 2 {
            return;
        }
        let mut titles = Vec::new();
        self.rows.retain(|&row| {
            let mut texts = self.grid.cells_of(row).map(|cell| cell.text.as_str());
            let first = texts.next().unwrap_or("");
            let is_title = texts.all(|text| text == first);
            titles.extend(is_title.then_some(first));
            !is_title
        });
        self.note_list("dropped {} whose cells all hold the same text", "row", "rows", &titles);
    }

    /// Drops columns with at most one non-empty cell; the header counts.
    fn drop_sparse_columns(&mut self) {
        let grid = self.grid;
        let is_filled = |row: usize, column: usize| grid.cell(row, column).is_some_and(|cell| !cell.text.is_empty());
        let mut dropped = Vec::new();
        self.columns.retain(|column| {
            let mut filled = self.rows.iter().filter(|&&row| is_filled(row, column[0]));
            let (first, second) = (filled.next(), filled.next());
            if second.is_none() {
                dropped.push(first.and_then(|&row| grid.cell(row, column[0])).map_or("", |cell| cell.text.as_str()));
            }
            second.is_some()
        });
        self.note_list("dropped {} with at most one non-empty cell", "column", "columns", &dropped);
    }

    /// Merges a column into the one before it where no row has different texts in them.
    fn merge_same_columns(&mut self) {
        let mut merged: Vec<Vec<usize>> = Vec::new();
        let mut texts: Vec<&str> = Vec::new();
        let mut names = Vec::new();
        for column in std::mem::take(&mut self.columns) {
            let next: Vec<&str> = self.rows.iter().map(|&row| self.text(row, column[0])).collect();
            let agree = texts.iter().zip(&next).all(|(a, b)| a == b || a.is_empty() || b.is_empty());
            match merged.last_mut().filter(|_| agree) {
                Some(last) => {
                    last.extend(column);
                    texts.iter_mut().zip(&next).filter(|(text, _)| text.is_empty()).for_each(|(text, new)| *text = new);
                    names.push(texts.first().copied().unwrap_or(""));
                }
                None => {
                    merged.push(column);
                    texts = next;
                }
            }
        }
        self.columns = merged;
        self.note_list("merged {} into the one before because they never disagree", "column", "columns", &names);
    }

    /// Number of leading rows with header cells only; 1 if there is no such row, or no other.
    fn header_rows(&self) -> usize {
        let is_header = |&&row: &&usize| self.grid.cells_of(row).all(|cell| cell.is_header);
        match self.rows.iter().take_while(is_header).count() {
            all if all == self.rows.len() => 1,
            leading => leading.max(1),
        }
    }

    /// Adds a note on rows without a cell in some column, or returns an error if repairing them is not allowed.
    fn check_ragged(&mut self, format: Format, settings: &ReadSettings) -> Result<(), TableError> {
        let is_ragged = |&&row: &&usize| {
            let lacks = |columns: &Vec<usize>| columns.iter().all(|&column| self.grid.cell(row, column).is_none());
            self.columns.iter().any(lacks)
        };
        let ragged = self.rows.iter().filter(is_ragged).count();
        if ragged == 0 {
            return Ok(());
        }
        if !settings.repairs.has(Repair::RaggedRows) {
            let reason = format!("{ragged} rows are shorter than the table; the repair \"ragged-rows\" would fix it");
            return Err(TableError::Malformed { format, reason });
        }
        self.notes.push(format!("{} shorter than the table filled with empty cells", count(ragged, "row", "rows")));
        Ok(())
    }

    /// Makes the table; the first rows become the header.
    fn table(mut self, header_rows: usize, allowance: &Allowance) -> Result<Table, TableError> {
        if header_rows > 1 {
            self.notes.push(format!("merged the first {header_rows} rows into the header"));
        }
        let header = self.columns.iter().map(|columns| self.header_text(columns, header_rows)).collect();
        let rows = &self.rows[header_rows..];
        let length =
            |row: usize| self.columns.iter().map(|columns| self.merged_text(row, columns).len()).sum::<usize>();
        let text = rows.iter().map(|&row| length(row)).sum();
        let mut table = Table::with_capacity(header, rows.len(), text, allowance)?;
        for &row in rows {
            self.columns.iter().for_each(|columns| table.push_cell(self.merged_text(row, columns)));
        }
        self.notes.drain(..).for_each(|note| table.note(note));
        Ok(table)
    }

    /// Returns the distinct texts of a column's header cells, one per line.
    fn header_text(&self, columns: &[usize], header_rows: usize) -> String {
        let mut seen = FxHashSet::default();
        let texts = self.rows[..header_rows].iter().map(|&row| self.merged_text(row, columns));
        texts.filter(|text| !text.is_empty() && seen.insert(*text)).collect::<Vec<_>>().join("\n")
    }

    /// Adds a note on some rows or columns, with their number and the first few of their names.
    fn note_list(&mut self, what: &str, one: &str, many: &str, names: &[&str]) {
        if names.is_empty() {
            return;
        }
        let what = what.replace("{}", &count(names.len(), one, many));
        let mut named: Vec<String> =
            names.iter().filter(|name| !name.is_empty()).take(6).map(|name| quote(name)).collect();
        if named.len() > 5 {
            named[5] = "…".to_owned();
        }
        let colon = if named.is_empty() { "" } else { ": " };
        self.notes.push(format!("{what}{colon}{}", named.join(", ")));
    }
}

/// Returns a number with its noun: "1 row", "2 rows".
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Returns a clause on a number of tables: "there are 3 tables".
pub(super) fn there_are(tables: usize) -> String {
    format!("{} {}", if tables == 1 { "there is" } else { "there are" }, count(tables, "table", "tables"))
}

/// Returns a name in quotes, on one line and not too long.
pub(super) fn quote(name: &str) -> String {
    let mut short: String = name.chars().take(40).map(|c| if c == '\n' { ' ' } else { c }).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    format!("\"{short}\"")
}
