//! Tables of a SQLite database, read from its bytes: nothing is opened or written. Only tables are read; a view is a program
//! of whoever made the file. An empty value is an empty cell, and a column of booleans has yes and no.

use super::sheet::malformed;
use super::{Allowance, Choice, Format, Listed, ReadSettings, Table, TableError, clean};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, MAIN_DB};

/// Reads the chosen table, or the one with the most rows if none is chosen.
pub(super) fn read(bytes: &[u8], settings: &ReadSettings, allowance: &Allowance) -> Result<Table, TableError> {
    let database = open(bytes, allowance)?;
    let tables = tables(&database)?;
    let found = match settings.table.as_ref().or(settings.sheet.as_ref()) {
        Some(choice) => chosen(&tables, choice)?,
        None => tables.iter().max_by_key(|table| (table.rows, std::cmp::Reverse(table.number))).ok_or_else(none)?,
    };
    table(&database, &found.title, allowance)
}

/// Lists the tables.
pub(super) fn list(bytes: &[u8], allowance: &Allowance) -> Result<Vec<Listed>, TableError> {
    tables(&open(bytes, allowance)?)
}

fn open(bytes: &[u8], allowance: &Allowance) -> Result<Connection, TableError> {
    if is_cut(bytes) {
        return Err(malformed(Format::Sqlite, "it ends too early"));
    }
    // SQLite works on a copy.
    allowance.take(bytes.len())?;
    let mut database = Connection::open_in_memory().map_err(wrong)?;
    database.deserialize_read_exact(MAIN_DB, bytes, bytes.len(), true).map_err(wrong)?;
    // Nothing that the file's schema says is run.
    database.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;").map_err(wrong)?;
    Ok(database)
}

/// True if a file has fewer bytes than the pages that its header counts; SQLite notices only when it needs them.
fn is_cut(bytes: &[u8]) -> bool {
    let (Some(size), Some(pages)) = (bytes.get(16..18), bytes.get(28..32)) else { return true };
    // A page of 65536 bytes is written as 1.
    let size = match u16::from_be_bytes([size[0], size[1]]) {
        1 => 65_536,
        size => u64::from(size),
    };
    let pages = u64::from(u32::from_be_bytes([pages[0], pages[1], pages[2], pages[3]]));
    (bytes.len() as u64) < size * pages
}

fn tables(database: &Connection) -> Result<Vec<Listed>, TableError> {
    const NAMES: &str = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' \
                         AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY rowid";
    let mut statement = database.prepare(NAMES).map_err(wrong)?;
    let names = statement.query_map([], |row| row.get(0)).map_err(wrong)?;
    let names = names.collect::<Result<Vec<String>, _>>().map_err(wrong)?;
    let listed = |(number, title): (usize, String)| {
        let count = format!("SELECT COUNT(*) FROM {}", quoted(&title));
        let rows: i64 = database.query_row(&count, [], |row| row.get(0)).map_err(wrong)?;
        let columns = database.prepare(&format!("SELECT * FROM {}", quoted(&title))).map_err(wrong)?.column_count();
        Ok(Listed { number, class: String::new(), title, rows: rows as usize + 1, columns })
    };
    names.into_iter().enumerate().map(listed).collect()
}

fn chosen<'t>(tables: &'t [Listed], choice: &Choice) -> Result<&'t Listed, TableError> {
    let found = choice.among(&[tables.iter().map(|table| table.title.as_str()).collect()]);
    found.map(|at| &tables[at]).ok_or_else(|| {
        let there: Vec<String> = tables.iter().map(|table| clean::quote(&table.title)).collect();
        TableError::NotFound { what: "table", choice: choice.clone(), there: format!("there are {}", there.join(", ")) }
    })
}

fn table(database: &Connection, name: &str, allowance: &Allowance) -> Result<Table, TableError> {
    let mut statement = database.prepare(&format!("SELECT * FROM {}", quoted(name))).map_err(wrong)?;
    let header: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let is_truth = |kind: Option<&str>| kind.is_some_and(|kind| kind.to_ascii_lowercase().starts_with("bool"));
    let truths: Vec<bool> = statement.columns().map(|column| is_truth(column.decl_type())).collect();
    let mut table = Table::new(header);
    let (mut count, mut bytes) = (1, 0);
    let mut rows = statement.query([]).map_err(wrong)?;
    while let Some(row) = rows.next().map_err(wrong)? {
        for (at, truth) in truths.iter().enumerate() {
            let cell = text(row.get_ref(at).map_err(wrong)?, *truth);
            bytes += cell.len() as u64;
            allowance.check_cell(cell.len())?;
            allowance.take(cell.len() + CELL)?;
            table.push_cell(&cell);
        }
        table.finish_row();
        count += 1;
        allowance.check_shape(count, truths.len())?;
        allowance.check_text(bytes)?;
    }
    Ok(table)
}

/// Bytes that a cell of a table takes besides its text.
const CELL: usize = 8;

/// Returns a value as the text of a cell. Bytes that are no text have none.
fn text(value: ValueRef, is_truth: bool) -> String {
    match value {
        ValueRef::Integer(0) if is_truth => "no".to_owned(),
        ValueRef::Integer(1) if is_truth => "yes".to_owned(),
        ValueRef::Integer(n) => n.to_string(),
        ValueRef::Real(n) => n.to_string(),
        ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        ValueRef::Null | ValueRef::Blob(_) => String::new(),
    }
}

/// Name as SQL has it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn wrong(error: rusqlite::Error) -> TableError {
    malformed(Format::Sqlite, error)
}

fn none() -> TableError {
    TableError::NoTable { format: Format::Sqlite, why: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Limits, list as list_tables, read as read_table};

    const SCRIPT: &str =
        "CREATE TABLE \"old orders\" (id INTEGER, paid BOOLEAN, price REAL, day DATE, note TEXT, seal BLOB);
        INSERT INTO \"old orders\" VALUES (1, 1, 3.5, '2024-01-05', 'it''s', x'00ff'), (2, 0, 4.0, NULL, NULL, NULL);
        CREATE TABLE regions (name TEXT); INSERT INTO regions VALUES ('North');
        CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT * FROM n;";

    fn file() -> Vec<u8> {
        let mut database = Connection::open_in_memory().expect("SQLite is compiled in");
        database.execute_batch(SCRIPT).expect("the script is right");
        database.serialize(MAIN_DB).expect("there is memory").to_vec()
    }

    #[test]
    fn typed_values_become_cells() {
        let table = read_table(&file(), Some("shop.db"), &ReadSettings::default()).expect("it is a database");
        assert_eq!(table.header(), ["id", "paid", "price", "day", "note", "seal"]);
        assert_eq!(table.row(0).collect::<Vec<_>>(), ["1", "yes", "3.5", "2024-01-05", "it's", ""]);
        assert_eq!(table.row(1).collect::<Vec<_>>(), ["2", "no", "4", "", "", ""]);
        let settings = ReadSettings { table: Some(Choice::from("Regions")), ..ReadSettings::default() };
        assert_eq!(read_table(&file(), None, &settings).expect("there is one").cell(0, 0), "North");
        let listed: Vec<String> = list_tables(&file(), None, &ReadSettings::default())
            .expect("it has tables")
            .into_iter()
            .map(|table| table.title)
            .collect();
        assert_eq!(listed, ["old orders", "regions"]);
    }

    #[test]
    fn broken_databases_and_wrong_names_are_errors() {
        let settings = ReadSettings { table: Some(Choice::from("endless")), ..ReadSettings::default() };
        let error = read_table(&file(), None, &settings).expect_err("a view is no table").to_string();
        assert_eq!(error, "there is no table \"endless\"; there are \"old orders\", \"regions\"");
        let whole = file();
        for end in [16, 100, 1000, 4096, whole.len() - 1] {
            assert!(read_table(&whole[..end], None, &ReadSettings::default()).is_err(), "{end}");
        }
        let few = ReadSettings { limits: Limits { cells: 3, ..Limits::default() }, ..ReadSettings::default() };
        assert!(matches!(read_table(&whole, None, &few), Err(TableError::TooLarge { name: "cells", .. })));
        let little = ReadSettings { limits: Limits { memory: 1000, ..Limits::default() }, ..ReadSettings::default() };
        assert!(matches!(read_table(&whole, None, &little), Err(TableError::TooLarge { name: "memory", .. })));
    }
}
