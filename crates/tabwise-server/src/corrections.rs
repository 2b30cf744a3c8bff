//! A file of corrections. Lines are only ever added, so that nothing is lost if a program is killed, and so that `chat` and
//! a server never overwrite what the other wrote.

use anyhow::{Context, Result, bail};
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
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
const MOST_BYTES: u64 = 1 << 30;

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
        let mut text = String::new();
        if let Some(table) = table.filter(|table| !self.tables.contains(&table.id)) {
            text.push_str(&Line::Table(table.clone()).text());
            self.tables.insert(table.id.clone());
        }
        text.push_str(&Line::Correction(correction.clone()).text());
        self.file.write_all(text.as_bytes())
    }

    /// Notes that a correction was taken back.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn undo(&mut self, id: &str) -> io::Result<()> {
        self.file.write_all(Line::Undo(id.to_owned()).text().as_bytes())
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
    if std::fs::metadata(path).with_context(cannot)?.len() > MOST_BYTES {
        bail!("{} is larger than the limit of {MOST_BYTES} bytes", path.display());
    }
    let text = std::fs::read_to_string(path).with_context(cannot)?;
    Written::read(&text).with_context(|| path.display().to_string())
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

#[cfg(test)]
mod tests {
    use super::*;
    use tabwise::learn::{Right, correct};
    use tabwise::{Asker, Table};

    fn path(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("tabwise-corrections-{}-{name}.jsonl", std::process::id()));
        let _ = std::fs::remove_file(&path);
        path
    }

    #[test]
    fn corrections_are_read_again_and_a_line_that_was_cut_off_is_dropped() {
        let path = path("again");
        let asker = Asker::embedded();
        let table = Table::from_csv("City,Year\nAthens,1896\nParis,1900\n").expect("it is a table");
        let table = asker.prepare(&table);
        let right = |question: &str, answer: &str| {
            correct(&asker, &table, question, &Right::Answer(vec![answer.to_owned()])).expect("it has a value")
        };
        let (first, second) = (right("which city was last?", "Athens"), right("how many cities?", "7"));
        let (mut file, written) = CorrectionsFile::open(&path).expect("it can be made");
        assert!(written.corrections.list().is_empty());
        let kept = CorrectedTable::of(&table).expect("it is small");
        file.keep(&first, Some(&kept)).expect("it can be written");
        file.keep(&second, Some(&kept)).expect("it can be written");
        file.undo(&first.id).expect("it can be written");
        file.file.write_all(b"{\"correction\": {\"id").expect("it can be written");
        drop(file);
        let (mut file, written) = CorrectionsFile::open(&path).expect("it is there");
        assert_eq!(written.corrections.list(), [second.clone()]);
        assert_eq!((written.tables, written.spent), (vec![kept.clone()], 2));
        file.keep(&first, Some(&kept)).expect("it can be written");
        let written = read_corrections(&path).expect("it is there");
        assert_eq!(written.corrections.list(), [second, first]);
        std::fs::write(&path, "{\"corection\": 1}\n").expect("it can be written");
        let error = format!("{:#}", read_corrections(&path).expect_err("it is no correction"));
        assert!(error.contains("line 1 is no correction"), "{error}");
        std::fs::remove_file(path).expect("it is there");
    }
}
