//! Databases that run queries for `check sql`: SQLite in this program, or a command that talks JSON.

use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tabwise::sql::Dialect;

/// Lines of a result, each cell as text.
pub(super) type Lines = Vec<Vec<String>>;

/// A database.
pub(super) enum Engine {
    Sqlite,
    Command(Talk),
}

/// A process that takes a JSON object a line and gives one back.
pub(super) struct Talk {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Engine {
    /// SQLite, or the process of a command.
    pub(super) fn start(dialect: Dialect, command: Option<&str>) -> Result<Engine> {
        let Some(command) = command else {
            return if dialect == Dialect::Sqlite { Ok(Engine::Sqlite) } else { bail!("--engine is missing") };
        };
        let words: Vec<&str> = command.split_whitespace().collect();
        let (program, arguments) = words.split_first().context("--engine is empty")?;
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {command}"))?;
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().context("the process has no output")?);
        Ok(Engine::Command(Talk { process, input, output }))
    }

    /// Makes a table in an empty database and runs a query on it.
    pub(super) fn run(&mut self, create: &str, query: &str) -> Result<Lines> {
        match self {
            Engine::Sqlite => sqlite(create, query),
            Engine::Command(talk) => talk.run(create, query),
        }
    }
}

fn sqlite(create: &str, query: &str) -> Result<Lines> {
    use rusqlite::types::ValueRef;
    let database = rusqlite::Connection::open_in_memory()?;
    database.execute_batch(create)?;
    let mut statement = database.prepare(query)?;
    let columns = statement.column_count();
    let mut rows = statement.query([])?;
    let mut lines = Vec::new();
    while let Some(row) = rows.next()? {
        let cell = |at: usize| -> Result<String> {
            Ok(match row.get_ref(at)? {
                ValueRef::Null => "NULL".to_string(),
                ValueRef::Integer(n) => n.to_string(),
                ValueRef::Real(n) => n.to_string(),
                ValueRef::Text(text) | ValueRef::Blob(text) => String::from_utf8_lossy(text).into_owned(),
            })
        };
        lines.push((0..columns).map(cell).collect::<Result<Vec<String>>>()?);
    }
    Ok(lines)
}

impl Talk {
    fn run(&mut self, create: &str, query: &str) -> Result<Lines> {
        let input = self.input.as_mut().context("the process has no input")?;
        writeln!(input, "{}", json!({ "create": create, "query": query }))?;
        input.flush()?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let reply: Value = serde_json::from_str(&line).context("the engine gave no JSON")?;
        if let Some(error) = reply["error"].as_str() {
            return Err(anyhow!("{error}"));
        }
        let rows = reply["rows"].as_array().context("the engine gave no rows")?;
        let cell = |cell: &Value| match cell {
            Value::Null => "NULL".to_string(),
            Value::Bool(truth) => u8::from(*truth).to_string(),
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Array(_) | Value::Object(_) => cell.to_string(),
        };
        Ok(rows.iter().map(|row| row.as_array().into_iter().flatten().map(cell).collect()).collect())
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        // The end of its input ends the process.
        drop(self.input.take());
        let _ = self.process.wait();
    }
}
