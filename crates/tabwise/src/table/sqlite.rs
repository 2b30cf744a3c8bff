//! Tables of a SQLite database, read from its bytes: nothing is opened or written. Only what is stored is read: views and
//! columns that the database computes are programs of whoever made the file. An empty value is an empty cell, and a column
//! of booleans has yes and no.

use super::sheet::{guarded, malformed};
use super::{Allowance, Choice, Format, Listed, ReadSettings, Table, TableError, clean};
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, MAIN_DB};
use std::io::Read;

/// Reads the chosen table, or the one with the most rows if none is chosen.
pub(super) fn read(bytes: &[u8], settings: &ReadSettings, allowance: &Allowance) -> Result<Table, TableError> {
    guarded(Format::Sqlite, || one(bytes, settings, allowance))
}

fn one(bytes: &[u8], settings: &ReadSettings, allowance: &Allowance) -> Result<Table, TableError> {
    let database = open(bytes, allowance)?;
    let tables = tables(&database, bytes.len())?;
    let found = match settings.table.as_ref().or(settings.sheet.as_ref()) {
        Some(choice) => chosen(&tables, choice)?,
        None => tables.iter().max_by_key(|table| (table.rows, std::cmp::Reverse(table.number))).ok_or_else(none)?,
    };
    let mut table = table(&database, &found.title, allowance)?.titled(&found.title);
    if bytes[VERSIONS] == *WITH_LOG {
        table.note("the database has a log of changes beside its file; what is only there is not read");
    }
    Ok(table)
}

/// Lists the tables.
pub(super) fn list(bytes: &[u8], allowance: &Allowance) -> Result<Vec<Listed>, TableError> {
    guarded(Format::Sqlite, || tables(&open(bytes, allowance)?, bytes.len()))
}

fn open(bytes: &[u8], allowance: &Allowance) -> Result<Connection, TableError> {
    if is_cut(bytes) {
        return Err(malformed(Format::Sqlite, "it ends too early"));
    }
    // SQLite works on a copy.
    allowance.take(bytes.len())?;
    let mut database = Connection::open_in_memory().map_err(wrong)?;
    database.deserialize_read_exact(MAIN_DB, without_log(bytes), bytes.len(), true).map_err(wrong)?;
    database.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;").map_err(wrong)?;
    database.authorizer(Some(only_reading)).map_err(wrong)?;
    Ok(database)
}

/// Versions of the file format, in the header: one says that changes may be in a log beside the file.
const VERSIONS: std::ops::Range<usize> = 18..20;
const WITH_LOG: &[u8] = &[2, 2];
const WITHOUT_LOG: &[u8] = &[1, 1];

/// Reads a database as one without a log beside it. There is none beside bytes, and SQLite would not open them without.
fn without_log(bytes: &[u8]) -> impl Read {
    let (before, versions) = (&bytes[..VERSIONS.start], &bytes[VERSIONS]);
    let versions = if versions == WITH_LOG { WITHOUT_LOG } else { versions };
    before.chain(versions).chain(&bytes[VERSIONS.end..])
}

/// Lets statements read tables, and nothing else: no view, no function and no recursion of the file is run.
fn only_reading(asked: AuthContext) -> Authorization {
    match asked.action {
        AuthAction::Select | AuthAction::Read { .. } if asked.accessor.is_none() => Authorization::Allow,
        AuthAction::Function { function_name: "count" | "like" } => Authorization::Allow,
        AuthAction::Pragma { pragma_name: "table_xinfo", .. } => Authorization::Allow,
        _ => Authorization::Deny,
    }
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

/// Lists the tables of a file of this many bytes, with their numbers of rows. No more rows are counted than the file can
/// hold: if its pages refer to the same page again and again, there are rows without end.
fn tables(database: &Connection, bytes: usize) -> Result<Vec<Listed>, TableError> {
    const NAMES: &str = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' \
                         AND sql LIKE 'CREATE TABLE %' ORDER BY rowid";
    let mut statement = database.prepare(NAMES).map_err(wrong)?;
    let names = statement.query_map([], |row| row.get(0)).map_err(wrong)?;
    let names = names.collect::<Result<Vec<String>, _>>().map_err(wrong)?;
    let mut room = bytes / SHORTEST_ROW;
    let listed = |(number, title): (usize, String)| {
        let count = format!("SELECT COUNT(*) FROM (SELECT 1 FROM {} LIMIT {})", quoted(&title), room + 1);
        let rows: i64 = database.query_row(&count, [], |row| row.get(0)).map_err(wrong)?;
        room = room.checked_sub(rows as usize).ok_or_else(|| malformed(Format::Sqlite, "a page is used twice"))?;
        let columns = columns(database, &title)?.stored.len();
        Ok(Listed { number, class: String::new(), title, rows: rows as usize + 1, columns })
    };
    names.into_iter().enumerate().map(listed).collect()
}

/// Columns of a table.
#[derive(Default)]
struct Columns {
    stored: Vec<Column>,
    /// Names of those whose values are computed when they are read.
    computed: Vec<String>,
}

struct Column {
    name: String,
    /// True if it is declared to have truths.
    is_truth: bool,
}

fn columns(database: &Connection, table: &str) -> Result<Columns, TableError> {
    /// Mark of a column that is computed when it is read.
    const VIRTUAL: i64 = 2;
    let mut columns = Columns::default();
    let mut statement = database.prepare(&format!("PRAGMA table_xinfo({})", quoted(table))).map_err(wrong)?;
    let mut rows = statement.query([]).map_err(wrong)?;
    while let Some(row) = rows.next().map_err(wrong)? {
        let is_computed = row.get::<_, i64>("hidden").map_err(wrong)? == VIRTUAL;
        let name = row.get("name").map_err(wrong)?;
        if is_computed {
            columns.computed.push(name);
        } else {
            let declared = text(row.get_ref("type").map_err(wrong)?, false);
            columns.stored.push(Column { name, is_truth: declared.to_ascii_lowercase().starts_with("bool") });
        }
    }
    match columns.stored.is_empty() {
        true => Err(malformed(Format::Sqlite, format_args!("there is no stored column in {}", clean::quote(table)))),
        false => Ok(columns),
    }
}

fn chosen<'t>(tables: &'t [Listed], choice: &Choice) -> Result<&'t Listed, TableError> {
    let found = choice.among(&[tables.iter().map(|table| table.title.as_str()).collect()]);
    found.map(|at| &tables[at]).ok_or_else(|| {
        let there: Vec<String> = tables.iter().map(|table| clean::quote(&table.title)).collect();
        TableError::NotFound { what: "table", choice: choice.clone(), there: format!("there are {}", there.join(", ")) }
    })
}

fn table(database: &Connection, name: &str, allowance: &Allowance) -> Result<Table, TableError> {
    let columns = columns(database, name)?;
    let list = columns.stored.iter().map(|column| quoted(&column.name)).collect::<Vec<_>>().join(", ");
    let mut statement = database.prepare(&format!("SELECT {list} FROM {}", quoted(name))).map_err(wrong)?;
    let mut table = Table::new(columns.stored.iter().map(|column| column.name.clone()).collect());
    if let Some(first) = columns.computed.first() {
        let (first, count) = (clean::quote(first), columns.computed.len());
        table.note(format!("columns that the database computes are not read: {count}, such as {first}"));
    }
    let (mut count, mut bytes) = (1, 0);
    let mut rows = statement.query([]).map_err(wrong)?;
    while let Some(row) = rows.next().map_err(wrong)? {
        for (at, column) in columns.stored.iter().enumerate() {
            let cell = text(row.get_ref(at).map_err(wrong)?, column.is_truth);
            bytes += cell.len() as u64;
            allowance.check_cell(cell.len())?;
            allowance.take(cell.len() + CELL)?;
            table.push_cell(&cell);
        }
        table.finish_row();
        count += 1;
        allowance.check_shape(count, columns.stored.len())?;
        allowance.check_text(bytes)?;
    }
    Ok(table)
}

/// Fewest bytes that a row takes in a file.
const SHORTEST_ROW: usize = 4;
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

    /// A table whose pages all refer to the same page, to a depth at which it has more than 40 to the power of 8 rows.
    fn circle() -> Vec<u8> {
        const PAGE: usize = 512;
        const CHILDREN: usize = 40;
        const DEPTH: usize = 8;
        let mut database = Connection::open_in_memory().expect("SQLite is compiled in");
        let script = "PRAGMA page_size = 512; CREATE TABLE t (a); INSERT INTO t VALUES (1);";
        database.execute_batch(script).expect("the script is right");
        let small = database.serialize(MAIN_DB).expect("there is memory").to_vec();
        let mut file = small[..PAGE].to_vec();
        for depth in 0..DEPTH {
            let child = (depth as u32 + 3).to_be_bytes();
            let mut page = vec![0; PAGE];
            page[..12].copy_from_slice(&[[5, 0, 0, 0], [CHILDREN as u8, 1, 0, 0], child].concat());
            for at in 0..CHILDREN {
                let place = PAGE - 5 * (at + 1);
                page[place..place + 5].copy_from_slice(&[&child[..], &[at as u8 + 1]].concat());
                page[12 + 2 * at..14 + 2 * at].copy_from_slice(&(place as u16).to_be_bytes());
            }
            page[5..7].copy_from_slice(&((PAGE - 5 * CHILDREN) as u16).to_be_bytes());
            file.extend(page);
        }
        file.extend(&small[PAGE..]);
        let pages = (file.len() / PAGE) as u32;
        file[28..32].copy_from_slice(&pages.to_be_bytes());
        file
    }

    #[test]
    fn pages_that_are_used_twice_are_an_error() {
        let error = read_table(&circle(), None, &ReadSettings::default()).expect_err("it has no end").to_string();
        assert!(error.contains("a page is used twice"), "{error}");
    }

    #[test]
    fn a_view_under_the_name_of_a_table_is_not_run() {
        let mut database = Connection::open_in_memory().expect("SQLite is compiled in");
        let script = "CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
                SELECT x FROM n WHERE x < 0;
            CREATE TABLE other (a);
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET name = 'endless' WHERE name = 'other';";
        database.execute_batch(script).expect("the script is right");
        let file = database.serialize(MAIN_DB).expect("there is memory").to_vec();
        let error = read_table(&file, None, &ReadSettings::default()).expect_err("it has no end").to_string();
        // SQLite notices that the names differ; if it did not, the view would not be authorized.
        assert!(error.contains("malformed database schema"), "{error}");
    }

    #[test]
    fn computed_columns_are_left_out_with_a_note() {
        let mut database = Connection::open_in_memory().expect("SQLite is compiled in");
        let script = "CREATE TABLE plain (a, b AS (hex(zeroblob(400000000))), c AS (a + 1) STORED);
            INSERT INTO plain (a) VALUES (1), (2);";
        database.execute_batch(script).expect("the script is right");
        let file = database.serialize(MAIN_DB).expect("there is memory").to_vec();
        let table = read_table(&file, None, &ReadSettings::default()).expect("it has stored columns");
        assert_eq!((table.header(), table.cell(1, 1)), (&["a".to_owned(), "c".to_owned()][..], "3"));
        assert_eq!(table.notes(), ["columns that the database computes are not read: 1, such as \"b\""]);
    }

    #[test]
    fn names_and_types_that_are_no_text_do_no_harm() {
        let changed = |from: &[u8]| {
            let mut file = file();
            let at = memchr::memmem::find(&file, from).expect("the schema has it");
            file[at] = 0xff;
            read_table(&file, None, &ReadSettings::default())
        };
        let table = changed(b"BOOLEAN").expect("a type may be anything");
        assert_eq!(table.cell(0, 1), "1");
        for name in [&b"paid"[..], b"old orders"] {
            assert!(matches!(changed(name), Err(TableError::Malformed { .. })), "{name:?}");
        }
    }

    #[test]
    fn a_database_with_a_log_is_read_without_it() {
        let mut whole = file();
        whole[VERSIONS].copy_from_slice(WITH_LOG);
        let table = read_table(&whole, None, &ReadSettings::default()).expect("the file has tables");
        assert_eq!(table.cell(0, 3), "2024-01-05");
        assert_eq!(
            table.notes(),
            ["the database has a log of changes beside its file; what is only there is not read"]
        );
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
