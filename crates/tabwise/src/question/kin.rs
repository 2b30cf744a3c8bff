//! Links by all that is known of words and of the table. They are found in an order: the columns first, since their names are no
//! cells, then conditions and cells, then what follows from these.

use super::cells::Scene;
use super::{
    ColumnKind, ColumnLink, ConditionLink, Label, Link, LinkKind, TextLink, bounds, columns, conditions, enumeration,
    labels, series, texts,
};
use crate::graph::ColumnId;
use crate::text::Token;
use crate::value::{EntityId, Value};
use crate::words::Words;
use std::ops::Range;

/// What words of a question name, besides cells and values.
#[derive(Default)]
pub(super) struct Found {
    pub columns: Vec<ColumnLink>,
    pub passed: Vec<ColumnId>,
    pub labels: Vec<Label>,
    pub stepped: Vec<Value>,
    pub listed: Vec<(ColumnId, EntityId)>,
    pub conditions: Vec<ConditionLink>,
    pub texts: Vec<TextLink>,
}

/// Finds all links. `links` has those to whole cells and to values, and gets those by other names; `named` has the columns whose
/// header is said, `steps` the dates beside others.
pub(super) fn find(scene: &Scene, links: &mut Vec<Link>, named: Vec<ColumnLink>, steps: Vec<Link>) -> Found {
    let Scene { tokens, said, graph, vocabulary, words, .. } = *scene;
    let columns = columns::column_links(said, named, graph, vocabulary);
    let mut found = Found { columns, ..Found::default() };
    found.columns.retain(|link| !is_counting(link, tokens));
    let years = series::named(tokens, &found.columns, graph, vocabulary, words);
    links.retain(|link| years.allows(link));
    found.columns.extend(years.links);
    found.columns.sort_by_key(|link| (link.column, link.kind, link.tokens.start, link.tokens.end));
    found.passed = years.passed;
    found.conditions = conditions::condition_links(said, tokens, &found.columns, links, graph, vocabulary, words);
    cells(scene, links, &found.columns);
    found.texts = tests(scene, links, &found.columns);
    links.extend(sign_links(tokens, links, &found.conditions, words));
    found.columns.extend(bounds::age_links(tokens, links, &found.columns, graph, vocabulary, words));
    let examples = enumeration::examples(tokens);
    let is_example = |tokens: &Range<usize>| examples >> tokens.start.min(127) & 1 == 1;
    links.retain(|link| !is_example(&link.tokens));
    found.conditions.retain(|link| !is_example(&link.tokens));
    let runs = enumeration::run_links(tokens, links, graph, vocabulary);
    links.retain(|link| {
        !runs.iter().any(|run| run.tokens.start <= link.tokens.start && link.tokens.end <= run.tokens.end)
    });
    links.extend(runs);
    let sides = enumeration::other_sides(tokens, links, &found.conditions, graph, vocabulary, words);
    links.extend(sides);
    found.stepped = steps.iter().map(|link| link.value).collect();
    links.extend(steps);
    found.labels = labels::labels(tokens, links, &found.columns, vocabulary);
    let is_bound = |link: &Link| bounds::said(&link.tokens, tokens, words).is_some();
    let is_label = |link: &Link| found.labels.iter().any(|label| link.tokens == (label.token..label.token + 1));
    links.retain(|link| link.kind != LinkKind::Value || !is_label(link) || is_bound(link));
    found.listed = enumeration::listed(links, graph, vocabulary);
    found
}

/// Adds the links to cells by other names, and takes away those that are not meant.
fn cells(scene: &Scene, links: &mut Vec<Link>, columns: &[ColumnLink]) {
    // Part of a list that is an ordinary word with another use in the question: a cue, or the name of a column.
    let is_ordinary = |link: &Link| {
        let said = &scene.said[link.tokens.start];
        let is_name =
            |column: &ColumnLink| column.kind == ColumnKind::Header && column.tokens.contains(&link.tokens.start);
        let is_used = !scene.words.cues(said.text).is_empty() || columns.iter().any(is_name);
        link.kind == LinkKind::Part && link.tokens.len() == 1 && !said.is_capital && is_used
    };
    links.retain(|link| scene.is_meant(link) && !is_ordinary(link));
    let mut names = scene.name_links(links);
    // What is called by its column is no cell of another column that has such a name as well.
    let is_column = |link: &Link| {
        let is_named = |column: &ColumnLink| column.kind == ColumnKind::Header && column.tokens == link.tokens;
        link.kind == LinkKind::Kin && columns.iter().any(|column| is_named(column) && !scene.holds(link, column.column))
    };
    names.retain(|link| !is_column(link));
    links.extend(names);
    let mut more =
        super::words::word_links(scene.text, scene.tokens, links, scene.graph, scene.vocabulary, scene.words);
    more.retain(|link| scene.is_telling(link, columns));
    links.extend(more);
    links.extend(scene.typo_links(links, columns));
}

/// Tests of texts: those that are said, and those of words that are parts of texts.
fn tests(scene: &Scene, links: &[Link], columns: &[ColumnLink]) -> Vec<TextLink> {
    let Scene { text, tokens, graph, vocabulary, words, .. } = *scene;
    let mut tests = texts::said_tests(text, tokens, links, columns, graph, words);
    let mut more = super::words::text_links(text, tokens, links, graph, vocabulary, words);
    more.retain(|link| !tests.iter().any(|said| said.tokens.contains(&link.tokens.start)));
    tests.extend(more);
    tests
}

/// Links of words that stand for 0 as a bound, "negative", unless they name something in the table.
fn sign_links(tokens: &[Token], links: &[Link], conditions: &[ConditionLink], words: &Words) -> Vec<Link> {
    let linked = links.iter().map(|link| &link.tokens).chain(conditions.iter().map(|link| &link.tokens));
    let named: Vec<&Range<usize>> = linked.collect();
    let is_sign =
        |at: &usize| bounds::sign(&tokens[*at], words).is_some() && !named.iter().any(|tokens| tokens.contains(at));
    let zero = |at: usize| Link { tokens: at..at + 1, value: ZERO, others: Vec::new(), kind: LinkKind::Value };
    (0..tokens.len()).filter(is_sign).map(zero).collect()
}

const ZERO: Value = Value::Number(0.0);

/// Tells if a link takes the word of "the number of stations" for the name of a column.
fn is_counting(link: &ColumnLink, tokens: &[Token]) -> bool {
    let lemma = |at: usize| tokens.get(at).map_or("", |token| token.lemma.as_str());
    link.kind > ColumnKind::Stem
        && link.tokens.len() == 1
        && lemma(link.tokens.start) == "number"
        && lemma(link.tokens.end) == "of"
}
