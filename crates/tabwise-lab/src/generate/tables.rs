//! Tables that questions are made on: read from the dataset and restyled, or made up, written as CSV and read again, so that a question
//! is about exactly what a reader of the written file gets.

use super::columns::{Column, Kind, Spoken, columns, spoken_headers};
use super::dice::Dice;
use super::phrasings::Phrasings;
use super::records::Record;
use super::restyle::{Restyled, restyled, shortened};
use super::speech::Speech;
use crate::dataset::load_table;
use anyhow::Result;
use std::path::Path;
use tabwise::Table;
use tabwise::graph::Graph;
use tabwise::table::{ReadSettings, read};
use tabwise::words::Words;

/// A table made ready for questions.
pub(super) struct Known {
    /// Path from the folder of the dataset, and in the folder of the generated questions.
    pub path: String,
    /// Text of the file.
    pub csv: String,
    /// Its graph.
    pub graph: Graph,
    /// Columns that can be asked about.
    pub columns: Vec<Column>,
    /// Words for columns that were left out.
    pub removed: Vec<String>,
    /// A noun for the rows, singular, if the table has one.
    pub noun: Option<String>,
}

/// Numbers of rows that a table may have.
const ROWS: std::ops::RangeInclusive<usize> = 5..=1000;

impl Known {
    /// Reads a table of the dataset and gives it a style; `None` if it is too small, too large or too messy.
    pub(super) fn load(
        data: &Path,
        path: &str,
        seed: u64,
        phrasings: &Phrasings,
        words: &Words,
    ) -> Result<Option<Known>> {
        let table = load_table(&data.join(path), &ReadSettings::default())?;
        Ok(Known::new(path, &table, &mut Dice::new(seed, path), phrasings, words))
    }

    /// Gives a table a style.
    pub(super) fn new(
        path: &str,
        table: &Table,
        dice: &mut Dice,
        phrasings: &Phrasings,
        words: &Words,
    ) -> Option<Known> {
        if !ROWS.contains(&table.row_count()) || has_totals(table) {
            return None;
        }
        let spoken = spoken_headers(table.header(), phrasings);
        let plain = columns(&Graph::new(table, words), &spoken, phrasings);
        Known::of(path, restyled(table, &spoken, &plain, words, dice), None, phrasings, words)
    }

    /// Makes a made-up table ready.
    pub(super) fn made(record: &Record, seed: u64, phrasings: &Phrasings, words: &Words) -> Option<Known> {
        let Record { path, table, noun, speech } = record;
        let one = |(speech, is_flag): &(Speech, bool)| {
            Some(Spoken { words: speech.said.first()?.clone(), is_flag: *is_flag, speech: speech.clone() })
        };
        let spoken: Vec<Option<Spoken>> = speech.iter().map(one).collect();
        let plain = columns(&Graph::new(table, words), &spoken, phrasings);
        let shorter = shortened(table, &spoken, &plain, &mut Dice::new(seed, path));
        Known::of(path, shorter, Some(noun.clone()), phrasings, words)
    }

    /// Writes a table down and reads it again.
    fn of(path: &str, made: Restyled, noun: Option<String>, phrasings: &Phrasings, words: &Words) -> Option<Known> {
        let Restyled { table, spoken, removed } = made;
        let csv = csv(&table);
        let again = read(csv.as_bytes(), Some(path), &ReadSettings::default()).ok()?;
        if again.header() != table.header() || again.row_count() != table.row_count() {
            return None;
        }
        let graph = Graph::new(&again, words);
        let columns = columns(&graph, &spoken, phrasings);
        let name = columns.iter().find(|column| column.kind == Kind::Name);
        let noun = noun.or(name.and_then(|column| noun_in(&column.said[0], phrasings)));
        (columns.len() > 1).then(|| Known { path: path.to_owned(), csv, graph, columns, removed, noun })
    }
}

/// Tells if a row is the sum of others: questions about all rows would have two answers.
fn has_totals(table: &Table) -> bool {
    let is_total =
        |cell: &str| ["total", "sum", "average", "overall"].iter().any(|word| cell.to_lowercase().starts_with(word));
    let width = table.column_count().min(2);
    (0..table.row_count()).any(|row| table.row(row).take(width).any(is_total))
}

/// The noun for the rows in the words of a header: "player" of "player name"; `None` if they say nothing about rows.
fn noun_in(said: &str, phrasings: &Phrasings) -> Option<String> {
    let said = said.split(" of ").next().unwrap_or(said);
    let is_vague = |word: &&str| phrasings.vague.iter().any(|vague| vague == word);
    let word = said.split(' ').rfind(|word| !is_vague(word))?;
    let fits = word.len() > 2 && word.chars().all(char::is_alphabetic);
    fits.then(|| phrasings.singular(word))
}

/// The table as CSV, all cells in quotes.
fn csv(table: &Table) -> String {
    let mut text = String::new();
    record(table.header().iter().map(String::as_str), &mut text);
    (0..table.row_count()).for_each(|row| record(table.row(row), &mut text));
    text
}

fn record<'c>(cells: impl Iterator<Item = &'c str>, text: &mut String) {
    let quoted = |cell: &str| format!("\"{}\"", cell.replace('"', "\"\""));
    text.push_str(&cells.map(quoted).collect::<Vec<_>>().join(","));
    text.push('\n');
}
