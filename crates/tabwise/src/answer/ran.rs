//! Running: the formulas that are shown of a table in an engine are queries that the engine runs. One that its SQL cannot say,
//! or that gives nothing, leaves the ranking, and the next one is run.

use super::held::HeldTable;
use super::print::Printer;
use super::{Groups, Meaning, PreparedTable};
use crate::engine::{EngineError, Lines};
use crate::execute::{Denotation, Executor, Item};
use crate::explain::{Explainer, Step};
use crate::formula::{Aggregate, FormulaId, Node, notation};
use crate::graph::Graph;
use crate::rank::{Candidate, Ranking};
use crate::search::GROUPS;
use crate::settings::Settings;
use crate::sql::Known;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

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

/// Number of candidates that an engine may refuse before only those that it has run are answered.
const MOST_FAILED: usize = 30;

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
    pub(super) fn new<'a>(
        ranking: Ranking<'a>,
        table: &HeldTable,
        prepared: &'a PreparedTable,
        shown: usize,
        settings: &Settings,
    ) -> Result<(Ranking<'a>, Ran), EngineError> {
        let mut ranking = ranking.on(&prepared.graph);
        let mut ran = Ran { found: FxHashMap::default(), failed: 0, rows: table.held().row_count() };
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
                ranking.candidates.retain(|candidate| ran.found.contains_key(&candidate.formula));
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
        let mut lines = table.run(&sql)?;
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

    /// All results.
    pub(super) fn all(&self) -> impl Iterator<Item = &Found> {
        self.found.values()
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
fn in_order_of(lines: &mut Lines, denotation: &Denotation, graph: &Graph) {
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
