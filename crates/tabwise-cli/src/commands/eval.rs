//! `tabwise eval`: answers the questions of a split and says how many are right, how many could be, and what it cost.

use crate::commands::settings::SettingsArgs;
use crate::commands::train::bar;
use crate::dataset::Split;
use crate::outcome::Outcome;
use crate::usage::usage;
use anyhow::{Context, Result};
use rayon::prelude::*;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;
use tabwise::evaluate::prediction_line;
use tabwise::grammar::Grammar;
use tabwise::learn::judge;
use tabwise::model::Model;
use tabwise::parse::parse;
use tabwise::settings::Settings;
use tabwise::text::Annotator;
use tabwise::words::Words;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  tabwise eval --data wtq --split random-split-1-dev --model model.bin --predictions out.tsv"
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
    settings: SettingsArgs,
}

/// What happened to one example.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    pub id: String,
    pub answer: Vec<String>,
    pub formula: Option<String>,
    /// Whether the answer is right.
    pub right: bool,
    /// Whether some candidate is right.
    pub possible: bool,
    pub candidates: usize,
    /// The first right candidate, its rank and its size.
    pub right_formula: Option<String>,
    pub right_rank: Option<usize>,
    pub right_size: Option<usize>,
}

/// The figures of a split.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    pub examples: usize,
    pub accuracy: f64,
    pub oracle: f64,
    pub candidates: f64,
}

impl Figures {
    pub fn new(verdicts: &[Verdict]) -> Figures {
        let count = verdicts.len().max(1) as f64;
        let share = |of: fn(&Verdict) -> bool| 100.0 * verdicts.iter().filter(|v| of(v)).count() as f64 / count;
        Figures {
            examples: verdicts.len(),
            accuracy: share(|v| v.right),
            oracle: share(|v| v.possible),
            candidates: verdicts.iter().map(|v| v.candidates as f64).sum::<f64>() / count,
        }
    }
}

/// Evaluates and prints.
pub fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    args.settings.use_threads()?;
    let model = match &args.model {
        Some(path) => Model::read(&std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?)
            .with_context(|| path.display().to_string())?,
        None => Model::new(args.settings.settings()?, Vec::new()),
    };
    let settings = args.settings.over(model.settings.clone())?;
    let (words, annotator, grammar) = (Words::embedded(), Annotator::embedded(), Grammar::embedded());
    let (began, before) = (Instant::now(), usage());
    let split = Split::load(&args.data, &args.split, &words, &annotator)?;
    let verdicts = judge_all(&split, &model, &settings, &words, &annotator, &grammar);
    let (seconds, after) = (began.elapsed().as_secs_f64(), usage());
    let figures = Figures::new(&verdicts);
    writeln!(
        out,
        "accuracy {:.2} %, oracle {:.2} %, {:.0} candidates a question",
        figures.accuracy, figures.oracle, figures.candidates
    )?;
    let count = verdicts.len().max(1) as f64;
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

/// Answers every question, side by side, in order.
pub fn judge_all(
    split: &Split,
    model: &Model,
    settings: &Settings,
    words: &Words,
    annotator: &Annotator,
    grammar: &Grammar,
) -> Vec<Verdict> {
    let progress = bar(split.examples.len() as u64, "eval");
    let verdict = |at: usize| {
        let verdict = split.with_scene(at, words, annotator, settings, |scene| {
            let parse = parse(scene, grammar, settings, model);
            let right = judge(&parse, scene.graph, &split.targets[at]);
            let show = |at: usize| {
                tabwise::formula::notation::show(&parse.formulas, scene.graph, parse.candidates[at].formula)
            };
            let first = right.iter().position(|right| *right);
            let best = parse.candidates.first();
            Verdict {
                id: split.examples[at].id.clone(),
                answer: best
                    .map(|best| {
                        best.values().iter().map(|value| tabwise::evaluate::printed(scene.graph, *value)).collect()
                    })
                    .unwrap_or_default(),
                formula: best.map(|_| show(0)),
                right: right.first() == Some(&true),
                possible: first.is_some(),
                candidates: parse.candidates.len(),
                right_formula: first.map(show),
                right_rank: first,
                right_size: first
                    .and_then(|at| parse.candidates[at].derivation)
                    .map(|id| parse.derivations[id.0 as usize].size),
            }
        });
        progress.inc(1);
        verdict
    };
    let verdicts = (0..split.examples.len()).into_par_iter().map(verdict).collect();
    progress.finish_and_clear();
    verdicts
}
