//! `tabwise lab candidates`: writes the candidates of each question that the reader reads, the best one of each of the first
//! answers, with the scores of a linear model that has not seen the question. The reader is trained on this file.

use crate::dataset;
use crate::files::write_whole;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::settings::SettingsArgs;
use anyhow::{Result, ensure};
use rayon::prelude::*;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use tabwise::answer::reading;
use tabwise::evaluate::{Example, Examples, judge_formulas};
use tabwise::learn::{Confidence, train};
use tabwise::{Knowledge, Model, Settings};

/// Options of `candidates`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise lab candidates --data wtq --split training --with generated --folds 4 --out candidates.jsonl
  tabwise lab candidates --data wtq --split random-split-1-dev --model split-1.bin --out dev.jsonl

With --folds K the questions are parted into K folds, those of the dataset by table and generated ones by wording; each
fold is ranked by a model that was trained on the others. With --model all are ranked by that model.

Writes a JSON object a line: id, kind, table, question, fold, answerable, and candidates, the best of each answer, with
their text, formula, linear score, right (true or false), and the number of the answer.")]
pub struct Args {
    /// Folder of the dataset
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Questions to rank candidates for: a file of DIR/data without its extension
    #[arg(long, value_name = "NAME")]
    split: String,
    /// Folder with generated questions to add; may be given several times
    #[arg(long, value_name = "DIR")]
    with: Vec<PathBuf>,
    /// Model that ranks all questions
    #[arg(long, value_name = "FILE", required_unless_present = "folds", conflicts_with = "folds")]
    model: Option<PathBuf>,
    /// Number of folds
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(2..))]
    folds: Option<u64>,
    /// Number of answers of a question whose best candidate is written
    #[arg(long, value_name = "N", default_value_t = 24)]
    top: usize,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Settings to train and rank with.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

/// A question as it is written.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    kind: &'a str,
    table: &'a str,
    question: &'a str,
    fold: usize,
    answerable: bool,
    candidates: Vec<Entry>,
}

/// A candidate as it is written.
#[derive(Serialize)]
struct Entry {
    text: String,
    formula: String,
    score: f64,
    right: bool,
    pool: usize,
}

/// Ranks the candidates and writes them.
pub(crate) fn run(args: Args, knowledge: &Knowledge, progress: &Progress, out: &mut impl Write) -> Result<Outcome> {
    ensure!(!args.out.is_dir(), "{} is a folder; --out must be a file", args.out.display());
    let model = args.model.as_deref().map(|path| crate::eval::load(Some(path))).transpose()?;
    let settings = model.as_ref().map_or_else(Settings::default, |model| model.settings.clone());
    let settings = args.settings.over(settings, &knowledge.grammar)?;
    let mut examples = dataset::load(&args.data, &args.split, &args.with, knowledge, settings.cells)?;
    let sources = dataset::sources(&args.data, &args.split, &args.with)?;
    let all = std::mem::take(&mut examples.list);
    let folds = args.folds.unwrap_or(1) as usize;
    let mut lines: Vec<(usize, String)> = Vec::new();
    for fold in 0..folds {
        let is_held = |example: &Example| example.fold % folds == fold;
        let trained = match &model {
            Some(_) => None,
            None => {
                examples.list = all.iter().filter(|example| !is_held(example)).cloned().collect();
                Some(train(&examples, knowledge, settings.clone(), Confidence::Plain, &progress.bars())?)
            }
        };
        let Some(model) = trained.as_ref().or(model.as_ref()) else { continue };
        let held: Vec<usize> = (0..all.len()).filter(|at| is_held(&all[*at])).collect();
        let bar = progress.bar(held.len() as u64, "candidates");
        let line = |at: &usize| {
            bar.inc(1);
            let source = &sources[*at];
            let entries = entries(&all[*at], &examples, knowledge, model, &settings, args.top);
            let line = Line {
                id: &source.id,
                kind: &source.kind,
                table: &source.context,
                question: &source.utterance,
                fold,
                answerable: !source.target.is_empty(),
                candidates: entries,
            };
            (*at, serde_json::to_string(&line).expect("texts and numbers are plain data"))
        };
        lines.extend(held.par_iter().map(line).collect::<Vec<_>>());
        bar.finish_and_clear();
    }
    lines.sort_by_key(|(at, _)| *at);
    let text: String = lines.iter().map(|(_, line)| format!("{line}\n")).collect();
    write_whole(&args.out, text.as_bytes())?;
    writeln!(out, "{} questions in {}", lines.len(), args.out.display())?;
    Ok(Outcome::Done)
}

/// The best candidates of a question.
fn entries(
    example: &Example,
    examples: &Examples,
    knowledge: &Knowledge,
    model: &Model,
    settings: &Settings,
    top: usize,
) -> Vec<Entry> {
    let table = examples.table(example);
    let question = table.question(&example.question, knowledge, settings);
    let mut ranking = table.rank(&question, &knowledge.grammar, settings, model).heeding(&settings.heed);
    let right = judge_formulas(&mut ranking, &table.graph, &example.target);
    let (pools, _) = ranking.pooled();
    let texts = reading::texts(&mut ranking, &pools, top, &knowledge.phrases);
    let headers = reading::headers(&ranking, &pools);
    let entry = |(pool, text): (usize, String)| {
        let text = format!("{text} ; {headers}");
        let candidate = &ranking.candidates[pools[pool].best()];
        let formula = tabwise::formula::notation::show(ranking.executor.formulas(), &table.graph, candidate.formula);
        let right = pools[pool].members.iter().any(|member| right[*member]);
        Entry { text, formula, score: candidate.score, right, pool }
    };
    texts.into_iter().enumerate().map(entry).collect()
}
