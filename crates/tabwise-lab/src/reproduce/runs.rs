//! Runs: a model is trained with some settings on a split and answers the questions of its development part. A run that
//! several experiments need is made once, and runs can be made in parallel.

use crate::annotated::{Annotated, annotated};
use crate::dataset::{examples, records};
use crate::eval::judge_all;
use crate::files::write_whole;
use crate::progress::Progress;
use crate::threads;
use anyhow::Result;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tabwise::evaluate::{Examples, Record, Verdict};
use tabwise::formula::lisp::{Lisp, read_lisp};
use tabwise::formula::{FormulaId, Formulas, Node};
use tabwise::graph::Cells;
use tabwise::hash::Fingerprint;
use tabwise::learn::{Confidence, train};
use tabwise::{Knowledge, Model, Settings};

/// Name of the split of annotated questions, which is trained on questions about other tables.
pub(super) const ANNOTATED: &str = "annotated";

/// Amount of data to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Amount {
    /// All questions.
    All,
    /// A small sample and one pass, for tests.
    Sample,
}

impl Amount {
    /// Shortens a list if only a sample is used.
    fn cut<T>(self, list: &mut Vec<T>, sample: usize) {
        if self == Amount::Sample {
            list.truncate(sample);
        }
    }
}

/// Number of questions that a sample trains on, and that it answers.
const SAMPLE: (usize, usize) = (60, 40);

/// A run to make.
#[derive(Clone, Debug)]
pub(super) struct Job {
    /// Experiment and row, for messages.
    pub label: String,
    /// Settings of the training.
    pub settings: Settings,
    /// Name of the split.
    pub split: String,
}

/// Key of a run: split and settings.
fn key(settings: &Settings, split: &str) -> String {
    format!("{split} {}", serde_json::to_string(settings).expect("settings are plain data"))
}

/// Result of a run: a verdict for each question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Run {
    /// A verdict for each question.
    pub verdicts: Vec<Verdict>,
    /// For each annotated question, true if a hand-written formula is among the candidates.
    pub found: Vec<bool>,
    /// Time that the run took.
    pub seconds: f64,
}

/// Training and development questions of a split.
pub(super) struct Pair {
    /// Questions to learn from.
    pub train: Examples,
    /// Questions to answer.
    pub dev: Examples,
    /// Annotated questions, in the order of `dev`.
    pub annotated: Vec<Annotated>,
}

/// A split, and the way of reading its tables.
pub(super) type Source = (String, Cells);

/// Data, options and finished runs of all experiments.
pub(super) struct Workshop<'a> {
    /// Folder of the dataset.
    pub data: PathBuf,
    /// Amount of data.
    pub amount: Amount,
    /// Words and rules.
    pub knowledge: &'a Knowledge,
    /// Progress bars.
    pub progress: &'a Progress,
    /// Number of runs at the same time.
    pub jobs: usize,
    /// Number of threads of all runs together.
    pub threads: usize,
    /// Folder of finished runs.
    pub work: Option<PathBuf>,
    /// Version of the program. Runs of other versions are not reused.
    pub commit: String,
    /// Questions by the name of their split and the way of reading their tables.
    pub pairs: BTreeMap<Source, Pair>,
    /// Finished runs by their key.
    pub runs: Mutex<BTreeMap<String, Arc<Run>>>,
}

impl Workshop<'_> {
    /// Reads the questions and tables of splits.
    pub(super) fn load(&mut self, sources: BTreeSet<Source>) -> Result<()> {
        for (name, cells) in sources {
            let pair = if name == ANNOTATED { self.annotated_pair(cells)? } else { self.pair(&name, cells)? };
            self.pairs.insert((name, cells), pair);
        }
        Ok(())
    }

    /// The questions of a split that has been read.
    pub(super) fn pair_of(&self, split: &str, cells: Cells) -> &Pair {
        &self.pairs[&(split.to_string(), cells)]
    }

    /// Reads the questions of a split.
    fn pair(&self, name: &str, cells: Cells) -> Result<Pair> {
        let part = |end: &str, sample: usize| {
            let mut list = records(&self.data, &format!("{name}-{end}"))?;
            self.amount.cut(&mut list, sample);
            examples(&list, &self.data, self.knowledge, cells)
        };
        Ok(Pair { train: part("train", SAMPLE.0)?, dev: part("dev", SAMPLE.1)?, annotated: Vec::new() })
    }

    /// Reads the annotated questions, and those of `training` about other tables.
    fn annotated_pair(&self, cells: Cells) -> Result<Pair> {
        let mut annotated = annotated(&self.data)?;
        self.amount.cut(&mut annotated, SAMPLE.1);
        let tables: BTreeSet<&str> = annotated.iter().map(|example| example.table.as_str()).collect();
        let mut others = records(&self.data, "training")?;
        others.retain(|record| !tables.contains(record.context.as_str()));
        self.amount.cut(&mut others, SAMPLE.0);
        let asked: Vec<Record> = annotated.iter().map(record).collect();
        Ok(Pair {
            train: examples(&others, &self.data, self.knowledge, cells)?,
            dev: examples(&asked, &self.data, self.knowledge, cells)?,
            annotated,
        })
    }

    /// The settings of a run; for a sample, with one pass.
    fn run_settings(&self, settings: &Settings) -> Settings {
        let passes = if self.amount == Amount::Sample { 1 } else { settings.passes };
        Settings { passes, ..settings.clone() }
    }

    /// Makes runs in parallel, each once, starting them in the given order. Calls `after` when one is done.
    pub(super) fn make(&self, mut jobs: Vec<Job>, after: &(dyn Fn() -> Result<()> + Sync)) -> Result<()> {
        let mut seen = BTreeSet::new();
        jobs.retain(|job| seen.insert(key(&job.settings, &job.split)));
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let workers = (0..self.jobs.min(jobs.len())).map(|_| scope.spawn(|| self.work_off(&jobs, &next, after)));
            let workers: Vec<_> = workers.collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a run does not panic"))
        })
    }

    /// Makes runs until none is left. Each worker has its share of the threads.
    fn work_off(&self, jobs: &[Job], next: &AtomicUsize, after: &(dyn Fn() -> Result<()> + Sync)) -> Result<()> {
        let threads = (self.threads / self.jobs).max(1);
        let pool = threads::pool(Some(threads))?;
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            pool.install(|| self.finish(job, jobs.len()).and_then(|()| after()))?;
        }
        Ok(())
    }

    /// Makes one of `count` runs and prints its result.
    fn finish(&self, job: &Job, count: usize) -> Result<()> {
        let key = key(&job.settings, &job.split);
        let run = Arc::new(self.kept_or_made(&key, job)?);
        let right = run.verdicts.iter().filter(|verdict| verdict.best_right).count();
        let said = format!("{}, {}: {right} of {} right", job.label, job.split, run.verdicts.len());
        let seconds = run.seconds;
        let done = {
            let mut runs = self.runs.lock().expect("no run panicked");
            runs.insert(key, run);
            runs.len()
        };
        self.progress.say(&format!("{done} of {count}: {said}, {seconds:.0} s"));
        Ok(())
    }

    /// Loads a run from the folder of finished runs, or makes and saves it.
    fn kept_or_made(&self, key: &str, job: &Job) -> Result<Run> {
        let path = self.work.as_ref().map(|folder| folder.join(self.file_name(key)));
        let kept = path.as_ref().and_then(|path| std::fs::read(path).ok());
        if let Some(run) = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
            return Ok(run);
        }
        let run = self.run(job)?;
        if let Some(path) = path {
            write_whole(&path, &serde_json::to_vec(&run)?)?;
        }
        Ok(run)
    }

    /// File name of a run: a hash of everything that determines its result.
    fn file_name(&self, key: &str) -> String {
        let made_by = format!("{key} {} {:?} {}", self.commit, self.amount, self.knowledge.fingerprint());
        format!("{}.json", Fingerprint::of([made_by.as_bytes()]))
    }

    /// Trains a model and answers the development questions.
    fn run(&self, job: &Job) -> Result<Run> {
        let began = Instant::now();
        let pair = self.pair_of(&job.split, job.settings.cells);
        let settings = self.run_settings(&job.settings);
        let model = train(&pair.train, self.knowledge, settings.clone(), Confidence::Plain, &self.progress.bars())?;
        let verdicts = judge_all(&pair.dev, self.knowledge, &model, &settings, self.progress);
        let is_found = |(at, example): (usize, &Annotated)| self.is_found(at, &example.formulas, &pair.dev, &model);
        let found = pair.annotated.par_iter().enumerate().map(is_found).collect();
        Ok(Run { verdicts, found, seconds: began.elapsed().as_secs_f64() })
    }

    /// Tells if one of the formulas is a candidate for a question.
    fn is_found(&self, at: usize, formulas: &[Lisp], asked: &Examples, model: &Model) -> bool {
        let (example, knowledge) = (&asked.list[at], self.knowledge);
        let table = asked.table(example);
        let question = table.question(&example.question, knowledge, &model.settings);
        let mut ranking = table.rank(&question, &knowledge.grammar, &model.settings, model);
        let read = |lisp: &Lisp| read_lisp(lisp, &table.graph, ranking.executor.formulas_mut()).ok();
        let wanted: Vec<FormulaId> = formulas.iter().filter_map(read).collect();
        let is_wanted = |id: FormulaId| wanted.iter().any(|formula| is_same(ranking.executor.formulas(), *formula, id));
        ranking.candidates.iter().any(|candidate| is_wanted(candidate.formula))
    }

    /// True if a run has been made.
    pub(super) fn has(&self, settings: &Settings, split: &str) -> bool {
        self.runs.lock().expect("no run panicked").contains_key(&key(settings, split))
    }

    /// A run that has been made.
    ///
    /// # Panics
    ///
    /// If it has not.
    pub(super) fn run_of(&self, settings: &Settings, split: &str) -> Arc<Run> {
        self.runs.lock().expect("no run panicked")[&key(settings, split)].clone()
    }
}

fn record(annotated: &Annotated) -> Record {
    Record {
        id: annotated.id.clone(),
        utterance: annotated.utterance.clone(),
        context: annotated.table.clone(),
        target: annotated.target.clone(),
        ..Record::default()
    }
}

/// True if two formulas are equal up to the order of the parts of `&` and `|`. Relations have one spelling already.
fn is_same(formulas: &Formulas, a: FormulaId, b: FormulaId) -> bool {
    let same = |a, b| is_same(formulas, a, b);
    a == b
        || match (formulas.node(a), formulas.node(b)) {
            (Node::And(a1, a2), Node::And(b1, b2)) | (Node::Or(a1, a2), Node::Or(b1, b2)) => {
                (same(a1, b1) && same(a2, b2)) || (same(a1, b2) && same(a2, b1))
            }
            (Node::Join(a1, a2), Node::Join(b1, b2)) => a1 == b1 && same(a2, b2),
            (Node::Aggregate(op, a), Node::Aggregate(other, b)) => op == other && same(a, b),
            (Node::Superlative(op, a1, a2), Node::Superlative(other, b1, b2)) => {
                op == other && a2 == b2 && same(a1, b1)
            }
            (Node::Arithmetic(op, a1, a2), Node::Arithmetic(other, b1, b2)) => {
                op == other && same(a1, b1) && same(a2, b2)
            }
            _ => false,
        }
}
