//! Superlatives: the members of a list whose key is the largest or the smallest; all of them when they tie. Members
//! without a key are left out.

use super::aggregate::Best;
use super::lambda::Bound;
use super::{Denotation, Executor, RowSet, Undefined};
use crate::formula::{FormulaId, Formulas, Node, Superlative};
use crate::graph::{Cell, ColumnId, Graph, Reading};
use crate::value::Value;
use rustc_hash::FxHashSet;

impl Executor<'_> {
    pub(super) fn superlative(
        &mut self,
        formulas: &Formulas,
        op: Superlative,
        of: &Denotation,
        key: FormulaId,
    ) -> Result<Denotation, Undefined> {
        match of {
            Denotation::Rows(rows) => self.best_rows(formulas, op, rows, key).map(Denotation::Rows),
            _ => self.best_values(formulas, op, of, key),
        }
    }

    fn best_rows(
        &mut self,
        formulas: &Formulas,
        op: Superlative,
        rows: &RowSet,
        key: FormulaId,
    ) -> Result<RowSet, Undefined> {
        let mut best = Best::new(op);
        match RowKey::new(formulas, key) {
            Some(key) => key.offer_all(self.graph, rows, &mut best)?,
            None => {
                for row in rows.iter() {
                    for value in self.keys_of(formulas, Bound::Row(row as u32), key)? {
                        best.offer(row, value)?;
                    }
                }
            }
        }
        Ok(RowSet::from_rows(rows.len(), best.holders.iter().copied()))
    }

    fn best_values(
        &mut self,
        formulas: &Formulas,
        op: Superlative,
        of: &Denotation,
        key: FormulaId,
    ) -> Result<Denotation, Undefined> {
        let mut best = Best::new(op);
        for member in self.members(of)? {
            for value in self.keys_of(formulas, member, key)? {
                best.offer(member, value)?;
            }
        }
        let chosen = best.holders.iter().filter_map(|m| if let Bound::Value(x) = m { Some(x.value) } else { None });
        let chosen: FxHashSet<Value> = chosen.collect();
        let items = self.list(of)?;
        Ok(Denotation::Values(items.iter().filter(|item| chosen.contains(&item.value)).copied().collect()))
    }

    /// What stands on the right of a binary's pairs for one member on the left.
    fn keys_of(&mut self, formulas: &Formulas, member: Bound, key: FormulaId) -> Result<Vec<Value>, Undefined> {
        let inner = match formulas.node(key) {
            Node::Reverse(inner) => formulas.node(inner),
            other => other,
        };
        let outcome = match (formulas.node(key), inner) {
            (Node::Reverse(_), Node::Lambda(var, body)) => self.with(formulas, var, member, body).map(|d| (*d).clone()),
            (Node::Lambda(var, body), _) => self.keys_along(formulas, member, formulas.chain(var, body)),
            _ => self.follow(formulas, member, key),
        };
        match outcome {
            Ok(denotation) => Ok(self.list(&denotation)?.iter().map(|item| item.value).collect()),
            Err(undefined @ (Undefined::TooLong | Undefined::Type)) => Err(undefined),
            Err(_) => Ok(Vec::new()),
        }
    }

    /// `λx[a.b.x]` leads from a member back along `a`, then `b`; other lambdas have keys that cannot be listed.
    fn keys_along(
        &mut self,
        formulas: &Formulas,
        member: Bound,
        path: Option<Vec<FormulaId>>,
    ) -> Result<Denotation, Undefined> {
        let path = path.ok_or(Undefined::Infinite)?;
        path.iter().try_fold(self.only(member), |of, step| {
            self.spend(of.weight())?;
            self.join_back(formulas, *step, &of)
        })
    }

    fn follow(&mut self, formulas: &Formulas, member: Bound, key: FormulaId) -> Result<Denotation, Undefined> {
        self.spend(1)?;
        let of = self.only(member);
        self.join_back(formulas, key, &of)
    }
}

/// The keys that nearly every superlative over rows uses, looked up without building lists.
enum RowKey {
    Index,
    Read(ColumnId, Reading),
}

impl RowKey {
    fn new(formulas: &Formulas, key: FormulaId) -> Option<RowKey> {
        match formulas.node(key) {
            Node::Index => Some(RowKey::Index),
            Node::Lambda(var, body) => match *formulas.chain(var, body)? {
                [column, reading] => RowKey::read(formulas.node(column), formulas.node(reading)),
                _ => None,
            },
            Node::Reverse(inner) => {
                let Node::Lambda(var, body) = formulas.node(inner) else { return None };
                let [reading, column] = *formulas.chain(var, body)? else { return None };
                match (formulas.node(column), formulas.node(reading)) {
                    (Node::Reverse(column), Node::Reverse(reading)) => {
                        RowKey::read(formulas.node(column), formulas.node(reading))
                    }
                    _ => None,
                }
            }
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
