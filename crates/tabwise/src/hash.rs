//! [`StableHash`], a hash that may be stored in files: it is the same on every machine and for every version of the
//! dependencies. A model identifies its features by it, and a [`Fingerprint`] tells if two things were made from the
//! same content.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Hashes pieces of text, one after the other. Pieces keep their borders: "ab", "c" and "a", "bc" differ.
#[derive(Clone, Copy, Debug)]
pub struct StableHash(u64);

/// Multiplier of the mixing step: 2^64 divided by the golden ratio. It is odd, so multiplication loses nothing, and its
/// bits are well spread.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl StableHash {
    /// Starts a hash from a seed; different seeds give unrelated hashes.
    pub fn new(seed: u64) -> StableHash {
        let mut hash = StableHash(SPREAD);
        hash.add(seed);
        hash
    }

    /// Adds a number.
    #[inline]
    pub fn add(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(SPREAD);
        // A product carries bits upwards only; the shift brings the upper half down again.
        self.0 = mixed ^ (mixed >> 32);
    }

    /// Adds a piece of text, eight bytes at a time. The top byte of the last word holds the number of remaining bytes,
    /// so a piece that ends with zeros differs from a shorter one.
    #[inline]
    pub fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.add(u64::from_le_bytes(*word)));
        self.add((rest.len() as u64 + 1) << 56 | short_word(rest));
    }

    /// Returns the hash of everything added so far.
    pub fn finish(self) -> u64 {
        let hash = self.0.wrapping_mul(SPREAD);
        hash ^ (hash >> 29)
    }
}

/// Reads up to seven bytes as a little-endian number. The reads overlap if there are few bytes, which does no harm: a
/// byte that is read twice is shifted to the same position both times.
#[inline]
fn short_word(bytes: &[u8]) -> u64 {
    let byte = |at: usize| u64::from(bytes[at]) << (8 * at);
    match (bytes.len(), bytes.first_chunk(), bytes.last_chunk()) {
        (len, Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << (8 * (len - 4))
        }
        (0, ..) => 0,
        (len, ..) => byte(0) | byte(len / 2) | byte(len - 1),
    }
}

/// A short hash of some content, to tell if two things were made from the same content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// Returns the fingerprint of pieces of content; their order counts.
    pub fn of<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> Fingerprint {
        let mut hash = StableHash::new(0);
        pieces.into_iter().for_each(|piece| hash.write(piece));
        Fingerprint(hash.finish())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(pieces: &[&str]) -> u64 {
        let mut hash = StableHash::new(7);
        pieces.iter().for_each(|piece| hash.write(piece.as_bytes()));
        hash.finish()
    }

    /// Stored models depend on these numbers: they must never change.
    #[test]
    fn hashes_stay_the_same() {
        let mut empty = StableHash::new(0);
        empty.write(b"");
        let known = [empty.finish(), hash(&["how many", "count"]), hash(&["a longer piece of text"])];
        assert_eq!(known.map(|n| format!("{n:016x}")), ["c6d2bf04f8f97652", "385e7ab0e2541496", "6a1be6deb5a12404"]);
    }

    #[test]
    fn pieces_keep_their_borders() {
        let all = [hash(&["ab", "c"]), hash(&["a", "bc"]), hash(&["abc"]), hash(&["abc", ""]), hash(&["abc\0"])];
        for (at, one) in all.iter().enumerate() {
            assert!(all[at + 1..].iter().all(|other| other != one));
        }
    }
}
