//! Handlers for questions: `POST /api/ask` answers some, `POST /api/exec` executes a formula, `GET /api/link/{id}` returns
//! the question behind a link. Health and metrics are here too, since they report on the same state.

use crate::failure::{Failure, Reply, json};
use crate::request::Asked;
use crate::state::{Server, Shared};
use crate::store::{Link, StoredTable};
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::time::Instant;
use tabwise::answer::{Answer, Execution, Wanted};

/// Response of `POST /api/ask`: the library's answer with a few fields of the server's own.
#[derive(Serialize)]
struct Answered<'a> {
    #[serde(flatten)]
    answer: Answer,
    /// Id of the table, for further questions.
    table_id: &'a str,
    /// True if values of an answer were left out; `all` asks for them.
    shortened: bool,
    /// Path of the page that shows this question again.
    link: String,
    /// Time taken to answer.
    milliseconds: f64,
}

/// `POST /api/ask`: answers a question about a table.
pub(crate) async fn ask(State(server): State<Shared>, request: Request) -> Reply {
    let sent = server.bodies.read(request).await?;
    let gate = server.gate.clone();
    gate.run(move || answer(&server, Asked::read(&sent.content)?)).await
}

/// Response to several questions.
#[derive(Serialize)]
struct AnsweredAll<'a> {
    table_id: &'a str,
    /// Answers in the order of the questions.
    answers: Vec<Answered<'a>>,
}

/// Answers a request. Expensive: call it behind the gate only.
fn answer(server: &Server, asked: Asked) -> Reply {
    let wanted = server.wanted(&asked);
    let Asked { table, question, questions, all, .. } = asked;
    let several = questions.is_some();
    let questions = match (questions, question) {
        (Some(_), Some(_)) => return Err(Failure::bad("give either \"question\" or \"questions\"")),
        (Some(all), None) => server.questions(&all)?,
        (None, one) => vec![server.question(one.as_deref())?],
    };
    let kept = server.table(table)?;
    let answered = questions.into_iter().map(|question| answered(server, &kept, question, &wanted, all));
    let answers: Vec<Answered> = answered.collect();
    Ok(match answers.as_slice() {
        [one] if !several => json(StatusCode::OK, one),
        _ => json(StatusCode::OK, &AnsweredAll { table_id: &kept.id, answers }),
    })
}

/// Answers one question about a stored table.
fn answered<'a>(server: &Server, kept: &'a StoredTable, question: String, wanted: &Wanted, all: bool) -> Answered<'a> {
    let start = Instant::now();
    let mut answer = server.asker.ask(&kept.prepared, &question, wanted);
    server.metrics.answered(answer.abstains);
    let shortened = !all && shorten_values(&mut answer);
    shorten_cells(&mut answer);
    let id = server.link(Link { table: kept.id.clone(), question });
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    Answered { answer, table_id: &kept.id, shortened, link: format!("/q/{id}"), milliseconds }
}

/// Response of `POST /api/exec`.
#[derive(Serialize)]
struct Executed<'a> {
    #[serde(flatten)]
    execution: Execution,
    table_id: &'a str,
}

/// `POST /api/exec`: executes a formula on a table.
pub(crate) async fn exec(State(server): State<Shared>, request: Request) -> Reply {
    let sent = server.bodies.read(request).await?;
    let gate = server.gate.clone();
    gate.run(move || execute(&server, Asked::read(&sent.content)?)).await
}

/// Executes a formula. Expensive: call it behind the gate only.
fn execute(server: &Server, asked: Asked) -> Reply {
    let formula = asked.formula.filter(|formula| !formula.trim().is_empty());
    let formula = formula.ok_or_else(|| Failure::bad("there is no formula; give one as \"formula\""))?;
    let formula = server.question(Some(&formula))?;
    let kept = server.table(asked.table)?;
    let execution = Execution::new(&formula, &kept.prepared.graph, &server.asker.knowledge().phrases);
    let mut execution = execution.map_err(|error| Failure::unusable(error.to_string()).with_code("formula"))?;
    if !asked.all {
        execution.denotation.truncate(MOST_LISTED);
    }
    [&mut execution.cells, &mut execution.used].into_iter().for_each(|list| list.truncate(MOST_LISTED));
    Ok(json(StatusCode::OK, &Executed { execution, table_id: &kept.id }))
}

/// Maximum number of interpretations in a response, whatever `top` asks for.
const MOST_MEANINGS: usize = 20;

/// Maximum number of cells in a list, and of values in an answer unless all are asked for, so that responses stay small.
const MOST_LISTED: usize = 2_000;

/// Shortens the lists of cells to [`MOST_LISTED`]: nobody looks at more.
fn shorten_cells(answer: &mut Answer) {
    let own = [&mut answer.cells, &mut answer.used];
    let of_meanings = answer.meanings.iter_mut().flat_map(|meaning| [&mut meaning.cells, &mut meaning.used]);
    own.into_iter().chain(of_meanings).for_each(|list| list.truncate(MOST_LISTED));
}

/// Shortens the lists of values to [`MOST_LISTED`], and tells if there were more.
fn shorten_values(answer: &mut Answer) -> bool {
    let own = [&mut answer.answer, &mut answer.guess];
    let lists = own.into_iter().chain(answer.meanings.iter_mut().map(|meaning| &mut meaning.answer));
    let long_lists = lists.filter_map(shorten).count();
    let tables = answer.meanings.iter_mut().map(|meaning| &mut meaning.table).chain([&mut answer.table]);
    let long_tables = tables.flatten().filter_map(|table| shorten(&mut table.rows)).count();
    long_lists + long_tables > 0
}

/// Shortens one list; `None` if it was short.
fn shorten<T>(list: &mut Vec<T>) -> Option<()> {
    let is_long = list.len() > MOST_LISTED;
    list.truncate(MOST_LISTED);
    is_long.then_some(())
}

impl Server {
    /// Options for an answer, clamped to a sensible range.
    fn wanted(&self, asked: &Asked) -> Wanted {
        let usual = Wanted::default();
        let meanings = asked.top.unwrap_or(usual.meanings).clamp(1, MOST_MEANINGS);
        Wanted { min_confidence: asked.min_confidence.unwrap_or(self.min_confidence), meanings, ..usual }
    }

    /// Checks that there are questions, but not too many, and none that is too long.
    fn questions(&self, given: &[String]) -> Reply<Vec<String>> {
        match given.len() {
            0 => Err(Failure::bad("there is no question; give some as \"questions\"")),
            count if count > MOST_QUESTIONS => Err(Failure::large(format!(
                "{count} questions are more than the limit of {MOST_QUESTIONS}; send them in several requests"
            ))),
            _ => given.iter().map(|question| self.question(Some(question))).collect(),
        }
    }

    /// Checks that there is a question and that it is not too long.
    fn question(&self, given: Option<&str>) -> Reply<String> {
        let question = given.unwrap_or_default().trim().to_owned();
        let (length, most) = (question.chars().count(), self.limits.max_question);
        match length {
            0 => Err(Failure::bad("there is no question; give one as \"question\"")),
            _ if length > most => Err(Failure::large(format!(
                "a question of {length} characters is more than the limit of {most}; ask a shorter one"
            ))),
            _ => Ok(question),
        }
    }
}

/// Most questions in one request.
const MOST_QUESTIONS: usize = 100;

/// Response of `GET /api/link/{id}`.
#[derive(Serialize)]
struct Linked<'a> {
    table_id: &'a str,
    question: &'a str,
}

/// `GET /api/link/{id}`: returns the question behind a link.
pub(crate) async fn link(State(server): State<Shared>, Path(id): Path<String>) -> Reply {
    let gone =
        || Failure::missing("this link is not known (any more); links live as long as the server remembers them");
    let link = server.store.linked(&id).ok_or_else(gone)?;
    Ok(json(StatusCode::OK, &Linked { table_id: &link.table, question: &link.question }))
}

/// Response of `GET /api/health`.
#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
    /// Uptime.
    seconds: u64,
    /// Requests being worked on.
    running: usize,
    /// Requests in the queue.
    waiting: usize,
    /// Stored tables, examples aside.
    tables: usize,
}

/// `GET /healthz`: tells that the server is up, for those who watch over it.
pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// `GET /metrics`: counts in the text format of Prometheus.
pub(crate) async fn metrics(State(server): State<Shared>) -> Response {
    let now = [
        ("running", "Requests being worked on", server.gate.running()),
        ("waiting", "Requests in the queue", server.gate.waiting()),
        ("tables", "Stored tables, examples aside", server.store.table_count()),
        ("uptime_seconds", "Seconds since the start", server.started.elapsed().as_secs() as usize),
    ];
    let text = server.metrics.text(&now);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

/// `GET /api/health`: reports that the server is up, and its load.
pub(crate) async fn health(State(server): State<Shared>) -> Response {
    let health = Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        seconds: server.started.elapsed().as_secs(),
        running: server.gate.running(),
        waiting: server.gate.waiting(),
        tables: server.store.table_count(),
    };
    json(StatusCode::OK, &health)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn long_lists_are_shortened() {
        let values = |count: usize| (0..count).map(|n| n.to_string()).collect::<Vec<_>>();
        let answer = |count: usize| -> Answer {
            let rows: Vec<[String; 1]> = values(count).into_iter().map(|value| [value]).collect();
            let meaning = json!({
                "answer": values(count), "table": { "header": ["n"], "rows": rows }, "confidence": 0.5, "english": "",
                "formula": "", "paper": "", "steps": [], "cells": vec![[0, 0]; count], "used": [], "columns": [],
            });
            let mut answer = meaning.clone();
            let own = json!({
                "question": "", "abstains": false, "guess": [], "hint": null, "unused": [], "meanings": [meaning],
                "candidates": [], "candidate_count": 1,
            });
            own.as_object().into_iter().flatten().for_each(|(name, value)| answer[name] = value.clone());
            serde_json::from_value(answer).expect("these are the fields of an answer")
        };
        let (mut long, mut short) = (answer(MOST_LISTED + 1), answer(MOST_LISTED));
        assert!(shorten_values(&mut long) && !shorten_values(&mut short));
        shorten_cells(&mut long);
        assert_eq!(long, short, "all lists have the same length");
    }
}
