//! The weights file of the reader: a header, the vocabulary, the arrays in a fixed order, and a checksum of all of it. Every
//! size is checked against the length of the file before anything is allocated, so memory is bounded by the file.
//!
//! ```text
//! TWREADER  version  header (JSON)  vocabulary  arrays  CRC32
//! ```
//!
//! Numbers are little-endian, texts are preceded by their length. Arrays follow one another without padding: words
//! (bytes, scales), positions, types, norm; for each layer query-key-value, output, norm, up, down, norm; the head.

use serde::Deserialize;

/// Sizes and constants of an encoder.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub(super) layers: usize,
    /// Width of a token.
    pub(super) hidden: usize,
    /// Heads of attention.
    pub(super) heads: usize,
    /// Width of the feed-forward step.
    pub(super) ff: usize,
    /// Positions that a token may have.
    pub(super) positions: usize,
    /// Number of pieces.
    pub(super) vocabulary: usize,
    /// Weight of the linear ranker's score.
    pub(super) w: f32,
    /// Added to each score.
    pub(super) bias: f32,
    /// Description of the training, for people.
    pub(super) made: String,
}

/// A weights file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReaderError {
    /// Another kind of file.
    #[error("this is not a reader of tabwise (it should begin with {:?})", String::from_utf8_lossy(MAGIC))]
    Magic,
    /// A file of another version.
    #[error("the reader is of version {0}, but this program reads version {VERSION}")]
    Version(u32),
    /// Missing or changed bytes.
    #[error("the reader is cut off or damaged")]
    Damaged,
    /// Content that this program does not know.
    #[error("the reader does not fit this program: {0}")]
    Content(String),
}

/// First bytes of a file.
const MAGIC: &[u8] = b"TWREADER";
/// Version of the layout.
const VERSION: u32 = 1;
/// Longest header, in bytes.
const MOST_HEADER: usize = 1 << 16;
/// Number of types of tokens: the question's and the candidate's.
pub(super) const TYPES: usize = 2;
/// Number of positions that a text can take.
pub(super) const TOKENS: usize = 96;

/// A file whose checksum and sizes are right; its arrays are taken one after the other.
pub(super) struct File<'b> {
    pub(super) header: Header,
    /// Pieces, one a line.
    pub(super) vocabulary: &'b str,
    /// Arrays that are still to be taken.
    arrays: &'b [u8],
}

/// A matrix as the file has it, with a row of weights for each output.
pub(super) struct RawMatrix<'b> {
    pub(super) outs: usize,
    pub(super) ins: usize,
    pub(super) weights: &'b [u8],
    /// Factor of each row.
    pub(super) scales: Vec<f32>,
    pub(super) biases: Vec<f32>,
}

impl File<'_> {
    pub(super) fn parse(bytes: &[u8]) -> Result<File<'_>, ReaderError> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(ReaderError::Magic)?;
        let version = number(&mut rest)?;
        if version != VERSION {
            return Err(ReaderError::Version(version));
        }
        let (all, sum) = bytes.split_last_chunk().ok_or(ReaderError::Damaged)?;
        if crc32fast::hash(all) != u32::from_le_bytes(*sum) {
            return Err(ReaderError::Damaged);
        }
        rest = rest.strip_suffix(sum).ok_or(ReaderError::Damaged)?;
        let header = text(&mut rest)?;
        if header.len() > MOST_HEADER {
            return Err(content("its header is too long"));
        }
        let header: Header = serde_json::from_str(header).map_err(|error| content(&error.to_string()))?;
        header.check()?;
        let vocabulary = text(&mut rest)?;
        if header.size_of_arrays() != rest.len() as u64 {
            return Err(content("its arrays do not have the sizes of its header"));
        }
        Ok(File { header, vocabulary, arrays: rest })
    }
}

impl<'b> File<'b> {
    /// Takes bytes.
    pub(super) fn bytes(&mut self, len: usize) -> Result<&'b [u8], ReaderError> {
        self.arrays.split_off(..len).ok_or(ReaderError::Damaged)
    }

    /// Takes numbers, which must be finite.
    pub(super) fn floats(&mut self, len: usize) -> Result<Vec<f32>, ReaderError> {
        let bytes = self.bytes(len * size_of::<f32>())?;
        let floats: Vec<f32> = bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
        match floats.iter().all(|float| float.is_finite()) {
            true => Ok(floats),
            false => Err(content("it has numbers that are not finite")),
        }
    }

    pub(super) fn matrix(&mut self, outs: usize, ins: usize) -> Result<RawMatrix<'b>, ReaderError> {
        let weights = self.bytes(outs * ins)?;
        Ok(RawMatrix { outs, ins, weights, scales: self.floats(outs)?, biases: self.floats(outs)? })
    }
}

impl Header {
    /// Checks that the sizes are possible and not absurd.
    fn check(&self) -> Result<(), ReaderError> {
        let is_width = |size: usize, most: usize| (4..=most).contains(&size) && size.is_multiple_of(4);
        let fits = is_width(self.hidden, 4096)
            && is_width(self.ff, 16_384)
            && (1..=48).contains(&self.layers)
            && (1..=self.hidden).contains(&self.heads)
            && self.hidden.is_multiple_of(self.heads)
            && (TOKENS..=4096).contains(&self.positions)
            && (3..=1_000_000).contains(&self.vocabulary)
            && self.w.is_finite()
            && self.bias.is_finite();
        if fits { Ok(()) } else { Err(content("its header has impossible sizes")) }
    }

    /// Bytes of all arrays. No product overflows, since the sizes were checked.
    fn size_of_arrays(&self) -> u64 {
        let [hidden, ff, layers] = [self.hidden, self.ff, self.layers].map(|size| size as u64);
        let [positions, vocabulary] = [self.positions, self.vocabulary].map(|size| size as u64);
        let matrix = |outs: u64, ins: u64| outs * ins + 8 * outs;
        let norm = 8 * hidden;
        let embeddings = vocabulary * (hidden + 4) + 4 * hidden * (positions + TYPES as u64) + norm;
        let attention = matrix(3 * hidden, hidden) + matrix(hidden, hidden) + norm;
        let forward = matrix(ff, hidden) + matrix(hidden, ff) + norm;
        embeddings + layers * (attention + forward) + 4 * hidden
    }
}

/// The error for content that does not fit.
pub(super) fn content(why: &str) -> ReaderError {
    ReaderError::Content(why.to_string())
}

/// Takes a text that is preceded by its length.
fn text<'b>(rest: &mut &'b [u8]) -> Result<&'b str, ReaderError> {
    let len = number(rest)? as usize;
    let (taken, left) = rest.split_at_checked(len).ok_or(ReaderError::Damaged)?;
    *rest = left;
    std::str::from_utf8(taken).map_err(|_| content("it has a text that is not UTF-8"))
}

fn number(rest: &mut &[u8]) -> Result<u32, ReaderError> {
    let (four, left) = rest.split_first_chunk().ok_or(ReaderError::Damaged)?;
    *rest = left;
    Ok(u32::from_le_bytes(*four))
}
