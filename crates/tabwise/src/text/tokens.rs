//! [`Tokeniser`]: splits a string into words, numbers and punctuation marks, each with its position in the original.
//! The rules are those of the Penn Treebank (`'s` and `n't` are tokens, `500,000` and `31-14` are one token) with one
//! change, made for names and compounds: a hyphen before a letter is a space (`three-car` is two tokens).
//!
//! Every token covers a non-empty range of whole characters, and the ranges do not overlap. Time is linear in the text.

use super::dashes::is_long;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use std::ops::Range;

/// The `tokens.toml` that is compiled into the program.
pub const KNOWLEDGE: &str = include_str!("../../knowledge/tokens.toml");

/// Splits text into tokens.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tokeniser {
    /// Words that keep the full stop after them: "sept".
    abbreviations: FxHashSet<String>,
    /// Words that keep the full stop after them only before a number: "no".
    before_numbers: FxHashSet<String>,
    /// Words with an apostrophe that are one token: "o'clock".
    one_word: Vec<String>,
    /// Words that are two tokens, with the length of the first: "cannot".
    two_words: FxHashMap<String, usize>,
    /// American spellings of British words.
    american: FxHashMap<String, String>,
}

/// A token before it is tagged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Position in the original, in bytes.
    pub range: Range<usize>,
    /// Normalised text, as in [`super::Token::text`].
    pub text: String,
}

impl Tokeniser {
    /// Reads a tokeniser from the text of a `tokens.toml`.
    pub fn read(knowledge: &str) -> Result<Tokeniser, toml::de::Error> {
        toml::from_str(knowledge)
    }

    /// Returns the tokens of `text`, from left to right.
    pub fn tokens(&self, text: &str) -> Vec<Piece> {
        let scanner = Scanner { text, words: self };
        // English has about five bytes for each token, with the space.
        let mut pieces = Vec::with_capacity(text.len() / 5 + 1);
        let mut at = 0;
        while let Some(start) = scanner.skip_space(at) {
            let end = scanner.token_end(start);
            pieces.push(Piece { range: start..end, text: self.normalised(text, start, end) });
            at = end;
        }
        pieces
    }

    /// Normalises a token: lower case, plain apostrophes and dashes, directed quotes, American spelling.
    fn normalised(&self, text: &str, start: usize, end: usize) -> String {
        let original = &text[start..end];
        let word = lower(original);
        if let Some(american) = self.american.get(&word) {
            return american.clone();
        }
        match word.as_str() {
            "\"" if opens(text[end..].chars()) => "``".into(),
            "\"" | "”" | "»" | "''" => "''".into(),
            "“" | "„" | "«" => "``".into(),
            "'" | "‘" if opens_single(text[end..].chars()) => "`".into(),
            "'" | "’" | "‘" => "'".into(),
            "…" => "...".into(),
            "½" => "1/2".into(),
            "¼" => "1/4".into(),
            "¾" => "3/4".into(),
            "⅓" => "1/3".into(),
            "⅔" => "2/3".into(),
            "&amp;" => "&".into(),
            _ if is_long(&word) => "--".into(),
            _ if word.contains('’') => word.replace('’', "'"),
            _ => word,
        }
    }
}

/// Returns a text in lower case; ASCII takes a fast path.
pub(super) fn lower(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.to_lowercase() }
}

/// True if a double quote before this text is an opening one.
fn opens(mut rest: impl Iterator<Item = char>) -> bool {
    rest.next().is_some_and(|c| c.is_alphanumeric() || "$&('-@#".contains(c))
}

/// True if a single quote before this text is an opening one: two characters of a word follow.
fn opens_single(mut rest: impl Iterator<Item = char>) -> bool {
    rest.next().is_some_and(char::is_alphabetic) && rest.next().is_some_and(|c| !c.is_whitespace())
}

fn is_apostrophe(c: char) -> bool {
    c == '\'' || c == '’'
}

/// True for letters, digits, combining accents and the underscore.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() && !matches!(c, '½' | '¼' | '¾' | '⅓' | '⅔' | '²' | '³' | '¹')
        || c == '_'
        || ('\u{300}'..='\u{36f}').contains(&c)
}

/// True for characters that are no part of any token: space, control characters and invisible marks.
fn is_space(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// Most commas and points in the first part of a hyphenated token. The bound keeps the time linear: the search is done
/// at every word, even if no hyphen follows.
const LONGEST_FIRST_PART: usize = 6;

/// Finds the end of the token that starts at a position.
struct Scanner<'t> {
    text: &'t str,
    words: &'t Tokeniser,
}

impl<'t> Scanner<'t> {
    fn char_at(&self, at: usize) -> Option<char> {
        match *self.text.as_bytes().get(at)? {
            byte if byte < 128 => Some(byte as char),
            _ => self.text[at..].chars().next(),
        }
    }

    fn is(&self, at: usize, test: impl Fn(char) -> bool) -> bool {
        self.char_at(at).is_some_and(test)
    }

    /// Returns the end of the longest run of characters that pass the test.
    fn run(&self, mut at: usize, test: impl Fn(char) -> bool) -> usize {
        while let Some(c) = self.char_at(at).filter(|&c| test(c)) {
            at += c.len_utf8();
        }
        at
    }

    fn is_digit(&self, at: usize) -> bool {
        self.text.as_bytes().get(at).is_some_and(u8::is_ascii_digit)
    }

    /// Returns the start of the next token.
    fn skip_space(&self, mut at: usize) -> Option<usize> {
        loop {
            let c = self.char_at(at)?;
            if !is_space(c) && !self.is_joining_hyphen(at) {
                return Some(at);
            }
            at += c.len_utf8();
        }
    }

    /// True for a hyphen before a letter, which counts as a space.
    fn is_joining_hyphen(&self, at: usize) -> bool {
        self.char_at(at) == Some('-') && self.is(at + 1, char::is_alphabetic)
    }

    /// Returns the end of the token that starts here.
    fn token_end(&self, start: usize) -> usize {
        let c = self.char_at(start).expect("a token starts at a character");
        if is_word(c) {
            return self.word_end(start);
        }
        let next = start + c.len_utf8();
        match c {
            '.' | ',' | ':' if self.is_digit(next) => self.number_end(start),
            '+' | '-' if self.is_digit(next) => self.number_end(next),
            '+' | '-' if self.is(next, |c| c == '.') && self.is_digit(next + 1) => self.number_end(next),
            '\'' | '’' => self.clitic_end(start, next).unwrap_or_else(|| self.quote_end(start, next)),
            '?' | '!' => self.run(next, |c| c == '?' || c == '!'),
            '.' => self.dots_end(start),
            '-' => self.run(next, |c| c == '-'),
            '&' => self.entity_end(start).unwrap_or(next),
            _ => next,
        }
    }

    /// Returns the end of a token of full stops: three or more are one token, fewer are one token each.
    fn dots_end(&self, start: usize) -> usize {
        let end = self.run(start, |c| c == '.');
        if end - start < 3 { start + 1 } else { end }
    }

    /// Returns the end of digits with points, commas and colons between them.
    fn number_end(&self, start: usize) -> usize {
        let mut at = self.run(start, |c| c.is_ascii_digit());
        while self.is(at, |c| matches!(c, '.' | ',' | ':')) && self.is_digit(at + 1) {
            at = self.run(at + 1, |c| c.is_ascii_digit());
        }
        at
    }

    /// Returns the end of `'s`, `'re` and the like, if the word ends there.
    fn clitic_end(&self, start: usize, next: usize) -> Option<usize> {
        let end = self.run(next, is_word);
        let after = &self.text[next..end];
        let known = ["s", "m", "d", "re", "ve", "ll"].iter().any(|c| after.eq_ignore_ascii_case(c));
        (start > 0 && !self.text[..start].ends_with(is_space) && known).then_some(end)
    }

    /// Returns the end of a quote, or of a short word that begins with one (`'em`).
    fn quote_end(&self, start: usize, next: usize) -> usize {
        if self.is(next, is_apostrophe) {
            return next + self.char_at(next).map_or(0, char::len_utf8);
        }
        let starts_word = start == 0 || self.text[..start].ends_with(is_space);
        self.one_word_end(start).filter(|_| starts_word).unwrap_or(next)
    }

    /// Returns the end of `&amp;` and `&#269;`.
    fn entity_end(&self, start: usize) -> Option<usize> {
        // The bound on the length keeps the time linear for a text of many `&`.
        let end = self.text.as_bytes()[start..].iter().take(10).position(|&b| b == b';')? + start;
        let name =
            self.text.as_bytes()[start + 1..end].strip_prefix(b"#").unwrap_or(&self.text.as_bytes()[start + 1..end]);
        (!name.is_empty() && name.iter().all(u8::is_ascii_alphanumeric)).then_some(end + 1)
    }

    /// Returns the end of a token that starts with a letter or digit: the longest of the patterns that match.
    fn word_end(&self, start: usize) -> usize {
        let end = self.run(start, is_word);
        if let Some(special) = self.special_end(start, end) {
            return special;
        }
        let mut longest = end;
        if self.is_digit(start) {
            longest = longest.max(self.number_end(start));
        }
        longest.max(self.hyphenated_end(start, end)).max(self.slashed_end(end)).max(self.dotted_end(start, end))
    }

    /// Returns the end of an address, a word with an apostrophe, or the first of two words in one.
    fn special_end(&self, start: usize, end: usize) -> Option<usize> {
        match self.char_at(end) {
            Some(':' | '.') => self.address_end(start, end),
            Some(c) if is_apostrophe(c) => self.apostrophe_end(start, end, end + c.len_utf8()),
            _ => self.two_words_end(start, end),
        }
    }

    /// Returns the end of `http://...` and `www....`: up to a space, a quote or a joining hyphen, without final
    /// punctuation.
    fn address_end(&self, start: usize, end: usize) -> Option<usize> {
        let word = &self.text[start..end];
        let is_address = match self.text.as_bytes()[end] {
            b':' => word.to_ascii_lowercase().starts_with("http") && self.text[end..].starts_with("://"),
            _ => word.eq_ignore_ascii_case("www") && self.is(end + 1, char::is_alphanumeric),
        };
        if !is_address {
            return None;
        }
        let mut at = end;
        while let Some(c) = self.char_at(at) {
            if is_space(c) || "\"<>()[]{}|“”".contains(c) || self.is_joining_hyphen(at) {
                break;
            }
            at += c.len_utf8();
        }
        Some(start + self.text[start..at].trim_end_matches(['.', ',', ';', ':', '?', '!', '\'']).len())
    }

    /// Returns the end of a word before an apostrophe (`next` is after it): `d'or` is one word, `isn't` ends before
    /// `n't`.
    fn apostrophe_end(&self, start: usize, end: usize, next: usize) -> Option<usize> {
        let word = &self.text[start..end];
        let rest = self.run(next, is_word);
        let is_t = self.text[next..rest].eq_ignore_ascii_case("t");
        if is_t && word.len() > 1 && word.ends_with(['n', 'N']) {
            return Some(end - 1);
        }
        if is_t && word.eq_ignore_ascii_case("n") {
            return Some(rest);
        }
        if word.len() == 1 && word.contains(['d', 'D', 'o', 'O', 'l', 'L']) && self.is(next, char::is_alphabetic) {
            return (!self.text[next..rest].eq_ignore_ascii_case("s")).then_some(rest);
        }
        self.one_word_end(start)
    }

    /// Returns the end of a listed word with an apostrophe inside, if one starts here.
    fn one_word_end(&self, start: usize) -> Option<usize> {
        let rest = &self.text.as_bytes()[start..];
        let listed = self.words.one_word.iter().find(|w| {
            rest.len() >= w.len()
                && rest[..w.len()].eq_ignore_ascii_case(w.as_bytes())
                && !self.is(start + w.len(), is_word)
        })?;
        Some(start + listed.len())
    }

    /// Returns the end of the first of two words in one: "can" of "cannot".
    fn two_words_end(&self, start: usize, end: usize) -> Option<usize> {
        let word = &self.text[start..end];
        // Most words fail this test, which is cheaper than a lookup; the list has no other lengths.
        if !(5..=6).contains(&word.len()) {
            return None;
        }
        self.words.two_words.get(&lower(word)).map(|letters| start + letters)
    }

    /// Returns the end of `31-14`, `1974-75`, `mar-68`: parts that begin with a digit, joined by hyphens. The first
    /// part may have commas and points inside.
    fn hyphenated_end(&self, start: usize, end: usize) -> usize {
        let mut at = end;
        for _ in 0..LONGEST_FIRST_PART {
            if self.is(at, |c| c == '.' || c == ',') && self.is_digit(at + 1) {
                at = self.run(at + 1, |c| c.is_ascii_alphanumeric());
            }
        }
        let first = at;
        while self.char_at(at) == Some('-') && self.is_digit(at + 1) {
            at = self.run(at + 1, |c| c.is_ascii_alphanumeric());
        }
        if at > first { at } else { start }
    }

    /// Returns the end of `his/her`, `1995/96`, `km/h`: up to three words with slashes between.
    fn slashed_end(&self, end: usize) -> usize {
        let mut at = end;
        for _ in 0..2 {
            if self.char_at(at) == Some('/') && self.is(at + 1, |c| c.is_ascii_alphanumeric()) {
                at = self.run(at + 1, is_word);
            }
        }
        at
    }

    /// Returns the end of `u.s.`, `e.w`, `b.`, `sept.`, `amazon.com`.
    fn dotted_end(&self, start: usize, end: usize) -> usize {
        if self.char_at(end) != Some('.') || !self.is(start, char::is_alphabetic) {
            return end;
        }
        let mut at = end;
        while self.char_at(at) == Some('.') && self.is(at + 1, char::is_alphabetic) {
            at = self.run(at + 1, is_word);
        }
        // A stop before another one belongs to an ellipsis.
        if self.char_at(at) == Some('.') && self.char_at(at + 1) != Some('.') && self.keeps_stop(start, end, at) {
            at += 1;
        }
        at
    }

    fn is_abbreviation(&self, word: &str, next: usize) -> bool {
        let number_follows = || self.is_digit(next) || self.is(next, is_space) && self.is_digit(next + 1);
        self.words.abbreviations.contains(word) || self.words.before_numbers.contains(word) && number_follows()
    }

    /// True if the word keeps the full stop after it: a single letter, letters with stops between, an abbreviation.
    fn keeps_stop(&self, start: usize, end: usize, at: usize) -> bool {
        let letters = |part: &str| part.chars().nth(1).is_none();
        if at == end {
            let word = &self.text[start..end];
            return letters(word) || self.is_abbreviation(&lower(word), end + 1);
        }
        self.text[start..at].split('.').all(|part| part.len() <= 2) && letters(&self.text[start..end])
            || lower(&self.text[start..at]) == "ph.d"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str) -> String {
        let pieces = Tokeniser::read(KNOWLEDGE).unwrap().tokens(text);
        pieces.iter().map(|p| p.text.as_str()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn words_and_clitics() {
        assert_eq!(cut("What's the men's best time?"), "what|'s|the|men|'s|best|time|?");
        assert_eq!(cut("it isn’t Brazil’s, can't be"), "it|is|n't|brazil|'s|,|ca|n't|be");
        assert_eq!(cut("David D'Or at o'clock, l'equipe"), "david|d'or|at|o'clock|,|l'equipe");
        assert_eq!(cut("we cannot sleepin' on"), "we|can|not|sleepin|'|on");
        assert_eq!(cut("the theatre in the Town Centre"), "the|theater|in|the|town|center");
    }

    #[test]
    fn numbers() {
        assert_eq!(cut("500,000 at 7.4% or -5.9 or .25"), "500,000|at|7.4|%|or|-5.9|or|.25");
        assert_eq!(cut("31-14, 2006-07, 3:00:00 and 12-mar-68"), "31-14|,|2006-07|,|3:00:00|and|12|mar-68");
        assert_eq!(cut("$21,000,000 in 1995/96, 7½"), "$|21,000,000|in|1995/96|,|7|1/2");
        assert_eq!(cut("W 15–3, 5000m, the 1960's"), "w|15|--|3|,|5000m|,|the|1960|'s");
    }

    #[test]
    fn marks() {
        assert_eq!(cut("a \"c\" mill (uk)??"), "a|``|c|''|mill|(|uk|)|??");
        assert_eq!(cut("ends in 'son'."), "ends|in|`|son|'|.");
        assert_eq!(cut("\"the sagas of...\" his/her"), "``|the|sagas|of|...|''|his/her");
        assert_eq!(cut("http://example.org/a?b=1."), "http://example.org/a?b=1|.");
    }

    #[test]
    fn stops_and_hyphens() {
        assert_eq!(
            cut("Thomas B. Lee in the U.S. in Sept. of 2012. What?"),
            "thomas|b.|lee|in|the|u.s.|in|sept.|of|2012|.|what|?"
        );
        assert_eq!(cut("a three-car set - al-Qusayr"), "a|three|car|set|-|al|qusayr");
        assert_eq!(cut("the end."), "the|end|.");
    }

    /// With time quadratic in the text this would take minutes.
    #[test]
    fn time_is_linear() {
        for part in ["1a.", "a'", "1,", "http:", "&#", "a/", "1-", "'s", "b.", "..", "-a", "n't"] {
            assert!(!cut(&part.repeat(300_000)).is_empty());
        }
    }

    proptest! {
        #[test]
        fn ranges_are_ordered_whole_characters(text in ".{0,60}|[a-zA-Z0-9'’\"./,:;&#+-_ –½ü]{0,60}") {
            let mut last = 0;
            for piece in Tokeniser::read(KNOWLEDGE).unwrap().tokens(&text) {
                prop_assert!(piece.range.start >= last && piece.range.start < piece.range.end);
                prop_assert!(text.get(piece.range.clone()).is_some() && !piece.text.is_empty());
                prop_assert!(!text[last..piece.range.start].contains(char::is_alphanumeric));
                last = piece.range.end;
            }
            prop_assert!(!text[last..].contains(char::is_alphanumeric));
        }
    }
}
