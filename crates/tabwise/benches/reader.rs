//! Cost of the reader: ten candidates of 45 tokens, by instruction set and number of threads; and of loading it. Weights are
//! random, of the sizes of MiniLM with six layers, unless `--reader FILE` gives a file.

mod support;
#[path = "../tests/support/weights.rs"]
mod weights;

use std::hint::black_box;
use std::time::Duration;
use support::{Clock, peak};
use tabwise::rank::reader::{Instructions, Reader};
use weights::{Sizes, random_file};

const SIZES: Sizes = Sizes { layers: 6, hidden: 384, heads: 12, ff: 1536, words: 30_518 };
/// Number of candidates.
const CANDIDATES: usize = 10;
/// Words of a question and of a text: with the special pieces they make 45 tokens.
const WORDS: [usize; 2] = [14, 28];
/// Number of times that they are read; the best counts.
const ROUNDS: u32 = 20;

fn main() {
    let args = support::Args::read();
    let file = match args.reader {
        Some(path) => std::fs::read(path).expect("the reader can be read"),
        None => random_file(SIZES, 1),
    };
    let (clock, size) = (Clock::new(), file.len() as f64 / 1e6);
    let began = clock.now();
    let reader = Reader::read(&file).expect("the file is a reader");
    let took = clock.now() - began;
    println!("{:.1} ms to load {size:.1} MB, peak {} MB", 1e3 * took.as_secs_f64(), peak());
    let question = text(WORDS[0], 0);
    let texts: Vec<String> = (0..CANDIDATES).map(|at| text(WORDS[1], at)).collect();
    let mut reader = reader;
    for set in Instructions::available() {
        reader = reader.with_instructions(set);
        for threads in [1, 2] {
            let took = measure(&reader, &question, &texts, threads);
            println!("{:<14} {threads} threads {:>8.2} ms a question", set.name(), 1e3 * took.as_secs_f64());
        }
    }
}

/// Processor time of a question, each thread reading its own: the best of some rounds.
fn measure(reader: &Reader, question: &str, texts: &[String], threads: u32) -> Duration {
    let read = || {
        let clock = Clock::new();
        let once = |_| {
            let began = clock.now();
            black_box(reader.scores(question, texts));
            clock.now() - began
        };
        (0..ROUNDS).map(once).min().unwrap_or_default()
    };
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(read)).collect();
        all.into_iter().map(|one| one.join().expect("reading does not panic")).max().unwrap_or_default()
    })
}

/// So many words of one letter, which every vocabulary has.
fn text(count: usize, seed: usize) -> String {
    let letter = |at: usize| char::from(b'a' + ((at * 7 + seed * 3) % 26) as u8).to_string();
    (0..count).map(letter).collect::<Vec<_>>().join(" ")
}
