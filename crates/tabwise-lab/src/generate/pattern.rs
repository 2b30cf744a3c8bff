//! Patterns: text with choices, from which sentences are made. `(a|b)` is one of them, `[a|b]` one of them or nothing,
//! `{slot}` something that the caller says. "how many {rows} [are there|do we have]" gives three sentences.

use super::dice::Dice;
use anyhow::{Result, bail, ensure};

/// A text with choices.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Pattern(Vec<Piece>);

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Text(String),
    /// One of these.
    Choice(Vec<Pattern>),
    /// Nothing, or one of these.
    Maybe(Vec<Pattern>),
    Slot(String),
}

/// Something that says the slots of a pattern. `None` if it cannot: another choice is then made, if there is one.
pub(super) trait Speaker {
    /// Words for a slot.
    fn say(&self, slot: &str, dice: &mut Dice) -> Option<String>;
}

impl Pattern {
    /// Reads a pattern.
    pub(super) fn read(text: &str) -> Result<Pattern> {
        let mut rest = text;
        let pattern = sequence(&mut rest)?;
        ensure!(rest.is_empty(), "{:?} in {text:?} closes nothing", &rest[..1]);
        Ok(pattern)
    }

    /// The slots, those of all choices.
    pub(super) fn slots(&self) -> Vec<&str> {
        let mut slots = Vec::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(_) => {}
                Piece::Slot(name) => slots.push(name.as_str()),
                Piece::Choice(all) | Piece::Maybe(all) => slots.extend(all.iter().flat_map(Pattern::slots)),
            }
        }
        slots
    }

    /// A sentence of the pattern; `None` if no choice can be said.
    pub(super) fn expand(&self, speaker: &dyn Speaker, dice: &mut Dice) -> Option<String> {
        let mut said = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => said.push_str(text),
                Piece::Slot(name) => said.push_str(&speaker.say(name, dice)?),
                Piece::Choice(all) => said.push_str(&expand_one(all, speaker, dice)?),
                Piece::Maybe(all) => {
                    if dice.chance(50) {
                        said.push_str(&expand_one(all, speaker, dice).unwrap_or_default());
                    }
                }
            }
        }
        Some(said)
    }
}

/// A sentence of one of the patterns, the first in a random order that can be said.
pub(super) fn expand_one(all: &[Pattern], speaker: &dyn Speaker, dice: &mut Dice) -> Option<String> {
    dice.shuffled(all.len()).into_iter().find_map(|at| all[at].expand(speaker, dice))
}

/// Reads up to the end, or to a sign that ends a choice.
fn sequence(rest: &mut &str) -> Result<Pattern> {
    let mut pieces = Vec::new();
    loop {
        let end = rest.find(['(', '[', '{', '|', ')', ']', '}']).unwrap_or(rest.len());
        if end > 0 {
            pieces.push(Piece::Text(rest[..end].to_owned()));
            *rest = &rest[end..];
        }
        match rest.chars().next() {
            Some('(') => pieces.push(Piece::Choice(choices(rest, ')')?)),
            Some('[') => pieces.push(Piece::Maybe(choices(rest, ']')?)),
            Some('{') => {
                let Some((name, after)) = rest[1..].split_once('}') else { bail!("a {{ is not closed") };
                pieces.push(Piece::Slot(name.to_owned()));
                *rest = after;
            }
            _ => return Ok(Pattern(pieces)),
        }
    }
}

/// Reads the choices after an opening sign, and the closing sign.
fn choices(rest: &mut &str, close: char) -> Result<Vec<Pattern>> {
    let mut all = Vec::new();
    loop {
        *rest = &rest[1..];
        all.push(sequence(rest)?);
        match rest.chars().next() {
            Some('|') => {}
            Some(sign) if sign == close => {
                *rest = &rest[1..];
                return Ok(all);
            }
            _ => bail!("a {close:?} is missing"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    struct Colours;

    impl Speaker for Colours {
        fn say(&self, slot: &str, _: &mut Dice) -> Option<String> {
            (slot == "colour").then(|| "red".to_owned())
        }
    }

    fn all(text: &str) -> BTreeSet<String> {
        let pattern = Pattern::read(text).unwrap();
        let mut dice = Dice::new(7, "patterns");
        (0..200).filter_map(|_| pattern.expand(&Colours, &mut dice)).collect()
    }

    #[test]
    fn choices_are_made() {
        assert_eq!(all("a (b|c[d]) {colour}"), ["a b red", "a c red", "a cd red"].map(str::to_owned).into());
        assert_eq!(
            all("({size}|small) {colour}"),
            ["small red".to_owned()].into(),
            "what cannot be said is not chosen"
        );
        assert!(all("{size}").is_empty());
    }

    #[test]
    fn signs_must_match() {
        for wrong in ["(a", "a)", "[a)", "{a", "a|b"] {
            assert!(Pattern::read(wrong).is_err(), "{wrong}");
        }
    }
}
