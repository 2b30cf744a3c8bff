//! Outcomes of commands, and the exit codes and error messages that they become.

use crate::style::harmless;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Outcome of a command that ran without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The command gave a result: exit code 0.
    Done,
    /// There is no answer, or a check is below its bar: exit code 1.
    NoAnswer,
}

/// Prints the error, if any, and returns the exit code: 0 done, 1 no answer, 2 error. A closed pipe (`| head`) is not
/// an error.
pub(crate) fn exit(outcome: anyhow::Result<Outcome>) -> ExitCode {
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::NoAnswer) => ExitCode::from(1),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // An error may name a caption or a sheet.
            let _ = writeln!(std::io::stderr(), "tabwise: {}", harmless(&message(&error)));
            ExitCode::from(2)
        }
    }
}

/// The messages of an error and its causes, joined by colons. A cause that the message already contains is left out:
/// many error types show their cause and also return it as `source`.
fn message(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |message, cause| match message.as_str() {
        "" => cause,
        shown if shown.contains(&cause) => message,
        shown => format!("{shown}: {cause}"),
    })
}

/// Tells if the error, or one of its causes, is that a reader of the output has gone away.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        let own = cause.downcast_ref::<std::io::Error>().map(|e| e.kind());
        own.or_else(|| cause.downcast_ref::<serde_json::Error>().and_then(|e| e.io_error_kind()))
    };
    error.chain().any(|cause| kind(cause) == Some(ErrorKind::BrokenPipe))
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;
    use std::error::Error;
    use std::fmt;

    /// An error that shows its cause and also returns it as `source`.
    #[derive(Debug)]
    struct Syntax(std::num::ParseIntError);

    impl fmt::Display for Syntax {
        fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
            write!(f, "line 3: {}", self.0)
        }
    }

    impl Error for Syntax {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn a_cause_is_printed_once() {
        let cause = "seven".parse::<u8>().expect_err("it has no digits");
        let error = anyhow!(Syntax(cause)).context("words.toml");
        assert_eq!(message(&error), "words.toml: line 3: invalid digit found in string");
        let error = anyhow!("no such file").context("words.toml").context("my-knowledge");
        assert_eq!(message(&error), "my-knowledge: words.toml: no such file");
    }
}
