//! How long reading and the graph take: `cargo bench --bench reading -- [DIR]`. DIR is the folder of the dataset; without it only
//! generated tables are read. Each line gives the wall time of one run, the best of three.

use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tabwise::graph::Graph;
use tabwise::table::{ReadSettings, Table, read};
use tabwise::words::Words;

fn main() {
    let words = Words::embedded();
    for rows in [10_000, 100_000, 1_000_000] {
        let text = generated(rows);
        println!("CSV of {rows} rows × 6, {} MB", text.len() >> 20);
        let table = Table::from_csv(&text).expect("a generated table reads");
        let per_row = |time: Duration| time.as_secs_f64() * 1e9 / rows as f64;
        let read = best_of_three(|| drop(black_box(Table::from_csv(&text))));
        println!("  read  {:>8.1} ms, {:>5.0} ns a row", ms(read), per_row(read));
        let graph = best_of_three(|| drop(black_box(Graph::new(&table, &words))));
        println!("  graph {:>8.1} ms, {:>5.0} ns a row", ms(graph), per_row(graph));
    }
    let folder = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    if let Some(folder) = folder {
        for ending in ["csv", "tsv", "html"] {
            let files = files(&Path::new(&folder).join("csv"), ending);
            let read = best_of_three(|| files.iter().for_each(|(name, bytes)| drop(black_box(table(name, bytes)))));
            println!("dataset, {} {ending} files: read {:.1} ms", files.len(), ms(read));
        }
        let files = files(&Path::new(&folder).join("csv"), "csv");
        let both = |(name, bytes): &(String, Vec<u8>)| drop(black_box(Graph::new(&table(name, bytes), &words)));
        let time = best_of_three(|| files.iter().for_each(both));
        println!("dataset, {} csv files: read and graph {:.1} ms", files.len(), ms(time));
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn best_of_three(mut run: impl FnMut()) -> Duration {
    let mut time = || {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    time().min(time()).min(time())
}

fn table(name: &str, bytes: &[u8]) -> Table {
    read(bytes, Some(name), &ReadSettings::default()).expect("a table of the dataset reads")
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
