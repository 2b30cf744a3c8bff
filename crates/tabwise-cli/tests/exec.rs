//! Output, error messages and exit codes of `tabwise exec` and `tabwise show graph`.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const GAMES: &str =
    "Year,City,Country\n1896,Athens,Greece\n1900,Paris,France\n1904,St. Louis,USA\n2004,Athens,Greece\n";

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabwise"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let _ = child.stdin.take().expect("there is an input").write_all(GAMES.as_bytes());
    child.wait_with_output().expect("the program ends")
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).expect("it prints JSON")
}

#[test]
fn a_formula_is_executed_in_either_notation() {
    let ours = run(&["exec", "-", "R[Year].argmax(Country.Greece, Index)", "--json"]);
    assert_eq!(ours.status.code(), Some(0));
    let object = json(&ours);
    assert_eq!(object["denotation"], serde_json::json!(["2004"]));
    assert_eq!(object["type"], "entity");
    assert_eq!(object["cells"], serde_json::json!([[3, 0]]));
    let lisp = run(&["exec", "-", "(!r.year (argmax 1 1 (r.country c.greece) @index))", "--json"]);
    assert_eq!(json(&lisp), object);
}

#[test]
fn text_output_begins_with_the_answer() {
    let shown = run(&["exec", "-", "count(City.Athens)"]);
    let text = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(text.starts_with("2\n\nformula  count(City.Athens)\n"), "{text}");
    assert!(text.contains("City of row 1, City of row 4"), "{text}");
}

#[test]
fn groups_are_a_table() {
    let formula = "group(R[Country].Rows, R[λx[count(Country.x)]])";
    let text = String::from_utf8_lossy(&run(&["exec", "-", formula]).stdout).into_owned();
    assert!(text.starts_with("Country  number of rows\nGreece   2\nFrance   1\nUSA      1\n\nformula"), "{text}");
    let object = json(&run(&["exec", "-", formula, "--json"]));
    assert_eq!(object["denotation"], serde_json::json!(["Greece: 2", "France: 1", "USA: 1"]));
    assert_eq!(object["table"]["header"], serde_json::json!(["Country", "number of rows"]));
    assert_eq!((&object["table"]["rows"][0], &object["type"]), (&serde_json::json!(["Greece", "2"]), &"table".into()));
}

#[test]
fn a_truth_is_yes_or_no() {
    let output = run(&["exec", "-", "exists(City.contains(\"louis\"))"]);
    assert_eq!((output.status.code(), output.stdout.starts_with(b"yes\n")), (Some(0), true));
}

#[test]
fn a_formula_without_an_answer_is_exit_code_1() {
    for (formula, why) in [
        ("max(R[Number].R[City].Rows)", "of an empty list"),
        ("City.Paris & City.Athens", "nothing in this table matches"),
        ("Number.>.5", "can only be described"),
        ("div(1, 0)", "divides by zero"),
    ] {
        let output = run(&["exec", "-", formula, "--json"]);
        assert_eq!(output.status.code(), Some(1), "{formula}");
        assert!(json(&output)["undefined"].as_str().is_some_and(|text| text.contains(why)), "{formula}: {output:?}");
    }
}

#[test]
fn an_invalid_formula_is_one_error() {
    for (formula, says) in [
        ("R[Yeer].Rows", "did you mean \"Year\"?"),
        ("City.Athen", "did you mean \"Athens\"?"),
        ("City.1896", "1896 is number, but here it would have to be entity"),
        ("count(", "ends too early"),
        ("St. Louis", "no column \"St\""),
        ("argmax(Rows, City)", "City leads to entity"),
        ("(count (r.town c.athens))", "no column with the id \"town\""),
    ] {
        let output = run(&["exec", "-", formula]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{formula}");
        assert!(said.contains(says) && said.lines().count() == 1, "{formula}: {said}");
    }
}

#[test]
fn the_graph_is_shown() {
    let text = String::from_utf8_lossy(&run(&["show", "graph", "-", "--limit", "2"]).stdout).into_owned();
    assert!(text.contains("\"1896\" Number 1896, Date 1896-XX-XX"), "{text}");
    assert!(text.contains("… and 2 more rows"), "{text}");
    let object = json(&run(&["show", "graph", "-", "--json"]));
    assert_eq!(object["columns"][0]["name"], "Year");
    assert_eq!(object["entities"][0], serde_json::json!({"name": "1896", "Number": "1896", "Date": "1896-XX-XX"}));
    assert_eq!(object["rows"][0], serde_json::json!([0, 1, 2]));
    assert_eq!(object["rows"].as_array().map(Vec::len), Some(4));
}

#[test]
fn readings_follow_the_words_of_another_folder() {
    let words = concat!(env!("CARGO_MANIFEST_DIR"), "/../tabwise/knowledge/words.toml");
    let words = std::fs::read_to_string(words).expect("the words are text");
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("exec-words");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let other = words.replace("\ntwo = 2\n", "\ntwo = 2\nparis = 7\n");
    std::fs::write(folder.join("words.toml"), other).expect("a file can be written");
    let folder = folder.to_str().expect("the path is text");
    let found = run(&["exec", "-", "max(R[Number].R[City].Rows)", "--json", "--knowledge", folder]);
    assert_eq!(json(&found)["denotation"], serde_json::json!(["7"]));
    let graph = run(&["show", "graph", "-", "--knowledge", folder]);
    assert!(String::from_utf8_lossy(&graph.stdout).contains("\"Paris\" Number 7"));
}
