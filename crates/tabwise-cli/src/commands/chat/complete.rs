//! Completion with Tab in a chat: commands, files behind `:open`, and the names of columns and the texts of cells.

use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper, Result};
use std::collections::BTreeMap;
use tabwise::table::Table;

/// Most texts of a table that are completed.
const MOST: usize = 100_000;
/// Longest text that is completed, in bytes.
const LONGEST: usize = 60;
/// Most words before the cursor that may be the beginning of one text.
const WORDS: usize = 5;
/// Most completions that are listed.
const LISTED: usize = 50;

/// Completes lines of a chat.
pub(super) struct Completions {
    commands: &'static [&'static str],
    files: FilenameCompleter,
    /// Texts of the table, by their lower-case form.
    texts: BTreeMap<String, String>,
}

impl Completions {
    /// Completions for some commands and a table.
    pub(super) fn new(commands: &'static [&'static str], table: &Table) -> Completions {
        Completions { commands, files: FilenameCompleter::new(), texts: texts(table) }
    }

    /// Goes on with another table.
    pub(super) fn set_table(&mut self, table: &Table) {
        self.texts = texts(table);
    }

    /// Completions of the text before the cursor, with the place where they begin.
    fn of_text(&self, line: &str) -> (usize, Vec<String>) {
        if line.starts_with(':') {
            let found = self.commands.iter().filter(|command| command.starts_with(line));
            return (0, found.map(|command| command.to_string()).collect());
        }
        if line.is_empty() {
            return (0, self.beginning_with(""));
        }
        // The longest beginning counts: "St. L" is one of "St. Louis" rather than "L" of "London".
        let starts = line.char_indices().rev().filter(|(at, _)| *at == 0 || line[..*at].ends_with(' '));
        let starts: Vec<usize> = starts.map(|(at, _)| at).take(WORDS).collect();
        let found = starts.into_iter().rev().map(|start| (start, self.beginning_with(&line[start..])));
        found.into_iter().find(|(_, found)| !found.is_empty()).unwrap_or((line.len(), Vec::new()))
    }

    fn beginning_with(&self, typed: &str) -> Vec<String> {
        let typed = typed.to_lowercase();
        let from = self.texts.range(typed.clone()..);
        from.take_while(|(text, _)| text.starts_with(&typed)).take(LISTED).map(|(_, text)| text.clone()).collect()
    }
}

/// Names of columns and texts of cells.
fn texts(table: &Table) -> BTreeMap<String, String> {
    let cells = (0..table.row_count()).flat_map(|row| table.row(row)).take(MOST);
    let all = table.header().iter().map(String::as_str).chain(cells);
    let fits = |text: &&str| !text.is_empty() && text.len() <= LONGEST && !text.contains(char::is_control);
    all.map(str::trim).filter(fits).map(|text| (text.to_lowercase(), text.to_owned())).collect()
}

impl Completer for Completions {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, context: &Context<'_>) -> Result<(usize, Vec<Pair>)> {
        if line[..at].starts_with(":open ") {
            return self.files.complete(line, at, context);
        }
        let (start, found) = self.of_text(&line[..at]);
        Ok((start, found.into_iter().map(|text| Pair { display: text.clone(), replacement: text }).collect()))
    }
}

impl Hinter for Completions {
    type Hint = String;
}

impl Highlighter for Completions {}
impl Validator for Completions {}
impl Helper for Completions {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_columns_and_cells_are_completed() {
        let table =
            Table::from_csv("City,Country\nSt. Louis,USA\nLondon,UK\nLos Angeles,USA\n").expect("it is a table");
        let completions = Completions::new(&[":why", ":next", ":undo"], &table);
        let completed = |line: &str| completions.of_text(line);
        assert_eq!(completed(":w"), (0, vec![":why".to_owned()]));
        assert_eq!(completed("which ci"), (6, vec!["City".to_owned()]));
        assert_eq!(completed("when was St. L"), (9, vec!["St. Louis".to_owned()]));
        assert_eq!(completed("lo"), (0, vec!["London".to_owned(), "Los Angeles".to_owned()]));
        assert_eq!(completed("xyz"), (3, Vec::new()));
        assert!(completed("").1.len() > 3);
    }
}
