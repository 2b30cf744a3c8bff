//! Recipes: what an experiment runs and what the paper says of it, read from the TOML files of `recipes/`. They are
//! part of the program; another folder can be given.

use crate::dataset::list;
use crate::settings::{Base, change};
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use tabwise::settings::Settings;

/// The experiments, in the order in which they run.
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
pub struct Recipe {
    #[serde(skip)]
    pub name: String,
    pub title: String,
    /// What is measured, for the reader of the result.
    pub about: String,
    pub kind: Kind,
    /// Each names two files of questions: NAME-train and NAME-dev.
    pub splits: Vec<String>,
    /// The row that the others are held against.
    pub against: Option<String>,
    #[serde(default)]
    pub row: Vec<Row>,
    /// The beams of a beam curve.
    #[serde(default)]
    pub beams: Vec<usize>,
    /// The files of questions that are counted.
    #[serde(default)]
    pub files: Vec<String>,
    /// The paper's figures that belong to no row.
    #[serde(default)]
    pub paper_figures: BTreeMap<String, f64>,
    /// First words of questions that no rule is for.
    #[serde(default)]
    pub first_words: Vec<String>,
    /// Words of questions that no rule is for.
    #[serde(default)]
    pub any_words: Vec<String>,
}

/// How an experiment is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Accuracy and oracle of each row.
    Rows,
    /// Counts of the dataset; nothing is trained.
    Dataset,
    /// The sizes of the best right formulas.
    Sizes,
    /// Accuracy and oracle of each row for several beams.
    Beam,
    /// How many hand-written formulas are found.
    Annotated,
    /// Wrong answers by their cause.
    Errors,
}

/// Settings that are measured, and the paper's figures for them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub name: String,
    pub paper: Option<Scores>,
    pub base: Base,
    /// Settings that are changed, as in `--set`.
    #[serde(default)]
    pub set: toml::Table,
    /// Names that are taken out of lists of the settings.
    #[serde(default)]
    pub without: BTreeMap<String, Vec<String>>,
}

/// Accuracy and oracle, in percent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scores {
    pub accuracy: f64,
    pub oracle: f64,
}

impl Row {
    /// The settings of this row.
    pub fn settings(&self) -> Result<Settings> {
        let base = self.base.settings();
        change(&base, &self.changes(&base)?).with_context(|| format!("row {:?}", self.name))
    }

    /// What is changed, as `--set` takes it.
    fn changes(&self, base: &Settings) -> Result<String> {
        let mut changes = serde_json::to_value(&self.set)?;
        let fields = serde_json::to_value(base)?;
        for (field, names) in &self.without {
            let list = fields[field].as_array().with_context(|| format!("row {:?}: no list {field:?}", self.name))?;
            let is_left = |item: &&serde_json::Value| !names.iter().any(|name| item.as_str() == Some(name));
            let left: Vec<&serde_json::Value> = list.iter().filter(is_left).collect();
            ensure!(left.len() + names.len() == list.len(), "row {:?}: {field} does not have {names:?}", self.name);
            changes[field] = serde_json::to_value(left)?;
        }
        Ok(changes.to_string())
    }

    /// The settings in words: the base, and what differs from it.
    pub fn described(&self) -> String {
        let base = if self.base == Base::Paper { "paper" } else { "default" };
        let set = self.set.iter().map(|(name, value)| format!("{name} = {value}"));
        let without = self.without.iter().map(|(name, list)| format!("{name} − {}", list.join(", ")));
        std::iter::once(base.to_string()).chain(set).chain(without).collect::<Vec<_>>().join("; ")
    }

    /// This row with another beam. The paper's figures are those of its own beam.
    pub fn with_beam(&self, beam: usize) -> Row {
        let mut row = Row { name: format!("{}, beam {beam}", self.name), ..self.clone() };
        row.set.insert("beam".into(), toml::Value::Integer(beam as i64));
        row.paper = row.paper.filter(|_| beam == Settings::paper().beam);
        row
    }
}

impl Recipe {
    /// All rows that are trained.
    pub fn rows(&self) -> Vec<Row> {
        match self.kind {
            Kind::Beam => self.row.iter().flat_map(|row| self.beams.iter().map(|beam| row.with_beam(*beam))).collect(),
            _ => self.row.clone(),
        }
    }

    fn read(name: &str, text: &str) -> Result<Recipe> {
        let recipe: Recipe = toml::from_str(text).with_context(|| format!("{name}.toml"))?;
        Ok(Recipe { name: name.to_string(), ..recipe })
    }
}

/// The names of the experiments that are part of the program.
pub fn names() -> [&'static str; EMBEDDED.len()] {
    EMBEDDED.map(|(name, _)| name)
}

/// The recipes of these names; `all`, or no name, is every one. A folder stands in place of the embedded recipes, and its
/// files are all the names there are.
pub fn recipes(names: &[String], folder: Option<&Path>) -> Result<Vec<Recipe>> {
    let all = folder.map_or_else(|| Ok(embedded()), files)?;
    let known: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    for name in names.iter().filter(|name| *name != "all") {
        ensure!(known.contains(&name.as_str()), "there is no experiment {name:?}; there are {}", known.join(", "));
    }
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name || wanted == "all");
    all.iter().filter(|(name, _)| is_wanted(name)).map(|(name, text)| Recipe::read(name, text)).collect()
}

fn embedded() -> Vec<(String, String)> {
    EMBEDDED.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect()
}

/// The name and the text of each recipe of a folder, by name.
fn files(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut paths = list(folder)?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    ensure!(!paths.is_empty(), "{} has no recipes: files with names such as main.toml", folder.display());
    paths.iter().map(|path| file(path)).collect()
}

fn file(path: &Path) -> Result<(String, String)> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    Ok((name, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabwise::features::Family;

    #[test]
    fn every_recipe_can_be_made() {
        for recipe in recipes(&[], None).unwrap() {
            for row in recipe.rows() {
                row.settings().unwrap();
            }
            assert!(recipe.against.iter().all(|name| recipe.row.iter().any(|row| row.name == *name)));
        }
    }

    #[test]
    fn a_row_says_what_it_changes() {
        let features = recipes(&["features".into()], None).unwrap().remove(0);
        let row = features.row.iter().find(|row| row.name == "all − denotation").unwrap();
        assert_eq!(row.described(), "paper; features − denotation");
        let settings = row.settings().unwrap();
        assert_eq!(settings.features, Settings::paper().features.without(Family::Denotation));
        assert!(recipes(&["nothing".into()], None).is_err());
    }
}
