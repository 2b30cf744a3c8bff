//! From a formula to a query. Rows become conditions on a row of the table ([`rows`]), values become expressions over such
//! rows ([`values`]), and what can only be described becomes a condition on an expression ([`conditions`]). Groups are
//! queries of their own ([`groups`]).

mod conditions;
mod dates;
mod groups;
mod rows;
mod values;

use super::dialect::Dialect;
use super::print::print;
use super::query::{Alias, Direction, Expr, From, Operator, Query};
use super::schema::{Dates, Field, Kind, Schema, Which};
use super::{Sql, Unsayable};
use crate::formula::{Aggregate, FormulaId, Formulas, Node, Relation, Test, Var, Way};
use crate::graph::{ColumnId, Graph};
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use values::List;

/// Writes a formula as a query.
pub(super) fn write(
    formulas: &Formulas,
    graph: &Graph,
    schema: &Schema,
    id: FormulaId,
    dialect: Dialect,
) -> Result<Sql, Unsayable> {
    if formulas.depth(id) > MOST_DEPTH || formulas.size(id) > MOST_NODES {
        return Err(Unsayable::TooLarge);
    }
    let mut writer = Writer {
        formulas,
        graph,
        schema,
        dialect,
        bound: Vec::new(),
        aliases: 0,
        parts: Vec::new(),
        matching: FxHashMap::default(),
        nullable: FxHashSet::default(),
        fields: BTreeSet::new(),
        listed: BTreeSet::new(),
    };
    let query = writer.whole(id)?;
    let Writer { parts, fields, listed, .. } = writer;
    let parts = used(parts, &query);
    let (fields, listed) = read_by(&parts, &query, fields, listed, schema);
    let text = print(&parts, &query, dialect);
    Ok(Sql { text, fields, parts: listed, is_ordered: !query.order.is_empty() })
}

/// Named queries that a query needs, directly or for others.
fn used(parts: Vec<(String, Query)>, query: &Query) -> Vec<(String, Query)> {
    let mut kept: Vec<(String, Query)> = Vec::new();
    // A named query is only read by those after it.
    for (name, part) in parts.into_iter().rev() {
        let is_read =
            kept.iter().map(|(_, later)| later).chain([query]).any(|reader| reader.tables().contains(&name.as_str()));
        if is_read {
            kept.insert(0, (name, part));
        }
    }
    kept
}

/// Fields and tables of parts that queries read, of those that the writer looked at.
fn read_by(
    parts: &[(String, Query)],
    query: &Query,
    fields: BTreeSet<Field>,
    listed: BTreeSet<ColumnId>,
    schema: &Schema,
) -> (BTreeSet<Field>, BTreeSet<ColumnId>) {
    let all = || parts.iter().map(|(_, part)| part).chain([query]);
    let mut names: FxHashSet<String> = FxHashSet::default();
    for query in all() {
        query.each_field(&mut |_, name, _| {
            names.insert(name.to_string());
        });
    }
    let tables: FxHashSet<&str> = all().flat_map(Query::tables).collect();
    let fields = fields.into_iter().filter(|field| names.contains(&schema.name(*field))).collect();
    let listed = listed.into_iter().filter(|column| tables.contains(schema.parts_table(*column).as_str())).collect();
    (fields, listed)
}

/// Depth and size up to which a formula is written: nobody reads longer queries, and the writer recurses.
const MOST_DEPTH: usize = 60;
const MOST_NODES: usize = 1_000;

/// Writes one query.
struct Writer<'w> {
    formulas: &'w Formulas,
    graph: &'w Graph,
    schema: &'w Schema<'w>,
    dialect: Dialect,
    /// Variables in scope, innermost last.
    bound: Vec<(Var, Bound)>,
    /// Number of tables so far.
    aliases: Alias,
    /// Named queries, in the order of `WITH`.
    parts: Vec<(String, Query)>,
    /// Names of the queries of rows that have one.
    matching: FxHashMap<FormulaId, String>,
    /// Names of columns that may be `NULL`.
    nullable: FxHashSet<String>,
    fields: BTreeSet<Field>,
    listed: BTreeSet<ColumnId>,
}

/// What a variable stands for.
#[derive(Clone)]
enum Bound {
    /// Row of a table of the query.
    Row(Alias),
    Value(Val),
}

/// Value as an expression.
#[derive(Clone, Debug, PartialEq)]
enum Val {
    /// Cell of a row.
    Cell(Alias, ColumnId),
    /// Date of a cell.
    Date(Alias, ColumnId, Which),
    /// Something computed or read.
    Plain(Expr, Sort),
    /// A value that the formula names.
    Literal(Value),
}

/// Sort of a plain expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Number,
    Text,
    Day,
    /// A date that is only a year.
    Year,
    /// A date as it is printed.
    Shown,
}

/// Rows of a table under conditions.
#[derive(Clone, Debug)]
struct Frame {
    from: From,
    conditions: Vec<Expr>,
    /// True if there is at most one row.
    is_single: bool,
    order: Vec<(Expr, Direction)>,
}

impl Frame {
    /// All rows of a table.
    fn of(from: From) -> Frame {
        Frame { from, conditions: Vec::new(), is_single: false, order: Vec::new() }
    }

    fn alias(&self) -> Alias {
        self.from.alias
    }

    /// Adds a condition, unless it always holds.
    fn require(&mut self, condition: Expr) {
        if !condition.is_true() {
            self.conditions.push(condition);
        }
    }

    /// Query for an expression over the rows.
    fn select(self, expr: Expr) -> Query {
        Query { order: self.order, ..Query::of(expr, self.from, self.conditions) }
    }

    /// Query for an expression over the rows, in any order.
    fn select_set(self, expr: Expr) -> Query {
        Query::of(expr, self.from, self.conditions)
    }
}

type Written<T> = Result<T, Unsayable>;

impl Writer<'_> {
    /// Query of a whole formula.
    fn whole(&mut self, id: FormulaId) -> Written<Query> {
        match self.formulas.node(id) {
            Node::Group(of, key) => self.group(of, key),
            Node::Aggregate(op, of) => self.aggregate(op, of),
            Node::Exists(of) => self.exists(of),
            Node::Test(op, a, b) => self.test(op, a, b),
            Node::Arithmetic(op, a, b) => self.arithmetic_query(op, a, b),
            Node::Having(..) | Node::Superlative(..) | Node::Top(..) | Node::Mark(..) | Node::Missing(_) => {
                self.listing(id)
            }
            Node::Value(_) | Node::Rows | Node::Var(_) | Node::Join(..) | Node::And(..) | Node::Or(..) => {
                self.listing(id)
            }
            Node::Except(..) | Node::Text(..) => self.listing(id),
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => Err(Unsayable::Relation),
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => Err(Unsayable::Relation),
        }
    }

    /// Query of rows, or of the different values of a list.
    fn listing(&mut self, id: FormulaId) -> Written<Query> {
        if self.is_rows(id) {
            let frame = self.frame(id)?;
            return Ok(Query {
                from: Some(frame.from),
                conditions: frame.conditions,
                order: frame.order,
                ..Query::default()
            });
        }
        if let Some(query) = self.best_cells(id)? {
            return Ok(query);
        }
        match self.list(id)? {
            List::Rows { frame, val } => {
                let (is_single, is_unique, ordered) = (frame.is_single, self.is_unique(&val), !frame.order.is_empty());
                let query = self.present(frame, &val)?;
                Ok(if is_single || is_unique || ordered { query } else { query.distinct() })
            }
            List::Chosen { query, .. } => Ok(*query),
            List::One(val) => Ok(Query::single(self.shown(&val)?)),
            List::Literals(values) => {
                let mut queries: Vec<Query> = values
                    .iter()
                    .map(|value| Ok(Query::single(self.shown(&Val::Literal(*value))?)))
                    .collect::<Written<_>>()?;
                queries.dedup();
                let mut first = queries.remove(0);
                first.union = queries;
                Ok(first)
            }
            List::Described => Err(Unsayable::NoColumn),
        }
    }

    /// `exists(u)`.
    fn exists(&mut self, of: FormulaId) -> Written<Query> {
        Ok(Query::single(self.has_members(of)?).lifted())
    }

    /// Condition that a list has a member.
    fn has_members(&mut self, of: FormulaId) -> Written<Expr> {
        let none = Expr::Number(0.0);
        if self.is_rows(of) {
            return Ok(self.frame(of)?.select_set(Expr::CountRows).scalar().compare(">", none));
        }
        if let Node::And(a, b) = self.formulas.node(of) {
            // `R[..].x & >.5`: the value meets the condition.
            for (one, other) in [(a, b), (b, a)] {
                if let List::One(val) = self.list(one)? {
                    return self.passes(other, &val);
                }
            }
        }
        match self.list(of)? {
            List::Rows { frame, val } => {
                let frame = Frame { order: Vec::new(), ..frame };
                let query = self.present(frame, &val)?;
                let count = Query { select: vec![(Expr::CountRows, None)], ..query };
                Ok(count.scalar().compare(">", none))
            }
            List::One(val) => Ok(self.shown(&val)?.not_null()),
            List::Chosen { query, .. } => {
                let name = self.part("chosen", *query);
                let from = self.table(name);
                Ok(Query::of(Expr::CountRows, from, Vec::new()).scalar().compare(">", none))
            }
            List::Literals(_) => Ok(Expr::All(Vec::new())),
            List::Described => Err(Unsayable::NoColumn),
        }
    }

    /// `gt(u, v)` and the other tests.
    fn test(&mut self, op: Test, a: FormulaId, b: FormulaId) -> Written<Query> {
        if op == Test::Within {
            return self.within(a, b);
        }
        let (left, right) = (self.scalar(a)?, self.scalar(b)?);
        let sign = match op {
            Test::Greater => ">",
            Test::Less => "<",
            Test::AtLeast => ">=",
            Test::AtMost => "<=",
            Test::Equal | Test::Within => "=",
        };
        let (left, right) = self.comparable(&left, &right)?;
        Ok(Query::single(left.compare(sign, right)))
    }

    /// `within(u, v)`: no member of the first is outside of the second.
    fn within(&mut self, a: FormulaId, b: FormulaId) -> Written<Query> {
        let outside = if self.is_rows(a) {
            let mut frame = self.frame(a)?;
            let condition = self.holds(b, frame.alias())?;
            frame.require(self.not(condition));
            frame
        } else {
            let List::Rows { mut frame, val } = self.list(a)? else { return Err(Unsayable::NoColumn) };
            let shown = self.shown(&val)?;
            if self.can_be_null(&shown) {
                frame.require(shown.not_null());
            }
            let condition = self.passes(b, &val)?;
            frame.require(self.not(condition));
            frame
        };
        Ok(Query::single(outside.select_set(Expr::CountRows).scalar().equals(Expr::Number(0.0))).lifted())
    }

    /// True if a unary denotes rows.
    fn is_rows(&self, id: FormulaId) -> bool {
        match self.formulas.node(id) {
            Node::Rows | Node::Missing(_) => true,
            Node::Var(var) => matches!(self.look_up(var), Some(Bound::Row(_))),
            Node::Join(binary, _) => match self.formulas.relation(binary) {
                Some((Relation::Column(_) | Relation::Index | Relation::Run(_) | Relation::Across(..), way)) => {
                    way == Way::Back
                }
                Some((Relation::Next, _)) => true,
                Some((Relation::Lambda(_, body), Way::Back)) => self.is_rows(body),
                Some((Relation::Reading(_) | Relation::Compare(_) | Relation::Lambda(..), _)) | None => false,
            },
            Node::And(a, _) | Node::Or(a, _) | Node::Except(a, _) => self.is_rows(a),
            Node::Superlative(_, of, _) | Node::Top(_, of, ..) => self.is_rows(of),
            Node::Mark(var, body) => self.is_rows_if_bound(var, body),
            Node::Value(_) | Node::Aggregate(..) | Node::Arithmetic(..) | Node::Group(..) | Node::Having(..) => false,
            Node::Exists(_) | Node::Test(..) | Node::Text(..) => false,
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => false,
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => false,
        }
    }

    /// True if a body denotes rows, where it is its own variable if that is a row.
    fn is_rows_if_bound(&self, var: Var, body: FormulaId) -> bool {
        if let Some((Relation::Lambda(_, inner), Way::Back, _)) = self.formulas.joined(body) {
            return self.is_rows_if_bound(var, inner);
        }
        self.formulas.node(body) == Node::Var(var) || self.is_rows(body)
    }

    fn look_up(&self, var: Var) -> Option<&Bound> {
        self.bound.iter().rev().find(|(bound, _)| *bound == var).map(|(_, bound)| bound)
    }

    /// Runs with a variable bound.
    fn with<T>(&mut self, var: Var, bound: Bound, run: impl FnOnce(&mut Self) -> Written<T>) -> Written<T> {
        self.bound.push((var, bound));
        let written = run(self);
        self.bound.pop();
        written
    }

    /// A new place for a table.
    fn table(&mut self, name: String) -> From {
        self.aliases += 1;
        From { name, alias: self.aliases, join: None }
    }

    fn base(&mut self) -> From {
        self.table(self.schema.table().to_string())
    }

    /// Adds a named query and returns its name.
    fn part(&mut self, wanted: &str, query: Query) -> String {
        if let Some((name, _)) = self.parts.iter().find(|(_, known)| *known == query) {
            return name.clone();
        }
        let is_taken = |name: &str| name == self.schema.table() || self.parts.iter().any(|(known, _)| known == name);
        let name = std::iter::once(wanted.to_string())
            .chain((2..).map(|n| format!("{wanted}_{n}")))
            .find(|name| !is_taken(name))
            .expect("numbers do not end");
        self.parts.push((name.clone(), query));
        name
    }

    /// Column of a row.
    fn field(&mut self, alias: Alias, field: Field) -> Expr {
        let field = self.schema.stored(field);
        let name = self.schema.name(field);
        if self.schema.facts(field).has_nulls {
            self.nullable.insert(name.clone());
        }
        self.fields.insert(field);
        Expr::Field(alias, name)
    }

    fn row_number(&mut self, alias: Alias) -> Expr {
        self.field(alias, Field::RowNumber)
    }

    /// True if an expression may be `NULL`.
    fn can_be_null(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Field(_, name) => self.nullable.contains(name),
            Expr::Text(_) | Expr::Number(_) | Expr::Day(_) | Expr::False | Expr::CountRows => false,
            Expr::CountDistinct(_) | Expr::IsNull(_) | Expr::IsNotNull(_) | Expr::NotTrue(_) | Expr::Or(..) => false,
            // A group has a row; what is computed from a whole table, which may have none, is a query by itself.
            Expr::Aggregate(name, of) => *name != "COUNT" && self.can_be_null(of),
            Expr::Median(of) => self.can_be_null(of),
            Expr::Filtered(of, _) => !matches!(**of, Expr::CountRows | Expr::CountDistinct(_)),
            Expr::Place(_) | Expr::CountAll => false,
            Expr::Operation(_, Operator::Divide | Operator::Percent, b) if b.can_be_zero() => true,
            Expr::Operation(a, _, b) | Expr::Compare(a, _, b) => self.can_be_null(a) || self.can_be_null(b),
            Expr::OfDays(_, list) | Expr::All(list) | Expr::Any(list) => list.iter().any(|one| self.can_be_null(one)),
            Expr::Among(of, _) | Expr::In(of, _) | Expr::Like(of, _) | Expr::Not(of) => self.can_be_null(of),
            Expr::Scalar(query) => !matches!(query.select.as_slice(), [(Expr::CountRows | Expr::CountDistinct(_), _)]),
        }
    }

    /// Negation: true where the condition is false or unknown.
    fn not(&self, condition: Expr) -> Expr {
        let null = |of: &Expr, opposite: Expr| match self.can_be_null(of) {
            true => Expr::any(vec![opposite, Expr::IsNull(Box::new(of.clone()))]),
            false => opposite,
        };
        match condition {
            Expr::IsNull(of) => Expr::IsNotNull(of),
            Expr::IsNotNull(of) => Expr::IsNull(of),
            Expr::False => Expr::All(Vec::new()),
            Expr::All(parts) if parts.is_empty() => Expr::False,
            Expr::Compare(a, sign, b) if !self.can_be_null(&b) && opposite(sign).is_some() => {
                null(&a.clone(), Expr::Compare(a, opposite(sign).unwrap_or(sign), b))
            }
            Expr::Among(of, list) => null(&of.clone(), Expr::Not(Box::new(Expr::Among(of, list)))),
            Expr::In(of, query) => null(&of.clone(), Expr::Not(Box::new(Expr::In(of, query)))),
            Expr::Like(of, pattern) => null(&of.clone(), Expr::Not(Box::new(Expr::Like(of, pattern)))),
            other if self.can_be_null(&other) => Expr::NotTrue(Box::new(other)),
            other => Expr::Not(Box::new(other)),
        }
    }

    /// Dates of a column, if they can be computed with.
    fn dates(&self, column: ColumnId, which: Which) -> Written<Dates> {
        match self.schema.dates(column, which) {
            Some(Dates::Ancient) => Err(Unsayable::Ancient),
            Some(dates) => Ok(dates),
            None => Ok(Dates::Days),
        }
    }

    fn kind(&self, column: ColumnId) -> Kind {
        self.schema.kind(Field::Cell(column))
    }
}

/// Comparison that holds where another does not.
fn opposite(sign: &str) -> Option<&'static str> {
    match sign {
        "=" => Some("<>"),
        "<>" => Some("="),
        "<" => Some(">="),
        "<=" => Some(">"),
        ">" => Some("<="),
        ">=" => Some("<"),
        _ => None,
    }
}

impl Query {
    /// `SELECT (SELECT COUNT(*) FROM t) > 0` as `SELECT COUNT(*) > 0 FROM t`.
    fn lifted(self) -> Query {
        let [(Expr::Compare(of, sign, bound), None)] = self.select.as_slice() else { return self };
        let Expr::Scalar(inner) = &**of else { return self };
        let [(select, None)] = inner.select.as_slice() else { return self };
        let select = select.clone().compare(sign, (**bound).clone());
        Query { select: vec![(select, None)], ..(**inner).clone() }
    }
}

/// Name of an aggregate in SQL.
fn function(op: Aggregate) -> &'static str {
    match op {
        Aggregate::Count => "COUNT",
        Aggregate::Max => "MAX",
        Aggregate::Min => "MIN",
        Aggregate::Sum => "SUM",
        Aggregate::Avg => "AVG",
        Aggregate::Median => "MEDIAN",
    }
}
