//! A string becomes tokens and values, always with positions in the original.

pub(crate) mod dates;
mod durations;
pub(crate) mod numerals;
pub mod readings;
