//! Use of the machine so far: CPU time and memory, as the system counts them.

use anyhow::{Context, Result};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

/// Seconds of CPU time of all threads, and the peak of memory in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    pub cpu_seconds: f64,
    pub peak_bytes: u64,
}

/// The usage up to now.
pub fn usage() -> Result<Usage> {
    let raw = getrusage(UsageWho::RUSAGE_SELF).context("the system does not say what was used")?;
    let cpu = raw.user_time() + raw.system_time();
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    Ok(Usage { cpu_seconds: cpu.num_microseconds() as f64 / 1e6, peak_bytes: raw.max_rss() as u64 * unit })
}
