//! The string normalisation of the official evaluator: accents, quotes, dashes, citations, notes in parentheses, outer
//! quotation marks, a final full stop, white space and letter case do not count.

use super::dashes::is_evaluated;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A text without what does not count when two answers are compared.
pub fn normalise(text: &str) -> String {
    let plain = unify(text);
    let mut kept = plain.as_str();
    loop {
        let shorter = without_quotes(without_notes(without_citations(kept.trim()).trim()).trim());
        if shorter.len() == kept.len() {
            break;
        }
        kept = shorter;
    }
    collapse(kept.strip_suffix('.').unwrap_or(kept))
}

/// Accents removed, quotes and dashes made ASCII.
fn unify(text: &str) -> String {
    if text.is_ascii() {
        return text.replace('`', "'");
    }
    let mut plain = String::with_capacity(text.len());
    plain.extend(text.nfkd().filter(|c| !is_combining_mark(*c)).map(|c| match c {
        '‘' | '’' | '´' | '`' => '\'',
        '“' | '”' => '"',
        c if is_evaluated(c) => '-',
        c => c,
    }));
    plain
}

/// Without the citations (`[...]`) and footnote signs at the end.
fn without_citations(mut text: &str) -> &str {
    loop {
        let shorter = match text.chars().next_back() {
            Some('•' | '♦' | '†' | '‡' | '*' | '#' | '+') => {
                text.trim_end_matches(['•', '♦', '†', '‡', '*', '#', '+'])
            }
            Some(']') => without_bracket(text),
            _ => text,
        };
        if shorter.len() == text.len() {
            return text;
        }
        text = shorter;
    }
}

/// Without the last `[...]`. One that opens the text stays, unless it holds nothing but digits.
fn without_bracket(text: &str) -> &str {
    let inner = &text[..text.len() - 1];
    let after = inner.rfind(']').map_or(0, |at| at + 1);
    let opens = |from: usize| inner[from..].find('[').map(|at| from + at);
    match opens(after) {
        Some(0) if inner.len() > 1 && inner[1..].bytes().all(|b| b.is_ascii_digit()) => "",
        Some(0) => opens(1).map_or(text, |at| &text[..at]),
        Some(at) => &text[..at],
        None => text,
    }
}

/// Without the ` (...)` groups at the end. One that opens the text stays.
fn without_notes(mut text: &str) -> &str {
    while let Some(inner) = text.strip_suffix(')') {
        let after = inner.rfind(')').map_or(0, |at| at + 1).max(1);
        match inner.get(after..).and_then(|rest| rest.find(" (")) {
            Some(at) => text = &text[..after + at],
            None => break,
        }
    }
    text
}

/// Without one pair of quotation marks around the whole.
fn without_quotes(text: &str) -> &str {
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.filter(|inner| !inner.contains('"')).unwrap_or(text)
}

/// Lower case, single spaces, none at the ends.
fn collapse(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        if word.is_ascii() {
            collapsed.extend(word.bytes().map(|b| char::from(b.to_ascii_lowercase())));
        } else {
            collapsed.push_str(&word.to_lowercase());
        }
    }
    collapsed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_count_is_removed() {
        for (text, expected) in [
            ("São  Paulo", "sao paulo"),
            ("Foo[1][note 2] †", "foo"),
            ("\"The Return\" (Part 1)", "the return"),
            ("3–1", "3-1"),
            ("U.S.", "u.s"),
            ("[29]", ""),
            ("[a]", "[a]"),
            ("(x)", "(x)"),
            ("a (b) (c)", "a"),
            ("a(b)", "a(b)"),
            ("Foo (bar[2])", "foo"),
            ("C#", "c"),
            ("“Quoted’s”", "quoted's"),
            ("\"a\" and \"b\"", "\"a\" and \"b\""),
            ("", ""),
            ("*", ""),
        ] {
            assert_eq!(normalise(text), expected, "{text}");
        }
    }
}
