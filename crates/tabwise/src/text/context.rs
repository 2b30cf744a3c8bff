//! What the tagger looks at to tag a word: the word itself, how it begins and ends, what it looks like, its neighbours,
//! and the two tags before it. Each of these becomes a *cue*: a 32-bit key into the table of weights.

use super::Tag;
use super::tokens::lower;

/// A word as the tagger sees it, computed once for each token.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Word {
    /// The word, with its digits made equal.
    pub key: u32,
    /// Its last one to five letters.
    endings: [u32; 5],
    /// Its first one to three letters.
    beginnings: [u32; 3],
    shape: u32,
    /// What the lexicon says of it; 0 for a word it does not have.
    pub class: u32,
}

/// The keys of one token's cues.
pub(super) type Cues = Vec<u32>;

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

/// The key of a cue: which kind it is, and up to three parts.
fn cue(kind: u32, a: u32, b: u32, c: u32) -> u32 {
    finish(mix(mix(mix(SEED, u64::from(kind)), u64::from(a) << 32 | u64::from(b)), u64::from(c)))
}

impl Word {
    /// A word of the text, in any case.
    pub fn new(text: &str) -> Word {
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

    /// Stands before the first and after the last word.
    fn border() -> Word {
        Word { key: 1, ..Word::default() }
    }
}

/// The sign that the Penn Treebank, and so the reference, writes for a currency.
fn penn_sign(text: &str) -> &str {
    match text {
        "€" | "¥" => "$",
        "£" => "#",
        _ => text,
    }
}

/// Which kinds of characters a word has, and roughly how long it is.
fn shape(bytes: &[u8]) -> u32 {
    let has = |test: fn(&u8) -> bool| u32::from(bytes.iter().any(test));
    has(u8::is_ascii_lowercase)
        | has(u8::is_ascii_digit) << 1
        | has(|b| !b.is_ascii()) << 2
        | has(u8::is_ascii_punctuation) << 3
        | (bytes.len().min(5) as u32) << 4
}

fn at(words: &[Word], place: usize, offset: isize) -> Word {
    place.checked_add_signed(offset).and_then(|i| words.get(i)).copied().unwrap_or_else(Word::border)
}

/// The cues that do not depend on the tags given so far.
pub(super) fn fixed_cues(words: &[Word], place: usize, cues: &mut Cues) {
    let word = words[place];
    let (before, after) = (at(words, place, -1), at(words, place, 1));
    let (before2, after2) = (at(words, place, -2), at(words, place, 2));
    let [_, end2, end3, ..] = before.endings;
    let [_, next2, next3, ..] = after.endings;
    cues.extend([
        cue(1, word.key, 0, 0),
        cue(2, before.key, 0, 0),
        cue(3, after.key, 0, 0),
        cue(4, before2.key, 0, 0),
        cue(5, after2.key, 0, 0),
        cue(6, before.key, word.key, 0),
        cue(7, word.key, after.key, 0),
        cue(8, before.key, after.key, 0),
        cue(9, word.shape, 0, 0),
        cue(10, word.class, word.shape, 0),
        cue(11, word.class, before.class, 0),
        cue(12, word.class, after.class, 0),
        cue(13, after.class, after2.class, word.class),
        cue(14, end3, 0, 0),
        cue(15, next3, 0, 0),
        cue(16, next2, end2, 0),
        cue(17, word.endings[2], after.key, 0),
        cue(18, u32::from(place == 0), word.class, 0),
        cue(19, after.class, 0, 0),
        cue(20, before.class, 0, 0),
    ]);
    cues.extend((0..5).map(|n| cue(30 + n, word.endings[n as usize], 0, 0)));
    cues.extend((0..3).map(|n| cue(40 + n, word.beginnings[n as usize], 0, 0)));
}

/// The cues that depend on the one or two tags before.
pub(super) fn tag_cues(words: &[Word], place: usize, tags: &[Tag], cues: &mut Cues) {
    let tag = |back: usize| place.checked_sub(back).map_or(u32::MAX, |i| tags[i] as u32);
    let (one, two) = (tag(1), tag(2));
    let (word, after) = (words[place], at(words, place, 1));
    cues.extend([
        cue(50, one, 0, 0),
        cue(51, one, two, 0),
        cue(52, one, word.key, 0),
        cue(53, one, after.key, 0),
        cue(54, one, word.endings[2], 0),
        cue(55, one, two, word.class),
        cue(56, one, after.class, word.class),
        cue(57, one, at(words, place, -1).key, 0),
        cue(58, one, word.endings[1], after.endings[1]),
        cue(59, two, 0, 0),
    ]);
}
