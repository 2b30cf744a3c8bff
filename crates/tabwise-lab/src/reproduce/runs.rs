//! Runs: a model trained with some settings on a split, and what it answers. The same run is made once, whichever
//! experiments need it, and several runs can be made side by side.

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
use tabwise::hash::Fingerprint;
use tabwise::learn::{Confidence, train};
use tabwise::{Knowledge, Model, Settings};

/// The split of the annotated questions: trained on the questions about other tables.
pub const ANNOTATED: &str = "annotated";

/// How much of the data is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    All,
    /// A small sample, and one pass.
    Sample,
}

impl Amount {
    fn cut<T>(self, list: &mut Vec<T>, sample: usize) {
        if self == Amount::Sample {
            list.truncate(sample);
        }
    }
}

/// How many questions a sample trains on, and how many it answers.
const SAMPLE: (usize, usize) = (60, 40);

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Job {
    /// What it is for, for people.
    pub label: String,
    pub settings: Settings,
    pub split: String,
}

/// What tells runs apart.
fn key(settings: &Settings, split: &str) -> String {
    format!("{split} {}", serde_json::to_string(settings).expect("settings are plain data"))
}

/// What a run gave: a verdict for each question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    pub verdicts: Vec<Verdict>,
    /// For annotated questions, whether a hand-written formula is among the candidates.
    pub found: Vec<bool>,
    pub seconds: f64,
}

/// Questions to learn from, and questions to answer.
pub struct Pair {
    pub train: Examples,
    pub dev: Examples,
    pub annotated: Vec<Annotated>,
}

/// Where and how runs are made.
pub struct Workshop<'a> {
    pub data: PathBuf,
    pub amount: Amount,
    pub knowledge: &'a Knowledge,
    pub progress: &'a Progress,
    pub jobs: usize,
    pub threads: usize,
    /// Where finished runs are kept, and what tells those of one program from those of another.
    pub work: Option<PathBuf>,
    pub commit: String,
    pub pairs: BTreeMap<String, Pair>,
    pub runs: Mutex<BTreeMap<String, Arc<Run>>>,
}

impl Workshop<'_> {
    /// Reads the questions and tables of splits.
    pub fn load(&mut self, splits: BTreeSet<String>) -> Result<()> {
        for name in splits {
            let pair = if name == ANNOTATED { self.annotated_pair()? } else { self.pair(&name)? };
            self.pairs.insert(name, pair);
        }
        Ok(())
    }

    fn pair(&self, name: &str) -> Result<Pair> {
        let part = |end: &str, sample: usize| {
            let mut list = records(&self.data, &format!("{name}-{end}"))?;
            self.amount.cut(&mut list, sample);
            examples(&list, &self.data, self.knowledge)
        };
        Ok(Pair { train: part("train", SAMPLE.0)?, dev: part("dev", SAMPLE.1)?, annotated: Vec::new() })
    }

    fn annotated_pair(&self) -> Result<Pair> {
        let mut annotated = annotated(&self.data)?;
        self.amount.cut(&mut annotated, SAMPLE.1);
        let tables: BTreeSet<&str> = annotated.iter().map(|example| example.table.as_str()).collect();
        let mut others = records(&self.data, "training")?;
        others.retain(|record| !tables.contains(record.context.as_str()));
        self.amount.cut(&mut others, SAMPLE.0);
        let asked: Vec<Record> = annotated.iter().map(record).collect();
        Ok(Pair {
            train: examples(&others, &self.data, self.knowledge)?,
            dev: examples(&asked, &self.data, self.knowledge)?,
            annotated,
        })
    }

    /// The settings as they are run: a sample makes one pass.
    fn run_settings(&self, settings: &Settings) -> Settings {
        let passes = if self.amount == Amount::Sample { 1 } else { settings.passes };
        Settings { passes, ..settings.clone() }
    }

    /// Makes runs, each once and in the order in which they are first asked for, several at the same time. `after` is
    /// called when one is done.
    pub fn make(&self, mut jobs: Vec<Job>, after: &(dyn Fn() -> Result<()> + Sync)) -> Result<()> {
        let mut seen = BTreeSet::new();
        jobs.retain(|job| seen.insert(key(&job.settings, &job.split)));
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let workers = (0..self.jobs.min(jobs.len())).map(|_| scope.spawn(|| self.work_off(&jobs, &next, after)));
            let workers: Vec<_> = workers.collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a run does not panic"))
        })
    }

    fn work_off(&self, jobs: &[Job], next: &AtomicUsize, after: &(dyn Fn() -> Result<()> + Sync)) -> Result<()> {
        let threads = (self.threads / self.jobs).max(1);
        let pool = threads::pool(Some(threads))?;
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            pool.install(|| self.finish(job, jobs.len()).and_then(|()| after()))?;
        }
        Ok(())
    }

    /// Makes one run of so many and says what it gave.
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

    /// A run from the folder of finished ones, or a new one, which is put there.
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

    fn file_name(&self, key: &str) -> String {
        let made_by = format!("{key} {} {:?} {}", self.commit, self.amount, self.knowledge.fingerprint());
        format!("{}.json", Fingerprint::of([made_by.as_bytes()]))
    }

    fn run(&self, job: &Job) -> Result<Run> {
        let began = Instant::now();
        let pair = &self.pairs[&job.split];
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

    /// Whether the run of some settings on a split was made.
    pub fn has(&self, settings: &Settings, split: &str) -> bool {
        self.runs.lock().expect("no run panicked").contains_key(&key(settings, split))
    }

    /// The run of some settings on a split, which was made before.
    pub fn run_of(&self, settings: &Settings, split: &str) -> Arc<Run> {
        self.runs.lock().expect("no run panicked")[&key(settings, split)].clone()
    }
}

fn record(annotated: &Annotated) -> Record {
    Record {
        id: annotated.id.clone(),
        utterance: annotated.utterance.clone(),
        context: annotated.table.clone(),
        target: annotated.target.clone(),
    }
}

/// Whether two formulas are the same, whatever the order of the parts of `&` and `|`. Relations are spelt one way already.
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
