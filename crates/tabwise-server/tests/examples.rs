//! The Olympic games stand twice in the project: as an example for the program and as one of the page. A package can only
//! hold its own files, so they are two files with one content.

use std::fs;
use std::path::Path;

#[test]
fn the_games_of_the_page_are_those_of_the_examples() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(here.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert_eq!(read("web/examples/olympics.csv"), read("../../examples/olympics.csv"));
}
