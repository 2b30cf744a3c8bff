//! A TCP stream with a timeout for writes. Without it, a client that never reads its response would hold a connection
//! for ever.

use std::future::Future;
use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// A stream that fails when a write makes no progress for some time.
pub(crate) struct WriteTimeout {
    stream: TcpStream,
    timeout: Duration,
    /// Timer that runs while a write is blocked.
    stuck: Option<Pin<Box<Sleep>>>,
}

impl WriteTimeout {
    /// Wraps a stream.
    pub(crate) fn new(stream: TcpStream, timeout: Duration) -> WriteTimeout {
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

impl AsyncRead for WriteTimeout {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context, buffer: &mut ReadBuf) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for WriteTimeout {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context, bytes: &[u8]) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(context, written)
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, context: &mut Context, slices: &[IoSlice]) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.watch(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.watch(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
