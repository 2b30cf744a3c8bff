//! Clues: the properties by which the tagger chooses the tag of a word. These are the word itself, its beginning,
//! ending and shape, its neighbours, and the two tags before it. A clue is a 32-bit hash, the key of its weights in the
//! tagger.

use super::Tag;
use super::tokens::lower;

/// A word as hashes of its parts, computed once for each token.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Word {
    /// The word, with every digit replaced by 0.
    pub key: u32,
    /// Its last one to five bytes.
    endings: [u32; 5],
    /// Its first one to three bytes.
    beginnings: [u32; 3],
    shape: u32,
    /// Class of the word in the lexicon; 0 for an unknown word.
    pub class: u32,
}

/// Clues of one token.
pub(super) type Clues = Vec<u32>;

// These hashes are stored in the tagger: a change of any constant here makes existing taggers useless.
const SEED: u64 = 0xcbf2_9ce4_8422_2325;

fn mix(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

fn finish(hash: u64) -> u32 {
    (hash.wrapping_mul(0xff51_afd7_ed55_8ccd) >> 32) as u32
}

fn hash_bytes(bytes: &[u8]) -> u32 {
    finish(bytes.iter().fold(SEED, |hash, &b| mix(hash, u64::from(b))))
}

/// Makes a clue from its kind and up to three parts.
fn clue(kind: u32, a: u32, b: u32, c: u32) -> u32 {
    finish(mix(mix(mix(SEED, u64::from(kind)), u64::from(a) << 32 | u64::from(b)), u64::from(c)))
}

impl Word {
    /// Makes a word from a token in any letter case.
    pub(super) fn new(text: &str) -> Word {
        let mut bytes = lower(penn_sign(text)).into_bytes();
        bytes.iter_mut().filter(|b| b.is_ascii_digit()).for_each(|b| *b = b'0');
        let last = |n: usize| hash_bytes(&bytes[bytes.len().saturating_sub(n)..]);
        let first = |n: usize| hash_bytes(&bytes[..n.min(bytes.len())]);
        Word {
            key: hash_bytes(&bytes),
            endings: [last(1), last(2), last(3), last(4), last(5)],
            beginnings: [first(1), first(2), first(3)],
            shape: shape(&bytes),
            class: 0,
        }
    }

    /// Returns the missing neighbour of the first and of the last word.
    fn border() -> Word {
        Word { key: 1, ..Word::default() }
    }
}

/// Maps a currency sign to the one that the Penn Treebank, and so the reference annotation, writes for it.
fn penn_sign(text: &str) -> &str {
    match text {
        "€" | "¥" => "$",
        "£" => "#",
        _ => text,
    }
}

/// Packs the kinds of characters of a word (4 bits) and its length up to 5 into a number.
fn shape(bytes: &[u8]) -> u32 {
    let has = |test: fn(&u8) -> bool| u32::from(bytes.iter().any(test));
    has(u8::is_ascii_lowercase)
        | has(u8::is_ascii_digit) << 1
        | has(|b| !b.is_ascii()) << 2
        | has(u8::is_ascii_punctuation) << 3
        | (bytes.len().min(5) as u32) << 4
}

/// Word at an offset from a place, or the border.
fn at(words: &[Word], place: usize, offset: isize) -> Word {
    place.checked_add_signed(offset).and_then(|i| words.get(i)).copied().unwrap_or_else(Word::border)
}

/// Adds the clues that do not depend on the tags given so far. The first argument of `clue` is its kind: each kind has
/// a number of its own, so that clues with equal parts differ.
pub(super) fn fixed_clues(words: &[Word], place: usize, clues: &mut Clues) {
    let word = words[place];
    let (before, after) = (at(words, place, -1), at(words, place, 1));
    let (before2, after2) = (at(words, place, -2), at(words, place, 2));
    let [_, end2, end3, ..] = before.endings;
    let [_, next2, next3, ..] = after.endings;
    clues.extend([
        clue(1, word.key, 0, 0),
        clue(2, before.key, 0, 0),
        clue(3, after.key, 0, 0),
        clue(4, before2.key, 0, 0),
        clue(5, after2.key, 0, 0),
        clue(6, before.key, word.key, 0),
        clue(7, word.key, after.key, 0),
        clue(8, before.key, after.key, 0),
        clue(9, word.shape, 0, 0),
        clue(10, word.class, word.shape, 0),
        clue(11, word.class, before.class, 0),
        clue(12, word.class, after.class, 0),
        clue(13, after.class, after2.class, word.class),
        clue(14, end3, 0, 0),
        clue(15, next3, 0, 0),
        clue(16, next2, end2, 0),
        clue(17, word.endings[2], after.key, 0),
        clue(18, u32::from(place == 0), word.class, 0),
        clue(19, after.class, 0, 0),
        clue(20, before.class, 0, 0),
    ]);
    clues.extend((0..5).map(|n| clue(30 + n, word.endings[n as usize], 0, 0)));
    clues.extend((0..3).map(|n| clue(40 + n, word.beginnings[n as usize], 0, 0)));
}

/// Adds the clues that depend on the one or two tags before.
pub(super) fn tag_clues(words: &[Word], place: usize, tags: &[Tag], clues: &mut Clues) {
    // `u32::MAX` is the tag before the first word.
    let tag = |back: usize| place.checked_sub(back).map_or(u32::MAX, |i| tags[i] as u32);
    let (one, two) = (tag(1), tag(2));
    let (word, after) = (words[place], at(words, place, 1));
    clues.extend([
        clue(50, one, 0, 0),
        clue(51, one, two, 0),
        clue(52, one, word.key, 0),
        clue(53, one, after.key, 0),
        clue(54, one, word.endings[2], 0),
        clue(55, one, two, word.class),
        clue(56, one, after.class, word.class),
        clue(57, one, at(words, place, -1).key, 0),
        clue(58, one, word.endings[1], after.endings[1]),
        clue(59, two, 0, 0),
    ]);
}
