//! Cost of questions against the number of rows, from 100 to a million: reading the table and making it ready, the first
//! answer, and a further one on average, with the reader and without it. It prints a page of Markdown with a figure. With
//! `--rows` only a table of that size is measured, and with `--csv` it is written to a file as well, to be asked by the program.

mod support;

use std::fs;
use std::time::Duration;
use support::{Args, Clock, forget_peak, orders, peak};
use tabwise::answer::{PreparedTable, Rows};
use tabwise::settings::Settings;
use tabwise::table::{ReadSettings, Table, read};
use tabwise::{Asker, Knowledge, Model, Wanted};

const SIZES: [usize; 7] = [100, 1_000, 4_000, 10_000, 25_000, 100_000, 1_000_000];

const HEAD: &str = "# Cost against rows

Milliseconds of CPU on one thread, and the peak of the process, program and model included. \"First answer\" is from the bytes of the
file to the answer of the first question; further ones are the mean of 19.

| rows | CSV | read | make ready | first answer | further | further, no reader | peak | same answers |
|---|---|---|---|---|---|---|---|---|";

const FOOT: &str = "\"Same answers\" compares with a search of every row; above 4096 rows the others are found by a sample. This page is what
`make --silent bench BENCH=rows` prints.";

fn main() {
    let args = Args::read();
    let sizes = args.rows.map_or(SIZES.to_vec(), |rows| vec![rows]);
    if let (Some(path), [rows]) = (&args.csv, &sizes[..]) {
        fs::write(path, orders::csv(*rows)).expect("the table can be written");
    }
    let asker = Asker::embedded();
    let fast = Settings { reader: false, ..asker.settings().clone() };
    let fast = Asker::with_settings(Knowledge::embedded(), Model::embedded(), fast).expect("the settings are known");
    // All sizes are measured before one is compared: a search of every row leaves memory behind, which would count for the next.
    let costs: Vec<Cost> = sizes.into_iter().map(|rows| measure(rows, &asker, &fast)).collect();
    println!("{HEAD}");
    costs.iter().for_each(|cost| cost.print(&asker));
    println!("\n```text");
    costs.iter().for_each(Cost::draw);
    println!("```\n\n{FOOT}");
}

/// Cost of a table, in milliseconds and megabytes, and the answers to its questions.
struct Cost {
    rows: usize,
    bytes: usize,
    read: f64,
    make_ready: f64,
    first: f64,
    further: f64,
    fast: f64,
    peak: usize,
    answers: Vec<(String, Vec<String>)>,
}

impl Cost {
    /// Prints a line, after the answers are found again by every row.
    fn print(&self, asker: &Asker) {
        let Cost { rows, read, make_ready, first, further, fast, peak, .. } = self;
        let megabytes = self.bytes as f64 / 1e6;
        let prepared = asker.prepare(&table(&orders::csv(*rows)));
        let all = ask(asker, &prepared, &orders::questions(*rows), Rows::All);
        let same = all.iter().zip(&self.answers).filter(|(one, other)| one == other).count();
        println!(
            "| {rows} | {megabytes:.1} MB | {read:.1} | {make_ready:.1} | {first:.1} | {further:.1} | {fast:.1} | {peak} MB | {same} of {} |",
            all.len(),
        );
    }

    /// Prints the costs as bars on a logarithmic scale: ten signs for a factor of ten, from a millisecond on.
    fn draw(&self) {
        let bar = |milliseconds: f64| "#".repeat((10.0 * milliseconds.max(1.0).log10()).round() as usize);
        println!("{:>9} rows  first answer        {} {:.0} ms", self.rows, bar(self.first), self.first);
        println!("{:>9}       further             {} {:.0} ms", "", bar(self.further), self.further);
        println!("{:>9}       further, no reader  {} {:.0} ms", "", bar(self.fast), self.fast);
    }
}

/// Measures a table of this many rows.
fn measure(rows: usize, asker: &Asker, fast: &Asker) -> Cost {
    let csv = orders::csv(rows);
    let questions = orders::questions(rows);
    forget_peak();
    let clock = Clock::new();
    let start = clock.now();
    let table = table(&csv);
    let is_read = clock.now();
    let prepared = asker.prepare(&table);
    let is_ready = clock.now();
    let mut answers = ask(asker, &prepared, &questions[..1], Rows::Sample);
    let is_told = clock.now();
    answers.extend(ask(asker, &prepared, &questions[1..], Rows::Sample));
    let are_told = clock.now();
    let peak = peak();
    ask(fast, &prepared, &questions[1..], Rows::Sample);
    let are_fast = clock.now();
    let each = (questions.len() - 1) as f64;
    let ms = |from: Duration, to: Duration| 1e3 * (to - from).as_secs_f64();
    Cost {
        rows,
        bytes: csv.len(),
        read: ms(start, is_read),
        make_ready: ms(is_read, is_ready),
        first: ms(start, is_told),
        further: ms(is_told, are_told) / each,
        fast: ms(are_told, are_fast) / each,
        peak,
        answers,
    }
}

fn table(csv: &str) -> Table {
    read(csv.as_bytes(), Some("orders.csv"), &ReadSettings::default()).expect("it is a table")
}

/// The answers to questions, however sure they are.
fn ask(asker: &Asker, table: &PreparedTable, questions: &[String], rows: Rows) -> Vec<(String, Vec<String>)> {
    let wanted = Wanted { meanings: 1, rows, min_confidence: 0.0, ..Wanted::default() };
    let answer = |question: &String| (question.clone(), asker.ask(table, question, &wanted).answer);
    questions.iter().map(answer).collect()
}
