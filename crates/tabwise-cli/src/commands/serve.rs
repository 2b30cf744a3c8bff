//! `tabwise serve`: the web page and the HTTP API. The server is the crate `tabwise-server`; this file loads the model
//! and the knowledge for it.

use crate::asker::{AskerArgs, SureArgs};
use crate::outcome::Outcome;
use anyhow::{Context, Result, bail};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use tabwise_server::{Options, ServeLimits, WorkerCommand, work};

const EXAMPLES: &str = "Examples:
  tabwise serve
  tabwise serve --listen 0.0.0.0:8080 --host tables.example
  tabwise serve --allow-origin http://localhost:8888 --token-file token.txt
  tabwise serve --max-body 100000000 --at-once 4
  curl -s localhost:8017/api/ask -F file=@games.csv -F question=\"who won?\"

The API is described at /api and /api/openapi.json; /healthz and /metrics are for those who watch over it. Ctrl-C finishes running requests and ends the server.";

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
    /// Origin of another page that may use the API, such as http://localhost:8888 (can be repeated)
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
    /// File with a secret that requests to the API must have, as "authorization: Bearer SECRET"
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Folder to keep tables, links and corrections in, so that they survive a restart
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
    /// Write a line of JSON for each request to standard error
    #[arg(long)]
    log: bool,
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
        origins: args.allow_origin,
        token: args.token_file.as_deref().map(token).transpose()?,
        store: args.store,
        log: args.log,
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

/// Reads the secret of a file, without the line break at its end.
fn token(path: &Path) -> Result<String> {
    let (mut text, most) = (String::new(), LONGEST_TOKEN as u64 + 1);
    std::fs::File::open(path)
        .and_then(|file| file.take(most).read_to_string(&mut text))
        .with_context(|| format!("cannot read the token {}", path.display()))?;
    match text.trim() {
        _ if text.len() > LONGEST_TOKEN => bail!("{}: a token has at most {LONGEST_TOKEN} bytes", path.display()),
        token if token.len() >= SHORTEST_TOKEN && token.chars().all(|c| c.is_ascii_graphic()) => Ok(token.to_owned()),
        _ => bail!("{}: a token has at least {SHORTEST_TOKEN} letters, digits or signs and no spaces", path.display()),
    }
}

/// Fewest characters of a token, and the most that the head of a request has room for.
const SHORTEST_TOKEN: usize = 16;
const LONGEST_TOKEN: usize = 4096;
