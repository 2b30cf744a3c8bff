//! [`Recent`]: the entities of texts that a column had lately. Most columns of a long table repeat a few texts; these need
//! neither be folded nor be looked for among all texts of the table.

use crate::hash::StableHash;
use crate::value::EntityId;

/// Texts by their hash, each in one place; a new one takes the place of the one before it. A column that seldom has a text
/// again is given up.
pub(super) struct Recent {
    /// Places; their number is a power of two.
    slots: Vec<Slot>,
    /// Texts that were looked for and those that were at hand, since the last look at both.
    tries: usize,
    hits: usize,
}

/// A short text and its entity. A length of 0 is a free place.
#[derive(Clone, Copy)]
struct Slot {
    text: [u8; LONGEST],
    length: u8,
    id: EntityId,
}

/// Length in bytes of the texts that are kept.
const LONGEST: usize = 27;
/// Fewest and most places of a column.
const PLACES: [usize; 2] = [4096, 65_536];
/// Number of rows for each place, so that it pays.
const ROWS: usize = 4;
/// Number of places of all columns together, at most; they take 16 MB.
const ALL: usize = 1 << 19;
/// Number of texts after which a column is looked at, and the share of them that has to be at hand.
const TRIES: usize = 65_536;
const SHARE: usize = 8;

impl Recent {
    /// For each column of a table.
    pub(super) fn of_columns(row_count: usize, column_count: usize) -> Vec<Recent> {
        let [fewest, most] = PLACES;
        let room = (row_count / ROWS).min(ALL / column_count.max(1)).min(most);
        let places = if room < fewest { 0 } else { 1 << room.ilog2() };
        let free = Slot { text: [0; LONGEST], length: 0, id: EntityId(0) };
        (0..column_count).map(|_| Recent { slots: vec![free; places], tries: 0, hits: 0 }).collect()
    }

    /// Returns the entity of a text; `find` finds it if it is not at hand.
    pub(super) fn id<'t, E>(
        &mut self,
        text: &'t str,
        find: impl FnOnce(&'t str) -> Result<EntityId, E>,
    ) -> Result<EntityId, E> {
        if self.slots.is_empty() || text.is_empty() || text.len() > LONGEST {
            return find(text);
        }
        let mut hash = StableHash::new(0);
        hash.write(text.as_bytes());
        let place = hash.finish() as usize & (self.slots.len() - 1);
        let slot = &mut self.slots[place];
        let is_hit = slot.text[..usize::from(slot.length)] == *text.as_bytes();
        if !is_hit {
            let id = find(text)?;
            slot.text[..text.len()].copy_from_slice(text.as_bytes());
            (slot.length, slot.id) = (text.len() as u8, id);
        }
        let id = slot.id;
        self.count(is_hit);
        Ok(id)
    }

    /// Counts a text, and gives up where too few are at hand.
    fn count(&mut self, is_hit: bool) {
        self.tries += 1;
        self.hits += usize::from(is_hit);
        if self.tries == TRIES {
            if self.hits < TRIES / SHARE {
                self.slots = Vec::new();
            }
            (self.tries, self.hits) = (0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_at_hand_is_the_one_that_was_found() {
        let mut recent = Recent::of_columns(ROWS * PLACES[0], 1).remove(0);
        let texts: Vec<String> = (0..3 * PLACES[0]).map(|n| format!("text {}", n % 5000)).collect();
        let mut found = 0;
        for (row, text) in texts.iter().enumerate() {
            let expected = EntityId(row as u32 % 5000);
            let id: Result<EntityId, ()> = recent.id(text, |_| {
                found += 1;
                Ok(expected)
            });
            assert_eq!(id, Ok(expected), "{text}");
        }
        assert!(found < texts.len(), "some were at hand");
    }

    #[test]
    fn a_column_without_repeats_is_given_up() {
        let [fewest, most] = PLACES;
        let sizes = |rows: usize, columns: usize| Recent::of_columns(rows, columns)[0].slots.len();
        assert_eq!(
            [sizes(1000, 3), sizes(ROWS * fewest, 3), sizes(1 << 20, 8), sizes(1 << 20, 64)],
            [0, fewest, most, 8192]
        );
        let mut recent = Recent::of_columns(1 << 20, 1).remove(0);
        for n in 0..TRIES as u32 {
            let id: Result<EntityId, ()> = recent.id(&n.to_string(), |_| Ok(EntityId(n)));
            assert_eq!(id, Ok(EntityId(n)));
        }
        assert!(recent.slots.is_empty());
    }
}
