//! Questions about a table. A [`Question`] holds everything that the search and the features may know: tokens, phrases,
//! links between words and the table, and cues. It has no field for the right answer.

mod bounds;
mod cells;
mod columns;
mod conditions;
mod enumeration;
mod header;
mod kin;
mod labels;
mod phrases;
mod series;
mod steps;
mod texts;
mod vocabulary;
mod words;

pub use bounds::Said;
pub use header::{Header, HeaderWord};
pub use labels::Label;
pub use phrases::{Phrase, phrases};
pub use series::Edition;
pub use vocabulary::{Flag, Places, Vocabulary, lemmas};

use crate::formula::TextTest;
use crate::graph::{ColumnId, Graph, Reading};
use crate::named::named;
use crate::text::clock::{Lengths, with_times};
use crate::text::headword::asked;
use crate::text::ranges::{RangeSpan, find_ranges};
use crate::text::values::{ValueSpan, find_values};
use crate::text::{Annotator, Tag, Token};
use crate::value::{EntityId, Value};
use crate::words::{Degree, Form, Quantifier, Words};
use enumeration::Apart;
use kin::Found;
use std::ops::Range;
use std::sync::Arc;
use vocabulary::Key;

/// Number of tokens that are linked; later ones are kept and ignored. Sets of tokens are the bits of a `u128`.
pub const LONGEST: usize = 120;

/// Annotated question with its links to a table.
#[derive(Default)]
pub struct Question {
    /// Text as it was asked.
    pub text: String,
    /// Tokens with lemmas and tags.
    pub tokens: Vec<Token>,
    /// Every run of one, two or three tokens.
    pub phrases: Vec<Phrase>,
    /// Links from words to cells and values.
    pub links: Vec<Link>,
    /// Links from words to columns, by column.
    pub columns: Vec<ColumnLink>,
    /// Columns of other years than those that the question names.
    pub passed: Vec<ColumnId>,
    /// Numbers with the header of their column before them.
    pub labels: Vec<Label>,
    /// Dates one step from those that the question says: 2006 of "the year after 2005".
    pub stepped: Vec<Value>,
    /// Columns with texts that the question names and that are parts of longer texts there as well.
    pub listed: Vec<(ColumnId, EntityId)>,
    /// Column with cells that are spoken of one by one: "for men and for women".
    pub apart: Option<ColumnId>,
    /// Links from words to conditions on a column.
    pub conditions: Vec<ConditionLink>,
    /// Links from words to texts that contain them, or start or end with them.
    pub texts: Vec<TextLink>,
    /// Ranges of numbers and dates that words name.
    pub ranges: Vec<RangeSpan>,
    /// Question words and headword.
    pub asks: Asks,
    /// Words of degree, each with its position in the tokens.
    pub degrees: Vec<(usize, Degree)>,
    /// Bounds that the words next to each link to a value make of it, in the order of the links.
    pub bounds: Vec<Option<Said>>,
    /// Number of things that the question asks for: "the 3 largest", "top five".
    pub asked_number: Option<Value>,
    /// Number of things that a statement is about; `None` if no word or words of both kinds say it.
    pub quantifier: Option<Quantifier>,
    /// Operations that words suggest, sorted by name.
    pub cues: Vec<Cue>,
    /// Words that suggest an operation which an answer must not leave out, as bits.
    pub decisive: u128,
    /// Rows of a big table that the search looks at; all of them if there is none.
    pub sample: Option<Graph>,
}

/// Operation that words of the question suggest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cue {
    /// Name of a group of rules, or of a group and a rule with a space between them.
    pub name: Arc<str>,
    /// Tokens that suggest it, as bits.
    pub tokens: u128,
}

/// Words of the question that denote a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The words, as positions in the tokens.
    pub tokens: Range<usize>,
    /// Value that they denote.
    pub value: Value,
    /// Further entities of the same column that fit the words.
    pub others: Vec<EntityId>,
    /// Reason for the link.
    pub kind: LinkKind,
}

named! {
    /// Reason for a link, from sure to unsure.
    pub enum LinkKind is "kind of link" {
        /// The words are the text of a cell.
        Cell => "cell",
        /// The words are a part of a list cell.
        Part => "part",
        /// The words are some of the words of a cell, or of several cells of a column.
        Words => "words",
        /// The words are a number or a date.
        Value => "value",
        /// The words are another name or another form of the text of a cell: "Italian" of Italy, "Texas" of TX.
        Kin => "kin",
        /// The words are the text of a cell but for a typing error.
        Typo => "typo",
    }
}

/// Words of the question that name a column.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnLink {
    /// The words, as positions in the tokens.
    pub tokens: Range<usize>,
    /// Column that they name.
    pub column: ColumnId,
    /// Reason for the link.
    pub kind: ColumnKind,
}

named! {
    /// Reason for a link to a column, from sure to unsure.
    pub enum ColumnKind is "kind of column link" {
        /// The words are the header.
        Header => "header",
        /// The words are some of the words of the header.
        Words => "words",
        /// The words have the same stem as words of the header.
        Stem => "stem",
        /// The header abbreviates the words.
        Abbreviation => "abbreviation",
        /// The words are kin of words of the header: "old" of "age".
        Kin => "kin",
        /// The words are those of the header but for a typing error.
        Typo => "typo",
    }
}

/// Words of the question that name a condition on one column: "women" for 1 in a column *female*.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionLink {
    /// The words, as positions in the tokens.
    pub tokens: Range<usize>,
    /// Column with the condition.
    pub column: ColumnId,
    /// Reading of the cell that has to be the value; the cell itself if there is none.
    pub reading: Option<Reading>,
    /// Value that the words ask for.
    pub value: Value,
    /// Numbers that further columns have to have at the same time: the day and the year of a date.
    pub also: Vec<(ColumnId, Value)>,
    /// Reason for the link.
    pub kind: ColumnKind,
}

/// Words of the question that texts of a column contain, start with or end with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextLink {
    /// The words, as positions in the tokens.
    pub tokens: Range<usize>,
    /// Column that has such texts.
    pub column: ColumnId,
    /// Test of the texts.
    pub test: TextTest,
    /// The words that are tested for, as asked, in lower case.
    pub text: String,
}

/// Words that tell the kind of answer, as lemmas. Both are empty if there is no question word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asks {
    /// Question words: "how many".
    pub words: String,
    /// Headword: "year".
    pub head: String,
    /// Tag of the headword's last noun, which tells singular from plural.
    pub number: &'static str,
    /// Form of the question.
    pub form: AskForm,
    /// Tokens of the noun or adjective that names what is asked for: "year", "tall" of "how tall", and the first noun of a
    /// request without a question word. Empty if nothing does.
    pub noun: Range<usize>,
}

impl Asks {
    /// Tells if a link takes the kind of thing that is asked for as the name of some cell: "phones" for "Windows Phone", or
    /// "moons" for Moon where a column has the names of moons.
    fn is_kind(&self, link: &Link, tokens: &[Token], columns: &[ColumnLink]) -> bool {
        let at = link.tokens.start;
        let Some(token) = tokens.get(at).filter(|_| link.tokens.len() == 1 && self.noun.contains(&at)) else {
            return false;
        };
        let is_asked = self.form == AskForm::HowMany || self.noun.start > 0 && tokens[self.noun.start - 1].tag.is_wh();
        let is_kind = token.tag == Tag::Nns || token.tag == Tag::Nn && is_asked;
        match link.kind {
            LinkKind::Words => is_kind,
            LinkKind::Kin => is_kind && names_column(columns, at),
            _ => false,
        }
    }
}

/// Tells if a token is the name of a column or part of it.
fn names_column(columns: &[ColumnLink], at: usize) -> bool {
    let is_name = |kind| matches!(kind, ColumnKind::Header | ColumnKind::Words);
    columns.iter().any(|link| is_name(link.kind) && link.tokens.contains(&at))
}

named! {
    /// Form of a question, by its question words.
    #[derive(Default)]
    pub enum AskForm is "form of question" {
        /// words without a question: "average price by region"
        #[default]
        Words => "words",
        /// how many, how much, what number of
        HowMany => "how many",
        /// how tall, how old
        How => "how",
        /// who, whose
        Who => "who",
        /// when
        When => "when",
        /// where
        Where => "where",
        /// which, what
        Which => "which",
        /// is it, does it
        IsIt => "is it",
        /// list, give, name
        List => "list",
    }
}

impl AskForm {
    /// The form of a question with these question words.
    fn of(words: &str) -> AskForm {
        let all: Vec<&str> = words.split(' ').collect();
        match all.last() {
            Some(&"who" | &"whom" | &"whose") => AskForm::Who,
            Some(&"when") => AskForm::When,
            Some(&"where") => AskForm::Where,
            Some(&"many" | &"much" | &"number") => AskForm::HowMany,
            _ if all.contains(&"how") && all.len() > 1 => AskForm::How,
            _ => AskForm::Which,
        }
    }
}

/// Kinds of links that are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Linking {
    /// Whole cells and values, as in the paper.
    Cells,
    /// Parts of list cells as well.
    Parts,
    /// Words of cells as well.
    Words,
    /// Other names and forms of cells and headers, conditions and texts as well; function words only as written.
    Kin,
}

impl Question {
    /// Things that the question names, each with the values that it may be.
    pub fn named(&self) -> Vec<Vec<Value>> {
        let links = self.links.iter().map(|link| {
            std::iter::once(link.value).chain(link.others.iter().map(|other| Value::Entity(*other))).collect()
        });
        let conditions = self.conditions.iter().map(|link| vec![link.value]);
        let ranges = self.ranges.iter().map(|range| vec![range.from, range.to]);
        let mut named: Vec<Vec<Value>> = links.chain(conditions).chain(ranges).collect();
        named.sort();
        named.dedup();
        named
    }

    /// Annotates a question and links it to a table.
    pub fn new(
        text: &str,
        graph: &Graph,
        vocabulary: &Vocabulary,
        annotator: &Annotator,
        words: &Words,
        linking: Linking,
    ) -> Question {
        let tokens = annotator.annotate(text);
        let linked = &tokens[..tokens.len().min(LONGEST)];
        let phrases = phrases(linked, words);
        let mut links = entity_links(text, linked, graph, vocabulary, linking);
        let values = values(linked, graph, vocabulary, words, linking);
        let mut ranges = find_ranges(linked, &values, words);
        let steps = steps::step_links(linked, &values);
        // A decade is a range; only the paper takes it for its first year.
        let is_range =
            |span: &ValueSpan| linking == Linking::Kin && ranges.iter().any(|range| range.tokens == span.tokens);
        links.extend(values.into_iter().filter(|span| !is_range(span)).map(|span| Link {
            tokens: span.tokens,
            value: span.value,
            others: Vec::new(),
            kind: LinkKind::Value,
        }));
        let mut found = Found { columns: header_links(&phrases, graph, vocabulary), ..Found::default() };
        match linking {
            Linking::Cells | Linking::Parts => {}
            Linking::Words => {
                let more = words::word_links(text, linked, &links, graph, vocabulary, words);
                links.extend(more);
            }
            Linking::Kin => {
                let said = &columns::said(text, linked, annotator, words);
                let scene = cells::Scene { text, tokens: linked, said, graph, vocabulary, words };
                found = kin::find(&scene, &mut links, found.columns, steps);
            }
        }
        let Found { mut columns, passed, labels, stepped, listed, conditions, mut texts } = found;
        let names = if linking == Linking::Kin { columns::long_names(&columns) | idioms(linked, words) } else { 0 };
        let mut cues = cues(linked, names, linking, words);
        let degrees = degrees(linked, words);
        let mut apart = None;
        if linking == Linking::Kin {
            cues.extend(degree_cues(&degrees, names, words));
            let is_each = |at: usize| linked.get(at).is_some_and(|token| words.is_decisive(&token.text));
            let grouping = cue_tokens(&cues, "group", "");
            let each =
                (0..128).filter(|at| grouping >> at & 1 == 1 && is_each(*at)).fold(0, |bits, at| bits | 1u128 << at);
            let is_average = cue_tokens(&cues, "aggregate", "avg") | cue_tokens(&cues, "median", "") != 0;
            let Apart { column, tokens } =
                enumeration::apart(linked, &links, each, is_average, graph, vocabulary, words);
            if tokens != 0 {
                cues.push(Cue { name: Arc::from("group"), tokens });
            }
            if let Some(column) = column.filter(|_| tokens | each != 0) {
                // The words that keep the cells apart name their column, as "each region" would.
                let at = (tokens | each).trailing_zeros() as usize;
                columns.push(ColumnLink { tokens: at..at + 1, column, kind: ColumnKind::Words });
            }
            apart = column;
            cues = merged(cues);
        }
        let mut asks = asks(linked, &cues);
        if linking == Linking::Kin && asks.form == AskForm::IsIt && is_choice(linked, &links) {
            asks.form = AskForm::Which;
        }
        if linking == Linking::Kin {
            links.retain(|link| !asks.is_kind(link, linked, &columns));
            texts.retain(|link| !asks.noun.contains(&link.tokens.start) || !names_column(&columns, link.tokens.start));
        }
        if linking == Linking::Kin {
            // "2022-23" is a season where the table has it, and not two years.
            let is_cell = |range: &RangeSpan| {
                let holds =
                    |tokens: &Range<usize>| tokens.start <= range.tokens.start && range.tokens.end <= tokens.end;
                links.iter().any(|link| link.kind == LinkKind::Cell && holds(&link.tokens))
            };
            ranges.retain(|range| !is_cell(range));
        }
        let bounds = links.iter().map(|link| bounds::said(&link.tokens, linked, words)).collect();
        let is_decisive = |token: &Token| {
            let meant = if linking == Linking::Kin { misspelt(token, words) } else { None };
            let said = [token.text.to_lowercase(), token.lemma.clone(), meant.unwrap_or_default().to_owned()];
            said.map(|word| words.is_decisive(&word))
        };
        // "Per" asks for groups if the name of a column follows, and not in "per week".
        let is_header = |at: usize| columns.iter().any(|link| link.tokens.start == at && link.kind <= ColumnKind::Stem);
        let is_per = |at: usize| linked[at].text != "per" || is_header(at + 1);
        // "Percent" may be the unit of a column that is named, and then asks for no share.
        let has_unit = linking == Linking::Kin && columns.iter().any(|link| vocabulary.is_percentage(link.column));
        let units = if has_unit { cue_tokens(&cues, "share", "") } else { 0 };
        let decisive = (0..).zip(linked).filter(|(at, token)| is_decisive(token).contains(&true) && is_per(*at));
        let decisive = decisive.fold(0, |bits, (at, _)| bits | 1u128 << at) & !names & !units;
        let mut question = Question {
            text: text.to_string(),
            phrases,
            links,
            columns,
            passed,
            labels,
            stepped,
            listed,
            apart,
            conditions,
            texts,
            ranges,
            asks,
            degrees,
            bounds,
            asked_number: None,
            quantifier: quantifier(linked, words),
            cues,
            decisive,
            sample: None,
            tokens,
        };
        question.asked_number = question.find_asked_number();
        question
    }

    /// Tells if a word suggests a rule, by its own cues or by those of its group.
    pub fn has_cue(&self, group: &str, rule: &str) -> bool {
        self.cue_tokens(group, rule) != 0
    }

    /// Tokens that suggest a rule, as bits.
    pub fn cue_tokens(&self, group: &str, rule: &str) -> u128 {
        cue_tokens(&self.cues, group, rule)
    }

    /// Finds the number of things that the question asks for.
    fn find_asked_number(&self) -> Option<Value> {
        let degree = |at: usize| self.degrees.iter().find(|(place, _)| *place == at).map(|(_, degree)| degree);
        let is_superlative = |at: usize| degree(at).is_some_and(|degree| degree.form == Form::Superlative);
        let is_end = |at: usize| {
            let word = self.tokens.get(at).map_or("", |token| token.text.as_str());
            matches!(word, "top" | "bottom") || is_superlative(at) && !matches!(word, "most" | "least")
        };
        let asks = |link: &&Link| {
            let is_number =
                link.kind == LinkKind::Value && matches!(link.value, Value::Number(n) if (2.0..=50.0).contains(&n));
            let after = is_superlative(link.tokens.end);
            is_number && (after || link.tokens.start > 0 && is_end(link.tokens.start - 1))
        };
        self.links.iter().find(asks).map(|link| link.value)
    }

    /// Tells if the words before a link make it the start of a step, and no bound: "the week after 7 February".
    pub fn is_step(&self, link: usize) -> bool {
        self.links.get(link).is_some_and(|link| steps::is_step(&self.tokens, link.tokens.start))
    }

    /// Tells if a word suggests a superlative.
    pub fn is_superlative(&self) -> bool {
        let is_of =
            |cue: &Cue| ["superlative ", "top ", "nth", "aggregate m"].iter().any(|name| cue.name.starts_with(name));
        self.cues.iter().any(is_of) || self.degrees.iter().any(|(_, degree)| degree.form != Form::Plain)
    }

    /// Entities that words of the question name in full.
    pub fn entities(&self) -> impl Iterator<Item = EntityId> + '_ {
        self.links.iter().filter_map(|link| match link.value {
            Value::Entity(entity) if matches!(link.kind, LinkKind::Cell | LinkKind::Part) => Some(entity),
            _ => None,
        })
    }
}

/// Values of a question; times of day if the table has such times.
fn values(tokens: &[Token], graph: &Graph, vocabulary: &Vocabulary, words: &Words, linking: Linking) -> Vec<ValueSpan> {
    let mut values = find_values(tokens, words);
    if linking == Linking::Kin {
        values.extend((0..).zip(tokens).filter_map(|(at, token)| thousands(at, token)));
    }
    let is_of_times = |column: &ColumnId| graph.column(*column).is_of_times;
    if linking != Linking::Kin || !graph.column_ids().any(|column| is_of_times(&column)) {
        return values;
    }
    let others = graph.column_ids().filter(|column| !is_of_times(column));
    let has_lengths = others.into_iter().any(|column| vocabulary.readings(column).contains(&Reading::Duration));
    with_times(values, tokens, if has_lengths { Lengths::Some } else { Lengths::None }, words)
}

/// Tokens that suggest a rule, as bits.
fn cue_tokens(cues: &[Cue], group: &str, rule: &str) -> u128 {
    let suggests = |cue: &&Cue| match cue.name.split_once(' ') {
        Some((of, name)) => of == group && name == rule,
        None => *cue.name == *group,
    };
    cues.iter().filter(suggests).fold(0, |tokens, cue| tokens | cue.tokens)
}

/// A number of thousands as people write it: "over 70k".
fn thousands(at: usize, token: &Token) -> Option<ValueSpan> {
    let digits = token.text.strip_suffix(['k', 'K'])?;
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit());
    let number = digits.parse::<f64>().ok().filter(|_| is_number)?;
    Some(ValueSpan { tokens: at..at + 1, value: Value::number(number * 1000.0)? })
}

/// Links to the columns whose header is one of the phrases.
fn header_links(phrases: &[Phrase], graph: &Graph, vocabulary: &Vocabulary) -> Vec<ColumnLink> {
    let link = |column: ColumnId| {
        let phrase = phrases.iter().find(|phrase| phrase.text == vocabulary.header(column))?;
        Some(ColumnLink { tokens: phrase.tokens.clone(), column, kind: ColumnKind::Header })
    };
    graph.column_ids().filter_map(link).collect()
}

/// Links spans of tokens to cells with the same letters and digits. A span begins and ends with a word.
fn entity_links(text: &str, tokens: &[Token], graph: &Graph, vocabulary: &Vocabulary, linking: Linking) -> Vec<Link> {
    let mut links = Vec::new();
    let is_word = |token: &Token| token.text.chars().any(char::is_alphanumeric);
    for start in (0..tokens.len()).filter(|at| is_word(&tokens[*at])) {
        // The key grows token by token, so all spans from one start cost one pass.
        let mut key = Key::default();
        for end in start + 1..=tokens.len() {
            key.push(&text[tokens[end - 1].start..tokens[end - 1].end]);
            let Some(value) = key.value().filter(|_| is_word(&tokens[end - 1])) else { continue };
            for entity in vocabulary.entities(value) {
                links.extend(entity_link(start..end, *entity, graph, vocabulary, linking));
            }
        }
    }
    links
}

/// Link to an entity that is a cell or, if such links are made, a part of one.
fn entity_link(
    tokens: Range<usize>,
    entity: EntityId,
    graph: &Graph,
    vocabulary: &Vocabulary,
    linking: Linking,
) -> Option<Link> {
    let is_cell = graph.column_ids().any(|id| vocabulary.places(entity).meets(Places::column(id)));
    let kind = if is_cell { LinkKind::Cell } else { LinkKind::Part };
    (is_cell || linking != Linking::Cells).then_some(Link {
        tokens,
        value: Value::Entity(entity),
        others: Vec::new(),
        kind,
    })
}

/// Tells if a question is about which of two things it is: "were there more in Rome or in Paris".
fn is_choice(tokens: &[Token], links: &[Link]) -> bool {
    let is_side = |at: usize, link: &Link| link.tokens.end <= at || link.tokens.start > at;
    let is_or = |at: &usize| {
        let sides = links.iter().filter(|link| is_side(*at, link)).map(|link| link.tokens.start < *at);
        let near = |is_before: bool| sides.clone().any(|side| side == is_before);
        tokens[*at].text == "or" && near(true) && near(false)
    };
    (0..tokens.len()).any(|at| is_or(&at))
}

/// Tokens of expressions whose words suggest no operation, as bits.
fn idioms(tokens: &[Token], words: &Words) -> u128 {
    let text = |at: usize| tokens.get(at).map(|token| token.text.to_lowercase());
    let is_idiom =
        |at: usize, idiom: &&Vec<String>| (at..).zip(*idiom).all(|(at, word)| text(at).as_ref() == Some(word));
    let length = |at: usize| words.idioms().iter().filter(|idiom| is_idiom(at, idiom)).map(Vec::len).max().unwrap_or(0);
    (0..tokens.len()).flat_map(|at| at..at + length(at)).fold(0, |bits, at| bits | 1u128 << at)
}

/// Operations that the words suggest, by their spelling or by their lemmas. A cue with `^` is for the first
/// word of a question alone.
/// Words inside the name of a column, given as bits, suggest nothing: a "median income" is no median.
fn cues(tokens: &[Token], names: u128, linking: Linking, words: &Words) -> Vec<Cue> {
    let mut cues: Vec<Cue> = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(at, _)| names >> at & 1 == 0) {
        let text = token.text.to_lowercase();
        let first = if begins(tokens, at) { words.cues(&format!("^{text}")) } else { &[] };
        let said = [words.cues(&text), words.cues(&token.lemma), first].concat();
        let meant = if said.is_empty() && linking == Linking::Kin { misspelt(token, words) } else { None };
        let said = meant.map_or(said, |cue| words.cues(cue).to_vec());
        cues.extend(said.into_iter().map(|name| Cue { name, tokens: 1 << at }));
    }
    merged(cues)
}

/// The quantifier of the words that have one.
fn quantifier(tokens: &[Token], words: &Words) -> Option<Quantifier> {
    let mut all = tokens.iter().filter_map(|token| words.meaning(&token.text)?.quantifier);
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// Tells if a question begins at a token, maybe after a clause: "among the smokers, are ...".
fn begins(tokens: &[Token], at: usize) -> bool {
    let ends_clause = |token: &Token| matches!(token.text.as_str(), "," | ":" | ";" | "." | "-");
    let asks = |token: &Token| token.tag.as_str().starts_with('W');
    at == 0 || ends_clause(&tokens[at - 1]) && !tokens[..at].iter().any(asks)
}

/// The cue that an unknown word is but for a typing error: "precentage".
fn misspelt<'w>(token: &Token, words: &'w Words) -> Option<&'w str> {
    let text = token.text.to_lowercase();
    let is_unknown =
        text.len() >= SPELLED && text.is_ascii() && !words.is_known(&text) && !words.is_known(&token.lemma);
    let near = words.all_cues().map(|(cue, _)| cue).filter(|cue| is_unknown && cue.len() >= SPELLED);
    near.filter(|cue| columns::is_typo(&text, cue)).min()
}

/// Letters of a word in which typing errors are looked for.
const SPELLED: usize = 6;

/// Operations that superlatives and comparatives suggest, whatever the word.
fn degree_cues(degrees: &[(usize, Degree)], names: u128, words: &Words) -> Vec<Cue> {
    let mut cues = Vec::new();
    for (at, degree) in degrees.iter().filter(|(at, _)| names >> at & 1 == 0) {
        let (up, down) = match degree.form {
            Form::Plain => continue,
            Form::Comparative => ("higher", "lower"),
            Form::Superlative => ("highest", "lowest"),
        };
        let said = [(degree.is_up(), up), (degree.is_down(), down)].into_iter().filter(|(is_said, _)| *is_said);
        let names = said.flat_map(|(_, word)| words.cues(word));
        cues.extend(names.map(|name| Cue { name: name.clone(), tokens: 1 << at }));
    }
    cues
}

/// Cues sorted by name, each once with all its tokens.
fn merged(mut cues: Vec<Cue>) -> Vec<Cue> {
    cues.sort_by(|a, b| a.name.cmp(&b.name));
    cues.dedup_by(|next, kept| {
        let same = next.name == kept.name;
        if same {
            kept.tokens |= next.tokens;
        }
        same
    });
    cues
}

/// Words of degree. "Most" and "least" give the word after them their form: "most expensive", "least expensive".
fn degrees(tokens: &[Token], words: &Words) -> Vec<(usize, Degree)> {
    let degree = |at: usize| tokens.get(at).and_then(|token| words.degree(&token.text.to_lowercase()));
    let joined = |at: usize| {
        let (first, second) = (degree(at)?, degree(at + 1)?);
        let by = matches!(tokens[at].text.as_str(), "most" | "more" | "least" | "less") && second.form == Form::Plain;
        by.then(
            || if tokens[at].text.starts_with('m') { second.in_form(first.form) } else { second.opposite(first.form) },
        )
    };
    (0..tokens.len()).filter_map(|at| Some((at, joined(at).or_else(|| degree(at))?))).collect()
}

/// Finds the question words and the headword.
fn asks(tokens: &[Token], cues: &[Cue]) -> Asks {
    let Some(asked) = asked(tokens) else {
        let is_truth = cues.iter().any(|cue| &*cue.name == "truth");
        let is_request = |at: usize| at == 0 && matches!(tokens[0].lemma.as_str(), "name" | "list" | "show" | "number");
        let is_thing = |at: &usize| tokens[*at].tag.is_noun() && tokens[*at].lemma != "number" && !is_request(*at);
        let first = (0..tokens.len()).find(is_thing).unwrap_or(0);
        let counts = tokens[..first].iter().any(|token| matches!(token.lemma.as_str(), "number" | "count"));
        let form = match tokens.first() {
            _ if is_truth => AskForm::IsIt,
            _ if counts => AskForm::HowMany,
            Some(token) if token.tag.as_str().starts_with("VB") || is_request(0) => AskForm::List,
            _ => AskForm::Words,
        };
        return Asks { form, noun: nouns(tokens, first), ..Asks::default() };
    };
    let join =
        |ids: &mut dyn Iterator<Item = usize>| ids.map(|at| tokens[at].lemma.as_str()).collect::<Vec<_>>().join(" ");
    let words = join(&mut asked.question_words.iter().copied());
    let form = AskForm::of(&words);
    let noun = match form {
        AskForm::How => asked.question_words.last().map_or(0..0, |at| *at..*at + 1),
        AskForm::Who | AskForm::When | AskForm::Where => 0..0,
        _ => asked.headword.clone(),
    };
    Asks {
        words,
        head: join(&mut asked.headword.clone()),
        number: asked.headword.clone().next_back().map_or("", |at| tokens[at].tag.as_str()),
        form,
        noun,
    }
}

/// The run of nouns that begins at a token.
fn nouns(tokens: &[Token], start: usize) -> Range<usize> {
    let is_noun = |token: &&Token| token.tag.is_noun();
    start..start + tokens[start.min(tokens.len())..].iter().take_while(is_noun).count()
}
