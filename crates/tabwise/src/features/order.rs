//! The column that a superlative compares, or whose numbers are added or subtracted. "Highest" means the greatest height, but
//! the smallest rank; "how many more" is a difference of amounts, "how many years" one of dates.

use super::{Describe, Family, List, Scene, Topic, Whole};
use crate::formula::{Aggregate, Arithmetic, FormulaId, Formulas, Node, Superlative};
use crate::graph::ColumnId;

/// The superlative or the arithmetic of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Order {
    op: Op,
    by: By,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Op {
    Superlative(Superlative),
    Arithmetic(Arithmetic),
}

impl Op {
    fn name(self) -> &'static str {
        match self {
            Op::Superlative(op) => op.name(),
            Op::Arithmetic(op) => op.name(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum By {
    Index,
    Count,
    /// The column that rows or values are put in the order of, or that numbers are read from.
    Column(ColumnId),
}

/// Finds the first superlative or arithmetic of a formula, from the outside.
pub(super) fn find(whole: &Whole, add: &mut dyn FnMut(Topic)) {
    if let Some(order) = order_of(whole.formulas, whole.formula) {
        add(Topic::Order(order));
    }
}

fn order_of(formulas: &Formulas, id: FormulaId) -> Option<Order> {
    match formulas.node(id) {
        Node::Superlative(op, _, function) | Node::Top(op, _, function, _) => {
            Some(Order { op: Op::Superlative(op), by: compared_by(formulas, function)? })
        }
        Node::Arithmetic(op, first, _) => Some(Order { op: Op::Arithmetic(op), by: read_from(formulas, first)? }),
        _ => formulas.children(id).find_map(|child| order_of(formulas, child)),
    }
}

/// Column that a function compares: the last of its path, as Depth of `λx[R[Lake].Depth.Number.x]`.
fn compared_by(formulas: &Formulas, function: FormulaId) -> Option<By> {
    named(formulas, function)
        .or_else(|| formulas.children(function).filter_map(|child| compared_by(formulas, child)).last())
}

/// Column that values come from: the first of their path, as Depth of `R[Number].R[Depth].Lake.Geneva`.
fn read_from(formulas: &Formulas, values: FormulaId) -> Option<By> {
    named(formulas, values).or_else(|| formulas.children(values).find_map(|child| read_from(formulas, child)))
}

fn named(formulas: &Formulas, id: FormulaId) -> Option<By> {
    match formulas.node(id) {
        Node::Index => Some(By::Index),
        Node::Aggregate(Aggregate::Count, _) => Some(By::Count),
        Node::Column(column) => Some(By::Column(column)),
        _ => None,
    }
}

fn name(scene: &Scene, order: Order) -> String {
    let by = match order.by {
        By::Index => "position",
        By::Count => "count",
        By::Column(column) => scene.vocabulary.header(column),
    };
    format!("{} {by}", order.op.name())
}

impl Describe for Order {
    fn label(self, scene: &Scene) -> String {
        format!("goes by {}", name(scene, self))
    }

    fn describe(self, scene: &Scene, list: &mut List) {
        describe(scene, self, list);
    }
}

fn describe(scene: &Scene, order: Order, list: &mut List) {
    let name = name(scene, order);
    let class = match order.by {
        By::Column(column) => format!("{} by {}", order.op.name(), scene.vocabulary.class(column)),
        _ => String::new(),
    };
    if let By::Column(column) = order.by {
        let asked = if shares_word(scene.vocabulary.header(column), &scene.question.asks.head) { "asked" } else { "" };
        list.add(Family::Order, &["head", &class, asked]);
    }
    list.add(Family::Order, &[&name]);
    for phrase in scene.question.phrases.iter().filter(|phrase| !phrase.is_bordered && phrase.tokens.len() <= 2) {
        list.add(Family::Order, &[&phrase.text, &name]);
        if !class.is_empty() {
            list.add(Family::Order, &[&phrase.text, &class]);
        }
    }
}

fn shares_word(a: &str, b: &str) -> bool {
    a.split(' ').any(|word| b.split(' ').any(|other| other == word))
}
