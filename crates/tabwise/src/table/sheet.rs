//! Workbooks: XLSX, XLS and ODS. The parts of a file are looked at before a library reads them, and cells are read one by
//! one, so that a small hostile file cannot use up the memory.

use super::sparse::Sparse;
use super::unpack::{self, Facts};
use super::{Allowance, Choice, Format, Listed, ReadSettings, Repair, Table, TableError, clean, ods, xls, xlsx};
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use zip::ZipArchive;

/// Reads the chosen sheet; if none is chosen, the first one with text, visible ones before hidden ones.
pub(super) fn read(
    bytes: &[u8],
    format: Format,
    settings: &ReadSettings,
    allowance: &Allowance,
) -> Result<Table, TableError> {
    let facts = check(bytes, format, allowance)?;
    let mut book = Book::open(bytes, format, allowance)?;
    let chosen = match settings.sheet.as_ref().or(settings.table.as_ref()) {
        None => book.in_order(),
        Some(choice) => vec![choose(book.names(), choice)?],
    };
    for number in chosen {
        let sheet = book.sheet(number, allowance)?;
        if sheet.cells.row_count() > 0 {
            let name = &book.names()[number];
            let mut table = sheet.table(format, settings, allowance)?.titled(&name.title);
            note(&mut table, name, facts);
            return Ok(table);
        }
    }
    Err(TableError::NoTable { format, why: EMPTY.to_owned() })
}

/// Lists the sheets of a workbook.
pub(super) fn list(bytes: &[u8], format: Format, allowance: &Allowance) -> Result<Vec<Listed>, TableError> {
    check(bytes, format, allowance)?;
    let mut book = Book::open(bytes, format, allowance)?;
    let mut listed = Vec::new();
    for number in 0..book.names().len() {
        let (rows, columns) = allowance.aside(|| {
            let cells = book.sheet(number, allowance)?.cells;
            Ok((cells.row_count(), cells.width()))
        })?;
        let title = book.names()[number].title.clone();
        listed.push(Listed { number, class: String::new(), title, rows, columns });
    }
    Ok(listed)
}

/// Looks at the parts of a workbook that is an archive.
fn check(bytes: &[u8], format: Format, allowance: &Allowance) -> Result<Facts, TableError> {
    if format == Format::Xls { Ok(Facts::default()) } else { unpack::check(bytes, format, allowance) }
}

/// Adds notes on what the table does not show.
fn note(table: &mut Table, name: &Name, facts: Facts) {
    if name.is_hidden {
        table.note(format!("the sheet {} is hidden", clean::quote(&name.title)));
    }
    if facts.hides_lines {
        table.note("hidden rows and columns of the workbook are read as well");
    }
    if facts.formulas > 0 {
        let formulas = clean::count(facts.formulas, "formula", "formulas");
        table.note(format!("{formulas} of the workbook without a stored value left empty; save it in a spreadsheet program to store them"));
    }
}

/// Name of a sheet.
pub(super) struct Name {
    /// Name as people see it.
    pub title: String,
    /// True if the sheet is not shown.
    pub is_hidden: bool,
}

/// An open workbook.
enum Book<'a> {
    Xlsx(Box<xlsx::Book<'a>>),
    Xls(Box<xls::Book<'a>>),
    Ods(ods::Book<'a>),
}

impl<'a> Book<'a> {
    fn open(bytes: &'a [u8], format: Format, allowance: &Allowance) -> Result<Book<'a>, TableError> {
        let book = match format {
            Format::Xls => Book::Xls(Box::new(guarded(format, || xls::Book::open(bytes, allowance))?)),
            Format::Ods => Book::Ods(ods::Book::open(bytes, allowance)?),
            _ => Book::Xlsx(Box::new(guarded(format, || xlsx::Book::open(bytes, allowance))?)),
        };
        allowance.check_sheets(book.names().len())?;
        Ok(book)
    }

    fn names(&self) -> &[Name] {
        match self {
            Book::Xlsx(book) => &book.names,
            Book::Xls(book) => &book.names,
            Book::Ods(book) => &book.names,
        }
    }

    /// Numbers of the sheets that may have text, visible ones first.
    fn in_order(&self) -> Vec<usize> {
        let has_text = |number: &usize| match self {
            Book::Xlsx(_) | Book::Xls(_) => true,
            Book::Ods(book) => book.has_text(*number),
        };
        let mut numbers: Vec<usize> = (0..self.names().len()).filter(has_text).collect();
        numbers.sort_by_key(|&number| self.names()[number].is_hidden);
        numbers
    }

    fn sheet(&mut self, number: usize, allowance: &Allowance) -> Result<Sheet, TableError> {
        match self {
            Book::Xlsx(book) => guarded(Format::Xlsx, || book.sheet(number, allowance)),
            Book::Xls(book) => guarded(Format::Xls, || book.sheet(number, allowance)),
            Book::Ods(book) => book.sheet(number, allowance),
        }
    }
}

/// Contents of a sheet.
#[derive(Default)]
pub(super) struct Sheet {
    /// Cells with text.
    pub cells: Sparse,
    /// Merged cells.
    pub merged: Vec<Merged>,
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

/// Turns a panic into an error: libraries panic on some broken files.
pub(super) fn guarded<T>(format: Format, read: impl FnOnce() -> Result<T, TableError>) -> Result<T, TableError> {
    let broken = || Err(malformed(format, "the parts of the file contradict each other"));
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| broken())
}

/// Beginnings of the folders of the libraries under the readers of workbooks, databases, Arrow, Parquet and compressed
/// files.
const READERS: &[&str] = &[
    "calamine-",
    "cfb-",
    "zip-",
    "quick-xml-",
    "rusqlite-",
    "arrow-",
    "parquet-",
    "flatbuffers-",
    "chrono-",
    "brotli",
    "snap-",
    "lz4_flex-",
    "flate2-",
    "miniz_oxide-",
    "ruzstd-",
];

/// True for a panic in a library that reads files. It becomes an error of the file, so programs need not tell of it.
pub fn is_of_reader(panic: &PanicHookInfo) -> bool {
    let file = panic.location().map_or("", |place| place.file());
    READERS.iter().any(|reader| file.contains(reader))
}

fn choose(names: &[Name], choice: &Choice) -> Result<usize, TableError> {
    let found = choice.among(&[names.iter().map(|name| name.title.as_str()).collect()]);
    found.ok_or_else(|| {
        let mut there: Vec<String> = names.iter().take(MOST_NAMED).map(|name| clean::quote(&name.title)).collect();
        there.extend((names.len() > MOST_NAMED).then(|| format!("… {} in all", names.len())));
        TableError::NotFound { what: "sheet", choice: choice.clone(), there: format!("there are {}", there.join(", ")) }
    })
}

/// Number of sheets that an error names.
const MOST_NAMED: usize = 20;

impl Sheet {
    /// Makes the table. The first row is the header, after rows without text and titles above the table are dropped.
    fn table(&self, format: Format, settings: &ReadSettings, allowance: &Allowance) -> Result<Table, TableError> {
        let mut notes = Vec::new();
        let mut rows: Vec<usize> = (0..self.cells.row_count()).collect();
        if settings.repairs.has(Repair::EmptyLines) {
            rows.retain(|&row| self.cells.row(row).any(|(_, text)| !text.is_empty()));
            note_dropped(self.cells.row_count() - rows.len(), "without text", &mut notes);
        }
        if settings.repairs.has(Repair::TitleRows) {
            let titles = rows.iter().take_while(|&&row| self.is_title(row)).count();
            // Where no row has more than one cell, they are a table of one column.
            let titles = if titles < rows.len() { titles } else { 0 };
            rows.drain(..titles);
            note_dropped(titles, "above the table with one cell only", &mut notes);
        }
        let mut table = self.unmerged(&rows, format, allowance)?;
        notes.into_iter().for_each(|note| table.note(note));
        if !settings.repairs.has(Repair::EmptyLines) {
            return Ok(table);
        }
        clean::without_empty_columns(table, allowance)
    }

    /// True for a row with one cell only, in a sheet of several columns.
    fn is_title(&self, row: usize) -> bool {
        self.cells.width() > 1 && self.cells.row(row).filter(|(_, text)| !text.is_empty()).count() == 1
    }

    /// Makes a table of the rows, with the text of merged cells in every place they cover.
    fn unmerged(&self, rows: &[usize], format: Format, allowance: &Allowance) -> Result<Table, TableError> {
        let mut places = Places::new(self);
        let mut table: Option<Table> = None;
        let mut bytes = 0;
        for &row in rows {
            let texts = places.fill(row);
            bytes += texts.iter().map(|text| text.len() as u64).sum::<u64>();
            allowance.check_text(bytes)?;
            allowance.take(texts.iter().map(|text| text.len() + size_of::<usize>()).sum())?;
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

/// Opens the ZIP archive of a workbook.
pub(super) fn open(bytes: &[u8], format: Format) -> Result<ZipArchive<Cursor<&[u8]>>, TableError> {
    ZipArchive::new(Cursor::new(bytes)).map_err(|error| malformed(format, error))
}

/// Wraps an error of a library, of which the first line says what is wrong.
pub(super) fn malformed(format: Format, error: impl std::fmt::Display) -> TableError {
    let error = error.to_string();
    let reason = error.lines().next().unwrap_or_default().trim_end_matches('.');
    TableError::Malformed { format, reason: reason.to_owned() }
}
