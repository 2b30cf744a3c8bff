//! What a superlative goes by: the most or the least, of which column. "Highest" means the greatest height, but the
//! smallest rank.

use super::{Family, List, Scene};
use crate::formula::{FormulaId, Formulas, Node, Superlative};
use crate::graph::ColumnId;

/// The superlative of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Order {
    op: Superlative,
    by: By,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum By {
    Index,
    Count,
    Column(ColumnId),
}

/// The first superlative of a formula, from the outside.
pub fn order_of(formulas: &Formulas, id: FormulaId) -> Option<Order> {
    if let Node::Superlative(op, _, function) = formulas.node(id) {
        return Some(Order { op, by: by(formulas, function)? });
    }
    formulas.children(id).find_map(|child| order_of(formulas, child))
}

fn by(formulas: &Formulas, function: FormulaId) -> Option<By> {
    match formulas.node(function) {
        Node::Index => Some(By::Index),
        Node::Aggregate(..) => Some(By::Count),
        Node::Column(column) => Some(By::Column(column)),
        _ => formulas.children(function).find_map(|child| by(formulas, child)),
    }
}

/// What a superlative goes by, for people.
pub fn name(scene: &Scene, order: Order) -> String {
    let by = match order.by {
        By::Index => "position",
        By::Count => "count",
        By::Column(column) => scene.vocabulary.header(column),
    };
    format!("{} {by}", order.op.name())
}

/// Lists the features of a superlative.
pub fn describe(scene: &Scene, order: Order, list: &mut List) {
    if !list.wants(Family::Order) {
        return;
    }
    let name = name(scene, order);
    let class = match order.by {
        By::Column(column) => format!("{} by {}", order.op.name(), scene.vocabulary.class(column)),
        _ => String::new(),
    };
    list.add(Family::Order, &[&name]);
    for phrase in scene.question.phrases.iter().filter(|phrase| !phrase.is_bordered && phrase.tokens.len() <= 2) {
        list.add(Family::Order, &[&phrase.text, &name]);
        if !class.is_empty() {
            list.add(Family::Order, &[&phrase.text, &class]);
        }
    }
}
