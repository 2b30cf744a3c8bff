//! `tabwise lab train-tagger`: trains the part-of-speech tagger on the reference tags of the dataset. The built-in
//! tagger was made by this command; the same data gives the same bytes. It uses no knowledge files.

use crate::outcome::Outcome;
use crate::tagged::references;
use anyhow::{Context, Result};
use std::io::Write;
use std::path::PathBuf;
use tabwise::text::train::Training;

/// Options of `train-tagger`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise lab train-tagger --data wtq --out tagger.bin

The tagger depends on the data alone: --knowledge has no effect here.")]
pub struct Args {
    /// Folder of the dataset, with the subfolder tagged
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// File to write the tagger to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Trains on all tagged questions and cells, and writes the tagger.
pub(crate) fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    let all = references(&args.data)?;
    let (questions, cells): (Vec<_>, Vec<_>) = (all.questions.iter().collect(), all.cells.iter().collect());
    let tagger = Training::default().train(&questions, &cells).write();
    std::fs::write(&args.out, &tagger).with_context(|| format!("cannot write {}", args.out.display()))?;
    writeln!(out, "{} bytes, from {} questions and {} cells", tagger.len(), questions.len(), cells.len())?;
    Ok(Outcome::Done)
}
