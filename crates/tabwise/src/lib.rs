//! Answers questions about tables.

#![cfg_attr(not(test), deny(clippy::disallowed_macros, clippy::disallowed_methods, clippy::disallowed_types))]

pub mod answer;
pub mod confidence;
pub mod derivation;
pub mod evaluate;
pub mod execute;
pub mod explain;
pub mod features;
pub mod formula;
pub mod grammar;
pub mod graph;
pub mod learn;
pub mod model;
pub mod parse;
pub mod question;
pub mod settings;
pub mod table;
pub mod text;
pub mod value;
pub mod words;
