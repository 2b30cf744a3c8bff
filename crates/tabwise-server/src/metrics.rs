//! Counts of what the server did since its start, in the text format of Prometheus, and one line of JSON for each request
//! on standard error if the log is on.

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use serde_json::{Value, json};
use std::fmt::Write;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Header with the id of a request, which responses and the log have too.
const ID: HeaderName = HeaderName::from_static("x-request-id");
/// Longest id of a client that is taken over.
const LONGEST_ID: usize = 64;
/// Upper bounds of the times of requests that are counted, in milliseconds.
const BOUNDS: [u64; 8] = [5, 10, 25, 50, 100, 500, 2_500, 10_000];

/// Counts since the start.
#[derive(Default)]
pub(crate) struct Metrics {
    /// Responses by the first digit of their status, from 1 to 5.
    statuses: [AtomicU64; 5],
    /// Requests that took at most as long as each bound; the last counts all.
    times: [AtomicU64; BOUNDS.len() + 1],
    /// Time of all requests together, in microseconds.
    microseconds: AtomicU64,
    answers: AtomicU64,
    abstained: AtomicU64,
    ids: AtomicU64,
    /// True to write a line for each request.
    log: bool,
}

impl Metrics {
    /// Counts from 0; with `log`, each request is written to standard error too.
    pub(crate) fn new(log: bool) -> Metrics {
        Metrics { log, ..Metrics::default() }
    }

    /// Counts questions with an answer and without one.
    pub(crate) fn answered(&self, answered: u32, abstained: u32) {
        self.answers.fetch_add(u64::from(answered), Ordering::Relaxed);
        self.abstained.fetch_add(u64::from(abstained), Ordering::Relaxed);
    }

    fn responded(&self, status: u16, time: Duration) {
        let class = usize::from(status / 100).clamp(1, 5) - 1;
        self.statuses[class].fetch_add(1, Ordering::Relaxed);
        let milliseconds = time.as_millis() as u64;
        let reached = BOUNDS.iter().position(|bound| milliseconds <= *bound).unwrap_or(BOUNDS.len());
        self.times[reached..].iter().for_each(|count| _ = count.fetch_add(1, Ordering::Relaxed));
        self.microseconds.fetch_add(time.as_micros() as u64, Ordering::Relaxed);
    }

    /// The counts, and some values of this moment with their names and descriptions.
    pub(crate) fn text(&self, now: &[(&str, &str, usize)]) -> String {
        let mut text = String::new();
        let get = |count: &AtomicU64| count.load(Ordering::Relaxed);
        for (name, about, value) in now {
            let _ =
                writeln!(text, "# HELP tabwise_{name} {about}\n# TYPE tabwise_{name} gauge\ntabwise_{name} {value}");
        }
        let _ = writeln!(text, "# HELP tabwise_responses_total Responses\n# TYPE tabwise_responses_total counter");
        for (class, count) in (1..).zip(&self.statuses) {
            let _ = writeln!(text, "tabwise_responses_total{{status=\"{class}xx\"}} {}", get(count));
        }
        let _ = writeln!(text, "# HELP tabwise_answers_total Questions\n# TYPE tabwise_answers_total counter");
        for (known, count) in [("yes", &self.answers), ("no", &self.abstained)] {
            let _ = writeln!(text, "tabwise_answers_total{{known=\"{known}\"}} {}", get(count));
        }
        let name = "tabwise_request_seconds";
        let _ = writeln!(text, "# HELP {name} Time of requests\n# TYPE {name} histogram");
        for (bound, count) in BOUNDS.iter().zip(&self.times) {
            let _ = writeln!(text, "{name}_bucket{{le=\"{}\"}} {}", *bound as f64 / 1e3, get(count));
        }
        let all = get(&self.times[BOUNDS.len()]);
        let _ = writeln!(text, "{name}_bucket{{le=\"+Inf\"}} {all}");
        let _ = writeln!(text, "{name}_sum {}\n{name}_count {all}", get(&self.microseconds) as f64 / 1e6);
        text
    }

    /// An id for a request: the one that the client gave, if it is short and plain, or a new one.
    fn id(&self, given: Option<&HeaderValue>) -> HeaderValue {
        let is_plain = |id: &&HeaderValue| {
            id.len() <= LONGEST_ID
                && id.as_bytes().iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
        };
        let fresh = || format!("{:x}-{:x}", std::process::id(), self.ids.fetch_add(1, Ordering::Relaxed));
        given
            .filter(is_plain)
            .cloned()
            .unwrap_or_else(|| HeaderValue::from_str(&fresh()).expect("it has letters, digits and a dash"))
    }
}

/// Middleware that gives every request an id, counts it, and writes it to the log.
pub(crate) async fn watch(State(metrics): State<Arc<Metrics>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let id = metrics.id(request.headers().get(&ID));
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let mut response = next.run(request).await;
    let (status, time) = (response.status().as_u16(), start.elapsed());
    metrics.responded(status, time);
    if metrics.log {
        let _ = writeln!(std::io::stderr(), "{}", line(SystemTime::now(), &id, (&method, &path), status, time));
    }
    response.headers_mut().insert(ID, id);
    response
}

/// The line of a request in the log. `time` is when it was answered, in seconds since 1970.
fn line(now: SystemTime, id: &HeaderValue, (method, path): (&Method, &str), status: u16, took: Duration) -> Value {
    let path: String = path.chars().take(200).collect();
    let time = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as f64 / 1e3;
    let (id, milliseconds) = (id.to_str().unwrap_or_default(), took.as_micros() as f64 / 1e3);
    json!({ "time": time, "id": id, "method": method.as_str(), "path": path, "status": status, "milliseconds": milliseconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_in_the_format_of_prometheus() {
        let metrics = Metrics::default();
        metrics.responded(200, Duration::from_millis(7));
        metrics.responded(503, Duration::from_secs(60));
        metrics.answered(0, 1);
        let text = metrics.text(&[("running", "Requests", 2)]);
        for line in [
            "tabwise_running 2",
            "tabwise_responses_total{status=\"2xx\"} 1",
            "tabwise_answers_total{known=\"no\"} 1",
            "tabwise_request_seconds_bucket{le=\"0.005\"} 0",
            "tabwise_request_seconds_bucket{le=\"0.01\"} 1",
            "tabwise_request_seconds_bucket{le=\"+Inf\"} 2",
            "tabwise_request_seconds_count 2",
        ] {
            assert!(text.lines().any(|known| known == line), "{line} is not in {text}");
        }
    }

    #[test]
    fn a_line_of_the_log_says_when_and_how_long() {
        let (now, took) = (UNIX_EPOCH + Duration::from_millis(1_700_000_000_250), Duration::from_nanos(135_222_999));
        let line = line(now, &HeaderValue::from_static("a-1"), (&Method::POST, "/api/ask"), 200, took);
        let expected = r#"{"id":"a-1","method":"POST","milliseconds":135.222,"path":"/api/ask","status":200,"time":1700000000.25}"#;
        assert_eq!(line.to_string(), expected);
    }

    #[test]
    fn an_id_of_a_client_is_taken_over_if_it_is_plain() {
        let metrics = Metrics::default();
        let given = HeaderValue::from_static("abc-1");
        assert_eq!(metrics.id(Some(&given)), given);
        let odd = HeaderValue::from_static("a b\"c");
        assert_ne!(metrics.id(Some(&odd)), odd);
        assert_ne!(metrics.id(None), metrics.id(None));
    }
}
