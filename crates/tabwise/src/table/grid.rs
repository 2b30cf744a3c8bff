//! [`Grid`]: a table with merged cells, before its header is known. A merged cell is in every place that it covers; a
//! place that no cell covers is empty.

use super::{Allowance, TableError};

/// A cell of the source.
#[derive(Debug, Default)]
pub(super) struct Cell {
    /// Text of the cell.
    pub text: String,
    /// True for a header cell.
    pub is_header: bool,
    /// Number of columns that it covers, at least 1.
    pub columns: usize,
    /// Number of rows that it covers, at least 1.
    pub rows: usize,
}

/// Rows of cells.
#[derive(Default)]
pub(super) struct Grid {
    cells: Vec<Cell>,
    /// Index of the cell in each place, row by row.
    places: Vec<u32>,
    /// End of each row in `places`.
    ends: Vec<usize>,
    /// For each column, the cell that covers it from above, and the number of rows that it covers from here on.
    open: Vec<(u32, usize)>,
    /// Bytes of the texts in all places; a merged cell counts in each of its places.
    bytes: u64,
}

/// Bytes that a place takes.
const PLACE: usize = size_of::<u32>();

/// Marks a place that no cell covers.
const NOTHING: u32 = u32::MAX;

impl Grid {
    /// Adds a row. Its cells go to the places that cells from above leave free.
    pub(super) fn push_row(
        &mut self,
        cells: impl IntoIterator<Item = Cell>,
        allowance: &Allowance,
    ) -> Result<(), TableError> {
        let start = self.row_start();
        for cell in cells {
            self.take_open(start);
            self.push_cell(start, cell, allowance)?;
        }
        self.take_all_open(start);
        self.ends.push(self.places.len());
        allowance.check_cells(self.places.len())?;
        allowance.take((self.places.len() - start) * PLACE + size_of::<usize>())?;
        self.bytes += self.places[start..].iter().map(|&id| self.text_length(id)).sum::<u64>();
        allowance.check_text(self.bytes)
    }

    fn row_start(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    fn text_length(&self, id: u32) -> u64 {
        self.cells.get(id as usize).map_or(0, |cell| cell.text.len() as u64)
    }

    fn push_cell(&mut self, start: usize, cell: Cell, allowance: &Allowance) -> Result<(), TableError> {
        let id = u32::try_from(self.cells.len()).unwrap_or(NOTHING);
        let column = self.places.len() - start;
        allowance.check_columns(column + cell.columns)?;
        allowance.check_cells(self.places.len() + cell.columns)?;
        allowance.check_cell(cell.text.len())?;
        allowance.take(size_of::<Cell>() + cell.text.capacity())?;
        self.places.extend(std::iter::repeat_n(id, cell.columns));
        self.open.resize(self.open.len().max(column + cell.columns), (NOTHING, 0));
        // A cell that reaches into places covered from above takes them over.
        self.open[column..column + cell.columns].fill((id, cell.rows - 1));
        self.cells.push(cell);
        Ok(())
    }

    /// Puts the cells from above into the next places, up to the next free place.
    fn take_open(&mut self, start: usize) {
        while let Some((id, left)) = self.open.get_mut(self.places.len() - start).filter(|(_, left)| *left > 0) {
            *left -= 1;
            self.places.push(*id);
        }
    }

    /// Puts the cells from above into the rest of the row.
    fn take_all_open(&mut self, start: usize) {
        let end = self.open.iter().rposition(|(_, left)| *left > 0).map_or(0, |last| last + 1);
        while self.places.len() - start < end {
            self.take_open(start);
            if self.places.len() - start < end {
                self.places.push(NOTHING);
            }
        }
    }

    /// Returns the number of rows.
    pub(super) fn row_count(&self) -> usize {
        self.ends.len()
    }

    /// Returns the number of places in the longest row.
    pub(super) fn width(&self) -> usize {
        (0..self.row_count()).map(|row| self.row(row).len()).max().unwrap_or(0)
    }

    fn row(&self, row: usize) -> &[u32] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.places[start..self.ends[row]]
    }

    /// Returns the cell in a place.
    pub(super) fn cell(&self, row: usize, column: usize) -> Option<&Cell> {
        self.row(row).get(column).and_then(|&id| self.cells.get(id as usize))
    }

    /// Returns the cells of a row, from left to right, without the empty places.
    pub(super) fn cells_of(&self, row: usize) -> impl Iterator<Item = &Cell> {
        self.row(row).iter().filter_map(|&id| self.cells.get(id as usize))
    }

    /// Returns the number of cells that were merged in the source.
    pub(super) fn merged_count(&self) -> usize {
        self.cells.iter().filter(|cell| cell.columns > 1 || cell.rows > 1).count()
    }
}
