//! A file of corrections. Lines are only ever added, so that nothing is lost if a program is killed, and so that `chat` and
//! a server never overwrite what the other wrote.

use anyhow::{Context, Result, bail};
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use tabwise::answer::Correction;
use tabwise::learn::{CorrectedTable, Line, Written};

/// A file of corrections that can be added to.
pub struct CorrectionsFile {
    path: PathBuf,
    file: File,
    /// Tables that the file has.
    tables: HashSet<String>,
}

/// Most bytes of a file of corrections.
const MOST_BYTES: u64 = 256 << 20;

impl CorrectionsFile {
    /// Reads the corrections of a file, which is made if there is none, and opens it for more.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, or has a line that is no correction.
    pub fn open(path: &Path) -> Result<(CorrectionsFile, Written)> {
        let written = match std::fs::exists(path) {
            Ok(true) => read_corrections(path)?,
            _ => Written::default(),
        };
        let cannot = || format!("cannot write the corrections {}", path.display());
        let mut file = OpenOptions::new().create(true).append(true).open(path).with_context(cannot)?;
        end_last_line(path, &mut file).with_context(cannot)?;
        let tables = written.tables.iter().map(|table| table.id.clone()).collect();
        Ok((CorrectionsFile { path: path.to_owned(), file, tables }, written))
    }

    /// Adds a correction, with its table if the file does not have it.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn keep(&mut self, correction: &Correction, table: Option<&CorrectedTable>) -> io::Result<()> {
        if self.file.metadata()?.len() > MOST_BYTES / 2 {
            return Err(io::Error::new(ErrorKind::FileTooLarge, "the file of corrections is full"));
        }
        let table = table.filter(|table| !self.tables.contains(&table.id));
        let mut text = table.map_or_else(String::new, |table| Line::Table(table.clone()).text());
        text.push_str(&Line::Correction(correction.clone()).text());
        self.append(&text)?;
        self.tables.extend(table.map(|table| table.id.clone()));
        Ok(())
    }

    /// Notes that a correction was taken back.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn undo(&mut self, id: &str) -> io::Result<()> {
        self.append(&Line::Undo(id.to_owned()).text())
    }

    /// Adds lines. If the disk is full, the part that fitted is taken back: a line that is cut off would spoil the file.
    fn append(&mut self, lines: &str) -> io::Result<()> {
        let before = self.file.metadata()?.len();
        let written = self.file.write_all(lines.as_bytes());
        if written.is_err() {
            self.file.set_len(before)?;
        }
        written
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Reads a file of corrections.
///
/// # Errors
///
/// If it cannot be read or has a line that is no correction.
pub fn read_corrections(path: &Path) -> Result<Written> {
    let cannot = || format!("cannot read the corrections {}", path.display());
    let mut text = String::new();
    let file = File::open(path).with_context(cannot)?;
    let read = file.take(MOST_BYTES + 1).read_to_string(&mut text).with_context(cannot)?;
    if read as u64 > MOST_BYTES {
        bail!("{} is larger than the limit of {MOST_BYTES} bytes", path.display());
    }
    Written::read(&text).with_context(|| path.display().to_string())
}

/// Writes a file anew without the lines that say nothing any more. Only for a file that no other program writes to.
///
/// # Errors
///
/// If it cannot be read or written.
pub(crate) fn compact(path: &Path) -> Result<()> {
    if !std::fs::exists(path)? {
        return Ok(());
    }
    let written = read_corrections(path)?;
    if written.spent > 0 {
        let draft = path.with_extension("draft");
        std::fs::write(&draft, written.lines()).and_then(|()| std::fs::rename(&draft, path))?;
    }
    Ok(())
}

/// Ends a last line that was cut off, so that the next one begins anew. It is then an empty one, or one that is no
/// correction; so it is dropped.
fn end_last_line(path: &Path, file: &mut File) -> io::Result<()> {
    let bytes = match std::fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        bytes => bytes?,
    };
    match bytes.iter().rposition(|byte| *byte == b'\n') {
        Some(end) if end + 1 < bytes.len() => file.set_len(end as u64 + 1),
        None if !bytes.is_empty() => file.set_len(0),
        _ => Ok(()),
    }
}
