//! The words of a question that a candidate has no use for: not anchored to a value, not in the header of a column it
//! speaks of, not the words that ask, and not mere grammar.

use super::Unused;
use crate::formula::Node;
use crate::parse::{Candidate, Parse};
use crate::question::Question;
use crate::words::Words;

/// The words that nothing in a candidate answers to, from left to right.
pub fn unused(parse: &Parse, candidate: &Candidate, words: &Words) -> Vec<Unused> {
    let scene = parse.groups.scene();
    let anchored = candidate.derivation.map_or(0, |id| parse.derivations[id.0 as usize].tokens);
    let said = headers(parse, candidate);
    let left = scene.question.tokens.iter().enumerate().filter(|(at, token)| {
        let is_word = token.text.chars().any(char::is_alphanumeric);
        let is_anchored = *at < 128 && anchored >> at & 1 == 1;
        let is_grammar = words.is_stop(&token.lemma) || asks(scene.question, &token.lemma);
        is_word && !is_anchored && !is_grammar && !said.iter().any(|word| *word == token.lemma)
    });
    let unused = |text: &str, start: usize, end: usize| Unused { text: text[start..end].to_string(), start, end };
    left.map(|(_, token)| unused(&scene.question.text, token.start, token.end)).collect()
}

/// The words of the headers that a candidate speaks of, as lemmas.
fn headers<'p>(parse: &'p Parse, candidate: &Candidate) -> Vec<&'p str> {
    let vocabulary = parse.groups.scene().vocabulary;
    let columns = parse.formulas.walk(candidate.formula).into_iter().filter_map(|id| match parse.formulas.node(id) {
        Node::Column(column) | Node::Run(column) => Some(column),
        _ => None,
    });
    columns.flat_map(|column| vocabulary.header(column).split(' ')).collect()
}

fn asks(question: &Question, lemma: &str) -> bool {
    question.asks.words.split(' ').any(|word| word == lemma)
}
