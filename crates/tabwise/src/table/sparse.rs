//! [`Sparse`]: rows whose width is known only at the end, as cells with their columns in one buffer. JSON and sheets
//! are read into it before they become a table.

use super::{Allowance, Table, TableError};

/// Cells with their columns, row by row; within a row in any order.
#[derive(Default)]
pub(super) struct Sparse {
    text: String,
    /// Column of each cell, and its end in `text`.
    cells: Vec<(u32, usize)>,
    /// End of each row in `cells`.
    rows: Vec<usize>,
    width: usize,
}

/// Steps that the copy of a cell takes.
const COPY: usize = 20;
/// Bytes that a cell takes besides its text.
const CELL: usize = size_of::<(u32, usize)>();

impl Sparse {
    /// Adds a cell to the row that is being read.
    pub(super) fn push(&mut self, column: usize, text: &str, allowance: &Allowance) -> Result<(), TableError> {
        self.widen(column.saturating_add(1), allowance)?;
        allowance.check_cell(text.len())?;
        allowance.check_text((self.text.len() + text.len()) as u64)?;
        allowance.take(CELL + text.len())?;
        self.text.push_str(text);
        self.cells.push((column as u32, self.text.len()));
        Ok(())
    }

    /// Makes the table at least this wide.
    pub(super) fn widen(&mut self, width: usize, allowance: &Allowance) -> Result<(), TableError> {
        self.width = self.width.max(width);
        allowance.check_shape(self.rows.len() + 1, self.width)
    }

    /// Ends the row that is being read, so that it is there `times` times.
    pub(super) fn end_row(&mut self, times: usize, allowance: &Allowance) -> Result<(), TableError> {
        let start = self.rows.last().copied().unwrap_or(0);
        let row: Vec<(usize, String)> = match times {
            0 | 1 => Vec::new(),
            _ => (start..self.cells.len()).map(|at| (self.column(at), self.cell(at).to_owned())).collect(),
        };
        // Before the copies are made: a few bytes of ODS may ask for a million of them.
        allowance.check_shape(self.rows.len().saturating_add(times), self.width)?;
        allowance.take(times.saturating_mul(size_of::<usize>()))?;
        allowance.step(times.saturating_mul(row.len()).saturating_mul(COPY))?;
        self.rows.push(self.cells.len());
        for _ in 1..times {
            row.iter().try_for_each(|(column, text)| self.push(*column, text, allowance))?;
            self.rows.push(self.cells.len());
        }
        Ok(())
    }

    /// True if the row that is being read has a cell.
    pub(super) fn has_open_row(&self) -> bool {
        self.cells.len() > self.rows.last().copied().unwrap_or(0)
    }

    /// Returns the number of complete rows.
    pub(super) fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// Returns the number of columns of the widest row.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    fn column(&self, at: usize) -> usize {
        self.cells[at].0 as usize
    }

    fn cell(&self, at: usize) -> &str {
        let start = if at == 0 { 0 } else { self.cells[at - 1].1 };
        &self.text[start..self.cells[at].1]
    }

    /// Returns the cells of a row with their columns.
    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = (usize, &str)> {
        let start = if row == 0 { 0 } else { self.rows[row - 1] };
        (start..self.rows[row]).map(|at| (self.column(at), self.cell(at)))
    }

    /// Makes a table with this header, which has to have a name for every column. Of two cells in one place the last
    /// counts.
    pub(super) fn table(&self, header: Vec<String>, allowance: &Allowance) -> Result<Table, TableError> {
        let mut table = Table::with_capacity(header, self.rows.len(), self.text.len(), allowance)?;
        let mut places = vec![""; table.column_count()];
        for row in 0..self.row_count() {
            places.fill("");
            self.row(row).for_each(|(column, text)| places[column] = text);
            table.push_row(&places);
        }
        Ok(table)
    }
}
