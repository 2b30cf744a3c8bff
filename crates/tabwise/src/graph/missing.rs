//! [`Missing`]: the cells of a table that have no value. A mark such as `n/a` is missing in every column but one with
//! plus signs, where a dash is a minus. `NA` is kept where it is one code among others, `None` where it is one choice
//! among others.

use crate::table::Table;
use crate::words::{Blank, Words};
use rustc_hash::FxHashSet;

/// The texts that are missing, for each column.
pub(super) struct Missing<'w> {
    words: &'w Words,
    kept: Vec<Kept>,
}

/// Texts of a column that could be missing, but are kept.
#[derive(Clone, Copy, Default)]
struct Kept {
    dashes: bool,
    codes: bool,
    choices: bool,
}

impl<'w> Missing<'w> {
    /// Looks at the columns. Only those with a text that may be kept are read in full.
    pub(super) fn new(table: &Table, words: &'w Words) -> Missing<'w> {
        let looks: Vec<Look> = (0..table.column_count()).map(|column| Look::at(table, column, words)).collect();
        // Of several codes NA, those of a table that uses NA for missing numbers are missing as well.
        let elsewhere = looks.iter().any(|look| look.codes > 0 && !look.is_of_codes);
        let kept = |look: &Look| Kept {
            dashes: look.plus,
            codes: look.is_of_codes && (look.codes == 1 || !elsewhere),
            choices: look.is_of_choices,
        };
        Missing { words, kept: looks.iter().map(kept).collect() }
    }

    /// True if a text is missing in a column.
    pub(super) fn is_missing(&self, text: &str, column: usize) -> bool {
        let kept = self.kept[column];
        match self.words.blank(text) {
            None => false,
            Some(Blank::Mark) => !kept.dashes || !text.trim().starts_with(|c| self.words.is_dash(c)),
            Some(Blank::Code) => !kept.codes,
            Some(Blank::Choice) => !kept.choices,
        }
    }
}

/// What a column looks like apart from its blanks.
#[derive(Default)]
struct Look {
    /// True if some text is a plus sign.
    plus: bool,
    /// Number of blanks that may be codes.
    codes: usize,
    /// True if nearly all other texts are codes of two capital letters, or of a letter and a digit.
    is_of_codes: bool,
    /// True if the other texts are a few words, each of them used twice or more on average.
    is_of_choices: bool,
}

impl Look {
    fn at(table: &Table, column: usize, words: &Words) -> Look {
        let texts = || (0..table.row_count()).map(|row| table.cell(row, column));
        let (mut look, mut choices) = (Look::default(), 0);
        for text in texts() {
            look.plus |= text == "+";
            match words.blank(text) {
                Some(Blank::Code) => look.codes += 1,
                Some(Blank::Choice) => choices += 1,
                Some(Blank::Mark) | None => {}
            }
        }
        if look.codes + choices > 0 {
            let others = texts().filter(|text| words.blank(text).is_none());
            look.compare(others.clone().count(), choices, &others.collect());
        }
        look
    }

    /// Compares the blanks with the other texts: their number, and the different ones.
    fn compare(&mut self, others: usize, choices: usize, distinct: &FxHashSet<&str>) {
        let codes = distinct.iter().filter(|text| is_code(text)).count();
        self.is_of_codes = !distinct.is_empty() && codes * 10 >= distinct.len() * 9;
        let few = (distinct.len() + 1) * 2 <= others + choices;
        self.is_of_choices = few && distinct.iter().all(is_choice) && !distinct.iter().all(is_truth);
    }
}

fn is_code(text: &&str) -> bool {
    let is_sign = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit();
    text.len() == 2 && text.bytes().all(is_sign) && text.bytes().any(|b| b.is_ascii_uppercase())
}

fn is_choice(text: &&str) -> bool {
    text.starts_with(char::is_alphabetic)
}

/// Programs write a truth that is not known as None.
fn is_truth(text: &&str) -> bool {
    text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false")
}
