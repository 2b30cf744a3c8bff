//! Handlers for questions: `POST /api/ask` answers some, `POST /api/exec` executes a formula, `POST /api/correct` learns the
//! right answer to one, `GET /api/link/{id}` returns the question behind a link. Health and metrics are here too, since they report on the same state.

use crate::clients::Client;
use crate::failure::{Failure, Reply, json};
use crate::request::Id;
use crate::state::{Shared, Wants};
use axum::extract::{Extension, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// `POST /api/ask`: answers questions about a table.
pub(crate) async fn ask(State(server): State<Shared>, Extension(client): Extension<Client>, request: Request) -> Reply {
    let sent = server.bodies.read(request).await?;
    let _arrived = client.arrived();
    let (_, body) = server.work(sent.content, &client, Wants::Answer).await?;
    server.bodies.response(body)
}

/// `POST /api/exec`: executes a formula on a table.
pub(crate) async fn exec(
    State(server): State<Shared>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Reply {
    let sent = server.bodies.read(request).await?;
    let _arrived = client.arrived();
    let (_, body) = server.work(sent.content, &client, Wants::Execution).await?;
    server.bodies.response(body)
}

/// `POST /api/correct`: learns the right answer to a question, and answers it again.
pub(crate) async fn correct(
    State(server): State<Shared>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Reply {
    let sent = server.bodies.read(request).await?;
    let _arrived = client.arrived();
    let body = server.correct(sent.content, &client).await?;
    server.bodies.response(body)
}

/// Response of `DELETE /api/correct/{id}`.
#[derive(Serialize)]
struct Undone {
    /// Number of corrections that are left.
    corrections: usize,
}

/// `DELETE /api/correct/{id}`: takes a correction back.
pub(crate) async fn undo(State(server): State<Shared>, Id(id): Id) -> Reply {
    match server.teaching.undo(&id)? {
        true => Ok(json(StatusCode::OK, &Undone { corrections: server.teaching.count() })),
        false => Err(Failure::missing("there is no such correction (any more)")),
    }
}

/// `GET /api/corrections`: the corrections with their tables, as lines of JSON.
pub(crate) async fn corrections(State(server): State<Shared>) -> Response {
    let name = "attachment; filename=\"corrections.jsonl\"";
    let headers = [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CONTENT_DISPOSITION, name)];
    (headers, server.teaching.lines()).into_response()
}

/// Response of `GET /api/link/{id}`.
#[derive(Serialize)]
struct Linked<'a> {
    table_id: &'a str,
    question: &'a str,
}

/// `GET /api/link/{id}`: returns the question behind a link.
pub(crate) async fn link(State(server): State<Shared>, Id(id): Id) -> Reply {
    let gone =
        || Failure::missing("this link is not known (any more); links live as long as the server remembers them");
    let link = server.store.linked(&id).ok_or_else(gone)?;
    Ok(json(StatusCode::OK, &Linked { table_id: &link.table, question: &link.question }))
}

/// Response of `GET /api/health`.
#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
    /// Uptime.
    seconds: u64,
    /// Requests being worked on.
    running: usize,
    /// Requests in the queue.
    waiting: usize,
    /// Stored tables, examples aside.
    tables: usize,
}

/// `GET /healthz`: tells that the server is up, for those who watch over it.
pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// `GET /metrics`: counts in the text format of Prometheus.
pub(crate) async fn metrics(State(server): State<Shared>) -> Response {
    let now = [
        ("running", "Requests being worked on", server.gate.running()),
        ("waiting", "Requests in the queue", server.gate.waiting()),
        ("tables", "Stored tables, examples aside", server.store.table_count()),
        ("corrections", "Corrections in force", server.teaching.count()),
        ("uptime_seconds", "Seconds since the start", server.started.elapsed().as_secs() as usize),
    ];
    let text = server.metrics.text(&now);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

/// `GET /api/health`: reports that the server is up, and its load.
pub(crate) async fn health(State(server): State<Shared>) -> Response {
    let health = Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        seconds: server.started.elapsed().as_secs(),
        running: server.gate.running(),
        waiting: server.gate.waiting(),
        tables: server.store.table_count(),
    };
    json(StatusCode::OK, &health)
}
