//! Rows of an engine that a question is about: those with a text or number that it says, in columns whose values are too
//! many to be in the profile; then those with the most of what it names, so that rows which meet all of its conditions are
//! there if the table has any.

use super::view::{Column, View};
use super::{Engine, EngineError, Held, Lines, Type};
use crate::graph::{ColumnId, Graph, Reading};
use crate::value::{Date, Value};

/// Number of rows for what a question says, in each column.
const SAID: usize = 40;
/// Number of rows with what a question names.
const NAMED: usize = 600;
/// Longest phrase, in words.
const WORDS: usize = 6;
/// Number of words of a question that are looked at.
const MOST_WORDS: usize = 60;

impl Held {
    /// Rows with a text or number of the question.
    pub(crate) fn said(&self, engine: &dyn Engine, question: &str) -> Result<Lines, EngineError> {
        let words: Vec<&str> =
            question.split_whitespace().map(bare).filter(|word| !word.is_empty()).take(MOST_WORDS).collect();
        let partial = self.view.columns.iter().zip(&self.is_partial).filter(|(_, is_partial)| **is_partial);
        let conditions = partial.filter_map(|(column, _)| said(&self.view, column, &words));
        let conditions: Vec<String> =
            conditions.map(|condition| format!("WHERE {condition} {}", self.view.some(None, SAID))).collect();
        if conditions.is_empty() { Ok(Lines::new()) } else { engine.run(&self.view.union(&conditions)) }
    }

    /// Rows with the most of what a question names, and of those that meet all of it the ones with the smallest and the
    /// largest values.
    pub(crate) fn named(&self, engine: &dyn Engine, named: &Named) -> Result<Lines, EngineError> {
        let conditions: Vec<String> = named.0.iter().flatten().cloned().collect();
        if conditions.is_empty() {
            return Ok(Lines::new());
        }
        let points: Vec<String> =
            conditions.iter().map(|condition| format!("CASE WHEN {condition} THEN 1 ELSE 0 END")).collect();
        let some = self.view.some(Some(&format!("({})", points.join(" + "))), NAMED);
        let mut lines = engine.run(&self.view.of(&format!("WHERE {} {some}", conditions.join(" OR "))))?;
        let ordered = self.view.columns.iter().filter(|column| column.kind.is_ordered());
        let ordered: Vec<String> = ordered.map(|column| self.view.quoted(&column.name)).collect();
        if named.has_bound() && !ordered.is_empty() {
            let all = named.texts().join(" AND ");
            if !all.is_empty() {
                lines.extend(engine.run(&self.view.extremes(&ordered, &format!("WHERE {all}")))?);
            }
        }
        Ok(lines)
    }
}

/// Word without the signs around it.
fn bare(word: &str) -> &str {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    word.strip_suffix("'s").or(word.strip_suffix("’s")).unwrap_or(word)
}

/// Condition that a column has a phrase, number or day of the question.
fn said(view: &View, column: &Column, words: &[&str]) -> Option<String> {
    let name = view.quoted(&column.name);
    match column.kind {
        Type::Text => {
            let phrases: Vec<String> = phrases(words).iter().map(|phrase| view.text(phrase)).collect();
            (!phrases.is_empty()).then(|| format!("LOWER({name}) IN ({})", phrases.join(", ")))
        }
        Type::Whole | Type::Number | Type::Decimal => {
            let plain = |word: &&str| word.replace(',', "").parse::<f64>().ok().filter(|n| n.is_finite());
            let numbers: Vec<String> = words.iter().filter_map(plain).map(|n| n.to_string()).collect();
            (!numbers.is_empty()).then(|| format!("{name} IN ({})", numbers.join(", ")))
        }
        Type::Day => {
            let days: Vec<String> = words.iter().filter(|word| is_day(word)).map(|day| view.day(day)).collect();
            (!days.is_empty()).then(|| format!("{name} IN ({})", days.join(", ")))
        }
        Type::Moment | Type::Truth | Type::Other => None,
    }
}

/// Phrases of up to some words, in small letters.
fn phrases(words: &[&str]) -> Vec<String> {
    let lengths = 1..=WORDS.min(words.len());
    lengths.flat_map(|length| words.windows(length).map(|phrase| phrase.join(" ").to_lowercase())).collect()
}

/// True for a day that is written `2010-05-12`.
fn is_day(word: &str) -> bool {
    let parts: Vec<Option<u32>> = word.split('-').map(|part| part.parse().ok()).collect();
    word.len() == 10 && matches!(parts[..], [Some(_), Some(1..=12), Some(1..=28)])
}

/// Things that a question names, as conditions: each thing has one for every column that it may be in.
pub(crate) struct Named(Vec<Option<String>>, Vec<bool>);

impl Named {
    /// Conditions for things, each of which may be one of several values.
    pub(crate) fn new(view: &View, graph: &Graph, things: &[Vec<Value>]) -> Named {
        let condition = |values: &Vec<Value>| {
            let parts: Vec<String> = values.iter().flat_map(|value| conditions(view, graph, *value)).collect();
            (!parts.is_empty()).then(|| format!("({})", parts.join(" OR ")))
        };
        let is_text = |values: &Vec<Value>| values.iter().all(|value| matches!(value, Value::Entity(_)));
        Named(things.iter().map(condition).collect(), things.iter().map(is_text).collect())
    }

    /// True if something named may be a bound.
    fn has_bound(&self) -> bool {
        self.1.iter().any(|is_text| !is_text)
    }

    /// Conditions for texts.
    fn texts(&self) -> Vec<&str> {
        self.0
            .iter()
            .zip(&self.1)
            .filter(|(_, is_text)| **is_text)
            .filter_map(|(condition, _)| condition.as_deref())
            .collect()
    }
}

/// Conditions that a row has a value, one for each column that may have it.
fn conditions(view: &View, graph: &Graph, value: Value) -> Vec<String> {
    let ids = view.columns.iter().enumerate();
    let condition = |(at, column): (usize, &Column)| {
        let name = view.quoted(&column.name);
        match value {
            Value::Entity(entity) => {
                let is_there = || graph.column(ColumnId(at as u16)).cells.contains(&entity);
                let text = graph.name(entity);
                match (column.kind, graph.read(entity, Reading::Number)) {
                    (Type::Text | Type::Truth, _) if is_there() => Some(format!("{name} = {}", view.text(text))),
                    (kind, Some(Value::Number(n))) if kind.is_number() && is_there() => Some(format!("{name} = {n}")),
                    (Type::Day, _) if is_day(text) && is_there() => Some(format!("{name} = {}", view.day(text))),
                    _ => None,
                }
            }
            Value::Number(n) if column.kind.is_number() => Some(format!("{name} = {n}")),
            Value::Date(date) if column.kind == Type::Day => between(view, &name, date),
            Value::Number(_) | Value::Date(_) | Value::Truth(_) => None,
        }
    };
    ids.filter_map(condition).collect()
}

/// Condition that a day agrees with a date whose year is known.
fn between(view: &View, name: &str, date: Date) -> Option<String> {
    let year = date.year().filter(|year| (1..9999).contains(year))?;
    let (from, to) = match (date.month(), date.day()) {
        (None, _) => (format!("{year:04}-01-01"), format!("{:04}-01-01", year + 1)),
        (Some(12), None) => (format!("{year:04}-12-01"), format!("{:04}-01-01", year + 1)),
        (Some(month), None) => (format!("{year:04}-{month:02}-01"), format!("{year:04}-{:02}-01", month + 1)),
        (Some(month), Some(day)) => {
            return Some(format!("{name} = {}", view.day(&format!("{year:04}-{month:02}-{day:02}"))));
        }
    };
    Some(format!("({name} >= {} AND {name} < {})", view.day(&from), view.day(&to)))
}
