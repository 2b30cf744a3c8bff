//! Answers questions about tables: offline, on a CPU, in milliseconds, with the formula in words and the cells it was read
//! from.
//!
//! ```
//! use tabwise::{Table, ask};
//!
//! let table = Table::from_csv("City,Year\nAthens,1896\nParis,1900\n")?;
//! let answer = ask(&table, "which city was last?");
//! println!("{answer}, because it is {}", answer.english);
//! assert_eq!(answer.cells.len(), answer.answer.len());
//! # Ok::<(), tabwise::Error>(())
//! ```
//!
//! For several questions, make an [`Asker`] and a [`PreparedTable`] once:
//!
//! ```
//! use tabwise::{Asker, Table, Wanted};
//!
//! let asker = Asker::embedded();
//! let table = asker.prepare(&Table::from_csv("Lake,Depth\nBaikal,1642\nGeneva,310\n")?);
//! for question in ["which lake is the deepest?", "what is the depth of Geneva?"] {
//!     let answer = asker.ask(&table, question, &Wanted::default());
//!     println!("{answer} ({:.0} % sure)", 100.0 * answer.confidence);
//! }
//! # Ok::<(), tabwise::Error>(())
//! ```
//!
//! [`table::read`] reads every other format. `ARCHITECTURE.md` in the repository has the order of the modules, each of
//! which uses only those before it.

#![warn(missing_docs, unreachable_pub)]
#![cfg_attr(not(test), deny(clippy::disallowed_macros, clippy::disallowed_methods, clippy::disallowed_types))]

// Modules that users of the library do not need are hidden from its pages, but not from the lint `missing_docs`.

pub mod answer;
#[cfg_attr(doc, doc(hidden))]
pub mod derivation;
pub mod dialogue;
pub mod engine;
pub mod evaluate;
pub mod execute;
pub mod explain;
#[cfg_attr(doc, doc(hidden))]
pub mod features;
pub mod formula;
#[cfg_attr(doc, doc(hidden))]
pub mod grammar;
pub mod graph;
#[cfg_attr(doc, doc(hidden))]
pub mod hash;
pub mod learn;
pub mod meter;
pub mod model;
#[cfg_attr(doc, doc(hidden))]
pub mod named;
pub mod profile;
pub mod question;
#[cfg_attr(doc, doc(hidden))]
pub mod rank;
#[cfg_attr(doc, doc(hidden))]
pub mod search;
pub mod settings;
pub mod sql;
pub mod table;
#[cfg_attr(doc, doc(hidden))]
pub mod text;
pub mod value;
#[cfg_attr(doc, doc(hidden))]
pub mod words;

pub use answer::{Answer, Asker, Error, Knowledge, Meaning, PreparedTable, Wanted, ask};
pub use meter::{Budget, Exceeded};
pub use model::Model;
pub use settings::Settings;
pub use table::Table;
