//! `tabwise lab check`: measures the program against the dataset in a folder, and fails below the bar.

mod annotator;
mod data;
mod english;
mod evaluator;
mod formulas;
mod readings;
mod tables;
mod values;

use crate::outcome::Outcome;
use anyhow::Result;
use clap::Subcommand;
use data::DataArgs;
use std::io::Write;
use tabwise::answer::Knowledge;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Tokens, lemmas and tags of questions against those of the reference, and the annotator's speed
    Annotator(DataArgs),
    /// A sentence for every hand-written formula
    English(english::Args),
    /// The evaluator's view of the dataset's targets against their canonical forms
    Evaluator(DataArgs),
    /// Hand-written formulas against the answers they were written for
    Formulas(DataArgs),
    /// Readings of cells against those of the reference
    Readings(DataArgs),
    /// Tables from CSV, TSV, HTML and whole pages against each other
    Tables(DataArgs),
    /// Numbers and dates found in questions against those of the reference
    Values(DataArgs),
}

/// Makes the check that was asked for.
pub fn run(args: Args, knowledge: &Knowledge, out: &mut impl Write) -> Result<Outcome> {
    match args.what {
        What::Annotator(args) => annotator::run(args, &knowledge.annotator, out),
        What::English(args) => english::run(args, knowledge, out),
        What::Evaluator(args) => evaluator::run(args, &knowledge.words, out),
        What::Formulas(args) => formulas::run(args, &knowledge.words, out),
        What::Readings(args) => readings::run(args, &knowledge.words, out),
        What::Tables(args) => tables::run(args, out),
        What::Values(args) => values::run(args, knowledge, out),
    }
}
