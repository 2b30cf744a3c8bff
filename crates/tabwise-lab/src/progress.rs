//! Progress of long work: bars on standard error where that is a terminal, and lines between them. One value is made
//! for a command and passed along.

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// The bars that are shown, one below the other.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    bars: MultiProgress,
}

impl Progress {
    /// A bar with rate and time left.
    pub fn bar(&self, len: u64, title: &str) -> ProgressBar {
        let style = ProgressStyle::with_template("{prefix} {bar:40} {pos}/{len} ({per_sec}, {eta} left)");
        let bar = ProgressBar::new(len).with_prefix(title.to_string());
        self.bars.add(bar.with_style(style.expect("the template is fixed")))
    }

    /// Prints a line on standard error, above the bars.
    pub fn say(&self, line: &str) {
        self.bars.suspend(|| eprintln!("{line}"));
    }
}
