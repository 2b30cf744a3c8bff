//! [`Waiting`]: says on the terminal what takes long. Nothing is said in the first half second, and nothing where standard
//! error is not a terminal.

use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{JoinHandle, spawn};
use std::time::{Duration, Instant};

/// Time in which nothing is said, and between two lines.
const PATIENCE: Duration = Duration::from_millis(500);

/// Work that may take long; it ends when this is dropped.
pub(crate) struct Waiting {
    /// Dropped to end the thread.
    work: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Waiting {
    /// Begins something, such as "reading games.csv".
    pub(crate) fn on(what: String) -> Waiting {
        if !stderr().is_terminal() {
            return Waiting { work: None, thread: None };
        }
        let (work, ended) = channel();
        Waiting { work: Some(work), thread: Some(spawn(move || say(&what, &ended))) }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.work.take();
        // A thread that failed has nothing to clean up.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Says what is being done, again and again, until it ends; then wipes the line.
fn say(what: &str, ended: &Receiver<()>) {
    let (start, mut err) = (Instant::now(), stderr());
    let mut is_said = false;
    while ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
        // A terminal that went away is no reason to stop.
        let _ = write!(err, "\r\x1b[K{}", line(what, start.elapsed())).and_then(|()| err.flush());
        is_said = true;
    }
    if is_said {
        let _ = write!(err, "\r\x1b[K").and_then(|()| err.flush());
    }
}

fn line(what: &str, elapsed: Duration) -> String {
    format!("{what} ... {:.1} s", elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_and_how_long() {
        assert_eq!(line("reading games.csv", Duration::from_millis(1540)), "reading games.csv ... 1.5 s");
    }

    #[test]
    fn it_ends_when_dropped() {
        let (work, ended) = channel();
        let thread = spawn(move || say("waiting", &ended));
        drop(work);
        assert!(thread.join().is_ok());
    }
}
