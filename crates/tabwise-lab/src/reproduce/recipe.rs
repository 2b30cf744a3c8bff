//! Recipes: descriptions of experiments with the settings to run and the figures of the paper, read from the TOML files
//! of `recipes/`. They are built into the program; `--recipes` replaces them.

use crate::dataset::list;
use crate::settings::{BaseSettings, change};
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use tabwise::settings::Settings;

/// Built-in recipes, in the order in which they run.
const EMBEDDED: [(&str, &str); 11] = [
    ("dataset", include_str!("../../recipes/dataset.toml")),
    ("main", include_str!("../../recipes/main.toml")),
    ("rules", include_str!("../../recipes/rules.toml")),
    ("features", include_str!("../../recipes/features.toml")),
    ("triggers", include_str!("../../recipes/triggers.toml")),
    ("objective", include_str!("../../recipes/objective.toml")),
    ("sizes", include_str!("../../recipes/sizes.toml")),
    ("beam", include_str!("../../recipes/beam.toml")),
    ("annotated", include_str!("../../recipes/annotated.toml")),
    ("errors", include_str!("../../recipes/errors.toml")),
    ("settings", include_str!("../../recipes/settings.toml")),
];

/// One experiment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recipe {
    /// Name of the experiment or row.
    #[serde(skip)]
    pub name: String,
    /// Heading of the result.
    pub title: String,
    /// Explanation for readers of the result.
    pub about: String,
    pub kind: ExperimentKind,
    /// Names of splits. Each is a pair of files of questions, NAME-train and NAME-dev.
    pub splits: Vec<String>,
    /// Name of the row that the others are compared with.
    pub against: Option<String>,
    /// Rows of the result.
    #[serde(default)]
    pub row: Vec<Row>,
    /// Beam sizes of a beam curve.
    #[serde(default)]
    pub beams: Vec<usize>,
    /// Files of questions to count.
    #[serde(default)]
    pub files: Vec<String>,
    /// Figures of the paper that belong to no row.
    #[serde(default)]
    pub paper_figures: BTreeMap<String, f64>,
    /// First words of questions that no rule handles.
    #[serde(default)]
    pub first_words: Vec<String>,
    /// Words of questions that no rule handles.
    #[serde(default)]
    pub any_words: Vec<String>,
}

/// Kind of experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ExperimentKind {
    /// Accuracy and oracle of each row.
    Rows,
    /// Statistics of the dataset; nothing is trained.
    Dataset,
    /// Sizes of the best right formulas.
    Sizes,
    /// Accuracy and oracle of each row for several beams.
    Beam,
    /// Share of hand-written formulas that are found.
    Annotated,
    /// Wrong answers by cause.
    Errors,
}

/// Settings to measure, and the figures of the paper for them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    /// Name of the experiment or row.
    pub name: String,
    /// The paper's figures.
    pub paper: Option<Scores>,
    pub base: BaseSettings,
    /// Changed settings, as in `--set`.
    #[serde(default)]
    pub set: toml::Table,
    /// Names to remove from lists of the settings.
    #[serde(default)]
    pub without: BTreeMap<String, Vec<String>>,
}

/// Accuracy and oracle, in percent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scores {
    /// Share of right answers.
    pub accuracy: f64,
    /// Share of questions with a right candidate.
    pub oracle: f64,
}

impl Row {
    /// The settings of this row.
    pub(super) fn settings(&self) -> Result<Settings> {
        let base = self.base.settings();
        change(&base, &self.changes(&base)?).with_context(|| format!("row {:?}", self.name))
    }

    /// The changes in the format of `--set`.
    fn changes(&self, base: &Settings) -> Result<String> {
        let mut changes = serde_json::to_value(&self.set)?;
        let fields = serde_json::to_value(base)?;
        for (field, names) in &self.without {
            let list = fields[field]
                .as_array()
                .with_context(|| format!("row {:?}: the settings have no list {field:?}", self.name))?;
            let is_left = |item: &&serde_json::Value| !names.iter().any(|name| item.as_str() == Some(name));
            let left: Vec<&serde_json::Value> = list.iter().filter(is_left).collect();
            ensure!(
                left.len() + names.len() == list.len(),
                "row {:?}: {field} does not contain all of {names:?}",
                self.name
            );
            changes[field] = serde_json::to_value(left)?;
        }
        Ok(changes.to_string())
    }

    /// The settings in words: the base and the changes.
    pub(super) fn described(&self) -> String {
        let base = if self.base == BaseSettings::Paper { "paper" } else { "default" };
        let set = self.set.iter().map(|(name, value)| format!("{name} = {value}"));
        let without = self.without.iter().map(|(name, list)| format!("{name} − {}", list.join(", ")));
        std::iter::once(base.to_string()).chain(set).chain(without).collect::<Vec<_>>().join("; ")
    }

    /// The row with another beam. It has the paper's figures only if the paper used that beam.
    pub(super) fn with_beam(&self, beam: usize) -> Row {
        let mut row = Row { name: format!("{}, beam {beam}", self.name), ..self.clone() };
        row.set.insert("beam".into(), toml::Value::Integer(beam as i64));
        row.paper = row.paper.filter(|_| beam == Settings::paper().beam);
        row
    }
}

impl Recipe {
    /// All rows to train; for a beam curve, each row with each beam.
    pub(super) fn rows(&self) -> Vec<Row> {
        match self.kind {
            ExperimentKind::Beam => {
                self.row.iter().flat_map(|row| self.beams.iter().map(|beam| row.with_beam(*beam))).collect()
            }
            _ => self.row.clone(),
        }
    }

    fn read(name: &str, text: &str) -> Result<Recipe> {
        let recipe: Recipe = toml::from_str(text).with_context(|| format!("{name}.toml"))?;
        Ok(Recipe { name: name.to_string(), ..recipe })
    }
}

/// Names of the built-in experiments.
pub(super) fn names() -> [&'static str; EMBEDDED.len()] {
    EMBEDDED.map(|(name, _)| name)
}

/// The recipes with these names; `all`, or no name, means every one. A folder replaces the built-in recipes.
pub(super) fn recipes(names: &[String], folder: Option<&Path>) -> Result<Vec<Recipe>> {
    let all = folder.map_or_else(|| Ok(embedded()), files)?;
    let known: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    for name in names.iter().filter(|name| *name != "all") {
        ensure!(known.contains(&name.as_str()), "there is no experiment {name:?}; there are {}", known.join(", "));
    }
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name || wanted == "all");
    all.iter().filter(|(name, _)| is_wanted(name)).map(|(name, text)| Recipe::read(name, text)).collect()
}

/// Name and text of each built-in recipe.
fn embedded() -> Vec<(String, String)> {
    EMBEDDED.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect()
}

/// Name and text of each recipe in a folder, sorted by name.
fn files(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut paths = list(folder)?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    ensure!(!paths.is_empty(), "{} has no recipes (files such as main.toml)", folder.display());
    paths.iter().map(|path| file(path)).collect()
}

fn file(path: &Path) -> Result<(String, String)> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok((name, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabwise::features::Family;

    #[test]
    fn every_recipe_has_valid_settings() {
        for recipe in recipes(&[], None).unwrap() {
            for row in recipe.rows() {
                row.settings().unwrap();
            }
            assert!(recipe.against.iter().all(|name| recipe.row.iter().any(|row| row.name == *name)));
        }
    }

    #[test]
    fn a_row_describes_its_changes() {
        let features = recipes(&["features".into()], None).unwrap().remove(0);
        let row = features.row.iter().find(|row| row.name == "all − denotation").unwrap();
        assert_eq!(row.described(), "paper; features − denotation");
        let settings = row.settings().unwrap();
        assert_eq!(settings.features, Settings::paper().features.without(Family::Denotation));
        assert!(recipes(&["nothing".into()], None).is_err());
    }
}
