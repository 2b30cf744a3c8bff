//! An excerpt of a table for an answer: the rows and columns that matter, with the cells of the answer marked.

use crate::style::{Style, one_line, padded, places};
use std::collections::BTreeSet;
use tabwise::answer::Meaning;
use tabwise::table::Table;

/// Maximum number of rows.
const ROWS: usize = 8;
/// Maximum width of a cell.
const WIDEST: usize = 28;
/// Indentation of the excerpt in what is printed.
const INDENTED: usize = 2;
/// End of the header if columns are left out.
const MORE: &str = " ⋯";
/// Number of rows to show if the answer has no cells.
const FIRST: usize = 3;

/// The lines of the excerpt, at most `width` wide if one column fits.
pub(crate) fn picture(table: &Table, meaning: &Meaning, style: Style, width: usize) -> Vec<String> {
    let rows = chosen_rows(table, meaning);
    let number_width = rows.last().map_or(1, |row| (row + 1).to_string().len());
    let columns = chosen_columns(table, meaning, &rows, width.saturating_sub(INDENTED + number_width + places(MORE)));
    let marks = Marks::new(meaning);
    let widths: Vec<usize> = columns.iter().map(|column| column_width(table, *column, &rows, &marks)).collect();
    let mut lines = vec![header_line(table, &columns, &widths, number_width, style)];
    if columns.len() < table.column_count() {
        lines[0].push_str(&style.dim(MORE));
    }
    let mut before: Option<usize> = None;
    for row in &rows {
        if before.map_or(*row > 0, |before| before + 1 < *row) {
            lines.push(style.dim(&format!("{:>number_width$}", "⋮")));
        }
        lines.push(row_line(table, *row, &columns, &widths, number_width, &marks, style));
        before = Some(*row);
    }
    if before.is_some_and(|last| last + 1 < table.row_count()) {
        lines.push(style.dim(&format!("{:>number_width$}", "⋮")));
    }
    lines
}

/// Cells to mark.
struct Marks {
    answer: BTreeSet<(usize, usize)>,
    used: BTreeSet<(usize, usize)>,
}

impl Marks {
    fn new(meaning: &Meaning) -> Marks {
        let cells = |cells: &[[u32; 2]]| cells.iter().map(|[row, column]| (*row as usize, *column as usize)).collect();
        Marks { answer: cells(&meaning.cells), used: cells(&meaning.used) }
    }

    /// A cell with its mark: `[answer]` or `(used)`. Colours repeat the marks but never replace them.
    fn marked(&self, row: usize, column: usize, text: &str) -> String {
        match (self.answer.contains(&(row, column)), self.used.contains(&(row, column))) {
            (true, _) => format!("[{text}]"),
            (_, true) => format!("({text})"),
            _ => format!(" {text} "),
        }
    }

    /// A marked cell in its colour.
    fn paint(&self, row: usize, column: usize, text: &str, style: Style) -> String {
        match (self.answer.contains(&(row, column)), self.used.contains(&(row, column))) {
            (true, _) => style.answer_cell(text),
            (_, true) => style.used_cell(text),
            _ => text.to_owned(),
        }
    }
}

/// Rows to show, in the order of the table. Rows of the answer come first, then rows of used cells (of the steps, if
/// there are neither), then their neighbours, until there are enough.
fn chosen_rows(table: &Table, meaning: &Meaning) -> Vec<usize> {
    let of = |cells: &[[u32; 2]]| cells.iter().map(|cell| cell[0] as usize).collect::<Vec<_>>();
    let mut chosen_first = [of(&meaning.cells), of(&meaning.used)].concat();
    if chosen_first.is_empty() {
        chosen_first.extend(meaning.steps.iter().flat_map(|step| of(&step.cells).into_iter().take(ROWS)));
    }
    let mut chosen = BTreeSet::new();
    let neighbours = chosen_first.iter().flat_map(|row| [row.wrapping_sub(1), row + 1]);
    let first = if chosen_first.is_empty() { 0..FIRST } else { 0..0 };
    for row in chosen_first.iter().copied().chain(neighbours).chain(first).filter(|row| *row < table.row_count()) {
        if chosen.len() >= ROWS {
            break;
        }
        chosen.insert(row);
    }
    chosen.into_iter().collect()
}

/// Columns to show: those of the formula, then others from the left, as long as there is room left for them.
fn chosen_columns(table: &Table, meaning: &Meaning, rows: &[usize], mut left: usize) -> Vec<usize> {
    let chosen_first: Vec<usize> = meaning.columns.iter().map(|column| usize::from(*column)).collect();
    let others = (0..table.column_count()).filter(|column| !chosen_first.contains(column));
    let mut chosen = Vec::new();
    let marks = Marks::new(meaning);
    for column in chosen_first.iter().copied().chain(others) {
        let needed = column_width(table, column, rows, &marks) + 1;
        if chosen.is_empty() || needed <= left {
            left = left.saturating_sub(needed);
            chosen.push(column);
        }
    }
    chosen.sort_unstable();
    chosen
}

fn column_width(table: &Table, column: usize, rows: &[usize], marks: &Marks) -> usize {
    let header = places(&one_line(&table.header()[column], WIDEST)) + 2;
    let cells = rows.iter().map(|row| places(&cell(table, *row, column, marks)));
    cells.fold(header, usize::max)
}

fn cell(table: &Table, row: usize, column: usize, marks: &Marks) -> String {
    marks.marked(row, column, &one_line(table.cell(row, column), WIDEST))
}

fn header_line(table: &Table, columns: &[usize], widths: &[usize], number_width: usize, style: Style) -> String {
    let mut line = " ".repeat(number_width);
    for (column, width) in columns.iter().zip(widths) {
        let text = format!(" {} ", one_line(&table.header()[*column], WIDEST));
        line.push(' ');
        line.push_str(&style.header(&padded(&text, *width)));
    }
    line.trim_end().to_owned()
}

fn row_line(
    table: &Table,
    row: usize,
    columns: &[usize],
    widths: &[usize],
    number_width: usize,
    marks: &Marks,
    style: Style,
) -> String {
    let mut line = style.dim(&format!("{:>number_width$}", row + 1));
    for (column, width) in columns.iter().zip(widths) {
        let text = cell(table, row, *column, marks);
        line.push(' ');
        let painted = marks.paint(row, *column, &text, style);
        line.push_str(&painted);
        line.push_str(&" ".repeat(width.saturating_sub(places(&text))));
    }
    line.trim_end().to_owned()
}
