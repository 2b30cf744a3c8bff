//! Tables that an engine holds: candidates are found by the rows of its profile, and what is shown is run by the engine, as
//! SQL. An answer has no cells then, since rows have no place there; its query says what it was read from.

use super::ran::{Found, Ran};
use super::tell::Teller;
use super::{Answer, Asker, Meaning, PreparedTable, Wanted};
use crate::engine::{Engine, EngineError, Held, Lines, Named, add_rows};
use crate::execute::Executor;
use crate::formula::FormulaId;
use crate::profile::Profile;
use crate::sql::{self, Dialect, Field, Known, Schema};
use crate::table::Table;
use crate::value::Value;

/// A table that an engine holds, made ready for questions.
pub struct HeldTable {
    engine: Box<dyn Engine>,
    held: Held,
    prepared: PreparedTable,
}

/// Answer of an engine.
pub struct Told {
    /// The record of the answer.
    pub answer: Answer,
    /// Result of each meaning.
    pub found: Vec<Found>,
}

/// Number of rows with what a question names from which no more are looked for.
const ENOUGH: usize = 24;

impl HeldTable {
    /// Profiles the table of an engine and makes it ready for questions.
    pub fn new(engine: Box<dyn Engine>, asker: &Asker) -> Result<HeldTable, EngineError> {
        let mut held = engine.profile()?;
        let mut prepared = asker.prepare(held.sample());
        if !held.is_whole() {
            prepared.profile = Some(Profile::of_part(&prepared.graph));
        }
        held.respell(&prepared.graph);
        prepared.name = engine.table().to_string();
        prepared.known = held.known();
        prepared.notes.extend(held.notes().iter().cloned());
        Ok(HeldTable { engine, held, prepared })
    }

    /// SQL that the engine takes.
    pub fn dialect(&self) -> Dialect {
        self.engine.dialect()
    }

    /// What is known of the table.
    pub fn held(&self) -> &Held {
        &self.held
    }

    /// Runs a query.
    pub(super) fn run(&self, sql: &str) -> Result<Lines, EngineError> {
        self.engine.run(sql)
    }

    /// The rows of the profile, made ready.
    pub fn prepared(&self) -> &PreparedTable {
        &self.prepared
    }

    /// The rows of the profile with further ones that a question is about; `None` if they are all there.
    fn with_rows_for(&self, asker: &Asker, question: &str) -> Result<Option<PreparedTable>, EngineError> {
        if self.held.is_whole() {
            return Ok(None);
        }
        let engine = &*self.engine;
        let mut table = self.held.sample().clone();
        let said = self.held.said(engine, question)?;
        let more = (!said.is_empty()).then(|| self.extended(asker, &mut table, &said));
        let prepared = more.as_ref().unwrap_or(&self.prepared);
        let named = asker.question(prepared, question).named();
        if has_enough(prepared, &named) {
            return Ok(more);
        }
        let named = self.held.named(engine, &Named::new(&self.held.view, &prepared.graph, &named))?;
        Ok(if named.is_empty() { more } else { Some(self.extended(asker, &mut table, &named)) })
    }

    fn extended(&self, asker: &Asker, table: &mut Table, lines: &Lines) -> PreparedTable {
        add_rows(table, lines);
        let prepared = asker.prepare(table);
        PreparedTable {
            name: self.prepared.name.clone(),
            known: self.held.known(),
            notes: self.prepared.notes.clone(),
            profile: Some(Profile::of_part(&prepared.graph)),
            ..prepared
        }
    }

    /// Query for a formula; `None` if the engine cannot say it.
    pub(super) fn query(&self, executor: &Executor, known: &Known, formula: FormulaId) -> Option<(String, bool)> {
        let (view, graph) = (&self.held.view, executor.graph());
        let written = |table: &str| {
            let schema = Schema::stored_as(graph, table, known);
            let sql = sql::query(executor.formulas(), graph, &schema, formula, view.dialect).ok()?;
            let fields: Vec<(Field, String)> = sql.fields.iter().map(|field| (*field, schema.name(*field))).collect();
            sql.parts.is_empty().then_some((sql, fields))
        };
        let (sql, fields) = written(&view.table)?;
        if fields.iter().all(|(field, name)| view.is_plain(*field, name)) {
            return Some((sql.text, sql.is_ordered));
        }
        let table = format!("{}_read", view.table);
        let (sql, fields) = written(&table)?;
        let select = view.select(fields.into_iter())?;
        let parts = format!("WITH {} AS (\n    {select}\n)", view.quoted(&table));
        let text = match sql.text.strip_prefix("WITH ") {
            Some(rest) => format!("{parts},\n{rest}"),
            None => format!("{parts}\n{}", sql.text),
        };
        Some((text, sql.is_ordered))
    }
}

/// True if enough rows have all that a question names.
fn has_enough(table: &PreparedTable, named: &[Vec<Value>]) -> bool {
    let graph = &table.graph;
    let has = |row: usize, values: &Vec<Value>| {
        values.iter().any(|value| match value {
            Value::Entity(entity) => graph.columns().iter().any(|column| column.cells[row] == *entity),
            _ => false,
        })
    };
    let mut rows = (0..graph.row_count()).filter(|row| named.iter().all(|values| has(*row, values)));
    named.is_empty() || rows.nth(ENOUGH - 1).is_some()
}

impl Asker {
    /// Answers a question about a table that an engine holds.
    ///
    /// # Errors
    ///
    /// If the engine cannot run a query that looks for rows, or none of those that would answer the question.
    pub fn ask_held(&self, table: &HeldTable, question: &str, wanted: &Wanted) -> Result<Told, EngineError> {
        let more = table.with_rows_for(self, question)?;
        let prepared = more.as_ref().unwrap_or(&table.prepared);
        let asked = prepared.sampled(self.question(prepared, question));
        if !asked.text.contains(char::is_alphanumeric) {
            let answer = Answer::none(&asked.text, &self.knowledge().phrases.hints().no_question);
            return Ok(Told { answer, found: Vec::new() });
        }
        let ranking = self.rank(prepared, &asked);
        let (ranking, ran) = Ran::new(ranking, table, prepared, wanted.meanings.max(1), self.settings())?;
        let all: Vec<Found> = ran.all().cloned().collect();
        let told = Teller::of_engine(self, wanted, prepared, ranking, ran).tell();
        let answer = told.unwrap_or_else(|exceeded| Answer::none(question, &exceeded.to_string()));
        let notes = prepared.notes.iter().cloned().chain(answer.notes).collect();
        let of = |meaning: &Meaning| all.iter().find(|found| meaning.sql.as_ref() == Some(&found.sql)).cloned();
        let found = answer.meanings.iter().filter_map(of).collect();
        Ok(Told { answer: Answer { notes, ..answer }, found })
    }
}
