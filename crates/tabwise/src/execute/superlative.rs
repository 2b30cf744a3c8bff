//! Superlatives: the members of a list whose key is the largest or the smallest; all of them when they tie. Members
//! without a key are left out.

use super::aggregate::Best;
use super::lambda::Bound;
use super::{Denotation, Executor, Item, RowSet, Undefined};
use crate::formula::{Aggregate, FormulaId, Formulas, Node, Relation, Superlative, Var, Way};
use crate::graph::{Cell, ColumnId, Graph, Reading};
use crate::value::{EntityId, Value};
use rustc_hash::FxHashSet;

impl Executor<'_> {
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

    /// Offers the keys of one text.
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
        let rows = rows.len();
        self.spend(2 + rows)
    }

    /// What stands on the right of a binary's pairs for one member on the left.
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

    fn partners(&mut self, member: Bound, key: FormulaId) -> Result<Denotation, Undefined> {
        match self.formulas.relation(key).ok_or(Undefined::Type)? {
            (Relation::Lambda(var, body), Way::Forth) => self.with(var, member, body).map(|d| (*d).clone()),
            // `λx[a.b.x]` leads from a member back along `a`, then `b`; other lambdas have keys that cannot be listed.
            (Relation::Lambda(var, body), Way::Back) => {
                let path = self.formulas.chain(var, body).ok_or(Undefined::Infinite)?;
                self.back_along(member, &path)
            }
            _ => self.back_along(member, &[key]),
        }
    }

    /// Follows the relations of a path against their direction.
    fn back_along(&mut self, member: Bound, path: &[FormulaId]) -> Result<Denotation, Undefined> {
        path.iter().try_fold(self.only(member), |of, step| {
            self.spend(1 + of.weight())?;
            let (relation, way) = self.formulas.relation(*step).ok_or(Undefined::Type)?;
            self.follow(relation, way.turned(), &of)
        })
    }
}

/// The keys that nearly every superlative over rows uses, looked up without building lists.
enum RowKey {
    Index,
    Read(ColumnId, Reading),
}

impl RowKey {
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

/// The keys that most superlatives over texts use, looked up without building lists.
enum ValueKey {
    /// `R[λx[count(Column.x)]]`: in how many rows it stands.
    Frequency(ColumnId),
    /// `λx[R[By].Column.Reading.x]`: what another column reads as in its rows.
    Read { by: ColumnId, column: ColumnId, reading: Reading },
}

impl ValueKey {
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

    /// The column in which the texts are looked up.
    fn column(&self) -> ColumnId {
        match *self {
            ValueKey::Frequency(column) | ValueKey::Read { by: column, .. } => column,
        }
    }
}
