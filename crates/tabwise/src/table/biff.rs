//! A look at the records of an XLS workbook before a library reads them. The library keeps every sheet as a full rectangle
//! and every cell with its own text, so a small file could take any amount of memory; here the rectangles and texts are
//! measured, and the memory is taken. The container is opened by a library that refuses chains of sectors without an end.

use super::sheet::malformed;
use super::{Allowance, Format, TableError};
use std::io::{Cursor, Read};

/// Types of records.
const EOF: u16 = 0x000A;
const BOF: u16 = 0x0809;
const CONTINUE: u16 = 0x003C;
const BOUND_SHEET: u16 = 0x0085;
const SHARED_TEXTS: u16 = 0x00FC;
const DIMENSIONS: u16 = 0x0200;
const FORMULA: u16 = 0x0006;
const MANY_NUMBERS: u16 = 0x00BD;
const SHARED_TEXT: u16 = 0x00FD;
/// Texts that are in their record; the last is the value of the formula before it.
const TEXT: [u16; 3] = [0x0204, 0x00D6, 0x0207];
/// Records that begin with the place of a cell.
const CELLS: [u16; 8] = [FORMULA, MANY_NUMBERS, SHARED_TEXT, 0x0204, 0x00D6, 0x0203, 0x0205, 0x027E];

/// Bytes that the library takes for a cell, for a place of a sheet (a value and a formula, each twice for a moment), and for a
/// byte of a formula, which may stand for a name.
const CELL: usize = 40;
const PLACE: usize = 2 * (32 + 24);
const TOKEN: usize = 64;
/// Bytes of UTF-8 for a character of a workbook.
const CHARACTER: usize = 3;

/// Checks a workbook.
pub(super) fn check(bytes: &[u8], allowance: &Allowance) -> Result<(), TableError> {
    // The container's sectors and the stream of records, here and in the library.
    allowance.take(bytes.len().saturating_mul(4))?;
    let stream = workbook(bytes)?;
    let (mut sheets, mut texts) = (Vec::new(), Vec::new());
    for record in Records(&stream).take_while(|record| record.kind != EOF) {
        match record.kind {
            BOUND_SHEET => sheets.push(record.number::<4>(0)),
            SHARED_TEXTS => texts = record.texts(),
            _ => {}
        }
    }
    allowance.check_sheets(sheets.len())?;
    let text: usize = texts.iter().map(|length| length + size_of::<String>()).sum();
    allowance.take(text)?;
    for start in sheets.into_iter().flatten() {
        let sheet = stream.get(start..).ok_or_else(|| malformed(Format::Xls, "a sheet begins after the end"))?;
        let size = Extent::of(sheet, &texts);
        allowance.check_shape(size.rows(), size.columns())?;
        allowance.step(sheet.len())?;
        allowance.take(size.memory())?;
    }
    Ok(())
}

/// Reads the stream of records.
fn workbook(bytes: &[u8]) -> Result<Vec<u8>, TableError> {
    let wrong = |error: std::io::Error| malformed(Format::Xls, error);
    let mut file = cfb::CompoundFile::open(Cursor::new(bytes)).map_err(wrong)?;
    let name = ["/Workbook", "/Book"].into_iter().find(|name| file.is_stream(name));
    let name =
        name.ok_or_else(|| TableError::NoTable { format: Format::Xls, why: ": it is no workbook".to_owned() })?;
    let mut stream = Vec::new();
    // A stream is not longer than its file, whatever it declares.
    file.open_stream(name).map_err(wrong)?.take(bytes.len() as u64).read_to_end(&mut stream).map_err(wrong)?;
    Ok(stream)
}

/// Records, one after the other, each with those that continue it. Ends at one that is cut.
struct Records<'a>(&'a [u8]);

struct Record<'a> {
    kind: u16,
    data: &'a [u8],
    more: Vec<&'a [u8]>,
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let (kind, data) = self.one()?;
        let mut more = Vec::new();
        while self.0.first_chunk::<2>() == Some(&CONTINUE.to_le_bytes()) {
            more.push(self.one()?.1);
        }
        Some(Record { kind, data, more })
    }
}

impl<'a> Records<'a> {
    fn one(&mut self) -> Option<(u16, &'a [u8])> {
        let (head, rest) = self.0.split_first_chunk::<4>()?;
        let (data, rest) = rest.split_at_checked(usize::from(u16::from_le_bytes([head[2], head[3]])))?;
        self.0 = rest;
        Some((u16::from_le_bytes([head[0], head[1]]), data))
    }
}

impl Record<'_> {
    /// Reads a number of `N` bytes.
    fn number<const N: usize>(&self, at: usize) -> Option<usize> {
        let bytes = self.data.get(at..)?.first_chunk::<N>()?;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    }

    /// Upper bounds on the bytes of shared texts. Ends at one that is cut.
    fn texts(&self) -> Vec<usize> {
        let mut pieces = Pieces { rest: self.data.get(8..).unwrap_or(&[]), more: &self.more };
        std::iter::from_fn(|| pieces.text()).collect()
    }
}

/// Data of a record and of those that continue it.
struct Pieces<'a> {
    rest: &'a [u8],
    more: &'a [&'a [u8]],
}

impl Pieces<'_> {
    /// Passes a shared text: its length, its flags, its characters, then runs of fonts and other remarks.
    fn text(&mut self) -> Option<usize> {
        if self.rest.is_empty() {
            self.turn()?;
        }
        let (&[low, high, flags], rest) = self.rest.split_first_chunk::<3>()?;
        self.rest = rest;
        let characters = usize::from(u16::from_le_bytes([low, high]));
        let mut extra = 0;
        if flags & 8 != 0 {
            extra += 4 * usize::from(u16::from_le_bytes(*self.take::<2>()?));
        }
        if flags & 4 != 0 {
            extra += u32::from_le_bytes(*self.take::<4>()?) as usize;
        }
        self.pass_characters(characters, flags)?;
        self.pass(extra)?;
        Some(characters * CHARACTER)
    }

    fn take<const N: usize>(&mut self) -> Option<&[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(taken)
    }

    /// Passes characters of one byte or two; where they go on in another record, it says anew which.
    fn pass_characters(&mut self, mut count: usize, mut flags: u8) -> Option<()> {
        loop {
            let size = if flags & 1 == 0 { 1 } else { 2 };
            let here = count.min(self.rest.len() / size);
            self.rest = &self.rest[here * size..];
            count -= here;
            if count == 0 {
                return Some(());
            }
            self.turn()?;
            flags = *self.rest.first()?;
            self.rest = &self.rest[1..];
        }
    }

    fn pass(&mut self, mut count: usize) -> Option<()> {
        while count > 0 {
            if self.rest.is_empty() {
                self.turn()?;
            }
            let here = count.min(self.rest.len());
            self.rest = &self.rest[here..];
            count -= here;
        }
        Some(())
    }

    /// Goes on with the next record.
    fn turn(&mut self) -> Option<()> {
        let (next, more) = self.more.split_first()?;
        (self.rest, self.more) = (next, more);
        Some(())
    }
}

/// Rectangle and contents of a sheet.
#[derive(Default)]
struct Extent {
    /// First and last row and column with a cell.
    rows: Option<(usize, usize)>,
    columns: Option<(usize, usize)>,
    cells: usize,
    text: usize,
    /// Cells that the sheet declares.
    declared: usize,
}

impl Extent {
    fn of(sheet: &[u8], texts: &[usize]) -> Extent {
        let (mut extent, mut depth) = (Extent::default(), 0);
        for record in Records(sheet) {
            match record.kind {
                BOF => depth += 1,
                // Sheets within a sheet are charts.
                EOF if depth <= 1 => break,
                EOF => depth -= 1,
                _ if depth <= 1 => extent.add(&record, texts),
                _ => {}
            }
        }
        extent
    }

    fn add(&mut self, record: &Record, texts: &[usize]) {
        let kind = record.kind;
        if kind == DIMENSIONS {
            self.declared = self.declared.saturating_add(declared(record));
        }
        self.text += match kind {
            SHARED_TEXT => record.number::<4>(6).and_then(|at| texts.get(at)).copied().unwrap_or(0),
            FORMULA => record.data.len().saturating_sub(20) * TOKEN,
            _ if TEXT.contains(&kind) => record.data.len() * CHARACTER,
            _ => 0,
        };
        let is_cell = CELLS.contains(&kind);
        let place = record.number::<2>(0).zip(record.number::<2>(2)).filter(|_| is_cell);
        let Some((row, column)) = place else { return };
        let last = match kind {
            // Six bytes for each number, between the places of the first and of the last.
            MANY_NUMBERS => column + (record.data.len() / 6).saturating_sub(2),
            _ => column,
        };
        self.cells += 1 + last - column;
        grow(&mut self.rows, row, row);
        grow(&mut self.columns, column, last);
    }

    fn rows(&self) -> usize {
        self.rows.map_or(0, |(first, last)| last - first + 1)
    }

    fn columns(&self) -> usize {
        self.columns.map_or(0, |(first, last)| last - first + 1)
    }

    /// Bytes that the library takes for the sheet.
    fn memory(&self) -> usize {
        let places = (self.rows() * self.columns()).saturating_mul(PLACE);
        let cells = self.cells.max(self.declared).saturating_mul(CELL);
        places.saturating_add(cells).saturating_add(self.text.saturating_mul(2))
    }
}

/// Cells of the rectangle that a sheet declares, for which the library makes room. In a release it takes a rectangle that ends
/// before it begins for one of thousands of millions of rows.
fn declared(record: &Record) -> usize {
    let (first, rows, columns) = match record.data.len() {
        10 => (record.number::<2>(0), record.number::<2>(2), record.number::<2>(6)),
        _ => (record.number::<4>(0), record.number::<4>(4), record.number::<2>(10)),
    };
    match (first, rows, columns) {
        (Some(first), Some(rows), Some(columns)) if rows > 0 && columns > 0 => {
            if first > rows {
                usize::MAX
            } else {
                rows.saturating_mul(columns)
            }
        }
        _ => 0,
    }
}

fn grow(range: &mut Option<(usize, usize)>, first: usize, last: usize) {
    let (start, end) = range.unwrap_or((first, last));
    *range = Some((start.min(first), end.max(last)));
}
