//! The extent of a formula: how many words of the question it leaves unused, and how large it is for the question.

use super::{Describe, Family, List, Scene, Topic, Whole};
use crate::graph::ColumnId;
use crate::text::Tag;

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
    /// Words that name a column and are neither used nor suggest an operation used.
    named: u8,
    /// Decisive words that are neither used nor suggest an operation used.
    ignored: u8,
    /// Content words that are linked to nothing and suggest nothing, whatever the candidate.
    strange: u8,
    /// Those of them that are names, whatever the candidate.
    foreign: u8,
    /// True if no word is used and none suggests an operation used.
    is_deaf: bool,
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

    /// Number of decisive words that are neither used nor a cue for an operation used.
    pub fn ignored(&self) -> f64 {
        f64::from(self.ignored)
    }

    /// Tells if the candidate has nothing to do with the question: no word is used, and none suggests an operation used.
    pub fn is_deaf(&self) -> bool {
        self.is_deaf
    }

    /// Number of words that name a column which is not used.
    pub fn named(&self) -> f64 {
        f64::from(self.named)
    }

    /// Number of content words that are linked to nothing and suggest nothing.
    pub fn strange(&self) -> f64 {
        f64::from(self.strange)
    }

    /// Number of names that are linked to nothing and suggest nothing.
    pub fn foreign(&self) -> f64 {
        f64::from(self.foreign)
    }
}

/// The words of a question as bits: which are linked to cells and values, which name a column, which say something, and
/// which name each column.
pub struct Reach {
    linked: u128,
    named: u128,
    content: u128,
    decisive: u128,
    strange: u8,
    foreign: u8,
    columns: Vec<u128>,
}

impl Reach {
    /// Words of a question about a table.
    pub fn new(scene: &Scene) -> Reach {
        let tokens = &scene.question.tokens;
        let says = |at: &usize| ["NN", "JJ", "CD", "VB"].iter().any(|tag| tokens[*at].tag.as_str().starts_with(tag));
        let covered = |column: ColumnId| {
            let header = scene.vocabulary.header(column);
            let is_covered = |at: &usize| header.split(' ').any(|word| word == tokens[*at].lemma);
            let links = scene.question.columns.iter().filter(|link| link.column == column);
            bits((0..tokens.len()).filter(is_covered)) | bits(links.flat_map(|link| link.tokens.clone()))
        };
        let question = scene.question;
        let values = question.links.iter().map(|link| &link.tokens);
        let conditions = question.conditions.iter().map(|link| &link.tokens);
        let linked = bits(values.chain(conditions).flat_map(Clone::clone));
        let named = bits(question.columns.iter().flat_map(|link| link.tokens.clone()));
        let content = bits((0..tokens.len()).filter(says));
        let suggesting = question.cues.iter().fold(0, |all, cue| all | cue.tokens);
        let strange = content & !linked & !named & !suggesting;
        let is_name = |at: &usize| *at > 0 && matches!(tokens[*at].tag, Tag::Nnp | Tag::Nnps);
        Reach {
            linked,
            named,
            content,
            decisive: question.decisive,
            strange: strange.count_ones().min(6) as u8,
            foreign: (strange & bits((0..tokens.len()).filter(is_name))).count_ones().min(4) as u8,
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
            named: left(self.named & !cued, 4),
            ignored: left(self.decisive & !cued, 3),
            strange: self.strange,
            foreign: self.foreign,
            is_deaf: used == 0 && cued == 0,
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
    let Extent { linked, content, idle, unheard, named, ignored, size, pairs, .. } = extent;
    let [linked, content, idle, unheard, named, ignored, size, pairs] =
        [linked, content, idle, unheard, named, ignored, size, pairs].map(|number| number.to_string());
    list.add(Family::Extent, &["linked", &linked]);
    list.add(Family::Extent, &["content", &content]);
    list.add(Family::Extent, &["both", &linked, &content]);
    list.add(Family::Extent, &["idle", &idle]);
    list.add(Family::Extent, &["unheard", &unheard]);
    list.add(Family::Extent, &["idle and unheard", &idle, &unheard]);
    list.add(Family::Extent, &["named", &named]);
    list.add(Family::Extent, &["ignored", &ignored]);
    list.add(Family::Extent, &["size", &size]);
    list.add(Family::Extent, &["size", &size, &pairs]);
}
