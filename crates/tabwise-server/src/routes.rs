//! The addresses of the server.

use crate::failure::Failure;
use crate::guard::{Names, guard};
use crate::state::Shared;
use crate::{ask, assets, tables};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;

/// All of them, behind the guard.
pub fn routes(server: Shared, names: Names) -> Router {
    Router::new()
        .route("/", get(assets::page))
        .route("/q/{id}", get(assets::page))
        .route("/assets/{name}", get(assets::asset))
        .route("/api/ask", post(ask::ask))
        .route("/api/table", post(tables::send))
        .route("/api/table/{id}", get(tables::about))
        .route("/api/table/{id}/rows", get(tables::rows))
        .route("/api/examples", get(tables::examples))
        .route("/api/link/{id}", get(ask::link))
        .route("/api/health", get(ask::health))
        .route("/api/openapi.json", get(assets::openapi))
        .fallback(async || Failure::missing("there is nothing at this address; the page is at /"))
        .method_not_allowed_fallback(async || Failure::method())
        // Bodies have our own limit.
        .layer(DefaultBodyLimit::disable())
        .layer(CatchPanicLayer::custom(|payload: Box<dyn std::any::Any + Send>| {
            Failure::panicked(&*payload).into_response()
        }))
        .layer(from_fn_with_state(names, guard))
        .with_state(server)
}
