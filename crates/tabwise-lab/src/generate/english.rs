//! Small English: words of a header, plurals, and the polish of a sentence.

use super::phrasings::Phrasings;

/// Names of the months.
pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The words by which a person says a header, in lower case; `None` if nobody could.
pub(super) fn spoken(header: &str) -> Option<String> {
    let plain = without_brackets(header).replace('%', " percent ").replace('_', " ").to_lowercase();
    let words: Vec<&str> = plain.split([' ', '\n', '\u{a0}']).filter(|word| !word.is_empty()).collect();
    let words: Vec<&str> = words.into_iter().map(|word| if word == "no." { "number" } else { word }).collect();
    let is_word = |word: &&str| word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '\'' | '&' | '.'));
    let has_letters = words.iter().any(|word| word.chars().filter(|c| c.is_alphabetic()).count() >= 2);
    let fits = plain.trim_start().starts_with(char::is_alphabetic)
        && (1..=4).contains(&words.len())
        && words.iter().all(is_word)
        && has_letters;
    fits.then(|| words.join(" ").trim_end_matches('.').to_owned())
}

fn without_brackets(text: &str) -> String {
    let mut depth = 0;
    let mut plain = String::new();
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = i32::max(0, depth - 1),
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain
}

impl Phrasings {
    /// The plural of a noun of several words: that of its last word, or of the word before "of".
    pub(super) fn plural(&self, noun: &str) -> String {
        self.changed(noun, |word| self.plural_word(word))
    }

    /// The singular of a noun of several words.
    pub(super) fn singular(&self, noun: &str) -> String {
        self.changed(noun, |word| self.singular_word(word))
    }

    fn changed(&self, noun: &str, change: impl Fn(&str) -> String) -> String {
        let (noun, rest) = noun.split_once(" of ").map_or((noun, None), |(noun, rest)| (noun, Some(rest)));
        let (before, word) = noun.rsplit_once(' ').map_or(("", noun), |(before, word)| (before, word));
        let space = if before.is_empty() { "" } else { " " };
        let rest = rest.map(|rest| format!(" of {rest}")).unwrap_or_default();
        format!("{before}{space}{}{rest}", change(word))
    }

    fn plural_word(&self, word: &str) -> String {
        let is_plural = self.singular_word(word) != word;
        match self.plurals.get(word) {
            Some(plural) => plural.clone(),
            None if is_plural => word.to_owned(),
            None if word.ends_with('y') && !ends_with_any(word, &["ay", "ey", "oy", "uy"]) => {
                format!("{}ies", &word[..word.len() - 1])
            }
            None if ends_with_any(word, &["s", "x", "ch", "sh", "z"]) => format!("{word}es"),
            None => format!("{word}s"),
        }
    }

    fn singular_word(&self, word: &str) -> String {
        if let Some((singular, _)) = self.plurals.iter().find(|(_, plural)| *plural == word) {
            return singular.clone();
        }
        match () {
            () if word.len() < 4 || ends_with_any(word, &["ss", "us", "is"]) => word.to_owned(),
            () if word.ends_with("ies") => format!("{}y", &word[..word.len() - 3]),
            () if ends_with_any(word, &["sses", "xes", "ches", "shes"]) => word[..word.len() - 2].to_owned(),
            () => word.strip_suffix('s').unwrap_or(word).to_owned(),
        }
    }
}

fn ends_with_any(word: &str, ends: &[&str]) -> bool {
    ends.iter().any(|end| word.ends_with(end))
}

/// Words that are in wordings and in headers, and not said twice.
const TWICE: [&str; 9] = ["total", "listed", "average", "number", "the", "of", "maximum", "minimum", "median"];

/// A sentence with single spaces, none before punctuation, "an" before a vowel, and no "a" before one of `plurals`.
pub(super) fn polished(sentence: &str, plurals: &[String]) -> String {
    let mut words: Vec<String> = sentence.split_whitespace().map(str::to_owned).collect();
    let is_wrong = |at: &usize| words[*at] == "a" && words.get(at + 1).is_some_and(|next| plurals.contains(next));
    let wrong: Vec<usize> = (0..words.len()).filter(is_wrong).collect();
    wrong.into_iter().rev().for_each(|at| drop(words.remove(at)));
    for at in 1..words.len() {
        let vowel = words[at].trim_start_matches('"').starts_with(|c: char| "aeiou".contains(c.to_ascii_lowercase()));
        if vowel && words[at - 1] == "a" && words[at].len() > 1 {
            words[at - 1].push('n');
        }
    }
    words.dedup_by(|next, word| next == word && TWICE.contains(&word.as_str()));
    let mut joined = words.join(" ");
    for mark in ["?", ",", "'s ", "."] {
        joined = joined.replace(&format!(" {mark}"), mark);
    }
    joined.trim_matches([',', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_said_if_a_person_could() {
        assert_eq!(spoken("Core clock (MHz)").as_deref(), Some("core clock"));
        assert_eq!(spoken("Win %").as_deref(), Some("win percent"));
        assert_eq!(spoken("No. of\nseats").as_deref(), Some("number of seats"));
        assert_eq!(spoken("unit_price").as_deref(), Some("unit price"));
        for header in ["", "#", "%", "→", "a very long header of many words", "x"] {
            assert_eq!(spoken(header).filter(|said| said != "percent"), None, "{header}");
        }
    }

    #[test]
    fn plurals() {
        let phrasings = Phrasings::embedded().unwrap();
        for (one, many) in [
            ("player", "players"),
            ("home country", "home countries"),
            ("class", "classes"),
            ("person", "people"),
            ("date of birth", "dates of birth"),
            ("bus", "buses"),
        ] {
            assert_eq!(phrasings.plural(one), many);
            assert_eq!(phrasings.plural(many), many);
            assert_eq!(phrasings.singular(one), one);
        }
        assert_eq!(phrasings.singular("home countries"), "home country");
    }

    #[test]
    fn sentences_are_polished() {
        assert_eq!(polished("is there  a entry of Ann 's team ?", &[]), "is there an entry of Ann's team?");
    }
}
