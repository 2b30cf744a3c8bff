//! Options for settings: a base, and changes to it.

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use serde::Deserialize;
use tabwise::Settings;
use tabwise::grammar::Grammar;
use tabwise::settings::RuleSwitch;

/// Options that determine the settings of `train` and `eval`.
#[derive(Clone, Debug, clap::Args)]
pub struct SettingsArgs {
    /// Base settings [default: those of the model for `eval`, `default` for `train`]
    #[arg(long, value_enum)]
    pub settings: Option<BaseSettings>,
    /// Number of derivations to keep in each cell of the chart
    #[arg(long, value_name = "K")]
    pub beam: Option<usize>,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Switch groups of rules on (+NAME) or off (-NAME); `tabwise show rules` lists them
    #[arg(long, value_name = "+NAME,-NAME", value_delimiter = ',', allow_hyphen_values = true)]
    pub rules: Vec<RuleSwitch>,
    /// Change single settings: a JSON object, such as {"size": 12}
    #[arg(long, value_name = "JSON")]
    pub set: Option<String>,
}

/// Settings to start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BaseSettings {
    /// Settings of the paper
    Paper,
    /// Default settings, the best known
    Default,
}

impl BaseSettings {
    /// The settings themselves.
    pub fn settings(self) -> Settings {
        match self {
            BaseSettings::Paper => Settings::paper(),
            BaseSettings::Default => Settings::default(),
        }
    }
}

impl SettingsArgs {
    /// Applies the options: the base is `--settings`, or else `own`; then the changes.
    pub fn over(&self, own: Settings, grammar: &Grammar) -> Result<Settings> {
        let mut settings = self.settings.map_or(own, BaseSettings::settings);
        if let Some(changes) = &self.set {
            settings = change(&settings, changes)?;
        }
        if let Some(beam) = self.beam {
            settings.beam = beam;
        }
        let Settings { beam, size, .. } = settings;
        ensure!(settings.is_of_use(), "a beam of {beam} with derivations of size {size} is beyond any use");
        Ok(settings.switched(&self.rules, grammar)?)
    }
}

/// Replaces the fields of settings that a JSON object has.
pub(crate) fn change(settings: &Settings, changes: &str) -> Result<Settings> {
    let mut fields = serde_json::to_value(settings)?;
    let changes: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(changes).context("--set takes a JSON object, such as {\"size\": 12}")?;
    for (name, value) in changes {
        fields[name] = value;
    }
    serde_json::from_value(fields).context("--set does not fit the settings")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(settings: Option<BaseSettings>, set: Option<&str>) -> SettingsArgs {
        SettingsArgs { settings, beam: None, threads: None, rules: Vec::new(), set: set.map(str::to_owned) }
    }

    #[test]
    fn a_base_replaces_the_models_settings_and_changes_apply_over_it() {
        let own = Settings { size: 7, ..Settings::default() };
        let over = |base, set| args(base, set).over(own.clone(), &Grammar::embedded());
        assert_eq!(over(None, None).unwrap(), own);
        assert_eq!(over(Some(BaseSettings::Paper), None).unwrap(), Settings::paper());
        let changed = over(Some(BaseSettings::Paper), Some(r#"{"size": 9}"#)).unwrap();
        assert_eq!(changed, Settings { size: 9, ..Settings::paper() });
        assert!(over(None, Some(r#"{"features": ["lexicl"]}"#)).is_err());
        assert!(over(None, Some(r#"{"rules": ["bsae"]}"#)).is_err());
        for far in [r#"{"size": 9223372036854775807}"#, r#"{"size": 0}"#, r#"{"beam": 100000000000}"#, r#"{"beam": 0}"#]
        {
            assert!(over(None, Some(far)).is_err(), "{far}");
        }
    }
}
