//! Handlers for questions: answering some, executing a formula, learning the right answer, and the question behind a link.
//! Health and metrics are here too, since they report on the same state. The comments on handlers are their descriptions for
//! users of the API.

use crate::clients::Client;
use crate::description::{Refused, RefusedBody, RefusedId};
use crate::failure::{Failure, Reply, json};
use crate::reply::{Answered, Executed, Replied};
use crate::request::form::{AskForm, CorrectForm, ExecForm};
use crate::request::json::{AskRequest, CorrectRequest, ExecRequest};
use crate::request::{Id, Wants};
use crate::state::Shared;
use axum::extract::{Extension, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// Answer questions about a table
#[utoipa::path(
    post,
    path = "/api/ask",
    request_body(content(
        (AskRequest = "application/json", example = json!({
            "table": { "id": "olympics" },
            "question": "Greece held its last Summer Olympics in which year?"
        })),
        (AskForm = "multipart/form-data"),
    )),
    responses((status = 200, description = "The answer; it abstains if it is too uncertain", body = Replied), RefusedBody),
)]
pub(crate) async fn ask(State(server): State<Shared>, Extension(client): Extension<Client>, request: Request) -> Reply {
    done(&server, &client, request, Wants::Answer).await
}

/// Execute a formula on a table
///
/// The notation is that of the formulas of answers; docs/formulas.md is a guide to it.
#[utoipa::path(
    post,
    path = "/api/exec",
    request_body(content(
        (ExecRequest = "application/json", example = json!({
            "table": { "id": "olympics" },
            "formula": "R[Year].argmax(Country.Greece, Index)"
        })),
        (ExecForm = "multipart/form-data"),
    )),
    responses((status = 200, description = "The values, or the reason why there are none", body = Executed), RefusedBody),
)]
pub(crate) async fn exec(
    State(server): State<Shared>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Reply {
    done(&server, &client, request, Wants::Execution).await
}

/// Reads a request and has a worker do what it wants.
async fn done(server: &Shared, client: &Client, request: Request, wants: Wants) -> Reply {
    let sent = server.bodies.read(request).await?;
    let _arrived = client.arrived();
    let (_, body) = server.work(sent.content, client, wants).await?;
    server.bodies.response(body)
}

/// Teach the right answer to a question
///
/// The answer is remembered for this question, and counts a little for others. A formula is remembered for tables with the
/// same columns, values for this very table. With --store, corrections are kept in corrections.jsonl there; nothing is sent
/// anywhere.
#[utoipa::path(
    post,
    path = "/api/correct",
    request_body(content(
        (CorrectRequest = "application/json", example = json!({
            "table": { "id": "olympics" },
            "question": "which city was last in Greece?",
            "answer": ["Athens"]
        })),
        (CorrectForm = "multipart/form-data"),
    )),
    responses(
        (status = 200, description = "The answer from now on; `correction` is the id to take it back by", body = Answered),
        RefusedBody,
    ),
)]
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

/// Corrections after one was taken back.
#[derive(Serialize, ToSchema)]
struct Undone {
    /// Number of corrections that are left.
    corrections: usize,
}

/// Take a correction back
#[utoipa::path(
    delete,
    path = "/api/correct/{id}",
    params(("id" = String, Path, description = "The field `correction` of an answer.")),
    responses((status = 200, description = "It is as if it had never been made", body = Undone), RefusedId),
)]
pub(crate) async fn undo(State(server): State<Shared>, Id(id): Id) -> Reply {
    match server.teaching.undo(&id)? {
        true => Ok(json(StatusCode::OK, &Undone { corrections: server.teaching.count() })),
        false => Err(Failure::missing("there is no such correction (any more)")),
    }
}

/// All corrections, to keep or to train with
///
/// A line of JSON for each correction and each table that one is about. `tabwise ask --corrections FILE` and `tabwise lab
/// train --corrections FILE` read it.
#[utoipa::path(
    get,
    path = "/api/corrections",
    responses(
        (status = 200, description = "The corrections", body = String, content_type = "application/x-ndjson"),
        Refused,
    ),
)]
pub(crate) async fn corrections(State(server): State<Shared>) -> Response {
    let name = "attachment; filename=\"corrections.jsonl\"";
    let headers = [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CONTENT_DISPOSITION, name)];
    (headers, server.teaching.lines()).into_response()
}

/// The question behind a link.
#[derive(Serialize, ToSchema)]
struct Linked<'a> {
    /// Id of the table that it is about.
    table_id: &'a str,
    question: &'a str,
}

/// The question behind a link
#[utoipa::path(
    get,
    path = "/api/link/{id}",
    params(("id" = String, Path, description = "The last part of the field `link` of an answer.")),
    responses((status = 200, description = "The question and its table", body = Linked), RefusedId),
)]
pub(crate) async fn link(State(server): State<Shared>, Id(id): Id) -> Reply {
    let gone =
        || Failure::missing("this link is not known (any more); links live as long as the server remembers them");
    let link = server.store.linked(&id).ok_or_else(gone)?;
    Ok(json(StatusCode::OK, &Linked { table_id: &link.table, question: &link.question }))
}

/// State of the server.
#[derive(Serialize, ToSchema)]
struct Health {
    status: &'static str,
    version: &'static str,
    /// Seconds since the start.
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

/// Report that the server is up, and its load
#[utoipa::path(
    get,
    path = "/api/health",
    responses((status = 200, description = "The server is up", body = Health), Refused),
)]
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
