//! The statistics of the dataset: questions, tables, columns, different headers, and how many answers are texts of the table.

use super::page::Page;
use super::recipe::Recipe;
use super::runs::{Pair, Workshop};
use crate::dataset::{Split, examples};
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tabwise::evaluate::{Item, Prediction};
use tabwise::graph::Graph;

/// Counts the files of questions that are there, and looks for the answers of the development questions.
pub fn page(recipe: &Recipe, workshop: &Workshop) -> Result<Page> {
    let is_there = |name: &&String| workshop.data.join("data").join(format!("{name}.tsv")).exists();
    let files: Vec<&String> = recipe.files.iter().filter(is_there).collect();
    let mut all = Vec::new();
    files.iter().try_for_each(|name| examples(&workshop.data, name).map(|list| all.extend(list)))?;
    let split = Split::new(all, &workshop.data, &workshop.tools)?;
    let headers: Vec<&str> = split.graphs().flat_map(|graph| graph.columns()).map(|c| c.header.as_str()).collect();
    let different: BTreeSet<String> = headers.iter().map(|header| header.to_lowercase()).collect();
    let share = share_in_table(recipe.splits.iter().map(|split| &workshop.pairs[split]));
    let rows = [
        ("questions", "questions", split.examples.len() as f64),
        ("tables", "tables", split.graphs().len() as f64),
        ("columns", "columns", headers.len() as f64),
        ("headers", "different headers", different.len() as f64),
        ("entity_share", "development questions whose answer is one cell, %", share),
    ];
    let mut page = Page::new(&recipe.title, &recipe.about, &["row", "paper", "ours", "difference"]);
    page.rows = rows
        .map(|(key, name, ours)| {
            let paper = recipe.paper_figures.get(key).copied();
            vec![json!(name), figure(paper), figure(Some(ours)), figure(paper.map(|paper| ours - paper))]
        })
        .to_vec();
    page.notes.push(format!("Counted: {}.", files.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ")));
    page.notes
        .push(format!("Development questions: {}. Headers are compared in lower case.", recipe.splits.join(", ")));
    Ok(page)
}

/// A count without decimals, a share with them.
fn figure(value: Option<f64>) -> Value {
    match value {
        Some(value) if value.fract() == 0.0 => json!(value as i64),
        value => json!(value),
    }
}

/// The share of questions whose answer is a text of the table, the mean over the splits.
fn share_in_table<'p>(pairs: impl ExactSizeIterator<Item = &'p Pair>) -> f64 {
    let count = pairs.len().max(1) as f64;
    pairs.map(|pair| 100.0 * in_table(&pair.dev) as f64 / pair.dev.examples.len().max(1) as f64).sum::<f64>() / count
}

fn in_table(split: &Split) -> usize {
    (0..split.examples.len()).filter(|at| is_text_of(split, *at, split.graph(*at))).count()
}

/// Whether one text of the table is the right answer.
pub fn is_text_of(split: &Split, at: usize, graph: &Graph) -> bool {
    graph.columns().iter().flat_map(|column| &column.cells).any(|entity| {
        let item = Item::predicted(graph.name(*entity));
        split.targets[at].matches([Prediction::Item(&item)].into_iter())
    })
}
