//! SQL. The content is a CSV, the input is a formula, with the name of a dialect before it or for SQLite; the output is the
//! query, or why there is none. A query for SQLite is also run, and must give what the formula denotes.

#[path = "../../support/database.rs"]
mod database;

use tabwise::execute::Executor;
use tabwise::formula::{Formulas, notation};
use tabwise::graph::Graph;
use tabwise::named::Named;
use tabwise::sql::{Dialect, Schema, query};
use tabwise::table::Table;
use tabwise::words::Words;

pub fn run(content: &str, input: &str) -> String {
    let table = Table::from_csv(content).expect("the content is a CSV");
    let graph = Graph::new(&table, &Words::embedded());
    let named = input.split_once(": ").and_then(|(name, rest)| Some((Dialect::named(name)?, rest)));
    let (dialect, formula) = named.unwrap_or((Dialect::Sqlite, input));
    let mut formulas = Formulas::new();
    let id = match notation::read(formula, &graph, &mut formulas) {
        Ok(id) => id,
        Err(error) => return format!("no formula: {error}"),
    };
    let schema = Schema::new(&graph, "games");
    let mut executor = Executor::new(&graph, formulas);
    let sql = match query(executor.formulas(), &graph, &schema, id, dialect) {
        Ok(sql) => sql,
        Err(reason) => return format!("no query: {reason}"),
    };
    let mut lines = vec![sql.text.clone()];
    lines.extend(sql.note(&schema).map(|note| format!("-- {note}")));
    if let (Dialect::Sqlite, Ok(denotation)) = (dialect, executor.denote(id))
        && let Some(expected) = database::expected(&denotation, &graph)
    {
        let is_rows = matches!(*denotation, tabwise::execute::Denotation::Rows(_));
        let text = if is_rows { format!("SELECT row_number FROM ({})", sql.text) } else { sql.text.clone() };
        match database::run(&schema, &sql, &text) {
            Ok(found) if database::is_same(&expected, &found, sql.is_ordered) => {}
            found => lines.push(format!("but the database gives {found:?} and the executor {expected:?}")),
        }
    }
    lines.join("\n")
}
