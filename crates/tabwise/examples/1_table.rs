//! Reading a table: from a CSV, a web page, JSON or Markdown, with notes on what was repaired.
//!
//!     cargo run --example 1_table

#![allow(clippy::disallowed_macros)]

use tabwise::table::{ReadSettings, Table, TableError, read};

fn main() -> Result<(), TableError> {
    let games = Table::from_csv("Year,City\n1896,Athens\n1900,Paris\n")?;
    println!("{:?}, {} rows", games.header(), games.row_count());

    // The format is found by content; spans of a page are spread over the cells they cover.
    let page = include_bytes!("../../../examples/planets.html");
    let planets = read(page, Some("planets.html"), &ReadSettings::default())?;
    for row in 0..planets.row_count() {
        println!("{}", planets.row(row).collect::<Vec<_>>().join(" | "));
    }
    planets.notes().iter().for_each(|note| println!("note: {note}"));
    Ok(())
}
