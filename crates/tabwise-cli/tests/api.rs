//! The API for programs: several questions in one request, tables as lists, formulas, codes of failures, origins, the
//! token, and what those need who watch over a server.

mod support;

use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use support::Server;
use support::http::{Client, Response};

fn client(server: &Server) -> Client {
    Client::new(server.address)
}

fn rows() -> Value {
    json!([["City", "Year"], ["Athens", 1896], ["Paris", 1900], ["Rome", 1960]])
}

/// The whole response to a request, as text; bodies that are compressed or come in pieces are not decoded.
fn raw(server: &Server, head: &str) -> String {
    let mut stream = TcpStream::connect(server.address).expect("the server listens");
    write!(stream, "{head}\r\nhost: localhost\r\nconnection: close\r\n\r\n").expect("it takes a request");
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("it answers");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn several_questions_are_answered_in_order() {
    let server = Server::start(&[]);
    let mut client = client(&server);
    let questions = ["which city was last?", "how many cities are there?"];
    let one = |client: &mut Client, question: &str| {
        client.post("/api/ask", &json!({ "table": { "rows": rows() }, "question": question })).json()
    };
    let alone: Vec<Value> = questions.iter().map(|question| one(&mut client, question)["answer"].clone()).collect();
    let all = client.post("/api/ask", &json!({ "table": { "rows": rows() }, "questions": questions })).json();
    let answers = all["answers"].as_array().expect("there are answers");
    assert_eq!(answers.iter().map(|answer| answer["answer"].clone()).collect::<Vec<_>>(), alone);
    assert!(all["table_id"].is_string());
    let form = [("text", None, &b"City,Year\nAthens,1896\nParis,1900\nRome,1960\n"[..])];
    let asked: Vec<_> = questions.iter().map(|question| ("question", None, question.as_bytes())).collect();
    let by_form = client.form("/api/ask", &[&form[..], &asked].concat()).json();
    assert_eq!(by_form["answers"].as_array().map(Vec::len), Some(2), "{by_form}");
    for body in [
        json!({ "table": { "rows": rows() }, "questions": [] }),
        json!({ "table": { "rows": rows() }, "questions": ["which?"], "question": "which?" }),
        json!({ "table": { "rows": rows() }, "questions": ["which?", " "] }),
    ] {
        assert_eq!(client.post("/api/ask", &body).status, 400, "{body}");
    }
    let many = json!({ "table": { "rows": rows() }, "questions": vec!["which city was last?"; 101] });
    assert_eq!(client.post("/api/ask", &many).status, 413);
}

#[test]
fn a_request_says_how_sure_an_answer_must_be() {
    let server = Server::start(&[]);
    let mut client = client(&server);
    let mut abstains = |least: f64| {
        let body = json!({ "table": { "rows": rows() }, "question": "which city was last?", "min_confidence": least });
        client.post("/api/ask", &body).json()["abstains"].clone()
    };
    assert_eq!((abstains(0.0), abstains(1.0)), (json!(false), json!(true)));
    let body = json!({ "table": { "rows": rows() }, "question": "which city was last?", "min_confidence": 2 });
    assert_eq!(client.post("/api/ask", &body).status, 400);
}

#[test]
fn formulas_are_executed() {
    let server = Server::start(&[]);
    let mut client = client(&server);
    let mut exec =
        |formula: &str| client.post("/api/exec", &json!({ "table": { "rows": rows() }, "formula": formula }));
    let found = exec("R[City].argmax(Rows, Index)").json();
    assert_eq!((&found["denotation"], &found["cells"]), (&json!(["Rome"]), &json!([[2, 0]])));
    assert_eq!(found["english"], "the City of the last row");
    let nothing = exec("max(R[Number].R[City].Rows)");
    assert!(nothing.status == 200 && nothing.json()["undefined"].is_string(), "{}", nothing.text());
    let wrong = exec("R[Cty].Rows");
    assert_eq!((wrong.status, wrong.json()["code"].clone()), (422, json!("formula")));
    assert!(wrong.error().contains("did you mean \"City\"?"), "{}", wrong.error());
}

#[test]
fn failures_have_a_code() {
    let server = Server::start(&["--max-body", "2000"]);
    let mut client = client(&server);
    let large = json!({ "table": { "csv": "x".repeat(4000) }, "question": "which?" });
    let codes: Vec<(Response, &str)> = vec![
        (client.post("/api/ask", &json!({ "table": {}, "question": "which?" })), "request"),
        (client.post("/api/ask", &json!({ "table": { "html": "<p>" }, "question": "which?" })), "table"),
        (client.get("/api/table/none"), "missing"),
        (client.get("/api/ask"), "method"),
        (client.post("/api/ask", &large), "large"),
    ];
    for (response, code) in codes {
        assert_eq!(response.json()["code"], code, "{}", response.text());
    }
}

#[test]
fn other_pages_ask_only_if_they_are_allowed() {
    let server = Server::start(&["--allow-origin", "http://localhost:8888"]);
    let body = json!({ "table": { "rows": rows() }, "question": "which city was last?" }).to_string();
    let ask = |origin: &str| {
        let headers = [("content-type", "application/json"), ("origin", origin)];
        client(&server).send("POST", "/api/ask", &headers, body.as_bytes()).expect("a response")
    };
    let allowed = ask("http://localhost:8888");
    assert_eq!(allowed.status, 200, "{}", allowed.text());
    assert_eq!(allowed.header("access-control-allow-origin"), Some("http://localhost:8888"));
    let refused = ask("http://evil.example");
    assert_eq!((refused.status, refused.header("access-control-allow-origin")), (403, None));
    let preflight = [("origin", "http://localhost:8888"), ("access-control-request-method", "POST")];
    let preflight = client(&server).send("OPTIONS", "/api/ask", &preflight, b"").expect("a response");
    assert_eq!(preflight.status, 200);
    assert!(preflight.header("access-control-allow-methods").is_some_and(|methods| methods.contains("POST")));
}

#[test]
fn a_token_guards_the_api() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("token.txt");
    std::fs::write(&file, "correct-horse-battery\n").expect("a file can be written");
    let server = Server::start(&["--token-file", file.to_str().expect("it is text")]);
    let get = |path: &str, token: &str| {
        let headers = [("authorization", token)];
        client(&server).send("GET", path, &headers[usize::from(token.is_empty())..], b"").expect("a response").status
    };
    assert_eq!(get("/api/examples", ""), 401);
    assert_eq!(get("/api/examples", "Bearer wrong-horse-battery"), 401);
    assert_eq!(get("/api/examples", "Bearer correct-horse-battery"), 200);
    assert_eq!([get("/metrics", ""), get("/healthz", ""), get("/", "")], [401, 200, 200]);
}

/// A file without an end, such as a device, would take all memory.
#[test]
fn a_long_token_is_an_error() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("long-token.txt");
    std::fs::write(&file, "x".repeat(5_000)).expect("a file can be written");
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_tabwise"));
    let output = program.args(["serve", "--token-file"]).arg(&file).output().expect("the program starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && error.contains("a token has at most 4096 bytes"), "{error}");
}

#[test]
fn watchers_find_health_counts_and_ids() {
    let server = Server::start(&[]);
    let mut client = client(&server);
    assert_eq!(client.get("/healthz").text(), "ok\n");
    client.post("/api/ask", &json!({ "table": { "rows": rows() }, "question": "which city was last?" }));
    let metrics = client.get("/metrics").text();
    assert!(metrics.contains("tabwise_answers_total{known=\"yes\"} 1"), "{metrics}");
    assert!(metrics.contains("tabwise_request_seconds_count "), "{metrics}");
    let own = client.send("GET", "/healthz", &[("x-request-id", "my-7")], b"").expect("a response");
    assert_eq!(own.header("x-request-id"), Some("my-7"));
    assert!(client.get("/healthz").header("x-request-id").is_some_and(|id| id.contains('-')));
}

#[test]
fn files_are_compressed_and_sent_once() {
    let server = Server::start(&[]);
    let packed = raw(&server, "GET /assets/app.css HTTP/1.1\r\naccept-encoding: gzip").to_lowercase();
    assert!(packed.contains("\r\ncontent-encoding: gzip\r\n"), "{}", &packed[..packed.len().min(600)]);
    let mut client = client(&server);
    let first = client.get("/assets/app.css");
    let tag = first.header("etag").expect("it has a tag").to_owned();
    let again = client.send("GET", "/assets/app.css", &[("if-none-match", &tag)], b"").expect("a response");
    assert_eq!((again.status, again.body.len()), (304, 0));
}

#[test]
fn an_address_with_nothing_shows_the_page_to_browsers() {
    let server = Server::start(&[]);
    let mut client = client(&server);
    let browser = client.send("GET", "/nothing", &[("accept", "text/html,*/*")], b"").expect("a response");
    assert!(browser.status == 404 && browser.text().starts_with("<!doctype html>"));
    assert_eq!(client.get("/nothing").json()["code"], "missing");
}

#[test]
fn a_table_comes_with_questions_and_choices() {
    let server = Server::start(&[]);
    let mut client = client(&server);
    let page = "<h2>Cities</h2><table><tr><th>City<th>Year<tr><td>Athens<td>1896<tr><td>Paris<td>1900</table>\
                <h2>Lakes</h2><table><tr><th>Lake<th>Depth<tr><td>Baikal<td>1642</table>";
    let about = client.post("/api/table", &json!({ "table": { "html": page } })).json();
    let titles: Vec<&str> =
        about["tables"].as_array().unwrap().iter().filter_map(|one| one["title"].as_str()).collect();
    assert_eq!(titles, ["Cities", "Lakes"]);
    let people = "Name,Team,Points\nAda,Red,3\nBo,Blue,5\nCy,Red,8\nDi,Blue,4\n";
    let about = client.post("/api/table", &json!({ "table": { "csv": people } })).json();
    assert!(about["suggestions"].as_array().is_some_and(|questions| !questions.is_empty()), "{about}");
    assert_eq!(about["tables"], json!([]));
    assert_eq!(client.get("/api/table/olympics/rows?start=3").status, 400, "unknown parameters are refused");
}

#[test]
fn rows_are_sorted_and_found() {
    let server = Server::start(&[]);
    let mut client = client(&server);
    let id = client.post("/api/table", &json!({ "table": { "rows": rows() } })).json()["id"].clone();
    let mut get = |query: &str| client.get(&format!("/api/table/{}/rows?{query}", id.as_str().expect("it is text")));
    let sorted = get("sort=1&descending=true&count=2").json();
    assert_eq!(sorted["rows"], json!([["Rome", "1960"], ["Paris", "1900"]]));
    assert_eq!((&sorted["numbers"], &sorted["row_count"]), (&json!([2, 1]), &json!(3)));
    let found = get("find=PAR").json();
    assert_eq!((&found["numbers"], &found["row_count"]), (&json!([1]), &json!(1)));
    assert_eq!(get("from=7").json()["rows"], json!([]));
    assert_eq!((get("sort=2").status, get("sort=x").status), (400, 400));
    assert_eq!(get(&format!("find={}", "x".repeat(300))).status, 400);
}

#[test]
fn a_table_that_cannot_be_kept_is_asked_about() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("full");
    let _ = std::fs::remove_dir_all(&folder);
    let server = Server::start(&["--store", folder.to_str().expect("it is text"), "--store-bytes", "10"]);
    let mut client = client(&server);
    for question in ["which city was last?", "how many cities are there?"] {
        let body = json!({ "table": { "rows": rows() }, "question": question });
        assert_eq!(client.post("/api/ask", &body).status, 200, "{question}");
    }
    let kept = std::fs::read_dir(folder.join("tables")).expect("there is a folder").count();
    assert_eq!(kept, 0, "nothing is left of what was not kept");
}

#[test]
fn tables_and_links_survive_a_kill() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("store");
    let _ = std::fs::remove_dir_all(&folder);
    let arguments = ["--store", folder.to_str().expect("it is text")];
    // A server is killed on drop, without a word.
    let server = Server::start(&arguments);
    let body = json!({ "table": { "rows": rows() }, "question": "which city was last?" });
    let first = client(&server).post("/api/ask", &body).json();
    drop(server);
    let server = Server::start(&arguments);
    let mut client = client(&server);
    let link = first["link"].as_str().expect("it is text").replace("/q/", "/api/link/");
    let linked = client.get(&link).json();
    assert_eq!((&linked["table_id"], &linked["question"]), (&first["table_id"], &json!("which city was last?")));
    let id = first["table_id"].as_str().expect("it is text");
    assert_eq!(client.get(&format!("/api/table/{id}/rows?from=1&count=1")).json()["rows"], json!([["Paris", "1900"]]));
    let again = client.post("/api/ask", &json!({ "table": { "id": id }, "question": "which city was last?" })).json();
    assert_eq!((&again["answer"], &again["link"]), (&first["answer"], &first["link"]));
    assert_eq!(client.get("/api/table/../key").status, 404);
}
