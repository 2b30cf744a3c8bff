//! Amounts that are computed across the columns of a row, such as `sub[λx[Home.Number.x], λx[Away.Number.x]]`: one pass
//! over the rows gives the amounts of all of them, which are kept.

use super::aggregate::arithmetic;
use super::lambda::Bound;
use super::{Denotation, Executor, Item, RowSet, Undefined, listed};
use crate::formula::{Arithmetic, FormulaId};
use crate::value::Value;
use std::rc::Rc;

/// Amount of each row; NaN for a row that has none.
pub(super) type Amounts = Rc<[f64]>;

/// Operation and operands of a relation across columns.
pub(super) type Columnwise = (Arithmetic, FormulaId, FormulaId);

impl Executor<'_> {
    /// `sub[b, c].u`: rows whose amount is one of the values.
    pub(super) fn rows_of_amounts(&mut self, across: Columnwise, of: &Denotation) -> Result<Denotation, Undefined> {
        let amounts = self.amounts(across)?;
        self.spend_on_rows()?;
        let filter = of.filter()?;
        let passes = |row: usize| !amounts[row].is_nan() && filter.passes(self.graph, Value::Number(amounts[row]));
        Ok(Denotation::Rows(RowSet::filter(self.graph.row_count(), passes)))
    }

    /// `R[sub[b, c]].u`: amounts of the rows that have one.
    pub(super) fn amounts_of(&mut self, across: Columnwise, rows: &RowSet) -> Result<Denotation, Undefined> {
        let amounts = self.amounts(across)?;
        self.has_room_for_items(rows.count())?;
        Ok(Denotation::Values(listed(rows, |row| amount(&amounts, row).map(Item::bare))))
    }

    /// Amounts of all rows. They are computed once, unless the operands use a variable.
    pub(super) fn amounts(&mut self, across: Columnwise) -> Result<Amounts, Undefined> {
        let (_, a, b) = across;
        if self.formulas.is_open(a) || self.formulas.is_open(b) {
            self.spend_on_rows()?;
            return self.compute_amounts(across);
        }
        if let Some(known) = self.amounts.get(&across) {
            return known.clone();
        }
        self.take_memory(self.graph.row_count() * size_of::<f64>())?;
        let amounts = self.alone(|executor| executor.compute_amounts(across));
        self.amounts.insert(across, amounts.clone());
        amounts
    }

    fn compute_amounts(&mut self, (op, a, b): Columnwise) -> Result<Amounts, Undefined> {
        self.has_room(self.graph.row_count() * 2 * size_of::<Option<Value>>())?;
        let (left, right) = (self.column_of(a)?, self.column_of(b)?);
        let both = left.into_iter().zip(right);
        both.map(|(left, right)| {
            let (Some(left), Some(right)) = (left, right) else { return Ok(f64::NAN) };
            match arithmetic(op, left, right) {
                Ok(Value::Number(n)) => Ok(n),
                Ok(_) | Err(Undefined::Type) => Err(Undefined::Type),
                Err(_) => Ok(f64::NAN),
            }
        })
        .collect()
    }

    /// Partner of each row in a binary; none if there are several different ones.
    fn column_of(&mut self, binary: FormulaId) -> Result<Vec<Option<Value>>, Undefined> {
        let rows = 0..self.graph.row_count();
        if let Some(key) = self.row_key(binary)? {
            return Ok(rows.map(|row| key.value(self.graph, row)).collect());
        }
        rows.map(|row| {
            let partners = self.keys_of(Bound::Row(row as u32), binary)?;
            let first = partners.first().map(|item| item.value);
            Ok(first.filter(|first| partners.iter().all(|item| item.value == *first)))
        })
        .collect()
    }

    /// `Missing[b]`: rows without a partner.
    pub(super) fn missing(&mut self, binary: FormulaId) -> Result<RowSet, Undefined> {
        let len = self.graph.row_count();
        self.spend_on_rows()?;
        match self.row_key(binary)? {
            Some(key) => Ok(RowSet::filter(len, |row| key.value(self.graph, row).is_none())),
            None => {
                let mut rows = Vec::new();
                for row in 0..len {
                    if self.keys_of(Bound::Row(row as u32), binary)?.is_empty() {
                        rows.push(row);
                    }
                }
                Ok(RowSet::from_rows(len, rows.into_iter()))
            }
        }
    }
}

/// Amount of a row, if it has one.
pub(super) fn amount(amounts: &[f64], row: usize) -> Option<Value> {
    (!amounts[row].is_nan()).then(|| Value::Number(amounts[row]))
}
