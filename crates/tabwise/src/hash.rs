//! A hash that is stored in files: the same on every machine, whatever the versions of the libraries. Features are known
//! to a model by it, and fingerprints tell if two things were made of the same text.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Hashes pieces of text, one after the other. Pieces keep their borders: "ab", "c" and "a", "bc" differ.
#[derive(Clone, Copy, Debug)]
pub struct StableHash(u64);

/// An odd number with well-spread bits (2^64 divided by the golden ratio).
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl StableHash {
    /// A hash that begins with a number; different numbers give unrelated hashes.
    pub fn new(seed: u64) -> StableHash {
        let mut hash = StableHash(SPREAD);
        hash.add(seed);
        hash
    }

    /// Adds a number.
    pub fn add(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(SPREAD);
        self.0 = mixed ^ (mixed >> 32);
    }

    /// Adds a piece of text, eight bytes at a time. The last word also holds the number of bytes left for it, above them,
    /// so a piece that ends with zeros is not taken for a shorter one.
    pub fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.add(u64::from_le_bytes(*word)));
        self.add((rest.len() as u64 + 1) << 56 | short_word(rest));
    }

    /// The hash of all pieces.
    pub fn finish(self) -> u64 {
        let hash = self.0.wrapping_mul(SPREAD);
        hash ^ (hash >> 29)
    }
}

/// Up to seven bytes as a number, the first one lowest. The reads overlap where there are fewer bytes than places, which
/// does no harm: the same byte lands in the same place.
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

/// Short mark of some content, for telling if two things were made of the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// Fingerprint of pieces of content, in their order.
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
