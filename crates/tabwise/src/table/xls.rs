//! XLS, the workbooks of Excel before 2007, read by `calamine` after a look at their size (`biff.rs`).

use super::sheet::{Name, Sheet, malformed};
use super::sparse::Sparse;
use super::xlsx::{date, merged};
use super::{Allowance, Format, TableError, biff};
use calamine::{Data, Reader, SheetVisible, Xls};
use std::borrow::Cow;
use std::io::Cursor;

/// An open workbook.
pub(super) struct Book<'a> {
    /// Names of the sheets.
    pub names: Vec<Name>,
    book: Xls<Cursor<&'a [u8]>>,
}

impl<'a> Book<'a> {
    /// Opens a workbook. All of its sheets are read at once, so their memory is taken here.
    pub(super) fn open(bytes: &'a [u8], allowance: &Allowance) -> Result<Book<'a>, TableError> {
        biff::check(bytes, allowance)?;
        let book = Xls::new(Cursor::new(bytes)).map_err(wrong)?;
        let name = |sheet: &calamine::Sheet| Name {
            title: sheet.name.clone(),
            is_hidden: sheet.visible != SheetVisible::Visible,
        };
        Ok(Book { names: book.sheets_metadata().iter().map(name).collect(), book })
    }

    /// Returns the cells of a sheet.
    pub(super) fn sheet(&mut self, number: usize, allowance: &Allowance) -> Result<Sheet, TableError> {
        let name = self.names.get(number).map_or("", |name| &name.title);
        let range = self.book.worksheet_range(name).map_err(wrong)?;
        let areas = self.book.merge_cells_by_sheet_name(name).unwrap_or_default();
        let (row, column) = range.start().unwrap_or_default();
        let mut cells = Sparse::default();
        if !range.is_empty() && row > 0 {
            cells.end_row(row as usize, allowance)?;
        }
        for values in range.rows() {
            for (at, value) in values.iter().enumerate() {
                let text = text(value);
                if !text.is_empty() {
                    cells.push(column as usize + at, &text, allowance)?;
                }
            }
            cells.end_row(1, allowance)?;
        }
        Ok(Sheet { cells, merged: areas.into_iter().map(merged).collect() })
    }
}

fn wrong(error: impl std::fmt::Display) -> TableError {
    malformed(Format::Xls, error)
}

/// Returns the text of a cell with this value.
fn text(value: &Data) -> Cow<'_, str> {
    match value {
        Data::Int(number) => number.to_string().into(),
        Data::Float(number) => number.to_string().into(),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text.as_str().into(),
        Data::Bool(true) => "TRUE".into(),
        Data::Bool(false) => "FALSE".into(),
        Data::DateTime(time) => date(time).into(),
        Data::Error(error) => error.to_string().into(),
        Data::Empty => "".into(),
    }
}
