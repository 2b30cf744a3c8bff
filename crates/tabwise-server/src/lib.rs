//! The server of Tabwise: a page to ask tables on, and the same over HTTP. A request goes one way: guard → body within
//! limits → gate → table, read or kept → answer. Everything costly happens behind the gate.

mod ask;
mod assets;
mod body;
mod examples;
mod failure;
mod guard;
mod limits;
mod listen;
mod request;
mod routes;
mod state;
mod store;
mod stream;
mod tables;
mod work;

pub use limits::ServeLimits;

use anyhow::{Context, Result};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;
use tabwise::answer::Asker;
use tokio::net::TcpListener;

/// Address, names and limits of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen on, such as `127.0.0.1:8017`; port 0 takes a free one.
    pub listen: String,
    /// Host names under which the server may be asked, besides its addresses and localhost.
    pub hosts: Vec<String>,
    /// Below this confidence an answer abstains.
    pub min_confidence: f64,
    /// The limits of requests and of what is kept.
    pub limits: ServeLimits,
}

/// The time that running work gets after the last connection has ended.
const LAST_WORK: Duration = Duration::from_secs(5);

/// Listens, says where on `out`, and answers until a signal ends it.
pub fn run(asker: Asker, options: Options, out: &mut impl Write) -> Result<()> {
    let Options { listen, hosts, min_confidence, limits } = options;
    let server = Arc::new(state::Server::new(asker, min_confidence, limits.clone())?);
    let router = routes::routes(server, guard::Names::new(&hosts));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(limits.workers() + 4)
        .build()
        .context("the server cannot be started")?;
    runtime.block_on(async {
        let bound = TcpListener::bind(&listen).await;
        let listener = bound.with_context(|| format!("cannot listen on {listen}; give --listen ADDRESS:PORT"))?;
        writeln!(out, "tabwise is at http://{}", listener.local_addr()?)?;
        out.flush()?;
        listen::listen(listener, router, &limits).await;
        anyhow::Ok(())
    })?;
    runtime.shutdown_timeout(LAST_WORK);
    Ok(())
}
