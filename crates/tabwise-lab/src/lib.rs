//! The laboratory of Tabwise: it trains models on a folder of the dataset's layout, measures them, checks each stage
//! against the dataset and makes the experiments of the paper again. `tabwise lab` is its command line.

mod annotated;
mod check;
mod dataset;
mod eval;
mod files;
mod outcome;
mod progress;
mod reproduce;
mod settings;
mod tagged;
mod threads;
mod train;
mod train_tagger;
mod usage;

pub use outcome::Outcome;

use anyhow::Result;
use progress::Progress;
use std::io::Write;
use tabwise::Knowledge;

/// The commands of the laboratory.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Measure each stage against a dataset
    Check(check::Args),
    /// Answer the questions of a split and say how many are right
    Eval(eval::Args),
    /// Reproduce the experiments of the paper and write the results
    Reproduce(reproduce::Args),
    /// Learn a model from questions and answers
    Train(train::Args),
    /// Train the part-of-speech tagger on the tags of a dataset
    TrainTagger(train_tagger::Args),
}

impl Command {
    /// The number of threads that was asked for.
    fn threads(&self) -> Option<usize> {
        match self {
            Command::Eval(args) => args.settings.threads,
            Command::Reproduce(args) => args.threads,
            Command::Train(args) => args.settings.threads,
            Command::Check(_) | Command::TrainTagger(_) => None,
        }
    }
}

/// Runs a command with this knowledge. Its results go to `out`, its progress to standard error.
pub fn run(command: Command, knowledge: &Knowledge, out: &mut (impl Write + Send)) -> Result<Outcome> {
    let progress = Progress::default();
    threads::pool(command.threads())?.install(|| match command {
        Command::Check(args) => check::run(args, knowledge, out),
        Command::Eval(args) => eval::run(args, knowledge, &progress, out),
        Command::Reproduce(args) => reproduce::run(args, knowledge, &progress, out),
        Command::Train(args) => train::run(args, knowledge, &progress, out),
        Command::TrainTagger(args) => train_tagger::run(args, out),
    })
}
