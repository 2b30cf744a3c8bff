//! Reading a folder with the layout of the dataset: the questions of a split, and their tables, each read once.

use anyhow::{Context, Result};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tabwise::evaluate::{Author, Example, Examples, Record, Target, records_from_tsv};
use tabwise::graph::Cells;
use tabwise::table::{Orientation, ReadSettings, Repair, Repairs, read};
use tabwise::{Knowledge, PreparedTable, Table};

/// Name of the file of generated questions in `data`, without its extension.
pub(crate) const GENERATED: &str = "generated";

/// Reads the questions of a split and those of further folders.
pub(crate) fn load(
    data: &Path,
    name: &str,
    further: &[PathBuf],
    knowledge: &Knowledge,
    cells: Cells,
) -> Result<Examples> {
    let own = records(data, name)?;
    let mut all = examples(&own, data, knowledge, cells)?;
    for folder in further {
        let more = records(folder, GENERATED)?;
        let Examples { tables, list } = examples(&more, folder, knowledge, cells)?;
        let before = all.tables.len();
        all.list.extend(list.into_iter().map(|it| Example { table: before + it.table, ..it }));
        all.tables.extend(tables);
    }
    Ok(all)
}

/// The records that [`load`] makes examples of, in the same order.
pub(crate) fn sources(data: &Path, name: &str, further: &[PathBuf]) -> Result<Vec<Record>> {
    let mut all = records(data, name)?;
    for folder in further {
        all.extend(records(folder, GENERATED)?);
    }
    Ok(all)
}

/// Paths of the tables of questions, sorted.
pub(crate) fn tables_of(records: &[Record]) -> Vec<&str> {
    let mut names: Vec<&str> = records.iter().map(|record| record.context.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Loads the tables of questions, sorted by name, so that results do not depend on the order of the questions.
pub(crate) fn examples(records: &[Record], data: &Path, knowledge: &Knowledge, cells: Cells) -> Result<Examples> {
    let names = tables_of(records);
    let tables = names.par_iter().map(|name| prepare(&data.join(name), knowledge, cells)).collect::<Result<_>>()?;
    let apart: BTreeSet<&str> = records.iter().map(held_together).collect();
    let folds: BTreeMap<&str, usize> = apart.into_iter().zip(0..).collect();
    let example = |record: &Record| Example {
        id: record.id.clone(),
        question: record.utterance.clone(),
        table: names.binary_search(&record.context.as_str()).expect("every table was listed"),
        fold: folds[held_together(record)],
        author: author_of(record),
        target: Target::from_strings(&record.target, &knowledge.words).with_formulas(record.formulas.clone()),
    };
    Ok(Examples { tables, list: records.iter().map(example).collect() })
}

/// Who wrote a question: made-up questions have a wording or a topic.
fn author_of(record: &Record) -> Author {
    match (record.wording.is_empty(), record.topic.is_empty(), record.formulas.is_empty()) {
        (false, ..) => Author::Template,
        (true, true, _) => Author::Person,
        (true, false, true) if !record.target.is_empty() => Author::Freely,
        (true, false, _) => Author::ForFormula,
    }
}

/// Name that a question shares with all that are held back together with it: the wording that it was made from, the topic of its table,
/// or the table. So what is measured on questions that were held back holds for wordings and tables that were never seen.
fn held_together(record: &Record) -> &str {
    let names = [&record.wording, &record.topic, &record.context];
    names.into_iter().find(|name| !name.is_empty()).map_or("", String::as_str)
}

/// Reads the questions of `data/NAME.tsv`.
pub(crate) fn records(data: &Path, name: &str) -> Result<Vec<Record>> {
    let path = data.join("data").join(format!("{name}.tsv"));
    let text = std::fs::read_to_string(&path).with_context(|| {
        format!("cannot read {}; --split names a file of DIR/data without its extension", path.display())
    })?;
    records_from_tsv(&text).with_context(|| path.display().to_string())
}

/// Settings for reading tables of the dataset, which are never turned and keep their rows of totals: questions ask for them.
pub(crate) fn as_written() -> ReadSettings {
    let repairs = Repairs::default().without(Repair::TotalRows);
    ReadSettings { orientation: Orientation::Rows, repairs, ..ReadSettings::default() }
}

/// Reads a table.
pub(crate) fn load_table(path: &Path, settings: &ReadSettings) -> Result<Table> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let name = path.file_name().and_then(|name| name.to_str());
    read(&bytes, name, settings).with_context(|| path.display().to_string())
}

/// The files and folders of a folder, sorted.
pub(crate) fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Reads and prepares a table.
fn prepare(path: &Path, knowledge: &Knowledge, cells: Cells) -> Result<PreparedTable> {
    let name = path.file_name().and_then(|name| name.to_str());
    Ok(PreparedTable::new(&load_table(path, &as_written())?, knowledge, cells).named(name))
}
