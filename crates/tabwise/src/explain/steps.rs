//! The steps of a formula: its parts in the order in which they are computed, each in English with its result.

use super::{Explainer, Quality, Referent};
use crate::execute::{Denotation, Group, distinct, evidence};
use crate::formula::{Aggregate, FormulaId, Measure, Node, Relation, Superlative};
use crate::graph::Reading;
use crate::value::{Value, show_number};
use serde::{Deserialize, Serialize};

/// Part of a formula on the way to the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Step {
    /// Description of the part in English.
    pub english: String,
    /// Values or rows that it denotes, for people to read.
    pub result: Vec<String>,
    /// Cells behind the result, as `[row, column]` from 0; if there are none, the cells that were compared.
    pub cells: Vec<[u32; 2]>,
}

/// Limit on the steps; the last ones are kept.
const STEPS: usize = 12;
/// Limit on the values listed for a step.
const VALUES: usize = 6;
/// Limit on the cells of a step.
const CELLS: usize = 1000;

impl Explainer<'_, '_> {
    /// Lists the steps of a formula; the last one is the formula itself. A very long formula has no steps.
    pub fn steps(&mut self, id: FormulaId) -> Vec<Step> {
        let mut found = Vec::new();
        if !self.is_too_long(id) {
            self.collect(id, &mut found);
        }
        let first = found.len().saturating_sub(STEPS);
        found[first..].iter().flat_map(|id| [self.deciding(*id), self.step(*id)]).flatten().collect()
    }

    /// Collects the parts that are steps, in the order of computation.
    fn collect(&self, id: FormulaId, found: &mut Vec<FormulaId>) {
        if found.len() > 100 || found.contains(&id) || self.executor.formulas().is_open(id) {
            return;
        }
        match self.node(id) {
            Node::Join(_, unary) => {
                let start = found.len();
                self.collect(unary, found);
                // The list that is read looks the same as its readings, so it is not worth a step of its own.
                if self.is_plain_reading(id) && found.last() == Some(&unary) && found.len() > start {
                    found.pop();
                }
            }
            Node::And(..) | Node::Or(..) => self.parts(id, self.node(id), found),
            Node::Arithmetic(_, a, b) | Node::Test(_, a, b) | Node::Except(a, b) => {
                self.collect(a, found);
                self.collect(b, found);
            }
            Node::Aggregate(_, part) | Node::Superlative(_, part, _) => self.collect(part, found),
            Node::Group(part, _) | Node::Having(part, ..) | Node::Top(_, part, ..) => self.collect(part, found),
            Node::Exists(part) => self.collect(part, found),
            Node::Value(_) | Node::Rows | Node::Var(_) | Node::Mark(..) | Node::Missing(_) | Node::Text(..) => {}
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => {}
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => {}
        }
        if self.is_step(id) {
            found.push(id);
        }
    }

    /// Collects the parts of nested unions or intersections, without a step for each nesting.
    fn parts(&self, id: FormulaId, whole: Node, found: &mut Vec<FormulaId>) {
        match (self.node(id), whole) {
            (Node::And(a, b), Node::And(..)) | (Node::Or(a, b), Node::Or(..)) => {
                self.parts(a, whole, found);
                self.parts(b, whole, found);
            }
            _ => self.collect(id, found),
        }
    }

    fn is_plain_reading(&self, id: FormulaId) -> bool {
        let looked_up = self.executor.formulas().looked_up(id);
        matches!(looked_up, Some((Relation::Reading(Reading::Number | Reading::Date | Reading::Duration), _)))
    }

    /// Tells if a part is worth a step. Values of the question, all rows and filters are not.
    fn is_step(&self, id: FormulaId) -> bool {
        match self.node(id) {
            Node::Value(_) | Node::Rows | Node::Var(_) | Node::Text(..) => false,
            Node::Or(..) if self.atoms(id).is_some() => false,
            Node::And(a, b) | Node::Or(a, b) => self.is_step(a) || self.is_step(b),
            Node::Join(binary, _) => !matches!(self.node(binary), Node::Compare(_) | Node::Reading(_)),
            Node::Aggregate(..) | Node::Superlative(..) | Node::Arithmetic(..) | Node::Mark(..) => true,
            Node::Top(..) | Node::Group(..) | Node::Having(..) | Node::Exists(_) | Node::Test(..) => true,
            Node::Missing(_) => true,
            Node::Except(a, b) => self.is_step(a) || self.is_step(b),
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => false,
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => false,
        }
    }

    /// Makes the step that decides between values: what the best of them has, and how much of it. The best of rows needs
    /// none, since its row has the cell that decides.
    fn deciding(&mut self, id: FormulaId) -> Option<Step> {
        let Node::Superlative(op, of, key) = self.node(id) else { return None };
        if self.is_rows(of) {
            return None;
        }
        let words = &self.phrases.superlatives;
        let english = match self.quality(key, Referent::Value) {
            Quality::Itself(_) => return None,
            Quality::Has(noun, order) => {
                words.deciding.fill(&[("superlative", self.superlative(op, order)), ("noun", &noun)])
            }
            Quality::Often(column, behind) => words.deciding_often.fill(&[("column", &column), ("behind", &behind)]),
            Quality::Is(value, order) => {
                words.deciding_value.fill(&[("superlative", self.superlative(op, order)), ("value", &value)])
            }
        };
        // Values that are equally good have the same key.
        let best = match self.executor.denote(id).as_deref() {
            Ok(Denotation::Values(items)) => *distinct(items).first()?,
            _ => return None,
        };
        let best = self.executor.formulas_mut().intern(Node::Value(best));
        let (var, body) = self.body_of(key);
        let keys = self.applied(var, body, best)?;
        let end = match op {
            Superlative::Argmax => Aggregate::Max,
            Superlative::Argmin => Aggregate::Min,
        };
        // A value that several rows have is as good as the best of them.
        let decisive =
            if self.is_one(keys) { keys } else { self.executor.formulas_mut().intern(Node::Aggregate(end, keys)) };
        let step = self.step(decisive)?;
        Some(Step { english, ..step })
    }

    fn step(&mut self, id: FormulaId) -> Option<Step> {
        let denotation = self.executor.denote(id).ok()?;
        let seen = evidence(self.executor, id);
        let cells = if seen.answer.is_empty() { seen.used } else { seen.answer };
        let cells = cells.iter().take(CELLS).map(|cell| [cell.row, u32::from(cell.column.0)]).collect();
        Some(Step { english: self.english(id), result: self.result(id, &denotation), cells })
    }

    fn result(&self, id: FormulaId, denotation: &Denotation) -> Vec<String> {
        let words = &self.phrases.results;
        match denotation {
            Denotation::Rows(rows) if rows.is_empty() => vec![words.no_row.clone()],
            Denotation::Rows(rows) if rows.count() <= 3 => {
                rows.iter().map(|row| words.row.fill(&[("number", &(row + 1).to_string())])).collect()
            }
            Denotation::Rows(rows) => vec![words.rows.fill(&[("number", &rows.count().to_string())])],
            Denotation::Values(items) if items.is_empty() => vec![words.nothing.clone()],
            Denotation::Values(items) => self.listed(&distinct(items), self.executor.formulas().measure(id)),
            Denotation::Passing(_) => Vec::new(),
            Denotation::Groups(groups) if groups.is_empty() => vec![words.nothing.clone()],
            Denotation::Groups(groups) => {
                let line = |group: &Group| {
                    let values = self.listed(&distinct(&group.values), Measure::Plain).join(&self.phrases.lists.comma);
                    words.group.fill(&[("key", &self.shown(group.key.value)), ("values", &values)])
                };
                self.cut(groups.iter().take(VALUES).map(line).collect(), groups.len())
            }
        }
    }

    fn listed(&self, values: &[Value], measure: Measure) -> Vec<String> {
        let time = |value: &Value| match (value, measure) {
            (Value::Number(n), Measure::Time(column)) => self.executor.graph().show_time(column, *n),
            _ => None,
        };
        let shown = values.iter().take(VALUES).map(|value| time(value).unwrap_or_else(|| self.shown(*value)));
        self.cut(shown.collect(), values.len())
    }

    fn shown(&self, value: Value) -> String {
        match value {
            Value::Entity(entity) => self.executor.graph().name(entity).to_string(),
            Value::Number(n) => show_number(n),
            Value::Date(date) => self.date(date),
            Value::Truth(truth) => self.truth(truth),
        }
    }

    /// Appends how many there are beyond those listed.
    fn cut(&self, mut listed: Vec<String>, count: usize) -> Vec<String> {
        if let Some(more) = count.checked_sub(VALUES).filter(|more| *more > 0) {
            listed.push(self.phrases.results.more.fill(&[("number", &more.to_string())]));
        }
        listed
    }
}
