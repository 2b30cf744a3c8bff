//! [`Table`]: a header and rows of text, all of one width. [`read()`] makes one from any [`Format`]: merged cells,
//! header rows and ragged rows are resolved on the way, and the notes of the table list these repairs.

mod above;
mod allowance;
#[cfg(feature = "arrow")]
mod arrow;
mod biff;
mod clean;
#[cfg(feature = "arrow")]
mod columns;
mod csv;
mod detect;
mod dialect;
mod encoding;
mod error;
mod form;
mod format;
mod grid;
mod headless;
mod html;
mod json;
mod macros;
mod markdown;
mod ods;
mod orientation;
mod packed;
mod page;
#[cfg(feature = "parquet")]
mod pages;
#[cfg(feature = "parquet")]
mod parquet;
mod parts;
mod read;
mod roles;
mod settings;
mod sheet;
mod sparse;
#[cfg(feature = "sqlite")]
mod sqlite;
mod strict;
mod tags;
#[cfg(feature = "parquet")]
mod thrift;
mod totals;
mod tree;
mod unpack;
mod xls;
mod xlsx;

use allowance::Allowance;
#[cfg(feature = "arrow")]
pub use arrow::from_batches;
pub use error::TableError;
pub use format::Format;
pub use parts::Parts;
pub use read::{Listed, choices, list, read};
pub use settings::{Choice, Header, Limits, Orientation, ReadSettings, Repair, Repairs};
pub use sheet::is_of_reader;

/// Rectangular text. All cells are in one buffer, so that a million rows take little more memory than their text.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Table {
    /// Name of its sheet, its caption or the heading above it; may be empty.
    title: String,
    header: Vec<String>,
    text: String,
    /// End of each cell in `text`, row by row.
    ends: Vec<usize>,
    notes: Vec<String>,
}

impl Table {
    /// Makes a table with this header and no rows.
    pub fn new(header: Vec<String>) -> Table {
        Table { header, ..Table::default() }
    }

    /// Makes a table with this header, and reserves memory for rows and bytes of text.
    fn with_capacity(
        header: Vec<String>,
        rows: usize,
        text: usize,
        allowance: &Allowance,
    ) -> Result<Table, TableError> {
        allowance.check_shape(rows, header.len())?;
        let cells = rows * header.len();
        allowance.take(cells * size_of::<usize>() + text + header.len() * size_of::<String>())?;
        let ends = Vec::with_capacity(cells);
        Ok(Table { header, text: String::with_capacity(text), ends, ..Table::default() })
    }

    /// Adds the next cell of the row that is being read.
    fn push_cell(&mut self, cell: &str) {
        self.text.push_str(cell);
        self.ends.push(self.text.len());
    }

    /// Fills the row that is being read up with empty cells.
    fn finish_row(&mut self) {
        let width = self.header.len().max(1);
        self.ends.resize(self.ends.len().next_multiple_of(width), self.text.len());
    }

    /// Reads a CSV with the default settings.
    ///
    /// ```
    /// use tabwise::table::Table;
    ///
    /// let table = Table::from_csv("City,Year\nAthens,1896\nParis,1900\n")?;
    /// assert_eq!(table.header(), ["City", "Year"]);
    /// assert_eq!(table.row(1).collect::<Vec<_>>(), ["Paris", "1900"]);
    /// # Ok::<(), tabwise::table::TableError>(())
    /// ```
    pub fn from_csv(text: &str) -> Result<Table, TableError> {
        Table::from_text(text, Format::Csv)
    }

    /// Reads the largest table of a web page, or of a piece of one, with the default settings.
    ///
    /// ```
    /// use tabwise::table::Table;
    ///
    /// let table = Table::from_html("<table><tr><th>City<th>Year<tr><td>Athens<td>1896<tr><td>Paris<td>1900</table>")?;
    /// assert_eq!(table.cell(0, 0), "Athens");
    /// # Ok::<(), tabwise::table::TableError>(())
    /// ```
    pub fn from_html(text: &str) -> Result<Table, TableError> {
        Table::from_text(text, Format::Html)
    }

    /// Reads a JSON array of objects or of arrays with the default settings.
    ///
    /// ```
    /// use tabwise::table::Table;
    ///
    /// let table = Table::from_json(r#"[{"city": "Athens", "year": 1896}, {"city": "Paris"}]"#)?;
    /// assert_eq!(table.header(), ["city", "year"]);
    /// assert_eq!(table.cell(1, 1), "");
    /// # Ok::<(), tabwise::table::TableError>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Table, TableError> {
        Table::from_text(text, Format::Json)
    }

    /// Reads the first pipe table of a Markdown text with the default settings.
    ///
    /// ```
    /// use tabwise::table::Table;
    ///
    /// let table = Table::from_markdown("| City | Year |\n|---|---|\n| Athens | 1896 |")?;
    /// assert_eq!(table.cell(0, 1), "1896");
    /// # Ok::<(), tabwise::table::TableError>(())
    /// ```
    pub fn from_markdown(text: &str) -> Result<Table, TableError> {
        Table::from_text(text, Format::Markdown)
    }

    fn from_text(text: &str, format: Format) -> Result<Table, TableError> {
        let settings = ReadSettings { format: Some(format), encoding: Some("utf-8".to_owned()), ..Default::default() };
        read(text.as_bytes(), None, &settings)
    }

    /// Bytes of memory that the table takes, at most.
    pub fn memory(&self) -> usize {
        let names: usize = self
            .header
            .iter()
            .chain(&self.notes)
            .chain([&self.title])
            .map(|text| text.capacity() + size_of::<String>())
            .sum();
        self.text.capacity() + self.ends.capacity() * size_of::<usize>() + names
    }

    /// Gives back memory that was reserved and is not used.
    pub fn shrink_to_fit(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Adds one row. Missing cells are empty, cells beyond the width of the header are dropped.
    pub fn push_row<S: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let mut cells = cells.into_iter();
        for _ in 0..self.header.len() {
            if let Some(cell) = cells.next() {
                self.text.push_str(cell.as_ref());
            }
            self.ends.push(self.text.len());
        }
    }

    /// Drops the rows from this one on.
    fn truncate_rows(&mut self, rows: usize) {
        self.ends.truncate(rows * self.header.len());
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// Returns the name of the sheet, or the caption or heading of the table; empty if the source has none.
    ///
    /// ```
    /// use tabwise::table::Table;
    ///
    /// let table = Table::from_html("<h2>Lakes</h2><table><tr><th>Lake<th>Depth<tr><td>Baikal<td>1642</table>")?;
    /// assert_eq!(table.title(), "Lakes");
    /// # Ok::<(), tabwise::table::TableError>(())
    /// ```
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The table with the title that it has in its source.
    fn titled(self, title: &str) -> Table {
        Table { title: title.to_owned(), ..self }
    }

    /// Adds a note on a repair made while reading.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Returns the names of the columns as in the source: they may be empty and may repeat.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// Returns the notes on repairs made while reading, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the number of columns.
    pub fn column_count(&self) -> usize {
        self.header.len()
    }

    /// Returns the number of rows, without the header.
    pub fn row_count(&self) -> usize {
        self.ends.len().checked_div(self.header.len()).unwrap_or(0)
    }

    /// Returns the text of a cell. Panics if the row or the column is not in the table; [`Table::get`] does not.
    pub fn cell(&self, row: usize, column: usize) -> &str {
        assert!(column < self.header.len(), "column {column} is not in the table");
        let at = row * self.header.len() + column;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.text[start..self.ends[at]]
    }

    /// Returns the text of a cell, if there is one.
    pub fn get(&self, row: usize, column: usize) -> Option<&str> {
        (row < self.row_count() && column < self.column_count()).then(|| self.cell(row, column))
    }

    /// Returns the cells of a row, from left to right. Panics if the row is not in the table.
    pub fn row(&self, row: usize) -> impl Iterator<Item = &str> {
        (0..self.header.len()).map(move |column| self.cell(row, column))
    }
}
