//! Execution of superlatives: the members of a list with the largest or smallest key, all of them if there is a tie.
//! Members without a key are ignored. The common keys have a fast path, since the search executes superlatives by the
//! thousand.

use super::aggregate::Best;
use super::lambda::Bound;
use super::{Denotation, Executor, Item, RowSet, Undefined};
use crate::formula::{Aggregate, FormulaId, Formulas, Node, Relation, Superlative, Var, Way};
use crate::graph::{Cell, ColumnId, Graph, Reading};
use crate::value::{EntityId, Value};
use rustc_hash::FxHashSet;

impl Executor<'_> {
    /// `argmax(u, b)` and `argmin(u, b)` for a denotation of `u`.
    pub(super) fn superlative(
        &mut self,
        op: Superlative,
        of: &Denotation,
        key: FormulaId,
    ) -> Result<Denotation, Undefined> {
        match of {
            Denotation::Rows(rows) => self.best_rows(op, rows, key).map(Denotation::Rows),
            _ => self.best_values(op, of, key),
        }
    }

    fn best_rows(&mut self, op: Superlative, rows: &RowSet, key: FormulaId) -> Result<RowSet, Undefined> {
        let mut best = Best::new(op);
        match RowKey::new(&self.formulas, key) {
            Some(key) => key.offer_all(self.graph, rows, &mut best)?,
            None => {
                for row in rows.iter() {
                    for value in self.keys_of(Bound::Row(row as u32), key)? {
                        best.offer(row, value)?;
                    }
                }
            }
        }
        Ok(RowSet::from_rows(rows.len(), best.holders.iter().copied()))
    }

    fn best_values(&mut self, op: Superlative, of: &Denotation, key: FormulaId) -> Result<Denotation, Undefined> {
        let mut best = Best::new(op);
        let quick = ValueKey::new(&self.formulas, key);
        for member in self.members(of)? {
            match (&quick, member) {
                (Some(quick), Bound::Value(Item { value: Value::Entity(entity), .. })) => {
                    self.offer_quickly(quick, entity, member, &mut best)?;
                }
                _ => {
                    for value in self.keys_of(member, key)? {
                        best.offer(member, value)?;
                    }
                }
            }
        }
        let chosen = best.holders.iter().filter_map(|m| if let Bound::Value(x) = m { Some(x.value) } else { None });
        let chosen: FxHashSet<Value> = chosen.collect();
        let items = self.list(of)?;
        Ok(Denotation::Values(items.iter().filter(|item| chosen.contains(&item.value)).copied().collect()))
    }

    /// Offers the keys of one entity, looked up in the index.
    fn offer_quickly(
        &mut self,
        key: &ValueKey,
        entity: EntityId,
        member: Bound,
        best: &mut Best<Bound>,
    ) -> Result<(), Undefined> {
        let graph = self.graph;
        let rows = self.index(key.column()).rows(entity);
        match *key {
            ValueKey::Frequency(_) => best.offer(member, Value::Number(rows.len() as f64))?,
            ValueKey::Read { column, reading, .. } => {
                for row in rows {
                    if let Some(value) = graph.read(graph.entity_at(Cell { row: *row, column }), reading) {
                        best.offer(member, value)?;
                    }
                }
            }
        }
        // The fast path counts about as many steps as the general one, which finds the rows and visits each.
        let rows = rows.len();
        self.spend(2 + rows)
    }

    /// Keys of one member: the right sides of the binary's pairs with that member on the left. A member for which the
    /// key is undefined has none.
    fn keys_of(&mut self, member: Bound, key: FormulaId) -> Result<Vec<Value>, Undefined> {
        self.inside += 1;
        let outcome = self.partners(member, key);
        self.inside -= 1;
        match outcome {
            Ok(denotation) => Ok(self.list(&denotation)?.iter().map(|item| item.value).collect()),
            Err(undefined @ (Undefined::TooLong | Undefined::Type)) => Err(undefined),
            Err(_) => Ok(Vec::new()),
        }
    }

    /// Denotation of a member's keys.
    fn partners(&mut self, member: Bound, key: FormulaId) -> Result<Denotation, Undefined> {
        match self.formulas.relation(key).ok_or(Undefined::Type)? {
            (Relation::Lambda(var, body), Way::Forth) => self.with(var, member, body).map(|d| (*d).clone()),
            // The key of a member is the x for which the body contains the member. For a chain `λx[a.b.x]` it is found
            // by following `R[a]`, then `R[b]`; for other bodies it cannot be listed.
            (Relation::Lambda(var, body), Way::Back) => {
                let path = self.formulas.chain(var, body).ok_or(Undefined::Infinite)?;
                self.back_along(member, &path)
            }
            _ => self.back_along(member, &[key]),
        }
    }

    /// Follows the relations of a path from left to right, starting from a member.
    fn back_along(&mut self, member: Bound, path: &[FormulaId]) -> Result<Denotation, Undefined> {
        path.iter().try_fold(self.only(member), |of, step| {
            self.spend(1 + of.weight())?;
            let (relation, way) = self.formulas.relation(*step).ok_or(Undefined::Type)?;
            self.follow(relation, way.turned(), &of)
        })
    }
}

/// Keys that nearly all superlatives over rows use, looked up without building lists.
enum RowKey {
    /// `Index`: the number of the row.
    Index,
    /// `λx[Column.Reading.x]`: a reading of the row's cell.
    Read(ColumnId, Reading),
}

impl RowKey {
    /// Recognises a key; `None` for any other.
    fn new(formulas: &Formulas, key: FormulaId) -> Option<RowKey> {
        match formulas.relation(key)? {
            (Relation::Index, Way::Back) => Some(RowKey::Index),
            (Relation::Lambda(var, body), Way::Back) => match *formulas.chain(var, body)? {
                [column, reading] => RowKey::read(formulas.node(column), formulas.node(reading)),
                _ => None,
            },
            _ => None,
        }
    }

    fn read(column: Node, reading: Node) -> Option<RowKey> {
        match (column, reading) {
            // A cell may have several parts, which have no order.
            (_, Node::Reading(Reading::Part)) => None,
            (Node::Column(column), Node::Reading(reading)) => Some(RowKey::Read(column, reading)),
            _ => None,
        }
    }

    fn offer_all(&self, graph: &Graph, rows: &RowSet, best: &mut Best<usize>) -> Result<(), Undefined> {
        for row in rows.iter() {
            let value = match *self {
                RowKey::Index => Some(Value::Number(row as f64)),
                RowKey::Read(column, reading) => graph.read(graph.entity_at(Cell { row: row as u32, column }), reading),
            };
            if let Some(value) = value {
                best.offer(row, value)?;
            }
        }
        Ok(())
    }
}

/// Keys that most superlatives over entities use, looked up without building lists.
enum ValueKey {
    /// `R[λx[count(Column.x)]]`: the number of rows with the entity.
    Frequency(ColumnId),
    /// `λx[R[By].Column.Reading.x]`: a reading of another column in the rows with the entity.
    Read { by: ColumnId, column: ColumnId, reading: Reading },
}

impl ValueKey {
    /// Recognises a key; `None` for any other.
    fn new(formulas: &Formulas, key: FormulaId) -> Option<ValueKey> {
        match formulas.relation(key)? {
            (Relation::Lambda(var, body), Way::Forth) => ValueKey::frequency(formulas, var, body),
            (Relation::Lambda(var, body), Way::Back) => match *formulas.chain(var, body)? {
                [by, column, reading] => ValueKey::read(formulas, by, column, reading),
                _ => None,
            },
            _ => None,
        }
    }

    fn frequency(formulas: &Formulas, var: Var, body: FormulaId) -> Option<ValueKey> {
        let Node::Aggregate(Aggregate::Count, rows) = formulas.node(body) else { return None };
        let Node::Join(column, x) = formulas.node(rows) else { return None };
        match (formulas.node(column), formulas.node(x)) {
            (Node::Column(column), Node::Var(x)) if x == var => Some(ValueKey::Frequency(column)),
            _ => None,
        }
    }

    fn read(formulas: &Formulas, by: FormulaId, column: FormulaId, reading: FormulaId) -> Option<ValueKey> {
        let Relation::Column(by) = formulas.forth(by)? else { return None };
        match (formulas.node(column), formulas.node(reading)) {
            (_, Node::Reading(Reading::Part)) => None,
            (Node::Column(column), Node::Reading(reading)) => Some(ValueKey::Read { by, column, reading }),
            _ => None,
        }
    }

    /// Column in which the entities are looked up.
    fn column(&self) -> ColumnId {
        match *self {
            ValueKey::Frequency(column) | ValueKey::Read { by: column, .. } => column,
        }
    }
}
