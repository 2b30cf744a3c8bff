//! The words the program knows by meaning: months, number words, magnitudes, units, dashes, stop words. They are read
//! once from `knowledge/words.toml`; code asks by meaning (`words.month("sept")`) and never compares spellings itself.

use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use thiserror::Error;

/// The lists that are compiled in.
pub const EMBEDDED: &str = include_str!("../knowledge/words.toml");
/// No word of the lists is longer (in bytes), so longer words are unknown without a look.
const LONGEST: usize = 24;

/// A word list that cannot be used.
#[derive(Debug, Error)]
pub enum WordsError {
    /// The text is not TOML, or a list has the wrong shape.
    #[error("words: {0}")]
    Syntax(#[from] toml::de::Error),
    /// `months` must name the twelve months in order.
    #[error("words: `months` lists {0} months, not 12")]
    Months(usize),
    /// `dashes`, `minus_signs`, `currency_signs` and `fractions` hold single characters.
    #[error("words: `{0}` is not a single character")]
    NotOneCharacter(String),
    /// Words are looked up in a small buffer.
    #[error("words: `{0}` is longer than {LONGEST} bytes")]
    TooLong(String),
}

/// All that one word may mean; each part that it does not mean is `None` or false.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Meaning {
    /// 1 to 12.
    pub month: Option<u8>,
    pub weekday: bool,
    /// "twenty" is 20.
    pub number: Option<f64>,
    /// "third" is 3.
    pub ordinal: Option<f64>,
    /// "million" is 1000000.
    pub magnitude: Option<f64>,
    /// "m" is 1000000 after an amount of money.
    pub money_magnitude: Option<f64>,
    /// "min" is 60.
    pub seconds: Option<f64>,
    /// "bc" is -1, "ad" is 1.
    pub era: Option<i32>,
    /// "pm" is 12.
    pub half_day: Option<f64>,
    pub unit: bool,
    pub currency: bool,
    pub approximation: bool,
    pub open_end: bool,
    pub range_word: bool,
    /// "since", before a year.
    pub since: bool,
    pub stop: bool,
}

/// The word lists, ready to be asked. Letter case does not matter.
#[derive(Clone, Debug)]
pub struct Words {
    meanings: FxHashMap<Box<str>, Meaning>,
    /// The operations that a word suggests.
    cues: FxHashMap<Box<str>, Vec<Arc<str>>>,
    dashes: Vec<char>,
    minus_signs: Vec<char>,
    currency_signs: Vec<char>,
    fractions: Vec<(char, f64)>,
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
    dashes: Vec<String>,
    minus_signs: Vec<String>,
    currency_signs: Vec<String>,
    currency_words: Vec<String>,
    stop: Vec<String>,
    units: Vec<String>,
    cues: BTreeMap<String, Vec<String>>,
    numbers: BTreeMap<String, f64>,
    ordinals: BTreeMap<String, f64>,
    magnitudes: BTreeMap<String, f64>,
    money_magnitudes: BTreeMap<String, f64>,
    seconds: BTreeMap<String, f64>,
    eras: BTreeMap<String, i32>,
    half_days: BTreeMap<String, f64>,
    fractions: BTreeMap<String, f64>,
}

impl Words {
    /// The lists that are compiled in.
    pub fn embedded() -> Words {
        Words::from_toml(EMBEDDED).expect("the embedded word lists are checked by a test")
    }

    /// The lists of another `words.toml`.
    pub fn from_toml(text: &str) -> Result<Words, WordsError> {
        let lists: Lists = toml::from_str(text)?;
        if lists.months.len() != 12 {
            return Err(WordsError::Months(lists.months.len()));
        }
        Ok(Words {
            meanings: meanings(&lists)?,
            cues: cues(&lists.cues),
            dashes: characters(&lists.dashes)?,
            minus_signs: characters(&lists.minus_signs)?,
            currency_signs: characters(&lists.currency_signs)?,
            fractions: lists
                .fractions
                .iter()
                .map(|(c, v)| Ok((character(c)?, *v)))
                .collect::<Result<_, WordsError>>()?,
        })
    }

    /// All that a word may mean, in one look.
    pub fn meaning(&self, word: &str) -> Option<&Meaning> {
        if word.len() > LONGEST {
            return None;
        }
        if word.bytes().all(|b| !b.is_ascii_uppercase()) {
            return self.meanings.get(word);
        }
        let mut lower = [0; LONGEST];
        let lower = &mut lower[..word.len()];
        lower.copy_from_slice(word.as_bytes());
        lower.make_ascii_lowercase();
        self.meanings.get(std::str::from_utf8(lower).ok()?)
    }

    /// The month a word names, from 1.
    pub fn month(&self, word: &str) -> Option<u8> {
        self.meaning(word)?.month
    }

    /// The number a single number word names: 20 for "twenty". "Hundred" and above are magnitudes.
    pub fn number(&self, word: &str) -> Option<f64> {
        self.meaning(word)?.number
    }

    /// The number a single ordinal word names: 3 for "third".
    pub fn ordinal(&self, word: &str) -> Option<f64> {
        self.meaning(word)?.ordinal
    }

    /// What a word multiplies the number before it by.
    pub fn magnitude(&self, word: &str) -> Option<f64> {
        self.meaning(word)?.magnitude
    }

    /// How many seconds a unit of time has.
    pub fn seconds(&self, word: &str) -> Option<f64> {
        self.meaning(word)?.seconds
    }

    /// Whether a word measures something other than time and money.
    pub fn is_unit(&self, word: &str) -> bool {
        self.meaning(word).is_some_and(|m| m.unit)
    }

    /// Whether a word says that the number or date after it is not exact.
    pub fn is_approximation(&self, word: &str) -> bool {
        self.meaning(word).is_some_and(|m| m.approximation)
    }

    /// Whether a word is too common to start or end a phrase.
    pub fn is_stop(&self, word: &str) -> bool {
        self.meaning(word).is_some_and(|m| m.stop)
    }

    /// The operations that a word in lower case suggests: groups of rules ("count"), or rules ("next before").
    pub fn cues(&self, word: &str) -> &[Arc<str>] {
        self.cues.get(word).map_or(&[], Vec::as_slice)
    }

    /// Whether a character is a dash of any length.
    pub fn is_dash(&self, c: char) -> bool {
        self.dashes.contains(&c)
    }

    /// Whether a character before a digit may make it negative.
    pub fn is_minus(&self, c: char) -> bool {
        self.minus_signs.contains(&c)
    }

    /// Whether a character is the sign of a currency.
    pub fn is_currency_sign(&self, c: char) -> bool {
        self.currency_signs.contains(&c)
    }

    /// The value of a character such as `½`.
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
    all.list(&lists.currency_words, |m| m.currency = true)?;
    all.list(&lists.stop, |m| m.stop = true)?;
    all.list(&lists.units, |m| m.unit = true)?;
    all.map(&lists.numbers, |m, v| m.number = Some(v))?;
    all.map(&lists.ordinals, |m, v| m.ordinal = Some(v))?;
    all.map(&lists.magnitudes, |m, v| m.magnitude = Some(v))?;
    all.map(&lists.money_magnitudes, |m, v| m.money_magnitude = Some(v))?;
    all.map(&lists.seconds, |m, v| m.seconds = Some(v))?;
    all.map(&lists.eras, |m, v| m.era = Some(v))?;
    all.map(&lists.half_days, |m, v| m.half_day = Some(v))?;
    Ok(all.0)
}

fn cues(lists: &BTreeMap<String, Vec<String>>) -> FxHashMap<Box<str>, Vec<Arc<str>>> {
    let mut by_word: FxHashMap<Box<str>, Vec<Arc<str>>> = FxHashMap::default();
    for (name, words) in lists {
        let name: Arc<str> = name.as_str().into();
        words.iter().for_each(|word| by_word.entry(word.as_str().into()).or_default().push(name.clone()));
    }
    by_word
}

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
