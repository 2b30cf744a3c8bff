//! SQLite in memory, to run what `sql` writes and compare it with what the executor gives.

use tabwise::execute::{Denotation, Item, distinct};
use tabwise::graph::Graph;
use tabwise::sql::{Dialect, Schema, Sql, create};
use tabwise::value::Value;

/// Makes the table of a query and runs it; the error is the database's.
pub fn run(schema: &Schema, sql: &Sql, query: &str) -> Result<Vec<Vec<String>>, String> {
    let mut script = String::new();
    let further = sql.made().chain([tabwise::sql::Field::RowNumber]);
    let mut fields: Vec<_> = further.collect();
    fields.sort_unstable();
    fields.dedup();
    create(schema, fields.into_iter(), sql.parts.iter().copied(), Dialect::Sqlite, &mut script)
        .expect("a string can be written to");
    let database = rusqlite::Connection::open_in_memory().expect("SQLite is compiled in");
    database.execute_batch(&script).map_err(|error| format!("{error} in {script}"))?;
    lines(&database, query).map_err(|error| format!("{error} in {query}"))
}

fn lines(database: &rusqlite::Connection, query: &str) -> rusqlite::Result<Vec<Vec<String>>> {
    use rusqlite::types::Value as Cell;
    let mut statement = database.prepare(query)?;
    let columns = statement.column_count();
    let line = |row: &rusqlite::Row| {
        let cell = |at: usize| {
            Ok(match row.get::<_, Cell>(at)? {
                Cell::Null => "NULL".to_owned(),
                Cell::Integer(n) => n.to_string(),
                Cell::Real(n) => n.to_string(),
                Cell::Text(text) => text,
                Cell::Blob(_) => "BLOB".to_owned(),
            })
        };
        (0..columns).map(cell).collect()
    };
    statement.query_map([], line)?.collect()
}

/// Lines that a query should give for a denotation; `None` for what can only be described.
pub fn expected(denotation: &Denotation, graph: &Graph) -> Option<Vec<Vec<String>>> {
    let values = |items: &[Item]| distinct(items).into_iter().map(|value| show(value, graph)).collect::<Vec<String>>();
    match denotation {
        Denotation::Values(items) => Some(values(items).into_iter().map(|value| vec![value]).collect()),
        Denotation::Rows(rows) => Some(match rows.ranking() {
            Some(ranking) => ranking.iter().map(|row| vec![row.to_string()]).collect(),
            None => rows.iter().map(|row| vec![row.to_string()]).collect(),
        }),
        Denotation::Groups(groups) => {
            let of = |group: &tabwise::execute::Group| {
                let key = show(group.key.value, graph);
                values(&group.values).into_iter().map(move |value| vec![key.clone(), value]).collect::<Vec<_>>()
            };
            Some(groups.iter().flat_map(of).collect())
        }
        Denotation::Passing(_) => None,
    }
}

fn show(value: Value, graph: &Graph) -> String {
    match value {
        Value::Truth(truth) => u8::from(truth).to_string(),
        Value::Date(date) if date.known() == 4 => date.year().expect("it is known").to_string(),
        Value::Date(date) => date.to_string().to_lowercase(),
        Value::Number(_) | Value::Entity(_) => graph.show(value),
    }
}

/// Tells if two results are the same. Numbers are compared by value, lines as a set unless their order counts.
pub fn is_same(expected: &[Vec<String>], found: &[Vec<String>], is_ordered: bool) -> bool {
    let plain = |lines: &[Vec<String>]| {
        let line = |line: &Vec<String>| line.iter().map(|cell| plain(cell)).collect::<Vec<String>>();
        let mut lines: Vec<Vec<String>> = lines.iter().map(line).collect();
        if !is_ordered {
            lines.sort();
        }
        lines.dedup();
        lines
    };
    plain(expected) == plain(found)
}

fn plain(cell: &str) -> String {
    match cell.parse::<f64>() {
        Ok(n) if n.is_finite() => format!("{:.9e}", n + 0.0),
        _ => cell.to_owned(),
    }
}
