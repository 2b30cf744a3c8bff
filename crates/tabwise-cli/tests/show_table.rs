//! Output, error messages and exit codes of `tabwise show table`.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn tabwise(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabwise"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program with this text on standard input.
fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = tabwise(arguments).spawn().expect("the program starts");
    // Fails if the program ends without reading its input, which is fine.
    let _ = child.stdin.take().expect("there is an input").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn file(name: &str, content: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("a file can be written");
    path
}

#[test]
fn a_table_from_standard_input_is_printed_in_every_form() {
    let csv = "City;Year\nAthens;1896\n\"St. \"\"L\"\"\";1904\n";
    let shown = run(&["show", "table", "-", "--format", "csv"], csv);
    assert_eq!(text(&shown.stdout), "\"City\",\"Year\"\n\"Athens\",\"1896\"\n\"St. \"\"L\"\"\",\"1904\"\n");
    let shown = run(&["show", "table", "-", "--format", "json"], csv);
    let json: serde_json::Value = serde_json::from_slice(&shown.stdout).expect("it prints JSON");
    assert_eq!(json["header"], serde_json::json!(["City", "Year"]));
    assert_eq!(json["rows"], serde_json::json!([["Athens", "1896"], ["St. \"L\"", "1904"]]));
    assert_eq!(json["notes"], serde_json::json!(["cells are separated by semicolons"]));
    let shown = run(&["show", "table", "-"], csv);
    assert_eq!(shown.status.code(), Some(0));
    assert!(text(&shown.stdout).starts_with("City     Year\n"), "{}", text(&shown.stdout));
}

#[test]
fn what_was_shown_reads_back() {
    let csv = "a,b\n\"x\ny\",\"\"\"\"\n,3\n";
    let json = text(&run(&["show", "table", "-", "--format", "json"], csv).stdout);
    assert_eq!(text(&run(&["show", "table", "-", "--format", "json"], &json).stdout), json);
}

#[test]
fn a_page_is_listed_and_a_table_chosen() {
    let page = "<h2>Rain</h2><table class=wide><tr><th>Month<th>Rain<tr><td>May<td>3</table>\
                <h2>Games</h2><table><tr><th>City<th>Year<tr><td>Athens<td>1896<tr><td>Paris<td>1900</table>";
    let path = file("page.html", page).display().to_string();
    let listed = run(&["show", "table", &path, "--list", "--format", "csv"], "");
    let expected = "\"number\",\"rows\",\"columns\",\"class\",\"title\"\n\
                    \"0\",\"2\",\"2\",\"wide\",\"Rain\"\n\"1\",\"3\",\"2\",\"\",\"Games\"\n";
    assert_eq!(text(&listed.stdout), expected);
    for choice in [&["--table", "rain"][..], &["--table", "0"], &["--select", "table.wide"]] {
        let shown = run(&[&["show", "table", &path, "--format", "csv"], choice].concat(), "");
        assert_eq!(text(&shown.stdout), "\"Month\",\"Rain\"\n\"May\",\"3\"\n");
    }
}

#[test]
fn errors_are_one_sentence_and_exit_code_2() {
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/empty");
    std::fs::create_dir_all(folder).expect("a folder can be made");
    for (arguments, input, sentence) in [
        (vec!["show", "table", "-"], "", "standard input: the input is empty; a table needs a header row\n"),
        (vec!["show", "table", "no-such-file"], "", "tabwise: cannot open no-such-file: "),
        (vec!["show", "table", folder], "", "there are no files in the folder "),
        (vec!["show", "table", "no-such-*.csv"], "", "no file matches no-such-*.csv\n"),
        (
            vec!["show", "table", "-", "--table", "7"],
            "<table><tr><td>a<td>b</table>",
            "there is no table \"7\"; there is 1 table",
        ),
        (vec!["show", "table", "-", "--limit-bytes", "3"], "a,b\n1,2\n", "raise the limit \"bytes\""),
        (vec!["show", "table"], "", "required arguments"),
    ] {
        let shown = run(&arguments, input);
        assert_eq!(shown.status.code(), Some(2), "{arguments:?}");
        assert!(text(&shown.stderr).contains(sentence), "{arguments:?}: {}", text(&shown.stderr));
        assert!(shown.stdout.is_empty());
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let path = file("long.csv", &format!("a,b\n{}", "some text,more text\n".repeat(100_000)));
    let mut child = tabwise(&["show", "table", &path.display().to_string()]).spawn().expect("the program starts");
    let mut out = child.stdout.take().expect("there is an output");
    out.read_exact(&mut [0; 10]).expect("something is printed");
    drop(out);
    let ended = child.wait_with_output().expect("the program ends");
    assert_eq!((ended.status.code(), text(&ended.stderr)), (Some(0), String::new()));
}

/// Files of the corpus once brought a reader down.
#[test]
fn every_file_of_the_corpus_is_read_or_is_one_error() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/readers");
    for entry in std::fs::read_dir(folder).expect("there is a corpus") {
        let path = entry.expect("an entry can be read").path();
        let shown = run(&["show", "table", &path.to_string_lossy()], "");
        let said = text(&shown.stderr);
        assert!(matches!(shown.status.code(), Some(0 | 2)), "{}: {} {said}", path.display(), shown.status);
        assert!(!said.contains("panicked") && said.lines().count() <= 1, "{}: {said}", path.display());
    }
}
