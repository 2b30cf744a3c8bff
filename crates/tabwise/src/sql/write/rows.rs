//! Rows: a formula of rows is a condition on a row of the table. A superlative asks for the extreme of the same rows, so rows
//! that were chosen by conditions get a name there and are not spelt twice.

use super::super::Unsayable;
use super::super::query::{Alias, Direction, Expr, Query};
use super::super::schema::Field;
use super::{Bound, Frame, Val, Writer, Written};
use crate::formula::{FormulaId, Node, Relation, Superlative, Way};
use crate::value::Value;

impl Writer<'_> {
    /// Rows of a formula, as a table and conditions on its rows.
    pub(super) fn frame(&mut self, rows: FormulaId) -> Written<Frame> {
        match self.formulas.node(rows) {
            Node::And(a, b) => {
                // A named query of rows is read from; the other part is a condition on it.
                let (named, other) = if self.wants_name(a) || !self.wants_name(b) { (a, b) } else { (b, a) };
                let mut frame = self.frame(named)?;
                let condition = self.holds(other, frame.alias())?;
                frame.is_single |= self.is_single(&condition);
                frame.require(condition);
                // Sets of rows have no order.
                Ok(Frame { order: Vec::new(), ..frame })
            }
            Node::Superlative(op, of, key) if self.wants_name(rows) => {
                let name = self.matching(of)?;
                let from = self.table(name.clone());
                let best = self.best(op, key, from.alias, |writer| {
                    let from = writer.table(name.clone());
                    Ok(Frame::of(from))
                })?;
                Ok(Frame { from, conditions: vec![best], is_single: false, order: Vec::new() })
            }
            Node::Top(op, of, key, n) if !self.formulas.is_open(rows) => {
                let name = self.top(op, of, key, n)?;
                let from = self.table(name);
                let order = self.order(op, key, from.alias)?;
                Ok(Frame { from, conditions: Vec::new(), is_single: false, order })
            }
            Node::Rows => {
                let from = self.base();
                Ok(Frame::of(from))
            }
            Node::Var(_) | Node::Join(..) | Node::Or(..) | Node::Superlative(..) | Node::Mark(..) => {
                self.plain_frame(rows)
            }
            Node::Top(..) | Node::Except(..) | Node::Missing(_) => self.plain_frame(rows),
            Node::Value(_) | Node::Aggregate(..) | Node::Arithmetic(..) | Node::Group(..) => Err(Unsayable::Types),
            Node::Having(..) | Node::Exists(_) | Node::Test(..) | Node::Text(..) => Err(Unsayable::Types),
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => Err(Unsayable::Relation),
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => Err(Unsayable::Relation),
        }
    }

    fn plain_frame(&mut self, rows: FormulaId) -> Written<Frame> {
        let from = self.base();
        let condition = self.holds(rows, from.alias)?;
        let is_single = self.is_single(&condition);
        let mut frame = Frame { is_single, ..Frame::of(from) };
        frame.require(condition);
        Ok(frame)
    }

    /// True if at most one row meets a condition.
    fn is_single(&self, condition: &Expr) -> bool {
        match condition {
            Expr::Compare(of, "=", _) => match &**of {
                Expr::Field(_, name) => {
                    let is_it =
                        |field: &&Field| self.schema.name(**field) == *name && self.schema.facts(**field).is_unique;
                    self.fields.iter().any(|field| is_it(&field))
                }
                _ => false,
            },
            Expr::All(parts) => parts.iter().any(|part| self.is_single(part)),
            _ => false,
        }
    }

    /// True if a formula of rows is read from a named query: the best of rows that were chosen by conditions.
    fn wants_name(&self, rows: FormulaId) -> bool {
        match self.formulas.node(rows) {
            Node::Superlative(_, of, key) => {
                let by_row = matches!(self.formulas.relation(key), Some((Relation::Index, Way::Back)));
                !self.formulas.is_open(rows) && !by_row && self.formulas.node(of) != Node::Rows
            }
            Node::Top(..) => !self.formulas.is_open(rows),
            Node::And(a, b) => self.wants_name(a) || self.wants_name(b),
            Node::Value(_) | Node::Rows | Node::Var(_) | Node::Join(..) | Node::Or(..) | Node::Aggregate(..) => false,
            Node::Arithmetic(..) | Node::Mark(..) | Node::Group(..) | Node::Having(..) | Node::Except(..) => false,
            Node::Exists(_) | Node::Test(..) | Node::Missing(_) | Node::Text(..) => false,
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => false,
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => false,
        }
    }

    /// Name of the query of these rows.
    fn matching(&mut self, rows: FormulaId) -> Written<String> {
        if let Some(name) = self.matching.get(&rows) {
            return Ok(name.clone());
        }
        let frame = self.frame(rows)?;
        let name = match (frame.conditions.is_empty(), frame.order.is_empty()) {
            (true, _) => frame.from.name,
            _ => {
                let query = Query { from: Some(frame.from), conditions: frame.conditions, ..Query::default() };
                self.part("matching", query)
            }
        };
        self.matching.insert(rows, name.clone());
        Ok(name)
    }

    /// `R[City].argmax(u, b, n)` as one query; `None` for another formula, or if a city may be missing.
    pub(super) fn best_cells(&mut self, id: FormulaId) -> Written<Option<Query>> {
        let Some((Relation::Column(column), rows)) = self.formulas.looked_up(id) else { return Ok(None) };
        let Node::Top(op, of, key, n) = self.formulas.node(rows) else { return Ok(None) };
        if self.schema.facts(Field::Cell(column)).has_nulls {
            return Ok(None);
        }
        let query = self.top_query(op, of, key, n)?;
        let Some(from) = &query.from else { return Ok(None) };
        let cell = self.field(from.alias, Field::Cell(column));
        Ok(Some(Query { select: vec![(cell, None)], ..query }))
    }

    /// Name of the query of the first rows of an order.
    fn top(&mut self, op: Superlative, of: FormulaId, key: FormulaId, n: FormulaId) -> Written<String> {
        let query = self.top_query(op, of, key, n)?;
        Ok(self.part("best", query))
    }

    /// Query of the first rows of an order.
    fn top_query(&mut self, op: Superlative, of: FormulaId, key: FormulaId, n: FormulaId) -> Written<Query> {
        let Node::Value(Value::Number(count)) = self.formulas.node(n) else { return Err(Unsayable::Path) };
        let mut frame = self.frame(of)?;
        let order = self.order(op, key, frame.alias())?;
        let first = order[0].0.clone();
        if self.can_be_null(&first) {
            frame.require(first.not_null());
        }
        Ok(Query {
            from: Some(frame.from),
            conditions: frame.conditions,
            order,
            limit: Some(count as u64),
            ..Query::default()
        })
    }

    /// Order by a key, then by the place in the table.
    fn order(&mut self, op: Superlative, key: FormulaId, at: Alias) -> Written<Vec<(Expr, Direction)>> {
        let val = self.key(key, at)?;
        let direction = if op == Superlative::Argmax { Direction::Down } else { Direction::Up };
        let (by, row) = (self.sort_key(&val)?, self.row_number(at));
        Ok(if by == row { vec![(by, direction)] } else { vec![(by, direction), (row, Direction::Up)] })
    }

    /// Condition that a row has the best key of some rows.
    fn best(
        &mut self,
        op: Superlative,
        key: FormulaId,
        at: Alias,
        rows: impl FnOnce(&mut Self) -> Written<Frame>,
    ) -> Written<Expr> {
        let own = self.key(key, at)?;
        let own = self.sort_key(&own)?;
        let frame = rows(self)?;
        let other = self.key(key, frame.alias())?;
        let other = self.sort_key(&other)?;
        let function = if op == Superlative::Argmax { "MAX" } else { "MIN" };
        Ok(own.equals(frame.select_set(Expr::aggregate(function, other)).scalar()))
    }

    /// Condition that a row of the table is one of a formula's rows.
    pub(super) fn holds(&mut self, rows: FormulaId, at: Alias) -> Written<Expr> {
        match self.formulas.node(rows) {
            Node::Rows => Ok(Expr::All(Vec::new())),
            Node::Var(var) => match self.look_up(var) {
                Some(Bound::Row(row)) if *row == at => Ok(Expr::All(Vec::new())),
                Some(Bound::Row(row)) => {
                    let row = *row;
                    Ok(self.row_number(at).equals(self.row_number(row)))
                }
                _ => Err(Unsayable::Everything),
            },
            Node::Join(binary, of) => {
                let (relation, way) = self.formulas.relation(binary).ok_or(Unsayable::Relation)?;
                self.joined(relation, way, of, at)
            }
            Node::And(a, b) => Ok(Expr::all(vec![self.holds(a, at)?, self.holds(b, at)?])),
            Node::Or(a, b) => Ok(merged(vec![self.holds(a, at)?, self.holds(b, at)?])),
            Node::Except(a, b) => {
                let (of, other) = (self.holds(a, at)?, self.holds(b, at)?);
                Ok(Expr::all(vec![of, self.not(other)]))
            }
            Node::Superlative(op, of, key) => self.holds_best(rows, op, of, key, at),
            Node::Top(..) => self.holds_named(rows, at),
            Node::Mark(var, body) => self.with(var, Bound::Row(at), |writer| writer.holds(body, at)),
            Node::Missing(binary) => {
                let val = self.key(binary, at)?;
                Ok(Expr::IsNull(Box::new(self.shown(&val)?)))
            }
            Node::Value(_) | Node::Aggregate(..) | Node::Arithmetic(..) | Node::Group(..) => Err(Unsayable::Types),
            Node::Having(..) | Node::Exists(_) | Node::Test(..) | Node::Text(..) => Err(Unsayable::Types),
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => Err(Unsayable::Relation),
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => Err(Unsayable::Relation),
        }
    }

    fn holds_best(
        &mut self,
        rows: FormulaId,
        op: Superlative,
        of: FormulaId,
        key: FormulaId,
        at: Alias,
    ) -> Written<Expr> {
        if self.wants_name(rows) {
            return self.holds_named(rows, at);
        }
        let best = self.best(op, key, at, |writer| writer.frame(of))?;
        // The first or last of some rows is one of them.
        let by_row = matches!(self.formulas.relation(key), Some((Relation::Index, Way::Back)));
        if by_row { Ok(best) } else { Ok(Expr::all(vec![self.holds(of, at)?, best])) }
    }

    /// Condition that a row is in a named query.
    fn holds_named(&mut self, rows: FormulaId, at: Alias) -> Written<Expr> {
        let frame = self.frame(rows)?;
        let number = self.row_number(frame.alias());
        let query = Frame { order: Vec::new(), ..frame }.select(number);
        Ok(self.row_number(at).listed_in(query))
    }

    /// Condition of a join that gives rows.
    fn joined(&mut self, relation: Relation, way: Way, of: FormulaId, at: Alias) -> Written<Expr> {
        match (relation, way) {
            (Relation::Column(column), Way::Back) => self.passes(of, &Val::Cell(at, column)),
            (Relation::Next, _) => self.neighbour(way, of, at),
            (Relation::Index, Way::Back) | (Relation::Run(_), Way::Back) | (Relation::Across(..), Way::Back) => {
                let val = self.partner(relation, at)?;
                self.passes(of, &val)
            }
            (Relation::Lambda(var, body), Way::Back) => {
                // A body without its variable holds if there is anything to bind.
                if self.uses(body, var) {
                    return Err(Unsayable::Everything);
                }
                let (body, some) = (self.holds(body, at)?, self.has_members(of)?);
                Ok(Expr::all(vec![body, some]))
            }
            (Relation::Lambda(..), Way::Forth) => Err(Unsayable::Everything),
            (Relation::Column(_) | Relation::Index | Relation::Run(_) | Relation::Across(..), Way::Forth) => {
                Err(Unsayable::Types)
            }
            (Relation::Reading(_) | Relation::Compare(_), _) => Err(Unsayable::Types),
        }
    }

    /// True if a variable is free in a formula.
    fn uses(&self, id: FormulaId, var: crate::formula::Var) -> bool {
        self.formulas.parts(id).iter().any(|part| self.formulas.node(*part) == Node::Var(var))
    }

    /// Condition that the row before or after is one of a formula's rows.
    fn neighbour(&mut self, way: Way, of: FormulaId, at: Alias) -> Written<Expr> {
        use super::super::query::Operator::{Add, Subtract};
        let frame = self.frame(of)?;
        let frame = Frame { order: Vec::new(), ..frame };
        let (own, other) = (self.row_number(at), self.row_number(frame.alias()));
        // `Next.u` are the rows whose next one is in u.
        let step = if way == Way::Back { Subtract } else { Add };
        let is_single = frame.is_single;
        // MIN and MAX of a row's number are one number, and need no list.
        let extreme = match frame.conditions.as_slice() {
            [Expr::Compare(number, "=", best)] if **number == other => match &**best {
                Expr::Scalar(_) => Some((**best).clone()),
                _ => None,
            },
            _ => None,
        };
        let one = Expr::Number(1.0);
        Ok(match extreme {
            Some(row) => own.equals(row.operate(step, one)),
            None if is_single => own.equals(frame.select(other.operate(step, one)).scalar()),
            None => own.listed_in(frame.select(other.operate(step, one))),
        })
    }

    /// Partner of a row in a binary.
    pub(super) fn key(&mut self, binary: FormulaId, at: Alias) -> Written<Val> {
        match self.formulas.relation(binary).ok_or(Unsayable::Relation)? {
            (Relation::Lambda(var, body), Way::Forth) => self.with(var, Bound::Row(at), |writer| writer.scalar(body)),
            (Relation::Lambda(var, body), Way::Back) => {
                let path = self.formulas.chain(var, body).ok_or(Unsayable::Path)?;
                let (first, rest) = path.split_first().ok_or(Unsayable::Path)?;
                let start = self.key(*first, at)?;
                rest.iter().try_fold(start, |val, step| match self.formulas.relation(*step) {
                    Some((Relation::Reading(reading), Way::Back)) => self.read(&val, reading),
                    _ => Err(Unsayable::Path),
                })
            }
            (relation, Way::Back) => self.partner(relation, at),
            (_, Way::Forth) => Err(Unsayable::Path),
        }
    }

    pub(super) fn partner(&mut self, relation: Relation, at: Alias) -> Written<Val> {
        match relation {
            Relation::Column(column) => Ok(Val::Cell(at, column)),
            Relation::Index => Ok(Val::Plain(self.row_number(at), super::Sort::Number)),
            Relation::Run(column) => Ok(Val::Plain(self.field(at, Field::Run(column)), super::Sort::Number)),
            Relation::Across(op, a, b) => {
                let (a, b) = (self.key(a, at)?, self.key(b, at)?);
                self.arithmetic(op, &a, &b)
            }
            Relation::Reading(_) | Relation::Next | Relation::Compare(_) | Relation::Lambda(..) => Err(Unsayable::Path),
        }
    }
}

/// Disjunction in which `x = a OR x = b` is `x IN (a, b)`.
pub(super) fn merged(conditions: Vec<Expr>) -> Expr {
    let parts = match Expr::any(conditions) {
        Expr::Any(parts) => parts,
        one => return one,
    };
    let mut merged: Vec<Expr> = Vec::new();
    for part in parts {
        let (of, list) = match &part {
            Expr::Compare(of, "=", value) if is_literal(value) => (of.clone(), vec![(**value).clone()]),
            Expr::Among(of, list) => (of.clone(), list.clone()),
            _ => {
                merged.push(part);
                continue;
            }
        };
        let same = merged.iter_mut().find(|known| matches!(known, Expr::Among(known, _) if *known == of));
        match same {
            Some(Expr::Among(_, known)) => list.into_iter().for_each(|one| {
                if !known.contains(&one) {
                    known.push(one)
                }
            }),
            _ => merged.push(Expr::Among(of, list)),
        }
    }
    let single = |part: Expr| match part {
        Expr::Among(of, mut list) if list.len() == 1 => of.equals(list.remove(0)),
        part => part,
    };
    Expr::any(merged.into_iter().map(single).collect())
}

fn is_literal(expr: &Expr) -> bool {
    matches!(expr, Expr::Text(_) | Expr::Number(_) | Expr::Day(_))
}
