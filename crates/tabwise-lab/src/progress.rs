//! Progress of long work: bars on standard error where that is a terminal, and lines between them. One value is made
//! for a command and passed along.

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::sync::{Mutex, PoisonError};

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

    /// Bars for the work of a training, one after the other.
    pub fn bars(&self) -> Bars<'_> {
        Bars { progress: self, bar: Mutex::default() }
    }

    /// Prints a line on standard error, above the bars.
    pub fn say(&self, line: &str) {
        self.bars.suspend(|| eprintln!("{line}"));
    }
}

/// The bar of the work under way.
pub struct Bars<'p> {
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
