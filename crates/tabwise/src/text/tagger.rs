//! The tagger: gives each word its part of speech, from left to right. A word that has only one tag gets it from a list;
//! for the others the weights of what surrounds it ([`super::context`]) are added up for each tag, and the heaviest wins.
//! The weights are learned by [`super::train`]; nothing here depends on the case of letters.

use super::Tag;
use super::context::{Cues, Word, fixed_cues, tag_cues};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The embedded tagger, written by `tabwise train-tagger`.
pub const KNOWLEDGE: &[u8] = include_bytes!("../../knowledge/tagger.bin");

/// A trained tagger.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tagger {
    /// What is known of each word, by its key.
    pub(super) lexicon: FxHashMap<u32, Entry>,
    /// For each cue, where its weights are.
    cues: FxHashMap<u32, (u32, u32)>,
    weights: Vec<(Tag, i16)>,
}

/// What the lexicon knows of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// The tag it always has, if there is one.
    pub only: Option<Tag>,
    /// Words of the same class behave alike; 0 is for words not in the lexicon.
    pub class: u8,
}

/// A tagger as it is written: keys in order, each as its distance from the one before; tags by number.
#[derive(Serialize, Deserialize)]
struct Written {
    lexicon: Vec<(u32, u8, u8)>,
    weights: Vec<(u32, Vec<(u8, i16)>)>,
}

/// The number that stands for no tag.
const NO_TAG: u8 = u8::MAX;

/// Why bytes are not a tagger.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("not a tagger file, or one that was cut off")]
pub struct TaggerError;

impl Tagger {
    /// The tags of the words of one sentence.
    pub fn tag<'w>(&self, words: impl Iterator<Item = &'w str>) -> Vec<Tag> {
        let words: Vec<Word> = words.map(|text| self.look_up(text)).collect();
        let mut tags = Vec::with_capacity(words.len());
        let mut cues = Cues::with_capacity(48);
        for (place, word) in words.iter().enumerate() {
            let only = self.lexicon.get(&word.key).and_then(|entry| entry.only);
            tags.push(only.unwrap_or_else(|| self.heaviest(&words, place, &tags, &mut cues)));
        }
        tags
    }

    pub(super) fn look_up(&self, text: &str) -> Word {
        let mut word = Word::new(text);
        word.class = self.lexicon.get(&word.key).map_or(0, |entry| u32::from(entry.class));
        word
    }

    fn heaviest(&self, words: &[Word], place: usize, tags: &[Tag], cues: &mut Cues) -> Tag {
        cues.clear();
        fixed_cues(words, place, cues);
        tag_cues(words, place, tags, cues);
        let mut scores = [0i32; Tag::ALL.len()];
        for &(start, end) in cues.iter().filter_map(|cue| self.cues.get(cue)) {
            let weights = &self.weights[start as usize..end as usize];
            weights.iter().for_each(|&(tag, weight)| scores[tag as usize] += i32::from(weight));
        }
        best(&scores)
    }

    /// A tagger from its lexicon and its weights.
    pub(super) fn new(lexicon: FxHashMap<u32, Entry>, weights: impl Iterator<Item = (u32, Vec<(Tag, i16)>)>) -> Tagger {
        let mut tagger = Tagger { lexicon, ..Tagger::default() };
        for (cue, of_cue) in weights {
            let start = tagger.weights.len() as u32;
            tagger.weights.extend(of_cue);
            tagger.cues.insert(cue, (start, tagger.weights.len() as u32));
        }
        tagger
    }

    /// Reads what [`Tagger::write`] wrote.
    pub fn read(bytes: &[u8]) -> Result<Tagger, TaggerError> {
        let written: Written = postcard::from_bytes(bytes).map_err(|_| TaggerError)?;
        let mut key = 0u32;
        let mut lexicon = FxHashMap::with_capacity_and_hasher(written.lexicon.len(), Default::default());
        for (step, only, class) in written.lexicon {
            key = key.wrapping_add(step);
            let only = if only == NO_TAG { None } else { Some(tag(only)?) };
            lexicon.insert(key, Entry { only, class });
        }
        key = 0;
        let mut weights = Vec::with_capacity(written.weights.len());
        for (step, of_cue) in written.weights {
            key = key.wrapping_add(step);
            weights.push((key, of_cue.into_iter().map(|(t, w)| Ok((tag(t)?, w))).collect::<Result<Vec<_>, _>>()?));
        }
        Ok(Tagger::new(lexicon, weights.into_iter()))
    }

    /// The tagger as bytes; equal taggers give equal bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut words: Vec<_> = self.lexicon.iter().collect();
        words.sort_unstable_by_key(|(key, _)| **key);
        let mut cues: Vec<_> = self.cues.iter().collect();
        cues.sort_unstable();
        let (mut last_word, mut last_cue) = (0, 0);
        let written = Written {
            lexicon: words
                .iter()
                .map(|&(&key, e)| (step(&mut last_word, key), e.only.map_or(NO_TAG, |t| t as u8), e.class))
                .collect(),
            weights: cues.iter().map(|&(&key, &range)| (step(&mut last_cue, key), self.numbered(range))).collect(),
        };
        postcard::to_allocvec(&written).expect("plain numbers can always be written")
    }

    fn numbered(&self, (start, end): (u32, u32)) -> Vec<(u8, i16)> {
        self.weights[start as usize..end as usize].iter().map(|&(tag, weight)| (tag as u8, weight)).collect()
    }
}

fn tag(number: u8) -> Result<Tag, TaggerError> {
    Tag::ALL.get(usize::from(number)).copied().ok_or(TaggerError)
}

/// The distance from the last key, which becomes this one.
fn step(last: &mut u32, key: u32) -> u32 {
    key - std::mem::replace(last, key)
}

/// The first tag with the highest score.
pub(super) fn best<T: PartialOrd>(scores: &[T]) -> Tag {
    let mut best = 0;
    for (tag, score) in scores.iter().enumerate() {
        if *score > scores[best] {
            best = tag;
        }
    }
    Tag::ALL[best]
}
