//! Files of the web page. They are in `web/`, need no build step, and are compiled into the program, so that the server
//! reads nothing from disk.

use crate::failure::{Failure, Reply};
use crate::request::Id;
use axum::http::header;
use axum::response::{IntoResponse, Response};

const PAGE: &str = include_str!("../web/index.html");
const OPENAPI: &str = include_str!("../web/openapi.json");

/// Name, content type and content of each file that the page loads.
const FILES: &[(&str, &str, &str)] = &[
    ("app.css", "text/css; charset=utf-8", include_str!("../web/app.css")),
    ("app.js", "text/javascript; charset=utf-8", include_str!("../web/app.js")),
    ("answer.js", "text/javascript; charset=utf-8", include_str!("../web/answer.js")),
    ("api.js", "text/javascript; charset=utf-8", include_str!("../web/api.js")),
    ("grid.js", "text/javascript; charset=utf-8", include_str!("../web/grid.js")),
    ("dom.js", "text/javascript; charset=utf-8", include_str!("../web/dom.js")),
    ("icon.svg", "image/svg+xml", include_str!("../web/icon.svg")),
];

/// `GET /` and `GET /q/{id}`: the page. It finds out from its own address which question to show.
pub(crate) async fn page() -> Response {
    file("text/html; charset=utf-8", PAGE)
}

/// `GET /assets/{name}`: a file of the page.
pub(crate) async fn asset(Id(name): Id) -> Reply {
    let found = FILES.iter().find(|(known, _, _)| *known == name);
    found.map(|(_, kind, text)| file(kind, text)).ok_or_else(|| Failure::missing("there is no such file"))
}

/// `GET /api/openapi.json`: the description of the API.
pub(crate) async fn openapi() -> Response {
    file("application/json", OPENAPI)
}

/// A response with a file that browsers must revalidate, since a new version of the program has the same addresses.
fn file(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], text).into_response()
}
