//! Links as the ranking sees them: how surely words of the question name a column that the formula uses, and which words
//! stand beside them. "*each* origin" groups by the origin, "*highest* price" goes by the price.

use super::{Family, List, Scene};
use crate::graph::ColumnId;
use crate::question::ColumnLink;
use crate::value::{EntityId, Value};

/// Lists how the question names a column that is used in a role.
pub(super) fn describe_column(scene: &Scene, column: ColumnId, role: &str, list: &mut List) {
    if !list.wants(Family::Link) {
        return;
    }
    let links = scene.question.columns.iter().filter(|link| link.column == column);
    let Some(link) = links.min_by_key(|link| (link.kind, std::cmp::Reverse(link.tokens.len()), link.tokens.start))
    else {
        list.add(Family::Link, &["none", role]);
        return list.add(Family::Link, &["none", role, scene.vocabulary.class(column)]);
    };
    list.add(Family::Link, &[link.kind.name(), role]);
    let head = &scene.question.asks.head;
    let is_head = |at: usize| head.split(' ').any(|word| word == scene.question.tokens[at].lemma);
    let asked = if link.tokens.clone().any(is_head) { "asked" } else { "not asked" };
    list.add(Family::Link, &[link.kind.name(), role, asked, &scene.question.asks.words]);
    describe_beside(scene, link, role, list);
}

/// Lists the words beside a link.
fn describe_beside(scene: &Scene, link: &ColumnLink, role: &str, list: &mut List) {
    let tokens = &scene.question.tokens;
    let lemma = |at: Option<usize>| at.map_or("", |at| tokens.get(at).map_or("", |token| token.lemma.as_str()));
    let (start, end) = (link.tokens.start, link.tokens.end);
    let (before, earlier) = (lemma(start.checked_sub(1)), lemma(start.checked_sub(2)));
    list.add(Family::Link, &["before", before, role]);
    list.add(Family::Link, &["before", earlier, before, role]);
    list.add(Family::Link, &["after", lemma(Some(end)), role]);
}

/// Lists how the question names a text of the table.
pub(super) fn describe_entity(scene: &Scene, entity: EntityId, list: &mut List) {
    let kinds = scene.question.links.iter().filter(|link| link.value == Value::Entity(entity));
    if let Some(kind) = kinds.map(|link| link.kind).min() {
        list.add(Family::Link, &["text", kind.name()]);
    }
}
