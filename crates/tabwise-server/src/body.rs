//! Reading request bodies, with three limits: the size of a body, the time it takes to arrive, and the memory of all
//! bodies together. The last is a semaphore over pieces of memory, so that many large uploads at once cannot exhaust
//! it.

use crate::failure::{Failure, Reply};
use crate::limits::{ServeLimits, seconds};
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use http_body_util::BodyExt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Unit in which memory is counted, in bytes. A semaphore cannot count single bytes: its maximum is too small.
const PIECE: usize = 4 << 10;

/// Reader of request bodies. Clones share one memory limit.
#[derive(Clone)]
pub(crate) struct Bodies {
    pieces: Arc<Semaphore>,
    /// Maximum size of one body, in bytes.
    most: usize,
    /// Maximum time for one body to arrive.
    time: Duration,
}

/// A body in memory. Dropping it returns its share of the memory limit.
pub(crate) struct Sent {
    pub content: Content,
    _pieces: Option<OwnedSemaphorePermit>,
}

/// Content of a body, by content type.
pub(crate) enum Content {
    /// A JSON text, not yet parsed.
    Json(Vec<u8>),
    /// The fields of a form.
    Form(Vec<Field>),
}

impl Content {
    /// Number of bytes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Content::Json(bytes) => bytes.len(),
            Content::Form(fields) => fields.iter().map(|field| field.bytes.len()).sum(),
        }
    }
}

/// A field of a form.
pub(crate) struct Field {
    pub name: String,
    pub file_name: Option<String>,
    pub bytes: Bytes,
}

impl Bodies {
    pub(crate) fn new(limits: &ServeLimits) -> Bodies {
        let pieces = limits.max_bodies.div_ceil(PIECE).clamp(1, Semaphore::MAX_PERMITS);
        Bodies { pieces: Arc::new(Semaphore::new(pieces)), most: limits.max_body, time: seconds(limits.body_timeout) }
    }

    /// Reads the body of a request. If it is refused, the connection is closed after the response.
    pub(crate) async fn read(&self, request: Request) -> Reply<Sent> {
        let (head, mut body) = request.into_parts();
        match self.take(&head, &mut body).await {
            Ok((BodyKind::Json, bytes, pieces)) => Ok(Sent { content: Content::Json(bytes), _pieces: pieces }),
            Ok((BodyKind::Form, bytes, pieces)) => {
                let fields = fields(Request::from_parts(head, Body::from(bytes))).await?;
                Ok(Sent { content: Content::Form(fields), _pieces: pieces })
            }
            Err(failure) => {
                // A client that is still sending does not read the response, so take what it sends for a while.
                let _ = tokio::time::timeout(DRAIN_TIME, drain(body)).await;
                Err(failure.and_close())
            }
        }
    }

    /// Checks the head, then reads the body within the time limit.
    async fn take(&self, head: &Parts, body: &mut Body) -> Reply<(BodyKind, Vec<u8>, Option<OwnedSemaphorePermit>)> {
        let kind = BodyKind::of(&head.headers)?;
        let said = head.headers.get(header::CONTENT_LENGTH).and_then(|n| n.to_str().ok()?.parse::<usize>().ok());
        if said.is_some_and(|said| said > self.most) {
            return Err(self.too_large());
        }
        let read = tokio::time::timeout(self.time, self.collect(body)).await;
        let late = || Failure::slow(format!("the body took more than {:?} to arrive", self.time));
        let (bytes, pieces) = read.map_err(|_| late())??;
        Ok((kind, bytes, pieces))
    }

    /// Reads the body frame by frame. Memory is reserved before it is used.
    async fn collect(&self, body: &mut Body) -> Reply<(Vec<u8>, Option<OwnedSemaphorePermit>)> {
        let mut bytes = Vec::new();
        let mut held: Option<OwnedSemaphorePermit> = None;
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| Failure::bad(format!("the body cannot be read: {error}")))?;
            let Ok(data) = frame.into_data() else { continue };
            if bytes.len() + data.len() > self.most {
                return Err(self.too_large());
            }
            let needed = (bytes.len() + data.len()).div_ceil(PIECE) as u32;
            let more = needed.saturating_sub(held.as_ref().map_or(0, |held| held.num_permits() as u32));
            if more > 0 {
                let more = self.pieces.clone().try_acquire_many_owned(more).map_err(|_| Failure::busy())?;
                match &mut held {
                    Some(held) => held.merge(more),
                    None => held = Some(more),
                }
            }
            bytes.extend_from_slice(&data);
        }
        Ok((bytes, held))
    }

    /// The response with this as JSON.
    pub(crate) fn json(&self, body: &impl serde::Serialize) -> Reply {
        self.response(serde_json::to_vec(body).map_err(|error| Failure::fault(&error.to_string()))?)
    }

    /// The response with these bytes of JSON. They count against the memory of all bodies until they are sent.
    pub(crate) fn response(&self, bytes: Vec<u8>) -> Reply {
        let pieces = u32::try_from(bytes.len().div_ceil(PIECE)).unwrap_or(u32::MAX);
        let held = self.pieces.clone().try_acquire_many_owned(pieces).map_err(|_| Failure::busy())?;
        let body = Bytes::from_owner(Held { bytes, _pieces: held });
        Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
    }

    fn too_large(&self) -> Failure {
        let most = in_words(self.most);
        Failure::large(format!("the request is larger than the limit of {most}; send a smaller table"))
    }
}

/// A number of bytes as people say it.
fn in_words(bytes: usize) -> String {
    match bytes {
        0..0x10_0000 => format!("{} kB", bytes.div_ceil(1 << 10)),
        _ => format!("{} MB", bytes.div_ceil(1 << 20)),
    }
}

/// Bytes with their share of the memory limit.
struct Held {
    bytes: Vec<u8>,
    _pieces: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Bytes of a refused body that are still read before the connection is closed.
const DRAIN: usize = 64 << 20;
/// Time for which a refused body is still read.
const DRAIN_TIME: Duration = Duration::from_secs(3);

/// Reads and drops the rest of a body, up to [`DRAIN`] bytes.
async fn drain(mut body: Body) {
    let mut left = DRAIN;
    while let (Some(Ok(frame)), true) = (body.frame().await, left > 0) {
        left = left.saturating_sub(frame.data_ref().map_or(1, |data| data.len()));
    }
}

/// Content type of a body.
enum BodyKind {
    Json,
    Form,
}

impl BodyKind {
    fn of(headers: &HeaderMap) -> Reply<BodyKind> {
        let given = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
        match given.split(';').next().unwrap_or("").trim().to_ascii_lowercase().as_str() {
            "application/json" => Ok(BodyKind::Json),
            "multipart/form-data" => Ok(BodyKind::Form),
            _ => Err(Failure::media()),
        }
    }
}

/// Maximum number of form fields. A real request has fewer than ten.
const MOST_FIELDS: usize = 32;

/// Parses a form whose bytes have been read.
async fn fields(request: Request) -> Reply<Vec<Field>> {
    let bad = |why: String| Failure::bad(format!("the form cannot be read: {why}"));
    let mut form = Multipart::from_request(request, &()).await.map_err(|error| bad(error.body_text()))?;
    let mut fields = Vec::new();
    while let Some(field) = form.next_field().await.map_err(|error| bad(error.body_text()))? {
        if fields.len() == MOST_FIELDS {
            return Err(bad(format!("it has more than {MOST_FIELDS} fields")));
        }
        let name = field.name().unwrap_or("").to_owned();
        let file_name = field.file_name().map(str::to_owned);
        let bytes = field.bytes().await.map_err(|error| bad(error.body_text()))?;
        fields.push(Field { name, file_name, bytes });
    }
    Ok(fields)
}

/// The content of a body that was read: a form with the boundary `x`, or JSON. For fuzzing.
pub(crate) fn content_of(bytes: &[u8]) -> Reply<Content> {
    if !bytes.starts_with(b"--x") {
        return Ok(Content::Json(bytes.to_vec()));
    }
    let fault = |error: &dyn std::fmt::Display| Failure::fault(&error.to_string());
    let request = Request::builder().header(header::CONTENT_TYPE, "multipart/form-data; boundary=x");
    let request = request.body(Body::from(bytes.to_vec())).map_err(|error| fault(&error))?;
    let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(|error| fault(&error))?;
    runtime.block_on(fields(request)).map(Content::Form)
}
