//! Protection against other web sites. A page of another site can make a browser send requests to this machine, even
//! under a host name of its own that resolves to it (DNS rebinding). So the `Host` header must be an IP address or a
//! known name, and requests other than GET and HEAD must come from our own page, from a page that was allowed, or from no
//! page at all. The API may want a token. The response headers restrict the page to its own files.

use crate::failure::Failure;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tower_http::cors::CorsLayer;

/// Those who may use the server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Callers(Arc<Rules>);

#[derive(Debug, Default)]
struct Rules {
    /// Host names that are accepted besides IP addresses and `localhost`, in lower case.
    hosts: Vec<String>,
    /// Origins of other pages that may use the API.
    origins: Vec<HeaderValue>,
    /// Value of the header `authorization` that requests to the API must have.
    bearer: Option<String>,
}

impl Callers {
    /// Accepts these host names, ignoring case, and these origins; requests to the API must have the token, if any.
    ///
    /// # Errors
    ///
    /// If an origin is none.
    pub(crate) fn new(hosts: &[String], origins: &[String], token: Option<String>) -> anyhow::Result<Callers> {
        let origin = |text: &String| match text.split_once("://") {
            Some((_, host)) if !host.is_empty() && !host.contains('/') => Ok(HeaderValue::from_str(text)?),
            _ => anyhow::bail!("{text:?} is not an origin; one is http://localhost:8888, without a path"),
        };
        Ok(Callers(Arc::new(Rules {
            hosts: hosts.iter().map(|name| name.to_ascii_lowercase()).collect(),
            origins: origins.iter().map(origin).collect::<anyhow::Result<_>>()?,
            bearer: token.map(|token| format!("Bearer {token}")),
        })))
    }

    /// The layer that answers browsers who ask for a page of an allowed origin.
    pub(crate) fn cors(&self) -> CorsLayer {
        let headers = [header::CONTENT_TYPE, header::AUTHORIZATION];
        CorsLayer::new()
            .allow_origin(self.0.origins.clone())
            .allow_methods([Method::GET, Method::POST, Method::DELETE])
            .allow_headers(headers)
            .max_age(Duration::from_secs(600))
    }

    /// True if a `Host` header is accepted. IP addresses are safe, because they cannot be rebound.
    fn has_host(&self, host: &str) -> bool {
        let name = without_port(host).to_ascii_lowercase();
        let address = name.trim_start_matches('[').trim_end_matches(']');
        name == "localhost" || address.parse::<IpAddr>().is_ok() || self.0.hosts.contains(&name)
    }

    /// True if a request has the token, or none is wanted. The time does not depend on how much of it is right.
    fn has_token(&self, headers: &HeaderMap) -> bool {
        let Some(wanted) = &self.0.bearer else { return true };
        let given = text(headers, header::AUTHORIZATION).unwrap_or_default().as_bytes();
        let different = given.iter().zip(wanted.as_bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        given.len() == wanted.len() && different == 0
    }
}

/// Middleware that refuses requests from other sites and adds the security headers to every response.
pub(crate) async fn guard(State(callers): State<Callers>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_secret = path.starts_with("/api/") || path == "/metrics";
    let mut response = match check(request.method(), request.headers(), &callers, is_secret) {
        Ok(()) => next.run(request).await,
        Err(failure) => failure.and_close().into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(*name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Headers of every response. Handlers may set their own, which win.
const HEADERS: &[(&str, &str)] = &[
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("x-frame-options", "DENY"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ("cache-control", "no-store"),
];

/// Checks the host, the origin and the token of a request.
fn check(method: &Method, headers: &HeaderMap, callers: &Callers, is_secret: bool) -> Result<(), Failure> {
    let host = text(headers, header::HOST).ok_or_else(|| Failure::bad("the request has no host header"))?;
    if headers.get_all(header::HOST).iter().count() > 1 {
        return Err(Failure::bad("the request has two host headers"));
    }
    if !callers.has_host(host) {
        let sentence = "this host name is not served; use the address, localhost, or start the server with --host NAME";
        return Err(Failure::forbidden(sentence));
    }
    // Programs such as curl send neither of these headers.
    let is_ours = |origin: &HeaderValue| origin.to_str().is_ok_and(|origin| is_same(origin, host));
    let is_allowed = headers.get(header::ORIGIN).is_some_and(|origin| callers.0.origins.contains(origin));
    let from_elsewhere = headers.get(header::ORIGIN).is_some_and(|origin| !is_ours(origin))
        || headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site");
    let reads = method == Method::GET || method == Method::HEAD;
    if from_elsewhere && !is_allowed && !reads {
        return Err(Failure::forbidden(
            "pages of other sites may not ask this server, unless it is started with --allow-origin ORIGIN",
        ));
    }
    // A browser asks without the token whether it may send it.
    let asks_whether = method == Method::OPTIONS && is_allowed;
    if is_secret && !asks_whether && !callers.has_token(headers) {
        return Err(Failure::unauthorized());
    }
    Ok(())
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// True if an `Origin` header names a page of this host.
fn is_same(origin: &str, host: &str) -> bool {
    origin.split_once("://").is_some_and(|(_, from)| from.eq_ignore_ascii_case(host))
}

/// The host without its port. IPv6 addresses are in brackets and contain colons.
fn without_port(host: &str) -> &str {
    match host.rfind(']') {
        Some(end) if matches!(host.as_bytes().get(end + 1), None | Some(b':')) => &host[..=end],
        Some(_) => host,
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_an_address_or_a_known_name() {
        let names = Callers::new(&["Tables.example".to_owned()], &[], None).expect("it has no origins");
        for host in ["127.0.0.1:8000", "localhost", "LOCALHOST:1", "[::1]:8000", "192.168.1.5", "tables.example:80"] {
            assert!(names.has_host(host), "{host}");
        }
        for host in
            ["evil.example", "localhost.evil.example:8000", "127.0.0.1.evil.example", "", ":8000", "[::1]evil.example"]
        {
            assert!(!names.has_host(host), "{host}");
        }
    }

    #[test]
    fn a_page_of_another_site_may_not_post() {
        let asked = |origin: &'static str, method: Method| {
            let mut headers = HeaderMap::new();
            headers.insert("host", HeaderValue::from_static("127.0.0.1:8000"));
            headers.insert("origin", HeaderValue::from_static(origin));
            let callers = Callers::new(&[], &["http://localhost:8888".to_owned()], None).expect("it is an origin");
            check(&method, &headers, &callers, true).is_ok()
        };
        assert!(asked("http://localhost:8888", Method::POST) && asked("http://localhost:8888", Method::OPTIONS));
        assert!(asked("http://127.0.0.1:8000", Method::POST));
        assert!(!asked("http://127.0.0.1:9000", Method::POST));
        assert!(!asked("https://evil.example", Method::POST));
        assert!(!asked("null", Method::POST));
        assert!(asked("https://evil.example", Method::GET));
    }

    #[test]
    fn the_api_wants_its_token() {
        let callers = Callers::new(&[], &[], Some("secret".to_owned())).expect("it has no origins");
        let asked = |given: Option<&'static str>, is_secret: bool| {
            let mut headers = HeaderMap::new();
            headers.insert("host", HeaderValue::from_static("localhost"));
            given.map(|given| headers.insert("authorization", HeaderValue::from_static(given)));
            check(&Method::POST, &headers, &callers, is_secret).is_ok()
        };
        assert!(asked(Some("Bearer secret"), true) && asked(None, false));
        assert!(!asked(None, true) && !asked(Some("Bearer secre"), true) && !asked(Some("Bearer secrets"), true));
    }

    #[test]
    fn an_origin_has_no_path() {
        for text in ["localhost:8888", "http://", "http://a.example/x"] {
            assert!(Callers::new(&[], &[text.to_owned()], None).is_err(), "{text}");
        }
    }
}
