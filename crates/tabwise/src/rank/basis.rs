//! The basis of a computed number: the rows that it was counted or summed over; of a table of groups, the table itself.
//! Two candidates that give 3 mean the same only if they count the same rows; numbers that agree by chance are different
//! meanings.

use crate::execute::{Denotation, Executor};
use crate::formula::{Aggregate, FormulaId, Node};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A number for the basis of a formula's values; 0 for values that are read from the table or picked from it, which mean
/// the same whenever they are the same.
pub(super) fn basis(executor: &mut Executor, formula: FormulaId) -> u64 {
    match executor.formulas().node(formula) {
        Node::Aggregate(Aggregate::Max | Aggregate::Min, _) => 0,
        Node::Aggregate(_, of) => rows_behind(executor, of),
        Node::Arithmetic(_, a, b) => {
            let parts = [a, b].map(|part| (rows_behind(executor, part), basis(executor, part)));
            hash_of(parts.into_iter())
        }
        Node::Group(..) => match executor.denote(formula).as_deref() {
            Ok(Denotation::Groups(groups)) => {
                hash_of(groups.iter().map(|group| (group.key.value, group.values.first().map(|item| item.value))))
            }
            _ => 0,
        },
        _ => 0,
    }
}

fn hash_of(parts: impl Iterator<Item = impl Hash>) -> u64 {
    let mut hasher = FxHasher::default();
    parts.for_each(|part| part.hash(&mut hasher));
    hasher.finish()
}

/// A number for the set of rows that a list was read from.
fn rows_behind(executor: &mut Executor, formula: FormulaId) -> u64 {
    match executor.denote(formula).as_deref() {
        Ok(Denotation::Rows(rows)) => hash_of(rows.iter()),
        Ok(Denotation::Values(items)) => {
            let mut rows: Vec<u32> = items.iter().filter_map(|item| item.cell.map(|cell| cell.row)).collect();
            rows.sort_unstable();
            rows.dedup();
            hash_of(rows.into_iter().map(|row| row as usize))
        }
        _ => 0,
    }
}
