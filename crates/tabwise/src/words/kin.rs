//! [`Kin`]: words that belong together ("old" and "age", "direct" and "director"), and the words of the dictionary. Both
//! are sorted texts that are searched as they are, so loading them costs nothing.

use super::WordsError;
use crate::named::{Named, named};
use std::borrow::Cow;

/// The `kin.txt` that is compiled into the program.
pub const EMBEDDED_KIN: &str = include_str!("../../knowledge/kin.txt");
/// The `dictionary.txt` that is compiled into the program.
pub const EMBEDDED_DICTIONARY: &str = include_str!("../../knowledge/dictionary.txt");

named! {
    /// Relation of a word to its kin.
    pub enum Relation is "relation of words" {
        /// Both name the same: "film" and "movie".
        Same => "same",
        /// The first is a kind of the second: "senator" and "legislator".
        Kind => "kind",
        /// Both are forms of one word: "approve" and "approval".
        Form => "form",
        /// The first says something of the second: "old" and "age", "cost" and "price".
        Of => "of",
        /// The first is the opposite of the second: "male" and "female".
        Not => "not",
        /// The first is an abbreviation of the second: "qty" and "quantity".
        Short => "short",
        /// The first asks for the second: "when" and "date".
        Asks => "asks",
    }
}

/// Words with their kin, and the words of the dictionary.
#[derive(Clone, Debug)]
pub(super) struct Kin {
    pairs: Sorted,
    dictionary: Sorted,
}

impl Kin {
    /// Returns the lists that are compiled into the program.
    pub(super) fn embedded() -> Kin {
        Kin { pairs: Sorted(EMBEDDED_KIN.into()), dictionary: Sorted(EMBEDDED_DICTIONARY.into()) }
    }

    /// Reads a `kin.txt` and a `dictionary.txt`.
    pub(super) fn read(pairs: &str, dictionary: &str) -> Result<Kin, WordsError> {
        let kin = Kin { pairs: Sorted::read(pairs, "kin")?, dictionary: Sorted::read(dictionary, "dictionary")? };
        let wrong = kin.pairs.content().lines().find(|line| {
            let fields: Vec<&str> = line.split(' ').collect();
            !matches!(fields[..], [_, _, relation] if Relation::named(relation).is_some())
        });
        match wrong.map(str::to_owned) {
            Some(line) => Err(WordsError::Kin(line)),
            None => Ok(kin),
        }
    }

    /// Returns the kin of a lower-case word.
    pub(super) fn of<'k>(&'k self, word: &'k str) -> impl Iterator<Item = (&'k str, Relation)> {
        self.pairs.find(word).filter_map(|line| {
            let (kin, relation) = line.split_once(' ')?;
            Some((kin, Relation::named(relation)?))
        })
    }

    /// Returns how frequent a lower-case word of the dictionary is, from 0 to 9.
    pub(super) fn frequency(&self, word: &str) -> Option<u32> {
        self.dictionary.find(word).next().map(|frequency| frequency.parse().unwrap_or_default())
    }
}

/// Lines in the order of their first words, below a head of comments.
#[derive(Clone, Debug)]
struct Sorted(Cow<'static, str>);

impl Sorted {
    /// Takes a text whose lines are sorted.
    fn read(text: &str, name: &'static str) -> Result<Sorted, WordsError> {
        let sorted = Sorted(Cow::Owned(text.to_owned()));
        match sorted.content().lines().is_sorted() {
            true => Ok(sorted),
            false => Err(WordsError::Unsorted(name)),
        }
    }

    /// The lines below the comments.
    fn content(&self) -> &str {
        let mut rest: &str = &self.0;
        while let Some((_, below)) = rest.split_once('\n').filter(|(line, _)| line.starts_with('#')) {
            rest = below;
        }
        rest
    }

    /// Finds the lines that begin with a word, and returns what follows it on each of them.
    fn find<'s>(&'s self, word: &'s str) -> impl Iterator<Item = &'s str> {
        let text = self.content();
        let (mut low, mut high) = (0, text.len());
        while low < high {
            let middle = text.as_bytes()[..(low + high) / 2].iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
            let middle = middle.max(low);
            let line = text[middle..].lines().next().unwrap_or_default();
            match first_word(line) < word {
                true => low = (middle + line.len() + 1).min(text.len()),
                false => high = middle,
            }
        }
        let found = text[low..].lines().take_while(move |line| !word.is_empty() && first_word(line) == word);
        found.map(move |line| line[word.len()..].trim_start())
    }
}

fn first_word(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_lists_are_well_formed() {
        let kin = Kin::read(EMBEDDED_KIN, EMBEDDED_DICTIONARY).unwrap();
        let first = kin.pairs.content().lines().next().unwrap().to_owned();
        assert!(kin.of(first_word(&first)).next().is_some(), "the first line is found");
        for line in kin.dictionary.content().lines() {
            assert!(kin.frequency(first_word(line)).is_some(), "{line}");
        }
        assert!(["", "zzzz", "qqq", "aa"].iter().all(|word| kin.frequency(word).is_none()));
    }

    #[test]
    fn words_have_kin() {
        let kin = Kin::embedded();
        assert!(kin.of("old").any(|pair| pair == ("age", Relation::Of)));
        assert!(kin.of("approve").any(|pair| pair == ("approval", Relation::Form)));
        assert_eq!(kin.of("ol").next(), None);
    }

    #[test]
    fn bad_lists_say_what_is_wrong() {
        assert!(matches!(Kin::read("b a same\na b same\n", ""), Err(WordsError::Unsorted("kin"))));
        assert!(matches!(Kin::read("a b like\n", ""), Err(WordsError::Kin(line)) if line == "a b like"));
    }
}
