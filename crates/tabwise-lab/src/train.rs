//! `tabwise lab train`: learns a model from the questions and answers of a split. It goes over them twice: first
//! without a fifth of the tables, to see how sure answers to unseen questions may be, then with all of them.

use crate::dataset::Split;
use crate::eval::{Verdict, judge_all};
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::settings::SettingsArgs;
use anyhow::{Context, Result};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};
use tabwise::answer::Knowledge;
use tabwise::learn::{Learner, Lesson};
use tabwise::model::Calibration;
use tabwise::settings::Settings;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  tabwise lab train --data wtq --split random-split-1-train --out model.bin")]
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
    pub settings: SettingsArgs,
}

/// Trains and writes the model.
pub fn run(args: Args, knowledge: &Knowledge, progress: &Progress, out: &mut impl Write) -> Result<Outcome> {
    let settings = args.settings.over(Settings::default())?;
    let split = Split::load(&args.data, &args.split, knowledge)?;
    let path = args.out.with_extension("state");
    let mut state = if args.resume { State::read(&path, &settings)? } else { State::new(settings) };
    if state.calibration.is_none() {
        let (shown, held) = split.parts();
        state.finish(&shown, &split, knowledge, progress, &path, out)?;
        let settings = state.learner.settings().clone();
        let cases = judge_all(&held, &split, &state.learner.model(), &settings, knowledge, progress);
        state = State { calibration: Some(calibrate(&cases)), learner: Learner::new(settings) };
        state.write(&path)?;
    }
    let all: Vec<usize> = (0..split.examples.len()).collect();
    state.finish(&all, &split, knowledge, progress, &path, out)?;
    let mut model = state.learner.model();
    model.calibration = state.calibration.unwrap_or_default();
    std::fs::write(&args.out, model.write()).with_context(|| format!("{} cannot be written", args.out.display()))?;
    std::fs::remove_file(&path).ok();
    writeln!(out, "{} features in {}", model.len(), args.out.display())?;
    Ok(Outcome::Done)
}

fn calibrate(cases: &[Verdict]) -> Calibration {
    let known = cases.iter().filter_map(|verdict| Some((verdict.signals.clone()?, verdict.right)));
    Calibration::fit(&known.collect::<Vec<_>>())
}

/// How far a training has come: without a calibration, it is still learning without the tables held back.
#[derive(Serialize, Deserialize)]
struct State {
    calibration: Option<Calibration>,
    learner: Learner,
}

impl State {
    fn new(settings: Settings) -> State {
        State { calibration: None, learner: Learner::new(settings) }
    }

    /// Makes the passes that are left over these examples; after each, what was learned is safe on disk.
    fn finish(
        &mut self,
        examples: &[usize],
        split: &Split,
        knowledge: &Knowledge,
        progress: &Progress,
        path: &Path,
        out: &mut impl Write,
    ) -> Result<()> {
        let title = if self.calibration.is_none() { "without a fifth" } else { "with all" };
        while let Some((number, all)) = self.learner.pass() {
            let seen = pass(&mut self.learner, examples, split, knowledge, progress);
            writeln!(out, "{title}, pass {number} of {all}: {seen}")?;
            out.flush()?;
            self.write(path)?;
        }
        Ok(())
    }

    fn write(&self, path: &Path) -> Result<()> {
        let bytes = serde_json::to_vec(&self.calibration)?;
        let bytes = [&(bytes.len() as u32).to_le_bytes(), bytes.as_slice(), &self.learner.write()].concat();
        let beside = path.with_extension("state-new");
        std::fs::write(&beside, bytes).with_context(|| format!("{} cannot be written", beside.display()))?;
        std::fs::rename(&beside, path).with_context(|| format!("{} cannot be written", path.display()))
    }

    fn read(path: &Path, settings: &Settings) -> Result<State> {
        let bytes = std::fs::read(path)
            .with_context(|| format!("{}: there is no interrupted run to go on with", path.display()))?;
        let state = State::parse(&bytes).with_context(|| format!("{} is damaged: train anew", path.display()))?;
        anyhow::ensure!(
            state.learner.settings() == settings,
            "{} was begun with other settings: train anew",
            path.display()
        );
        Ok(state)
    }

    fn parse(bytes: &[u8]) -> Option<State> {
        let (len, rest) = bytes.split_first_chunk()?;
        let (head, rest) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
        Some(State { calibration: serde_json::from_slice(head).ok()?, learner: Learner::read(rest)? })
    }
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

/// One pass over some examples of a split, in an order that is always the same.
pub fn pass(
    learner: &mut Learner,
    examples: &[usize],
    split: &Split,
    knowledge: &Knowledge,
    progress: &Progress,
) -> Seen {
    let order: Vec<usize> = learner.order(examples.len()).into_iter().map(|at| examples[at]).collect();
    let title = learner.pass().map_or(String::new(), |(number, all)| format!("pass {number} of {all}"));
    let bar = progress.bar(order.len() as u64, &title);
    let mut seen = Seen { count: order.len(), right: 0, possible: 0 };
    for batch in order.chunks(learner.settings().batch.max(1)) {
        let learn = |at: &usize| -> Lesson {
            split.with_scene(*at, knowledge, learner.settings(), |scene| {
                learner.learn(scene, &knowledge.grammar, &split.targets[*at])
            })
        };
        let lessons: Vec<Lesson> = batch.par_iter().map(learn).collect();
        for lesson in &lessons {
            learner.apply(&lesson.gradient);
            seen.right += usize::from(lesson.is_right);
            seen.possible += usize::from(lesson.is_possible);
        }
        bar.inc(batch.len() as u64);
    }
    learner.end_pass();
    bar.finish_and_clear();
    seen
}
