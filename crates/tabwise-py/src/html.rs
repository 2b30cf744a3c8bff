//! HTML for notebooks: an answer with its sentence and its cells marked in a small table. All text is escaped, and styles are
//! on the elements, since a notebook has no place for a style sheet.

use std::collections::BTreeSet;
use std::fmt::Write;
use tabwise::answer::Meaning;
use tabwise::table::Table;

/// Most rows and columns of a small table.
const ROWS: usize = 8;
const COLUMNS: usize = 8;
/// Most characters of a text.
const CHARACTERS: usize = 500;

/// An answer: its values, its sentence, a line below, and the cells behind it.
pub(crate) fn answer(said: &str, meaning: &Meaning, below: &str, table: &Table) -> String {
    let mut html = String::from("<div>");
    let _ = write!(html, "<p style=\"font-size:1.2em;margin:0\"><b>{}</b></p>", escaped(said));
    if !meaning.english.is_empty() {
        let _ = write!(html, "<p style=\"margin:0.2em 0\">{}</p>", escaped(&meaning.english));
    }
    let _ = write!(html, "<p style=\"margin:0.2em 0;opacity:0.7\">{}</p>", escaped(below));
    let places = |cells: &[[u32; 2]]| -> BTreeSet<[u32; 2]> { cells.iter().copied().collect() };
    let (found, used) = (places(&meaning.cells), places(&meaning.used));
    let rows: BTreeSet<usize> = found.iter().chain(&used).map(|[row, _]| *row as usize).collect();
    let columns: BTreeSet<usize> = meaning.columns.iter().map(|column| usize::from(*column)).collect();
    if !rows.is_empty() {
        let style = |row: usize, column: usize| {
            let place = [row as u32, column as u32];
            match (found.contains(&place), used.contains(&place)) {
                (true, _) => " style=\"background:#fde68a;color:#111\"",
                (_, true) => " style=\"background:#dbeafe;color:#111\"",
                _ => "",
            }
        };
        let shown: Vec<usize> = rows.iter().copied().take(ROWS).collect();
        grid(&mut html, table, &shown, &with_first(columns, table), style);
        if rows.len() > ROWS {
            let _ = write!(html, "<p>and {} more rows</p>", rows.len() - ROWS);
        }
    }
    if let (true, Some(sql)) = (rows.is_empty(), &meaning.sql) {
        let _ = write!(html, "<pre>{}</pre>", escaped(sql));
    }
    html + "</div>"
}

/// A text with a line below.
pub(crate) fn note(said: &str, below: &str) -> String {
    format!("<div><p><b>{}</b></p><p>{}</p></div>", escaped(said), escaped(below))
}

/// The first rows of a table.
pub(crate) fn table(table: &Table, row_count: usize) -> String {
    let mut html = String::from("<div>");
    let (rows, columns) = (0..table.row_count().min(ROWS), 0..table.column_count());
    grid(&mut html, table, &rows.collect::<Vec<_>>(), &columns.collect::<Vec<_>>(), |_, _| "");
    let _ = write!(html, "<p>{row_count} rows, {} columns</p>", table.column_count());
    html + "</div>"
}

/// Columns with the first, which usually names the row.
fn with_first(mut columns: BTreeSet<usize>, table: &Table) -> Vec<usize> {
    columns.insert(0);
    columns.into_iter().filter(|column| *column < table.column_count()).collect()
}

fn grid(
    html: &mut String,
    table: &Table,
    rows: &[usize],
    columns: &[usize],
    style: impl Fn(usize, usize) -> &'static str,
) {
    let columns = &columns[..columns.len().min(COLUMNS)];
    html.push_str("<table><thead><tr><th></th>");
    for column in columns {
        let _ = write!(html, "<th>{}</th>", escaped(&table.header()[*column]));
    }
    html.push_str("</tr></thead><tbody>");
    for row in rows {
        let _ = write!(html, "<tr><th>{row}</th>");
        for column in columns {
            let _ = write!(html, "<td{}>{}</td>", style(*row, *column), escaped(table.cell(*row, *column)));
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table>");
}

/// Text on one line, cut where it is long, that no browser takes for HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (at, c) in text.chars().enumerate() {
        match c {
            _ if at == CHARACTERS => {
                escaped.push('…');
                break;
            }
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}
