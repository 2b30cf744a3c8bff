//! The record of an answer: plain data that can be printed, sent and read back.

use crate::explain::Step;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a question was answered with. Cells are `[row, column]`, both counted from 0, the header not counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    pub question: String,
    /// The values; empty when it abstains.
    pub answer: Vec<String>,
    /// How probable it is that the answer is right, from 0 to 1.
    pub confidence: f64,
    /// Whether the program would rather not say: it has no candidate, or is too unsure of the best one.
    pub abstains: bool,
    /// What it would have said, when it abstains.
    pub guess: Vec<String>,
    /// What may help, when it abstains.
    pub hint: Option<String>,
    /// The formula behind the answer or the guess, in the notation that reads back.
    pub formula: String,
    /// The formula with the signs of the paper.
    pub paper: String,
    /// The formula in English.
    pub english: String,
    /// The parts of the formula in English, each with what it gives.
    pub steps: Vec<Step>,
    /// The cells that the answer stands in or was computed from.
    pub cells: Vec<[u32; 2]>,
    /// The cells that conditions and orders looked at.
    pub used: Vec<[u32; 2]>,
    /// The columns that the formula speaks of.
    pub columns: Vec<u16>,
    /// The words of the question that the formula has no use for.
    pub unused: Vec<Unused>,
    /// The different answers the question may have, the most probable first; the first is the answer itself.
    pub meanings: Vec<Meaning>,
    /// The formulas that were ranked best.
    pub candidates: Vec<Listed>,
    /// How many formulas were ranked.
    pub candidate_count: usize,
}

/// One answer that the question may have, with the best formula that gives it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meaning {
    pub answer: Vec<String>,
    pub confidence: f64,
    pub english: String,
    pub formula: String,
    pub paper: String,
    pub steps: Vec<Step>,
    pub cells: Vec<[u32; 2]>,
    pub used: Vec<[u32; 2]>,
    pub columns: Vec<u16>,
}

/// A candidate as it is listed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listed {
    pub formula: String,
    pub answer: Vec<String>,
    pub score: f64,
    pub probability: f64,
}

/// A word of the question that the formula has no use for, with its place in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unused {
    pub text: String,
    pub start: usize,
    pub end: usize,
}

impl Answer {
    /// An answer with the first of its meanings, which is only a guess when it abstains.
    pub(super) fn new(
        question: &str,
        meanings: Vec<Meaning>,
        abstains: bool,
        hint: Option<String>,
        unused: Vec<Unused>,
        candidates: Vec<Listed>,
        candidate_count: usize,
    ) -> Answer {
        let best = meanings.first().cloned().unwrap_or_else(Meaning::none);
        let (answer, guess) = if abstains { (Vec::new(), best.answer) } else { (best.answer, Vec::new()) };
        Answer {
            question: question.to_string(),
            answer,
            confidence: best.confidence,
            abstains,
            guess,
            hint,
            formula: best.formula,
            paper: best.paper,
            english: best.english,
            steps: best.steps,
            cells: best.cells,
            used: best.used,
            columns: best.columns,
            unused,
            meanings,
            candidates,
            candidate_count,
        }
    }

    /// An answer that abstains because there is nothing to say.
    pub(super) fn none(question: &str, hint: &str) -> Answer {
        Answer::new(question, Vec::new(), true, Some(hint.to_string()), Vec::new(), Vec::new(), 0)
    }
}

/// The values, or "I do not know".
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.abstains {
            true => f.write_str("I do not know"),
            false => f.write_str(&self.answer.join(", ")),
        }
    }
}

impl Meaning {
    fn none() -> Meaning {
        Meaning {
            answer: Vec::new(),
            confidence: 0.0,
            english: String::new(),
            formula: String::new(),
            paper: String::new(),
            steps: Vec::new(),
            cells: Vec::new(),
            used: Vec::new(),
            columns: Vec::new(),
        }
    }
}
