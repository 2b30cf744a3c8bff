//! A string becomes tokens and values, always with positions in the original.

mod annotate;
mod context;
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
pub mod readings;
pub mod reference;
mod tag;
pub mod tagger;
pub mod tokens;
pub mod train;
pub mod values;

pub use annotate::{Agreement, Annotator, AnnotatorError, Token};
pub use tag::Tag;
pub use tagger::Tagger;
pub use tokens::{Piece, Tokeniser};
