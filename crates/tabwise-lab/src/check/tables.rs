//! `tabwise lab check tables`: the dataset has each table as CSV, as TSV, as the HTML of the table and, in some cases,
//! as a whole page. All of them must be read as the same table.

use super::data::DataArgs;
use crate::dataset::{as_written, list, load_table};
use crate::outcome::Outcome;
use anyhow::{Context, Result};
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use tabwise::table::{Choice, ReadSettings, Repair, Repairs, Table};

/// A source of tables that is compared with the CSV files.
struct Source {
    name: &'static str,
    /// Minimum share of equal tables.
    bar: f64,
    /// Reads the table of a CSV file from this source; `None` if the source does not have it.
    table: fn(&Path, &ReadSettings) -> Option<Result<Table>>,
}

/// Sources that are compared.
const SOURCES: &[Source] = &[
    Source { name: "TSV", bar: 1.0, table: |csv, how| Some(load_table(&csv.with_extension("tsv"), how)) },
    Source { name: "HTML", bar: 0.97, table: |csv, how| Some(load_table(&csv.with_extension("html"), how)) },
    Source { name: "page", bar: 0.97, table: from_page },
];

/// True if two texts are equal apart from white space: the CSV files have plain spaces where the others have, for
/// example, no-break spaces.
fn same_words(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}

/// Compares every source with the CSV files and prints the shares of equal tables and the kinds of differences.
pub(super) fn run(args: DataArgs, out: &mut impl Write) -> Result<Outcome> {
    let files = csv_files(&args.data.join("csv"))?;
    let mut outcome = Outcome::Done;
    for source in SOURCES {
        let verdicts: Vec<Option<Comparison>> = files.par_iter().map(|csv| verdict(csv, source)).collect();
        let report = SourceReport::new(verdicts.into_iter().flatten().collect());
        report.print(source, args.verbose, out)?;
        if report.share() < source.bar {
            outcome = Outcome::BelowBar;
        }
    }
    Ok(outcome)
}

/// All CSV files of the dataset.
fn csv_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for part in list(folder)? {
        files.extend(list(&part)?.into_iter().filter(|file| file.extension().is_some_and(|ending| ending == "csv")));
    }
    anyhow::ensure!(!files.is_empty(), "{} has no tables; --data must be the folder of the dataset", folder.display());
    Ok(files)
}

/// Description of a page in the dataset.
#[derive(Deserialize)]
struct PageInfo {
    /// Number of the table among those of class `wikitable`.
    #[serde(rename = "tableIndex")]
    table_index: usize,
}

/// Reads the table of a CSV file from its page.
fn from_page(csv: &Path, how: &ReadSettings) -> Option<Result<Table>> {
    let html = csv.with_extension("html").display().to_string().replace("/csv/", "/page/").replace("-csv/", "-page/");
    let html = PathBuf::from(html);
    let about = fs::read(html.with_extension("json")).ok()?;
    let page = serde_json::from_slice::<PageInfo>(&about).context("the page's JSON has no tableIndex");
    Some(page.and_then(|page| {
        let table = Some(Choice::Number(page.table_index));
        let select = Some("table.wikitable".to_owned());
        load_table(&html, &ReadSettings { table, select, ..how.clone() })
    }))
}

/// Result of comparing a table with its CSV.
struct Comparison {
    file: String,
    cause: Option<Difference>,
    detail: String,
}

/// Kind of difference from the CSV.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Difference {
    NotRead,
    HiddenText,
    Columns,
    Header,
    Rows,
    Cells,
}

impl Difference {
    fn about(self) -> &'static str {
        match self {
            Difference::NotRead => "one of the two cannot be read",
            Difference::HiddenText => "the CSV holds text that a browser does not show",
            Difference::Columns => "another number of columns",
            Difference::Header => "another header",
            Difference::Rows => "another number of rows",
            Difference::Cells => "other cells",
        }
    }
}

fn verdict(csv: &Path, source: &Source) -> Option<Comparison> {
    let theirs = load_table(csv, &as_written());
    let ours = (source.table)(csv, &as_written())?;
    let found = match (&theirs, &ours) {
        (Ok(theirs), Ok(ours)) => difference(theirs, ours),
        (Err(error), _) | (_, Err(error)) => Some((Difference::NotRead, format!("{error:#}"))),
    };
    let (mut cause, detail) = found.unzip();
    if cause.is_some() && theirs.is_ok_and(|theirs| holds_hidden_text(&theirs, csv, source)) {
        cause = Some(Difference::HiddenText);
    }
    Some(Comparison { file: csv.display().to_string(), cause, detail: detail.unwrap_or_default() })
}

/// The kind of difference, and the first place where the tables differ.
fn difference(theirs: &Table, ours: &Table) -> Option<(Difference, String)> {
    let show = |row: usize, a: &str, b: &str| format!("record {}: {a:?} in the CSV, {b:?} here", row + 1);
    let records = records(theirs).zip(records(ours)).enumerate();
    let mut cells = records.flat_map(|(row, (a, b))| a.zip(b).map(move |(a, b)| (row, a, b)));
    let first = cells.find(|(_, a, b)| !same_words(a, b));
    let detail = first.map(|(row, a, b)| show(row, a, b)).unwrap_or_default();
    let cause = match first {
        _ if theirs.column_count() != ours.column_count() => Difference::Columns,
        Some((0, _, _)) => Difference::Header,
        _ if theirs.row_count() != ours.row_count() => Difference::Rows,
        Some(_) => Difference::Cells,
        None => return None,
    };
    Some((cause, detail))
}

/// The header, then the rows.
fn records(table: &Table) -> impl Iterator<Item = Box<dyn Iterator<Item = &str> + '_>> {
    let header: Box<dyn Iterator<Item = &str>> = Box::new(table.header().iter().map(String::as_str));
    let rows = (0..table.row_count()).map(|row| Box::new(table.row(row)) as Box<dyn Iterator<Item = &str>>);
    std::iter::once(header).chain(rows)
}

/// True if hidden text explains the difference: if it is included, the table has the shape of the CSV, and each cell of
/// the CSV is contained in its cell.
fn holds_hidden_text(theirs: &Table, csv: &Path, source: &Source) -> bool {
    let shown = Repairs::default().without(Repair::Hidden);
    let settings = ReadSettings { repairs: shown, ..as_written() };
    let Some(Ok(ours)) = (source.table)(csv, &settings) else { return false };
    let same_shape = (theirs.column_count(), theirs.row_count()) == (ours.column_count(), ours.row_count());
    same_shape && records(theirs).zip(records(&ours)).all(|(a, b)| a.zip(b).all(|(a, b)| is_part(a, b)))
}

/// True if the characters of a text occur in another in the same order.
fn is_part(part: &str, whole: &str) -> bool {
    let mut letters = whole.chars();
    part.chars().filter(|c| !c.is_whitespace()).all(|c| letters.any(|letter| letter == c))
}

/// Results for one source.
struct SourceReport {
    verdicts: Vec<Comparison>,
}

impl SourceReport {
    fn new(verdicts: Vec<Comparison>) -> SourceReport {
        SourceReport { verdicts }
    }

    fn share(&self) -> f64 {
        let equal = self.verdicts.iter().filter(|verdict| verdict.cause.is_none()).count();
        equal as f64 / self.verdicts.len().max(1) as f64
    }

    fn print(&self, source: &Source, verbose: bool, out: &mut impl Write) -> Result<()> {
        let mut causes: BTreeMap<Difference, usize> = BTreeMap::new();
        for Comparison { file, cause, detail } in &self.verdicts {
            if let Some(cause) = cause {
                *causes.entry(*cause).or_default() += 1;
                if verbose {
                    writeln!(out, "{} {file}: {}: {detail}", source.name, cause.about())?;
                }
            }
        }
        let total = self.verdicts.len();
        let equal = total - causes.values().sum::<usize>();
        let (share, bar) = (self.share() * 100.0, source.bar * 100.0);
        writeln!(out, "{}: {equal} of {total} equal, {share:.2} % (bar {bar:.0} %)", source.name)?;
        causes.iter().try_for_each(|(cause, count)| writeln!(out, "  {count:5} {}", cause.about()))?;
        Ok(())
    }
}
