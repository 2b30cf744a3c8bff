//! One file for each command. A command has `Args`, and `run`, which reads like the sentence that describes it.

pub mod ask;
pub mod chat;
pub mod check;
pub mod eval;
pub mod exec;
pub mod manual;
pub mod reproduce;
pub mod serve;
pub mod settings;
pub mod show;
pub mod train;
pub mod train_tagger;
