//! Bounds: what the words next to a number or a date make of it. "Over 90" asks for more than 90, "90 or less" and "at most
//! 90" for 90 and below.

use super::{ColumnKind, ColumnLink, Link, Vocabulary};
use crate::graph::{ColumnId, Graph};
use crate::named::named;
use crate::text::Token;
use crate::value::Value;
use crate::words::{Bound, Form, Sense, Words};
use std::ops::Range;

named! {
    /// What words make of the value next to them.
    pub enum Said is "bound" {
        /// more than it
        Over => "over",
        /// it or more
        AtLeast => "at least",
        /// less than it
        Under => "under",
        /// it or less
        AtMost => "at most",
        /// later than it
        After => "after",
        /// it or later
        Since => "since",
        /// earlier than it
        Before => "before",
        /// it or earlier
        Until => "until",
    }
}

impl Said {
    /// Tells if larger or later values are meant.
    pub fn is_up(self) -> bool {
        matches!(self, Said::Over | Said::AtLeast | Said::After | Said::Since)
    }
}

/// Number of words before a value that may make it a bound: "no *more* than about 90".
const REACH: usize = 4;

/// The bound that the words next to some tokens make of them.
pub(super) fn said(value: &Range<usize>, tokens: &[Token], words: &Words) -> Option<Said> {
    let text = |at: usize| tokens.get(at).map_or(String::new(), |token| token.text.to_lowercase());
    // "90 or more", "2010 or later", "90 and above", "1990 onwards"
    let joins = matches!(text(value.end).as_str(), "or" | "and");
    if joins && let Some(said) = direction(&text(value.end + 1), words) {
        return Some(included(said));
    }
    if words.bound(&text(value.end)) == Some(Bound::Since) && text(value.end).starts_with("onward") {
        return Some(Said::Since);
    }
    if let Some(said) = tokens.get(value.start).and_then(|token| sign(token, words)) {
        return Some(said);
    }
    for at in (value.start.saturating_sub(REACH)..value.start).rev() {
        let word = text(at);
        if matches!(word.as_str(), "," | "and" | "or" | "with" | "who" | "which" | "that") {
            return None;
        }
        let before = if at > 0 { text(at - 1) } else { String::new() };
        match (before.as_str(), word.as_str()) {
            ("at", "least") => return Some(Said::AtLeast),
            ("at", "most") | ("up", "to") => return Some(Said::AtMost),
            _ => {}
        }
        if let Some(said) = direction(&word, words) {
            let is_negated = matches!(before.as_str(), "no" | "not");
            return Some(if is_negated { included(opposite(said)) } else { said });
        }
    }
    None
}

/// Links of numbers that are bounds of nothing named to a column of ages: "players over 30".
pub(super) fn age_links(
    tokens: &[Token],
    links: &[Link],
    columns: &[ColumnLink],
    graph: &Graph,
    vocabulary: &Vocabulary,
    words: &Words,
) -> Vec<ColumnLink> {
    let is_age = |column: &ColumnId| {
        let mut content = vocabulary.header_words(*column).content();
        content.next().is_some_and(|word| word.lemma == "age") && content.next().is_none()
    };
    let Some(column) = graph.column_ids().find(is_age) else { return Vec::new() };
    let is_bare = |at: usize| tokens.get(at).is_none_or(|token| !token.tag.is_noun() || token.lemma == "year");
    let is_near = |link: &ColumnLink, span: &Range<usize>| {
        link.tokens.end + REACH > span.start && link.tokens.start <= span.end + 1
    };
    let is_named =
        |span: &Range<usize>| columns.iter().any(|link| link.kind == ColumnKind::Header && is_near(link, span));
    let is_bound = |link: &&Link| {
        let is_years = matches!(link.value, Value::Number(n) if (1.0..=120.0).contains(&n));
        let amount = said(&link.tokens, tokens, words)
            .is_some_and(|said| matches!(said, Said::Over | Said::AtLeast | Said::Under | Said::AtMost));
        is_years && amount && is_bare(link.tokens.end) && !is_named(&link.tokens)
    };
    let link = |link: &Link| ColumnLink { tokens: link.tokens.clone(), column, kind: ColumnKind::Kin };
    links.iter().filter(is_bound).map(link).collect()
}

/// Bound at 0 that a word says by itself: "negative".
pub(super) fn sign(token: &Token, words: &Words) -> Option<Said> {
    match words.bound(&token.text.to_lowercase())? {
        Bound::Positive => Some(Said::Over),
        Bound::Negative => Some(Said::Under),
        Bound::Over | Bound::Under | Bound::After | Bound::Before | Bound::Since | Bound::Until => None,
    }
}

/// Bound that a single word makes of the value next to it.
fn direction(word: &str, words: &Words) -> Option<Said> {
    let of_bound = words.bound(word).and_then(|bound| match bound {
        Bound::Over => Some(Said::Over),
        Bound::Under => Some(Said::Under),
        Bound::After => Some(Said::After),
        Bound::Before => Some(Said::Before),
        Bound::Since => Some(Said::Since),
        Bound::Until => Some(Said::Until),
        Bound::Positive | Bound::Negative => None,
    });
    of_bound.or_else(|| {
        let degree = words.degree(word).filter(|degree| degree.form == Form::Comparative)?;
        // What is older is more years, or before a date: the column decides, so amounts come first.
        let said = [
            (Sense::More, Said::Over),
            (Sense::Less, Said::Under),
            (Sense::Later, Said::After),
            (Sense::Earlier, Said::Before),
        ];
        said.into_iter().find(|(sense, _)| degree.has(*sense)).map(|(_, said)| said)
    })
}

/// The bound with the value itself.
fn included(said: Said) -> Said {
    match said {
        Said::Over | Said::AtLeast => Said::AtLeast,
        Said::Under | Said::AtMost => Said::AtMost,
        Said::After | Said::Since => Said::Since,
        Said::Before | Said::Until => Said::Until,
    }
}

fn opposite(said: Said) -> Said {
    match said {
        Said::Over => Said::Under,
        Said::AtLeast => Said::AtMost,
        Said::Under => Said::Over,
        Said::AtMost => Said::AtLeast,
        Said::After => Said::Before,
        Said::Since => Said::Until,
        Said::Before => Said::After,
        Said::Until => Said::Since,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Annotator;

    #[test]
    fn bounds_as_people_say_them() {
        let (annotator, words) = (Annotator::embedded(), Words::embedded());
        for (text, expected) in [
            ("over 90", Some(Said::Over)),
            ("more than 90 points", Some(Said::Over)),
            ("at least 90", Some(Said::AtLeast)),
            ("no more than 90", Some(Said::AtMost)),
            ("not older than 90", Some(Said::AtMost)),
            ("90 or less", Some(Said::AtMost)),
            ("90 and above", Some(Said::AtLeast)),
            ("built before 90", Some(Said::Before)),
            ("finished later than 90", Some(Said::After)),
            ("since 90", Some(Said::Since)),
            ("cheaper than 90", Some(Said::Under)),
            ("in 90", None),
            ("over the age limit, and 90", None),
        ] {
            let tokens = annotator.annotate(text);
            let at = tokens.iter().position(|token| token.text == "90").unwrap();
            assert_eq!(said(&(at..at + 1), &tokens, &words), expected, "{text}");
        }
    }
}
