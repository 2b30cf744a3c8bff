//! Learning from answers: rank the candidates of a question, see which are right, and move the weights so that right ones
//! score higher. Examples of a batch are ranked side by side with the same weights and then applied in order, so the
//! result is the same for any number of threads.
//!
//! [`train`] does all of it; [`Training`] does it pass by pass, can be written down after each, and goes on later.

mod correct;
mod learner;
mod lines;

pub use correct::{CorrectionError, Right, correct};
pub use lines::{CorrectedTable, Line, LineError, Written};

use crate::answer::{Error, Knowledge};
use crate::evaluate::{Author, Example, Examples, Verdict, judge_formulas};
use crate::hash::Fingerprint;
use crate::model::{Calibration, Model};
use crate::settings::Settings;
use learner::{Gradient, Learner};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Receiver of the progress of long work, from any thread.
pub trait Progress: Sync {
    /// Work of `count` items begins.
    fn begin(&self, title: &str, count: usize);
    /// `count` more items are done.
    fn advance(&self, count: usize);
    /// The work is done.
    fn end(&self);
}

/// No one looks.
impl Progress for () {
    fn begin(&self, _: &str, _: usize) {}
    fn advance(&self, _: usize) {}
    fn end(&self) {}
}

/// Treatment of confidence by a training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Confidence {
    /// Trains twice: the second time without a fifth of the tables and wordings, on whose questions the calibration is then
    /// fitted. The reader is needed for that alone, so a training that was resumed may end with another one.
    Fitted,
    /// Trains once; confidence is the ranking's own probability.
    Plain,
}

/// Learns a model from examples.
pub fn train(
    examples: &Examples,
    knowledge: &Knowledge,
    settings: Settings,
    confidence: Confidence,
    progress: &impl Progress,
) -> Result<Model, Error> {
    let mut training = Training::new(examples, knowledge, settings, confidence)?;
    while training.pass(examples, knowledge, progress).is_some() {}
    Ok(training.model())
}

/// A training under way. Each pass continues where the one before ended.
#[derive(Debug, Serialize, Deserialize)]
pub struct Training {
    source: Source,
    confidence: Confidence,
    learner: Learner,
    /// What was learned from all examples, while `learner` learns from a part of them.
    whole: Option<Learner>,
    calibration: Calibration,
    held: Option<Held>,
}

/// Origin of a training: it can only go on with the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Source {
    settings: Settings,
    knowledge: Fingerprint,
    questions: Fingerprint,
}

/// Reason why a training cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    /// Bytes that are no training, or damaged ones.
    #[error("the file is no interrupted training, or damaged: train anew")]
    Damaged,
    /// A training with other settings.
    #[error("the training was begun with other settings: train anew")]
    Settings,
    /// A training with other words or rules.
    #[error("the training was begun with other words or rules: train anew")]
    Knowledge,
    /// A training on other questions.
    #[error("the training was begun with other questions: train anew")]
    Questions,
}

/// Results of one pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pass {
    /// Title of the stage.
    pub stage: &'static str,
    /// Number of the pass within its stage, from 1.
    pub number: usize,
    /// Number of passes of the stage.
    pub of: usize,
    /// Examples seen.
    pub count: usize,
    /// Examples whose best candidate was right when they were seen.
    pub right: usize,
    /// Examples with a right candidate.
    pub possible: usize,
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let share = |n: usize| 100.0 * n as f64 / self.count.max(1) as f64;
        let Pass { stage, number, of, .. } = self;
        write!(f, "{stage}, pass {number} of {of}: {:.1} % right while learning, ", share(self.right))?;
        write!(f, "{:.1} % possible", share(self.possible))
    }
}

/// Answers on questions that were held back: right ones and all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// Questions of the dataset, on tables that were not seen.
    pub people: (usize, usize),
    /// Training questions that were written for a formula, on tables that were not seen.
    pub for_formula: (usize, usize),
    /// Training questions that were asked first, on tables that were not seen.
    pub freely: (usize, usize),
    /// Generated questions with an answer, in wordings that were not seen.
    pub template: (usize, usize),
}

impl Held {
    fn new<'e>(cases: impl Iterator<Item = (&'e Example, &'e Verdict)>) -> Held {
        let mut held = Held::default();
        for (example, verdict) in cases.filter(|(example, _)| !example.target.items().is_empty()) {
            let counts = match example.author {
                Author::Person => &mut held.people,
                Author::ForFormula => &mut held.for_formula,
                Author::Freely => &mut held.freely,
                Author::Template => &mut held.template,
            };
            counts.0 += usize::from(verdict.right);
            counts.1 += 1;
        }
        held
    }
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let share = |(right, all): (usize, usize)| 100.0 * right as f64 / all.max(1) as f64;
        write!(f, "held back: {:.1} % of {} questions right", share(self.people), self.people.1)?;
        let others = [
            (self.freely, "written ones"),
            (self.for_formula, "written ones for a formula"),
            (self.template, "generated ones in other wordings"),
        ];
        let mut there = others.into_iter().filter(|((_, all), _)| *all > 0);
        there.try_for_each(|(of, name)| write!(f, ", {:.1} % of {} {name}", share(of), of.1))
    }
}

/// One fold of this number is held back when confidence is fitted.
const HELD: usize = 5;

impl Training {
    /// A training that has not begun.
    pub fn new(
        examples: &Examples,
        knowledge: &Knowledge,
        settings: Settings,
        confidence: Confidence,
    ) -> Result<Training, Error> {
        settings.check(&knowledge.grammar)?;
        let source = Source::new(examples, knowledge, settings.clone());
        let learner = Learner::new(settings);
        Ok(Training { source, confidence, learner, whole: None, calibration: Calibration::default(), held: None })
    }

    /// Makes the next pass; `None` when all are done.
    pub fn pass(&mut self, examples: &Examples, knowledge: &Knowledge, progress: &impl Progress) -> Option<Pass> {
        if self.learner.pass().is_none() && self.confidence == Confidence::Fitted {
            match self.whole {
                None => {
                    let next = Learner::new(self.source.settings.clone());
                    self.whole = Some(std::mem::replace(&mut self.learner, next));
                }
                Some(_) => self.fit(examples, knowledge, progress),
            }
        }
        let (number, of) = self.learner.pass()?;
        let (stage, seen): (&str, Vec<&Example>) = match self.whole {
            None => ("with all", examples.list.iter().collect()),
            Some(_) => ("without a fifth", examples.list.iter().filter(|example| !is_held(example)).collect()),
        };
        let mut pass = Pass { stage, number, of, count: seen.len(), right: 0, possible: 0 };
        progress.begin(&format!("pass {number} of {of}"), seen.len());
        for batch in self.learner.order(seen.len()).chunks(self.source.settings.batch.max(1)) {
            let learn = |at: &usize| self.learn(seen[*at], examples, knowledge);
            let lessons: Vec<Lesson> = batch.par_iter().map(learn).collect();
            for lesson in &lessons {
                self.learner.apply(&lesson.gradient);
                pass.right += usize::from(lesson.is_right);
                pass.possible += usize::from(lesson.is_possible);
            }
            progress.advance(batch.len());
        }
        self.learner.end_pass();
        progress.end();
        Some(pass)
    }

    /// Fits confidence, once what was learned from a part of the examples is complete.
    fn fit(&mut self, examples: &Examples, knowledge: &Knowledge, progress: &impl Progress) {
        let model = self.learner.model(self.source.knowledge);
        let (calibration, held) = calibrate(model, examples, knowledge, progress);
        self.calibration = calibration;
        self.held = Some(held);
    }

    /// Ranks the candidates of an example and finds the move that raises the right ones.
    fn learn(&self, example: &Example, examples: &Examples, knowledge: &Knowledge) -> Lesson {
        let (table, settings) = (examples.table(example), &self.source.settings);
        let question = table.question(&example.question, knowledge, settings);
        let mut ranking = table.rank(&question, &knowledge.grammar, settings, &self.learner);
        let right = judge_formulas(&mut ranking, &table.graph, &example.target);
        Lesson {
            gradient: self.learner.gradient(&ranking, &right),
            is_right: right.first() == Some(&true),
            is_possible: right.contains(&true),
        }
    }

    /// Answers on the questions that were held back, once they are known.
    pub fn held(&self) -> Option<Held> {
        self.held
    }

    /// The model, when all passes are done.
    pub fn model(self) -> Model {
        let learner = self.whole.as_ref().unwrap_or(&self.learner);
        let mut model = learner.model(self.source.knowledge);
        model.calibration = self.calibration;
        model
    }

    /// Bytes from which [`Training::resume`] goes on.
    pub fn write(&self) -> Vec<u8> {
        let content = postcard::to_allocvec(self).expect("weights are plain data");
        let sum = Fingerprint::of([content.as_slice()]);
        postcard::to_extend(&sum, content).expect("a fingerprint is plain data")
    }

    /// Goes on with a training that was written down, if it is of the same settings, knowledge and questions.
    pub fn resume(
        bytes: &[u8],
        examples: &Examples,
        knowledge: &Knowledge,
        settings: Settings,
    ) -> Result<Training, ResumeError> {
        let (training, rest) = postcard::take_from_bytes::<Training>(bytes).map_err(|_| ResumeError::Damaged)?;
        let content = &bytes[..bytes.len() - rest.len()];
        if postcard::from_bytes(rest) != Ok(Fingerprint::of([content])) {
            return Err(ResumeError::Damaged);
        }
        let source = Source::new(examples, knowledge, settings);
        match &training.source {
            begun if begun.settings != source.settings => Err(ResumeError::Settings),
            begun if begun.knowledge != source.knowledge => Err(ResumeError::Knowledge),
            begun if begun.questions != source.questions => Err(ResumeError::Questions),
            _ => Ok(training),
        }
    }
}

impl Source {
    fn new(examples: &Examples, knowledge: &Knowledge, settings: Settings) -> Source {
        let texts = examples.list.iter().flat_map(|example| [example.id.as_bytes(), example.question.as_bytes()]);
        Source { settings, knowledge: knowledge.fingerprint(), questions: Fingerprint::of(texts) }
    }
}

/// Lesson of one example.
struct Lesson {
    gradient: Gradient,
    /// True when the best candidate was right.
    is_right: bool,
    /// True when any candidate was right.
    is_possible: bool,
}

/// Tells if an example is held back to fit confidence.
fn is_held(example: &Example) -> bool {
    example.fold.is_multiple_of(HELD)
}

/// Confidence is fitted to one in so many of the questions like this one. Those that somebody asked first all count. Those made for a
/// formula or from a template are easier, and more of those from a template have no answer than people would ask.
fn share(example: &Example) -> usize {
    match (example.author, example.target.items().is_empty()) {
        (Author::Person | Author::Freely, _) | (Author::ForFormula, true) => 1,
        (Author::ForFormula, false) | (Author::Template, true) => 2,
        (Author::Template, false) => 5,
    }
}

/// Fits confidence to the answers of a model on the tables that it has not seen, without a reader and, if there is one, with it.
fn calibrate(
    model: Model,
    examples: &Examples,
    knowledge: &Knowledge,
    progress: &impl Progress,
) -> (Calibration, Held) {
    let held = examples.list.iter().filter(|example| is_held(example));
    let counts = |(at, example): &(usize, &Example)| at.is_multiple_of(share(example));
    let held: Vec<&Example> = held.enumerate().filter(counts).map(|(_, example)| example).collect();
    let judge = |settings: &Settings| -> Vec<Verdict> {
        progress.begin("calibration", held.len());
        let verdict = |example: &&Example| {
            let verdict = examples.verdict(example, knowledge, &model, settings);
            progress.advance(1);
            verdict
        };
        let verdicts = held.par_iter().map(verdict).collect();
        progress.end();
        verdicts
    };
    let mut cases = judge(&Settings { reader: false, ..model.settings.clone() });
    let mut right = Held::new(held.iter().copied().zip(&cases));
    if model.settings.reader && knowledge.reader.is_some() {
        let read = judge(&model.settings);
        right = Held::new(held.iter().copied().zip(&read));
        cases.extend(read);
    }
    let known = cases.into_iter().filter_map(|verdict| Some((verdict.signals?, verdict.right)));
    (Calibration::fit(&known.collect::<Vec<_>>()), right)
}
