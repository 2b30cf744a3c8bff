//! Annotated questions of the dataset: each with the formulas that people wrote for it.

use crate::dataset::load_table;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use tabwise::formula::lisp::{self, Lisp};
use tabwise::graph::Graph;
use tabwise::table::ReadSettings;
use tabwise::words::Words;

/// A question with the formulas that people wrote for it.
pub struct Annotated {
    pub id: String,
    pub utterance: String,
    /// The path of its table.
    pub table: String,
    pub target: Vec<String>,
    /// The target formula first, then the alternatives.
    pub formulas: Vec<Lisp>,
}

impl Annotated {
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

    /// The graph of its table.
    pub fn graph(&self, data: &Path, words: &Words) -> Result<Graph> {
        let table = load_table(&data.join(&self.table), &ReadSettings::default())?;
        Ok(Graph::new(&table, words))
    }
}

/// Reads the questions of the dataset that people looked at.
pub fn annotated(data: &Path) -> Result<Vec<Annotated>> {
    let path = data.join("data/annotated-all.examples");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Ok(lisp::parse_all(&text)?.iter().filter_map(Annotated::new).collect())
}
