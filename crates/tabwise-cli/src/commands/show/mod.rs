//! `tabwise show`: prints intermediate results on the way from a table to an answer.

mod candidates;
mod features;
mod graph;
mod links;
mod rules;
pub(crate) mod table;

use crate::outcome::Outcome;
use anyhow::Result;
use clap::Subcommand;
use std::io::Write;

const EXAMPLES: &str = "Examples:
  tabwise show table page.html --list
  tabwise show links games.csv \"which city was the last in Greece?\"
  tabwise show candidates games.csv \"which city was the last in Greece?\"
  tabwise show rules --group superlative";

/// Options of `show`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    subject: Subject,
}

/// Intermediate results, in the order in which they are made.
#[derive(Subcommand)]
enum Subject {
    /// Show the table as it was read, with notes on repairs
    Table(table::Args),
    /// Show the graph of a table: columns, entities with their readings, rows
    Graph(graph::Args),
    /// Show the tokens of a question and their links to the table
    Links(links::Args),
    /// Show the rules that candidates are built with
    Rules(rules::Args),
    /// Show the candidates for a question, and statistics of the search
    Candidates(candidates::Args),
    /// Show the features of a candidate with their weights
    Features(features::Args),
}

/// Runs the subcommand.
pub(crate) fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    match args.subject {
        Subject::Table(args) => table::run(args, out),
        Subject::Graph(args) => graph::run(args, out),
        Subject::Links(args) => links::run(args, out),
        Subject::Rules(args) => rules::run(args, out),
        Subject::Candidates(args) => candidates::run(args, out),
        Subject::Features(args) => features::run(args, out),
    }
}
