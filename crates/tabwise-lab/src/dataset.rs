//! A folder of the dataset's layout: the questions of a split, and the tables they are about, each read once.

use anyhow::{Context, Result};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tabwise::answer::{Knowledge, PreparedTable};
use tabwise::evaluate::{Example, Target, examples_from_tsv};
use tabwise::features::Scene;
use tabwise::graph::Graph;
use tabwise::question::Question;
use tabwise::settings::Settings;
use tabwise::table::{ReadSettings, Table, read};

/// The questions of a split with their tables.
pub struct Split {
    pub examples: Vec<Example>,
    pub targets: Vec<Target>,
    tables: BTreeMap<String, PreparedTable>,
}

/// One table of so many is held back when confidence is fitted.
const HELD: usize = 5;

impl Split {
    /// Reads `data/NAME.tsv` and its tables.
    pub fn load(data: &Path, name: &str, knowledge: &Knowledge) -> Result<Split> {
        Split::new(examples(data, name)?, data, knowledge)
    }

    /// These questions with their tables.
    pub fn new(examples: Vec<Example>, data: &Path, knowledge: &Knowledge) -> Result<Split> {
        let mut names: Vec<&str> = examples.iter().map(|example| example.context.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let tables = names.par_iter().map(|name| Ok((name.to_string(), prepare(&data.join(name), knowledge)?)));
        let tables = tables.collect::<Result<_>>()?;
        let targets = examples.iter().map(|example| Target::from_strings(&example.target, &knowledge.words)).collect();
        Ok(Split { examples, targets, tables })
    }

    /// The examples in two parts: those of most tables, and those of the tables held back.
    pub fn parts(&self) -> (Vec<usize>, Vec<usize>) {
        let held: Vec<&String> = self.tables.keys().step_by(HELD).collect();
        (0..self.examples.len()).partition(|at| held.binary_search(&&self.examples[*at].context).is_err())
    }

    /// The table of an example.
    pub fn graph(&self, at: usize) -> &Graph {
        &self.tables[&self.examples[at].context].graph
    }

    /// The tables, each once.
    pub fn graphs(&self) -> impl ExactSizeIterator<Item = &Graph> {
        self.tables.values().map(|table| &table.graph)
    }

    /// Annotates an example's question and hands it over with its table.
    pub fn with_scene<R>(
        &self,
        at: usize,
        knowledge: &Knowledge,
        settings: &Settings,
        run: impl FnOnce(Scene) -> R,
    ) -> R {
        let Example { context, utterance, .. } = &self.examples[at];
        let PreparedTable { graph, vocabulary } = &self.tables[context];
        let Knowledge { annotator, words, .. } = knowledge;
        let question = Question::new(utterance, graph, vocabulary, annotator, words, settings.linking);
        run(Scene { graph, vocabulary, question: &question })
    }
}

/// Reads the questions of `data/NAME.tsv`.
pub fn examples(data: &Path, name: &str) -> Result<Vec<Example>> {
    let path = data.join("data").join(format!("{name}.tsv"));
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("{} cannot be read; --split names a file of DIR/data", path.display()))?;
    examples_from_tsv(&text).with_context(|| path.display().to_string())
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
