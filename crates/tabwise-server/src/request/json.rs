//! Requests in JSON: a type for each operation.

use super::table::JsonTable;
use super::{Asked, Wants, meanings, probability};
use crate::failure::{Failure, Reply};
use serde::Deserialize;
use serde::de::IgnoredAny;
use utoipa::ToSchema;

/// Questions about a table.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskRequest<'a> {
    #[serde(borrow)]
    table: JsonTable<'a>,
    /// A question.
    #[schema(nullable = false)]
    question: Option<Phrase>,
    /// Several questions instead of one; the response then has `answers`.
    #[schema(nullable = false, min_items = 1, max_items = 100)]
    questions: Option<Vec<Phrase>>,
    /// Number of interpretations to explain.
    #[schema(nullable = false, minimum = 1, maximum = 20, default = 4)]
    top: Option<usize>,
    /// Confidence below which an answer abstains, instead of that of the server.
    #[schema(nullable = false, minimum = 0, maximum = 1)]
    min_confidence: Option<f64>,
    /// True for every value of a long answer, not only the first 2000.
    #[serde(default)]
    all: bool,
}

/// A formula to execute on a table.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExecRequest<'a> {
    #[serde(borrow)]
    table: JsonTable<'a>,
    /// A formula, in the notation of answers.
    formula: Phrase,
    /// True for every value, not only the first 2000.
    #[serde(default)]
    all: bool,
}

/// The right answer to a question.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CorrectRequest<'a> {
    #[serde(borrow)]
    table: JsonTable<'a>,
    question: Phrase,
    /// The right formula, such as that of one of the meanings.
    #[schema(nullable = false)]
    formula: Option<Phrase>,
    /// Values of the right answer, instead of a formula.
    #[schema(nullable = false, min_items = 1, max_items = 100)]
    answer: Option<Vec<Phrase>>,
    /// Number of interpretations in the response.
    #[schema(nullable = false, minimum = 1, maximum = 20, default = 4)]
    top: Option<usize>,
}

/// A table to upload.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableRequest<'a> {
    #[serde(borrow)]
    table: JsonTable<'a>,
}

/// Text that is not blank.
#[derive(Deserialize, ToSchema)]
#[schema(pattern = r"\S")]
pub(crate) struct Phrase(String);

/// Parses a request in JSON.
pub(super) fn read(bytes: &[u8], wants: Wants) -> Reply<Asked<'_>> {
    match wants {
        Wants::Table => Ok(Asked::of(parsed::<TableRequest>(bytes)?.table.given()?)),
        Wants::Answer => {
            let AskRequest { table, question, questions, top, min_confidence, all } = parsed(bytes)?;
            let (question, questions) = (question.map(|one| one.0), questions.map(texts));
            let (top, min_confidence) = (meanings(top)?, probability(min_confidence)?);
            Ok(Asked { question, questions, top, min_confidence, all, ..Asked::of(table.given()?) })
        }
        Wants::Execution => {
            let ExecRequest { table, formula, all } = parsed(bytes)?;
            Ok(Asked { formula: Some(formula.0), all, ..Asked::of(table.given()?) })
        }
        Wants::Correction => {
            let CorrectRequest { table, question, formula, answer, top } = parsed(bytes)?;
            let (question, formula, answer) = (Some(question.0), formula.map(|one| one.0), answer.map(texts));
            Ok(Asked { question, formula, answer, top: meanings(top)?, ..Asked::of(table.given()?) })
        }
    }
}

/// Number of questions in the list of a request.
pub(super) fn question_count(bytes: &[u8]) -> usize {
    #[derive(Deserialize)]
    struct Counted {
        #[serde(default)]
        questions: Vec<IgnoredAny>,
    }
    serde_json::from_slice(bytes).map_or(0, |Counted { questions }| questions.len())
}

fn parsed<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Reply<T> {
    serde_json::from_slice(bytes)
        .map_err(|error| Failure::bad(format!("the JSON body is not a request: {error}; see /api/openapi.json")))
}

fn texts(phrases: Vec<Phrase>) -> Vec<String> {
    phrases.into_iter().map(|phrase| phrase.0).collect()
}
