//! Execution of superlatives: the members of a list with the largest or smallest key, all of them if there is a tie, or
//! a given number of the best. Members without a key are ignored.

use super::aggregate::{Best, rank};
use super::lambda::Bound;
use super::{Denotation, Executor, Item, Items, RowSet, Undefined};
use crate::formula::{FormulaId, Superlative};
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};

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
        self.each_row_key(rows, key, |row, value| best.offer(row, value))?;
        Ok(RowSet::from_rows(rows.len(), best.holders.iter().map(|row| *row as usize)))
    }

    fn best_values(&mut self, op: Superlative, of: &Denotation, key: FormulaId) -> Result<Denotation, Undefined> {
        let mut best = Best::new(op);
        self.each_value_key(of, key, |item, value| best.offer(item.value, value))?;
        let chosen: FxHashSet<Value> = best.holders.into_iter().collect();
        let items = self.list(of)?;
        self.those(&items, |item| chosen.contains(&item.value))
    }

    /// `argmax(u, b, n)` and `argmin(u, b, n)` for a denotation of `u`.
    pub(super) fn top(
        &mut self,
        op: Superlative,
        of: &Denotation,
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
                self.each_value_key(of, key, |item, value| ranking.offer(item.value, value))?;
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

    /// Calls `take` for each different value with each of its keys.
    fn each_value_key(
        &mut self,
        of: &Denotation,
        key: FormulaId,
        mut take: impl FnMut(Item, Value) -> Result<(), Undefined>,
    ) -> Result<(), Undefined> {
        let quick = self.value_key(key);
        for member in self.members(of)? {
            let Bound::Value(item) = member else { return Err(Undefined::Type) };
            for key in self.keys(quick.as_ref(), member, key)? {
                take(item, key.value)?;
            }
        }
        Ok(())
    }
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
