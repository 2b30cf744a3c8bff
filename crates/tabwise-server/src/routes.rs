//! The routes of the server, and the layers around all of them. The routes of the API come with their description, so
//! that there is none without the other.

use crate::description::{Api, Description, completed};
use crate::failure::Failure;
use crate::guard::{Callers, guard};
use crate::metrics::watch;
use crate::state::Shared;
use crate::{ask, assets, tables};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Extension};
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::get;
use std::sync::LazyLock;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The router with all routes, behind the guard.
pub(crate) fn routes(server: Shared, callers: Callers) -> Router {
    let metrics = server.metrics.clone();
    let (api, _) = api().split_for_parts();
    page()
        .merge(api)
        .fallback(assets::elsewhere)
        .method_not_allowed_fallback(async || Failure::method())
        // Bodies are limited by `body`, which also limits their sum and their time.
        .layer(DefaultBodyLimit::disable())
        .layer(CatchPanicLayer::custom(|payload: Box<dyn std::any::Any + Send>| {
            Failure::panicked(&*payload).into_response()
        }))
        .layer(CompressionLayer::new())
        .layer(Extension(Description(&DESCRIPTION)))
        // The last layer is the outermost: every request is counted, and the guard sees it before all others.
        .layer(callers.cors())
        .layer(from_fn_with_state(callers, guard))
        .layer(from_fn_with_state(metrics, watch))
        .with_state(server)
}

/// Routes of the page, and of those who watch over the server.
fn page() -> Router<Shared> {
    Router::new()
        .route("/", get(assets::page))
        .route("/q/{id}", get(assets::page))
        .route("/t/{id}", get(assets::page))
        .route("/api", get(assets::api_page))
        .route("/healthz", get(ask::healthz))
        .route("/metrics", get(ask::metrics))
        .route("/assets/{name}", get(assets::asset))
}

/// The description of the API, as JSON.
static DESCRIPTION: LazyLock<String> =
    LazyLock::new(|| completed(api().into_openapi()).to_pretty_json().expect("a description is JSON"));

/// Routes of the API, with the description of each.
fn api() -> OpenApiRouter<Shared> {
    OpenApiRouter::with_openapi(Api::openapi())
        .routes(routes!(ask::ask))
        .routes(routes!(ask::exec))
        .routes(routes!(ask::correct))
        .routes(routes!(ask::undo))
        .routes(routes!(ask::corrections))
        .routes(routes!(tables::send))
        .routes(routes!(tables::about))
        .routes(routes!(tables::rows))
        .routes(routes!(tables::examples))
        .routes(routes!(ask::link))
        .routes(routes!(ask::health))
        .routes(routes!(assets::openapi))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::exclusive;
    use serde_json::Value;

    #[test]
    fn exclusive_fields_belong_to_schemas_that_exist() {
        let described: Value = serde_json::from_str(&DESCRIPTION).expect("it is JSON");
        for (name, groups) in exclusive() {
            let schema = &described["components"]["schemas"][&name]["allOf"][0];
            for field in groups.into_iter().flatten() {
                assert!(schema["properties"].get(field).is_some(), "{name} has no {field}");
            }
        }
    }
}
