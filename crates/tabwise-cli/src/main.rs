//! The program `tabwise`: arguments in, answers out. Each command is a file of `commands`; what it prints goes to the
//! writer it is given, what it found out is an `Outcome`, and what went wrong is one sentence on standard error.

mod asker;
mod commands;
mod input;
mod outcome;
mod picture;
mod report;
mod style;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser, Subcommand};
use std::io::{BufWriter, Write};
use std::process::ExitCode;

/// Answers questions about tables: offline, with the formula in words and the cells it was read from.
#[derive(Parser)]
#[command(name = "tabwise", version, after_help = "Exit codes: 0 answered, 1 no answer, 2 error.")]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Answer questions about a table
    Ask(commands::ask::Args),
    /// Talk about a table: questions, one after the other
    Chat(commands::chat::Args),
    /// Print completions for a shell
    Completions(commands::manual::CompletionsArgs),
    /// Execute a formula on a table
    Exec(commands::exec::Args),
    /// Print the manual page
    Man(commands::manual::ManArgs),
    /// Train, evaluate and check models, and reproduce the experiments of the paper
    Lab(commands::lab::Args),
    /// Show a page to ask tables on, and answer the same over HTTP
    Serve(commands::serve::Args),
    /// Show what stands between a table and an answer
    Show(commands::show::Args),
}

fn main() -> ExitCode {
    let program = match Program::try_parse() {
        Ok(program) => program,
        Err(error) => return outcome::exit(Err(moved(&error).unwrap_or_else(|| error.exit()))),
    };
    let mut out = BufWriter::new(std::io::stdout());
    let outcome = match program.command {
        Command::Ask(args) => commands::ask::run(args, &mut out),
        Command::Chat(args) => commands::chat::run(args, &mut out),
        Command::Completions(args) => commands::manual::completions(args, Program::command(), &mut out),
        Command::Exec(args) => commands::exec::run(args, &mut out),
        Command::Man(args) => commands::manual::man(args, Program::command(), &mut out),
        Command::Lab(args) => commands::lab::run(args, &mut out),
        Command::Serve(args) => commands::serve::run(args, &mut out),
        Command::Show(args) => commands::show::run(args, &mut out),
    };
    outcome::exit(outcome.and_then(|outcome| Ok(out.flush().map(|()| outcome)?)))
}

/// A sentence for commands of the laboratory, which once stood at the top.
fn moved(error: &clap::Error) -> Option<anyhow::Error> {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let sentence = || anyhow::anyhow!("`tabwise {name}` is now `tabwise lab {name}`");
    tabwise_lab::Command::has_subcommand(name).then(sentence)
}
