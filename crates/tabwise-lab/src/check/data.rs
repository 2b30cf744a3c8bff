//! Arguments of the checks that measure against the whole dataset.

use std::path::PathBuf;

/// The folder of the dataset, and how much is printed.
#[derive(clap::Args)]
pub struct DataArgs {
    /// The folder of the dataset, which holds csv, page, data and tagged
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,
    /// Print every disagreement
    #[arg(long)]
    pub verbose: bool,
}
