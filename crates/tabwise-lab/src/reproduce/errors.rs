//! Analysis of wrong answers by cause, in the four groups of the paper. The paper sorted them by hand; here rules do,
//! and the first that holds decides.

use super::page::{Page, difference};
use super::recipe::Recipe;
use super::runs::Workshop;
use anyhow::Result;
use serde_json::json;
use std::collections::BTreeSet;
use tabwise::evaluate::{Examples, Item, Kind, Verdict};
use tabwise::features::Scene;
use tabwise::graph::{Graph, Reading};
use tabwise::{Knowledge, PreparedTable, Settings};

/// Cause of a wrong answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    Unhandled,
    Anchoring,
    Normalisation,
    Ranking,
}

impl Cause {
    const ALL: [Cause; 4] = [Cause::Unhandled, Cause::Anchoring, Cause::Normalisation, Cause::Ranking];

    /// Key of the paper's figure, name, and rule.
    fn doc(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Cause::Unhandled => (
                "unhandled",
                "unhandled question type",
                "no candidate is right, and the question asks for yes or no, or has a word that no rule is for, or none of \
                 the other rules holds",
            ),
            Cause::Anchoring => (
                "anchoring",
                "entity not anchored",
                "no candidate is right, and a word of the question that names nothing begins like a word of some cell",
            ),
            Cause::Normalisation => (
                "normalisation",
                "normalisation or type",
                "no candidate is right, and some item of the answer is neither a cell nor a number, or a column holds \
                 digits in most cells of which half cannot be read as numbers or dates",
            ),
            Cause::Ranking => ("ranking", "ranking", "a candidate is right, but not the best"),
        }
    }
}

/// Counts the causes of the wrong answers of the development splits.
pub(super) fn page(recipe: &Recipe, workshop: &Workshop) -> Result<Page> {
    let mut page =
        Page::new(&recipe.title, &recipe.about, &["row", "paper", "ours", "difference", "questions", "rule"]);
    let mut causes = Vec::new();
    for row in recipe.rows() {
        let settings = row.settings()?;
        for name in &recipe.splits {
            let (run, split) = (workshop.run_of(&settings, name), &workshop.pair_of(name, settings.cells).dev);
            let wrong = run.verdicts.iter().enumerate().filter(|(_, verdict)| !verdict.best_right);
            causes.extend(wrong.map(|(at, verdict)| cause(at, verdict, split, recipe, &settings, workshop.knowledge)));
            page.seconds += run.seconds;
        }
        page.notes.push(format!("Settings: {}. Splits: {}.", row.described(), recipe.splits.join(", ")));
    }
    for one in Cause::ALL {
        let count = causes.iter().filter(|cause| **cause == one).count();
        let ours = 100.0 * count as f64 / causes.len().max(1) as f64;
        let (key, name, rule) = one.doc();
        let paper = recipe.paper_figures.get(key).copied();
        page.rows.push(vec![
            json!(name),
            json!(paper),
            json!(ours),
            difference(paper, ours),
            json!(count),
            json!(rule),
        ]);
    }
    page.notes.push(
        "Of the rules, the first that holds decides, in this order: ranking; yes or no and words that no rule is for; an \
         item that is neither cell nor number; anchoring; a column that cannot be read; unhandled."
            .into(),
    );
    page.notes.push(
        "Many candidates are right by chance: a wrong answer counts as ranking here whenever one of them is, where the \
         paper asks for a formula that means what the question does."
            .into(),
    );
    page.notes.push(format!("Words that no rule is for: {}.", recipe.any_words.join(", ")));
    Ok(page)
}

/// The cause of a wrong answer.
fn cause(
    at: usize,
    verdict: &Verdict,
    asked: &Examples,
    recipe: &Recipe,
    settings: &Settings,
    knowledge: &Knowledge,
) -> Cause {
    if verdict.possible {
        return Cause::Ranking;
    }
    let example = &asked.list[at];
    let PreparedTable { graph, vocabulary, .. } = asked.table(example);
    let question = asked.table(example).question(&example.question, knowledge, settings);
    let scene = Scene { graph, vocabulary, question: &question };
    match () {
        () if is_unhandled(&scene, recipe) => Cause::Unhandled,
        () if !example.target.items().iter().all(|item| is_known(item, graph)) => Cause::Normalisation,
        () if has_loose_word(&scene) => Cause::Anchoring,
        () if has_unread_column(graph) => Cause::Normalisation,
        () => Cause::Unhandled,
    }
}

/// True if the question asks for yes or no, or has a word that no rule handles.
fn is_unhandled(scene: &Scene, recipe: &Recipe) -> bool {
    let words: Vec<String> = scene.question.tokens.iter().map(|token| token.text.to_lowercase()).collect();
    let asks_yes_or_no = words.first().is_some_and(|first| recipe.first_words.contains(first));
    asks_yes_or_no || words.iter().any(|word| recipe.any_words.contains(word))
}

/// True if an item of the answer is a number or the text of a cell.
fn is_known(item: &Item, graph: &Graph) -> bool {
    let is_text = || graph.entities().any(|entity| Item::predicted(graph.name(entity)).text == item.text);
    matches!(item.kind, Kind::Number(_)) || is_text()
}

/// Number of common first letters that makes two words related.
const SHARED: usize = 4;

/// True if a word of the question that has no link, and is in no header, begins like a word of a cell.
fn has_loose_word(scene: &Scene) -> bool {
    let question = scene.question;
    let is_linked = |at: usize| question.links.iter().any(|link| link.tokens.contains(&at));
    let headers: BTreeSet<String> = scene.graph.columns().iter().flat_map(|column| starts(&column.header)).collect();
    let loose =
        (0..question.tokens.len()).filter(|at| !is_linked(*at)).flat_map(|at| starts(&question.tokens[at].text));
    let loose: BTreeSet<String> = loose.filter(|start| !headers.contains(start)).collect();
    !loose.is_empty()
        && scene.graph.entities().any(|entity| starts(scene.graph.name(entity)).any(|s| loose.contains(&s)))
}

/// The first [`SHARED`] letters of each word that has as many.
fn starts(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphabetic()).map(|word| word.to_lowercase());
    words
        .filter(|word| word.chars().count() >= SHARED)
        .map(|word| word.chars().take(SHARED).collect::<String>())
        .collect::<Vec<_>>()
        .into_iter()
}

/// True if most cells of a column have digits, and half of those have no number and no date.
fn has_unread_column(graph: &Graph) -> bool {
    graph.columns().iter().any(|column| {
        let digits = column.cells.iter().filter(|cell| graph.name(**cell).contains(|c: char| c.is_ascii_digit()));
        let is_read = |reading| move |cell: &&tabwise::value::EntityId| graph.has_reading(**cell, reading);
        let digits: Vec<_> = digits.collect();
        let unread =
            digits.iter().copied().filter(|c| !is_read(Reading::Number)(c) && !is_read(Reading::Date)(c)).count();
        2 * digits.len() > column.cells.len() && 2 * unread >= digits.len()
    })
}
