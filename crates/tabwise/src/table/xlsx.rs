//! XLSX, read by `calamine` cell by cell. Numbers are written in the shortest form that parses back to the same number,
//! dates as `2010-05-12`.

use super::sheet::{Merged, Sheet, malformed};
use super::sparse::Sparse;
use super::{Format, Limits, ReadSettings, TableError};
use calamine::{DataRef, ExcelDateTime, Reader, Xlsx};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::io::Cursor;

type Workbook<'a> = Xlsx<Cursor<&'a [u8]>>;

/// Returns the names of the sheets.
pub(super) fn names(bytes: &[u8]) -> Result<Vec<String>, TableError> {
    open(bytes).map(|workbook| workbook.sheet_names())
}

/// Reads a sheet; one that is not a worksheet, such as a chart, is empty.
pub(super) fn sheet(bytes: &[u8], number: usize, settings: &ReadSettings) -> Result<Sheet, TableError> {
    let mut workbook = open(bytes)?;
    let name = workbook.sheet_names().into_iter().nth(number).unwrap_or_default();
    let merged = merged(&mut workbook, &name);
    let mut cells = Cells::default();
    let mut reader = match workbook.worksheet_cells_reader(&name) {
        Err(calamine::XlsxError::NotAWorksheet(_)) => return Ok(Sheet::default()),
        reader => reader.map_err(wrong)?,
    };
    let mut empty = FxHashSet::default();
    while let Some(cell) = reader.next_cell().map_err(wrong)? {
        let text = text(cell.get_value());
        if text.is_empty() && empty.len() < settings.limits.cells {
            empty.insert(cell.get_position());
        }
        cells.push(cell.get_position(), &text, &settings.limits)?;
    }
    drop(reader);
    let uncomputed = if empty.is_empty() { 0 } else { formulas_in(&mut workbook, &name, &empty)? };
    Ok(Sheet { cells: cells.in_order(&settings.limits)?, merged, uncomputed })
}

/// Number of these cells that have a formula. Programs that write workbooks without computing them leave such cells.
fn formulas_in(workbook: &mut Workbook, sheet: &str, cells: &FxHashSet<(u32, u32)>) -> Result<usize, TableError> {
    let mut reader = workbook.worksheet_cells_reader(sheet).map_err(wrong)?;
    let mut count = 0;
    while let Some(formula) = reader.next_formula().map_err(wrong)? {
        count += usize::from(!formula.get_value().is_empty() && cells.contains(&formula.get_position()));
    }
    Ok(count)
}

fn open(bytes: &[u8]) -> Result<Workbook<'_>, TableError> {
    Xlsx::new(Cursor::new(bytes)).map_err(wrong)
}

fn wrong(error: impl std::fmt::Display) -> TableError {
    malformed(Format::Xlsx, error)
}

fn merged(workbook: &mut Workbook, sheet: &str) -> Vec<Merged> {
    let merged = workbook.merge_cells_by_sheet_name(sheet).unwrap_or_default();
    let one = |area: calamine::Dimensions| Merged {
        row: area.start.0 as usize,
        column: area.start.1 as usize,
        rows: area.end.0.saturating_sub(area.start.0) as usize + 1,
        columns: area.end.1.saturating_sub(area.start.1) as usize + 1,
    };
    merged.into_iter().map(one).collect()
}

/// Cells in the order of the file, which may differ from the order of rows.
#[derive(Default)]
struct Cells {
    text: String,
    /// Row, column, and start and end of the text.
    cells: Vec<(u32, u32, usize, usize)>,
}

impl Cells {
    fn push(&mut self, (row, column): (u32, u32), text: &str, limits: &Limits) -> Result<(), TableError> {
        if text.is_empty() {
            return Ok(());
        }
        let start = self.text.len();
        self.text.push_str(text);
        self.cells.push((row, column, start, self.text.len()));
        limits.check_cells(self.cells.len())?;
        limits.check_text(self.text.len() as u64)
    }

    /// Returns the cells in the order of rows, with empty rows in between.
    fn in_order(mut self, limits: &Limits) -> Result<Sparse, TableError> {
        self.cells.sort_unstable();
        let mut sparse = Sparse::default();
        for &(row, column, start, end) in &self.cells {
            // Ends the row before this cell, then adds the empty rows up to it.
            if sparse.has_open_row() && sparse.row_count() < row as usize {
                sparse.end_row(1, limits)?;
            }
            if sparse.row_count() < row as usize {
                sparse.end_row(row as usize - sparse.row_count(), limits)?;
            }
            sparse.push(column as usize, &self.text[start..end], limits)?;
        }
        if !self.cells.is_empty() {
            sparse.end_row(1, limits)?;
        }
        Ok(sparse)
    }
}

/// Returns the text of a cell with this value.
fn text<'a>(value: &'a DataRef) -> Cow<'a, str> {
    match value {
        DataRef::Int(number) => number.to_string().into(),
        DataRef::Float(number) => number.to_string().into(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.as_str().into(),
        DataRef::SharedString(text) => (*text).into(),
        DataRef::Bool(true) => "TRUE".into(),
        DataRef::Bool(false) => "FALSE".into(),
        DataRef::DateTime(time) => date(time).into(),
        DataRef::Error(error) => error.to_string().into(),
        DataRef::Empty => "".into(),
    }
}

/// Writes a date, a time of day, both, or a duration in hours, minutes and seconds.
fn date(time: &ExcelDateTime) -> String {
    let seconds = (time.as_f64() * 86_400.0).round();
    if time.is_duration() {
        let (total, sign) = (seconds.abs() as u64, if seconds < 0.0 { "-" } else { "" });
        return format!("{sign}{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
    }
    let (year, month, day, hour, minute, second, _) = time.to_ymd_hms_milli();
    let clock = format!("{hour:02}:{minute:02}:{second:02}");
    // Dates are days since 1900, so a value below 1 has a time only.
    match (time.as_f64() < 1.0, clock.as_str()) {
        (true, _) => clock,
        (false, "00:00:00") => format!("{year:04}-{month:02}-{day:02}"),
        (false, _) => format!("{year:04}-{month:02}-{day:02} {clock}"),
    }
}
