//! The reader: files that are whole are read, files that are not give an error, and scores do not depend on what is read
//! together, on which CPU, or by how many threads.

#[path = "support/weights.rs"]
mod weights;

use proptest::prelude::*;
use serde::Deserialize;
use std::path::Path;
use std::{fs, thread};
use tabwise::rank::reader::{Instructions, Reader, ReaderError};
use weights::{Sizes, TINY, random_file, seal};

/// A question and texts of all lengths: none at all, words that are not known, and more than is read.
fn texts() -> (&'static str, Vec<String>) {
    let words = |count: usize| {
        (0..count).map(|at| ["abc", "x y", "Zoë", "ж", "q-r", ","][at % 6]).collect::<Vec<_>>().join(" ")
    };
    ("which a is b?", [0, 1, 2, 5, 9, 17, 30, 80, 200, 3, 3].map(words).to_vec())
}

fn read(file: &[u8]) -> Reader {
    Reader::read(file).expect("the file is whole")
}

fn bits(scores: Vec<f32>) -> Vec<u32> {
    scores.into_iter().map(f32::to_bits).collect()
}

#[test]
fn scores_do_not_depend_on_the_batch() {
    for sizes in [TINY, Sizes { layers: 1, hidden: 384, heads: 12, ff: 1536, words: 60 }] {
        let reader = read(&random_file(sizes, 3));
        let (question, texts) = texts();
        let together = reader.scores(question, &texts);
        assert_eq!(together.len(), texts.len());
        assert!(together.iter().all(|score| score.is_finite()));
        let equal = together.windows(2).filter(|pair| pair[0] == pair[1]).count();
        assert_eq!(equal, 2, "the last two are equal, and two are equal up to where they are cut");
        let alone: Vec<f32> = texts.iter().flat_map(|text| reader.scores(question, &[text])).collect();
        assert_eq!(bits(together), bits(alone));
        assert!(reader.scores(question, &[""; 0]).is_empty());
    }
}

#[test]
fn scores_do_not_depend_on_the_instructions_or_threads() {
    let file = random_file(Sizes { layers: 2, hidden: 104, heads: 2, ff: 200, words: 60 }, 4);
    let (question, texts) = texts();
    let expected = bits(read(&file).scores(question, &texts));
    for set in Instructions::available() {
        let reader = read(&file).with_instructions(set);
        let all = thread::scope(|scope| {
            let threads: Vec<_> = (0..3).map(|_| scope.spawn(|| bits(reader.scores(question, &texts)))).collect();
            threads.into_iter().map(|one| one.join().expect("reading does not panic")).collect::<Vec<_>>()
        });
        assert!(all.iter().all(|scores| *scores == expected), "{}", set.name());
    }
}

#[test]
fn a_file_that_is_part_of_the_program_gives_the_same_scores() {
    let file: &'static [u8] = random_file(TINY, 5).leak();
    let (question, texts) = texts();
    let borrowed = Reader::read_static(file).expect("the file is whole");
    assert_eq!(bits(borrowed.scores(question, &texts)), bits(read(file).scores(question, &texts)));
    assert_eq!((borrowed.linear_weight(), borrowed.made()), (0.25, "at random"));
}

#[test]
fn letter_case_and_accents_do_not_matter() {
    let reader = read(&random_file(TINY, 6));
    let scores = reader.scores("Who?", &["Café au lait", "cafe AU lait", "cafe aulait"]);
    assert!(scores[0] == scores[1] && scores[1] != scores[2]);
}

/// A pair of texts with what the Python side gives for it.
#[derive(Deserialize)]
struct Reference {
    question: String,
    text: String,
    pieces: Vec<u32>,
    score: f32,
}

/// `training/check.py --write tests/data/reader` writes the files.
#[test]
fn scores_are_those_of_the_training_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/reader");
    let file = |name: &str| fs::read(folder.join(name)).expect("the file can be read");
    let reader = read(&file("reader.bin"));
    let known: Vec<Reference> = serde_json::from_slice(&file("reference.json")).expect("these are references");
    for Reference { question, text, pieces, score } in &known {
        assert_eq!(&reader.pieces(question, text), pieces, "{question} / {text}");
        let given = reader.scores(question, &[text])[0];
        assert!((given - score).abs() < TOLERANCE, "{question} / {text}: {given} is not {score}");
    }
    assert!(known.len() >= 30);
}

/// Sums in another order may fall on the other side of a rounding step.
const TOLERANCE: f32 = 0.02;

/// The file with a change in its header, sealed again.
fn with_header(from: &str, to: &str) -> Vec<u8> {
    let file = random_file(TINY, 1);
    let text = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes")) as usize;
    let (start, end) = (16, 16 + text(12));
    let header = std::str::from_utf8(&file[start..end]).expect("the header is text").replace(from, to);
    let head = [&file[..12], &(header.len() as u32).to_le_bytes(), header.as_bytes()].concat();
    seal([&head, &file[end..file.len() - 4]].concat())
}

#[test]
fn other_files_and_versions_are_errors() {
    let file = random_file(TINY, 1);
    assert_eq!(Reader::read(b"PK").err(), Some(ReaderError::Magic));
    assert_eq!(Reader::read(b"").err(), Some(ReaderError::Magic));
    let mut other = file.clone();
    other[8] = 7;
    assert_eq!(Reader::read(&other).err(), Some(ReaderError::Version(7)));
    assert!(Reader::read(&with_header("random", "chance")).is_ok());
}

#[test]
fn headers_that_do_not_fit_are_errors() {
    let wrong = [
        (r#""layers":2"#, r#""layers":3"#),
        (r#""layers":2"#, r#""layers":18446744073709551615"#),
        (r#""hidden":48"#, r#""hidden":0"#),
        (r#""hidden":48"#, r#""hidden":50"#),
        (r#""heads":4"#, r#""heads":5"#),
        (r#""heads":4"#, r#""heads":0"#),
        (r#""ff":96"#, r#""ff":4000000000"#),
        (r#""positions":96"#, r#""positions":40"#),
        (r#""vocabulary":54"#, r#""vocabulary":53"#),
        (r#""made""#, r#""more""#),
        (r#""w":0.25"#, r#""w":1e99"#),
    ];
    for (from, to) in wrong {
        let error = Reader::read(&with_header(from, to)).err();
        assert!(matches!(error, Some(ReaderError::Content(_))), "{to}: {error:?}");
    }
}

#[test]
fn numbers_that_are_not_finite_are_errors() {
    let file = random_file(TINY, 1);
    let mut content = file[..file.len() - 4].to_vec();
    let end = content.len();
    content[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(matches!(Reader::read(&seal(content)), Err(ReaderError::Content(_))));
}

proptest! {
    #[test]
    fn truncated_files_are_errors(share in 0.0..1.0) {
        let file = random_file(TINY, 1);
        prop_assert!(Reader::read(&file[..(share * file.len() as f64) as usize]).is_err());
    }

    #[test]
    fn changed_files_are_errors(share in 0.0..1.0, bit in 0u8..8) {
        let mut file = random_file(TINY, 1);
        let at = (share * file.len() as f64) as usize;
        file[at] ^= 1u8 << bit;
        prop_assert!(Reader::read(&file).is_err());
    }

    /// Even a file with a right checksum cannot do harm.
    #[test]
    fn sealed_nonsense_does_not_panic(at in 12usize..700, bytes in proptest::collection::vec(any::<u8>(), 1..8)) {
        let file = random_file(TINY, 1);
        let mut content = file[..file.len() - 4].to_vec();
        content[at..at + bytes.len()].copy_from_slice(&bytes);
        if let Ok(reader) = Reader::read(&seal(content)) {
            prop_assert_eq!(reader.scores("a b", &["c d"]).len(), 1);
        }
    }

    #[test]
    fn any_text_can_be_read(question: String, text: String) {
        let reader = read(&random_file(Sizes { layers: 1, hidden: 16, heads: 2, ff: 16, words: 50 }, 2));
        prop_assert!(reader.scores(&question, &[text]).iter().all(|score| score.is_finite()));
    }
}
