//! The shape of a formula: which operations stand where, with the names of columns and values left blank.
//! `R[c0].argmax(c1.e, Index)` is the shape of "the year of the last row where the country is Greece".

use super::{Family, List, Scene};
use crate::formula::{FormulaId, Formulas, Node};
use crate::graph::ColumnId;
use crate::value::Value;
use rustc_hash::FxHasher;
use smallvec::SmallVec;
use std::hash::Hasher;

/// The columns of a formula, in the order in which they first appear.
type Columns = SmallVec<[ColumnId; 8]>;

/// A number for the shape of a formula: formulas of one shape have the same. Columns are told apart by the order in which
/// they first appear, so "the city after Athens" looks up the column of its condition, and "the year of Athens" another.
pub fn shape(formulas: &Formulas, id: FormulaId) -> u64 {
    let mut hasher = FxHasher::default();
    add(formulas, id, &mut hasher, &mut Columns::new());
    hasher.finish()
}

fn add(formulas: &Formulas, id: FormulaId, hasher: &mut FxHasher, columns: &mut Columns) {
    let node = formulas.node(id);
    hasher.write(name(node).as_bytes());
    hasher.write_u8(0xff);
    if let Node::Column(column) = node {
        let at = columns.iter().position(|seen| *seen == column).unwrap_or(columns.len());
        if at == columns.len() {
            columns.push(column);
        }
        hasher.write_u8(at as u8);
    }
    formulas.children(id).for_each(|child| add(formulas, child, hasher, columns));
}

/// What a node is, whichever column or value it is about.
fn name(node: Node) -> &'static str {
    match node {
        Node::Value(Value::Entity(_)) => "entity",
        Node::Value(Value::Number(_)) => "number",
        Node::Value(Value::Date(_)) => "date",
        Node::Rows => "rows",
        Node::Var(_) => "x",
        Node::Join(..) => ".",
        Node::And(..) => "&",
        Node::Or(..) => "|",
        Node::Aggregate(op, _) => op.name(),
        Node::Superlative(op, ..) => op.name(),
        Node::Arithmetic(op, ..) => op.name(),
        Node::Mark(..) => "mark",
        Node::Column(_) => "column",
        Node::Reading(reading) => reading.name(),
        Node::Next => "next",
        Node::Index => "index",
        Node::Run(_) => "run",
        Node::Compare(op) => op.name(),
        Node::Reverse(_) => "R",
        Node::Lambda(..) => "lambda",
    }
}

/// Lists the features of a shape.
pub fn describe(scene: &Scene, shape: u64, list: &mut List) {
    if !list.wants(Family::Shape) {
        return;
    }
    let name = format!("{shape:016x}");
    list.add(Family::Shape, &[&name]);
    for phrase in scene.question.phrases.iter().filter(|phrase| !phrase.is_bordered && phrase.tokens.len() <= 2) {
        list.add(Family::Shape, &[&phrase.text, &name]);
    }
}
