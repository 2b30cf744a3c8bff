//! The server of Tabwise: a web page and an HTTP API that answer questions about tables. Every request takes the same
//! path: the guard checks its origin, the body is read within limits, the gate admits it, and a worker reads its table and
//! answers the question. Workers are processes of this program behind walls, so that no table brings the server down. All
//! expensive work happens behind the gate, so that a busy server turns requests away instead of slowing down. [`run`] starts
//! the server, [`work()`] is what its workers do; the page itself is in `web/`.

#![warn(missing_docs, unreachable_pub)]

mod ask;
mod assets;
mod body;
mod clients;
mod corrections;
mod description;
mod desk;
mod disk;
mod examples;
mod failure;
mod guard;
mod limits;
mod listen;
pub mod memory;
mod metrics;
mod pool;
mod reply;
mod request;
mod routes;
mod sandbox;
mod state;
mod store;
mod stream;
mod suggest;
mod tables;
mod teaching;
mod view;
mod wire;
mod wish;
mod work;
mod worker;

pub use corrections::{CorrectionsFile, read_corrections};
pub use limits::ServeLimits;
pub use pool::WorkerCommand;
pub use worker::work;

use anyhow::{Context, Result};
use desk::Desk;
use pool::Pool;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tabwise::answer::Asker;
use tokio::net::TcpListener;

/// Address, host names and limits of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// Address to listen on, such as `127.0.0.1:8017`; port 0 picks a free port.
    pub listen: String,
    /// Host names to accept besides IP addresses and `localhost`.
    pub hosts: Vec<String>,
    /// Confidence, from 0 to 1, below which an answer abstains.
    pub min_confidence: f64,
    /// Origins of other pages that may use the API, such as `http://localhost:8888`.
    pub origins: Vec<String>,
    /// Secret that requests to the API must have.
    pub token: Option<String>,
    /// Folder to keep tables, links and corrections in, so that they survive a restart.
    pub store: Option<PathBuf>,
    /// True to write a line of JSON for each request to standard error.
    pub log: bool,
    /// Limits of requests, connections and memory.
    pub limits: ServeLimits,
    /// Command that starts a worker.
    pub worker: WorkerCommand,
}

/// Grace period for running work after the last connection has ended.
const LAST_WORK: Duration = Duration::from_secs(5);

/// Serves until Ctrl-C or SIGTERM. Writes the address to `out` as soon as the server listens. Workers have askers of their
/// own; this one is used by a server that works in its own process.
///
/// # Errors
///
/// If the address cannot be bound, `out` cannot be written to, or workers cannot be started.
pub fn run(asker: Asker, options: Options, out: &mut impl Write) -> Result<()> {
    memory::give_back_large_blocks();
    let Options { listen, hosts, min_confidence, origins, token, store, log, limits, worker } = options;
    let pool = match limits.in_process {
        true => Pool::here(Desk::new(asker, min_confidence, &limits)),
        false => {
            drop(asker);
            Pool::processes(worker, &limits)
        }
    };
    let server = Arc::new(state::Server::new(pool, limits.clone(), log, store.as_deref())?);
    let workers = server.clone();
    let router = routes::routes(server, guard::Callers::new(&hosts, &origins, token)?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // One thread for each request that the gate admits, and a few for tokio's own use.
        .max_blocking_threads(2 * limits.workers() + 4)
        .build()
        .context("cannot start the threads of the server")?;
    runtime.block_on(async {
        workers.pool.warm_up().context("cannot start workers (--in-process does without them)")?;
        drop(workers);
        let bound = TcpListener::bind(&listen).await;
        let listener = bound
            .with_context(|| format!("cannot listen on {listen} (--listen ADDRESS:PORT chooses another address)"))?;
        writeln!(out, "tabwise is at http://{}", listener.local_addr()?)?;
        out.flush()?;
        listen::listen(listener, router, &limits).await;
        anyhow::Ok(())
    })?;
    runtime.shutdown_timeout(LAST_WORK);
    Ok(())
}

/// Tells if bytes are the body of a request: a form with the boundary `x`, or JSON. For fuzzing.
#[doc(hidden)]
pub fn is_request(body: &[u8]) -> bool {
    let taken = |content| request::Wants::ALL.map(|wants| request::Asked::read(&content, wants).is_ok());
    body::content_of(body).is_ok_and(|content| taken(content).contains(&true))
}
