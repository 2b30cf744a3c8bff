//! The encoder: a BERT with 8-bit weights. Texts are read together: their tokens are rows of one matrix, without padding, and
//! only attention keeps them apart. The rows of a product do not depend on one another, so the score of a text is the
//! same bits whichever texts are read with it.

use super::attention::Scratch;
use super::float::{self, Norm};
use super::matrix::{Matrix, Rows};
use super::product::Instructions;
use super::weights::{File, Header, ReaderError, TYPES};
use std::borrow::Cow;

/// Layers and embeddings.
pub(super) struct Encoder {
    hidden: usize,
    heads: usize,
    /// Embeddings of words in 8 bits; those of a file that is part of the program stay where they are.
    words: Cow<'static, [u8]>,
    /// Factor of each word's embedding.
    scales: Vec<f32>,
    positions: Vec<f32>,
    types: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
    head: Vec<f32>,
    bias: f32,
}

struct Layer {
    /// Query, key and value.
    project: Matrix,
    /// Output of attention.
    collect: Matrix,
    norm: Norm,
    up: Matrix,
    down: Matrix,
    final_norm: Norm,
}

/// Texts to read, as rows of tokens.
#[derive(Default)]
pub(super) struct Batch {
    /// Id, position and type of each token.
    tokens: Vec<[u32; 3]>,
    /// Number of tokens of each text.
    lengths: Vec<usize>,
}

impl Batch {
    /// Adds a text: pieces of the first type, then pieces of the second.
    pub(super) fn push(&mut self, parts: [Vec<u32>; TYPES]) {
        let typed = parts.into_iter().zip(0..).flat_map(|(part, kind)| part.into_iter().map(move |id| (id, kind)));
        let before = self.tokens.len();
        self.tokens.extend(typed.zip(0..).map(|((id, kind), position)| [id, position, kind]));
        self.lengths.push(self.tokens.len() - before);
    }

    /// Number of tokens.
    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }
}

/// Number of tokens that go through the feed-forward step at once.
const AT_ONCE: usize = 48;

/// Memory for the rows of a batch, to be used again for the next.
#[derive(Default)]
pub(super) struct Work {
    /// Rows of the tokens.
    x: Vec<f32>,
    rows: Rows,
    /// Queries, keys and values, or what the feed-forward step makes of a row.
    wide: Vec<f32>,
    /// Result of attention or of the feed-forward step.
    change: Vec<f32>,
    scratch: Scratch,
}

impl Encoder {
    /// Takes the arrays of a file; `keep` says how the embeddings of words are kept.
    pub(super) fn new<'b>(
        mut file: File<'b>,
        keep: impl FnOnce(&'b [u8]) -> Cow<'static, [u8]>,
    ) -> Result<Encoder, ReaderError> {
        let Header { layers, hidden, heads, ff, positions, vocabulary, bias, .. } = file.header;
        Ok(Encoder {
            hidden,
            heads,
            bias,
            words: keep(file.bytes(vocabulary * hidden)?),
            scales: file.floats(vocabulary)?,
            positions: file.floats(positions * hidden)?,
            types: file.floats(TYPES * hidden)?,
            norm: norm(&mut file, hidden)?,
            layers: (0..layers).map(|_| Layer::new(&mut file, hidden, ff)).collect::<Result<_, _>>()?,
            head: file.floats(hidden)?,
        })
    }

    /// Score of each text.
    pub(super) fn scores(&self, batch: &Batch, set: Instructions, work: &mut Work) -> Vec<f32> {
        let mut x = std::mem::take(&mut work.x);
        x.resize(batch.tokens.len() * self.hidden, 0.0);
        self.embed(batch, &mut x);
        for layer in &self.layers {
            layer.attend(self.heads, &batch.lengths, set, &mut x, work);
            layer.feed_forward(set, &mut x, work);
        }
        work.x = x;
        let mut rest = work.x.as_slice();
        let texts = batch.lengths.iter().map(|length| rest.split_off(..length * self.hidden).unwrap_or_default());
        texts.map(|text| self.score(text)).collect()
    }

    /// Embeds each token by its word, its type and its position.
    fn embed(&self, batch: &Batch, x: &mut [f32]) {
        let hidden = self.hidden;
        for (row, token) in x.chunks_exact_mut(hidden).zip(&batch.tokens) {
            let [word, position, kind] = token.map(|id| id as usize);
            let words = &self.words[word * hidden..][..hidden];
            let others = self.types[kind * hidden..][..hidden].iter().zip(&self.positions[position * hidden..]);
            for ((x, word), (kind, position)) in row.iter_mut().zip(words).zip(others) {
                *x = f32::from(*word as i8) * self.scales[token[0] as usize] + kind + position;
            }
            float::normalise(row, &self.norm);
        }
    }

    /// Score of a text by its rows: the head's product with the mean of the first row and of the mean row.
    fn score(&self, text: &[f32]) -> f32 {
        let rows = text.chunks_exact(self.hidden);
        let count = rows.len() as f32;
        let mut mean = vec![0.0; self.hidden];
        rows.for_each(|row| mean.iter_mut().zip(row).for_each(|(mean, x)| *mean += x));
        let pooled: Vec<f32> = mean.iter().zip(text).map(|(sum, first)| (sum / count + first) / 2.0).collect();
        float::dot(&self.head, &pooled) + self.bias
    }
}

fn norm(file: &mut File, hidden: usize) -> Result<Norm, ReaderError> {
    Ok(Norm { gain: file.floats(hidden)?, bias: file.floats(hidden)? })
}

impl Layer {
    fn new(file: &mut File, hidden: usize, ff: usize) -> Result<Layer, ReaderError> {
        let mut matrix = |outs, ins| file.matrix(outs, ins).map(|raw| Matrix::new(&raw));
        Ok(Layer {
            project: matrix(3 * hidden, hidden)?,
            collect: matrix(hidden, hidden)?,
            norm: norm(file, hidden)?,
            up: Matrix::new(&file.matrix(ff, hidden)?),
            down: Matrix::new(&file.matrix(hidden, ff)?),
            final_norm: norm(file, hidden)?,
        })
    }

    /// Lets the tokens of each text look at one another.
    fn attend(&self, heads: usize, lengths: &[usize], set: Instructions, x: &mut [f32], work: &mut Work) {
        let Work { rows, wide, change, scratch, .. } = work;
        let hidden = self.collect.outs;
        let (wide, change) = (room(wide, 3 * x.len()), room(change, x.len()));
        multiply(x, &self.project, set, rows, wide);
        let (mut from, mut to) = (&*wide, &mut *change);
        for length in lengths {
            let projected = from.split_off(..3 * length * hidden).unwrap_or_default();
            let out = to.split_off_mut(..length * hidden).unwrap_or_default();
            scratch.attend(projected, hidden, heads, set, out);
        }
        rows.resize(x.len() / hidden, hidden);
        set.quantise(change, rows);
        set.multiply(rows, &self.collect, change);
        set.add_and_normalise(x, change, &self.norm);
    }

    /// Works on each token alone, some at a time, so that what is made of them stays in the cache.
    fn feed_forward(&self, set: Instructions, x: &mut [f32], work: &mut Work) {
        let Work { rows, wide, change, .. } = work;
        let hidden = self.up.ins;
        for x in x.chunks_mut(AT_ONCE * hidden) {
            let (wide, change) = (room(wide, x.len() / hidden * self.up.outs), room(change, x.len()));
            multiply(x, &self.up, set, rows, wide);
            set.gelu(wide);
            multiply(wide, &self.down, set, rows, change);
            set.add_and_normalise(x, change, &self.final_norm);
        }
    }
}

/// The first numbers of a list, which is made longer if needed. What they are is not defined.
fn room(list: &mut Vec<f32>, len: usize) -> &mut [f32] {
    if list.len() < len {
        list.resize(len, 0.0);
    }
    &mut list[..len]
}

/// Rounds rows to 8 bits and multiplies them by a matrix.
fn multiply(from: &[f32], matrix: &Matrix, set: Instructions, rows: &mut Rows, out: &mut [f32]) {
    rows.resize(from.len() / matrix.ins, matrix.ins);
    set.quantise(from, rows);
    set.multiply(rows, matrix, out);
}
