//! A string becomes tokens and values, always with positions in the original.

mod dates;
mod durations;
mod numerals;
pub mod readings;
