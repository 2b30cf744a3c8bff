//! The table of Olympic games exists twice, as an example of the program and as one of the page, because a package can
//! only contain its own files. Both must be equal.

use std::fs;
use std::path::Path;

#[test]
fn both_copies_of_the_olympics_are_equal() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(here.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert_eq!(read("web/examples/olympics.csv"), read("../../examples/olympics.csv"));
}
