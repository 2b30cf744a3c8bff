//! The words of `knowledge/dialogue.toml`, and where they stand in a question.

use crate::question::Question;
use serde::Deserialize;
use std::ops::Range;

/// File that is compiled into the program.
pub(crate) const EMBEDDED: &str = include_str!("../../knowledge/dialogue.toml");

/// Words by which a question goes on from the one before it. The file explains each list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DialogueWords {
    pub leaders: Vec<String>,
    pub openers: Vec<String>,
    pub groups: Vec<String>,
    pub things: Vec<String>,
    pub owners: Vec<String>,
    pub places: Vec<String>,
    pub place_verbs: Vec<String>,
    pub one_with: Vec<String>,
    pub operations: Vec<String>,
    pub dividers: Vec<String>,
    pub negations: Vec<String>,
    pub questions: Questions,
}

/// Questions that are made of pieces.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Questions {
    pub which: String,
    pub has: String,
    pub is: String,
    pub of: String,
    pub at: String,
}

impl DialogueWords {
    /// The words that are compiled into the program.
    pub(super) fn embedded() -> DialogueWords {
        toml::from_str(EMBEDDED).expect("the embedded words are tested")
    }

    /// Tokens of the leader that a question begins with; the longest counts.
    pub(super) fn leader(&self, question: &Question) -> Option<Range<usize>> {
        let found = self.leaders.iter().filter_map(|leader| at(question, 0, leader));
        found.max_by_key(|tokens| tokens.end)
    }
}

/// Tokens of a phrase that stands at a place of a question.
pub(super) fn at(question: &Question, place: usize, phrase: &str) -> Option<Range<usize>> {
    let words: Vec<&str> = phrase.split(' ').collect();
    let tokens = question.tokens.get(place..place + words.len())?;
    tokens.iter().zip(&words).all(|(token, word)| token.text == *word).then(|| place..place + words.len())
}

/// Tokens of the first of some phrases that a question has.
pub(super) fn find(question: &Question, phrases: &[String]) -> Option<Range<usize>> {
    (0..question.tokens.len()).find_map(|place| phrases.iter().find_map(|phrase| at(question, place, phrase)))
}

/// True if a token is one of some words.
pub(super) fn is_one(question: &Question, place: usize, words: &[String]) -> bool {
    question.tokens.get(place).is_some_and(|token| words.contains(&token.text))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_embedded_words_are_read() {
        let words = super::DialogueWords::embedded();
        assert!(words.leaders.iter().chain(&words.groups).all(|phrase| phrase.to_lowercase() == *phrase));
    }
}
