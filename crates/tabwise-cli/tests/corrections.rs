//! Corrections by every door: the API with and without a folder, `chat`, `ask`, and `lab train`. The page is in
//! `browser.rs`.

mod support;

use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use support::Server;
use support::http::Client;

const GAMES: &str = "Year,City,Country\n1896,Athens,Greece\n1900,Paris,France\n1904,St. Louis,USA\n";
const QUESTION: &str = "which city was last?";

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corrections").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    std::fs::write(folder.join("games.csv"), GAMES).expect("a file can be written");
    folder
}

/// Runs the program with lines of input; returns its exit code and what it printed.
fn tabwise(folder: &Path, said: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabwise"));
    command.current_dir(folder).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    child.stdin.take().expect("it is piped").write_all(said.as_bytes()).expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (output.status.code(), text.concat())
}

fn ask(client: &mut Client) -> Value {
    client.post("/api/ask", &json!({ "table": { "csv": GAMES }, "question": QUESTION })).json()
}

fn correct(client: &mut Client, right: Value) -> (u16, Value) {
    let mut body = json!({ "table": { "csv": GAMES }, "question": QUESTION });
    body.as_object_mut().expect("an object").extend(right.as_object().expect("an object").clone());
    let response = client.post("/api/correct", &body);
    (response.status, response.json())
}

/// A server is taught, forgets, and after a kill knows what it was taught if it has a folder.
fn teaches(arguments: &[&str]) {
    let folder = folder(&format!("server-{}", arguments.concat()));
    let store = folder.join("store");
    let arguments = [arguments, &["--store", store.to_str().expect("it is text")]].concat();
    let server = Server::start(&arguments);
    let mut client = Client::new(server.address);
    let before = ask(&mut client)["answer"].clone();
    let (status, taught) = correct(&mut client, json!({ "answer": ["Athens"] }));
    assert_eq!((status, &taught["answer"]), (200, &json!(["Athens"])), "{taught}");
    let id = taught["correction"].as_str().expect("it has a name").to_owned();
    for _ in 0..4 {
        let again = ask(&mut client);
        assert_eq!((&again["answer"], &again["correction"]), (&json!(["Athens"]), &json!(id)), "every worker knows it");
    }
    drop(server);
    let server = Server::start(&arguments);
    let mut client = Client::new(server.address);
    assert_eq!(ask(&mut client)["answer"], json!(["Athens"]), "it survives a kill");
    let lines = client.get("/api/corrections").text();
    assert_eq!(lines.lines().count(), 2, "a table and a correction: {lines}");
    assert!(client.get("/metrics").text().contains("tabwise_corrections 1"), "{}", client.get("/metrics").text());
    let undone = client.send("DELETE", &format!("/api/correct/{id}"), &[], b"").expect("a response");
    assert_eq!((undone.status, undone.json()), (200, json!({ "corrections": 0 })));
    let undone = client.send("DELETE", &format!("/api/correct/{id}"), &[], b"").expect("a response");
    assert_eq!(undone.status, 404);
    assert_eq!(ask(&mut client)["answer"], before);
    assert!(client.get("/api/corrections").text().is_empty());
    drop(server);
    let server = Server::start(&arguments);
    assert_eq!(ask(&mut Client::new(server.address))["answer"], before, "what was taken back stays so");
    let left = std::fs::read_to_string(store.join("corrections.jsonl")).expect("it is there");
    assert!(left.is_empty(), "a server that starts drops what says nothing any more: {left}");
}

#[test]
fn workers_are_taught() {
    teaches(&["--at-once", "2"]);
}

#[test]
fn a_server_that_works_in_its_own_process_is_taught() {
    teaches(&["--in-process"]);
}

#[test]
fn a_correction_that_cannot_be_used_is_refused() {
    let server = Server::start(&["--keep-corrections", "1"]);
    let mut client = Client::new(server.address);
    let formula = ask(&mut client)["meanings"][1]["formula"].clone();
    for (right, status, code) in [
        (json!({}), 400, "request"),
        (json!({ "answer": [] }), 400, "request"),
        (json!({ "answer": ["a"], "formula": "R[City].Rows" }), 400, "request"),
        (json!({ "answer": vec!["a"; 101] }), 413, "large"),
        (json!({ "answer": ["a".repeat(3000)] }), 413, "large"),
        (json!({ "formula": "R[Cty].Rows" }), 422, "correction"),
        (json!({ "formula": "City.Athens" }), 422, "correction"),
    ] {
        let (found, body) = correct(&mut client, right.clone());
        assert_eq!((found, &body["code"]), (status, &json!(code)), "{right}: {body}");
    }
    let (status, taught) = correct(&mut client, json!({ "formula": formula }));
    assert_eq!((status, &taught["formula"]), (200, &formula), "{taught}");
    let (status, taught) = correct(&mut client, json!({ "answer": ["Athens"] }));
    assert_eq!((status, &taught["answer"]), (200, &json!(["Athens"])), "another one of the same question: {taught}");
    let other = json!({ "table": { "csv": GAMES }, "question": "which city was first?", "answer": ["Paris"] });
    let refused = client.post("/api/correct", &other);
    assert_eq!(refused.status, 413);
    assert!(refused.error().contains("--keep-corrections"), "{}", refused.error());
    let elsewhere = [("origin", "http://evil.example"), ("content-type", "application/json")];
    assert_eq!(client.send("POST", "/api/correct", &elsewhere, b"{}").expect("a response").status, 403);
    let mut client = Client::new(server.address);
    assert_eq!(client.send("DELETE", "/api/correct/1", &elsewhere, b"").expect("a response").status, 403);
    let form =
        [("text", None, GAMES.as_bytes()), ("question", None, QUESTION.as_bytes()), ("answer", None, &b"Paris"[..])];
    let mut client = Client::new(server.address);
    assert_eq!(client.form("/api/correct", &form).json()["answer"], json!(["Paris"]));
}

#[test]
fn a_chat_learns_what_it_is_told_and_ask_heeds_it() {
    let folder = folder("chat");
    let said = format!("{QUESTION}\n:right Athens; \n{QUESTION}\n:forget\n:forget\n:wrong\n:right #2\n:right #99\n");
    let chat = ["chat", "games.csv", "--corrections", "kept.jsonl", "--min-confidence", "0"];
    let (code, shown) = tabwise(&folder, &format!(":right\n:wrong\n{said}"), &chat);
    assert_eq!(code, Some(0), "{shown}");
    for expected in [
        "ask a question first",
        "> :right Athens;\nLearned: Athens\nkept in kept.jsonl; :forget takes it back\n",
        "Forgotten; the answer is again: St. Louis\n",
        "The last answer was not corrected.",
        "> :wrong\n#2 ",
        "as in :right #2",
        "> :right #2\nLearned: ",
        "There is no such interpretation",
    ] {
        assert!(shown.contains(expected), "{expected:?} is not in {shown}");
    }
    let (_, first) = tabwise(&folder, &format!("{QUESTION}\n:right Atlantis\n"), &chat);
    assert!(first.contains("remembered for this question alone"), "{first}");
    let ask = |more: &[&str]| tabwise(&folder, "", &[&["ask", "games.csv", QUESTION, "--quiet"], more].concat());
    assert_eq!(ask(&[]), (Some(0), "St. Louis\n".to_owned()));
    assert_eq!(ask(&["--corrections", "kept.jsonl"]), (Some(0), "Atlantis\n".to_owned()));
    let mut file = std::fs::OpenOptions::new().append(true).open(folder.join("kept.jsonl")).expect("it is there");
    file.write_all(b"{\"correction\": {\"id").expect("it can be written");
    assert_eq!(ask(&["--corrections", "kept.jsonl"]).1, "Atlantis\n", "a line that was cut off is left out");
    let (code, error) = ask(&["--corrections", "games.csv"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("line 1 is no correction"), "{error}");
    let (_, unkept) = tabwise(&folder, &format!("{QUESTION}\n:right Athens\n{QUESTION}\n"), &["chat", "games.csv"]);
    assert!(
        unkept.contains("Learned: Athens\n:forget takes it back\n") && unkept.matches("\nAthens\n").count() == 1,
        "{unkept}"
    );
}

#[test]
fn training_learns_from_corrections() {
    let folder = folder("train");
    std::fs::create_dir_all(folder.join("data")).expect("a folder can be made");
    let split = "id\tutterance\tcontext\ttargetValue\nq-1\twhich city was first?\tgames.csv\tAthens\n\
                 q-2\twhich city was in 1900?\tgames.csv\tParis\n";
    std::fs::write(folder.join("data/few.tsv"), split).expect("a file can be written");
    let said = format!("{QUESTION}\n:right Athens\n");
    tabwise(&folder, &said, &["chat", "games.csv", "--corrections", "kept.jsonl"]);
    let train = |more: &[&str]| {
        let all = ["lab", "train", "--data", ".", "--split", "few", "--fast", "--out"];
        let (code, said) = tabwise(&folder, "", &[&all, more].concat());
        assert_eq!(code, Some(0), "{said}");
        said
    };
    let said = train(&["with.bin", "--corrections", "kept.jsonl"]);
    assert!(said.contains("1 corrections to learn from, 0 without their table"), "{said}");
    train(&["without.bin"]);
    let ask = |model: &str| {
        let all = ["ask", "games.csv", QUESTION, "--quiet", "--fast", "--min-confidence", "0", "--model", model];
        tabwise(&folder, "", &all).1
    };
    assert_ne!(ask("with.bin"), ask("without.bin"));
    assert!(ask("with.bin").ends_with("Athens\n"), "{}", ask("with.bin"));
}
