//! The words of a question that a candidate has no use for: they are not anchored to a value, do not stand in the header
//! of a column it uses, and add nothing to its score. Words that ask, and mere grammar, do not count: only words that
//! say something of their own, and those that compare.

use super::{Asker, Unused};
use crate::features::{GroupId, Groups, Scene};
use crate::formula::Node;
use crate::graph::ColumnId;
use crate::question::{Phrase, Question};
use crate::rank::{Candidate, Ranking};
use crate::text::{Tag, Token};
use crate::words::Words;

/// A word that adds less to the score is of no use.
const LEAST: f64 = 0.05;

/// The words that nothing in a candidate answers to, from left to right.
pub(super) fn unused(ranking: &Ranking, candidate: &Candidate, asker: &Asker) -> Vec<Unused> {
    let (question, words) = (ranking.groups.scene().question, &asker.knowledge().words);
    let anchored = candidate.derivation.map_or(0, |id| ranking.derivations.get(id).tokens);
    let columns = columns(ranking, candidate);
    let vocabulary = ranking.groups.scene().vocabulary;
    let said: Vec<&str> = columns.iter().flat_map(|column| vocabulary.header(*column).split(' ')).collect();
    let is_linked =
        |at: &usize| question.columns.iter().any(|link| columns.contains(&link.column) && link.tokens.contains(at));
    let worth = Worth::new(ranking, candidate, asker);
    let left = question.tokens.iter().enumerate().filter(|(at, token)| {
        let is_anchored = *at < 128 && anchored >> at & 1 == 1;
        let is_grammar = words.is_stop(&token.lemma) || question.asks.words.split(' ').any(|word| word == token.lemma);
        let is_said = said.iter().any(|word| *word == token.lemma) || is_linked(at);
        says(token, words) && !is_anchored && !is_grammar && !is_said && worth.of(*at) < LEAST
    });
    let unused = |start: usize, end: usize| Unused { text: question.text[start..end].to_string(), start, end };
    left.map(|(_, token)| unused(token.start, token.end)).collect()
}

/// Tells if a token says something that an answer should heed.
fn says(token: &Token, words: &Words) -> bool {
    token.text.chars().any(char::is_alphanumeric) && (is_content(token.tag) || compares(token, words))
}

/// Tells if words of this kind have content: nouns, verbs, adjectives, adverbs and numbers.
fn is_content(tag: Tag) -> bool {
    let kinds = ["NN", "VB", "JJ", "RB", "CD", "FW"];
    tag != Tag::Aux && kinds.iter().any(|kind| tag.as_str().starts_with(kind))
}

/// Tells if a word is a cue for a comparison or a neighbouring row, as the prepositions *before* and *than* are.
fn compares(token: &Token, words: &Words) -> bool {
    words.cues(&token.lemma).iter().any(|cue| cue.starts_with("compare") || cue.starts_with("next"))
}

/// The columns that a candidate uses.
fn columns(ranking: &Ranking, candidate: &Candidate) -> Vec<ColumnId> {
    let formulas = ranking.executor.formulas();
    let columns = formulas.walk(candidate.formula).into_iter().filter_map(|id| match formulas.node(id) {
        Node::Column(column) | Node::Run(column) => Some(column),
        _ => None,
    });
    columns.collect()
}

/// The score that single words of the question give a candidate: that of its groups by the phrases of one token alone,
/// less that of no phrase at all.
struct Worth<'r> {
    ranking: &'r Ranking<'r>,
    candidate: &'r Candidate,
    asker: &'r Asker,
    /// Score by no phrase at all.
    nothing: f64,
}

impl<'r> Worth<'r> {
    fn new(ranking: &'r Ranking<'r>, candidate: &'r Candidate, asker: &'r Asker) -> Worth<'r> {
        let worth = Worth { ranking, candidate, asker, nothing: 0.0 };
        Worth { nothing: worth.score(Vec::new()), ..worth }
    }

    fn of(&self, token: usize) -> f64 {
        let phrases = self.ranking.groups.scene().question.phrases.iter();
        self.score(phrases.filter(|phrase| phrase.tokens.contains(&token)).cloned().collect()) - self.nothing
    }

    /// The score of the candidate's groups for a question that has only these phrases.
    fn score(&self, phrases: Vec<Phrase>) -> f64 {
        let question = with_phrases(phrases);
        let scene = Scene { question: &question, ..self.ranking.groups.scene() };
        let mut groups = Groups::new(scene, self.asker.settings().features);
        let score = |id: &GroupId| {
            let own = groups.id(self.ranking.groups.topic(*id), self.asker.model());
            groups.score(own)
        };
        self.candidate.groups.iter().map(score).sum()
    }
}

fn with_phrases(phrases: Vec<Phrase>) -> Question {
    Question { phrases, ..Question::default() }
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
