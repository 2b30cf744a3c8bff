//! Rows and columns of text as they are printed: aligned for people, CSV for spreadsheets, Markdown for documents. A row is made when
//! it is printed, so that a big table is not in memory twice.

use crate::style::{Style, one_line, places, width};
use std::borrow::Cow;
use std::io::{Result, Write};
use std::iter::repeat_n;

/// Maximum width of a column of an aligned table.
const WIDEST: usize = 40;
/// Spaces between two columns.
const GAP: usize = 2;

/// Header and rows to print.
pub(crate) struct Grid<'a> {
    pub header: Vec<&'a str>,
    /// Number of rows.
    pub count: usize,
    /// Makes the cells of a row.
    pub row: Box<dyn Fn(usize) -> Vec<&'a str> + 'a>,
}

impl<'a> Grid<'a> {
    /// Makes a grid of few rows.
    pub(crate) fn of(header: Vec<&'a str>, rows: Vec<Vec<&'a str>>) -> Grid<'a> {
        Grid { header, count: rows.len(), row: Box::new(move |at| rows[at].clone()) }
    }

    fn rows(&self) -> impl Iterator<Item = Vec<&'a str>> {
        (0..self.count).map(&self.row)
    }

    /// Prints aligned columns. Columns that do not fit into the terminal are left out, and a last line says so.
    pub(crate) fn aligned(&self, style: Style, out: &mut impl Write) -> Result<()> {
        let widths = self.widths();
        let shown = fitting(&widths, width());
        let widths = &widths[..shown];
        let mut line = String::new();
        align(&self.header, widths, &mut line);
        writeln!(out, "{}", style.header(&line))?;
        let rule: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
        writeln!(out, "{}", style.dim(&rule.join("  ")))?;
        for row in self.rows() {
            align(&row, widths, &mut line);
            writeln!(out, "{line}")?;
        }
        match self.header.len() - shown {
            0 => Ok(()),
            1 => writeln!(out, "{}", style.dim("1 more column does not fit; --format csv prints it")),
            more => {
                writeln!(out, "{}", style.dim(&format!("{more} more columns do not fit; --format csv prints them")))
            }
        }
    }

    /// Prints CSV with all cells in quotes.
    pub(crate) fn csv(&self, out: &mut impl Write) -> Result<()> {
        csv_record(&self.header, out)?;
        self.rows().try_for_each(|row| csv_record(&row, out))
    }

    /// Prints a pipe table.
    pub(crate) fn markdown(&self, out: &mut impl Write) -> Result<()> {
        let line = |cells: &[&str]| cells.iter().map(|cell| markdown_cell(cell)).collect::<Vec<_>>().join(" | ");
        writeln!(out, "| {} |", line(&self.header))?;
        writeln!(out, "|{}", "---|".repeat(self.header.len()))?;
        self.rows().try_for_each(|row| writeln!(out, "| {} |", line(&row)))
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self.header.iter().map(|name| places(&visible(name)).max(1)).collect();
        for row in self.rows() {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(places(&visible(cell)));
            }
        }
        widths
    }
}

/// Makes a line of cells in columns of these widths. It is the same text for all lines, since a big table has millions.
fn align(cells: &[&str], widths: &[usize], line: &mut String) {
    line.clear();
    for (cell, width) in cells.iter().zip(widths) {
        let cell = visible(cell);
        line.push_str(&cell);
        line.extend(repeat_n(' ', (width + GAP).saturating_sub(places(&cell))));
    }
    line.truncate(line.trim_end().len());
}

/// Number of columns that fit into a width; at least one.
fn fitting(widths: &[usize], width: usize) -> usize {
    let mut used = 0;
    let fits = |one: &&usize| {
        used += **one + if used == 0 { 0 } else { GAP };
        used <= width
    };
    widths.iter().take_while(fits).count().max(1).min(widths.len())
}

/// A cell on one line, shortened, with line breaks made visible.
fn visible(cell: &str) -> Cow<'_, str> {
    // Most cells are a short word or number, and a big table has millions.
    match cell.len() <= WIDEST && cell.bytes().all(|byte| byte.is_ascii_graphic()) {
        true => Cow::Borrowed(cell),
        false => Cow::Owned(one_line(&cell.replace('\n', "⏎"), WIDEST)),
    }
}

/// Prints a record with all cells in quotes.
fn csv_record(cells: &[&str], out: &mut impl Write) -> Result<()> {
    let quoted = cells.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\"")));
    writeln!(out, "{}", quoted.collect::<Vec<_>>().join(","))
}

fn markdown_cell(cell: &str) -> String {
    one_line(cell, usize::MAX).replace('\\', "\\\\").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(print: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> String {
        let mut out = Vec::new();
        print(&mut out).expect("a list can be written to");
        String::from_utf8(out).expect("it is text")
    }

    #[test]
    fn cells_are_escaped_for_each_format() {
        let grid = Grid::of(vec!["a|b", "c"], vec![vec!["x\ny", "\"q\""], vec!["1", ""]]);
        assert_eq!(printed(|out| grid.csv(out)), "\"a|b\",\"c\"\n\"x\ny\",\"\"\"q\"\"\"\n\"1\",\"\"\n");
        assert_eq!(printed(|out| grid.markdown(out)), "| a\\|b | c |\n|---|---|\n| x y | \"q\" |\n| 1 |  |\n");
        assert_eq!(printed(|out| grid.aligned(Style::Plain, out)), "a|b  c\n───  ───\nx⏎y  \"q\"\n1\n");
    }

    #[test]
    fn columns_are_cut_to_the_width() {
        assert_eq!(fitting(&[5, 5, 5], 19), 3);
        assert_eq!(fitting(&[5, 5, 5], 18), 2);
        assert_eq!(fitting(&[50], 20), 1);
        assert_eq!(fitting(&[], 20), 0);
    }
}
