//! Lambda DCS formulas. A formula is a node of an arena, [`Formulas`], and nodes are interned: building the same formula
//! twice gives the same id. A *unary* denotes a list of rows or values; a *binary* denotes pairs, and is written so that
//! `City.Athens` are the rows whose City is Athens: pairs (row, city), joined on the right.
//!
//! [`notation`] is the one text form that reads back; [`types`] says what a formula may denote; [`lisp`] reads the
//! notation of the dataset's annotated formulas.

mod arena;
pub mod lisp;
pub mod notation;
mod substitute;
pub mod types;

pub use arena::Formulas;

use crate::graph::{ColumnId, Reading};
use crate::value::Value;

/// A formula, by its position in [`Formulas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormulaId(pub u32);

/// A variable, bound by a lambda or a mark: `x`, `y`, `z`, `x3`, ...
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u8);

impl Var {
    /// How many variables there can be.
    pub const LIMIT: u8 = 32;

    /// The variables that can be written; those behind them are slots of templates.
    pub const WRITTEN: u8 = Var::LIMIT - 4;

    fn bit(self) -> u32 {
        1 << (self.0 % Var::LIMIT)
    }

    /// `x`, `y`, `z`, then `x3`, `x4`, ...; a slot is `$1`, `$2` or `$3`.
    pub fn name(self) -> String {
        match self.0 {
            0 => "x".into(),
            1 => "y".into(),
            2 => "z".into(),
            n if n >= Var::WRITTEN => format!("${}", n - Var::WRITTEN),
            n => format!("x{n}"),
        }
    }

    /// A slot of a rule's template: `$1`, `$2`, `$3`.
    pub fn slot(n: usize) -> Var {
        Var(Var::WRITTEN + n as u8)
    }

    /// The variable of this name.
    pub fn named(name: &str) -> Option<Var> {
        let numbered = || name.strip_prefix('x')?.parse().ok().filter(|n| (3..Var::WRITTEN).contains(n)).map(Var);
        match name {
            "x" => Some(Var(0)),
            "y" => Some(Var(1)),
            "z" => Some(Var(2)),
            _ => numbered().filter(|var| var.name() == name),
        }
    }
}

/// One node. The first group are unaries, the second binaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// `Greece`, `30`, `2012-07-XX`: one value.
    Value(Value),
    /// `Rows`: all rows (the paper's `Type.Row`).
    Rows,
    /// `x`: what the enclosing lambda or mark binds.
    Var(Var),
    /// `b.u`: what stands on the left of a pair of `b` whose right side is in `u`.
    Join(FormulaId, FormulaId),
    /// `u & v`: what is in both.
    And(FormulaId, FormulaId),
    /// `u | v`: what is in either.
    Or(FormulaId, FormulaId),
    /// `count(u)`, `max(u)`, ...: one number or date from a list.
    Aggregate(Aggregate, FormulaId),
    /// `argmax(u, b)`: those of `u` whose partner in `b` is the largest; all of them when they tie.
    Superlative(Superlative, FormulaId, FormulaId),
    /// `sub(u, v)`: arithmetic on two single numbers.
    Arithmetic(Arithmetic, FormulaId, FormulaId),
    /// `mark x[u]`: those x that are themselves in `u`, which may speak of x.
    Mark(Var, FormulaId),

    /// `City`: pairs (row, entity).
    Column(ColumnId),
    /// `Number`: pairs (entity, number); likewise the other readings.
    Reading(Reading),
    /// `Next`: pairs (row, the row after it).
    Next,
    /// `Index`: pairs (row, its number from 0).
    Index,
    /// `Run[City]`: pairs (row, how many rows in a row hold the same City, up to and with this one).
    Run(ColumnId),
    /// `>=`: pairs (a, b) with a >= b.
    Compare(Compare),
    /// `R[b]`: the pairs of `b` turned round.
    Reverse(FormulaId),
    /// `λx[u]`: pairs (y, x) with y in `u`.
    Lambda(Var, FormulaId),
}

/// What makes one value of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Aggregate {
    /// How many different ones there are.
    Count,
    Max,
    Min,
    Sum,
    Avg,
}

/// Which end of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Superlative {
    Argmax,
    Argmin,
}

/// Arithmetic on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
}

/// Comparison of numbers, of dates, and `!=` of anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Compare {
    Less,
    Greater,
    AtMost,
    AtLeast,
    NotEqual,
}

impl Aggregate {
    pub const ALL: [Aggregate; 5] = [Aggregate::Count, Aggregate::Max, Aggregate::Min, Aggregate::Sum, Aggregate::Avg];

    pub fn name(self) -> &'static str {
        match self {
            Aggregate::Count => "count",
            Aggregate::Max => "max",
            Aggregate::Min => "min",
            Aggregate::Sum => "sum",
            Aggregate::Avg => "avg",
        }
    }
}

impl Superlative {
    pub const ALL: [Superlative; 2] = [Superlative::Argmax, Superlative::Argmin];

    pub fn name(self) -> &'static str {
        match self {
            Superlative::Argmax => "argmax",
            Superlative::Argmin => "argmin",
        }
    }
}

impl Arithmetic {
    pub const ALL: [Arithmetic; 4] = [Arithmetic::Add, Arithmetic::Sub, Arithmetic::Mul, Arithmetic::Div];

    pub fn name(self) -> &'static str {
        match self {
            Arithmetic::Add => "add",
            Arithmetic::Sub => "sub",
            Arithmetic::Mul => "mul",
            Arithmetic::Div => "div",
        }
    }
}

impl Compare {
    pub const ALL: [Compare; 5] =
        [Compare::Less, Compare::Greater, Compare::AtMost, Compare::AtLeast, Compare::NotEqual];

    pub fn name(self) -> &'static str {
        match self {
            Compare::Less => "<",
            Compare::Greater => ">",
            Compare::AtMost => "<=",
            Compare::AtLeast => ">=",
            Compare::NotEqual => "!=",
        }
    }

    /// The comparison with its sides exchanged: a < b is b > a.
    pub fn flipped(self) -> Compare {
        match self {
            Compare::Less => Compare::Greater,
            Compare::Greater => Compare::Less,
            Compare::AtMost => Compare::AtLeast,
            Compare::AtLeast => Compare::AtMost,
            Compare::NotEqual => Compare::NotEqual,
        }
    }
}
