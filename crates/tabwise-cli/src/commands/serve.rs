//! `tabwise serve`: the web page and the HTTP API. The server is the crate `tabwise-server`; this file loads the model
//! and the knowledge for it.

use crate::asker::{AskerArgs, SureArgs};
use crate::outcome::Outcome;
use anyhow::{Context, Result};
use std::io::Write;
use tabwise_server::{Options, ServeLimits, WorkerCommand, work};

const EXAMPLES: &str = "Examples:
  tabwise serve
  tabwise serve --listen 0.0.0.0:8080 --host tables.example
  tabwise serve --max-body 100000000 --at-once 4
  curl -s http://127.0.0.1:8017/api/ask -F file=@games.csv -F question=\"which city was last?\"

The API is described at /api/openapi.json. Ctrl-C finishes running requests and ends the server.";

/// Options of `serve`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Address and port to listen on; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8017")]
    listen: String,
    /// Host name to accept besides IP addresses and localhost (can be repeated)
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    #[command(flatten)]
    asker: AskerArgs,
    #[command(flatten)]
    sure: SureArgs,
    #[command(flatten)]
    limits: ServeLimits,
    /// Do the work of a server that started this process
    #[arg(long, hide = true)]
    worker: bool,
}

/// Serves until Ctrl-C or SIGTERM.
pub(crate) fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    let asker = args.asker.load()?;
    if args.worker {
        work(asker, args.sure.min_confidence, &args.limits)?;
        return Ok(Outcome::Done);
    }
    let options = Options {
        listen: args.listen,
        hosts: args.host,
        min_confidence: args.sure.min_confidence,
        limits: args.limits,
        worker: worker()?,
    };
    tabwise_server::run(asker, options, out)?;
    Ok(Outcome::Done)
}

/// The command of a worker: this program with the same arguments.
fn worker() -> Result<WorkerCommand> {
    let program = std::env::current_exe().context("cannot find the program to start workers")?;
    let arguments = std::env::args_os().skip(1).chain(["--worker".into()]).collect();
    Ok(WorkerCommand { program: program.into(), arguments })
}
