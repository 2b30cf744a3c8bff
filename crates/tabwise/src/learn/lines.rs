//! Corrections as lines of JSON: what is kept in a file, and what training reads. There is a line for each correction, a
//! line for its table before the first of them, so that the file stands on its own, and a line for each one that was taken
//! back. A file only ever grows, so one that is cut off in the middle loses no more than its last line.

use crate::answer::{Correction, Corrections, Knowledge, PreparedTable};
use crate::evaluate::{Author, Example, Examples, Target};
use crate::graph::Cells;
use crate::table::Table;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A line of a file of corrections.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    /// A table that corrections are about.
    Table(CorrectedTable),
    /// A correction.
    Correction(Correction),
    /// Name of a correction that was taken back.
    Undo(String),
}

/// A table that corrections are about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorrectedTable {
    /// Fingerprint of everything in it, as corrections have it.
    pub id: String,
    /// Names of its columns.
    pub header: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
}

/// Most bytes of text of a table that is written with its corrections.
const MOST_TEXT: usize = 1 << 20;

impl CorrectedTable {
    /// The table as it is written; `None` if it is so large that corrections do without it.
    pub fn of(table: &PreparedTable) -> Option<CorrectedTable> {
        let columns = table.graph.columns();
        let mut text: usize = columns.iter().map(|column| column.header.len()).sum();
        let mut rows = Vec::new();
        for row in 0..table.graph.row_count() {
            let cell = |cells: &[crate::value::EntityId]| table.graph.name(cells[row]).to_owned();
            let cells: Vec<String> = columns.iter().map(|column| cell(&column.cells)).collect();
            text += cells.iter().map(|cell| cell.len() + 1).sum::<usize>();
            if text > MOST_TEXT {
                return None;
            }
            rows.push(cells);
        }
        let header = columns.iter().map(|column| column.header.clone()).collect();
        Some(CorrectedTable { id: table.identity().table, header, rows })
    }

    fn table(&self) -> Table {
        let mut table = Table::new(self.header.clone());
        self.rows.iter().for_each(|row| table.push_row(row));
        table
    }
}

/// Content of a file of corrections.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// Tables, each once.
    pub tables: Vec<CorrectedTable>,
    /// Corrections in force.
    pub corrections: Corrections,
    /// Number of lines that say nothing any more, because they were taken back or replaced.
    pub spent: usize,
}

/// A line that is no correction.
#[derive(Debug, thiserror::Error)]
#[error("line {line} is no correction: {reason}")]
pub struct LineError {
    /// Number of the line, from 1.
    pub line: usize,
    reason: String,
}

impl Written {
    /// Reads the lines of a file. A last line without an end is left out: whoever wrote it was interrupted.
    ///
    /// # Errors
    ///
    /// If a line is neither a correction, nor a table, nor takes one back.
    pub fn read(text: &str) -> Result<Written, LineError> {
        let mut written = Written::default();
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let (mut list, mut count) = (Vec::new(), 0);
        for (at, line) in whole.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = |error: serde_json::Error| LineError { line: at + 1, reason: error.to_string() };
            count += 1;
            match serde_json::from_str(line).map_err(wrong)? {
                Line::Table(table) if written.tables.iter().any(|known| known.id == table.id) => {}
                Line::Table(table) => written.tables.push(table),
                Line::Correction(correction) => list.push(correction),
                Line::Undo(id) => list.retain(|correction: &Correction| correction.id != id),
            }
        }
        written.corrections = Corrections::new(list);
        let is_used = |table: &CorrectedTable| written.corrections.list().iter().any(|one| one.table == table.id);
        written.tables.retain(is_used);
        written.spent = count - written.tables.len() - written.corrections.list().len();
        Ok(written)
    }

    /// The lines of what is in force.
    pub fn lines(&self) -> String {
        let tables = self.tables.iter().cloned().map(Line::Table);
        let corrections = self.corrections.list().iter().cloned().map(Line::Correction);
        tables.chain(corrections).map(|line| line.text()).collect()
    }

    /// The corrections as examples to learn from, with their tables; and the number of those whose table is not written.
    /// None of them is held back from training.
    pub fn examples(&self, knowledge: &Knowledge, cells: Cells) -> (Examples, usize) {
        const NOT_HELD: usize = 1;
        let places: FxHashMap<&str, usize> = self.tables.iter().map(|table| table.id.as_str()).zip(0..).collect();
        let example = |one: &Correction| {
            let target = Target::from_strings(&one.answer, &knowledge.words);
            let formulas = one.formula.iter().filter(|_| one.given == crate::answer::Given::Formula).cloned();
            Some(Example {
                id: format!("correction-{}", one.id),
                question: one.question.clone(),
                table: *places.get(one.table.as_str())?,
                fold: NOT_HELD,
                author: Author::Person,
                target: target.with_formulas(formulas.collect()),
            })
        };
        let list: Vec<Example> = self.corrections.list().iter().filter_map(example).collect();
        let left_out = self.corrections.list().len() - list.len();
        let prepare = |table: &CorrectedTable| PreparedTable::new(&table.table(), knowledge, cells);
        (Examples { tables: self.tables.iter().map(prepare).collect(), list }, left_out)
    }
}

impl Line {
    /// The line as it is written, with its end.
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string(self).expect("texts and numbers are plain data");
        text.push('\n');
        text
    }
}
