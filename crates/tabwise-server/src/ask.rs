//! Handlers for questions: `POST /api/ask` answers one, `GET /api/link/{id}` returns the question behind a link. The
//! health check is here too, since it reports on the same state.

use crate::clients::Client;
use crate::failure::{Failure, Reply, json};
use crate::request::Id;
use crate::state::{Shared, Wants};
use axum::extract::{Extension, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

/// `POST /api/ask`: answers a question about a table.
pub(crate) async fn ask(State(server): State<Shared>, Extension(client): Extension<Client>, request: Request) -> Reply {
    let sent = server.bodies.read(request).await?;
    let _arrived = client.arrived();
    let (_, body) = server.work(sent.content, &client, Wants::Answer).await?;
    server.bodies.response(body)
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
