//! What a client is told when a request fails: a status, one sentence as `{"error": …}`, and for our own faults an id
//! that also stands in the log.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::sync::atomic::{AtomicU64, Ordering};

/// A request that failed.
#[derive(Clone, Debug)]
pub struct Failure {
    status: StatusCode,
    sentence: String,
    id: Option<String>,
    /// Whether the connection is over, because what was sent on it was not read.
    is_last: bool,
}

/// What a handler gives.
pub type Reply<T = Response> = Result<T, Failure>;

impl Failure {
    fn new(status: StatusCode, sentence: impl Into<String>) -> Failure {
        Failure { status, sentence: sentence.into(), id: None, is_last: false }
    }

    /// The request cannot be understood or used as it is.
    pub fn bad(sentence: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, sentence)
    }

    /// The request comes from a place that may not ask.
    pub fn forbidden(sentence: impl Into<String>) -> Failure {
        Failure::new(StatusCode::FORBIDDEN, sentence)
    }

    /// What was asked for is not here.
    pub fn missing(sentence: impl Into<String>) -> Failure {
        Failure::new(StatusCode::NOT_FOUND, sentence)
    }

    /// The address is right, the method is not.
    pub fn method() -> Failure {
        Failure::new(StatusCode::METHOD_NOT_ALLOWED, "this address does not take this method; see /api/openapi.json")
    }

    /// The body did not arrive in time.
    pub fn slow(sentence: impl Into<String>) -> Failure {
        Failure::new(StatusCode::REQUEST_TIMEOUT, sentence)
    }

    /// A limit of size was reached.
    pub fn large(sentence: impl Into<String>) -> Failure {
        Failure::new(StatusCode::PAYLOAD_TOO_LARGE, sentence)
    }

    /// The body is of a kind that is not read here.
    pub fn media() -> Failure {
        let sentence =
            "the body must be JSON (content-type application/json) or a form with a file (multipart/form-data)";
        Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence)
    }

    /// The table was read as what it is, but cannot be used.
    pub fn unusable(sentence: impl Into<String>) -> Failure {
        Failure::new(StatusCode::UNPROCESSABLE_ENTITY, sentence)
    }

    /// There is more work than the server takes on.
    pub fn busy() -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "the server is busy; try again in a second")
    }

    /// The same, as the last word on its connection.
    pub fn and_close(self) -> Failure {
        Failure { is_last: true, ..self }
    }

    /// A fault of ours. The log has the reason under the id, the client gets the id.
    pub fn fault(reason: &str) -> Failure {
        let id = next_id();
        eprintln!("tabwise: request {id} failed: {reason}");
        let sentence = "something went wrong in the server; the log has more under the id";
        Failure { id: Some(id), ..Failure::new(StatusCode::INTERNAL_SERVER_ERROR, sentence) }
    }

    /// A fault of ours that was a panic.
    pub fn panicked(payload: &(dyn std::any::Any + Send)) -> Failure {
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        Failure::fault(text.unwrap_or("a panic without words"))
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut body = serde_json::json!({ "error": self.sentence });
        if let Some(id) = self.id {
            body["id"] = id.into();
        }
        let mut response = json(self.status, &body);
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if self.is_last {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

/// A response with JSON in it.
pub fn json(status: StatusCode, body: &impl serde::Serialize) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => (status, [(header::CONTENT_TYPE, "application/json")], bytes).into_response(),
        Err(error) => Failure::fault(&error.to_string()).into_response(),
    }
}

/// The start of the process and a count make an id that is found in one log only.
fn next_id() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    format!("{:x}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}
