//! [`Names`]: interned texts. Texts that a person would take for the same have one id: letter case, kinds of dashes and
//! quotation marks, and the amount of white space are ignored. The first spelling is kept.

use crate::text::dashes::is_dash;
use crate::value::EntityId;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Texts in one buffer, with a hash table of their ids (open addressing, linear probing). A `HashMap` would need a copy
/// of each folded text as its key.
#[derive(Default)]
pub(super) struct Names {
    text: String,
    /// End of each text in `text`.
    ends: Vec<usize>,
    /// The hash table. Its length is a power of two, and at most half is in use.
    slots: Vec<Slot>,
    /// Buffer for the folded text, kept between calls.
    folded: String,
}

/// An entry of the hash table: the hash of a folded text and its id plus one; an id of 0 is a free entry.
#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u32,
    id: u32,
}

impl Names {
    /// Returns the number of texts.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns a text by its id.
    pub(super) fn get(&self, at: usize) -> &str {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.text[start..self.ends[at]]
    }

    /// Finds the id of a text or of one that is taken for the same.
    pub(super) fn find(&self, text: &str) -> Option<EntityId> {
        if self.slots.is_empty() {
            return None;
        }
        let mut folded = String::new();
        fold(text, &mut folded);
        self.slots[self.place(text, &folded, hash(&folded))].id.checked_sub(1).map(EntityId)
    }

    /// Returns the id of a text, new or known.
    pub(super) fn intern(&mut self, text: &str) -> EntityId {
        if self.ends.len() * 2 >= self.slots.len() {
            self.grow();
        }
        // Taken out of `self` for the call of `place`, and put back after it.
        let mut folded = std::mem::take(&mut self.folded);
        fold(text, &mut folded);
        let hash = hash(&folded);
        let place = self.place(text, &folded, hash);
        self.folded = folded;
        if self.slots[place].id == 0 {
            self.text.push_str(text);
            self.ends.push(self.text.len());
            self.slots[place] = Slot { hash, id: self.ends.len() as u32 };
        }
        EntityId(self.slots[place].id - 1)
    }

    /// Frees the memory reserved for more texts.
    pub(super) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Returns the entry that holds this text, or the free one for it.
    fn place(&self, text: &str, folded: &str, hash: u32) -> usize {
        let mut place = hash as usize & (self.slots.len() - 1);
        loop {
            let slot = self.slots[place];
            if slot.id == 0 || (slot.hash == hash && self.is_same(slot.id - 1, text, folded)) {
                return place;
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
    }

    /// True if a stored text is taken for the same. Most are equal without folding.
    fn is_same(&self, id: u32, text: &str, folded: &str) -> bool {
        let known = self.get(id as usize);
        known == text || {
            let mut other = String::new();
            fold(known, &mut other);
            other == folded
        }
    }

    /// Doubles the hash table; the stored hashes spare folding the texts again.
    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(64);
        let mut slots = vec![Slot::default(); size];
        for slot in self.slots.iter().filter(|slot| slot.id != 0) {
            let mut place = slot.hash as usize & (size - 1);
            while slots[place].id != 0 {
                place = (place + 1) & (size - 1);
            }
            slots[place] = *slot;
        }
        self.slots = slots;
    }
}

fn hash(folded: &str) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(folded.as_bytes());
    let hash = hasher.finish();
    (hash ^ hash >> 32) as u32
}

/// Writes a text into a buffer in the form by which texts are compared.
fn fold(text: &str, out: &mut String) {
    out.clear();
    // Fast path: nothing to change but letter case.
    if text.is_ascii() && !text.bytes().any(|b| matches!(b, b'\t'..=b'\r' | b'`')) && !has_wide_space(text) {
        out.push_str(text);
        out.make_ascii_lowercase();
        return;
    }
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().flat_map(char::to_lowercase).map(plain));
    }
}

/// True if there are spaces at an end, or two in a row.
fn has_wide_space(text: &str) -> bool {
    text.starts_with(' ') || text.ends_with(' ') || text.as_bytes().windows(2).any(|pair| pair == b"  ")
}

/// Replaces kinds of quotation marks and dashes by the ASCII ones.
fn plain(c: char) -> char {
    match c {
        '‘' | '’' | '´' | '`' => '\'',
        '“' | '”' | '„' => '"',
        c if is_dash(c) => '-',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_spelling_stands_for_all() {
        let mut names = Names::default();
        let first = names.intern("Middle  Blocker – 1");
        assert_eq!(names.intern("middle blocker - 1"), first);
        assert_eq!(names.intern("middle\nblocker — 1 "), first);
        assert_ne!(names.intern("middle blocker 1"), first);
        assert_eq!(names.get(0), "Middle  Blocker – 1");
        assert_eq!(names.find("MIDDLE BLOCKER - 1"), Some(first));
        assert_eq!(names.find("nobody"), None);
    }

    #[test]
    fn ids_survive_growth() {
        let mut names = Names::default();
        let ids: Vec<EntityId> = (0..5000).map(|n| names.intern(&format!("Text {n}"))).collect();
        assert!((0..5000).all(|n| names.find(&format!("TEXT {n}")) == Some(ids[n])));
        assert_eq!(names.len(), 5000);
    }
}
