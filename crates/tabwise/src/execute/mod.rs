//! What a formula denotes in a graph. Execution is total and pure: a formula that means nothing in this table is
//! [`Undefined`], never a panic, and what it means does not depend on what was executed before. The denotation of a part
//! is computed once and kept, so building a larger formula out of known ones costs only its own step.

mod aggregate;
mod denotation;
mod evidence;
mod index;
mod lambda;
mod rows;
mod superlative;
mod test;

pub use denotation::{Denotation, Item, Items, Undefined, Values, distinct};
pub use evidence::{Evidence, evidence};
pub use rows::RowSet;
pub use test::{Test, Wanted};

use crate::formula::types::Type;
use crate::formula::{Aggregate, Compare, FormulaId, Formulas, Node, Relation, Var, Way};
use crate::graph::{Cell, ColumnId, Graph, Reading};
use crate::value::Value;
use aggregate::{aggregate, arithmetic};
use denotation::{intersection, union};
use index::{ColumnIndex, EntitySet};
use lambda::Bound;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::rc::Rc;

/// A denotation, shared by all who hold it, or why there is none.
pub type Outcome = Result<Rc<Denotation>, Undefined>;

/// Executes formulas on one graph and remembers what it has found.
pub struct Executor<'g> {
    graph: &'g Graph,
    formulas: Formulas,
    known: Vec<Option<Outcome>>,
    bound: Vec<(Var, Bound)>,
    /// How many lambdas and superlatives are being gone through, member by member.
    inside: usize,
    steps: u64,
    /// For each column that was asked for inside a lambda: the rows of each entity.
    indexes: Vec<Option<ColumnIndex>>,
    /// For each lambda and mark that was asked for every member: what its variable may be.
    bound_types: FxHashMap<FormulaId, Result<Type, Undefined>>,
}

impl<'g> Executor<'g> {
    /// The most elements that are visited inside the lambdas of a closed formula (its closed parts not counted, each of
    /// which may take as many) before it is [`Undefined::TooLong`].
    pub const STEPS: u64 = 20_000_000;

    /// An executor for the formulas of an arena, which it owns: denotations are kept by formula id, so they must never
    /// meet the ids of another arena.
    pub fn new(graph: &'g Graph, formulas: Formulas) -> Executor<'g> {
        Executor {
            graph,
            formulas,
            known: Vec::new(),
            bound: Vec::new(),
            inside: 0,
            steps: Executor::STEPS,
            indexes: Vec::new(),
            bound_types: FxHashMap::default(),
        }
    }

    /// The graph on which formulas are executed.
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// The formulas made so far.
    pub fn formulas(&self) -> &Formulas {
        &self.formulas
    }

    /// The formulas, to make more of them.
    pub fn formulas_mut(&mut self) -> &mut Formulas {
        &mut self.formulas
    }

    /// What a closed unary formula denotes.
    pub fn denote(&mut self, id: FormulaId) -> Outcome {
        let at = id.0 as usize;
        if let Some(Some(known)) = self.known.get(at) {
            return known.clone();
        }
        if self.formulas.is_open(id) {
            return self.compute(id).map(Rc::new);
        }
        let outcome = self.compute_closed(id).map(Rc::new);
        if self.known.len() <= at {
            self.known.resize(self.formulas.len().max(at + 1), None);
        }
        self.known[at] = Some(outcome.clone());
        outcome
    }

    /// What a closed formula denotes, which does not depend on where it stands: it has its own steps, and sees no variable
    /// from outside.
    fn compute_closed(&mut self, id: FormulaId) -> Result<Denotation, Undefined> {
        if self.formulas.depth(id) > Formulas::DEPTH {
            return Err(Undefined::TooLong);
        }
        let bound = std::mem::take(&mut self.bound);
        let inside = std::mem::take(&mut self.inside);
        let steps = std::mem::replace(&mut self.steps, Executor::STEPS);
        let outcome = self.compute(id);
        (self.bound, self.inside, self.steps) = (bound, inside, steps);
        outcome
    }

    /// The denotation of a part, whose weight counts where members are gone through.
    fn part(&mut self, id: FormulaId) -> Outcome {
        let denotation = self.denote(id)?;
        if self.inside > 0 {
            self.spend(1 + denotation.weight())?;
        }
        Ok(denotation)
    }

    fn spend(&mut self, steps: usize) -> Result<(), Undefined> {
        self.steps = self.steps.checked_sub(steps as u64).ok_or(Undefined::TooLong)?;
        Ok(())
    }

    fn compute(&mut self, id: FormulaId) -> Result<Denotation, Undefined> {
        match self.formulas.node(id) {
            Node::Value(value) => Ok(Denotation::single(value)),
            Node::Rows => Ok(Denotation::Rows(RowSet::full(self.graph.row_count()))),
            Node::Var(var) => self.look_up(var),
            Node::Join(binary, unary) => {
                let of = self.part(unary)?;
                self.join(binary, &of)
            }
            Node::And(a, b) => {
                let (a, b) = (self.part(a)?, self.part(b)?);
                intersection(&a, &b, self.graph)
            }
            Node::Or(a, b) => union(&[&*self.part(a)?, &*self.part(b)?]),
            Node::Aggregate(op, of) => {
                let of = self.part(of)?;
                self.aggregate(op, &of)
            }
            Node::Superlative(op, of, key) => {
                let of = self.part(of)?;
                self.superlative(op, &of, key)
            }
            Node::Arithmetic(op, a, b) => {
                let (a, b) = (self.part(a)?, self.part(b)?);
                arithmetic(op, a.the_value()?, b.the_value()?).map(Denotation::single)
            }
            Node::Mark(var, body) => self.mark(id, var, body),
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => Err(Undefined::Type),
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) => Err(Undefined::Type),
        }
    }

    fn join(&mut self, binary: FormulaId, of: &Denotation) -> Result<Denotation, Undefined> {
        let (relation, way) = self.formulas.relation(binary).ok_or(Undefined::Type)?;
        self.follow(relation, way, of)
    }

    /// Follows a relation from `of`.
    fn follow(&mut self, relation: Relation, way: Way, of: &Denotation) -> Result<Denotation, Undefined> {
        match (relation, way) {
            (Relation::Column(column), Way::Back) => self.rows_with(column, of),
            (Relation::Column(column), Way::Forth) => Ok(self.cells_of(column, of.rows()?)),
            (Relation::Reading(reading), Way::Back) => {
                Ok(Denotation::Passing(Test::Read(reading, Box::new(of.test()?))))
            }
            (Relation::Reading(reading), Way::Forth) => self.readings_of(reading, of),
            (Relation::Next, Way::Back) => Ok(Denotation::Rows(of.rows()?.shifted_up())),
            (Relation::Next, Way::Forth) => Ok(Denotation::Rows(of.rows()?.shifted_down())),
            (Relation::Index, Way::Back) => self.rows_numbered(of, |row| row as f64),
            (Relation::Index, Way::Forth) => Ok(numbers_of(of.rows()?, |row| row as f64)),
            (Relation::Run(column), Way::Back) => {
                self.spend_on_rows()?;
                let runs = runs(self.graph, column);
                self.rows_numbered(of, |row| f64::from(runs[row]))
            }
            (Relation::Run(column), Way::Forth) => {
                self.spend_on_rows()?;
                let runs = runs(self.graph, column);
                Ok(numbers_of(of.rows()?, |row| f64::from(runs[row])))
            }
            (Relation::Compare(op), Way::Back) => compare(op, of),
            (Relation::Compare(op), Way::Forth) => compare(op.flipped(), of),
            (Relation::Lambda(var, body), Way::Back) => self.apply(var, body, of),
            (Relation::Lambda(var, body), Way::Forth) => self.unapply(var, body, of),
        }
    }

    /// The rows whose cell in a column is among the values.
    fn rows_with(&mut self, column: ColumnId, of: &Denotation) -> Result<Denotation, Undefined> {
        let cells = &self.graph.column(column).cells;
        let rows = match of {
            Denotation::Rows(_) => return Err(Undefined::Type),
            Denotation::Values(items) => match items.as_slice() {
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
            Denotation::Passing(test) => {
                self.spend_on_rows()?;
                RowSet::filter(cells.len(), |row| test.passes(self.graph, Value::Entity(cells[row])))
            }
        };
        Ok(Denotation::Rows(rows))
    }

    /// Going over all rows counts only where it is done for each member.
    fn spend_on_rows(&mut self) -> Result<(), Undefined> {
        if self.inside == 0 { Ok(()) } else { self.spend(self.graph.row_count()) }
    }

    fn index(&mut self, column: ColumnId) -> &ColumnIndex {
        let at = usize::from(column.0);
        if self.indexes.len() <= at {
            self.indexes.resize_with(at + 1, || None);
        }
        self.indexes[at].get_or_insert_with(|| ColumnIndex::new(self.graph, column))
    }

    fn cells_of(&self, column: ColumnId, rows: &RowSet) -> Denotation {
        let cells = &self.graph.column(column).cells;
        let item = |row: usize| Item { value: Value::Entity(cells[row]), cell: Some(Cell { row: row as u32, column }) };
        Denotation::Values(listed(rows, item))
    }

    fn rows_numbered(&mut self, of: &Denotation, number: impl Fn(usize) -> f64) -> Result<Denotation, Undefined> {
        self.spend_on_rows()?;
        let test = of.test()?;
        let passes = |row: usize| test.passes(self.graph, Value::Number(number(row)));
        Ok(Denotation::Rows(RowSet::filter(self.graph.row_count(), passes)))
    }

    /// What the entities of a list read as; those that do not read so are left out.
    fn readings_of(&mut self, reading: Reading, of: &Denotation) -> Result<Denotation, Undefined> {
        let items = self.list(of)?;
        let mut found = Items::with_capacity(items.len());
        for item in items.iter() {
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

    fn aggregate(&mut self, op: Aggregate, of: &Denotation) -> Result<Denotation, Undefined> {
        let value = match of {
            Denotation::Passing(_) => aggregate(op, &Denotation::Values(Items::from_slice(&self.list(of)?)))?,
            _ => aggregate(op, of)?,
        };
        Ok(Denotation::single(value))
    }

    /// The items of a denotation of values; those that pass a test are looked for among the graph's entities.
    fn list<'d>(&mut self, of: &'d Denotation) -> Result<Cow<'d, [Item]>, Undefined> {
        match of {
            Denotation::Rows(_) => Err(Undefined::Type),
            Denotation::Values(items) => Ok(items.as_slice().into()),
            Denotation::Passing(test) if test.is_about_entities() => {
                if self.inside > 0 {
                    self.spend(self.graph.entity_count())?;
                }
                let entities = self.graph.entities().map(Value::Entity);
                Ok(entities.filter(|value| test.passes(self.graph, *value)).map(Item::bare).collect())
            }
            Denotation::Passing(_) => Err(Undefined::Infinite),
        }
    }
}

/// `>=.u`: all values that compare so with the one value of `u`.
fn compare(op: Compare, of: &Denotation) -> Result<Denotation, Undefined> {
    match of.the_value()? {
        Value::Entity(_) if op != Compare::NotEqual => Err(Undefined::Type),
        value => Ok(Denotation::Passing(Test::Compare(op, value))),
    }
}

fn numbers_of(rows: &RowSet, number: impl Fn(usize) -> f64) -> Denotation {
    Denotation::Values(listed(rows, |row| Item::bare(Value::Number(number(row)))))
}

/// An item for each row.
#[inline]
fn listed(rows: &RowSet, item: impl Fn(usize) -> Item) -> Items {
    let mut items = Items::with_capacity(rows.count());
    items.extend(rows.iter().map(item));
    items
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
