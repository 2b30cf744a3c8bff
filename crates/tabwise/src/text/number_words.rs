//! Numbers in words: "twenty-three", "one hundred and fifth".

use crate::words::Words;

/// Adds up number words as they come: "one", "hundred", "and", "five".
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NumberWords {
    total: f64,
    group: f64,
    started: bool,
    joined: bool,
    /// Whether the last word was an ordinal, after which nothing can follow.
    pub ordinal: bool,
}

impl NumberWords {
    /// Takes a word, which may be several joined by hyphens. False, and nothing taken, when it does not fit here.
    pub fn take(&mut self, word: &str, words: &Words) -> bool {
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

    /// The number so far; `None` before the first word and after a dangling "and".
    pub fn value(&self) -> Option<f64> {
        (self.started && !self.joined).then_some(self.total + self.group)
    }
}

/// The number that a whole text names in words, such as "Twenty three" or "third".
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
