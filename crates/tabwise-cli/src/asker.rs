//! Options of all commands that answer: the model, the knowledge, and the confidence that an answer needs. The model
//! and the knowledge are part of the program; these options replace them.

use anyhow::{Context, Result, bail};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use tabwise::rank::reader::Reader;
use tabwise::settings::RuleSwitch;
use tabwise::{Asker, Knowledge, Model, Wanted};

/// Options for the model and the knowledge.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Answering")]
pub(crate) struct AskerArgs {
    /// Model to answer with [default: the built-in model]
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// Weights of the reader, which ranks the best candidates a second time [default: the built-in reader, if any]
    #[arg(long, value_name = "FILE")]
    pub reader: Option<PathBuf>,
    /// Answer without the reader: in a few milliseconds, but less often right
    #[arg(long, conflicts_with = "reader")]
    pub fast: bool,
    /// Switch groups of rules on (+NAME) or off (-NAME); `tabwise show rules` lists them
    #[arg(long, value_name = "+NAME,-NAME", value_delimiter = ',', allow_hyphen_values = true)]
    pub rules: Vec<RuleSwitch>,
    #[command(flatten)]
    pub knowledge: KnowledgeArgs,
}

impl AskerArgs {
    /// Loads the model and the knowledge. Warns if the model was trained with other knowledge.
    pub(crate) fn load(&self) -> Result<Asker> {
        let (mut knowledge, model) = (self.knowledge.load()?, self.model()?);
        let mut settings = model.settings.clone().switched(&self.rules, &knowledge.grammar)?;
        settings.reader = !self.fast && (settings.reader || self.reader.is_some());
        if settings.reader {
            knowledge.reader = self.reader()?;
        }
        let asker = Asker::with_settings(knowledge, model, settings)?;
        if !asker.is_trained_for_knowledge() && (self.model.is_some() || self.knowledge.knowledge.is_some()) {
            eprintln!(
                "tabwise: warning: the model was trained with other words or rules; train one with `tabwise lab train`"
            );
        }
        Ok(asker)
    }

    /// Loads the model.
    pub(crate) fn model(&self) -> Result<Model> {
        let Some(path) = &self.model else { return Ok(Model::embedded()) };
        let bytes = content(path).with_context(|| format!("cannot read the model {}", path.display()))?;
        Model::read(&bytes).with_context(|| path.display().to_string())
    }

    /// Loads the reader, if there is one.
    fn reader(&self) -> Result<Option<Reader>> {
        let Some(path) = &self.reader else { return Ok(Reader::embedded()) };
        let bytes = content(path).with_context(|| format!("cannot read the reader {}", path.display()))?;
        Reader::read(&bytes).map(Some).with_context(|| path.display().to_string())
    }
}

/// Option for the knowledge, for commands that need no model.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Answering")]
pub(crate) struct KnowledgeArgs {
    /// Folder with files that replace the built-in ones of the same name: words.toml, grammar.rules, phrases.toml, ...
    #[arg(long, value_name = "DIR")]
    pub knowledge: Option<PathBuf>,
}

impl KnowledgeArgs {
    /// Loads the knowledge.
    pub(crate) fn load(&self) -> Result<Knowledge> {
        load_knowledge(self.knowledge.as_deref())
    }
}

/// Loads the built-in knowledge, with the files of a folder in place of those of the same name.
///
/// # Errors
///
/// If the folder has none of the files, which is most likely a typing error, or if one of them cannot be used.
pub(crate) fn load_knowledge(folder: Option<&Path>) -> Result<Knowledge> {
    let Some(folder) = folder else { return Ok(Knowledge::embedded()) };
    let has_any = Knowledge::file_names().iter().any(|name| folder.join(name).is_file());
    if !has_any {
        let names = Knowledge::file_names().join(", ");
        bail!("{} has none of the knowledge files: {names}", folder.display());
    }
    Knowledge::with_files(|name| read_if_there(&folder.join(name))).with_context(|| folder.display().to_string())
}

/// Most bytes of a file of weights.
const MOST_BYTES: u64 = 1 << 30;

/// The content of a file of weights. What has no end, such as a pipe or a device, is an error before it takes all memory.
fn content(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MOST_BYTES {
        true => Err(std::io::Error::other(format!("it has more than {MOST_BYTES} bytes"))),
        false => Ok(bytes),
    }
}

/// The content of a file, or `None` if there is no such file.
fn read_if_there(path: &Path) -> Option<Vec<u8>> {
    fs::read(path).ok()
}

/// Option for the confidence that an answer needs.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Answering")]
pub(crate) struct SureArgs {
    /// Minimum confidence of an answer, from 0 to 1; below it the answer is "I do not know"
    #[arg(long, value_name = "P", default_value_t = Wanted::MIN_CONFIDENCE, value_parser = probability)]
    pub min_confidence: f64,
}

/// Parses a confidence.
fn probability(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(p) if (0.0..=1.0).contains(&p) => Ok(p),
        _ => Err("a confidence is a number from 0 to 1, such as 0.3".to_owned()),
    }
}
