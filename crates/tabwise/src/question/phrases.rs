//! Phrases of a question: runs of one to three tokens, with the texts and tags that features use computed once.

use crate::text::Token;
use crate::words::Words;
use std::ops::Range;

/// Run of tokens.
#[derive(Clone, Debug)]
pub struct Phrase {
    /// Positions of the tokens.
    pub tokens: Range<usize>,
    /// Lemmas, with single spaces.
    pub text: String,
    /// Coarse parts of speech, with single spaces.
    pub tags: String,
    /// True if the first or the last token is a stop word or punctuation.
    pub is_bordered: bool,
}

/// Number of tokens of the longest phrase.
const LONGEST: usize = 3;

/// Lists all phrases of a question by their first token, shorter ones first.
pub fn phrases(tokens: &[Token], words: &Words) -> Vec<Phrase> {
    let stops: Vec<bool> = tokens.iter().map(|token| is_stop(token, words)).collect();
    let mut found = Vec::with_capacity(tokens.len() * LONGEST);
    for start in 0..tokens.len() {
        for end in start + 1..=(start + LONGEST).min(tokens.len()) {
            let run = &tokens[start..end];
            found.push(Phrase {
                tokens: start..end,
                text: join(run.iter().map(|token| token.lemma.as_str())),
                tags: join(run.iter().map(|token| token.tag.coarse())),
                is_bordered: stops[start] || stops[end - 1],
            });
        }
    }
    found
}

fn is_stop(token: &Token, words: &Words) -> bool {
    words.is_stop(&token.lemma) || !token.text.chars().any(char::is_alphanumeric)
}

fn join<'a>(pieces: impl Iterator<Item = &'a str>) -> String {
    let mut joined = String::new();
    for piece in pieces {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(piece);
    }
    joined
}
