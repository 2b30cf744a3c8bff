//! What a formula denotes in a graph. Execution is total and pure: a formula that means nothing in this table is
//! [`Undefined`], never a panic. The denotation of a part is computed once and kept, so building a larger formula out of
//! known ones costs only its own step.

mod evidence;
mod rows;

pub use evidence::{Evidence, evidence};
pub use rows::RowSet;

use crate::formula::{Aggregate, Arithmetic, Compare, FormulaId, Formulas, Node, Superlative, Var};
use crate::graph::{Cell, ColumnId, Graph, Reading};
use crate::value::{Date, EntityId, Value};
use std::cmp::Ordering;
use std::rc::Rc;

/// A value of a list, with the cell it was read from, if it was read from one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    pub value: Value,
    pub cell: Option<Cell>,
}

/// What a unary formula denotes.
#[derive(Clone, Debug, PartialEq)]
pub enum Denotation {
    Rows(RowSet),
    /// A list with repeats: one item for each row it was read from.
    Values(Vec<Item>),
    /// Every value that passes a test, such as "more than 5": known by the test, never listed out.
    Passing(Test),
}

/// A condition on one value: all comparisons hold for the value, or for its reading.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    reading: Option<Reading>,
    condition: Condition,
}

#[derive(Clone, Debug, PartialEq)]
enum Condition {
    All(Vec<(Compare, Value)>),
    OneOf(Vec<Value>),
}

/// Why a formula means nothing in this table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Undefined {
    #[error("its parts are of the wrong kinds")]
    Type,
    #[error("it takes a maximum, a sum or another value of an empty list")]
    Empty,
    #[error("it orders numbers and dates together, or dates of which different parts are known")]
    Unordered,
    #[error("it needs one value where there are none or several")]
    NotSingle,
    #[error("it divides by zero, or the result is too large for a number")]
    NotANumber,
    #[error("it is a set that can only be described, such as all numbers above 5")]
    Infinite,
    #[error("it takes more steps than the limit allows")]
    TooLong,
}

pub type Outcome = Result<Rc<Denotation>, Undefined>;

/// Executes formulas on one graph and remembers what it has found.
pub struct Executor<'g> {
    graph: &'g Graph,
    known: Vec<Option<Outcome>>,
    bound: Vec<(Var, Bound)>,
    steps: u64,
}

/// What a variable stands for while a body is executed.
#[derive(Clone, Copy, PartialEq)]
enum Bound {
    Row(u32),
    Value(Item),
}

impl<'g> Executor<'g> {
    /// The most elements that one executor visits inside lambdas before it gives up with [`Undefined::TooLong`].
    pub const STEPS: u64 = 100_000_000;

    pub fn new(graph: &'g Graph) -> Executor<'g> {
        Executor { graph, known: Vec::new(), bound: Vec::new(), steps: Executor::STEPS }
    }

    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// What a closed unary formula denotes.
    pub fn denote(&mut self, formulas: &Formulas, id: FormulaId) -> Outcome {
        let at = id.0 as usize;
        if let Some(Some(known)) = self.known.get(at) {
            return known.clone();
        }
        let outcome = self.compute(formulas, id).map(Rc::new);
        if !formulas.is_open(id) {
            if self.known.len() <= at {
                self.known.resize(formulas.len().max(at + 1), None);
            }
            self.known[at] = Some(outcome.clone());
        }
        outcome
    }

    fn compute(&mut self, formulas: &Formulas, id: FormulaId) -> Result<Denotation, Undefined> {
        match formulas.node(id) {
            Node::Value(value) => Ok(Denotation::Values(vec![Item { value, cell: None }])),
            Node::Rows => Ok(Denotation::Rows(RowSet::full(self.graph.row_count()))),
            Node::Var(var) => self.look_up(var),
            Node::Join(binary, unary) => {
                let of = self.denote(formulas, unary)?;
                self.join(formulas, binary, &of)
            }
            Node::And(a, b) => {
                let (a, b) = (self.denote(formulas, a)?, self.denote(formulas, b)?);
                self.and(&a, &b)
            }
            Node::Or(a, b) => {
                let (a, b) = (self.denote(formulas, a)?, self.denote(formulas, b)?);
                or(&a, &b)
            }
            Node::Aggregate(op, a) => {
                let list = self.denote(formulas, a)?;
                single(aggregate(op, &list)?)
            }
            Node::Superlative(op, a, b) => {
                let of = self.denote(formulas, a)?;
                self.superlative(formulas, op, &of, b)
            }
            Node::Arithmetic(op, a, b) => {
                let (a, b) = (self.denote(formulas, a)?, self.denote(formulas, b)?);
                single(arithmetic(op, the_number(&a)?, the_number(&b)?)?)
            }
            Node::Mark(var, body) => self.mark(formulas, var, body),
            _ => Err(Undefined::Type),
        }
    }

    fn look_up(&self, var: Var) -> Result<Denotation, Undefined> {
        let found = self.bound.iter().rev().find(|(bound, _)| *bound == var);
        match found {
            Some((_, Bound::Row(row))) => Ok(Denotation::Rows(RowSet::one(self.graph.row_count(), *row))),
            Some((_, Bound::Value(item))) => Ok(Denotation::Values(vec![*item])),
            None => Err(Undefined::Type),
        }
    }

    fn spend(&mut self, steps: usize) -> Result<(), Undefined> {
        self.steps = self.steps.checked_sub(steps as u64 + 1).ok_or(Undefined::TooLong)?;
        Ok(())
    }

    fn join(&mut self, formulas: &Formulas, binary: FormulaId, of: &Denotation) -> Result<Denotation, Undefined> {
        match formulas.node(binary) {
            Node::Column(column) => self.rows_with(column, of),
            Node::Reading(reading) => read_as(reading, of),
            Node::Next => Ok(Denotation::Rows(rows(of)?.shifted_up())),
            Node::Index => self.rows_numbered(of, |row| row as f64),
            Node::Run(column) => {
                let runs = runs(self.graph, column);
                self.rows_numbered(of, |row| f64::from(runs[row]))
            }
            Node::Compare(op) => compare(op, of),
            Node::Reverse(inner) => self.join_back(formulas, inner, of),
            Node::Lambda(var, body) => self.apply(formulas, var, body, of),
            _ => Err(Undefined::Type),
        }
    }

    fn join_back(&mut self, formulas: &Formulas, binary: FormulaId, of: &Denotation) -> Result<Denotation, Undefined> {
        match formulas.node(binary) {
            Node::Column(column) => {
                let cells = &self.graph.column(column).cells;
                let item = |row: usize| Item {
                    value: Value::Entity(cells[row]),
                    cell: Some(Cell { row: row as u32, column }),
                };
                Ok(Denotation::Values(rows(of)?.iter().map(item).collect()))
            }
            Node::Reading(reading) => self.readings_of(reading, of),
            Node::Next => Ok(Denotation::Rows(rows(of)?.shifted_down())),
            Node::Index => numbers_of(rows(of)?, |row| row as f64),
            Node::Run(column) => {
                let runs = runs(self.graph, column);
                numbers_of(rows(of)?, |row| f64::from(runs[row]))
            }
            Node::Compare(op) => compare(op.flipped(), of),
            Node::Reverse(inner) => self.join(formulas, inner, of),
            Node::Lambda(var, body) => self.unapply(formulas, var, body, of),
            _ => Err(Undefined::Type),
        }
    }

    /// The rows whose cell in a column is among the values.
    fn rows_with(&self, column: ColumnId, of: &Denotation) -> Result<Denotation, Undefined> {
        let cells = &self.graph.column(column).cells;
        let rows = match of {
            Denotation::Rows(_) => return Err(Undefined::Type),
            Denotation::Values(items) => match items.as_slice() {
                [Item { value: Value::Entity(only), .. }] => RowSet::filter(cells.len(), |row| cells[row] == *only),
                _ => {
                    let wanted = EntitySet::new(self.graph, items)?;
                    RowSet::filter(cells.len(), |row| wanted.contains(cells[row]))
                }
            },
            Denotation::Passing(test) => {
                RowSet::filter(cells.len(), |row| test.passes(self.graph, Value::Entity(cells[row])))
            }
        };
        Ok(Denotation::Rows(rows))
    }

    fn rows_numbered(&self, of: &Denotation, number: impl Fn(usize) -> f64) -> Result<Denotation, Undefined> {
        let test = match of {
            Denotation::Rows(_) => return Err(Undefined::Type),
            Denotation::Values(items) => Test::one_of(items),
            Denotation::Passing(test) => test.clone(),
        };
        let passes = |row: usize| test.passes(self.graph, Value::Number(number(row)));
        Ok(Denotation::Rows(RowSet::filter(self.graph.row_count(), passes)))
    }

    /// What the entities of a list read as; those that do not read so are left out.
    fn readings_of(&self, reading: Reading, of: &Denotation) -> Result<Denotation, Undefined> {
        let mut found = Vec::new();
        for item in self.list(of)?.iter() {
            let Value::Entity(entity) = item.value else { return Err(Undefined::Type) };
            match reading {
                Reading::Part => {
                    let parts = self.graph.parts(entity);
                    // A text that is no list is its own only part.
                    let parts = if parts.is_empty() { std::slice::from_ref(&entity) } else { parts };
                    found.extend(parts.iter().map(|part| Item { value: Value::Entity(*part), ..*item }));
                }
                _ => found.extend(self.graph.read(entity, reading).map(|value| Item { value, ..*item })),
            }
        }
        Ok(Denotation::Values(found))
    }

    /// The items of a denotation of values; those that pass a test are looked for among the graph's entities.
    fn list<'d>(&self, of: &'d Denotation) -> Result<std::borrow::Cow<'d, [Item]>, Undefined> {
        match of {
            Denotation::Rows(_) => Err(Undefined::Type),
            Denotation::Values(items) => Ok(items.into()),
            Denotation::Passing(test) if test.is_about_entities() => {
                let entities = self.graph.entities().map(Value::Entity);
                let passing = entities.filter(|value| test.passes(self.graph, *value));
                Ok(passing.map(|value| Item { value, cell: None }).collect())
            }
            Denotation::Passing(_) => Err(Undefined::Infinite),
        }
    }

    fn and(&self, a: &Denotation, b: &Denotation) -> Result<Denotation, Undefined> {
        use Denotation::{Passing, Rows, Values};
        match (a, b) {
            (Rows(a), Rows(b)) => Ok(Rows(a.and(b))),
            (Values(a), Values(b)) => {
                let wanted: std::collections::BTreeSet<Value> = b.iter().map(|item| item.value).collect();
                Ok(Values(a.iter().filter(|item| wanted.contains(&item.value)).copied().collect()))
            }
            (Values(items), Passing(test)) | (Passing(test), Values(items)) => {
                Ok(Values(items.iter().filter(|item| test.passes(self.graph, item.value)).copied().collect()))
            }
            (Passing(a), Passing(b)) => a.and(b).map(Passing).ok_or(Undefined::Infinite),
            _ => Err(Undefined::Type),
        }
    }

    /// `λx[body].of`: the body for each member, all together.
    fn apply(
        &mut self,
        formulas: &Formulas,
        var: Var,
        body: FormulaId,
        of: &Denotation,
    ) -> Result<Denotation, Undefined> {
        let mut whole: Option<Denotation> = None;
        for member in self.members(of)? {
            let some = self.with(formulas, var, member, body)?;
            whole = Some(match whole {
                None => (*some).clone(),
                Some(before) => or(&before, &some)?,
            });
        }
        whole.ok_or(Undefined::Empty)
    }

    /// `R[λx[body]].of`: every x of the table for which the body meets `of`.
    fn unapply(
        &mut self,
        formulas: &Formulas,
        var: Var,
        body: FormulaId,
        of: &Denotation,
    ) -> Result<Denotation, Undefined> {
        let meets = |executor: &mut Self, member: Bound| -> Result<bool, Undefined> {
            let some = executor.with(formulas, var, member, body)?;
            Ok(!executor.and(&some, of)?.is_empty())
        };
        match self.keep_rows(meets) {
            Err(Undefined::Type) => self.keep_entities(meets),
            outcome => outcome,
        }
    }

    /// `mark x[body]`: every x that is among what the body denotes for it.
    fn mark(&mut self, formulas: &Formulas, var: Var, body: FormulaId) -> Result<Denotation, Undefined> {
        let itself = |executor: &mut Self, member: Bound| -> Result<bool, Undefined> {
            let some = executor.with(formulas, var, member, body)?;
            Ok(match (&*some, member) {
                (Denotation::Rows(rows), Bound::Row(row)) => rows.contains(row as usize),
                (Denotation::Values(items), Bound::Value(x)) => items.iter().any(|item| item.value == x.value),
                (Denotation::Passing(test), Bound::Value(x)) => test.passes(executor.graph, x.value),
                _ => return Err(Undefined::Type),
            })
        };
        match self.keep_rows(itself) {
            Err(Undefined::Type) => self.keep_entities(itself),
            outcome => outcome,
        }
    }

    fn keep_rows(
        &mut self,
        keep: impl Fn(&mut Self, Bound) -> Result<bool, Undefined>,
    ) -> Result<Denotation, Undefined> {
        let mut kept = RowSet::empty(self.graph.row_count());
        for row in 0..self.graph.row_count() {
            if or_none(keep(self, Bound::Row(row as u32)))? {
                kept.insert(row);
            }
        }
        Ok(Denotation::Rows(kept))
    }

    fn keep_entities(
        &mut self,
        keep: impl Fn(&mut Self, Bound) -> Result<bool, Undefined>,
    ) -> Result<Denotation, Undefined> {
        let mut kept = Vec::new();
        for entity in self.graph.entities() {
            let item = Item { value: Value::Entity(entity), cell: None };
            if or_none(keep(self, Bound::Value(item)))? {
                kept.push(item);
            }
        }
        Ok(Denotation::Values(kept))
    }

    fn with(&mut self, formulas: &Formulas, var: Var, member: Bound, body: FormulaId) -> Outcome {
        self.spend(self.graph.row_count())?;
        self.bound.push((var, member));
        let outcome = self.denote(formulas, body);
        self.bound.pop();
        outcome
    }

    /// The rows or the different values of a denotation, in order.
    fn members(&self, of: &Denotation) -> Result<Vec<Bound>, Undefined> {
        match of {
            Denotation::Rows(rows) => Ok(rows.iter().map(|row| Bound::Row(row as u32)).collect()),
            _ => {
                let mut seen = rustc_hash::FxHashSet::default();
                let items = self.list(of)?;
                Ok(items.iter().filter(|item| seen.insert(item.value)).map(|item| Bound::Value(*item)).collect())
            }
        }
    }

    fn superlative(
        &mut self,
        formulas: &Formulas,
        op: Superlative,
        of: &Denotation,
        key: FormulaId,
    ) -> Result<Denotation, Undefined> {
        let members = self.members(of)?;
        let mut best = Best { op, value: None, at: Vec::new() };
        match RowKey::new(formulas, key) {
            Some(row_key) => {
                for (at, member) in members.iter().enumerate() {
                    let Bound::Row(row) = member else { return Err(Undefined::Type) };
                    if let Some(value) = row_key.of(self.graph, *row) {
                        best.offer(at, value)?;
                    }
                }
            }
            None => {
                for (at, member) in members.iter().enumerate() {
                    for value in self.keys_of(formulas, *member, key)? {
                        best.offer(at, value)?;
                    }
                }
            }
        }
        best.at.dedup();
        let chosen = best.at.into_iter().map(|at| members[at]);
        Ok(match of {
            Denotation::Rows(rows) => {
                let mut kept = RowSet::empty(rows.len());
                chosen.for_each(|member| {
                    if let Bound::Row(row) = member {
                        kept.insert(row as usize)
                    }
                });
                Denotation::Rows(kept)
            }
            _ => {
                let best: Vec<Value> =
                    chosen.filter_map(|m| if let Bound::Value(i) = m { Some(i.value) } else { None }).collect();
                let items = self.list(of)?;
                Denotation::Values(items.iter().filter(|item| best.contains(&item.value)).copied().collect())
            }
        })
    }

    /// What stands on the right of a binary's pairs for one member on the left.
    fn keys_of(&mut self, formulas: &Formulas, member: Bound, key: FormulaId) -> Result<Vec<Value>, Undefined> {
        let outcome = match formulas.node(key) {
            Node::Reverse(inner) => match formulas.node(inner) {
                Node::Lambda(var, body) => self.with(formulas, var, member, body).map(|d| (*d).clone()),
                _ => self.follow(member, |executor, of| executor.join(formulas, inner, of)),
            },
            Node::Lambda(var, body) => match formulas.chain(var, body) {
                Some(path) => self.follow(member, |executor, of| {
                    path.iter().try_fold(of.clone(), |of, step| executor.join_back(formulas, *step, &of))
                }),
                None => Err(Undefined::Type),
            },
            _ => self.follow(member, |executor, of| executor.join_back(formulas, key, of)),
        };
        match outcome {
            Ok(denotation) => Ok(self.list(&denotation)?.iter().map(|item| item.value).collect()),
            Err(Undefined::TooLong) => Err(Undefined::TooLong),
            Err(Undefined::Type) => Err(Undefined::Type),
            // A member without a key is left out, like a row whose cell is no number.
            Err(_) => Ok(Vec::new()),
        }
    }

    fn follow(
        &mut self,
        member: Bound,
        step: impl FnOnce(&mut Self, &Denotation) -> Result<Denotation, Undefined>,
    ) -> Result<Denotation, Undefined> {
        self.spend(self.graph.row_count())?;
        let of = match member {
            Bound::Row(row) => Denotation::Rows(RowSet::one(self.graph.row_count(), row)),
            Bound::Value(item) => Denotation::Values(vec![item]),
        };
        step(self, &of)
    }
}

/// A body that means nothing for one member does not hold for it; a wrong type is wrong for all of them.
fn or_none(outcome: Result<bool, Undefined>) -> Result<bool, Undefined> {
    match outcome {
        Err(Undefined::Type) | Err(Undefined::TooLong) | Ok(_) => outcome,
        Err(_) => Ok(false),
    }
}

impl Denotation {
    pub fn is_empty(&self) -> bool {
        match self {
            Denotation::Rows(rows) => rows.is_empty(),
            Denotation::Values(items) => items.is_empty(),
            Denotation::Passing(_) => false,
        }
    }

    /// How many different rows or values there are; `None` when they are only described.
    pub fn count(&self) -> Option<usize> {
        match self {
            Denotation::Rows(rows) => Some(rows.count()),
            Denotation::Values(items) => Some(distinct(items).len()),
            Denotation::Passing(_) => None,
        }
    }
}

impl Denotation {
    /// The answer as people read it: each different value once; a row is its number, from 1.
    pub fn show(&self, graph: &Graph) -> Vec<String> {
        match self {
            Denotation::Rows(rows) => rows.iter().map(|row| format!("row {}", row + 1)).collect(),
            Denotation::Values(items) => distinct(items).into_iter().map(|value| graph.show(value)).collect(),
            Denotation::Passing(_) => Vec::new(),
        }
    }
}

/// The different values of a list, in the order of their first occurrence.
pub fn distinct(items: &[Item]) -> Vec<Value> {
    if items.len() <= 16 {
        let mut found: Vec<Value> = Vec::with_capacity(items.len());
        for item in items {
            if !found.contains(&item.value) {
                found.push(item.value);
            }
        }
        return found;
    }
    let mut seen = rustc_hash::FxHashSet::default();
    items.iter().map(|item| item.value).filter(|value| seen.insert(*value)).collect()
}

impl Test {
    fn one_of(items: &[Item]) -> Test {
        Test { reading: None, condition: Condition::OneOf(distinct(items)) }
    }

    /// Whether a value of the table passes.
    pub fn passes(&self, graph: &Graph, value: Value) -> bool {
        let Some(reading) = self.reading else { return self.condition.holds(value) };
        let Value::Entity(entity) = value else { return false };
        match reading {
            Reading::Part => {
                let parts = graph.parts(entity);
                match parts.is_empty() {
                    true => self.condition.holds(value),
                    false => parts.iter().any(|part| self.condition.holds(Value::Entity(*part))),
                }
            }
            _ => graph.read(entity, reading).is_some_and(|value| self.condition.holds(value)),
        }
    }

    /// A value that this is a comparison with.
    pub fn bound(&self) -> Option<Value> {
        match (&self.condition, self.reading) {
            (Condition::All(comparisons), None) => comparisons.first().map(|(_, value)| *value),
            _ => None,
        }
    }

    fn is_about_entities(&self) -> bool {
        let entity = |value: &Value| matches!(value, Value::Entity(_));
        self.reading.is_some()
            || match &self.condition {
                Condition::All(comparisons) => comparisons.iter().any(|(_, value)| entity(value)),
                Condition::OneOf(values) => values.iter().any(entity),
            }
    }

    fn and(&self, other: &Test) -> Option<Test> {
        match (&self.condition, &other.condition) {
            (Condition::All(a), Condition::All(b)) if self.reading == other.reading => {
                Some(Test { reading: self.reading, condition: Condition::All([a.as_slice(), b].concat()) })
            }
            _ => None,
        }
    }
}

impl Condition {
    fn holds(&self, value: Value) -> bool {
        match self {
            Condition::All(comparisons) => comparisons.iter().all(|(op, bound)| holds(*op, value, *bound)),
            Condition::OneOf(values) => values.iter().any(|wanted| same(value, *wanted)),
        }
    }
}

/// Whether a value is the one asked for; a date with unknown parts stands for every date that agrees with it.
fn same(value: Value, wanted: Value) -> bool {
    match (value, wanted) {
        (Value::Date(date), Value::Date(wanted)) => {
            wanted.known() & date.known() == wanted.known() && date.agrees(wanted)
        }
        _ => value == wanted,
    }
}

/// Whether `value op bound`.
fn holds(op: Compare, value: Value, bound: Value) -> bool {
    match (value, bound) {
        (Value::Number(a), Value::Number(b)) => match op {
            Compare::Less => a < b,
            Compare::Greater => a > b,
            Compare::AtMost => a <= b,
            Compare::AtLeast => a >= b,
            Compare::NotEqual => a != b,
        },
        (Value::Date(a), Value::Date(b)) => date_holds(op, a, b),
        (Value::Entity(a), Value::Entity(b)) => op == Compare::NotEqual && a != b,
        _ => false,
    }
}

/// A date before or after another: unknown parts of the bound are the earliest for `<` and `>=`, the latest for `>` and
/// `<=`. A bound without a year compares month and day alone; a date without what the bound begins with never passes.
fn date_holds(op: Compare, date: Date, bound: Date) -> bool {
    if op == Compare::NotEqual {
        return !same(Value::Date(date), Value::Date(bound));
    }
    let date = match bound.year() {
        Some(_) => date.year().map(|_| date),
        None => Date::new(None, date.month(), date.day()).filter(|d| d.month().is_some() == bound.month().is_some()),
    };
    date.is_some_and(|date| match op {
        Compare::Less => date.earliest() < bound.earliest(),
        Compare::AtLeast => date.earliest() >= bound.earliest(),
        Compare::Greater => date.latest() > bound.latest(),
        Compare::AtMost => date.latest() <= bound.latest(),
        Compare::NotEqual => unreachable!("handled above"),
    })
}

/// The entities of a list, as bits.
struct EntitySet(Vec<u64>);

impl EntitySet {
    fn new(graph: &Graph, items: &[Item]) -> Result<EntitySet, Undefined> {
        let mut bits = vec![0; graph.entity_count().div_ceil(64)];
        for item in items {
            let Value::Entity(EntityId(id)) = item.value else { return Err(Undefined::Type) };
            bits[id as usize / 64] |= 1 << (id % 64);
        }
        Ok(EntitySet(bits))
    }

    fn contains(&self, entity: EntityId) -> bool {
        self.0[entity.0 as usize / 64] >> (entity.0 % 64) & 1 == 1
    }
}

fn rows(of: &Denotation) -> Result<&RowSet, Undefined> {
    match of {
        Denotation::Rows(rows) => Ok(rows),
        _ => Err(Undefined::Type),
    }
}

/// `Number.u`: the entities that read as one of `u`, described by a test.
fn read_as(reading: Reading, of: &Denotation) -> Result<Denotation, Undefined> {
    let test = match of {
        Denotation::Rows(_) => return Err(Undefined::Type),
        Denotation::Values(items) => Test { reading: Some(reading), ..Test::one_of(items) },
        Denotation::Passing(test) if test.reading.is_none() => Test { reading: Some(reading), ..test.clone() },
        Denotation::Passing(_) => return Err(Undefined::Infinite),
    };
    Ok(Denotation::Passing(test))
}

/// `>=.u`: all values that compare so with the one value of `u`.
fn compare(op: Compare, of: &Denotation) -> Result<Denotation, Undefined> {
    let value = match of {
        Denotation::Values(items) => match distinct(items).as_slice() {
            [value] => *value,
            _ => return Err(Undefined::NotSingle),
        },
        Denotation::Rows(_) => return Err(Undefined::Type),
        Denotation::Passing(_) => return Err(Undefined::Infinite),
    };
    if op != Compare::NotEqual && matches!(value, Value::Entity(_)) {
        return Err(Undefined::Type);
    }
    Ok(Denotation::Passing(Test { reading: None, condition: Condition::All(vec![(op, value)]) }))
}

fn or(a: &Denotation, b: &Denotation) -> Result<Denotation, Undefined> {
    match (a, b) {
        (Denotation::Rows(a), Denotation::Rows(b)) => Ok(Denotation::Rows(a.or(b))),
        (Denotation::Values(a), Denotation::Values(b)) => {
            let mut all = a.clone();
            all.extend(b.iter().filter(|item| item.cell.is_none() || !a.contains(item)));
            Ok(Denotation::Values(all))
        }
        (Denotation::Passing(_), _) | (_, Denotation::Passing(_)) => Err(Undefined::Infinite),
        _ => Err(Undefined::Type),
    }
}

fn single(value: Value) -> Result<Denotation, Undefined> {
    Ok(Denotation::Values(vec![Item { value, cell: None }]))
}

fn numbers_of(rows: &RowSet, number: impl Fn(usize) -> f64) -> Result<Denotation, Undefined> {
    let item = |row| Item { value: Value::Number(number(row)), cell: None };
    Ok(Denotation::Values(rows.iter().map(item).collect()))
}

/// For each row, how many rows up to it hold the same entity in a column, without a gap.
fn runs(graph: &Graph, column: ColumnId) -> Vec<u32> {
    let cells = &graph.column(column).cells;
    let mut runs: Vec<u32> = Vec::with_capacity(cells.len());
    for (row, cell) in cells.iter().enumerate() {
        let before = if row > 0 && cells[row - 1] == *cell { runs[row - 1] } else { 0 };
        runs.push(before + 1);
    }
    runs
}

fn aggregate(op: Aggregate, list: &Denotation) -> Result<Value, Undefined> {
    if op == Aggregate::Count {
        return list.count().map(|n| Value::Number(n as f64)).ok_or(Undefined::Infinite);
    }
    let items = match list {
        Denotation::Values(items) if items.is_empty() => return Err(Undefined::Empty),
        Denotation::Values(items) => items,
        Denotation::Rows(_) => return Err(Undefined::Type),
        Denotation::Passing(_) => return Err(Undefined::Infinite),
    };
    match op {
        Aggregate::Max => extreme(Superlative::Argmax, items),
        Aggregate::Min => extreme(Superlative::Argmin, items),
        Aggregate::Sum | Aggregate::Avg | Aggregate::Count => {
            let sum = items.iter().try_fold(0.0, |sum, item| Ok(sum + number(item.value)?))?;
            let result = if op == Aggregate::Avg { sum / items.len() as f64 } else { sum };
            Value::number(result).ok_or(Undefined::NotANumber)
        }
    }
}

fn extreme(op: Superlative, items: &[Item]) -> Result<Value, Undefined> {
    let mut best = Best { op, value: None, at: Vec::new() };
    items.iter().enumerate().try_for_each(|(at, item)| best.offer(at, item.value))?;
    best.value.ok_or(Undefined::Empty)
}

fn number(value: Value) -> Result<f64, Undefined> {
    match value {
        Value::Number(n) => Ok(n),
        _ => Err(Undefined::Type),
    }
}

fn the_number(of: &Denotation) -> Result<f64, Undefined> {
    match of {
        Denotation::Values(items) => match distinct(items).as_slice() {
            [value] => number(*value),
            _ => Err(Undefined::NotSingle),
        },
        Denotation::Rows(_) => Err(Undefined::Type),
        Denotation::Passing(_) => Err(Undefined::Infinite),
    }
}

fn arithmetic(op: Arithmetic, a: f64, b: f64) -> Result<Value, Undefined> {
    let result = match op {
        Arithmetic::Add => a + b,
        Arithmetic::Sub => a - b,
        Arithmetic::Mul => a * b,
        Arithmetic::Div => a / b,
    };
    Value::number(result).ok_or(Undefined::NotANumber)
}

/// The members with the largest or smallest key seen so far.
struct Best {
    op: Superlative,
    value: Option<Value>,
    at: Vec<usize>,
}

impl Best {
    fn offer(&mut self, at: usize, value: Value) -> Result<(), Undefined> {
        let order = match self.value {
            None => Ordering::Greater,
            Some(best) => ordered(value, best)?,
        };
        let better = match self.op {
            Superlative::Argmax => order,
            Superlative::Argmin if self.value.is_some() => order.reverse(),
            Superlative::Argmin => order,
        };
        match better {
            Ordering::Greater => {
                self.value = Some(value);
                self.at.clear();
                self.at.push(at);
            }
            Ordering::Equal => self.at.push(at),
            Ordering::Less => {}
        }
        Ok(())
    }
}

/// The order of two numbers, or of two dates that know the same parts.
fn ordered(a: Value, b: Value) -> Result<Ordering, Undefined> {
    match (a, b) {
        (Value::Number(_), Value::Number(_)) => Ok(a.cmp(&b)),
        (Value::Date(x), Value::Date(y)) if x.known() == y.known() => Ok(x.earliest().cmp(&y.earliest())),
        (Value::Entity(_), _) | (_, Value::Entity(_)) => Err(Undefined::Type),
        _ => Err(Undefined::Unordered),
    }
}

/// The keys that nearly every superlative over rows uses, looked up without building lists.
enum RowKey {
    Index,
    Read(ColumnId, Reading),
}

impl RowKey {
    fn new(formulas: &Formulas, key: FormulaId) -> Option<RowKey> {
        let read = |column: FormulaId, reading: FormulaId| match (formulas.node(column), formulas.node(reading)) {
            (_, Node::Reading(Reading::Part)) => None,
            (Node::Column(column), Node::Reading(reading)) => Some(RowKey::Read(column, reading)),
            _ => None,
        };
        match formulas.node(key) {
            Node::Index => Some(RowKey::Index),
            Node::Lambda(var, body) => match formulas.chain(var, body)?.as_slice() {
                [column, reading] => read(*column, *reading),
                _ => None,
            },
            Node::Reverse(inner) => {
                let Node::Lambda(var, body) = formulas.node(inner) else { return None };
                let path = formulas.chain(var, body)?;
                let [reading, column] = path.as_slice() else { return None };
                match (formulas.node(*reading), formulas.node(*column)) {
                    (Node::Reverse(reading), Node::Reverse(column)) => read(column, reading),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn of(&self, graph: &Graph, row: u32) -> Option<Value> {
        match *self {
            RowKey::Index => Some(Value::Number(f64::from(row))),
            RowKey::Read(column, reading) => graph.read(graph.entity_at(Cell { row, column }), reading),
        }
    }
}
