//! Resources used by the process so far: CPU time and peak memory, as the operating system counts them. They are known
//! on Unix only; elsewhere both are reported as zero, since they are informative and nothing depends on them.

use anyhow::Result;

/// CPU time of all threads, and peak memory.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    pub(crate) cpu_seconds: f64,
    pub(crate) peak_bytes: u64,
}

/// The usage up to now.
#[cfg(unix)]
pub(crate) fn usage() -> Result<Usage> {
    use anyhow::Context;
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;

    let raw = getrusage(UsageWho::RUSAGE_SELF).context("cannot read the resource usage of the process")?;
    let cpu = raw.user_time() + raw.system_time();
    // macOS counts bytes, other systems kilobytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    Ok(Usage { cpu_seconds: cpu.num_microseconds() as f64 / 1e6, peak_bytes: raw.max_rss() as u64 * unit })
}

/// The usage up to now: zeros, since this system does not tell it.
#[cfg(not(unix))]
pub(crate) fn usage() -> Result<Usage> {
    Ok(Usage::default())
}
