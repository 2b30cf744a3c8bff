//! Cells on a grid: what a table with merged cells becomes before its header is known. A merged cell stands in every
//! place it covers; a place that no cell covers is empty.

use super::{Limits, TableError};

/// A cell of the source, once.
#[derive(Debug, Default)]
pub(super) struct Cell {
    pub text: String,
    pub is_header: bool,
    pub columns: usize,
    pub rows: usize,
}

/// Rows of cells.
#[derive(Default)]
pub(super) struct Grid {
    cells: Vec<Cell>,
    /// The number of the cell in each place, row by row.
    places: Vec<u32>,
    /// Where each row ends in `places`.
    ends: Vec<usize>,
    /// For each column, the cell that still covers it from above, and for how many more rows.
    open: Vec<(u32, usize)>,
    /// Bytes of the texts in all places.
    bytes: u64,
}

/// Marks a place that no cell covers.
const NOTHING: u32 = u32::MAX;

impl Grid {
    /// Adds a row. Its cells go to the places that cells from above leave free.
    pub fn push_row(&mut self, cells: impl IntoIterator<Item = Cell>, limits: &Limits) -> Result<(), TableError> {
        let start = self.row_start();
        for cell in cells {
            self.take_open(start);
            self.push_cell(start, cell, limits)?;
        }
        self.take_all_open(start);
        self.ends.push(self.places.len());
        limits.check_cells(self.places.len())?;
        self.bytes += self.places[start..].iter().map(|&id| self.text_length(id)).sum::<u64>();
        limits.check_text(self.bytes)
    }

    fn row_start(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    fn text_length(&self, id: u32) -> u64 {
        self.cells.get(id as usize).map_or(0, |cell| cell.text.len() as u64)
    }

    fn push_cell(&mut self, start: usize, cell: Cell, limits: &Limits) -> Result<(), TableError> {
        let id = u32::try_from(self.cells.len()).unwrap_or(NOTHING);
        let column = self.places.len() - start;
        limits.check_columns(column + cell.columns)?;
        limits.check_cells(self.places.len() + cell.columns)?;
        self.places.extend(std::iter::repeat_n(id, cell.columns));
        self.open.resize(self.open.len().max(column + cell.columns), (NOTHING, 0));
        self.open[column..column + cell.columns].fill((id, cell.rows - 1));
        self.cells.push(cell);
        Ok(())
    }

    /// Puts the cells that come from above into the places that follow, up to the next free place.
    fn take_open(&mut self, start: usize) {
        while let Some((id, left)) = self.open.get_mut(self.places.len() - start).filter(|(_, left)| *left > 0) {
            *left -= 1;
            self.places.push(*id);
        }
    }

    /// Puts the cells that come from above into what is left of the row.
    fn take_all_open(&mut self, start: usize) {
        let end = self.open.iter().rposition(|(_, left)| *left > 0).map_or(0, |last| last + 1);
        while self.places.len() - start < end {
            self.take_open(start);
            if self.places.len() - start < end {
                self.places.push(NOTHING);
            }
        }
    }

    pub fn row_count(&self) -> usize {
        self.ends.len()
    }

    /// The number of places in the longest row.
    pub fn width(&self) -> usize {
        (0..self.row_count()).map(|row| self.row(row).len()).max().unwrap_or(0)
    }

    fn row(&self, row: usize) -> &[u32] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.places[start..self.ends[row]]
    }

    /// The cell in a place.
    pub fn cell(&self, row: usize, column: usize) -> Option<&Cell> {
        self.row(row).get(column).and_then(|&id| self.cells.get(id as usize))
    }

    /// The cells of a row, left to right, without the empty places.
    pub fn cells_of(&self, row: usize) -> impl Iterator<Item = &Cell> {
        self.row(row).iter().filter_map(|&id| self.cells.get(id as usize))
    }

    /// The cells that were merged in the source.
    pub fn merged_count(&self) -> usize {
        self.cells.iter().filter(|cell| cell.columns > 1 || cell.rows > 1).count()
    }
}
