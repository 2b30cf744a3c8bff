//! Execution of formulas on a graph. [`Executor::denote`] computes the [`Denotation`] of a formula, [`evidence`] the
//! cells behind it. Execution is total and pure: a formula without a meaning in this table is [`Undefined`], never a
//! panic, and the result does not depend on earlier executions. The denotation of every closed part is kept, so a
//! formula built from known ones costs one more step.

mod across;
mod aggregate;
mod denotation;
mod evidence;
mod filter;
mod group;
mod index;
mod keys;
mod lambda;
mod rows;
mod superlative;

pub use denotation::{Denotation, Group, Item, Items, Undefined, Values, distinct, has_more_values};
pub use evidence::{Evidence, evidence};
pub use filter::{Filter, TextFilter, Wanted};
pub use rows::RowSet;

use crate::formula::types::Type;
use crate::formula::{Aggregate, Compare, FormulaId, Formulas, Node, Relation, Test, Var, Way};
use crate::graph::{Cell, ColumnId, Graph, Reading};
use crate::value::{EntityId, Value};
use across::{Amounts, Columnwise};
use aggregate::{aggregate, arithmetic, count_of, test};
use denotation::{difference, intersection, union};
use index::{ColumnIndex, EntitySet, ReadIndex};
use lambda::Bound;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::rc::Rc;
use superlative::Keyed;

/// Shared denotation of a formula, or the reason why it has none.
pub type Outcome = Result<Rc<Denotation>, Undefined>;

/// Executes formulas on one graph and keeps their denotations.
pub struct Executor<'g> {
    graph: &'g Graph,
    formulas: Formulas,
    /// Outcome of each closed formula that was executed, by formula id.
    known: Vec<Option<Outcome>>,
    /// Variables in scope, innermost last.
    bound: Vec<(Var, Bound)>,
    /// Number of lambdas and superlatives whose members are being visited.
    inside: usize,
    /// Steps left for the closed formula that is being executed.
    steps: u64,
    /// Bytes of memory that what is kept takes.
    memory: u64,
    /// True after something was not kept because the graph has no room for it.
    is_full: bool,
    /// For each column that was used inside a lambda, the rows of each entity.
    indexes: Vec<Option<ColumnIndex>>,
    /// For each reading of a column that was used inside a lambda, the rows of each value.
    read_indexes: FxHashMap<(ColumnId, Reading), ReadIndex>,
    /// Amounts of each row that were computed across columns.
    amounts: FxHashMap<Columnwise, Result<Amounts, Undefined>>,
    /// Different values of a list with their keys, by the formulas of both: a search asks for the most and for the least.
    keyed: FxHashMap<(FormulaId, FormulaId), Rc<[Keyed]>>,
    /// For each lambda and mark that was tried on every member, the type of its variable.
    bound_types: FxHashMap<FormulaId, Result<Type, Undefined>>,
}

impl<'g> Executor<'g> {
    /// Limit on the elements that are visited inside the lambdas of a closed formula; beyond it the formula is
    /// [`Undefined::TooLong`]. Closed parts have their own limit. Work outside lambdas is linear in the table and not
    /// counted. Counting steps instead of time keeps the result the same on every machine.
    pub const STEPS: u64 = 20_000_000;

    /// Makes an executor for the formulas of an arena. It owns the arena, because denotations are kept by formula id
    /// and would be wrong for the ids of another one.
    pub fn new(graph: &'g Graph, formulas: Formulas) -> Executor<'g> {
        Executor {
            graph,
            formulas,
            known: Vec::new(),
            bound: Vec::new(),
            inside: 0,
            steps: Executor::STEPS,
            memory: 0,
            is_full: false,
            indexes: Vec::new(),
            read_indexes: FxHashMap::default(),
            amounts: FxHashMap::default(),
            keyed: FxHashMap::default(),
            bound_types: FxHashMap::default(),
        }
    }

    /// The formulas on another graph with the same entities; nothing is known of them there.
    pub fn on(self, graph: &Graph) -> Executor<'_> {
        Executor::new(graph, self.formulas)
    }

    /// Graph on which formulas are executed.
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// Arena of the formulas.
    pub fn formulas(&self) -> &Formulas {
        &self.formulas
    }

    /// Arena of the formulas, for adding more.
    pub fn formulas_mut(&mut self) -> &mut Formulas {
        &mut self.formulas
    }

    /// Returns the denotation of a closed unary formula.
    pub fn denote(&mut self, id: FormulaId) -> Outcome {
        let at = id.0 as usize;
        if let Some(Some(known)) = self.known.get(at) {
            return known.clone();
        }
        if self.is_full {
            return Err(Undefined::TooLarge);
        }
        // The denotation of an open part changes with its variables, so it is not kept.
        if self.formulas.is_open(id) {
            return self.compute(id).map(Rc::new);
        }
        let outcome = self.compute_closed(id).and_then(|denotation| self.kept(denotation)).map(Rc::new);
        if self.known.len() <= at {
            self.known.resize(self.formulas.len().max(at + 1), None);
        }
        self.known[at] = Some(outcome.clone());
        outcome
    }

    /// Takes the memory of a denotation that is going to be kept.
    fn kept(&mut self, denotation: Denotation) -> Result<Denotation, Undefined> {
        self.take_memory(denotation.memory())?;
        Ok(denotation)
    }

    /// Takes memory from the room of the graph.
    fn take_memory(&mut self, bytes: usize) -> Result<(), Undefined> {
        self.has_room(bytes)?;
        self.memory = self.memory.saturating_add(bytes as u64);
        Ok(())
    }

    /// Returns an error if the graph has no room for something that is going to be allocated.
    fn has_room(&mut self, bytes: usize) -> Result<(), Undefined> {
        self.is_full |= bytes as u64 > self.room();
        if self.is_full { Err(Undefined::TooLarge) } else { Ok(()) }
    }

    /// Returns an error if the graph has no room for a list that is going to be made.
    fn has_room_for_items(&mut self, count: usize) -> Result<(), Undefined> {
        self.has_room(count.saturating_mul(size_of::<Item>()))
    }

    /// True after a formula was [`Undefined::TooLarge`]: the executor keeps nothing more, and others are as well.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Bytes of memory that are left of the room of the graph.
    pub fn room(&self) -> u64 {
        self.graph.room().saturating_sub(self.memory)
    }

    /// Computes a closed formula independently of the formula around it: it gets its own steps and sees no outer
    /// variables. Otherwise the outcome that is kept would depend on where the formula was met first.
    fn compute_closed(&mut self, id: FormulaId) -> Result<Denotation, Undefined> {
        if self.formulas.depth(id) > Formulas::DEPTH {
            return Err(Undefined::TooLong);
        }
        self.alone(|executor| executor.compute(id))
    }

    /// Computes something that is kept, with its own steps and without outer variables.
    fn alone<T>(&mut self, compute: impl FnOnce(&mut Self) -> T) -> T {
        let bound = std::mem::take(&mut self.bound);
        let inside = std::mem::take(&mut self.inside);
        let steps = std::mem::replace(&mut self.steps, Executor::STEPS);
        let outcome = compute(self);
        (self.bound, self.inside, self.steps) = (bound, inside, steps);
        outcome
    }

    /// Returns the denotation of a part. Inside a lambda, its weight counts as steps.
    fn part(&mut self, id: FormulaId) -> Outcome {
        let denotation = self.denote(id)?;
        if self.inside > 0 {
            self.spend(1 + denotation.weight())?;
        }
        Ok(denotation)
    }

    /// Takes steps from those left.
    fn spend(&mut self, steps: usize) -> Result<(), Undefined> {
        self.steps = self.steps.checked_sub(steps as u64).ok_or(Undefined::TooLong)?;
        Ok(())
    }

    /// Computes a formula from the denotations of its parts.
    fn compute(&mut self, id: FormulaId) -> Result<Denotation, Undefined> {
        match self.formulas.node(id) {
            Node::Value(Value::Entity(entity)) if self.graph.is_missing(entity) => Ok(Denotation::Values(Items::new())),
            Node::Value(value) => Ok(Denotation::single(value)),
            Node::Rows => Ok(Denotation::Rows(RowSet::full(self.graph.row_count()))),
            Node::Var(var) => self.look_up(var),
            Node::Join(binary, unary) => {
                let of = self.part(unary)?;
                self.join(binary, &of)
            }
            Node::And(a, b) => {
                let (a, b) = (self.part(a)?, self.part(b)?);
                self.has_room(a.memory().max(b.memory()))?;
                intersection(&a, &b, self.graph)
            }
            Node::Or(a, b) => {
                let (a, b) = (self.part(a)?, self.part(b)?);
                self.has_room(a.memory().saturating_add(b.memory()))?;
                union(&[&*a, &*b])
            }
            Node::Aggregate(op, of) => {
                let of = self.part(of)?;
                self.aggregate(op, &of)
            }
            Node::Superlative(op, id, key) => {
                let of = self.part(id)?;
                self.superlative(op, (id, &of), key)
            }
            Node::Arithmetic(op, a, b) => {
                let (a, b) = (self.part(a)?, self.part(b)?);
                arithmetic(op, a.the_value()?, b.the_value()?).map(Denotation::single)
            }
            Node::Mark(var, body) => self.mark(id, var, body),
            Node::Top(op, id, key, n) => {
                let (of, n) = (self.part(id)?, self.part(n)?);
                self.top(op, (id, &of), key, count_of(n.the_value()?)?)
            }
            Node::Group(of, key) => {
                let of = self.part(of)?;
                self.group(&of, key)
            }
            Node::Having(of, key, wanted) => {
                let (of, wanted) = (self.part(of)?, self.part(wanted)?);
                self.having(&of, key, &wanted)
            }
            Node::Except(a, b) => {
                let (a, b) = (self.part(a)?, self.part(b)?);
                self.has_room(a.memory())?;
                difference(&a, &b, self.graph)
            }
            Node::Exists(of) => self.exists(of).map(|truth| Denotation::single(Value::Truth(truth))),
            Node::Test(op, a, b) => {
                let (a, b) = (self.part(a)?, self.part(b)?);
                self.test(op, &a, &b).map(|truth| Denotation::single(Value::Truth(truth)))
            }
            Node::Missing(binary) => self.missing(binary).map(Denotation::Rows),
            Node::Text(test, text) => {
                let text = TextFilter::new(test, self.formulas.text(text));
                Ok(Denotation::Passing(Filter::Text(text)))
            }
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => Err(Undefined::Type),
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => Err(Undefined::Type),
        }
    }

    /// `exists(u)`. Where nothing is left to be joined, there is no member.
    fn exists(&mut self, of: FormulaId) -> Result<bool, Undefined> {
        match self.part(of) {
            Ok(of) => match &*of {
                Denotation::Groups(_) => Err(Undefined::Type),
                Denotation::Passing(_) => Ok(!self.list(&of)?.is_empty()),
                of => Ok(!of.is_empty()),
            },
            Err(Undefined::Empty) => Ok(false),
            Err(undefined) => Err(undefined),
        }
    }

    /// `gt(u, v)` and the other tests. An empty list is not within another: the question does not arise.
    fn test(&mut self, op: Test, a: &Denotation, b: &Denotation) -> Result<bool, Undefined> {
        match (op, a, b) {
            (Test::Within, _, _) if a.is_empty() => Err(Undefined::Empty),
            (Test::Within, Denotation::Rows(a), Denotation::Rows(b)) => Ok(a.without(b).is_empty()),
            (Test::Within, _, _) => {
                let wanted = b.filter()?;
                let graph = self.graph;
                Ok(self.list(a)?.iter().all(|item| wanted.passes(graph, item.value)))
            }
            _ => test(op, a.the_value()?, b.the_value()?),
        }
    }

    /// `b.u` for a denotation of `u`.
    fn join(&mut self, binary: FormulaId, of: &Denotation) -> Result<Denotation, Undefined> {
        let (relation, way) = self.formulas.relation(binary).ok_or(Undefined::Type)?;
        self.follow(relation, way, of)
    }

    /// Follows a relation from each member of `of`.
    fn follow(&mut self, relation: Relation, way: Way, of: &Denotation) -> Result<Denotation, Undefined> {
        match (relation, way) {
            (Relation::Column(column), Way::Back) => self.rows_with(column, of),
            (Relation::Column(column), Way::Forth) => self.cells_of(column, of.rows()?),
            (Relation::Reading(reading), Way::Back) => {
                Ok(Denotation::Passing(Filter::Read(reading, Box::new(of.filter()?))))
            }
            (Relation::Reading(reading), Way::Forth) => self.readings_of(reading, of),
            (Relation::Next, Way::Back) => Ok(Denotation::Rows(of.rows()?.shifted_up())),
            (Relation::Next, Way::Forth) => Ok(Denotation::Rows(of.rows()?.shifted_down())),
            (Relation::Index, Way::Back) => self.rows_numbered(of, |row| row as f64),
            (Relation::Index, Way::Forth) => self.numbers_of(of.rows()?, |row| row as f64),
            (Relation::Run(column), Way::Back) => {
                self.spend_on_rows()?;
                let runs = runs(self.graph, column);
                self.rows_numbered(of, |row| f64::from(runs[row]))
            }
            (Relation::Run(column), Way::Forth) => {
                self.spend_on_rows()?;
                let runs = runs(self.graph, column);
                self.numbers_of(of.rows()?, |row| f64::from(runs[row]))
            }
            (Relation::Compare(op), Way::Back) => compare(op, of),
            (Relation::Compare(op), Way::Forth) => compare(op.flipped(), of),
            (Relation::Across(op, a, b), Way::Back) => self.rows_of_amounts((op, a, b), of),
            (Relation::Across(op, a, b), Way::Forth) => self.amounts_of((op, a, b), of.rows()?),
            (Relation::Lambda(var, body), Way::Back) => self.apply(var, body, of),
            (Relation::Lambda(var, body), Way::Forth) => self.unapply(var, body, of),
        }
    }

    /// Rows whose cell in a column is one of the values; never those where it is missing.
    fn rows_with(&mut self, column: ColumnId, of: &Denotation) -> Result<Denotation, Undefined> {
        let cells = &self.graph.column(column).cells;
        let rows = match of {
            Denotation::Rows(_) | Denotation::Groups(_) => return Err(Undefined::Type),
            Denotation::Values(items) => match items.as_slice() {
                [Item { value: Value::Entity(only), .. }] if self.graph.is_missing(*only) => RowSet::empty(cells.len()),
                // A single lookup is one pass over the column; an index pays off only where lookups repeat.
                [Item { value: Value::Entity(only), .. }] if self.inside == 0 => {
                    RowSet::filter(cells.len(), |row| cells[row] == *only)
                }
                [Item { value: Value::Entity(only), .. }] => self.index(column).rows_of(*only, cells.len()),
                _ => {
                    self.spend_on_rows()?;
                    let wanted = EntitySet::new(self.graph, items)?;
                    RowSet::filter(cells.len(), |row| wanted.contains(cells[row]))
                }
            },
            Denotation::Passing(filter) => {
                if let Some((reading, value)) = filter.one_reading().filter(|_| self.inside > 0) {
                    let rows = self.read_index(column, reading).rows(value);
                    return Ok(Denotation::Rows(RowSet::from_rows(cells.len(), rows.iter().map(|row| *row as usize))));
                }
                self.spend_on_rows()?;
                RowSet::filter(cells.len(), |row| filter.passes(self.graph, Value::Entity(cells[row])))
            }
        };
        Ok(Denotation::Rows(rows))
    }

    /// Counts a pass over all rows, which matters only if it is repeated for each member.
    fn spend_on_rows(&mut self) -> Result<(), Undefined> {
        if self.inside == 0 { Ok(()) } else { self.spend(self.graph.row_count()) }
    }

    /// Rows of each entity in a column, indexed on first use.
    fn index(&mut self, column: ColumnId) -> &ColumnIndex {
        let at = usize::from(column.0);
        if self.indexes.len() <= at {
            self.indexes.resize_with(at + 1, || None);
        }
        if self.indexes[at].is_none() {
            let numbers = self.graph.entity_count_here() + self.graph.row_count();
            self.memory = self.memory.saturating_add((numbers * size_of::<u32>()) as u64);
        }
        self.indexes[at].get_or_insert_with(|| ColumnIndex::new(self.graph, column))
    }

    /// Rows of each value of a reading in a column, indexed on first use.
    fn read_index(&mut self, column: ColumnId, reading: Reading) -> &ReadIndex {
        let (graph, memory) = (self.graph, &mut self.memory);
        self.read_indexes.entry((column, reading)).or_insert_with(|| {
            *memory = memory.saturating_add((graph.row_count() * READ_ROW) as u64);
            ReadIndex::new(graph, column, reading)
        })
    }

    /// Entities in a column of some rows, each with its cell. Missing cells are left out.
    fn cells_of(&mut self, column: ColumnId, rows: &RowSet) -> Result<Denotation, Undefined> {
        self.has_room_for_items(rows.count())?;
        let cells = &self.graph.column(column).cells;
        let item = |row: usize| {
            let item = Item { value: Value::Entity(cells[row]), cell: Some(Cell { row: row as u32, column }) };
            (!self.graph.is_missing(cells[row])).then_some(item)
        };
        Ok(Denotation::Values(listed(rows, item)))
    }

    /// A number for each row.
    fn numbers_of(&mut self, rows: &RowSet, number: impl Fn(usize) -> f64) -> Result<Denotation, Undefined> {
        self.has_room_for_items(rows.count())?;
        Ok(Denotation::Values(listed(rows, |row| Some(Item::bare(Value::Number(number(row)))))))
    }

    /// Rows whose number, as given by `number`, is one of the values.
    fn rows_numbered(&mut self, of: &Denotation, number: impl Fn(usize) -> f64) -> Result<Denotation, Undefined> {
        self.spend_on_rows()?;
        let filter = of.filter()?;
        let passes = |row: usize| filter.passes(self.graph, Value::Number(number(row)));
        Ok(Denotation::Rows(RowSet::filter(self.graph.row_count(), passes)))
    }

    /// Readings of the entities of a list. Entities without the reading are left out.
    fn readings_of(&mut self, reading: Reading, of: &Denotation) -> Result<Denotation, Undefined> {
        let items = self.list(of)?;
        self.has_room_for_items(self.reading_count(reading, &items))?;
        let mut found = Items::with_capacity(items.len());
        for item in items.iter() {
            let Value::Entity(entity) = item.value else { return Err(Undefined::Type) };
            let is_present = |part: &&EntityId| !self.graph.is_missing(**part);
            match reading {
                Reading::Part => {
                    let parts = self.graph.parts(entity);
                    // A text that is not a list counts as a list of one.
                    let parts = if parts.is_empty() { std::slice::from_ref(&entity) } else { parts };
                    found.extend(
                        parts.iter().filter(is_present).map(|part| Item { value: Value::Entity(*part), ..*item }),
                    );
                }
                _ => found.extend(read(self.graph, entity, reading).map(|value| Item { value, ..*item })),
            }
        }
        Ok(Denotation::Values(found))
    }

    /// Those items of a list that pass. In a long list they are counted first, so that they take no more memory than they
    /// need.
    fn those(&mut self, items: &[Item], passes: impl Fn(&Item) -> bool) -> Result<Denotation, Undefined> {
        let passing = items.iter().filter(|item| passes(item));
        let mut kept = Items::new();
        if items.len() > MANY {
            let count = passing.clone().count();
            self.has_room_for_items(count)?;
            kept.reserve_exact(count);
        }
        kept.extend(passing.copied());
        Ok(Denotation::Values(kept))
    }

    /// Upper bound on the number of readings of the entities of a list. Many rows may repeat a cell of many parts.
    fn reading_count(&self, reading: Reading, items: &[Item]) -> usize {
        let parts = |item: &Item| match item.value {
            Value::Entity(entity) => self.graph.parts(entity).len().max(1),
            _ => 1,
        };
        if reading == Reading::Part { items.iter().map(parts).sum() } else { items.len() }
    }

    /// Aggregates a list; values behind a filter are listed first.
    fn aggregate(&mut self, op: Aggregate, of: &Denotation) -> Result<Denotation, Undefined> {
        let value = match of {
            Denotation::Passing(_) => aggregate(op, &Denotation::Values(Items::from_slice(&self.list(of)?)))?,
            _ => aggregate(op, of)?,
        };
        Ok(Denotation::single(value))
    }

    /// Lists the items of a denotation of values. Those of a filter are found among the graph's entities; a filter that
    /// numbers or dates can pass has no list.
    fn list<'d>(&mut self, of: &'d Denotation) -> Result<Cow<'d, [Item]>, Undefined> {
        match of {
            Denotation::Rows(_) | Denotation::Groups(_) => Err(Undefined::Type),
            Denotation::Values(items) => Ok(items.as_slice().into()),
            Denotation::Passing(filter) if filter.is_about_entities() => {
                if self.inside > 0 {
                    self.spend(self.graph.entity_count_here())?;
                }
                let entities = self.graph.entities_here().map(Value::Entity);
                Ok(entities.filter(|value| filter.passes(self.graph, *value)).map(Item::bare).collect())
            }
            Denotation::Passing(_) => Err(Undefined::Infinite),
        }
    }
}

/// Number of items from which memory counts more than time.
const MANY: usize = 10_000;
/// Bytes that a row takes in the index of a reading: a value with a list of its own, at most.
const READ_ROW: usize = 128;

/// `>=.u`: a filter for the values that are at least the single value of `u`.
fn compare(op: Compare, of: &Denotation) -> Result<Denotation, Undefined> {
    match of.the_value()? {
        Value::Entity(_) if op != Compare::NotEqual => Err(Undefined::Type),
        value => Ok(Denotation::Passing(Filter::Compare(op, value))),
    }
}

/// An item for each row that has one, in the order of the table or of the ranking.
#[inline]
fn listed(rows: &RowSet, item: impl Fn(usize) -> Option<Item>) -> Items {
    let mut items = Items::with_capacity(rows.count());
    match rows.ranking() {
        Some(ranking) => items.extend(ranking.iter().filter_map(|row| item(*row as usize))),
        None => items.extend(rows.iter().filter_map(item)),
    }
    items
}

/// Reading of an entity; one that stands for a missing value has none.
fn read(graph: &Graph, entity: EntityId, reading: Reading) -> Option<Value> {
    graph.read(entity, reading).filter(|_| !graph.is_missing(entity))
}

/// For each row, the number of consecutive rows with the same entity in a column that end with it.
fn runs(graph: &Graph, column: ColumnId) -> Vec<u32> {
    let cells = &graph.column(column).cells;
    let mut runs: Vec<u32> = Vec::with_capacity(cells.len());
    for (row, cell) in cells.iter().enumerate() {
        let before = if row > 0 && cells[row - 1] == *cell { runs[row - 1] } else { 0 };
        runs.push(before + 1);
    }
    runs
}
