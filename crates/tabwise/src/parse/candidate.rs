//! Candidates: the derivations that may answer the question, each with its denotation, its groups of features and its
//! score.

use super::chart::Chart;
use super::{Parse, Pruner};
use crate::derivation::DerivationId;
use crate::execute::{Denotation, Item, Items, Values, distinct};
use crate::features::{
    Family, GroupId, Predicate, Reach, Topic, echo_of, for_each_near, kind_of, order_of, shape, size_of,
};
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
    pub fn values(&self) -> Values {
        match &*self.denotation {
            Denotation::Values(items) => distinct(items),
            _ => Values::new(),
        }
    }
}

impl<'a, W: Weights> Chart<'a, '_, W> {
    /// The answers among the derivations, best first; of equals, the smaller formula first.
    pub(super) fn candidates(mut self) -> Parse<'a> {
        let mentioned = self.mentioned();
        let reach = Reach::new(&self.scene());
        let mut candidates = Vec::new();
        for size in 1..=self.settings.size {
            for entry in self.cell(Category::Values, size).iter() {
                candidates.extend(self.candidate(entry.id, &mentioned, &reach));
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

    fn candidate(&mut self, id: DerivationId, mentioned: &[Mention], reach: &Reach) -> Option<Candidate> {
        let formula = self.derivation(id).formula;
        let denotation = self.executor.denote(&self.formulas, formula).ok()?;
        if let Some(pruner) = self.no_answer(formula, &denotation) {
            self.report.prune(pruner);
            return None;
        }
        let list = self.derivation(id).predicates.clone();
        let predicates = &self.predicates[list.start as usize..list.end as usize];
        let mut groups: Vec<GroupId> = Vec::with_capacity(predicates.len() + mentioned.len() + 8);
        groups.extend_from_slice(predicates);
        let is_used = |group: &GroupId| predicates.binary_search(group).is_ok();
        groups.extend(mentioned.iter().filter(|mention| !mention.predicates.iter().any(is_used)).map(|m| m.missing));
        self.add_whole(id, &denotation, reach, &mut groups);
        Some(self.scored(formula, Some(id), denotation, groups))
    }

    /// Adds the groups that are about a derivation as a whole.
    fn add_whole(&mut self, id: DerivationId, denotation: &Denotation, reach: &Reach, groups: &mut Vec<GroupId>) {
        let (question, derivation) = (self.scene().question, self.derivation(id));
        let (formula, size) = (derivation.formula, derivation.size);
        let (used, cued) = (self.used(id, reach), self.cued(id));
        let (formulas, known, weights) = (&self.formulas, &mut self.groups, self.weights);
        if known.has(Family::Shape) {
            groups.push(known.id(Topic::Shape(shape(formulas, formula)), weights));
        }
        if known.has(Family::Order) {
            groups.extend(order_of(formulas, formula).map(|order| known.id(Topic::Order(order), weights)));
        }
        if known.has(Family::Near) {
            for_each_near(formulas, formula, question, &mut |near| groups.push(known.id(Topic::Near(near), weights)));
        }
        if known.has(Family::Echo)
            && let Denotation::Values(items) = denotation
        {
            let echo = echo_of(question, items.iter().map(|item| item.value));
            groups.push(known.id(Topic::Echo(echo), weights));
        }
        if known.has(Family::Extent) {
            groups.push(known.id(Topic::Extent(reach.extent(used, cued, size)), weights));
        }
    }

    /// The tokens that a derivation uses: those anchored, and those that the names of its columns cover.
    fn used(&self, id: DerivationId, reach: &Reach) -> u128 {
        let derivation = self.derivation(id);
        let list = derivation.predicates.start as usize..derivation.predicates.end as usize;
        let covered = self.predicates[list].iter().map(|group| match self.groups.topic(*group) {
            Topic::Predicate(Predicate::Column(c) | Predicate::ColumnOf(c) | Predicate::ColumnBy(c)) => reach.column(c),
            _ => 0,
        });
        covered.fold(derivation.tokens, |used, tokens| used | tokens)
    }

    /// The tokens that suggest the rules of a derivation.
    fn cued(&self, id: DerivationId) -> u128 {
        let derivation = self.derivation(id);
        let parts = derivation.parts.iter().flatten();
        parts.fold(self.cue_tokens[usize::from(derivation.rule)], |tokens, part| tokens | self.cued(*part))
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
        groups.dedup();
        let score = groups.iter().map(|group| self.groups.score(*group)).sum();
        Candidate { formula, derivation, denotation, groups, score }
    }

    /// Why a derivation cannot be an answer.
    fn no_answer(&self, formula: FormulaId, denotation: &Denotation) -> Option<Pruner> {
        let Denotation::Values(items) = denotation else { return Some(Pruner::Undefined) };
        if self.pruners.uses(Pruner::Atomic) && is_atomic(&self.formulas, formula) {
            return Some(Pruner::Atomic);
        }
        if self.pruners.uses(Pruner::Blank) && items.iter().all(|item| self.is_blank(item.value)) {
            return Some(Pruner::Blank);
        }
        let few = items.len() <= self.settings.most_values || distinct(items).len() <= self.settings.most_values;
        (!few && self.pruners.uses(Pruner::TooMany)).then_some(Pruner::TooMany)
    }

    fn is_blank(&self, value: Value) -> bool {
        matches!(value, Value::Entity(entity) if !self.scene().graph.name(entity).contains(char::is_alphanumeric))
    }

    /// What the question names.
    fn mentioned(&mut self) -> Vec<Mention> {
        let question = self.scene().question;
        let entities = question.entities().map(|entity| vec![Predicate::Value(Value::Entity(entity))]);
        let columns = question.columns.iter();
        let columns =
            columns.map(|id| vec![Predicate::ColumnOf(*id), Predicate::Column(*id), Predicate::ColumnBy(*id)]);
        let mut seen = FxHashSet::default();
        let named: Vec<Vec<Predicate>> = entities.chain(columns).filter(|named| seen.insert(named[0])).collect();
        let mention = |named: Vec<Predicate>| Mention {
            missing: self.groups.id(Topic::Missing(named[0]), self.weights),
            predicates: named.into_iter().map(|p| self.groups.id(Topic::Predicate(p), self.weights)).collect(),
        };
        named.into_iter().map(mention).collect()
    }

    /// The candidates of the retrieval baseline: every text of the table, once for each column it stands in, and its
    /// readings.
    pub(super) fn cells_of_table(mut self) -> Parse<'a> {
        let (scene, settings) = (self.scene(), self.settings);
        let mut candidates = Vec::new();
        for column in scene.graph.column_ids() {
            let mut seen = FxHashSet::default();
            for (row, entity) in scene.graph.column(column).cells.iter().enumerate() {
                if seen.insert(*entity) {
                    let cell = Cell { row: row as u32, column };
                    let text = self.formulas.entity(*entity);
                    candidates.extend(self.cell_candidate(text, cell));
                    for reading in
                        scene.vocabulary.readings(column).iter().filter(|reading| settings.follows(**reading))
                    {
                        let relation = self.formulas.reading(*reading);
                        let back = self.formulas.intern(Node::Reverse(relation));
                        let read = self.formulas.intern(Node::Join(back, text));
                        candidates.extend(self.cell_candidate(read, cell));
                    }
                }
            }
        }
        self.finish(candidates)
    }

    /// What a formula makes of one cell, if anything.
    fn cell_candidate(&mut self, formula: FormulaId, cell: Cell) -> Option<Candidate> {
        let denotation = self.executor.denote(&self.formulas, formula).ok()?;
        let Denotation::Values(items) = &*denotation else { return None };
        let items: Items = items.iter().map(|item| Item { value: item.value, cell: Some(cell) }).collect();
        (!items.is_empty()).then(|| self.scored(formula, None, Rc::new(Denotation::Values(items)), Vec::new()))
    }
}

/// Something that the question names.
struct Mention {
    /// The groups of the predicates that would speak of it.
    predicates: Vec<GroupId>,
    /// The group for leaving it out.
    missing: GroupId,
}

/// Whether a formula is nothing but values of the question.
fn is_atomic(formulas: &Formulas, formula: FormulaId) -> bool {
    match formulas.node(formula) {
        Node::Value(_) => true,
        Node::Or(a, b) => is_atomic(formulas, a) && is_atomic(formulas, b),
        _ => false,
    }
}
