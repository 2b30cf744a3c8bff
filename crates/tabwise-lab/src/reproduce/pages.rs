//! Results of experiments that train models: tables of accuracy and oracle, the beam curve, the sizes of formulas, and
//! the share of annotated formulas among the candidates.

use super::page::{Page, difference};
use super::plot;
use super::recipe::{Recipe, Row, Scores};
use super::runs::{ANNOTATED, Run, Workshop};
use crate::eval::Figures;
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The columns of a table of accuracy and oracle.
const COLUMNS: [&str; 13] = [
    "row",
    "accuracy, paper",
    "accuracy, ours",
    "difference",
    "oracle, paper",
    "oracle, ours",
    "difference of oracle",
    "move of accuracy, paper",
    "move of accuracy, ours",
    "pooled accuracy",
    "by split",
    "seconds",
    "settings",
];

/// Figures of a row, as means over the splits.
struct Measured {
    row: Row,
    scores: Scores,
    /// Accuracy of the program's answers, for which candidates with the same answer are pooled.
    pooled: f64,
    by_split: String,
    seconds: f64,
}

/// The figures of all rows.
fn measured(recipe: &Recipe, workshop: &Workshop) -> Result<Vec<Measured>> {
    recipe.rows().into_iter().map(|row| measure(row, recipe, workshop)).collect()
}

fn measure(row: Row, recipe: &Recipe, workshop: &Workshop) -> Result<Measured> {
    let settings = row.settings()?;
    let runs: Vec<Arc<Run>> = recipe.splits.iter().map(|split| workshop.run_of(&settings, split)).collect();
    let figures: Vec<Figures> = runs.iter().map(|run| Figures::new(&run.verdicts)).collect();
    let mean = |of: fn(&Figures) -> f64| figures.iter().map(of).sum::<f64>() / figures.len().max(1) as f64;
    Ok(Measured {
        row,
        scores: Scores { accuracy: mean(|f| f.best_accuracy), oracle: mean(|f| f.oracle) },
        pooled: mean(|f| f.accuracy),
        by_split: figures.iter().map(|f| format!("{:.1}", f.best_accuracy)).collect::<Vec<_>>().join(", "),
        seconds: runs.iter().map(|run| run.seconds).sum(),
    })
}

/// Result of an experiment with rows.
pub(super) fn rows(recipe: &Recipe, workshop: &Workshop) -> Result<Page> {
    Ok(table(recipe, &measured(recipe, workshop)?))
}

/// A table of accuracy and oracle.
fn table(recipe: &Recipe, all: &[Measured]) -> Page {
    let mut page = Page::new(&recipe.title, &recipe.about, &COLUMNS);
    let against = recipe.against.as_ref().and_then(|name| all.iter().find(|one| one.row.name == *name));
    page.rows = all.iter().map(|one| cells(one, against)).collect();
    page.seconds = all.iter().map(|one| one.seconds).sum();
    page.notes.push(
        "Accuracy is that of the best candidate, as in the paper; pooled accuracy is that of the program's answers, for \
         which candidates with the same answer are pooled."
            .into(),
    );
    if let Some(best) = all.iter().max_by(|a, b| a.pooled.total_cmp(&b.pooled)) {
        page.notes.push(format!("The best of these rows by pooled accuracy: {}, {:.1} %.", best.row.name, best.pooled));
    }
    page.notes.push(format!("Splits: {}.", recipe.splits.join(", ")));
    page
}

/// The cells of a row. The last columns compare it with the row `against`.
fn cells(one: &Measured, against: Option<&Measured>) -> Vec<Value> {
    let paper = one.row.paper;
    let (accuracy, oracle) = (paper.map(|p| p.accuracy), paper.map(|p| p.oracle));
    let against = against.filter(|other| other.row.name != one.row.name);
    let paper_move = against.and_then(|other| Some(accuracy? - other.row.paper?.accuracy));
    let our_move = against.map(|other| one.scores.accuracy - other.scores.accuracy);
    vec![
        json!(one.row.name),
        json!(accuracy),
        json!(one.scores.accuracy),
        difference(accuracy, one.scores.accuracy),
        json!(oracle),
        json!(one.scores.oracle),
        difference(oracle, one.scores.oracle),
        json!(paper_move),
        json!(our_move),
        json!(one.pooled),
        json!(one.by_split),
        json!(one.seconds.round() as u64),
        json!(one.row.described()),
    ]
}

/// Result of a beam curve: a table and a plot.
pub(super) fn beam(recipe: &Recipe, workshop: &Workshop) -> Result<Page> {
    let all = measured(recipe, workshop)?;
    let mut page = table(recipe, &all);
    let lines = recipe.row.iter().zip(all.chunks(recipe.beams.len().max(1))).flat_map(|(row, points)| {
        let line = |what: &str, of: fn(&Scores) -> f64| plot::Line {
            name: format!("{what} {}", row.name),
            points: recipe.beams.iter().zip(points).map(|(beam, one)| (*beam as f64, of(&one.scores))).collect(),
        };
        [line("accuracy", |scores| scores.accuracy), line("oracle", |scores| scores.oracle)]
    });
    page.plot = Some(plot::lines(&recipe.title, "beam", "%", &lines.collect::<Vec<_>>())?);
    Ok(page)
}

/// Histogram of the sizes of the best right formulas.
pub(super) fn sizes(recipe: &Recipe, workshop: &Workshop) -> Result<Page> {
    let mut page =
        Page::new(&recipe.title, &recipe.about, &["size", "paper", "questions, ours", "share, ours", "difference"]);
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for row in recipe.rows() {
        let settings = row.settings()?;
        for run in recipe.splits.iter().map(|split| workshop.run_of(&settings, split)) {
            run.verdicts
                .iter()
                .filter_map(|verdict| verdict.right_size)
                .for_each(|size| *counts.entry(size).or_default() += 1);
            page.seconds += run.seconds;
        }
        page.notes.push(format!("Settings: {}. Splits: {}.", row.described(), recipe.splits.join(", ")));
    }
    let total = counts.values().sum::<usize>().max(1) as f64;
    let share = |count: &usize| 100.0 * *count as f64 / total;
    page.rows = counts
        .iter()
        .map(|(size, count)| vec![json!(size), Value::Null, json!(count), json!(share(count)), Value::Null])
        .collect();
    page.plot = Some(plot::bars(&recipe.title, "size", "questions", &counts)?);
    Ok(page)
}

/// Share of hand-written formulas that are among the candidates.
pub(super) fn annotated(recipe: &Recipe, workshop: &Workshop) -> Result<Page> {
    let columns = [
        "row",
        "of all questions, paper",
        "of all questions, ours",
        "difference",
        "of those with a formula",
        "oracle",
        "seconds",
        "settings",
    ];
    let mut page = Page::new(&recipe.title, &recipe.about, &columns);
    let paper = recipe.paper_figures.get("found").copied();
    for row in recipe.rows() {
        let settings = row.settings()?;
        let run = workshop.run_of(&settings, ANNOTATED);
        let annotated = &workshop.pair_of(ANNOTATED, settings.cells).annotated;
        let with_formula = annotated.iter().filter(|one| !one.formulas.is_empty()).count();
        let found = run.found.iter().filter(|found| **found).count();
        let share = |of: usize| 100.0 * found as f64 / of.max(1) as f64;
        page.rows.push(vec![
            json!(row.name),
            json!(paper),
            json!(share(run.found.len())),
            difference(paper, share(run.found.len())),
            json!(share(with_formula)),
            json!(Figures::new(&run.verdicts).oracle),
            json!(run.seconds.round() as u64),
            json!(row.described()),
        ]);
        page.notes.push(format!(
            "{}: {found} found, of {with_formula} with a formula, of {} questions.",
            row.name,
            run.found.len()
        ));
        page.seconds += run.seconds;
    }
    page.notes.push("The paper annotated 200 questions of its own choice, 79 % of them with a formula.".into());
    Ok(page)
}
