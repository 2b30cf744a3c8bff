//! Checks the README: its figures are those of `experiments/results`, and the answer that it shows is what the program
//! prints.

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// A file of the project.
fn at(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(at(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn figures_are_those_of_the_results() {
    let results: Value = serde_json::from_str(&read("experiments/results/main.json")).unwrap();
    let figure = |row: &str, column: &str| {
        let rows = results["rows"].as_array().unwrap();
        let found = rows.iter().find(|r| r["row"] == row).unwrap_or_else(|| panic!("no row {row}"));
        format!("{:.1} %", found[column].as_f64().unwrap())
    };
    let readme = read("README.md");
    let paper = [figure("Our system", "accuracy, ours"), figure("Our system", "oracle, ours")];
    let own = [figure("Default settings", "accuracy, ours"), figure("Default settings", "oracle, ours")];
    for line in [
        format!("| the paper's settings here | {} | {} |", paper[0], paper[1]),
        format!("| **default settings** | **{}** | **{}** |", own[0], own[1]),
    ] {
        assert!(readme.contains(&line), "README.md should have the line\n{line}");
    }
}

#[test]
fn the_answer_shown_is_the_one_printed() {
    let question = "Greece held its last Summer Olympics in which year?";
    let mut program = Command::new(env!("CARGO_BIN_EXE_tabwise"));
    let asked = program.arg("ask").arg(at("examples/olympics.csv")).arg(question);
    let printed = String::from_utf8(asked.output().expect("the program runs").stdout).expect("it prints text");
    let lines = printed.lines().map(|line| if line.is_empty() { String::new() } else { format!("    {line}") });
    let shown = lines.collect::<Vec<_>>().join("\n");
    assert!(read("README.md").contains(&shown), "README.md should show\n{shown}");
}
