//! The server over HTTP: answers, refusals and their messages, limits, and robustness against hostile clients.

mod support;

use serde_json::{Value, json};
use std::io::{BufReader, Read, Write};
use std::time::{Duration, Instant};
use support::Server;
use support::http::{Client, Response, connect, read};

fn client(server: &Server) -> Client {
    Client::new(server.address)
}

/// Asks a question about a table.
fn ask(client: &mut Client, table: Value, question: &str) -> Response {
    client.post("/api/ask", &json!({ "table": table, "question": question }))
}

/// Asserts that a failure has this status and one sentence with this text.
#[track_caller]
fn fails(response: &Response, status: u16, says: &str) {
    assert_eq!(response.status, status, "{}", response.text());
    let error = response.error();
    assert!(error.contains(says), "{error:?} does not say {says:?}");
    assert!(!error.contains('\n') && error.len() < 600, "one sentence: {error}");
}

const CITIES: &str = "City,Country,Year\nAthens,Greece,1896\nParis,France,1900\nAthens,Greece,2004\n";

#[test]
fn every_way_to_give_a_table_gives_the_same_answer() {
    let server = Server::start(&[]);
    let mut client = client(&server);
    let html = "<table><tr><th>City<th>Country<th>Year<tr><td>Athens<td>Greece<td>1896<tr><td>Paris<td>France<td>1900\
                <tr><td>Athens<td>Greece<td>2004</table>";
    let markdown = "|City|Country|Year|\n|-|-|-|\n|Athens|Greece|1896|\n|Paris|France|1900|\n|Athens|Greece|2004|\n";
    let rows = json!([
        ["City", "Country", "Year"],
        ["Athens", "Greece", "1896"],
        ["Paris", "France", "1900"],
        ["Athens", "Greece", "2004"]
    ]);
    let question = "what year did France host?";
    let first = ask(&mut client, json!({ "csv": CITIES }), question);
    assert_eq!(first.status, 200, "{}", first.text());
    let same = |response: Response| {
        let (mut this, mut first) = (response.json(), first.json());
        for answer in [&mut this, &mut first] {
            // A query names the table as its file is called.
            for changing in ["milliseconds", "table_id", "link", "notes", "sql"] {
                answer[changing].take();
            }
            let meanings = answer["meanings"].as_array_mut().expect("there are meanings");
            meanings.iter_mut().for_each(|meaning| drop(meaning["sql"].take()));
        }
        assert_eq!(this, first);
    };
    for table in [
        json!({ "text": CITIES }),
        json!({ "tsv": CITIES.replace(',', "\t") }),
        json!({ "html": html }),
        json!({ "markdown": markdown }),
        json!({ "json": rows }),
        json!({ "json": rows.to_string() }),
        json!({ "text": CITIES.replace(',', ";"), "name": "cities.csv" }),
        json!({ "id": first.json()["table_id"] }),
    ] {
        same(ask(&mut client, table, question));
    }
    let file = ("file", Some("cities.csv"), CITIES.as_bytes());
    same(client.form("/api/ask", &[file, ("question", None, question.as_bytes())]));
    same(client.form("/api/ask", &[("text", None, CITIES.as_bytes()), ("question", None, question.as_bytes())]));
}

#[test]
fn the_table_of_a_page_is_chosen_as_in_the_program() {
    let server = Server::start(&[]);
    let mut client = client(&server);
    let page = "<h2>Cities</h2><table><tr><th>City<th>Year<tr><td>Athens<td>1896<tr><td>Paris<td>1900</table>\
                <h2>Lakes</h2><table class=x><tr><th>Lake<th>Depth<tr><td>Baikal<td>1642</table>";
    let mut header = |mut table: Value| {
        table["html"] = page.into();
        client.post("/api/table", &json!({ "table": table })).json()["header"].clone()
    };
    assert_eq!(header(json!({})), json!(["City", "Year"]));
    assert_eq!(header(json!({ "table": 1 })), json!(["Lake", "Depth"]));
    assert_eq!(header(json!({ "table": "1" })), json!(["Lake", "Depth"]));
    assert_eq!(header(json!({ "table": "lakes" })), json!(["Lake", "Depth"]));
    assert_eq!(header(json!({ "select": "table.x" })), json!(["Lake", "Depth"]));
    let fields: [(&str, Option<&str>, &[u8]); 2] =
        [("file", Some("page.html"), page.as_bytes()), ("table", None, b"1")];
    assert_eq!(client.form("/api/table", &fields).json()["header"], json!(["Lake", "Depth"]));
}

#[test]
fn records_in_columns_are_turned_if_asked_for() {
    let server = Server::start(&[]);
    let mut client = client(&server);
    let csv = "Country,Austria,Belgium\nWine,3.9,2.9\nBeer,104,72\n";
    let mut sent =
        |orientation: Value| client.post("/api/table", &json!({ "table": { "csv": csv, "orientation": orientation } }));
    let turned = sent("columns".into()).json();
    assert_eq!((&turned["header"], &turned["row_count"]), (&json!(["Country", "Wine", "Beer"]), &2.into()));
    assert_eq!(turned["notes"], json!(["turned the table: its records were in columns"]));
    for as_it_is in [json!(null), json!("auto"), json!("rows")] {
        assert_eq!(sent(as_it_is).json()["header"], json!(["Country", "Austria", "Belgium"]));
    }
    fails(&sent("sideways".into()), 400, "there is no orientation \"sideways\"; there are auto, rows, columns");
    let fields: [(&str, Option<&str>, &[u8]); 2] =
        [("file", Some("drinks.csv"), csv.as_bytes()), ("orientation", None, b"columns")];
    assert_eq!(client.form("/api/table", &fields).json()["header"], turned["header"]);
}

#[test]
fn an_answer_says_why_and_where() {
    let server = Server::start(&[]);
    let answer =
        ask(&mut client(&server), json!({ "id": "olympics" }), "Greece held its last Summer Olympics in which year?")
            .json();
    let meaning = &answer["meanings"][0];
    assert!(!meaning["english"].as_str().unwrap().is_empty());
    assert!(!meaning["formula"].as_str().unwrap().is_empty());
    assert!(!meaning["steps"].as_array().unwrap().is_empty());
    assert!(meaning["confidence"].as_f64().is_some_and(|p| (0.0..=1.0).contains(&p)));
    assert_eq!(answer["table_id"], "olympics");
}

#[test]
fn a_question_has_a_link_as_long_as_it_is_remembered() {
    let server = Server::start(&["--keep-links", "2"]);
    let mut client = client(&server);
    let link = |client: &mut Client, question: &str| {
        let answer = ask(client, json!({ "id": "planets" }), question).json();
        answer["link"].as_str().unwrap().replace("/q/", "/api/link/")
    };
    let first = link(&mut client, "which planet has the most moons?");
    let known = client.get(&first).json();
    assert_eq!(known, json!({ "table_id": "planets", "question": "which planet has the most moons?" }));
    assert_eq!(link(&mut client, "which planet has the most moons?"), first, "the same question has the same link");
    link(&mut client, "which is the first?");
    link(&mut client, "which is the last?");
    fails(&client.get(&first), 404, "link is not known");
    assert_eq!(client.get("/q/anything").header("content-type"), Some("text/html; charset=utf-8"));
}

#[test]
fn rows_come_as_they_are_needed() {
    let server = Server::start(&[]);
    let mut client = client(&server);
    let rows: String = (0..1000).map(|n| format!("{n},name {n}\n")).collect();
    let sent = client.post("/api/table", &json!({ "table": { "csv": format!("n,name\n{rows}") } })).json();
    assert_eq!((sent["row_count"].as_u64(), sent["rows"].as_array().map(Vec::len)), (Some(1000), Some(200)));
    let id = sent["id"].as_str().unwrap();
    let part = client.get(&format!("/api/table/{id}/rows?from=990&count=50")).json();
    assert_eq!(part["rows"].as_array().unwrap().len(), 10);
    assert_eq!(part["rows"][9], json!(["999", "name 999"]));
    assert_eq!(client.get(&format!("/api/table/{id}/rows?from=99999999999")).json()["rows"], json!([]));
    assert_eq!(
        client.get(&format!("/api/table/{id}/rows?count=99999999")).json()["rows"].as_array().unwrap().len(),
        200
    );
    assert_eq!(client.get(&format!("/api/table/{id}")).json()["header"], json!(["n", "name"]));
    fails(&client.get(&format!("/api/table/{id}/rows?from=-1")), 400, "must be numbers");
    fails(&client.get("/api/table/nothing/rows"), 404, "not kept");
}

#[test]
fn long_cells_are_cut_for_looking_at() {
    let server = Server::start(&[]);
    let mut client = client(&server);
    let wide = format!("a,b\n{},2\n3,4\n", "x".repeat(900_000));
    let sent = client.post("/api/table", &json!({ "table": { "csv": wide } }));
    assert_eq!(sent.status, 200);
    assert!(sent.body.len() < 3_000, "{} bytes", sent.body.len());
}

#[test]
fn tables_are_forgotten_when_there_are_more_than_are_kept() {
    let server = Server::start(&["--keep-tables", "2"]);
    let mut client = client(&server);
    let mut send = |n: u32| {
        let sent = client.post("/api/table", &json!({ "table": { "csv": format!("a,b\n{n},1\n") } })).json();
        sent["id"].as_str().unwrap().to_owned()
    };
    let ids: Vec<String> = (0..3).map(&mut send).collect();
    assert_eq!(send(1), ids[1], "the same table has the same id");
    fails(&ask(&mut client, json!({ "id": ids[0] }), "how many?"), 404, "not kept");
    assert_eq!(ask(&mut client, json!({ "id": ids[2] }), "how many?").status, 200);
    assert_eq!(client.get("/api/health").json()["tables"], 2);
}

#[test]
fn long_texts_are_not_kept_for_nothing() {
    let server = Server::start(&["--keep-cells", "1000"]);
    let mut client = client(&server);
    for n in 0..5 {
        let csv = format!("a,b\n{n},{}\n", "x".repeat(15_000));
        assert_eq!(client.post("/api/table", &json!({ "table": { "csv": csv } })).status, 200);
    }
    assert_eq!(client.get("/api/health").json()["tables"], 1, "each counts as more than half of what is kept");
}

#[test]
fn every_response_tells_the_browser_to_be_strict() {
    let server = Server::start(&[]);
    let mut client = client(&server);
    for path in ["/", "/assets/app.js", "/api/health", "/nothing", "/q/x"] {
        let response = client.get(path);
        let policy = response.header("content-security-policy").unwrap();
        for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(response.header("referrer-policy"), Some("no-referrer"));
    }
    let page = client.get("/").text();
    assert!(!page.contains("<style") && !page.contains(" style=") && !page.contains("onclick"), "nothing is inline");
    assert!(!page.contains("http:") && !page.contains("https:"), "nothing comes from outside");
}

#[test]
fn pages_of_other_sites_are_kept_out() {
    let server = Server::start(&["--host", "tables.example"]);
    let mut client = client(&server);
    let body = json!({ "table": { "id": "olympics" }, "question": "how many?" }).to_string();
    let mut post = |headers: &[(&str, &str)]| {
        let headers = [headers, &[("content-type", "application/json")]].concat();
        client.send("POST", "/api/ask", &headers, body.as_bytes()).unwrap()
    };
    fails(&post(&[("host", "evil.example")]), 403, "host name is not served");
    fails(&post(&[("origin", "https://evil.example")]), 403, "other sites");
    fails(&post(&[("origin", "null")]), 403, "other sites");
    fails(&post(&[("sec-fetch-site", "cross-site")]), 403, "other sites");
    assert_eq!(post(&[("host", "localhost:80"), ("origin", "http://localhost:80")]).status, 200);
    assert_eq!(post(&[("host", "tables.example")]).status, 200);
    let text = client.send("POST", "/api/ask", &[("content-type", "text/plain")], body.as_bytes()).unwrap();
    fails(&text, 415, "must be JSON");
}

#[test]
fn a_bad_request_gets_a_sentence() {
    let server = Server::start(&["--max-body", "100000", "--max-rows", "50", "--max-cells", "1000"]);
    let mut client = client(&server);
    let good = json!({ "id": "olympics" });
    for path in ["/nothing", "/q%ff", "/assets/%ff", "/api/table/%ff", "/api/table/%ff/rows", "/api/link/%ff"] {
        fails(&client.get(path), 404, "nothing at this address");
    }
    fails(&client.get("/api/ask"), 405, "does not take this method");
    fails(&client.post("/api/ask", &json!([])), 400, "not a request");
    fails(&client.post("/api/ask", &json!({ "question": "how many?" })), 400, "missing field `table`");
    fails(&client.post("/api/ask", &json!({ "table": good })), 400, "no question");
    fails(&ask(&mut client, good.clone(), " \n "), 400, "no question");
    fails(&client.post("/api/ask", &json!({ "table": good, "question": "how?", "all": 3 })), 400, "not a request");
    let fields: [(&str, Option<&str>, &[u8]); 3] =
        [("id", None, b"olympics"), ("question", None, b"how many?"), ("all", None, b"yes")];
    fails(&client.form("/api/ask", &fields), 400, "must be true or false");
    fails(&ask(&mut client, json!({}), "how many?"), 400, "give one table");
    fails(&ask(&mut client, json!({ "csv": CITIES, "html": CITIES }), "how many?"), 400, "give one table");
    fails(&ask(&mut client, json!({ "csv": 7 }), "how many?"), 400, "not a request");
    fails(&ask(&mut client, json!({ "cvs": CITIES }), "how many?"), 400, "unknown field `cvs`");
    fails(&ask(&mut client, json!({ "csv": "" }), "how many?"), 422, "empty");
    fails(&ask(&mut client, json!({ "html": "<p>no" }), "how many?"), 422, "no table");
    fails(&ask(&mut client, json!({ "html": "<table><tr><td>a", "select": "]" }), "how many?"), 400, "CSS selector");
    let long = "a ".repeat(1_000);
    fails(&ask(&mut client, json!({ "html": "<table><tr><td>a", "select": long }), "how many?"), 400, "is too long");
    fails(
        &ask(&mut client, json!({ "html": "<table><tr><td>a<td>b", "table": 3 }), "how many?"),
        422,
        "there is no table",
    );
    fails(&ask(&mut client, json!({ "csv": "a\n".repeat(60) }), "how many?"), 413, "limit of 50");
    fails(&ask(&mut client, json!({ "csv": "a,b,c\n".repeat(600) }), "how many?"), 413, "limit of 1000");
    fails(&ask(&mut client, good, &"why ".repeat(600)), 413, "more than the limit of 2000");
    fails(&ask(&mut client, json!({ "csv": "a,".repeat(60_000) }), "how many?"), 413, "limit of 98 kB");
    let mut raw = |kind: &str, body: &[u8]| client.send("POST", "/api/ask", &[("content-type", kind)], body).unwrap();
    fails(&raw("application/json", b"{\"table\""), 400, "not a request");
    fails(&raw("application/json", b"\xff\xfe\x00"), 400, "not a request");
    fails(&raw("application/json", &vec![b'['; 90_000]), 400, "not a request");
    fails(&raw("multipart/form-data", b"hello"), 400, "form cannot be read");
    fails(&raw("multipart/form-data; boundary=x", b"--x\r\nno end"), 400, "form cannot be read");
    fails(&raw("", b""), 415, "must be JSON");
    fails(&client.form("/api/ask", &[("question", None, b"how many?")]), 400, "give one table");
    fails(&client.form("/api/ask", &[("flie", None, b"a")]), 400, "no field \"flie\"");
    assert_eq!(client.get("/api/health").json()["status"], "ok");
}

#[test]
fn hostile_tables_and_questions_get_an_answer_or_a_sentence() {
    let mut server = Server::start(&[]);
    let mut client = client(&server);
    let long = "a".repeat(1 << 20);
    for (table, status, what) in [
        (
            json!({ "html": "<table><tr><td colspan=1000000000 rowspan=1000000000>x<td>y<tr><td>z</table>" }),
            0,
            "span bomb",
        ),
        (json!({ "html": "<table><tr><td>".repeat(10_000) }), 413, "nested tables"),
        (json!({ "html": "<div>".repeat(200_000) }), 413, "nested elements"),
        (json!({ "html": "<table><a><b><i>".repeat(20_000) }), 0, "wrongly nested"),
        (json!({ "json": "[".repeat(100_000) }), 422, "nested JSON"),
        (json!({ "text": "\0".repeat(1 << 20) }), 422, "a file of NUL"),
        (json!({ "csv": long }), 0, "one long line"),
        (json!({ "csv": format!("\"{long}") }), 0, "an open quote"),
        (json!({ "csv": "a,".repeat(100_000) }), 413, "a hundred thousand columns"),
        (json!({ "csv": "a,b\n<script>alert(1)</script>,\"<img src=x onerror=alert(1)>\"\n" }), 200, "HTML in cells"),
        (json!({ "csv": "🙈,👩‍👩‍👧‍👦\n🏴󠁧󠁢󠁥󠁮󠁧󠁿,\u{202e}abc\u{0}\u{7}\n" }), 200, "emoji and controls"),
        (json!({ "csv": "a\n=cmd|' /C calc'!A0\n" }), 200, "a formula of a spreadsheet"),
        (json!({ "markdown": "|".repeat(100_000) }), 0, "pipes"),
    ] {
        let response = ask(&mut client, table, "how many rows are there?");
        assert!(status == 0 || response.status == status, "{what}: {} {}", response.status, response.error());
        assert!(response.status < 500, "{what}: {} {}", response.status, response.text());
    }
    for question in [
        "🙂🙃👩‍👩‍👧‍👦🏳️‍🌈",
        "?",
        "\u{0}\u{1}\u{2}",
        "<script>alert(1)</script>",
        "' OR 1=1 --",
        "999999999999999999999999 more than 1e999?",
        "in in in in in",
        "ﷺ ﷽ a̸̢̛͝ b̵̡",
    ] {
        let response = ask(&mut client, json!({ "id": "olympics" }), question);
        assert_eq!(response.status, 200, "{question}: {}", response.text());
        assert_eq!(response.json()["question"], question.trim());
    }
    fails(&ask(&mut client, json!({ "id": "olympics" }), &long), 413, "a question of 1048576 characters");
    let file = ("file", Some("nul.xlsx"), &[0u8; 100_000][..]);
    fails(
        &client.form("/api/ask", &[file, ("question", None, b"how many?")]),
        422,
        "does not begin as such a file does",
    );
    let file = ("file", Some("bomb.xlsx"), b"PK\x03\x04 and then nothing".as_slice());
    fails(&client.form("/api/ask", &[file, ("question", None, b"how many?")]), 422, "cannot read the input as xlsx");
    assert!(server.is_up());
}

#[test]
fn slow_clients_are_dropped_and_dropped_clients_are_forgotten() {
    let mut server = Server::start(&["--head-timeout", "0.5", "--body-timeout", "0.5", "--max-connections", "64"]);
    // A head that never ends.
    let start = Instant::now();
    let mut head = connect(server.address).unwrap();
    head.write_all(b"GET / HTTP/1.1\r\nhost: loc").unwrap();
    let mut rest = Vec::new();
    let _ = head.read_to_end(&mut rest);
    assert!(start.elapsed() < Duration::from_secs(5), "the head was waited for {:?}", start.elapsed());
    // A body that comes byte by byte.
    let mut body = connect(server.address).unwrap();
    body.write_all(
        b"POST /api/ask HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{",
    )
    .unwrap();
    let response = read(&mut BufReader::new(body)).unwrap();
    fails(&response, 408, "took more than");
    // Clients that go away in the middle, in more than one way, and more of them than there are places.
    for n in 0..200 {
        let mut gone = connect(server.address).unwrap();
        let question = json!({ "table": { "id": "olympics" }, "question": format!("how many {n}?") }).to_string();
        let said = question.len() * (1 + n % 2);
        write!(gone, "POST /api/ask HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {said}\r\n\r\n{question}").ok();
    }
    let start = Instant::now();
    while client(&server).send("GET", "/api/health", &[], b"").map_or(0, |response| response.status) != 200 {
        assert!(start.elapsed() < Duration::from_secs(10), "the server does not come back");
        std::thread::sleep(Duration::from_millis(20));
    }
    let start = Instant::now();
    while client(&server).get("/api/health").json()["running"] != 0 {
        assert!(start.elapsed() < Duration::from_secs(20), "work for clients that are gone does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(server.is_up());
}

#[test]
fn a_client_that_closes_its_end_still_gets_its_answer() {
    let server = Server::start(&[]);
    let mut stream = connect(server.address).unwrap();
    let question = json!({ "table": { "id": "olympics" }, "question": "which city was last?" }).to_string();
    let length = question.len();
    write!(stream, "POST /api/ask HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{question}").unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let answered = read(&mut BufReader::new(stream)).unwrap();
    assert_eq!(answered.status, 200, "{}", answered.json());
}

#[test]
fn a_client_that_does_not_read_is_dropped() {
    let server = Server::start(&["--read-timeout", "0.5", "--max-connections", "1"]);
    let rows: String = (0..200).map(|n| format!("{n},{}\n", "x".repeat(900))).collect();
    let sent = client(&server).post("/api/table", &json!({ "table": { "csv": format!("n,text\n{rows}") } })).json();
    let id = sent["id"].as_str().unwrap();
    let mut deaf = retry(&server);
    for _ in 0..2000 {
        if deaf.write_all(format!("GET /api/table/{id}/rows HTTP/1.1\r\nhost: localhost\r\n\r\n").as_bytes()).is_err() {
            break;
        }
    }
    let start = Instant::now();
    loop {
        std::thread::sleep(Duration::from_millis(50));
        let answered = client(&server).send("GET", "/api/health", &[], b"");
        if answered.is_ok_and(|response| response.status == 200) {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(10), "the only connection is still held");
    }
}

/// A connection that the server accepted; it may take a while until an earlier one is closed.
fn retry(server: &Server) -> std::net::TcpStream {
    loop {
        let mut stream = connect(server.address).unwrap();
        write!(stream, "GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        if read(&mut reader).is_ok_and(|response| response.status == 200) {
            return stream;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn of_too_many_connections_an_idle_one_makes_room() {
    let server = Server::start(&["--max-connections", "2"]);
    let known = retry(&server);
    let mut slow = connect(server.address).unwrap();
    write!(slow, "GET /api/hea").unwrap();
    retry(&server);
    let ended = read(&mut BufReader::new(slow));
    assert!(ended.is_err(), "the one that never sent a whole request was closed");
    drop(known);
}

#[test]
fn bodies_share_what_they_may_take() {
    let server = Server::start(&["--max-bodies", "100000"]);
    let mut holder = connect(server.address).unwrap();
    holder.write_all(b"POST /api/ask HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 200000\r\n\r\n").unwrap();
    holder.write_all(&[b' '; 90_000]).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    let table = format!("a,b\n{}", "1,2\n".repeat(5_000));
    let response = client(&server).post("/api/table", &json!({ "table": { "csv": table } }));
    fails(&response, 503, "busy");
    assert_eq!(response.header("retry-after"), Some("1"));
    drop(holder);
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(client(&server).post("/api/table", &json!({ "table": { "csv": table } })).status, 200);
    let long_rows = |count: usize| format!("a,b\n{}", format!("{},1\n", "x".repeat(900)).repeat(count));
    assert_eq!(client(&server).post("/api/table", &json!({ "table": { "csv": long_rows(40) } })).status, 200);
    let response = client(&server).post("/api/table", &json!({ "table": { "csv": long_rows(60) } }));
    fails(&response, 503, "busy");
}

#[cfg(unix)]
#[test]
fn a_signal_lets_what_is_running_finish() {
    let server = Server::start(&[]);
    let rows: String = (0..300_000).map(|n| format!("{n},name {n},{}\n", n % 7)).collect();
    let body = json!({ "table": { "csv": format!("n,name,points\n{rows}") } });
    let address = server.address;
    let asking = std::thread::spawn(move || Client::new(address).post("/api/table", &body).status);
    let mut other = client(&server);
    let start = Instant::now();
    while other.get("/api/health").json()["running"] == 0 && start.elapsed() < Duration::from_secs(5) {}
    assert_eq!(server.end(), Some(0), "it ends well");
    assert_eq!(asking.join().unwrap(), 200, "what was running was finished");
    assert!(connect(address).is_err(), "nobody listens any more");
}
