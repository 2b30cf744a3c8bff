//! WordPiece: cuts a text into pieces of a vocabulary, as BERT's tokenizer for text without letter case does. Accents and
//! letter case are dropped, words end at white space, and signs and ideographs are words of their own. A word is cut
//! into the longest pieces from left to right, of which all but the first begin with `##` in the vocabulary.

use super::characters::{is_accent, is_dropped, is_ideograph, is_punctuation};
use super::weights::{ReaderError, content};
use crate::hash::StableHash;
use rustc_hash::FxHashMap;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;

/// A vocabulary, asked by text.
pub(super) struct WordPiece {
    /// The pieces, one a line.
    text: Box<str>,
    /// Place of each piece in the text, without `##`.
    places: Vec<Range<usize>>,
    /// Id of each piece by its hash.
    ids: FxHashMap<u64, u32>,
    /// Bytes of the longest piece.
    longest: usize,
    /// Piece before a pair of texts.
    pub(super) start: u32,
    /// Piece after each text of a pair.
    pub(super) end: u32,
    /// Piece for a word that cannot be cut.
    unknown: u32,
}

/// Position of a piece in its word; it distinguishes hashes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    First,
    Later,
}

/// Number of characters up to which a word is cut.
const LONG: usize = 100;
/// Beginning of pieces that continue a word.
const CONTINUES: &str = "##";

impl WordPiece {
    /// Reads a vocabulary of so many pieces, one a line.
    pub(super) fn new(text: &str, count: usize) -> Result<WordPiece, ReaderError> {
        let mut ids = FxHashMap::with_capacity_and_hasher(count.min(text.len() + 1), Default::default());
        let (mut places, mut longest, mut at) = (Vec::new(), 0, 0);
        for (id, piece) in text.split('\n').enumerate() {
            let (position, name) = match piece.strip_prefix(CONTINUES) {
                Some(name) => (Position::Later, name),
                None => (Position::First, piece),
            };
            if ids.insert(hash(position, name), id as u32).is_some() {
                return Err(content("its vocabulary has a piece twice"));
            }
            places.push(at + piece.len() - name.len()..at + piece.len());
            longest = longest.max(name.len());
            at += piece.len() + 1;
        }
        if places.len() != count {
            return Err(content("its vocabulary does not have the size of its header"));
        }
        let own = WordPiece { text: text.into(), places, ids, longest, start: 0, end: 0, unknown: 0 };
        Ok(WordPiece {
            start: own.special("[CLS]")?,
            end: own.special("[SEP]")?,
            unknown: own.special("[UNK]")?,
            ..own
        })
    }

    /// The first pieces of a text, `most` at most.
    pub(super) fn pieces(&self, text: &str, most: usize) -> Vec<u32> {
        let (mut pieces, mut word) = (Vec::new(), String::new());
        for c in plain(text) {
            let is_alone = is_punctuation(c) || is_ideograph(c);
            if !is_alone && !c.is_whitespace() {
                word.push(c);
                continue;
            }
            self.cut(&word, &mut pieces);
            word.clear();
            if is_alone {
                self.cut(c.encode_utf8(&mut [0; 4]), &mut pieces);
            }
            if pieces.len() >= most {
                break;
            }
        }
        self.cut(&word, &mut pieces);
        pieces.truncate(most);
        pieces
    }

    /// Cuts a word into pieces; one that cannot be cut is the unknown piece.
    fn cut(&self, word: &str, pieces: &mut Vec<u32>) {
        let (before, mut rest, mut position) = (pieces.len(), word, Position::First);
        let is_long = word.len() > LONG && word.chars().count() > LONG;
        while !rest.is_empty() {
            let Some((id, len)) = self.longest_piece(position, rest).filter(|_| !is_long) else {
                pieces.truncate(before);
                pieces.push(self.unknown);
                return;
            };
            pieces.push(id);
            (rest, position) = (&rest[len..], Position::Later);
        }
    }

    /// The longest piece that a text begins with, and its length.
    fn longest_piece(&self, position: Position, text: &str) -> Option<(u32, usize)> {
        let ends = (1..=text.len().min(self.longest)).rev().filter(|end| text.is_char_boundary(*end));
        ends.into_iter().find_map(|end| Some((self.id(position, &text[..end])?, end)))
    }

    fn id(&self, position: Position, text: &str) -> Option<u32> {
        let id = *self.ids.get(&hash(position, text))?;
        (&self.text[self.places[id as usize].clone()] == text).then_some(id)
    }

    fn special(&self, name: &str) -> Result<u32, ReaderError> {
        self.id(Position::First, name).ok_or_else(|| content(&format!("its vocabulary lacks {name}")))
    }
}

fn hash(position: Position, text: &str) -> u64 {
    let mut hash = StableHash::new(position as u64);
    hash.write(text.as_bytes());
    hash.finish()
}

/// The characters of a text in lower case and without accents; invisible ones are dropped.
fn plain(text: &str) -> impl Iterator<Item = char> {
    let seen = text.chars().filter(|c| !is_dropped(*c));
    seen.nfd().filter(|c| !is_accent(*c)).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIECES: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nun\n##aff\n##able\naffable\n,\n–\n東\n京\ncafe\n##s\n1\n##9";

    fn cut(text: &str) -> String {
        let pieces = WordPiece::new(PIECES, 16).expect("the vocabulary is whole");
        let names: Vec<&str> = PIECES.split('\n').collect();
        pieces.pieces(text, 100).into_iter().map(|id| names[id as usize]).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_are_cut_into_the_longest_pieces() {
        assert_eq!(cut("unaffable affable"), "un ##aff ##able affable");
        assert_eq!(cut("UN, Cafés\u{a0}199"), "un , cafe ##s 1 ##9 ##9");
        assert_eq!(cut("un–un東京un\u{200b}\0\u{b}s\tun"), "un – un 東 京 un ##s un");
        assert_eq!(cut("unaffab dog [SEP]"), "[UNK] [UNK] [UNK] [UNK] [UNK]");
        assert_eq!(cut(&"un".repeat(60)), "[UNK]");
        assert_eq!(cut(" \n"), "");
    }

    #[test]
    fn pieces_are_counted() {
        let pieces = WordPiece::new(PIECES, 16).expect("the vocabulary is whole");
        assert_eq!(pieces.pieces("un un unaffable", 4), [4, 4, 4, 5]);
        assert!(pieces.pieces("un", 0).is_empty());
    }

    #[test]
    fn wrong_vocabularies_are_errors() {
        for (text, count) in [(PIECES, 15), ("[CLS]\n[SEP]\nun", 3), ("[CLS]\n[SEP]\n[UNK]\n[SEP]", 4)] {
            assert!(WordPiece::new(text, count).is_err(), "{text}");
        }
    }
}
