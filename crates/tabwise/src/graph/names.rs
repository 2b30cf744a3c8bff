//! Interned texts. Texts that a person would take for the same have one id: letter case, the kind of a dash or a
//! quotation mark and the amount of white space do not tell entities apart, and the first spelling stands for all.

use crate::text::dashes::is_dash;
use crate::value::EntityId;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Texts in one buffer, found again through an open table of ids.
#[derive(Default)]
pub struct Names {
    text: String,
    ends: Vec<usize>,
    /// The length is a power of two, and at most half is in use.
    slots: Vec<Slot>,
    folded: String,
}

/// A place in the table: the hash of a folded text and its id plus one; an id of 0 is a free place.
#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u32,
    id: u32,
}

impl Names {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn get(&self, at: usize) -> &str {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.text[start..self.ends[at]]
    }

    /// The id of a text or of one that is as good as the same.
    pub fn find(&self, text: &str) -> Option<EntityId> {
        if self.slots.is_empty() {
            return None;
        }
        let mut folded = String::new();
        fold(text, &mut folded);
        self.slots[self.place(text, &folded, hash(&folded))].id.checked_sub(1).map(EntityId)
    }

    /// The id of a text, new or known.
    pub fn intern(&mut self, text: &str) -> EntityId {
        if self.ends.len() * 2 >= self.slots.len() {
            self.grow();
        }
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

    /// Gives back the room that was kept for growing.
    pub fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// The place that holds this text, or the free one where it would go.
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

    fn is_same(&self, id: u32, text: &str, folded: &str) -> bool {
        let known = self.get(id as usize);
        known == text || {
            let mut other = String::new();
            fold(known, &mut other);
            other == folded
        }
    }

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

/// Writes a text into a buffer without what tells no entities apart.
pub fn fold(text: &str, out: &mut String) {
    out.clear();
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

/// Whether white space stands at an end, or more than one of it in a row.
fn has_wide_space(text: &str) -> bool {
    text.starts_with(' ') || text.ends_with(' ') || text.as_bytes().windows(2).any(|pair| pair == b"  ")
}

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
