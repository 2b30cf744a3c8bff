//! Thread pools. Parallel work runs in a pool of the command (`pool.install`), never in rayon's global one, so that two
//! commands in one process do not share a limit.

use anyhow::{Context, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Creates a pool of this many threads; `None` means one for each core.
pub(crate) fn pool(threads: Option<usize>) -> Result<ThreadPool> {
    let builder = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    builder.build().context("cannot start threads")
}
