//! The denotation as the ranking sees it: what kind of thing it is, from which column, and how many there are; and the
//! phrases, the question word and the headword next to that kind.

use super::{Describe, Family, List, Scene, Topic, Whole};
use crate::execute::Denotation;
use crate::formula::{FormulaId, Formulas, Relation};
use crate::graph::{ColumnId, Reading};
use crate::named::named;
use crate::value::Value;

/// Kind of an answer's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kind {
    base: Base,
    /// The column that the values stand in, or were read from.
    column: Option<ColumnId>,
    /// The reading by which they came out of that column.
    reading: Option<Reading>,
}

named! {
    /// Kind of value.
    enum Base is "kind" {
        /// numbers
        Number => "number",
        /// dates
        Date => "date",
        /// texts
        Entity => "entity",
        /// yes or no
        Truth => "truth",
        /// a table of groups
        Table => "table",
    }
}

/// Number of values; of a single number, also its sign and fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// 0, 1, 2, or 3 for more.
    count: u8,
    number: Option<(Sign, Fraction)>,
}

named! {
    /// Sign of a number.
    enum Sign is "sign" {
        /// below 0
        Negative => "negative",
        /// 0
        Zero => "zero",
        /// above 0
        Positive => "positive",
    }
}

named! {
    /// Fraction of a number.
    enum Fraction is "fraction" {
        /// a whole number
        Integer => "integer",
        /// any other number
        Fraction => "fraction",
    }
}

/// Finds the kind of a denotation; rows, and values that are only described, have none.
pub(super) fn find_kind(whole: &Whole, add: &mut dyn FnMut(Topic)) {
    if let Some(kind) = kind_of(whole) {
        add(Topic::Kind(kind));
    }
}

fn kind_of(whole: &Whole) -> Option<Kind> {
    let items = match whole.denotation {
        Denotation::Values(items) => items,
        Denotation::Groups(_) => return Some(Kind { base: Base::Table, column: None, reading: None }),
        Denotation::Rows(_) | Denotation::Passing(_) => return None,
    };
    let first = items.first()?;
    let base = match first.value {
        Value::Number(_) => Base::Number,
        Value::Date(_) => Base::Date,
        Value::Entity(_) => Base::Entity,
        Value::Truth(_) => Base::Truth,
    };
    let column = first.cell.map(|cell| cell.column);
    Some(Kind { base, column, reading: reading_at_top(whole.formulas, whole.formula) })
}

/// The reading of `R[reading].u`.
fn reading_at_top(formulas: &Formulas, formula: FormulaId) -> Option<Reading> {
    match formulas.looked_up(formula)? {
        (Relation::Reading(reading), _) => Some(reading),
        _ => None,
    }
}

/// Finds the size of a denotation.
pub(super) fn find_size(whole: &Whole, add: &mut dyn FnMut(Topic)) {
    add(Topic::Size(size_of(whole.denotation)));
}

fn size_of(denotation: &Denotation) -> Size {
    let Denotation::Values(items) = denotation else { return Size { count: 3, number: None } };
    let mut values = items.iter().map(|item| item.value);
    let Some(first) = values.next() else { return Size { count: 0, number: None } };
    let Some(second) = values.find(|value| *value != first) else { return Size { count: 1, number: number(first) } };
    let third = values.find(|value| *value != first && *value != second);
    Size { count: if third.is_some() { 3 } else { 2 }, number: None }
}

/// Sign and fraction of the only value.
fn number(value: Value) -> Option<(Sign, Fraction)> {
    let Value::Number(n) = value else { return None };
    Some((sign(n), if n.fract() == 0.0 { Fraction::Integer } else { Fraction::Fraction }))
}

fn sign(n: f64) -> Sign {
    match n {
        n if n < 0.0 => Sign::Negative,
        n if n > 0.0 => Sign::Positive,
        _ => Sign::Zero,
    }
}

impl Describe for Size {
    fn label(self, _: &Scene) -> String {
        "the number of values it gives".to_string()
    }

    fn describe(self, scene: &Scene, list: &mut List) {
        let count = ["0", "1", "2", "3+"][usize::from(self.count)];
        let asks = &scene.question.asks;
        list.add(Family::Denotation, &["size", count]);
        list.add(Family::AskedSize, &["word", &asks.words, count]);
        list.add(Family::AskedSize, &["number", asks.number, count]);
        list.add(Family::AskedSize, &["both", &asks.words, asks.number, count]);
        if let Some((sign, whole)) = self.number {
            list.add(Family::Denotation, &["sign", sign.name()]);
            list.add(Family::Denotation, &["whole", whole.name()]);
        }
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

impl Describe for Kind {
    /// The most exact name of the kind.
    fn label(self, scene: &Scene) -> String {
        format!("gives {}", names(scene, self).pop().unwrap_or_default())
    }

    fn describe(self, scene: &Scene, list: &mut List) {
        describe_kind(scene, self, list);
    }
}

fn describe_kind(scene: &Scene, kind: Kind, list: &mut List) {
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
