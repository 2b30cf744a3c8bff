//! Whole candidates: the derivations that may answer the question, and the cells of the retrieval baseline.

use super::chart::Chart;
use super::{Found, Pruners, Search};
use crate::derivation::{Derivation, DerivationId, Derivations};
use crate::execute::{Denotation, Executor, Item, Items, has_more_values};
use crate::features::Weights;
use crate::formula::{FormulaId, Formulas, Node};
use crate::grammar::Category;
use crate::graph::{Cell, Graph};
use crate::settings::{Pruner, Settings};
use crate::value::Value;
use rustc_hash::FxHashSet;
use std::ops::RangeInclusive;
use std::rc::Rc;

/// Numbers of groups that make a table.
pub const GROUPS: RangeInclusive<usize> = 2..=200;

impl<'a, W: Weights> Chart<'a, '_, W> {
    /// The answers among the derivations, smaller ones first.
    pub(super) fn answers(mut self) -> Search<'a> {
        let mut found = Vec::new();
        for size in 1..=self.settings.size {
            let (values, others) = (self.cell(Category::Values, size), self.cell(Category::Answer, size));
            for entry in values.iter().chain(others.iter()) {
                let formula = self.formula(entry);
                let Ok(denotation) = self.executor.denote(formula) else { continue };
                match self.no_answer(formula, &denotation) {
                    Some(pruner) => self.report.prune(pruner),
                    None => found.push(Found { formula, derivation: Some(entry.id), denotation }),
                }
            }
        }
        self.finish(found)
    }

    fn finish(self, found: Vec<Found>) -> Search<'a> {
        let Chart { executor, groups, derivations, report, .. } = self;
        Search { found, executor, groups, derivations, report }
    }

    /// Pruner that keeps a formula from being an answer.
    fn no_answer(&self, formula: FormulaId, denotation: &Denotation) -> Option<Pruner> {
        no_answer(&self.executor, self.settings, formula, denotation)
    }

    /// The candidates of the retrieval baseline: every text of the table, once for each column that holds it, and its
    /// readings.
    pub(super) fn cells_of_table(mut self) -> Search<'a> {
        let graph = self.scene().graph;
        let mut found = Vec::new();
        for column in graph.column_ids() {
            let mut seen = FxHashSet::default();
            for (row, entity) in graph.column(column).cells.iter().enumerate() {
                if seen.insert(*entity) {
                    let text = self.executor.formulas_mut().entity(*entity);
                    self.add_cell(text, Cell { row: row as u32, column }, &mut found);
                }
            }
        }
        self.finish(found)
    }

    /// Adds the text of a cell and its readings.
    fn add_cell(&mut self, text: FormulaId, cell: Cell, found: &mut Vec<Found>) {
        found.extend(self.cell_candidate(text, cell));
        let (vocabulary, settings) = (self.scene().vocabulary, self.settings);
        for reading in vocabulary.readings(cell.column).iter().filter(|one| settings.readings.has(**one)) {
            let formulas = self.executor.formulas_mut();
            let relation = formulas.reading(*reading);
            let back = formulas.reverse(relation);
            let read = formulas.join(back, text);
            found.extend(self.cell_candidate(read, cell));
        }
    }

    /// The values of a formula, as read from one cell; `None` when there are none.
    fn cell_candidate(&mut self, formula: FormulaId, cell: Cell) -> Option<Found> {
        let denotation = self.executor.denote(formula).ok()?;
        let Denotation::Values(items) = &*denotation else { return None };
        let items: Items = items.iter().map(|item| Item { value: item.value, cell: Some(cell) }).collect();
        let denotation = Rc::new(Denotation::Values(items));
        (!denotation.is_empty()).then_some(Found { formula, derivation: None, denotation })
    }
}

/// Tells if a formula is nothing but values of the question.
fn is_atomic(formulas: &Formulas, formula: FormulaId) -> bool {
    match formulas.node(formula) {
        Node::Value(_) => true,
        Node::Or(a, b) => is_atomic(formulas, a) && is_atomic(formulas, b),
        _ => false,
    }
}

/// Pruner that keeps a formula from being an answer.
fn no_answer(executor: &Executor, settings: &Settings, formula: FormulaId, denotation: &Denotation) -> Option<Pruner> {
    let items = match denotation {
        Denotation::Values(items) => items,
        Denotation::Groups(groups) => return (!GROUPS.contains(&groups.len())).then_some(Pruner::TooMany),
        Denotation::Rows(_) | Denotation::Passing(_) => return Some(Pruner::Undefined),
    };
    let uses = |pruner: Pruner| settings.pruners.has(pruner);
    if uses(Pruner::Atomic) && is_atomic(executor.formulas(), formula) {
        return Some(Pruner::Atomic);
    }
    if uses(Pruner::Blank) && items.iter().all(|item| is_blank(executor.graph(), item.value)) {
        return Some(Pruner::Blank);
    }
    (uses(Pruner::TooMany) && has_more_values(items, settings.most_values)).then_some(Pruner::TooMany)
}

fn is_blank(graph: &Graph, value: Value) -> bool {
    matches!(value, Value::Entity(entity) if !graph.name(entity).contains(char::is_alphanumeric))
}

/// Executes a formula that a search found by a sample of the rows, on all of them. `None` if a search that looks at all of
/// them would drop it, or a part of it.
pub fn confirm(
    executor: &mut Executor,
    derivations: &Derivations,
    id: DerivationId,
    settings: &Settings,
) -> Option<Rc<Denotation>> {
    let formula = derivations.get(id).formula;
    let denotation = is_kept(executor, derivations, id, settings).then(|| executor.denote(formula).ok())??;
    no_answer(executor, settings, formula, &denotation).is_none().then_some(denotation)
}

/// Tells if no pruner drops a derivation or a part of it by what it denotes.
fn is_kept(executor: &mut Executor, derivations: &Derivations, id: DerivationId, settings: &Settings) -> bool {
    let Derivation { category, formula, parts, .. } = derivations.get(id);
    let is_dropped = |executor: &mut Executor| {
        let outcome = executor.denote(*formula);
        Pruners(settings.pruners).by_denotation(executor, *formula, &outcome).is_some()
    };
    parts.iter().flatten().all(|part| is_kept(executor, derivations, *part, settings))
        && (category.is_function() || !is_dropped(executor))
}
