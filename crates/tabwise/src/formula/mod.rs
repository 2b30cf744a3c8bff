//! Formulas in lambda DCS, the language of answers. A formula is a node of an arena, [`Formulas`], and nodes are
//! interned: building the same formula twice gives the same id. A *unary* denotes a list of rows or values. A *binary*
//! denotes pairs; a join matches their right side: `City` has pairs (row, city), and `City.Athens` denotes the rows
//! whose City is Athens.
//!
//! [`Node`] defines the language and [`Relation`] is a view of its binaries. [`notation`] prints and reads formulas,
//! [`types`] checks them without executing them, and [`lisp`] reads the notation of the dataset's annotated formulas.

mod arena;
pub mod lisp;
mod measure;
mod node;
pub mod notation;
mod relation;
mod substitute;
pub mod types;

pub use arena::Formulas;
pub use measure::Measure;
pub use node::{Aggregate, Arithmetic, Compare, FormulaId, Node, Shape, Superlative, Test, TextId, TextTest, Var};
pub use relation::{Relation, Way};
