//! Memory that this process may use, as the system tells it. Default limits are made of it, so that a small machine or
//! a process under a limit of its own gets an error instead of an end. A process that runs for long also gives back what it
//! does not use.

/// Memory that the program itself takes: code, model and threads.
const OWN: u64 = 192 << 20;

/// Returns a default for the budget of one table: half of what this process may use, and at most `most`. The other half
/// is for what estimates do not see.
pub fn default_budget(most: u64) -> u64 {
    let limits = [most.saturating_mul(2), limit(), free(), group()];
    let usable = limits.into_iter().min().unwrap_or(most);
    (usable.saturating_sub(OWN.min(usable / 2)) / 2).min(most)
}

/// Makes the allocator give large blocks back to the system when they are free. By default, glibc keeps more and more of
/// them, for each thread, so that a server would seem to grow with the largest tables that it has seen.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the settings of the allocator are those of the C library")]
pub(crate) fn give_back_large_blocks() {
    /// Size from which on a block is one of the system.
    const LARGE: i32 = 1 << 20;
    /// Free memory that is kept for smaller blocks, and number of places where it is kept.
    const KEPT: i32 = 8 << 20;
    const PLACES: i32 = 2;
    let settings = [(libc::M_MMAP_THRESHOLD, LARGE), (libc::M_TRIM_THRESHOLD, KEPT), (libc::M_ARENA_MAX, PLACES)];
    for (name, value) in settings {
        // SAFETY: the function takes two numbers, and may be called at any time. One that it does not know has no effect.
        unsafe { libc::mallopt(name, value) };
    }
}

/// Other allocators give large blocks back as they are.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_back_large_blocks() {}

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
