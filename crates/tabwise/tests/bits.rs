//! Single bits changed in the files that the program trusts: its model, its reader's weights, and the state of a training. Every
//! change must be an error: a file that is taken with another weight gives other answers, and nobody notices. `make torture`
//! runs these tests.

use std::path::Path;
use tabwise::evaluate::{Author, Example, Examples, Target};
use tabwise::graph::Cells;
use tabwise::learn::{Confidence, Training};
use tabwise::rank::reader::Reader;
use tabwise::{Knowledge, Model, PreparedTable, Settings, Table};

/// Number of changes to each file.
const CHANGES: usize = 1_000;

/// A file of the knowledge that is part of the program.
fn shipped(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("knowledge");
    std::fs::read(folder.join(name)).expect("a shipped file can be read")
}

/// Changes one bit after the other, spread over the whole file; with none of the changes may it be taken.
fn every_change_shows(mut file: Vec<u8>, is_taken: impl Fn(&[u8]) -> bool) {
    assert!(is_taken(&file), "the file is whole");
    let last = file.len() * 8 - 1;
    let places = (0..CHANGES).map(|change| change * last / (CHANGES - 1));
    let mut flip = |place: usize| {
        file[place / 8] ^= 1 << (place % 8);
        let taken = is_taken(&file);
        file[place / 8] ^= 1 << (place % 8);
        taken
    };
    let taken: Vec<usize> = places.filter(|&place| flip(place)).collect();
    assert!(taken.is_empty(), "changed bits that nothing shows: {taken:?}");
}

#[test]
#[ignore = "takes a minute; make torture runs it"]
fn a_changed_model_is_an_error() {
    every_change_shows(shipped("model.bin"), |file| Model::read(file).is_ok());
}

#[test]
#[ignore = "takes a minute; make torture runs it"]
fn changed_weights_of_the_reader_are_an_error() {
    every_change_shows(shipped("reader.bin"), |file| Reader::read(file).is_ok());
}

#[test]
#[ignore = "takes a minute; make torture runs it"]
fn a_changed_state_is_an_error() {
    let knowledge = Knowledge::embedded();
    let table =
        Table::from_csv("River,Country,Length\nDanube,Austria,2850\nRhine,Germany,1230").expect("it is a table");
    let example = |(question, answer): (&str, &str)| Example {
        id: question.to_owned(),
        question: question.to_owned(),
        table: 0,
        fold: 1,
        author: Author::Person,
        target: Target::from_strings(&[answer], &knowledge.words),
    };
    let asked = [("which river is in austria?", "Danube"), ("how many rivers are there?", "2")];
    let examples = Examples {
        tables: vec![PreparedTable::new(&table, &knowledge, Cells::InColumns)],
        list: asked.map(example).into(),
    };
    let settings = Settings { beam: 60, size: 10, passes: 2, ..Settings::default() };
    let mut training =
        Training::new(&examples, &knowledge, settings.clone(), Confidence::Plain).expect("the settings are right");
    training.pass(&examples, &knowledge, &());
    let resumes = |file: &[u8]| Training::resume(file, &examples, &knowledge, settings.clone()).is_ok();
    every_change_shows(training.write(), resumes);
}
