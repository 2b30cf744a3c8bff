//! Types: what a formula may denote, known without executing it. A type is a set of kinds (row, entity, number, date);
//! a formula is ill-typed when some part of it can be of no kind at all, and then the error says which part and why.
//!
//! Every part of the formula starts as any kind; what a part and its neighbours say of each other only takes kinds away,
//! so that going over the parts until nothing changes ends soon, however the formula is built.

use super::notation::show;
use super::{Aggregate, Arithmetic, Compare, FormulaId, Formulas, Node, Shape, Var};
use crate::graph::{Graph, Reading};
use crate::value::Value;
use std::fmt;

/// A set of kinds of things.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Type(u8);

impl Type {
    pub const NONE: Type = Type(0);
    pub const ROW: Type = Type(1);
    pub const ENTITY: Type = Type(2);
    pub const NUMBER: Type = Type(4);
    pub const DATE: Type = Type(8);
    pub const ANY: Type = Type(15);
    pub const VALUE: Type = Type(14);
    /// What has an order: numbers and dates.
    pub const ORDERED: Type = Type(12);

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn and(self, other: Type) -> Type {
        Type(self.0 & other.0)
    }

    pub fn or(self, other: Type) -> Type {
        Type(self.0 | other.0)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let kinds = [(Type::ROW, "row"), (Type::ENTITY, "entity"), (Type::NUMBER, "number"), (Type::DATE, "date")];
        let names: Vec<&str> = kinds.iter().filter(|(kind, _)| !self.and(*kind).is_empty()).map(|(_, n)| *n).collect();
        f.write_str(if names.is_empty() { "nothing".into() } else { names.join(" or ") }.as_str())
    }
}

/// Why a formula has no type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TypeError {
    #[error("{part} is {found}, but here it would have to be {wanted}{}", hint(*found, *wanted))]
    Mismatch { part: String, found: Type, wanted: Type },
    #[error("{part} leads {way} {found}, but here it would have to lead {way} {wanted}")]
    Leads { part: String, way: &'static str, found: Type, wanted: Type },
    #[error("{part} is a relation between two things, but here it would have to be a list of things")]
    NotUnary { part: String },
    #[error("{part} is a list of things, but here it would have to be a relation")]
    NotBinary { part: String },
    #[error("the variable {name} is bound by no lambda and no mark")]
    Unbound { name: String },
    #[error("the formula is too large: types are found for formulas of at most {LARGEST} nodes")]
    TooLarge,
}

/// What would do in place of a part of the wrong kind.
fn hint(found: Type, wanted: Type) -> &'static str {
    match (found, wanted) {
        (Type::ROW, _) if !wanted.and(Type::VALUE).is_empty() => "; `R[a column].` in front of it gives the cells",
        (Type::ENTITY, Type::NUMBER | Type::ORDERED) => "; `R[Number].` in front of it gives the numbers of the cells",
        (Type::ENTITY, Type::DATE) => "; `R[Date].` in front of it gives the dates of the cells",
        (Type::NUMBER, Type::ENTITY) => "; `Number.` in front of it means cells that read so, double quotes their text",
        (Type::DATE, Type::ENTITY) => "; `Date.` in front of it means cells that read so, double quotes their text",
        _ => "",
    }
}

/// The most nodes, as a tree, of a formula that is typed.
const LARGEST: usize = 100_000;

/// The type of a unary formula, or why it has none.
pub fn type_of(formulas: &Formulas, graph: &Graph, id: FormulaId) -> Result<Type, TypeError> {
    let mut checker = Checker { formulas, graph, free: Free::Refused, parts: Vec::new(), changed: true };
    checker.check(id, Shape::Unary).map(|whole| whole.0)
}

/// The type of the variable that a lambda or a mark binds, as far as its body tells. Variables from outside are anything.
pub fn bound_type(formulas: &Formulas, graph: &Graph, id: FormulaId) -> Result<Type, TypeError> {
    let mut checker = Checker { formulas, graph, free: Free::Anything, parts: Vec::new(), changed: true };
    match formulas.node(id) {
        Node::Mark(..) => checker.check(id, Shape::Unary).map(|whole| whole.0),
        _ => checker.check(id, Shape::Binary).map(|whole| whole.1),
    }
}

/// What a variable is that nothing binds.
#[derive(Clone, Copy, PartialEq)]
enum Free {
    Refused,
    Anything,
}

/// A node where it stands in the formula, and what it may be there: a unary has only a left side.
struct Part {
    id: FormulaId,
    left: Type,
    right: Type,
    /// Its parts; of a variable, the lambda or the mark that binds it.
    others: [usize; 2],
}

#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

struct Checker<'a> {
    formulas: &'a Formulas,
    graph: &'a Graph,
    free: Free,
    parts: Vec<Part>,
    changed: bool,
}

impl Checker<'_> {
    /// What both sides of a formula may be.
    fn check(&mut self, id: FormulaId, shape: Shape) -> Result<(Type, Type), TypeError> {
        if self.formulas.size(id) > LARGEST || self.formulas.depth(id) > Formulas::DEPTH {
            return Err(TypeError::TooLarge);
        }
        let whole = self.add(id, shape, &mut Vec::new())?;
        while std::mem::take(&mut self.changed) {
            (0..self.parts.len()).rev().try_for_each(|at| self.relate(at))?;
            (0..self.parts.len()).try_for_each(|at| self.relate(at))?;
        }
        Ok((self.parts[whole].left, self.parts[whole].right))
    }

    /// Adds a node and all below it, each behind the one it is a part of.
    fn add(&mut self, id: FormulaId, wanted: Shape, bound: &mut Vec<(Var, usize)>) -> Result<usize, TypeError> {
        let node = self.formulas.node(id);
        match (node.shape(), wanted) {
            (Shape::Binary, Shape::Unary) => return Err(TypeError::NotUnary { part: self.show(id) }),
            (Shape::Unary, Shape::Binary) => return Err(TypeError::NotBinary { part: self.show(id) }),
            _ => {}
        }
        let at = self.parts.len();
        self.parts.push(Part { id, left: Type::ANY, right: Type::ANY, others: [at; 2] });
        if let Node::Var(var) = node {
            self.parts[at].others = [self.binder(var, at, bound)?; 2];
        }
        bound.extend(node.binds().map(|var| (var, at)));
        for (place, (part, shape)) in node.parts().enumerate() {
            let part = self.add(part, shape, bound)?;
            // A node with one part has it in both places, so that neither is a leaf's own number.
            self.parts[at].others[place..].fill(part);
        }
        if node.binds().is_some() {
            bound.pop();
        }
        Ok(at)
    }

    /// The innermost lambda or mark that binds a variable.
    fn binder(&self, var: Var, at: usize, bound: &[(Var, usize)]) -> Result<usize, TypeError> {
        match bound.iter().rev().find(|(name, _)| *name == var) {
            Some((_, binder)) => Ok(*binder),
            None if self.free == Free::Anything => Ok(at),
            None => Err(TypeError::Unbound { name: var.name() }),
        }
    }

    /// Takes away what a node and its neighbours rule out in each other.
    fn relate(&mut self, at: usize) -> Result<(), TypeError> {
        use Side::{Left, Right};
        let [a, b] = self.parts[at].others;
        match self.formulas.node(self.parts[at].id) {
            Node::Value(Value::Entity(_)) => self.limit(at, Left, Type::ENTITY),
            Node::Value(Value::Number(_)) => self.limit(at, Left, Type::NUMBER),
            Node::Value(Value::Date(_)) => self.limit(at, Left, Type::DATE),
            Node::Rows => self.limit(at, Left, Type::ROW),
            Node::Var(_) => match self.formulas.node(self.parts[a].id) {
                Node::Mark(..) => self.same((at, Left), (a, Left)),
                _ => self.same((at, Left), (a, Right)),
            },
            Node::Join(..) => self.same((a, Right), (b, Left)).and_then(|()| self.same((at, Left), (a, Left))),
            Node::And(..) | Node::Or(..) => {
                self.same((a, Left), (b, Left)).and_then(|()| self.same((at, Left), (a, Left)))
            }
            Node::Aggregate(op, _) => self.relate_aggregate(op, at, a),
            Node::Superlative(..) => {
                self.limit(b, Right, Type::ORDERED)?;
                self.same((b, Left), (a, Left)).and_then(|()| self.same((at, Left), (a, Left)))
            }
            Node::Arithmetic(op, ..) => self.relate_arithmetic(op, at, a, b),
            Node::Mark(..) => self.same((at, Left), (a, Left)),
            Node::Column(_) => self.relation(at, Type::ROW, Type::ENTITY),
            Node::Reading(Reading::Date | Reading::Date2) => self.relation(at, Type::ENTITY, Type::DATE),
            Node::Reading(Reading::Part) => self.relation(at, Type::ENTITY, Type::ENTITY),
            Node::Reading(_) => self.relation(at, Type::ENTITY, Type::NUMBER),
            Node::Next => self.relation(at, Type::ROW, Type::ROW),
            Node::Index | Node::Run(_) => self.relation(at, Type::ROW, Type::NUMBER),
            Node::Compare(op) => {
                let wanted = if op == Compare::NotEqual { Type::VALUE } else { Type::ORDERED };
                self.relation(at, wanted, wanted).and_then(|()| self.same((at, Left), (at, Right)))
            }
            Node::Reverse(_) => self.same((at, Left), (a, Right)).and_then(|()| self.same((at, Right), (a, Left))),
            Node::Lambda(..) => self.same((at, Left), (a, Left)),
        }
    }

    fn relate_aggregate(&mut self, op: Aggregate, at: usize, of: usize) -> Result<(), TypeError> {
        match op {
            Aggregate::Count => self.limit(at, Side::Left, Type::NUMBER),
            Aggregate::Max | Aggregate::Min => {
                self.limit(of, Side::Left, Type::ORDERED)?;
                self.same((at, Side::Left), (of, Side::Left))
            }
            Aggregate::Sum | Aggregate::Avg => {
                self.limit(of, Side::Left, Type::NUMBER)?;
                self.limit(at, Side::Left, Type::NUMBER)
            }
        }
    }

    /// Only a difference may be of dates: the years between them.
    fn relate_arithmetic(&mut self, op: Arithmetic, at: usize, a: usize, b: usize) -> Result<(), TypeError> {
        let wanted = if op == Arithmetic::Sub { Type::ORDERED } else { Type::NUMBER };
        self.limit(a, Side::Left, wanted)?;
        self.limit(b, Side::Left, wanted)?;
        self.same((a, Side::Left), (b, Side::Left))?;
        self.limit(at, Side::Left, Type::NUMBER)
    }

    fn relation(&mut self, at: usize, left: Type, right: Type) -> Result<(), TypeError> {
        self.limit(at, Side::Left, left)?;
        self.limit(at, Side::Right, right)
    }

    fn side(&mut self, (at, side): (usize, Side)) -> &mut Type {
        match side {
            Side::Left => &mut self.parts[at].left,
            Side::Right => &mut self.parts[at].right,
        }
    }

    fn limit(&mut self, at: usize, side: Side, wanted: Type) -> Result<(), TypeError> {
        let found = *self.side((at, side));
        let both = found.and(wanted);
        if both.is_empty() {
            return Err(self.mismatch(self.parts[at].id, side, found, wanted));
        }
        self.changed |= both != found;
        *self.side((at, side)) = both;
        Ok(())
    }

    fn mismatch(&self, id: FormulaId, side: Side, found: Type, wanted: Type) -> TypeError {
        let part = self.show(id);
        match (self.formulas.node(id).shape(), side) {
            (Shape::Unary, _) => TypeError::Mismatch { part, found, wanted },
            (Shape::Binary, Side::Left) => TypeError::Leads { part, way: "from", found, wanted },
            (Shape::Binary, Side::Right) => TypeError::Leads { part, way: "to", found, wanted },
        }
    }

    /// Two places must be of the same kind; the second is the one named when they cannot be.
    fn same(&mut self, first: (usize, Side), second: (usize, Side)) -> Result<(), TypeError> {
        let wanted = *self.side(first);
        self.limit(second.0, second.1, wanted)?;
        let both = *self.side(second);
        self.limit(first.0, first.1, both)
    }

    fn show(&self, id: FormulaId) -> String {
        show(self.formulas, self.graph, id)
    }
}
