//! A sign of life for work that takes longer than half a second: a spinner on standard error, if it is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

/// Time after which work is shown.
const PATIENCE: Duration = Duration::from_millis(500);
/// Time between two pictures of the spinner.
const TICK: Duration = Duration::from_millis(100);

/// Work that is going on. It disappears from the terminal when dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
    watch: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts with a description of the work.
    pub(crate) fn start(what: impl Into<String>) -> Progress {
        let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})").expect("the template is fixed");
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_style(style);
        bar.set_message(what.into());
        let (stop, stopped) = channel();
        let shown = bar.clone();
        let watch = spawn(move || {
            if stopped.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(TICK);
            }
        });
        Progress { bar, watch: Some((stop, watch)) }
    }

    /// Goes on to other work.
    pub(crate) fn now(&self, what: impl Into<String>) {
        self.bar.set_message(what.into());
    }

    /// Writes to the terminal without the spinner in the way.
    pub(crate) fn pause<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, watch)) = self.watch.take() {
            drop(stop);
            let _ = watch.join();
        }
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn short_work_is_not_held_up() {
        let before = Instant::now();
        let progress = Progress::start("counting");
        progress.now("sorting");
        assert_eq!(progress.pause(|| 3), 3);
        drop(progress);
        assert!(before.elapsed() < PATIENCE);
    }
}
