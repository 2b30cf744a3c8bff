//! `tabwise check tables`: each table of the dataset is there as CSV, as TSV, as the HTML of the table and, for some, as
//! a whole page; all of them must read to the same table.

use super::DataArgs;
use crate::outcome::Outcome;
use anyhow::{Context, Result};
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use tabwise::table::{Choice, ReadSettings, Table, read};

/// A source that is compared with the CSV files, and the share that must agree.
struct Source {
    name: &'static str,
    bar: f64,
    /// The table as this source gives it, if the source has it.
    table: fn(&Path) -> Option<Result<Table>>,
}

const SOURCES: &[Source] = &[
    Source { name: "TSV", bar: 1.0, table: |csv| Some(load(&csv.with_extension("tsv"), &ReadSettings::default())) },
    Source { name: "HTML", bar: 0.97, table: |csv| Some(load(&csv.with_extension("html"), &ReadSettings::default())) },
    Source { name: "page", bar: 0.97, table: from_page },
];

/// Compares every source with the CSV files and prints how many agree, and why the others do not.
pub fn run(args: DataArgs, out: &mut impl Write) -> Result<Outcome> {
    let files = csv_files(&args.data.join("csv"))?;
    let mut outcome = Outcome::Done;
    for source in SOURCES {
        let verdicts: Vec<Option<Verdict>> = files.par_iter().map(|csv| verdict(csv, source)).collect();
        let report = Report::new(verdicts.into_iter().flatten().collect());
        report.print(source, args.verbose, out)?;
        if report.share() < source.bar {
            outcome = Outcome::NoAnswer;
        }
    }
    Ok(outcome)
}

fn csv_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for part in list(folder)? {
        files.extend(list(&part)?.into_iter().filter(|file| file.extension().is_some_and(|ending| ending == "csv")));
    }
    anyhow::ensure!(
        !files.is_empty(),
        "{}: there are no tables here; give the folder of the dataset",
        folder.display()
    );
    Ok(files)
}

fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{}: it cannot be listed", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn load(path: &Path, settings: &ReadSettings) -> Result<Table> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    let name = path.file_name().and_then(|name| name.to_str());
    read(&bytes, name, settings).with_context(|| path.display().to_string())
}

/// What the dataset says about a page.
#[derive(Deserialize)]
struct Page {
    /// Counts only tables of class `wikitable`.
    #[serde(rename = "tableIndex")]
    table_index: usize,
}

fn from_page(csv: &Path) -> Option<Result<Table>> {
    let html = csv.with_extension("html").display().to_string().replace("/csv/", "/page/").replace("-csv/", "-page/");
    let html = PathBuf::from(html);
    let about = fs::read(html.with_extension("json")).ok()?;
    let page = serde_json::from_slice::<Page>(&about).context("the page's JSON has no tableIndex");
    Some(page.and_then(|page| {
        let table = Some(Choice::Number(page.table_index));
        let select = Some("table.wikitable".to_owned());
        load(&html, &ReadSettings { table, select, ..ReadSettings::default() })
    }))
}

/// How a table compares with its CSV.
struct Verdict {
    file: String,
    cause: Option<String>,
    detail: String,
}

fn verdict(csv: &Path, source: &Source) -> Option<Verdict> {
    let theirs = load(csv, &ReadSettings::default());
    let ours = (source.table)(csv)?;
    let (cause, detail) = match (theirs, ours) {
        (Ok(theirs), Ok(ours)) => difference(&theirs, &ours).unzip(),
        (Err(error), _) | (_, Err(error)) => (Some("not read".to_owned()), Some(format!("{error:#}"))),
    };
    Some(Verdict { file: csv.display().to_string(), cause, detail: detail.unwrap_or_default() })
}

/// The kind of the first difference, and the difference.
fn difference(theirs: &Table, ours: &Table) -> Option<(String, String)> {
    let show = |cells: &[String]| format!("{cells:?}");
    if theirs.column_count() != ours.column_count() {
        let detail = format!("\n  theirs {}\n  ours   {}", show(theirs.header()), show(ours.header()));
        return Some(("columns".to_owned(), detail));
    }
    if let Some((a, b)) = theirs.header().iter().zip(ours.header()).find(|(a, b)| !same(a, b)) {
        return Some(("header".to_owned(), format!("\n  theirs {a:?}\n  ours   {b:?}")));
    }
    let rows = theirs.row_count().min(ours.row_count());
    let places = (0..rows).flat_map(|row| (0..theirs.column_count()).map(move |column| (row, column)));
    let cell = places.map(|(row, column)| (row, theirs.cell(row, column), ours.cell(row, column)));
    let different = cell.clone().filter(|(_, a, b)| !same(a, b)).count();
    let first = cell.clone().find(|(_, a, b)| !same(a, b));
    let detail = first.map(|(row, a, b)| format!("\n  theirs {row} {a:?}\n  ours   {row} {b:?}")).unwrap_or_default();
    if theirs.row_count() != ours.row_count() {
        return Some(("rows".to_owned(), format!("{} {}{detail}", theirs.row_count(), ours.row_count())));
    }
    first.is_some().then(|| ("cells".to_owned(), format!("{different}{detail}")))
}

fn same(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}

/// All verdicts on one source.
struct Report {
    verdicts: Vec<Verdict>,
}

impl Report {
    fn new(verdicts: Vec<Verdict>) -> Report {
        Report { verdicts }
    }

    fn share(&self) -> f64 {
        let equal = self.verdicts.iter().filter(|verdict| verdict.cause.is_none()).count();
        equal as f64 / self.verdicts.len().max(1) as f64
    }

    fn print(&self, source: &Source, verbose: bool, out: &mut impl Write) -> Result<()> {
        let mut causes: BTreeMap<&str, usize> = BTreeMap::new();
        for verdict in &self.verdicts {
            if let Some(cause) = &verdict.cause {
                *causes.entry(cause).or_default() += 1;
                if verbose {
                    writeln!(out, "{} {} {cause}: {}", source.name, verdict.file, verdict.detail)?;
                }
            }
        }
        let different: usize = causes.values().sum();
        let total = self.verdicts.len();
        let (share, bar) = (self.share() * 100.0, source.bar * 100.0);
        writeln!(out, "{}: {} of {total} equal, {share:.2} % (bar {bar:.0} %)", source.name, total - different)?;
        causes.iter().try_for_each(|(cause, count)| writeln!(out, "  {count:5} {cause}"))?;
        Ok(())
    }
}
