//! Answers questions about tables.

pub mod value;
pub mod table;
