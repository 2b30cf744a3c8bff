//! English for formulas, with the phrases of `knowledge/phrases.toml`: what a formula means as one noun phrase ("the Year
//! of the last row where Country is Greece"), and the same in steps, each with what it gives.

mod best;
mod clauses;
mod conditions;
mod numbers;
mod phrases;
mod rows;
mod steps;
mod text;
mod values;

pub use phrases::{EMBEDDED, Hints, Phrases, Template};
pub use steps::Step;

use crate::execute::{Denotation, Executor, distinct};
use crate::formula::{FormulaId, Node, Relation, Var, Way};
use crate::graph::Reading;
use crate::value::Value;

/// Puts formulas into words. It asks the executor whether something is one or many, and interns what it needs to speak
/// of keys.
pub struct Explainer<'a, 'g> {
    phrases: &'a Phrases,
    executor: &'a mut Executor<'g>,
    bound: Vec<(Var, Referent)>,
    /// How many more formulas are put into words before the sentence is cut short.
    budget: usize,
}

/// What a variable is called.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Referent {
    /// The row that is spoken of: its columns are called by their names alone.
    Row,
    /// The value that is spoken of: "it".
    Value,
}

/// A column or what is read from it, looked up in rows.
#[derive(Clone, Debug)]
struct Source {
    noun: String,
    column: Option<crate::graph::ColumnId>,
    reading: Option<Reading>,
    rows: FormulaId,
    order: Order,
}

/// How the ends of an order are called.
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
            Reading::Number | Reading::Number2 | Reading::Part => Order::Number,
            Reading::Date | Reading::Date2 => Order::Date,
            Reading::Duration => Order::Length,
        }
    }
}

/// What the best of an order have or are.
#[derive(Clone, Debug)]
enum Quality {
    /// The highest of this.
    Has(String, Order),
    /// They appear most often in this column, in the rows of which something stands behind.
    Often(String, String),
    /// They are the highest themselves.
    Itself(Order),
    /// This is highest for them.
    Is(String, Order),
}

/// The longest sentence, in formulas put into words; formulas that the parser builds need far less.
const BUDGET: usize = 2000;
/// The deepest and the largest formula that is put into words.
const DEEPEST: usize = 60;
const LARGEST: usize = 400;

impl<'a, 'g> Explainer<'a, 'g> {
    /// An explainer for the formulas of an executor.
    pub fn new(phrases: &'a Phrases, executor: &'a mut Executor<'g>) -> Explainer<'a, 'g> {
        Explainer { phrases, executor, bound: Vec::new(), budget: BUDGET }
    }

    fn node(&self, id: FormulaId) -> Node {
        self.executor.formulas().node(id)
    }

    fn relation(&self, binary: FormulaId) -> Option<(Relation, Way)> {
        self.executor.formulas().relation(binary)
    }

    /// A formula in English; one that no one would read to its end is only called long.
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

    fn spend(&mut self) -> Option<()> {
        self.budget = self.budget.checked_sub(1)?;
        Some(())
    }

    fn bind<T>(&mut self, var: Var, referent: Referent, body: impl FnOnce(&mut Self) -> T) -> T {
        self.bound.push((var, referent));
        let result = body(self);
        self.bound.pop();
        result
    }

    fn referent(&self, var: Var) -> Option<Referent> {
        self.bound.iter().rev().find(|(bound, _)| *bound == var).map(|(_, referent)| *referent)
    }

    /// A lambda's body with what it is applied to in the place of the variable; `None` when that is too long for words.
    fn applied(&mut self, var: Var, body: FormulaId, to: FormulaId) -> Option<FormulaId> {
        let applied = self.executor.formulas_mut().apply(var, body, to);
        (!self.is_too_long(applied)).then_some(applied)
    }

    /// Whether this is the row that is spoken of.
    fn is_row_referent(&self, id: FormulaId) -> bool {
        match self.node(id) {
            Node::Var(var) => self.referent(var) == Some(Referent::Row),
            _ => false,
        }
    }

    /// Whether a unary denotes rows.
    fn is_rows(&self, id: FormulaId) -> bool {
        match self.node(id) {
            Node::Rows => true,
            Node::Var(var) => self.referent(var) == Some(Referent::Row),
            Node::And(a, b) | Node::Or(a, b) => self.is_rows(a) || self.is_rows(b),
            Node::Superlative(_, of, _) => self.is_rows(of),
            Node::Mark(var, body) => self.is_rows(body) || self.is_row_var(var, body),
            Node::Join(binary, unary) => self.leads_to_rows(binary, unary),
            Node::Value(_) | Node::Aggregate(..) | Node::Arithmetic(..) => false,
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => false,
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) => false,
        }
    }

    fn leads_to_rows(&self, binary: FormulaId, unary: FormulaId) -> bool {
        match self.relation(binary) {
            Some((Relation::Next, _)) => true,
            Some((Relation::Column(_) | Relation::Index | Relation::Run(_), way)) => way == Way::Back,
            Some((Relation::Lambda(var, body), Way::Back)) => match self.node(body) {
                Node::Var(found) if found == var => self.is_rows(unary),
                _ => self.is_rows(body),
            },
            Some((Relation::Lambda(var, body), Way::Forth)) => self.is_row_var(var, body),
            Some((Relation::Reading(_) | Relation::Compare(_), _)) | None => false,
        }
    }

    /// Whether a variable is used as a row.
    fn is_row_var(&self, var: Var, body: FormulaId) -> bool {
        let uses = |id: FormulaId| match self.node(id) {
            Node::Join(binary, unary) if self.node(unary) == Node::Var(var) => match self.relation(binary) {
                Some((Relation::Next, _)) => true,
                Some((Relation::Column(_) | Relation::Index | Relation::Run(_), way)) => way == Way::Forth,
                _ => false,
            },
            _ => false,
        };
        self.executor.formulas().walk(body).into_iter().any(uses)
    }

    /// Whether values are dates.
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

    /// Whether a formula denotes at most one thing, as far as can be known.
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
