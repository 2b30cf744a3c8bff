//! A folder of the dataset's layout: the questions of a split, and the tables they are about, each read once.

use anyhow::{Context, Result};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use tabwise::evaluate::{Example, Examples, Record, Target, records_from_tsv};
use tabwise::table::{ReadSettings, read};
use tabwise::{Knowledge, PreparedTable, Table};

/// Reads the questions of `data/NAME.tsv` and their tables.
pub fn load(data: &Path, name: &str, knowledge: &Knowledge) -> Result<Examples> {
    examples(&records(data, name)?, data, knowledge)
}

/// These questions with their tables, which are in the order of their names.
pub fn examples(records: &[Record], data: &Path, knowledge: &Knowledge) -> Result<Examples> {
    let mut names: Vec<&str> = records.iter().map(|record| record.context.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let tables = names.par_iter().map(|name| prepare(&data.join(name), knowledge)).collect::<Result<_>>()?;
    let example = |record: &Record| Example {
        id: record.id.clone(),
        question: record.utterance.clone(),
        table: names.binary_search(&record.context.as_str()).expect("every table was listed"),
        target: Target::from_strings(&record.target, &knowledge.words),
    };
    Ok(Examples { tables, list: records.iter().map(example).collect() })
}

/// Reads the questions of `data/NAME.tsv`.
pub fn records(data: &Path, name: &str) -> Result<Vec<Record>> {
    let path = data.join("data").join(format!("{name}.tsv"));
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("{} cannot be read; --split names a file of DIR/data", path.display()))?;
    records_from_tsv(&text).with_context(|| path.display().to_string())
}

/// Reads a table.
pub fn load_table(path: &Path, settings: &ReadSettings) -> Result<Table> {
    let bytes = std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let name = path.file_name().and_then(|name| name.to_str());
    read(&bytes, name, settings).with_context(|| path.display().to_string())
}

/// The files and folders of a folder, in order.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("{} cannot be listed", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn prepare(path: &Path, knowledge: &Knowledge) -> Result<PreparedTable> {
    Ok(PreparedTable::new(&load_table(path, &ReadSettings::default())?, knowledge))
}
