//! Memory that this process may use, as the system tells it. Default limits are made of it, so that a small machine or
//! a process under a limit of its own gets an error instead of an end.

/// Memory that the program itself takes: code, model and threads.
const OWN: u64 = 192 << 20;

/// Returns a default for the budget of one table: half of what this process may use, and at most `most`. The other half
/// is for what estimates do not see.
pub fn default_budget(most: u64) -> u64 {
    let limits = [most.saturating_mul(2), limit(), free(), group()];
    let usable = limits.into_iter().min().unwrap_or(most);
    (usable.saturating_sub(OWN.min(usable / 2)) / 2).min(most)
}

/// Limit on the address space of the process.
#[cfg(unix)]
fn limit() -> u64 {
    use rustix::process::{Resource, getrlimit};
    getrlimit(Resource::As).current.unwrap_or(u64::MAX)
}

/// Limit on the address space of the process: unknown on this system.
#[cfg(not(unix))]
fn limit() -> u64 {
    u64::MAX
}

/// Memory of the machine that is free.
fn free() -> u64 {
    let known = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = known.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let number = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    number.map_or(u64::MAX, |number| number.saturating_mul(1024))
}

/// Limit of the control group, as containers have it.
fn group() -> u64 {
    let known = std::fs::read_to_string("/sys/fs/cgroup/memory.max").unwrap_or_default();
    known.trim().parse().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_is_at_most_what_is_asked_for_and_never_nothing() {
        assert!((1..=1 << 20).contains(&default_budget(1 << 20)));
        assert!(default_budget(u64::MAX) > 0);
    }
}
