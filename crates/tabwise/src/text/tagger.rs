//! [`Tagger`]: gives each word its part of speech, from left to right. A word that always has the same tag gets it from
//! the lexicon. For the others, the weights of the clues in the word and its neighbours (`context`) are added up for
//! each tag, and the tag with the highest sum wins. The weights are learned by [`super::train`]. Letter case is
//! ignored.

use super::Tag;
use super::context::{Clues, Word, fixed_clues, tag_clues};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The tagger that is compiled into the program, written by `tabwise lab train-tagger`.
pub const KNOWLEDGE: &[u8] = include_bytes!("../../knowledge/tagger.bin");

/// A trained tagger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tagger {
    words: Keys,
    /// Lexicon entry of each word.
    entries: Vec<Entry>,
    clues: Keys,
    /// End of each clue's weights in `weights`; they begin at the end of those of the clue before.
    ends: Vec<u32>,
    weights: Vec<(Tag, i16)>,
}

/// Entry of the lexicon for a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// Tag that the word always has, if there is one.
    pub only: Option<Tag>,
    /// Class of the word: words of one class take the same tags. 0 is for words not in the lexicon.
    pub class: u8,
}

/// Error for bytes that are not a tagger.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("not a tagger file, or a truncated one")]
pub struct TaggerError;

impl Tagger {
    /// Returns the tags of the words of one sentence.
    pub fn tag<'w>(&self, words: impl Iterator<Item = &'w str>) -> Vec<Tag> {
        let (words, sure): (Vec<Word>, Vec<Option<Tag>>) = words.map(|text| self.look_up(text)).unzip();
        let mut tags = Vec::with_capacity(words.len());
        // Room for the 38 clues of a word.
        let mut clues = Clues::with_capacity(48);
        for (place, only) in sure.into_iter().enumerate() {
            tags.push(only.unwrap_or_else(|| self.heaviest(&words, place, &tags, &mut clues)));
        }
        tags
    }

    /// Returns the word in the form that clues are made from, and the tag that it always has.
    pub(super) fn look_up(&self, text: &str) -> (Word, Option<Tag>) {
        let mut word = Word::new(text);
        let entry = self.words.find(word.key).map(|at| self.entries[at]).unwrap_or_default();
        word.class = u32::from(entry.class);
        (word, entry.only)
    }

    /// Tag with the highest sum of weights at a place; `tags` are those of the words before it.
    fn heaviest(&self, words: &[Word], place: usize, tags: &[Tag], clues: &mut Clues) -> Tag {
        clues.clear();
        fixed_clues(words, place, clues);
        tag_clues(words, place, tags, clues);
        let mut scores = [0i32; Tag::ALL.len()];
        for &(tag, weight) in clues.iter().flat_map(|&clue| self.weights_of(clue)) {
            scores[tag as usize] += i32::from(weight);
        }
        best(&scores)
    }

    fn weights_of(&self, clue: u32) -> &[(Tag, i16)] {
        let Some(at) = self.clues.find(clue) else { return &[] };
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.weights[start as usize..self.ends[at] as usize]
    }
}

/// Returns the tag with the highest score, the first one on a tie.
pub(super) fn best<T: PartialOrd>(scores: &[T]) -> Tag {
    let mut best = 0;
    for (tag, score) in scores.iter().enumerate() {
        if *score > scores[best] {
            best = tag;
        }
    }
    Tag::ALL[best]
}

/// Keys in ascending order, searched in buckets by their first bits. Keys are hashes, so they spread evenly and a
/// bucket holds few of them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Keys {
    keys: Vec<u32>,
    /// For each value of the first bits, the number of keys with smaller first bits.
    starts: Vec<u32>,
}

impl Keys {
    /// Number of bits that select a bucket; the index of 2^16 buckets takes 256 KiB.
    const BITS: u32 = 16;

    fn new(keys: Vec<u32>) -> Keys {
        let mut starts = vec![0; (1 << Keys::BITS) + 1];
        // Counts the keys of each bucket, one place to the right; the running sum then gives the starts.
        for key in &keys {
            starts[Keys::bucket(*key) + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        Keys { keys, starts }
    }

    fn bucket(key: u32) -> usize {
        (key >> (u32::BITS - Keys::BITS)) as usize
    }

    fn find(&self, key: u32) -> Option<usize> {
        let bucket = Keys::bucket(key);
        let (start, end) = (self.starts[bucket] as usize, self.starts[bucket + 1] as usize);
        self.keys[start..end].iter().position(|&k| k == key).map(|at| start + at)
    }

    /// Returns each key as its distance from the one before: small numbers, which take fewer bytes in a file.
    fn steps(&self) -> Vec<u32> {
        let before = std::iter::once(&0).chain(&self.keys);
        self.keys.iter().zip(before).map(|(key, before)| key - before).collect()
    }

    /// Reverses [`Keys::steps`].
    fn from_steps(mut steps: Vec<u32>) -> Result<Keys, TaggerError> {
        let mut last = 0u32;
        for step in &mut steps {
            last = last.checked_add(*step).ok_or(TaggerError)?;
            *step = last;
        }
        Ok(Keys::new(steps))
    }
}

/// A tagger as it is stored: keys as steps, tags by number, for each clue the number of its weights.
#[derive(Serialize, Deserialize)]
struct Written {
    words: Vec<u32>,
    entries: Vec<(u8, u8)>,
    clues: Vec<u32>,
    counts: Vec<u8>,
    weights: Vec<(u8, i16)>,
}

/// Stored in place of a tag if there is none.
const NO_TAG: u8 = u8::MAX;

impl Tagger {
    /// Makes a tagger from its lexicon and its weights, both with keys in ascending order.
    pub(super) fn new(lexicon: Vec<(u32, Entry)>, weights: Vec<(u32, Vec<(Tag, i16)>)>) -> Tagger {
        let (words, entries) = lexicon.into_iter().unzip();
        let (clues, weights): (Vec<u32>, Vec<Vec<(Tag, i16)>>) = weights.into_iter().unzip();
        let ends = running_sum(weights.iter().map(|of_clue| of_clue.len() as u32));
        Tagger { words: Keys::new(words), entries, clues: Keys::new(clues), ends, weights: weights.concat() }
    }

    /// Reads a tagger from bytes written by [`Tagger::write`].
    pub fn read(bytes: &[u8]) -> Result<Tagger, TaggerError> {
        let written: Written = postcard::from_bytes(bytes).map_err(|_| TaggerError)?;
        let ends = running_sum(written.counts.iter().map(|&count| u32::from(count)));
        let whole = written.words.len() == written.entries.len() && written.clues.len() == ends.len();
        if !whole || ends.last().map_or(0, |&end| end as usize) != written.weights.len() {
            return Err(TaggerError);
        }
        Ok(Tagger {
            words: Keys::from_steps(written.words)?,
            entries: written.entries.into_iter().map(entry).collect::<Result<_, _>>()?,
            clues: Keys::from_steps(written.clues)?,
            ends,
            weights: written.weights.into_iter().map(|(n, weight)| Ok((tag(n)?, weight))).collect::<Result<_, _>>()?,
        })
    }

    /// Writes the tagger as bytes; equal taggers give equal bytes.
    pub fn write(&self) -> Vec<u8> {
        let before = std::iter::once(&0).chain(&self.ends);
        let written = Written {
            words: self.words.steps(),
            entries: self.entries.iter().map(|e| (e.only.map_or(NO_TAG, |tag| tag as u8), e.class)).collect(),
            clues: self.clues.steps(),
            counts: self.ends.iter().zip(before).map(|(end, start)| (end - start) as u8).collect(),
            weights: self.weights.iter().map(|&(tag, weight)| (tag as u8, weight)).collect(),
        };
        postcard::to_allocvec(&written).expect("plain numbers can always be written")
    }
}

fn running_sum(counts: impl Iterator<Item = u32>) -> Vec<u32> {
    counts
        .scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        })
        .collect()
}

fn tag(number: u8) -> Result<Tag, TaggerError> {
    Tag::ALL.get(usize::from(number)).copied().ok_or(TaggerError)
}

fn entry((only, class): (u8, u8)) -> Result<Entry, TaggerError> {
    Ok(Entry { only: if only == NO_TAG { None } else { Some(tag(only)?) }, class })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn small() -> Tagger {
        let entry = Entry { only: Some(Tag::Dt), class: 3 };
        Tagger::new(
            vec![(7, entry), (1 << 30, Entry::default())],
            vec![(5, vec![(Tag::Nn, 3), (Tag::Vb, -400)]), (u32::MAX, vec![(Tag::Jj, 1)])],
        )
    }

    #[test]
    fn what_was_written_reads_back() {
        assert_eq!(Tagger::read(&small().write()), Ok(small()));
    }

    #[test]
    fn keys_are_found() {
        let keys = Keys::new(vec![0, 1, 1 << 16, u32::MAX]);
        assert_eq!([0, 1, 2, 1 << 16, u32::MAX].map(|key| keys.find(key)), [Some(0), Some(1), None, Some(2), Some(3)]);
    }

    proptest! {
        #[test]
        fn broken_bytes_never_panic(at in 0usize..40, byte: u8) {
            let mut bytes = small().write();
            let at = at % bytes.len();
            bytes[at] = byte;
            if let Ok(tagger) = Tagger::read(&bytes) {
                tagger.tag(["which", "team", "won", "?"].into_iter());
            }
        }
    }
}
