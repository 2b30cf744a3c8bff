//! [`Annotator`]: turns a string into tokens, each with its position in the original, its lemma and its part of speech.
//! It is the same for questions, headers and cells, and ignores letter case.

use super::lemma::{self, LemmaError, Lemmatiser};
use super::tagger::{self, Tagger, TaggerError};
use super::tokens::{self, Tokeniser};
use super::{Tag, reference::Reference};
use thiserror::Error;

/// A word, number or punctuation mark of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Start in the original, in bytes.
    pub start: usize,
    /// End in the original, in bytes.
    pub end: usize,
    /// Normalised form: lower case, American spelling, plain apostrophes, quotes as `` `` `` and `''`.
    pub text: String,
    /// Dictionary form: *be* for *was*, *medal* for *medals*.
    pub lemma: String,
    /// Part of speech.
    pub tag: Tag,
}

/// Annotates texts. Loading an annotator costs far more than annotating a text, so make one and share it.
#[derive(Debug)]
pub struct Annotator {
    tokeniser: Tokeniser,
    tagger: Tagger,
    lemmatiser: Lemmatiser,
}

/// Reason why an annotator cannot be made from the given files.
#[derive(Debug, Error)]
pub enum AnnotatorError {
    /// `tokens.toml` is malformed.
    #[error("tokens: {0}")]
    Tokens(#[from] toml::de::Error),
    /// `lemmas.txt` is malformed.
    #[error(transparent)]
    Lemmas(#[from] LemmaError),
    /// `tagger.bin` is malformed.
    #[error(transparent)]
    Tagger(#[from] TaggerError),
}

impl Annotator {
    /// Returns the annotator whose files are compiled into the program.
    pub fn embedded() -> Annotator {
        Annotator::read(tokens::KNOWLEDGE, lemma::KNOWLEDGE, tagger::KNOWLEDGE).expect("the embedded files are tested")
    }

    /// Makes an annotator from the contents of a `tokens.toml`, a `lemmas.txt` and a `tagger.bin`.
    pub fn read(tokens: &str, lemmas: &str, tagger: &[u8]) -> Result<Annotator, AnnotatorError> {
        let tagger = Tagger::read(tagger)?;
        Ok(Annotator { tokeniser: Tokeniser::read(tokens)?, lemmatiser: Lemmatiser::read(lemmas)?, tagger })
    }

    /// Replaces the tagger.
    pub fn with_tagger(self, tagger: Tagger) -> Annotator {
        Annotator { tagger, ..self }
    }

    /// Returns the tokens of a text, from left to right.
    pub fn annotate(&self, text: &str) -> Vec<Token> {
        let pieces = self.tokeniser.tokens(text);
        let tags = self.tagger.tag(pieces.iter().map(|piece| piece.text.as_str()));
        let tokens = pieces.into_iter().zip(tags).map(|(piece, tag)| Token {
            start: piece.range.start,
            end: piece.range.end,
            lemma: self.lemma(&piece.text, tag),
            text: piece.text,
            tag,
        });
        tokens.collect()
    }

    /// Returns the lemma of a lower-case word with this part of speech.
    pub fn lemma(&self, word: &str, tag: Tag) -> String {
        self.lemmatiser.lemma(word, tag)
    }

    /// Compares the annotation of a text with its reference annotation.
    pub fn agreement(&self, reference: &Reference) -> Agreement {
        let tokens = self.annotate(&reference.text);
        let total = reference.tokens.len();
        let aligned = tokens.iter().map(|t| t.text.as_str()).eq(reference.tokens.iter().map(String::as_str));
        if !aligned {
            return Agreement { texts: 1, tokens: total, ..Agreement::default() };
        }
        let lemmas = tokens.iter().zip(&reference.lemmas).filter(|(t, lemma)| t.lemma == **lemma).count();
        let tags = tokens.iter().zip(&reference.tags).filter(|(t, tag)| t.tag == **tag).count();
        Agreement { texts: 1, texts_cut_alike: 1, tokens: total, lemmas, tags }
    }
}

/// Agreement with reference annotations, as counts. In a text whose tokens differ, no lemma and no tag counts as equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Texts compared.
    pub texts: usize,
    /// Texts whose tokens are those of the reference.
    pub texts_cut_alike: usize,
    /// Tokens of the reference.
    pub tokens: usize,
    /// Tokens with the lemma of the reference.
    pub lemmas: usize,
    /// Tokens with the tag of the reference.
    pub tags: usize,
}

impl std::ops::AddAssign for Agreement {
    fn add_assign(&mut self, other: Agreement) {
        self.texts += other.texts;
        self.texts_cut_alike += other.texts_cut_alike;
        self.tokens += other.tokens;
        self.lemmas += other.lemmas;
        self.tags += other.tags;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> String {
        let tokens = Annotator::embedded().annotate(text);
        tokens.iter().map(|t| format!("{}/{}/{}", t.text, t.lemma, t.tag.as_str())).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_question() {
        assert_eq!(
            shown("How many medals were won by Greece?"),
            "how/how/WRB many/many/JJ medals/medal/NNS were/be/VBD-AUX won/win/VBN by/by/IN greece/greece/NNP ?/?/."
        );
    }

    #[test]
    fn the_case_of_letters_does_not_matter() {
        let text = "Which Team had the Most transfers in San Diego?";
        assert_eq!(shown(text), shown(&text.to_lowercase()));
    }

    #[test]
    fn broken_files_are_refused() {
        assert!(Annotator::read("x", "", tagger::KNOWLEDGE).is_err());
        assert!(Annotator::read(tokens::KNOWLEDGE, lemma::KNOWLEDGE, &tagger::KNOWLEDGE[..1000]).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_text_is_annotated(text in "\\PC{0,40}|.{0,40}") {
            let annotator = ANNOTATOR.with(|a| a.annotate(&text));
            for token in annotator {
                prop_assert!(text.get(token.start..token.end).is_some_and(|original| !original.is_empty()));
                prop_assert!(!token.lemma.is_empty());
            }
        }
    }

    thread_local! {
        static ANNOTATOR: Annotator = Annotator::embedded();
    }
}
