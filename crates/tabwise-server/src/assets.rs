//! Files of the web page. They are in `web/`, need no build step, and are compiled into the program, so that the server
//! reads nothing from disk.

use crate::description::{Description, Refused};
use crate::failure::{Failure, Reply};
use crate::request::Id;
use axum::extract::Extension;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tabwise::hash::StableHash;

const PAGE: &str = include_str!("../web/index.html");
const API_PAGE: &str = include_str!("../web/api.html");

/// Name, content type and content of each file that the page loads.
const FILES: &[(&str, &str, &str)] = &[
    ("app.css", "text/css; charset=utf-8", include_str!("../web/app.css")),
    ("app.js", "text/javascript; charset=utf-8", include_str!("../web/app.js")),
    ("answer.js", "text/javascript; charset=utf-8", include_str!("../web/answer.js")),
    ("api-page.js", "text/javascript; charset=utf-8", include_str!("../web/api-page.js")),
    ("chart.js", "text/javascript; charset=utf-8", include_str!("../web/chart.js")),
    ("png.js", "text/javascript; charset=utf-8", include_str!("../web/png.js")),
    ("picture.js", "text/javascript; charset=utf-8", include_str!("../web/picture.js")),
    ("teach.js", "text/javascript; charset=utf-8", include_str!("../web/teach.js")),
    ("api.js", "text/javascript; charset=utf-8", include_str!("../web/api.js")),
    ("grid.js", "text/javascript; charset=utf-8", include_str!("../web/grid.js")),
    ("rows.js", "text/javascript; charset=utf-8", include_str!("../web/rows.js")),
    ("dom.js", "text/javascript; charset=utf-8", include_str!("../web/dom.js")),
    ("icon.svg", "image/svg+xml", include_str!("../web/icon.svg")),
];

/// `GET /`, `GET /t/{id}` and `GET /q/{id}`: the page. It finds out from its own address what to show.
pub(crate) async fn page(headers: HeaderMap) -> Response {
    file(HTML, PAGE, &headers)
}

/// Any other address: the page for a browser, which says that there is nothing, and an error for a program.
pub(crate) async fn elsewhere(headers: HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|kinds| kinds.to_str().ok()).unwrap_or_default();
    match accepted.contains("text/html") {
        true => (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, HTML)], PAGE).into_response(),
        false => Failure::nothing().into_response(),
    }
}

/// `GET /api`: the description of the API, for people.
pub(crate) async fn api_page(headers: HeaderMap) -> Response {
    file(HTML, API_PAGE, &headers)
}

/// `GET /assets/{name}`: a file of the page.
pub(crate) async fn asset(Id(name): Id, headers: HeaderMap) -> Reply {
    let found = FILES.iter().find(|(known, _, _)| *known == name);
    found.map(|(_, kind, text)| file(kind, text, &headers)).ok_or_else(|| Failure::missing("there is no such file"))
}

/// This description
#[utoipa::path(
    get,
    path = "/api/openapi.json",
    responses((status = 200, description = "The description of the API (OpenAPI 3.1)", body = Object), Refused),
)]
pub(crate) async fn openapi(Extension(Description(text)): Extension<Description>, headers: HeaderMap) -> Response {
    file("application/json", text, &headers)
}

const HTML: &str = "text/html; charset=utf-8";

/// A response with a file. Browsers must ask whether theirs is still the same, since a new version of the program has the
/// same addresses; one that has it gets no content.
fn file(kind: &'static str, text: &'static str, headers: &HeaderMap) -> Response {
    let mut hash = StableHash::new(0);
    hash.write(text.as_bytes());
    let tag = format!("\"{:016x}\"", hash.finish());
    let is_known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let about = [(header::ETAG, tag), (header::CACHE_CONTROL, "no-cache".to_owned())];
    match is_known {
        true => (StatusCode::NOT_MODIFIED, about).into_response(),
        false => (about, [(header::CONTENT_TYPE, kind)], text).into_response(),
    }
}
