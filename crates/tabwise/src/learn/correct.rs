//! Learning from one correction at once: the right candidates of a question are raised above the others by a step of the
//! weights that is bounded in length, so that a wrong correction does little harm. The step is part of the correction; an
//! [`Asker`] adds those of all corrections in force to its model.

use super::learner::{gradient, likelihood};
use crate::answer::{Asker, Correction, Error, Given, PreparedTable, Printer, Rows, read_formula};
use crate::evaluate::{Target, judge};
use crate::execute::Denotation;
use crate::formula::FormulaId;
use crate::formula::notation::show;
use crate::formula::types::type_of;
use crate::model::Step;
use crate::rank::Ranking;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The right answer to a question, as a person gives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Right {
    /// Formula that gives it, such as that of one of the meanings of an [`crate::Answer`].
    Formula(String),
    /// Its values.
    Answer(Vec<String>),
}

/// A correction that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CorrectionError {
    /// A question without a word.
    #[error("there is no question to correct the answer of")]
    Question,
    /// An answer without values.
    #[error("the right answer has no value; give at least one")]
    Empty,
    /// A formula that cannot be read or has no type.
    #[error("the formula is not one of this table: {0}")]
    Formula(Box<Error>),
    /// A formula without values in the table.
    #[error("the formula {0} gives no value in this table, so it is no answer")]
    Nothing(String),
}

/// Number of candidates of a big table that are judged: those are executed on all of its rows.
const MOST_EXECUTED: usize = 200;

/// Makes a correction of the answer to a question about a table. It counts once an asker is taught it
/// ([`Asker::teach`]); the same input gives the same correction.
///
/// # Errors
///
/// If the question has no word, the answer no value, or the formula cannot be read or has no value in this table. An answer
/// that no formula gives is no error: it is remembered for this question, and teaches nothing about others.
pub fn correct(
    asker: &Asker,
    table: &PreparedTable,
    question: &str,
    right: &Right,
) -> Result<Correction, CorrectionError> {
    if !question.contains(char::is_alphanumeric) {
        return Err(CorrectionError::Question);
    }
    let annotated = asker.sampled_question(table, question, Rows::Sample);
    let mut ranking = asker.rank(table, &annotated);
    if annotated.sample.is_some() {
        ranking = executed(ranking, table);
    }
    let found = match right {
        Right::Formula(text) => by_formula(&mut ranking, table, text)?,
        Right::Answer(values) => by_answer(&ranking, table, asker, values)?,
    };
    let identity = table.identity();
    Ok(Correction {
        id: identity.correction(question),
        columns: identity.columns,
        table: identity.table,
        question: question.to_owned(),
        given: found.given,
        answer: found.answer,
        formula: found.formula.map(|id| show(ranking.executor.formulas(), &table.graph, id)),
        step: step(&ranking, &found.right),
    })
}

/// What a correction says of the candidates.
struct Found {
    given: Given,
    answer: Vec<String>,
    formula: Option<FormulaId>,
    /// For each candidate, if it is right.
    right: Vec<bool>,
}

/// The best candidates of a big table with what they denote on all rows.
fn executed<'a>(ranking: Ranking<'a>, table: &'a PreparedTable) -> Ranking<'a> {
    let mut ranking = ranking.on(&table.graph);
    ranking.candidates.truncate(MOST_EXECUTED);
    let mut candidates = std::mem::take(&mut ranking.candidates);
    candidates.retain_mut(|candidate| match ranking.executor.denote(candidate.formula) {
        Ok(denotation) if denotation.is_answer() => {
            candidate.denotation = denotation;
            true
        }
        _ => false,
    });
    Ranking { candidates, ..ranking }
}

/// Judges candidates by a formula: right are those that give the same values.
fn by_formula(ranking: &mut Ranking, table: &PreparedTable, text: &str) -> Result<Found, CorrectionError> {
    let wrong = |error: Error| CorrectionError::Formula(Box::new(error));
    let formula = read_formula(text, &table.graph, ranking.executor.formulas_mut()).map_err(wrong)?;
    type_of(ranking.executor.formulas(), &table.graph, formula).map_err(|error| wrong(error.into()))?;
    let denotation: Rc<Denotation> = match ranking.executor.denote(formula) {
        Ok(denotation) if denotation.is_answer() => denotation,
        _ => return Err(CorrectionError::Nothing(text.to_owned())),
    };
    let answer = Printer::new(&ranking.executor, formula).answer(&denotation);
    let candidates = &ranking.candidates;
    let same: Vec<bool> = candidates.iter().map(|candidate| candidate.formula == formula).collect();
    let right = match candidates.iter().find(|candidate| candidate.formula == formula) {
        // Those that mean the same are right as well.
        Some(chosen) => {
            let values = chosen.values();
            let means = |one: &crate::rank::Candidate| one.basis == chosen.basis && one.values() == values;
            candidates.iter().zip(same).map(|(one, same)| same || means(one)).collect()
        }
        None => same,
    };
    Ok(Found { given: Given::Formula, answer, formula: Some(formula), right })
}

/// Judges candidates by an answer.
fn by_answer(
    ranking: &Ranking,
    table: &PreparedTable,
    asker: &Asker,
    values: &[String],
) -> Result<Found, CorrectionError> {
    let answer: Vec<String> = values.iter().map(|value| value.trim().to_owned()).filter(|v| !v.is_empty()).collect();
    if answer.is_empty() {
        return Err(CorrectionError::Empty);
    }
    let target = Target::from_strings(&answer, &asker.knowledge().words);
    let right = judge(&ranking.candidates, &table.graph, &target);
    let formula = right.iter().position(|right| *right).map(|at| ranking.candidates[at].formula);
    Ok(Found { given: Given::Answer, answer, formula, right })
}

/// The step that raises the right candidates, as training would.
fn step(ranking: &Ranking, right: &[bool]) -> Step {
    if !right.contains(&true) {
        return Step::default();
    }
    let direction = gradient(ranking, &likelihood(ranking, right));
    let length = direction.iter().map(|(_, change)| change * change).sum::<f64>().sqrt();
    Step::new(direction, length)
}
