//! Candidates: the derivations that may answer the question, each with its denotation, its groups of features and its
//! score.

use super::chart::Chart;
use super::{Parse, Pruner};
use crate::derivation::DerivationId;
use crate::execute::{Denotation, distinct};
use crate::features::{Family, GroupId, Predicate, Topic, kind_of, shape, size_of};
use crate::formula::{FormulaId, Formulas, Node};
use crate::grammar::Category;
use crate::graph::Cell;
use crate::model::Weights;
use crate::value::Value;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// A formula that may answer the question.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub formula: FormulaId,
    /// How it was built; `None` for a cell of the retrieval baseline.
    pub derivation: Option<DerivationId>,
    pub denotation: Rc<Denotation>,
    /// The groups of features it has, sorted.
    pub groups: Vec<GroupId>,
    pub score: f64,
}

impl Candidate {
    /// The different values of the answer, in the order of the table.
    pub fn values(&self) -> Vec<Value> {
        match &*self.denotation {
            Denotation::Values(items) => distinct(items),
            _ => Vec::new(),
        }
    }
}

impl<'a, W: Weights> Chart<'a, '_, W> {
    /// The answers among the derivations, best first; of equals, the smaller formula first.
    pub(super) fn candidates(mut self) -> Parse<'a> {
        let mentioned = self.mentioned();
        let mut candidates = Vec::new();
        for size in 1..=self.settings.size {
            for entry in self.cell(Category::Values, size).iter() {
                candidates.extend(self.candidate(entry.id, &mentioned));
            }
        }
        self.finish(candidates)
    }

    fn finish(self, mut candidates: Vec<Candidate>) -> Parse<'a> {
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
        Parse {
            candidates,
            formulas: self.formulas,
            executor: self.executor,
            groups: self.groups,
            derivations: self.derivations,
            report: self.report,
        }
    }

    fn candidate(&mut self, id: DerivationId, mentioned: &[(GroupId, GroupId)]) -> Option<Candidate> {
        let formula = self.derivation(id).formula;
        let denotation = self.executor.denote(&self.formulas, formula).ok()?;
        if let Some(pruner) = self.no_answer(formula, &denotation) {
            self.report.prune(pruner);
            return None;
        }
        let list = self.derivation(id).predicates.clone();
        let predicates = &self.predicates[list.start as usize..list.end as usize];
        let mut groups: Vec<GroupId> = Vec::with_capacity(predicates.len() + mentioned.len() + 3);
        groups.extend_from_slice(predicates);
        let missing = mentioned.iter().filter(|(group, _)| predicates.binary_search(group).is_err());
        groups.extend(missing.map(|(_, missing)| *missing));
        if self.groups.has(Family::Shape) {
            let topic = Topic::Shape(shape(&self.formulas, formula));
            groups.push(self.groups.id(topic, self.weights));
        }
        Some(self.scored(formula, Some(id), denotation, groups))
    }

    fn scored(
        &mut self,
        formula: FormulaId,
        derivation: Option<DerivationId>,
        denotation: Rc<Denotation>,
        mut groups: Vec<GroupId>,
    ) -> Candidate {
        if let Some(kind) = kind_of(&self.formulas, formula, &denotation) {
            groups.push(self.groups.id(Topic::Kind(kind), self.weights));
        }
        groups.push(self.groups.id(Topic::Size(size_of(&denotation)), self.weights));
        groups.sort_unstable();
        let score = groups.iter().map(|group| self.groups.score(*group)).sum();
        Candidate { formula, derivation, denotation, groups, score }
    }

    /// Why a derivation cannot be an answer.
    fn no_answer(&self, formula: FormulaId, denotation: &Denotation) -> Option<Pruner> {
        let Denotation::Values(items) = denotation else { return Some(Pruner::Undefined) };
        if self.pruners.uses(Pruner::Atomic) && is_atomic(&self.formulas, formula) {
            return Some(Pruner::Atomic);
        }
        let few = items.len() <= self.settings.most_values || distinct(items).len() <= self.settings.most_values;
        (!few && self.pruners.uses(Pruner::TooMany)).then_some(Pruner::TooMany)
    }

    /// What the question names: the predicates that would speak of it, and the group for leaving it out.
    fn mentioned(&mut self) -> Vec<(GroupId, GroupId)> {
        let question = self.scene().question;
        let columns = question.columns.iter().flat_map(|id| [Predicate::Column(*id), Predicate::ColumnOf(*id)]);
        let mut named: Vec<Predicate> = question.entities().map(|e| Predicate::Value(Value::Entity(e))).collect();
        named.extend(columns);
        let mut seen = FxHashSet::default();
        named.retain(|predicate| seen.insert(*predicate));
        let ids = |chart: &mut Self, predicate: Predicate| {
            let group = chart.groups.id(Topic::Predicate(predicate), chart.weights);
            (group, chart.groups.id(Topic::Missing(predicate), chart.weights))
        };
        named.into_iter().map(|predicate| ids(self, predicate)).collect()
    }

    /// The candidates of the retrieval baseline: every text of the table, once for each column it stands in.
    pub(super) fn cells_of_table(mut self) -> Parse<'a> {
        let graph = self.scene().graph;
        let mut candidates = Vec::new();
        for column in graph.column_ids() {
            let mut seen = FxHashSet::default();
            for (row, entity) in graph.column(column).cells.iter().enumerate() {
                if seen.insert(*entity) {
                    let formula = self.formulas.entity(*entity);
                    let cell = Some(Cell { row: row as u32, column });
                    let item = crate::execute::Item { value: Value::Entity(*entity), cell };
                    let denotation = Rc::new(Denotation::Values(vec![item]));
                    candidates.push(self.scored(formula, None, denotation, Vec::new()));
                }
            }
        }
        self.finish(candidates)
    }
}

/// Whether a formula is nothing but values of the question.
fn is_atomic(formulas: &Formulas, formula: FormulaId) -> bool {
    match formulas.node(formula) {
        Node::Value(_) => true,
        Node::Or(a, b) => is_atomic(formulas, a) && is_atomic(formulas, b),
        _ => false,
    }
}
