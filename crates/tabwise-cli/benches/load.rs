//! Load test of the server: ordinary load with the reader and without, a long table, four times the load that it can
//! sustain, and ten thousand hostile requests. The server has learned from corrections before it is loaded. Client and
//! server run on the same machine. Without data, questions are about the example tables.
//!
//!     cargo bench --package tabwise-cli --bench load -- [--data DIR] [--seconds 60] [--rate 50] [--only PART] [--requests 10000]
//!
//! `DIR` is a folder of the dataset, with `data/random-split-1-dev.tsv` and the tables that it names. Parts are `rate`,
//! `fast`, `long`, `overload` and `hostile`; `--model FILE` is passed on. The exit code is 1 if a bar is not reached.

#[path = "../tests/support/mod.rs"]
mod support;

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use support::Server;
use support::http::Client;

/// A part of the test, which returns true if it reaches its bars.
type Part = fn(&Args, &[Asked]) -> bool;

fn main() {
    let args = Args::read();
    let asked = args.data.as_deref().map_or_else(examples, dataset);
    println!("{} questions, {} a second for {} s\n", asked.len(), args.rate, args.seconds);
    let parts: [(&str, Part); 5] =
        [("rate", ordinary), ("fast", fast), ("long", long), ("overload", overload), ("hostile", hostile)];
    let wanted = |name: &str| args.only.as_deref().is_none_or(|only| only == name);
    let reached =
        parts.iter().filter(|(name, _)| wanted(name)).map(|(_, part)| part(&args, &asked)).collect::<Vec<_>>();
    std::process::exit(i32::from(reached.contains(&false)));
}

struct Args {
    data: Option<PathBuf>,
    seconds: f64,
    rate: f64,
    /// Number of hostile requests.
    requests: usize,
    only: Option<String>,
    model: Option<String>,
}

impl Args {
    fn read() -> Args {
        let given: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
        let value = |name: &str| {
            let at = given.iter().position(|arg| arg == name)?;
            given.get(at + 1).cloned()
        };
        let number = |name: &str, usual: f64| value(name).and_then(|text| text.parse().ok()).unwrap_or(usual);
        Args {
            data: value("--data").map(PathBuf::from),
            seconds: number("--seconds", 60.0),
            rate: number("--rate", 50.0),
            requests: number("--requests", 10_000.0) as usize,
            only: value("--only"),
            model: value("--model"),
        }
    }

    /// Starts the server, with more arguments, and teaches it.
    fn start(&self, asked: &[Asked], more: &[&str]) -> Server {
        let model = self.model.as_deref().map(|model| ["--model", model]);
        let all: Vec<&str> = model.iter().flatten().copied().chain(more.iter().copied()).collect();
        let server = Server::start(&all);
        println!("the server has learned from {} corrections", teach(&server, asked));
        server
    }
}

/// A request with a whole table and a question, like the first request of a client.
struct Asked {
    request: Value,
    body: String,
}

impl Asked {
    fn new(table: Value, question: &str) -> Asked {
        let request = json!({ "table": table, "question": question });
        Asked { body: request.to_string(), request }
    }
}

/// Number of questions that the server is corrected on.
const CORRECTED: usize = 100;

/// Says of the first questions that the second interpretation is right. Returns the number of corrections.
fn teach(server: &Server, asked: &[Asked]) -> usize {
    let mut client = Client::new(server.address);
    let mut correct = |asked: &Asked| {
        let answer = client.post("/api/ask", &asked.request).json();
        let mut request = asked.request.clone();
        request["formula"] = answer["meanings"][1]["formula"].clone();
        client.post("/api/correct", &request).status == 200
    };
    asked.iter().take(CORRECTED).filter(|asked| correct(asked)).count()
}

fn examples() -> Vec<Asked> {
    let server = Server::start(&[]);
    let examples = Client::new(server.address).get("/api/examples").json();
    let questions = |example: &Value| {
        let ask = |question: &Value| Asked::new(json!({ "id": example["id"] }), question.as_str().unwrap_or("?"));
        example["questions"].as_array().into_iter().flatten().map(ask).collect::<Vec<_>>()
    };
    examples.as_array().into_iter().flatten().flat_map(questions).collect()
}

/// The questions of a split in an order that mixes the tables.
fn dataset(folder: &Path) -> Vec<Asked> {
    let split = std::fs::read_to_string(folder.join("data/random-split-1-dev.tsv")).expect("the split is there");
    let mut asked: Vec<Asked> = split.lines().skip(1).filter_map(|line| question(line, folder)).collect();
    let mut state = 1_u64;
    for at in (1..asked.len()).rev() {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        asked.swap(at, (state >> 33) as usize % (at + 1));
    }
    asked
}

fn question(line: &str, folder: &Path) -> Option<Asked> {
    let mut fields = line.split('\t').skip(1);
    let (question, table) = (fields.next()?, fields.next()?);
    let text = std::fs::read_to_string(folder.join(table)).ok()?;
    Some(Asked::new(json!({ "csv": text }), question))
}

/// Responses to a number of requests.
#[derive(Default)]
struct Responses {
    /// Times of answered requests, in milliseconds, sorted.
    times: Vec<f64>,
    /// Times of requests that got status 503.
    turned_away: Vec<f64>,
    /// Number of other responses and errors, by kind.
    others: BTreeMap<String, usize>,
}

impl Responses {
    fn add(&mut self, end: std::io::Result<u16>, took: Duration) {
        let took = took.as_secs_f64() * 1e3;
        match end {
            Ok(200) => self.times.push(took),
            Ok(503) => self.turned_away.push(took),
            Ok(status) => *self.others.entry(format!("status {status}")).or_default() += 1,
            Err(error) => *self.others.entry(error.kind().to_string()).or_default() += 1,
        }
    }

    fn join(parts: impl IntoIterator<Item = Responses>) -> Responses {
        let mut all = Responses::default();
        for part in parts {
            all.times.extend(part.times);
            all.turned_away.extend(part.turned_away);
            part.others.into_iter().for_each(|(name, count)| *all.others.entry(name).or_default() += count);
        }
        all.times.sort_by(f64::total_cmp);
        all.turned_away.sort_by(f64::total_cmp);
        all
    }

    fn print(&self, what: &str) {
        let at = |list: &[f64], share| quantile(list, share);
        let (times, away) = (&self.times, &self.turned_away);
        println!(
            "{what}: {} answered (p50 {:.1} ms, p90 {:.1} ms, p99 {:.1} ms, most {:.1} ms), {} turned away (p50 {:.1} ms, p99 {:.1} ms), others {:?}",
            times.len(),
            at(times, 0.5),
            at(times, 0.9),
            at(times, 0.99),
            at(times, 1.0),
            away.len(),
            at(away, 0.5),
            at(away, 0.99),
            self.others,
        );
    }
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = ((sorted.len() as f64 * share).ceil() as usize).clamp(1, sorted.len().max(1)) - 1;
    sorted.get(at).copied().unwrap_or(0.0)
}

/// Sends requests at a fixed rate. Times are measured from the moment a request is due, so that a slow server cannot
/// hide behind clients that wait for it.
fn at_rate(server: &Server, asked: &[Asked], rate: f64, seconds: f64, clients: usize) -> Responses {
    let (next, start, count) = (AtomicUsize::new(0), Instant::now(), (rate * seconds) as usize);
    let work = || {
        let (mut client, mut outcome) = (Client::new(server.address), Responses::default());
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count {
                return outcome;
            }
            let due = start + Duration::from_secs_f64(at as f64 / rate);
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            let end = send(&mut client, &asked[at % asked.len()]);
            outcome.add(end, due.elapsed());
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..clients).map(|_| scope.spawn(work)).collect();
        Responses::join(threads.into_iter().map(|thread| thread.join().expect("a client does not panic")))
    })
}

fn send(client: &mut Client, asked: &Asked) -> std::io::Result<u16> {
    let headers = [("content-type", "application/json")];
    client.send("POST", "/api/ask", &headers, asked.body.as_bytes()).map(|response| response.status)
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / (1 << 20) as f64
}

/// Prints and returns if a bar is reached.
fn bar(what: &str, reached: bool) -> bool {
    println!("  {} {what}", if reached { "reached:" } else { "NOT REACHED:" });
    reached
}

/// Ordinary load: p50 at most 50 ms, p99 at most 250 ms.
fn ordinary(args: &Args, asked: &[Asked]) -> bool {
    let server = args.start(asked, &[]);
    steady(args, asked, &server, "rate", [50.0, 250.0])
}

/// Ordinary load without the reader: p50 at most 10 ms, p99 at most 100 ms.
fn fast(args: &Args, asked: &[Asked]) -> bool {
    let server = args.start(asked, &["--fast"]);
    steady(args, asked, &server, "rate, without the reader", [10.0, 100.0])
}

/// Load at the rate of the arguments: p50 and p99 at most so many milliseconds, no error, flat memory.
fn steady(args: &Args, asked: &[Asked], server: &Server, what: &str, [p50, p99]: [f64; 2]) -> bool {
    at_rate(server, asked, args.rate, (args.seconds / 6.0).min(10.0), 64);
    let before = server.memory();
    let first = at_rate(server, asked, args.rate, args.seconds / 2.0, 64);
    let middle = server.memory();
    let second = at_rate(server, asked, args.rate, args.seconds / 2.0, 64);
    let after = server.memory();
    let all = Responses::join([first, second]);
    all.print(&format!("{what} {}/s", args.rate));
    println!("  memory {:.0} MB, {:.0} MB, {:.0} MB", megabytes(before), megabytes(middle), megabytes(after));
    let reached = [
        bar(&format!("p50 at most {p50} ms"), quantile(&all.times, 0.5) <= p50),
        bar(&format!("p99 at most {p99} ms"), quantile(&all.times, 0.99) <= p99),
        bar("no error", all.others.is_empty() && all.turned_away.is_empty()),
        bar("flat memory", after <= middle + middle / 10),
    ];
    !reached.contains(&false)
}

/// A table of 100,000 rows: upload and answer in at most 2 s.
fn long(args: &Args, asked: &[Asked]) -> bool {
    let server = args.start(asked, &[]);
    let row = |n: usize| format!("{n},name {n},{},{},city {}\n", n * 7919 % 100_003, 1900 + n % 120, n % 500);
    let table: String = std::iter::once("id,name,points,year,city\n".to_owned()).chain((0..100_000).map(row)).collect();
    let mut client = Client::new(server.address);
    let mut worst: f64 = 0.0;
    for question in
        ["how many rows have city 77?", "what is the name with the most points?", "which year was name 512?"]
    {
        // Another table each time, so that nothing is kept of it.
        let file = format!("{table}0,{question},0,0,0\n");
        let start = Instant::now();
        let fields: [(&str, Option<&str>, &[u8]); 2] =
            [("file", Some("long.csv"), file.as_bytes()), ("question", None, question.as_bytes())];
        let response = client.form("/api/ask", &fields);
        let took = start.elapsed().as_secs_f64();
        worst = worst.max(took);
        let start = Instant::now();
        client.post("/api/ask", &json!({ "table": { "id": response.json()["table_id"] }, "question": question }));
        let again = start.elapsed().as_secs_f64();
        println!("long: {question} status {}, {took:.2} s with the upload, {again:.2} s when kept", response.status);
    }
    println!("  memory {:.0} MB", megabytes(server.memory()));
    bar("upload and answer in at most 2 s", worst <= 2.0)
}

/// Four times the sustained load: the excess gets status 503 at once, and the server recovers afterwards.
fn overload(args: &Args, asked: &[Asked]) -> bool {
    let server = args.start(asked, &[]);
    let holds = sustained(&server, asked, Duration::from_secs(8));
    let before = server.memory();
    let (rate, seconds) = (4.0 * holds, (args.seconds / 4.0).clamp(5.0, 15.0));
    let outcome = at_rate(&server, asked, rate, seconds, 256);
    outcome.print(&format!("overload: it holds {holds:.0}/s; at {rate:.0}/s for {seconds:.0} s"));
    std::thread::sleep(Duration::from_secs(2));
    let after = at_rate(&server, asked, (holds / 4.0).max(1.0), 5.0, 64);
    after.print("  afterwards");
    println!("  memory {:.0} MB before, {:.0} MB after", megabytes(before), megabytes(server.memory()));
    let reached = [
        bar("what is too much gets 503", !outcome.turned_away.is_empty() && outcome.others.is_empty()),
        bar("the rest is answered", outcome.times.len() as f64 > holds * seconds * 0.5),
        bar("it recovers", after.turned_away.is_empty() && after.others.is_empty()),
    ];
    !reached.contains(&false)
}

/// Requests per second that are answered if there is always a next one.
fn sustained(server: &Server, asked: &[Asked], time: Duration) -> f64 {
    let (next, done, start) = (AtomicUsize::new(0), AtomicUsize::new(0), Instant::now());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut client = Client::new(server.address);
                while start.elapsed() < time {
                    let at = next.fetch_add(1, Ordering::Relaxed) % asked.len();
                    let answered = matches!(send(&mut client, &asked[at]), Ok(200));
                    done.fetch_add(usize::from(answered), Ordering::Relaxed);
                }
            });
        }
    });
    done.into_inner() as f64 / start.elapsed().as_secs_f64()
}

/// Ten thousand hostile requests: each gets an answer or an error message, and memory does not grow.
fn hostile(args: &Args, asked: &[Asked]) -> bool {
    let mut server = args.start(asked, &["--body-timeout", "1", "--head-timeout", "1"]);
    let kinds = attacks();
    let ends: Mutex<BTreeMap<String, usize>> = Mutex::default();
    let run = |server: &Server, count: usize| {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        if at >= count {
                            return;
                        }
                        let (name, attack) = &kinds[at % kinds.len()];
                        let end = attack.attack(server, at);
                        *ends.lock().expect("no client panics").entry(format!("{name} {end}")).or_default() += 1;
                    }
                });
            }
        });
    };
    let start = Instant::now();
    let count = args.requests;
    run(&server, count / 5);
    let first = server.memory();
    run(&server, count * 2 / 5);
    let middle = server.memory();
    run(&server, count * 2 / 5);
    let last = server.memory();
    println!("hostile: {count} requests in {:.0} s", start.elapsed().as_secs_f64());
    let ends = ends.into_inner().expect("no client panics");
    ends.iter().for_each(|(end, count)| println!("  {count:5} {end}"));
    println!(
        "  memory after a fifth, three fifths, all: {:.0} MB, {:.0} MB, {:.0} MB",
        megabytes(first),
        megabytes(middle),
        megabytes(last)
    );
    let up = server.is_up() && Client::new(server.address).get("/api/health").status == 200;
    let reached = [
        bar("the server is up", up),
        bar("flat memory", last <= middle + middle / 10),
        bar("no fault of the server", !ends.keys().any(|end| end.contains("500"))),
    ];
    !reached.contains(&false)
}

/// A kind of hostile request.
enum Attack {
    /// A path, a content type and a body.
    Body(&'static str, &'static str, Vec<u8>),
    /// A connection that is dropped in the middle of a body.
    Dropped,
    /// A client that sends less than it announced.
    Slow,
}

impl Attack {
    fn attack(&self, server: &Server, at: usize) -> String {
        match self {
            Attack::Body(path, kind, body) => {
                let response = Client::new(server.address).send("POST", path, &[("content-type", kind)], body);
                response.map_or_else(|error| error.kind().to_string(), |response| response.status.to_string())
            }
            Attack::Dropped => raw(
                server,
                &json!({ "table": { "id": "olympics" }, "question": format!("how many {at}?") }).to_string(),
                false,
            ),
            Attack::Slow => raw(server, "{", true),
        }
    }
}

fn raw(server: &Server, body: &str, waits: bool) -> String {
    use std::io::{Read, Write};
    let Ok(mut stream) = support::http::connect(server.address) else { return "refused".to_owned() };
    let length = body.len() + usize::from(waits) * 100;
    let _ = write!(
        stream,
        "POST /api/ask HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    if !waits {
        return "dropped".to_owned();
    }
    let mut status = [0; 12];
    let _ = stream.read_exact(&mut status);
    String::from_utf8_lossy(&status[9..]).into_owned()
}

fn attacks() -> Vec<(&'static str, Attack)> {
    let ask = |table: Value, question: &str| {
        let body = json!({ "table": table, "question": question }).to_string().into_bytes();
        Attack::Body("/api/ask", "application/json", body)
    };
    let count = "how many rows are there?";
    let olympics = json!({ "id": "olympics" });
    let mut all = vec![
        ("a question of a megabyte", ask(olympics.clone(), &"a".repeat(1 << 20))),
        ("a question of emoji", ask(olympics.clone(), &"🙂🙃👩‍👩‍👧‍👦".repeat(20))),
        ("a question of one word, often", ask(olympics.clone(), &"in ".repeat(600))),
        ("a question of numbers", ask(olympics, &"1 2 3 4 ".repeat(200))),
        ("HTML in cells", ask(json!({ "csv": "a,b\n<script>alert(1)</script>,<img onerror=x>\n" }), count)),
        (
            "a colspan bomb",
            ask(
                json!({ "html": "<table><tr><td colspan=1000000000 rowspan=1000000000>x<td>y<tr><td>z</table>" }),
                count,
            ),
        ),
        ("nested tables", ask(json!({ "html": "<table><tr><td>".repeat(10_000) }), count)),
        ("nested JSON", ask(json!({ "json": "[".repeat(100_000) }), count)),
        ("a file of NUL", ask(json!({ "text": "\0".repeat(1 << 18) }), count)),
        ("one long line", ask(json!({ "csv": "x".repeat(1 << 20) }), count)),
        ("many columns", ask(json!({ "csv": "a,".repeat(100_000) }), count)),
        ("an open quote", ask(json!({ "csv": format!("a,b\n\"{}", "x\n".repeat(10_000)) }), count)),
        ("no JSON", Attack::Body("/api/ask", "application/json", vec![0xff; 1000])),
        ("deep JSON", Attack::Body("/api/ask", "application/json", vec![b'['; 100_000])),
        ("half a form", Attack::Body("/api/ask", "multipart/form-data; boundary=x", b"--x\r\ncontent".to_vec())),
        ("a dropped connection", Attack::Dropped),
    ];
    // One in a hundred or so, since each takes a second.
    let often = all.len() * 6;
    let cheap = (0..often).map(|at| at % all.len()).collect::<Vec<_>>();
    let mut order: Vec<usize> = cheap;
    all.push(("a slow client", Attack::Slow));
    order.push(all.len() - 1);
    order.into_iter().map(|at| (all[at].0, all[at].1.again())).collect()
}

impl Attack {
    fn again(&self) -> Attack {
        match self {
            Attack::Body(path, kind, body) => Attack::Body(path, kind, body.clone()),
            Attack::Dropped => Attack::Dropped,
            Attack::Slow => Attack::Slow,
        }
    }
}
