//! `tabwise show table`: the table of a file, as text, CSV, Markdown or JSON, or the list of tables in it.

use crate::grid::Grid;
use crate::input::TableArgs;
use crate::outcome::Outcome;
use crate::style::Style;
use anyhow::Result;
use clap::ValueEnum;
use serde::{Serialize, Serializer};
use std::io::{IsTerminal, Write, stdout};
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
    #[value(alias = "table")]
    Text,
    /// CSV
    Csv,
    /// A pipe table
    Markdown,
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
        Form::Csv => grid(&table).csv(out)?,
        Form::Markdown => grid(&table).markdown(out)?,
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
        Form::Csv => grid(&listed).csv(out)?,
        Form::Markdown => grid(&listed).markdown(out)?,
        _ => text(&listed, out)?,
    }
    Ok(Outcome::Done)
}

/// Prints the table with aligned columns, cut to the width of a terminal, and its notes. On a terminal, a long table is cut too.
pub(crate) fn text(table: &Table, out: &mut impl Write) -> Result<()> {
    let (style, count) = (Style::of_stdout(), shown_rows(table.row_count(), stdout().is_terminal()));
    Grid { count, ..grid(table) }.aligned(style, out)?;
    if count < table.row_count() {
        let more = table.row_count() - count;
        writeln!(out, "{}", style.dim(&format!("{more} more rows are not shown; --format csv prints them")))?;
    }
    table.notes().iter().try_for_each(|note| writeln!(out, "note: {note}"))?;
    Ok(())
}

/// Number of rows to show of a table with so many. A few more than the most are shown all.
fn shown_rows(count: usize, is_terminal: bool) -> usize {
    const MOST: usize = 100;
    if is_terminal && count > MOST + MOST / 10 { MOST } else { count }
}

fn grid(table: &Table) -> Grid<'_> {
    let header = table.header().iter().map(String::as_str).collect();
    Grid { header, count: table.row_count(), row: Box::new(|row| table.row(row).collect()) }
}

/// A table, for output.
#[derive(Serialize)]
struct TableView<'a> {
    header: &'a [String],
    rows: Rows<'a>,
    notes: &'a [String],
}

/// The rows of a table, which are made one by one.
struct Rows<'a>(&'a Table);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.0.row_count()).map(|row| self.0.row(row).collect::<Vec<&str>>()))
    }
}

fn json(table: &Table, out: &mut impl Write) -> Result<()> {
    let view = TableView { header: table.header(), rows: Rows(table), notes: table.notes() };
    serde_json::to_writer(&mut *out, &view)?;
    writeln!(out)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_table_is_cut_on_a_terminal_only() {
        assert_eq!([shown_rows(110, true), shown_rows(111, true), shown_rows(100_000, true)], [110, 100, 100]);
        assert_eq!(shown_rows(100_000, false), 100_000);
    }
}
