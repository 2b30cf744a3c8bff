//! Output, error messages and exit codes of `tabwise sql`, and the query in the other doors.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const GAMES: &str = "Year,City,Country,Place\n1896,Athens,Greece,1st\n1900,Paris,France,2nd\n1904,St. Louis,USA,\n2004,Athens,Greece,3rd\n";

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabwise"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let _ = child.stdin.take().expect("there is an input").write_all(GAMES.as_bytes());
    child.wait_with_output().expect("the program ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_question_or_a_formula_is_a_query() {
    let asked = run(&["sql", "-", "how many games were in Athens?"]);
    assert_eq!(asked.status.code(), Some(0));
    let shown = text(&asked.stdout);
    assert!(
        shown.starts_with("-- ") && shown.ends_with("\nSELECT COUNT(*)\nFROM data\nWHERE City = 'Athens';\n"),
        "{shown}"
    );
    let formula = run(&["sql", "-", "--formula", "R[City].Year.Number.>.1900", "--dialect", "postgres"]);
    assert!(
        text(&formula.stdout).ends_with("SELECT DISTINCT \"City\"\nFROM data\nWHERE \"Year\" > 1900;\n"),
        "{formula:?}"
    );
}

#[test]
fn further_columns_are_noted_or_created() {
    let formula = ["sql", "-", "--formula", "max(R[Number].R[Place].Rows)"];
    let noted = text(&run(&formula).stdout);
    assert!(noted.contains("-- Place_number is not in the source"), "{noted}");
    let created = text(&run(&[&formula[..], &["--create"]].concat()).stdout);
    assert!(
        created.starts_with("CREATE TABLE data (\n    Year INTEGER,\n") && !created.contains("not in the source"),
        "{created}"
    );
    assert!(created.contains("    (1904, 'St. Louis', 'USA', NULL, NULL)"), "{created}");
}

#[test]
fn what_cannot_be_said_is_a_sentence() {
    let unsaid = run(&["sql", "-", "--formula", "mark x[City.x]"]);
    assert_eq!((unsaid.status.code(), unsaid.stdout.len()), (Some(2), 0), "{unsaid:?}");
    let unsaid = run(&["sql", "-", "--formula", "contains(\"a\")"]);
    assert_eq!((unsaid.status.code(), unsaid.stdout.len()), (Some(1), 0), "{unsaid:?}");
    assert!(text(&unsaid.stderr).contains("SQL has no short form for this formula"), "{unsaid:?}");
    let unknown = run(&["sql", "-", "which?", "--dialect", "oracle"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("sqlite, duckdb, postgres, spark"), "{unknown:?}");
}

#[test]
fn answers_have_the_query() {
    let answer: serde_json::Value =
        serde_json::from_slice(&run(&["ask", "-", "how many games were in Athens?", "--json"]).stdout)
            .expect("it is JSON");
    let query = "SELECT COUNT(*)\nFROM data\nWHERE City = 'Athens'";
    assert_eq!((&answer["sql"], &answer["meanings"][0]["sql"]), (&query.into(), &query.into()), "{answer}");
    assert!(answer.get("sql_note").is_none(), "{answer}");
    let nothing: serde_json::Value =
        serde_json::from_slice(&run(&["ask", "-", "?", "--json"]).stdout).expect("it is JSON");
    assert!(nothing["sql"].is_null(), "{nothing}");
}
