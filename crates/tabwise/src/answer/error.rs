//! The error of the library: one type for everything that can be wrong with the input of a call.

use super::KnowledgeError;
use crate::formula::lisp::LispError;
use crate::formula::notation::NotationError;
use crate::formula::types::TypeError;
use crate::meter::Exceeded;
use crate::model::ModelError;
use crate::rank::reader::ReaderError;
use crate::settings::UnknownGroup;
use crate::table::TableError;

/// Input that cannot be used. Every message says what is wrong, where, and what would do, and is printed once: no source
/// repeats it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A table that cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table or a question that needs more memory or steps than it may use.
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    /// Files of knowledge that cannot be used.
    #[error(transparent)]
    Knowledge(#[from] KnowledgeError),
    /// A model that cannot be read.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A reader that cannot be read.
    #[error(transparent)]
    Reader(#[from] ReaderError),
    /// Settings that do not fit the rules.
    #[error(transparent)]
    Settings(#[from] UnknownGroup),
    /// The text of a formula that cannot be read.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The text of a formula in the notation of the dataset that cannot be read.
    #[error(transparent)]
    Lisp(#[from] LispError),
    /// A formula that has no type.
    #[error(transparent)]
    Type(#[from] TypeError),
}
