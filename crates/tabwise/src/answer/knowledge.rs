//! What the program knows of English: the files of `knowledge/`, read once and passed along. Any of them can be replaced.

use crate::explain::Phrases;
use crate::grammar::{self, Grammar, GrammarError};
use crate::text::{Annotator, AnnotatorError, lemma, tagger, tokens};
use crate::words::{self, Words, WordsError};
use std::borrow::Cow;

/// The words, rules and phrases, ready for use.
#[derive(Debug)]
pub struct Knowledge {
    pub words: Words,
    pub annotator: Annotator,
    pub grammar: Grammar,
    pub phrases: Phrases,
}

/// Why files of knowledge cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KnowledgeError {
    #[error("{0} is not text in UTF-8")]
    Encoding(&'static str),
    #[error("words.toml: {0}")]
    Words(#[from] WordsError),
    #[error("tokens.toml, lemmas.txt or tagger.bin: {0}")]
    Annotator(#[from] AnnotatorError),
    #[error("grammar.rules: {0}")]
    Grammar(#[from] GrammarError),
    #[error("phrases.toml: {0}")]
    Phrases(#[from] toml::de::Error),
}

/// The files, by name, with what is compiled in.
const FILES: [(&str, &[u8]); 6] = [
    ("words.toml", words::EMBEDDED.as_bytes()),
    ("tokens.toml", tokens::KNOWLEDGE.as_bytes()),
    ("lemmas.txt", lemma::KNOWLEDGE.as_bytes()),
    ("tagger.bin", tagger::KNOWLEDGE),
    ("grammar.rules", grammar::EMBEDDED.as_bytes()),
    ("phrases.toml", crate::explain::EMBEDDED.as_bytes()),
];

impl Knowledge {
    /// What is compiled in.
    pub fn embedded() -> Knowledge {
        Knowledge::with_files(|_| None).expect("the embedded files are tested")
    }

    /// What is compiled in, with the files that `file` gives for their name in place of those of the same name.
    pub fn with_files(file: impl Fn(&str) -> Option<Vec<u8>>) -> Result<Knowledge, KnowledgeError> {
        let [words, tokens, lemmas, tagger, rules, phrases] =
            FILES.map(|(name, embedded)| (name, file(name).map_or(Cow::Borrowed(embedded), Cow::Owned)));
        Ok(Knowledge {
            words: Words::from_toml(text(&words)?)?,
            annotator: Annotator::read(text(&tokens)?, text(&lemmas)?, &tagger.1)?,
            grammar: Grammar::read(text(&rules)?)?,
            phrases: Phrases::from_toml(text(&phrases)?)?,
        })
    }

    /// The names of the files that can be replaced.
    pub fn file_names() -> [&'static str; 6] {
        FILES.map(|(name, _)| name)
    }
}

fn text<'f>((name, bytes): &'f (&'static str, Cow<'static, [u8]>)) -> Result<&'f str, KnowledgeError> {
    std::str::from_utf8(bytes).map_err(|_| KnowledgeError::Encoding(name))
}
