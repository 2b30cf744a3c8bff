//! The walls around a worker: limits of the system on its memory and CPU time, and no rights that it does not need. A
//! worker reads its standard input and writes its standard output; it opens no file, has no network and starts no program.
//! Where a system has no such walls, the meter of the library is all there is.

/// Memory and CPU time of a worker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walls {
    /// Bytes of address space.
    pub memory: u64,
    /// Seconds of CPU time for one job.
    pub seconds: u64,
}

#[cfg(unix)]
impl Walls {
    /// Puts the walls up. What the system does not have is left out.
    pub(crate) fn put_up(self) {
        use rustix::process::Resource;
        go_first();
        limit(Resource::As, self.memory);
        limit(Resource::Core, 0);
        limit(Resource::Fsize, 0);
        // The three open files are standard input, output and error.
        limit(Resource::Nofile, 3);
        self.start_job();
        #[cfg(target_os = "linux")]
        linux::take_rights();
    }

    /// Starts the time of a job: the system ends the worker when it is over.
    pub(crate) fn start_job(self) {
        use rustix::time::{ClockId, clock_gettime};
        let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec.unsigned_abs();
        limit(rustix::process::Resource::Cpu, used.saturating_add(self.seconds).saturating_add(1));
    }
}

#[cfg(not(unix))]
impl Walls {
    /// This system has no walls that a process can put up around itself.
    pub(crate) fn put_up(self) {}

    /// The server alone ends jobs that take too long.
    pub(crate) fn start_job(self) {}
}

/// Tells the system to end this process before others if memory runs out. Systems that do not know of this are left as
/// they are.
#[cfg(unix)]
fn go_first() {
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
}

/// Lowers a limit of this process. The hard limit stays, and so may be lower already.
#[cfg(unix)]
fn limit(resource: rustix::process::Resource, most: u64) {
    use rustix::process::{Rlimit, getrlimit, setrlimit};
    let maximum = getrlimit(resource).maximum;
    let current = Some(most.min(maximum.unwrap_or(u64::MAX)));
    // A system that refuses leaves the worker as it was; there is nobody to tell.
    let _ = setrlimit(resource, Rlimit { current, maximum });
}

#[cfg(target_os = "linux")]
mod linux {
    use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr};
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};

    /// System calls that a worker never makes: network, other processes, files.
    const FORBIDDEN: &[i64] = &[
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_execve,
        libc::SYS_execveat,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_kill,
        libc::SYS_openat,
        libc::SYS_openat2,
        libc::SYS_unlinkat,
        libc::SYS_renameat2,
        libc::SYS_mount,
        libc::SYS_bpf,
        libc::SYS_io_uring_setup,
        libc::SYS_keyctl,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
    ];

    /// Takes the rights that a worker does not need, as far as the kernel can.
    pub(super) fn take_rights() {
        let _ = without_files();
        let _ = without_calls();
    }

    fn without_files() -> Result<(), landlock::RulesetError> {
        let rules = Ruleset::default().handle_access(AccessFs::from_all(ABI::V5))?;
        rules.handle_access(AccessNet::from_all(ABI::V5))?.create()?.restrict_self()?;
        Ok(())
    }

    fn without_calls() -> Result<(), Box<dyn std::error::Error>> {
        let rules = FORBIDDEN.iter().map(|call| (*call, Vec::new())).collect();
        let refuse = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        let arch = TargetArch::try_from(std::env::consts::ARCH)?;
        let program: BpfProgram = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch)?.try_into()?;
        seccompiler::apply_filter(&program)?;
        Ok(())
    }
}
