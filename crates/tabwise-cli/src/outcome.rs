//! How a command ended, and the exit code that says so.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// The end of a command that did what it was asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It gave what was asked for: exit code 0.
    Done,
    /// There is no answer, or a check did not reach its bar: exit code 1.
    NoAnswer,
}

/// The exit code: 0 done, 1 no answer, 2 error. An error is printed as one sentence; a reader that went away (`| head`)
/// is none.
pub fn exit(outcome: anyhow::Result<Outcome>) -> ExitCode {
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::NoAnswer) => ExitCode::from(1),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "tabwise: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| cause.downcast_ref::<std::io::Error>().map(|e| e.kind());
    error.chain().any(|cause| kind(cause) == Some(ErrorKind::BrokenPipe))
}
