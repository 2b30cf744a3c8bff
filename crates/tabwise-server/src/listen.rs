//! Connections: accepting them up to a limit, dropping slow clients, and shutting down gracefully. On a signal the
//! server stops listening and finishes running requests; a second signal or a timeout ends it at once.

use crate::clients::{Client, Clients};
use crate::failure::Failure;
use crate::limits::{ServeLimits, seconds};
use crate::stream::{WriteTimeout, gone};
use axum::Router;
use axum::response::{IntoResponse, Response};
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tower_service::Service;

/// Grace period for running requests after the signal to end.
const LAST_WORDS: Duration = Duration::from_secs(15);

/// Response to a connection beyond the limit. It is sent raw, since such a connection never reaches the HTTP server.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-type: application/json\r\n\
    content-length: 63\r\nconnection: close\r\n\r\n{\"error\":\"the server has too many connections; try again soon\"}";

/// Serves connections until Ctrl-C or SIGTERM.
pub(crate) async fn listen(listener: TcpListener, router: Router, limits: &ServeLimits) {
    let graceful = GracefulShutdown::new();
    let clients = Clients::new(limits.max_connections);
    let (head, patience) = (seconds(limits.head_timeout), seconds(limits.read_timeout));
    let mut end = std::pin::pin!(signal());
    loop {
        let (stream, address) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, address)) => (stream, address.ip()),
                // Most likely out of file descriptors; they are freed as connections end.
                Err(_) => { tokio::time::sleep(Duration::from_millis(50)).await; continue }
            },
            () = &mut end => break,
        };
        let Some(client) = clients.enter(address) else {
            tokio::spawn(timeout(Duration::from_secs(1), turn_away(stream)));
            continue;
        };
        let _ = stream.set_nodelay(true);
        let stream = Arc::new(stream);
        let service = service(router.clone(), client.clone(), stream.clone());
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(head)
            .max_buf_size(64 << 10)
            // A client may close its end and still wait for the answer.
            .half_close(true)
            .serve_connection(TokioIo::new(WriteTimeout::new(stream, patience)), service);
        let connection = graceful.watch(connection);
        let clients = clients.clone();
        tokio::spawn(async move {
            tokio::select! {
                // An error means that the client went away or does not speak HTTP; there is nobody to tell.
                _ = connection => {}
                () = client.told_to_leave() => {}
            }
            clients.leave(&client);
        });
    }
    drop(listener);
    tokio::select! {
        () = graceful.shutdown() => {}
        () = signal() => {}
        () = tokio::time::sleep(LAST_WORDS) => {}
    }
}

/// The router as the service of one connection, whose requests know their client.
fn service(
    router: Router,
    client: Client,
    stream: Arc<TcpStream>,
) -> impl hyper::service::Service<
    Request<Incoming>,
    Response = Response,
    Error = Infallible,
    Future = impl Future<Output = Result<Response, Infallible>> + Send + 'static,
> {
    service_fn(move |mut request: Request<Incoming>| {
        let (mut router, client, stream) = (router.clone(), client.clone(), stream.clone());
        request.extensions_mut().insert(client.clone());
        async move {
            let response = tokio::select! {
                response = router.call(request) => response,
                // What was begun for the request is dropped, and ends.
                () = gone(&stream) => Ok(Failure::left().into_response()),
            };
            client.was_served();
            response
        }
    })
}

/// Sends [`FULL`] and closes the connection.
async fn turn_away(stream: TcpStream) {
    let mut sent = 0;
    while sent < FULL.len() && stream.writable().await.is_ok() {
        match stream.try_write(&FULL[sent..]) {
            Ok(count) => sent += count,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(_) => return,
        }
    }
}

/// Waits for Ctrl-C or, on Unix, SIGTERM.
async fn signal() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signals) => drop(signals.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}
