//! `tabwise completions` and `tabwise man`: shell completions and manual pages, generated from the same definitions as
//! `--help`.

use crate::outcome::Outcome;
use anyhow::Result;
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::Write;

/// Options of `completions`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise completions bash > ~/.local/share/bash-completion/completions/tabwise
  tabwise completions zsh > \"${fpath[1]}/_tabwise\"
  tabwise completions fish > ~/.config/fish/completions/tabwise.fish")]
pub(crate) struct CompletionsArgs {
    /// Shell to print completions for
    shell: Shell,
}

/// Prints the completions for a shell.
pub(crate) fn completions(args: CompletionsArgs, mut program: Command, out: &mut impl Write) -> Result<Outcome> {
    // The generators panic when they cannot write, so write to memory first. A closed pipe is not an error.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "tabwise", &mut script);
    out.write_all(&script)?;
    Ok(Outcome::Done)
}

/// Options of `man`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  tabwise man > ~/.local/share/man/man1/tabwise.1\n  tabwise man ask | man -l -")]
pub(crate) struct ManArgs {
    /// Command to print the page of [default: the program]
    command: Option<String>,
}

/// Prints a manual page.
pub(crate) fn man(args: ManArgs, mut program: Command, out: &mut impl Write) -> Result<Outcome> {
    program.build();
    let page = match &args.command {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => anyhow::bail!("there is no command {name}; `tabwise --help` lists them"),
        },
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text)?;
    out.write_all(&text)?;
    Ok(Outcome::Done)
}
