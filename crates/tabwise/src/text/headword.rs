//! The question words of a question (*how many*, *what ... number*) and its headword, the noun that names the kind of
//! thing asked for (*players*); see [`asked`]. *Who*, *where* and *when* are their own headword.

use super::{Tag, Token};
use std::ops::Range;

/// The question words and the headword of a question, as positions in its list of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Question words, including *many* of *how many* and the noun *number*; never empty.
    pub question_words: Vec<usize>,
    /// The headword: one or more tokens.
    pub headword: Range<usize>,
}

/// Finds the question words and the headword; `None` if there is no question word or no noun after it.
pub fn asked(tokens: &[Token]) -> Option<Asked> {
    let mut question_words: Vec<usize> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.tag.is_wh() {
            question_words.push(at);
            if is_own_headword(token) {
                return Some(Asked { question_words, headword: at..at + 1 });
            }
        } else if extends_how(tokens, at, &question_words) {
            question_words.push(at);
        } else if token.tag.is_noun() && !question_words.is_empty() {
            // *Number* asks for a count; the noun after it is the headword.
            if token.lemma != "number" {
                return Some(Asked { question_words, headword: at..end_of_nouns(tokens, at) });
            }
            question_words.push(at);
        }
    }
    None
}

fn is_own_headword(token: &Token) -> bool {
    matches!(token.text.as_str(), "who" | "where" | "when")
}

/// True if this token is the adjective of *how many*, *how much*.
fn extends_how(tokens: &[Token], at: usize, question_words: &[usize]) -> bool {
    let after_how = question_words.last().is_some_and(|&q| q + 1 == at && tokens[q].tag == Tag::Wrb);
    after_how && tokens[at - 1].text == "how" && tokens[at].tag.is_adjective()
}

fn end_of_nouns(tokens: &[Token], start: usize) -> usize {
    tokens[start..].iter().position(|token| !token.tag.is_noun()).map_or(tokens.len(), |length| start + length)
}

#[cfg(test)]
mod tests {
    use super::super::Annotator;
    use super::*;

    fn shown(question: &str) -> String {
        let tokens = Annotator::embedded().annotate(question);
        let Some(Asked { question_words, headword }) = asked(&tokens) else { return "nothing".to_owned() };
        let words: Vec<&str> = question_words.iter().map(|&at| tokens[at].text.as_str()).collect();
        let head: Vec<&str> = tokens[headword].iter().map(|t| t.lemma.as_str()).collect();
        format!("{} | {}", words.join(" "), head.join(" "))
    }

    #[test]
    fn question_words_and_headwords() {
        assert_eq!(shown("Which country won the most medals?"), "which | country");
        assert_eq!(shown("How many players are from Spain?"), "how many | player");
        assert_eq!(shown("What is the total number of games?"), "what number | game");
        assert_eq!(shown("In what year did it open?"), "what | year");
        assert_eq!(shown("Who was the first president?"), "who | who");
        assert_eq!(shown("When did it open?"), "when | when");
    }

    #[test]
    fn questions_that_ask_for_nothing() {
        assert_eq!(shown("Name the largest city."), "nothing");
        assert_eq!(shown("which?"), "nothing");
        assert_eq!(shown(""), "nothing");
    }
}
