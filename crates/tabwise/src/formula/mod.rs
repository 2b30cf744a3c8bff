//! Lambda DCS formulas. A formula is a node of an arena, [`Formulas`], and nodes are interned: building the same formula
//! twice gives the same id. A *unary* denotes a list of rows or values; a *binary* denotes pairs, and is written so that
//! `City.Athens` are the rows whose City is Athens: pairs (row, city), joined on the right.
//!
//! [`Node`] is the language, [`Relation`] a view of its binaries; [`notation`] is the one text form that reads back;
//! [`types`] tells the kinds a formula may denote; [`lisp`] reads the notation of the dataset's annotated formulas.

mod arena;
pub mod lisp;
mod node;
pub mod notation;
mod relation;
mod substitute;
pub mod types;

pub use arena::Formulas;
pub use node::{Aggregate, Arithmetic, Compare, FormulaId, Node, Shape, Superlative, Var};
pub use relation::{Relation, Way};
