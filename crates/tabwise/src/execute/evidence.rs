//! The cells behind an answer: those it was read from, those that conditions and orders looked at, and the columns
//! touched. Every value of an answer has cells, unless the formula speaks of no cell or there is none.

use super::{Denotation, Executor, Item, RowSet};
use crate::formula::{Aggregate, FormulaId, Node, Relation, Way};
use crate::graph::{Cell, ColumnId};
use crate::value::{EntityId, Value};
use std::collections::BTreeSet;

/// Where an answer came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The cells whose text or reading is the answer, or that it was computed from.
    pub answer: Vec<Cell>,
    /// The cells that made a row count: matched by a condition, or best in an order.
    pub used: Vec<Cell>,
    /// Every column that the formula speaks of.
    pub columns: Vec<ColumnId>,
}

impl Evidence {
    /// The most cells listed of each kind; the denotation is complete all the same.
    pub const LIMIT: usize = 10_000;
    /// The most nodes, as a tree, of a formula whose conditions are looked at.
    const LARGEST: usize = 1_000;
    /// The most rows whose values a person would compare one by one.
    const COMPARED: usize = 10;
}

/// The cells behind a formula's denotation. Empty when the formula means nothing in this table.
pub fn evidence(executor: &mut Executor, id: FormulaId) -> Evidence {
    let Ok(denotation) = executor.denote(id) else { return Evidence::default() };
    if executor.formulas().size(id) > Evidence::LARGEST {
        return Evidence::default();
    }
    let mut gatherer = Gatherer { executor, used: BTreeSet::new(), columns: BTreeSet::new() };
    gatherer.gather(id, None);
    let answer = match denotation.is_empty() {
        true => BTreeSet::new(),
        false => Some(gatherer.answer(id)).filter(|cells| !cells.is_empty()).unwrap_or_else(|| gatherer.used.clone()),
    };
    let used = gatherer.used.into_iter().filter(|cell| !answer.contains(cell)).take(Evidence::LIMIT).collect();
    let answer = answer.into_iter().take(Evidence::LIMIT).collect();
    Evidence { answer, used, columns: gatherer.columns.into_iter().collect() }
}

struct Gatherer<'a, 'g> {
    executor: &'a mut Executor<'g>,
    used: BTreeSet<Cell>,
    columns: BTreeSet<ColumnId>,
}

impl Gatherer<'_, '_> {
    fn answer(&mut self, id: FormulaId) -> BTreeSet<Cell> {
        let Ok(denotation) = self.executor.denote(id) else { return BTreeSet::new() };
        match (self.executor.formulas.node(id), &*denotation) {
            (Node::Aggregate(op, part), _) => self.behind_aggregate(op, part, &denotation),
            (Node::Arithmetic(_, a, b), _) => &self.answer(a) | &self.answer(b),
            (Node::Or(a, b), Denotation::Values(_)) => &self.answer(a) | &self.answer(b),
            (_, Denotation::Rows(rows)) => self.condition_cells(id, rows),
            (Node::Join(binary, of), Denotation::Values(items)) if self.is_bare_relation(binary, items) => {
                self.answer(of)
            }
            (_, Denotation::Values(items)) => self.cells_of(items),
            (_, Denotation::Passing(_)) => match self.executor.list(&denotation) {
                Ok(items) => self.cells_of(&items),
                Err(_) => BTreeSet::new(),
            },
        }
    }

    /// Whether items are without cells because of what they were reached by: the number of a row, or a reading of an
    /// entity that the formula names. Then the cells are those of what was asked.
    fn is_bare_relation(&self, binary: FormulaId, items: &[Item]) -> bool {
        let relation = self.executor.formulas.forth(binary);
        let is_known = matches!(relation, Some(Relation::Index | Relation::Run(_) | Relation::Reading(_)));
        is_known && items.iter().any(|item| item.cell.is_none())
    }

    /// A largest or smallest value stands in the cells that hold it; a sum or a count in all of its list's.
    fn behind_aggregate(&mut self, op: Aggregate, part: FormulaId, result: &Denotation) -> BTreeSet<Cell> {
        let Ok(list) = self.executor.denote(part) else { return BTreeSet::new() };
        match (op, &*list, result.the_value()) {
            (Aggregate::Max | Aggregate::Min, Denotation::Values(items), Ok(best)) => {
                let holders = items.iter().filter(|item| item.value == best);
                let cells: BTreeSet<Cell> = holders.filter_map(|item| item.cell).take(Evidence::LIMIT).collect();
                if cells.is_empty() { self.answer(part) } else { cells }
            }
            _ => self.answer(part),
        }
    }

    /// The cells of a list. An entity that the formula itself names stands where the formula's columns hold it, whole or as
    /// a part.
    fn cells_of(&self, items: &[Item]) -> BTreeSet<Cell> {
        let mut cells: BTreeSet<Cell> = items.iter().filter_map(|item| item.cell).take(Evidence::LIMIT).collect();
        let named = items.iter().filter(|item| item.cell.is_none()).filter_map(|item| match item.value {
            Value::Entity(entity) => Some(entity),
            _ => None,
        });
        let named: BTreeSet<EntityId> = named.collect();
        if !named.is_empty() {
            cells.extend(self.places(&named));
        }
        cells
    }

    fn places(&self, entities: &BTreeSet<EntityId>) -> Vec<Cell> {
        let graph = self.executor.graph();
        let places = |column: ColumnId| {
            let cells = graph.column(column).cells.iter().enumerate();
            let here = cells.filter(|(_, entity)| {
                let parts = graph.parts(**entity);
                entities.contains(entity) || parts.iter().any(|part| entities.contains(part))
            });
            here.map(move |(row, _)| Cell { row: row as u32, column })
        };
        let spoken_of: Vec<Cell> = self.columns.iter().copied().flat_map(places).take(Evidence::LIMIT).collect();
        match spoken_of.is_empty() {
            true => graph.column_ids().flat_map(places).take(Evidence::LIMIT).collect(),
            false => spoken_of,
        }
    }

    /// The cells by which rows were chosen; of rows without a condition, their first cells.
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
        match self.executor.formulas.node(id) {
            Node::Join(binary, unary) => self.gather_join(id, binary, unary, within),
            Node::And(a, b) => {
                let rows = self.rows(id, within);
                self.gather(a, rows.as_ref());
                self.gather(b, rows.as_ref());
            }
            Node::Superlative(_, of, key) => self.gather_best(id, of, key, within),
            Node::Or(a, b) => {
                self.gather(a, within);
                self.gather(b, within);
            }
            Node::Mark(..) => {
                let rows = self.rows(id, within);
                for column in self.columns_in(id) {
                    self.add(column, rows.as_ref());
                }
            }
            Node::Aggregate(..) | Node::Arithmetic(..) | Node::Value(_) | Node::Rows | Node::Var(_) => {
                self.columns_in(id);
                for child in self.executor.formulas.children(id) {
                    self.gather(child, None);
                }
            }
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => {
                self.columns_in(id);
            }
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) => {
                self.columns_in(id);
            }
        }
    }

    /// Of the best rows, what they were best by. Of the best values the same, and where few were compared, what each of
    /// them was compared by.
    fn gather_best(&mut self, id: FormulaId, of: FormulaId, key: FormulaId, within: Option<&RowSet>) {
        let keys = self.columns_in(key);
        let (best, compared) = match self.items(id) {
            None => (self.rows(id, within), None),
            Some(items) => (Some(self.rows_of(&items)), self.few(of)),
        };
        let rows = compared.or(best);
        self.gather(of, rows.as_ref());
        keys.into_iter().for_each(|column| self.add(column, rows.as_ref()));
    }

    /// The rows of a list's values, unless they are too many for a person to compare. Values that the formula names were
    /// looked for, so their cells were used.
    fn few(&mut self, of: FormulaId) -> Option<RowSet> {
        let items = self.items(of)?;
        if items.iter().any(|item| item.cell.is_none()) {
            let cells = self.cells_of(&items);
            self.used.extend(cells);
        }
        Some(self.rows_of(&items)).filter(|rows| rows.count() <= Evidence::COMPARED)
    }

    fn items(&mut self, id: FormulaId) -> Option<Vec<Item>> {
        match self.executor.denote(id).as_deref() {
            Ok(Denotation::Values(items)) => Some(items.to_vec()),
            _ => None,
        }
    }

    /// The rows in which values of a list stand.
    fn rows_of(&self, items: &[Item]) -> RowSet {
        let cells = self.cells_of(items);
        RowSet::from_rows(self.executor.graph().row_count(), cells.iter().map(|cell| cell.row as usize))
    }

    fn gather_join(&mut self, id: FormulaId, binary: FormulaId, unary: FormulaId, within: Option<&RowSet>) {
        let columns = self.columns_in(binary);
        let rows = match self.executor.formulas.relation(binary) {
            Some((_, Way::Forth)) => self.rows(unary, within),
            Some((Relation::Lambda(..), Way::Back)) => self.rows(unary, None),
            Some((Relation::Column(_) | Relation::Run(_), Way::Back)) => self.rows(id, within),
            _ => None,
        };
        columns.into_iter().for_each(|column| self.add(column, rows.as_ref()));
        let looked_up = within.filter(|_| self.is_looked_up(binary));
        self.gather(unary, looked_up);
    }

    /// Whether a relation leads from a row to what stands in it, or from a cell to its reading.
    fn is_looked_up(&self, binary: FormulaId) -> bool {
        matches!(self.executor.formulas.forth(binary), Some(Relation::Column(_) | Relation::Reading(_)))
    }

    fn rows(&mut self, id: FormulaId, within: Option<&RowSet>) -> Option<RowSet> {
        match self.executor.denote(id).as_deref() {
            Ok(Denotation::Rows(rows)) => Some(within.map_or_else(|| rows.clone(), |within| rows.and(within))),
            _ => None,
        }
    }

    fn columns_in(&mut self, id: FormulaId) -> Vec<ColumnId> {
        let column = |id: FormulaId| match self.executor.formulas.node(id) {
            Node::Column(column) | Node::Run(column) => Some(column),
            _ => None,
        };
        let found: Vec<ColumnId> = self.executor.formulas.parts(id).into_iter().filter_map(column).collect();
        self.columns.extend(&found);
        found
    }

    fn add(&mut self, column: ColumnId, rows: Option<&RowSet>) {
        let rows = rows.into_iter().flat_map(RowSet::iter).take(Evidence::LIMIT);
        self.used.extend(rows.map(|row| Cell { row: row as u32, column }));
    }
}
