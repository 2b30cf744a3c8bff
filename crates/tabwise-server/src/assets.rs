//! The page: its files stand in `web/` as they are and are part of the program.

use crate::failure::{Failure, Reply};
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};

const PAGE: &str = include_str!("../web/index.html");
const OPENAPI: &str = include_str!("../web/openapi.json");

/// Name, kind and content of each file that the page asks for.
const FILES: &[(&str, &str, &str)] = &[
    ("app.css", "text/css; charset=utf-8", include_str!("../web/app.css")),
    ("app.js", "text/javascript; charset=utf-8", include_str!("../web/app.js")),
    ("answer.js", "text/javascript; charset=utf-8", include_str!("../web/answer.js")),
    ("api.js", "text/javascript; charset=utf-8", include_str!("../web/api.js")),
    ("grid.js", "text/javascript; charset=utf-8", include_str!("../web/grid.js")),
    ("dom.js", "text/javascript; charset=utf-8", include_str!("../web/dom.js")),
    ("icon.svg", "image/svg+xml", include_str!("../web/icon.svg")),
];

/// The page, for every address that a person may open.
pub async fn page() -> Response {
    file("text/html; charset=utf-8", PAGE)
}

/// A file of the page.
pub async fn asset(Path(name): Path<String>) -> Reply {
    let found = FILES.iter().find(|(known, _, _)| *known == name);
    found.map(|(_, kind, text)| file(kind, text)).ok_or_else(|| Failure::missing("there is no such file"))
}

/// What the requests and responses look like.
pub async fn openapi() -> Response {
    file("application/json", OPENAPI)
}

fn file(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], text).into_response()
}
