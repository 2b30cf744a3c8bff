//! Corrections: what people said about answers. The same question about the same table is answered as it was corrected, and
//! all corrections together are an overlay on the weights of the model, so that they count for other questions as well.
//! [`crate::learn::correct`] makes a correction; an [`Asker`](super::Asker) has those that are in force.

use super::PreparedTable;
use crate::graph::Graph;
use crate::hash::Fingerprint;
use crate::model::{Overlay, Step};
use serde::{Deserialize, Serialize};

/// The right answer to a question about a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// Name of the correction, made of the table and the question: there is one correction of a question.
    pub id: String,
    /// Fingerprint of the names of the table's columns.
    pub columns: String,
    /// Fingerprint of everything in the table.
    pub table: String,
    /// The question.
    pub question: String,
    /// Part of the correction that a person gave.
    pub given: Given,
    /// The right answer, as it is printed.
    pub answer: Vec<String>,
    /// Formula that gives it; `None` if none was found.
    pub formula: Option<String>,
    /// Change of the weights.
    pub step: Step,
}

/// Part of a correction that a person gave. It decides which tables the correction is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Given {
    /// The formula, which was chosen. It stays right in a table with the same columns and other rows.
    Formula,
    /// The answer, which was typed in. A formula that gives it may do so by chance, so it is about this very table.
    Answer,
}

/// Corrections in force, in the order in which they were made.
#[derive(Clone, Debug, Default)]
pub struct Corrections {
    list: Vec<Correction>,
    overlay: Overlay,
}

impl Corrections {
    /// Corrections in their order. A later one replaces an earlier one of the same question.
    pub fn new(list: Vec<Correction>) -> Corrections {
        let mut all = Corrections::default();
        list.into_iter().for_each(|correction| all.add(correction));
        all
    }

    /// Adds a correction in the place of an earlier one of the same question.
    pub fn add(&mut self, correction: Correction) {
        self.remove(&correction.id);
        self.overlay.add(&correction.step);
        self.list.push(correction);
    }

    /// Takes a correction back. What is left is as if it had never been made.
    pub fn remove(&mut self, id: &str) -> Option<Correction> {
        let at = self.list.iter().position(|correction| correction.id == id)?;
        let removed = self.list.remove(at);
        self.overlay = Overlay::of(self.list.iter().map(|correction| &correction.step));
        Some(removed)
    }

    /// The corrections, the oldest first.
    pub fn list(&self) -> &[Correction] {
        &self.list
    }

    /// What they change together.
    pub fn overlay(&self) -> &Overlay {
        &self.overlay
    }

    /// The newest correction of a question about a table, if possible about the table with these very rows.
    pub fn find(&self, table: &PreparedTable, question: &str) -> Option<&Correction> {
        let asked = normal(question);
        let same = || self.list.iter().rev().filter(|correction| normal(&correction.question) == asked);
        same().next()?;
        let Identity { columns, table } = table.identity();
        let here = same().find(|correction| correction.table == table);
        here.or_else(|| same().find(|one| one.given == Given::Formula && one.columns == columns))
    }
}

/// Fingerprints by which a table is known again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Fingerprint of the names of its columns.
    pub columns: String,
    /// Fingerprint of everything in it.
    pub table: String,
}

impl Identity {
    pub(super) fn of(graph: &Graph) -> Identity {
        let headers = || graph.columns().iter().map(|column| column.header.as_bytes());
        let cells = graph.columns().iter().flat_map(|column| &column.cells);
        let texts = cells.map(|entity| graph.name(*entity).as_bytes());
        Identity {
            columns: Fingerprint::of(headers()).to_string(),
            table: Fingerprint::of(headers().chain(texts)).to_string(),
        }
    }

    /// Name of the correction of a question about the table.
    pub fn correction(&self, question: &str) -> String {
        Fingerprint::of([self.table.as_bytes(), normal(question).as_bytes()]).to_string()
    }
}

/// A question without its case, white space and final marks, which people do not write the same way twice.
fn normal(question: &str) -> String {
    let words: Vec<&str> = question.split_whitespace().collect();
    words.join(" ").trim_end_matches(['?', '.', '!', ' ']).to_lowercase()
}
