//! The words next to a value of the question, with what the formula does with it: "20 *points*" is a condition on points,
//! "*before* 1900" a comparison.

use super::{Describe, Family, List, Scene, Topic, Whole};
use crate::formula::{Compare, FormulaId, Formulas, Node};
use crate::graph::ColumnId;
use crate::question::Question;
use crate::value::Value;

/// A condition: a column, the tokens of the value it is compared with, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Near {
    column: ColumnId,
    op: Option<Compare>,
    start: u16,
    end: u16,
}

impl Near {
    /// The column.
    pub(super) fn column(self) -> ColumnId {
        self.column
    }

    /// First token of the value.
    pub(super) fn token(self) -> usize {
        usize::from(self.start)
    }
}

/// Finds the conditions of a formula on values of the question.
pub(super) fn find(whole: &Whole, add: &mut dyn FnMut(Topic)) {
    conditions(whole.formulas, whole.formula, whole.scene.question, add);
}

fn conditions(formulas: &Formulas, id: FormulaId, question: &Question, add: &mut dyn FnMut(Topic)) {
    if let Node::Join(binary, of) = formulas.node(id)
        && let Node::Column(column) = formulas.node(binary)
        && let Some((op, value)) = bound(formulas, of)
    {
        if let Some(link) = question.links.iter().find(|link| link.value == value) {
            let (start, end) = (link.tokens.start as u16, link.tokens.end as u16);
            add(Topic::Near(Near { column, op, start, end }));
        }
        return;
    }
    formulas.children(id).for_each(|child| conditions(formulas, child, question, add));
}

/// The value that a condition comes down to, and how it is compared.
fn bound(formulas: &Formulas, id: FormulaId) -> Option<(Option<Compare>, Value)> {
    match formulas.node(id) {
        Node::Value(value) => Some((None, value)),
        Node::Or(a, _) => bound(formulas, a),
        Node::Join(binary, of) => match formulas.node(binary) {
            Node::Compare(op) => bound(formulas, of).map(|(_, value)| (Some(op), value)),
            Node::Reading(_) => bound(formulas, of),
            _ => None,
        },
        _ => None,
    }
}

impl Describe for Near {
    fn label(self, _: &Scene) -> String {
        "the words next to a value".to_string()
    }

    fn describe(self, scene: &Scene, list: &mut List) {
        describe(scene, self, list);
    }
}

fn describe(scene: &Scene, near: Near, list: &mut List) {
    let tokens = &scene.question.tokens;
    let lemma = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", |token| token.lemma.as_str());
    let (start, end) = (usize::from(near.start), usize::from(near.end));
    let before = [lemma(start.checked_sub(1)), lemma(start.checked_sub(2))];
    let after = lemma(Some(end));
    let op = near.op.map_or("=", Compare::name);
    list.add(Family::Near, &["before", before[0], op]);
    list.add(Family::Near, &["before", before[1], before[0], op]);
    list.add(Family::Near, &["after", after, op]);
    let header = scene.vocabulary.header(near.column);
    let in_header = |word: &str| !word.is_empty() && header.split(' ').any(|part| part == word);
    let class = scene.vocabulary.class(near.column);
    list.add(Family::Near, &["class", class, op]);
    list.add(Family::Near, &["before", before[0], "class", class]);
    list.add(Family::Near, &["after", after, "class", class]);
    list.add(Family::Near, &["before", before[0], "of", header]);
    list.add(Family::Near, &["after", after, "of", header]);
    if in_header(after) {
        list.add(Family::Near, &["header after"]);
    }
    if in_header(before[0]) || in_header(before[1]) {
        list.add(Family::Near, &["header before"]);
    }
}
