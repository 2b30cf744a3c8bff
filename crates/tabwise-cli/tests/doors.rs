//! The library, the program and the server give the same answers. They are asked the same questions about the same
//! tables (the `answer` cases of the library and the examples of the page), and all fields of the answers must be
//! equal.

mod support;

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use support::Server;
use support::http::Client;
use tabwise::answer::{Asker, Wanted};
use tabwise::table::{ReadSettings, read};

/// A table and a question.
struct Asked {
    table: String,
    question: String,
}

#[test]
fn library_program_and_server_give_the_same_answer() {
    let (asker, server) = (Asker::embedded(), Server::start(&[]));
    let mut client = Client::new(server.address);
    let all = asked();
    assert!(all.len() >= 8, "there are only {} questions", all.len());
    for asked in all {
        let by_library = library(&asker, &asked);
        same("program", &program(&asked), &by_library);
        same("server", &http(&mut client, &asked), &by_library);
    }
}

/// Asserts that two answers are equal, field by field.
#[track_caller]
fn same(door: &str, said: &Value, by_library: &Value) {
    let names = |value: &Value| value.as_object().map(|fields| fields.keys().cloned().collect::<Vec<_>>());
    assert_eq!(names(said), names(by_library), "the fields of the {door}");
    for (name, value) in by_library.as_object().into_iter().flatten() {
        assert_eq!(&said[name], value, "the {door} has another {name} for {}", by_library["question"]);
    }
}

fn library(asker: &Asker, asked: &Asked) -> Value {
    let table = read(asked.table.as_bytes(), None, &ReadSettings::default()).expect("a case is a table");
    let wanted = Wanted { meanings: 5, ..Wanted::default() };
    let answer = asker.ask(&asker.prepare(&table), &asked.question, &wanted);
    serde_json::from_str(&serde_json::to_string(&answer).expect("an answer is plain data")).expect("JSON reads back")
}

fn program(asked: &Asked) -> Value {
    // A table without a name is `data` in SQL, so the file has this name.
    let folder = std::env::temp_dir().join(format!("tabwise-doors-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let file = folder.join("data");
    std::fs::write(&file, &asked.table).expect("a file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabwise"));
    let ran = command.arg("ask").arg(&file).args([&asked.question, "--json", "--top", "5"]).output().expect("it runs");
    std::fs::remove_dir_all(folder).expect("the folder is there");
    serde_json::from_slice(&ran.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr)))
}

fn http(client: &mut Client, asked: &Asked) -> Value {
    let body = json!({ "table": { "text": asked.table }, "question": asked.question, "top": 5 });
    let mut answer = client.post("/api/ask", &body).json();
    for own in ["table_id", "link", "milliseconds", "shortened"] {
        let removed = answer.as_object_mut().and_then(|fields| fields.remove(own));
        assert!(removed.is_some(), "the server says {own} as well");
    }
    answer
}

/// The questions of the case files, and some about the examples of the page.
fn asked() -> Vec<Asked> {
    let mut all: Vec<Asked> = case_files().iter().flat_map(|file| cases(file)).collect();
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tabwise-server/web/examples");
    for (file, questions) in [
        ("olympics.csv", ["Greece held its last Summer Olympics in which year?", "how many times did the USA host?"]),
        ("planets.csv", ["which planet has the most moons?", "what planet comes after Mars?"]),
        ("mountains.csv", ["what is the height of Lhotse?", "how many mountains were first climbed in 1956?"]),
        ("elements.csv", ["who discovered argon?", "zzz?"]),
    ] {
        let table = std::fs::read_to_string(web.join(file)).expect("an example is there");
        all.extend(questions.map(|question| Asked { table: table.clone(), question: question.to_owned() }));
    }
    all
}

fn case_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tabwise/tests/cases/answer");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "case"));
    files.sort();
    files
}

/// Reads a case file: comments, a table, then questions after `> `.
fn cases(file: &Path) -> Vec<Asked> {
    let text = std::fs::read_to_string(file).expect("a case file is text");
    let start = text.find("\n> ").map_or(text.len(), |at| at + 1);
    let table: Vec<&str> = text[..start].lines().skip_while(|line| line.starts_with("//")).collect();
    let table = table.join("\n").trim_matches('\n').to_owned();
    let questions = text[start..].lines().filter_map(|line| line.strip_prefix("> "));
    questions.map(|question| Asked { table: table.clone(), question: question.trim().to_owned() }).collect()
}
