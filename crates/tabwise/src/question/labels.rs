//! Labels: a header before a number says of which column it is, as in "patient 25" and "department number 38".

use super::{ColumnKind, ColumnLink, Link, LinkKind, Vocabulary};
use crate::graph::ColumnId;
use crate::text::Token;
use crate::value::Value;

/// A number of the question, by its token, that is a cell of the column whose header stands before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// Token of the number.
    pub token: usize,
    /// Column that it is of.
    pub column: ColumnId,
}

/// Finds the numbers with a header before them.
pub(super) fn labels(tokens: &[Token], links: &[Link], columns: &[ColumnLink], vocabulary: &Vocabulary) -> Vec<Label> {
    let mut labels = Vec::new();
    for link in links.iter().filter(|link| link.kind == LinkKind::Cell && link.tokens.len() == 1) {
        let (at, Value::Entity(entity)) = (link.tokens.start, link.value) else { continue };
        if !tokens[at].text.bytes().all(|b| b.is_ascii_digit()) {
            continue;
        }
        let is_sign = at > 0 && matches!(tokens[at - 1].lemma.as_str(), "number" | "no" | "no." | "nr" | "id" | "#");
        let end = if is_sign { at - 1 } else { at };
        let names = |column: &&ColumnLink| {
            let is_before = column.tokens.end == end || column.tokens.end == at;
            is_before && column.kind <= ColumnKind::Kin && vocabulary.is_in(entity, column.column)
        };
        labels.extend(columns.iter().filter(names).map(|column| Label { token: at, column: column.column }));
    }
    labels
}
