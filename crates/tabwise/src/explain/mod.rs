//! English for formulas, with the phrases of `knowledge/phrases.toml`. [`Explainer::english`] describes a formula as
//! one noun phrase, "the Year of the last row where Country is Greece"; [`Explainer::steps`] describes its parts in the
//! order in which they are computed, each with its result.

mod best;
mod clauses;
mod conditions;
mod groups;
mod numbers;
mod phrases;
mod rows;
mod several;
mod steps;
mod text;
mod truths;
mod values;

pub use phrases::{EMBEDDED, Phrases};
pub use steps::Step;

use crate::execute::{Denotation, Executor, distinct};
use crate::formula::{FormulaId, Node, Relation, Var, Way};
use crate::graph::Reading;
use crate::value::Value;

/// Describes formulas in English. It executes parts to choose between singular and plural, and adds formulas to the
/// arena to describe the keys of superlatives.
pub struct Explainer<'a, 'g> {
    phrases: &'a Phrases,
    executor: &'a mut Executor<'g>,
    /// Variables in scope, innermost last.
    bound: Vec<(Var, Referent)>,
    /// Number of formulas that may still be described before the rest becomes "…".
    budget: usize,
}

/// Thing that a variable refers to in a sentence.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Referent {
    /// The row of the sentence: its columns are called by their names alone.
    Row,
    /// The value of the sentence: "it".
    Value,
}

/// A column or a reading of it, looked up in rows.
#[derive(Clone, Debug)]
struct Source {
    noun: String,
    column: Option<crate::graph::ColumnId>,
    reading: Option<Reading>,
    rows: FormulaId,
    order: Order,
}

/// Kind of an order, which decides the names of its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    /// Highest, lowest.
    Number,
    /// Latest, earliest.
    Date,
    /// Longest, shortest.
    Length,
}

impl Order {
    fn of(reading: Reading) -> Order {
        match reading {
            Reading::Number | Reading::Number2 | Reading::Part | Reading::Month | Reading::Weekday => Order::Number,
            Reading::Date | Reading::Date2 | Reading::Year => Order::Date,
            Reading::Duration => Order::Length,
        }
    }
}

/// Property by which the best of an order were chosen.
#[derive(Clone, Debug)]
enum Quality {
    /// They have the highest of this: noun and order.
    Has(String, Order),
    /// They appear most often in this column; the second text restricts its rows.
    Often(String, String),
    /// They are the highest themselves.
    Itself(Order),
    /// This value is the highest for them.
    Is(String, Order),
}

/// Limit on the formulas described in one sentence; formulas that the search builds need far fewer. Parts may be
/// described several times, so size alone does not bound the work.
const BUDGET: usize = 2000;
/// Depth up to which formulas are described.
const DEEPEST: usize = 60;
/// Size up to which formulas are described; nobody would read a longer sentence.
const LARGEST: usize = 400;

impl<'a, 'g> Explainer<'a, 'g> {
    /// Makes an explainer for the formulas of an executor.
    pub fn new(phrases: &'a Phrases, executor: &'a mut Executor<'g>) -> Explainer<'a, 'g> {
        Explainer { phrases, executor, bound: Vec::new(), budget: BUDGET }
    }

    /// Executor of the formulas.
    pub fn executor(&self) -> &Executor<'g> {
        self.executor
    }

    fn node(&self, id: FormulaId) -> Node {
        self.executor.formulas().node(id)
    }

    fn relation(&self, binary: FormulaId) -> Option<(Relation, Way)> {
        self.executor.formulas().relation(binary)
    }

    /// Describes a formula in English; very long formulas get a fixed placeholder.
    pub fn english(&mut self, id: FormulaId) -> String {
        if self.is_too_long(id) {
            return self.phrases.values.too_long.clone();
        }
        self.budget = BUDGET;
        self.values(id)
    }

    fn is_too_long(&self, id: FormulaId) -> bool {
        self.executor.formulas().depth(id) > DEEPEST || self.executor.formulas().size(id) > LARGEST
    }

    /// Counts one formula; `None` when the budget is used up.
    fn spend(&mut self) -> Option<()> {
        self.budget = self.budget.checked_sub(1)?;
        Some(())
    }

    /// Runs `body` with a variable in scope.
    fn bind<T>(&mut self, var: Var, referent: Referent, body: impl FnOnce(&mut Self) -> T) -> T {
        self.bound.push((var, referent));
        let result = body(self);
        self.bound.pop();
        result
    }

    fn referent(&self, var: Var) -> Option<Referent> {
        self.bound.iter().rev().find(|(bound, _)| *bound == var).map(|(_, referent)| *referent)
    }

    /// Applies a lambda to an argument; `None` if the result is too long to be described.
    fn applied(&mut self, var: Var, body: FormulaId, to: FormulaId) -> Option<FormulaId> {
        let applied = self.executor.formulas_mut().apply(var, body, to);
        (!self.is_too_long(applied)).then_some(applied)
    }

    /// Tells if a formula is the row of the sentence.
    fn is_row_referent(&self, id: FormulaId) -> bool {
        match self.node(id) {
            Node::Var(var) => self.referent(var) == Some(Referent::Row),
            _ => false,
        }
    }

    /// Tells if a unary denotes rows.
    fn is_rows(&self, id: FormulaId) -> bool {
        match self.node(id) {
            Node::Rows => true,
            Node::Var(var) => self.referent(var) == Some(Referent::Row),
            Node::And(a, b) | Node::Or(a, b) | Node::Except(a, b) => self.is_rows(a) || self.is_rows(b),
            Node::Superlative(_, of, _) | Node::Top(_, of, _, _) => self.is_rows(of),
            Node::Missing(_) => true,
            Node::Mark(var, body) => self.is_rows(body) || self.is_row_var(var, body),
            Node::Join(binary, unary) => self.leads_to_rows(binary, unary),
            Node::Value(_) | Node::Aggregate(..) | Node::Arithmetic(..) => false,
            Node::Group(..) | Node::Having(..) | Node::Exists(_) | Node::Test(..) | Node::Text(..) => false,
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => false,
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => false,
        }
    }

    /// Tells if a join denotes rows.
    fn leads_to_rows(&self, binary: FormulaId, unary: FormulaId) -> bool {
        match self.relation(binary) {
            Some((Relation::Next, _)) => true,
            Some((Relation::Column(_) | Relation::Index | Relation::Run(_) | Relation::Across(..), way)) => {
                way == Way::Back
            }
            Some((Relation::Lambda(var, body), Way::Back)) => match self.node(body) {
                Node::Var(found) if found == var => self.is_rows(unary),
                _ => self.is_rows(body),
            },
            Some((Relation::Lambda(var, body), Way::Forth)) => self.is_row_var(var, body),
            Some((Relation::Reading(_) | Relation::Compare(_), _)) | None => false,
        }
    }

    /// Tells if a variable is used as a row.
    fn is_row_var(&self, var: Var, body: FormulaId) -> bool {
        let uses = |id: FormulaId| match self.node(id) {
            Node::Join(binary, unary) if self.node(unary) == Node::Var(var) => match self.relation(binary) {
                Some((Relation::Next, _)) => true,
                Some((Relation::Column(_) | Relation::Index | Relation::Run(_) | Relation::Across(..), way)) => {
                    way == Way::Forth
                }
                _ => false,
            },
            _ => false,
        };
        self.executor.formulas().walk(body).into_iter().any(uses)
    }

    /// Tells if a formula denotes dates.
    fn is_date(&self, id: FormulaId) -> bool {
        match self.node(id) {
            Node::Value(Value::Date(_)) => true,
            Node::Aggregate(_, part) => self.is_date(part),
            Node::Or(a, _) | Node::And(a, _) => self.is_date(a),
            Node::Join(binary, _) => {
                matches!(self.relation(binary), Some((Relation::Reading(Reading::Date | Reading::Date2), Way::Forth)))
            }
            _ => false,
        }
    }

    /// Tells if a formula denotes at most one thing. An open formula cannot be executed and counts as one.
    fn is_one(&mut self, id: FormulaId) -> bool {
        if self.executor.formulas().is_open(id) {
            return true;
        }
        match self.executor.denote(id).as_deref() {
            Ok(Denotation::Rows(rows)) => rows.count() <= 1,
            Ok(Denotation::Values(items)) => items.len() <= 1 || distinct(items).len() <= 1,
            _ => true,
        }
    }
}
