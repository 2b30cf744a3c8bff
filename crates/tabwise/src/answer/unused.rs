//! The words of a question that a candidate has no use for: they are not anchored to a value, do not stand in the header
//! of a column it speaks of, and add nothing to its score. Words that ask, and mere grammar, do not count.

use super::Unused;
use crate::features::{Groups, Scene};
use crate::formula::Node;
use crate::model::Model;
use crate::parse::{Candidate, Parse};
use crate::question::{Asks, Question};
use crate::words::Words;

/// A word that adds less to the score is of no use.
const LEAST: f64 = 0.05;

/// The words that nothing in a candidate answers to, from left to right.
pub fn unused(parse: &Parse, candidate: &Candidate, model: &Model, words: &Words) -> Vec<Unused> {
    let question = parse.groups.scene().question;
    let anchored = candidate.derivation.map_or(0, |id| parse.derivations[id.0 as usize].tokens);
    let said = headers(parse, candidate);
    let left = question.tokens.iter().enumerate().filter(|(at, token)| {
        let is_word = token.text.chars().any(char::is_alphanumeric);
        let is_anchored = *at < 128 && anchored >> at & 1 == 1;
        let is_grammar = words.is_stop(&token.lemma) || question.asks.words.split(' ').any(|word| word == token.lemma);
        let is_said = said.iter().any(|word| *word == token.lemma);
        is_word && !is_anchored && !is_grammar && !is_said && worth(*at, parse, candidate, model) < LEAST
    });
    let unused = |start: usize, end: usize| Unused { text: question.text[start..end].to_string(), start, end };
    left.map(|(_, token)| unused(token.start, token.end)).collect()
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
