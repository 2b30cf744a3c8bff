//! A table on its side has its records in columns: the first column names what the others hold. [`upright`] turns it.
//! Only clear cases are found: few rows, each of one kind, and columns that mix numbers with text or numbers of
//! different sizes.

use super::{Allowance, Orientation, Table, TableError};
use rustc_hash::FxHashSet;

/// Most rows of a table that is turned without being told to.
const MOST_ROWS: usize = 12;
/// Fewest columns with records of a table that is turned without being told to.
const FEWEST_RECORDS: usize = 4;

/// Returns the table with its records in rows.
pub(super) fn upright(table: Table, orientation: Orientation, allowance: &Allowance) -> Result<Table, TableError> {
    let turn = match orientation {
        Orientation::Rows => false,
        Orientation::Columns => true,
        Orientation::Auto => is_sideways(&table),
    };
    if !turn {
        return Ok(table);
    }
    allowance.check_shape(table.column_count(), table.row_count() + 1)?;
    allowance.take(table.memory())?;
    Ok(turned(&table))
}

/// Returns the table with rows and columns exchanged; the first column becomes the header.
fn turned(table: &Table) -> Table {
    let corner = table.header().first().cloned().unwrap_or_default();
    let labels = (0..table.row_count()).map(|row| table.cell(row, 0).to_owned());
    let mut fresh = Table::new(std::iter::once(corner).chain(labels).collect());
    for column in 1..table.column_count() {
        let cells = (0..table.row_count()).map(|row| table.cell(row, column));
        fresh.push_row(std::iter::once(table.header()[column].as_str()).chain(cells));
    }
    table.notes().iter().for_each(|note| fresh.note(note));
    fresh.note("turned the table: its records were in columns");
    fresh
}

/// True if a table is clearly on its side.
fn is_sideways(table: &Table) -> bool {
    let (rows, records) = (table.row_count(), table.column_count().saturating_sub(1));
    if !(2..=MOST_ROWS).contains(&rows) || records < FEWEST_RECORDS || records <= rows {
        return false;
    }
    let labels: Vec<&str> = (0..rows).map(|row| table.cell(row, 0)).collect();
    let names: Vec<&str> = table.header()[1..].iter().map(String::as_str).collect();
    if !are_names(&labels) || !are_names(&names) {
        return false;
    }
    let kinds: Option<Vec<Kind>> = (0..rows).map(|row| kind(table.row(row).skip(1))).collect();
    match kinds {
        None => false,
        Some(kinds) if kinds.iter().all(|kind| *kind == Kind::Text) => false,
        Some(kinds) if kinds.contains(&Kind::Text) => true,
        Some(_) => say_measures(&labels, &names) && sizes_follow_rows(table),
    }
}

/// True if texts are different and begin with a letter.
fn are_names(texts: &[&str]) -> bool {
    let different: FxHashSet<&str> = texts.iter().map(|text| text.trim()).collect();
    different.len() == texts.len() && different.iter().all(|text| text.starts_with(char::is_alphabetic))
}

/// Kind of the cells of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Text,
}

/// Returns the kind of nearly all cells; `None` if there are both kinds, or mostly empty cells.
fn kind<'t>(cells: impl Iterator<Item = &'t str>) -> Option<Kind> {
    let (mut count, mut empty, mut numbers) = (0, 0, 0);
    for cell in cells {
        count += 1;
        empty += usize::from(cell.trim().is_empty());
        numbers += usize::from(size(cell).is_some());
    }
    let filled = count - empty;
    match filled * 2 > count {
        true if numbers * 10 >= filled * 9 => Some(Kind::Number),
        true if numbers == 0 => Some(Kind::Text),
        _ => None,
    }
}

/// True if most labels read like measures ("deaths per year", "price (USD)"), and nearly all names like proper names.
fn say_measures(labels: &[&str], names: &[&str]) -> bool {
    let measures = |texts: &[&str]| texts.iter().filter(|text| is_measure(text)).count();
    measures(labels) * 2 >= labels.len() && measures(names) * 10 <= names.len()
}

fn is_measure(text: &str) -> bool {
    let starts_lower = |word: &str| word.starts_with(char::is_lowercase);
    text.contains(['(', '%', '_']) || text.split_whitespace().any(starts_lower)
}

/// True if the sizes of numbers differ between rows and hardly between columns.
fn sizes_follow_rows(table: &Table) -> bool {
    let (rows, columns) = (table.row_count(), table.column_count());
    let size = |row: usize, column: usize| size(table.cell(row, column)).and_then(|size| size);
    let by_row = (0..rows).map(|row| (1..columns).filter_map(|column| size(row, column)).collect());
    let by_column = (1..columns).map(|column| (0..rows).filter_map(|row| size(row, column)).collect());
    explained(by_row.collect()) >= 0.8 && explained(by_column.collect()) <= 0.1
}

/// Share of the variance that lies between the groups.
fn explained(groups: Vec<Vec<f64>>) -> f64 {
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len().max(1) as f64;
    let all = groups.concat();
    let middle = mean(&all);
    let total: f64 = all.iter().map(|x| (x - middle).powi(2)).sum();
    let between: f64 = groups.iter().map(|group| group.len() as f64 * (mean(group) - middle).powi(2)).sum();
    if total > 0.0 { between / total } else { 0.0 }
}

/// Returns the size of a number as a power of ten; `None` inside for 0. Signs, separators and one sign of a currency or
/// of percent do not count.
fn size(text: &str) -> Option<Option<f64>> {
    let signs = |c: char| matches!(c, '$' | '€' | '£' | '¥' | '%' | '+' | '-' | '−') || c.is_whitespace();
    let digits = text.trim_matches(signs).replace(',', "");
    let plain = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let number: f64 = if plain { digits.parse().ok()? } else { return None };
    Some((number != 0.0).then(|| number.abs().log10()))
}
