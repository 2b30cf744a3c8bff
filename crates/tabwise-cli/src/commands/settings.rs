//! The settings that `train` and `eval` take.

use anyhow::{Context, Result};
use clap::ValueEnum;
use tabwise::settings::Settings;

#[derive(Clone, Debug, clap::Args)]
pub struct SettingsArgs {
    /// The paper's settings, or the best known
    #[arg(long, value_enum, default_value_t = Base::Default)]
    pub settings: Base,
    /// How many derivations each cell of the chart keeps
    #[arg(long, value_name = "K")]
    pub beam: Option<usize>,
    /// How many threads to use; all cores when not given
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Changes single settings: a JSON object, such as {"size": 12}
    #[arg(long, value_name = "JSON")]
    pub set: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Base {
    Paper,
    Default,
}

impl SettingsArgs {
    /// The settings asked for.
    pub fn settings(&self) -> Result<Settings> {
        let base = match self.settings {
            Base::Paper => Settings::paper(),
            Base::Default => Settings::default(),
        };
        self.over(base)
    }

    /// Settings with the changes that were asked for.
    pub fn over(&self, mut settings: Settings) -> Result<Settings> {
        if let Some(changes) = &self.set {
            settings = change(&settings, changes)?;
        }
        if let Some(beam) = self.beam {
            settings.beam = beam;
        }
        Ok(settings)
    }

    /// Starts as many threads as asked for.
    pub fn use_threads(&self) -> Result<()> {
        let Some(threads) = self.threads else { return Ok(()) };
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().context("the threads cannot be started")
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
