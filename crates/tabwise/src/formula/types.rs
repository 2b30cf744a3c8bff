//! Types of formulas, found without executing them. A type is a set of kinds (row, entity, number, ...); [`type_of`]
//! gives the kinds that a formula may denote. A formula is ill-typed if no kind is left for one of its parts, and the
//! error names that part.
//!
//! Every part starts with all kinds, and each node removes the kinds that do not fit its neighbours. Kinds are only
//! ever removed, so repeating this until nothing changes ends after few passes, however deep lambdas nest.

use super::notation::show;
use super::{Aggregate, Arithmetic, Compare, FormulaId, Formulas, Node, Shape, Test, Var};
use crate::graph::{Graph, Reading};
use crate::value::Value;
use std::fmt;

/// Set of kinds of things.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Type(u8);

impl Type {
    /// No kind.
    pub const NONE: Type = Type(0);
    /// Rows of the table.
    pub const ROW: Type = Type(1);
    /// Texts of the table.
    pub const ENTITY: Type = Type(2);
    /// Numbers.
    pub const NUMBER: Type = Type(4);
    /// Dates.
    pub const DATE: Type = Type(8);
    /// Yes or no. Only a whole formula can have this kind.
    pub const TRUTH: Type = Type(16);
    /// A table of groups. Only a whole formula can have this kind.
    pub const TABLE: Type = Type(32);
    /// Every kind that formulas can be made of.
    pub const ANY: Type = Type(15);
    /// Every kind that formulas can be made of, but rows.
    pub const VALUE: Type = Type(14);
    /// Kinds that have an order: numbers and dates.
    pub const ORDERED: Type = Type(12);

    /// Tells if there is no kind.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Kinds of both.
    pub fn and(self, other: Type) -> Type {
        Type(self.0 & other.0)
    }

    /// Kinds of either.
    pub fn or(self, other: Type) -> Type {
        Type(self.0 | other.0)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let kinds = [
            (Type::ROW, "row"),
            (Type::ENTITY, "entity"),
            (Type::NUMBER, "number"),
            (Type::DATE, "date"),
            (Type::TRUTH, "yes or no"),
            (Type::TABLE, "table"),
        ];
        let names: Vec<&str> = kinds.iter().filter(|(kind, _)| !self.and(*kind).is_empty()).map(|(_, n)| *n).collect();
        f.write_str(if names.is_empty() { "nothing".into() } else { names.join(" or ") }.as_str())
    }
}

/// Error for a formula without a type. `part` is the notation of the part that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TypeError {
    /// A unary of the wrong kind.
    #[error("{part} is {found}, but here it would have to be {wanted}{}", hint(*found, *wanted))]
    Mismatch {
        /// Wrong part.
        part: String,
        /// Kinds that it has.
        found: Type,
        /// Kinds that fit.
        wanted: Type,
    },
    /// A relation whose left or right side has the wrong kind.
    #[error("{part} leads {way} {found}, but here it would have to lead {way} {wanted}")]
    Leads {
        /// Wrong part.
        part: String,
        /// Side of the relation: "from" or "to".
        way: &'static str,
        /// Kinds that the side has.
        found: Type,
        /// Kinds that fit.
        wanted: Type,
    },
    /// A binary in the place of a unary.
    #[error("{part} is a relation between two things, but here it would have to be a list of things")]
    NotUnary {
        /// Wrong part.
        part: String,
    },
    /// A unary in the place of a binary.
    #[error("{part} is a list of things, but here it would have to be a relation")]
    NotBinary {
        /// Wrong part.
        part: String,
    },
    /// A variable outside the lambda or mark that binds it.
    #[error("the variable {name} is not bound by a lambda or a mark around it")]
    Unbound {
        /// Name of the variable.
        name: String,
    },
    /// A formula beyond the limits on size and depth.
    #[error("the formula is too large: the limits are {LARGEST} nodes and a depth of {}", Formulas::DEPTH)]
    TooLarge,
}

/// Suggests a correction for a part of the wrong kind; empty if there is none.
fn hint(found: Type, wanted: Type) -> &'static str {
    match (found, wanted) {
        (Type::TRUTH | Type::TABLE, _) => "; nothing can be made of it",
        (Type::ROW, _) if !wanted.and(Type::VALUE).is_empty() => "; `R[a column].` in front of it gives the cells",
        (Type::ENTITY, Type::NUMBER | Type::ORDERED) => "; `R[Number].` in front of it gives the numbers of the cells",
        (Type::ENTITY, Type::DATE) => "; `R[Date].` in front of it gives the dates of the cells",
        (Type::NUMBER, Type::ENTITY) => {
            "; put `Number.` in front of it for the cells with this number, or quotes around it for a cell's text"
        }
        (Type::DATE, Type::ENTITY) => {
            "; put `Date.` in front of it for the cells with this date, or quotes around it for a cell's text"
        }
        _ => "",
    }
}

/// Limit on the size of a formula that is typed: every occurrence of a shared part is checked on its own.
const LARGEST: usize = 100_000;

/// Returns the type of a closed unary formula.
pub fn type_of(formulas: &Formulas, graph: &Graph, id: FormulaId) -> Result<Type, TypeError> {
    let mut checker = Checker { formulas, graph, free: Free::Refused, parts: Vec::new(), changed: true };
    checker.check(id, Shape::Unary).map(|whole| whole.0)
}

/// Returns the type of the variable that a lambda or a mark binds, as far as its body determines it. Free variables may
/// be of any kind.
pub fn bound_type(formulas: &Formulas, graph: &Graph, id: FormulaId) -> Result<Type, TypeError> {
    let mut checker = Checker { formulas, graph, free: Free::Anything, parts: Vec::new(), changed: true };
    match formulas.node(id) {
        Node::Mark(..) => checker.check(id, Shape::Unary).map(|whole| whole.0),
        _ => checker.check(id, Shape::Binary).map(|whole| whole.1),
    }
}

/// Treatment of free variables.
#[derive(Clone, Copy, PartialEq)]
enum Free {
    /// A free variable is an error.
    Refused,
    /// A free variable may be of any kind.
    Anything,
}

/// One occurrence of a node in the formula, with the kinds it may have there. A unary uses only its left side.
struct Part {
    id: FormulaId,
    left: Type,
    right: Type,
    /// Occurrences of its parts; for a variable, the lambda or the mark that binds it.
    others: [usize; 3],
}

/// Kind of a node that nothing but an answer can be made of.
fn answer_kind(node: Node) -> Option<Type> {
    match node {
        Node::Exists(_) | Node::Test(..) | Node::Value(Value::Truth(_)) => Some(Type::TRUTH),
        Node::Group(..) => Some(Type::TABLE),
        _ => None, // everything else can be part of a larger formula
    }
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
    /// Returns the kinds of both sides of a formula.
    fn check(&mut self, id: FormulaId, shape: Shape) -> Result<(Type, Type), TypeError> {
        if self.formulas.size(id) > LARGEST || self.formulas.depth(id) > Formulas::DEPTH {
            return Err(TypeError::TooLarge);
        }
        let whole = self.add(id, shape, &mut Vec::new())?;
        // A pass from the leaves up and one from the root down carry most facts all the way; parts come after the node
        // that they belong to.
        while std::mem::take(&mut self.changed) {
            (0..self.parts.len()).rev().try_for_each(|at| self.relate(at))?;
            (0..self.parts.len()).try_for_each(|at| self.relate(at))?;
        }
        Ok((self.parts[whole].left, self.parts[whole].right))
    }

    /// Adds a node and everything inside it, parts after wholes.
    fn add(&mut self, id: FormulaId, wanted: Shape, bound: &mut Vec<(Var, usize)>) -> Result<usize, TypeError> {
        let node = self.formulas.node(id);
        match (node.shape(), wanted) {
            (Shape::Binary, Shape::Unary) => return Err(TypeError::NotUnary { part: self.show(id) }),
            (Shape::Unary, Shape::Binary) => return Err(TypeError::NotBinary { part: self.show(id) }),
            _ => {}
        }
        let at = self.parts.len();
        let left = match answer_kind(node) {
            Some(found) if at > 0 => return Err(self.mismatch(id, Side::Left, found, Type::ANY)),
            Some(kind) => kind,
            None => Type::ANY,
        };
        self.parts.push(Part { id, left, right: Type::ANY, others: [at; 3] });
        if let Node::Var(var) = node {
            self.parts[at].others = [self.binder(var, at, bound)?; 3];
        }
        bound.extend(node.binds().map(|var| (var, at)));
        for (place, (part, shape)) in node.parts().enumerate() {
            let part = self.add(part, shape, bound)?;
            // A node with one part has it in all places, so that none is a leaf's own number.
            self.parts[at].others[place..].fill(part);
        }
        if node.binds().is_some() {
            bound.pop();
        }
        Ok(at)
    }

    /// Finds the innermost lambda or mark that binds a variable. A free variable that is allowed is its own binder.
    fn binder(&self, var: Var, at: usize, bound: &[(Var, usize)]) -> Result<usize, TypeError> {
        match bound.iter().rev().find(|(name, _)| *name == var) {
            Some((_, binder)) => Ok(*binder),
            None if self.free == Free::Anything => Ok(at),
            None => Err(TypeError::Unbound { name: var.name() }),
        }
    }

    /// Removes the kinds that a node and its neighbours rule out in each other.
    fn relate(&mut self, at: usize) -> Result<(), TypeError> {
        use Side::{Left, Right};
        let [a, b, c] = self.parts[at].others;
        match self.formulas.node(self.parts[at].id) {
            Node::Value(Value::Entity(_)) => self.limit(at, Left, Type::ENTITY),
            Node::Value(Value::Number(_)) => self.limit(at, Left, Type::NUMBER),
            Node::Value(Value::Date(_)) => self.limit(at, Left, Type::DATE),
            Node::Value(Value::Truth(_)) => self.limit(at, Left, Type::TRUTH),
            Node::Rows => self.limit(at, Left, Type::ROW),
            Node::Var(_) => match self.formulas.node(self.parts[a].id) {
                Node::Mark(..) => self.same((at, Left), (a, Left)),
                _ => self.same((at, Left), (a, Right)),
            },
            Node::Join(..) => self.same((a, Right), (b, Left)).and_then(|()| self.same((at, Left), (a, Left))),
            Node::And(..) | Node::Or(..) | Node::Except(..) => {
                self.same((a, Left), (b, Left)).and_then(|()| self.same((at, Left), (a, Left)))
            }
            Node::Aggregate(op, _) => self.relate_aggregate(op, at, a),
            Node::Superlative(..) => {
                self.limit(b, Right, Type::ORDERED)?;
                self.same((b, Left), (a, Left)).and_then(|()| self.same((at, Left), (a, Left)))
            }
            Node::Top(..) => {
                self.limit(c, Left, Type::NUMBER)?;
                self.limit(b, Right, Type::ORDERED)?;
                self.same((b, Left), (a, Left)).and_then(|()| self.same((at, Left), (a, Left)))
            }
            Node::Group(..) => {
                self.limit(a, Left, Type::VALUE)?;
                self.limit(b, Right, Type::VALUE)?;
                self.same((b, Left), (a, Left))
            }
            Node::Having(..) => {
                self.limit(a, Left, Type::VALUE)?;
                self.limit(b, Right, Type::VALUE)?;
                self.same((b, Right), (c, Left))?;
                self.same((b, Left), (a, Left)).and_then(|()| self.same((at, Left), (a, Left)))
            }
            Node::Exists(_) => Ok(()),
            Node::Test(op, ..) => self.relate_test(op, a, b),
            Node::Missing(_) => {
                self.limit(a, Left, Type::ROW)?;
                self.limit(a, Right, Type::VALUE)?;
                self.limit(at, Left, Type::ROW)
            }
            Node::Text(..) => self.limit(at, Left, Type::ENTITY),
            Node::Arithmetic(op, ..) => {
                self.relate_arithmetic(op, (a, Left), (b, Left))?;
                self.limit(at, Left, Type::NUMBER)
            }
            Node::Across(op, ..) => {
                self.limit(a, Left, Type::ROW)?;
                self.limit(b, Left, Type::ROW)?;
                self.relate_arithmetic(op, (a, Right), (b, Right))?;
                self.relation(at, Type::ROW, Type::NUMBER)
            }
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

    /// Aggregates take numbers or dates, except for a count, which takes anything.
    fn relate_aggregate(&mut self, op: Aggregate, at: usize, of: usize) -> Result<(), TypeError> {
        match op {
            Aggregate::Count => self.limit(at, Side::Left, Type::NUMBER),
            Aggregate::Max | Aggregate::Min => {
                self.limit(of, Side::Left, Type::ORDERED)?;
                self.same((at, Side::Left), (of, Side::Left))
            }
            Aggregate::Sum | Aggregate::Avg | Aggregate::Median => {
                self.limit(of, Side::Left, Type::NUMBER)?;
                self.limit(at, Side::Left, Type::NUMBER)
            }
        }
    }

    /// Arithmetic takes numbers; a difference may also be of two dates, which gives years.
    fn relate_arithmetic(&mut self, op: Arithmetic, a: (usize, Side), b: (usize, Side)) -> Result<(), TypeError> {
        let wanted = match op {
            Arithmetic::Sub => Type::ORDERED,
            Arithmetic::Days | Arithmetic::Months => Type::DATE,
            Arithmetic::Add | Arithmetic::Mul | Arithmetic::Div | Arithmetic::Share => Type::NUMBER,
        };
        self.limit(a.0, a.1, wanted)?;
        self.limit(b.0, b.1, wanted)?;
        self.same(a, b)
    }

    /// Both sides of a test are of one kind; only numbers and dates are more or less than others.
    fn relate_test(&mut self, op: Test, a: usize, b: usize) -> Result<(), TypeError> {
        let wanted = match op {
            Test::Greater | Test::Less | Test::AtLeast | Test::AtMost => Type::ORDERED,
            Test::Equal => Type::VALUE,
            Test::Within => Type::ANY,
        };
        self.limit(a, Side::Left, wanted)?;
        self.limit(b, Side::Left, wanted)?;
        self.same((a, Side::Left), (b, Side::Left))
    }

    /// Restricts both sides of a binary.
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

    /// Restricts one side of an occurrence; an error if no kind is left.
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

    /// Restricts two sides to the kinds that they share. If there are none, the error names the second.
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
