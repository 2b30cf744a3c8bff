//! Answers questions about tables.

pub mod evaluate;
pub mod execute;
pub mod formula;
pub mod graph;
pub mod table;
pub mod text;
pub mod value;
pub mod words;
