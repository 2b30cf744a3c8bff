//! Answers questions about tables.

pub mod evaluate;
pub mod execute;
pub mod formula;
pub mod grammar;
pub mod graph;
pub mod question;
pub mod table;
pub mod text;
pub mod value;
pub mod words;
