//! A question about a table: its tokens, its phrases, and the links from its words to what stands in the table. It has no
//! field for the right answer.

mod phrases;
mod vocabulary;
mod words;

pub use phrases::{Phrase, phrases};
pub use vocabulary::{Places, Vocabulary, lemmas};

use crate::graph::{ColumnId, Graph};
use crate::text::headword::asked;
use crate::text::values::find_values;
use crate::text::{Annotator, Token};
use crate::value::{EntityId, Value};
use crate::words::Words;
use std::ops::Range;
use std::sync::Arc;
use vocabulary::Key;

/// Tokens beyond this one are kept but linked to nothing: no one asks so much of a table.
pub const LONGEST: usize = 120;

/// An annotated question.
pub struct Question {
    pub text: String,
    pub tokens: Vec<Token>,
    /// Every run of one, two or three tokens.
    pub phrases: Vec<Phrase>,
    /// Words that name a cell or say a value.
    pub links: Vec<Link>,
    /// Columns whose header is one of the phrases.
    pub columns: Vec<ColumnId>,
    pub asks: Asks,
    /// The operations that words suggest, sorted by name.
    pub cues: Vec<Cue>,
}

/// An operation that some word suggests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cue {
    /// A group of rules, or a group and a rule.
    pub name: Arc<str>,
    /// The tokens that suggest it, as bits.
    pub tokens: u128,
}

/// Words of the question that stand for a value of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    pub tokens: Range<usize>,
    pub value: Value,
    /// Further entities of the same column that the words fit as well.
    pub others: Vec<EntityId>,
    pub kind: LinkKind,
}

/// How the words were understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LinkKind {
    /// The words are the text of a cell.
    Cell,
    /// The words are a part of a list cell.
    Part,
    /// The words are among those of a cell, or of several cells of a column.
    Words,
    /// The words say a number or a date.
    Value,
}

/// What the question asks for: its question words ("how many") and its headword ("year"), as lemmas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asks {
    pub words: String,
    pub head: String,
    /// The tag of the headword's last noun, which tells one from several.
    pub number: &'static str,
}

/// Which links are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Linking {
    /// Whole cells and values: the paper's.
    Cells,
    /// Parts of list cells as well.
    Parts,
    /// Words of cells as well.
    Words,
}

impl Question {
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
        let heard = &tokens[..tokens.len().min(LONGEST)];
        let phrases = phrases(heard, words);
        let mut links = entity_links(text, heard, graph, vocabulary, linking);
        links.extend(find_values(heard, words).into_iter().map(|span| Link {
            tokens: span.tokens,
            value: span.value,
            others: Vec::new(),
            kind: LinkKind::Value,
        }));
        if linking == Linking::Words {
            let more = words::word_links(text, heard, &links, graph, vocabulary, words);
            links.extend(more);
        }
        let columns = graph.column_ids().filter(|id| is_said(vocabulary.header(*id), &phrases)).collect();
        let asks = asks(heard);
        let cues = cues(heard, words);
        Question { text: text.to_string(), phrases, links, columns, asks, cues, tokens }
    }

    /// Whether a word suggests a rule, by its own name or by that of its group.
    pub fn has_cue(&self, group: &str, rule: &str) -> bool {
        self.cue_tokens(group, rule) != 0
    }

    /// The tokens that suggest a rule, as bits.
    pub fn cue_tokens(&self, group: &str, rule: &str) -> u128 {
        let suggests = |cue: &&Cue| match cue.name.split_once(' ') {
            Some((of, name)) => of == group && name == rule,
            None => *cue.name == *group,
        };
        self.cues.iter().filter(suggests).fold(0, |tokens, cue| tokens | cue.tokens)
    }

    /// The entities that some phrase names in full.
    pub fn entities(&self) -> impl Iterator<Item = EntityId> + '_ {
        self.links.iter().filter_map(|link| match link.value {
            Value::Entity(entity) if link.kind != LinkKind::Words => Some(entity),
            _ => None,
        })
    }
}

fn is_said(header: &str, phrases: &[Phrase]) -> bool {
    phrases.iter().any(|phrase| phrase.text == header)
}

/// Spans of tokens that are the text of a cell, letters and digits compared. A span begins and ends with a word.
fn entity_links(text: &str, tokens: &[Token], graph: &Graph, vocabulary: &Vocabulary, linking: Linking) -> Vec<Link> {
    let mut links = Vec::new();
    let is_word = |token: &Token| token.text.chars().any(char::is_alphanumeric);
    for start in (0..tokens.len()).filter(|at| is_word(&tokens[*at])) {
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

/// The operations that the words suggest, as they stand or by their lemmas.
fn cues(tokens: &[Token], words: &Words) -> Vec<Cue> {
    let mut cues: Vec<Cue> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let said = [words.cues(&token.text.to_lowercase()), words.cues(&token.lemma)];
        cues.extend(said.concat().into_iter().map(|name| Cue { name, tokens: 1 << at }));
    }
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

/// The question words and the headword, as lemmas.
fn asks(tokens: &[Token]) -> Asks {
    let Some(asked) = asked(tokens) else { return Asks::default() };
    let join =
        |ids: &mut dyn Iterator<Item = usize>| ids.map(|at| tokens[at].lemma.as_str()).collect::<Vec<_>>().join(" ");
    Asks {
        words: join(&mut asked.question_words.iter().copied()),
        head: join(&mut asked.headword.clone()),
        number: asked.headword.clone().next_back().map_or("", |at| tokens[at].tag.as_str()),
    }
}
