//! Hints for the mistakes that people make on the command line: a misspelt command or file, a table in place of a
//! command, arguments in the wrong order.

use anyhow::{Error, anyhow};
use clap::Subcommand;
use clap::error::{ContextKind, ContextValue};
use std::fs::read_dir;
use std::path::Path;
use tabwise::table::Format;

/// Most changes of letters, including swapped neighbours, between a misspelt name and the one that was meant.
const FAR: usize = 2;

/// A hint for a command that does not exist; `None` if there is nothing to say.
pub(crate) fn for_command(error: &clap::Error, program: &clap::Command) -> Option<Error> {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    if tabwise_lab::Command::has_subcommand(name) {
        return Some(anyhow!("`tabwise {name}` is now `tabwise lab {name}`"));
    }
    if is_table(Path::new(name)) {
        return Some(anyhow!("`{name}` is not a command; to ask about a table: tabwise ask {name} \"QUESTION\""));
    }
    let commands: Vec<&str> = program.get_subcommands().map(|command| command.get_name()).collect();
    let similar = nearest(name, commands.iter().copied())?;
    Some(anyhow!("`{name}` is not a command; did you mean `tabwise {similar}`? `tabwise --help` lists the commands"))
}

/// A hint for a table that does not exist but is given as another argument.
pub(crate) fn for_order(table: &Path, others: &[String], command: &str) -> Option<Error> {
    let swapped = others.iter().find(|other| is_table(Path::new(other))).filter(|_| !table.exists())?;
    let table = table.display();
    Some(anyhow!("there is no file \"{table}\"; the table comes first: tabwise {command} {swapped} \"{table}\""))
}

/// A hint for a file that does not exist: another one in its folder with a similar name.
pub(crate) fn for_file(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names: Vec<String> =
        read_dir(folder).ok()?.take(10_000).filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    let similar = nearest(path.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(path.with_file_name(similar).display().to_string())
}

/// True for an address of the web, which nothing is fetched from.
pub(crate) fn is_address(path: &Path) -> bool {
    path.to_str().is_some_and(|path| path.starts_with("https://") || path.starts_with("http://"))
}

/// Tells if an argument is a table: an existing file, or a name that ends like one.
fn is_table(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("").to_ascii_lowercase();
    path.is_file() || Format::ALL.iter().any(|format| format.endings().contains(&ending.as_str()))
}

/// The most similar of some names.
pub(crate) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let far = FAR.min(name.chars().count().div_ceil(3));
    let near = known.map(|other| (strsim::osa_distance(&name.to_lowercase(), &other.to_lowercase()), other));
    near.filter(|(changes, _)| (1..=far).contains(changes)).min().map(|(_, other)| other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found() {
        let names = ["ask", "chat", "serve", "show"];
        let near = |name: &str| nearest(name, names.into_iter());
        assert_eq!([near("aks"), near("servr"), near("hcat")], [Some("ask"), Some("serve"), Some("chat")]);
        assert_eq!([near("train"), near("x"), near("ask")], [None, None, None]);
    }

    #[test]
    fn a_name_that_ends_like_a_table_is_one() {
        assert!(is_table(Path::new("games.CSV")) && is_table(Path::new("a/b.xlsx")));
        assert!(!is_table(Path::new("which city was last?")) && !is_table(Path::new("aks")));
    }
}
