//! The response to a question: the library's answer with a few fields of the server's own, within a number of bytes. Lists
//! and texts that are too long are cut, and the response says so.

use serde::Serialize;
use tabwise::answer::{Answer, Execution, Meaning};
use tabwise::explain::Step;
use utoipa::ToSchema;

/// Response of `POST /api/ask`: one answer, or a list of them if a list of questions was sent.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "there is one for each request")]
pub(crate) enum Replied<'a> {
    One(Answered<'a>),
    All(AnsweredAll<'a>),
}

/// An answer, with its table and its link. Lists of cells have at most 2000 entries, and so do lists of values unless `all`
/// was asked for.
#[derive(Serialize, ToSchema)]
pub(crate) struct Answered<'a> {
    #[serde(flatten)]
    pub answer: Answer,
    /// Id of the table, for further questions.
    pub table_id: &'a str,
    /// True if values of an answer were left out; `all` asks for them.
    pub shortened: bool,
    /// Path of the page that shows this question again, as long as the link is kept.
    #[schema(example = "/q/0123456789abcdef")]
    pub link: String,
    /// Time taken; for the first question, including reading the table.
    pub milliseconds: f64,
}

/// Answers to a list of questions.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnsweredAll<'a> {
    /// Id of the table, for further questions.
    pub table_id: &'a str,
    /// Answers in the order of the questions.
    pub answers: Vec<Answered<'a>>,
}

/// Values of a formula, with its table.
#[derive(Serialize, ToSchema)]
pub(crate) struct Executed<'a> {
    #[serde(flatten)]
    pub execution: Execution,
    /// Id of the table, for further questions.
    pub table_id: &'a str,
    /// True if values were left out; `all` asks for them.
    pub shortened: bool,
}

/// Maximum number of cells in a list, and of values in an answer unless all are asked for, so that responses stay small.
const MOST_LISTED: usize = 2_000;

/// Maximum number of bytes of one text, and of the texts of a response together.
struct Most {
    one: usize,
    all: usize,
}

const USUAL: Most = Most { one: 20_000, all: 2 << 20 };
const EVERYTHING: Most = Most { one: 1 << 20, all: 16 << 20 };

/// Fewest cells that are listed with each of many answers.
const FEWEST_LISTED: usize = 100;

/// Shortens an answer, one of some in a response; tells if values were left out.
pub(crate) fn shorten(answer: &mut Answer, all: bool, answers: usize) -> bool {
    shorten_cells(answer, (MOST_LISTED / answers.max(1)).max(FEWEST_LISTED));
    let shortened = !all && shorten_values(answer);
    let mut left = Texts::new(all, answers);
    left.cut_answer(answer);
    shortened || left.cut
}

/// Shortens the result of a formula; tells if values were left out.
pub(crate) fn shorten_execution(execution: &mut Execution, all: bool) -> bool {
    [&mut execution.cells, &mut execution.used].into_iter().for_each(|list| list.truncate(MOST_LISTED));
    let mut left = Texts::new(all, 1);
    if !all {
        let rows = execution.table.as_mut().and_then(|table| shorten_list(&mut table.rows));
        left.cut = shorten_list(&mut execution.denotation).or(rows).is_some();
    }
    left.cut_list(&mut execution.denotation);
    execution.table.iter_mut().for_each(|table| left.cut_rows(&mut table.rows));
    [&mut execution.english, &mut execution.formula, &mut execution.paper]
        .into_iter()
        .for_each(|text| left.cut_text(text));
    left.cut
}

/// Shortens the lists of cells: nobody looks at more.
fn shorten_cells(answer: &mut Answer, most: usize) {
    let own = [&mut answer.cells, &mut answer.used];
    let of_meanings = answer.meanings.iter_mut().flat_map(|meaning| [&mut meaning.cells, &mut meaning.used]);
    own.into_iter().chain(of_meanings).for_each(|list| list.truncate(most));
}

/// Shortens the lists of values to [`MOST_LISTED`], and tells if there were more.
fn shorten_values(answer: &mut Answer) -> bool {
    let own = [&mut answer.answer, &mut answer.guess];
    let lists = own.into_iter().chain(answer.meanings.iter_mut().map(|meaning| &mut meaning.answer));
    let long_lists = lists.filter_map(shorten_list).count();
    let tables = answer.meanings.iter_mut().map(|meaning| &mut meaning.table).chain([&mut answer.table]);
    let long_tables = tables.flatten().filter_map(|table| shorten_list(&mut table.rows)).count();
    long_lists + long_tables > 0
}

/// Shortens one list; `None` if it was short.
fn shorten_list<T>(list: &mut Vec<T>) -> Option<()> {
    let is_long = list.len() > MOST_LISTED;
    list.truncate(MOST_LISTED);
    is_long.then_some(())
}

/// Bytes that are left for texts.
struct Texts {
    most: Most,
    cut: bool,
}

impl Texts {
    /// The bytes for one of some answers in a response.
    fn new(all: bool, answers: usize) -> Texts {
        let Most { one, all } = if all { EVERYTHING } else { USUAL };
        Texts { most: Most { one, all: all / answers.max(1) }, cut: false }
    }

    /// Cuts the texts of an answer, the most important first.
    fn cut_answer(&mut self, answer: &mut Answer) {
        [&mut answer.answer, &mut answer.guess].into_iter().for_each(|list| self.cut_list(list));
        [&mut answer.english, &mut answer.formula, &mut answer.paper].into_iter().for_each(|text| self.cut_text(text));
        self.cut_steps(&mut answer.steps);
        answer.table.iter_mut().for_each(|table| self.cut_rows(&mut table.rows));
        self.cut_list(&mut answer.notes);
        answer.meanings.iter_mut().for_each(|meaning| self.cut_meaning(meaning));
        for candidate in &mut answer.candidates {
            self.cut_list(&mut candidate.answer);
            self.cut_text(&mut candidate.formula);
        }
    }

    fn cut_meaning(&mut self, meaning: &mut Meaning) {
        self.cut_list(&mut meaning.answer);
        [&mut meaning.english, &mut meaning.formula, &mut meaning.paper]
            .into_iter()
            .for_each(|text| self.cut_text(text));
        self.cut_steps(&mut meaning.steps);
        meaning.table.iter_mut().for_each(|table| self.cut_rows(&mut table.rows));
    }

    fn cut_steps(&mut self, steps: &mut [Step]) {
        for step in steps {
            self.cut_text(&mut step.english);
            self.cut_list(&mut step.result);
        }
    }

    fn cut_rows(&mut self, rows: &mut [Vec<String>]) {
        rows.iter_mut().for_each(|row| self.cut_list(row));
    }

    fn cut_list(&mut self, list: &mut [String]) {
        list.iter_mut().for_each(|text| self.cut_text(text));
    }

    fn cut_text(&mut self, text: &mut String) {
        let most = self.most.one.min(self.most.all);
        if text.len() > most {
            text.truncate(text.floor_char_boundary(most));
            text.push('…');
            // A text that is cut keeps its memory otherwise, which counts while other questions are answered.
            text.shrink_to_fit();
            self.cut = true;
        }
        self.most.all = self.most.all.saturating_sub(text.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(values: Vec<String>) -> Answer {
        let rows: Vec<[String; 1]> = values.iter().map(|value| [value.clone()]).collect();
        let meaning = json!({
            "answer": values, "table": { "header": ["n"], "rows": rows }, "confidence": 0.5, "english": "",
            "formula": "", "paper": "", "steps": [], "cells": vec![[0, 0]; values.len()], "used": [], "columns": [],
        });
        let mut answer = meaning.clone();
        let own = json!({
            "question": "", "abstains": false, "guess": [], "hint": null, "unused": [], "meanings": [meaning],
            "candidates": [], "candidate_count": 1,
        });
        own.as_object().into_iter().flatten().for_each(|(name, value)| answer[name] = value.clone());
        serde_json::from_value(answer).expect("these are the fields of an answer")
    }

    #[test]
    fn long_lists_are_shortened() {
        let numbers = |count: usize| answer((0..count).map(|n| n.to_string()).collect());
        let (mut long, mut short) = (numbers(MOST_LISTED + 1), numbers(MOST_LISTED));
        assert!(shorten(&mut long, false, 1) && !shorten(&mut short, false, 1));
        assert_eq!(long, short, "all lists have the same length");
    }

    #[test]
    fn long_texts_are_cut_to_a_number_of_bytes_for_all() {
        for (all, most) in [(false, USUAL), (true, EVERYTHING)] {
            let mut long = answer(vec!["é".repeat(400_000); 40]);
            assert!(shorten(&mut long, all, 1));
            assert!(serde_json::to_string(&long).expect("an answer is JSON").len() < most.all + 10_000);
            assert!(long.answer.iter().map(String::capacity).sum::<usize>() < most.all + 10_000);
        }
    }
}
