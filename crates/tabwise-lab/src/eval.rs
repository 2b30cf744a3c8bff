//! `tabwise lab eval`: answers the questions of a split and says how many are right, how many could be, and what it
//! cost.

use crate::dataset::Split;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::settings::SettingsArgs;
use crate::usage::usage;
use anyhow::{Context, Result};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tabwise::answer::{Knowledge, answer_of};
use tabwise::confidence::{Signals, pools};
use tabwise::evaluate::{
    Judged, accuracy_at_coverage, coverage_and_accuracy, expected_calibration_error, prediction_line,
};
use tabwise::features::Scene;
use tabwise::formula::notation::show;
use tabwise::learn::judge;
use tabwise::model::Model;
use tabwise::parse::parse;
use tabwise::settings::Settings;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  tabwise lab eval --data wtq --split random-split-1-dev --model model.bin --predictions out.tsv"
)]
pub struct Args {
    /// The folder of the dataset
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// The questions to answer: a file of DIR/data without its ending
    #[arg(long, value_name = "NAME")]
    split: String,
    /// The model to answer with
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Write the answers here: a line for each example, its id, then the items, tab-separated
    #[arg(long, value_name = "FILE")]
    predictions: Option<PathBuf>,
    /// Write the figures, and what happened to each example, here
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    pub settings: SettingsArgs,
}

/// What happened to one example.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Verdict {
    pub id: String,
    pub answer: Vec<String>,
    pub confidence: f64,
    pub formula: Option<String>,
    /// Whether the answer is right.
    pub right: bool,
    /// Whether the best candidate alone would have been right.
    pub best_right: bool,
    /// Whether some candidate is right.
    pub possible: bool,
    pub candidates: usize,
    /// The first right candidate, its rank and its size.
    pub right_formula: Option<String>,
    pub right_rank: Option<usize>,
    pub right_size: Option<usize>,
    /// What confidence is made of.
    #[serde(skip)]
    pub signals: Option<Signals>,
}

/// The figures of a split, in percent.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    pub examples: usize,
    pub accuracy: f64,
    pub best_accuracy: f64,
    pub oracle: f64,
    pub candidates: f64,
    /// The expected calibration error.
    pub calibration_error: f64,
    /// The accuracy of the surest 100, 75, 50 and 25 % of the answers.
    pub accuracy_at: [f64; 4],
}

/// The coverages that accuracy is given at.
const COVERAGES: [f64; 4] = [1.0, 0.75, 0.5, 0.25];

impl Figures {
    pub fn new(verdicts: &[Verdict]) -> Figures {
        let count = verdicts.len().max(1) as f64;
        let share = |of: fn(&Verdict) -> bool| 100.0 * verdicts.iter().filter(|v| of(v)).count() as f64 / count;
        let judged: Vec<Judged> = verdicts.iter().map(|v| (v.confidence, v.right)).collect();
        Figures {
            examples: verdicts.len(),
            accuracy: share(|v| v.right),
            best_accuracy: share(|v| v.best_right),
            oracle: share(|v| v.possible),
            candidates: verdicts.iter().map(|v| v.candidates as f64).sum::<f64>() / count,
            calibration_error: expected_calibration_error(&judged),
            accuracy_at: COVERAGES.map(|coverage| 100.0 * accuracy_at_coverage(&judged, coverage)),
        }
    }
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Figures { accuracy, best_accuracy, oracle, candidates, calibration_error, accuracy_at, .. } = self;
        writeln!(f, "accuracy {accuracy:.2} %, oracle {oracle:.2} %, {candidates:.0} candidates a question")?;
        writeln!(f, "accuracy of the best candidate alone {best_accuracy:.2} %")?;
        let [all, most, half, some] = accuracy_at;
        writeln!(f, "accuracy of the surest 100, 75, 50, 25 %: {all:.1}, {most:.1}, {half:.1}, {some:.1} %")?;
        write!(f, "expected calibration error {calibration_error:.3}")
    }
}

/// What thresholds of confidence do: how many questions are answered, and how many of those rightly.
fn say_thresholds(verdicts: &[Verdict], out: &mut impl Write) -> Result<()> {
    let judged: Vec<Judged> = verdicts.iter().map(|v| (v.confidence, v.right)).collect();
    for least in [0.1, 0.15, 0.2, 0.3, 0.4, 0.5] {
        let (share, accuracy) = coverage_and_accuracy(&judged, least);
        let silent = judged.iter().filter(|(confidence, _)| *confidence < least);
        let missed = silent.clone().filter(|(_, is_right)| *is_right).count() as f64 / silent.count().max(1) as f64;
        let [share, accuracy, missed] = [share, accuracy, missed].map(|part| 100.0 * part);
        writeln!(
            out,
            "--min-confidence {least}: {share:.1} % answered, {accuracy:.1} % of them right; of the others {missed:.1} %"
        )?;
    }
    Ok(())
}

fn load(path: Option<&Path>) -> Result<Model> {
    let Some(path) = path else { return Ok(Model::embedded()) };
    let bytes = std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    Model::read(&bytes).with_context(|| path.display().to_string())
}

/// Evaluates and prints.
pub fn run(args: Args, knowledge: &Knowledge, progress: &Progress, out: &mut impl Write) -> Result<Outcome> {
    let model = load(args.model.as_deref())?;
    let settings = args.settings.over(model.settings.clone())?;
    let (began, before) = (Instant::now(), usage()?);
    let split = Split::load(&args.data, &args.split, knowledge)?;
    let all: Vec<usize> = (0..split.examples.len()).collect();
    let verdicts = judge_all(&all, &split, &model, &settings, knowledge, progress);
    let (seconds, after) = (began.elapsed().as_secs_f64(), usage()?);
    let figures = Figures::new(&verdicts);
    let count = verdicts.len().max(1) as f64;
    writeln!(out, "{figures}")?;
    say_thresholds(&verdicts, out)?;
    writeln!(
        out,
        "{:.0} questions a second, {:.2} ms of CPU a question, {:.0} MB at the peak",
        count / seconds,
        1e3 * (after.cpu_seconds - before.cpu_seconds) / count,
        after.peak_bytes as f64 / 1e6
    )?;
    if let Some(path) = &args.predictions {
        let lines: String = verdicts.iter().map(|v| prediction_line(&v.id, &v.answer) + "\n").collect();
        std::fs::write(path, lines).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    if let Some(path) = &args.json {
        let all = serde_json::json!({ "figures": figures, "examples": verdicts });
        std::fs::write(path, serde_json::to_vec(&all)?)
            .with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(Outcome::Done)
}

/// Answers some questions of a split, side by side; the verdicts come in their order.
pub fn judge_all(
    examples: &[usize],
    split: &Split,
    model: &Model,
    settings: &Settings,
    knowledge: &Knowledge,
    progress: &Progress,
) -> Vec<Verdict> {
    let bar = progress.bar(examples.len() as u64, "eval");
    let verdict = |at: &usize| {
        let verdict =
            split.with_scene(*at, knowledge, settings, |scene| verdict(*at, scene, split, model, settings, knowledge));
        bar.inc(1);
        verdict
    };
    let verdicts = examples.par_iter().map(verdict).collect();
    bar.finish_and_clear();
    verdicts
}

fn verdict(
    at: usize,
    scene: Scene,
    split: &Split,
    model: &Model,
    settings: &Settings,
    knowledge: &Knowledge,
) -> Verdict {
    let parse = parse(scene, &knowledge.grammar, settings, model);
    let right = judge(&parse, scene.graph, &split.targets[at]);
    let pools = pools(&parse.candidates, scene.graph);
    let signals = Signals::of(&parse, &pools);
    let chosen = pools.first().map(|pool| pool.best());
    let first = right.iter().position(|right| *right);
    let text = |at: usize| show(&parse.formulas, scene.graph, parse.candidates[at].formula);
    let size = |at: usize| parse.candidates[at].derivation.map(|id| parse.derivations[id.0 as usize].size);
    Verdict {
        id: split.examples[at].id.clone(),
        answer: chosen.map(|at| answer_of(scene.graph, &parse.candidates[at].denotation)).unwrap_or_default(),
        confidence: signals.as_ref().map_or(0.0, |signals| model.calibration.confidence(signals)),
        formula: chosen.map(text),
        right: chosen.is_some_and(|at| right[at]),
        best_right: right.first() == Some(&true),
        possible: first.is_some(),
        candidates: parse.candidates.len(),
        right_formula: first.map(text),
        right_rank: first,
        right_size: first.and_then(size),
        signals,
    }
}
