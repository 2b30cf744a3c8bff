//! `tabwise completions` and `tabwise man`: shell completions and the manual page, made from the same definitions as
//! `--help`.

use crate::outcome::Outcome;
use anyhow::Result;
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::Write;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise completions bash > ~/.local/share/bash-completion/completions/tabwise
  tabwise completions zsh > \"${fpath[1]}/_tabwise\"
  tabwise completions fish > ~/.config/fish/completions/tabwise.fish")]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Prints the completions for a shell.
pub fn completions(args: CompletionsArgs, mut program: Command, out: &mut impl Write) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "tabwise", &mut script);
    out.write_all(&script)?;
    Ok(Outcome::Done)
}

#[derive(clap::Args)]
#[command(after_help = "Example:\n  tabwise man > ~/.local/share/man/man1/tabwise.1\n  tabwise man ask | man -l -")]
pub struct ManArgs {
    /// The command the page is about; the program when not given
    command: Option<String>,
}

/// Prints a manual page.
pub fn man(args: ManArgs, mut program: Command, out: &mut impl Write) -> Result<Outcome> {
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
