//! [`Allowance`]: the limits of one reading, with a meter of the memory and the steps that it has used. Readers ask it
//! before they allocate or repeat.

use super::{Limits, TableError};
use crate::meter::{Exceeded, Meter};

/// Limits, and what one reading has used of them.
pub(super) struct Allowance {
    limits: Limits,
    meter: Meter,
}

impl Allowance {
    /// Starts a reading.
    pub(super) fn new(limits: &Limits) -> Allowance {
        Allowance { limits: *limits, meter: Meter::new(limits.budget()) }
    }

    /// Limits that are kept.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Memory that is left.
    pub(super) fn room(&self) -> u64 {
        self.meter.room()
    }

    /// Takes memory that is going to be allocated.
    pub(super) fn take(&self, bytes: usize) -> Result<(), TableError> {
        Ok(self.meter.take(bytes)?)
    }

    /// Does something whose memory is free again afterwards.
    pub(super) fn aside<T>(&self, work: impl FnOnce() -> Result<T, TableError>) -> Result<T, TableError> {
        let before = self.meter.room();
        let done = work();
        self.meter.give_back((before - self.meter.room()) as usize);
        done
    }

    /// Takes steps that are going to be made.
    pub(super) fn step(&self, steps: usize) -> Result<(), TableError> {
        Ok(self.meter.step(steps)?)
    }

    /// Returns an error if there are more columns than allowed.
    pub(super) fn check_columns(&self, columns: usize) -> Result<(), TableError> {
        let what = || format!("a table of {columns} columns or more");
        check(columns as u64, self.limits.columns as u64, "columns", what)
    }

    /// Returns an error if there are more cells than allowed.
    pub(super) fn check_cells(&self, cells: usize) -> Result<(), TableError> {
        check(cells as u64, self.limits.cells as u64, "cells", || format!("a table of {cells} cells or more"))
    }

    /// Returns an error if a table of this shape has more cells than allowed. Rows count even if they have no columns.
    pub(super) fn check_shape(&self, rows: usize, columns: usize) -> Result<(), TableError> {
        self.check_columns(columns)?;
        self.check_cells(rows.saturating_mul(columns.max(1)))
    }

    /// Returns an error if the texts of a table take more bytes than allowed, as those of merged cells may.
    pub(super) fn check_text(&self, bytes: u64) -> Result<(), TableError> {
        check(bytes, self.limits.bytes, "bytes", || format!("a table with {bytes} bytes of text or more"))
    }

    /// Returns an error if the text of one cell takes more bytes than allowed.
    pub(super) fn check_cell(&self, bytes: usize) -> Result<(), TableError> {
        check(bytes as u64, self.limits.cell_bytes, "cell-bytes", || {
            format!("a cell with {bytes} bytes of text or more")
        })
    }

    /// Returns an error if a workbook unpacks to more bytes than allowed.
    pub(super) fn check_unpacked(&self, bytes: u64) -> Result<(), TableError> {
        let what = || format!("a workbook that unpacks to {bytes} bytes or more");
        check(bytes, self.limits.unpacked_bytes, "unpacked-bytes", what)
    }

    /// Returns an error if a workbook has more sheets than allowed.
    pub(super) fn check_sheets(&self, sheets: usize) -> Result<(), TableError> {
        check(sheets as u64, self.limits.sheets as u64, "sheets", || format!("a workbook of {sheets} sheets or more"))
    }

    /// Returns an error if a page has more bytes than allowed.
    pub(super) fn check_page(&self, bytes: usize) -> Result<(), TableError> {
        check(bytes as u64, self.limits.page_bytes, "page-bytes", || format!("a page of {bytes} bytes"))
    }

    /// Returns an error if a page has more elements and texts than allowed.
    pub(super) fn check_nodes(&self, nodes: usize) -> Result<(), TableError> {
        check(nodes as u64, self.limits.nodes as u64, "nodes", || {
            format!("a page of {nodes} elements and texts or more")
        })
    }

    /// Returns an error if something is nested deeper than allowed.
    pub(super) fn check_depth(&self, depth: usize) -> Result<(), TableError> {
        check(depth as u64, self.limits.depth as u64, "depth", || format!("a nesting {depth} deep or more"))
    }

    /// Returns an error if the input has more bytes than allowed.
    pub(super) fn check_bytes(&self, bytes: usize) -> Result<(), TableError> {
        check(bytes as u64, self.limits.bytes, "bytes", || format!("an input of {bytes} bytes"))
    }
}

fn check(amount: u64, limit: u64, name: &'static str, what: impl Fn() -> String) -> Result<(), TableError> {
    if amount <= limit { Ok(()) } else { Err(TableError::TooLarge { what: what(), limit, name }) }
}

impl From<Exceeded> for TableError {
    fn from(exceeded: Exceeded) -> TableError {
        let (what, limit, name) = match exceeded {
            Exceeded::Memory(limit) => ("the memory that this input needs", limit, "memory"),
            Exceeded::Steps(limit) => ("the number of steps that this input needs", limit, "steps"),
        };
        TableError::TooLarge { what: what.to_owned(), limit, name }
    }
}
