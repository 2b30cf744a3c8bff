//! `tabwise lab train-tagger`: trains the part-of-speech tagger on the reference tags of the dataset. The embedded
//! tagger is made by this command; the same data gives the same bytes.

use crate::outcome::Outcome;
use crate::tagged::references;
use anyhow::{Context, Result};
use std::io::Write;
use std::path::PathBuf;
use tabwise::text::train::Training;

#[derive(clap::Args)]
pub struct Args {
    /// The folder of the dataset, which holds tagged
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Where the tagger is written
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Trains on all tagged questions and cells, and writes the tagger.
pub fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    let all = references(&args.data)?;
    let (questions, cells): (Vec<_>, Vec<_>) = (all.questions.iter().collect(), all.cells.iter().collect());
    let tagger = Training::default().train(&questions, &cells).write();
    std::fs::write(&args.out, &tagger).with_context(|| args.out.display().to_string())?;
    writeln!(out, "{} bytes, from {} questions and {} cells", tagger.len(), questions.len(), cells.len())?;
    Ok(Outcome::Done)
}
