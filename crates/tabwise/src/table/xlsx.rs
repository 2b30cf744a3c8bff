//! XLSX, read by `calamine` cell by cell. Numbers are written in the shortest form that parses back to the same number, with
//! the sign of percent or of a currency if they are shown with one; dates as `2010-05-12`.

use super::form::Form;
use super::sheet::{Merged, Name, Sheet, malformed};
use super::sparse::Sparse;
use super::{Allowance, Format, TableError, macros};
use calamine::{DataRef, ExcelDateTime, Reader, SheetType, SheetVisible, Xlsx, XlsxError};
use std::borrow::Cow;
use std::io::Cursor;

/// An open workbook.
pub(super) struct Book<'a> {
    /// Names of the sheets.
    pub names: Vec<Name>,
    book: Xlsx<Cursor<Cow<'a, [u8]>>>,
}

impl<'a> Book<'a> {
    /// Opens a workbook.
    pub(super) fn open(bytes: &'a [u8], allowance: &Allowance) -> Result<Book<'a>, TableError> {
        let book = match Xlsx::new(Cursor::new(Cow::Borrowed(bytes))) {
            Err(XlsxError::Unrecognized { typ: "sheet:type", .. }) => {
                Xlsx::new(Cursor::new(Cow::Owned(macros::as_dialogs(bytes, allowance)?)))
            }
            book => book,
        };
        let book = book.map_err(wrong)?;
        let name = |sheet: &calamine::Sheet| Name {
            title: sheet.name.clone(),
            is_hidden: sheet.visible != SheetVisible::Visible,
        };
        Ok(Book { names: book.sheets_metadata().iter().map(name).collect(), book })
    }

    /// Reads a sheet; one that is not a worksheet, such as a chart, is empty.
    pub(super) fn sheet(&mut self, number: usize, allowance: &Allowance) -> Result<Sheet, TableError> {
        let is_other = |sheet: &calamine::Sheet| sheet.typ != SheetType::WorkSheet;
        if self.book.sheets_metadata().get(number).is_some_and(is_other) {
            return Ok(Sheet::default());
        }
        let name = self.names.get(number).map_or("", |name| &name.title);
        let merged = self.book.merge_cells_by_sheet_name(name).unwrap_or_default().into_iter().map(merged).collect();
        let mut cells = Cells::default();
        let mut reader = match self.book.worksheet_cells_reader(name) {
            Err(XlsxError::NotAWorksheet(_)) => return Ok(Sheet::default()),
            reader => reader.map_err(wrong)?,
        };
        let forms: Vec<Form> = reader.styles().iter().map(Form::of).collect();
        while let Some((cell, style)) = reader.next_cell_with_style_id().map_err(wrong)? {
            let form = forms.get(style).unwrap_or(&Form::Plain);
            cells.push(cell.get_position(), &text(cell.get_value(), form), allowance)?;
        }
        Ok(Sheet { cells: cells.in_order(allowance)?, merged })
    }
}

fn wrong(error: impl std::fmt::Display) -> TableError {
    malformed(Format::Xlsx, error)
}

pub(super) fn merged(area: calamine::Dimensions) -> Merged {
    Merged {
        row: area.start.0 as usize,
        column: area.start.1 as usize,
        rows: area.end.0.saturating_sub(area.start.0) as usize + 1,
        columns: area.end.1.saturating_sub(area.start.1) as usize + 1,
    }
}

/// Cells in the order of the file, which may differ from the order of rows.
#[derive(Default)]
struct Cells {
    text: String,
    /// Row, column, and start and end of the text.
    cells: Vec<(u32, u32, usize, usize)>,
}

impl Cells {
    fn push(&mut self, (row, column): (u32, u32), text: &str, allowance: &Allowance) -> Result<(), TableError> {
        if text.is_empty() {
            return Ok(());
        }
        let start = self.text.len();
        allowance.check_cells(self.cells.len() + 1)?;
        allowance.check_text((start + text.len()) as u64)?;
        allowance.take(size_of::<(u32, u32, usize, usize)>() + text.len())?;
        self.text.push_str(text);
        self.cells.push((row, column, start, self.text.len()));
        Ok(())
    }

    /// Returns the cells in the order of rows, with empty rows in between.
    fn in_order(mut self, allowance: &Allowance) -> Result<Sparse, TableError> {
        self.cells.sort_unstable();
        let mut sparse = Sparse::default();
        for &(row, column, start, end) in &self.cells {
            // Ends the row before this cell, then adds the empty rows up to it.
            if sparse.has_open_row() && sparse.row_count() < row as usize {
                sparse.end_row(1, allowance)?;
            }
            if sparse.row_count() < row as usize {
                sparse.end_row(row as usize - sparse.row_count(), allowance)?;
            }
            sparse.push(column as usize, &self.text[start..end], allowance)?;
        }
        if !self.cells.is_empty() {
            sparse.end_row(1, allowance)?;
        }
        Ok(sparse)
    }
}

/// Returns the text of a cell with this value.
fn text<'a>(value: &'a DataRef, form: &Form) -> Cow<'a, str> {
    match value {
        DataRef::Int(number) => form.write(*number as f64).into(),
        DataRef::Float(number) => form.write(*number).into(),
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
pub(super) fn date(time: &ExcelDateTime) -> String {
    // There are no dates before the first; spreadsheet programs show signs of an error.
    if time.as_f64() < 0.0 && !time.is_duration() {
        return time.as_f64().to_string();
    }
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
