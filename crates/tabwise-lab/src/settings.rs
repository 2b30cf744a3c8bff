//! Settings as the commands take them: a base, and changes to it.

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde::Deserialize;
use tabwise::Settings;
use tabwise::grammar::Grammar;
use tabwise::settings::RuleSwitch;

/// Arguments that choose the settings of `train` and `eval`.
#[derive(Clone, Debug, clap::Args)]
pub struct SettingsArgs {
    /// The paper's settings, or the best known; when not given, `eval` uses the model's own and `train` the best known
    #[arg(long, value_enum)]
    pub settings: Option<Base>,
    /// How many derivations each cell of the chart keeps
    #[arg(long, value_name = "K")]
    pub beam: Option<usize>,
    /// How many threads to use; all cores when not given
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Switch groups of rules on (+NAME) and off (-NAME); `tabwise show rules` lists them
    #[arg(long, value_name = "+NAME,-NAME", value_delimiter = ',', allow_hyphen_values = true)]
    pub rules: Vec<RuleSwitch>,
    /// Changes single settings: a JSON object, such as {"size": 12}
    #[arg(long, value_name = "JSON")]
    pub set: Option<String>,
}

/// Settings that changes are made to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Base {
    /// The paper's settings
    Paper,
    /// The best known settings
    Default,
}

impl Base {
    /// The settings themselves.
    pub fn settings(self) -> Settings {
        match self {
            Base::Paper => Settings::paper(),
            Base::Default => Settings::default(),
        }
    }
}

impl SettingsArgs {
    /// The base that was asked for, or else `own`, with the changes that were asked for.
    pub fn over(&self, own: Settings, grammar: &Grammar) -> Result<Settings> {
        let mut settings = self.settings.map_or(own, Base::settings);
        if let Some(changes) = &self.set {
            settings = change(&settings, changes)?;
        }
        if let Some(beam) = self.beam {
            settings.beam = beam;
        }
        Ok(settings.switched(&self.rules, grammar)?)
    }
}

/// Settings with the fields of a JSON object put in.
pub fn change(settings: &Settings, changes: &str) -> Result<Settings> {
    let mut fields = serde_json::to_value(settings)?;
    let changes: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(changes).context("--set takes a JSON object, such as {\"size\": 12}")?;
    for (name, value) in changes {
        fields[name] = value;
    }
    serde_json::from_value(fields).context("--set")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(settings: Option<Base>, set: Option<&str>) -> SettingsArgs {
        SettingsArgs { settings, beam: None, threads: None, rules: Vec::new(), set: set.map(str::to_owned) }
    }

    #[test]
    fn a_base_replaces_the_models_settings_and_changes_apply_over_it() {
        let own = Settings { size: 7, ..Settings::default() };
        let over = |base, set| args(base, set).over(own.clone(), &Grammar::embedded());
        assert_eq!(over(None, None).unwrap(), own);
        assert_eq!(over(Some(Base::Paper), None).unwrap(), Settings::paper());
        let changed = over(Some(Base::Paper), Some(r#"{"size": 9}"#)).unwrap();
        assert_eq!(changed, Settings { size: 9, ..Settings::paper() });
        assert!(over(None, Some(r#"{"features": ["lexicl"]}"#)).is_err());
        assert!(over(None, Some(r#"{"rules": ["bsae"]}"#)).is_err());
    }
}
