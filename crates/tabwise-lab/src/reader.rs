//! Options for the reader, which ranks the best candidates a second time.

use anyhow::{Context, Result};
use std::path::PathBuf;
use tabwise::Settings;
use tabwise::rank::reader::Reader;

/// Options for the reader of `train` and `eval`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ReaderArgs {
    /// Weights of the reader, which ranks the best candidates a second time [default: the built-in reader, if any]
    #[arg(long, value_name = "FILE")]
    reader: Option<PathBuf>,
    /// Answer without the reader
    #[arg(long, conflicts_with = "reader")]
    fast: bool,
}

impl ReaderArgs {
    /// Loads the reader, if there is one.
    pub(crate) fn load(&self) -> Result<Option<Reader>> {
        match &self.reader {
            _ if self.fast => Ok(None),
            None => Ok(Reader::embedded()),
            Some(path) => {
                let bytes =
                    std::fs::read(path).with_context(|| format!("cannot read the reader {}", path.display()))?;
                Reader::read(&bytes).map(Some).with_context(|| path.display().to_string())
            }
        }
    }

    /// The settings with the reader in use if it was given, or not in use.
    pub(crate) fn over(&self, settings: Settings) -> Settings {
        Settings { reader: !self.fast && (settings.reader || self.reader.is_some()), ..settings }
    }
}
