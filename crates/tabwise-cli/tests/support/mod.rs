//! Support for tests of the server: a server on a free port, an HTTP client that can also misbehave, and a browser.
#![allow(dead_code)] // Each test file uses a part of it.

pub mod driver;
pub mod http;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

/// A running server, which is killed on drop.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

impl Server {
    /// Starts the program's server on a free port, with more arguments.
    pub fn start(args: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabwise"))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(args)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line).expect("it says where it is");
        let address = line.trim().rsplit('/').next().and_then(|address| address.parse().ok());
        Server { child, address: address.unwrap_or_else(|| panic!("no address in {line:?}")) }
    }

    /// The id of the process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Resident memory, in bytes; 0 on systems without `/proc`.
    pub fn memory(&self) -> u64 {
        let pages = std::fs::read_to_string(format!("/proc/{}/statm", self.pid())).unwrap_or_default();
        pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
    }

    /// True if the process is running.
    pub fn is_up(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Sends SIGTERM and returns the exit code. Windows has no such signal.
    #[cfg(unix)]
    pub fn end(mut self) -> Option<i32> {
        let pid = nix::unistd::Pid::from_raw(self.pid().cast_signed());
        nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM).expect("a server of our own can be told to end");
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
