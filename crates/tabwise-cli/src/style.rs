//! How things stand out on a terminal: colours where there is one, signs where there is none.

use std::env;
use std::io::{IsTerminal, stdout};

/// Whether text may carry colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    Colour,
}

impl Style {
    /// Colours only on a terminal that has them, and not where the user wants none (`NO_COLOR`, see no-color.org).
    pub fn of_stdout() -> Style {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        match stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb {
            true => Style::Colour,
            false => Style::Plain,
        }
    }

    fn paint(self, code: &str, text: &str) -> String {
        match self {
            Style::Plain => text.to_owned(),
            Style::Colour => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }

    /// The answer.
    pub fn strong(self, text: &str) -> String {
        self.paint("1;32", text)
    }

    /// An answer that is not sure.
    pub fn unsure(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    /// What stands aside.
    pub fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// The header of a table.
    pub fn header(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// A cell that is the answer.
    pub fn answer_cell(self, text: &str) -> String {
        self.paint("30;42", text)
    }

    /// A cell that was looked at.
    pub fn used_cell(self, text: &str) -> String {
        self.paint("36", text)
    }
}

/// The width of the terminal, or of a page.
pub fn width() -> usize {
    let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.filter(|columns| *columns >= 20).unwrap_or(100)
}

/// A text on one line, without control characters, cut where it is longer than `widest`.
pub fn one_line(text: &str, widest: usize) -> String {
    let mut line = String::new();
    let mut length = 0;
    for c in text.trim().chars().map(|c| if c.is_control() || c.is_whitespace() { ' ' } else { c }) {
        if c == ' ' && line.ends_with(' ') {
            continue;
        }
        if length == widest {
            line.pop();
            line.push('…');
            break;
        }
        line.push(c);
        length += 1;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_cannot_reach_the_terminal() {
        assert_eq!(one_line("a\u{1b}[31m\nb  \u{9b}c", 40), "a [31m b c");
        assert_eq!(one_line("abcdef", 4), "abc…");
        assert_eq!(one_line("abcd", 4), "abcd");
    }
}
