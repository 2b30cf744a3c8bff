//! Cells on a grid: what a table with merged cells becomes before its header is known.

use super::{Limits, TableError};

/// A cell of the source, once.
pub(super) struct Cell {
    pub text: String,
    pub is_header: bool,
}

/// Rows of cells. A merged cell stands in every place it covers.
#[derive(Default)]
pub(super) struct Grid {
    pub cells: Vec<Cell>,
    /// For each row, the number of the cell in each place; a place may be empty.
    pub rows: Vec<Vec<Option<u32>>>,
    /// For each column, the cell that still covers it from above, and for how many more rows.
    open: Vec<(u32, usize)>,
    row: Vec<Option<u32>>,
    places: usize,
}

impl Grid {
    /// Begins a row.
    pub fn start_row(&mut self) {
        self.row.clear();
    }

    /// Puts a cell into the next free place of the row.
    pub fn push(&mut self, cell: Cell, columns: usize, rows: usize, limits: &Limits) -> Result<(), TableError> {
        self.take_open(false);
        let id = self.cells.len() as u32;
        self.cells.push(cell);
        limits.check_columns(self.row.len() + columns)?;
        for _ in 0..columns {
            self.open_at(self.row.len(), id, rows - 1);
            self.row.push(Some(id));
        }
        limits.check_cells(self.places + self.row.len())
    }

    /// Ends a row: cells from above fill what is left.
    pub fn end_row(&mut self, limits: &Limits) -> Result<(), TableError> {
        self.take_open(true);
        self.places += self.row.len();
        self.rows.push(self.row.clone());
        limits.check_cells(self.places)
    }

    fn open_at(&mut self, column: usize, id: u32, rows: usize) {
        if self.open.len() <= column {
            self.open.resize(column + 1, (0, 0));
        }
        self.open[column] = (id, rows);
    }

    /// Puts the cells that come from above into the places that follow: up to the next free one, or all of them.
    fn take_open(&mut self, to_the_end: bool) {
        while self.row.len() < self.open.len() {
            let (id, left) = &mut self.open[self.row.len()];
            if *left == 0 && !to_the_end {
                return;
            }
            let place = (*left > 0).then_some(*id);
            *left = left.saturating_sub(1);
            self.row.push(place);
        }
    }
}
