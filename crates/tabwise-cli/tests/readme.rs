//! Checks the figures of the README: they are those of `experiments/results`. `docs.rs` runs its commands.

use serde_json::Value;
use std::path::PathBuf;

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
