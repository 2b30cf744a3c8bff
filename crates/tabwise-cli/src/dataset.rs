//! A folder of the dataset's layout: the questions of a split, and the tables they are about, each read once.

use anyhow::{Context, Result};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tabwise::evaluate::{Example, Target, examples_from_tsv};
use tabwise::features::Scene;
use tabwise::graph::Graph;
use tabwise::question::{Question, Vocabulary};
use tabwise::settings::Settings;
use tabwise::table::{ReadSettings, read};
use tabwise::text::Annotator;
use tabwise::words::Words;

/// A table made ready for questions.
pub struct Prepared {
    pub graph: Graph,
    pub vocabulary: Vocabulary,
}

/// The questions of a split with their tables.
pub struct Split {
    pub examples: Vec<Example>,
    pub targets: Vec<Target>,
    tables: BTreeMap<String, Prepared>,
}

impl Split {
    /// Reads `data/NAME.tsv` and its tables.
    pub fn load(data: &Path, name: &str, words: &Words, annotator: &Annotator) -> Result<Split> {
        let path = data.join("data").join(format!("{name}.tsv"));
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("{} cannot be read; --split names a file of DIR/data", path.display()))?;
        Split::new(examples_from_tsv(&text)?, data, words, annotator)
    }

    /// These questions with their tables.
    pub fn new(examples: Vec<Example>, data: &Path, words: &Words, annotator: &Annotator) -> Result<Split> {
        let mut names: Vec<&str> = examples.iter().map(|example| example.context.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let tables = names.par_iter().map(|name| Ok((name.to_string(), prepare(&data.join(name), words, annotator)?)));
        let tables = tables.collect::<Result<_>>()?;
        let targets = examples.iter().map(|example| Target::from_strings(&example.target, words)).collect();
        Ok(Split { examples, targets, tables })
    }

    pub fn table(&self, example: usize) -> &Prepared {
        &self.tables[&self.examples[example].context]
    }

    /// Annotates an example's question and hands it over with its table.
    pub fn with_scene<R>(
        &self,
        at: usize,
        words: &Words,
        annotator: &Annotator,
        settings: &Settings,
        run: impl FnOnce(Scene) -> R,
    ) -> R {
        let Prepared { graph, vocabulary } = self.table(at);
        let text = &self.examples[at].utterance;
        let question = Question::new(text, graph, vocabulary, annotator, words, settings.linking);
        run(Scene { graph, vocabulary, question: &question })
    }
}

fn prepare(path: &PathBuf, words: &Words, annotator: &Annotator) -> Result<Prepared> {
    let bytes = std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let name = path.file_name().and_then(|name| name.to_str());
    let table = read(&bytes, name, &ReadSettings::default()).with_context(|| path.display().to_string())?;
    let graph = Graph::new(&table, words);
    let vocabulary = Vocabulary::new(&graph, annotator);
    Ok(Prepared { graph, vocabulary })
}
