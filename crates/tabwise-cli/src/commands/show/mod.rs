//! `tabwise show`: looks at one of the things that stand between a table and an answer.

mod candidates;
mod features;
mod graph;
mod links;
mod rules;
pub mod table;

use crate::outcome::Outcome;
use anyhow::Result;
use clap::Subcommand;
use std::io::Write;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// The formulas that were ranked for a question, and what was lost on the way
    Candidates(candidates::Args),
    /// The features of a candidate, by name and with their weights
    Features(features::Args),
    /// The graph of a table: columns, entities with their readings, rows
    Graph(graph::Args),
    /// How the words of a question were understood
    Links(links::Args),
    /// The rules that candidates are built with
    Rules(rules::Args),
    /// The table as it was read, with notes on what was repaired
    Table(table::Args),
}

/// Shows what was asked for.
pub fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    match args.what {
        What::Candidates(args) => candidates::run(args, out),
        What::Features(args) => features::run(args, out),
        What::Graph(args) => graph::run(args, out),
        What::Links(args) => links::run(args, out),
        What::Rules(args) => rules::run(args, out),
        What::Table(args) => table::run(args, out),
    }
}
