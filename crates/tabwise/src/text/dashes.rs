//! Table of dash characters. Texts mix them freely, and each use of dashes counts other ones: the official evaluator
//! knows some of them, the Penn Treebank writes the long ones as two hyphens, and the years of a range are joined by
//! others. Each of these uses is a column of the table. The list `dashes` of `knowledge/words.toml` has to hold the
//! same characters; a test compares them.

/// A dash and its uses.
struct Dash {
    sign: char,
    /// Treated as a hyphen by the official evaluator, which sees the text after Unicode decomposition.
    evaluated: bool,
    /// Written as two hyphens in the Penn Treebank.
    long: bool,
    /// Used between the years of a range: `1871–97`.
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
    // Fast path: the hyphen is the only dash in ASCII, and most characters are ASCII.
    if c.is_ascii() && c != '-' {
        return None;
    }
    DASHES.iter().find(|dash| dash.sign == c)
}

/// True for a dash of any kind.
pub(crate) fn is_dash(c: char) -> bool {
    find(c).is_some()
}

/// True for a dash that the official evaluator treats as a hyphen.
pub(crate) fn is_evaluated(c: char) -> bool {
    find(c).is_some_and(|dash| dash.evaluated)
}

/// True for a token that is one long dash.
pub(crate) fn is_long(token: &str) -> bool {
    find_only(token).is_some_and(|dash| dash.long)
}

/// True for a text that is one dash of those between the years of a range.
pub(crate) fn joins_years(text: &str) -> bool {
    find_only(text).is_some_and(|dash| dash.joins_years)
}

/// Finds the dash if the text is a single one.
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
