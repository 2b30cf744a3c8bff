//! `tabwise show table`: the table of a file, as text, CSV or JSON, or the list of tables in it.

use crate::input::TableArgs;
use crate::outcome::Outcome;
use crate::style::{padded, places};
use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;
use std::io::Write;
use tabwise::table::{Listed, Table};

const EXAMPLES: &str = "Examples:
  tabwise show table games.csv
  tabwise show table page.html --list
  tabwise show table page.html --table \"Medal table\"
  tabwise show table book.xlsx --sheet 2010 --format json
  curl -s https://example.org/page | tabwise show table -";

/// Options of `show table`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Output format
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// List the tables of a page or the sheets of a workbook
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    table: TableArgs,
}

/// Output format. The doc comments are part of the help.
#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// Aligned columns, with notes below
    Text,
    /// CSV
    Csv,
    /// A JSON object with header, rows and notes
    Json,
}

/// Prints the table, or lists the tables of the file.
pub(crate) fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    if args.list {
        return list(args.table.list()?, args.format, out);
    }
    let table = args.table.load()?;
    match args.format {
        Form::Text => text(&table, out)?,
        Form::Csv => csv(&table, out)?,
        Form::Json => json(&table, out)?,
    }
    Ok(Outcome::Done)
}

/// An entry of `--list`, for output.
#[derive(Serialize)]
struct ListedView {
    number: usize,
    title: String,
    class: String,
    rows: usize,
    columns: usize,
}

/// Prints the list of tables.
fn list(tables: Vec<Listed>, form: Form, out: &mut impl Write) -> Result<Outcome> {
    let shown = |Listed { number, title, class, rows, columns }| ListedView { number, title, class, rows, columns };
    let tables: Vec<ListedView> = tables.into_iter().map(shown).collect();
    if let Form::Json = form {
        serde_json::to_writer(&mut *out, &tables)?;
        writeln!(out)?;
        return Ok(Outcome::Done);
    }
    let mut listed = Table::new(["number", "rows", "columns", "class", "title"].map(str::to_owned).to_vec());
    for table in tables {
        let numbers = [table.number, table.rows, table.columns].map(|number| number.to_string());
        listed.push_row(numbers.into_iter().chain([table.class, table.title]));
    }
    match form {
        Form::Csv => csv(&listed, out)?,
        _ => text(&listed, out)?,
    }
    Ok(Outcome::Done)
}

/// Maximum width of a column, in characters.
const WIDEST: usize = 40;

/// Prints the table with aligned columns, and its notes.
pub(crate) fn text(table: &Table, out: &mut impl Write) -> Result<()> {
    let header: Vec<&str> = table.header().iter().map(String::as_str).collect();
    let rows = || (0..table.row_count()).map(|row| table.row(row).collect::<Vec<&str>>());
    let mut widths = vec![1; header.len()];
    for row in std::iter::once(header.clone()).chain(rows()) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(places(&one_line(cell)));
        }
    }
    line(&header, &widths, out)?;
    writeln!(out, "{}", widths.iter().map(|&width| "─".repeat(width)).collect::<Vec<_>>().join("  "))?;
    for row in rows() {
        line(&row, &widths, out)?;
    }
    table.notes().iter().try_for_each(|note| writeln!(out, "note: {note}"))?;
    Ok(())
}

fn line(cells: &[&str], widths: &[usize], out: &mut impl Write) -> std::io::Result<()> {
    let padded = cells.iter().zip(widths).map(|(cell, &width)| padded(&one_line(cell), width));
    writeln!(out, "{}", padded.collect::<Vec<_>>().join("  ").trim_end())
}

/// A cell on one line, shortened, with line breaks made visible.
fn one_line(cell: &str) -> String {
    let clean = cell.chars().map(|c| {
        if c == '\n' {
            '⏎'
        } else if c.is_control() {
            ' '
        } else {
            c
        }
    });
    let mut shown: String = clean.take(WIDEST + 1).collect();
    if shown.chars().count() > WIDEST {
        shown.pop();
        shown.pop();
        shown.push('…');
    }
    shown
}

fn csv(table: &Table, out: &mut impl Write) -> Result<()> {
    csv_record(table.header().iter().map(String::as_str), out)?;
    (0..table.row_count()).try_for_each(|row| csv_record(table.row(row), out))?;
    Ok(())
}

/// Prints a record with all cells in quotes.
fn csv_record<'a>(cells: impl Iterator<Item = &'a str>, out: &mut impl Write) -> std::io::Result<()> {
    for (column, cell) in cells.enumerate() {
        let comma = if column == 0 { "" } else { "," };
        write!(out, "{comma}\"{}\"", cell.replace('"', "\"\""))?;
    }
    writeln!(out)
}

/// A table, for output.
#[derive(Serialize)]
struct TableView<'a> {
    header: &'a [String],
    rows: Vec<Vec<&'a str>>,
    notes: &'a [String],
}

fn json(table: &Table, out: &mut impl Write) -> Result<()> {
    let rows = (0..table.row_count()).map(|row| table.row(row).collect()).collect();
    serde_json::to_writer(&mut *out, &TableView { header: table.header(), rows, notes: table.notes() })?;
    writeln!(out)?;
    Ok(())
}
