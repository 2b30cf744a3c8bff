//! Answers questions about tables.

pub mod evaluate;
pub mod table;
pub mod text;
pub mod value;
pub mod words;
