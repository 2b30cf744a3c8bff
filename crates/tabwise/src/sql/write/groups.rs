//! Groups: values with something computed from the rows in which each stands, `λx[count(City.x & ..)]`. They are one `GROUP
//! BY`; rows that only some of the numbers are about are told apart by `FILTER`.

use super::super::Unsayable;
use super::super::dialect::Dialect;
use super::super::query::{Alias, Direction, Expr, Join, Query};
use super::super::schema::{Dates, Field};
use super::values::List;
use super::{Frame, Sort, Val, Writer, Written, function};
use crate::formula::{Aggregate, Arithmetic, FormulaId, Node, Relation, Superlative, Var, Way};
use crate::graph::{ColumnId, Reading};
use crate::value::Value;

/// Column by which rows are grouped, as itself or as a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct By {
    column: ColumnId,
    reading: Option<Reading>,
}

/// Values with what is computed for each.
struct Groups {
    frame: Frame,
    by: Val,
    /// What is computed; an aggregate, unless there is one value for each row.
    value: Expr,
    sort: Sort,
    is_aggregate: bool,
    /// Name for the values.
    name: &'static str,
    /// Name for the query of the groups.
    title: &'static str,
    /// Number of the first row of each group that is in the list.
    first: Expr,
}

/// What a group's number is about: the column of the groups and further conditions on rows.
struct Leaf {
    by: By,
    others: Vec<FormulaId>,
}

/// What has to hold of values that stand in no row of the groups.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Absent {
    /// They do not matter.
    Ignored,
    /// A count of 0 would matter.
    Counts,
}

impl Writer<'_> {
    /// `group(u, b)`.
    pub(super) fn group(&mut self, of: FormulaId, key: FormulaId) -> Written<Query> {
        let groups = self.groups(of, key, Superlative::Argmax, Absent::Counts)?;
        let by = self.shown(&groups.by)?;
        let select =
            vec![(by.clone(), self.column_name(&groups.by)), (groups.value.clone(), Some(groups.name.to_string()))];
        let query = Query { select, ..Query::of(by.clone(), groups.frame.from, groups.frame.conditions) };
        Ok(match groups.is_aggregate {
            true => {
                let having = self.can_be_null(&groups.value).then(|| groups.value.not_null());
                Query { group: vec![by], having, ..query }
            }
            false => query.distinct(),
        })
    }

    /// `having(u, b, v)`.
    pub(super) fn having(&mut self, of: FormulaId, key: FormulaId, wanted: FormulaId) -> Written<List> {
        let groups = self.groups(of, key, Superlative::Argmax, Absent::Counts)?;
        let by = self.shown(&groups.by)?;
        let condition = self.passes(wanted, &Val::Plain(groups.value, groups.sort))?;
        let mut frame = groups.frame;
        let query = if groups.is_aggregate {
            Query { group: vec![by.clone()], having: Some(condition), ..frame.select_set(by) }
        } else {
            frame.require(condition);
            frame.select_set(by).distinct()
        };
        Ok(List::Chosen { query: Box::new(query), of: self.chosen_from(of)? })
    }

    /// `argmax(u, b)` of values.
    pub(super) fn best_values(&mut self, op: Superlative, of: FormulaId, key: FormulaId) -> Written<List> {
        let absent = if op == Superlative::Argmax { Absent::Ignored } else { Absent::Counts };
        let groups = self.groups(of, key, op, absent)?;
        let best = if op == Superlative::Argmax { "MAX" } else { "MIN" };
        let (from, inner, by, value) = if groups.is_aggregate {
            let (name, by, value) = self.named_groups(groups, None)?;
            (self.table(name.clone()), self.table(name), by, value)
        } else {
            let (by, Expr::Field(_, value)) = (self.shown(&groups.by)?, groups.value.clone()) else {
                return Err(Unsayable::Path);
            };
            let Expr::Field(_, by) = by else { return Err(Unsayable::Path) };
            let name = match groups.frame.conditions.is_empty() {
                true => groups.frame.from.name,
                false => self.part(
                    "matching",
                    Query { from: Some(groups.frame.from), conditions: groups.frame.conditions, ..Query::default() },
                ),
            };
            (self.table(name.clone()), self.table(name), by, value)
        };
        let extreme = Expr::aggregate(best, Expr::Field(inner.alias, value.clone()));
        let condition = Expr::Field(from.alias, value).equals(Query::of(extreme, inner, Vec::new()).scalar());
        let query = Query::of(Expr::Field(from.alias, by), from, vec![condition]);
        let query = if matches!(query.from.as_ref(), Some(from) if self.is_grouped(&from.name)) {
            query
        } else {
            query.distinct()
        };
        Ok(List::Chosen { query: Box::new(query), of: self.chosen_from(of)? })
    }

    /// `argmax(u, b, n)` of values.
    pub(super) fn top_values(&mut self, op: Superlative, of: FormulaId, key: FormulaId, n: FormulaId) -> Written<List> {
        let Node::Value(Value::Number(count)) = self.formulas.node(n) else { return Err(Unsayable::Path) };
        // Where there are fewer groups than are asked for, values that are counted nowhere come after them.
        let mut groups = self.groups(of, key, op, Absent::Counts)?;
        if !groups.is_aggregate {
            let best = if op == Superlative::Argmax { "MAX" } else { "MIN" };
            groups.value = Expr::aggregate(best, groups.value);
            groups.is_aggregate = true;
        }
        let first = groups.first.clone();
        let can_be_null = self.can_be_null(&groups.value);
        let (name, by, value) = self.named_groups(groups, Some(first))?;
        let from = self.table(name);
        let (value, alias) = (Expr::Field(from.alias, value), from.alias);
        let conditions = if can_be_null { vec![value.clone().not_null()] } else { Vec::new() };
        let direction = if op == Superlative::Argmax { Direction::Down } else { Direction::Up };
        let order = vec![(value, direction), (Expr::Field(alias, FIRST.to_string()), Direction::Up)];
        let query = Query { order, limit: Some(count as u64), ..Query::of(Expr::Field(alias, by), from, conditions) };
        Ok(List::Chosen { query: Box::new(query), of: self.chosen_from(of)? })
    }

    fn is_grouped(&self, name: &str) -> bool {
        self.parts.iter().any(|(known, query)| known == name && !query.group.is_empty())
    }

    /// Rows and column of a list of which some values are chosen.
    fn chosen_from(&mut self, of: FormulaId) -> Written<Option<(Frame, Val)>> {
        Ok(match self.list(of)? {
            List::Rows { frame, val } => Some((frame, val)),
            List::Chosen { of, .. } => of,
            List::Literals(_) | List::One(_) | List::Described => None,
        })
    }

    /// Adds the query of the groups; returns its name and those of its columns.
    fn named_groups(&mut self, groups: Groups, first: Option<Expr>) -> Written<(String, String, String)> {
        let by = self.shown(&groups.by)?;
        let own = self.column_name(&groups.by);
        let by_name = match (&own, &by) {
            (Some(name), _) => name.clone(),
            (None, Expr::Field(_, name)) => name.clone(),
            (None, _) => return Err(Unsayable::Path),
        };
        let value_name = if by_name == groups.name { format!("{}_2", groups.name) } else { groups.name.to_string() };
        let mut select = vec![(by.clone(), own), (groups.value, Some(value_name.clone()))];
        select.extend(first.map(|first| (first, Some(FIRST.to_string()))));
        let query =
            Query { select, group: vec![by.clone()], ..Query::of(by, groups.frame.from, groups.frame.conditions) };
        let name = self.part(groups.title, query);
        Ok((name, by_name, value_name))
    }

    /// Name for a column of groups that has none of its own.
    fn column_name(&mut self, by: &Val) -> Option<String> {
        match self.shown(by) {
            Ok(Expr::Field(..)) | Err(_) => None,
            Ok(_) => Some("value".to_string()),
        }
    }

    /// Groups of a list by a key.
    fn groups(&mut self, of: FormulaId, key: FormulaId, op: Superlative, absent: Absent) -> Written<Groups> {
        let (var, body) = match self.formulas.relation(key).ok_or(Unsayable::Relation)? {
            (Relation::Lambda(var, body), Way::Forth) => (var, body),
            (Relation::Lambda(var, body), Way::Back) => return self.chain_groups(of, var, body),
            (_, _) => return Err(Unsayable::Path),
        };
        let mut leaves = Vec::new();
        self.leaves(var, body, &mut leaves)?;
        let by = leaves.first().ok_or(Unsayable::Path)?.by;
        if leaves.iter().any(|leaf| leaf.by != by) {
            return Err(Unsayable::Path);
        }
        let (mut frame, by_val) = self.grouped_table(by)?;
        let at = frame.alias();
        let counts = self.counts(body);
        // Conditions of the list that all numbers share hold for every row of the groups.
        let shared = match self.members(of, by) {
            Some(conditions) if conditions.iter().all(|one| leaves.iter().all(|leaf| leaf.others.contains(one))) => {
                for condition in &conditions {
                    frame.require(self.holds(*condition, at)?);
                }
                conditions
            }
            members => {
                if members.is_none() && counts && absent == Absent::Counts && !self.all_present(of, by)? {
                    return Err(Unsayable::Path);
                }
                frame.require(self.passes(of, &by_val)?);
                Vec::new()
            }
        };
        let first_row = self.row_number(at);
        let mut first = Expr::aggregate("MIN", first_row);
        if let (Some(conditions), true) = (self.members(of, by), shared.is_empty()) {
            let conditions = conditions.iter().map(|one| self.holds(*one, at)).collect::<Written<Vec<Expr>>>()?;
            first = first.filtered(conditions);
        }
        let is_aggregate = self.is_computed(body);
        let value = self.group_value(body, at, &shared)?;
        if !is_aggregate {
            // Further conditions on the only leaf.
            for one in leaves[0].others.iter().filter(|one| !shared.contains(one)) {
                frame.require(self.holds(*one, at)?);
            }
        }
        let by_shown = self.shown(&by_val)?;
        if self.can_be_null(&by_shown) {
            frame.require(by_shown.not_null());
        }
        let (name, title) = self.names(body, op);
        let (value, sort) = match value {
            Val::Plain(expr, sort) => (expr, sort),
            other => (self.sort_key(&other)?, self.sort(&other)?),
        };
        if !is_aggregate && self.can_be_null(&value) {
            frame.require(value.clone().not_null());
        }
        Ok(Groups { frame, by: by_val, value, sort, is_aggregate, name, title, first })
    }

    /// Groups by a key that is a path: `λx[R[Title].Subdivisions.Number.x]` leads from a title to numbers of its rows.
    fn chain_groups(&mut self, of: FormulaId, var: Var, body: FormulaId) -> Written<Groups> {
        let path = self.formulas.chain(var, body).ok_or(Unsayable::Path)?;
        let [by, column, readings @ ..] = path.as_slice() else { return Err(Unsayable::Path) };
        let Some(Relation::Column(by)) = self.formulas.forth(*by) else { return Err(Unsayable::Path) };
        let (mut frame, by_val) = self.grouped_table(By { column: by, reading: None })?;
        let at = frame.alias();
        let mut val = self.key(*column, at)?;
        for reading in readings {
            let Some((Relation::Reading(reading), Way::Back)) = self.formulas.relation(*reading) else {
                return Err(Unsayable::Path);
            };
            val = self.read(&val, reading)?;
        }
        match self.members(of, By { column: by, reading: None }) {
            Some(conditions) if conditions.is_empty() => {}
            _ => frame.conditions.push(self.passes(of, &by_val)?),
        }
        let (value, sort) = (self.sort_key(&val)?, self.sort(&val)?);
        let by_shown = self.shown(&by_val)?;
        if self.can_be_null(&by_shown) {
            frame.require(by_shown.not_null());
        }
        if self.can_be_null(&value) {
            frame.require(value.clone().not_null());
        }
        let first = Expr::aggregate("MIN", self.row_number(at));
        let (name, title) = ("value", "best_of_each");
        Ok(Groups { frame, by: by_val, value, sort, is_aggregate: false, name, title, first })
    }

    /// The table with the column that groups are made by.
    fn grouped_table(&mut self, by: By) -> Written<(Frame, Val)> {
        let mut from = self.base();
        let cell = Val::Cell(from.alias, by.column);
        let val = match by.reading {
            None => cell,
            Some(Reading::Part) if self.schema.has_parts(by.column) => {
                self.listed.insert(by.column);
                let parts = self.table(self.schema.parts_table(by.column));
                let part = self.schema.part_name(by.column);
                from.join = Some(Join {
                    name: parts.name,
                    alias: parts.alias,
                    using: self.schema.name(Field::Cell(by.column)),
                });
                Val::Plain(Expr::Field(parts.alias, part), Sort::Text)
            }
            Some(reading) => self.read(&cell, reading)?,
        };
        if let Val::Date(_, column, which) = val
            && self.dates(column, which)? == Dates::Mixed
        {
            return Err(Unsayable::Dates);
        }
        Ok((Frame::of(from), val))
    }

    /// Conditions on the rows of `R[by].rows`; `None` for a list of another column.
    fn members(&self, of: FormulaId, by: By) -> Option<Vec<FormulaId>> {
        let (relation, inner) = self.formulas.looked_up(of)?;
        let rows = match (relation, by.reading) {
            (Relation::Column(column), None) if column == by.column => inner,
            (Relation::Reading(reading), Some(own)) if reading == own => match self.formulas.looked_up(inner)? {
                (Relation::Column(column), rows) if column == by.column => rows,
                _ => return None,
            },
            _ => return None,
        };
        Some(self.conjuncts(rows))
    }

    /// Conditions that make up a formula of rows; none for all rows.
    fn conjuncts(&self, rows: FormulaId) -> Vec<FormulaId> {
        if let Node::And(a, b) = self.formulas.node(rows) {
            let mut all = self.conjuncts(a);
            all.extend(self.conjuncts(b));
            return all;
        }
        if self.formulas.node(rows) == Node::Rows { Vec::new() } else { vec![rows] }
    }

    /// True if every value that a formula names is in the column of the groups.
    fn all_present(&mut self, of: FormulaId, by: By) -> Written<bool> {
        let List::Literals(values) = self.list(of)? else { return Ok(false) };
        let cells = &self.graph.column(by.column).cells;
        let is_there = |value: &Value| matches!(value, Value::Entity(entity) if cells.contains(entity));
        Ok(by.reading.is_none() && values.iter().all(is_there))
    }

    /// Finds what the numbers of a group are about.
    fn leaves(&self, var: Var, body: FormulaId, found: &mut Vec<Leaf>) -> Written<()> {
        match self.formulas.node(body) {
            Node::Aggregate(_, list) if self.mentions(list, var) => {
                found.push(self.leaf(var, self.rows_under(list)?)?);
                Ok(())
            }
            Node::Arithmetic(_, a, b) => {
                self.leaves(var, a, found)?;
                self.leaves(var, b, found)
            }
            Node::Join(..) if self.mentions(body, var) => {
                found.push(self.leaf(var, self.rows_under(body)?)?);
                Ok(())
            }
            Node::Value(_) | Node::Rows | Node::Var(_) | Node::Join(..) | Node::And(..) | Node::Or(..) => {
                self.closed(body, var)
            }
            Node::Aggregate(..) | Node::Superlative(..) | Node::Mark(..) | Node::Top(..) => self.closed(body, var),
            Node::Group(..) | Node::Having(..) | Node::Except(..) | Node::Exists(_) | Node::Test(..) => {
                self.closed(body, var)
            }
            Node::Missing(_) | Node::Text(..) => self.closed(body, var),
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => Err(Unsayable::Relation),
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => Err(Unsayable::Relation),
        }
    }

    fn mentions(&self, id: FormulaId, var: Var) -> bool {
        self.formulas.parts(id).iter().any(|part| self.formulas.node(*part) == Node::Var(var))
    }

    fn closed(&self, body: FormulaId, var: Var) -> Written<()> {
        if self.mentions(body, var) { Err(Unsayable::Path) } else { Ok(()) }
    }

    /// Rows whose values a list has.
    fn rows_under(&self, list: FormulaId) -> Written<FormulaId> {
        if self.is_rows(list) {
            return Ok(list);
        }
        match self.formulas.looked_up(list).ok_or(Unsayable::Path)? {
            (Relation::Reading(_), of) => self.rows_under(of),
            (Relation::Column(_) | Relation::Index | Relation::Run(_) | Relation::Across(..), of) => Ok(of),
            (Relation::Next | Relation::Compare(_) | Relation::Lambda(..), _) => Err(Unsayable::Path),
        }
    }

    /// `Column.x & other conditions`.
    fn leaf(&self, var: Var, rows: FormulaId) -> Written<Leaf> {
        let (mut by, mut others) = (None, Vec::new());
        for one in self.conjuncts(rows) {
            match self.by(var, one) {
                Some(found) if by.is_none() => by = Some(found),
                _ if self.mentions(one, var) => return Err(Unsayable::Path),
                _ => others.push(one),
            }
        }
        Ok(Leaf { by: by.ok_or(Unsayable::Path)?, others })
    }

    /// `Column.x` or `Column.Reading.x`.
    fn by(&self, var: Var, rows: FormulaId) -> Option<By> {
        let (Relation::Column(column), Way::Back, of) = self.formulas.joined(rows)? else { return None };
        if self.formulas.node(of) == Node::Var(var) {
            return Some(By { column, reading: None });
        }
        match self.formulas.joined(of)? {
            (Relation::Reading(reading), Way::Back, x) if self.formulas.node(x) == Node::Var(var) => {
                Some(By { column, reading: Some(reading) })
            }
            _ => None,
        }
    }

    /// True if the value of a group is computed from all of its rows, and not read from each.
    fn is_computed(&self, body: FormulaId) -> bool {
        match self.formulas.node(body) {
            Node::Aggregate(..) | Node::Value(_) => true,
            Node::Arithmetic(_, a, b) => self.is_computed(a) && self.is_computed(b),
            Node::Rows | Node::Var(_) | Node::Join(..) | Node::And(..) | Node::Or(..) | Node::Superlative(..) => false,
            Node::Mark(..) | Node::Top(..) | Node::Group(..) | Node::Having(..) | Node::Except(..) => false,
            Node::Exists(_) | Node::Test(..) | Node::Missing(_) | Node::Text(..) => false,
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => false,
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => false,
        }
    }

    /// True if a value that stands in no row has a number all the same: a count of 0.
    fn counts(&self, body: FormulaId) -> bool {
        self.formulas
            .parts(body)
            .iter()
            .any(|part| matches!(self.formulas.node(*part), Node::Aggregate(Aggregate::Count, _)))
    }

    /// Value of a group; `shared` are the conditions that hold for all of its rows.
    fn group_value(&mut self, body: FormulaId, at: Alias, shared: &[FormulaId]) -> Written<Val> {
        let node = self.formulas.node(body);
        if let Node::Arithmetic(op, a, b) = node
            && !matches!(op, Arithmetic::Days | Arithmetic::Months)
        {
            let (a, b) = (self.group_value(a, at, shared)?, self.group_value(b, at, shared)?);
            return self.arithmetic(op, &a, &b);
        }
        let Node::Aggregate(op, list) = node else {
            return if let Node::Join(..) = node { self.value_at(body, at) } else { self.scalar(body) };
        };
        if !self.formulas.is_open(list) {
            return self.scalar(body);
        }
        if op == Aggregate::Median && self.dialect == Dialect::Sqlite {
            return Err(Unsayable::Median("SQLite"));
        }
        let rows = self.rows_under(list)?;
        let mut conditions = Vec::new();
        for one in self.conjuncts(rows) {
            if !self.formulas.is_open(one) && !shared.contains(&one) {
                conditions.push(self.holds(one, at)?);
            }
        }
        if self.is_rows(list) {
            return Ok(Val::Plain(Expr::CountRows.filtered(conditions), Sort::Number));
        }
        let val = self.value_at(list, at)?;
        let sort = self.sort(&val)?;
        if sort == Sort::Shown {
            return Err(Unsayable::Dates);
        }
        let shown = self.shown(&val)?;
        let expr = match op {
            Aggregate::Count => Expr::CountDistinct(Box::new(shown)),
            Aggregate::Median => Expr::Median(Box::new(shown)),
            Aggregate::Max | Aggregate::Min | Aggregate::Sum | Aggregate::Avg => Expr::aggregate(function(op), shown),
        };
        let sort = if matches!(op, Aggregate::Max | Aggregate::Min) { sort } else { Sort::Number };
        Ok(Val::Plain(expr.filtered(conditions), sort))
    }

    /// Value that a list has for one row.
    fn value_at(&mut self, list: FormulaId, at: Alias) -> Written<Val> {
        match self.formulas.looked_up(list).ok_or(Unsayable::Path)? {
            (Relation::Reading(reading), of) => {
                let val = self.value_at(of, at)?;
                self.read(&val, reading)
            }
            (relation, _) => self.partner(relation, at),
        }
    }

    /// Names for the value of a group and for the query.
    fn names(&self, body: FormulaId, op: Superlative) -> (&'static str, &'static str) {
        match (self.formulas.node(body), op) {
            (Node::Aggregate(Aggregate::Count, _), _) => ("n", "counts"),
            (Node::Aggregate(Aggregate::Sum, _), _) => ("total", "totals"),
            (Node::Aggregate(Aggregate::Avg, _), _) => ("average", "averages"),
            (Node::Aggregate(Aggregate::Max, _), _) => ("highest", "maxima"),
            (Node::Aggregate(Aggregate::Min, _), _) => ("lowest", "minima"),
            (Node::Aggregate(Aggregate::Median, _), _) => ("median", "medians"),
            (Node::Arithmetic(Arithmetic::Share, ..), _) => ("percent", "shares"),
            (_, Superlative::Argmax | Superlative::Argmin) => ("value", "each"), // whatever else is computed
        }
    }
}

/// Name for the number of a group's first row.
const FIRST: &str = "first_row";
