//! The extent of a formula: how many words of the question it leaves unused, and how large it is for the question.

use super::{Describe, Family, List, Scene, Topic, Whole};
use crate::graph::ColumnId;

/// Numbers of unused words, and the size. Larger numbers are cut off, so that rare ones do not become features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extent {
    /// Unused words that are linked to the table.
    linked: u8,
    /// Unused content words.
    content: u8,
    /// Those of them that suggest none of the operations used.
    idle: u8,
    /// Words linked to the table that are neither used nor suggest an operation used.
    unheard: u8,
    /// The size of the derivation.
    size: u8,
    /// Number of content words, in pairs.
    pairs: u8,
}

impl Extent {
    /// Approximate share of content words that are neither used nor a cue for an operation used.
    pub fn idle_share(&self) -> f64 {
        let content = 2 * self.pairs + 1;
        f64::from(self.idle.min(content)) / f64::from(content)
    }

    /// Number of linked words that are neither used nor a cue for an operation used.
    pub fn unheard(&self) -> f64 {
        f64::from(self.unheard)
    }
}

/// The words of a question as bits: which are linked, which say something, and which the name of each column covers.
pub struct Reach {
    linked: u128,
    content: u128,
    columns: Vec<u128>,
}

impl Reach {
    /// Words of a question about a table.
    pub fn new(scene: &Scene) -> Reach {
        let tokens = &scene.question.tokens;
        let says = |at: &usize| ["NN", "JJ", "CD", "VB"].iter().any(|tag| tokens[*at].tag.as_str().starts_with(tag));
        let covered = |column: ColumnId| {
            let header = scene.vocabulary.header(column);
            let links = || scene.question.columns.iter().filter(|link| link.column == column);
            let is_covered = |at: &usize| {
                header.split(' ').any(|word| word == tokens[*at].lemma) || links().any(|link| link.tokens.contains(at))
            };
            bits((0..tokens.len()).filter(is_covered))
        };
        Reach {
            linked: bits(scene.question.links.iter().flat_map(|link| link.tokens.clone())),
            content: bits((0..tokens.len()).filter(says)),
            columns: scene.graph.column_ids().map(covered).collect(),
        }
    }

    /// The words that the name of a column covers.
    pub fn column(&self, column: ColumnId) -> u128 {
        self.columns[usize::from(column.0)]
    }

    /// The extent of a derivation that uses these words, and whose operations are suggested by those.
    pub fn extent(&self, used: u128, cued: u128, size: usize) -> Extent {
        let left = |bits: u128, most: u32| (bits & !used).count_ones().min(most) as u8;
        Extent {
            linked: left(self.linked, 4),
            content: left(self.content, 6),
            idle: left(self.content & !cued, 6),
            unheard: left(self.linked & !cued, 4),
            size: size as u8,
            pairs: (self.content.count_ones() / 2).min(6) as u8,
        }
    }
}

/// Tokens as bits; none looks beyond those that are linked.
fn bits(tokens: impl Iterator<Item = usize>) -> u128 {
    tokens.fold(0, |bits, at| bits | 1u128.checked_shl(at as u32).unwrap_or(0))
}

/// Finds the extent of a candidate.
pub(super) fn find(whole: &Whole, add: &mut dyn FnMut(Topic)) {
    add(Topic::Extent(whole.extent));
}

impl Describe for Extent {
    fn label(self, _: &Scene) -> String {
        "the share of the question that is used".to_string()
    }

    fn describe(self, _: &Scene, list: &mut List) {
        describe(self, list);
    }
}

fn describe(extent: Extent, list: &mut List) {
    let Extent { linked, content, idle, unheard, size, pairs } = extent;
    let [linked, content, idle, unheard, size, pairs] =
        [linked, content, idle, unheard, size, pairs].map(|number| number.to_string());
    list.add(Family::Extent, &["linked", &linked]);
    list.add(Family::Extent, &["content", &content]);
    list.add(Family::Extent, &["both", &linked, &content]);
    list.add(Family::Extent, &["idle", &idle]);
    list.add(Family::Extent, &["unheard", &unheard]);
    list.add(Family::Extent, &["idle and unheard", &idle, &unheard]);
    list.add(Family::Extent, &["size", &size]);
    list.add(Family::Extent, &["size", &size, &pairs]);
}
