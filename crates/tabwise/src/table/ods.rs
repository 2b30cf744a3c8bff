//! ODS: the XML of an OpenDocument spreadsheet, read as a stream, because a few bytes of it may repeat a cell or a row a
//! million times. A cell's text is what the sheet shows, but numbers and dates are taken as they are stored.

use super::sheet::{Merged, Sheet, malformed, open};
use super::{Format, ReadSettings, TableError};
use quick_xml::events::{BytesStart, Event};
use std::io::BufReader;

/// The names of the sheets.
pub(super) fn names(bytes: &[u8]) -> Result<Vec<String>, TableError> {
    let mut names = Vec::new();
    each_event(bytes, |event| {
        if let Event::Start(element) = event
            && element.name().as_ref() == "table:table"
        {
            names.push(attribute(&element, "table:name").unwrap_or_default());
        }
        Ok(Then::Continue)
    })?;
    Ok(names)
}

/// The cells of a sheet.
pub(super) fn sheet(bytes: &[u8], number: usize, settings: &ReadSettings) -> Result<Sheet, TableError> {
    let mut reading = Reading::new(number, settings);
    each_event(bytes, |event| reading.take(event))?;
    Ok(reading.sheet)
}

/// Whether to go on with the stream.
enum Then {
    Continue,
    Stop,
}

fn each_event(bytes: &[u8], mut step: impl FnMut(Event) -> Result<Then, TableError>) -> Result<(), TableError> {
    let mut archive = open(bytes, Format::Ods)?;
    let content = archive.by_name("content.xml").map_err(wrong)?;
    let mut reader = quick_xml::Reader::from_reader(BufReader::new(content));
    reader.config_mut().expand_empty_elements = true;
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(wrong)? {
            Event::Eof => return Ok(()),
            event => {
                if let Then::Stop = step(event)? {
                    return Ok(());
                }
            }
        }
    }
}

fn wrong(error: impl std::fmt::Display) -> TableError {
    malformed(Format::Ods, error)
}

fn attribute(element: &BytesStart, name: &str) -> Option<String> {
    let found = element.try_get_attribute(name).ok().flatten()?;
    found.normalized_value(quick_xml::XmlVersion::Implicit1_0).ok().map(|value| value.into_owned())
}

/// A count given by an attribute; one when it is not given.
fn times(element: &BytesStart, name: &str) -> usize {
    attribute(element, name).and_then(|value| value.parse().ok()).unwrap_or(1).max(1)
}

/// Where the stream is.
struct Reading<'s> {
    settings: &'s ReadSettings,
    sheet: Sheet,
    /// How many sheets come before the wanted one.
    before: usize,
    /// Tables may stand inside the cells of a table; only the outermost are sheets.
    depth: usize,
    row_times: usize,
    column: usize,
    /// Empty rows that are written only if another row follows.
    empty_rows: usize,
    cell: Option<Cell>,
    /// Whether a remark is being read, which is no part of the cell.
    in_remark: bool,
}

/// The cell that is being read.
struct Cell {
    text: String,
    /// The value that is stored, if it is better than what is shown.
    value: Option<String>,
    times: usize,
    rows: usize,
    columns: usize,
}

impl<'s> Reading<'s> {
    fn new(before: usize, settings: &'s ReadSettings) -> Reading<'s> {
        let sheet = Sheet::default();
        Reading {
            settings,
            sheet,
            before,
            depth: 0,
            row_times: 1,
            column: 0,
            empty_rows: 0,
            cell: None,
            in_remark: false,
        }
    }

    fn take(&mut self, event: Event) -> Result<Then, TableError> {
        match event {
            Event::Start(element) => self.open(&element),
            Event::End(element) => return self.close(element.name().as_ref()),
            Event::Text(text) => self.write(&text.xml10_content()),
            Event::CData(text) => self.write(&text.xml10_content()),
            Event::GeneralRef(name) => {
                let character = name.resolve_char_ref().ok().flatten().map(String::from);
                let entity = || quick_xml::escape::resolve_predefined_entity(&name).map(str::to_owned);
                self.write(&character.or_else(entity).unwrap_or_default());
            }
            _ => {}
        }
        Ok(Then::Continue)
    }

    fn open(&mut self, element: &BytesStart) {
        let name = element.name();
        if name.as_ref() == "table:table" {
            self.depth += 1;
        }
        if self.depth != 1 || self.before > 0 {
            return;
        }
        match name.as_ref() {
            "table:table-row" => (self.row_times, self.column) = (times(element, "table:number-rows-repeated"), 0),
            "table:table-cell" | "table:covered-table-cell" => self.cell = Some(Cell::new(element)),
            "office:annotation" => self.in_remark = true,
            "text:p" if self.cell.as_ref().is_some_and(|cell| !cell.text.is_empty()) => self.write("\n"),
            "text:line-break" => self.write("\n"),
            "text:s" => self.write(&" ".repeat(times(element, "text:c").min(100))),
            "text:tab" => self.write(" "),
            _ => {}
        }
    }

    fn close(&mut self, name: &str) -> Result<Then, TableError> {
        if name == "table:table" {
            self.depth = self.depth.saturating_sub(1);
            if self.depth == 0 && self.before == 0 {
                return Ok(Then::Stop);
            }
            self.before -= usize::from(self.depth == 0);
        }
        if self.depth == 1 && self.before == 0 {
            match name {
                "table:table-row" => self.end_row()?,
                "table:table-cell" | "table:covered-table-cell" => self.end_cell()?,
                "office:annotation" => self.in_remark = false,
                _ => {}
            }
        }
        Ok(Then::Continue)
    }

    fn write(&mut self, text: &str) {
        if let Some(cell) = self.cell.as_mut().filter(|_| !self.in_remark && self.depth == 1) {
            cell.text.push_str(text);
        }
    }

    fn end_cell(&mut self) -> Result<(), TableError> {
        let Some(cell) = self.cell.take() else { return Ok(()) };
        let text = cell.value.as_ref().unwrap_or(&cell.text);
        if text.is_empty() {
            self.column = self.column.saturating_add(cell.times);
            return Ok(());
        }
        self.write_empty_rows()?;
        if cell.rows > 1 || cell.columns > 1 {
            let row = self.sheet.cells.row_count();
            self.sheet.merged.push(Merged { row, column: self.column, rows: cell.rows, columns: cell.columns });
        }
        for _ in 0..cell.times {
            self.sheet.cells.push(self.column, text, &self.settings.limits)?;
            self.column += 1;
        }
        Ok(())
    }

    fn write_empty_rows(&mut self) -> Result<(), TableError> {
        match std::mem::take(&mut self.empty_rows) {
            0 => Ok(()),
            rows => self.sheet.cells.end_row(rows, &self.settings.limits),
        }
    }

    fn end_row(&mut self) -> Result<(), TableError> {
        if self.sheet.cells.has_open_row() {
            return self.sheet.cells.end_row(self.row_times, &self.settings.limits);
        }
        self.empty_rows = self.empty_rows.saturating_add(self.row_times);
        Ok(())
    }
}

impl Cell {
    fn new(element: &BytesStart) -> Cell {
        let value = match attribute(element, "office:value-type").as_deref() {
            Some("float") => attribute(element, "office:value"),
            Some("date") => {
                attribute(element, "office:date-value").map(|date| date.replace("T00:00:00", "").replace('T', " "))
            }
            Some("string") => attribute(element, "office:string-value"),
            _ => None,
        };
        Cell {
            text: String::new(),
            value,
            times: times(element, "table:number-columns-repeated"),
            rows: times(element, "table:number-rows-spanned"),
            columns: times(element, "table:number-columns-spanned"),
        }
    }
}
