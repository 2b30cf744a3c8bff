//! The words of a question that a candidate has no use for: they are not anchored to a value, do not stand in the header
//! of a column it speaks of, and add nothing to its score. Words that ask, and mere grammar, do not count: only words that
//! say something of their own, and those that compare.

use super::Unused;
use crate::features::{Groups, Scene};
use crate::formula::Node;
use crate::model::Model;
use crate::parse::{Candidate, Parse};
use crate::question::{Asks, Question};
use crate::text::{Tag, Token};
use crate::words::Words;

/// A word that adds less to the score is of no use.
const LEAST: f64 = 0.05;

/// The words that nothing in a candidate answers to, from left to right.
pub fn unused(parse: &Parse, candidate: &Candidate, model: &Model, words: &Words) -> Vec<Unused> {
    let question = parse.groups.scene().question;
    let anchored = candidate.derivation.map_or(0, |id| parse.derivations[id.0 as usize].tokens);
    let said = headers(parse, candidate);
    let left = question.tokens.iter().enumerate().filter(|(at, token)| {
        let is_anchored = *at < 128 && anchored >> at & 1 == 1;
        let is_grammar = words.is_stop(&token.lemma) || question.asks.words.split(' ').any(|word| word == token.lemma);
        let is_said = said.iter().any(|word| *word == token.lemma);
        says(token, words) && !is_anchored && !is_grammar && !is_said && worth(*at, parse, candidate, model) < LEAST
    });
    let unused = |start: usize, end: usize| Unused { text: question.text[start..end].to_string(), start, end };
    left.map(|(_, token)| unused(token.start, token.end)).collect()
}

/// Whether a token says something that an answer should heed.
fn says(token: &Token, words: &Words) -> bool {
    token.text.chars().any(char::is_alphanumeric) && (is_content(token.tag) || compares(token, words))
}

/// Whether words of this kind say something of their own: nouns, verbs, adjectives, adverbs and numbers.
fn is_content(tag: Tag) -> bool {
    let kinds = ["NN", "VB", "JJ", "RB", "CD", "FW"];
    tag != Tag::Aux && kinds.iter().any(|kind| tag.as_str().starts_with(kind))
}

/// Whether a word is a cue for a comparison or a neighbouring row, as the prepositions *before* and *than* are.
fn compares(token: &Token, words: &Words) -> bool {
    words.cues(&token.lemma).iter().any(|cue| cue.starts_with("compare") || cue.starts_with("next"))
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

/// What a token adds to the score of a candidate: the score that its groups have by the phrases of this token alone.
fn worth(token: usize, parse: &Parse, candidate: &Candidate, model: &Model) -> f64 {
    let scene = parse.groups.scene();
    let score = |question: &Question| {
        let mut groups = Groups::new(Scene { question, ..scene }, &model.settings);
        let score = |id: &u32| {
            let own = groups.id(parse.groups.topic(*id), model);
            groups.score(own)
        };
        candidate.groups.iter().map(score).sum::<f64>()
    };
    let of = scene.question.phrases.iter().filter(|phrase| phrase.tokens.contains(&token)).cloned();
    score(&with_phrases(of.collect())) - score(&with_phrases(Vec::new()))
}

fn with_phrases(phrases: Vec<crate::question::Phrase>) -> Question {
    let (tokens, links, columns) = (Vec::new(), Vec::new(), Vec::new());
    Question { text: String::new(), tokens, phrases, links, columns, asks: Asks::default(), cues: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Annotator;

    #[test]
    fn only_words_that_say_something_can_be_unused() {
        let words = Words::embedded();
        let said = |text: &str| {
            let tokens = Annotator::embedded().annotate(text);
            let says = tokens.iter().filter(|token| says(token, &words)).map(|token| token.text.as_str());
            says.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(said("Greece held its last games in which year?"), "greece held last games year");
        assert_eq!(said("how many of the teams have won more than 3 games?"), "many teams won more than 3 games");
        assert_eq!(said("who came right before them, and at what time?"), "came right before time");
    }
}
