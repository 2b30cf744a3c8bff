//! Cost of reading tables, making graphs of them and executing formulas on large ones; with `--data`, of the dataset's
//! tables as well. Times are those of the processor (below 0.1 s those on the wall), the best of three; memory is the peak
//! of the process. `support` has the arguments.

mod support;

use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::{Args, best_of_three, forget_peak, peak};
use tabwise::execute::Executor;
use tabwise::formula::{Formulas, notation};
use tabwise::graph::Graph;
use tabwise::table::{ReadSettings, Table, read};
use tabwise::words::Words;

const ROWS: [usize; 3] = [10_000, 100_000, 1_000_000];

/// The formulas that are executed on the generated tables.
const FORMULAS: [(&str, &str); 8] = [
    ("count", "count(City.Paris)"),
    ("filter", "Attendance.Number.>.50000"),
    ("filter twice", "City.Paris & \"Date\".Date.>.1950-06-XX"),
    ("argmax", "argmax(Rows, R[λx[R[Number].R[Attendance].x]])"),
    ("last", "R[City].argmax(Rows, Index)"),
    ("sum", "sum(R[Number].R[Attendance].Rows)"),
    ("most frequent", "argmax(R[City].Rows, R[λx[count(City.x)]])"),
    ("key of two", "argmax(Rows, R[λx[sub(R[Number].R[Attendance].x, R[Number].R[Year].x)]])"),
];

fn main() {
    let args = Args::read();
    let words = Words::embedded();
    for (name, generate) in [("generated", generated as fn(usize) -> String), ("all different", all_different)] {
        for rows in ROWS {
            table_and_graph(name, &generate(rows), rows, &words);
        }
    }
    for rows in ROWS {
        formulas(&generated(rows), rows, &words);
    }
    if let Some(data) = args.data {
        dataset(&data.join("csv"), &words);
    }
}

/// Reading a CSV and making a graph of it, from its text to the end.
fn table_and_graph(name: &str, text: &str, rows: usize, words: &Words) {
    let reading = best_of_three(|| drop(black_box(table(text))));
    forget_peak();
    let whole = best_of_three(|| drop(black_box(Graph::new(&table(text), words))));
    let per_row = whole.as_secs_f64() * 1e9 / rows as f64;
    println!(
        "{name:13} {rows:>9} rows × 6, {:>3} MB: table {:>7.1} ms, with graph {:>7.1} ms ({per_row:>5.0} ns a row), peak {} MB",
        text.len() >> 20,
        ms(reading),
        ms(whole),
        peak()
    );
}

fn table(text: &str) -> Table {
    Table::from_csv(text).expect("a generated table reads")
}

fn formulas(text: &str, rows: usize, words: &Words) {
    let graph = Graph::new(&table(text), words);
    for (name, text) in FORMULAS {
        let mut formulas = Formulas::new();
        let id = notation::read(text, &graph, &mut formulas).expect("a formula of the list reads");
        let mut size = None;
        let time = best_of_three(|| {
            size = black_box(Executor::new(&graph, formulas.clone()).denote(id)).map_or(None, |d| d.count())
        });
        let found = size.map_or("undefined".to_owned(), |size| format!("{size} found"));
        println!("{name:13} {rows:>9} rows: {:>8.2} ms, {found}", ms(time));
    }
}

/// All tables of the dataset, from the bytes of a file to the graph.
fn dataset(folder: &Path, words: &Words) {
    for ending in ["csv", "tsv", "html"] {
        let files = files(folder, ending);
        let reading = best_of_three(|| files.iter().for_each(|file| drop(black_box(read_one(file)))));
        let whole = best_of_three(|| files.iter().for_each(|file| drop(black_box(Graph::new(&read_one(file), words)))));
        println!(
            "dataset, {} {ending} files: tables {:.1} ms, with graphs {:.1} ms",
            files.len(),
            ms(reading),
            ms(whole)
        );
    }
}

fn read_one((name, bytes): &(String, Vec<u8>)) -> Table {
    read(bytes, Some(name), &ReadSettings::default()).expect("a table of the dataset reads")
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A CSV with text, numbers, dates, and quotes in every tenth row; the same for the same number of rows.
fn generated(rows: usize) -> String {
    let cities = ["Athens", "Paris", "St. Louis", "London", "Stockholm", "Antwerp", "Amsterdam"];
    let mut text = "Id,City,Year,Date,Attendance,Remark\n".to_owned();
    for row in 0..rows {
        let (city, year, day) = (cities[row % cities.len()], 1896 + row % 128, 1 + row % 28);
        let attendance = row.wrapping_mul(2_654_435_761) % 100_000;
        let remark = if row % 10 == 0 { "\"first, \"\"best\"\"\"" } else { "none" };
        writeln!(text, "{row},{city},{year},{year}-07-{day:02},{attendance},{remark}")
            .expect("a string can be written to");
    }
    text
}

/// A CSV in which no text stands twice.
fn all_different(rows: usize) -> String {
    let mut text = "Id,Name,Place,Height,Time,Remark\n".to_owned();
    for row in 0..rows {
        let (hours, minutes, seconds) = (row / 3600, row / 60 % 60, row % 60);
        writeln!(
            text,
            "{row},Person {row},\"City {row}, Land\",{row}.5 m,{hours}:{minutes:02}:{seconds:02},note no. {row}"
        )
        .expect("a string can be written to");
    }
    text
}

/// The files of the dataset with this ending, each with its name.
fn files(folder: &Path, ending: &str) -> Vec<(String, Vec<u8>)> {
    let list = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).expect("the folder of the dataset can be listed");
        entries.map(|entry| entry.expect("an entry can be read").path()).collect()
    };
    let mut paths: Vec<PathBuf> = list(folder).iter().flat_map(|part| list(part)).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == ending));
    paths.sort();
    let load = |path: &PathBuf| (path.display().to_string(), fs::read(path).expect("a table can be read"));
    paths.iter().map(load).collect()
}
