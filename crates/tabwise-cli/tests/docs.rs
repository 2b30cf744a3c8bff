//! Runs the commands of the README, the tutorial and the guide to formulas as a reader would: in the folder of the
//! project, with `tabwise` on the path. A block of `console` has commands (`$ `) with what they print; one of `sh` has
//! commands that must succeed, one of `sh serve` those that need a server, and one of `sh install` is not run, since it
//! changes the machine. Formulas are in the first column of the tables of the guide. `BLESS=1 cargo test --test docs`
//! writes what is printed into the files.

mod support;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use support::Server;

const PAGES: [&str; 3] = ["README.md", "docs/tutorial.md", "docs/formulas.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// Runs a line of a shell.
fn shell(line: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_tabwise")).parent().expect("a program is in a folder");
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([program.to_owned()].into_iter().chain(env::split_paths(&path))).expect("it is a path");
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(root()).env("PATH", path).env("COLUMNS", "100").stdin(Stdio::null());
    command.env_remove("CLICOLOR_FORCE").output().expect("there is a shell")
}

/// A fenced block: the words behind its fence, and its lines.
struct Block<'a> {
    kind: &'a str,
    lines: Vec<&'a str>,
}

/// The blocks of a page.
fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("```") {
            blocks.push(Block { kind, lines: lines.by_ref().take_while(|line| *line != "```").collect() });
        }
    }
    blocks
}

/// Commands of a block of `sh`; a backslash at the end of a line goes on in the next.
fn commands(block: &Block) -> Vec<String> {
    let text = block.lines.join("\n").replace("\\\n", " ");
    text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// A block of `console` with what its commands print.
fn replayed(block: &Block) -> Vec<String> {
    let commands = block.lines.iter().filter(|line| line.starts_with("$ "));
    let printed = |command: &&str| {
        let output = shell(&command[2..]);
        let text = [&output.stdout[..], &output.stderr[..]].concat();
        let text = String::from_utf8(text).expect("it prints text");
        let lines: Vec<String> = text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect();
        std::iter::once(command.to_string()).chain(lines).collect::<Vec<_>>()
    };
    let all: Vec<Vec<String>> = commands.map(printed).collect();
    all.join(&String::new())
}

/// Lines without what changes with every model: how sure it is.
fn without_figures(lines: &[impl AsRef<str>]) -> Vec<String> {
    let mask = |line: &str| match line.find(" % sure").or_else(|| line.find(" % |")) {
        Some(at) => format!("{}{}", line[..at].trim_end_matches(|c: char| c.is_ascii_digit()), &line[at..]),
        None => line.to_owned(),
    };
    lines.iter().map(|line| mask(line.as_ref())).collect()
}

#[test]
fn what_is_shown_is_what_is_printed() {
    for page in PAGES {
        let mut text = read(page);
        let before = text.clone();
        for block in blocks(&before).iter().filter(|block| block.kind == "console") {
            let fresh = replayed(block);
            if env::var_os("BLESS").is_some() {
                let fence = |lines: &[String]| format!("```console\n{}\n```", lines.join("\n"));
                let old: Vec<String> = block.lines.iter().map(|line| line.to_string()).collect();
                text = text.replace(&fence(&old), &fence(&fresh));
            } else {
                let shown = block.lines.join("\n");
                assert_eq!(without_figures(&fresh), without_figures(&block.lines), "{page} shows\n{shown}");
            }
        }
        if text != before {
            fs::write(root().join(page), text).expect("a page can be written");
        }
    }
}

#[test]
fn commands_run_as_they_stand() {
    for page in PAGES {
        let text = read(page);
        for command in blocks(&text).iter().filter(|block| block.kind == "sh").flat_map(commands) {
            let output = shell(&command);
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success() && !output.stdout.is_empty(), "{page}: {command}: {error}");
        }
    }
}

#[test]
fn requests_are_answered_as_they_stand() {
    let curl = Command::new("curl").arg("--version").stdout(Stdio::null()).status();
    assert!(curl.is_ok(), "the commands of the pages use curl, which is not installed");
    let server = Server::start(&[]);
    for page in PAGES {
        let text = read(page);
        for command in blocks(&text).iter().filter(|block| block.kind == "sh serve").flat_map(commands) {
            let output = shell(&command.replace("127.0.0.1:8017", &server.address.to_string()));
            let reply: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
                panic!("{page}: {command}: {error}: {}", String::from_utf8_lossy(&output.stdout))
            });
            assert!(reply["answer"].is_array() || reply["answers"].is_array(), "{page}: {command}: {reply}");
        }
    }
}

#[test]
fn every_formula_of_the_guide_has_a_value() {
    let guide = read("docs/formulas.md");
    let first = |line: &str| {
        line.strip_prefix("| `").and_then(|rest| rest.split_once("` |")).map(|(one, _)| one.replace("\\|", "|"))
    };
    let formulas: Vec<String> = guide.lines().filter_map(first).collect();
    assert!(formulas.len() > 20, "{formulas:?}");
    for formula in formulas {
        let output = shell(&format!("tabwise exec examples/olympics.csv '{formula}'"));
        assert!(output.status.success(), "{formula}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn links_lead_somewhere() {
    for page in PAGES {
        let text = read(page);
        let folder = root().join(page).parent().expect("a page is in a folder").to_owned();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target) {
            let file = target.split('#').next().unwrap_or("");
            let is_there = target.starts_with("https://") || folder.join(file).exists();
            assert!(is_there, "{page} links to {target}");
        }
    }
}
