//! Dash characters, one row each. Sources of text mix them freely, and the places that look for dashes do not agree on
//! which ones count: the official evaluator knows some of them, the Penn Treebank writes the long ones as two hyphens, and
//! a range of years is joined by others. Each of these rules is a column here. The list `dashes` of `knowledge/words.toml`
//! says which characters may stand in a number or a date; a test compares the two.

/// A dash and the rules that it takes part in.
struct Dash {
    sign: char,
    /// Compared as a hyphen by the official evaluator, which sees the text after Unicode decomposition.
    evaluated: bool,
    /// Long: the tokens of the Penn Treebank have two hyphens for it.
    long: bool,
    /// Between the years of a range: `1871–97`.
    joins_years: bool,
}

const fn dash(sign: char, evaluated: bool, long: bool, joins_years: bool) -> Dash {
    Dash { sign, evaluated, long, joins_years }
}

#[rustfmt::skip]
const DASHES: [Dash; 10] = [
    //   sign     evaluated  long   joins years
    dash('-',        true,   false, true),
    dash('\u{2010}', true,   false, false), // hyphen
    dash('\u{2011}', true,   false, false), // non-breaking hyphen
    dash('\u{2012}', true,   false, true),  // figure dash
    dash('\u{2013}', true,   true,  true),  // en dash
    dash('\u{2014}', true,   true,  true),  // em dash
    dash('\u{2015}', false,  true,  false), // horizontal bar
    dash('\u{2212}', true,   false, true),  // minus sign
    dash('\u{ff0d}', false,  false, false), // full-width hyphen
    dash('\u{fe63}', false,  false, false), // small hyphen
];

fn find(c: char) -> Option<&'static Dash> {
    // All but the hyphen are far outside ASCII, and most characters are not.
    if c.is_ascii() && c != '-' {
        return None;
    }
    DASHES.iter().find(|dash| dash.sign == c)
}

/// A dash of any kind.
pub fn is_dash(c: char) -> bool {
    find(c).is_some()
}

/// A dash that the official evaluator compares as a hyphen.
pub fn is_evaluated(c: char) -> bool {
    find(c).is_some_and(|dash| dash.evaluated)
}

/// A token that is one long dash.
pub fn is_long(token: &str) -> bool {
    find_only(token).is_some_and(|dash| dash.long)
}

/// A text that is one dash which may stand between the years of a range.
pub fn joins_years(text: &str) -> bool {
    find_only(text).is_some_and(|dash| dash.joins_years)
}

/// The dash that is the whole text.
fn find_only(text: &str) -> Option<&'static Dash> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.as_str().is_empty()).and_then(find)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Words;

    #[test]
    fn each_rule_has_its_dashes() {
        fn signs(has: impl Fn(&str) -> bool) -> String {
            ('\0'..=char::MAX).filter(|c| has(c.encode_utf8(&mut [0; 4]))).collect()
        }
        assert_eq!(signs(|text| text.chars().all(is_evaluated)), "-‐‑‒–—−");
        assert_eq!(signs(is_long), "–—―");
        assert_eq!(signs(joins_years), "-‒–—−");
        assert!(!is_long("——") && !is_long("") && !joins_years("–9"));
    }

    #[test]
    fn the_word_lists_have_the_same_dashes() {
        let words = Words::embedded();
        let differ = |c: &char| words.is_dash(*c) != is_dash(*c);
        assert_eq!(('\0'..=char::MAX).find(differ), None);
        assert!(('\0'..=char::MAX).all(|c| is_dash(c) || !words.is_minus(c)));
    }
}
