//! `tabwise train`: learns a model from the questions and answers of a split.

use crate::commands::settings::SettingsArgs;
use crate::dataset::Split;
use crate::outcome::Outcome;
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::io::Write;
use std::path::{Path, PathBuf};
use tabwise::grammar::Grammar;
use tabwise::learn::{Learner, Lesson, shuffled};
use tabwise::settings::Settings;
use tabwise::text::Annotator;
use tabwise::words::Words;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  tabwise train --data wtq --split random-split-1-train --out model.bin")]
pub struct Args {
    /// The folder of the dataset
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// The questions to learn from: a file of DIR/data without its ending
    #[arg(long, value_name = "NAME")]
    split: String,
    /// Where to write the model
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Go on after the last pass of a run that was interrupted
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    settings: SettingsArgs,
}

/// Trains and writes the model.
pub fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    args.settings.use_threads()?;
    let settings = args.settings.settings()?;
    let (words, annotator, grammar) = (Words::embedded(), Annotator::embedded(), Grammar::embedded());
    let split = Split::load(&args.data, &args.split, &words, &annotator)?;
    let state = args.out.with_extension("state");
    let mut learner = if args.resume { resume(&state, &settings)? } else { Learner::new(settings) };
    while learner.passes < learner.settings().passes {
        let seen = pass(&mut learner, &split, &words, &annotator, &grammar);
        learner.passes += 1;
        writeln!(out, "pass {}: {seen}", learner.passes)?;
        out.flush()?;
        save(&state, &learner)?;
    }
    let model = learner.model();
    std::fs::write(&args.out, model.write()).with_context(|| format!("{} cannot be written", args.out.display()))?;
    std::fs::remove_file(&state).ok();
    writeln!(out, "{} features in {}", model.len(), args.out.display())?;
    Ok(Outcome::Done)
}

/// What a pass saw while it learned.
pub struct Seen {
    count: usize,
    right: usize,
    possible: usize,
}

impl std::fmt::Display for Seen {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let share = |n: usize| 100.0 * n as f64 / self.count.max(1) as f64;
        write!(f, "{:.1} % right while learning, {:.1} % possible", share(self.right), share(self.possible))
    }
}

/// One pass over all examples.
pub fn pass(learner: &mut Learner, split: &Split, words: &Words, annotator: &Annotator, grammar: &Grammar) -> Seen {
    let order = shuffled(split.examples.len());
    let progress = bar(order.len() as u64, &format!("pass {}", learner.passes + 1));
    let mut seen = Seen { count: order.len(), right: 0, possible: 0 };
    for batch in order.chunks(learner.settings().batch.max(1)) {
        let learn = |at: &usize| -> Lesson {
            split.with_scene(*at, words, annotator, learner.settings(), |scene| {
                learner.learn(scene, grammar, &split.targets[*at])
            })
        };
        let lessons: Vec<Lesson> = batch.par_iter().map(learn).collect();
        for lesson in &lessons {
            learner.apply(&lesson.gradient);
            seen.right += usize::from(lesson.is_right);
            seen.possible += usize::from(lesson.is_possible);
        }
        progress.inc(batch.len() as u64);
    }
    progress.finish_and_clear();
    seen
}

/// A bar with rate and time left, on standard error when that is a terminal.
pub fn bar(len: u64, title: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} {bar:40} {pos}/{len} ({per_sec}, {eta} left)");
    ProgressBar::new(len).with_prefix(title.to_string()).with_style(style.expect("the template is fixed"))
}

fn save(path: &Path, learner: &Learner) -> Result<()> {
    let bytes = serde_json::to_vec(learner)?;
    std::fs::write(path, bytes).with_context(|| format!("{} cannot be written", path.display()))
}

fn resume(path: &Path, settings: &Settings) -> Result<Learner> {
    let bytes = std::fs::read(path)
        .with_context(|| format!("{}: there is no interrupted run to go on with", path.display()))?;
    let learner: Learner =
        serde_json::from_slice(&bytes).with_context(|| format!("{} is damaged: train anew", path.display()))?;
    anyhow::ensure!(learner.settings() == settings, "{} was begun with other settings: train anew", path.display());
    Ok(learner)
}
