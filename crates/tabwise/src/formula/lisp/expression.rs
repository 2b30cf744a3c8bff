//! Lisp expressions, as text and as nested lists of words.

use super::{DEPTH, LispError};

/// A Lisp expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lisp {
    /// A word, or a string in double quotes.
    Word(String),
    /// Expressions in parentheses.
    List(Vec<Lisp>),
}

impl Lisp {
    /// Returns the items behind `head`, if this is a list that begins with that word.
    pub fn tagged(&self, head: &str) -> Option<&[Lisp]> {
        match self {
            Lisp::List(items) => match items.first() {
                Some(Lisp::Word(word)) if word == head => Some(&items[1..]),
                _ => None,
            },
            Lisp::Word(_) => None,
        }
    }

    /// Returns the word; `None` for a list.
    pub fn word(&self) -> Option<&str> {
        match self {
            Lisp::Word(word) => Some(word),
            Lisp::List(_) => None,
        }
    }

    /// Prints the expression on one line.
    pub fn show(&self) -> String {
        match self {
            Lisp::Word(word) => word.clone(),
            Lisp::List(items) => format!("({})", items.iter().map(Lisp::show).collect::<Vec<_>>().join(" ")),
        }
    }
}

/// Reads a text that is a single expression. Strings in double quotes are words; `#` starts a comment.
pub fn parse(text: &str) -> Result<Lisp, LispError> {
    let mut all = parse_all(text)?;
    match (all.pop(), all.is_empty()) {
        (Some(one), true) => Ok(one),
        _ => Err(LispError::Malformed("expected one expression".into())),
    }
}

/// Reads every expression of a text.
pub fn parse_all(text: &str) -> Result<Vec<Lisp>, LispError> {
    // A stack of unfinished lists instead of recursion: the depth of the input cannot exhaust the call stack. The
    // lowest one collects the expressions of the text.
    let mut open: Vec<Vec<Lisp>> = vec![Vec::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '(' if open.len() > DEPTH => return Err(LispError::TooDeep),
            '(' => open.push(Vec::new()),
            ')' => {
                let list = open.pop().expect("never empty");
                open.last_mut().ok_or(LispError::Unbalanced)?.push(Lisp::List(list));
            }
            '#' => while chars.next_if(|c| *c != '\n').is_some() {},
            '"' => {
                let word = quoted(&mut chars).ok_or(LispError::Unbalanced)?;
                open.last_mut().expect("never empty").push(Lisp::Word(word));
            }
            c if c.is_whitespace() => {}
            c => {
                let mut word = String::from(c);
                while let Some(next) = chars.next_if(|c| !c.is_whitespace() && !"()\"".contains(*c)) {
                    word.push(next);
                }
                open.last_mut().expect("never empty").push(Lisp::Word(word));
            }
        }
    }
    match (open.pop(), open.is_empty()) {
        (Some(all), true) => Ok(all),
        _ => Err(LispError::Unbalanced),
    }
}

/// Reads a string up to its closing quotation mark; `None` if there is none.
fn quoted(chars: &mut impl Iterator<Item = char>) -> Option<String> {
    let mut word = String::new();
    loop {
        match chars.next()? {
            '"' => return Some(word),
            '\\' => match chars.next()? {
                'n' => word.push('\n'),
                other => word.push(other),
            },
            c => word.push(c),
        }
    }
}
