//! The shape of a formula: which operations stand where, with columns and values left blank. `R[c].argmax(c.e, Index)` is
//! the shape of "the year of the last row where the country is Greece".

use super::{Family, List, Scene};
use crate::formula::{FormulaId, Formulas, Node};
use crate::value::Value;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A number for the shape of a formula: formulas of one shape have the same.
pub fn shape(formulas: &Formulas, id: FormulaId) -> u64 {
    let mut hasher = FxHasher::default();
    add(formulas, id, &mut hasher);
    hasher.finish()
}

fn add(formulas: &Formulas, id: FormulaId, hasher: &mut FxHasher) {
    let node = formulas.node(id);
    std::mem::discriminant(&node).hash(hasher);
    match node {
        Node::Value(value) => std::mem::discriminant::<Value>(&value).hash(hasher),
        Node::Reading(reading) => reading.hash(hasher),
        Node::Compare(op) => op.hash(hasher),
        Node::Aggregate(op, _) => op.hash(hasher),
        Node::Superlative(op, _, _) => op.hash(hasher),
        Node::Arithmetic(op, _, _) => op.hash(hasher),
        _ => {}
    }
    formulas.children(id).for_each(|child| add(formulas, child, hasher));
}

/// Lists the features of a shape.
pub fn describe(scene: &Scene, shape: u64, list: &mut List) {
    if !list.wants(Family::Shape) {
        return;
    }
    let name = format!("{shape:016x}");
    list.add(Family::Shape, &[&name]);
    for phrase in scene.question.phrases.iter().filter(|phrase| !phrase.is_bordered) {
        list.add(Family::Shape, &[&phrase.text, &name]);
    }
}
