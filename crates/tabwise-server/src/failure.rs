//! Failed requests, as the client sees them: a status code, one sentence for people and one word for programs, as
//! `{"error": …, "code": …}`. Faults of the server itself also have an id under which the reason is in the log, so that no
//! internals reach the client.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};
use utoipa::ToSchema;

/// A request that failed.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    status: StatusCode,
    sentence: String,
    /// Word for programs; by default that of the status.
    code: Option<Code>,
    id: Option<String>,
    /// True if the connection must be closed, because part of the request was not read.
    is_last: bool,
}

/// Result of a handler.
pub(crate) type Reply<T = Response> = Result<T, Failure>;

/// Reason of a failure, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Code {
    Request,
    Token,
    Origin,
    Missing,
    Method,
    Slow,
    Large,
    Media,
    Table,
    Formula,
    Correction,
    Busy,
    Internal,
}

/// The body of a failed request.
#[derive(Serialize, ToSchema)]
#[schema(as = Failure)]
pub(crate) struct FailureBody<'a> {
    /// One sentence for people.
    error: &'a str,
    code: Code,
    /// Id of the reason in the server's log, for faults of the server itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    id: Option<&'a str>,
}

impl Failure {
    fn new(status: StatusCode, sentence: impl Into<String>) -> Failure {
        Failure { status, sentence: cut(sentence.into()), code: None, id: None, is_last: false }
    }

    /// The word for programs.
    fn code(&self) -> Code {
        self.code.unwrap_or(match self.status {
            StatusCode::BAD_REQUEST => Code::Request,
            StatusCode::UNAUTHORIZED => Code::Token,
            StatusCode::FORBIDDEN => Code::Origin,
            StatusCode::NOT_FOUND => Code::Missing,
            StatusCode::METHOD_NOT_ALLOWED => Code::Method,
            StatusCode::REQUEST_TIMEOUT => Code::Slow,
            StatusCode::PAYLOAD_TOO_LARGE => Code::Large,
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Code::Media,
            StatusCode::UNPROCESSABLE_ENTITY => Code::Table,
            StatusCode::SERVICE_UNAVAILABLE => Code::Busy,
            _ => Code::Internal,
        })
    }

    /// 401: the server wants a token.
    pub(crate) fn unauthorized() -> Failure {
        let sentence = "this server wants its token, as the header \"authorization: Bearer TOKEN\"";
        Failure::new(StatusCode::UNAUTHORIZED, sentence)
    }

    /// 400: the request cannot be understood or used as it is.
    pub(crate) fn bad(sentence: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, sentence)
    }

    /// 403: the request comes from another site.
    pub(crate) fn forbidden(sentence: impl Into<String>) -> Failure {
        Failure::new(StatusCode::FORBIDDEN, sentence)
    }

    /// 404: there is no such page, table or link.
    pub(crate) fn missing(sentence: impl Into<String>) -> Failure {
        Failure::new(StatusCode::NOT_FOUND, sentence)
    }

    /// 404: there is nothing at an address.
    pub(crate) fn nothing() -> Failure {
        Failure::missing("there is nothing at this address; the page is at /")
    }

    /// 405: the path is right, the method is not.
    pub(crate) fn method() -> Failure {
        Failure::new(StatusCode::METHOD_NOT_ALLOWED, "this address does not take this method; see /api/openapi.json")
    }

    /// 408: the body did not arrive in time.
    pub(crate) fn slow(sentence: impl Into<String>) -> Failure {
        Failure::new(StatusCode::REQUEST_TIMEOUT, sentence)
    }

    /// 408: the client closed its end of the connection, and the work went on for too long after that.
    pub(crate) fn left() -> Failure {
        Failure::slow("the connection was closed before there was an answer").and_close()
    }

    /// 413: something is larger than its limit.
    pub(crate) fn large(sentence: impl Into<String>) -> Failure {
        Failure::new(StatusCode::PAYLOAD_TOO_LARGE, sentence)
    }

    /// 415: the content type is neither JSON nor a form.
    pub(crate) fn media() -> Failure {
        let sentence =
            "the body must be JSON (content-type application/json) or a form with a file (multipart/form-data)";
        Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence)
    }

    /// 422: the format of the table was recognised, but the table cannot be used.
    pub(crate) fn unusable(sentence: impl Into<String>) -> Failure {
        Failure::new(StatusCode::UNPROCESSABLE_ENTITY, sentence)
    }

    /// 503: the queue is full or the wait was too long.
    pub(crate) fn busy() -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "the server is busy; try again in a second")
    }

    /// 503: the system has no room for one more process. The reason goes to the log.
    pub(crate) fn no_worker(error: &std::io::Error) -> Failure {
        eprintln!("tabwise: no worker can be started: {error}");
        Failure::busy()
    }

    /// 503: a correction cannot be written to the folder of the server, which is full or gone. The reason goes to the log.
    pub(crate) fn unwritten(error: &std::io::Error) -> Failure {
        eprintln!("tabwise: a correction cannot be written: {error}");
        let sentence = "the server cannot write corrections to its disk now, so nothing was changed; try again later";
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, sentence)
    }

    /// 422: working on the table or the question took more memory than a worker has.
    pub(crate) fn too_much() -> Failure {
        Failure::unusable("working on this table takes more memory than the server allows; send a smaller table")
    }

    /// 422: working on the table or the question took more time than a request has.
    pub(crate) fn too_long() -> Failure {
        Failure::unusable("working on this table takes more time than the server allows; send a smaller table")
    }

    /// A failure that a worker tells of.
    pub(crate) fn told(status: u16, sentence: String, code: Option<Code>) -> Failure {
        match StatusCode::from_u16(status) {
            Ok(status) if status.is_client_error() => Failure { code, ..Failure::new(status, sentence) },
            _ => Failure::fault(&sentence),
        }
    }

    /// The same failure, after which the connection is closed.
    pub(crate) fn and_close(self) -> Failure {
        Failure { is_last: true, ..self }
    }

    /// 500: a fault of the server. The reason goes to the log, the client gets the id.
    pub(crate) fn fault(reason: &str) -> Failure {
        let id = next_id();
        eprintln!("tabwise: request {id} failed: {}", cut(reason.to_owned()));
        let sentence = "internal error; the server's log has the reason under this id";
        Failure { id: Some(id), ..Failure::new(StatusCode::INTERNAL_SERVER_ERROR, sentence) }
    }

    /// 500: a panic, with its payload.
    pub(crate) fn panicked(payload: &(dyn std::any::Any + Send)) -> Failure {
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        Failure::fault(text.unwrap_or("panic without a message"))
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let body = FailureBody { error: &self.sentence, code: self.code(), id: self.id.as_deref() };
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

/// Maximum number of bytes of a sentence, since it may quote what a client sent.
const LONGEST: usize = 2_000;

fn cut(mut sentence: String) -> String {
    if sentence.len() > LONGEST {
        sentence.truncate(sentence.floor_char_boundary(LONGEST));
        sentence.push('…');
    }
    sentence
}

/// A JSON response.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => (status, [(header::CONTENT_TYPE, "application/json")], bytes).into_response(),
        Err(error) => Failure::fault(&error.to_string()).into_response(),
    }
}

/// An id that is unique in a log: the process id and a counter.
fn next_id() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    format!("{:x}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}
