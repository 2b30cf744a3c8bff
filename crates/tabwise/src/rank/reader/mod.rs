//! The reader: a small pretrained encoder that reads the question beside a candidate in words, and tells how well the two
//! fit. The linear model knows the words of its training; the reader knows that "who won" asks for the champion. It runs
//! on a CPU without any library: `weights` reads its file, `wordpiece` cuts texts into tokens, `encoder` computes
//! scores with the instructions that `product` finds. Scores are the same bits for any batch, any number of threads
//! and any instructions.

mod attention;
mod characters;
mod embedded;
mod encoder;
mod float;
mod matrix;
mod product;
mod weights;
mod wordpiece;

pub use product::Instructions;
pub use weights::ReaderError;

use embedded::EMBEDDED;
use encoder::{Batch, Encoder, Work};
use std::borrow::Cow;
use weights::{File, TOKENS, TYPES};
use wordpiece::WordPiece;

/// A reader, ready for use.
pub struct Reader {
    pieces: WordPiece,
    encoder: Encoder,
    linear_weight: f32,
    made: String,
    instructions: Instructions,
}

/// Number of pieces of a question that are read.
const QUESTION: usize = 40;
/// Number of pieces of a text that are not of the question or the candidate.
const SPECIAL: usize = 3;
/// Number of tokens from which texts are read together: enough for fast products, few enough for the cache.
const TOGETHER: usize = 180;

impl Reader {
    /// The reader that is part of the program, if there is one.
    pub fn embedded() -> Option<Reader> {
        let read = || Reader::read_static(EMBEDDED).expect("the embedded reader is tested");
        (!EMBEDDED.is_empty()).then(read)
    }

    /// Reads a weights file.
    ///
    /// # Errors
    ///
    /// If the file is something else, of another version, cut off or changed.
    pub fn read(bytes: &[u8]) -> Result<Reader, ReaderError> {
        Reader::new(File::parse(bytes)?, |words| Cow::Owned(words.to_vec()))
    }

    /// Reads a weights file that is part of the program. A part of it is used where it is.
    ///
    /// # Errors
    ///
    /// As for [`Reader::read`].
    pub fn read_static(bytes: &'static [u8]) -> Result<Reader, ReaderError> {
        Reader::new(File::parse(bytes)?, Cow::Borrowed)
    }

    fn new<'b>(file: File<'b>, keep: impl FnOnce(&'b [u8]) -> Cow<'static, [u8]>) -> Result<Reader, ReaderError> {
        let (linear_weight, made) = (file.header.w, file.header.made.clone());
        let pieces = WordPiece::new(file.vocabulary, file.header.vocabulary)?;
        let encoder = Encoder::new(file, keep)?;
        Ok(Reader { pieces, encoder, linear_weight, made, instructions: Instructions::best() })
    }

    /// The reader with other instructions than the fastest.
    pub fn with_instructions(self, instructions: Instructions) -> Reader {
        Reader { instructions, ..self }
    }

    /// Instructions that it uses.
    pub fn instructions(&self) -> Instructions {
        self.instructions
    }

    /// Weight of the linear ranker's score beside the reader's.
    pub fn linear_weight(&self) -> f32 {
        self.linear_weight
    }

    /// Description of its training.
    pub fn made(&self) -> &str {
        &self.made
    }

    /// How well each text fits a question; only the order and the differences mean something.
    pub fn scores(&self, question: &str, texts: &[impl AsRef<str>]) -> Vec<f32> {
        let question = self.pieces.pieces(question, QUESTION);
        let mut scores = Vec::with_capacity(texts.len());
        let (mut batch, mut work) = (Batch::default(), Work::default());
        for (at, text) in texts.iter().enumerate() {
            batch.push(self.pair(&question, text.as_ref()));
            if batch.len() >= TOGETHER || at + 1 == texts.len() {
                scores.extend(self.encoder.scores(&std::mem::take(&mut batch), self.instructions, &mut work));
            }
        }
        scores
    }

    /// Ids of the pieces that are read for a question and a text.
    pub fn pieces(&self, question: &str, text: &str) -> Vec<u32> {
        self.pair(&self.pieces.pieces(question, QUESTION), text).concat()
    }

    /// Pieces of a question and of a text, with the special ones around them.
    fn pair(&self, question: &[u32], text: &str) -> [Vec<u32>; TYPES] {
        let WordPiece { start, end, .. } = self.pieces;
        let text = self.pieces.pieces(text, TOKENS - SPECIAL - question.len());
        [[&[start], question, &[end]].concat(), [text, vec![end]].concat()]
    }
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Reader").field("made", &self.made).field("instructions", &self.instructions).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_reader_can_be_read() {
        let scores = Reader::embedded().map(|reader| reader.scores("which city?", &["the City = Athens ; City"]));
        assert!(scores.is_none_or(|scores| scores[0].is_finite()));
    }
}
