//! `tabwise serve`: the page and the API. A request goes one way: guard → body within limits → gate → table, read or kept
//! → answer. Everything costly happens behind the gate.

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

use crate::asker::{AskerArgs, SureArgs};
use crate::outcome::Outcome;
use anyhow::{Context, Result};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

#[derive(clap::Args)]
pub struct Args {
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8017")]
    listen: String,
    /// A host name under which the server may be asked, besides its addresses and localhost (may be given several times)
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    #[command(flatten)]
    asker: AskerArgs,
    #[command(flatten)]
    sure: SureArgs,
    #[command(flatten)]
    limits: limits::ServeLimits,
}

/// Listens, says where, and answers until it is told to end.
pub fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    let server = Arc::new(state::Server::new(args.asker.load()?, args.sure.min_confidence, args.limits.clone())?);
    let router = routes::routes(server, guard::Names::new(&args.host));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(args.limits.workers() + 4)
        .build()
        .context("the server cannot be started")?;
    runtime.block_on(async {
        let bound = TcpListener::bind(&args.listen).await;
        let listener =
            bound.with_context(|| format!("cannot listen on {}; give --listen ADDRESS:PORT", args.listen))?;
        writeln!(out, "tabwise is at http://{}", listener.local_addr()?)?;
        out.flush()?;
        listen::listen(listener, router, &args.limits).await;
        anyhow::Ok(())
    })?;
    runtime.shutdown_timeout(Duration::from_secs(5));
    Ok(Outcome::Done)
}
