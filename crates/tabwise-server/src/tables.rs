//! Handlers for tables: uploading one, and reading its rows in pieces, so that the page can show long tables.

use crate::clients::Client;
use crate::examples::EXAMPLES;
use crate::failure::{Failure, Reply, json};
use crate::request::Id;
use crate::state::{Shared, Wants};
use crate::store::StoredTable;
use axum::extract::{Extension, Query, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tabwise::table::{Listed, Table};

/// Description of a table with its first rows; the response of `POST /api/table` and `GET /api/table/{id}`.
#[derive(Serialize)]
pub(crate) struct About<'a> {
    id: &'a str,
    name: &'a str,
    header: Vec<String>,
    row_count: usize,
    notes: &'a [String],
    /// Tables or sheets to choose from, if the file holds several.
    tables: Vec<Choice<'a>>,
    /// Questions to try.
    suggestions: &'a [String],
    rows: Vec<Vec<String>>,
}

/// A table or sheet to choose, by its number.
#[derive(Serialize)]
struct Choice<'a> {
    number: usize,
    title: &'a str,
    rows: usize,
    columns: usize,
}

impl<'a> About<'a> {
    fn new(kept: &'a StoredTable) -> About<'a> {
        let table = &kept.table;
        About {
            id: &kept.id,
            name: &kept.name,
            header: table.header().iter().map(|name| cut(name)).collect(),
            row_count: table.row_count(),
            notes: &kept.notes,
            tables: kept.tables.iter().map(choice).collect(),
            suggestions: &kept.suggestions,
            rows: some_rows(table, 0, MOST_ROWS),
        }
    }
}

fn choice(listed: &Listed) -> Choice<'_> {
    Choice { number: listed.number, title: &listed.title, rows: listed.rows, columns: listed.columns }
}

/// Maximum number of rows in a response.
const MOST_ROWS: usize = 200;
/// Bytes of text after which a response gets no further rows.
const MOST_TEXT: usize = 1 << 20;
/// Maximum number of characters of a cell in a response, since rows are for display only.
const MOST_CHARACTERS: usize = 1_000;

/// `POST /api/table`: reads and stores a table, and describes it.
pub(crate) async fn send(
    State(server): State<Shared>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Reply {
    let sent = server.bodies.read(request).await?;
    let _arrived = client.arrived();
    let (kept, _) = server.work(sent.content, &client, Wants::Table).await?;
    server.bodies.json(&About::new(&kept))
}

/// `GET /api/table/{id}`: describes a stored table.
pub(crate) async fn about(State(server): State<Shared>, Extension(client): Extension<Client>, Id(id): Id) -> Reply {
    let kept = server.table(id, &client).await?;
    server.bodies.json(&About::new(&kept))
}

/// Query parameters of `GET /api/table/{id}/rows`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Range {
    #[serde(default)]
    from: usize,
    count: Option<usize>,
}

/// Response of `GET /api/table/{id}/rows`.
#[derive(Serialize)]
struct Rows {
    from: usize,
    row_count: usize,
    rows: Vec<Vec<String>>,
}

/// `GET /api/table/{id}/rows?from=&count=`: returns some rows, fewer than `count` if they are long.
pub(crate) async fn rows(
    State(server): State<Shared>,
    Extension(client): Extension<Client>,
    Id(id): Id,
    range: Result<Query<Range>, axum::extract::rejection::QueryRejection>,
) -> Reply {
    let Query(range) =
        range.map_err(|_| Failure::bad("the parameters are \"from\" and \"count\", and both must be numbers"))?;
    let kept = server.table(id, &client).await?;
    let rows = some_rows(&kept.table, range.from, range.count.unwrap_or(MOST_ROWS));
    server.bodies.json(&Rows { from: range.from, row_count: kept.table.row_count(), rows })
}

/// `GET /api/examples`: lists the example tables.
pub(crate) async fn examples() -> Response {
    json(StatusCode::OK, &EXAMPLES)
}

/// Rows from a number on, within the limits of a response.
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

/// A cell, shortened to [`MOST_CHARACTERS`].
fn cut(cell: &str) -> String {
    match cell.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &cell[..end]),
        None => cell.to_owned(),
    }
}
