//! The denotation as the ranking sees it: what kind of thing it is, from which column, and how many there are; and the
//! phrases, the question word and the headword next to that kind.

use super::{Family, List, Scene};
use crate::execute::Denotation;
use crate::formula::{FormulaId, Formulas, Node};
use crate::graph::{ColumnId, Reading};
use crate::value::Value;

/// What an answer is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kind {
    base: Base,
    /// The column that the values stand in, or were read from.
    column: Option<ColumnId>,
    /// The reading by which they came out of that column.
    reading: Option<Reading>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Base {
    Number,
    Date,
    Entity,
}

impl Base {
    fn name(self) -> &'static str {
        match self {
            Base::Number => "number",
            Base::Date => "date",
            Base::Entity => "entity",
        }
    }
}

/// How many values there are, and for one number its sign and whether it is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// 0, 1, 2, or 3 for more.
    count: u8,
    number: Option<(Sign, Whole)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Sign {
    Negative,
    Zero,
    Positive,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Whole {
    Integer,
    Fraction,
}

/// The kind of a formula's denotation; `None` for rows and for what is only described.
pub fn kind_of(formulas: &Formulas, formula: FormulaId, denotation: &Denotation) -> Option<Kind> {
    let Denotation::Values(items) = denotation else { return None };
    let first = items.first()?;
    let base = match first.value {
        Value::Number(_) => Base::Number,
        Value::Date(_) => Base::Date,
        Value::Entity(_) => Base::Entity,
    };
    let column = first.cell.map(|cell| cell.column);
    Some(Kind { base, column, reading: reading_at_top(formulas, formula) })
}

/// The reading of `R[reading].u`.
fn reading_at_top(formulas: &Formulas, formula: FormulaId) -> Option<Reading> {
    let Node::Join(binary, _) = formulas.node(formula) else { return None };
    let Node::Reverse(inner) = formulas.node(binary) else { return None };
    match formulas.node(inner) {
        Node::Reading(reading) => Some(reading),
        _ => None,
    }
}

/// The size of a denotation.
pub fn size_of(denotation: &Denotation) -> Size {
    let Denotation::Values(items) = denotation else { return Size { count: 3, number: None } };
    let mut values = items.iter().map(|item| item.value);
    let Some(first) = values.next() else { return Size { count: 0, number: None } };
    let Some(second) = values.find(|value| *value != first) else { return Size { count: 1, number: number(first) } };
    let third = values.find(|value| *value != first && *value != second);
    Size { count: if third.is_some() { 3 } else { 2 }, number: None }
}

/// What the ranking sees of the only value.
fn number(value: Value) -> Option<(Sign, Whole)> {
    let Value::Number(n) = value else { return None };
    Some((sign(n), if n.fract() == 0.0 { Whole::Integer } else { Whole::Fraction }))
}

fn sign(n: f64) -> Sign {
    match n {
        n if n < 0.0 => Sign::Negative,
        n if n > 0.0 => Sign::Positive,
        _ => Sign::Zero,
    }
}

/// Lists the features of a denotation's size.
pub fn describe_size(scene: &Scene, size: Size, list: &mut List) {
    let count = ["0", "1", "2", "3+"][usize::from(size.count)];
    let asks = &scene.question.asks;
    list.add(Family::Denotation, &["size", count]);
    list.add(Family::AskedSize, &["word", &asks.words, count]);
    list.add(Family::AskedSize, &["number", asks.number, count]);
    list.add(Family::AskedSize, &["both", &asks.words, asks.number, count]);
    if let Some((sign, whole)) = size.number {
        list.add(Family::Denotation, &["sign", &format!("{sign:?}")]);
        list.add(Family::Denotation, &["whole", &format!("{whole:?}")]);
    }
}

/// The names under which a kind is seen: the plain one, and with its column where it has one.
fn names(scene: &Scene, kind: Kind) -> Vec<String> {
    let mut names = vec![kind.base.name().to_string()];
    let header = kind.column.map(|column| scene.vocabulary.header(column));
    match (kind.reading, header) {
        (Some(reading), Some(header)) => names.push(format!("{} of {header}", reading.name())),
        (None, Some(header)) => names.push(header.to_string()),
        _ => {}
    }
    names
}

/// The most exact name of a kind.
pub fn name(scene: &Scene, kind: Kind) -> String {
    names(scene, kind).pop().unwrap_or_default()
}

/// Lists the features of a denotation's kind.
pub fn describe_kind(scene: &Scene, kind: Kind, list: &mut List) {
    let mut names = names(scene, kind);
    if let Some(column) = kind.column.filter(|_| list.wants(Family::ColumnClass)) {
        names.push(scene.vocabulary.class(column).to_string());
    }
    let header = kind.column.map(|column| scene.vocabulary.header(column));
    let edge = kind.reading.map_or("", Reading::name);
    for name in &names {
        list.add(Family::Denotation, &["kind", name]);
    }
    for phrase in &scene.question.phrases {
        if list.wants(Family::PhraseDenotation) && !phrase.is_bordered {
            for name in &names {
                list.add(Family::PhraseDenotation, &[&phrase.text, name]);
            }
        }
        if header == Some(phrase.text.as_str()) {
            list.add(Family::PhraseDenotation, &["=", edge]);
        }
    }
    describe_asked(scene, &names, header, edge, list);
}

/// The question word and the headword with the kind.
fn describe_asked(scene: &Scene, names: &[String], header: Option<&str>, edge: &str, list: &mut List) {
    let asks = &scene.question.asks;
    if asks.head.is_empty() {
        return;
    }
    for name in names {
        list.add(Family::HeadwordDenotation, &["both", &asks.words, &asks.head, name]);
        list.add(Family::HeadwordDenotation, &["word", &asks.words, name]);
        list.add(Family::HeadwordDenotation, &["head", &asks.head, name]);
    }
    if header == Some(asks.head.as_str()) {
        list.add(Family::HeadwordDenotation, &["=", edge]);
        list.add(Family::HeadwordDenotation, &["= with word", &asks.words, edge]);
    }
}
