//! The words of a question that a candidate has no use for: they are not anchored to a value, do not name a column it
//! uses, and suggest nothing that it computes. Words that ask, and mere grammar, do not count: only words that say something
//! of their own, and those that compare.

use super::{Asker, Unused};
use crate::formula::Node;
use crate::graph::Graph;
use crate::question::{LinkKind, Question};
use crate::rank::{Candidate, Ranking};
use crate::text::{Tag, Token};
use crate::value::Value;
use crate::words::Words;

/// The words that nothing in a candidate answers to, from left to right.
pub(super) fn unused(ranking: &Ranking, candidate: &Candidate, asker: &Asker) -> Vec<Unused> {
    let (question, words) = (ranking.groups.scene().question, &asker.knowledge().words);
    let heard = candidate.heard | computed(ranking, candidate);
    let left = question.tokens.iter().enumerate().filter(|(at, token)| {
        let is_heard = *at < 128 && heard >> at & 1 == 1;
        let is_grammar = words.is_stop(&token.lemma) || question.asks.words.split(' ').any(|word| word == token.lemma);
        says(token, words) && !is_heard && !is_grammar
    });
    let unused = |start: usize, end: usize| Unused { text: question.text[start..end].to_string(), start, end };
    left.map(|(_, token)| unused(token.start, token.end)).collect()
}

/// The cell or part of one that a word seems to mean that is not in the table as it was written.
pub(super) fn meant<'g>(word: &Unused, question: &Question, graph: &'g Graph) -> Option<&'g str> {
    let mut typos = question.links.iter().filter(|link| link.kind == LinkKind::Typo);
    typos.find_map(|link| match link.value {
        Value::Entity(entity) if question.tokens[link.tokens.clone()].iter().any(|token| token.start == word.start) => {
            Some(graph.name(entity))
        }
        _ => None,
    })
}

/// Tokens that suggest what a candidate computes, whichever rule brought it: the average for each product is an average.
fn computed(ranking: &Ranking, candidate: &Candidate) -> u128 {
    let (question, formulas) = (ranking.groups.scene().question, ranking.executor.formulas());
    let tokens = |id| match formulas.node(id) {
        Node::Aggregate(op, _) => question.cue_tokens("aggregate", op.name()) | question.cue_tokens(op.name(), ""),
        _ => 0,
    };
    formulas.walk(candidate.formula).into_iter().map(tokens).fold(0, |all, tokens| all | tokens)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;
    use crate::text::Annotator;

    #[test]
    fn a_misspelt_word_means_a_cell() {
        let asker = Asker::embedded();
        let table = asker.prepare(&Table::from_csv("City,Year\nSydney,2000\nBerlin,1936\n").expect("it is a table"));
        let text = "how many games were in Berln?";
        let question = asker.question(&table, text);
        let word = |text: &str, start: usize| Unused { text: text.to_string(), start, end: start + text.len() };
        assert_eq!(meant(&word("Berln", 23), &question, &table.graph), Some("Berlin"));
        assert_eq!(meant(&word("games", 9), &question, &table.graph), None);
    }

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
