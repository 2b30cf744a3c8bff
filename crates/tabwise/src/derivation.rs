//! Derivations: how a formula was built. Which rule made it of which parts, which words of the question it used, and
//! its score so far.

use crate::formula::FormulaId;
use crate::grammar::Category;
use std::ops::Range;

/// A derivation, by its position in the chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DerivationId(pub u32);

/// One way to build a formula.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The rule, by its position in the grammar.
    pub rule: u16,
    /// The parts it was made of; a base rule has none.
    pub parts: [Option<DerivationId>; 3],
    pub category: Category,
    pub formula: FormulaId,
    /// How many rules were applied.
    pub size: usize,
    /// The tokens of the question that were used, as bits.
    pub tokens: u128,
    /// Its predicates, in the chart's list, sorted.
    pub predicates: Range<u32>,
    /// Its predicates when it is turned round.
    pub reversed: Range<u32>,
    /// Its predicates when rows are put in its order.
    pub ordering: Range<u32>,
    /// The sum of its predicates' scores.
    pub score: f64,
}
