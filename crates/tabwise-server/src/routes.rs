//! The routes of the server: a table of method, path and handler, and the layers around all of them. The routes below
//! `/api` are described in `web/openapi.json`; a test compares both lists.

use crate::failure::Failure;
use crate::guard::{Callers, guard};
use crate::metrics::watch;
use crate::state::Shared;
use crate::{ask, assets, tables};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::{self, MethodRouter};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

/// The router with all routes, behind the guard.
pub(crate) fn routes(server: Shared, callers: Callers) -> Router {
    let metrics = server.metrics.clone();
    let router = all().into_iter().fold(Router::new(), |router, route| router.route(route.path, route.handler));
    router
        .fallback(assets::elsewhere)
        .method_not_allowed_fallback(async || Failure::method())
        // Bodies are limited by `body`, which also limits their sum and their time.
        .layer(DefaultBodyLimit::disable())
        .layer(CatchPanicLayer::custom(|payload: Box<dyn std::any::Any + Send>| {
            Failure::panicked(&*payload).into_response()
        }))
        .layer(CompressionLayer::new())
        // The last layer is the outermost: every request is counted, and the guard sees it before all others.
        .layer(callers.cors())
        .layer(from_fn_with_state(callers, guard))
        .layer(from_fn_with_state(metrics, watch))
        .with_state(server)
}

/// One method of one path. The method is kept for the test, since a handler does not tell it.
struct Route {
    #[cfg_attr(not(test), expect(dead_code, reason = "compared with openapi.json"))]
    method: &'static str,
    path: &'static str,
    handler: MethodRouter<Shared>,
}

/// Every route of the server.
fn all() -> Vec<Route> {
    vec![
        get("/", assets::page),
        get("/q/{id}", assets::page),
        get("/t/{id}", assets::page),
        get("/api", assets::api_page),
        get("/healthz", ask::healthz),
        get("/metrics", ask::metrics),
        get("/assets/{name}", assets::asset),
        post("/api/ask", ask::ask),
        post("/api/exec", ask::exec),
        post("/api/correct", ask::correct),
        delete("/api/correct/{id}", ask::undo),
        get("/api/corrections", ask::corrections),
        post("/api/table", tables::send),
        get("/api/table/{id}", tables::about),
        get("/api/table/{id}/rows", tables::rows),
        get("/api/examples", tables::examples),
        get("/api/link/{id}", ask::link),
        get("/api/health", ask::health),
        get("/api/openapi.json", assets::openapi),
    ]
}

fn delete<T: 'static>(path: &'static str, handler: impl Handler<T, Shared>) -> Route {
    Route { method: "delete", path, handler: routing::delete(handler) }
}

fn get<T: 'static>(path: &'static str, handler: impl Handler<T, Shared>) -> Route {
    Route { method: "get", path, handler: routing::get(handler) }
}

fn post<T: 'static>(path: &'static str, handler: impl Handler<T, Shared>) -> Route {
    Route { method: "post", path, handler: routing::post(handler) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::collections::BTreeSet;

    #[test]
    fn the_description_has_every_route_of_the_api_and_no_other() {
        let described: Value = serde_json::from_str(include_str!("../web/openapi.json")).expect("it is JSON");
        let paths = described["paths"].as_object().expect("it has paths");
        let operations = paths.iter().flat_map(|(path, methods)| {
            let methods = methods.as_object().expect("a path has methods");
            methods.keys().map(move |method| (method.as_str(), path.as_str()))
        });
        let described: BTreeSet<(&str, &str)> = operations.collect();
        let (api, page): (Vec<Route>, Vec<Route>) =
            all().into_iter().partition(|route| route.path.starts_with("/api/"));
        let served: BTreeSet<(&str, &str)> = api.iter().map(|route| (route.method, route.path)).collect();
        assert_eq!(served, described, "left: routes.rs, right: openapi.json");
        let page: Vec<&str> = page.iter().map(|route| route.path).collect();
        assert_eq!(
            page,
            ["/", "/q/{id}", "/t/{id}", "/api", "/healthz", "/metrics", "/assets/{name}"],
            "other routes belong below /api and into openapi.json"
        );
    }
}
