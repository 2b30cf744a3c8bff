//! The targets of `fuzz/` with random bytes, and with the files of its corpus, which a reader was once brought down by.
//! `make torture` runs them with many more inputs, and guided by coverage where cargo-fuzz is installed.

#[path = "../../../fuzz/targets.rs"]
mod targets;

use proptest::prelude::*;
use std::path::Path;

/// Bytes that are edits of a seed: few and many.
fn edits() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..100)
}

proptest! {
    #[test]
    fn readers(how in 0x7fu8..0xa0, data in prop::collection::vec(any::<u8>(), 0..300)) {
        targets::readers(&[[how].as_slice(), &data].concat());
    }

    #[test]
    fn workbooks(data in edits()) {
        targets::workbooks(&data);
    }

    #[test]
    fn pages(data in edits()) {
        targets::pages(&data);
    }

    #[test]
    fn formulas(data in "[a-zA-Z0-9 .,()\\[\\]λ<>=!\"&|R+-]{0,60}") {
        targets::formulas(data.as_bytes());
    }

    #[test]
    fn questions(data in "\\PC{0,80}") {
        targets::questions(data.as_bytes());
    }

    #[test]
    fn models(data in prop::collection::vec(any::<u8>(), 0..200)) {
        targets::models(&[b"tabwise model\n".as_slice(), &data].concat());
    }
}

/// Every file of the corpus, read as what it is.
#[test]
fn the_corpus_is_read_or_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/readers");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("there is a corpus") {
        let bytes = std::fs::read(entry.expect("an entry can be read").path()).expect("a file can be read");
        targets::readers(&bytes);
        count += 1;
    }
    assert!(count >= 15, "{count} files");
}
