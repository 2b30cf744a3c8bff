//! `tabwise lab check`: measures one stage of the program against the dataset. Each check has a bar and the exit code
//! is 1 below it, so that a check can guard a change.

mod annotator;
mod data;
mod engine;
mod english;
mod evaluator;
mod formulas;
mod readings;
mod sql;
mod tables;
mod values;

use crate::outcome::Outcome;
use anyhow::Result;
use clap::Subcommand;
use data::DataArgs;
use std::io::Write;
use tabwise::answer::Knowledge;

/// Options of `check`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise lab check tables --data wtq
  tabwise lab check formulas --data wtq --verbose

Exit codes: 0 the bar is reached, 1 it is not, 2 error.")]
pub struct Args {
    #[command(subcommand)]
    check: Check,
}

/// Checks, one for each stage. The doc comments are their help.
#[derive(Subcommand)]
enum Check {
    /// Compare tokens, lemmas and tags of questions with the reference, and measure speed
    ///
    /// Agreement is measured by cross-validation with taggers that are trained during the check and built-in word
    /// lists, so --knowledge affects the measured speed only.
    #[command(after_help = "Examples:\n  tabwise lab check annotator --data wtq --verbose")]
    Annotator(DataArgs),
    /// Print an English sentence for every hand-written formula
    English(english::Args),
    /// Compare targets, as the evaluator normalises them, with their canonical forms
    #[command(after_help = "Examples:\n  tabwise lab check evaluator --data wtq")]
    Evaluator(DataArgs),
    /// Execute hand-written formulas and compare the results with the right answers
    #[command(after_help = "Examples:\n  tabwise lab check formulas --data wtq --verbose")]
    Formulas(DataArgs),
    /// Compare readings of cells with the reference
    #[command(after_help = "Examples:\n  tabwise lab check readings --data wtq")]
    Readings(DataArgs),
    /// Run formulas as SQL and compare the results with those of the executor
    Sql(sql::Args),
    /// Compare tables read from CSV, TSV, HTML and whole pages
    #[command(after_help = "Examples:\n  tabwise lab check tables --data wtq --verbose")]
    Tables(DataArgs),
    /// Compare numbers and dates found in questions with the reference
    #[command(after_help = "Examples:\n  tabwise lab check values --data wtq")]
    Values(DataArgs),
}

/// Runs a check.
pub(crate) fn run(args: Args, knowledge: &Knowledge, out: &mut impl Write) -> Result<Outcome> {
    match args.check {
        Check::Annotator(args) => annotator::run(args, &knowledge.annotator, out),
        Check::English(args) => english::run(args, knowledge, out),
        Check::Evaluator(args) => evaluator::run(args, &knowledge.words, out),
        Check::Formulas(args) => formulas::run(args, &knowledge.words, out),
        Check::Readings(args) => readings::run(args, &knowledge.words, out),
        Check::Sql(args) => sql::run(args, knowledge, out),
        Check::Tables(args) => tables::run(args, out),
        Check::Values(args) => values::run(args, knowledge, out),
    }
}
