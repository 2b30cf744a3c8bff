//! What a client wants of a table: to know it, answers, the result of a formula, to teach it something, or rows in an order.
//! A wish is made of a request that has what it needs, within the limits, and becomes the task of a worker.

use crate::failure::{Failure, Reply};
use crate::request::{Asked, Wants};
use crate::view::View;
use crate::wire::{Question, Task};
use tabwise::learn::Right;

/// What a client wants of a table.
pub(crate) enum Wish {
    Table,
    Answers { asked: Vec<Linked>, is_list: bool, top: Option<usize>, min_confidence: Option<f64>, all: bool },
    Execution { formula: String, all: bool },
    Correction { question: String, right: Right },
    View(View),
}

/// A question, and the id of its link.
pub(crate) struct Linked {
    pub question: String,
    pub link: String,
}

/// Most values of a right answer.
const MOST_VALUES: usize = 100;
/// Most questions in one request.
const MOST_QUESTIONS: usize = 100;

impl Wish {
    /// Checks that a request has what it needs, with no text of more than `most` characters, and gives each question its
    /// link.
    pub(crate) fn new(asked: &Asked, wants: Wants, most: usize, link: impl Fn(&str) -> String) -> Reply<Wish> {
        match wants {
            Wants::Table => Ok(Wish::Table),
            Wants::Execution => {
                let formula = asked.formula.as_deref().filter(|formula| !formula.trim().is_empty());
                let formula = formula.ok_or_else(|| Failure::bad("there is no formula; give one as \"formula\""))?;
                Ok(Wish::Execution { formula: text(Some(formula), most)?, all: asked.all })
            }
            Wants::Correction => {
                Ok(Wish::Correction { question: text(asked.question.as_deref(), most)?, right: right(asked, most)? })
            }
            Wants::Answer => {
                let linked = |question: String| Linked { link: link(&question), question };
                Ok(Wish::Answers {
                    asked: questions(asked, most)?.into_iter().map(linked).collect(),
                    is_list: asked.questions.is_some(),
                    top: asked.top,
                    min_confidence: asked.min_confidence,
                    all: asked.all,
                })
            }
        }
    }

    /// The task of a worker.
    pub(crate) fn task(&self) -> Task<'_> {
        match self {
            Wish::Table => Task::Describe,
            Wish::Execution { formula, all } => Task::Execute { formula, all: *all },
            Wish::Correction { question, right } => Task::Correct { question, right: right.clone() },
            Wish::View(view) => Task::View(view.clone()),
            Wish::Answers { asked, is_list, top, min_confidence, all } => Task::Answer {
                questions: asked.iter().map(|one| Question { text: &one.question, link: &one.link }).collect(),
                is_list: *is_list,
                top: *top,
                min_confidence: *min_confidence,
                all: *all,
            },
        }
    }
}

/// Checks that there is one question or a list of some, but not too many.
fn questions(asked: &Asked, most: usize) -> Reply<Vec<String>> {
    match (&asked.questions, asked.question.as_deref()) {
        (Some(_), Some(_)) => Err(Failure::bad("give either \"question\" or \"questions\"")),
        (None, one) => Ok(vec![text(one, most)?]),
        (Some(all), None) => match all.len() {
            0 => Err(Failure::bad("there is no question; give some as \"questions\"")),
            count if count > MOST_QUESTIONS => Err(Failure::large(format!(
                "{count} questions are more than the limit of {MOST_QUESTIONS}; send them in several requests"
            ))),
            _ => all.iter().map(|question| text(Some(question), most)).collect(),
        },
    }
}

/// Checks that there is one right answer, and that it is not too long.
fn right(asked: &Asked, most: usize) -> Reply<Right> {
    match (&asked.formula, &asked.answer) {
        (Some(formula), None) => Ok(Right::Formula(text(Some(formula), most)?)),
        (None, Some(values)) if values.len() > MOST_VALUES => {
            Err(Failure::large(format!("an answer of {} values is more than the limit of {MOST_VALUES}", values.len())))
        }
        (None, Some(values)) if !values.is_empty() => {
            values.iter().map(|value| text(Some(value), most)).collect::<Reply<_>>().map(Right::Answer)
        }
        _ => Err(Failure::bad("give the right answer, either as \"formula\" or as \"answer\", a list of values")),
    }
}

/// Checks that there is a question, or what else is asked, and that it is not too long.
fn text(given: Option<&str>, most: usize) -> Reply<String> {
    let text = given.unwrap_or_default().trim().to_owned();
    match text.chars().count() {
        0 => Err(Failure::bad("there is no question; give one as \"question\"")),
        length if length > most => Err(Failure::large(format!(
            "a question of {length} characters is more than the limit of {most}; ask a shorter one"
        ))),
        _ => Ok(text),
    }
}
