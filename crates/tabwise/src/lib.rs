//! Answers questions about tables.

pub mod table;
pub mod text;
pub mod value;
pub mod words;
