//! Conditions: what it takes for a value to be a member of a formula. Comparisons and readings, which the executor keeps as
//! filters, are conditions on a column here; any other list becomes `IN`.

use super::super::Unsayable;
use super::super::query::{Expr, Query};
use super::super::schema::{Datum, Field, Kind};
use super::rows::merged;
use super::values::List;
use super::{Bound, Frame, Sort, Val, Writer, Written};
use crate::execute::{Filter, TextFilter};
use crate::formula::{Compare, FormulaId, Node, Relation, TextId, TextTest, Way};
use crate::graph::{ColumnId, Reading};
use crate::value::{EntityId, Value};

/// Number of texts up to which a test of words is written as a list of those that pass.
const FEW_TEXTS: usize = 20;

impl Writer<'_> {
    /// Condition that a value is a member of a formula.
    pub(super) fn passes(&mut self, id: FormulaId, val: &Val) -> Written<Expr> {
        match self.formulas.node(id) {
            Node::Value(value) => self.equals(val, value),
            Node::Var(var) => match self.look_up(var).cloned() {
                Some(Bound::Value(other)) if other == *val => Ok(Expr::All(Vec::new())),
                Some(Bound::Value(Val::Literal(value))) => self.equals(val, value),
                Some(Bound::Value(other)) => {
                    let (own, other) = self.comparable(val, &other)?;
                    Ok(own.equals(other))
                }
                Some(Bound::Row(_)) | None => Err(Unsayable::Everything),
            },
            Node::Join(binary, of) => {
                let (relation, way) = self.formulas.relation(binary).ok_or(Unsayable::Relation)?;
                self.passes_join(id, relation, way, of, val)
            }
            Node::And(a, b) => Ok(Expr::all(vec![self.passes(a, val)?, self.passes(b, val)?])),
            Node::Or(a, b) => Ok(merged(vec![self.passes(a, val)?, self.passes(b, val)?])),
            Node::Except(a, b) => {
                let (of, other) = (self.passes(a, val)?, self.passes(b, val)?);
                Ok(Expr::all(vec![of, self.not(other)]))
            }
            Node::Text(test, text) => self.like(test, text, val),
            Node::Mark(var, body) => self.with(var, Bound::Value(val.clone()), |writer| writer.passes(body, val)),
            Node::Aggregate(..) | Node::Arithmetic(..) | Node::Superlative(..) | Node::Top(..) => {
                self.is_listed(id, val)
            }
            Node::Having(..) => self.is_listed(id, val),
            Node::Rows | Node::Missing(_) | Node::Group(..) | Node::Exists(_) | Node::Test(..) => Err(Unsayable::Types),
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => Err(Unsayable::Relation),
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => Err(Unsayable::Relation),
        }
    }

    fn passes_join(&mut self, id: FormulaId, relation: Relation, way: Way, of: FormulaId, val: &Val) -> Written<Expr> {
        match (relation, way) {
            (Relation::Compare(op), way) => {
                let bound = self.scalar(of)?;
                self.compare(val, if way == Way::Back { op } else { op.flipped() }, &bound)
            }
            (Relation::Reading(Reading::Part), Way::Back) => self.has_part(of, val),
            (Relation::Reading(reading), Way::Back) => {
                let read = self.read(val, reading)?;
                self.passes(of, &read)
            }
            (Relation::Lambda(_, body), Way::Back) if matches!(self.formulas.node(body), Node::Var(_)) => {
                let (same, some) = (self.passes(body, val)?, self.has_members(of)?);
                Ok(Expr::all(vec![same, some]))
            }
            (Relation::Column(_) | Relation::Next | Relation::Index | Relation::Run(_), _) => self.is_listed(id, val),
            (Relation::Reading(_) | Relation::Across(..) | Relation::Lambda(..), _) => self.is_listed(id, val),
        }
    }

    /// Condition that a value is in a list.
    fn is_listed(&mut self, id: FormulaId, val: &Val) -> Written<Expr> {
        let own = self.sort(val)?;
        match self.list(id)? {
            List::Literals(values) => {
                let parts = values.iter().map(|value| self.equals(val, *value)).collect::<Written<Vec<Expr>>>()?;
                Ok(merged(parts))
            }
            List::One(Val::Literal(value)) => self.equals(val, value),
            List::One(other) => {
                let (own, other) = self.comparable(val, &other)?;
                Ok(own.equals(other))
            }
            List::Rows { frame, val: other } => {
                if self.sort(&other)? != own || own == Sort::Shown {
                    return Err(Unsayable::Types);
                }
                let is_single = frame.is_single;
                let query = self.present(Frame { order: Vec::new(), ..frame }, &other)?;
                let own = self.shown(val)?;
                Ok(if is_single { own.equals(query.scalar()) } else { own.listed_in(query) })
            }
            List::Chosen { query, of } => {
                let sort = of.map_or(Ok(own), |(_, other)| self.sort(&other))?;
                if sort != own {
                    return Err(Unsayable::Types);
                }
                // An order counts only where it decides what is left out.
                let order = if query.limit.is_some() { query.order.clone() } else { Vec::new() };
                Ok(self.shown(val)?.listed_in(Query { order, ..*query }))
            }
            List::Described => Err(Unsayable::NoColumn),
        }
    }

    /// Condition that a value is a literal one. A date includes those that say more.
    pub(super) fn equals(&mut self, val: &Val, value: Value) -> Written<Expr> {
        match (val, value) {
            (Val::Cell(_, column), Value::Entity(entity)) => {
                let own = self.shown(val)?;
                Ok(match (self.graph.is_missing(entity), self.stored(*column, entity)) {
                    (true, _) | (_, None) => Expr::False,
                    (_, Some(literal)) => own.equals(literal),
                })
            }
            (Val::Date(at, column, which), Value::Date(date)) => self.date_is(*at, *column, *which, date),
            (Val::Literal(own), value) => Ok(if *own == value { Expr::All(Vec::new()) } else { Expr::False }),
            (Val::Plain(own, Sort::Number), Value::Number(n)) => Ok(own.clone().equals(Expr::Number(n))),
            (Val::Plain(own, Sort::Text), Value::Entity(_)) => Ok(own.clone().equals(self.literal(value))),
            (Val::Plain(own, Sort::Day), Value::Date(date)) if date.known() == 7 => {
                Ok(own.clone().equals(self.literal(value)))
            }
            (Val::Plain(own, Sort::Year), Value::Date(date)) if date.known() == 4 => {
                Ok(own.clone().equals(self.literal(value)))
            }
            (Val::Plain(_, Sort::Day | Sort::Year | Sort::Shown), Value::Date(_)) => Err(Unsayable::Dates),
            (Val::Cell(..) | Val::Date(..) | Val::Plain(..), _) => Ok(Expr::False),
        }
    }

    /// An entity as a column stores it; `None` if it is not in the column and the column has another type.
    fn stored(&self, column: ColumnId, entity: EntityId) -> Option<Expr> {
        let is_there = || self.graph.column(column).cells.contains(&entity);
        match self.kind(column) {
            Kind::Text => Some(Expr::Text(self.graph.name(entity).to_string())),
            Kind::Whole | Kind::Number | Kind::Day if is_there() => {
                Some(match self.schema.of_entity(Field::Cell(column), entity) {
                    Datum::Null => return None,
                    Datum::Number(n) => Expr::Number(n),
                    Datum::Text(text) => Expr::Text(text),
                    Datum::Day(day) => Expr::Day(day),
                })
            }
            Kind::Whole | Kind::Number | Kind::Day => None,
        }
    }

    /// Comparison of a value.
    fn compare(&mut self, val: &Val, op: Compare, bound: &Val) -> Written<Expr> {
        match (val, bound) {
            (Val::Date(at, column, which), Val::Literal(Value::Date(date))) => {
                self.date_compares(*at, *column, *which, op, *date)
            }
            (_, Val::Literal(value)) if op == Compare::NotEqual => {
                let own = self.shown(val)?;
                Ok(match self.equals(val, *value)? {
                    Expr::Compare(own, "=", other) => Expr::Compare(own, "<>", other),
                    // Anything but a value that is not there: whatever is there.
                    Expr::False => own.not_null(),
                    other => self.not(other),
                })
            }
            _ => {
                let (own, bound) = self.comparable(val, bound)?;
                Ok(own.compare(sign(op), bound))
            }
        }
    }

    /// Condition that a part of a cell's text is a member of a formula.
    fn has_part(&mut self, of: FormulaId, val: &Val) -> Written<Expr> {
        let Val::Cell(_, column) = *val else { return Err(Unsayable::Path) };
        if !self.schema.has_parts(column) {
            return self.passes(of, val);
        }
        self.listed.insert(column);
        let parts = self.table(self.schema.parts_table(column));
        let (text, part) = (self.schema.name(Field::Cell(column)), self.schema.part_name(column));
        let own = self.shown(val)?;
        let alias = parts.alias;
        let condition = self.passes(of, &Val::Plain(Expr::Field(alias, part), Sort::Text))?;
        Ok(own.listed_in(Query::of(Expr::Field(alias, text), parts, vec![condition])))
    }

    /// Test of a text. `LIKE` knows letters, not words: it is used where it gives the same for every text of the column.
    fn like(&mut self, test: TextTest, text: TextId, val: &Val) -> Written<Expr> {
        let Val::Cell(_, column) = *val else { return Err(Unsayable::Words) };
        if self.kind(column) != Kind::Text {
            return Err(Unsayable::Words);
        }
        let text = self.formulas.text(text);
        let filter = Filter::Text(TextFilter::new(test, text));
        let (graph, wanted) = (self.graph, text.trim().to_lowercase());
        let found = |name: &str| match test {
            TextTest::Contains => name.contains(&wanted),
            TextTest::Starts => name.starts_with(&wanted),
            TextTest::Ends => name.ends_with(&wanted),
        };
        let is_same = |entity: EntityId| {
            let (name, passes) = (graph.name(entity), filter.passes(graph, Value::Entity(entity)));
            // Some databases know only how to lower the letters of ASCII.
            found(&name.to_lowercase()) == passes && found(&name.to_ascii_lowercase()) == passes
        };
        let own = self.shown(val)?;
        if !wanted.contains(['%', '_', '\\']) && self.schema.distinct(column).all(is_same) {
            let pattern = match test {
                TextTest::Contains => format!("%{wanted}%"),
                TextTest::Starts => format!("{wanted}%"),
                TextTest::Ends => format!("%{wanted}"),
            };
            return Ok(Expr::Like(Box::new(own), pattern));
        }
        let passing = self.schema.distinct(column).filter(|entity| filter.passes(graph, Value::Entity(*entity)));
        let texts: Vec<Expr> =
            passing.map(|entity| Expr::Text(graph.name(entity).to_string())).take(FEW_TEXTS + 1).collect();
        match texts.len() {
            0 => Ok(Expr::False),
            n if n > FEW_TEXTS => Err(Unsayable::Words),
            _ => Ok(merged(texts.into_iter().map(|text| own.clone().equals(text)).collect())),
        }
    }
}

/// Sign of a comparison.
pub(super) fn sign(op: Compare) -> &'static str {
    match op {
        Compare::Less => "<",
        Compare::Greater => ">",
        Compare::AtMost => "<=",
        Compare::AtLeast => ">=",
        Compare::NotEqual => "<>",
    }
}
