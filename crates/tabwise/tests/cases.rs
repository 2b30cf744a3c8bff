//! The one runner of the case files. A case file is text that a stranger can read: comment lines (`//`), a table or
//! another piece of content, then inputs (`> `), each followed by what is expected, indented by two spaces:
//!
//! ```text
//! // Which games were where.
//! City,Year
//! Athens,1896
//!
//! > the input
//!   a line that is expected
//! ```
//!
//! A folder of `tests/cases` is an area. Its `run.rs` has one function, `run(content, input) -> output`; an area joins by
//! a line in `areas!` below. Blank lines of an output are dropped. `BLESS=1 cargo test` writes the outputs into the
//! files, and the difference is then to be reviewed.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

macro_rules! areas {
    ($($area:ident: $file:literal,)*) => {
        $(
            #[path = $file]
            mod $area;

            #[test]
            fn $area() {
                check_area(stringify!($area), $area::run);
            }
        )*
    };
}

areas! {
    annotate: "cases/annotate/run.rs",
    answer: "cases/answer/run.rs",
    evaluate: "cases/evaluate/run.rs",
    execute: "cases/execute/run.rs",
    explain: "cases/explain/run.rs",
    graph: "cases/graph/run.rs",
    link: "cases/link/run.rs",
    normalise: "cases/normalise/run.rs",
    parse: "cases/parse/run.rs",
    print: "cases/print/run.rs",
    rank: "cases/rank/run.rs",
    sql: "cases/sql/run.rs",
    tables: "cases/tables/run.rs",
    types: "cases/types/run.rs",
}

/// Runs every case file of an area and fails with all differences, or writes them into the files.
fn check_area(area: &str, run: fn(&str, &str) -> String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(area);
    let files = case_files(&folder);
    assert!(!files.is_empty(), "there are no case files in {}", folder.display());
    let mut differences = String::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a case file is text").replace("\r\n", "\n");
        let fresh = CaseFile::new(&text).replay(run);
        if fresh != text && std::env::var_os("BLESS").is_some() {
            fs::write(&file, &fresh).expect("a case file can be written");
        } else if fresh != text {
            let name = file.file_name().expect("a file has a name").to_string_lossy();
            differences.push_str(&difference(&format!("{area}/{name}"), &text, &fresh));
        }
    }
    assert!(differences.is_empty(), "{differences}\nBLESS=1 cargo test --test cases {area}   accepts the outputs");
}

fn case_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("an area has a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder can be listed").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "case"));
    files.sort();
    files
}

/// A case file, cut into its parts.
struct CaseFile<'a> {
    /// Comments and content, as they stand in the file.
    top: &'a str,
    /// Everything from the first input on.
    cases: &'a str,
}

impl<'a> CaseFile<'a> {
    fn new(text: &'a str) -> CaseFile<'a> {
        let start = if text.starts_with("> ") { 0 } else { text.find("\n> ").map_or(text.len(), |at| at + 1) };
        CaseFile { top: &text[..start], cases: &text[start..] }
    }

    fn content(&self) -> &'a str {
        let mut rest = self.top;
        while rest.starts_with("//") {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
        }
        rest.trim_matches('\n')
    }

    /// The file as it would be if every expectation were right.
    fn replay(&self, run: fn(&str, &str) -> String) -> String {
        let mut fresh = self.top.to_owned();
        for line in self.cases.lines().filter(|line| !line.starts_with("  ")) {
            writeln!(fresh, "{line}").expect("a string can be written to");
            if let Some(input) = line.strip_prefix("> ") {
                let output = run(self.content(), input.trim());
                let lines = output.lines().map(str::trim_end).filter(|line| !line.is_empty());
                lines.for_each(|line| writeln!(fresh, "  {line}").expect("a string can be written to"));
            }
        }
        fresh
    }
}

/// The inputs whose output differs, each with the expected (-) and the real (+) lines.
fn difference(name: &str, expected: &str, real: &str) -> String {
    let (expected, real) = (by_input(expected), by_input(real));
    let mut shown = String::new();
    for (before, after) in expected.iter().zip(&real).filter(|(before, after)| before != after) {
        let _ = write!(shown, "{name}\n> {}", before[0]);
        before[1..].iter().filter(|line| !line.is_empty()).for_each(|line| shown += &format!("\n-{line}"));
        after[1..].iter().filter(|line| !line.is_empty()).for_each(|line| shown += &format!("\n+{line}"));
        shown.push_str("\n\n");
    }
    shown
}

fn by_input(text: &str) -> Vec<Vec<&str>> {
    CaseFile::new(text).cases.split("\n> ").map(|case| case.trim_start_matches("> ").lines().collect()).collect()
}

/// Each rule and each pruner is shown at work by a case, so that none can be broken or forgotten in silence.
#[test]
fn every_rule_and_every_pruner_has_a_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/parse");
    let text = case_files(&folder).into_iter().map(|file| fs::read_to_string(file).expect("a case file is text"));
    let outputs: Vec<String> =
        text.collect::<String>().lines().filter_map(|line| Some(format!("{} ", line.strip_prefix("  ")?))).collect();
    let is_shown = |what: &str| outputs.iter().any(|line| line.contains(what));
    for rule in tabwise::grammar::Grammar::embedded().rules() {
        let name = format!("{} {}", rule.group, rule.name);
        let ends = [" ", ",", ")"].map(|end| format!("{name}{end}"));
        assert!(ends.iter().any(|shown| is_shown(shown)), "no case of tests/cases/parse uses the rule {name}");
    }
    for pruner in tabwise::settings::Pruner::ALL {
        let name = pruner.name();
        assert!(is_shown(&format!("dropped by {name} ")), "no case of tests/cases/parse is dropped by {name}");
    }
}
