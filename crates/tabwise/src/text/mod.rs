//! Text analysis. [`Annotator`] turns a string into tokens with lemmas and part-of-speech tags, [`values::find_values`]
//! finds the numbers and dates of a question, and [`readings::read_cell`] finds the possible meanings of a cell's text.
//! Tokens and values always carry their positions in the original.

mod annotate;
pub mod clock;
mod context;
pub mod convention;
pub(crate) mod dashes;
pub(crate) mod dates;
mod durations;
pub mod escapes;
pub mod headword;
pub mod lemma;
mod lexemes;
pub mod normalise;
mod number_words;
pub(crate) mod numerals;
pub mod ranges;
pub mod readings;
pub mod reference;
pub(crate) mod stem;
mod tag;
pub mod tagger;
pub mod tokens;
pub mod train;
pub mod values;

pub use annotate::{Agreement, Annotator, AnnotatorError, Token};
pub use tag::Tag;
pub use tagger::Tagger;
pub use tokens::{Piece, Tokeniser};
