//! `tabwise show`: looks at one of the things that stand between a table and an answer.

mod graph;
mod table;

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
    /// The graph of a table: columns, entities with their readings, rows
    Graph(graph::Args),
    /// The table as it was read, with notes on what was repaired
    Table(table::Args),
}

/// Shows what was asked for.
pub fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    match args.what {
        What::Graph(args) => graph::run(args, out),
        What::Table(args) => table::run(args, out),
    }
}
