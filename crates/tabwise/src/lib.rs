//! Answers questions about tables.

pub mod table;
pub mod value;
