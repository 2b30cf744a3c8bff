//! Arguments, clocks and memory of the benchmarks. All of them take the same arguments and use those that concern them:
//!
//!     cargo bench --package tabwise [--bench NAME] -- [--data DIR] [--split NAME] [--model FILE] [--reader FILE]
//!                                                     [--rows NUMBER] [--csv FILE]
//!
//! DIR is the folder of the dataset; without it only generated and example tables are measured. The split is the name of
//! a file of DIR/data without its ending, the model and the reader are files of weights. The number of rows is that of a
//! generated table, which is written to a file of this name. Paths are relative to the folder of the package.

#![allow(dead_code, reason = "each benchmark uses a part")]

pub mod orders;

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The arguments of a benchmark.
#[derive(Default)]
pub struct Args {
    pub data: Option<PathBuf>,
    pub split: Option<String>,
    pub model: Option<PathBuf>,
    pub reader: Option<PathBuf>,
    pub rows: Option<usize>,
    pub csv: Option<PathBuf>,
}

impl Args {
    /// Reads the arguments of the program.
    pub fn read() -> Args {
        let mut args = Args::default();
        let mut given = std::env::args().skip(1).filter(|argument| argument != "--bench");
        while let Some(name) = given.next() {
            let mut value = || given.next().unwrap_or_else(|| stop(&format!("{name} needs a value")));
            match name.as_str() {
                "--data" => args.data = Some(value().into()),
                "--split" => args.split = Some(value()),
                "--model" => args.model = Some(value().into()),
                "--reader" => args.reader = Some(value().into()),
                "--rows" => args.rows = Some(value().parse().unwrap_or_else(|_| stop("--rows needs a number"))),
                "--csv" => args.csv = Some(value().into()),
                _ => stop(&format!(
                    "there is no argument {name}; there are --data, --split, --model, --reader, --rows and --csv"
                )),
            }
        }
        args
    }
}

fn stop(why: &str) -> ! {
    eprintln!("{why}");
    std::process::exit(2)
}

/// Time that this thread has run on a processor, or since the start of the clock where the system does not tell.
pub struct Clock(Instant);

impl Clock {
    pub fn new() -> Clock {
        Clock(Instant::now())
    }

    pub fn now(&self) -> Duration {
        processor_time().unwrap_or_else(|| self.0.elapsed())
    }
}

/// Time that this thread has run on a processor, where the system tells.
fn processor_time() -> Option<Duration> {
    // The system brings the figure up to date when the thread gives its turn away.
    std::thread::yield_now();
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Systems count processor time in steps of several milliseconds; for shorter runs the clock on the wall is better.
const COARSE: Duration = Duration::from_millis(100);

/// The best of three runs, in processor time, or by the clock on the wall if they are short.
pub fn best_of_three(mut run: impl FnMut()) -> Duration {
    let mut time = || {
        let (start, busy) = (Instant::now(), processor_time());
        run();
        let elapsed = start.elapsed();
        match (busy, processor_time()) {
            (Some(before), Some(after)) if elapsed > COARSE => after - before,
            _ => elapsed,
        }
    };
    time().min(time()).min(time())
}

/// The best of all runs in half a second, by the clock on the wall; for work of microseconds.
pub fn best_of_many(run: impl Fn()) -> Duration {
    let start = Instant::now();
    let mut best = Duration::MAX;
    while start.elapsed() < Duration::from_millis(500) {
        let once = Instant::now();
        run();
        best = best.min(once.elapsed());
    }
    best
}

/// Peak memory of the process since the last [`forget_peak`], in megabytes; 0 where the system does not tell.
pub fn peak() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("");
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap_or(0) >> 10
}

/// Starts the measurement of [`peak`] again.
pub fn forget_peak() {
    // Where the system has no such file, the peak is that of the whole run.
    let _ = fs::write("/proc/self/clear_refs", "5");
}
