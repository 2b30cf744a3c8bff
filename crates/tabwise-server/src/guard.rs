//! Protection against other web sites. A page of another site can make a browser send requests to this machine, even
//! under a host name of its own that resolves to it (DNS rebinding). So the `Host` header must be an IP address or a
//! known name, and requests other than GET and HEAD must come from our own page or from no page at all. The response
//! headers restrict the page to its own files.

use crate::failure::Failure;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;

/// Accepted host names, besides IP addresses and `localhost`.
#[derive(Clone, Debug, Default)]
pub(crate) struct HostNames(Arc<Vec<String>>);

impl HostNames {
    /// Accepts these names, ignoring case.
    pub(crate) fn new(names: &[String]) -> HostNames {
        HostNames(Arc::new(names.iter().map(|name| name.to_ascii_lowercase()).collect()))
    }

    /// True if a `Host` header is accepted. IP addresses are safe, because they cannot be rebound.
    fn has(&self, host: &str) -> bool {
        let name = without_port(host).to_ascii_lowercase();
        let address = name.trim_start_matches('[').trim_end_matches(']');
        name == "localhost" || address.parse::<IpAddr>().is_ok() || self.0.contains(&name)
    }
}

/// Middleware that refuses requests from other sites and adds the security headers to every response.
pub(crate) async fn guard(State(names): State<HostNames>, request: Request, next: Next) -> Response {
    let mut response = match check(request.method(), request.headers(), &names) {
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

/// Checks the host and the origin of a request.
fn check(method: &Method, headers: &HeaderMap, names: &HostNames) -> Result<(), Failure> {
    let host = text(headers, header::HOST).ok_or_else(|| Failure::bad("the request has no host header"))?;
    if headers.get_all(header::HOST).iter().count() > 1 {
        return Err(Failure::bad("the request has two host headers"));
    }
    if !names.has(host) {
        let sentence = "this host name is not served; use the address, localhost, or start the server with --host NAME";
        return Err(Failure::forbidden(sentence));
    }
    // Programs such as curl send neither of these headers.
    let is_ours = |origin: &HeaderValue| origin.to_str().is_ok_and(|origin| is_same(origin, host));
    let from_elsewhere = headers.get(header::ORIGIN).is_some_and(|origin| !is_ours(origin))
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
        let names = HostNames::new(&["Tables.example".to_owned()]);
        for host in ["127.0.0.1:8000", "localhost", "LOCALHOST:1", "[::1]:8000", "192.168.1.5", "tables.example:80"] {
            assert!(names.has(host), "{host}");
        }
        for host in
            ["evil.example", "localhost.evil.example:8000", "127.0.0.1.evil.example", "", ":8000", "[::1]evil.example"]
        {
            assert!(!names.has(host), "{host}");
        }
    }

    #[test]
    fn a_page_of_another_site_may_not_post() {
        let asked = |origin: &'static str, method: Method| {
            let mut headers = HeaderMap::new();
            headers.insert("host", HeaderValue::from_static("127.0.0.1:8000"));
            headers.insert("origin", HeaderValue::from_static(origin));
            check(&method, &headers, &HostNames::default()).is_ok()
        };
        assert!(asked("http://127.0.0.1:8000", Method::POST));
        assert!(!asked("http://127.0.0.1:9000", Method::POST));
        assert!(!asked("https://evil.example", Method::POST));
        assert!(!asked("null", Method::POST));
        assert!(asked("https://evil.example", Method::GET));
    }
}
