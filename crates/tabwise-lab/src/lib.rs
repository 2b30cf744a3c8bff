//! The laboratory of Tabwise: training and evaluating models, checking each stage against a dataset, and reproducing
//! the experiments of the paper. It works on folders with the layout of the WikiTableQuestions dataset. The commands
//! are those of `tabwise lab`; [`run`] runs one.

#![warn(missing_docs, unreachable_pub)]

mod alike;
mod annotated;
mod candidates;
mod check;
mod corrections;
mod dataset;
mod eval;
mod files;
mod generate;
mod outcome;
mod progress;
mod reader;
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
use tabwise::rank::reader::Reader;

/// Commands of the laboratory, parsed by clap. The doc comments of the variants are their help.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Train a model on the questions and answers of a split
    Train(train::Args),
    /// Answer the questions of a split and report accuracy, calibration and speed
    Eval(eval::Args),
    /// Make questions for training from templates, on the tables of a split
    Generate(generate::Args),
    /// Write the best candidates of each question, for training the reader
    Candidates(candidates::Args),
    /// Measure what corrections bring for further questions of the same tables
    Corrections(corrections::Args),
    /// Measure one stage against a dataset, and fail below a bar
    Check(check::Args),
    /// Reproduce the experiments of the paper and write the results
    Reproduce(reproduce::Args),
    /// Train the part-of-speech tagger on the tags of a dataset; --knowledge has no effect
    TrainTagger(train_tagger::Args),
}

impl Command {
    /// Number of threads of the command line; `None` for all cores.
    fn threads(&self) -> Option<usize> {
        match self {
            Command::Candidates(args) => args.settings.threads,
            Command::Corrections(args) => args.settings.threads,
            Command::Eval(args) => args.settings.threads,
            Command::Reproduce(args) => args.threads,
            Command::Train(args) => args.settings.threads,
            Command::Check(_) | Command::Generate(_) | Command::TrainTagger(_) => None,
        }
    }

    /// Loads the reader that the command answers with.
    fn reader(&self) -> Result<Option<Reader>> {
        match self {
            Command::Corrections(args) => args.reader.load(),
            Command::Eval(args) => args.reader.load(),
            Command::Train(args) => args.reader.load(),
            _ => Ok(None),
        }
    }
}

/// Runs a command with this knowledge. Results go to `out`, progress to standard error.
///
/// # Errors
///
/// If a file cannot be read or written, or an option does not fit the dataset or the knowledge. A check below its bar
/// is not an error but [`Outcome::BelowBar`].
pub fn run(command: Command, knowledge: Knowledge, out: &mut (impl Write + Send)) -> Result<Outcome> {
    let knowledge = knowledge.with_reader(command.reader()?);
    let progress = Progress::default();
    threads::pool(command.threads())?.install(|| match command {
        Command::Candidates(args) => candidates::run(args, &knowledge, &progress, out),
        Command::Check(args) => check::run(args, &knowledge, out),
        Command::Corrections(args) => corrections::run(args, knowledge, &progress, out),
        Command::Eval(args) => eval::run(args, &knowledge, &progress, out),
        Command::Generate(args) => generate::run(args, &knowledge, &progress, out),
        Command::Reproduce(args) => reproduce::run(args, &knowledge, &progress, out),
        Command::Train(args) => train::run(args, &knowledge, &progress, out),
        Command::TrainTagger(args) => train_tagger::run(args, out),
    })
}
