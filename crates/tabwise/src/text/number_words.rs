//! Numbers in words, such as "twenty-three" and "one hundred and fifth": [`NumberWords`] adds them up word by word.

use crate::words::Words;

/// Adds up number words as they come: "one", "hundred", "and", "five".
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NumberWords {
    /// Sum of the groups that are complete: 3000000 in "three million four hundred".
    total: f64,
    /// The group in progress, below a thousand: 400 in "three million four hundred".
    group: f64,
    /// True after the first word.
    started: bool,
    /// True after "and", which another word has to follow.
    joined: bool,
    /// True if the last word was an ordinal, after which nothing can follow.
    pub ordinal: bool,
}

impl NumberWords {
    /// Takes a word, which may be several joined by hyphens. Returns false, and takes nothing, if it does not fit here.
    pub(crate) fn take(&mut self, word: &str, words: &Words) -> bool {
        let mut next = *self;
        let fits = word.split('-').all(|part| next.take_one(part, words));
        if fits {
            *self = next;
        }
        fits
    }

    fn take_one(&mut self, word: &str, words: &Words) -> bool {
        if self.ordinal {
            return false;
        }
        if word.eq_ignore_ascii_case("and") {
            let may_join = self.started && !self.joined && (self.group % 100.0 == 0.0);
            self.joined = true;
            return may_join;
        }
        let Some(meaning) = words.meaning(word) else { return false };
        let fits = match (meaning.number, meaning.ordinal, meaning.magnitude) {
            (Some(n), _, _) => self.add(n),
            // "third" adds, "hundredth" multiplies.
            (_, Some(n), _) if n < 100.0 => self.add(n),
            (_, Some(n), _) => self.started && self.multiply(n),
            (_, _, Some(n)) => self.started && !self.joined && self.multiply(n),
            _ => false,
        };
        self.ordinal = meaning.number.is_none() && meaning.ordinal.is_some();
        self.started |= fits;
        self.joined = false;
        fits
    }

    /// Adds a number below a hundred: first, after hundreds or thousands, or a digit after tens ("twenty three").
    fn add(&mut self, n: f64) -> bool {
        let tail = self.group % 100.0;
        let fits = if tail == 0.0 {
            !self.started || self.group > 0.0 || self.total > 0.0
        } else {
            tail >= 20.0 && tail % 10.0 == 0.0 && n < 10.0 && n > 0.0
        };
        if fits {
            self.group += n;
        }
        fits
    }

    /// Applies a magnitude: "hundred" to the group, larger ones close it. Magnitudes have to fall ("million" before
    /// "thousand").
    fn multiply(&mut self, n: f64) -> bool {
        if n < 1000.0 {
            let fits = self.group > 0.0 && self.group < 100.0;
            self.group *= n;
            return fits;
        }
        let fits = self.group > 0.0 && (self.total == 0.0 || self.total >= n * 1000.0);
        self.total += self.group * n;
        self.group = 0.0;
        fits
    }

    /// Returns the number so far; `None` before the first word and after a dangling "and".
    pub(crate) fn value(&self) -> Option<f64> {
        (self.started && !self.joined).then_some(self.total + self.group)
    }
}

/// Returns the number that a whole text names in words, such as "Twenty three" or "third".
pub(crate) fn number_in_words(text: &str, words: &Words) -> Option<f64> {
    let mut sum = NumberWords::default();
    text.split_ascii_whitespace().all(|word| sum.take(word, words)).then(|| sum.value())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_add_up() {
        let words = Words::embedded();
        for (text, value) in [
            ("Twenty three", 23.0),
            ("twenty-first", 21.0),
            ("one hundred and five", 105.0),
            ("two hundred thousand", 200000.0),
            ("three million four hundred thousand", 3400000.0),
            ("Third", 3.0),
        ] {
            assert_eq!(number_in_words(text, &words), Some(value), "{text}");
        }
        for text in ["", "one two", "third one", "twenty and", "nothing", "hundred", "a second"] {
            assert_eq!(number_in_words(text, &words), None, "{text}");
        }
    }
}
