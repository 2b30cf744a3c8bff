//! Workbooks: XLSX and ODS. The unpacked size of a file is checked before it is read, and cells are read one by one, so
//! that a small hostile file cannot use up the memory.

use super::sparse::Sparse;
use super::{Choice, Format, Limits, Listed, ReadSettings, Repair, Table, TableError, clean, ods, xlsx};
use std::io::{Cursor, Read, sink};
use std::panic::{AssertUnwindSafe, catch_unwind};
use zip::ZipArchive;

/// Reads the chosen sheet, or the first one with text if none is chosen.
pub(super) fn read(bytes: &[u8], format: Format, settings: &ReadSettings) -> Result<Table, TableError> {
    check_unpacked(bytes, format, &settings.limits)?;
    let names = names(bytes, format)?;
    let chosen: Vec<usize> = match settings.sheet.as_ref().or(settings.table.as_ref()) {
        None => (0..names.len()).collect(),
        Some(choice) => vec![choose(&names, choice)?],
    };
    for number in chosen {
        let sheet = sheet(bytes, format, number, settings)?;
        if sheet.cells.row_count() > 0 {
            return sheet.table(format, settings);
        }
    }
    Err(TableError::NoTable { format, why: EMPTY.to_owned() })
}

/// Lists the sheets of a workbook.
pub(super) fn list(bytes: &[u8], format: Format, settings: &ReadSettings) -> Result<Vec<Listed>, TableError> {
    check_unpacked(bytes, format, &settings.limits)?;
    let names = names(bytes, format)?;
    let listed = |(number, title): (usize, String)| {
        let cells = sheet(bytes, format, number, settings)?.cells;
        Ok(Listed { number, class: String::new(), title, rows: cells.row_count(), columns: cells.width() })
    };
    names.into_iter().enumerate().map(listed).collect()
}

/// Contents of a sheet.
#[derive(Default)]
pub(super) struct Sheet {
    /// Cells with text.
    pub cells: Sparse,
    /// Merged cells.
    pub merged: Vec<Merged>,
    /// Number of cells with a formula whose result is not in the file.
    pub uncomputed: usize,
}

/// A merged cell: an area of a sheet that its first cell covers.
pub(super) struct Merged {
    /// First row.
    pub row: usize,
    /// First column.
    pub column: usize,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
}

fn names(bytes: &[u8], format: Format) -> Result<Vec<String>, TableError> {
    if format == Format::Ods { ods::names(bytes) } else { guarded(|| xlsx::names(bytes)) }
}

fn sheet(bytes: &[u8], format: Format, number: usize, settings: &ReadSettings) -> Result<Sheet, TableError> {
    match format {
        Format::Ods => ods::sheet(bytes, number, settings),
        _ => guarded(|| xlsx::sheet(bytes, number, settings)),
    }
}

/// Turns a panic into an error: the XLSX library panics on some broken files.
fn guarded<T>(read: impl FnOnce() -> Result<T, TableError>) -> Result<T, TableError> {
    let broken = || Err(malformed(Format::Xlsx, "the parts of the file contradict each other"));
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| broken())
}

fn choose(names: &[String], choice: &Choice) -> Result<usize, TableError> {
    let found = choice.among(&[names.iter().map(String::as_str).collect()]);
    found.ok_or_else(|| {
        let there: Vec<String> = names.iter().map(|name| clean::quote(name)).collect();
        TableError::NotFound { what: "sheet", choice: choice.clone(), there: format!("there are {}", there.join(", ")) }
    })
}

impl Sheet {
    /// Makes the table. The first row is the header, after rows without text and titles above the table are dropped.
    fn table(&self, format: Format, settings: &ReadSettings) -> Result<Table, TableError> {
        let mut notes = Vec::new();
        let mut rows: Vec<usize> = (0..self.cells.row_count()).collect();
        if settings.repairs.has(Repair::EmptyLines) {
            rows.retain(|&row| self.cells.row(row).any(|(_, text)| !text.is_empty()));
            note_dropped(self.cells.row_count() - rows.len(), "without text", &mut notes);
        }
        if settings.repairs.has(Repair::TitleRows) {
            let titles = rows.iter().take_while(|&&row| self.is_title(row)).count();
            rows.drain(..titles.min(rows.len().saturating_sub(1)));
            note_dropped(titles, "above the table with one cell only", &mut notes);
        }
        let mut table = self.unmerged(&rows, format, &settings.limits)?;
        if self.uncomputed > 0 {
            let cells = clean::count(self.uncomputed, "cell", "cells");
            notes.push(format!(
                "{cells} with a formula but no result; open and save the file in a spreadsheet program to compute them"
            ));
        }
        notes.into_iter().for_each(|note| table.note(note));
        Ok(if settings.repairs.has(Repair::EmptyLines) { clean::without_empty_columns(table) } else { table })
    }

    /// True for a row with one cell only, in a sheet of several columns.
    fn is_title(&self, row: usize) -> bool {
        self.cells.width() > 1 && self.cells.row(row).filter(|(_, text)| !text.is_empty()).count() == 1
    }

    /// Makes a table of the rows, with the text of merged cells in every place they cover.
    fn unmerged(&self, rows: &[usize], format: Format, limits: &Limits) -> Result<Table, TableError> {
        let mut places = Places::new(self);
        let mut table: Option<Table> = None;
        let mut bytes = 0;
        for &row in rows {
            let texts = places.fill(row);
            bytes += texts.iter().map(|text| text.len() as u64).sum::<u64>();
            limits.check_text(bytes)?;
            match &mut table {
                None => table = Some(Table::new(texts.iter().map(|&text| text.to_owned()).collect())),
                Some(table) => table.push_row(texts),
            }
        }
        let mut table = table.ok_or(TableError::NoTable { format, why: EMPTY.to_owned() })?;
        if places.used > 0 {
            let merged = clean::count(places.used, "merged cell", "merged cells");
            table.note(format!("unmerged {merged} and repeated the text"));
        }
        Ok(table)
    }
}

const EMPTY: &str = ": the sheet is empty";

/// Fills in rows, one after the other, with the merged cells that reach into them.
struct Places<'a> {
    sheet: &'a Sheet,
    /// Merged cells, by row.
    merged: Vec<&'a Merged>,
    /// Number of merged cells that start in the rows so far.
    passed: usize,
    /// Number of merged cells with text in the rows so far.
    used: usize,
    /// For each column, the text that covers it, and the row after the last one that it covers.
    covers: Vec<(&'a str, usize)>,
    texts: Vec<&'a str>,
}

impl<'a> Places<'a> {
    fn new(sheet: &'a Sheet) -> Places<'a> {
        let mut merged: Vec<&Merged> = sheet.merged.iter().collect();
        merged.sort_by_key(|area| (area.row, area.column));
        let width = sheet.cells.width();
        Places { sheet, merged, passed: 0, used: 0, covers: vec![("", 0); width], texts: vec![""; width] }
    }

    /// Returns the texts of a row. Rows have to come in ascending order.
    fn fill(&mut self, row: usize) -> &[&'a str] {
        self.texts.fill("");
        self.sheet.cells.row(row).for_each(|(column, text)| self.texts[column] = text);
        while let Some(area) = self.merged.get(self.passed).filter(|area| area.row <= row) {
            self.passed += 1;
            self.cover(area, row);
        }
        for (text, (cover, end)) in self.texts.iter_mut().zip(&self.covers) {
            if text.is_empty() && row < *end {
                *text = cover;
            }
        }
        &self.texts
    }

    /// Starts a merged cell. Merged cells should not overlap; if they do, the first one wins, so that each place is
    /// covered once and the time is bounded.
    fn cover(&mut self, area: &Merged, row: usize) {
        let end = area.column.saturating_add(area.columns).min(self.covers.len());
        if area.row != row || area.column >= end || self.texts[area.column].is_empty() {
            return;
        }
        let text = self.texts[area.column];
        self.used += 1;
        for cover in self.covers[area.column..end].iter_mut().take_while(|(_, end)| *end <= row) {
            *cover = (text, area.row.saturating_add(area.rows));
        }
    }
}

fn note_dropped(dropped: usize, which: &str, notes: &mut Vec<String>) {
    if dropped > 0 {
        notes.push(format!("dropped {} {which}", clean::count(dropped, "row", "rows")));
    }
}

/// Checks the unpacked size: first the size that the directory declares, then, because that may be false, the real one.
fn check_unpacked(bytes: &[u8], format: Format, limits: &Limits) -> Result<(), TableError> {
    let mut archive = open(bytes, format)?;
    let limit = limits.unpacked_bytes;
    let mut declared: u64 = 0;
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(|error| malformed(format, error))?;
        declared = declared.saturating_add(entry.size());
    }
    limits.check_unpacked(declared)?;
    let mut real = 0;
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(|error| malformed(format, error))?;
        // One byte more than allowed is enough to exceed the limit.
        let copied = std::io::copy(&mut entry.take(limit.saturating_add(1) - real), &mut sink());
        real += copied.map_err(|error| malformed(format, error))?;
        limits.check_unpacked(real)?;
    }
    Ok(())
}

/// Opens the ZIP archive of a workbook.
pub(super) fn open(bytes: &[u8], format: Format) -> Result<ZipArchive<Cursor<&[u8]>>, TableError> {
    ZipArchive::new(Cursor::new(bytes)).map_err(|error| malformed(format, error))
}

/// Wraps an error of a library.
pub(super) fn malformed(format: Format, error: impl std::fmt::Display) -> TableError {
    TableError::Malformed { format, reason: error.to_string().trim_end_matches('.').to_owned() }
}
