//! [`Lemmatiser`]: finds dictionary forms, such as *be* for *was*, *medal* for *medals*, *release* for *released*.
//! Verbs lose their endings, plural nouns become singular, and a few pronouns take their basic form; names and all
//! other words are not changed. Rules cover the regular words; `knowledge/lemmas.txt` lists the words that the rules
//! would get wrong. A plural listed there becomes singular even if the tagger took it for a singular.

use super::Tag;
use rustc_hash::FxHashMap;
use thiserror::Error;

/// The `lemmas.txt` that is compiled into the program.
pub const KNOWLEDGE: &str = include_str!("../../knowledge/lemmas.txt");

/// Finds the lemma of a word.
#[derive(Debug)]
pub struct Lemmatiser {
    /// For each kind, the words that the rules would get wrong, with their lemmas.
    exceptions: [FxHashMap<Box<str>, Box<str>>; 3],
}

/// Error in a `lemmas.txt`.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum LemmaError {
    /// A line is neither a comment, a section nor two words.
    #[error("lemmas, line {0}: expected a word form and its lemma, or [nouns], [verbs] or [others]")]
    Line(usize),
}

/// Group of rules that apply to a word.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Noun,
    Verb,
    Other,
}

impl Lemmatiser {
    /// Reads a `lemmas.txt`: sections in square brackets, then a form and its lemma on each line.
    pub fn read(knowledge: &str) -> Result<Lemmatiser, LemmaError> {
        let mut kind = None;
        let mut exceptions: [FxHashMap<Box<str>, Box<str>>; 3] = Default::default();
        for (number, line) in knowledge.lines().enumerate().filter(|(_, l)| !l.is_empty() && !l.starts_with('#')) {
            let bad = LemmaError::Line(number + 1);
            match (line, line.split_once(' '), kind) {
                ("[nouns]", _, _) => kind = Some(Kind::Noun),
                ("[verbs]", _, _) => kind = Some(Kind::Verb),
                ("[others]", _, _) => kind = Some(Kind::Other),
                (_, Some((form, lemma)), Some(kind)) if !form.is_empty() && !lemma.is_empty() => {
                    exceptions[kind as usize].insert(form.into(), lemma.into());
                }
                _ => return Err(bad),
            }
        }
        Ok(Lemmatiser { exceptions })
    }

    /// Returns the lemma of a lower-case word.
    pub fn lemma(&self, word: &str, tag: Tag) -> String {
        let Some(kind) = kind(tag) else { return word.to_owned() };
        if let Some(listed) = self.exceptions[kind as usize].get(word) {
            return listed.to_string();
        }
        match kind {
            Kind::Noun if tag == Tag::Nns && is_plain(word) => singular(word),
            Kind::Verb if is_plain(word) => base_form(word),
            _ => word.to_owned(),
        }
    }
}

fn kind(tag: Tag) -> Option<Kind> {
    match tag {
        Tag::Nn | Tag::Nns => Some(Kind::Noun),
        _ if tag.is_verb() || tag == Tag::Md => Some(Kind::Verb),
        Tag::Dt | Tag::Prp | Tag::Prps | Tag::Rb => Some(Kind::Other),
        _ => None,
    }
}

/// True if the rules apply: they are for words of at least three English letters.
fn is_plain(word: &str) -> bool {
    word.len() > 2 && word.bytes().all(|b| b.is_ascii_lowercase())
}

/// Returns the singular of a regular plural.
fn singular(word: &str) -> String {
    let cut = |letters: usize, ending: &str| format!("{}{ending}", &word[..word.len() - letters]);
    if word.ends_with("men") {
        cut(2, "an")
    } else if word.ends_with("ies") && word.len() > 4 {
        cut(3, "y")
    } else if ["sses", "xes", "ches", "shes", "oes"].iter().any(|e| word.ends_with(e)) && word.len() > 4 {
        cut(2, "")
    } else if word.ends_with('s') && !["ss", "us", "is"].iter().any(|e| word.ends_with(e)) {
        cut(1, "")
    } else {
        word.to_owned()
    }
}

/// Returns the base form of a regular verb.
fn base_form(word: &str) -> String {
    let cut = |letters: usize, ending: &str| format!("{}{ending}", &word[..word.len() - letters]);
    if word.ends_with("ied") && word.len() > 4 {
        cut(3, "y")
    } else if word.ends_with("eed") {
        cut(1, "")
    } else if word.ends_with("ed") && has_vowel(&word[..word.len() - 2]) {
        stem(&word[..word.len() - 2])
    } else if word.ends_with("ing") && has_vowel(&word[..word.len() - 3]) {
        stem(&word[..word.len() - 3])
    } else if word.ends_with('s') {
        singular(word)
    } else {
        word.to_owned()
    }
}

fn has_vowel(text: &str) -> bool {
    text.bytes().any(is_vowel_or_y)
}

fn is_vowel(b: u8) -> bool {
    b"aeiou".contains(&b)
}

fn is_vowel_or_y(b: u8) -> bool {
    is_vowel(b) || b == b'y'
}

/// Returns the verb whose `-ed` or `-ing` was removed: makes a doubled consonant single (*stopp*), restores a silent
/// *e* (*plac*).
fn stem(stem: &str) -> String {
    let bytes = stem.as_bytes();
    let last = bytes[bytes.len() - 1];
    let before = bytes.len().checked_sub(2).map_or(0, |i| bytes[i]);
    // Verbs in -ll, -ss, -ff and -zz have the double letter in their base form.
    if last == before && !is_vowel(last) && !b"lsfz".contains(&last) {
        return stem[..stem.len() - 1].to_owned();
    }
    if lost_an_e(bytes, last, before) { format!("{stem}e") } else { stem.to_owned() }
}

/// True if a stem ends in a way that suggests a lost *e*. The conditions hold for most English verbs with that ending;
/// exceptions are in `lemmas.txt`.
fn lost_an_e(stem: &[u8], last: u8, before: u8) -> bool {
    let third = stem.len().checked_sub(3).map_or(0, |i| stem[i]);
    // A single vowel before the last letter; the *u* of *qu* does not count.
    let one_vowel =
        is_vowel(before) && (!is_vowel(third) || third == b'u' && stem.len() > 3 && stem[stem.len() - 4] == b'q');
    // The only vowel of the word: *us*, *rat*.
    let short = one_vowel && !stem[..stem.len() - 2].iter().any(|&b| is_vowel_or_y(b));
    match last {
        b'c' | b'u' | b'v' => true,
        b's' => before != b's',
        b'z' => before != b'z',
        b'g' => !b"ngi".contains(&before) || before == b'n' && third == b'a' && stem.len() > 4,
        b'l' => !is_vowel_or_y(before) && !b"lrw".contains(&before) || one_vowel && b"iu".contains(&before) || short,
        b't' => {
            one_vowel && b"aou".contains(&before)
                || before == b'a' && b"ieu".contains(&third) && stem.len() > 4
                || short
        }
        b'd' => one_vowel && b"aiou".contains(&before) || short,
        b'r' => one_vowel && b"aiu".contains(&before) || short,
        b'n' => one_vowel && before == b'i' || short,
        b'k' | b'p' | b'm' => one_vowel && before != b'e' || short,
        b'w' | b'x' | b'y' | b'h' => false,
        _ => short,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lemma(word: &str, tag: Tag) -> String {
        Lemmatiser::read(KNOWLEDGE).unwrap().lemma(word, tag)
    }

    #[test]
    fn regular_words() {
        for (form, plain) in [("medals", "medal"), ("countries", "country"), ("matches", "match"), ("houses", "house")]
        {
            assert_eq!(lemma(form, Tag::Nns), plain);
        }
        for (form, plain) in [("listed", "list"), ("released", "release"), ("stopped", "stop"), ("placed", "place")] {
            assert_eq!(lemma(form, Tag::Vbn), plain);
        }
        for (form, plain) in [("winning", "win"), ("racing", "race"), ("playing", "play"), ("carrying", "carry")] {
            assert_eq!(lemma(form, Tag::Vbg), plain);
        }
    }

    #[test]
    fn irregular_words() {
        assert_eq!(lemma("was", Tag::Aux), "be");
        assert_eq!(lemma("won", Tag::Vbd), "win");
        assert_eq!(lemma("children", Tag::Nns), "child");
        assert_eq!(lemma("series", Tag::Nns), "series");
        assert_eq!(lemma("their", Tag::Prps), "they");
        assert_eq!(lemma("'s", Tag::Vbz), "be");
        assert_eq!(lemma("'s", Tag::Pos), "'s");
    }

    #[test]
    fn names_keep_their_form() {
        assert_eq!(lemma("yankees", Tag::Nnps), "yankees");
        assert_eq!(lemma("higher", Tag::Jjr), "higher");
    }

    #[test]
    fn a_bad_line_is_named() {
        assert_eq!(Lemmatiser::read("[nouns]\nmice\n").unwrap_err(), LemmaError::Line(2));
    }
}
