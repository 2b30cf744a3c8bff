//! Threads of a command. Parallel work runs inside a pool of its own (`pool.install`), never in rayon's global one, so
//! that two commands in one process do not share a limit.

use anyhow::{Context, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// A pool of this many threads; one for each core when not given.
pub fn pool(threads: Option<usize>) -> Result<ThreadPool> {
    let builder = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    builder.build().context("the threads cannot be started")
}
