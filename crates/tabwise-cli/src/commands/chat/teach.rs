//! Teaching in a chat: saying that an answer is right or wrong, and taking that back. What was said counts at once, and is
//! kept in a file for the next chat.

use super::{Chat, NO_ANSWER, Turn};
use crate::report::say_other;
use crate::style::one_line;
use anyhow::Result;
use etcetera::{BaseStrategy, choose_base_strategy};
use std::fs;
use std::io::{IsTerminal, Write, stdin};
use std::path::{Path, PathBuf};
use tabwise::answer::{Answer, Corrections};
use tabwise::dialogue::Understood;
use tabwise::learn::{CorrectedTable, Right, correct};
use tabwise_server::CorrectionsFile;

/// Opens the file of corrections: the one that was given, or that of all chats on a terminal.
pub(super) fn open(given: Option<&Path>) -> Result<(Option<CorrectionsFile>, Corrections)> {
    let usual = || stdin().is_terminal().then(usual_file).flatten();
    match given.map(Path::to_owned).or_else(usual) {
        Some(path) => {
            let (file, written) = CorrectionsFile::open(&path)?;
            Ok((Some(file), written.corrections))
        }
        None => Ok((None, Corrections::default())),
    }
}

/// File of corrections in the folder for the data of programs; `None` if it cannot be created.
fn usual_file() -> Option<PathBuf> {
    let folder = choose_base_strategy().ok()?.data_dir().join("tabwise");
    fs::create_dir_all(&folder).ok()?;
    Some(folder.join("corrections.jsonl"))
}

impl Chat {
    /// Learns what the last answer should be: the interpretation that was shown last, the one with a number (`#2`), or
    /// values that are typed in.
    pub(super) fn right(&mut self, said: &str, out: &mut impl Write) -> Result<()> {
        let Some(turn) = self.correctable(out)? else { return Ok(()) };
        let Some(right) = right(turn, said) else {
            writeln!(out, "There is no such interpretation; :wrong lists them.")?;
            return Ok(());
        };
        let question = turn.answer.question.clone();
        let correction = match correct(&self.asker, &self.prepared, &question, &right) {
            Ok(correction) => correction,
            Err(error) => return Ok(writeln!(out, "{error}")?),
        };
        if let Some(file) = &mut self.corrections {
            file.keep(&correction, CorrectedTable::of(&self.prepared).as_ref())?;
        }
        writeln!(out, "Learned: {}", one_line(&correction.answer.join(", "), 200))?;
        let only_here = correction
            .formula
            .is_none()
            .then_some("no formula that was found gives this answer, so it is remembered for this question alone; ");
        let kept = self.corrections.as_ref().map(|file| format!("kept in {}; ", file.path().display()));
        let sentence = [only_here.unwrap_or_default(), &kept.unwrap_or_default(), ":forget takes it back"].concat();
        writeln!(out, "{}", self.style.dim(&sentence))?;
        self.asker.teach(correction);
        self.ask_again(&question);
        Ok(())
    }

    /// Lists the interpretations, one of which may be right.
    pub(super) fn wrong(&mut self, out: &mut impl Write) -> Result<()> {
        let Some(turn) = self.correctable(out)? else { return Ok(()) };
        for (number, meaning) in turn.answer.meanings.iter().enumerate().skip(1) {
            say_other(&format!("#{}", number + 1), meaning, self.style, out)?;
        }
        writeln!(out, "Say which is right, as in :right #2, or give the right answer, as in :right Athens; Paris")?;
        Ok(())
    }

    /// Takes back what was said about the last answer.
    pub(super) fn forget(&mut self, out: &mut impl Write) -> Result<()> {
        let Some(turn) = &self.last else { return Ok(writeln!(out, "{NO_ANSWER}")?) };
        let Some(id) = turn.answer.correction.clone() else {
            return Ok(writeln!(out, "The last answer was not corrected.")?);
        };
        let question = turn.answer.question.clone();
        self.asker.forget(&id);
        if let Some(file) = &mut self.corrections {
            file.undo(&id)?;
        }
        let answer = self.ask_again(&question);
        writeln!(out, "Forgotten; the answer is again: {}", one_line(&answer.to_string(), 200))?;
        Ok(())
    }

    /// The last answer, if it can be corrected; prints why not otherwise.
    fn correctable(&self, out: &mut impl Write) -> Result<Option<&Turn>> {
        match &self.last {
            None => writeln!(out, "{NO_ANSWER}")?,
            Some(Turn { understood: Understood::Among { .. }, .. }) => {
                writeln!(out, "A question about the rows of the last answer cannot be corrected; ask it in full.")?;
            }
            Some(turn) => return Ok(Some(turn)),
        }
        Ok(None)
    }

    /// Answers the last question with what is known now.
    fn ask_again(&mut self, question: &str) -> Answer {
        let answer = self.asker.ask(&self.prepared, question, &self.wanted);
        self.dialogue.correct(answer.clone());
        self.last = Some(Turn { answer: answer.clone(), shown: 0, understood: Understood::Alone });
        answer
    }
}

/// The right answer that was said after `:right`.
fn right(turn: &Turn, said: &str) -> Option<Right> {
    let meaning = match said.strip_prefix('#').map(|number| number.trim().parse::<usize>()) {
        Some(Ok(number)) => turn.answer.meanings.get(number.checked_sub(1)?)?,
        _ if said.is_empty() => turn.answer.meanings.get(turn.shown)?,
        _ => return Some(Right::Answer(said.split(';').map(|value| value.trim().to_owned()).collect())),
    };
    match meaning.formula.is_empty() {
        true => Some(Right::Answer(meaning.answer.clone())),
        false => Some(Right::Formula(meaning.formula.clone())),
    }
}
