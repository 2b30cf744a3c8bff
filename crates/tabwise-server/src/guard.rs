//! Who may ask, and what a browser may do with what it gets. A page of another site can make a browser send requests to
//! this machine, even under a name of its own that leads here: so the host must be one of ours, and a request that
//! changes anything must come from our own page or from no page at all.

use crate::failure::Failure;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;

/// The names under which the server may be asked, addresses and `localhost` aside.
#[derive(Clone, Debug, Default)]
pub struct Names(Arc<Vec<String>>);

impl Names {
    /// These names, without regard to case.
    pub fn new(names: &[String]) -> Names {
        Names(Arc::new(names.iter().map(|name| name.to_ascii_lowercase()).collect()))
    }

    /// Whether a host is ours. An address cannot be made to lead elsewhere, a name can.
    fn has(&self, host: &str) -> bool {
        let name = without_port(host).to_ascii_lowercase();
        let address = name.trim_start_matches('[').trim_end_matches(']');
        name == "localhost" || address.parse::<IpAddr>().is_ok() || self.0.contains(&name)
    }
}

/// Lets a request through, or not, and tells the browser to keep to our own files.
pub async fn guard(State(names): State<Names>, request: Request, next: Next) -> Response {
    let mut response = match check(request.method(), request.headers(), &names) {
        Ok(()) => next.run(request).await,
        Err(failure) => failure.and_close().into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(*name).or_insert(HeaderValue::from_static(value));
    }
    response
}

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

fn check(method: &Method, headers: &HeaderMap, names: &Names) -> Result<(), Failure> {
    let host = text(headers, header::HOST).ok_or_else(|| Failure::bad("the request has no host header"))?;
    if !names.has(host) {
        let sentence = "this host name is not served; use the address, localhost, or start the server with --host NAME";
        return Err(Failure::forbidden(sentence));
    }
    let from_elsewhere = text(headers, header::ORIGIN).is_some_and(|origin| !is_same(origin, host))
        || headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site");
    let reads = method == Method::GET || method == Method::HEAD;
    if from_elsewhere && !reads {
        return Err(Failure::forbidden("pages of other sites may not ask this server"));
    }
    Ok(())
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// Whether an origin is a page of this host.
fn is_same(origin: &str, host: &str) -> bool {
    origin.split_once("://").is_some_and(|(_, from)| from.eq_ignore_ascii_case(host))
}

/// A host without its port.
fn without_port(host: &str) -> &str {
    match host.rfind(']') {
        Some(end) => &host[..=end],
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_an_address_or_a_known_name() {
        let names = Names::new(&["Tables.example".to_owned()]);
        for host in ["127.0.0.1:8000", "localhost", "LOCALHOST:1", "[::1]:8000", "192.168.1.5", "tables.example:80"] {
            assert!(names.has(host), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example:8000", "127.0.0.1.evil.example", "", ":8000"] {
            assert!(!names.has(host), "{host}");
        }
    }

    #[test]
    fn a_page_of_another_site_may_not_post() {
        let asked = |origin: &'static str, method: Method| {
            let mut headers = HeaderMap::new();
            headers.insert("host", HeaderValue::from_static("127.0.0.1:8000"));
            headers.insert("origin", HeaderValue::from_static(origin));
            check(&method, &headers, &Names::default()).is_ok()
        };
        assert!(asked("http://127.0.0.1:8000", Method::POST));
        assert!(!asked("http://127.0.0.1:9000", Method::POST));
        assert!(!asked("https://evil.example", Method::POST));
        assert!(!asked("null", Method::POST));
        assert!(asked("https://evil.example", Method::GET));
    }
}
