//! The basis of a computed number: the rows that it was counted or summed over. Two candidates that give 3 mean the same
//! only if they count the same rows; numbers that agree by chance are different meanings.

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
            let mut hasher = FxHasher::default();
            [a, b].map(|part| (rows_behind(executor, part), basis(executor, part))).hash(&mut hasher);
            hasher.finish()
        }
        _ => 0,
    }
}

/// A number for the set of rows that a list was read from.
fn rows_behind(executor: &mut Executor, formula: FormulaId) -> u64 {
    let mut hasher = FxHasher::default();
    match executor.denote(formula).as_deref() {
        Ok(Denotation::Rows(rows)) => rows.iter().for_each(|row| row.hash(&mut hasher)),
        Ok(Denotation::Values(items)) => {
            let mut rows: Vec<u32> = items.iter().filter_map(|item| item.cell.map(|cell| cell.row)).collect();
            rows.sort_unstable();
            rows.dedup();
            rows.iter().for_each(|row| (*row as usize).hash(&mut hasher));
        }
        _ => {}
    }
    hasher.finish()
}
