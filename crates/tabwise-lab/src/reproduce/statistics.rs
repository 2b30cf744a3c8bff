//! Statistics of the dataset: numbers of questions, tables, columns and different headers, and the share of answers
//! that are texts of the table.

use super::page::Page;
use super::recipe::Recipe;
use super::runs::{Pair, Workshop};
use crate::dataset::{examples, records};
use anyhow::Result;
use serde_json::json;
use std::collections::BTreeSet;
use tabwise::evaluate::{Example, Examples, Item, Prediction};
use tabwise::graph::{Cells, Graph, Reading};
use tabwise::value::{EntityId, Value};

/// Counts the questions and tables of the files that exist, and looks for the answers of the development questions.
pub(super) fn page(recipe: &Recipe, workshop: &Workshop) -> Result<Page> {
    let is_there = |name: &&String| workshop.data.join("data").join(format!("{name}.tsv")).exists();
    let files: Vec<&String> = recipe.files.iter().filter(is_there).collect();
    let mut all = Vec::new();
    files.iter().try_for_each(|name| records(&workshop.data, name).map(|list| all.extend(list)))?;
    let all = examples(&all, &workshop.data, workshop.knowledge, Cells::Alone)?;
    let columns = all.tables.iter().flat_map(|table| table.graph.columns());
    let headers: Vec<&str> = columns.map(|column| column.header.as_str()).collect();
    let different: BTreeSet<String> = headers.iter().map(|header| header.to_lowercase()).collect();
    let pairs = || recipe.splits.iter().map(|split| workshop.pair_of(split, Cells::Alone));
    let rows = [
        ("questions", "questions", all.list.len() as f64),
        ("tables", "tables", all.tables.len() as f64),
        ("columns", "columns", headers.len() as f64),
        ("headers", "different headers", different.len() as f64),
        ("entity_share", "development questions whose answer is one cell, %", share(pairs(), is_text)),
        ("reading_share", "... or what one cell reads as, %", share(pairs(), is_text_or_reading)),
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
fn figure(value: Option<f64>) -> serde_json::Value {
    match value {
        Some(value) if value.fract() == 0.0 => json!(value as i64),
        value => json!(value),
    }
}

/// Share of development questions with a property, in percent, as the mean over the splits.
fn share<'p>(pairs: impl ExactSizeIterator<Item = &'p Pair>, holds: fn(&Example, &Graph) -> bool) -> f64 {
    let count = pairs.len().max(1) as f64;
    let of = |all: &Examples| all.list.iter().filter(|one| holds(one, &all.table(one).graph)).count() as f64;
    pairs.map(|pair| 100.0 * of(&pair.dev) / pair.dev.list.len().max(1) as f64).sum::<f64>() / count
}

/// True if a text of the table is the right answer.
fn is_text(example: &Example, graph: &Graph) -> bool {
    cells(graph).any(|entity| {
        let item = Item::predicted(graph.name(entity));
        example.target.matches([Prediction::Item(&item)].into_iter())
    })
}

/// True if a text of the table, or its number or date, is the right answer.
fn is_text_or_reading(example: &Example, graph: &Graph) -> bool {
    let reads = |entity, reading| match graph.read(entity, reading) {
        Some(Value::Number(n)) => example.target.matches([Prediction::Number(n)].into_iter()),
        Some(Value::Date(date)) => example.target.matches([Prediction::Date(date)].into_iter()),
        _ => false,
    };
    is_text(example, graph) || cells(graph).any(|cell| reads(cell, Reading::Number) || reads(cell, Reading::Date))
}

fn cells(graph: &Graph) -> impl Iterator<Item = EntityId> + '_ {
    graph.columns().iter().flat_map(|column| column.cells.iter().copied())
}
