//! Stems: what forms of a word have in common, such as *approv* of *approve* and *approval*. They are coarse and only
//! for comparing long words; [`Annotator`](super::Annotator) has the exact dictionary forms.

/// Endings of derived words, longer ones first.
const ENDINGS: [&str; 36] = [
    "ational", "ations", "ation", "itions", "ition", "ating", "ments", "ances", "ences", "ities", "ships", "ated",
    "ment", "ance", "ence", "ness", "ship", "able", "ible", "ions", "ants", "ents", "ists", "ing", "ive", "ity", "ion",
    "ate", "ant", "ent", "ist", "ers", "ors", "als", "ied", "ees",
];
/// Short endings, tried after the others.
const SHORT_ENDINGS: [&str; 9] = ["er", "or", "al", "ed", "es", "ee", "ly", "e", "s"];
/// Letters that have to remain before an ending, and of a stem by which words are compared.
const LEAST: usize = 5;

/// Returns the stem of a lower-case word; a short word is its own stem.
pub(crate) fn stem(word: &str) -> &str {
    let without = |word: &'_ str, ending: &&str| word.strip_suffix(ending).is_some_and(|stem| stem.len() >= LEAST);
    let endings = ENDINGS.iter().chain(&SHORT_ENDINGS);
    match endings.clone().find(|ending| word.is_ascii() && without(word, ending)) {
        Some(ending) => word.strip_suffix(ending).map_or(word, trimmed),
        None => word,
    }
}

/// Tells if two lower-case words have the same stem.
pub(crate) fn same_stem(a: &str, b: &str) -> bool {
    let (a, b) = (stem(a), stem(b));
    a.len() >= LEAST && a == b
}

/// A stem without a final *e* and without a doubled last letter.
fn trimmed(stem: &str) -> &str {
    let bytes = stem.as_bytes();
    match bytes {
        [.., _, b'e'] if stem.len() > LEAST => &stem[..stem.len() - 1],
        [.., a, b] if a == b && stem.len() > LEAST => &stem[..stem.len() - 1],
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for (a, b) in [
            ("approve", "approval"),
            ("unemploy", "unemployment"),
            ("executions", "execute"),
            ("inspector", "inspections"),
            ("nominations", "nominees"),
            ("nominated", "nomination"),
            ("independent", "independence"),
            ("organization", "organize"),
        ] {
            assert!(same_stem(a, b), "{a} {b}: {} {}", stem(a), stem(b));
        }
        for (a, b) in [("count", "county"), ("state", "station"), ("number", "numb"), ("country", "county")] {
            assert!(!same_stem(a, b), "{a} {b}: {} {}", stem(a), stem(b));
        }
    }
}
