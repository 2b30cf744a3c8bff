//! `tabwise lab`: training, evaluation, checks and experiments. The commands are in the crate `tabwise-lab`; this file
//! loads the knowledge for them.

use crate::asker::load_knowledge;
use crate::outcome::Outcome;
use anyhow::Result;
use std::io::Write;
use std::path::PathBuf;

const EXAMPLES: &str = "Examples:
  tabwise lab train --data wtq --split random-split-1-train --out model.bin
  tabwise lab eval --data wtq --split random-split-1-dev --model model.bin
  tabwise lab generate --data wtq --split training --out generated
  tabwise lab train --data wtq --split training --with generated --out model.bin
  tabwise lab check formulas --data wtq
  tabwise lab reproduce main --data wtq

DIR of --data is a folder of the WikiTableQuestions dataset.
Exit codes: 0 done, 1 a check is below its bar, 2 error.";

/// Options of `lab`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder with files that replace the built-in ones of the same name: words.toml, grammar.rules, phrases.toml, ...
    #[arg(long, value_name = "DIR", global = true)]
    knowledge: Option<PathBuf>,
    #[command(subcommand)]
    command: tabwise_lab::Command,
}

/// Loads the knowledge and runs the command.
pub(crate) fn run(args: Args, out: &mut (impl Write + Send)) -> Result<Outcome> {
    let knowledge = load_knowledge(args.knowledge.as_deref())?;
    Ok(match tabwise_lab::run(args.command, knowledge, out)? {
        tabwise_lab::Outcome::Done => Outcome::Done,
        tabwise_lab::Outcome::BelowBar => Outcome::NoAnswer,
    })
}
