//! `tabwise lab`: training, evaluation, checks and experiments. The laboratory is a crate of its own; here it gets its
//! knowledge.

use crate::asker::load_knowledge;
use crate::outcome::Outcome;
use anyhow::Result;
use std::io::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Use the files of this folder (words.toml, grammar.rules, phrases.toml, ...) instead of those in the program
    #[arg(long, value_name = "DIR", global = true)]
    knowledge: Option<PathBuf>,
    #[command(subcommand)]
    command: tabwise_lab::Command,
}

/// Runs a command of the laboratory.
pub fn run(args: Args, out: &mut (impl Write + Send)) -> Result<Outcome> {
    let knowledge = load_knowledge(args.knowledge.as_deref())?;
    Ok(match tabwise_lab::run(args.command, &knowledge, out)? {
        tabwise_lab::Outcome::Done => Outcome::Done,
        tabwise_lab::Outcome::BelowBar => Outcome::NoAnswer,
    })
}
