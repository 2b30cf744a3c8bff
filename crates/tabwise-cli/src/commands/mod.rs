//! The commands of the program, one file each. A command has `Args`, its options, and `run`, which prints to a writer
//! and returns an `Outcome`. The description of a command in `--help` is the doc comment of its variant in the enum of
//! commands, which replaces that of `Args`.

pub(crate) mod ask;
pub(crate) mod chat;
pub(crate) mod exec;
pub(crate) mod lab;
pub(crate) mod manual;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod sql;
