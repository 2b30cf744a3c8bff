//! Words of degree: *cheap*, *cheaper*, *cheapest*, and words such as *over* that make the number after them a bound. They
//! tell which way a superlative or a comparison goes, whatever the column is called.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Direction of a word of degree. A word may have several: see [`Degree::has`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sense {
    /// A large amount: *high*.
    More,
    /// A small amount: *cheap*.
    Less,
    /// A late time: *new*.
    Later,
    /// An early time: *old*.
    Earlier,
    /// The end of the table: *final*.
    Last,
    /// The beginning of the table: *initial*.
    First,
}

/// Form of a word of degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// *cheap*
    Plain,
    /// *cheaper*
    Comparative,
    /// *cheapest*
    Superlative,
}

/// Direction and form of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Degree {
    /// Form of the word.
    pub form: Form,
    /// The senses it has, as bits.
    senses: u8,
    /// True if it goes with any amount, and so with a number of rows: *high*, but not *expensive*.
    pub is_general: bool,
}

/// Senses that ask for the upper end: more, later, last. Each is followed by its opposite.
const UP: u8 = 0b01_0101;

impl Degree {
    /// Tells if the word has a sense.
    pub fn has(self, sense: Sense) -> bool {
        self.senses >> sense as u8 & 1 == 1
    }

    /// Tells if the word can ask for the largest, the latest or the last.
    pub fn is_up(self) -> bool {
        self.senses & UP != 0
    }

    /// Tells if the word can ask for the smallest, the earliest or the first.
    pub fn is_down(self) -> bool {
        self.senses & UP << 1 != 0
    }

    /// The same senses in another form.
    pub(crate) fn in_form(self, form: Form) -> Degree {
        Degree { form, ..self }
    }

    /// The opposite senses in another form: *less* and *more*, *later* and *earlier*, *last* and *first* change places.
    pub(crate) fn opposite(self, form: Form) -> Degree {
        let (up, down) = (self.senses & UP, self.senses & UP << 1);
        Degree { form, senses: up << 1 | down >> 1, ..self }
    }
}

/// Way in which a word makes a number or a date a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// Larger amounts: *over*.
    Over,
    /// Smaller amounts: *below*.
    Under,
    /// Later times: *after*.
    After,
    /// Earlier times: *before*.
    Before,
    /// Later times and the bound itself: *since*.
    Since,
    /// Earlier times and the bound itself: *until*.
    Until,
    /// More than 0, by itself.
    Positive,
    /// Less than 0, by itself.
    Negative,
}

/// The words of degree and of bounds.
#[derive(Clone, Debug)]
pub(super) struct Degrees {
    senses: FxHashMap<Box<str>, u8>,
    general: FxHashSet<Box<str>>,
    bounds: FxHashMap<Box<str>, Bound>,
}

impl Degrees {
    pub(super) fn new(
        senses: &BTreeMap<Sense, Vec<String>>,
        general: &[String],
        bounds: &BTreeMap<Bound, Vec<String>>,
    ) -> Degrees {
        let mut all: FxHashMap<Box<str>, u8> = FxHashMap::default();
        for (sense, words) in senses {
            words.iter().for_each(|word| *all.entry(word.as_str().into()).or_default() |= 1 << *sense as u8);
        }
        let bounds = bounds.iter().flat_map(|(bound, words)| words.iter().map(|word| (word.as_str().into(), *bound)));
        let general = general.iter().map(|word| word.as_str().into()).collect();
        Degrees { senses: all, general, bounds: bounds.collect() }
    }

    pub(super) fn bound(&self, word: &str) -> Option<Bound> {
        self.bounds.get(word).copied()
    }

    pub(super) fn degree(&self, word: &str) -> Option<Degree> {
        let is_general = |base: &str| self.general.contains(base);
        let known = |form, base: &str| {
            self.senses.get(base).map(|senses| Degree { form, senses: *senses, is_general: is_general(base) })
        };
        let own = match word {
            "most" | "least" | "best" | "worst" | "maximum" | "max" | "minimum" | "min" | "top" | "bottom" | "peak" => {
                Form::Superlative
            }
            "last" | "final" | "first" | "initial" | "latest" | "earliest" | "farthest" | "furthest" => {
                Form::Superlative
            }
            "northernmost" | "southernmost" | "easternmost" | "westernmost" => Form::Superlative,
            "more" | "less" | "better" | "worse" | "later" | "earlier" | "farther" | "further" => Form::Comparative,
            _ => Form::Plain,
        };
        known(own, word).or_else(|| {
            let (stem, form) = match word.strip_suffix("est") {
                Some(stem) => (stem, Form::Superlative),
                None => (word.strip_suffix("er")?, Form::Comparative),
            };
            plain_forms(stem).iter().find_map(|base| known(form, base))
        })
    }
}

/// Words that an ending may have been put on: *cheap*, *wide*, *heavy*, *pricey*, *big*.
fn plain_forms(stem: &str) -> Vec<String> {
    let mut forms = vec![stem.to_owned(), format!("{stem}e")];
    forms.extend(stem.strip_suffix('i').into_iter().flat_map(|stem| [format!("{stem}y"), format!("{stem}ey")]));
    let mut letters = stem.chars().rev();
    if letters.next().is_some_and(|last| letters.next() == Some(last)) {
        forms.extend(stem.get(..stem.len() - 1).map(str::to_owned));
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::super::Words;
    use super::*;

    #[test]
    fn endings_are_taken_off() {
        let words = Words::embedded();
        for (word, form, sense) in [
            ("priciest", Form::Superlative, Sense::More),
            ("biggest", Form::Superlative, Sense::More),
            ("widest", Form::Superlative, Sense::More),
            ("cheaper", Form::Comparative, Sense::Less),
            ("fewer", Form::Comparative, Sense::Less),
            ("most", Form::Superlative, Sense::More),
            ("newest", Form::Superlative, Sense::Later),
            ("old", Form::Plain, Sense::Earlier),
            ("last", Form::Superlative, Sense::Last),
        ] {
            let degree = words.degree(word).unwrap();
            assert!(degree.form == form && degree.has(sense), "{word}: {degree:?}");
        }
        for word in ["lasted", "forest", "player", "interest", "er", "est", ""] {
            assert_eq!(words.degree(word), None, "{word}");
        }
    }

    #[test]
    fn opposites_change_places() {
        let degree = Words::embedded().degree("old").unwrap().opposite(Form::Superlative);
        assert!(degree.has(Sense::Less) && degree.has(Sense::Later) && !degree.has(Sense::More));
    }

    #[test]
    fn bounds_are_known() {
        let words = Words::embedded();
        assert_eq!(words.bound("above"), Some(Bound::Over));
        assert_eq!(words.bound("since"), Some(Bound::Since));
        assert_eq!(words.bound("city"), None);
    }
}
