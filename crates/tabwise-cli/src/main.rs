//! The program `tabwise`. Each command is a file in `commands`. A command prints to the writer that it is given and
//! returns an `Outcome`, which becomes the exit code; errors are printed here, once, on standard error.

#![warn(unreachable_pub)]

mod asker;
mod commands;
mod database;
mod files;
mod grid;
mod hints;
mod input;
mod lines;
mod outcome;
mod picture;
mod progress;
mod report;
mod style;

use clap::{CommandFactory, Parser, Subcommand};
use std::io::{BufWriter, Write};
use std::process::ExitCode;
use tabwise::table::is_of_reader;

const EXAMPLES: &str = "Examples:
  tabwise ask games.csv \"which city was the last in Greece?\"
  tabwise chat games.csv
  tabwise serve

Exit codes: 0 answered, 1 no answer, 2 error.
`tabwise COMMAND --help` has the options and more examples.";

/// Answers questions about tables, offline, with an explanation and the cells behind the answer
#[derive(Parser)]
#[command(name = "tabwise", version, after_help = EXAMPLES)]
struct Program {
    /// When to use colours
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t, hide_default_value = true)]
    color: style::Colours,
    #[command(subcommand)]
    command: Command,
}

/// The commands, in the order of `--help`: the most used first.
#[derive(Subcommand)]
enum Command {
    /// Answer questions about a table
    Ask(commands::ask::Args),
    /// Ask questions about a table interactively
    Chat(commands::chat::Args),
    /// Serve a web page and an HTTP API
    Serve(commands::serve::Args),
    /// Write a question or a formula as an SQL query
    Sql(commands::sql::Args),
    /// Execute a formula on a table
    Exec(commands::exec::Args),
    /// Show intermediate results: the table, links, candidates, features and more
    Show(commands::show::Args),
    /// Train, evaluate and check models, and reproduce the experiments of the paper
    Lab(commands::lab::Args),
    /// Print completions for a shell
    Completions(commands::manual::CompletionsArgs),
    /// Print the manual page
    Man(commands::manual::ManArgs),
}

fn main() -> ExitCode {
    hush_readers();
    let program = match Program::try_parse() {
        Ok(program) => program,
        Err(error) => {
            let hint = hints::for_command(&error, &Program::command());
            return outcome::exit(Err(hint.unwrap_or_else(|| error.exit())));
        }
    };
    program.color.choose();
    let mut out = BufWriter::new(std::io::stdout());
    let outcome = match program.command {
        Command::Ask(args) => commands::ask::run(args, &mut out),
        Command::Chat(args) => commands::chat::run(args, &mut out),
        Command::Serve(args) => commands::serve::run(args, &mut out),
        Command::Exec(args) => commands::exec::run(args, &mut out),
        Command::Sql(args) => commands::sql::run(args, &mut out),
        Command::Show(args) => commands::show::run(args, &mut out),
        Command::Lab(args) => commands::lab::run(args, &mut out),
        Command::Completions(args) => commands::manual::completions(args, Program::command(), &mut out),
        Command::Man(args) => commands::manual::man(args, Program::command(), &mut out),
    };
    outcome::exit(outcome.and_then(|outcome| Ok(out.flush().map(|()| outcome)?)))
}

/// Says nothing of a panic in a library that reads files: it becomes an error of the file.
fn hush_readers() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !is_of_reader(panic) {
            usual(panic);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the examples of a command, and of those under it; those of the laboratory may be long.
    fn check(command: &clap::Command) {
        let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let is_long = |line: &&str| line.starts_with("  ") && line.chars().count() > 80;
        assert_eq!(text.lines().find(is_long), None, "an example of `{}` does not fit", command.get_name());
        command.get_subcommands().filter(|command| command.get_name() != "lab").for_each(check);
    }

    #[test]
    fn examples_fit_into_eighty_columns() {
        check(&Program::command());
    }
}
