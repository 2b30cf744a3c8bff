//! Workers of the server: one that dies fails its own request and is replaced, one whose client has gone is ended, and none of
//! them can reach files or the network.
#![cfg(target_os = "linux")]

mod support;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use support::Server;
use support::http::{Client, Response};

fn ask(server: &Server, csv: &str) -> Response {
    let body = json!({ "table": { "csv": csv }, "question": "which name has the highest value?" });
    Client::new(server.address).post("/api/ask", &body)
}

/// Process ids of the workers of a server.
fn workers(server: &Server) -> Vec<i32> {
    let path = format!("/proc/{0}/task/{0}/children", server.pid());
    let all = std::fs::read_to_string(path).unwrap_or_default();
    all.split_whitespace().filter_map(|id| id.parse().ok()).collect()
}

/// Sends a signal to each of some workers.
fn signal(workers: &[i32], signal: Signal) {
    for &worker in workers {
        kill(Pid::from_raw(worker), signal).expect("a worker of our own takes signals");
    }
}

/// A table that takes long: every name is another.
fn long_table() -> String {
    let row = |at: usize| format!("name {at},{}\n", at * 7 % 1000);
    format!("name,value\n{}", (0..300_000).map(row).collect::<String>())
}

const SMALL: &str = "name,value\na,1\nb,2\n";

#[test]
fn a_worker_that_dies_is_replaced() {
    let server = Server::start(&["--at-once", "1"]);
    assert_eq!(ask(&server, SMALL).status, 200);
    signal(&workers(&server), Signal::SIGKILL);
    // The same table, which goes to the worker that has it, however long the first request took.
    let first = ask(&server, SMALL);
    assert_eq!(first.status, 422, "the request of a dead worker fails");
    assert_eq!(ask(&server, SMALL).status, 200, "the next one has another");
}

/// On a busy machine a worker gets little CPU time; a job is not too long because of that.
#[test]
fn time_that_a_worker_does_not_get_does_not_count() {
    let server = Server::start(&["--at-once", "1", "--max-time", "2"]);
    let workers = workers(&server);
    signal(&workers, Signal::SIGSTOP);
    let response = std::thread::scope(|scope| {
        let asked = scope.spawn(|| ask(&server, SMALL));
        std::thread::sleep(Duration::from_millis(2500));
        signal(&workers, Signal::SIGCONT);
        asked.join().expect("a request ends")
    });
    assert_eq!(response.status, 200, "{}", response.json());
}

#[test]
fn work_that_takes_too_long_or_too_much_is_one_failure() {
    let server = Server::start(&["--at-once", "1", "--max-time", "1"]);
    signal(&workers(&server), Signal::SIGSTOP);
    let failed = ask(&server, SMALL);
    assert_eq!(failed.status, 422, "{}", failed.json());
    assert!(failed.json()["error"].as_str().is_some_and(|error| error.contains("more time")), "{}", failed.json());
    assert_eq!(ask(&server, SMALL).status, 200);
    let server = Server::start(&["--max-memory", "2000000"]);
    let failed = ask(&server, &long_table());
    assert_eq!(failed.status, 413, "{}", failed.json());
    assert_eq!(ask(&server, SMALL).status, 200);
}

#[test]
fn work_whose_client_has_gone_is_stopped() {
    let server = Server::start(&["--at-once", "1"]);
    let body = json!({ "table": { "csv": long_table() }, "question": "which name has the highest value?" }).to_string();
    let mut stream = std::net::TcpStream::connect(server.address).expect("the server listens");
    let head = format!(
        "POST /api/ask HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    std::io::Write::write_all(&mut stream, (head + &body).as_bytes()).expect("the request is sent");
    let running = || Client::new(server.address).get("/api/health").json()["running"].clone();
    let start = Instant::now();
    while running() == json!(0) && start.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(stream);
    let start = Instant::now();
    while running() != json!(0) {
        assert!(start.elapsed() < Duration::from_millis(2500), "the work goes on without its client");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_worker_has_no_rights_that_it_does_not_need() {
    let server = Server::start(&[]);
    assert_eq!(ask(&server, SMALL).status, 200);
    let worker = *workers(&server).first().expect("there is a worker");
    let limits = std::fs::read_to_string(format!("/proc/{worker}/limits")).expect("a worker has limits");
    let limit = |name: &str| -> Value {
        let line = limits.lines().find(|line| line.starts_with(name)).expect("the system names its limits");
        line[name.len()..].split_whitespace().next().expect("a limit").into()
    };
    assert_eq!(limit("Max open files"), "3");
    assert_ne!(limit("Max address space"), "unlimited");
    assert_ne!(limit("Max cpu time"), "unlimited");
    let status = std::fs::read_to_string(format!("/proc/{worker}/status")).expect("a worker has a status");
    assert!(status.lines().any(|line| line.split_whitespace().eq(["Seccomp:", "2"])), "system calls are filtered");
}
