//! Values: a list of values is an expression over some rows, a few literals, or the result of a query of its own. Where one
//! value is asked for, the list becomes a query in parentheses.

use super::super::Unsayable;
use super::super::dialect::{Dialect, Function};
use super::super::query::{Direction, Expr, Operator, Query};
use super::super::schema::{Amount, Dates, Field, Kind, Part, Which};
use super::{Bound, Frame, Sort, Val, Writer, Written, function};
use crate::formula::{Aggregate, Arithmetic, FormulaId, Node, Relation, Way};
use crate::graph::Reading;
use crate::value::Value;

/// A list of values.
pub(super) enum List {
    /// A value for each row that has one.
    Rows { frame: Frame, val: Val },
    /// Values that the formula names.
    Literals(Vec<Value>),
    /// One value.
    One(Val),
    /// Lines of a query with one column, each different; and the column with the rows that they were chosen from.
    Chosen { query: Box<Query>, of: Option<(Frame, Val)> },
    /// Values that can only be described.
    Described,
}

impl Writer<'_> {
    /// List of a formula of values.
    pub(super) fn list(&mut self, id: FormulaId) -> Written<List> {
        match self.formulas.node(id) {
            Node::Value(value) => Ok(List::Literals(vec![value])),
            Node::Var(var) => match self.look_up(var) {
                Some(Bound::Value(val)) => Ok(List::One(val.clone())),
                Some(Bound::Row(_)) => Err(Unsayable::Types),
                None => Err(Unsayable::Everything),
            },
            Node::Join(binary, of) => {
                let (relation, way) = self.formulas.relation(binary).ok_or(Unsayable::Relation)?;
                self.looked_up(relation, way, of)
            }
            Node::And(a, b) => self.both(a, b),
            Node::Or(a, b) => self.either(a, b),
            Node::Except(a, b) => {
                let (mut frame, val) = self.rows_of(a)?;
                let condition = self.passes(b, &val)?;
                frame.require(self.not(condition));
                Ok(List::Rows { frame, val })
            }
            Node::Aggregate(op, of) => {
                let query = self.aggregate(op, of)?;
                let sort = self.aggregate_sort(op, of)?;
                Ok(List::One(Val::Plain(query.scalar(), sort)))
            }
            Node::Arithmetic(op, a, b) => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                Ok(List::One(self.arithmetic(op, &a, &b)?))
            }
            Node::Superlative(op, of, key) => self.best_values(op, of, key),
            Node::Top(op, of, key, n) => self.top_values(op, of, key, n),
            Node::Having(of, key, wanted) => self.having(of, key, wanted),
            Node::Text(..) => Ok(List::Described),
            Node::Mark(..) => Err(Unsayable::Everything),
            Node::Rows | Node::Missing(_) | Node::Group(..) | Node::Exists(_) | Node::Test(..) => Err(Unsayable::Types),
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => Err(Unsayable::Relation),
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => Err(Unsayable::Relation),
        }
    }

    /// List as an expression over rows.
    pub(super) fn rows_of(&mut self, id: FormulaId) -> Written<(Frame, Val)> {
        match self.list(id)? {
            List::Rows { frame, val } => Ok((frame, val)),
            List::Chosen { query, of: Some((mut frame, val)) } => {
                // The items of the first list whose value was chosen.
                let shown = self.shown(&val)?;
                frame.require(shown.listed_in(Query { order: Vec::new(), ..*query }));
                Ok((Frame { order: Vec::new(), is_single: false, ..frame }, val))
            }
            List::Chosen { of: None, .. } | List::Literals(_) | List::One(_) => Err(Unsayable::Path),
            List::Described => Err(Unsayable::NoColumn),
        }
    }

    /// List of a join that gives values.
    fn looked_up(&mut self, relation: Relation, way: Way, of: FormulaId) -> Written<List> {
        match (relation, way) {
            (Relation::Column(_) | Relation::Index | Relation::Run(_) | Relation::Across(..), Way::Forth) => {
                if let Node::Var(var) = self.formulas.node(of)
                    && let Some(Bound::Row(row)) = self.look_up(var)
                {
                    let row = *row;
                    return Ok(List::One(self.partner(relation, row)?));
                }
                let frame = self.frame(of)?;
                let val = self.partner(relation, frame.alias())?;
                Ok(List::Rows { frame, val })
            }
            (Relation::Reading(Reading::Part), Way::Forth) => self.parts_of(of),
            (Relation::Reading(reading), Way::Forth) => match self.list(of)? {
                List::One(val) => Ok(List::One(self.read(&val, reading)?)),
                List::Literals(values) => {
                    let read = |value: &Value| match value {
                        Value::Entity(entity) => self.graph.read(*entity, reading),
                        _ => None,
                    };
                    Ok(List::Literals(values.iter().filter_map(read).collect()))
                }
                _ => {
                    let (frame, val) = self.rows_of(of)?;
                    let val = self.read(&val, reading)?;
                    Ok(List::Rows { frame, val })
                }
            },
            (Relation::Reading(_), Way::Back) | (Relation::Compare(_), _) => Ok(List::Described),
            (Relation::Lambda(var, body), Way::Back) => {
                // For one member the union of the body's values is the body's value.
                let member = self.scalar(of)?;
                self.with(var, Bound::Value(member), |writer| writer.list(body))
            }
            (Relation::Lambda(..), Way::Forth) => Err(Unsayable::Everything),
            (Relation::Column(_) | Relation::Index | Relation::Run(_) | Relation::Across(..), Way::Back) => {
                Err(Unsayable::Types)
            }
            (Relation::Next, _) => Err(Unsayable::Types),
        }
    }

    /// `R[Part].u`: the parts of the texts of a column, from the table that lists them.
    fn parts_of(&mut self, of: FormulaId) -> Written<List> {
        let (frame, val) = self.rows_of(of)?;
        let Val::Cell(_, column) = val else { return Err(Unsayable::Path) };
        if !self.schema.has_parts(column) {
            return Ok(List::Rows { frame, val });
        }
        self.listed.insert(column);
        let parts = self.table(self.schema.parts_table(column));
        let (text, part) = (self.schema.name(Field::Cell(column)), self.schema.part_name(column));
        let conditions = match frame.conditions.is_empty() {
            true => Vec::new(),
            false => {
                let texts = self.present(Frame { order: Vec::new(), ..frame }, &val)?;
                vec![Expr::Field(parts.alias, text).listed_in(texts)]
            }
        };
        let val = Val::Plain(Expr::Field(parts.alias, part), Sort::Text);
        Ok(List::Rows { frame: Frame { from: parts, conditions, is_single: false, order: Vec::new() }, val })
    }

    /// `u & v` of values: the members of one that are in the other.
    fn both(&mut self, a: FormulaId, b: FormulaId) -> Written<List> {
        let is_literal = |list: &List| matches!(list, List::Literals(_) | List::Described);
        let (list, other) = match self.list(a)? {
            List::Described => (self.list(b)?, a),
            list if is_literal(&list) => match self.list(b)? {
                second if is_literal(&second) => (list, b),
                second => (second, a),
            },
            list => (list, b),
        };
        match list {
            List::Rows { mut frame, val } => {
                frame.require(self.passes(other, &val)?);
                Ok(List::Rows { frame, val })
            }
            List::Chosen { of: Some((mut frame, val)), query } => {
                let shown = self.shown(&val)?;
                frame.require(shown.listed_in(*query));
                frame.require(self.passes(other, &val)?);
                Ok(List::Rows { frame, val })
            }
            List::Described => Ok(List::Described),
            List::One(_) | List::Literals(_) | List::Chosen { of: None, .. } => Err(Unsayable::Path),
        }
    }

    /// `u | v` of values.
    fn either(&mut self, a: FormulaId, b: FormulaId) -> Written<List> {
        match (self.list(a)?, self.list(b)?) {
            (List::Literals(mut a), List::Literals(b)) => {
                a.extend(b);
                Ok(List::Literals(a))
            }
            (List::Described, _) | (_, List::Described) => Ok(List::Described),
            (
                List::Rows { frame: one, val: Val::Cell(_, first) },
                List::Rows { val: Val::Cell(_, second), frame: other },
            ) if first == second && one.from.name == other.from.name && one.from.name == self.schema.table() => {
                self.same_column(a, b)
            }
            (one, other) => {
                let mut query = self.distinct_query(one)?;
                query.union.push(self.distinct_query(other)?);
                let name = self.part("either", query.named("value"));
                let from = self.table(name);
                let value = Expr::Field(from.alias, "value".to_string());
                let frame = Frame::of(from);
                Ok(List::Rows { frame, val: Val::Plain(value, self.sort_of(a)?) })
            }
        }
    }

    /// `R[City].u | R[City].v` is `R[City].(u | v)`.
    fn same_column(&mut self, a: FormulaId, b: FormulaId) -> Written<List> {
        let rows = |id| self.formulas.looked_up(id);
        let (Some((Relation::Column(column), u)), Some((_, v))) = (rows(a), rows(b)) else {
            return Err(Unsayable::Path);
        };
        let from = self.base();
        let condition = super::rows::merged(vec![self.holds(u, from.alias)?, self.holds(v, from.alias)?]);
        let val = Val::Cell(from.alias, column);
        Ok(List::Rows { frame: Frame { from, conditions: vec![condition], is_single: false, order: Vec::new() }, val })
    }

    fn sort_of(&mut self, id: FormulaId) -> Written<Sort> {
        Ok(match self.list(id)? {
            List::Rows { val, .. } | List::One(val) | List::Chosen { of: Some((_, val)), .. } => self.sort(&val)?,
            List::Literals(values) => values.first().map_or(Sort::Text, |value| literal_sort(*value)),
            List::Chosen { of: None, .. } | List::Described => Sort::Text,
        })
    }

    /// Query of a list, for `UNION ALL`.
    fn distinct_query(&mut self, list: List) -> Written<Query> {
        match list {
            List::Rows { frame, val } => self.present(Frame { order: Vec::new(), ..frame }, &val),
            List::Chosen { query, .. } => Ok(Query { order: Vec::new(), ..*query }),
            List::One(val) => Ok(Query::single(self.shown(&val)?)),
            List::Literals(_) | List::Described => Err(Unsayable::Path),
        }
    }

    /// Query for the values of the rows that have one.
    pub(super) fn present(&mut self, mut frame: Frame, val: &Val) -> Written<Query> {
        let shown = self.shown(val)?;
        let has_value =
            |condition: &Expr| matches!(condition, Expr::Compare(of, sign, _) if **of == shown && *sign != "<>");
        let is_asked = frame.conditions.iter().any(|condition| match condition {
            Expr::All(parts) => parts.iter().any(has_value),
            one => has_value(one),
        });
        if self.can_be_null(&shown) && !is_asked {
            frame.require(shown.clone().not_null());
        }
        Ok(frame.select(shown))
    }

    /// True if no value of the expression is in two rows.
    pub(super) fn is_unique(&self, val: &Val) -> bool {
        match val {
            Val::Cell(_, column) => self.schema.facts(Field::Cell(*column)).is_unique,
            Val::Date(..) | Val::Plain(..) | Val::Literal(_) => false,
        }
    }

    /// Single value of a list.
    pub(super) fn scalar(&mut self, id: FormulaId) -> Written<Val> {
        match self.list(id)? {
            List::One(val) => Ok(val),
            List::Literals(values) => match values.as_slice() {
                [first, rest @ ..] if rest.iter().all(|one| one == first) => Ok(Val::Literal(*first)),
                _ => Err(Unsayable::Path),
            },
            List::Rows { frame, val } => {
                let sort = self.sort(&val)?;
                let is_single = frame.is_single || self.is_unique(&val);
                let query = self.present(Frame { order: Vec::new(), ..frame }, &val)?;
                Ok(Val::Plain(if is_single { query } else { query.distinct() }.scalar(), sort))
            }
            List::Chosen { query, of } => {
                let sort = of.map_or(Ok(Sort::Text), |(_, val)| self.sort(&val))?;
                Ok(Val::Plain((*query).scalar(), sort))
            }
            List::Described => Err(Unsayable::NoColumn),
        }
    }

    /// Query of an aggregate.
    pub(super) fn aggregate(&mut self, op: Aggregate, of: FormulaId) -> Written<Query> {
        if self.is_rows(of) {
            let frame = self.frame(of)?;
            return Ok(frame.select_set(Expr::CountRows));
        }
        match self.list(of)? {
            List::Rows { frame, val } => self.aggregate_rows(op, frame, &val),
            List::Chosen { query, of } => match (op, of) {
                (Aggregate::Count, _) => {
                    let name = self.part("chosen", Query { order: Vec::new(), ..*query });
                    let from = self.table(name);
                    Ok(Query::of(Expr::CountRows, from, Vec::new()))
                }
                (_, Some((mut frame, val))) => {
                    frame.require(self.shown(&val)?.listed_in(*query));
                    self.aggregate_rows(op, frame, &val)
                }
                (_, None) => Err(Unsayable::Path),
            },
            List::One(val) if op == Aggregate::Count => {
                let shown = self.shown(&val)?;
                Ok(Query::single(if self.can_be_null(&shown) {
                    return Err(Unsayable::Path);
                } else {
                    Expr::Number(1.0)
                }))
            }
            List::One(val) => Ok(Query::single(self.shown(&val)?)),
            List::Literals(mut values) if op == Aggregate::Count => {
                values.sort_unstable();
                values.dedup();
                Ok(Query::single(Expr::Number(values.len() as f64)))
            }
            List::Literals(_) => Err(Unsayable::Path),
            List::Described => Err(Unsayable::NoColumn),
        }
    }

    fn aggregate_rows(&mut self, op: Aggregate, frame: Frame, val: &Val) -> Written<Query> {
        let mixed = matches!(*val, Val::Date(_, column, which) if self.dates(column, which)? == Dates::Mixed);
        if mixed && matches!(op, Aggregate::Max | Aggregate::Min) {
            return self.extreme_date(op, frame, val);
        }
        if op == Aggregate::Median && self.dialect == Dialect::Sqlite {
            return self.middle(frame, val);
        }
        let expr = self.aggregated(op, val)?;
        Ok(frame.select_set(expr))
    }

    /// Median where the dialect has none: the mean of the one or two values in the middle.
    fn middle(&mut self, frame: Frame, val: &Val) -> Written<Query> {
        let shown = self.shown(val)?;
        let named = |expr, name: &str| (expr, Some(name.to_string()));
        let select = vec![
            named(shown.clone(), "value"),
            named(Expr::Place(Box::new(shown)), "place"),
            named(Expr::CountAll, "n"),
        ];
        let ordered = Query { select, ..self.present(Frame { order: Vec::new(), ..frame }, val)? };
        let name = self.part("ordered", ordered);
        let from = self.table(name);
        let field = |name: &str| Expr::Field(from.alias, name.to_string());
        let twice = || field("place").operate(Operator::Multiply, Expr::Number(2.0));
        let conditions = vec![
            twice().compare(">=", field("n")),
            twice().compare("<=", field("n").operate(Operator::Add, Expr::Number(2.0))),
        ];
        Ok(Query::of(Expr::aggregate("AVG", field("value")), from, conditions))
    }

    /// First of the dates that are the latest, or the earliest.
    fn extreme_date(&mut self, op: Aggregate, mut frame: Frame, val: &Val) -> Written<Query> {
        let by = self.sort_key(val)?;
        if self.can_be_null(&by) {
            frame.require(by.clone().not_null());
        }
        let direction = if op == Aggregate::Max { Direction::Down } else { Direction::Up };
        // Of several the first, in the order of the rows: that of the table, or of their ranks.
        let mut order = vec![(by, direction)];
        match frame.order.is_empty() {
            true => order.push((self.row_number(frame.alias()), Direction::Up)),
            false => order.append(&mut frame.order),
        }
        let shown = self.shown(val)?;
        Ok(Query { order, limit: Some(1), ..frame.select_set(shown) })
    }

    /// Aggregate of an expression.
    pub(super) fn aggregated(&mut self, op: Aggregate, val: &Val) -> Written<Expr> {
        let shown = self.shown(val)?;
        Ok(match op {
            Aggregate::Count if self.is_unique(val) => match self.can_be_null(&shown) {
                true => Expr::aggregate("COUNT", shown),
                false => Expr::CountRows,
            },
            Aggregate::Count => Expr::CountDistinct(Box::new(shown)),
            Aggregate::Median => Expr::Median(Box::new(shown)),
            Aggregate::Max | Aggregate::Min | Aggregate::Sum | Aggregate::Avg => Expr::aggregate(function(op), shown),
        })
    }

    fn aggregate_sort(&mut self, op: Aggregate, of: FormulaId) -> Written<Sort> {
        match op {
            Aggregate::Max | Aggregate::Min => self.sort_of(of),
            Aggregate::Count | Aggregate::Sum | Aggregate::Avg | Aggregate::Median => Ok(Sort::Number),
        }
    }

    /// Query of arithmetic; of two aggregates of the same rows it is one pass over them.
    pub(super) fn arithmetic_query(&mut self, op: Arithmetic, a: FormulaId, b: FormulaId) -> Written<Query> {
        if let (Node::Aggregate(first, u), Node::Aggregate(second, v)) = (self.formulas.node(a), self.formulas.node(b))
            && u == v
            && first != Aggregate::Median
            && second != Aggregate::Median
            && !self.is_rows(u)
            && let List::Rows { frame, val } = self.list(u)?
            && self.sort(&val)? == Sort::Number
        {
            let (left, right) = (self.aggregated(first, &val)?, self.aggregated(second, &val)?);
            let of = |expr| Val::Plain(expr, Sort::Number);
            let result = self.arithmetic(op, &of(left), &of(right))?;
            let result = self.shown(&result)?;
            return Ok(frame.select_set(result));
        }
        let (a, b) = (self.scalar(a)?, self.scalar(b)?);
        let result = self.arithmetic(op, &a, &b)?;
        Ok(Query::single(self.shown(&result)?))
    }

    /// Reading of a value.
    pub(super) fn read(&mut self, val: &Val, reading: Reading) -> Written<Val> {
        let (at, column) = match *val {
            Val::Cell(at, column) => (at, column),
            Val::Literal(Value::Entity(entity)) => {
                return self.graph.read(entity, reading).map(Val::Literal).ok_or(Unsayable::Path);
            }
            Val::Date(..) | Val::Plain(..) | Val::Literal(_) => return Err(Unsayable::Path),
        };
        let number = |amount| Field::Number(column, amount);
        Ok(match reading {
            Reading::Number => Val::Plain(self.field(at, number(Amount::First)), Sort::Number),
            Reading::Number2 => Val::Plain(self.field(at, number(Amount::Second)), Sort::Number),
            Reading::Duration => Val::Plain(self.field(at, number(Amount::Seconds)), Sort::Number),
            Reading::Date => Val::Date(at, column, Which::Start),
            Reading::Date2 => Val::Date(at, column, Which::End),
            Reading::Year => Val::Plain(self.date_part(at, column, Part::Year, Function::Year)?, Sort::Number),
            Reading::Month => Val::Plain(self.date_part(at, column, Part::Month, Function::Month)?, Sort::Number),
            Reading::Weekday => Val::Plain(self.date_part(at, column, Part::Weekday, Function::Weekday)?, Sort::Number),
            Reading::Part if self.schema.has_parts(column) => return Err(Unsayable::Path),
            Reading::Part => val.clone(),
        })
    }

    /// Expression that a query shows for a value.
    pub(super) fn shown(&mut self, val: &Val) -> Written<Expr> {
        Ok(match val {
            Val::Cell(at, column) => self.field(*at, Field::Cell(*column)),
            Val::Date(at, column, which) => match self.dates(*column, *which)? {
                Dates::Days => self.field(*at, Field::Date(*column, *which, Part::Whole)),
                Dates::Years => self.field(*at, Field::Date(*column, *which, Part::Year)),
                Dates::Mixed | Dates::Ancient => self.field(*at, Field::Date(*column, *which, Part::Shown)),
            },
            Val::Plain(expr, _) => expr.clone(),
            Val::Literal(value) => self.literal(*value),
        })
    }

    /// Literal of a value.
    pub(super) fn literal(&self, value: Value) -> Expr {
        match value {
            Value::Number(n) => Expr::Number(n),
            Value::Entity(entity) => Expr::Text(self.graph.name(entity).to_string()),
            Value::Date(date) if date.known() == 7 => Expr::Day(date.to_string()),
            Value::Date(date) => match (date.year(), date.known()) {
                (Some(year), 4) => Expr::Number(f64::from(year)),
                _ => Expr::Text(date.to_string().to_lowercase()),
            },
            Value::Truth(truth) => Expr::Number(f64::from(u8::from(truth))),
        }
    }

    /// Expression by which values are ordered.
    pub(super) fn sort_key(&mut self, val: &Val) -> Written<Expr> {
        match *val {
            Val::Date(at, column, which) if self.dates(column, which)? == Dates::Mixed => {
                Ok(self.field(at, Field::Date(column, which, Part::First)))
            }
            Val::Cell(..) | Val::Date(..) | Val::Plain(..) | Val::Literal(_) => self.shown(val),
        }
    }

    /// Sort of a value.
    pub(super) fn sort(&self, val: &Val) -> Written<Sort> {
        Ok(match val {
            Val::Cell(_, column) => match self.kind(*column) {
                Kind::Whole | Kind::Number => Sort::Number,
                Kind::Text => Sort::Text,
                Kind::Day => Sort::Day,
            },
            Val::Date(_, column, which) => match self.dates(*column, *which)? {
                Dates::Days => Sort::Day,
                Dates::Years => Sort::Year,
                Dates::Mixed | Dates::Ancient => Sort::Shown,
            },
            Val::Plain(_, sort) => *sort,
            Val::Literal(value) => literal_sort(*value),
        })
    }

    /// Arithmetic on two values.
    pub(super) fn arithmetic(&mut self, op: Arithmetic, a: &Val, b: &Val) -> Written<Val> {
        let (left, right) = (self.sort(a)?, self.sort(b)?);
        if left != Sort::Number || right != Sort::Number {
            return self.date_arithmetic(op, a, b);
        }
        let (left, right) = (self.shown(a)?, self.shown(b)?);
        let operator = match op {
            Arithmetic::Add => Operator::Add,
            Arithmetic::Sub => Operator::Subtract,
            Arithmetic::Mul => Operator::Multiply,
            Arithmetic::Div => Operator::Divide,
            Arithmetic::Share => Operator::Percent,
            Arithmetic::Days | Arithmetic::Months => return Err(Unsayable::Types),
        };
        Ok(Val::Plain(left.operate(operator, right), Sort::Number))
    }

    /// Two values as expressions that can be compared.
    pub(super) fn comparable(&mut self, a: &Val, b: &Val) -> Written<(Expr, Expr)> {
        let (left, right) = (self.sort(a)?, self.sort(b)?);
        match left == right && left != Sort::Shown {
            true => Ok((self.shown(a)?, self.shown(b)?)),
            false => Err(Unsayable::Types),
        }
    }
}

impl Query {
    /// Gives the selected expression a name.
    pub(super) fn named(mut self, name: &str) -> Query {
        if let Some(first) = self.select.first_mut() {
            first.1 = Some(name.to_string());
        }
        self
    }
}

fn literal_sort(value: Value) -> Sort {
    match value {
        Value::Number(_) | Value::Truth(_) => Sort::Number,
        Value::Entity(_) => Sort::Text,
        Value::Date(date) if date.known() == 7 => Sort::Day,
        Value::Date(date) if date.known() == 4 => Sort::Year,
        Value::Date(_) => Sort::Shown,
    }
}
