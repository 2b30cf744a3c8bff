//! Links to texts by a test that the question says: "names that start with B", "titles ending in 'man'", "cells that
//! contain the word steel". The words of the test are in `words.toml`; the text is quoted, or the word after them.

use super::{ColumnLink, Link, LinkKind, TextLink};
use crate::formula::TextTest;
use crate::graph::{ColumnId, Graph};
use crate::text::Token;
use crate::words::{TextWord, Words};
use std::ops::Range;

/// Finds the links by tests that are said. If a column is named that has such texts, only named ones are linked.
pub(super) fn said_tests(
    text: &str,
    tokens: &[Token],
    links: &[Link],
    columns: &[ColumnLink],
    graph: &Graph,
    words: &Words,
) -> Vec<TextLink> {
    let mut found = Vec::new();
    for Said { tokens, test, text } in (0..tokens.len()).filter_map(|at| said_test(text, tokens, at, links, words)) {
        let has = |column: &ColumnId| has_text(graph, *column, test, &text);
        let holders: Vec<ColumnId> = graph.column_ids().filter(has).collect();
        let is_named = |column: &&ColumnId| columns.iter().any(|link| link.column == **column);
        let named: Vec<ColumnId> = holders.iter().filter(is_named).copied().collect();
        let chosen = if named.is_empty() { holders } else { named };
        let link = |column| TextLink { tokens: tokens.clone(), column, test, text: text.clone() };
        found.extend(chosen.into_iter().map(link));
    }
    found
}

/// A test that the question says.
struct Said {
    tokens: Range<usize>,
    test: TextTest,
    /// The words that are tested for, in lower case.
    text: String,
}

/// Reads the test that a token begins.
fn said_test(text: &str, tokens: &[Token], at: usize, links: &[Link], words: &Words) -> Option<Said> {
    let test = test(&tokens[at], words)?;
    let is_between = |token: &&Token| {
        let is_letter = token.end - token.start == 1 && text[token.start..token.end].starts_with(char::is_uppercase);
        words.text_word(&token.text.to_lowercase()) == Some(TextWord::Between) && !is_letter
    };
    let mut start = at + 1 + tokens[at + 1..].iter().take_while(is_between).count();
    let is_quoted = tokens.get(start).is_some_and(is_quote);
    if is_quoted {
        start += 1;
    } else if !tokens.get(start).is_some_and(is_word) {
        // The last word between them is the text itself: "names that end in a".
        start -= 1;
    }
    let end = match is_quoted {
        true => start + tokens[start.min(tokens.len())..].iter().position(is_quote)?,
        false => start + 1,
    };
    let run = start..end;
    let is_told = is_quoted || test == TextTest::Contains || start > at + 1;
    let with = tokens[at + 1..start.max(at + 1)].iter().any(|token| token.text.eq_ignore_ascii_case("with"));
    if run.is_empty() || start <= at || !is_told || !(is_quoted || with) && is_value(&run, links) {
        return None;
    }
    let said = text[tokens[start].start..tokens[end - 1].end].trim_matches(['-', '…', '*']).to_lowercase();
    let tokens = at..end + usize::from(is_quoted);
    said.contains(char::is_alphanumeric).then_some(Said { tokens, test, text: said })
}

/// Test that a word says.
fn test(token: &Token, words: &Words) -> Option<TextTest> {
    let said = [token.text.to_lowercase(), token.lemma.clone()];
    said.iter().find_map(|word| match words.text_word(word)? {
        TextWord::Starts => Some(TextTest::Starts),
        TextWord::Ends => Some(TextTest::Ends),
        TextWord::Contains => Some(TextTest::Contains),
        TextWord::Between => None,
    })
}

/// Tells if words name a cell in full, a part of one, or a value.
fn is_value(run: &Range<usize>, links: &[Link]) -> bool {
    let is_whole = |kind| matches!(kind, LinkKind::Cell | LinkKind::Part | LinkKind::Value);
    links.iter().any(|link| is_whole(link.kind) && link.tokens.start <= run.start && run.end <= link.tokens.end)
}

fn is_quote(token: &Token) -> bool {
    matches!(token.text.as_str(), "``" | "''" | "`" | "'" | "\"")
}

fn is_word(token: &Token) -> bool {
    token.text.chars().any(char::is_alphanumeric)
}

/// Tells if some text of a column passes a test, as far as letters go.
fn has_text(graph: &Graph, column: ColumnId, test: TextTest, said: &str) -> bool {
    let passes = |name: String| match test {
        TextTest::Contains => name.contains(said),
        TextTest::Starts => name.starts_with(said),
        TextTest::Ends => name.ends_with(said),
    };
    let mut cells = graph.column(column).cells.iter().filter(|entity| !graph.is_missing(**entity));
    cells.any(|entity| passes(graph.name(*entity).to_lowercase()))
}
