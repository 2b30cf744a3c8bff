//! `tabwise serve`: the page and the API. The server is a crate of its own; here it gets its model, its knowledge and its
//! options.

use crate::asker::{AskerArgs, SureArgs};
use crate::outcome::Outcome;
use anyhow::Result;
use std::io::Write;
use tabwise_server::{Options, ServeLimits};

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
    limits: ServeLimits,
}

/// Listens, says where, and answers until it is told to end.
pub fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    let options = Options {
        listen: args.listen,
        hosts: args.host,
        min_confidence: args.sure.min_confidence,
        limits: args.limits,
    };
    tabwise_server::run(args.asker.load()?, options, out)?;
    Ok(Outcome::Done)
}
