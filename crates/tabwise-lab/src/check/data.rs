//! Options that most checks share.

use std::path::PathBuf;

/// Folder of the dataset, and verbosity.
#[derive(clap::Args)]
pub(super) struct DataArgs {
    /// Folder of the dataset, with the subfolders csv, page, data and tagged
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,
    /// Print every disagreement
    #[arg(long)]
    pub verbose: bool,
}
