//! SQLite as an engine: a table that stays in its database gives the answers that it gives in memory.

use rusqlite::Connection;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Rows of the long table: more than stay in memory without being asked for.
const LONG: i64 = 120_000;

const SCRIPT: &str = "
    CREATE TABLE \"Old Orders\" (id INTEGER, city TEXT, product TEXT, quantity INTEGER, price REAL, sent DATE, paid BOOLEAN);
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < LONG)
    INSERT INTO \"Old Orders\" SELECT 100001 + i,
        CASE i * 7919 % 10 WHEN 0 THEN 'Oslo' WHEN 1 THEN 'Paris' WHEN 2 THEN 'n/a' WHEN 3 THEN 'Tokyo' ELSE 'Athens' END,
        CASE i % 3 WHEN 0 THEN 'Oak Table' WHEN 1 THEN 'Glass Lamp' ELSE 'Steel Desk' END,
        CASE WHEN i % 20 = 0 THEN NULL ELSE 1 + i * 31 % 97 END, 5 + (i * 13 % 1000) / 4.0,
        DATE('2019-01-01', (i * 17 % 2000) || ' days'), i % 9 = 0
    FROM n;
    CREATE TABLE cities (name TEXT, country TEXT); INSERT INTO cities VALUES ('Oslo', 'Norway'), ('Paris', 'France');";

const QUESTIONS: [&str; 12] = [
    "how many orders were from Paris?",
    "how many orders are there?",
    "how many rows are there?",
    "which city has the most orders?",
    "what is the average price of orders from Tokyo?",
    "what is the highest price?",
    "how many different products are there?",
    "how many orders have a quantity over 90?",
    "how many orders in 2021 were from Oslo?",
    "what is the total quantity of Oak Table?",
    "what is the price of id 190000?",
    "how many orders per city?",
];

/// A database of its own for each test.
fn database(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.db"));
    let _ = fs::remove_file(&path);
    let connection = Connection::open(&path).expect("a file can be made");
    connection.execute_batch(&SCRIPT.replace("LONG", &LONG.to_string())).expect("the script is right");
    path
}

fn ask(arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tabwise"));
    program.arg("ask").args(arguments).output().expect("the program starts")
}

fn printed(arguments: &[&str]) -> String {
    let output = ask(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_long_table_gives_the_answers_of_memory() {
    let path = database("orders");
    let path = path.to_str().expect("the path is text");
    let asked =
        |engine: &[&str]| printed(&[&[path, "--quiet", "--min-confidence", "0"], engine, &QUESTIONS[..]].concat());
    let (stays, read) = (asked(&[]), asked(&["--engine", "memory"]));
    // A query that leaves the order of groups open gives them in any.
    let sorted = |line: &str| {
        let mut values: Vec<String> = line.split('\t').map(str::to_owned).collect();
        values.sort();
        values
    };
    let lines = stays.lines().zip(read.lines()).zip(QUESTIONS);
    let different: Vec<String> = lines
        .filter(|((a, b), _)| sorted(a) != sorted(b))
        .map(|((a, b), question)| format!("{question} {a}, not {b}"))
        .collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
    assert_eq!(stays.lines().count(), QUESTIONS.len());
    assert!(stays.contains(&LONG.to_string()), "{stays}");
}

#[test]
fn the_query_that_was_run_is_shown() {
    let path = database("query");
    let path = path.to_str().expect("the path is text");
    let said = printed(&[path, "how many orders were from Paris?"]);
    assert!(said.contains("FROM \"Old Orders"), "{said}");
    let json = printed(&[path, "--json", "how many orders were from Paris?"]);
    let answer: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    let query = answer["sql"].as_str().expect("there is a query");
    let connection = Connection::open(path).expect("it is a database");
    let found: i64 = connection.query_row(query, [], |row| row.get(0)).expect("the query runs");
    assert_eq!(answer["answer"][0], found.to_string());
    assert_eq!(answer["cells"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_search_looks_at_as_many_rows_as_in_memory() {
    let path = database("sampled");
    let path = path.to_str().expect("the path is text");
    let looked_at = |engine: &[&str]| {
        let said = ask(&[&[path, "--min-confidence", "1", "what is the highest price?"], engine].concat());
        let said = String::from_utf8_lossy(&said.stdout).into_owned() + &String::from_utf8_lossy(&said.stderr);
        let (_, rest) = said.split_once("were looked for in ").unwrap_or_else(|| panic!("{said}"));
        let (some, _) = rest.split_once(" of 120000 rows").unwrap_or_else(|| panic!("{said}"));
        some.parse::<usize>().expect("a number of rows")
    };
    let (stays, read) = (looked_at(&[]), looked_at(&["--engine", "memory"]));
    assert!(stays.abs_diff(read) < 50, "{stays} of an engine, {read} of memory");
}

#[test]
fn rows_without_end_are_an_error() {
    let path = "../../fuzz/corpus/readers/circle.sqlite";
    for engine in [&[][..], &["--engine", "sqlite"], &["--engine", "memory"]] {
        let output = ask(&[&[path, "how many rows are there?"], engine].concat());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("a page is used twice") && error.lines().count() == 1, "{error}");
    }
}

#[test]
fn a_short_table_may_stay_as_well() {
    let path = database("short");
    let path = path.to_str().expect("the path is text");
    let question = "which country is Oslo in?";
    let options = [path, "--table", "cities", "--quiet", question];
    let stays = printed(&[&options[..], &["--engine", "sqlite"]].concat());
    assert_eq!(stays, printed(&options));
    assert_eq!(stays.trim(), "Norway");
    let error = ask(&[path, "--engine", "sqlite", "--table", "towns", question]);
    let error = String::from_utf8_lossy(&error.stderr).into_owned();
    assert!(error.contains("there is no table \"towns\"; there are \"Old Orders\", \"cities\""), "{error}");
    let error = ask(&["../../examples/olympics.csv", "--engine", "sqlite", question]);
    assert!(String::from_utf8_lossy(&error.stderr).contains("not a database"));
}

/// Every column is looked at on its own, so a thousand of them would take minutes.
#[test]
fn a_table_with_too_many_columns_does_not_stay() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("wide.db");
    let _ = fs::remove_file(&path);
    let columns: Vec<String> = (0..700).map(|at| format!("c{at}")).collect();
    let script = format!("CREATE TABLE t ({}); INSERT INTO t (c0, c1) VALUES ('Oslo', 3)", columns.join(", "));
    Connection::open(&path).expect("a file can be made").execute_batch(&script).expect("the script is right");
    let output = ask(&[path.to_str().expect("the path is text"), "--engine", "sqlite", "what is the c1 of Oslo?"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && error.contains("it has 700 columns; 600 are the most"), "{error}");
}

/// Its pages refer to each other, so that a query of them would not end.
#[test]
fn a_damaged_database_is_an_error() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/readers/circle.sqlite");
    let output = ask(&[path, "how many rows are there?"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("a page is used twice"), "{said}");
}
