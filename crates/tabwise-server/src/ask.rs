//! Handlers for questions: `POST /api/ask` answers one, `GET /api/link/{id}` returns the question behind a link. The
//! health check is here too, since it reports on the same state.

use crate::failure::{Failure, Reply, json};
use crate::request::Asked;
use crate::state::{Server, Shared, exceeded};
use crate::store::Link;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use std::time::Instant;
use tabwise::answer::{Answer, Wanted};

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
    /// Time taken, including reading the table.
    milliseconds: f64,
}

/// `POST /api/ask`: answers a question about a table.
pub(crate) async fn ask(State(server): State<Shared>, request: Request) -> Reply {
    let sent = server.bodies.read(request).await?;
    let gate = server.gate.clone();
    gate.run(move || answer(&server, Asked::read(&sent.content)?)).await
}

/// Answers a request. Expensive: call it behind the gate only.
fn answer(server: &Server, asked: Asked) -> Reply {
    let start = Instant::now();
    let question = server.question(asked.question)?;
    let kept = server.table(asked.table)?;
    let asked_for = server.wanted(asked.top);
    let mut answer = server.asker.try_ask(&kept.prepared, &question, &asked_for).map_err(exceeded)?;
    let shortened = !asked.all && shorten_values(&mut answer);
    shorten_cells(&mut answer);
    let id = server.store.link(Link { table: kept.id.clone(), question });
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let link = format!("/q/{id}");
    Ok(json(StatusCode::OK, &Answered { answer, table_id: &kept.id, shortened, link, milliseconds }))
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
    /// Options for an answer with `top` interpretations, clamped to a sensible range.
    fn wanted(&self, top: Option<usize>) -> Wanted {
        let usual = Wanted::default();
        let meanings = top.unwrap_or(usual.meanings).clamp(1, MOST_MEANINGS);
        Wanted { min_confidence: self.min_confidence, meanings, ..usual }
    }

    /// Checks that there is a question and that it is not too long.
    fn question(&self, given: Option<String>) -> Reply<String> {
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
