//! One file for each command. A command has `Args`, and `run`, which reads like the sentence that describes it.

pub mod ask;
pub mod chat;
pub mod exec;
pub mod lab;
pub mod manual;
pub mod serve;
pub mod show;
