//! Rows of totals: the last rows of a report often add up the rows above them. They would win every superlative and be
//! counted twice in every sum, so they are left out, with a note.

use super::{Table, clean};

/// Labels of rows that add up others, whatever their numbers.
const TOTALS: [&str; 5] = ["total", "totals", "grand total", "sum total", "overall total"];
/// Labels that are also names: such a row must be the sum or the average of the rows above.
const PERHAPS: [&str; 8] = ["sum", "overall", "average", "mean", "avg", "summe", "gesamt", "all"];
/// Fewest rows above a row of totals.
const FEWEST: usize = 2;
/// Most rows that are left out.
const MOST: usize = 3;

/// Drops last rows of totals.
pub(super) fn without_totals(mut table: Table) -> Table {
    let mut left_out = Vec::new();
    while left_out.len() < MOST && is_total(&table) {
        let last = table.row_count() - 1;
        left_out.push(clean::quote(table.row(last).find(|text| !text.trim().is_empty()).unwrap_or("")));
        table.truncate_rows(last);
    }
    left_out.reverse();
    match left_out.as_slice() {
        [] => {}
        [one] => table.note(format!(
            "left out the last row, {one}, which adds up the rows above it; the repair \"total-rows\" does that"
        )),
        all => table.note(format!(
            "left out the last {} rows, {}, which add up rows above them; the repair \"total-rows\" does that",
            all.len(),
            all.join(", ")
        )),
    }
    table
}

/// True if the last row adds up the rows above it: its first text says so, and it has a number.
fn is_total(table: &Table) -> bool {
    let rows = table.row_count();
    if rows <= FEWEST {
        return false;
    }
    let filled = (0..table.column_count()).find(|&column| !table.cell(rows - 1, column).trim().is_empty());
    let Some(first) = filled else { return false };
    let label = table.cell(rows - 1, first).trim().trim_end_matches(':').trim_end().to_lowercase();
    let numbers = (first + 1..table.column_count()).filter(|&column| number(table.cell(rows - 1, column)).is_some());
    match label.as_str() {
        label if TOTALS.contains(&label) => numbers.count() > 0,
        label if PERHAPS.contains(&label) => numbers.into_iter().any(|column| is_sum_or_mean(table, column)),
        _ => false,
    }
}

/// True if the last number of a column is about the sum or the mean of the others.
fn is_sum_or_mean(table: &Table, column: usize) -> bool {
    let (last, above) = (table.row_count() - 1, 0..table.row_count() - 1);
    let Some(total) = number(table.cell(last, column)) else { return false };
    let numbers = above.filter_map(|row| number(table.cell(row, column)));
    let (count, sum) = numbers.fold((0_usize, 0.0), |(count, sum), number| (count + 1, sum + number));
    let is_near = |x: f64| (x - total).abs() <= 0.005 * x.abs();
    count >= FEWEST && (is_near(sum) || is_near(sum / count as f64))
}

/// Number of a cell: digits with separators, and signs of a currency or of percent around them.
fn number(text: &str) -> Option<f64> {
    let signs = |c: char| matches!(c, '$' | '€' | '£' | '¥' | '%' | '+') || c.is_whitespace();
    let digits = text.trim_matches(signs).replace([',', '\u{a0}', ' '], "");
    let is_number = digits.trim_start_matches(['-', '−']).starts_with(|c: char| c.is_ascii_digit() || c == '.');
    if is_number { digits.replace('−', "-").parse().ok() } else { None }
}
