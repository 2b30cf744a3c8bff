//! What the server was taught: the corrections in force, kept in a file if the server has a folder, and the way to the
//! workers, which answer with corrections of their own. A worker is told what it has not heard yet before its next job.

use crate::corrections::{CorrectionsFile, compact};
use crate::failure::{Failure, Reply};
use crate::wire::{Lesson, Message, News, frame};
use anyhow::Result;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tabwise::learn::{Line, Written};

/// Corrections of a server.
pub(crate) struct Teaching {
    state: Mutex<State>,
    /// Most corrections in force.
    most: usize,
}

struct State {
    written: Written,
    /// Bytes that `written` takes as lines.
    bytes: usize,
    file: Option<CorrectionsFile>,
    /// What happened, in order: corrections that were made and taken back.
    log: Vec<Line>,
    /// Number of logs that were begun.
    number: u64,
}

/// Part of a log that a worker has heard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Heard {
    log: u64,
    lines: usize,
}

/// Most bytes of corrections and their tables.
const MOST_BYTES: usize = 64 << 20;
/// Lines of a log, for each correction that may be in force, after which a new one is begun.
const LONGEST_LOG: usize = 2;

impl Teaching {
    /// The corrections of a folder, or none.
    pub(crate) fn open(folder: Option<&Path>, most: usize) -> Result<Teaching> {
        let path = folder.map(|folder| folder.join("corrections.jsonl"));
        path.as_deref().map(compact).transpose()?;
        let opened = path.as_deref().map(CorrectionsFile::open).transpose()?;
        let (file, written) = opened.map_or((None, Written::default()), |(file, written)| (Some(file), written));
        let bytes = written.lines().len();
        let log = written.corrections.list().iter().cloned().map(Line::Correction).collect();
        Ok(Teaching { state: Mutex::new(State { written, bytes, file, log, number: 1 }), most })
    }

    /// Puts a correction in force.
    pub(crate) fn add(&self, lesson: Lesson) -> Reply<()> {
        let Lesson { correction, table } = lesson;
        let mut state = self.lock();
        let is_known = |known: &str| state.written.corrections.list().iter().any(|one| one.id == known);
        if state.written.corrections.list().len() >= self.most && !is_known(&correction.id) {
            return Err(Failure::large(format!(
                "there are {} corrections, which is the limit; take some back, or start the server with a higher \
                 --keep-corrections",
                self.most
            )));
        }
        let table = table.filter(|table| !state.written.tables.iter().any(|known| known.id == table.id));
        let line = Line::Correction(correction.clone());
        let size = line.text().len() + table.clone().map_or(0, |table| Line::Table(table).text().len());
        if state.bytes + size > MOST_BYTES {
            return Err(Failure::large(format!(
                "the corrections and their tables take more than the limit of {MOST_BYTES} bytes; take some back"
            )));
        }
        if let Some(file) = &mut state.file {
            file.keep(&correction, table.as_ref()).map_err(|error| Failure::unwritten(&error))?;
        }
        state.bytes += size;
        state.written.tables.extend(table);
        state.written.corrections.add(correction);
        state.note(line, self.most);
        Ok(())
    }

    /// Takes a correction back; tells if there was one.
    pub(crate) fn undo(&self, id: &str) -> Reply<bool> {
        let mut state = self.lock();
        if !state.written.corrections.list().iter().any(|one| one.id == id) {
            return Ok(false);
        }
        if let Some(file) = &mut state.file {
            file.undo(id).map_err(|error| Failure::unwritten(&error))?;
        }
        state.written.corrections.remove(id);
        state.forget_tables();
        state.note(Line::Undo(id.to_owned()), self.most);
        Ok(true)
    }

    /// Number of corrections in force.
    pub(crate) fn count(&self) -> usize {
        self.lock().written.corrections.list().len()
    }

    /// The corrections in force with their tables, as lines of JSON.
    pub(crate) fn lines(&self) -> String {
        self.lock().written.lines()
    }

    /// The frame that tells a worker what it has not heard, and what it has heard then; `None` if there is nothing new.
    pub(crate) fn news(&self, heard: Heard) -> Reply<Option<(Vec<u8>, Heard)>> {
        let state = self.lock();
        let now = Heard { log: state.number, lines: state.log.len() };
        let is_begun = heard.log == now.log;
        if heard == now || !is_begun && now.lines == 0 && heard == Heard::default() {
            return Ok(None);
        }
        let lines = &state.log[if is_begun { heard.lines } else { 0 }..];
        let news = Message::News(News { anew: !is_begun, lines: lines.to_vec() });
        let frame = frame(&news).map_err(|error| Failure::fault(&error.to_string()))?;
        Ok(Some((frame, now)))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Adds to the log. One that is too long begins anew with what is in force.
    fn note(&mut self, line: Line, most: usize) {
        self.log.push(line);
        if self.log.len() > LONGEST_LOG * most.max(1) {
            self.log = self.written.corrections.list().iter().cloned().map(Line::Correction).collect();
            self.number += 1;
        }
    }

    /// Drops tables that no correction is about any more.
    fn forget_tables(&mut self) {
        let corrections = &self.written.corrections;
        self.written.tables.retain(|table| corrections.list().iter().any(|one| one.table == table.id));
        self.bytes = self.written.lines().len();
    }
}
