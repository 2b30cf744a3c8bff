//! Cost of questions against the number of rows, from 100 to a million: reading the table and making it ready, the first
//! answer, and a further one on average, with the reader and without it. It prints a page of Markdown. With `--rows` only a
//! table of that size is measured, and with `--csv` it is written to a file as well, to be asked by the program.

mod support;

use std::fs;
use std::time::Duration;
use support::{Args, Clock, forget_peak, orders, peak};
use tabwise::answer::{PreparedTable, Rows};
use tabwise::settings::Settings;
use tabwise::table::{ReadSettings, read};
use tabwise::{Asker, Knowledge, Model, Wanted};

const SIZES: [usize; 7] = [100, 1_000, 4_000, 10_000, 25_000, 100_000, 1_000_000];

/// Number of rows up to which meanings are also found by every row, for comparison.
const COMPARED: usize = 100_000;

fn main() {
    let args = Args::read();
    let sizes = args.rows.map_or(SIZES.to_vec(), |rows| vec![rows]);
    if let (Some(path), [rows]) = (&args.csv, &sizes[..]) {
        fs::write(path, orders::csv(*rows)).expect("the table can be written");
    }
    let asker = Asker::embedded();
    let fast = Settings { reader: false, ..asker.settings().clone() };
    let fast = Asker::with_settings(Knowledge::embedded(), Model::embedded(), fast).expect("the settings are known");
    println!("# Cost against rows\n");
    println!("Milliseconds of CPU on one thread, and the peak of the process, program and model included.\n");
    println!("| rows | CSV | read | make ready | first | further | further, no reader | peak | same answers |");
    println!("|---|---|---|---|---|---|---|---|---|");
    sizes.into_iter().for_each(|rows| measure(rows, &asker, &fast));
}

/// Measures a table of this many rows and prints a line.
fn measure(rows: usize, asker: &Asker, fast: &Asker) {
    let csv = orders::csv(rows);
    let questions = orders::questions(rows);
    forget_peak();
    let clock = Clock::new();
    let start = clock.now();
    let table = read(csv.as_bytes(), Some("orders.csv"), &ReadSettings::default()).expect("it is a table");
    let is_read = clock.now();
    let prepared = asker.prepare(&table);
    let is_ready = clock.now();
    let first = ask(asker, &prepared, &questions[..1], Rows::Sample);
    let is_told = clock.now();
    let mut answers = ask(asker, &prepared, &questions[1..], Rows::Sample);
    let are_told = clock.now();
    let most = peak();
    ask(fast, &prepared, &questions[1..], Rows::Sample);
    let are_fast = clock.now();
    answers.extend(first);
    let same = if rows <= COMPARED { same(&answers, asker, &prepared, &questions) } else { "not compared".to_owned() };
    let further = (questions.len() - 1) as f64;
    let ms = |from: Duration, to: Duration| 1e3 * (to - from).as_secs_f64();
    println!(
        "| {rows} | {:.1} MB | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} | {most} MB | {same} |",
        csv.len() as f64 / 1e6,
        ms(start, is_read),
        ms(is_read, is_ready),
        ms(is_ready, is_told),
        ms(is_told, are_told) / further,
        ms(are_told, are_fast) / further,
    );
}

/// The answers to questions, sorted by question.
fn ask(asker: &Asker, table: &PreparedTable, questions: &[String], rows: Rows) -> Vec<(String, Vec<String>)> {
    let wanted = Wanted { meanings: 1, rows, ..Wanted::default() };
    let answer = |question: &String| (question.clone(), asker.ask(table, question, &wanted).answer);
    questions.iter().map(answer).collect()
}

/// Number of answers that are the same when every row is looked at.
fn same(answers: &[(String, Vec<String>)], asker: &Asker, table: &PreparedTable, questions: &[String]) -> String {
    let all = ask(asker, table, questions, Rows::All);
    let count = all.iter().filter(|one| answers.contains(one)).count();
    format!("{count} of {}", all.len())
}
