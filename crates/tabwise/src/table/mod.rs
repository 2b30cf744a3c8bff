//! A table: a header and rows of text, all of one width. Whatever the source was, spans, header rows and ragged rows are
//! resolved before a `Table` exists, and what had to be repaired is said in its notes.

mod clean;
mod csv;
mod detect;
mod dialect;
mod encoding;
mod error;
mod format;
mod grid;
mod html;
mod json;
mod markdown;
mod ods;
mod page;
mod read;
mod settings;
mod sheet;
mod sparse;
mod xlsx;

pub use error::TableError;
pub use format::Format;
pub use read::{Listed, list, read};
pub use settings::{Choice, Limits, ReadSettings, Repair, Repairs};

/// Rectangular text. Cells stand one after the other in one buffer, so that a million rows cost little more than their
/// text.
#[derive(Clone, Debug, Default)]
pub struct Table {
    header: Vec<String>,
    text: String,
    /// Where each cell ends in `text`, row by row.
    ends: Vec<usize>,
    notes: Vec<String>,
}

impl Table {
    /// A table with this header and no rows yet.
    pub fn new(header: Vec<String>) -> Table {
        Table { header, ..Table::default() }
    }

    /// A table with this header and room for rows with so much text.
    fn with_capacity(header: Vec<String>, rows: usize, text: usize) -> Table {
        let ends = Vec::with_capacity(rows.saturating_mul(header.len()));
        Table { header, text: String::with_capacity(text), ends, notes: Vec::new() }
    }

    /// Adds the next cell of the row that is being read.
    fn push_cell(&mut self, cell: &str) {
        self.text.push_str(cell);
        self.ends.push(self.text.len());
    }

    /// Fills the row that is being read with empty cells.
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

    /// Adds one row: missing cells are empty, cells beyond the header are left out.
    pub fn push_row<S: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let mut cells = cells.into_iter();
        for _ in 0..self.header.len() {
            if let Some(cell) = cells.next() {
                self.text.push_str(cell.as_ref());
            }
            self.ends.push(self.text.len());
        }
    }

    /// Says what was repaired while reading.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// The names of the columns, as they stand in the source: they may be empty and may repeat.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// What was repaired while reading, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The number of columns.
    pub fn column_count(&self) -> usize {
        self.header.len()
    }

    /// The number of rows, without the header.
    pub fn row_count(&self) -> usize {
        self.ends.len().checked_div(self.header.len()).unwrap_or(0)
    }

    /// The text of a cell. Panics when the row or the column is not in the table.
    pub fn cell(&self, row: usize, column: usize) -> &str {
        assert!(column < self.header.len(), "column {column} is not in the table");
        let at = row * self.header.len() + column;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.text[start..self.ends[at]]
    }

    /// The cells of a row, left to right.
    pub fn row(&self, row: usize) -> impl Iterator<Item = &str> {
        (0..self.header.len()).map(move |column| self.cell(row, column))
    }
}
