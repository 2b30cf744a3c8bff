//! Settings: everything that changes which candidates are built and how they are ranked, in one record that is passed
//! along and stored with the model.

use crate::graph::Reading;
use crate::question::Linking;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How questions are parsed and models trained. [`Settings::paper`] are the paper's, the default the best we know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// How many derivations each cell of the chart keeps.
    pub beam: usize,
    /// The largest size of a derivation: rules applied, base rules included.
    pub size: usize,
    /// The groups of rules that are used.
    pub rules: Vec<String>,
    /// The families of features that are used.
    pub features: Vec<String>,
    /// The pruners that are used.
    pub pruners: Vec<String>,
    /// The readings that relations follow.
    pub readings: Vec<String>,
    /// Which words of a question are linked.
    pub linking: Linking,
    /// Whether rules float, or need one of their group's cue words in the question.
    pub operations: Operations,
    /// What the candidates are.
    pub candidates: Candidates,
    /// The most values of an answer.
    pub most_values: usize,
    /// What training moves towards.
    pub objective: Objective,
    /// How often training goes over the examples.
    pub passes: usize,
    /// How often it is done anew, with the examples in another order; the model is the mean.
    pub orders: usize,
    /// The weight of the L1 penalty.
    pub l1: f64,
    /// Which of the weights that training went through make the model.
    pub average: Average,
    /// How many examples are parsed with the same weights.
    pub batch: usize,
}

/// When a rule may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operations {
    /// Always.
    Floating,
    /// When the question has a cue word of its group.
    Cued,
}

/// What is ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Candidates {
    /// The formulas that the floating parser builds.
    Formulas,
    /// The cells of the table: the paper's retrieval baseline.
    Cells,
}

/// What training moves towards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Objective {
    /// The probability of the right answer, summed over the candidates that give it.
    Likelihood,
    /// The best right candidate above the best wrong one.
    Best,
}

/// Which weights make the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Average {
    /// Those at the end.
    Last,
    /// The mean over all updates.
    All,
}

fn all(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

impl Settings {
    /// Up to so many rows a table gets the whole beam.
    const LONG: usize = 20_000;

    /// The same for a table of so many rows. What a derivation costs grows with the rows, so a long table gets a narrower
    /// beam, down to a quarter.
    ///
    /// ```
    /// use tabwise::settings::Settings;
    ///
    /// let settings = Settings { beam: 200, ..Settings::default() };
    /// assert_eq!(settings.for_rows(700).beam, 200);
    /// assert_eq!(settings.for_rows(40_000).beam, 100);
    /// assert_eq!(settings.for_rows(1_000_000).beam, 50);
    /// ```
    pub fn for_rows(&self, rows: usize) -> Cow<'_, Settings> {
        if rows <= Settings::LONG {
            return Cow::Borrowed(self);
        }
        let beam = (self.beam * Settings::LONG / rows).max(self.beam.div_ceil(4));
        Cow::Owned(Settings { beam, ..self.clone() })
    }

    /// Whether relations follow a reading.
    pub fn follows(&self, reading: Reading) -> bool {
        self.readings.iter().any(|name| name == reading.name())
    }

    /// The settings of the paper.
    pub fn paper() -> Settings {
        Settings {
            beam: 200,
            size: 15,
            rules: all(&[
                "base",
                "join",
                "compare",
                "next",
                "count",
                "aggregate",
                "superlative",
                "arithmetic",
                "product",
                "merge",
            ]),
            features: all(&["lexical", "match", "missing", "denotation", "phrase-denotation", "headword-denotation"]),
            pruners: all(&[
                "undefined",
                "empty",
                "singleton",
                "reversal",
                "crossing",
                "computed",
                "whole",
                "double-next",
                "many-next",
                "superlatives",
                "same-merge",
                "unsorted-merge",
                "mistyped-merge",
                "atomic",
                "too-many",
            ]),
            readings: all(&["Number", "Date"]),
            linking: Linking::Cells,
            operations: Operations::Floating,
            candidates: Candidates::Formulas,
            most_values: 10,
            objective: Objective::Likelihood,
            passes: 3,
            orders: 1,
            l1: 3e-5,
            average: Average::Last,
            batch: 8,
        }
    }
}

/// The families of features that the paper does not have.
const OWN_FEATURES: [&str; 9] =
    ["role", "shape", "cover", "asked-size", "column-class", "echo", "order", "near", "extent"];

/// The best settings known on the development splits; `experiments/results` says by how much.
impl Default for Settings {
    fn default() -> Settings {
        let paper = Settings::paper();
        let rules_kept: Vec<String> = paper.rules.iter().filter(|group| *group != "product").cloned().collect();
        Settings {
            features: [paper.features.as_slice(), &all(&OWN_FEATURES)].concat(),
            readings: all(&["Number", "Number2", "Date", "Duration", "Part"]),
            rules: [rules_kept.as_slice(), &all(&["distinct", "range", "position"])].concat(),
            pruners: [paper.pruners.as_slice(), &all(&["blank", "counted-once"])].concat(),
            linking: Linking::Words,
            objective: Objective::Best,
            average: Average::All,
            passes: 2,
            orders: 3,
            ..paper
        }
    }
}
