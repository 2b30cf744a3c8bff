//! The cells behind an answer: those it was read from, those that conditions and orders looked at, and the columns
//! touched.

use super::{Denotation, Executor, RowSet};
use crate::formula::{Aggregate, FormulaId, Formulas, Node};
use crate::graph::{Cell, ColumnId};
use std::collections::BTreeSet;

/// Where an answer came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The cells whose text or reading is the answer, or that an aggregate was computed from.
    pub answer: Vec<Cell>,
    /// The cells that made a row count: matched by a condition, or best in an order.
    pub used: Vec<Cell>,
    /// Every column that the formula speaks of.
    pub columns: Vec<ColumnId>,
}

impl Evidence {
    /// The most cells listed of each kind; the denotation is complete all the same.
    pub const LIMIT: usize = 10_000;
}

/// The cells behind a formula's denotation. Empty when the formula means nothing in this table.
pub fn evidence(executor: &mut Executor, formulas: &Formulas, id: FormulaId) -> Evidence {
    let mut gatherer = Gatherer { executor, formulas, used: BTreeSet::new(), columns: BTreeSet::new() };
    let answer = gatherer.answer(id);
    gatherer.gather(id, None);
    let mut used: Vec<Cell> = gatherer.used.into_iter().filter(|cell| !answer.contains(cell)).collect();
    used.truncate(Evidence::LIMIT);
    Evidence {
        answer: answer.into_iter().take(Evidence::LIMIT).collect(),
        used,
        columns: gatherer.columns.into_iter().collect(),
    }
}

struct Gatherer<'a, 'g> {
    executor: &'a mut Executor<'g>,
    formulas: &'a Formulas,
    used: BTreeSet<Cell>,
    columns: BTreeSet<ColumnId>,
}

impl Gatherer<'_, '_> {
    fn answer(&mut self, id: FormulaId) -> BTreeSet<Cell> {
        let Ok(denotation) = self.executor.denote(self.formulas, id) else { return BTreeSet::new() };
        match self.formulas.node(id) {
            Node::Aggregate(op, part) => self.behind_aggregate(op, part, &denotation),
            Node::Arithmetic(_, a, b) => {
                let mut cells = self.answer(a);
                cells.extend(self.answer(b));
                cells
            }
            _ => cells_of(&denotation),
        }
    }

    /// A largest or smallest value stands in the cells that hold it; a sum or a count in all of its list's.
    fn behind_aggregate(&mut self, op: Aggregate, part: FormulaId, result: &Denotation) -> BTreeSet<Cell> {
        let Ok(list) = self.executor.denote(self.formulas, part) else { return BTreeSet::new() };
        match (op, &*list, result) {
            (Aggregate::Max | Aggregate::Min, Denotation::Values(items), Denotation::Values(best)) => {
                let is_best = |item: &&super::Item| best.iter().any(|b| b.value == item.value);
                items.iter().filter(is_best).filter_map(|item| item.cell).collect()
            }
            (Aggregate::Count, Denotation::Rows(rows), _) => self.condition_cells(part, rows),
            (_, Denotation::Values(_), _) => cells_of(&list),
            _ => BTreeSet::new(),
        }
    }

    /// The cells by which rows were chosen; of all rows, their first cells.
    fn condition_cells(&mut self, part: FormulaId, rows: &RowSet) -> BTreeSet<Cell> {
        let before = std::mem::take(&mut self.used);
        self.gather(part, None);
        let mut found = std::mem::replace(&mut self.used, before);
        found.retain(|cell| rows.contains(cell.row as usize));
        if found.is_empty() && !self.executor.graph().columns().is_empty() {
            found.extend(rows.iter().take(Evidence::LIMIT).map(|row| Cell { row: row as u32, column: ColumnId(0) }));
        }
        found
    }

    /// Adds what a formula looked at, for the rows of `within` when only those matter.
    fn gather(&mut self, id: FormulaId, within: Option<&RowSet>) {
        match self.formulas.node(id) {
            Node::Join(binary, unary) => self.gather_join(id, binary, unary, within),
            Node::And(a, b) => {
                let rows = self.rows(id, within);
                self.gather(a, rows.as_ref());
                self.gather(b, rows.as_ref());
            }
            Node::Superlative(_, of, key) => {
                let rows = self.rows(id, within);
                self.gather(of, rows.as_ref());
                for column in self.columns_in(key) {
                    self.add(column, rows.as_ref());
                }
            }
            Node::Or(a, b) => {
                self.gather(a, within);
                self.gather(b, within);
            }
            _ => {
                for child in self.formulas.children(id) {
                    self.gather(child, None);
                }
                self.columns_in(id);
            }
        }
    }

    fn gather_join(&mut self, id: FormulaId, binary: FormulaId, unary: FormulaId, within: Option<&RowSet>) {
        let columns = self.columns_in(binary);
        match self.formulas.node(binary) {
            Node::Column(column) => {
                let rows = self.rows(id, within);
                self.add(column, rows.as_ref());
            }
            Node::Reverse(_) => {
                let rows = self.rows(unary, None);
                columns.into_iter().for_each(|column| self.add(column, rows.as_ref()));
            }
            _ => {}
        }
        self.gather(unary, None);
    }

    fn rows(&mut self, id: FormulaId, within: Option<&RowSet>) -> Option<RowSet> {
        match self.executor.denote(self.formulas, id).as_deref() {
            Ok(Denotation::Rows(rows)) => Some(within.map_or_else(|| rows.clone(), |within| rows.and(within))),
            _ => None,
        }
    }

    fn columns_in(&mut self, id: FormulaId) -> Vec<ColumnId> {
        let column = |id: FormulaId| match self.formulas.node(id) {
            Node::Column(column) | Node::Run(column) => Some(column),
            _ => None,
        };
        let found: Vec<ColumnId> = self.formulas.walk(id).into_iter().filter_map(column).collect();
        self.columns.extend(&found);
        found
    }

    fn add(&mut self, column: ColumnId, rows: Option<&RowSet>) {
        let rows = rows.into_iter().flat_map(RowSet::iter).take(Evidence::LIMIT);
        self.used.extend(rows.map(|row| Cell { row: row as u32, column }));
    }
}

fn cells_of(denotation: &Denotation) -> BTreeSet<Cell> {
    match denotation {
        Denotation::Values(items) => items.iter().filter_map(|item| item.cell).take(Evidence::LIMIT).collect(),
        _ => BTreeSet::new(),
    }
}
