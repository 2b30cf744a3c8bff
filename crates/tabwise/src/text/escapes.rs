//! Escapes in the tab-separated files of the WikiTableQuestions dataset: `\n` is a line break, `\p` a pipe, `\\` a
//! backslash. A backslash before any other character, or at the end, is kept, as in the official evaluator.

use std::borrow::Cow;

/// Returns a field with its escapes undone; a field without any is borrowed.
pub fn unescape(field: &str) -> Cow<'_, str> {
    if !field.contains('\\') {
        return Cow::Borrowed(field);
    }
    let mut plain = String::with_capacity(field.len());
    unescape_into(field, &mut plain);
    Cow::Owned(plain)
}

/// Returns a text as a field: without tabs, and with escapes for line breaks, pipes and backslashes.
pub fn escape(text: &str) -> String {
    let mut field = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => field.push_str("\\\\"),
            '|' => field.push_str("\\p"),
            '\n' => field.push_str("\\n"),
            '\t' | '\r' => field.push(' '),
            _ => field.push(c),
        }
    }
    field
}

/// Appends a field to a buffer, with its escapes undone.
pub fn unescape_into(field: &str, out: &mut String) {
    let mut rest = field;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let plain = match rest.as_bytes().get(at + 1) {
            Some(b'n') => Some('\n'),
            Some(b'p') => Some('|'),
            Some(b'\\') => Some('\\'),
            _ => None,
        };
        out.push(plain.unwrap_or('\\'));
        rest = &rest[at + if plain.is_some() { 2 } else { 1 }..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_escapes_are_undone_and_others_stay() {
        for (field, expected) in [
            ("plain", "plain"),
            (r"a\pb\nc", "a|b\nc"),
            (r"a\\nb", r"a\nb"),
            (r"\\\p", r"\|"),
            (r"\x\ü\", r"\x\ü\"),
            (r"\/", r"\/"),
        ] {
            assert_eq!(unescape(field), expected, "{field}");
        }
        assert!(matches!(unescape("plain"), Cow::Borrowed("plain")));
        for text in ["plain", "a|b\nc\\", r"\p \n", "λx[\"a\"]"] {
            assert_eq!(unescape(&escape(text)), text);
        }
    }
}
