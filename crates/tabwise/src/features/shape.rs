//! The shape of a formula: which operations stand where, with the names of columns and values left blank.
//! `R[c0].argmax(c1.e, Index)` is the shape of "the year of the last row where the country is Greece".

use super::{Describe, Family, List, Scene, Topic, Whole};
use crate::formula::{FormulaId, Formulas, Node};
use crate::graph::ColumnId;
use crate::hash::StableHash;
use crate::value::Value;
use smallvec::SmallVec;

/// The columns of a formula, in the order in which they first appear.
type Columns = SmallVec<[ColumnId; 8]>;

/// A number for the shape of a formula: formulas of one shape have the same. Columns are told apart by the order in which
/// they first appear, so "the city after Athens" looks up the column of its condition, and "the year of Athens" another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape(u64);

/// Finds the shape of a formula.
pub(super) fn find(whole: &Whole, add: &mut dyn FnMut(Topic)) {
    add(Topic::Shape(shape(whole.formulas, whole.formula)));
}

fn shape(formulas: &Formulas, id: FormulaId) -> Shape {
    let mut hash = StableHash::new(0);
    add(formulas, id, &mut hash, &mut Columns::new());
    Shape(hash.finish())
}

fn add(formulas: &Formulas, id: FormulaId, hash: &mut StableHash, columns: &mut Columns) {
    let node = formulas.node(id);
    hash.write(name(node).as_bytes());
    match node {
        Node::Column(column) => {
            let at = columns.iter().position(|seen| *seen == column).unwrap_or(columns.len());
            if at == columns.len() {
                columns.push(column);
            }
            hash.add(at as u64);
        }
        Node::Top(op, ..) => hash.write(op.name().as_bytes()),
        Node::Across(op, ..) => hash.write(op.name().as_bytes()),
        _ => {}
    }
    formulas.children(id).for_each(|child| add(formulas, child, hash, columns));
}

/// Name of a node's construct, whichever column or value it is about.
fn name(node: Node) -> &'static str {
    match node {
        Node::Value(Value::Entity(_)) => "entity",
        Node::Value(Value::Number(_)) => "number",
        Node::Value(Value::Date(_)) => "date",
        Node::Value(Value::Truth(_)) => "truth",
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
        Node::Top(..) => "top",
        Node::Group(..) => "group",
        Node::Having(..) => "having",
        Node::Except(..) => "except",
        Node::Exists(_) => "exists",
        Node::Test(op, ..) => op.name(),
        Node::Missing(_) => "missing",
        Node::Text(op, _) => op.name(),
        Node::Across(..) => "across",
    }
}

impl Describe for Shape {
    fn label(self, _: &Scene) -> String {
        "the shape of the formula".to_string()
    }

    fn describe(self, scene: &Scene, list: &mut List) {
        let name = format!("{:016x}", self.0);
        list.add(Family::Shape, &[&name]);
        list.add(Family::Heed, &["shape", &scene.question.asks.words, &name]);
        for phrase in scene.question.phrases.iter().filter(|phrase| !phrase.is_bordered && phrase.tokens.len() <= 2) {
            list.add(Family::Shape, &[&phrase.text, &name]);
        }
    }
}
