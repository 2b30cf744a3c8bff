//! [`Words`]: the English words that the program knows, by meaning: months, number words, magnitudes, units, dashes,
//! stop words, kin of words, names of places. They are loaded once from the files of `knowledge/`; the code asks for
//! meanings (`words.month("sept")`) and never compares spellings itself.

mod degrees;
mod kin;
mod places;

pub use degrees::{Bound, Degree, Form, Sense};
pub use kin::{EMBEDDED_DICTIONARY, EMBEDDED_KIN, Relation};
pub use places::{EMBEDDED_NAMES, Place};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use thiserror::Error;

/// The `words.toml` that is compiled into the program.
pub const EMBEDDED: &str = include_str!("../knowledge/words.toml");
/// Length of the longest allowed word in bytes. Longer words are unknown without a lookup, and a word in upper case is
/// lowered in a buffer of this size instead of an allocation.
const LONGEST: usize = 24;

/// Length of the longest text in bytes that may stand for a missing value.
const LONGEST_BLANK: usize = 8;

/// Reason why word lists cannot be used.
#[derive(Debug, Error)]
pub enum WordsError {
    /// The text is not TOML, or a list has the wrong shape.
    #[error("words: {0}")]
    Syntax(#[from] toml::de::Error),
    /// `months` does not have twelve entries.
    #[error("words: `months` lists {0} months, not 12")]
    Months(usize),
    /// An entry of `dashes`, `minus_signs`, `currency_signs` or `fractions` is not a single character.
    #[error("words: `{0}` is not a single character")]
    NotOneCharacter(String),
    /// A word is too long for the lookup buffer.
    #[error("words: `{0}` is longer than {LONGEST} bytes")]
    TooLong(String),
    /// A text for missing values is too long.
    #[error("words: `{0}` of the missing values is longer than {LONGEST_BLANK} bytes")]
    LongBlank(String),
    /// A line of `kin.txt` is not two words and a relation.
    #[error("kin: {0:?} is not a word, its kin and a relation, with single spaces")]
    Kin(String),
    /// A list that has to be sorted is not.
    #[error("{0}: the lines are not sorted")]
    Unsorted(&'static str),
    /// A line of `names.txt` has no name.
    #[error("names: {0:?} is not a kind and names, with ` | ` between them")]
    Name(String),
}

/// All possible meanings of one word; meanings that it does not have are `None` or false.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Meaning {
    /// Month that it names, from 1 to 12.
    pub month: Option<u8>,
    /// True for the name of a weekday.
    pub weekday: bool,
    /// Number that it names: 20 for "twenty".
    pub number: Option<f64>,
    /// Ordinal that it names: 3 for "third".
    pub ordinal: Option<f64>,
    /// Factor for the number before it: 1000000 for "million".
    pub magnitude: Option<f64>,
    /// Factor after an amount of money: 1000000 for "m".
    pub money_magnitude: Option<f64>,
    /// Length of a unit of time in seconds: 60 for "min".
    pub seconds: Option<f64>,
    /// Sign of the year before it: -1 for "bc", 1 for "ad".
    pub era: Option<i32>,
    /// Hours to add to the time before it: 12 for "pm".
    pub half_day: Option<f64>,
    /// True for a unit other than those of time and money: "km".
    pub unit: bool,
    /// True for the name of a currency: "usd".
    pub currency: bool,
    /// True for a word before an inexact number or date: "circa".
    pub approximation: bool,
    /// True for the open end of a range: "present".
    pub open_end: bool,
    /// True for a word between the ends of a range: "to".
    pub range_word: bool,
    /// True for "between" and its like, before the ends of a range.
    pub between: bool,
    /// First year of the decade that it names: 1990 for "nineties".
    pub decade: Option<i32>,
    /// True for "since" and its like, before a year.
    pub since: bool,
    /// True for a word too common to start or end a phrase.
    pub stop: bool,
    /// True for a word of mere grammar, which names nothing.
    pub function: bool,
    /// True for a word of headers of times of day: "departure".
    pub time_of_day: bool,
    /// True for a word of headers of lengths of time: "lap".
    pub length_of_time: bool,
    /// Number of things that a statement is about, which the word says: all for "every".
    pub quantifier: Option<Quantifier>,
}

/// Number of things that a statement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quantifier {
    /// Every one of them: "all", "always".
    All,
    /// At least one of them: "any", "ever".
    Some,
}

/// Part that a word plays between the names of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Sets what is named against the rest: "versus", "than", "otherwise".
    Against,
    /// Takes several cells as one: "together".
    Together,
    /// Repeated before each of several cells, it keeps them apart: "for men and for women".
    Repeated,
}

/// Kind of a text that stands for a missing value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blank {
    /// A mark or abbreviation that is nothing else: `-`, `n/a`, or no text at all.
    Mark,
    /// A code in a column of codes: `NA`.
    Code,
    /// A word in a column of a few words: `None`.
    Choice,
}

/// Part of a test of texts that a word says: "names that start with the letter B".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextWord {
    /// The text starts with what follows: "start".
    Starts,
    /// The text ends with what follows: "end".
    Ends,
    /// The text contains what follows: "contain".
    Contains,
    /// A word between the test and what is tested for: "with", "the", "letter".
    Between,
}

/// The word lists, indexed by word. ASCII letter case is ignored, except by [`Words::cues`].
#[derive(Clone, Debug)]
pub struct Words {
    meanings: FxHashMap<Box<str>, Meaning>,
    /// Operations that a word suggests.
    cues: FxHashMap<Box<str>, Vec<Arc<str>>>,
    decisive: FxHashSet<Box<str>>,
    dashes: Vec<char>,
    minus_signs: Vec<char>,
    currency_signs: Vec<char>,
    fractions: Vec<(char, f64)>,
    /// Texts that stand for a missing value, as they are spelled.
    blanks: FxHashMap<Box<str>, Blank>,
    degrees: degrees::Degrees,
    /// Expressions whose words suggest no operation, word by word.
    idioms: Vec<Vec<String>>,
    /// Texts for yes and for no.
    flags: Vec<[String; 2]>,
    /// Words by their role.
    roles: BTreeMap<Role, FxHashSet<Box<str>>>,
    /// Words of tests of texts.
    text_words: FxHashMap<Box<str>, TextWord>,
    kin: kin::Kin,
    places: places::Places,
}

/// The shape of `words.toml`.
#[derive(Deserialize)]
struct Lists {
    months: Vec<Vec<String>>,
    weekdays: Vec<String>,
    approximations: Vec<String>,
    open_ends: Vec<String>,
    range_words: Vec<String>,
    since_words: Vec<String>,
    between_words: Vec<String>,
    dashes: Vec<String>,
    minus_signs: Vec<String>,
    currency_signs: Vec<String>,
    currency_words: Vec<String>,
    stop: Vec<String>,
    #[serde(default)]
    function: Vec<String>,
    units: Vec<String>,
    missing: Vec<String>,
    missing_codes: Vec<String>,
    missing_choices: Vec<String>,
    flags: Vec<[String; 2]>,
    times_of_day: Vec<String>,
    lengths_of_time: Vec<String>,
    text_tests: TextTests,
    roles: BTreeMap<Role, Vec<Box<str>>>,
    idioms: Vec<String>,
    cues: BTreeMap<String, Vec<String>>,
    general_degrees: Vec<String>,
    degrees: BTreeMap<Sense, Vec<String>>,
    quantifiers: BTreeMap<Quantifier, Vec<String>>,
    bounds: BTreeMap<Bound, Vec<String>>,
    numbers: BTreeMap<String, f64>,
    ordinals: BTreeMap<String, f64>,
    magnitudes: BTreeMap<String, f64>,
    money_magnitudes: BTreeMap<String, f64>,
    seconds: BTreeMap<String, f64>,
    eras: BTreeMap<String, i32>,
    decades: BTreeMap<String, i32>,
    half_days: BTreeMap<String, f64>,
    fractions: BTreeMap<String, f64>,
}

/// The shape of `[text_tests]`.
#[derive(Deserialize)]
struct TextTests {
    starts: Vec<String>,
    ends: Vec<String>,
    contains: Vec<String>,
    between: Vec<String>,
}

impl TextTests {
    fn by_word(&self) -> FxHashMap<Box<str>, TextWord> {
        let lists = [
            (&self.starts, TextWord::Starts),
            (&self.ends, TextWord::Ends),
            (&self.contains, TextWord::Contains),
            (&self.between, TextWord::Between),
        ];
        lists.into_iter().flat_map(|(words, said)| words.iter().map(move |word| (word.as_str().into(), said))).collect()
    }
}

impl Words {
    /// Returns the lists that are compiled into the program.
    pub fn embedded() -> Words {
        Words::from_toml(EMBEDDED).expect("the embedded word lists are checked by a test")
    }

    /// Reads the lists from the text of a `words.toml`.
    pub fn from_toml(text: &str) -> Result<Words, WordsError> {
        let lists: Lists = toml::from_str(text)?;
        if lists.months.len() != 12 {
            return Err(WordsError::Months(lists.months.len()));
        }
        Ok(Words {
            meanings: meanings(&lists)?,
            cues: cues(&lists.cues),
            decisive: decisive(&lists.cues),
            dashes: characters(&lists.dashes)?,
            minus_signs: characters(&lists.minus_signs)?,
            currency_signs: characters(&lists.currency_signs)?,
            fractions: lists
                .fractions
                .iter()
                .map(|(c, v)| Ok((character(c)?, *v)))
                .collect::<Result<_, WordsError>>()?,
            blanks: blanks(&lists)?,
            degrees: degrees::Degrees::new(&lists.degrees, &lists.general_degrees, &lists.bounds),
            idioms: lists.idioms.iter().map(|text| text.split(' ').map(str::to_string).collect()).collect(),
            text_words: lists.text_tests.by_word(),
            roles: lists.roles.into_iter().map(|(role, words)| (role, words.into_iter().collect())).collect(),
            flags: lists.flags,
            kin: kin::Kin::embedded(),
            places: places::Places::read(EMBEDDED_NAMES)?,
        })
    }

    /// Replaces the kin of words and the dictionary by those of a `kin.txt` and a `dictionary.txt`.
    pub fn with_kin(self, kin: &str, dictionary: &str) -> Result<Words, WordsError> {
        Ok(Words { kin: kin::Kin::read(kin, dictionary)?, ..self })
    }

    /// Replaces the names of places by those of a `names.txt`.
    pub fn with_names(self, names: &str) -> Result<Words, WordsError> {
        Ok(Words { places: places::Places::read(names)?, ..self })
    }

    /// Returns all possible meanings of a word, in one lookup.
    pub fn meaning(&self, word: &str) -> Option<&Meaning> {
        if word.len() > LONGEST {
            return None;
        }
        if word.bytes().all(|b| !b.is_ascii_uppercase()) {
            return self.meanings.get(word);
        }
        // Lower case on the stack: this runs for every word of every cell.
        let mut lower = [0; LONGEST];
        let lower = &mut lower[..word.len()];
        lower.copy_from_slice(word.as_bytes());
        lower.make_ascii_lowercase();
        self.meanings.get(std::str::from_utf8(lower).ok()?)
    }

    /// Returns the month that a word names, from 1.
    pub fn month(&self, word: &str) -> Option<u8> {
        self.meaning(word)?.month
    }

    /// Returns the number that a single number word names: 20 for "twenty". "Hundred" and above are magnitudes.
    pub fn number(&self, word: &str) -> Option<f64> {
        self.meaning(word)?.number
    }

    /// Returns the number that a single ordinal word names: 3 for "third".
    pub fn ordinal(&self, word: &str) -> Option<f64> {
        self.meaning(word)?.ordinal
    }

    /// Returns the factor that a word applies to the number before it.
    pub fn magnitude(&self, word: &str) -> Option<f64> {
        self.meaning(word)?.magnitude
    }

    /// Returns the first year of the decade that a word names: 1990 for "nineties".
    pub fn decade(&self, word: &str) -> Option<i32> {
        self.meaning(word)?.decade
    }

    /// Returns the length of a unit of time in seconds.
    pub fn seconds(&self, word: &str) -> Option<f64> {
        self.meaning(word)?.seconds
    }

    /// True if a word is a unit other than those of time and money.
    pub fn is_unit(&self, word: &str) -> bool {
        self.meaning(word).is_some_and(|m| m.unit)
    }

    /// True if a word marks the number or date after it as inexact.
    pub fn is_approximation(&self, word: &str) -> bool {
        self.meaning(word).is_some_and(|m| m.approximation)
    }

    /// True if a word is too common to start or end a phrase.
    pub fn is_stop(&self, word: &str) -> bool {
        self.meaning(word).is_some_and(|m| m.stop)
    }

    /// True if a word is mere grammar and names nothing.
    pub fn is_function(&self, word: &str) -> bool {
        self.meaning(word).is_some_and(|m| m.function)
    }

    /// Returns the kin of a lower-case word.
    pub fn kin<'w>(&'w self, word: &'w str) -> impl Iterator<Item = (&'w str, Relation)> {
        self.kin.of(word)
    }

    /// True if a lower-case word, in its dictionary form, is known.
    pub fn is_known(&self, word: &str) -> bool {
        self.kin.frequency(word).is_some()
    }

    /// Returns how frequent a lower-case word in its dictionary form is, from 0 to 9; `None` if it is not known.
    pub fn frequency(&self, word: &str) -> Option<u32> {
        self.kin.frequency(word)
    }

    /// Returns the countries, states and continents with this name, code or adjective.
    pub fn places(&self, name: &str) -> impl Iterator<Item = &Place> {
        self.places.named(name)
    }

    /// Returns the operations that a lower-case word suggests: groups of rules ("count"), or rules ("next before").
    pub fn cues(&self, word: &str) -> &[Arc<str>] {
        self.cues.get(word).map_or(&[], Vec::as_slice)
    }

    /// True if a question with this lower-case word means something else without the operation that it suggests.
    pub fn is_decisive(&self, word: &str) -> bool {
        self.decisive.contains(word)
    }

    /// Returns the degree of a lower-case word: superlative and `less` of "cheapest".
    pub fn degree(&self, word: &str) -> Option<Degree> {
        self.degrees.degree(word)
    }

    /// Returns the way in which a lower-case word makes the number or date next to it a bound.
    pub fn bound(&self, word: &str) -> Option<Bound> {
        self.degrees.bound(word)
    }

    /// Returns the expressions whose words suggest no operation, word by word in lower case.
    pub fn idioms(&self) -> &[Vec<String>] {
        &self.idioms
    }

    /// Returns every cue word with the group of rules, or the rule, that it suggests.
    pub fn all_cues(&self) -> impl Iterator<Item = (&str, &str)> {
        self.cues.iter().flat_map(|(word, names)| names.iter().map(|name| (&**word, &**name)))
    }

    /// Returns the way in which a cell's text may stand for a missing value.
    pub fn blank(&self, text: &str) -> Option<Blank> {
        // Most texts need no lookup.
        if text.as_bytes().first().is_some_and(u8::is_ascii_digit) {
            return None;
        }
        match text.trim() {
            "" => Some(Blank::Mark),
            text if text.len() > LONGEST_BLANK || text.as_bytes()[0].is_ascii_digit() => None,
            text => self.blanks.get(text).copied(),
        }
    }

    /// True if two lower-case texts stand for yes and no, in this order.
    pub fn are_yes_and_no(&self, yes: &str, no: &str) -> bool {
        self.flags.iter().any(|pair| pair[0] == yes && pair[1] == no)
    }

    /// Returns the part of a test of texts that a lower-case word says.
    pub fn text_word(&self, word: &str) -> Option<TextWord> {
        self.text_words.get(word).copied()
    }

    /// True if a lower-case word plays this part.
    pub fn is(&self, role: Role, word: &str) -> bool {
        self.roles.get(&role).is_some_and(|words| words.contains(word))
    }

    /// True if a character is a dash of any length.
    pub fn is_dash(&self, c: char) -> bool {
        self.dashes.contains(&c)
    }

    /// True if a character before a digit may be a minus sign.
    pub fn is_minus(&self, c: char) -> bool {
        self.minus_signs.contains(&c)
    }

    /// True if a character is a currency sign.
    pub fn is_currency_sign(&self, c: char) -> bool {
        self.currency_signs.contains(&c)
    }

    /// Returns the value of a character such as `½`.
    pub fn fraction(&self, c: char) -> Option<f64> {
        self.fractions.iter().find(|(f, _)| *f == c).map(|(_, v)| *v)
    }
}

fn meanings(lists: &Lists) -> Result<FxHashMap<Box<str>, Meaning>, WordsError> {
    let mut all = Collector::default();
    for (month, names) in (1..).zip(&lists.months) {
        all.list(names, |m| m.month = Some(month))?;
    }
    all.list(&lists.weekdays, |m| m.weekday = true)?;
    all.list(&lists.approximations, |m| m.approximation = true)?;
    all.list(&lists.open_ends, |m| m.open_end = true)?;
    all.list(&lists.range_words, |m| m.range_word = true)?;
    all.list(&lists.since_words, |m| m.since = true)?;
    all.list(&lists.between_words, |m| m.between = true)?;
    all.list(&lists.currency_words, |m| m.currency = true)?;
    all.list(&lists.stop, |m| m.stop = true)?;
    all.list(&lists.function, |m| m.function = true)?;
    all.list(&lists.times_of_day, |m| m.time_of_day = true)?;
    all.list(&lists.lengths_of_time, |m| m.length_of_time = true)?;
    for (quantifier, words) in &lists.quantifiers {
        all.list(words, |m| m.quantifier = Some(*quantifier))?;
    }
    all.list(&lists.units, |m| m.unit = true)?;
    all.map(&lists.numbers, |m, v| m.number = Some(v))?;
    all.map(&lists.ordinals, |m, v| m.ordinal = Some(v))?;
    all.map(&lists.magnitudes, |m, v| m.magnitude = Some(v))?;
    all.map(&lists.money_magnitudes, |m, v| m.money_magnitude = Some(v))?;
    all.map(&lists.seconds, |m, v| m.seconds = Some(v))?;
    all.map(&lists.eras, |m, v| m.era = Some(v))?;
    all.map(&lists.decades, |m, v| m.decade = Some(v))?;
    all.map(&lists.half_days, |m, v| m.half_day = Some(v))?;
    Ok(all.0)
}

/// Mark of a cue without which the question would mean something else.
const DECISIVE: char = '!';

/// The decisive cues, without their mark.
fn decisive(lists: &BTreeMap<String, Vec<String>>) -> FxHashSet<Box<str>> {
    lists.values().flatten().filter_map(|word| word.strip_prefix(DECISIVE)).map(Box::from).collect()
}

fn cues(lists: &BTreeMap<String, Vec<String>>) -> FxHashMap<Box<str>, Vec<Arc<str>>> {
    let mut by_word: FxHashMap<Box<str>, Vec<Arc<str>>> = FxHashMap::default();
    for (name, words) in lists {
        let name: Arc<str> = name.as_str().into();
        let plain = words.iter().map(|word| word.strip_prefix(DECISIVE).unwrap_or(word));
        plain.for_each(|word| by_word.entry(word.into()).or_default().push(name.clone()));
    }
    by_word
}

fn blanks(lists: &Lists) -> Result<FxHashMap<Box<str>, Blank>, WordsError> {
    let kinds =
        [(&lists.missing, Blank::Mark), (&lists.missing_codes, Blank::Code), (&lists.missing_choices, Blank::Choice)];
    let all = kinds.into_iter().flat_map(|(texts, kind)| texts.iter().map(move |text| (text, kind)));
    let entry = |(text, kind): (&String, Blank)| match text.len() > LONGEST_BLANK {
        true => Err(WordsError::LongBlank(text.clone())),
        false => Ok((text.as_str().into(), kind)),
    };
    all.map(entry).collect()
}

/// The meanings collected so far; a word may be in several lists.
#[derive(Default)]
struct Collector(FxHashMap<Box<str>, Meaning>);

impl Collector {
    fn list(&mut self, words: &[String], set: impl Fn(&mut Meaning)) -> Result<(), WordsError> {
        for word in words {
            set(self.of(word)?);
        }
        Ok(())
    }

    fn map<V: Copy>(&mut self, words: &BTreeMap<String, V>, set: impl Fn(&mut Meaning, V)) -> Result<(), WordsError> {
        for (word, value) in words {
            set(self.of(word)?, *value);
        }
        Ok(())
    }

    fn of(&mut self, word: &str) -> Result<&mut Meaning, WordsError> {
        if word.len() > LONGEST {
            return Err(WordsError::TooLong(word.to_owned()));
        }
        Ok(self.0.entry(word.to_lowercase().into()).or_default())
    }
}

fn characters(list: &[String]) -> Result<Vec<char>, WordsError> {
    list.iter().map(|text| character(text)).collect()
}

fn character(text: &str) -> Result<char, WordsError> {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => Ok(c),
        _ => Err(WordsError::NotOneCharacter(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_by_meaning() {
        let words = Words::embedded();
        assert_eq!(words.month("Sept"), Some(9));
        assert_eq!(words.number("TWENTY"), Some(20.0));
        assert_eq!((words.ordinal("second"), words.seconds("second")), (Some(2.0), Some(1.0)));
        assert_eq!(words.magnitude("million"), Some(1e6));
        assert!(words.is_stop("the") && !words.is_stop("table") && words.is_dash('–') && words.is_minus('−'));
        assert_eq!(words.month("a word that is longer than any word of the lists"), None);
    }

    #[test]
    fn some_texts_are_no_value() {
        let words = Words::embedded();
        let kinds = ["", " ", "n/a", "\\N", "NA", "None", "na", "0"].map(|text| words.blank(text));
        let (mark, code, choice) = (Some(Blank::Mark), Some(Blank::Code), Some(Blank::Choice));
        assert_eq!(kinds, [mark, mark, mark, mark, code, choice, None, None]);
    }

    #[test]
    fn words_suggest_operations() {
        let words = Words::embedded();
        let cues = |word: &str| words.cues(word).iter().map(|cue| cue.to_string()).collect::<Vec<_>>();
        assert!(cues("many").contains(&"count".to_string()));
        assert!(cues("after").contains(&"next after".to_string()));
        assert_eq!(cues("austria"), Vec::<String>::new());
    }

    #[test]
    fn bad_lists_say_what_is_wrong() {
        assert!(matches!(Words::from_toml("months = 3"), Err(WordsError::Syntax(_))));
        let eleven = EMBEDDED.replace("    [\"january\", \"jan\"],\n", "");
        assert!(matches!(Words::from_toml(&eleven), Err(WordsError::Months(11))));
        let pair = EMBEDDED.replace("\"½\" =", "\"½½\" =");
        assert!(matches!(Words::from_toml(&pair), Err(WordsError::NotOneCharacter(_))));
    }
}
