//! Annotated questions of the dataset, each with hand-written formulas (`data/annotated-all.examples`).

use crate::dataset::{as_written, load_table};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use tabwise::formula::lisp::{self, Lisp};
use tabwise::graph::{Cells, Graph};
use tabwise::words::Words;

/// A question with hand-written formulas.
pub(crate) struct Annotated {
    /// Name of the question.
    pub id: String,
    /// The question.
    pub utterance: String,
    /// Path of the table, from the folder of the dataset.
    pub table: String,
    /// Items of the right answer.
    pub target: Vec<String>,
    /// The target formula first, then the alternatives.
    pub formulas: Vec<Lisp>,
}

impl Annotated {
    /// Reads an example; `None` if a part of it is missing.
    fn new(lisp: &Lisp) -> Option<Annotated> {
        let fields = lisp.tagged("example")?;
        let field = |name: &str| fields.iter().find_map(|field| field.tagged(name));
        let words = |items: &[Lisp]| items.last().and_then(Lisp::word).map(str::to_owned);
        let context = field("context")?.iter().find_map(|item| item.tagged("graph"))?;
        let target = field("targetValue")?.iter().find_map(|item| item.tagged("list"))?;
        let formulas = ["targetFormula", "alternativeFormula"];
        let written = |name: &'static str| fields.iter().filter_map(move |field| field.tagged(name)?.first());
        Some(Annotated {
            id: words(field("id")?)?,
            utterance: words(field("utterance")?)?,
            table: words(context)?,
            target: target.iter().filter_map(|item| words(item.tagged("description")?)).collect(),
            formulas: formulas.into_iter().flat_map(written).cloned().collect(),
        })
    }

    /// Reads the table and builds its graph.
    pub(crate) fn graph(&self, data: &Path, words: &Words) -> Result<Graph> {
        let table = load_table(&data.join(&self.table), &as_written())?;
        Ok(Graph::with_cells(&table, words, Cells::Alone))
    }
}

/// Reads all annotated questions. Some have no formula, because none expresses them.
pub(crate) fn annotated(data: &Path) -> Result<Vec<Annotated>> {
    let path = data.join("data/annotated-all.examples");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let parsed = lisp::parse_all(&text).with_context(|| path.display().to_string())?;
    Ok(parsed.iter().filter_map(Annotated::new).collect())
}
