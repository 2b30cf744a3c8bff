//! Types: what a formula may denote, known without executing it. A type is a set of kinds (row, entity, number, date);
//! a formula is ill-typed when some part of it can be of no kind at all, and then the error says which part and why.

use super::notation::show;
use super::{Aggregate, Compare, FormulaId, Formulas, Node, Var};
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
    #[error("{part} is {found}, but here it would have to be {wanted}")]
    Mismatch { part: String, found: Type, wanted: Type },
    #[error("{part} is a relation between two things, but here it would have to be a list of things")]
    NotUnary { part: String },
    #[error("{part} is a list of things, but here it would have to be a relation")]
    NotBinary { part: String },
    #[error("the variable {name} is bound by no lambda and no mark")]
    Unbound { name: String },
}

/// The type of a unary formula, or why it has none.
pub fn type_of(formulas: &Formulas, graph: &Graph, id: FormulaId) -> Result<Type, TypeError> {
    Checker { formulas, graph, bound: Vec::new() }.unary(id, Type::ANY)
}

struct Checker<'a> {
    formulas: &'a Formulas,
    graph: &'a Graph,
    bound: Vec<(Var, Type)>,
}

impl Checker<'_> {
    /// The type of a unary of which only `wanted` is of use.
    fn unary(&mut self, id: FormulaId, wanted: Type) -> Result<Type, TypeError> {
        let found = match self.formulas.node(id) {
            Node::Value(Value::Entity(_)) => Type::ENTITY,
            Node::Value(Value::Number(_)) => Type::NUMBER,
            Node::Value(Value::Date(_)) => Type::DATE,
            Node::Rows => Type::ROW,
            Node::Var(var) => return self.var(var, wanted, id),
            Node::Join(binary, unary) => self.join(binary, unary, wanted)?,
            Node::And(a, b) | Node::Or(a, b) => {
                let left = self.unary(a, wanted)?;
                let both = self.unary(b, left)?;
                if both == left { both } else { self.unary(a, both)? }
            }
            Node::Aggregate(Aggregate::Count, a) => {
                self.unary(a, Type::ANY)?;
                Type::NUMBER
            }
            Node::Aggregate(Aggregate::Max | Aggregate::Min, a) => self.unary(a, wanted.and(Type::ORDERED))?,
            Node::Aggregate(Aggregate::Sum | Aggregate::Avg, a) => self.unary(a, Type::NUMBER)?,
            Node::Superlative(_, a, b) => {
                let of = self.unary(a, wanted)?;
                self.binary(b, of, Type::ORDERED)?.0
            }
            Node::Arithmetic(_, a, b) => {
                self.unary(a, Type::NUMBER)?;
                self.unary(b, Type::NUMBER)?;
                Type::NUMBER
            }
            Node::Mark(var, body) => self.bind(var, wanted, |checker| checker.unary(body, wanted))?.1,
            _ => return Err(TypeError::NotUnary { part: self.show(id) }),
        };
        self.meet(id, found, wanted)
    }

    fn join(&mut self, binary: FormulaId, unary: FormulaId, wanted: Type) -> Result<Type, TypeError> {
        let (_, right) = self.binary(binary, wanted, Type::ANY)?;
        let right = self.unary(unary, right)?;
        Ok(self.binary(binary, wanted, right)?.0)
    }

    /// The types of the left and the right side of a binary's pairs, given what is wanted of each.
    fn binary(&mut self, id: FormulaId, left: Type, right: Type) -> Result<(Type, Type), TypeError> {
        let (found_left, found_right) = match self.formulas.node(id) {
            Node::Column(_) => (Type::ROW, Type::ENTITY),
            Node::Reading(Reading::Number | Reading::Number2 | Reading::Duration) => (Type::ENTITY, Type::NUMBER),
            Node::Reading(Reading::Date | Reading::Date2) => (Type::ENTITY, Type::DATE),
            Node::Reading(Reading::Part) => (Type::ENTITY, Type::ENTITY),
            Node::Next => (Type::ROW, Type::ROW),
            Node::Index | Node::Run(_) => (Type::ROW, Type::NUMBER),
            Node::Compare(Compare::NotEqual) => {
                let both = left.and(right).and(Type::VALUE);
                (both, both)
            }
            Node::Compare(_) => {
                let both = left.and(right).and(Type::ORDERED);
                (both, both)
            }
            Node::Reverse(inner) => {
                let (l, r) = self.binary(inner, right, left)?;
                (r, l)
            }
            Node::Lambda(var, body) => {
                let (var_type, body_type) = self.bind(var, right, |checker| checker.unary(body, left))?;
                (body_type, var_type)
            }
            _ => return Err(TypeError::NotBinary { part: self.show(id) }),
        };
        Ok((self.meet(id, found_left, left)?, self.meet(id, found_right, right)?))
    }

    /// Checks a body with a variable bound; twice, since what the body wants of the variable is known only at its end.
    fn bind(
        &mut self,
        var: Var,
        wanted: Type,
        mut body: impl FnMut(&mut Self) -> Result<Type, TypeError>,
    ) -> Result<(Type, Type), TypeError> {
        self.bound.push((var, wanted));
        let first = body(self);
        let result = first.and_then(|_| body(self));
        let (_, var_type) = self.bound.pop().expect("pushed above");
        Ok((var_type, result?))
    }

    fn var(&mut self, var: Var, wanted: Type, id: FormulaId) -> Result<Type, TypeError> {
        let Some(at) = self.bound.iter().rposition(|(bound, _)| *bound == var) else {
            return Err(TypeError::Unbound { name: var.name() });
        };
        let narrowed = self.meet(id, self.bound[at].1, wanted)?;
        self.bound[at].1 = narrowed;
        Ok(narrowed)
    }

    fn meet(&self, id: FormulaId, found: Type, wanted: Type) -> Result<Type, TypeError> {
        match found.and(wanted) {
            both if both.is_empty() => Err(TypeError::Mismatch { part: self.show(id), found, wanted }),
            both => Ok(both),
        }
    }

    fn show(&self, id: FormulaId) -> String {
        show(self.formulas, self.graph, id)
    }
}
