//! The cells behind an answer. [`evidence`] walks a formula and collects the cells that the answer was read from, the
//! cells that conditions and orders compared, and the columns. Every answer has cells, unless the formula uses none or
//! the table has none.

use super::{Denotation, Executor, Group, Item, RowSet};
use crate::formula::{Aggregate, FormulaId, Node, Relation, Way};
use crate::graph::{Cell, ColumnId};
use crate::value::{EntityId, Value};
use std::collections::BTreeSet;

/// Cells and columns behind an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Cells whose text or reading is the answer, or from which it was computed.
    pub answer: Vec<Cell>,
    /// Cells by which rows were chosen: they met a condition or were best in an order.
    pub used: Vec<Cell>,
    /// Columns in the formula.
    pub columns: Vec<ColumnId>,
}

impl Evidence {
    /// Limit on the cells of each list. The denotation is complete even if the evidence is cut.
    pub const LIMIT: usize = 10_000;
    /// Limit on the size of a formula; a larger one has no evidence.
    const LARGEST: usize = 1_000;
    /// Number of rows up to which all values that were compared are evidence, not only the best.
    const COMPARED: usize = 10;
}

/// Collects the cells behind a formula's denotation. Empty if the formula is undefined in this table.
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
    /// Cells whose content is the denotation, or from which it was computed.
    fn answer(&mut self, id: FormulaId) -> BTreeSet<Cell> {
        let Ok(denotation) = self.executor.denote(id) else { return BTreeSet::new() };
        match (self.executor.formulas.node(id), &*denotation) {
            (Node::Aggregate(op, part), _) => self.behind_aggregate(op, part, &denotation),
            (Node::Arithmetic(_, a, b) | Node::Test(_, a, b), _) => &self.answer(a) | &self.answer(b),
            (Node::Exists(of), _) => self.answer(of),
            (Node::Group(of, key), Denotation::Groups(groups)) => self.behind_groups(of, key, groups),
            (_, Denotation::Groups(_)) => BTreeSet::new(),
            (Node::Join(binary, of), Denotation::Values(_)) if self.is_across(binary) => {
                let (columns, rows) = (self.columns_in(binary), self.rows(of, None));
                columns.into_iter().flat_map(|column| cells(column, rows.as_ref())).collect()
            }
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

    /// Tells if items have no cells because a relation does not lead to cells: row numbers, or readings of an entity
    /// that the formula names. Then the cells of the unary are used.
    fn is_bare_relation(&self, binary: FormulaId, items: &[Item]) -> bool {
        let relation = self.executor.formulas.forth(binary);
        let is_known = matches!(relation, Some(Relation::Index | Relation::Run(_) | Relation::Reading(_)));
        is_known && items.iter().any(|item| item.cell.is_none())
    }

    /// Tells if a join leads from rows to amounts computed across their columns.
    fn is_across(&self, binary: FormulaId) -> bool {
        matches!(self.executor.formulas.forth(binary), Some(Relation::Across(..)))
    }

    /// Cells of a table of groups: those of its values, and those from which the partners were computed.
    fn behind_groups(&mut self, of: FormulaId, key: FormulaId, groups: &[Group]) -> BTreeSet<Cell> {
        let items = groups.iter().flat_map(|group| std::iter::once(&group.key).chain(&group.values));
        let items: Vec<Item> = items.copied().collect();
        let mut found = self.cells_of(&items);
        if groups.iter().any(|group| group.values.iter().any(|item| item.cell.is_none())) {
            let rows = self.items(of).map(|items| self.rows_of(&items));
            for column in self.columns_in(key) {
                found.extend(cells(column, rows.as_ref()));
            }
        }
        found
    }

    /// Cells of an aggregate: those with the largest or smallest value; for a sum or a count, all cells of the list.
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

    /// Cells of a list. For an entity that the formula names, these are the cells of the formula's columns that contain
    /// it, whole or as a part.
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

    /// Cells that contain entities, in the formula's columns or, if there are none, in all columns.
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
        let in_columns: Vec<Cell> = self.columns.iter().copied().flat_map(places).take(Evidence::LIMIT).collect();
        match in_columns.is_empty() {
            true => graph.column_ids().flat_map(places).take(Evidence::LIMIT).collect(),
            false => in_columns,
        }
    }

    /// Cells by which rows were chosen. Rows without a condition are represented by their first cells.
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

    /// Adds the cells that a formula compared. With `within`, only rows that the whole formula kept are of interest.
    fn gather(&mut self, id: FormulaId, within: Option<&RowSet>) {
        match self.executor.formulas.node(id) {
            Node::Join(binary, unary) => self.gather_join(id, binary, unary, within),
            Node::And(a, b) => {
                let rows = self.rows(id, within);
                self.gather(a, rows.as_ref());
                self.gather(b, rows.as_ref());
            }
            Node::Superlative(_, of, key) => self.gather_best(id, of, key, within),
            Node::Top(_, of, key, other) | Node::Having(of, key, other) => {
                self.gather_best(id, of, key, within);
                self.gather(other, None);
            }
            Node::Group(of, key) => {
                let rows = self.items(of).map(|items| self.rows_of(&items));
                self.gather(of, None);
                self.columns_in(key).into_iter().for_each(|column| self.add(column, rows.as_ref()));
            }
            Node::Except(a, b) => {
                let rows = self.rows(id, within);
                self.gather(a, rows.as_ref());
                match rows {
                    Some(_) => self.columns_in(b).into_iter().for_each(|column| self.add(column, rows.as_ref())),
                    None => self.gather(b, None),
                }
            }
            Node::Missing(binary) => {
                let rows = self.rows(id, within);
                for column in self.columns_in(binary) {
                    self.used.extend(cells(column, rows.as_ref()));
                }
            }
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
            Node::Aggregate(..)
            | Node::Arithmetic(..)
            | Node::Exists(_)
            | Node::Test(..)
            | Node::Value(_)
            | Node::Rows
            | Node::Var(_)
            | Node::Text(..) => {
                self.columns_in(id);
                for child in self.executor.formulas.children(id) {
                    self.gather(child, None);
                }
            }
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => {
                self.columns_in(id);
            }
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => {
                self.columns_in(id);
            }
        }
    }

    /// Adds the cells by which the best rows or values were best. If few values were compared, the cells of all of them
    /// are added, so that a person can check the comparison.
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

    /// Rows of a list's values, unless there are too many for a person to compare. Cells of values that the formula
    /// names are added, since they were looked up.
    fn few(&mut self, of: FormulaId) -> Option<RowSet> {
        let items = self.items(of)?;
        if items.iter().any(|item| item.cell.is_none()) {
            let cells = self.cells_of(&items);
            self.used.extend(cells);
        }
        Some(self.rows_of(&items)).filter(|rows| rows.count() <= Evidence::COMPARED)
    }

    /// Items of a formula that denotes values.
    fn items(&mut self, id: FormulaId) -> Option<Vec<Item>> {
        match self.executor.denote(id).as_deref() {
            Ok(Denotation::Values(items)) => Some(items.to_vec()),
            _ => None,
        }
    }

    /// Rows with the cells of a list.
    fn rows_of(&self, items: &[Item]) -> RowSet {
        let cells = self.cells_of(items);
        RowSet::from_rows(self.executor.graph().row_count(), cells.iter().map(|cell| cell.row as usize))
    }

    /// Adds the cells of the columns that a join follows.
    fn gather_join(&mut self, id: FormulaId, binary: FormulaId, unary: FormulaId, within: Option<&RowSet>) {
        let columns = self.columns_in(binary);
        let rows = match self.executor.formulas.relation(binary) {
            Some((_, Way::Forth)) => self.rows(unary, within),
            Some((Relation::Lambda(..), Way::Back)) => self.rows(unary, None),
            Some((Relation::Column(_) | Relation::Run(_) | Relation::Across(..), Way::Back)) => self.rows(id, within),
            _ => None,
        };
        columns.into_iter().for_each(|column| self.add(column, rows.as_ref()));
        let looked_up = within.filter(|_| self.is_looked_up(binary));
        self.gather(unary, looked_up);
    }

    /// Tells if a relation leads from a row to its cell, or from a cell to its reading.
    fn is_looked_up(&self, binary: FormulaId) -> bool {
        matches!(self.executor.formulas.forth(binary), Some(Relation::Column(_) | Relation::Reading(_)))
    }

    /// Rows that a formula denotes, restricted to `within`.
    fn rows(&mut self, id: FormulaId, within: Option<&RowSet>) -> Option<RowSet> {
        match self.executor.denote(id).as_deref() {
            Ok(Denotation::Rows(rows)) => Some(within.map_or_else(|| rows.clone(), |within| rows.and(within))),
            _ => None,
        }
    }

    /// Columns inside a formula, which are also added to the evidence.
    fn columns_in(&mut self, id: FormulaId) -> Vec<ColumnId> {
        let column = |id: FormulaId| match self.executor.formulas.node(id) {
            Node::Column(column) | Node::Run(column) => Some(column),
            _ => None,
        };
        let found: Vec<ColumnId> = self.executor.formulas.parts(id).into_iter().filter_map(column).collect();
        self.columns.extend(&found);
        found
    }

    /// Adds the cells of a column in some rows, without the missing ones: nothing was read from these.
    fn add(&mut self, column: ColumnId, rows: Option<&RowSet>) {
        let graph = self.executor.graph();
        self.used.extend(cells(column, rows).filter(|cell| !graph.is_missing(graph.entity_at(*cell))));
    }
}

/// Cells of a column in some rows.
fn cells(column: ColumnId, rows: Option<&RowSet>) -> impl Iterator<Item = Cell> {
    let rows = rows.into_iter().flat_map(RowSet::iter).take(Evidence::LIMIT);
    rows.map(move |row| Cell { row: row as u32, column })
}
