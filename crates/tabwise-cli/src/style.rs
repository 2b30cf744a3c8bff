//! Colours on a terminal, and the width of texts in it.

use anstream::{AutoStream, ColorChoice};
use anstyle::AnsiColor;
use std::borrow::Cow;
use std::env;
use std::io::stdout;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Output with or without colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Colour,
}

impl Style {
    /// Colours if standard output takes them: as `--color` says, or else by `NO_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR` and
    /// the terminal, by the rules that `anstream` keeps.
    pub(crate) fn of_stdout() -> Style {
        match AutoStream::choice(&stdout()) {
            ColorChoice::Never => Style::Plain,
            _ => Style::Colour,
        }
    }

    /// Wraps text in the codes of a style.
    fn paint(self, style: anstyle::Style, text: &str) -> String {
        match self {
            Style::Plain => text.to_owned(),
            Style::Colour => format!("{style}{text}{style:#}"),
        }
    }

    /// Style of an answer.
    pub(crate) fn strong(self, text: &str) -> String {
        self.paint(AnsiColor::Green.on_default().bold(), text)
    }

    /// Style of an uncertain answer.
    pub(crate) fn unsure(self, text: &str) -> String {
        self.paint(AnsiColor::Yellow.on_default().bold(), text)
    }

    /// Style of less important text.
    pub(crate) fn dim(self, text: &str) -> String {
        self.paint(anstyle::Style::new().dimmed(), text)
    }

    /// Style of headers.
    pub(crate) fn header(self, text: &str) -> String {
        self.paint(anstyle::Style::new().bold(), text)
    }

    /// Style of cells of the answer.
    pub(crate) fn answer_cell(self, text: &str) -> String {
        self.paint(AnsiColor::Black.on(AnsiColor::Green), text)
    }

    /// Style of used cells.
    pub(crate) fn used_cell(self, text: &str) -> String {
        self.paint(AnsiColor::Cyan.on_default(), text)
    }
}

/// Choice of `--color`. The doc comments are part of the help.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub(crate) enum Colours {
    /// Colours on a terminal
    #[default]
    Auto,
    /// Colours even in a pipe or a file
    Always,
    /// No colours
    Never,
}

impl Colours {
    /// Makes this the choice of the program.
    pub(crate) fn choose(self) {
        match self {
            Colours::Auto => ColorChoice::Auto,
            Colours::Always => ColorChoice::Always,
            Colours::Never => ColorChoice::Never,
        }
        .write_global();
    }
}

/// Width of the terminal; 100 if there is none.
pub(crate) fn width() -> usize {
    let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    columns.or_else(terminal).filter(|columns| *columns >= 20).unwrap_or(100)
}

/// Width of a text in a terminal: some characters take two columns, combining accents none.
pub(crate) fn places(text: &str) -> usize {
    text.width()
}

/// A text, padded with spaces to a width.
pub(crate) fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(places(text))))
}

/// A text without control characters but line breaks and tabs: text of a table must not control the terminal.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    match text.contains(is_control) {
        true => text.replace(is_control, "\u{fffd}").into(),
        false => text.into(),
    }
}

/// A text on one line, shortened to a width, without control characters: text of a table must not control the terminal.
pub(crate) fn one_line(text: &str, widest: usize) -> String {
    let mut line = String::new();
    let mut length = 0_usize;
    for c in text.trim().chars().map(|c| if c.is_control() || c.is_whitespace() { ' ' } else { c }) {
        if c == ' ' && line.ends_with(' ') {
            continue;
        }
        let wide = c.width().unwrap_or(0);
        if length.saturating_add(wide) > widest {
            while places(&line) >= widest {
                line.pop();
            }
            line.push('…');
            break;
        }
        line.push(c);
        length += wide;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_in_any_script() {
        assert_eq!(padded("東京", 6), "東京  ");
        assert_eq!(padded("Rome", 6), "Rome  ");
    }

    #[test]
    fn a_cell_cannot_reach_the_terminal() {
        assert_eq!(one_line("a\u{1b}[31m\nb  \u{9b}c", 40), "a [31m b c");
        assert_eq!(one_line("abcdef", 4), "abc…");
        assert_eq!(one_line("abcd", 4), "abcd");
        assert_eq!(one_line("東京都", 4), "東…");
        assert_eq!(one_line("é\u{301}", 1), "é\u{301}");
    }
}
