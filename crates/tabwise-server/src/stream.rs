//! A TCP stream with a timeout for writes, without which a client that never reads its response would hold a connection for
//! ever; and [`gone`], which notices that a client has closed its end while its request is worked on.

use std::future::Future;
use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// A stream that fails when a write makes no progress for some time.
pub(crate) struct WriteTimeout {
    stream: Arc<TcpStream>,
    timeout: Duration,
    /// Timer that runs while a write is blocked.
    stuck: Option<Pin<Box<Sleep>>>,
}

impl WriteTimeout {
    /// Wraps a stream.
    pub(crate) fn new(stream: Arc<TcpStream>, timeout: Duration) -> WriteTimeout {
        WriteTimeout { stream, timeout, stuck: None }
    }

    /// Passes on the result of a write, or fails if it has been blocked for too long.
    fn watch<T>(&mut self, context: &mut Context, written: Poll<Result<T>>) -> Poll<Result<T>> {
        if written.is_ready() {
            self.stuck = None;
            return written;
        }
        let timeout = self.timeout;
        let stuck = self.stuck.get_or_insert_with(|| Box::pin(sleep(timeout)));
        match stuck.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "the client does not read"))),
            Poll::Pending => Poll::Pending,
        }
    }
}

/// Tries an operation whenever the stream is ready for it, until it would not block.
fn attempt<T>(
    context: &mut Context,
    ready: impl Fn(&mut Context) -> Poll<Result<()>>,
    mut operation: impl FnMut() -> Result<T>,
) -> Poll<Result<T>> {
    loop {
        ready!(ready(context))?;
        match operation() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            done => return Poll::Ready(done),
        }
    }
}

impl AsyncRead for WriteTimeout {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context, buffer: &mut ReadBuf) -> Poll<Result<()>> {
        let stream = &self.stream;
        let read = || stream.try_read(buffer.initialize_unfilled());
        let count = ready!(attempt(context, |context| stream.poll_read_ready(context), read))?;
        buffer.advance(count);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for WriteTimeout {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context, bytes: &[u8]) -> Poll<Result<usize>> {
        let stream = &self.stream;
        let written = attempt(context, |context| stream.poll_write_ready(context), || stream.try_write(bytes));
        self.watch(context, written)
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, context: &mut Context, slices: &[IoSlice]) -> Poll<Result<usize>> {
        let stream = &self.stream;
        let write = || stream.try_write_vectored(slices);
        let written = attempt(context, |context| stream.poll_write_ready(context), write);
        self.watch(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    /// Bytes are handed to the system as they are written.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context) -> Poll<Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// The connection is dropped after this, which closes it.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context) -> Poll<Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// Time for which a request is still worked on after its client has closed its end of the connection. Such a client may have
/// gone, or only have said all that it wants to say: the two look the same until something is sent to it.
const GRACE: Duration = Duration::from_secs(1);
/// Time between two looks at a stream that has bytes of a body or of a next request.
const AGAIN: Duration = Duration::from_millis(200);

/// Waits until the client has closed its end of the connection, and [`GRACE`] after that.
pub(crate) async fn gone(stream: &TcpStream) {
    while let Ok(1) = stream.peek(&mut [0]).await {
        sleep(AGAIN).await;
    }
    sleep(GRACE).await;
}
