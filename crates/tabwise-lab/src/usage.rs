//! Use of the machine so far: CPU time and memory, as the system counts them.

/// Seconds of CPU time of all threads, and the peak of memory in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    pub cpu_seconds: f64,
    pub peak_bytes: u64,
}

/// The usage up to now.
pub fn usage() -> Usage {
    let mut raw = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is to a zeroed rusage of our own, which the call fills.
    let raw = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, raw.as_mut_ptr());
        raw.assume_init()
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    Usage { cpu_seconds: seconds(raw.ru_utime) + seconds(raw.ru_stime), peak_bytes: raw.ru_maxrss as u64 * unit }
}
