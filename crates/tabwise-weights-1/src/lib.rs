//! The first half of the weights of the reader in `tabwise`, which are larger than a package may be. It is empty in the
//! repository, where the weights are one file; `packaging/crates.sh` fills it for a release. Use `tabwise` instead: its
//! `knowledge/README.md` says what the weights were made from.

#![no_std]

/// The bytes of this half.
pub const PART: &[u8] = include_bytes!("../part.bin");
