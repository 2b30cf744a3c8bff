//! A query as a small tree: what is selected from where, under which conditions. The writer builds it from a formula
//! without regard to a dialect, and [`super::print`] prints it in one.

use super::dialect::Function;

/// Place of a table in a query. The columns of a table are asked for by its alias, so that a query inside another can
/// speak of the outer one.
pub(super) type Alias = u32;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expr {
    /// Column of a table.
    Field(Alias, String),
    Text(String),
    Number(f64),
    /// A day, as `yyyy-mm-dd`.
    Day(String),
    False,
    /// `COUNT(*)`.
    CountRows,
    /// `MAX(x)`, `COUNT(x)`, ...
    Aggregate(&'static str, Box<Expr>),
    CountDistinct(Box<Expr>),
    Median(Box<Expr>),
    /// Place of a row by an expression, from 1.
    Place(Box<Expr>),
    /// Number of all rows, for each of them.
    CountAll,
    /// An aggregate of only the rows that meet a condition.
    Filtered(Box<Expr>, Box<Expr>),
    /// `a + b` and the like.
    Operation(Box<Expr>, Operator, Box<Expr>),
    /// Function of days.
    OfDays(Function, Vec<Expr>),
    /// `a = b` and the like.
    Compare(Box<Expr>, &'static str, Box<Expr>),
    /// `x IN ('a', 'b')`.
    Among(Box<Expr>, Vec<Expr>),
    /// `x IN (SELECT ...)`.
    In(Box<Expr>, Box<Query>),
    Like(Box<Expr>, String),
    IsNull(Box<Expr>),
    IsNotNull(Box<Expr>),
    Not(Box<Expr>),
    /// Not true: false or unknown.
    NotTrue(Box<Expr>),
    All(Vec<Expr>),
    Any(Vec<Expr>),
    /// `COALESCE(x, n)`.
    Or(Box<Expr>, f64),
    /// The single value of a query.
    Scalar(Box<Query>),
}

/// Arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    /// First in percent of second.
    Percent,
}

impl Expr {
    pub(super) fn compare(self, sign: &'static str, other: Expr) -> Expr {
        Expr::Compare(Box::new(self), sign, Box::new(other))
    }

    pub(super) fn equals(self, other: Expr) -> Expr {
        self.compare("=", other)
    }

    pub(super) fn operate(self, operator: Operator, other: Expr) -> Expr {
        Expr::Operation(Box::new(self), operator, Box::new(other))
    }

    pub(super) fn aggregate(name: &'static str, of: Expr) -> Expr {
        Expr::Aggregate(name, Box::new(of))
    }

    pub(super) fn not_null(self) -> Expr {
        Expr::IsNotNull(Box::new(self))
    }

    pub(super) fn listed_in(self, query: Query) -> Expr {
        Expr::In(Box::new(self), Box::new(query))
    }

    /// Aggregate of the rows that meet all conditions.
    pub(super) fn filtered(self, conditions: Vec<Expr>) -> Expr {
        match conditions.is_empty() {
            true => self,
            false => Expr::Filtered(Box::new(self), Box::new(Expr::all(conditions))),
        }
    }

    /// True for the condition that always holds.
    pub(super) fn is_true(&self) -> bool {
        matches!(self, Expr::All(parts) if parts.is_empty())
    }

    /// True for a number that may be zero where a query divides by it, for a row or a group.
    pub(super) fn can_be_zero(&self) -> bool {
        match self {
            Expr::Number(n) => *n == 0.0,
            // Of a whole table there is nothing to divide by zero: the formula would mean nothing.
            Expr::CountRows | Expr::CountDistinct(_) | Expr::Scalar(_) => false,
            _ => true, // anything else is about a row or a group
        }
    }

    /// Conjunction, without nesting.
    pub(super) fn all(conditions: Vec<Expr>) -> Expr {
        let mut flat: Vec<Expr> = Vec::new();
        for condition in conditions {
            let parts = if let Expr::All(parts) = condition { parts } else { vec![condition] };
            parts.into_iter().for_each(|part| {
                if !flat.contains(&part) {
                    flat.push(part)
                }
            });
        }
        if flat.len() == 1 { flat.remove(0) } else { Expr::All(flat) }
    }

    /// Disjunction, without nesting.
    pub(super) fn any(conditions: Vec<Expr>) -> Expr {
        let mut flat: Vec<Expr> = Vec::new();
        for condition in conditions {
            if condition.is_true() {
                return condition;
            }
            let parts = if let Expr::Any(parts) = condition { parts } else { vec![condition] };
            parts.into_iter().for_each(|part| {
                if !flat.contains(&part) {
                    flat.push(part)
                }
            });
        }
        if flat.len() == 1 { flat.remove(0) } else { Expr::Any(flat) }
    }

    /// Calls `take` for each column that the expression asks for, with the tables of the query that it is in.
    pub(super) fn each_field(&self, own: &[Alias], take: &mut impl FnMut(Alias, &str, &[Alias])) {
        match self {
            Expr::Field(alias, name) => take(*alias, name, own),
            Expr::Text(_) | Expr::Number(_) | Expr::Day(_) | Expr::False | Expr::CountRows | Expr::CountAll => {}
            Expr::Aggregate(_, of)
            | Expr::CountDistinct(of)
            | Expr::Median(of)
            | Expr::Place(of)
            | Expr::Like(of, _) => of.each_field(own, take),
            Expr::IsNull(of) | Expr::IsNotNull(of) | Expr::Not(of) | Expr::NotTrue(of) | Expr::Or(of, _) => {
                of.each_field(own, take)
            }
            Expr::Filtered(a, b) | Expr::Operation(a, _, b) | Expr::Compare(a, _, b) => {
                a.each_field(own, take);
                b.each_field(own, take);
            }
            Expr::OfDays(_, list) | Expr::All(list) | Expr::Any(list) => {
                list.iter().for_each(|one| one.each_field(own, take));
            }
            Expr::Among(of, list) => {
                of.each_field(own, take);
                list.iter().for_each(|one| one.each_field(own, take));
            }
            Expr::In(of, query) => {
                of.each_field(own, take);
                query.each_field(take);
            }
            Expr::Scalar(query) => query.each_field(take),
        }
    }
}

impl Expr {
    fn add_tables<'q>(&'q self, found: &mut Vec<&'q str>) {
        match self {
            Expr::Field(..)
            | Expr::Text(_)
            | Expr::Number(_)
            | Expr::Day(_)
            | Expr::False
            | Expr::CountRows
            | Expr::CountAll => {}
            Expr::Aggregate(_, of)
            | Expr::CountDistinct(of)
            | Expr::Median(of)
            | Expr::Place(of)
            | Expr::Like(of, _) => of.add_tables(found),
            Expr::IsNull(of) | Expr::IsNotNull(of) | Expr::Not(of) | Expr::NotTrue(of) | Expr::Or(of, _) => {
                of.add_tables(found)
            }
            Expr::Filtered(a, b) | Expr::Operation(a, _, b) | Expr::Compare(a, _, b) => {
                a.add_tables(found);
                b.add_tables(found);
            }
            Expr::OfDays(_, list) | Expr::All(list) | Expr::Any(list) => {
                list.iter().for_each(|one| one.add_tables(found))
            }
            Expr::Among(of, _) => of.add_tables(found),
            Expr::In(of, query) => {
                of.add_tables(found);
                query.add_tables(found);
            }
            Expr::Scalar(query) => query.add_tables(found),
        }
    }
}

/// Table that a query reads.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct From {
    pub name: String,
    pub alias: Alias,
    /// Further table, with the column that both have.
    pub join: Option<Join>,
}

/// A table joined to another.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Join {
    pub name: String,
    pub alias: Alias,
    pub using: String,
}

/// A query.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Query {
    pub distinct: bool,
    /// Selected expressions, with a name for those that have none of their own; none of them selects everything.
    pub select: Vec<(Expr, Option<String>)>,
    pub from: Option<From>,
    /// Conditions, all of which hold.
    pub conditions: Vec<Expr>,
    pub group: Vec<Expr>,
    pub having: Option<Expr>,
    /// Expressions to sort by, with the direction.
    pub order: Vec<(Expr, Direction)>,
    pub limit: Option<u64>,
    /// Queries whose lines come after.
    pub union: Vec<Query>,
}

/// Direction of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Up,
    Down,
}

impl Query {
    /// `SELECT expr` from a table.
    pub(super) fn of(select: Expr, from: From, conditions: Vec<Expr>) -> Query {
        Query { select: vec![(select, None)], from: Some(from), conditions, ..Query::default() }
    }

    /// `SELECT expr` from nothing.
    pub(super) fn single(select: Expr) -> Query {
        Query { select: vec![(select, None)], ..Query::default() }
    }

    pub(super) fn distinct(self) -> Query {
        Query { distinct: true, ..self }
    }

    pub(super) fn scalar(self) -> Expr {
        Expr::Scalar(Box::new(self))
    }

    /// Calls `take` for each column that is asked for, with the tables of the query that asks.
    pub(super) fn each_field(&self, take: &mut impl FnMut(Alias, &str, &[Alias])) {
        let joined = |from: &From| from.join.as_ref().map(|join| join.alias);
        let own: Vec<Alias> = self.from.iter().flat_map(|from| [Some(from.alias), joined(from)]).flatten().collect();
        let select = self.select.iter().map(|(expr, _)| expr);
        let order = self.order.iter().map(|(expr, _)| expr);
        for expr in select.chain(&self.conditions).chain(&self.group).chain(&self.having).chain(order) {
            expr.each_field(&own, take);
        }
        self.union.iter().for_each(|query| query.each_field(take));
    }

    /// Names of the tables that the query and the queries inside it read.
    pub(super) fn tables(&self) -> Vec<&str> {
        let mut found = Vec::new();
        self.add_tables(&mut found);
        found
    }

    fn add_tables<'q>(&'q self, found: &mut Vec<&'q str>) {
        if let Some(from) = &self.from {
            found.push(&from.name);
            found.extend(from.join.iter().map(|join| join.name.as_str()));
        }
        let select = self.select.iter().map(|(expr, _)| expr);
        let order = self.order.iter().map(|(expr, _)| expr);
        for expr in select.chain(&self.conditions).chain(&self.group).chain(&self.having).chain(order) {
            expr.add_tables(found);
        }
        self.union.iter().for_each(|query| query.add_tables(found));
    }
}
