//! [`normalise`]: the string normalisation of the official evaluator. Two answers that differ only in accents, kinds of
//! quotes and dashes, citations, notes in parentheses, outer quotation marks, a final full stop, white space or letter
//! case are the same answer.

use super::dashes::is_evaluated;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Returns the form of a text by which answers are compared.
pub fn normalise(text: &str) -> String {
    let plain = unify(text);
    let mut kept = plain.as_str();
    // Removing one thing may uncover another, as in `"Foo" (bar[2])`.
    loop {
        let shorter = without_quotes(without_notes(without_citations(kept.trim()).trim()).trim());
        if shorter.len() == kept.len() {
            break;
        }
        kept = shorter;
    }
    collapse(kept.strip_suffix('.').unwrap_or(kept))
}

/// Removes accents and makes quotes and dashes ASCII.
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

/// Removes the citations (`[...]`) and footnote signs at the end.
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

/// Removes the last `[...]`. One at the start of the text is kept, unless it holds digits only.
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

/// Removes the ` (...)` groups at the end. One at the start of the text is kept.
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

/// Removes one pair of quotation marks around the whole text.
fn without_quotes(text: &str) -> &str {
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.filter(|inner| !inner.contains('"')).unwrap_or(text)
}

/// Makes a text lower case, with single spaces and none at the ends.
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
