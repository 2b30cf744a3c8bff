//! Tables: sending one, and looking at its rows.

use crate::examples::EXAMPLES;
use crate::failure::{Failure, Reply, json};
use crate::request::Asked;
use crate::state::Shared;
use crate::store::Kept;
use axum::extract::{Path, Query, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tabwise::table::Table;

/// A table, as a client sees it before it has looked at many rows.
#[derive(Serialize)]
pub struct About<'a> {
    id: &'a str,
    name: &'a str,
    header: Vec<String>,
    row_count: usize,
    notes: &'a [String],
    /// The first rows.
    rows: Vec<Vec<String>>,
}

impl<'a> About<'a> {
    fn new(kept: &'a Kept) -> About<'a> {
        let table = &kept.table;
        About {
            id: &kept.id,
            name: &kept.name,
            header: table.header().iter().map(|name| cut(name)).collect(),
            row_count: table.row_count(),
            notes: table.notes(),
            rows: some_rows(table, 0, MOST_ROWS),
        }
    }
}

/// The most rows of a response.
const MOST_ROWS: usize = 200;
/// About how much text the rows of a response may have.
const MOST_TEXT: usize = 1 << 20;
/// The most characters of a cell in a response: rows are for looking at.
const MOST_CHARACTERS: usize = 1_000;

/// `POST /api/table`: takes a table in, and says what was understood.
pub async fn send(State(server): State<Shared>, request: Request) -> Reply {
    let sent = server.bodies.read(request).await?;
    let gate = server.gate.clone();
    gate.run(move || {
        let asked = Asked::read(&sent.content)?;
        let kept = server.table(asked.table)?;
        Ok(json(StatusCode::OK, &About::new(&kept)))
    })
    .await
}

/// `GET /api/table/{id}`: what is known of a table.
pub async fn about(State(server): State<Shared>, Path(id): Path<String>) -> Reply {
    Ok(json(StatusCode::OK, &About::new(&*server.kept(&id)?)))
}

/// Which rows.
#[derive(Deserialize)]
pub struct Range {
    #[serde(default)]
    from: usize,
    count: Option<usize>,
}

#[derive(Serialize)]
struct Rows {
    from: usize,
    row_count: usize,
    rows: Vec<Vec<String>>,
}

/// `GET /api/table/{id}/rows?from=&count=`: some rows. There may be fewer than were asked for, if they are long.
pub async fn rows(
    State(server): State<Shared>,
    Path(id): Path<String>,
    range: Result<Query<Range>, axum::extract::rejection::QueryRejection>,
) -> Reply {
    let Query(range) = range.map_err(|_| Failure::bad("\"from\" and \"count\" must be numbers"))?;
    let kept = server.kept(&id)?;
    let table = &kept.table;
    let rows = some_rows(table, range.from, range.count.unwrap_or(MOST_ROWS));
    Ok(json(StatusCode::OK, &Rows { from: range.from, row_count: table.row_count(), rows }))
}

/// `GET /api/examples`: the tables that come with the server.
pub async fn examples() -> Response {
    json(StatusCode::OK, &EXAMPLES)
}

fn some_rows(table: &Table, from: usize, count: usize) -> Vec<Vec<String>> {
    let from = from.min(table.row_count());
    let to = from.saturating_add(count.min(MOST_ROWS)).min(table.row_count());
    let mut text = 0;
    let mut rows = Vec::new();
    for row in from..to {
        if text > MOST_TEXT {
            break;
        }
        let cells: Vec<String> = table.row(row).map(cut).collect();
        text += cells.iter().map(String::len).sum::<usize>();
        rows.push(cells);
    }
    rows
}

/// A cell, cut where it is too long to look at.
fn cut(cell: &str) -> String {
    match cell.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &cell[..end]),
        None => cell.to_owned(),
    }
}
