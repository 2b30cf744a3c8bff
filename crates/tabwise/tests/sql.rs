//! A formula's SQL gives what the executor gives: every formula of the cases of execution, in SQLite, and random conditions
//! and orders on random tables.

#[path = "support/database.rs"]
mod database;

use proptest::prelude::*;
use std::fs;
use std::path::Path;
use tabwise::execute::{Denotation, Executor};
use tabwise::formula::types::type_of;
use tabwise::formula::{Formulas, notation};
use tabwise::graph::Graph;
use tabwise::sql::{Dialect, Schema, query};
use tabwise::table::Table;
use tabwise::words::Words;

/// What became of a formula.
enum Fate {
    /// It is no formula of this table, or means nothing there.
    Nothing,
    Unsaid,
    Same,
}

/// Runs a formula both ways; an error tells the difference.
fn compare(graph: &Graph, formula: &str) -> Result<Fate, String> {
    let mut formulas = Formulas::new();
    let Ok(id) = notation::read(formula, graph, &mut formulas) else { return Ok(Fate::Nothing) };
    if type_of(&formulas, graph, id).is_err() {
        return Ok(Fate::Nothing);
    }
    let mut executor = Executor::new(graph, formulas);
    let Ok(denotation) = executor.denote(id) else { return Ok(Fate::Nothing) };
    let Some(expected) = database::expected(&denotation, graph) else { return Ok(Fate::Nothing) };
    let schema = Schema::new(graph, "table");
    let Ok(sql) = query(executor.formulas(), graph, &schema, id, Dialect::Sqlite) else { return Ok(Fate::Unsaid) };
    let is_rows = matches!(*denotation, Denotation::Rows(_));
    let text = if is_rows { format!("SELECT row_number FROM ({})", sql.text) } else { sql.text.clone() };
    let found = database::run(&schema, &sql, &text).map_err(|error| format!("{formula}: {error}"))?;
    match database::is_same(&expected, &found, sql.is_ordered) {
        true => Ok(Fate::Same),
        false => Err(format!("{formula}\n{}\nexpected {expected:?}\nfound {found:?}", sql.text)),
    }
}

#[test]
fn sql_gives_what_the_executor_gives() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/execute");
    let words = Words::embedded();
    let (mut same, mut unsaid, mut wrong) = (0, Vec::new(), Vec::new());
    for entry in fs::read_dir(folder).expect("the cases are there") {
        let path = entry.expect("a folder can be listed").path();
        if path.extension().is_none_or(|ending| ending != "case") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a case file is text");
        let start = text.find("\n> ").expect("a case file has an input") + 1;
        let content: Vec<&str> = text[..start].lines().skip_while(|line| line.starts_with("//")).collect();
        let table = Table::from_csv(content.join("\n").trim_matches('\n')).expect("the content is a CSV");
        let graph = Graph::new(&table, &words);
        for formula in text[start..].lines().filter_map(|line| line.strip_prefix("> ")) {
            match compare(&graph, formula.trim()) {
                Ok(Fate::Same) => same += 1,
                Ok(Fate::Unsaid) => unsaid.push(formula.to_owned()),
                Ok(Fate::Nothing) => {}
                Err(difference) => wrong.push(difference),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    // The cases try what is rare; of the formulas of questions nearly all can be said.
    assert!(same > 3 * unsaid.len() && same > 50, "{same} are the same, these are not said:\n{}", unsaid.join("\n"));
}

/// A table with missing cells, repeats, texts with numbers and dates of different precision.
fn csv() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["Ann", "Bo", "ann", "O'Neil", "", "n/a", "50%"]);
    let number = prop::sample::select(vec!["1", "2", "3.5", "-4", "", "3rd", "12 pts", "1,200"]);
    let plain = prop::sample::select(vec!["1", "2", "3.5", "-4", ""]);
    let date = prop::sample::select(vec!["2010-05-01", "May 2010", "2010", "2011-02-28", "", "12 June"]);
    let day = prop::sample::select(vec!["2010-05-01", "2010-05-02", "2011-02-28", "2009-12-31", ""]);
    let row = (name, number, plain, date, day);
    prop::collection::vec(row, 1..9).prop_map(|rows| {
        let lines = rows.iter().map(|(a, b, c, d, e)| format!("{a},\"{b}\",{c},{d},{e}\n"));
        format!("Name,Score,Price,When,Day\n{}", lines.collect::<String>())
    })
}

/// Conditions that choose rows.
const ROWS: [&str; 16] = [
    "Rows",
    "Name.Ann",
    "Name.!=.Ann",
    "except(Rows, Name.Ann)",
    "Score.Number.>.2",
    "Price.Number.<=.3.5",
    "Missing[Price]",
    "When.Date.>=.2010-05-XX",
    "When.Date.2010-XX-XX",
    "Day.Date.<.2011-01-XX",
    "except(Rows, Day.Date.2010-05-XX)",
    "R[Next].Name.Ann",
    "Next.Price.Number.>.1",
    "argmax(Rows, λx[Price.Number.x])",
    "argmin(Name.Ann, Index)",
    "argmax(Price.Number.>.0, λx[Score.Number.x], 2)",
];

/// Questions about rows, with `_` for the rows.
const ASKED: [&str; 18] = [
    "_",
    "count(_)",
    "R[Name]._",
    "count(R[Name]._)",
    "R[Number].R[Score]._",
    "sum(R[Number].R[Price]._)",
    "avg(R[Number].R[Score]._)",
    "max(R[Number].R[Price]._)",
    "min(R[Date].R[Day]._)",
    "max(R[Date].R[When]._)",
    "exists(_)",
    "argmax(R[Name]._, R[λx[count(Name.x)]])",
    "argmax(R[Name].Rows, R[λx[count(Name.x & _)]])",
    "argmin(R[Name]._, R[λx[sum(R[Number].R[Price].(Name.x & _))]], 2)",
    "group(R[Name]._, R[λx[max(R[Number].R[Score].(Name.x & _))]])",
    "group(R[Name].Rows, R[λx[share(count(Name.x & _), count(Name.x))]])",
    "having(R[Name]._, R[λx[count(Name.x)]], >=.2)",
    "share(count(_), count(Rows))",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn random_tables_give_the_same(csv in csv(), other in 0..ROWS.len()) {
        let table = Table::from_csv(&csv).expect("it is a CSV");
        let graph = Graph::new(&table, &Words::embedded());
        for rows in ROWS {
            let both = format!("({rows} & {})", ROWS[other]);
            for asked in ASKED {
                for rows in [rows, &both] {
                    let formula = asked.replace('_', rows);
                    prop_assert!(compare(&graph, &formula).is_ok(), "{csv}{}", compare(&graph, &formula).err().unwrap_or_default());
                }
            }
        }
    }
}
