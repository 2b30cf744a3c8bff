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

/// A text that a formula looks for in cells, by its position in the arena's list of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextId(pub u32);

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
    /// `argmax(u, b, n)`: the n members of `u` with the largest partners in `b`, best first; of equals, those that come
    /// first in the table.
    Top(Superlative, FormulaId, FormulaId, FormulaId),
    /// `group(u, b)`: a table of each different value in `u` with its partners in `b`. Only an answer can be a table.
    Group(FormulaId, FormulaId),
    /// `having(u, b, v)`: the values in `u` with a partner in `b` that is a member of `v`.
    Having(FormulaId, FormulaId, FormulaId),
    /// `except(u, v)`: members of `u` that are not in `v`.
    Except(FormulaId, FormulaId),
    /// `exists(u)`: yes if `u` has a member, else no. Only an answer can be yes or no.
    Exists(FormulaId),
    /// `gt(u, v)`: yes if the single value of `u` is more than that of `v`, else no.
    Test(Test, FormulaId, FormulaId),
    /// `Missing[b]`: rows without a partner in `b`; of a column, the rows whose cell is missing.
    Missing(FormulaId),
    /// `contains("york")`: texts of the table that pass the test, without regard to letter case.
    Text(TextTest, TextId),

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
    /// `sub[b, c]`: pairs (row, partner of the row in `b` minus its partner in `c`).
    Across(Arithmetic, FormulaId, FormulaId),
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
            Node::Top(op, of, key, n) => Node::Top(op, part(of, Unary), part(key, Binary), part(n, Unary)),
            Node::Group(of, key) => Node::Group(part(of, Unary), part(key, Binary)),
            Node::Having(of, key, v) => Node::Having(part(of, Unary), part(key, Binary), part(v, Unary)),
            Node::Except(a, b) => Node::Except(part(a, Unary), part(b, Unary)),
            Node::Exists(of) => Node::Exists(part(of, Unary)),
            Node::Test(op, a, b) => Node::Test(op, part(a, Unary), part(b, Unary)),
            Node::Missing(binary) => Node::Missing(part(binary, Binary)),
            Node::Across(op, a, b) => Node::Across(op, part(a, Binary), part(b, Binary)),
            Node::Value(_) | Node::Rows | Node::Var(_) | Node::Text(..) => self,
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) | Node::Compare(_) => self,
        }
    }

    /// Parts of the node, with the shape that is required of each.
    pub fn parts(self) -> impl Iterator<Item = (FormulaId, Shape)> {
        use Shape::{Binary, Unary};
        let (unary, binary) = (|id| Some((id, Unary)), |id| Some((id, Binary)));
        let parts = match self {
            Node::Join(b, u) => [binary(b), unary(u), None],
            Node::And(a, b) | Node::Or(a, b) | Node::Arithmetic(_, a, b) => [unary(a), unary(b), None],
            Node::Except(a, b) | Node::Test(_, a, b) => [unary(a), unary(b), None],
            Node::Superlative(_, of, key) | Node::Group(of, key) => [unary(of), binary(key), None],
            Node::Top(_, of, key, other) | Node::Having(of, key, other) => [unary(of), binary(key), unary(other)],
            Node::Aggregate(_, of) | Node::Mark(_, of) | Node::Lambda(_, of) => [unary(of), None, None],
            Node::Exists(of) => [unary(of), None, None],
            Node::Reverse(b) | Node::Missing(b) => [binary(b), None, None],
            Node::Across(_, a, b) => [binary(a), binary(b), None],
            Node::Value(_) | Node::Rows | Node::Var(_) | Node::Text(..) => [None; 3],
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index => [None; 3],
            Node::Run(_) | Node::Compare(_) => [None; 3],
        };
        parts.into_iter().flatten()
    }

    /// Variable that the node binds in its parts.
    pub fn binds(self) -> Option<Var> {
        match self {
            Node::Lambda(var, _) | Node::Mark(var, _) => Some(var),
            Node::Value(_) | Node::Rows | Node::Var(_) | Node::Join(..) | Node::And(..) | Node::Or(..) => None,
            Node::Aggregate(..) | Node::Superlative(..) | Node::Arithmetic(..) => None,
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => None,
            Node::Compare(_) | Node::Reverse(_) | Node::Across(..) => None,
            Node::Top(..) | Node::Group(..) | Node::Having(..) | Node::Except(..) | Node::Exists(_) => None,
            Node::Test(..) | Node::Missing(_) | Node::Text(..) => None,
        }
    }

    /// Shape of the node itself.
    pub fn shape(self) -> Shape {
        match self {
            Node::Value(_) | Node::Rows | Node::Var(_) | Node::Join(..) | Node::And(..) | Node::Or(..) => Shape::Unary,
            Node::Aggregate(..) | Node::Superlative(..) | Node::Arithmetic(..) | Node::Mark(..) => Shape::Unary,
            Node::Top(..) | Node::Group(..) | Node::Having(..) | Node::Except(..) | Node::Exists(_) => Shape::Unary,
            Node::Test(..) | Node::Missing(_) | Node::Text(..) => Shape::Unary,
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => Shape::Binary,
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => Shape::Binary,
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
        /// Middle of the list, repeats included; the mean of the middle two if there are two.
        Median => "median",
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
        /// First in percent of second.
        Share => "share",
        /// Days from the second date to the first.
        Days => "days",
        /// Whole months from the second date to the first.
        Months => "months",
    }
}

named! {
    /// Question about two values, or about two lists.
    pub enum Test is "test" {
        /// More, or after.
        Greater => "gt",
        /// Less, or before.
        Less => "lt",
        /// Not less.
        AtLeast => "ge",
        /// Not more.
        AtMost => "le",
        /// Equal.
        Equal => "eq",
        /// Every member of the first list is in the second.
        Within => "within",
    }
}

named! {
    /// Question about a text, without regard to letter case.
    pub enum TextTest is "test of a text" {
        /// It has these words, one after the other.
        Contains => "contains",
        /// It begins with these letters.
        Starts => "starts",
        /// It ends with these letters.
        Ends => "ends",
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
