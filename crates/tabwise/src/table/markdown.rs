//! Pipe tables of Markdown: a line of names, a line of dashes, then one line for each row. A text may have several of
//! them, each under a heading.

use super::grid::{Cell, Grid};
use super::page::LONGEST_TITLE;
use super::{Allowance, Format, Listed, ReadSettings, Table, TableError, clean};

/// Reads the chosen table, or the first one if none is chosen.
pub(super) fn read(text: &str, settings: &ReadSettings, allowance: &Allowance) -> Result<Table, TableError> {
    let tables = tables(text, allowance)?;
    let choice = settings.table.as_ref().or(settings.sheet.as_ref());
    let chosen = match choice {
        None => tables.first(),
        Some(choice) => choice.among(&[tables.iter().map(|table| table.heading).collect()]).map(|at| &tables[at]),
    };
    match (chosen, choice) {
        (Some(found), _) => Ok(found.read(settings, allowance)?.titled(found.heading)),
        (None, Some(choice)) if !tables.is_empty() => Err(TableError::NotFound {
            what: "table",
            choice: choice.clone(),
            there: format!("{}, numbered from 0", clean::there_are(tables.len())),
        }),
        _ => Err(TableError::NoTable { format: Format::Markdown, why: String::new() }),
    }
}

/// Lists the tables of a text.
pub(super) fn list(text: &str, allowance: &Allowance) -> Result<Vec<Listed>, TableError> {
    let listed = |(number, found): (usize, &Found)| Listed {
        number,
        class: String::new(),
        title: found.heading.to_owned(),
        rows: found.rows.len() + 1,
        columns: cells(found.names).count(),
    };
    Ok(tables(text, allowance)?.iter().enumerate().map(listed).collect())
}

/// True if a line and the next are the beginning of a table.
pub(super) fn begins_table(names: &str, dashes: &str) -> bool {
    let dashes = dashes.trim();
    names.contains('|') && dashes.contains('|') && dashes.contains('-') && dashes.chars().all(|c| "|:- \t".contains(c))
}

/// One table of a text.
struct Found<'a> {
    heading: &'a str,
    names: &'a str,
    rows: Vec<&'a str>,
}

impl Found<'_> {
    fn read(&self, settings: &ReadSettings, allowance: &Allowance) -> Result<Table, TableError> {
        let mut grid = Grid::default();
        for line in std::iter::once(&self.names).chain(&self.rows) {
            let cell = |text| Cell { text: inline(text), is_header: false, columns: 1, rows: 1 };
            grid.push_row(cells(line).map(cell), allowance)?;
        }
        clean::plain_table(&grid, Format::Markdown, settings, allowance)
    }
}

/// Finds the tables of a text, with the headings above them.
fn tables<'t>(text: &'t str, allowance: &Allowance) -> Result<Vec<Found<'t>>, TableError> {
    let mut found = Vec::new();
    let mut heading = "";
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with('#') {
            heading = line.trim_matches(['#', ' ']);
        } else if lines.next_if(|next| begins_table(line, next)).is_some() {
            let rows: Vec<&str> = std::iter::from_fn(|| lines.next_if(|line| line.contains('|'))).collect();
            allowance.take(size_of::<Found>() + rows.capacity() * size_of::<&str>())?;
            // A heading of many tables is listed with each of them.
            heading = &heading[..heading.floor_char_boundary(LONGEST_TITLE)];
            found.push(Found { heading, names: line, rows });
        }
    }
    Ok(found)
}

/// Splits a line at the pipes that are not escaped.
fn cells(line: &str) -> impl Iterator<Item = &str> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').filter(|rest| !rest.ends_with('\\')).unwrap_or(line);
    let mut escaped = false;
    line.split(move |c| {
        let splits = c == '|' && !escaped;
        escaped = c == '\\' && !escaped;
        splits
    })
}

/// Returns the text of a cell without Markdown: escapes, strong text, code, links, line breaks.
fn inline(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len());
    let mut rest = cell.trim();
    while let Some(c) = rest.chars().next() {
        let (written, used) = match c {
            '\\' => escaped(rest),
            '[' => link(rest).unwrap_or(("[", 1)),
            '`' => ("", 1),
            '*' if rest.starts_with("**") => ("", 2),
            '<' => line_break(rest),
            _ => (&rest[..c.len_utf8()], c.len_utf8()),
        };
        text.push_str(written);
        rest = &rest[used..];
    }
    text
}

/// Reads an escape: its text, and its length.
fn escaped(text: &str) -> (&str, usize) {
    match text[1..].chars().next() {
        Some(c) if c.is_ascii_punctuation() => (&text[1..2], 2),
        _ => ("\\", 1),
    }
}

/// Reads `[text](address)`: its text, and its length. The search is limited to a reasonable length of a link, so that
/// the time is linear for a line full of brackets.
fn link(text: &str) -> Option<(&str, usize)> {
    const FAR: usize = 2000;
    let near = &text[..text.floor_char_boundary(FAR)];
    let end = near.find(']')?;
    let address = near[end + 1..].strip_prefix('(')?;
    Some((&near[1..end], end + 2 + address.find(')')? + 1))
}

/// Reads a `<br>`: its text, and its length.
fn line_break(text: &str) -> (&str, usize) {
    let tag = ["<br>", "<br/>", "<br />"]
        .into_iter()
        .find(|tag| text.get(..tag.len()).is_some_and(|t| t.eq_ignore_ascii_case(tag)));
    tag.map_or(("<", 1), |tag| ("\n", tag.len()))
}
