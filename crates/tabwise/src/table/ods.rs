//! ODS: the XML of an OpenDocument spreadsheet. It is read as a stream, because a few bytes of it may repeat a cell or
//! a row a million times. The text of a cell is the one that is shown, except for numbers, shares, money and dates, which
//! are read as stored.

use super::form::Form;
use super::sheet::{Merged, Name, Sheet, malformed, open};
use super::{Allowance, Format, TableError};
use quick_xml::events::{BytesStart, Event};
use rustc_hash::FxHashSet;
use std::io::{BufReader, Read};

/// A workbook: its bytes, and what one pass over them tells of its sheets.
pub(super) struct Book<'a> {
    /// Names of the sheets.
    pub names: Vec<Name>,
    /// For each sheet, true if it has a cell.
    has_text: Vec<bool>,
    bytes: &'a [u8],
}

impl<'a> Book<'a> {
    /// Finds the sheets.
    pub(super) fn open(bytes: &'a [u8], allowance: &Allowance) -> Result<Book<'a>, TableError> {
        let mut book = Book { names: Vec::new(), has_text: Vec::new(), bytes };
        let mut survey = Survey::default();
        each_event(bytes, allowance, |event| {
            survey.take(&event, &mut book, allowance)?;
            allowance.check_sheets(book.names.len())?;
            Ok(Then::Continue)
        })?;
        Ok(book)
    }

    /// True if a sheet has a cell with text, or may have one.
    pub(super) fn has_text(&self, number: usize) -> bool {
        self.has_text[number]
    }

    /// Reads a sheet.
    pub(super) fn sheet(&self, number: usize, allowance: &Allowance) -> Result<Sheet, TableError> {
        let mut stream = Stream::new(number, allowance);
        each_event(self.bytes, allowance, |event| stream.take(event))?;
        Ok(stream.sheet)
    }
}

/// Pass over the names of sheets and the styles that hide them.
#[derive(Default)]
struct Survey {
    /// Depth of nested tables.
    depth: usize,
    /// Name of the style that is being read.
    style: String,
    /// Styles of sheets that are not shown.
    hiding: FxHashSet<String>,
}

impl Survey {
    fn take(&mut self, event: &Event, book: &mut Book, allowance: &Allowance) -> Result<(), TableError> {
        match event {
            Event::Start(element) => self.open(element, book, allowance)?,
            Event::End(element) if element.name().as_ref() == "table:table" => {
                self.depth = self.depth.saturating_sub(1)
            }
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, element: &BytesStart, book: &mut Book, allowance: &Allowance) -> Result<(), TableError> {
        match element.name().as_ref() {
            "style:style" => self.style = attribute(element, "style:name").unwrap_or_default(),
            "style:table-properties" if attribute(element, "table:display").as_deref() == Some("false") => {
                allowance.take(NAME + self.style.len())?;
                self.hiding.insert(std::mem::take(&mut self.style));
            }
            "table:table" => {
                self.depth += 1;
                if self.depth == 1 {
                    let style = attribute(element, "table:style-name").unwrap_or_default();
                    let title = attribute(element, "table:name").unwrap_or_default();
                    allowance.take(NAME + title.len())?;
                    book.names.push(Name { title, is_hidden: self.hiding.contains(&style) });
                    book.has_text.push(false);
                }
            }
            // A cell with a value or a text has a value type or a paragraph.
            "text:p" if self.depth > 0 => book.has_text.iter_mut().next_back().into_iter().for_each(|has| *has = true),
            "table:table-cell"
                if self.depth > 0 && element.try_get_attribute("office:value-type").ok().flatten().is_some() =>
            {
                book.has_text.iter_mut().next_back().into_iter().for_each(|has| *has = true);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Memory for a name besides its text, in a list or a set that grows.
const NAME: usize = 4 * size_of::<Name>();

/// Decision to go on with the stream or not.
enum Then {
    Continue,
    Stop,
}

/// Number of bytes of the list of parts that are searched for a sign of encryption.
const MANIFEST: u64 = 1 << 16;

/// Visits the events of the content's XML, which may be nested as deep as a page.
fn each_event(
    bytes: &[u8],
    allowance: &Allowance,
    mut step: impl FnMut(Event) -> Result<Then, TableError>,
) -> Result<(), TableError> {
    let mut archive = open(bytes, Format::Ods)?;
    let mut manifest = String::new();
    if let Ok(part) = archive.by_name("META-INF/manifest.xml")
        && part.take(MANIFEST).read_to_string(&mut manifest).is_ok()
        && manifest.contains("manifest:encryption-data")
    {
        return Err(wrong("it is protected by a password; save it without one"));
    }
    let content = archive.by_name("content.xml").map_err(wrong)?;
    let mut reader = quick_xml::Reader::from_reader(BufReader::new(content));
    reader.config_mut().expand_empty_elements = true;
    let (mut buffer, mut depth) = (Vec::new(), 0);
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(wrong)? {
            Event::Eof => return Ok(()),
            event => {
                depth += usize::from(matches!(event, Event::Start(_)));
                depth -= usize::from(matches!(event, Event::End(_)));
                allowance.check_depth(depth)?;
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

/// Returns the stored number of a cell.
fn number(element: &BytesStart) -> Option<f64> {
    attribute(element, "office:value").and_then(|value| value.parse().ok())
}

/// Returns the count in an attribute; 1 if it is missing or malformed.
fn times(element: &BytesStart, name: &str) -> usize {
    attribute(element, name).and_then(|value| value.parse().ok()).unwrap_or(1).max(1)
}

/// State of the stream.
struct Stream<'s> {
    allowance: &'s Allowance,
    sheet: Sheet,
    /// Number of sheets before the wanted one.
    before: usize,
    /// Depth of nested tables. Cells may contain tables; only the outermost are sheets.
    depth: usize,
    /// Number of times that the row is repeated.
    row_times: usize,
    /// Column of the next cell.
    column: usize,
    /// Number of empty rows that are added only if a row with text follows. Sheets often end with a million of them.
    empty_rows: usize,
    cell: Option<Cell>,
    /// True inside a comment, which is not part of the cell.
    in_comment: bool,
}

/// The cell that is being read.
struct Cell {
    text: String,
    /// Stored value of a number or date, which is more exact than the text shown.
    value: Option<String>,
    /// Stored value of an amount of money; the text shown has the sign of its currency.
    money: Option<f64>,
    times: usize,
    rows: usize,
    columns: usize,
}

impl<'s> Stream<'s> {
    fn new(before: usize, allowance: &'s Allowance) -> Stream<'s> {
        let sheet = Sheet::default();
        Stream {
            allowance,
            sheet,
            before,
            depth: 0,
            row_times: 1,
            column: 0,
            empty_rows: 0,
            cell: None,
            in_comment: false,
        }
    }

    fn take(&mut self, event: Event) -> Result<Then, TableError> {
        match event {
            Event::Start(element) => self.open(&element)?,
            Event::End(element) => return self.close(element.name().as_ref()),
            Event::Text(text) => self.write(&text.xml10_content())?,
            Event::CData(text) => self.write(&text.xml10_content())?,
            Event::GeneralRef(name) => {
                let character = name.resolve_char_ref().ok().flatten().map(String::from);
                let entity = || quick_xml::escape::resolve_predefined_entity(&name).map(str::to_owned);
                self.write(&character.or_else(entity).unwrap_or_default())?;
            }
            _ => {}
        }
        Ok(Then::Continue)
    }

    fn open(&mut self, element: &BytesStart) -> Result<(), TableError> {
        let name = element.name();
        if name.as_ref() == "table:table" {
            self.depth += 1;
        }
        if self.depth != 1 || self.before > 0 {
            return Ok(());
        }
        match name.as_ref() {
            "table:table-row" => (self.row_times, self.column) = (times(element, "table:number-rows-repeated"), 0),
            "table:table-cell" | "table:covered-table-cell" => self.cell = Some(Cell::new(element)),
            "office:annotation" => self.in_comment = true,
            "text:p" if self.cell.as_ref().is_some_and(|cell| !cell.text.is_empty()) => self.write("\n")?,
            "text:line-break" => self.write("\n")?,
            "text:s" => self.write(&" ".repeat(times(element, "text:c").min(100)))?,
            "text:tab" => self.write(" ")?,
            _ => {}
        }
        Ok(())
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
                "office:annotation" => self.in_comment = false,
                _ => {}
            }
        }
        Ok(Then::Continue)
    }

    fn write(&mut self, text: &str) -> Result<(), TableError> {
        if let Some(cell) = self.cell.as_mut().filter(|_| !self.in_comment && self.depth == 1) {
            self.allowance.check_cell(cell.text.len() + text.len())?;
            cell.text.push_str(text);
        }
        Ok(())
    }

    /// Adds the cell that was read, as often as it is repeated.
    fn end_cell(&mut self) -> Result<(), TableError> {
        let Some(cell) = self.cell.take() else { return Ok(()) };
        let money = cell.money.map(|number| Form::of_sign(&cell.text).write(number));
        let text = money.as_ref().or(cell.value.as_ref()).unwrap_or(&cell.text);
        if text.is_empty() {
            self.column = self.column.saturating_add(cell.times);
            return Ok(());
        }
        self.write_empty_rows()?;
        if cell.rows > 1 || cell.columns > 1 {
            let row = self.sheet.cells.row_count();
            self.allowance.take(2 * size_of::<Merged>())?;
            self.sheet.merged.push(Merged { row, column: self.column, rows: cell.rows, columns: cell.columns });
        }
        self.allowance.check_columns(self.column.saturating_add(cell.times))?;
        for _ in 0..cell.times {
            self.sheet.cells.push(self.column, text, self.allowance)?;
            self.column += 1;
        }
        Ok(())
    }

    fn write_empty_rows(&mut self) -> Result<(), TableError> {
        match std::mem::take(&mut self.empty_rows) {
            0 => Ok(()),
            rows => self.sheet.cells.end_row(rows, self.allowance),
        }
    }

    fn end_row(&mut self) -> Result<(), TableError> {
        if self.sheet.cells.has_open_row() {
            return self.sheet.cells.end_row(self.row_times, self.allowance);
        }
        self.empty_rows = self.empty_rows.saturating_add(self.row_times);
        Ok(())
    }
}

impl Cell {
    fn new(element: &BytesStart) -> Cell {
        let value = match attribute(element, "office:value-type").as_deref() {
            Some("float") => attribute(element, "office:value"),
            Some("percentage") => number(element).map(|number| Form::Percent.write(number)),
            Some("boolean") => attribute(element, "office:boolean-value").map(|truth| truth.to_uppercase()),
            Some("date") => {
                attribute(element, "office:date-value").map(|date| date.replace("T00:00:00", "").replace('T', " "))
            }
            Some("string") => attribute(element, "office:string-value"),
            _ => None,
        };
        let is_money = attribute(element, "office:value-type").as_deref() == Some("currency");
        Cell {
            text: String::new(),
            value,
            money: number(element).filter(|_| is_money),
            times: times(element, "table:number-columns-repeated"),
            rows: times(element, "table:number-rows-spanned"),
            columns: times(element, "table:number-columns-spanned"),
        }
    }
}
