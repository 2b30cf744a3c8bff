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
        let here = same().find(|correction| correction.table == *table);
        here.or_else(|| same().find(|one| one.given == Given::Formula && one.columns == *columns))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn correction(id: &str, step: Step) -> Correction {
        Correction {
            id: id.to_owned(),
            columns: String::new(),
            table: String::new(),
            question: "which?".to_owned(),
            given: Given::Answer,
            answer: vec!["a".to_owned()],
            formula: None,
            step,
        }
    }

    #[test]
    fn a_correction_that_is_taken_back_leaves_no_trace() {
        let step = |feature: u64, length| Step::new(vec![(feature, 1.0), (9, -0.3)], length);
        let first = correction("1", step(1, 0.3));
        let mut all = Corrections::new(vec![first.clone(), correction("2", step(2, 0.7)), correction("3", step(1, 0.1))]);
        assert_eq!(all.remove("2").map(|removed| removed.id).as_deref(), Some("2"));
        let without = Corrections::new(vec![first, correction("3", step(1, 0.1))]);
        assert_eq!(format!("{:?}", all.overlay()), format!("{:?}", without.overlay()));
        assert!(all.remove("2").is_none() && all.list() == without.list());
    }

    #[test]
    fn one_question_has_one_correction() {
        let mut all = Corrections::new(vec![correction("1", Step::default())]);
        all.add(Correction { answer: vec!["b".to_owned()], ..correction("1", Step::default()) });
        assert_eq!(all.list().len(), 1);
        assert_eq!(all.list()[0].answer, ["b"]);
    }

    #[test]
    fn questions_are_the_same_in_any_case_and_spacing() {
        assert_eq!(normal(" Which  City was LAST ?"), normal("which city was last"));
        assert_ne!(normal("which city?"), normal("which cities?"));
    }
}
