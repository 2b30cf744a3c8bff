//! Keys: the partners of a row or a value in a binary, by which superlatives order and groups are made. The common keys
//! have a fast path, since the search executes superlatives by the thousand and a list may have as many different values
//! as the table has rows: together they are then visited once, and not once for each value.

use super::across::{Amounts, amount};
use super::aggregate::aggregate;
use super::lambda::Bound;
use super::{Denotation, Executor, Item, Items, RowSet, Undefined, read, runs};
use crate::formula::{Aggregate, FormulaId, Node, Relation, Var, Way};
use crate::graph::{Cell, ColumnId, Graph, Reading};
use crate::value::Value;
use smallvec::smallvec;

impl Executor<'_> {
    /// Keys of one member: the right sides of the binary's pairs with that member on the left. A member for which the
    /// key is undefined has none.
    pub(super) fn keys_of(&mut self, member: Bound, key: FormulaId) -> Result<Items, Undefined> {
        self.inside += 1;
        let outcome = self.partners(member, key);
        self.inside -= 1;
        match outcome {
            Ok(Denotation::Values(items)) => Ok(items),
            Ok(denotation) => Ok(Items::from_slice(&self.list(&denotation)?)),
            Err(undefined) => no_keys(undefined),
        }
    }

    /// Denotation of a member's keys.
    fn partners(&mut self, member: Bound, key: FormulaId) -> Result<Denotation, Undefined> {
        match self.formulas.relation(key).ok_or(Undefined::Type)? {
            (Relation::Lambda(var, body), Way::Forth) => self.with(var, member, body).map(|d| (*d).clone()),
            // The key of a member is the x for which the body contains the member. For a chain `λx[a.b.x]` it is found
            // by following `R[a]`, then `R[b]`; for other bodies it cannot be listed.
            (Relation::Lambda(var, body), Way::Back) => {
                let path = self.formulas.chain(var, body).ok_or(Undefined::Infinite)?;
                self.back_along(member, &path)
            }
            _ => self.back_along(member, &[key]),
        }
    }

    /// Follows the relations of a path from left to right, starting from a member.
    fn back_along(&mut self, member: Bound, path: &[FormulaId]) -> Result<Denotation, Undefined> {
        path.iter().try_fold(self.only(member), |of, step| {
            self.spend(1 + of.weight())?;
            let (relation, way) = self.formulas.relation(*step).ok_or(Undefined::Type)?;
            self.follow(relation, way.turned(), &of)
        })
    }

    /// Keys of one value, looked up in an index if the key has a fast path.
    pub(super) fn keys(&mut self, quick: Option<&ValueKey>, member: Bound, key: FormulaId) -> Result<Items, Undefined> {
        match (quick, member) {
            (Some(quick), Bound::Value(item)) if quick.by.fits(item.value) => self.quick_keys(quick, item.value),
            _ => self.keys_of(member, key),
        }
    }

    fn quick_keys(&mut self, key: &ValueKey, value: Value) -> Result<Items, Undefined> {
        let graph = self.graph;
        let rows = match (key.by, value) {
            (By::Column(column), Value::Entity(entity)) => self.index(column).rows(entity),
            (By::Column(_), _) => &[],
            (By::Read(column, reading), value) => self.read_index(column, reading).rows(value),
        };
        // The fast path counts about as many steps as the general one, which finds the rows and visits each.
        let steps = 2 + rows.len();
        let within = rows.iter().map(|row| *row as usize).filter(|row| key.has(*row));
        let keys = match key.of {
            Of::Rows => Ok(smallvec![Item::bare(Value::Number(within.count() as f64))]),
            Of::Values(ref source) => key.aggregated(within.filter_map(|row| source.item(graph, row)).collect()),
        };
        self.spend(steps)?;
        keys.or_else(no_keys)
    }

    /// Recognises a key over rows that has a fast path.
    pub(super) fn row_key(&mut self, key: FormulaId) -> Result<Option<RowKey>, Undefined> {
        match self.formulas.relation(key) {
            Some((Relation::Index, Way::Back)) => Ok(Some(RowKey::Index)),
            Some((Relation::Run(column), Way::Back)) => {
                self.spend_on_rows()?;
                let runs = runs(self.graph, column).into_iter().map(f64::from);
                Ok(Some(RowKey::Amounts(runs.collect())))
            }
            Some((Relation::Column(column), Way::Back)) => Ok(Some(RowKey::Cell(column))),
            Some((Relation::Across(op, a, b), Way::Back)) => Ok(Some(RowKey::Amounts(self.amounts((op, a, b))?))),
            Some((Relation::Lambda(var, body), Way::Back)) => match self.formulas.chain(var, body).as_deref() {
                Some([one]) => self.row_key(*one),
                Some([column, reading]) => Ok(RowKey::read(self.formulas.node(*column), self.formulas.node(*reading))),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// Recognises a key over values that has a fast path.
    pub(super) fn value_key(&mut self, key: FormulaId) -> Option<ValueKey> {
        match self.formulas.relation(key)? {
            (Relation::Lambda(var, body), Way::Forth) => self.aggregate_key(var, body),
            (Relation::Lambda(var, body), Way::Back) => match *self.formulas.chain(var, body)? {
                [by, column, reading] => {
                    let Relation::Column(by) = self.formulas.forth(by)? else { return None };
                    let source = RowKey::read(self.formulas.node(column), self.formulas.node(reading))?;
                    Some(ValueKey { by: By::Column(by), within: None, op: None, of: Of::Values(source) })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Recognises `λx[count(Column.x & rows)]` and `λx[max(R[..].(Column.x & rows))]`, read forth.
    fn aggregate_key(&mut self, var: Var, body: FormulaId) -> Option<ValueKey> {
        let Node::Aggregate(op, list) = self.formulas.node(body) else { return None };
        if let Some((by, within)) = self.rows_by(var, list).filter(|_| op == Aggregate::Count) {
            return Some(ValueKey { by, within, op: None, of: Of::Rows });
        }
        let (relation, of) = self.formulas.looked_up(list)?;
        let (source, rows) = match relation {
            Relation::Column(column) => (RowKey::Cell(column), of),
            Relation::Across(op, a, b) if !self.formulas.is_open(a) && !self.formulas.is_open(b) => {
                (RowKey::Amounts(self.amounts((op, a, b)).ok()?), of)
            }
            Relation::Reading(reading) => match self.formulas.looked_up(of)? {
                (Relation::Column(column), rows) if reading != Reading::Part => (RowKey::Read(column, reading), rows),
                _ => return None,
            },
            _ => return None,
        };
        let (by, within) = self.rows_by(var, rows)?;
        Some(ValueKey { by, within, op: Some(op), of: Of::Values(source) })
    }

    /// Column of `Column.x & rows`, and the rows.
    fn rows_by(&mut self, var: Var, rows: FormulaId) -> Option<(By, Option<RowSet>)> {
        match self.formulas.node(rows) {
            Node::And(a, b) => {
                let (by, other) = if self.formulas.is_open(a) { (a, b) } else { (b, a) };
                let (by, within) = self.rows_by(var, by)?;
                let other = self.closed_rows(other)?;
                Some((by, Some(within.map_or_else(|| other.clone(), |within| within.and(&other)))))
            }
            Node::Join(column, of) => {
                let Node::Column(column) = self.formulas.node(column) else { return None };
                self.by(var, column, of).map(|by| (by, None))
            }
            _ => None,
        }
    }

    fn by(&self, var: Var, column: ColumnId, of: FormulaId) -> Option<By> {
        match self.formulas.node(of) {
            Node::Var(x) => (x == var).then_some(By::Column(column)),
            Node::Join(reading, x) if self.formulas.node(x) == Node::Var(var) => match self.formulas.node(reading) {
                Node::Reading(Reading::Date | Reading::Date2) => None,
                Node::Reading(reading) => Some(By::Read(column, reading)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Rows of a closed formula; `None` if it is open or does not denote rows.
    fn closed_rows(&mut self, id: FormulaId) -> Option<RowSet> {
        if self.formulas.is_open(id) {
            return None;
        }
        self.denote(id).ok()?.rows().ok().cloned()
    }
}

/// No keys for an undefined one; only a wrong type and the step limit make the whole formula undefined.
fn no_keys(undefined: Undefined) -> Result<Items, Undefined> {
    match undefined {
        Undefined::TooLong | Undefined::TooLarge | Undefined::Type => Err(undefined),
        _ => Ok(Items::new()),
    }
}

/// Key that nearly all superlatives over rows use, looked up without building lists.
pub(super) enum RowKey {
    /// `Index`: the number of the row.
    Index,
    /// `Column`: the row's cell.
    Cell(ColumnId),
    /// `λx[Column.Reading.x]`: a reading of the row's cell.
    Read(ColumnId, Reading),
    /// `sub[b, c]`, `Run[Column]`: a number for each row.
    Amounts(Amounts),
}

impl RowKey {
    fn read(column: Node, reading: Node) -> Option<RowKey> {
        match (column, reading) {
            // A cell may have several parts, which have no order.
            (_, Node::Reading(Reading::Part)) => None,
            (Node::Column(column), Node::Reading(reading)) => Some(RowKey::Read(column, reading)),
            _ => None,
        }
    }

    /// Key of a row.
    pub(super) fn value(&self, graph: &Graph, row: usize) -> Option<Value> {
        self.item(graph, row).map(|item| item.value)
    }

    /// Key of a row, with its cell.
    fn item(&self, graph: &Graph, row: usize) -> Option<Item> {
        let cell = |column: ColumnId| Cell { row: row as u32, column };
        match *self {
            RowKey::Index => Some(Item::bare(Value::Number(row as f64))),
            RowKey::Amounts(ref amounts) => amount(amounts, row).map(Item::bare),
            RowKey::Cell(column) => {
                let entity = graph.entity_at(cell(column));
                let item = Item { value: Value::Entity(entity), cell: Some(cell(column)) };
                (!graph.is_missing(entity)).then_some(item)
            }
            RowKey::Read(column, reading) => {
                let value = read(graph, graph.entity_at(cell(column)), reading)?;
                Some(Item { value, cell: Some(cell(column)) })
            }
        }
    }
}

/// Key that most superlatives and groups over values use: something about the rows in which the value stands.
pub(super) struct ValueKey {
    by: By,
    /// Rows that count; `None` if all do.
    within: Option<RowSet>,
    /// Aggregate of the values; `None` if each of them is a key.
    op: Option<Aggregate>,
    of: Of,
}

/// Column in which a value is looked up, as itself or as a reading.
#[derive(Clone, Copy)]
enum By {
    Column(ColumnId),
    Read(ColumnId, Reading),
}

/// What is taken of the rows.
enum Of {
    /// Their number.
    Rows,
    /// A value of each.
    Values(RowKey),
}

impl By {
    fn fits(self, value: Value) -> bool {
        match self {
            By::Column(_) | By::Read(_, Reading::Part) => matches!(value, Value::Entity(_)),
            By::Read(..) => matches!(value, Value::Number(_)),
        }
    }
}

impl ValueKey {
    fn has(&self, row: usize) -> bool {
        self.within.as_ref().is_none_or(|within| within.contains(row))
    }

    fn aggregated(&self, items: Items) -> Result<Items, Undefined> {
        match self.op {
            None => Ok(items),
            Some(op) => Ok(smallvec![Item::bare(aggregate(op, &Denotation::Values(items))?)]),
        }
    }
}
