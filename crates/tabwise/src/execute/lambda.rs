//! Execution of lambdas and marks: the body is executed once for each member, with the variable bound to it. Steps are
//! counted here, since nested lambdas visit members of members.

use super::denotation::{intersection, union};
use super::{Denotation, Executor, Item, Outcome, RowSet, Undefined};
use crate::formula::types::{Type, TypeError, bound_type};
use crate::formula::{FormulaId, Var};
use crate::value::Value;
use rustc_hash::FxHashSet;
use smallvec::smallvec;
use std::rc::Rc;

/// Row or value that a variable is bound to.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Bound {
    Row(u32),
    Value(Item),
}

impl Executor<'_> {
    /// Denotation of a variable: the member that it is bound to.
    pub(super) fn look_up(&self, var: Var) -> Result<Denotation, Undefined> {
        let found = self.bound.iter().rev().find(|(bound, _)| *bound == var);
        found.map(|(_, member)| self.only(*member)).ok_or(Undefined::Type)
    }

    /// Denotation of a single member.
    pub(super) fn only(&self, member: Bound) -> Denotation {
        match member {
            Bound::Row(row) => Denotation::Rows(RowSet::one(self.graph.row_count(), row)),
            Bound::Value(item) => Denotation::Values(smallvec![item]),
        }
    }

    /// Executes a body for one member.
    pub(super) fn with(&mut self, var: Var, member: Bound, body: FormulaId) -> Outcome {
        self.spend(1)?;
        self.bound.push((var, member));
        self.inside += 1;
        let outcome = self.denote(body);
        self.inside -= 1;
        self.bound.pop();
        outcome
    }

    /// Rows or different values of a denotation, in order.
    pub(super) fn members(&mut self, of: &Denotation) -> Result<Vec<Bound>, Undefined> {
        if let Denotation::Rows(rows) = of {
            self.has_room(rows.count() * size_of::<Bound>())?;
        }
        match of {
            Denotation::Rows(rows) => match rows.ranking() {
                Some(ranking) => Ok(ranking.iter().copied().map(Bound::Row).collect()),
                None => Ok(rows.iter().map(|row| Bound::Row(row as u32)).collect()),
            },
            _ => {
                let items = self.list(of)?;
                let mut seen = FxHashSet::with_capacity_and_hasher(items.len(), Default::default());
                Ok(items.iter().filter(|item| seen.insert(item.value)).map(|item| Bound::Value(*item)).collect())
            }
        }
    }

    /// `λx[body].of`: the union of the body's denotations for each member. An empty `of` has none to unite, and the
    /// kind of the result would be unknown.
    pub(super) fn apply(&mut self, var: Var, body: FormulaId, of: &Denotation) -> Result<Denotation, Undefined> {
        let mut found: Vec<Rc<Denotation>> = Vec::new();
        let mut bytes = 0;
        for member in self.members(of)? {
            let denotation = self.with(var, member, body)?;
            bytes += denotation.memory();
            self.has_room(bytes)?;
            found.push(denotation);
        }
        match found.is_empty() {
            true => Err(Undefined::Empty),
            false => union(&found.iter().map(Rc::as_ref).collect::<Vec<_>>()),
        }
    }

    /// `R[λx[body]].of`: every x of the table for which the body has a member in common with `of`.
    pub(super) fn unapply(&mut self, var: Var, body: FormulaId, of: &Denotation) -> Result<Denotation, Undefined> {
        let lambda = self.formulas.lambda(var, body);
        self.keep(lambda, |executor: &mut Self, member: Bound| -> Result<bool, Undefined> {
            let some = executor.with(var, member, body)?;
            executor.spend(of.weight())?;
            Ok(!intersection(&some, of, executor.graph)?.is_empty())
        })
    }

    /// `mark x[body]`: every x of the table that is a member of the body for that x.
    pub(super) fn mark(&mut self, mark: FormulaId, var: Var, body: FormulaId) -> Result<Denotation, Undefined> {
        self.keep(mark, |executor: &mut Self, member: Bound| -> Result<bool, Undefined> {
            let some = executor.with(var, member, body)?;
            match (&*some, member) {
                (Denotation::Rows(rows), Bound::Row(row)) => Ok(rows.contains(row as usize)),
                (Denotation::Values(items), Bound::Value(x)) => Ok(items.iter().any(|item| item.value == x.value)),
                (Denotation::Passing(filter), Bound::Value(x)) => Ok(filter.passes(executor.graph, x.value)),
                _ => Err(Undefined::Type),
            }
        })
    }

    /// Every row or every entity of the table for which `holds` is true; the type of the variable decides which of them
    /// are tried. A variable that may be a number or a date has infinitely many values.
    fn keep(
        &mut self,
        binder: FormulaId,
        holds: impl Fn(&mut Self, Bound) -> Result<bool, Undefined>,
    ) -> Result<Denotation, Undefined> {
        match self.bound_type(binder)? {
            Type::ROW => {
                let rows = (0..self.graph.row_count() as u32).map(Bound::Row);
                let kept = self.keep_of(rows, holds)?;
                let rows =
                    kept.iter().filter_map(|member| if let Bound::Row(row) = member { Some(*row) } else { None });
                Ok(Denotation::Rows(RowSet::from_rows(self.graph.row_count(), rows.map(|row| row as usize))))
            }
            Type::ENTITY => {
                let graph = self.graph;
                let present = graph.entities().filter(|entity| !graph.is_missing(*entity));
                let entities = present.map(|entity| Bound::Value(Item::bare(Value::Entity(entity))));
                let kept = self.keep_of(entities, holds)?;
                let items =
                    kept.into_iter().filter_map(|member| if let Bound::Value(x) = member { Some(x) } else { None });
                Ok(Denotation::Values(items.collect()))
            }
            _ => Err(Undefined::Infinite),
        }
    }

    /// Type of the variable that a lambda or a mark binds, found once for each.
    fn bound_type(&mut self, binder: FormulaId) -> Result<Type, Undefined> {
        let (graph, formulas) = (self.graph, &self.formulas);
        let found = self.bound_types.entry(binder).or_insert_with(|| match bound_type(formulas, graph, binder) {
            Ok(kind) => Ok(kind),
            Err(TypeError::TooLarge) => Err(Undefined::TooLong),
            Err(_) => Err(Undefined::Type),
        });
        *found
    }

    /// Members for which `holds` is true. A body that is undefined for a member does not hold for it; only a wrong type
    /// and the step limit make the whole formula undefined.
    fn keep_of(
        &mut self,
        members: impl Iterator<Item = Bound>,
        holds: impl Fn(&mut Self, Bound) -> Result<bool, Undefined>,
    ) -> Result<Vec<Bound>, Undefined> {
        let mut kept = Vec::new();
        for member in members {
            match holds(self, member) {
                Ok(true) => kept.push(member),
                Err(undefined @ (Undefined::Type | Undefined::TooLong | Undefined::TooLarge)) => return Err(undefined),
                Ok(false) | Err(_) => {}
            }
        }
        Ok(kept)
    }
}
