//! Links by some of the words of a cell: "toyota" for the cells of a column that contain Toyota. Words are linked if
//! they fit only a few cells of a column and do not name a cell in full.

use super::vocabulary::word_key;
use super::{Link, LinkKind, Vocabulary};
use crate::graph::{ColumnId, Graph};
use crate::text::Token;
use crate::value::{EntityId, Value};
use crate::words::Words;

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
    let is_content = |token: &Token| {
        let letters = token.text.chars().filter(|c| c.is_alphabetic()).count();
        letters >= 3 && !words.is_stop(&token.lemma) && !token.tag.is_wh()
    };
    let mut links: Vec<Link> = Vec::new();
    for length in (1..=LONGEST.min(tokens.len())).rev() {
        for start in 0..=tokens.len() - length {
            let run = start..start + length;
            let is_named = named
                .iter()
                .any(|l| l.kind != LinkKind::Value && l.tokens.start <= run.start && run.end <= l.tokens.end);
            if is_named || !tokens[run.clone()].iter().all(is_content) {
                continue;
            }
            let key = |token: &Token| word_key(&text[token.start..token.end]);
            let keys: Option<Vec<u64>> = tokens[run.clone()].iter().map(key).collect();
            let found = vocabulary.entities_with(&keys.unwrap_or_default());
            for column in graph.column_ids() {
                let is_said = links.iter().any(|l| {
                    l.tokens.start <= run.start && run.end <= l.tokens.end && in_column(l, column, vocabulary)
                });
                if !is_said {
                    links.extend(link(run.clone(), &found, column, vocabulary));
                }
            }
        }
    }
    links
}

/// Tells if the entity of a link occurs in a column.
fn in_column(link: &Link, column: ColumnId, vocabulary: &Vocabulary) -> bool {
    match link.value {
        Value::Entity(entity) => vocabulary.is_in(entity, column),
        _ => false,
    }
}

/// Link to the entities of a column, if there are not too many.
fn link(tokens: std::ops::Range<usize>, found: &[EntityId], column: ColumnId, vocabulary: &Vocabulary) -> Option<Link> {
    let is_here = |entity: &&EntityId| vocabulary.is_in(**entity, column);
    let mut entities = found.iter().filter(is_here).copied();
    let first = entities.next()?;
    let others: Vec<EntityId> = entities.collect();
    (others.len() < MOST).then_some(Link { tokens, value: Value::Entity(first), others, kind: LinkKind::Words })
}
