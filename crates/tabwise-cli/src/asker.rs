//! What a command answers with: the model, the knowledge and how sure it must be. Every command that answers takes it
//! with these arguments.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use tabwise::settings::RuleSwitch;
use tabwise::{Asker, Knowledge, Model, Wanted};

/// The model and the knowledge; both are part of the program unless others are given.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Answering")]
pub struct AskerArgs {
    /// Answer with this model instead of the one in the program
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// Switch groups of rules on (+NAME) and off (-NAME); `show rules` lists them
    #[arg(long, value_name = "+NAME,-NAME", value_delimiter = ',', allow_hyphen_values = true)]
    pub rules: Vec<RuleSwitch>,
    #[command(flatten)]
    pub knowledge: KnowledgeArgs,
}

impl AskerArgs {
    /// Reads what was given, and takes the rest from the program.
    pub fn load(&self) -> Result<Asker> {
        let (knowledge, model) = (self.knowledge.load()?, self.model()?);
        let settings = model.settings.clone().switched(&self.rules, &knowledge.grammar)?;
        let asker = Asker::with_settings(knowledge, model, settings)?;
        if !asker.is_trained_for_knowledge() && (self.model.is_some() || self.knowledge.knowledge.is_some()) {
            eprintln!(
                "tabwise: the model was trained with other words or rules; `tabwise lab train` makes one that fits"
            );
        }
        Ok(asker)
    }

    /// The model.
    pub fn model(&self) -> Result<Model> {
        let Some(path) = &self.model else { return Ok(Model::embedded()) };
        let bytes = fs::read(path).with_context(|| format!("the model {} cannot be read", path.display()))?;
        Model::read(&bytes).with_context(|| path.display().to_string())
    }
}

/// The knowledge, for commands that need no model.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Answering")]
pub struct KnowledgeArgs {
    /// Use the files of this folder (words.toml, grammar.rules, phrases.toml, ...) instead of those in the program
    #[arg(long, value_name = "DIR")]
    pub knowledge: Option<PathBuf>,
}

impl KnowledgeArgs {
    /// Reads what was given, and takes the rest from the program.
    pub fn load(&self) -> Result<Knowledge> {
        load_knowledge(self.knowledge.as_deref())
    }
}

/// The knowledge of the program, with the files of a folder in place of those of the same name.
pub fn load_knowledge(folder: Option<&Path>) -> Result<Knowledge> {
    let Some(folder) = folder else { return Ok(Knowledge::embedded()) };
    let has_any = Knowledge::file_names().iter().any(|name| folder.join(name).is_file());
    if !has_any {
        let names = Knowledge::file_names().join(", ");
        bail!("{} holds none of the files of knowledge: {names}", folder.display());
    }
    Knowledge::with_files(|name| read_if_there(&folder.join(name))).with_context(|| folder.display().to_string())
}

fn read_if_there(path: &Path) -> Option<Vec<u8>> {
    fs::read(path).ok()
}

/// How sure an answer must be.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Answering")]
pub struct SureArgs {
    /// Say "I do not know" below this confidence, from 0 to 1
    #[arg(long, value_name = "P", default_value_t = Wanted::MIN_CONFIDENCE, value_parser = probability)]
    pub min_confidence: f64,
}

fn probability(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(p) if (0.0..=1.0).contains(&p) => Ok(p),
        _ => Err("a confidence is a number from 0 to 1, such as 0.3".to_owned()),
    }
}
