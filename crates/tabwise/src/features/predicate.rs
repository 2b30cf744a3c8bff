//! Predicates: what a formula is made of, each seen against the phrases of the question. *Lexical* features pair a phrase
//! with a predicate; *match* features say how a phrase and the predicate's text look alike; *missing* features say what
//! the question names and the formula leaves out.

use super::{Describe, Family, List, Scene, link};
use crate::formula::{Aggregate, Arithmetic, Compare, FormulaId, Formulas, Node, Superlative, Test, TextTest, Way};
use crate::graph::{ColumnId, Reading};
use crate::value::{Value, show_number, show_truth};

/// One thing that a formula is made of. A relation and its reverse are different predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// A text, number or date.
    Value(Value),
    /// Some number, whichever it is.
    AnyNumber,
    /// Some date, whichever it is.
    AnyDate,
    /// A text of which the question says only some words.
    OneByWords,
    /// Several texts of which the question says only some words.
    SomeByWords,
    /// Rows by a condition that words name as a whole.
    ByCondition,
    /// Rows by a column.
    Column(ColumnId),
    /// Content of a column.
    ColumnOf(ColumnId),
    /// Rows in the order of a column.
    ColumnBy(ColumnId),
    /// Rows grouped by a column.
    ColumnPer(ColumnId),
    /// Texts by a reading.
    Reading(Reading),
    /// Readings of texts.
    ReadingOf(Reading),
    /// The row before.
    Previous,
    /// The row after.
    Next,
    /// The number of a row.
    Index,
    /// A comparison.
    Compare(Compare),
    /// An intersection.
    And,
    /// A union.
    Or,
    /// One value of a list.
    Aggregate(Aggregate),
    /// The largest or smallest.
    Superlative(Superlative),
    /// Arithmetic on two numbers.
    Arithmetic(Arithmetic),
    /// A relation that is computed.
    Lambda,
    /// Several of the largest or smallest.
    Top(Superlative),
    /// A table of groups.
    Group,
    /// A condition on groups.
    Having,
    /// A difference of sets.
    Except,
    /// A question if there is something.
    Exists,
    /// A question about two values.
    Test(Test),
    /// Rows whose cell is missing.
    Blank,
    /// A question about a text.
    Text(TextTest),
    /// Arithmetic on two columns of a row.
    Across(Arithmetic),
}

impl Predicate {
    /// The predicates that a rule's template adds to those of its parts.
    pub fn in_template(templates: &Formulas, id: FormulaId) -> Vec<Predicate> {
        let mut found = Vec::new();
        add_all(templates, id, Way::Back, &mut found);
        found
    }
}

fn add_all(templates: &Formulas, id: FormulaId, way: Way, found: &mut Vec<Predicate>) {
    let node = templates.node(id);
    found.extend(own(node, way));
    let way = if let Node::Reverse(_) = node { way.turned() } else { way };
    templates.children(id).for_each(|child| add_all(templates, child, way, found));
}

/// The predicate of one node of a template. Columns, readings and values come with the parts.
fn own(node: Node, way: Way) -> Option<Predicate> {
    match node {
        Node::Next if way == Way::Forth => Some(Predicate::Next),
        Node::Next => Some(Predicate::Previous),
        Node::Index => Some(Predicate::Index),
        Node::Compare(op) => Some(Predicate::Compare(op)),
        Node::And(..) => Some(Predicate::And),
        Node::Or(..) => Some(Predicate::Or),
        Node::Aggregate(op, _) => Some(Predicate::Aggregate(op)),
        Node::Superlative(op, ..) => Some(Predicate::Superlative(op)),
        Node::Arithmetic(op, ..) => Some(Predicate::Arithmetic(op)),
        Node::Lambda(..) => Some(Predicate::Lambda),
        Node::Top(op, ..) => Some(Predicate::Top(op)),
        Node::Group(..) => Some(Predicate::Group),
        Node::Having(..) => Some(Predicate::Having),
        Node::Except(..) => Some(Predicate::Except),
        Node::Exists(_) => Some(Predicate::Exists),
        Node::Test(op, ..) => Some(Predicate::Test(op)),
        Node::Missing(_) => Some(Predicate::Blank),
        Node::Text(op, _) => Some(Predicate::Text(op)),
        Node::Across(op, ..) => Some(Predicate::Across(op)),
        Node::Value(_) | Node::Rows | Node::Var(_) | Node::Join(..) | Node::Mark(..) => None,
        Node::Column(_) | Node::Reading(_) | Node::Run(_) | Node::Reverse(_) => None,
    }
}

/// Text of a predicate, as it is compared with phrases.
struct Said {
    /// Text that phrases are compared with, in lower case.
    text: String,
    class: &'static str,
    /// The text and the class of a column by what it does in the formula; of all else, the same again.
    name: String,
    role: &'static str,
    /// True if the text comes from the table, and not from the language of formulas.
    is_original: bool,
}

/// Longer texts are never said in a question as they are.
const LONGEST: usize = 40;

fn said(scene: &Scene, predicate: Predicate) -> Said {
    let plain = |text: String, class: &'static str, is_original: bool| Said {
        name: text.clone(),
        role: class,
        text,
        class,
        is_original,
    };
    let keyword = |name: &str| plain(name.to_string(), "keyword", false);
    let column = |id: ColumnId, sign: &str, role: &'static str| {
        let text = scene.vocabulary.header(id).to_string();
        Said { name: format!("{sign}{text}"), text, class: "relation", role, is_original: true }
    };
    match predicate {
        Predicate::Value(Value::Entity(entity)) => plain(scene.graph.name(entity).to_lowercase(), "entity", true),
        Predicate::Value(Value::Number(n)) => keyword(&show_number(n)),
        Predicate::Value(Value::Date(date)) => keyword(&date.to_string()),
        Predicate::Value(Value::Truth(truth)) => keyword(show_truth(truth)),
        Predicate::AnyNumber => keyword("number"),
        Predicate::AnyDate => keyword("date"),
        Predicate::OneByWords => keyword("one by words"),
        Predicate::SomeByWords => keyword("some by words"),
        Predicate::ByCondition => keyword("condition"),
        Predicate::Column(id) => column(id, "", "condition"),
        Predicate::ColumnOf(id) => column(id, "!", "column"),
        Predicate::ColumnBy(id) => column(id, "by ", "order"),
        Predicate::ColumnPer(id) => column(id, "per ", "group"),
        Predicate::Reading(reading) => keyword(&format!("as {}", reading.name())),
        Predicate::ReadingOf(reading) => keyword(&format!("!as {}", reading.name())),
        Predicate::Previous => keyword("previous"),
        Predicate::Next => keyword("next"),
        Predicate::Index => keyword("index"),
        Predicate::Compare(op) => keyword(op.name()),
        Predicate::And => keyword("and"),
        Predicate::Or => keyword("or"),
        Predicate::Aggregate(op) => keyword(op.name()),
        Predicate::Superlative(op) => keyword(op.name()),
        Predicate::Arithmetic(op) => keyword(op.name()),
        Predicate::Lambda => keyword("lambda"),
        Predicate::Top(op) => keyword(&format!("top {}", op.name())),
        Predicate::Group => keyword("group"),
        Predicate::Having => keyword("having"),
        Predicate::Except => keyword("except"),
        Predicate::Exists => keyword("exists"),
        Predicate::Test(op) => keyword(&format!("test {}", op.name())),
        Predicate::Blank => keyword("missing"),
        Predicate::Text(op) => keyword(&format!("text {}", op.name())),
        Predicate::Across(op) => keyword(&format!("across {}", op.name())),
    }
}

impl Describe for Predicate {
    fn label(self, scene: &Scene) -> String {
        format!("uses {}", said(scene, self).name)
    }

    fn describe(self, scene: &Scene, list: &mut List) {
        let said = said(scene, self);
        match self {
            Predicate::Column(id) | Predicate::ColumnOf(id) | Predicate::ColumnBy(id) | Predicate::ColumnPer(id) => {
                link::describe_column(scene, id, said.role, list);
            }
            Predicate::Value(Value::Entity(entity)) => link::describe_entity(scene, entity, list),
            _ => {}
        }
        describe(scene, said, list);
    }
}

/// A predicate that the question names and the formula leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Missing(pub Predicate);

impl Describe for Missing {
    fn label(self, scene: &Scene) -> String {
        format!("leaves out {}", said(scene, self.0).name)
    }

    fn describe(self, scene: &Scene, list: &mut List) {
        let said = said(scene, self.0);
        list.add(Family::Missing, &[said.class]);
        list.add(Family::Missing, &[said.class, &said.text]);
    }
}

fn describe(scene: &Scene, said: Said, list: &mut List) {
    if said.text.len() > LONGEST {
        return;
    }
    let (name, class) = match list.wants(Family::Role) {
        true => (&said.name, said.role),
        false => (&said.text, said.class),
    };
    if list.wants(Family::Lexical) {
        for phrase in scene.question.phrases.iter().filter(|p| p.tokens.len() <= 2 && !p.is_bordered) {
            list.add(Family::Lexical, &[&phrase.text, name]);
        }
    }
    if list.wants(Family::Match) {
        for phrase in &scene.question.phrases {
            for how in likeness(&phrase.text, &said.text) {
                let origin = if said.is_original { "o" } else { "i" };
                list.add(Family::Match, &[how, origin]);
                list.add(Family::Match, &[how, origin, class]);
                list.add(Family::Match, &[how, origin, "", &phrase.tags]);
                list.add(Family::Match, &[how, origin, class, &phrase.tags]);
            }
        }
    }
    if said.is_original && list.wants(Family::Cover) {
        describe_cover(scene, &said, list);
    }
}

/// Lists the share of a text's words that the question says, and if the headword is among them.
fn describe_cover(scene: &Scene, said: &Said, list: &mut List) {
    let is_said = |word: &str| scene.question.tokens.iter().any(|token| token.lemma == word);
    let words: Vec<&str> = said.text.split(' ').filter(|word| word.chars().any(char::is_alphanumeric)).collect();
    let count = words.iter().filter(|word| is_said(word)).count();
    let cover = match count {
        0 => "none",
        n if n == words.len() => "all",
        _ => "some",
    };
    list.add(Family::Cover, &[cover, said.role]);
    let head = &scene.question.asks.head;
    if !head.is_empty() && words.iter().any(|word| head.split(' ').any(|part| part == *word)) {
        list.add(Family::Cover, &["head", said.role]);
    }
}

/// The ways in which a phrase and a predicate's text look alike.
fn likeness(phrase: &str, text: &str) -> impl Iterator<Item = &'static str> {
    let equal = phrase == text;
    let one = |holds: bool, name: &'static str| (holds && !text.is_empty()).then_some(name);
    [
        one(equal, "="),
        one(!equal && text.starts_with(phrase), "starts with phrase"),
        one(!equal && text.ends_with(phrase), "ends with phrase"),
        one(!equal && phrase.starts_with(text), "phrase starts with"),
        one(!equal && phrase.ends_with(text), "phrase ends with"),
    ]
    .into_iter()
    .flatten()
}
