//! Knowledge of English: the files of `knowledge/`, read once and passed along. Any of them can be replaced.

use crate::explain::Phrases;
use crate::grammar::{self, Grammar, GrammarError, Rule};
use crate::hash::Fingerprint;
use crate::rank::reader::Reader;
use crate::text::{Annotator, AnnotatorError, lemma, tagger, tokens};
use crate::words::{self, Words, WordsError};
use std::borrow::Cow;

/// The words, rules and phrases, ready for use, and the reader, which is none of the files and is put in by itself.
#[derive(Debug)]
pub struct Knowledge {
    /// Lists of words, asked by meaning.
    pub words: Words,
    /// Tokens, lemmas and tags.
    pub annotator: Annotator,
    /// Rules of the search.
    pub grammar: Grammar,
    /// English for explanations.
    pub phrases: Phrases,
    /// Reader that ranks the best candidates a second time.
    pub reader: Option<Reader>,
    fingerprint: Fingerprint,
}

/// Files of knowledge that cannot be used. The message has everything: the errors inside are no sources of it, so that
/// nothing is printed twice.
#[derive(Debug, thiserror::Error)]
pub enum KnowledgeError {
    /// A file that is not text.
    #[error("{0} is not text in UTF-8")]
    Encoding(&'static str),
    /// A wrong list of words.
    #[error("words.toml, kin.txt, dictionary.txt or names.txt: {0}")]
    Words(WordsError),
    /// A wrong file of the annotator.
    #[error("tokens.toml, lemmas.txt or tagger.bin: {0}")]
    Annotator(AnnotatorError),
    /// A wrong rule.
    #[error("grammar.rules: {0}")]
    Grammar(GrammarError),
    /// Wrong phrases.
    #[error("phrases.toml: {0}")]
    Phrases(String),
    /// A cue that could never be used.
    #[error("words.toml: the cue {word:?} of {name:?} {problem}")]
    Cue {
        /// The cue word.
        word: String,
        /// Group of rules, or rule, that it is for.
        name: String,
        /// Reason why it cannot be used.
        problem: &'static str,
    },
    /// A group of rules that could never be used.
    #[error("grammar.rules: the group {0:?} is written with `?`, but words.toml has no cue for it below [cues]")]
    NoCue(String),
}

/// The files, by name, with what is compiled in.
const FILES: [(&str, &[u8]); 9] = [
    ("words.toml", words::EMBEDDED.as_bytes()),
    ("tokens.toml", tokens::KNOWLEDGE.as_bytes()),
    ("lemmas.txt", lemma::KNOWLEDGE.as_bytes()),
    ("tagger.bin", tagger::KNOWLEDGE),
    ("grammar.rules", grammar::EMBEDDED.as_bytes()),
    ("phrases.toml", crate::explain::EMBEDDED.as_bytes()),
    ("kin.txt", words::EMBEDDED_KIN.as_bytes()),
    ("dictionary.txt", words::EMBEDDED_DICTIONARY.as_bytes()),
    ("names.txt", words::EMBEDDED_NAMES.as_bytes()),
];

impl Knowledge {
    /// The files that are compiled in.
    pub fn embedded() -> Knowledge {
        Knowledge::with_files(|_| None).expect("the embedded files are tested")
    }

    /// The knowledge with a reader, or without one.
    pub fn with_reader(self, reader: Option<Reader>) -> Knowledge {
        Knowledge { reader, ..self }
    }

    /// The files that are compiled in, with those that `file` gives for a name in their place.
    pub fn with_files(file: impl Fn(&str) -> Option<Vec<u8>>) -> Result<Knowledge, KnowledgeError> {
        let [words, tokens, lemmas, tagger, rules, phrases, kin, dictionary, names] =
            FILES.map(|(name, embedded)| (name, file(name).map_or(Cow::Borrowed(embedded), Cow::Owned)));
        let texts = [text(&words)?, text(&tokens)?, text(&lemmas)?, text(&rules)?];
        let links = [&kin.1, &dictionary.1, &names.1].map(|bytes| &**bytes);
        let lines = texts.into_iter().flat_map(content).map(str::as_bytes);
        let knowledge = Knowledge {
            words: read_words(&words, &kin, &dictionary, &names)?,
            annotator: Annotator::read(text(&tokens)?, text(&lemmas)?, &tagger.1).map_err(KnowledgeError::Annotator)?,
            grammar: Grammar::read(text(&rules)?).map_err(KnowledgeError::Grammar)?,
            phrases: Phrases::from_toml(text(&phrases)?).map_err(|error| KnowledgeError::Phrases(error.to_string()))?,
            reader: None,
            fingerprint: Fingerprint::of(lines.chain([&*tagger.1]).chain(links)),
        };
        // Rules may be taken out without touching the words, but words that someone wrote are for rules that exist.
        if let (_, Cow::Owned(_)) = words {
            knowledge.check_cue_names()?;
        }
        knowledge.check_cue_words()?;
        Ok(knowledge)
    }

    /// Checks that every cue is for a group or rule that exists.
    fn check_cue_names(&self) -> Result<(), KnowledgeError> {
        let exists = |name: &str| self.grammar.rules().iter().any(|rule| suggests(name, rule));
        match self.cues().into_iter().find(|(_, name)| !exists(name)) {
            Some(cue) => Err(unusable(cue, "is for a group or rule that does not exist")),
            None => Ok(()),
        }
    }

    /// Checks that every cue word is one token as questions have it, and that groups which need a cue have one.
    fn check_cue_words(&self) -> Result<(), KnowledgeError> {
        let cues = self.cues();
        for cue in &cues {
            let word = cue.0.strip_prefix('^').unwrap_or(cue.0);
            match self.annotator.annotate(word).as_slice() {
                [only] if only.text == word => {}
                [_] => return Err(unusable(*cue, "is never found: write it in lower case")),
                _ => return Err(unusable(*cue, "is never found: questions are split there, so give one of its words")),
            }
        }
        let lacks = |rule: &&Rule| rule.needs_cue && !cues.iter().any(|(_, name)| suggests(name, rule));
        self.grammar.rules().iter().find(lacks).map_or(Ok(()), |rule| Err(KnowledgeError::NoCue(rule.group.clone())))
    }

    /// Cue words with what they are for, in a fixed order, so that the first error is always the same.
    fn cues(&self) -> Vec<(&str, &str)> {
        let mut cues: Vec<(&str, &str)> = self.words.all_cues().collect();
        cues.sort_unstable();
        cues
    }

    /// Fingerprint of everything that training depends on: rules, words, tokens and lemmas, comments aside, and the tagger
    /// and the lists of kin, of the dictionary and of names.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// The names of the files that can be replaced.
    pub fn file_names() -> [&'static str; 9] {
        FILES.map(|(name, _)| name)
    }
}

fn unusable((word, name): (&str, &str), problem: &'static str) -> KnowledgeError {
    KnowledgeError::Cue { word: word.to_string(), name: name.to_string(), problem }
}

/// Tells if a cue of this name is for a rule: the name of its group, or the group and the rule.
fn suggests(name: &str, rule: &Rule) -> bool {
    match name.split_once(' ') {
        Some((group, own)) => group == rule.group && own == rule.name,
        None => name == rule.group,
    }
}

/// The lines of a file without comments and white space.
fn content(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// A file, by name.
type File = (&'static str, Cow<'static, [u8]>);

/// Reads the lists of words. Those that are compiled in are loaded without looking at them.
fn read_words(words: &File, kin: &File, dictionary: &File, names: &File) -> Result<Words, KnowledgeError> {
    let mut all = Words::from_toml(text(words)?).map_err(KnowledgeError::Words)?;
    if matches!((&kin.1, &dictionary.1), (Cow::Owned(_), _) | (_, Cow::Owned(_))) {
        all = all.with_kin(text(kin)?, text(dictionary)?).map_err(KnowledgeError::Words)?;
    }
    if let Cow::Owned(_) = names.1 {
        all = all.with_names(text(names)?).map_err(KnowledgeError::Words)?;
    }
    Ok(all)
}

fn text((name, bytes): &File) -> Result<&str, KnowledgeError> {
    std::str::from_utf8(bytes).map_err(|_| KnowledgeError::Encoding(name))
}
