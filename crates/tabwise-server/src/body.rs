//! The body of a request, read within limits of size, of time and of what all bodies may take together.

use crate::failure::{Failure, Reply};
use crate::limits::{ServeLimits, seconds};
use axum::body::Body;
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use http_body_util::BodyExt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// What bodies are counted in, since a semaphore counts to less than memory does.
const PIECE: usize = 4 << 10;

/// Reads bodies. Copies share what they may take together.
#[derive(Clone)]
pub struct Bodies {
    pieces: Arc<Semaphore>,
    most: usize,
    time: Duration,
}

/// A body in memory, as it was sent. What it takes is given back when it is dropped.
pub struct Sent {
    pub content: Content,
    _pieces: Option<OwnedSemaphorePermit>,
}

/// What was sent.
pub enum Content {
    /// One JSON text.
    Json(Vec<u8>),
    /// The fields of a form.
    Form(Vec<Field>),
}

/// A field of a form.
pub struct Field {
    pub name: String,
    pub file_name: Option<String>,
    pub bytes: axum::body::Bytes,
}

impl Bodies {
    pub fn new(limits: &ServeLimits) -> Bodies {
        let pieces = limits.max_bodies.div_ceil(PIECE).clamp(1, Semaphore::MAX_PERMITS);
        Bodies { pieces: Arc::new(Semaphore::new(pieces)), most: limits.max_body, time: seconds(limits.body_timeout) }
    }

    /// The body of a request.
    pub async fn read(&self, request: Request) -> Reply<Sent> {
        let (head, mut body) = request.into_parts();
        match self.take(&head, &mut body).await {
            Ok((Kind::Json, bytes, pieces)) => Ok(Sent { content: Content::Json(bytes), _pieces: pieces }),
            Ok((Kind::Form, bytes, pieces)) => {
                let fields = fields(Request::from_parts(head, Body::from(bytes))).await?;
                Ok(Sent { content: Content::Form(fields), _pieces: pieces })
            }
            Err(failure) => {
                let _ = tokio::time::timeout(DRAIN_TIME, drain(body)).await;
                Err(failure.and_close())
            }
        }
    }

    async fn take(&self, head: &Parts, body: &mut Body) -> Reply<(Kind, Vec<u8>, Option<OwnedSemaphorePermit>)> {
        let kind = Kind::of(&head.headers)?;
        let said = head.headers.get(header::CONTENT_LENGTH).and_then(|n| n.to_str().ok()?.parse::<usize>().ok());
        if said.is_some_and(|said| said > self.most) {
            return Err(self.too_large());
        }
        let read = tokio::time::timeout(self.time, self.collect(body)).await;
        let late = || Failure::slow(format!("the body took more than {:?} to arrive", self.time));
        let (bytes, pieces) = read.map_err(|_| late())??;
        Ok((kind, bytes, pieces))
    }

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

    fn too_large(&self) -> Failure {
        Failure::large(format!(
            "the body is larger than the limit of {} bytes; send a smaller table, or start the server with a higher --max-body",
            self.most
        ))
    }
}

/// How much of a body that is turned away is still read, and for how long: who is still sending does not listen.
const DRAIN: usize = 64 << 20;
const DRAIN_TIME: Duration = Duration::from_secs(3);

async fn drain(mut body: Body) {
    let mut left = DRAIN;
    while let (Some(Ok(frame)), true) = (body.frame().await, left > 0) {
        left = left.saturating_sub(frame.data_ref().map_or(1, |data| data.len()));
    }
}

enum Kind {
    Json,
    Form,
}

impl Kind {
    fn of(headers: &HeaderMap) -> Reply<Kind> {
        let given = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
        match given.split(';').next().unwrap_or("").trim().to_ascii_lowercase().as_str() {
            "application/json" => Ok(Kind::Json),
            "multipart/form-data" => Ok(Kind::Form),
            _ => Err(Failure::media()),
        }
    }
}

/// More fields than this are no question about a table.
const MOST_FIELDS: usize = 32;

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
