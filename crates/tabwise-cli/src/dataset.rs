//! A folder of the dataset's layout: the questions of a split, and the tables they are about, each read once.

use anyhow::{Context, Result};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tabwise::evaluate::{Example, Target, examples_from_tsv};
use tabwise::features::Scene;
use tabwise::grammar::Grammar;
use tabwise::graph::Graph;
use tabwise::question::{Question, Vocabulary};
use tabwise::settings::Settings;
use tabwise::table::{ReadSettings, read};
use tabwise::text::Annotator;
use tabwise::words::Words;

/// What every question is annotated and parsed with.
pub struct Tools {
    pub words: Words,
    pub annotator: Annotator,
    pub grammar: Grammar,
}

impl Tools {
    pub fn embedded() -> Tools {
        Tools { words: Words::embedded(), annotator: Annotator::embedded(), grammar: Grammar::embedded() }
    }
}

/// A table made ready for questions.
struct Prepared {
    graph: Graph,
    vocabulary: Vocabulary,
}

/// The questions of a split with their tables.
pub struct Split {
    pub examples: Vec<Example>,
    pub targets: Vec<Target>,
    tables: BTreeMap<String, Prepared>,
}

/// One table of so many is held back when confidence is fitted.
const HELD: usize = 5;

impl Split {
    /// Reads `data/NAME.tsv` and its tables.
    pub fn load(data: &Path, name: &str, tools: &Tools) -> Result<Split> {
        Split::new(examples(data, name)?, data, tools)
    }

    /// These questions with their tables.
    pub fn new(examples: Vec<Example>, data: &Path, tools: &Tools) -> Result<Split> {
        let mut names: Vec<&str> = examples.iter().map(|example| example.context.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let tables = names.par_iter().map(|name| Ok((name.to_string(), prepare(&data.join(name), tools)?)));
        let tables = tables.collect::<Result<_>>()?;
        let targets = examples.iter().map(|example| Target::from_strings(&example.target, &tools.words)).collect();
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
    pub fn with_scene<R>(&self, at: usize, tools: &Tools, settings: &Settings, run: impl FnOnce(Scene) -> R) -> R {
        let Example { context, utterance, .. } = &self.examples[at];
        let Prepared { graph, vocabulary } = &self.tables[context];
        let question = Question::new(utterance, graph, vocabulary, &tools.annotator, &tools.words, settings.linking);
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

fn prepare(path: &PathBuf, tools: &Tools) -> Result<Prepared> {
    let bytes = std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let name = path.file_name().and_then(|name| name.to_str());
    let table = read(&bytes, name, &ReadSettings::default()).with_context(|| path.display().to_string())?;
    let graph = Graph::new(&table, &tools.words);
    let vocabulary = Vocabulary::new(&graph, &tools.annotator);
    Ok(Prepared { graph, vocabulary })
}
