//! The record of an answer: plain data that can be printed, sent and read back.

use crate::explain::Step;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Answer to a question. Cells are `[row, column]`, both counted from 0, the header not counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Answer {
    /// The question as it was asked.
    pub question: String,
    /// The values; empty when it abstains.
    pub answer: Vec<String>,
    /// The same as a table, if the answer is one of groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Groups>,
    /// Probability that the answer is right, from 0 to 1.
    pub confidence: f64,
    /// True if there is no candidate, or the best one is too unsure.
    pub abstains: bool,
    /// Values of the best candidate, when it abstains.
    pub guess: Vec<String>,
    /// Advice for the user, when it abstains.
    #[cfg_attr(feature = "schema", schema(required = true))]
    pub hint: Option<String>,
    /// The formula behind the answer or the guess, in the notation that reads back.
    pub formula: String,
    /// The formula with the signs of the paper.
    pub paper: String,
    /// The formula in English.
    pub english: String,
    /// The formula as a query of the default dialect of SQL; missing where SQL has no short form for it.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = true))]
    pub sql: Option<String>,
    /// Sentence on the query: why there is none, or what it reads that the source does not have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql_note: Option<String>,
    /// The parts of the formula in English, each with what it gives.
    pub steps: Vec<Step>,
    /// Cells that the answer is read or computed from.
    pub cells: Vec<[u32; 2]>,
    /// The cells that conditions and orders looked at.
    pub used: Vec<[u32; 2]>,
    /// Columns of the formula.
    pub columns: Vec<u16>,
    /// Words of the question that the formula does not use.
    pub unused: Vec<Unused>,
    /// Notes on how the table was read, one sentence each.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = true))]
    pub notes: Vec<String>,
    /// Different answers that the question may have, the most probable first; the first is the answer itself.
    pub meanings: Vec<Meaning>,
    /// Formulas that were ranked best.
    pub candidates: Vec<Listed>,
    /// Number of formulas that were ranked.
    pub candidate_count: usize,
    /// Name of the correction that this answer follows; missing if it follows none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<String>,
}

/// One answer that the question may have, with the best formula that gives it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Meaning {
    /// Values, as they are printed.
    pub answer: Vec<String>,
    /// The same as a table, if the answer is one of groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Groups>,
    /// Probability that this is the right answer, from 0 to 1.
    pub confidence: f64,
    /// Formula in English.
    pub english: String,
    /// Formula in the notation that reads back.
    pub formula: String,
    /// Formula with the signs of the paper.
    pub paper: String,
    /// The formula as a query of the default dialect of SQL; missing where SQL has no short form for it.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = true))]
    pub sql: Option<String>,
    /// Sentence on the query: why there is none, or what it reads that the source does not have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql_note: Option<String>,
    /// Parts of the formula in English, each with its result.
    pub steps: Vec<Step>,
    /// Cells that the answer is read or computed from.
    pub cells: Vec<[u32; 2]>,
    /// Cells that conditions and orders looked at.
    pub used: Vec<[u32; 2]>,
    /// Columns of the formula.
    pub columns: Vec<u16>,
}

/// Table of groups: one line for each different value, with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Groups {
    /// Names of the columns.
    pub header: Vec<String>,
    /// Cells of each line, as they are printed.
    pub rows: Vec<Vec<String>>,
}

/// A candidate as it is listed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Candidate))]
#[non_exhaustive]
pub struct Listed {
    /// Formula in the notation that reads back.
    pub formula: String,
    /// Values, as they are printed.
    pub answer: Vec<String>,
    /// Score by the model.
    pub score: f64,
    /// Share of all candidates' probability.
    pub probability: f64,
}

/// A word of the question that the formula does not use, with its place in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Unused {
    /// The word as it was written.
    pub text: String,
    /// First byte in the question.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
}

/// Note on an answer that follows a correction.
const CORRECTED: &str = "this is the answer that the question was corrected to";

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
            table: best.table.filter(|_| !abstains),
            confidence: best.confidence,
            abstains,
            guess,
            hint,
            formula: best.formula,
            paper: best.paper,
            english: best.english,
            sql: best.sql,
            sql_note: best.sql_note,
            steps: best.steps,
            cells: best.cells,
            used: best.used,
            columns: best.columns,
            unused,
            notes: Vec::new(),
            meanings,
            candidates,
            candidate_count,
            correction: None,
        }
    }

    /// The answer as someone corrected it. What was found is listed behind it, as what it is not.
    pub(super) fn corrected(self, right: Meaning, id: String, most: usize) -> Answer {
        let others = self.meanings.into_iter().filter(|meaning| meaning.answer != right.answer);
        let others = others.map(|meaning| Meaning { confidence: 0.0, ..meaning }).collect::<Vec<_>>();
        let meanings = std::iter::once(right).chain(others).take(most).collect();
        let (candidates, count) = (self.candidates, self.candidate_count);
        let answer = Answer::new(&self.question, meanings, false, None, Vec::new(), candidates, count);
        let notes = self.notes.into_iter().chain([CORRECTED.to_string()]).collect();
        Answer { correction: Some(id), notes, ..answer }
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
    pub(super) fn none() -> Meaning {
        Meaning {
            answer: Vec::new(),
            table: None,
            confidence: 0.0,
            english: String::new(),
            formula: String::new(),
            paper: String::new(),
            sql: None,
            sql_note: None,
            steps: Vec::new(),
            cells: Vec::new(),
            used: Vec::new(),
            columns: Vec::new(),
        }
    }
}
