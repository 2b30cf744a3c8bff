//! Links by some of the words of a cell: "toyota" for the cells of a column that contain Toyota. Words are linked if
//! they fit only a few cells of a column and do not name a cell in full. Names in more cells are links to texts that
//! contain them.

use super::vocabulary::word_key;
use super::{Link, LinkKind, TextLink, Vocabulary};
use crate::formula::TextTest;
use crate::graph::{ColumnId, Graph};
use crate::text::Token;
use crate::value::{EntityId, Value};
use crate::words::Words;
use std::ops::Range;

/// Number of tokens of the longest run that is tried.
const LONGEST: usize = 3;
/// Number of entities of a column that words may fit; words that fit more say too little.
const MOST: usize = 8;

/// Finds the links by words, longer runs first. A run that is linked to a column keeps its pieces from being linked to
/// it.
pub(super) fn word_links(
    text: &str,
    tokens: &[Token],
    named: &[Link],
    graph: &Graph,
    vocabulary: &Vocabulary,
    words: &Words,
) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for run in open_runs(tokens, named, words) {
        let found = entities_with(text, &tokens[run.clone()], vocabulary);
        for column in graph.column_ids() {
            let is_said = links
                .iter()
                .any(|l| l.tokens.start <= run.start && run.end <= l.tokens.end && in_column(l, column, vocabulary));
            if !is_said {
                links.extend(link(run.clone(), &found, column, vocabulary));
            }
        }
    }
    links
}

/// Finds the links to texts that contain words: names and quoted words that are in more cells than a link by words may
/// fit. Longer runs come first, and keep their pieces from being linked.
pub(super) fn text_links(
    text: &str,
    tokens: &[Token],
    named: &[Link],
    graph: &Graph,
    vocabulary: &Vocabulary,
    words: &Words,
) -> Vec<TextLink> {
    let mut links: Vec<TextLink> = Vec::new();
    for run in open_runs(tokens, named, words) {
        let is_taken = links.iter().any(|link| link.tokens.start <= run.start && run.end <= link.tokens.end);
        let is_apt = tokens[run.clone()].iter().all(|token| !words.is_function(&token.text));
        if is_taken || !is_apt || !is_special(text, tokens, &run, words) {
            continue;
        }
        let found = entities_with(text, &tokens[run.clone()], vocabulary);
        let said = text[tokens[run.start].start..tokens[run.end - 1].end].to_lowercase();
        let has = |entity: &EntityId| graph.name(*entity).to_lowercase().contains(&said);
        let holders: Vec<EntityId> = found.into_iter().take(MOST_TEXTS).filter(has).collect();
        let is_in = |column: &ColumnId| holders.iter().any(|entity| vocabulary.is_in(*entity, *column));
        let columns = graph.column_ids().filter(is_in);
        let test = TextTest::Contains;
        let link = |column| TextLink { tokens: run.clone(), column, test, text: said.clone() };
        links.extend(columns.map(link));
    }
    links
}

/// Runs of content words that name no entity, longer ones first.
fn open_runs<'a>(tokens: &'a [Token], named: &'a [Link], words: &'a Words) -> impl Iterator<Item = Range<usize>> + 'a {
    let is_content = move |token: &Token| is_content(token, words);
    let is_open = move |run: &Range<usize>| !is_named(run, named) && tokens[run.clone()].iter().all(is_content);
    runs(tokens.len(), LONGEST).filter(is_open)
}

/// Every run of at most `longest` tokens, longer ones first.
pub(super) fn runs(count: usize, longest: usize) -> impl Iterator<Item = Range<usize>> {
    let of_length = move |length: usize| (0..=count - length).map(move |start| start..start + length);
    (1..=longest.min(count)).rev().flat_map(of_length)
}

/// Number of texts that are looked at for the columns that contain words.
const MOST_TEXTS: usize = 50;

/// Tells if words are a name or quoted, or not in the dictionary.
fn is_special(text: &str, tokens: &[Token], run: &Range<usize>, words: &Words) -> bool {
    let before = run.start.checked_sub(1).map(|at| tokens[at].text.as_str());
    let is_quoted = matches!(before, Some("``" | "''" | "`" | "'" | "\""));
    let is_capital = |token: &Token| text[token.start..].starts_with(char::is_uppercase);
    let is_name = before.is_some() && tokens[run.clone()].iter().all(is_capital);
    let is_rare = |token: &Token| !words.is_known(&token.lemma) && words.cues(&token.lemma).is_empty();
    is_quoted || is_name || tokens[run.clone()].iter().any(is_rare)
}

fn is_content(token: &Token, words: &Words) -> bool {
    let letters = token.text.chars().filter(|c| c.is_alphabetic()).count();
    letters >= 3 && !words.is_stop(&token.lemma) && !token.tag.is_wh()
}

/// Tells if a run is part of words that name an entity.
fn is_named(run: &Range<usize>, named: &[Link]) -> bool {
    named.iter().any(|l| l.kind != LinkKind::Value && l.tokens.start <= run.start && run.end <= l.tokens.end)
}

/// Entities that contain all of these words.
fn entities_with(text: &str, tokens: &[Token], vocabulary: &Vocabulary) -> Vec<EntityId> {
    let keys: Option<Vec<u64>> = tokens.iter().map(|token| word_key(&text[token.start..token.end])).collect();
    vocabulary.entities_with(&keys.unwrap_or_default())
}

/// Tells if the entity of a link occurs in a column.
fn in_column(link: &Link, column: ColumnId, vocabulary: &Vocabulary) -> bool {
    match link.value {
        Value::Entity(entity) => vocabulary.is_in(entity, column),
        _ => false,
    }
}

/// Link to the entities of a column, if there are not too many.
fn link(tokens: Range<usize>, found: &[EntityId], column: ColumnId, vocabulary: &Vocabulary) -> Option<Link> {
    let is_here = |entity: &&EntityId| vocabulary.is_in(**entity, column);
    let mut entities = found.iter().filter(is_here).copied();
    let first = entities.next()?;
    let others: Vec<EntityId> = entities.collect();
    (others.len() < MOST).then_some(Link { tokens, value: Value::Entity(first), others, kind: LinkKind::Words })
}
