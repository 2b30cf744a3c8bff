//! Verdicts: examples with their right answers, and the judgement of each candidate and of the answer.

use super::{Item, Prediction, Target};
use crate::answer::{Knowledge, PreparedTable, Printer};
use crate::execute::Denotation;
use crate::formula::notation::{read, show};
use crate::formula::{FormulaId, Formulas, Node};
use crate::graph::Graph;
use crate::model::{Model, Signals};
use crate::rank::{Candidate, Ranking};
use crate::settings::Settings;
use crate::value::{EntityId, Value, show_truth};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Author of a question with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    /// Somebody who asked about a table: the dataset's questions, and those of users.
    Person,
    /// An author of training questions, who was to say what a formula asks for.
    ForFormula,
    /// An author of training questions, who asked first and answered then.
    Freely,
    /// A template.
    Template,
}

/// A question with its right answer. Only learning and evaluating may see one.
#[derive(Clone, Debug)]
pub struct Example {
    /// Name of the example.
    pub id: String,
    /// The question.
    pub question: String,
    /// Position of its table in [`Examples::tables`].
    pub table: usize,
    /// Number that decides if the example is held back while confidence is fitted. Questions on one table share it, or
    /// generated ones in one wording, so that no example is judged by a model that has seen its table or its wording.
    pub fold: usize,
    /// Who wrote the question.
    pub author: Author,
    /// The right answer.
    pub target: Target,
}

/// Examples with their tables, each made ready once.
#[derive(Default)]
pub struct Examples {
    /// Tables in an order that does not depend on the examples.
    pub tables: Vec<PreparedTable>,
    /// The examples.
    pub list: Vec<Example>,
}

impl Examples {
    /// The table of an example.
    pub fn table(&self, example: &Example) -> &PreparedTable {
        &self.tables[example.table]
    }

    /// Answers an example exactly as [`crate::Asker::ask`] does, and judges the answer and every candidate.
    pub fn verdict(&self, example: &Example, knowledge: &Knowledge, model: &Model, settings: &Settings) -> Verdict {
        let table = self.table(example);
        let question = table.question(&example.question, knowledge, settings);
        let ranking = table.rank_answers(&question, knowledge, settings, model);
        let right = judge(&ranking.candidates, &table.graph, &example.target);
        let (pools, signals) = ranking.pooled();
        let chosen = pools.first().map(|pool| pool.best());
        let first = right.iter().position(|right| *right);
        let answer = |one: &Candidate| Printer::plain(&table.graph).answer(&one.denotation);
        let candidate = |at: usize| &ranking.candidates[at];
        let text = |at: usize| show(ranking.executor.formulas(), &table.graph, candidate(at).formula);
        let size = |at: usize| candidate(at).derivation.map(|id| ranking.derivations.get(id).size);
        Verdict {
            id: example.id.clone(),
            answer: chosen.map(|at| answer(candidate(at))).unwrap_or_default(),
            confidence: signals.as_ref().map_or(0.0, |signals| model.calibration.confidence(signals)),
            formula: chosen.map(text),
            right: chosen.is_some_and(|at| right[at]),
            best_right: right.first() == Some(&true),
            possible: first.is_some(),
            candidates: ranking.candidates.len(),
            right_formula: first.map(text),
            right_rank: first,
            right_size: first.and_then(size),
            signals,
        }
    }
}

/// Judgement of one example.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// Name of the example.
    pub id: String,
    /// Answer that was given, however unsure.
    pub answer: Vec<String>,
    /// Confidence of the answer.
    pub confidence: f64,
    /// Formula of the answer.
    pub formula: Option<String>,
    /// True when the answer is right.
    pub right: bool,
    /// True when the best candidate alone would have been right.
    pub best_right: bool,
    /// True when some candidate is right.
    pub possible: bool,
    /// Number of candidates.
    pub candidates: usize,
    /// First right candidate.
    pub right_formula: Option<String>,
    /// Rank of the first right candidate, from 0.
    pub right_rank: Option<usize>,
    /// Size of the first right candidate's derivation.
    pub right_size: Option<usize>,
    /// Signals that confidence was made of.
    #[serde(skip)]
    pub signals: Option<Signals>,
}

/// Judges each candidate by the right answer.
pub fn judge(candidates: &[Candidate], graph: &Graph, target: &Target) -> Vec<bool> {
    let mut items: FxHashMap<EntityId, Item> = FxHashMap::default();
    let truths = [false, true].map(|truth| Item::predicted(show_truth(truth)));
    let mut right = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        if let Denotation::Groups(_) = &*candidate.denotation {
            right.push(is_right_table(&candidate.denotation, graph, target));
            continue;
        }
        let values = candidate.values();
        for value in &values {
            if let Value::Entity(entity) = value {
                items.entry(*entity).or_insert_with(|| Item::predicted(graph.name(*entity)));
            }
        }
        right.push(target.matches(values.iter().map(|value| match value {
            Value::Number(n) => Prediction::Number(*n),
            Value::Date(date) => Prediction::Date(*date),
            Value::Entity(entity) => Prediction::Item(&items[entity]),
            Value::Truth(truth) => Prediction::Item(&truths[usize::from(*truth)]),
        })));
    }
    right
}

/// Judges a table of groups by its lines. Most targets are no tables, so their lines are not even printed.
fn is_right_table(table: &Denotation, graph: &Graph, target: &Target) -> bool {
    let may_be =
        target.items().iter().all(|item| item.text.contains(": ")) && table.count() == Some(target.items().len());
    may_be && {
        let lines: Vec<Item> = Printer::plain(graph).answer(table).iter().map(|line| Item::predicted(line)).collect();
        target.items().iter().all(|item| lines.iter().any(|line| is_same_group(&line.text, &item.text)))
    }
}

/// Tells if two lines of a table of groups, `GROUP: VALUE`, say the same: numbers may be rounded to a few digits less.
fn is_same_group(line: &str, meant: &str) -> bool {
    let is_near = |(group, value): (&str, &str), (other, meant): (&str, &str)| {
        let numbers = value.parse::<f64>().ok().zip(meant.parse::<f64>().ok());
        group == other && numbers.is_some_and(|(value, meant)| (value - meant).abs() <= 1e-6 * meant.abs().max(1.0))
    };
    line == meant || line.rsplit_once(": ").zip(meant.rsplit_once(": ")).is_some_and(|(a, b)| is_near(a, b))
}

/// Judges each candidate by the right answer, and by the right formulas if a candidate has one of them: then only those
/// are right, because others have the right answer by chance.
pub fn judge_formulas(ranking: &mut Ranking, graph: &Graph, target: &Target) -> Vec<bool> {
    let right = judge(&ranking.candidates, graph, target);
    let formulas = ranking.executor.formulas_mut();
    let given: Vec<FormulaId> = target.formulas.iter().filter_map(|text| read(text, graph, formulas).ok()).collect();
    let given: Vec<FormulaId> = given.into_iter().map(|id| sorted(formulas, id)).collect();
    let is_given =
        |(candidate, right): (&Candidate, &bool)| *right && given.contains(&sorted(formulas, candidate.formula));
    let narrow: Vec<bool> = ranking.candidates.iter().zip(&right).map(is_given).collect();
    match () {
        () if narrow.contains(&true) => narrow,
        // One formula in two is right by chance where the answer is yes or no.
        () if target.is_truth() && !given.is_empty() => vec![false; right.len()],
        () => right,
    }
}

/// The formula with the parts of unions and intersections in one order, whichever way they were built.
fn sorted(formulas: &mut Formulas, id: FormulaId) -> FormulaId {
    let node = formulas.node(id).map(|part, _| sorted(formulas, part));
    formulas.intern(match node {
        Node::And(a, b) => Node::And(a.min(b), a.max(b)),
        Node::Or(a, b) => Node::Or(a.min(b), a.max(b)),
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::is_same_group;

    #[test]
    fn values_of_groups_may_be_rounded() {
        assert!(is_same_group("economy: 55.33333333333", "economy: 55.3333333333"));
        assert!(is_same_group("a: b: 3", "a: b: 3.0") && is_same_group("north: ann", "north: ann"));
        for (line, meant) in
            [("economy: 55.33", "economy: 55.3333333333"), ("west: 3", "east: 3"), ("west: x", "west: y")]
        {
            assert!(!is_same_group(line, meant), "{line} is not {meant}");
        }
    }
}
