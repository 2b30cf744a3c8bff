//! `tabwise lab train`: trains a model on the questions and answers of a split. It trains twice: with all
//! of them, and without a fifth of the tables and of the generated wordings, on which the confidence is then fitted.

use crate::dataset;
use crate::files::{Lock, with_ending, write_whole};
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::reader::ReaderArgs;
use crate::settings::SettingsArgs;
use anyhow::{Context, Result, ensure};
use std::io::Write;
use std::path::{Path, PathBuf};
use tabwise::evaluate::{Example, Examples};
use tabwise::graph::Cells;
use tabwise::learn::{Confidence, Training, Written};
use tabwise::{Knowledge, Settings};

/// Options of `train`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise lab train --data wtq --split random-split-1-train --out model.bin
  tabwise lab train --data wtq --split random-split-1-train --out model.bin --resume
  tabwise lab train --data wtq --split training --with generated --out model.bin
  tabwise lab train --data wtq --split training --corrections corrections.jsonl --out model.bin
  tabwise lab train --data wtq --split random-split-1-train --out paper.bin --settings paper")]
pub struct Args {
    /// Folder of the dataset
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Questions to learn from: a file of DIR/data without its extension
    #[arg(long, value_name = "NAME")]
    split: String,
    /// Folder of generated questions to learn from as well, written by `tabwise lab generate`; may be repeated
    #[arg(long, value_name = "DIR")]
    with: Vec<PathBuf>,
    /// File of corrections to learn from as well, as `chat` and `serve --store` keep it
    #[arg(long, value_name = "FILE")]
    corrections: Option<PathBuf>,
    /// File to write the model to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Continue an interrupted run after its last complete pass
    #[arg(long)]
    resume: bool,
    /// Reader that the confidence is fitted with.
    #[command(flatten)]
    pub reader: ReaderArgs,
    /// Settings to train with.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

/// Trains and writes the model. The state is saved next to it after each pass, and removed at the end.
pub(crate) fn run(args: Args, knowledge: &Knowledge, progress: &Progress, out: &mut impl Write) -> Result<Outcome> {
    ensure!(!args.out.is_dir(), "{} is a folder; --out must be a file", args.out.display());
    ensure!(args.out.is_file() || !args.out.exists(), "{} is no file; --out must be one", args.out.display());
    let settings = args.reader.over(args.settings.over(Settings::default(), &knowledge.grammar)?);
    let mut examples = dataset::load(&args.data, &args.split, &args.with, knowledge, settings.cells)?;
    if let Some(path) = &args.corrections {
        add_corrections(&mut examples, path, knowledge, settings.cells, out)?;
    }
    let _lock = Lock::take(&args.out)?;
    let state = with_ending(&args.out, "state");
    let mut training = match args.resume {
        true => resume(&state, &examples, knowledge, settings)?,
        false => Training::new(&examples, knowledge, settings, Confidence::Fitted)?,
    };
    write_whole(&state, &training.write())?;
    while let Some(pass) = training.pass(&examples, knowledge, &progress.bars()) {
        writeln!(out, "{pass}")?;
        out.flush()?;
        write_whole(&state, &training.write())?;
    }
    if let Some(held) = training.held() {
        writeln!(out, "{held}")?;
    }
    let model = training.model();
    write_whole(&args.out, &model.write())?;
    std::fs::remove_file(&state).ok();
    writeln!(out, "{} features in {}", model.len(), args.out.display())?;
    Ok(Outcome::Done)
}

/// Adds the corrections of a file to the examples.
fn add_corrections(
    examples: &mut Examples,
    path: &Path,
    knowledge: &Knowledge,
    cells: Cells,
    out: &mut impl Write,
) -> Result<()> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let written = Written::read(&text).with_context(|| path.display().to_string())?;
    let (more, left_out) = written.examples(knowledge, cells);
    writeln!(out, "{} corrections to learn from, {left_out} without their table", more.list.len())?;
    let before = examples.tables.len();
    examples.tables.extend(more.tables);
    examples.list.extend(more.list.into_iter().map(|it| Example { table: before + it.table, ..it }));
    Ok(())
}

/// Reads the state of an interrupted run.
fn resume(path: &Path, examples: &Examples, knowledge: &Knowledge, settings: Settings) -> Result<Training> {
    let bytes = std::fs::read(path)
        .with_context(|| format!("cannot resume: there is no interrupted run at {}", path.display()))?;
    Training::resume(&bytes, examples, knowledge, settings).with_context(|| path.display().to_string())
}
