//! [`Recent`]: the entities of texts that a column had lately. Most columns of a long table repeat a few texts; these need
//! neither be folded nor be looked for among all texts of the table.

use crate::hash::StableHash;
use crate::value::EntityId;

/// Texts by their hash, each in one place; a new one takes the place of the one before it.
pub(super) struct Recent(Vec<Slot>);

/// A short text and its entity. A length of 0 is a free place.
#[derive(Clone, Copy)]
struct Slot {
    text: [u8; LONGEST],
    length: u8,
    id: EntityId,
}

/// Length in bytes of the texts that are kept.
const LONGEST: usize = 27;
/// Number of places; a power of two.
const PLACES: usize = 4096;
/// Number of rows from which a column is worth it.
const LONG: usize = 4 * PLACES;
/// Number of columns that are worth it; together they take 8 MB.
const COLUMNS: usize = 64;

impl Recent {
    /// For each column of a table.
    pub(super) fn of_columns(row_count: usize, column_count: usize) -> Vec<Recent> {
        let free = Slot { text: [0; LONGEST], length: 0, id: EntityId(0) };
        let places = |column: usize| if row_count < LONG || column >= COLUMNS { 0 } else { PLACES };
        (0..column_count).map(|column| Recent(vec![free; places(column)])).collect()
    }

    /// Returns the entity of a text; `find` finds it if it is not at hand.
    pub(super) fn id<'t, E>(
        &mut self,
        text: &'t str,
        find: impl FnOnce(&'t str) -> Result<EntityId, E>,
    ) -> Result<EntityId, E> {
        if self.0.is_empty() || text.is_empty() || text.len() > LONGEST {
            return find(text);
        }
        let mut hash = StableHash::new(0);
        hash.write(text.as_bytes());
        let slot = &mut self.0[hash.finish() as usize % PLACES];
        if slot.text[..usize::from(slot.length)] != *text.as_bytes() {
            let id = find(text)?;
            slot.text[..text.len()].copy_from_slice(text.as_bytes());
            (slot.length, slot.id) = (text.len() as u8, id);
        }
        Ok(slot.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_at_hand_is_the_one_that_was_found() {
        let mut recent = Recent::of_columns(LONG, 1).remove(0);
        let texts: Vec<String> = (0..3 * PLACES).map(|n| format!("text {}", n % 5000)).collect();
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
}
