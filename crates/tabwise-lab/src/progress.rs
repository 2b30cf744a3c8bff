//! Progress bars on standard error, if it is a terminal, and lines above them. A command creates one `Progress` and
//! passes it on.

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::sync::{Mutex, PoisonError};

/// A set of progress bars, one below the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    bars: MultiProgress,
}

impl Progress {
    /// Adds a bar with rate and remaining time.
    pub(crate) fn bar(&self, len: u64, title: &str) -> ProgressBar {
        let style = ProgressStyle::with_template("{prefix} {bar:40} {pos}/{len} ({per_sec}, {eta} left)");
        let bar = ProgressBar::new(len).with_prefix(title.to_string());
        self.bars.add(bar.with_style(style.expect("the template is fixed")))
    }

    /// Bars for a training, which shows one at a time.
    pub(crate) fn bars(&self) -> Bars<'_> {
        Bars { progress: self, bar: Mutex::default() }
    }

    /// Prints a line on standard error, above the bars.
    pub(crate) fn say(&self, line: &str) {
        self.bars.suspend(|| eprintln!("{line}"));
    }
}

/// Shows the progress of a training as bars.
pub(crate) struct Bars<'p> {
    progress: &'p Progress,
    bar: Mutex<Option<ProgressBar>>,
}

impl Bars<'_> {
    fn with_bar(&self, act: impl FnMut(&ProgressBar)) {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(act);
    }
}

impl tabwise::learn::Progress for Bars<'_> {
    fn begin(&self, title: &str, count: usize) {
        let bar = self.progress.bar(count as u64, title);
        *self.bar.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar);
    }

    fn advance(&self, count: usize) {
        self.with_bar(|bar| bar.inc(count as u64));
    }

    fn end(&self) {
        self.with_bar(ProgressBar::finish_and_clear);
    }
}
