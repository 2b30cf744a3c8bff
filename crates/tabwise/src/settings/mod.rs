//! Settings: everything that changes which candidates are built and how they are ranked, in one record that is passed
//! along and stored with the model. Families, pruners and readings are checked by name when settings are read, groups of
//! rules when they meet a grammar.

mod pruner;

pub use pruner::Pruner;

use crate::features::{Extent, Family};
use crate::grammar::Grammar;
use crate::graph::{Cells, Reading};
use crate::named::Set;
use crate::question::Linking;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::str::FromStr;

/// Choices for searching and training. [`Settings::paper`] are the paper's, the default the best we know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Number of derivations that each cell of the chart keeps.
    pub beam: usize,
    /// Largest size of a derivation: rules applied, base rules included.
    pub size: usize,
    /// Groups of rules in use.
    pub rules: Vec<String>,
    /// Families of features in use.
    pub features: Set<Family>,
    /// Pruners in use.
    pub pruners: Set<Pruner>,
    /// Way of reading cells. Models that were stored without it read each cell alone.
    #[serde(default)]
    pub cells: Cells,
    /// Readings that relations follow.
    pub readings: Set<Reading>,
    /// Kinds of links between words and the table.
    pub linking: Linking,
    /// Condition for using a rule.
    pub operations: Operations,
    /// Kind of candidates.
    pub candidates: Candidates,
    /// Largest number of values of an answer.
    pub most_values: usize,
    /// Costs of not heeding the question.
    #[serde(default)]
    pub heed: Heed,
    /// True if a reader, where there is one, ranks the best candidates a second time. Models that were stored without it
    /// have it.
    #[serde(default = "reader")]
    pub reader: bool,
    /// Number of answers whose best candidate the reader reads.
    #[serde(default = "read")]
    pub read: usize,
    /// Probability of the best answer up to which the reader is asked; 1 is always.
    #[serde(default = "read_below")]
    pub read_below: f64,
    /// Goal of training.
    pub objective: Objective,
    /// Number of passes over the examples.
    pub passes: usize,
    /// Number of trainings, each with the examples in another order; the model is their mean.
    pub orders: usize,
    /// Weight of the L1 penalty.
    pub l1: f64,
    /// Weights that make the model, of those that training went through.
    pub average: Average,
    /// Number of examples that are parsed with the same weights.
    pub batch: usize,
}

/// Costs in score for not heeding the question. They are not learned: the dataset has few questions in which such words
/// matter, and many in which they do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Heed {
    /// Words such as *not* that ask for an operation.
    pub ignored: f64,
    /// Operations that go against what the question says.
    #[serde(default)]
    pub contrary: f64,
}

impl Heed {
    /// Cost of a candidate with so many operations that go against the question.
    pub fn cost(&self, extent: &Extent, contrary: usize) -> f64 {
        self.ignored * extent.ignored() + self.contrary * contrary as f64
    }
}

/// A group of rules that the grammar does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no group of rules {name:?}; there are {known}")]
pub struct UnknownGroup {
    /// Name that the settings give.
    pub name: String,
    /// Groups of the grammar.
    pub known: String,
}

/// A group of rules that is switched on or off: `+range`, `-range`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleSwitch {
    /// Use the group.
    On(String),
    /// Do without it.
    Off(String),
}

impl FromStr for RuleSwitch {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<RuleSwitch, &'static str> {
        match (text.strip_prefix('+'), text.strip_prefix('-')) {
            (Some(group), _) if !group.is_empty() => Ok(RuleSwitch::On(group.to_string())),
            (_, Some(group)) if !group.is_empty() => Ok(RuleSwitch::Off(group.to_string())),
            _ => Err("a group of rules is switched on by +NAME and off by -NAME"),
        }
    }
}

/// Condition for using a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operations {
    /// Always.
    Floating,
    /// Only if the question has a cue word of its group.
    Cued,
}

/// Kind of candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Candidates {
    /// Formulas that the floating parser builds.
    Formulas,
    /// Cells of the table: the paper's retrieval baseline.
    Cells,
}

/// Goal of training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Objective {
    /// The probability of the right answer, summed over the candidates that give it.
    Likelihood,
    /// The best right candidate above the best wrong one.
    Best,
}

/// Weights that make the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Average {
    /// Those at the end.
    Last,
    /// The mean over all updates.
    All,
}

impl Settings {
    /// Number of rows up to which a table gets the whole beam.
    const LONG: usize = 20_000;
    /// Largest size of derivations; those in use are below 20.
    const LARGEST: usize = 64;
    /// Widest beam; those in use are below 1,000.
    const WIDEST: usize = 1_000_000;

    /// The settings for a table of this many rows. The cost of a derivation grows with the rows, so a long table gets a
    /// narrower beam, down to a quarter.
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

    /// The settings with groups of rules switched on and off, checked. A group that the grammar does not have may be
    /// switched off if it was on.
    pub fn switched(mut self, switches: &[RuleSwitch], grammar: &Grammar) -> Result<Settings, UnknownGroup> {
        for switch in switches {
            let (RuleSwitch::On(name) | RuleSwitch::Off(name)) = switch;
            if !self.rules.contains(name) {
                self.rules.push(name.clone());
                self.check(grammar)?;
            }
            if let RuleSwitch::Off(name) = switch {
                self.rules.retain(|group| group != name);
            }
        }
        self.check(grammar)?;
        Ok(self)
    }

    /// Checks that the grammar has every group of rules that the settings name.
    pub fn check(&self, grammar: &Grammar) -> Result<(), UnknownGroup> {
        let groups = grammar.groups();
        match self.rules.iter().find(|name| !groups.contains(&name.as_str())) {
            Some(name) => Err(UnknownGroup { name: name.clone(), known: groups.join(", ") }),
            None => Ok(()),
        }
    }

    /// Tells if a search with this beam and this size of derivations finds something and ends. A model or a user may ask for
    /// anything.
    pub fn is_of_use(&self) -> bool {
        (1..=Settings::WIDEST).contains(&self.beam) && (1..=Settings::LARGEST).contains(&self.size)
    }

    /// The settings of the paper.
    pub fn paper() -> Settings {
        Settings {
            beam: 200,
            size: 15,
            rules: PAPER_RULES.map(str::to_string).to_vec(),
            features: Set::of(&[
                Family::Lexical,
                Family::Match,
                Family::Missing,
                Family::Denotation,
                Family::PhraseDenotation,
                Family::HeadwordDenotation,
            ]),
            pruners: Set::of(&Pruner::ALL)
                .without(Pruner::Blank)
                .without(Pruner::CountedOnce)
                .without(Pruner::Unscoped)
                .without(Pruner::DoubleNegation)
                .without(Pruner::Picked)
                .without(Pruner::OfShares)
                .without(Pruner::Foreign),
            cells: Cells::Alone,
            readings: Set::of(&[Reading::Number, Reading::Date]),
            linking: Linking::Cells,
            operations: Operations::Floating,
            candidates: Candidates::Formulas,
            most_values: 10,
            heed: Heed::default(),
            reader: false,
            read: read(),
            read_below: read_below(),
            objective: Objective::Likelihood,
            passes: 3,
            orders: 1,
            l1: 3e-5,
            average: Average::Last,
            batch: 8,
        }
    }
}

/// Default of [`Settings::reader`].
fn reader() -> bool {
    true
}

/// Default of [`Settings::read`].
fn read() -> usize {
    6
}

/// Default of [`Settings::read_below`].
fn read_below() -> f64 {
    1.0
}

/// Groups of rules that the paper has.
const PAPER_RULES: [&str; 10] =
    ["base", "join", "compare", "next", "count", "aggregate", "superlative", "arithmetic", "product", "merge"];

/// Groups of rules that the default adds to the paper's; it does without "product".
const OWN_RULES: [&str; 25] = [
    "order",
    "distinct",
    "range",
    "position",
    "condition",
    "between",
    "negation",
    "empty",
    "median",
    "top",
    "nth",
    "key",
    "per",
    "within",
    "group",
    "having",
    "share",
    "truth",
    "ratio",
    "days",
    "months",
    "across",
    "across-days",
    "across-share",
    "skip",
];

/// The best settings known on the development splits; `experiments/results` says by how much.
impl Default for Settings {
    fn default() -> Settings {
        let paper = Settings::paper();
        let rules = PAPER_RULES.iter().filter(|group| **group != "product").chain(&OWN_RULES);
        Settings {
            rules: rules.map(|group| group.to_string()).collect(),
            features: Set::of(&Family::ALL),
            pruners: Set::of(&Pruner::ALL),
            beam: 120,
            size: 12,
            cells: Cells::InColumns,
            readings: Set::of(&Reading::ALL).without(Reading::Date2),
            linking: Linking::Kin,
            most_values: 100,
            heed: Heed { ignored: 100.0, contrary: 30.0 },
            reader: reader(),
            objective: Objective::Best,
            average: Average::All,
            passes: 2,
            orders: 2,
            batch: 16,
            ..paper
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_read_back() {
        for settings in [Settings::paper(), Settings::default()] {
            let text = serde_json::to_string(&settings).unwrap();
            assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings);
            settings.check(&Grammar::embedded()).unwrap();
        }
    }

    #[test]
    fn misspelt_names_are_errors() {
        let mut fields = serde_json::to_value(Settings::paper()).unwrap();
        fields["features"] = serde_json::json!(["lexicl"]);
        let error = serde_json::from_value::<Settings>(fields).unwrap_err().to_string();
        assert!(error.contains("there is no family of features \"lexicl\"; there are lexical,"), "{error}");
        let settings = Settings { rules: vec!["base".into(), "jion".into()], ..Settings::paper() };
        let error = settings.check(&Grammar::embedded()).unwrap_err().to_string();
        assert!(error.contains("there is no group of rules \"jion\"; there are base, join,"), "{error}");
    }

    #[test]
    fn groups_of_rules_are_switched() {
        let switch = |texts: &[&str]| {
            let switches: Vec<RuleSwitch> = texts.iter().map(|text| text.parse().unwrap()).collect();
            Settings::paper().switched(&switches, &Grammar::embedded())
        };
        let rules = switch(&["-product", "+range", "+join"]).unwrap().rules;
        assert!(!rules.contains(&"product".to_string()) && rules.contains(&"range".to_string()));
        assert_eq!(rules.iter().filter(|group| *group == "join").count(), 1);
        assert!(switch(&["-prodcut"]).is_err() && "range".parse::<RuleSwitch>().is_err());
    }

    #[test]
    fn a_stored_record_has_every_field() {
        let mut fields = serde_json::to_value(Settings::paper()).unwrap();
        fields.as_object_mut().unwrap().remove("beam");
        assert!(serde_json::from_value::<Settings>(fields).is_err());
    }
}
