//! Tables that an engine holds: candidates are found by the rows of its profile, and what is shown is run by the engine, as
//! SQL. An answer has no cells then, since rows have no place there; its query says what it was read from.

use super::print::Printer;
use super::tell::Teller;
use super::{Answer, Asker, Groups, Meaning, PreparedTable, Wanted};
use crate::engine::{Engine, EngineError, Held, Lines, Named, add_rows};
use crate::execute::{Denotation, Executor, Item};
use crate::explain::{Explainer, Step};
use crate::formula::{Aggregate, FormulaId, Node, notation};
use crate::rank::{Candidate, Ranking};
use crate::search::GROUPS;
use crate::settings::Settings;
use crate::sql::{self, Dialect, Field, Known, Schema};
use crate::table::Table;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

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

/// Result of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The query, in the engine's dialect.
    pub sql: String,
    /// Its lines: a value each, or a group with its values.
    pub lines: Lines,
    /// Sort of the values in each column of the lines.
    pub sorts: Vec<Sort>,
    /// Column of the table that the values in each column of the lines are cells of.
    pub columns: Vec<Option<usize>>,
}

/// Sort of a value in the lines of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A cell, as its text.
    Cell,
    /// A number.
    Number,
    /// A day or year.
    Date,
    /// True or false.
    Truth,
}

/// Number of candidates that an engine may refuse before nothing is answered.
const MOST_FAILED: usize = 30;
/// Number of rows with what a question names from which no more are looked for.
const ENOUGH: usize = 24;

impl HeldTable {
    /// Profiles the table of an engine and makes it ready for questions.
    pub fn new(engine: Box<dyn Engine>, asker: &Asker) -> Result<HeldTable, EngineError> {
        let mut held = engine.profile()?;
        let mut prepared = asker.prepare(held.sample());
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
            ..prepared
        }
    }

    /// Query for a formula; `None` if the engine cannot say it.
    fn query(&self, executor: &Executor, known: &Known, formula: FormulaId) -> Option<(String, bool)> {
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
        let all: Vec<Found> = ran.found.values().cloned().collect();
        let told = Teller::of_engine(self, wanted, prepared, ranking, ran).tell();
        let answer = told.unwrap_or_else(|exceeded| Answer::none(question, &exceeded.to_string()));
        let notes = prepared.notes.iter().cloned().chain(answer.notes).collect();
        let of = |meaning: &Meaning| all.iter().find(|found| meaning.sql.as_ref() == Some(&found.sql)).cloned();
        let found = answer.meanings.iter().filter_map(of).collect();
        Ok(Told { answer: Answer { notes, ..answer }, found })
    }
}

/// Results of the candidates that are shown.
pub(super) struct Ran {
    found: FxHashMap<FormulaId, Found>,
    /// Number of candidates that hold in the sample and not in the engine, and were ranked before one that is shown.
    pub failed: usize,
    /// Number of rows in the engine.
    pub rows: usize,
}

impl Ran {
    /// Runs the best candidates of the first answers, as many as are shown. Those without a result leave the ranking.
    fn new<'a>(
        ranking: Ranking<'a>,
        table: &HeldTable,
        prepared: &'a PreparedTable,
        shown: usize,
        settings: &Settings,
    ) -> Result<(Ranking<'a>, Ran), EngineError> {
        let mut ranking = ranking.on(&prepared.graph);
        let mut ran = Ran { found: FxHashMap::default(), failed: 0, rows: table.held.row_count() };
        let mut refused = None;
        loop {
            let (pools, _) = ranking.pooled();
            let new = |at: &usize| !ran.found.contains_key(&ranking.candidates[*at].formula);
            let Some(at) = pools.iter().take(shown).map(|pool| pool.best()).find(new) else { break };
            match ran.run(&ranking, at, table, &prepared.known, settings) {
                Ok(Some(found)) => {
                    ran.found.insert(ranking.candidates[at].formula, found);
                    continue;
                }
                Ok(None) => {}
                Err(error) => refused = Some(error),
            }
            ranking.candidates.remove(at);
            ran.failed += 1;
            if ran.failed == MOST_FAILED {
                ranking.candidates.clear();
            }
        }
        match refused {
            Some(error) if ran.found.is_empty() => Err(error),
            _ => Ok((ranking, ran)),
        }
    }

    /// Runs a candidate; `None` if it cannot be said, or gives nothing that is an answer.
    fn run(
        &self,
        ranking: &Ranking,
        at: usize,
        table: &HeldTable,
        known: &Known,
        settings: &Settings,
    ) -> Result<Option<Found>, EngineError> {
        let candidate = &ranking.candidates[at];
        let Some((sql, is_ordered)) = table.query(&ranking.executor, known, candidate.formula) else { return Ok(None) };
        let mut lines = table.engine.run(&sql)?;
        lines.retain(|line| line.iter().all(Option::is_some));
        let first = first_items(&candidate.denotation);
        let (sorts, columns) = first.iter().map(|item| (sort(item.as_ref()), column(item.as_ref()))).unzip();
        let is_answer = match &*candidate.denotation {
            Denotation::Groups(_) => GROUPS.contains(&lines.len()),
            Denotation::Values(_) => !lines.is_empty() && lines.len() <= settings.most_values,
            Denotation::Rows(_) | Denotation::Passing(_) => false,
        };
        if !is_answer || is_count_of_nothing(ranking, candidate, &lines) {
            return Ok(None);
        }
        if !is_ordered {
            in_order_of(&mut lines, &candidate.denotation, ranking.executor.graph());
        }
        Ok(Some(Found { sql, lines, sorts, columns }))
    }

    /// Result of a candidate, if it was run.
    pub(super) fn get(&self, candidate: &Candidate) -> Option<&Found> {
        self.found.get(&candidate.formula)
    }
}

/// True for a count of 0: in the engine no row is what the candidate counts.
fn is_count_of_nothing(ranking: &Ranking, candidate: &Candidate, lines: &Lines) -> bool {
    let is_count = matches!(ranking.executor.formulas().node(candidate.formula), Node::Aggregate(Aggregate::Count, _));
    is_count && lines.iter().flatten().flatten().all(|text| text == "0")
}

/// First value in each column of the lines of a denotation.
fn first_items(denotation: &Denotation) -> Vec<Option<Item>> {
    match denotation {
        Denotation::Values(items) => vec![items.first().copied()],
        Denotation::Groups(groups) => {
            let value = groups.iter().find_map(|group| group.values.first()).copied();
            vec![groups.first().map(|group| group.key), value]
        }
        Denotation::Rows(_) | Denotation::Passing(_) => Vec::new(),
    }
}

fn sort(item: Option<&Item>) -> Sort {
    match item.map(|item| item.value) {
        Some(Value::Number(_)) => Sort::Number,
        Some(Value::Date(_)) => Sort::Date,
        Some(Value::Truth(_)) => Sort::Truth,
        Some(Value::Entity(_)) | None => Sort::Cell,
    }
}

fn column(item: Option<&Item>) -> Option<usize> {
    item.and_then(|item| item.cell).map(|cell| usize::from(cell.column.0))
}

/// Puts lines whose order the query leaves open into that of the sample; those that it lacks come last.
fn in_order_of(lines: &mut Lines, denotation: &Denotation, graph: &crate::graph::Graph) {
    let shown: Vec<String> = match denotation {
        Denotation::Values(items) => items.iter().map(|item| graph.show(item.value)).collect(),
        Denotation::Groups(groups) => groups.iter().map(|group| graph.show(group.key.value)).collect(),
        Denotation::Rows(_) | Denotation::Passing(_) => Vec::new(),
    };
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    shown.iter().enumerate().for_each(|(at, text)| {
        places.entry(text).or_insert(at);
    });
    let place = |line: &Vec<Option<String>>| {
        let first = line.first().and_then(|cell| cell.as_deref()).unwrap_or_default();
        places.get(first).copied().unwrap_or(usize::MAX)
    };
    lines.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| a.cmp(b)));
}

impl Found {
    /// Lines as they are printed: the key of a group once, with all of its values.
    fn shown(&self, printer: &Printer) -> Vec<Vec<String>> {
        let cell = |at: usize, text: &Option<String>| {
            printer.cell(at, self.sorts.get(at), text.as_deref().unwrap_or_default())
        };
        let mut shown: Vec<Vec<String>> = Vec::new();
        for line in &self.lines {
            let line: Vec<String> = line.iter().enumerate().map(|(at, text)| cell(at, text)).collect();
            if line.len() == 1 && shown.contains(&line) {
                continue;
            }
            match (shown.last_mut(), &line[..]) {
                (Some(last), [key, value]) if last.first() == Some(key) => last[1] = format!("{}, {value}", last[1]),
                _ => shown.push(line), // a value, or the first of a group
            }
        }
        shown
    }

    /// Values as they are printed.
    pub(super) fn values(&self, printer: &Printer) -> Vec<String> {
        self.shown(printer).iter().map(|row| row.join(": ")).collect()
    }

    /// The meaning of a formula with this result.
    pub(super) fn meaning(&self, explainer: &mut Explainer, formula: FormulaId, confidence: f64) -> Meaning {
        let printer = Printer::new(explainer.executor(), formula);
        let rows = self.shown(&printer);
        let (formulas, graph) = (explainer.executor().formulas(), explainer.executor().graph());
        let [written, paper] = [notation::show(formulas, graph, formula), notation::paper(formulas, graph, formula)];
        let header = explainer.group_header(formula);
        let step = |step: Step| Step { result: Vec::new(), cells: Vec::new(), ..step };
        Meaning {
            answer: rows.iter().map(|row| row.join(": ")).collect(),
            table: header.map(|header| Groups { header: header.to_vec(), rows }),
            confidence,
            english: explainer.english(formula),
            steps: explainer.steps(formula).into_iter().map(step).collect(),
            formula: written,
            paper,
            sql: Some(self.sql.clone()),
            sql_note: None,
            cells: Vec::new(),
            used: Vec::new(),
            columns: columns(explainer.executor(), formula),
        }
    }
}

/// Columns that a formula speaks of.
fn columns(executor: &Executor, formula: FormulaId) -> Vec<u16> {
    let formulas = executor.formulas();
    let column = |id: FormulaId| match formulas.node(id) {
        Node::Column(column) => Some(column.0),
        _ => None, // every other node has its columns inside
    };
    let mut found: Vec<u16> = formulas.walk(formula).into_iter().filter_map(column).collect();
    found.sort_unstable();
    found.dedup();
    found
}
