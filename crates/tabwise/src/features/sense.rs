//! Agreement of a formula with what the general words of a question say: which way a superlative goes ("cheapest"), which
//! side of a number is meant ("over 90"), which of two things is compared with the other, and what kind of answer the form
//! of the question asks for ("when", "how many seats"). None of these features has a word of its own, so what is learned
//! from one wording holds for all.

use super::{Describe, Family, List, Scene, Topic, Whole};
use crate::execute::Denotation;
use crate::formula::{Aggregate, Arithmetic, Compare, FormulaId, Formulas, Node, Superlative, Test};
use crate::graph::{ColumnId, Reading};
use crate::named::named;
use crate::question::{ColumnKind, Question};
use crate::value::Value;
use crate::words::{Form, Quantifier, Sense as Way};
use std::collections::BTreeSet;

/// Something about a formula that general words can agree with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sense {
    /// A superlative and what it goes by.
    Superlative(Superlative, By),
    /// A largest or smallest value of a column.
    Extreme(Aggregate, Option<ColumnId>),
    /// A comparison with a value of the question, by the position of its link.
    Bound(Compare, Option<ColumnId>, u16),
    /// An operation on two things, and the order in which the question names them.
    Pair(Pair, Order),
    /// Root of the formula, and the column that the answer is from.
    Root(Root, Option<ColumnId>),
    /// Look of the answer.
    Look(Look),
    /// A negation, and where the words for what it negates stand.
    Negation(Place),
    /// A number of things that the question asks for, "the 3 largest", and what becomes of it.
    Number(Asked),
    /// A share, and if what it is a part of is as said: "percent of the Italian dishes" is a part of those, not of all.
    Whole(bool),
    /// What yes or no is said of.
    Claim(Claim),
    /// A condition on a text that is part of longer texts as well, and if those are in: "Comedy, Drama" for Drama.
    Member(bool),
    /// Two columns against each other, and if both are of one series of years, where both are of some.
    Series(bool),
    /// The next row beside a date that is already the next one.
    Twice,
}

/// What a superlative goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    /// Order of the rows.
    Index,
    /// A number of rows.
    Count,
    /// Values of a column.
    Column(ColumnId),
    /// Values of two columns.
    Across,
}

named! {
    /// Operation on two things.
    pub enum Pair is "operation on two" {
        /// the first is more
        More => "gt",
        /// the first is less
        Less => "lt",
        /// difference
        Sub => "sub",
        /// ratio
        Div => "div",
        /// days between them
        Days => "days",
        /// difference of two columns
        Across => "across",
    }
}

named! {
    /// What yes or no is said of.
    pub enum Claim is "claim" {
        /// at least one of the rows
        Some => "some",
        /// all of some rows
        All => "all",
        /// all rows of the table
        Table => "table",
    }
}

named! {
    /// Order in which the question names two things.
    pub enum Order is "order" {
        /// as the formula has them
        Forth => "forth",
        /// the other way round
        Back => "back",
        /// one of them is not named
        Unknown => "unknown",
    }
}

named! {
    /// Place of words by the word for a negation.
    pub enum Place is "place" {
        /// the first linked words after it
        Next => "next",
        /// the last linked words before it, when none stand after it
        Before => "before",
        /// the last linked words before it, though others stand after it
        Behind => "behind",
        /// linked words on both sides of it
        Around => "around",
        /// anywhere else
        Far => "far",
        /// no words are linked to what is negated
        Unknown => "unknown",
    }
}

named! {
    /// Outermost operation of a formula.
    pub enum Root is "root" {
        /// number of rows
        Rows => "count rows",
        /// number of different values
        Distinct => "count values",
        /// sum, average or median
        Total => "total",
        /// largest or smallest value
        Extreme => "extreme",
        /// difference or ratio
        Arithmetic => "arithmetic",
        /// part of a whole
        Share => "share",
        /// yes or no
        Truth => "truth",
        /// table of groups
        Groups => "groups",
        /// values that are picked by what they stand with
        Picked => "picked",
        /// values of some rows
        Lookup => "lookup",
        /// anything else
        Other => "other",
    }
}

named! {
    /// What becomes of the number of things that the question asks for.
    pub enum Asked is "asked number" {
        /// so many are given
        Picked => "picked",
        /// so many rows are picked, but they share some of the values that are given
        Short => "short",
        /// no such number is picked
        LeftOut => "left out",
    }
}

named! {
    /// Look of an answer.
    pub enum Look is "look" {
        /// one number
        Number => "number",
        /// several numbers
        Numbers => "numbers",
        /// a number that was read from a date, of which it is only a piece
        Piece => "piece",
        /// one date
        Date => "date",
        /// several dates
        Dates => "dates",
        /// a text with digits
        Mixed => "mixed",
        /// one text
        Text => "text",
        /// several texts
        Texts => "texts",
        /// yes or no
        Truth => "truth",
        /// table of groups
        Groups => "groups",
        /// nothing
        Nothing => "nothing",
    }
}

/// Finds all of them in a candidate.
pub(super) fn find(whole: &Whole, add: &mut dyn FnMut(Topic)) {
    let mut add = |sense| add(Topic::Sense(sense));
    parts(whole.formulas, whole.formula, None, &whole.scene, &mut add);
    let (root, column) = root(whole.formulas, whole.formula);
    add(Sense::Root(root, column));
    add(Sense::Look(look(whole)));
    claim(whole.formulas, whole.formula).into_iter().for_each(|claim| add(Sense::Claim(claim)));
    if is_twice(whole) {
        add(Sense::Twice);
    }
    if let Some(number) = whole.scene.question.asked_number {
        add(Sense::Number(match picks(whole.formulas, whole.formula, number) {
            true if matches!(root, Root::Lookup) && is_short(whole, number) => Asked::Short,
            true => Asked::Picked,
            false => Asked::LeftOut,
        }));
    }
}

/// Tells if a formula takes the next row of a date that is already the next one.
fn is_twice(whole: &Whole) -> bool {
    let stepped = &whole.scene.question.stepped;
    let has = |is: &dyn Fn(Node) -> bool| {
        whole.formulas.walk(whole.formula).into_iter().any(|id| is(whole.formulas.node(id)))
    };
    let is_stepped = |node: Node| matches!(node, Node::Value(value) if stepped.contains(&value));
    !stepped.is_empty() && has(&is_stepped) && has(&|node| node == Node::Next)
}

/// What a formula says yes or no of, if it does.
fn claim(formulas: &Formulas, id: FormulaId) -> Option<Claim> {
    match formulas.node(id) {
        Node::Exists(_) => Some(Claim::Some),
        Node::Test(Test::Within, of, _) if formulas.node(of) == Node::Rows => Some(Claim::Table),
        Node::Test(Test::Within, ..) => Some(Claim::All),
        _ => None, // a comparison, or no truth
    }
}

/// Tells if a formula picks so many things by a superlative or by their position.
fn picks(formulas: &Formulas, id: FormulaId, number: Value) -> bool {
    let is_number = |id| formulas.node(id) == Node::Value(number);
    let here = match formulas.node(id) {
        Node::Top(_, _, _, n) => is_number(n),
        Node::Join(binary, of) if formulas.node(binary) == Node::Index => {
            matches!(formulas.node(of), Node::Join(_, n) if is_number(n))
        }
        _ => false, // other constructs have no number of things
    };
    here || formulas.children(id).any(|part| picks(formulas, part, number))
}

/// Tells if fewer different values are given than this number.
fn is_short(whole: &Whole, number: Value) -> bool {
    let (Denotation::Values(items), Value::Number(number)) = (whole.denotation, number) else { return false };
    let values: BTreeSet<Value> = items.iter().map(|item| item.value).collect();
    (values.len() as f64) < number
}

/// Place of the words for what is negated: the values and flags of a formula.
fn place(formulas: &Formulas, id: FormulaId, question: &Question) -> Place {
    let said = question.cue_tokens("negation", "").trailing_zeros() as usize;
    let parts = formulas.walk(id);
    let has = |value: Value| parts.iter().any(|part| formulas.node(*part) == Node::Value(value));
    let has_column = |column| parts.iter().any(|part| formulas.node(*part) == Node::Column(column));
    let links = question.links.iter().map(|link| (link.tokens.start, has(link.value)));
    let flags = question.conditions.iter();
    let flags = flags.map(|link| (link.tokens.start, has_column(link.column) && has(link.value)));
    let linked: Vec<(usize, bool)> = links.chain(flags).collect();
    let next = linked.iter().map(|(at, _)| *at).filter(|at| *at > said).min();
    let before = linked.iter().map(|(at, _)| *at).filter(|at| *at < said).max();
    let is_own = |place: Option<usize>| place.is_some_and(|place| linked.contains(&(place, true)));
    let is_before = linked.iter().any(|(at, own)| *own && *at < said);
    match () {
        () if !linked.iter().any(|(_, own)| *own) => Place::Unknown,
        () if is_own(next) && is_before => Place::Around,
        () if is_own(next) => Place::Next,
        () if is_own(before) && next.is_some() => Place::Behind,
        () if is_own(before) => Place::Before,
        () => Place::Far,
    }
}

/// Finds operations inside a formula; `column` is the one whose values are being restricted.
fn parts(formulas: &Formulas, id: FormulaId, column: Option<ColumnId>, scene: &Scene, add: &mut dyn FnMut(Sense)) {
    let (node, question) = (formulas.node(id), scene.question);
    let mut inner = column;
    match node {
        Node::Superlative(op, _, key) | Node::Top(op, _, key, _) => add(Sense::Superlative(op, by(formulas, key))),
        Node::Aggregate(op @ (Aggregate::Max | Aggregate::Min), of) => add(Sense::Extreme(op, source(formulas, of))),
        Node::Test(op, a, b) => {
            let pair = match op {
                Test::Greater | Test::AtLeast => Some(Pair::More),
                Test::Less | Test::AtMost => Some(Pair::Less),
                Test::Equal | Test::Within => None,
            };
            pair.into_iter().for_each(|pair| add(Sense::Pair(pair, order(formulas, a, b, question))));
        }
        Node::Arithmetic(op, a, b) => {
            let pair = match op {
                Arithmetic::Sub => Some(Pair::Sub),
                Arithmetic::Div => Some(Pair::Div),
                Arithmetic::Days | Arithmetic::Months => Some(Pair::Days),
                Arithmetic::Add | Arithmetic::Mul | Arithmetic::Share => None,
            };
            pair.into_iter().for_each(|pair| add(Sense::Pair(pair, order(formulas, a, b, question))));
            if op == Arithmetic::Share
                && let Some((column, value)) = said_whole(question)
            {
                let nodes: Vec<Node> = formulas.walk(b).into_iter().map(|part| formulas.node(part)).collect();
                let is_in_column = column.is_none_or(|column| nodes.contains(&Node::Column(column)));
                add(Sense::Whole(is_in_column && nodes.contains(&Node::Value(value))));
            }
        }
        Node::Across(Arithmetic::Sub | Arithmetic::Div | Arithmetic::Days, a, b) => {
            add(Sense::Pair(Pair::Across, column_order(formulas, a, b, question)));
            let [first, second] = [a, b].map(|side| match by(formulas, side) {
                By::Column(column) => scene.vocabulary.edition(column).map(|edition| edition.series),
                _ => None,
            });
            first.zip(second).into_iter().for_each(|(first, second)| add(Sense::Series(first == second)));
        }
        Node::Except(_, without) => add(Sense::Negation(place(formulas, without, question))),
        Node::Join(binary, of) => match formulas.node(binary) {
            Node::Column(own) => {
                inner = Some(own);
                member(formulas, own, of, question).into_iter().for_each(|is_part| add(Sense::Member(is_part)));
            }
            Node::Compare(Compare::NotEqual) => add(Sense::Negation(place(formulas, of, question))),
            Node::Compare(op) => {
                if let Some(at) = link_of(formulas, of, question) {
                    add(Sense::Bound(op, column, at));
                }
            }
            _ => {}
        },
        _ => {} // other constructs have no direction
    }
    formulas.children(id).for_each(|child| parts(formulas, child, inner, scene, add));
}

/// Tells if a condition on a column takes in the longer texts that a text is part of; `None` if there are none.
fn member(formulas: &Formulas, column: ColumnId, of: FormulaId, question: &Question) -> Option<bool> {
    let is_listed = |id: FormulaId| match formulas.node(id) {
        Node::Value(Value::Entity(entity)) => question.listed.contains(&(column, entity)),
        _ => false,
    };
    match formulas.node(of) {
        _ if is_listed(of) => Some(false),
        Node::Or(a, b) => member(formulas, column, a, question).or_else(|| member(formulas, column, b, question)),
        Node::Join(binary, inner) => match formulas.node(binary) {
            Node::Reading(Reading::Part) if is_listed(inner) => Some(true),
            // A list with some other part may have this one as well.
            Node::Reading(Reading::Part) => member(formulas, column, inner, question).filter(|is_part| !is_part),
            Node::Compare(Compare::NotEqual) if is_listed(inner) => Some(false),
            _ => None,
        },
        _ => None, // other conditions name no text
    }
}

/// Value that begins the description of what a share is a part of, Italian in "percent of the Italian dishes", and its column
/// if the words name it as well: "percent of the women".
fn said_whole(question: &Question) -> Option<(Option<ColumnId>, Value)> {
    let share = question.cue_tokens("share", "");
    let text = |at: usize| question.tokens.get(at).map(|token| token.text.as_str());
    let of = (0..question.tokens.len().min(128)).find(|at| share >> at & 1 == 1 && text(at + 1) == Some("of"))? + 2;
    let start = (of..).find(|at| !matches!(text(*at), Some("the" | "all" | "our" | "these" | "those" | "my")))?;
    let cell = question
        .links
        .iter()
        .filter(|link| matches!(link.value, Value::Entity(_)))
        .find(|link| link.tokens.start == start);
    let flag = question.conditions.iter().find(|link| link.tokens.start == start);
    cell.map(|link| (None, link.value)).or(flag.map(|link| (Some(link.column), link.value)))
}

/// Position of the link to a formula that is a single value.
fn link_of(formulas: &Formulas, id: FormulaId, question: &Question) -> Option<u16> {
    let Node::Value(value) = formulas.node(id) else { return None };
    question.links.iter().position(|link| link.value == value).map(|at| at as u16)
}

fn by(formulas: &Formulas, key: FormulaId) -> By {
    match formulas.node(key) {
        Node::Index => By::Index,
        Node::Aggregate(Aggregate::Count, _) => By::Count,
        Node::Across(..) => By::Across,
        Node::Column(column) => By::Column(column),
        _ => formulas.children(key).map(|part| by(formulas, part)).fold(By::Index, |found, by| match (found, by) {
            (By::Index, by) => by,
            (found @ (By::Count | By::Across), _) => found,
            // The last column of a path is the one that is compared.
            (By::Column(_), by @ (By::Column(_) | By::Count | By::Across)) => by,
            (found, By::Index) => found,
        }),
    }
}

/// The column that a list of values was read from.
fn source(formulas: &Formulas, id: FormulaId) -> Option<ColumnId> {
    match formulas.node(id) {
        Node::Join(binary, of) => match formulas.node(binary) {
            Node::Reverse(inner) => match formulas.node(inner) {
                Node::Column(column) => Some(column),
                Node::Reading(_) => source(formulas, of),
                _ => None,
            },
            _ => None,
        },
        Node::Superlative(_, of, _) | Node::Top(_, of, _, _) | Node::Except(of, _) => source(formulas, of),
        Node::And(a, b) | Node::Or(a, b) => source(formulas, a).or_else(|| source(formulas, b)),
        Node::Group(of, _) | Node::Having(of, ..) => source(formulas, of),
        _ => None, // computed
    }
}

/// Order in which the question names what only one of two formulas has.
fn order(formulas: &Formulas, a: FormulaId, b: FormulaId, question: &Question) -> Order {
    let values = |id| -> Vec<Value> {
        let parts = formulas.walk(id).into_iter();
        let value = |part| match formulas.node(part) {
            Node::Value(value) => Some(value),
            _ => None,
        };
        parts.filter_map(value).collect()
    };
    let (first, second) = (values(a), values(b));
    let place = |own: &[Value], other: &[Value]| {
        let named = question.links.iter().filter(|link| own.contains(&link.value) && !other.contains(&link.value));
        named.map(|link| link.tokens.start).min()
    };
    compare(place(&first, &second), place(&second, &first))
}

/// Order in which the question names two columns.
fn column_order(formulas: &Formulas, a: FormulaId, b: FormulaId, question: &Question) -> Order {
    let place = |id| {
        let By::Column(column) = by(formulas, id) else { return None };
        let links = question.columns.iter().filter(|link| link.column == column);
        links.map(|link| link.tokens.start).min()
    };
    compare(place(a), place(b))
}

fn compare(first: Option<usize>, second: Option<usize>) -> Order {
    match (first, second) {
        (Some(first), Some(second)) if first < second => Order::Forth,
        (Some(first), Some(second)) if first > second => Order::Back,
        _ => Order::Unknown,
    }
}

/// Outermost operation, and the column that the answer is from.
fn root(formulas: &Formulas, id: FormulaId) -> (Root, Option<ColumnId>) {
    match formulas.node(id) {
        Node::Aggregate(Aggregate::Count, of) => match source(formulas, of) {
            Some(column) => (Root::Distinct, Some(column)),
            None => (Root::Rows, None),
        },
        Node::Aggregate(Aggregate::Max | Aggregate::Min, of) => (Root::Extreme, source(formulas, of)),
        Node::Aggregate(_, of) => (Root::Total, source(formulas, of)),
        Node::Arithmetic(Arithmetic::Share, part, _) => match formulas.node(part) {
            Node::Aggregate(Aggregate::Sum, of) => (Root::Share, source(formulas, of)),
            _ => (Root::Share, None),
        },
        Node::Arithmetic(_, a, _) => (Root::Arithmetic, root(formulas, a).1),
        Node::Exists(_) | Node::Test(..) => (Root::Truth, None),
        Node::Group(..) => (Root::Groups, source(formulas, id)),
        Node::Superlative(..) | Node::Top(..) | Node::Having(..) | Node::Except(..) => {
            (Root::Picked, source(formulas, id))
        }
        Node::Join(..) => (Root::Lookup, source(formulas, id)),
        _ => (Root::Other, source(formulas, id)),
    }
}

/// Tells if a formula reads numbers from a column of whole dates: 1973 from 1973-10-11.
fn is_of_dates(whole: &Whole) -> bool {
    let Some((Root::Lookup, Some(column))) = Some(root(whole.formulas, whole.formula)) else { return false };
    let graph = whole.scene.graph;
    let first = graph.column(column).cells.iter().find(|cell| !graph.is_missing(**cell));
    let date = first.and_then(|cell| graph.read(*cell, Reading::Date));
    class(&whole.scene, Some(column)) == "date" && matches!(date, Some(Value::Date(date)) if date.day().is_some())
}

fn look(whole: &Whole) -> Look {
    let items = match whole.denotation {
        Denotation::Values(items) => items,
        Denotation::Groups(_) => return Look::Groups,
        Denotation::Rows(_) | Denotation::Passing(_) => return Look::Nothing,
    };
    let graph = whole.scene.graph;
    let Some(first) = items.first() else { return Look::Nothing };
    let several = items.iter().any(|item| item.value != first.value);
    let one = match first.value {
        Value::Truth(_) => return Look::Truth,
        Value::Number(_) if is_of_dates(whole) => return Look::Piece,
        Value::Number(_) => Look::Number,
        Value::Date(_) => Look::Date,
        Value::Entity(entity) => {
            let name = graph.name(entity);
            let letters = name.chars().filter(|c| c.is_alphabetic()).count();
            let digits = name.chars().filter(char::is_ascii_digit).count();
            match (digits, letters) {
                (0, _) if !graph.has_reading(entity, Reading::Date) => Look::Text,
                _ if graph.has_reading(entity, Reading::Date) && (digits > 0 || letters > 0) => Look::Date,
                (_, 0) => Look::Number,
                (digits, letters) if digits >= letters && graph.has_reading(entity, Reading::Number) => Look::Number,
                _ => Look::Mixed,
            }
        }
    };
    match one {
        Look::Number if several => Look::Numbers,
        Look::Date if several => Look::Dates,
        Look::Text if several => Look::Texts,
        look => look,
    }
}

impl Describe for Sense {
    fn label(self, _: &Scene) -> String {
        "agrees with what general words say".to_string()
    }

    fn describe(self, scene: &Scene, list: &mut List) {
        let mut add = |pieces: &[&str]| list.add(Family::Sense, pieces);
        let question = scene.question;
        match self {
            Sense::Superlative(op, key) => {
                let key = class_by(scene, key);
                let (form, ways) = said(question, key);
                add(&["superlative", op.name(), key, form, &names(&ways)]);
                add(&["superlative", key, form, &names(&ways)]);
            }
            Sense::Extreme(op, column) => {
                let key = class(scene, column);
                let (form, ways) = said(question, key);
                add(&["extreme", op.name(), key, form, &names(&ways)]);
            }
            Sense::Bound(op, column, at) => {
                let said =
                    question.bounds.get(usize::from(at)).copied().flatten().map_or("nothing", |said| said.name());
                add(&["bound", op.name(), said]);
                add(&["bound", op.name(), said, class(scene, column)]);
            }
            Sense::Pair(pair, order) => {
                let (form, ways) = said(question, "number");
                add(&["pair", pair.name(), order.name()]);
                add(&["pair", pair.name(), order.name(), form, &names(&ways)]);
            }
            Sense::Root(root, column) => {
                let form = question.asks.form.name();
                let noun = noun(scene, column);
                add(&["root", root.name(), form, class(scene, column)]);
                add(&["root", root.name(), form, &noun]);
                add(&["root", root.name(), &noun]);
            }
            Sense::Negation(place) => add(&["negation", place.name()]),
            Sense::Series(is_one) => add(&["series", if is_one { "one" } else { "two" }]),
            Sense::Twice => add(&["next of next"]),
            Sense::Member(is_part) => add(&["member", if is_part { "part" } else { "whole" }]),
            Sense::Claim(claim) => {
                let said = question.quantifier.map_or("nothing", |quantifier| match quantifier {
                    Quantifier::All => "all",
                    Quantifier::Some => "some",
                });
                add(&["claim", claim.name(), said]);
            }
            Sense::Whole(is_said) => add(&["whole", if is_said { "said" } else { "other" }]),
            Sense::Number(asked) => add(&["number", asked.name()]),
            Sense::Look(look) => {
                let asks = &question.asks;
                add(&["look", look.name(), asks.form.name()]);
                add(&["look", look.name(), asks.form.name(), asks.number]);
            }
        }
    }
}

/// Form and directions of the words of degree: those of superlatives, else of comparatives. Of a word with several
/// directions, those that suit the kind of cells count: *old* is more years, and an earlier date.
pub(super) fn said(question: &Question, class: &str) -> (&'static str, Vec<Way>) {
    let suiting: &[Way] = match class {
        "date" => &[Way::Later, Way::Earlier, Way::Last, Way::First],
        "index" => &[Way::Last, Way::First, Way::Later, Way::Earlier],
        "number" | "amount" | "count" | "across" => &[Way::More, Way::Less],
        _ => &[],
    };
    let all = [Way::More, Way::Less, Way::Later, Way::Earlier, Way::Last, Way::First];
    for (form, name) in [(Form::Superlative, "superlative"), (Form::Comparative, "comparative")] {
        let degrees: Vec<_> = question.degrees.iter().filter(|(_, degree)| degree.form == form).collect();
        let has = |way: &Way| degrees.iter().any(|(_, degree)| degree.has(*way));
        let suited: Vec<Way> = suiting.iter().copied().filter(has).collect();
        let ways: Vec<Way> = if suited.is_empty() { all.into_iter().filter(has).collect() } else { suited };
        if !ways.is_empty() {
            return (name, ways);
        }
    }
    ("plain", Vec::new())
}

fn names(ways: &[Way]) -> String {
    ways.iter().map(|way| format!("{way:?}")).collect::<Vec<_>>().join(" ")
}

/// Kind of what a superlative goes by.
pub(super) fn class_by<'s>(scene: &Scene<'s>, by: By) -> &'s str {
    match by {
        By::Index => "index",
        By::Count => "count",
        By::Across => "across",
        By::Column(column) => class(scene, Some(column)),
    }
}

/// Kind of a column's cells.
pub(super) fn class<'s>(scene: &Scene<'s>, column: Option<ColumnId>) -> &'s str {
    column.map_or("none", |column| scene.vocabulary.class(column).split(' ').next().unwrap_or_default())
}

/// What the noun that names what is asked for stands for in the table, and if the answer is from that column.
pub(super) fn noun(scene: &Scene, column: Option<ColumnId>) -> String {
    let question = scene.question;
    let noun = &question.asks.noun;
    if noun.is_empty() {
        return "no noun".to_owned();
    }
    let meets = |tokens: &std::ops::Range<usize>| tokens.start < noun.end && noun.start < tokens.end;
    let links: Vec<_> = question.columns.iter().filter(|link| meets(&link.tokens)).collect();
    if let Some(own) = links.iter().filter(|link| Some(link.column) == column).map(|link| link.kind).min() {
        return format!("its column, {}, {}", own.name(), class(scene, column));
    }
    if let Some(best) = links.iter().min_by_key(|link| link.kind) {
        let sure = if best.kind <= ColumnKind::Stem { "sure" } else { "unsure" };
        let run = if scene.vocabulary.is_run(best.column) { ", run" } else { "" };
        return format!("another column, {sure}, {}{run}", class(scene, Some(best.column)));
    }
    let is_cell = question.links.iter().any(|link| meets(&link.tokens));
    let is_row = question.tokens[noun.clone()].iter().any(|token| scene.vocabulary.is_row(&token.text));
    match () {
        () if is_cell => "a cell".to_owned(),
        () if is_row => match column {
            Some(column) if scene.vocabulary.repeats(column) => "the rows, repeated".to_owned(),
            Some(_) => "the rows, each its own".to_owned(),
            None => "the rows".to_owned(),
        },
        () => "nothing".to_owned(),
    }
}
