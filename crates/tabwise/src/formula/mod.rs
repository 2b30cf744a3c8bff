//! Lambda DCS formulas. A formula is a node of an arena, [`Formulas`], and nodes are interned: building the same formula
//! twice gives the same id. A *unary* denotes a list of rows or values; a *binary* denotes pairs, and is written so that
//! `City.Athens` are the rows whose City is Athens: pairs (row, city), joined on the right.
//!
//! [`notation`] is the one text form that reads back; [`types`] says what a formula may denote; [`lisp`] reads the
//! notation of the dataset's annotated formulas.

pub mod lisp;
pub mod notation;
mod substitute;
pub mod types;

use crate::graph::{ColumnId, Reading};
use crate::value::{Date, EntityId, Value};
use rustc_hash::FxHashMap;

/// A formula, by its position in [`Formulas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormulaId(pub u32);

/// A variable, bound by a lambda or a mark: `x`, `y`, `z`, `x3`, ...
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u8);

impl Var {
    /// How many variables there can be.
    pub const LIMIT: u8 = 32;

    fn bit(self) -> u32 {
        1 << (self.0 % Var::LIMIT)
    }

    /// `x`, `y`, `z`, then `x3`, `x4`, ...
    pub fn name(self) -> String {
        match self.0 {
            0 => "x".into(),
            1 => "y".into(),
            2 => "z".into(),
            n => format!("x{n}"),
        }
    }

    /// A slot of a rule's template: `$1`, `$2`, `$3`.
    pub fn slot(n: usize) -> Var {
        Var(Var::LIMIT - 4 + n as u8)
    }

    /// The variable of this name.
    pub fn named(name: &str) -> Option<Var> {
        (0..Var::LIMIT - 4).map(Var).find(|var| var.name() == name)
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

/// The arena of formulas.
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    nodes: Vec<Node>,
    /// The variables that stand free in each node, as bits.
    free: Vec<u32>,
    ids: FxHashMap<Node, FormulaId>,
}

impl Formulas {
    pub fn new() -> Formulas {
        Formulas::default()
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn node(&self, id: FormulaId) -> Node {
        self.nodes[id.0 as usize]
    }

    /// The formula with this node, new or known.
    pub fn intern(&mut self, node: Node) -> FormulaId {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = FormulaId(self.nodes.len() as u32);
        self.free.push(self.free_of(node));
        self.nodes.push(node);
        self.ids.insert(node, id);
        id
    }

    pub fn entity(&mut self, entity: EntityId) -> FormulaId {
        self.intern(Node::Value(Value::Entity(entity)))
    }

    pub fn number(&mut self, n: f64) -> FormulaId {
        self.intern(Node::Value(Value::Number(n)))
    }

    pub fn date(&mut self, date: Date) -> FormulaId {
        self.intern(Node::Value(Value::Date(date)))
    }

    pub fn column(&mut self, column: ColumnId) -> FormulaId {
        self.intern(Node::Column(column))
    }

    pub fn reading(&mut self, reading: Reading) -> FormulaId {
        self.intern(Node::Reading(reading))
    }

    /// `b.u`, spelt one way: a lambda that only follows relations is followed, one that is joined with a single value is
    /// applied to it, and a double reverse is none.
    pub fn join(&mut self, binary: FormulaId, unary: FormulaId) -> FormulaId {
        match self.node(binary) {
            Node::Lambda(var, body) => match self.chain(var, body) {
                Some(path) => path.into_iter().rev().fold(unary, |u, b| self.join(b, u)),
                None if matches!(self.node(unary), Node::Value(_)) => self.apply(var, body, unary),
                None => self.intern(Node::Join(binary, unary)),
            },
            Node::Reverse(inner) => match self.node(inner) {
                Node::Lambda(var, body) => match self.chain(var, body) {
                    Some(path) => path.into_iter().fold(unary, |u, b| {
                        let back = self.reverse(b);
                        self.join(back, u)
                    }),
                    None => self.intern(Node::Join(binary, unary)),
                },
                _ => self.intern(Node::Join(binary, unary)),
            },
            _ => self.intern(Node::Join(binary, unary)),
        }
    }

    /// `R[b]`; the reverse of a reverse is the binary itself, and so is the reverse of `λx[R[b].x]`.
    pub fn reverse(&mut self, binary: FormulaId) -> FormulaId {
        match self.node(binary) {
            Node::Reverse(inner) => inner,
            _ => self.intern(Node::Reverse(binary)),
        }
    }

    pub fn lambda(&mut self, var: Var, body: FormulaId) -> FormulaId {
        self.intern(Node::Lambda(var, body))
    }

    /// The relations of `a.b.c.x`, outermost first, when the body is nothing but such a chain.
    pub fn chain(&self, var: Var, body: FormulaId) -> Option<Vec<FormulaId>> {
        let mut path = Vec::new();
        let mut at = body;
        loop {
            match self.node(at) {
                Node::Var(v) if v == var => return Some(path),
                Node::Join(binary, unary) if self.is_plain(binary) => {
                    path.push(binary);
                    at = unary;
                }
                _ => return None,
            }
        }
    }

    /// Whether a binary is a column, a reading, `Next`, `Index`, or the reverse of one: it relates each member by itself.
    fn is_plain(&self, binary: FormulaId) -> bool {
        match self.node(binary) {
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => true,
            Node::Reverse(inner) => self.is_plain(inner),
            _ => false,
        }
    }

    /// The parts of a node that are formulas themselves.
    pub fn children(&self, id: FormulaId) -> impl Iterator<Item = FormulaId> + use<> {
        children(self.node(id))
    }

    /// Every formula inside this one, itself first; a repeated one is given each time it stands there.
    pub fn walk(&self, id: FormulaId) -> Vec<FormulaId> {
        let mut found = vec![id];
        let mut at = 0;
        while at < found.len() {
            found.extend(self.children(found[at]));
            at += 1;
        }
        found
    }

    /// Whether a variable stands free in the formula: bound nowhere inside it.
    pub fn is_open(&self, id: FormulaId) -> bool {
        self.free[id.0 as usize] != 0
    }

    fn free_of(&self, node: Node) -> u32 {
        let free = |id: FormulaId| self.free[id.0 as usize];
        match node {
            Node::Var(v) => v.bit(),
            Node::Lambda(v, body) | Node::Mark(v, body) => free(body) & !v.bit(),
            _ => children(node).map(free).fold(0, |all, some| all | some),
        }
    }

    /// How many nodes the formula has, as a tree.
    pub fn size(&self, id: FormulaId) -> usize {
        1 + self.children(id).map(|child| self.size(child)).sum::<usize>()
    }
}

fn children(node: Node) -> impl Iterator<Item = FormulaId> {
    let (first, second) = match node {
        Node::Join(a, b) | Node::And(a, b) | Node::Or(a, b) => (Some(a), Some(b)),
        Node::Superlative(_, a, b) | Node::Arithmetic(_, a, b) => (Some(a), Some(b)),
        Node::Aggregate(_, a) | Node::Mark(_, a) | Node::Reverse(a) | Node::Lambda(_, a) => (Some(a), None),
        _ => (None, None),
    };
    first.into_iter().chain(second)
}
