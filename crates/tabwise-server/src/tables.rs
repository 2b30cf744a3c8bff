//! Handlers for tables: uploading one, and reading its rows in pieces, so that the page can show long tables.

use crate::clients::Client;
use crate::description::{Refused, RefusedBody, RefusedTable};
use crate::examples::{EXAMPLES, Example};
use crate::failure::{Failure, FailureBody, Reply, json};
use crate::request::form::TableForm;
use crate::request::json::TableRequest;
use crate::request::{Id, Wants};
use crate::state::Shared;
use crate::store::StoredTable;
use crate::view::View;
use crate::wire::Description;
use axum::extract::{Extension, Query, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tabwise::table::{Listed, Table};
use utoipa::{IntoParams, ToSchema};

/// A stored table with its first rows.
#[derive(Serialize, ToSchema)]
pub(crate) struct About<'a> {
    /// Id of the table, for questions.
    id: &'a str,
    /// Name of its file.
    name: &'a str,
    /// Name of its sheet, its caption or the heading above it; may be empty.
    title: &'a str,
    /// Names of the columns.
    header: Vec<String>,
    row_count: usize,
    /// How it was read: repairs, decimal commas, dates that may be read in two ways.
    notes: &'a [String],
    /// Tables or sheets to choose from, if the file holds several.
    tables: Vec<Choice<'a>>,
    /// Questions to try.
    suggestions: &'a [String],
    /// The first rows; long cells are cut.
    rows: Vec<Vec<String>>,
}

/// A table or sheet to choose, by its number.
#[derive(Serialize, ToSchema)]
struct Choice<'a> {
    number: usize,
    title: &'a str,
    rows: usize,
    columns: usize,
}

impl<'a> About<'a> {
    fn new(kept: &'a StoredTable) -> About<'a> {
        let table = &kept.table;
        let (tables, suggestions) = kept.description.as_ref().map_or((&[][..], &[][..]), Description::parts);
        let first: Vec<u32> = (0..table.row_count().min(MOST_ROWS) as u32).collect();
        About {
            id: &kept.id,
            name: &kept.name,
            title: table.title(),
            header: table.header().iter().map(|name| cut(name)).collect(),
            row_count: table.row_count(),
            notes: &kept.notes,
            tables: tables.iter().map(choice).collect(),
            suggestions,
            rows: some_rows(table, &first),
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

/// Upload a table, for questions by its id
#[utoipa::path(
    post,
    path = "/api/table",
    request_body(content(
        (TableRequest = "application/json", example = json!({
            "table": { "csv": "City,Year\nAthens,1896\nParis,1900\n" }
        })),
        (TableForm = "multipart/form-data"),
    )),
    responses((status = 200, description = "The table as it was read", body = About), RefusedBody),
)]
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

/// Describe a stored table
#[utoipa::path(
    get,
    path = "/api/table/{id}",
    params(("id" = String, Path, description = "Id of the table.")),
    responses((status = 200, description = "The table", body = About), RefusedTable),
)]
pub(crate) async fn about(State(server): State<Shared>, Extension(client): Extension<Client>, Id(id): Id) -> Reply {
    let kept = server.table(id, &client).await?;
    server.bodies.json(&About::new(&kept))
}

/// Rows that are wanted.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Range {
    /// First row, from 0.
    #[serde(default)]
    from: usize,
    /// Number of rows; at most 200.
    #[param(nullable = false)]
    count: Option<usize>,
    /// Only rows with this text in a cell, in upper or lower case.
    #[serde(default)]
    find: String,
    /// Column, from 0, that orders the rows: by dates, numbers or texts, whatever its cells are.
    #[param(nullable = false)]
    sort: Option<usize>,
    /// True to sort from the highest to the lowest.
    #[serde(default)]
    descending: bool,
}

impl Range {
    /// The view that the rows are from; `None` for all rows in the order of the table.
    fn view(&self, table: &Table) -> Reply<Option<View>> {
        if let Some(column) = self.sort.filter(|column| *column >= table.column_count()) {
            return Err(Failure::bad(format!("there is no column {column} to sort by; columns are counted from 0")));
        }
        let find = self.find.trim();
        if find.chars().count() > LONGEST_FIND {
            return Err(Failure::bad(format!("\"find\" must have at most {LONGEST_FIND} characters")));
        }
        let view = View { find: find.to_owned(), sort: self.sort, descending: self.descending && self.sort.is_some() };
        Ok(Some(view).filter(|view| *view != View::default()))
    }
}

/// Maximum number of characters of a text to find.
const LONGEST_FIND: usize = 200;

/// Some rows of a table.
#[derive(Serialize, ToSchema)]
struct Rows {
    /// First row, from 0.
    from: usize,
    /// Number of rows of the table, or of those with the text to find.
    row_count: usize,
    /// Number of each row in the table, from 0.
    numbers: Vec<u32>,
    /// The rows, fewer than were wanted if they are long; long cells are cut.
    rows: Vec<Vec<String>>,
}

/// Some rows of a table
#[utoipa::path(
    get,
    path = "/api/table/{id}/rows",
    params(("id" = String, Path, description = "Id of the table."), Range),
    responses(
        (status = 200, description = "The rows", body = Rows),
        (status = 400, description = "The parameters cannot be understood", body = FailureBody),
        RefusedTable,
    ),
)]
pub(crate) async fn rows(
    State(server): State<Shared>,
    Extension(client): Extension<Client>,
    Id(id): Id,
    range: Result<Query<Range>, axum::extract::rejection::QueryRejection>,
) -> Reply {
    let Query(range) = range.map_err(|_| {
        Failure::bad(
            "the parameters are \"from\", \"count\" and \"sort\", which must be numbers, \"find\", and \"descending\", which \
             is true or false",
        )
    })?;
    let kept = server.table(id, &client).await?;
    let viewed = match range.view(&kept.table)? {
        Some(view) => Some(server.view(&kept, view, &client).await?),
        None => None,
    };
    let row_count = viewed.as_ref().map_or(kept.table.row_count(), |rows| rows.len());
    let from = range.from.min(row_count);
    let to = from.saturating_add(range.count.unwrap_or(MOST_ROWS).min(MOST_ROWS)).min(row_count);
    let mut numbers = match viewed {
        Some(rows) => rows[from..to].to_vec(),
        None => (from as u32..to as u32).collect(),
    };
    let rows = some_rows(&kept.table, &numbers);
    numbers.truncate(rows.len());
    server.bodies.json(&Rows { from: range.from, row_count, numbers, rows })
}

/// List the example tables
#[utoipa::path(
    get,
    path = "/api/examples",
    responses((status = 200, description = "The examples", body = [Example]), Refused),
)]
pub(crate) async fn examples() -> Response {
    json(StatusCode::OK, &EXAMPLES)
}

/// Rows by their numbers, as many as a response may have.
fn some_rows(table: &Table, numbers: &[u32]) -> Vec<Vec<String>> {
    let mut text = 0;
    let mut rows = Vec::new();
    for row in numbers {
        if text > MOST_TEXT {
            break;
        }
        let cells: Vec<String> = table.row(*row as usize).map(cut).collect();
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
