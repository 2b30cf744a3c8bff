//! SQLite as an engine: a table of a database file is asked where it is, without reading all of it. The file is opened for
//! reading only, and nothing that its schema says is run.

use anyhow::{Context, Result, anyhow, bail};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use tabwise::engine::{Declared, Engine, EngineError, Lines, Type};
use tabwise::sql::Dialect;
use tabwise::table::Choice;

/// A table of a database file.
pub(crate) struct Database {
    connection: Mutex<Connection>,
    table: String,
    rows: usize,
}

/// Number of rows from which a table of a database stays where it is.
const LONG: usize = 100_000;
/// Most columns that can be asked about: each is looked at on its own, and counted three times in a query, which has room
/// for 2000 counts.
const MOST_COLUMNS: usize = 600;
/// Fewest bytes that a row takes in a file.
const SHORTEST_ROW: usize = 4;

/// Opens the table of a database that stays there: one that is chosen or has the most rows, if it is long. `None` for any
/// other file, for a table that has no numbers of rows or too many columns, and for one with more cells than the file has bytes:
/// cells that are not stored cost as much to look at, and a small file can declare any number of them.
pub(crate) fn long_table(path: &Path, chosen: Option<&Choice>) -> Result<Option<Database>> {
    if !is_database(path) || most_rows(path) < LONG {
        return Ok(None);
    }
    let database = Database::open(path, chosen)?;
    let (table, name) = (quoted(&database.table), literal(&database.table));
    let is_numbered = database.run(&format!("SELECT MAX(rowid) FROM {table}")).is_ok();
    let columns = database.run(&format!("SELECT COUNT(*) FROM pragma_table_info({name})"));
    let columns = columns.iter().flatten().flatten().map(|cell| number(cell.as_ref())).next().unwrap_or(0) as usize;
    let is_stored = database.rows.saturating_mul(columns) <= bytes(path);
    let is_long = database.rows >= LONG && columns <= MOST_COLUMNS;
    Ok((is_long && is_numbered && is_stored).then_some(database))
}

/// Number of rows that a file has room for.
fn most_rows(path: &Path) -> usize {
    bytes(path) / SHORTEST_ROW
}

/// Size of a database, with the log of changes that may be beside it.
fn bytes(path: &Path) -> usize {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len() as usize);
    size(path) + size(Path::new(&log))
}

/// True if a file begins as databases do.
fn is_database(path: &Path) -> bool {
    use std::io::Read;
    let mut start = [0; 16];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && &start == b"SQLite format 3\0"
}

impl Database {
    /// Opens a table of a database: the one that is chosen, or that with the most rows.
    pub(crate) fn open(path: &Path, chosen: Option<&Choice>) -> Result<Database> {
        let shown = path.display();
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
            .with_context(|| format!("cannot open {shown}"))?;
        connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;")?;
        let mut database = Database { connection: Mutex::new(connection), table: String::new(), rows: 0 };
        let tables = database.tables(most_rows(path)).map_err(|error| anyhow!("{shown}: {}", error.reason))?;
        let found = match chosen {
            Some(choice) => choice.among(&[tables.iter().map(|(name, _)| name.as_str()).collect()]),
            None => (0..tables.len()).max_by_key(|at| (tables[*at].1, std::cmp::Reverse(*at))),
        };
        let Some(at) = found else {
            let names: Vec<String> = tables.iter().map(|(name, _)| format!("\"{name}\"")).collect();
            match chosen {
                Some(choice) => bail!("{shown}: there is no table {choice}; there are {}", names.join(", ")),
                None => bail!("{shown}: there is no table in this database"),
            }
        };
        (database.table, database.rows) = tables.into_iter().nth(at).unwrap_or_default();
        Ok(database)
    }

    /// Names of the tables, with their numbers of rows. No more are counted than the file has room for: if its pages refer to
    /// the same page again and again, there are rows without end.
    fn tables(&self, most_rows: usize) -> Result<Vec<(String, usize)>, EngineError> {
        const NAMES: &str = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' \
                             AND sql LIKE 'CREATE TABLE %' ORDER BY rowid";
        let names = self.run(NAMES)?.into_iter().flatten().flatten();
        let mut room = most_rows;
        let counted = |name: String| {
            let count = format!("SELECT COUNT(*) FROM (SELECT 1 FROM {} LIMIT {})", quoted(&name), room + 1);
            let count = self.run(&count)?.into_iter().flatten().flatten().next().and_then(|text| text.parse().ok());
            let rows = count.unwrap_or(0);
            room = room.checked_sub(rows).ok_or_else(|| self.error("it is malformed: a page is used twice"))?;
            Ok((name, rows))
        };
        names.map(counted).collect()
    }

    fn error(&self, reason: impl ToString) -> EngineError {
        EngineError { engine: "SQLite".to_owned(), table: self.table.clone(), reason: reason.to_string() }
    }
}

impl Engine for Database {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn table(&self) -> &str {
        &self.table
    }

    /// Types by the values, since SQLite keeps any value in any column: one look at all of them for each column.
    fn columns(&self) -> Result<Vec<Declared>, EngineError> {
        let table = quoted(&self.table);
        let declared = self.run(&format!("SELECT name, type FROM pragma_table_info({})", literal(&self.table)))?;
        if declared.len() > MOST_COLUMNS {
            return Err(self.error(format!("it has {} columns; {MOST_COLUMNS} are the most", declared.len())));
        }
        let kind = |name: &str, declared: &str| {
            let column = quoted(name);
            let counts = self.run(&format!(
                "SELECT COUNT({column}), SUM(TYPEOF({column}) = 'integer'), SUM(TYPEOF({column}) = 'real'), \
                 SUM(TYPEOF({column}) = 'text'), SUM({column} IN (0, 1)), SUM({column} GLOB '{DAY}'), \
                 SUM({column} GLOB '{DAY} [0-2][0-9]:[0-5][0-9]:[0-5][0-9]') FROM {table}"
            ))?;
            let counts: Vec<i64> = counts.iter().flatten().map(|cell| number(cell.as_ref())).collect();
            Ok(kind(&counts, declared))
        };
        let column = |line: &Vec<Option<String>>| {
            let text = |at: usize| line.get(at).cloned().flatten().unwrap_or_default();
            Ok(Declared { kind: kind(&text(0), &text(1))?, name: text(0) })
        };
        declared.iter().map(column).collect()
    }

    fn run(&self, sql: &str) -> Result<Lines, EngineError> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        lines(&connection, sql).map_err(|error| self.error(error))
    }
}

/// Pattern of a day.
const DAY: &str = "[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]";

/// Type of a column by the counts of its values.
fn kind(counts: &[i64], declared: &str) -> Type {
    let [there, whole, real, texts, truths, days, moments] = counts else { return Type::Other };
    match () {
        () if declared.to_ascii_lowercase().starts_with("bool") && truths == there => Type::Truth,
        () if *there > 0 && whole == there => Type::Whole,
        () if *there > 0 && whole + real == *there => Type::Number,
        () if *there > 0 && days == there => Type::Day,
        () if *there > 0 && days + moments == *there => Type::Moment,
        () if texts == there => Type::Text,
        () => Type::Other,
    }
}

fn number(cell: Option<&String>) -> i64 {
    cell.and_then(|text| text.parse().ok()).unwrap_or(0)
}

fn lines(connection: &Connection, sql: &str) -> rusqlite::Result<Lines> {
    let mut statement = connection.prepare(sql)?;
    let columns = statement.column_count();
    let mut rows = statement.query([])?;
    let mut lines = Vec::new();
    while let Some(row) = rows.next()? {
        lines.push((0..columns).map(|at| row.get_ref(at).map(text)).collect::<rusqlite::Result<Vec<_>>>()?);
    }
    Ok(lines)
}

/// A value as the text of a cell, as it is when a database is read.
fn text(value: ValueRef) -> Option<String> {
    match value {
        ValueRef::Integer(n) => Some(n.to_string()),
        ValueRef::Real(n) => Some(n.to_string()),
        ValueRef::Text(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        ValueRef::Null | ValueRef::Blob(_) => None,
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
