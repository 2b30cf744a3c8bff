//! `tabwise lab eval`: answers the questions of a split and reports accuracy, oracle (questions with a right
//! candidate), calibration of the confidence, and cost; and accuracy by kind, if the questions have kinds.

use crate::dataset;
use crate::files::write_whole;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::reader::ReaderArgs;
use crate::settings::SettingsArgs;
use crate::usage::usage;
use anyhow::{Context, Result};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tabwise::evaluate::{
    Example, Examples, Judged, Record, Verdict, accuracy_at_coverage, coverage_and_accuracy,
    expected_calibration_error, prediction_line,
};
use tabwise::{Knowledge, Model, Settings, Wanted};

/// Options of `eval`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise lab eval --data wtq --split random-split-1-dev
  tabwise lab eval --data wtq --split random-split-1-dev --model model.bin --predictions out.tsv
  tabwise lab eval --data wtq --split random-split-1-dev --settings paper --beam 100 --json out.json")]
pub struct Args {
    /// Folder of the dataset
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Questions to answer: a file of DIR/data without its extension
    #[arg(long, value_name = "NAME")]
    split: String,
    /// Model to answer with [default: the built-in model]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Write the answers to this file, one line per question: its id and the values, separated by tabs
    #[arg(long, value_name = "FILE")]
    predictions: Option<PathBuf>,
    /// Write the figures and the result of each question to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Reader to answer with.
    #[command(flatten)]
    pub reader: ReaderArgs,
    /// Settings to answer with.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

/// The figures of a split, in percent.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Figures {
    /// Number of questions.
    pub examples: usize,
    /// Share of questions whose answer is right.
    pub accuracy: f64,
    /// Share of questions whose best candidate is right, as the paper counts.
    pub best_accuracy: f64,
    /// Share of questions with a right candidate.
    pub oracle: f64,
    /// Mean number of candidates.
    pub candidates: f64,
    /// The expected calibration error.
    pub calibration_error: f64,
    /// Accuracy of the 100, 75, 50 and 25 % most confident answers.
    pub accuracy_at: [f64; 4],
}

/// Shares of the most confident answers for [`Figures::accuracy_at`].
const COVERAGES: [f64; 4] = [1.0, 0.75, 0.5, 0.25];

impl Figures {
    pub(crate) fn new(verdicts: &[Verdict]) -> Figures {
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
        writeln!(f, "accuracy {accuracy:.2} %, oracle {oracle:.2} %, {candidates:.0} candidates per question")?;
        writeln!(f, "accuracy of the best candidate alone {best_accuracy:.2} %")?;
        let [all, most, half, some] = accuracy_at;
        writeln!(
            f,
            "accuracy of the 100, 75, 50, 25 % most confident answers: {all:.1}, {most:.1}, {half:.1}, {some:.1} %"
        )?;
        write!(f, "expected calibration error {calibration_error:.3}")
    }
}

/// Prints, for some thresholds of confidence, the share of questions answered and the accuracy of both parts.
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

/// Prints the accuracy of each kind of question, if the file has kinds. A question without an answer should be declined.
fn say_kinds(records: &[Record], verdicts: &[Verdict], out: &mut impl Write) -> Result<()> {
    let mut kinds: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    for (record, verdict) in records.iter().zip(verdicts).filter(|(record, _)| !record.kind.is_empty()) {
        let (count, good, possible) = kinds.entry(&record.kind).or_default();
        let declined = verdict.confidence < Wanted::MIN_CONFIDENCE;
        *count += 1;
        *possible += usize::from(verdict.possible);
        *good += usize::from(if record.target.is_empty() { declined } else { verdict.right });
    }
    for (kind, (count, good, possible)) in kinds {
        let [good, possible] = [good, possible].map(|part| 100.0 * part as f64 / count as f64);
        writeln!(out, "{kind}: {count} questions, accuracy {good:.1} %, oracle {possible:.1} %")?;
    }
    Ok(())
}

/// Loads a model, or the built-in one.
pub(crate) fn load(path: Option<&Path>) -> Result<Model> {
    let Some(path) = path else { return Ok(Model::embedded()) };
    let bytes = std::fs::read(path).with_context(|| format!("cannot read the model {}", path.display()))?;
    Model::read(&bytes).with_context(|| path.display().to_string())
}

/// Evaluates a model and prints the figures.
pub(crate) fn run(args: Args, knowledge: &Knowledge, progress: &Progress, out: &mut impl Write) -> Result<Outcome> {
    let model = load(args.model.as_deref())?;
    let settings = args.reader.over(args.settings.over(model.settings.clone(), &knowledge.grammar)?);
    let (began, before) = (Instant::now(), usage()?);
    let records = dataset::records(&args.data, &args.split)?;
    let examples = dataset::examples(&records, &args.data, knowledge, settings.cells)?;
    let verdicts = judge_all(&examples, knowledge, &model, &settings, progress);
    let (seconds, after) = (began.elapsed().as_secs_f64(), usage()?);
    let figures = Figures::new(&verdicts);
    let count = verdicts.len().max(1) as f64;
    writeln!(out, "{figures}")?;
    say_thresholds(&verdicts, out)?;
    say_kinds(&records, &verdicts, out)?;
    writeln!(
        out,
        "{:.0} questions per second, {:.2} ms of CPU time per question, {:.0} MB peak memory",
        count / seconds,
        1e3 * (after.cpu_seconds - before.cpu_seconds) / count,
        after.peak_bytes as f64 / 1e6
    )?;
    if let Some(path) = &args.predictions {
        let lines: String = verdicts.iter().map(|v| prediction_line(&v.id, &v.answer) + "\n").collect();
        write_whole(path, lines.as_bytes())?;
    }
    if let Some(path) = &args.json {
        let all = serde_json::json!({ "figures": figures, "examples": verdicts });
        write_whole(path, &serde_json::to_vec(&all)?)?;
    }
    Ok(Outcome::Done)
}

/// Answers the questions of a split in parallel. The verdicts are in the order of the questions.
pub(crate) fn judge_all(
    examples: &Examples,
    knowledge: &Knowledge,
    model: &Model,
    settings: &Settings,
    progress: &Progress,
) -> Vec<Verdict> {
    let bar = progress.bar(examples.list.len() as u64, "eval");
    let verdict = |example: &Example| {
        let verdict = examples.verdict(example, knowledge, model, settings);
        bar.inc(1);
        verdict
    };
    let verdicts = examples.list.par_iter().map(verdict).collect();
    bar.finish_and_clear();
    verdicts
}
