//! The language of formulas: [`Node`] has one variant for each construct, with its spelling and its meaning. To add a
//! construct, add a variant; code that handles nodes matches them without a wildcard, so the compiler lists all places.

use crate::graph::{ColumnId, Reading};
use crate::named::named;
use crate::value::Value;

/// A formula, by its position in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormulaId(pub u32);

/// A variable, bound by a lambda or a mark: `x`, `y`, `z`, `x3`, ...
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u8);

impl Var {
    /// Number of variables: sets of them are the bits of a `u32`.
    pub const LIMIT: u8 = 32;

    /// Number of variables with a name; the others are slots of templates.
    pub const WRITTEN: u8 = Var::LIMIT - 4;

    /// Bit of the variable in a set of variables.
    pub(super) fn bit(self) -> u32 {
        1 << (self.0 % Var::LIMIT)
    }

    /// Name in the notation: `x`, `y`, `z`, then `x3`, `x4`, ...; a slot is `$1`, `$2` or `$3`.
    pub fn name(self) -> String {
        match self.0 {
            0 => "x".into(),
            1 => "y".into(),
            2 => "z".into(),
            n if n >= Var::WRITTEN => format!("${}", n - Var::WRITTEN),
            n => format!("x{n}"),
        }
    }

    /// Slot of a rule's template, from 1 to 3.
    pub fn slot(n: usize) -> Var {
        Var(Var::WRITTEN + n as u8)
    }

    /// Finds a variable by its name; slots are not variables here.
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

/// Node of a formula: a construct and the formulas inside it. The first group are unaries, the second binaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// `Greece`, `30`, `2012-07-XX`: one value.
    Value(Value),
    /// `Rows`: all rows (the paper's `Type.Row`).
    Rows,
    /// `x`: the variable of an enclosing lambda or mark.
    Var(Var),
    /// `b.u`: the left sides of the pairs of `b` whose right side is in `u`.
    Join(FormulaId, FormulaId),
    /// `u & v`: members of both.
    And(FormulaId, FormulaId),
    /// `u | v`: members of either.
    Or(FormulaId, FormulaId),
    /// `count(u)`, `max(u)`, ...: one number or date from a list.
    Aggregate(Aggregate, FormulaId),
    /// `argmax(u, b)`: the members of `u` with the largest partner in `b`; all of them if there is a tie.
    Superlative(Superlative, FormulaId, FormulaId),
    /// `sub(u, v)`: arithmetic on two single values.
    Arithmetic(Arithmetic, FormulaId, FormulaId),
    /// `mark x[u]`: every x that is a member of `u`, where `u` may use x.
    Mark(Var, FormulaId),

    /// `City`: pairs (row, entity).
    Column(ColumnId),
    /// `Number`: pairs (entity, number); likewise the other readings.
    Reading(Reading),
    /// `Next`: pairs (row, the row after it).
    Next,
    /// `Index`: pairs (row, its number from 0).
    Index,
    /// `Run[City]`: pairs (row, number of consecutive rows with the same City that end with it).
    Run(ColumnId),
    /// `>=`: pairs (a, b) with a >= b.
    Compare(Compare),
    /// `R[b]`: the pairs of `b` with their sides swapped.
    Reverse(FormulaId),
    /// `λx[u]`: pairs (y, x) with y in `u`.
    Lambda(Var, FormulaId),
}

/// Place for a formula inside another: a list of things or a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A list of rows or values.
    Unary,
    /// Pairs.
    Binary,
}

impl Node {
    /// Replaces each part of the node, in the order of the notation. `part` also gets the shape that is required there.
    /// Generic traversals are built on this function and on [`Node::parts`]; nothing else lists the parts of a node.
    pub fn map(self, mut part: impl FnMut(FormulaId, Shape) -> FormulaId) -> Node {
        use Shape::{Binary, Unary};
        match self {
            Node::Join(binary, unary) => Node::Join(part(binary, Binary), part(unary, Unary)),
            Node::And(a, b) => Node::And(part(a, Unary), part(b, Unary)),
            Node::Or(a, b) => Node::Or(part(a, Unary), part(b, Unary)),
            Node::Aggregate(op, of) => Node::Aggregate(op, part(of, Unary)),
            Node::Superlative(op, of, key) => Node::Superlative(op, part(of, Unary), part(key, Binary)),
            Node::Arithmetic(op, a, b) => Node::Arithmetic(op, part(a, Unary), part(b, Unary)),
            Node::Mark(var, body) => Node::Mark(var, part(body, Unary)),
            Node::Reverse(binary) => Node::Reverse(part(binary, Binary)),
            Node::Lambda(var, body) => Node::Lambda(var, part(body, Unary)),
            Node::Value(_) | Node::Rows | Node::Var(_) => self,
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) | Node::Compare(_) => self,
        }
    }

    /// Parts of the node, with the shape that is required of each.
    pub fn parts(self) -> impl Iterator<Item = (FormulaId, Shape)> {
        use Shape::{Binary, Unary};
        let (first, second) = match self {
            Node::Join(binary, unary) => (Some((binary, Binary)), Some((unary, Unary))),
            Node::And(a, b) | Node::Or(a, b) | Node::Arithmetic(_, a, b) => (Some((a, Unary)), Some((b, Unary))),
            Node::Superlative(_, of, key) => (Some((of, Unary)), Some((key, Binary))),
            Node::Aggregate(_, of) | Node::Mark(_, of) | Node::Lambda(_, of) => (Some((of, Unary)), None),
            Node::Reverse(binary) => (Some((binary, Binary)), None),
            Node::Value(_) | Node::Rows | Node::Var(_) => (None, None),
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index => (None, None),
            Node::Run(_) | Node::Compare(_) => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// Variable that the node binds in its parts.
    pub fn binds(self) -> Option<Var> {
        match self {
            Node::Lambda(var, _) | Node::Mark(var, _) => Some(var),
            Node::Value(_) | Node::Rows | Node::Var(_) | Node::Join(..) | Node::And(..) | Node::Or(..) => None,
            Node::Aggregate(..) | Node::Superlative(..) | Node::Arithmetic(..) => None,
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => None,
            Node::Compare(_) | Node::Reverse(_) => None,
        }
    }

    /// Shape of the node itself.
    pub fn shape(self) -> Shape {
        match self {
            Node::Value(_) | Node::Rows | Node::Var(_) | Node::Join(..) | Node::And(..) | Node::Or(..) => Shape::Unary,
            Node::Aggregate(..) | Node::Superlative(..) | Node::Arithmetic(..) | Node::Mark(..) => Shape::Unary,
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => Shape::Binary,
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) => Shape::Binary,
        }
    }
}

named! {
    /// Operation that makes one value from a list.
    pub enum Aggregate is "aggregate" {
        /// Number of different members.
        Count => "count",
        /// Largest member.
        Max => "max",
        /// Smallest member.
        Min => "min",
        /// Sum of the list, repeats included.
        Sum => "sum",
        /// Mean of the list, repeats included.
        Avg => "avg",
    }
}

named! {
    /// End of an order that is picked.
    pub enum Superlative is "superlative" {
        /// The largest.
        Argmax => "argmax",
        /// The smallest.
        Argmin => "argmin",
    }
}

named! {
    /// Arithmetic on two numbers.
    pub enum Arithmetic is "operation" {
        /// Sum of both.
        Add => "add",
        /// First minus second; for dates, the years between them.
        Sub => "sub",
        /// Product of both.
        Mul => "mul",
        /// First divided by second.
        Div => "div",
    }
}

named! {
    /// Comparison of numbers, of dates, and `!=` of anything.
    pub enum Compare is "comparison" {
        /// Less, or before.
        Less => "<",
        /// More, or after.
        Greater => ">",
        /// Not more.
        AtMost => "<=",
        /// Not less.
        AtLeast => ">=",
        /// Not equal.
        NotEqual => "!=",
    }
}

impl Compare {
    /// Comparison with the sides swapped: a < b is b > a.
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
