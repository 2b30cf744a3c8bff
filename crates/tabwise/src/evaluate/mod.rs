//! Judging answers by the rules of the dataset's official evaluator: an answer is a set of items, and it is
//! right if the set has the size of the target and each target item matches some item of it. Two items match if their
//! normalised strings are equal, or both are the same number, or both are the same date. This is the only judge of
//! "right" in the library.

mod calibration;
mod records;
mod verdict;

pub use crate::text::normalise::normalise;
pub use calibration::{Judged, accuracy_at_coverage, coverage_and_accuracy, expected_calibration_error};
pub use records::{Record, RecordError, prediction_line, records_from_tsv};
pub use verdict::{Author, Example, Examples, Verdict, judge, judge_formulas};

use crate::text::dates::whole_date;
use crate::text::numerals::whole_number;
use crate::value::{Date, show_number, show_truth};
use crate::words::Words;

/// Numbers closer than this are the same.
const TOLERANCE: f64 = 1e-6;

/// One item of an answer or of a target: its normalised text, and what it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The text as [`normalise`] leaves it.
    pub text: Box<str>,
    /// A number or a date, if it is one.
    pub kind: Kind,
}

/// Kind of an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Numbers, and dates of which only the year is known.
    Number(f64),
    /// Other dates.
    Date(Date),
    /// Anything else.
    Text,
}

impl Item {
    /// An item of an answer: a number if it reads as one, a date if it has the form yyyy-mm-dd (`xx` for what is
    /// unknown), else a text.
    pub fn predicted(text: &str) -> Item {
        Item { text: normalise(text).into(), kind: Kind::of_canon(text) }
    }

    /// An item of a target whose canonical form is known.
    pub fn with_canon(text: &str, canon: &str) -> Item {
        Item { text: normalise(text).into(), kind: Kind::of_canon(canon) }
    }

    /// An item of a target as people write them: "4,000", "5 years", "12th", "June 12, 2010".
    pub fn target(text: &str, words: &Words) -> Item {
        Item { text: normalise(text).into(), kind: Kind::of_text(text, words) }
    }

    /// Tells if an answer with `predicted` has this target item.
    fn is_matched_by(&self, predicted: &Prediction) -> bool {
        match *predicted {
            Prediction::Item(item) => self.kind.same(&item.kind) || self.text == item.text,
            Prediction::Number(n) => self.kind.same(&Kind::Number(n)) || self.is_text_of(|| show_number(n)),
            Prediction::Date(d) => {
                self.kind.same(&Kind::of_date(d)) || self.is_text_of(|| d.to_string().to_lowercase())
            }
        }
    }

    /// Tells if this is a mere text that equals a printed value; few texts start like one.
    fn is_text_of(&self, printed: impl Fn() -> String) -> bool {
        let may_be = self.text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | 'x'));
        self.kind == Kind::Text && may_be && *self.text == *printed()
    }
}

impl Kind {
    /// The kind of a canonical text: `100000.0`, `1995-01-26`, or anything else.
    fn of_canon(text: &str) -> Kind {
        let number = text.trim().parse::<f64>().ok().filter(|n| n.is_finite());
        number.map(Kind::Number).or_else(|| canonical_date(text)).unwrap_or(Kind::Text)
    }

    /// The kind of a text that a person wrote.
    fn of_text(text: &str, words: &Words) -> Kind {
        if let Some(number) = whole_number(text, words) {
            return Kind::Number(number);
        }
        whole_date(text, words).map_or(Kind::Text, Kind::of_date)
    }

    /// A date of which only the year is known is a number.
    fn of_date(date: Date) -> Kind {
        match (date.year(), date.month(), date.day()) {
            (Some(year), None, None) => Kind::Number(f64::from(year)),
            _ => Kind::Date(date),
        }
    }

    fn same(&self, other: &Kind) -> bool {
        match (self, other) {
            (Kind::Number(a), Kind::Number(b)) => (a - b).abs() < TOLERANCE,
            (Kind::Date(a), Kind::Date(b)) => a == b,
            _ => false,
        }
    }
}

/// `1995-01-26`, `xxxx-05-xx`; `None` for any other text.
fn canonical_date(text: &str) -> Option<Kind> {
    let mut fields = text.trim().split('-');
    let (year, month, day) = (fields.next()?, fields.next()?, fields.next()?);
    if fields.next().is_some() {
        return None;
    }
    let known = |field: &str| !field.eq_ignore_ascii_case("xx") && !field.eq_ignore_ascii_case("xxxx");
    let year = known(year).then(|| year.parse::<i32>()).transpose().ok()?;
    let month = known(month).then(|| month.parse::<u8>()).transpose().ok()?;
    let day = known(day).then(|| day.parse::<u8>()).transpose().ok()?;
    Date::new(year, month, day).map(Kind::of_date)
}

/// One item of an answer, as cheap as it comes: numbers and dates need no text, and the items of a table's entities can
/// be made once and used for every candidate.
#[derive(Clone, Copy, Debug)]
pub enum Prediction<'a> {
    /// A number, as [`show_number`] prints it.
    Number(f64),
    /// A date.
    Date(Date),
    /// An item made from a text.
    Item(&'a Item),
}

impl Prediction<'_> {
    /// Tells if two items are one item of a set: sets are made after conversion.
    fn is_one_with(&self, other: &Prediction) -> bool {
        let (a, b) = (self.kind(), other.kind());
        match (self, other) {
            (Prediction::Item(x), Prediction::Item(y)) if a == Kind::Text && b == Kind::Text => x.text == y.text,
            _ => a != Kind::Text && a == b,
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Prediction::Number(n) => Kind::Number(*n),
            Prediction::Date(d) => Kind::of_date(*d),
            Prediction::Item(item) => item.kind,
        }
    }
}

/// The right answer of an example, normalised once. One without items is never given: the table does not answer the
/// question.
#[derive(Clone, Debug, Default)]
pub struct Target {
    items: Vec<Item>,
    formulas: Vec<String>,
}

impl Target {
    /// A target as the dataset has it; the kind of each item is read from its text.
    pub fn from_strings<S: AsRef<str>>(texts: &[S], words: &Words) -> Target {
        Target::of(texts.iter().map(|text| Item::target(text.as_ref(), words)))
    }

    /// A target whose canonical forms are given with it.
    pub fn with_canon<S: AsRef<str>>(texts: &[S], canon: &[S]) -> Target {
        Target::of(texts.iter().zip(canon).map(|(text, canon)| Item::with_canon(text.as_ref(), canon.as_ref())))
    }

    /// The target with right formulas in the notation, which learning prefers to others with the right answer.
    pub fn with_formulas(self, formulas: Vec<String>) -> Target {
        Target { formulas, ..self }
    }

    fn of(items: impl Iterator<Item = Item>) -> Target {
        let mut target = Target::default();
        for item in items {
            if !target.items.iter().any(|known| Prediction::Item(known).is_one_with(&Prediction::Item(&item))) {
                target.items.push(item);
            }
        }
        target
    }

    /// Tells if the answer is yes or no.
    fn is_truth(&self) -> bool {
        matches!(self.items.as_slice(), [only] if [show_truth(false), show_truth(true)].contains(&&*only.text))
    }

    /// The items, each once.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Tells if an answer is right.
    pub fn matches<'a>(&self, predicted: impl Iterator<Item = Prediction<'a>> + Clone) -> bool {
        !self.items.is_empty()
            && self.has_size_of(predicted.clone())
            && self.items.iter().all(|item| predicted.clone().any(|p| item.is_matched_by(&p)))
    }

    /// Tells if the answer, made a set, has as many items as the target. Looks no further than it must.
    fn has_size_of<'a>(&self, mut predicted: impl Iterator<Item = Prediction<'a>>) -> bool {
        let Some(first) = predicted.next() else { return false };
        let mut others: Vec<Prediction> = Vec::new();
        for item in predicted {
            if item.is_one_with(&first) || others.iter().any(|known| known.is_one_with(&item)) {
                continue;
            }
            if others.len() + 1 >= self.items.len() {
                return false;
            }
            others.push(item);
        }
        others.len() + 1 == self.items.len()
    }
}

/// Tells if an answer of printed items is right.
pub fn matches<S: AsRef<str>>(predicted: &[S], target: &Target) -> bool {
    let items: Vec<Item> = predicted.iter().map(|text| Item::predicted(text.as_ref())).collect();
    target.matches(items.iter().map(Prediction::Item))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn right(predicted: &[&str], target: &[&str]) -> bool {
        matches(predicted, &Target::from_strings(target, &Words::embedded()))
    }

    #[test]
    fn items_match_by_text_number_or_date() {
        assert!(right(&["4000"], &["4,000"]));
        assert!(right(&["4,000"], &["4,000"]));
        assert!(right(&["10"], &["10 years"]));
        assert!(right(&["1997-11-27"], &["November 27, 1997"]));
        assert!(right(&["xxxx-10-xx"], &["October"]));
        assert!(right(&["2004-xx-xx"], &["2004"]));
        assert!(right(&["Sao Paulo[3]"], &["São Paulo"]));
        assert!(!right(&["4001"], &["4,000"]));
        assert!(!right(&["4,000 people"], &["4,000"]));
        assert!(!right(&["1997-11-xx"], &["November 27, 1997"]));
    }

    #[test]
    fn answers_are_sets() {
        assert!(right(&["b", "a"], &["a", "b"]));
        assert!(right(&["5", "5.0"], &["5"]));
        assert!(!right(&["a"], &["a", "b"]));
        assert!(!right(&["a", "b", "c"], &["a", "b"]));
        assert!(!right(&[], &["a"]));
        assert!(!right(&[], &[]) && !right(&["a"], &[]), "no answer is right where there is none");
    }

    #[test]
    fn cheap_predictions_are_the_printed_ones() {
        let target = Target::with_canon(&["30", "May"], &["30", "xxxx-05-xx"]);
        let may = Date::new(None, Some(5), None).unwrap();
        assert!(target.matches([Prediction::Number(30.0), Prediction::Date(may)].into_iter()));
        let text = Target::with_canon(&["2010-05-xx", "17"], &["", ""]);
        let date = Date::new(Some(2010), Some(5), None).unwrap();
        assert!(text.matches([Prediction::Number(17.0), Prediction::Date(date)].into_iter()));
    }
}
