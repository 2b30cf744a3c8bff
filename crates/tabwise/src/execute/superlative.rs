//! Execution of superlatives: the members of a list with the largest or smallest key, all of them if there is a tie, or
//! a given number of the best. Members without a key are ignored.

use super::aggregate::{Best, rank};
use super::lambda::Bound;
use super::{Denotation, Executor, Item, Items, RowSet, Undefined};
use crate::formula::{FormulaId, Superlative};
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

impl Executor<'_> {
    /// `argmax(u, b)` and `argmin(u, b)` for a denotation of `u`.
    pub(super) fn superlative(
        &mut self,
        op: Superlative,
        (id, of): (FormulaId, &Denotation),
        key: FormulaId,
    ) -> Result<Denotation, Undefined> {
        match of {
            Denotation::Rows(rows) => self.best_rows(op, rows, key).map(Denotation::Rows),
            _ => self.best_values(op, (id, of), key),
        }
    }

    fn best_rows(&mut self, op: Superlative, rows: &RowSet, key: FormulaId) -> Result<RowSet, Undefined> {
        let mut best = Best::new(op);
        self.each_row_key(rows, key, |row, value| best.offer(row, value))?;
        Ok(RowSet::from_rows(rows.len(), best.holders.iter().map(|row| *row as usize)))
    }

    fn best_values(
        &mut self,
        op: Superlative,
        (id, of): (FormulaId, &Denotation),
        key: FormulaId,
    ) -> Result<Denotation, Undefined> {
        let mut best = Best::new(op);
        self.keyed_values((id, of), key)?.iter().try_for_each(|keyed| best.offer(keyed.value, keyed.key))?;
        let chosen: FxHashSet<Value> = best.holders.into_iter().collect();
        let items = self.list(of)?;
        self.those(&items, |item| chosen.contains(&item.value))
    }

    /// `argmax(u, b, n)` and `argmin(u, b, n)` for a denotation of `u`.
    pub(super) fn top(
        &mut self,
        op: Superlative,
        (id, of): (FormulaId, &Denotation),
        key: FormulaId,
        count: usize,
    ) -> Result<Denotation, Undefined> {
        match of {
            Denotation::Rows(rows) => {
                self.has_room(rows.count() * size_of::<(u32, Value)>())?;
                let mut ranking = Ranking::new(op);
                self.each_row_key(rows, key, |row, value| ranking.offer(row, value))?;
                Ok(Denotation::Rows(RowSet::ranked(rows.len(), ranking.first(count)?)))
            }
            _ => {
                let mut ranking = Ranking::new(op);
                self.keyed_values((id, of), key)?.iter().try_for_each(|keyed| ranking.offer(keyed.value, keyed.key))?;
                let chosen = ranking.first(count)?;
                Ok(Denotation::Values(in_order(&self.list(of)?, &chosen)))
            }
        }
    }

    /// Calls `take` for each row with each of its keys.
    fn each_row_key(
        &mut self,
        rows: &RowSet,
        key: FormulaId,
        mut take: impl FnMut(u32, Value) -> Result<(), Undefined>,
    ) -> Result<(), Undefined> {
        if let Some(key) = self.row_key(key)? {
            let mut keyed = rows.iter().filter_map(|row| Some((row as u32, key.value(self.graph, row)?)));
            return keyed.try_for_each(|(row, value)| take(row, value));
        }
        for row in rows.iter() {
            for item in self.keys_of(Bound::Row(row as u32), key)? {
                take(row as u32, item.value)?;
            }
        }
        Ok(())
    }

    /// Each different value with each of its keys.
    fn keyed_values(&mut self, (id, of): (FormulaId, &Denotation), key: FormulaId) -> Result<Rc<[Keyed]>, Undefined> {
        // Inside a lambda the same formulas have other values for each member.
        let is_closed = self.inside == 0;
        if let Some(known) = self.keyed.get(&(id, key)).filter(|_| is_closed) {
            return Ok(known.clone());
        }
        let quick = self.value_key(key);
        let members = self.members(of)?;
        self.has_room(members.len() * size_of::<Keyed>())?;
        let mut found = Vec::with_capacity(members.len());
        for member in members {
            let Bound::Value(Item { value, .. }) = member else { return Err(Undefined::Type) };
            found.extend(self.keys(quick.as_ref(), member, key)?.iter().map(|key| Keyed { value, key: key.value }));
        }
        let found: Rc<[Keyed]> = found.into();
        if is_closed && found.len() <= MOST_KEPT {
            self.memory = self.memory.saturating_add(size_of_val(&*found) as u64);
            self.keyed.insert((id, key), found.clone());
        }
        Ok(found)
    }
}

/// Most keys of a list that are kept for another question about it.
const MOST_KEPT: usize = 64;

/// A value with one of its keys.
#[derive(Clone, Copy)]
pub(super) struct Keyed {
    value: Value,
    key: Value,
}

/// Members with their keys. Of several keys of a member, which are offered one after the other, the best counts.
struct Ranking<T> {
    op: Superlative,
    members: Vec<(T, Value)>,
}

impl<T: Copy + PartialEq> Ranking<T> {
    fn new(op: Superlative) -> Ranking<T> {
        Ranking { op, members: Vec::new() }
    }

    fn offer(&mut self, member: T, value: Value) -> Result<(), Undefined> {
        match self.members.last_mut() {
            Some((last, known)) if *last == member => {
                let mut both = [((), *known), ((), value)];
                rank(self.op, &mut both)?;
                *known = both[0].1;
            }
            _ => self.members.push((member, value)),
        }
        Ok(())
    }

    /// The best members, at most `count`, best first.
    fn first(mut self, count: usize) -> Result<Vec<T>, Undefined> {
        rank(self.op, &mut self.members)?;
        Ok(self.members.into_iter().take(count).map(|(member, _)| member).collect())
    }
}

/// Items with these values, in the order of the values.
fn in_order(items: &[Item], values: &[Value]) -> Items {
    let places: FxHashMap<Value, usize> = values.iter().copied().zip(0..).collect();
    let mut kept: Vec<(usize, Item)> =
        items.iter().filter_map(|item| Some((*places.get(&item.value)?, *item))).collect();
    kept.sort_by_key(|(place, _)| *place);
    kept.into_iter().map(|(_, item)| item).collect()
}
