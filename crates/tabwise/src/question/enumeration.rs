//! Enumerations: three or more cells of a column named one after the other, "Germany, France and England", cells that are spoken
//! of one by one, "for men and for women", one of two values against the other, "with a garage versus without", and examples in brackets, "(city, town, ...)", which choose nothing.

use super::{ConditionLink, Link, LinkKind, Vocabulary};
use crate::graph::{ColumnId, Graph, Reading};
use crate::profile::Profile;
use crate::text::{Tag, Token};
use crate::value::{EntityId, Value};
use crate::words::{Role, Words};
use std::ops::Range;

/// Fewest cells that are linked as one; two are joined by a rule.
const FEWEST: usize = 3;

/// Links of runs of cells to all of them.
pub(super) fn run_links(tokens: &[Token], links: &[Link], graph: &Graph, vocabulary: &Vocabulary) -> Vec<Link> {
    let cells = cells_in_order(links);
    let is_next = |a: &Link, b: &Link| {
        let between = tokens.get(a.tokens.end..b.tokens.start).unwrap_or_default();
        (1..=2).contains(&between.len())
            && between.iter().all(|token| matches!(token.text.as_str(), "," | "and" | "or" | "&"))
    };
    let runs = cells.chunk_by(|a, b| is_next(a.0, b.0)).filter(|run| run.len() >= FEWEST);
    let in_one = |run: &&[(&Link, EntityId)]| {
        graph.column_ids().any(|column| run.iter().all(|(_, entity)| vocabulary.is_in(*entity, column)))
    };
    let link = |run: &[(&Link, EntityId)]| Link {
        tokens: run[0].0.tokens.start..run[run.len() - 1].0.tokens.end,
        value: Value::Entity(run[0].1),
        others: run[1..].iter().map(|(_, entity)| *entity).collect(),
        kind: LinkKind::Words,
    };
    runs.filter(in_one).map(link).collect()
}

/// Links to cells in their order in the question. Of those that begin at a token, the longest.
fn cells_in_order(links: &[Link]) -> Vec<(&Link, EntityId)> {
    let mut cells: Vec<(&Link, EntityId)> = links.iter().filter_map(|link| Some((link, cell_of(link)?))).collect();
    cells.sort_by_key(|(link, _)| (link.tokens.start, usize::MAX - link.tokens.end));
    cells.dedup_by_key(|(link, _)| link.tokens.start);
    cells
}

/// Cells of a column that are spoken of one by one.
#[derive(Default)]
pub(super) struct Apart {
    /// The column.
    pub column: Option<ColumnId>,
    /// The words that say so, as bits: both *for* in "for men and for women".
    pub tokens: u128,
}

/// Most tokens between a cell and the word that is repeated before the next: "field battles and of sieges".
const MOST_BETWEEN: usize = 3;

/// Finds cells that are spoken of one by one: a word is repeated before each, the question has a word like *each*, or it asks for an
/// average of several.
pub(super) fn apart(
    tokens: &[Token],
    links: &[Link],
    each: u128,
    is_average: bool,
    graph: &Graph,
    vocabulary: &Vocabulary,
    words: &Words,
) -> Apart {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let bit = |at: usize| 1u128 << at.min(127);
    if tokens.iter().any(|token| words.is(Role::Together, &token.text)) {
        return Apart::default();
    }
    let shared = |a: EntityId, b: EntityId| {
        graph.column_ids().find(|column| vocabulary.is_in(a, *column) && vocabulary.is_in(b, *column))
    };
    let cells = cells_in_order(links);
    // A word between them may be the name of a cell as well.
    let pairs = cells.iter().enumerate().flat_map(|(at, a)| cells[at + 1..].iter().take(2).map(move |b| (a, b)));
    for ((first, a), (second, b)) in pairs {
        let (end, start) = (first.tokens.end, second.tokens.start);
        let (Some(before), Some(again)) = (first.tokens.start.checked_sub(1), start.checked_sub(1)) else { continue };
        let Some(column) = shared(*a, *b).filter(|_| end < start) else { continue };
        let is_joined = again - end <= MOST_BETWEEN && (end..again).any(|at| matches!(text(at), "and" | ","));
        if is_joined && words.is(Role::Repeated, text(before)) && text(before) == text(again) {
            return Apart { column: Some(column), tokens: bit(before) | bit(again) };
        }
        if end == again && text(end) == "and" && is_average {
            return Apart { column: Some(column), tokens: bit(end) };
        }
        if start - end <= 2 && each != 0 {
            return Apart { column: Some(column), tokens: 0 };
        }
    }
    let run = links.iter().find(|link| (each != 0 || is_average) && !link.others.is_empty());
    let column = |link: &Link| match (link.value, link.others.first()) {
        (Value::Entity(first), Some(second)) => shared(first, *second),
        _ => None,
    };
    let is_and = |at: &usize| text(*at) == "and";
    let tokens = |link: &Link| link.tokens.clone().find(is_and).filter(|_| each == 0).map_or(0, bit);
    run.map_or(Apart::default(), |link| Apart { column: column(link), tokens: tokens(link) })
}

/// Links to both values of a column that has but two, where one is named and set against the rest: "with a garage versus without".
pub(super) fn other_sides(
    tokens: &[Token],
    links: &[Link],
    conditions: &[ConditionLink],
    graph: &Graph,
    vocabulary: &Vocabulary,
    words: &Words,
) -> Vec<Link> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let is_number = |at: usize| tokens.get(at).is_some_and(|token| token.tag == Tag::Cd);
    let is_taken = |at: usize| {
        let taken = links.iter().map(|link| &link.tokens).chain(conditions.iter().map(|link| &link.tokens));
        at >= tokens.len() || taken.into_iter().any(|tokens| tokens.contains(&at))
    };
    // Where the other side is named: the word after "and", if nothing is known of it, and else the word that sets it against this one.
    let other_place = |place: &Range<usize>| match text(place.end) {
        "and" | "or" | "," => Some(place.end + 1).filter(|at| !is_taken(*at)),
        _ => (place.end..tokens.len()).find(|at| words.is(Role::Against, text(*at)) && !is_number(at + 1)),
    };
    let said = conditions.iter().filter(|link| link.reading.is_none() && link.also.is_empty());
    let said = said.map(|link| (&link.tokens, link.value, Some(link.column)));
    let named = links.iter().filter(|link| link.others.is_empty()).map(|link| (&link.tokens, link.value, None));
    let mut found: Vec<Link> = Vec::new();
    for (place, value, of) in said.chain(named) {
        let Value::Entity(own) = value else { continue };
        let mut columns = graph.column_ids().filter(|column| of.is_none_or(|of| of == *column));
        let pair =
            columns.find_map(|column| Some((column, vocabulary.pair(column).filter(|pair| pair.contains(&own))?)));
        let Some((column, pair)) = pair else { continue };
        let is_linked = |entity: EntityId| links.iter().chain(&found).any(|link| link.value == Value::Entity(entity));
        let other = if pair[0] == own { pair[1] } else { pair[0] };
        let is_other = |link: &&ConditionLink| link.column == column && link.value == Value::Entity(other);
        let said = conditions.iter().find(is_other).map(|link| link.tokens.clone());
        let Some(at) = said.or_else(|| other_place(place).map(|at| at..at + 1)).filter(|_| !is_linked(other)) else {
            continue;
        };
        let link = |tokens: Range<usize>, entity: EntityId| Link {
            tokens,
            value: Value::Entity(entity),
            others: Vec::new(),
            kind: LinkKind::Kin,
        };
        let own = (!is_linked(own)).then(|| link(place.clone(), own));
        found.extend(own.into_iter().chain([link(at, other)]));
    }
    found
}

fn cell_of(link: &Link) -> Option<EntityId> {
    match link.value {
        Value::Entity(entity) if link.others.is_empty() => Some(entity),
        _ => None,
    }
}

/// Tokens in brackets that hold mere examples, as bits.
pub(super) fn examples(tokens: &[Token]) -> u128 {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let mut bits = 0;
    for start in (0..tokens.len()).filter(|at| text(*at) == "(") {
        let Some(end) = (start..tokens.len()).find(|at| text(*at) == ")") else { break };
        let inside = start + 1..end;
        let is_open = inside.clone().any(|at| {
            matches!(text(at), "..." | "…" | "etc" | "etc." | "e.g." | "eg")
                || text(at) == "and" && text(at + 1) == "so"
        });
        if is_open {
            bits |= inside.fold(0, |bits, at| bits | 1u128 << at.min(127));
        }
    }
    bits
}

/// Columns in which a text that is linked is also a part of longer texts, "Drama" of "Comedy, Drama".
pub(super) fn listed(links: &[Link], graph: &Graph, vocabulary: &Vocabulary) -> Vec<(ColumnId, EntityId)> {
    if graph.row_count() > Profile::LONG {
        return Vec::new();
    }
    let lists = graph.column_ids().filter(|column| vocabulary.readings(*column).contains(&Reading::Part));
    let holds = |column: ColumnId, entity: EntityId| {
        let cells = &graph.column(column).cells;
        cells.iter().any(|cell| *cell != entity && graph.parts(*cell).contains(&entity))
    };
    let entities: Vec<EntityId> = links.iter().filter_map(cell_of).collect();
    let all = lists.flat_map(|column| entities.iter().map(move |entity| (column, *entity)));
    all.filter(|(column, entity)| vocabulary.is_in(*entity, *column) && holds(*column, *entity)).collect()
}
