//! Names of columns, values and dates inside a sentence.

use super::Explainer;
use crate::graph::{ColumnId, Reading};
use crate::value::{Date, Value, show_number};

/// Number of cells by which the usual reading of a column is judged.
const SAMPLE: usize = 200;
/// Number of characters of a text that are quoted in a sentence.
const LONGEST: usize = 60;

impl Explainer<'_, '_> {
    /// Tells if an earlier column has the same header.
    pub(super) fn is_repeated(&self, id: ColumnId) -> bool {
        self.repeat(id).is_some()
    }

    /// Tells if a header could be mistaken for a number or for nothing: it is empty, a year or a range of years.
    pub(super) fn is_numeric(&self, id: ColumnId) -> bool {
        let header = self.executor.graph().column(id).header.trim();
        let is_number = header.contains(|c: char| c.is_ascii_digit()) && !header.contains(char::is_alphabetic);
        header.is_empty() || is_number
    }

    /// Number of a repeated header, from 2; the graph has appended it to the column's name.
    fn repeat(&self, id: ColumnId) -> Option<usize> {
        let column = self.executor.graph().column(id);
        let header = column.header.split_whitespace().collect::<Vec<_>>().join(" ");
        let rest = column.name.strip_prefix(header.as_str()).filter(|_| !header.is_empty())?;
        rest.strip_prefix('_')?.parse().ok()
    }

    /// Name of a column: its header. A repeated header gets its number, an empty one is replaced by the column's place,
    /// and one that looks like a number gets the word "column".
    pub(super) fn column(&self, id: ColumnId) -> String {
        let words = &self.phrases.columns;
        let column = self.executor.graph().column(id);
        let header = one_line(&column.header);
        match (header.as_str(), self.repeat(id)) {
            ("", _) => words.unnamed.fill(&[("number", &(id.0 + 1).to_string())]),
            (_, Some(number)) => {
                let later = || words.later.fill(&[("number", &number.to_string())]);
                let ordinal = words.ordinals.get(number.wrapping_sub(2)).cloned().unwrap_or_else(later);
                words.repeated.fill(&[("ordinal", &ordinal), ("column", &header)])
            }
            _ if self.is_numeric(id) => words.numeric.fill(&[("column", &header)]),
            _ => header,
        }
    }

    /// Name of a reading of a column; for plain readings, the name of the column.
    pub(super) fn reading_of(&self, column: &str, reading: Reading) -> String {
        let words = &self.phrases.columns;
        let template = match reading {
            Reading::Number | Reading::Date | Reading::Duration => return column.to_string(),
            Reading::Number2 => &words.second_number,
            Reading::Date2 => &words.second_date,
            Reading::Year => &words.year,
            Reading::Month => &words.month,
            Reading::Weekday => &words.weekday,
            Reading::Part => &words.part,
        };
        template.fill(&[("column", column)])
    }

    /// Name of a plain reading of a column: the column's own name, unless most of its cells are something else. Then the
    /// reading is named: "Order read as a date".
    pub(super) fn read_as(&self, name: &str, column: ColumnId, reading: Reading) -> String {
        let words = &self.phrases.columns;
        let template = match reading {
            Reading::Number => &words.read_as_number,
            Reading::Date => &words.read_as_date,
            _ => &words.read_as_duration,
        };
        match self.is_usual(column, reading) {
            true => name.to_string(),
            false => template.fill(&[("column", name)]),
        }
    }

    /// Tells if half of a column's first cells suggest a reading. A text that begins with a letter suggests no number.
    fn is_usual(&self, column: ColumnId, reading: Reading) -> bool {
        let graph = self.executor.graph();
        let cells = graph.column(column).cells.iter().filter(|entity| !graph.is_missing(**entity)).take(SAMPLE);
        let is_name = |name: &str| reading == Reading::Number && name.starts_with(char::is_alphabetic);
        let suggests = cells.map(|entity| graph.has_reading(*entity, reading) && !is_name(graph.name(*entity)));
        let (count, usual) = suggests.fold((0, 0), |(count, usual), is| (count + 1, usual + usize::from(is)));
        usual * 2 >= count
    }

    /// Writes a value.
    pub(super) fn value(&self, value: Value) -> String {
        match value {
            Value::Entity(entity) => self.entity(self.executor.graph().name(entity)),
            Value::Number(n) => self.number(n),
            Value::Date(date) => self.date(date),
            Value::Truth(truth) => self.truth(truth),
        }
    }

    /// Writes a number, with separated thousands from five digits on.
    fn number(&self, n: f64) -> String {
        let text = show_number(n);
        let whole = text.trim_start_matches('-').split('.').next().unwrap_or_default().len();
        if whole < 5 || text.contains('e') {
            return text;
        }
        let start = text.len() - text.trim_start_matches('-').len();
        let mut grouped = text[..start].to_string();
        for (at, digit) in text[start..start + whole].char_indices() {
            if at > 0 && (whole - at).is_multiple_of(3) {
                grouped.push_str(&self.phrases.values.thousands);
            }
            grouped.push(digit);
        }
        grouped + &text[start + whole..]
    }

    /// Writes the text of a cell, in quotes if it has signs that could be taken for part of the sentence.
    fn entity(&self, text: &str) -> String {
        let text = one_line(text);
        let is_plain = |c: char| c.is_alphanumeric() || c.is_whitespace() || ".-'–:/%#&()$€£+".contains(c);
        let ends_plain = text.starts_with(|c: char| c.is_alphanumeric() || "$€£#+-".contains(c));
        match text.is_empty() {
            true => self.phrases.values.empty.clone(),
            false if ends_plain && text.chars().all(is_plain) => text,
            false => {
                let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                let inner = inner.filter(|inner| !inner.contains('"')).unwrap_or(&text);
                self.phrases.values.quoted.fill(&[("text", inner)])
            }
        }
    }

    /// Writes the known parts of a date.
    pub(super) fn date(&self, date: Date) -> String {
        let words = &self.phrases.dates;
        let year = date.year().map(|year| self.year(year));
        let month = date.month().and_then(|month| words.months.get(usize::from(month) - 1)).map(String::as_str);
        let day = date.day().map(|day| day.to_string());
        match (year.as_deref(), month, day.as_deref()) {
            (Some(year), Some(month), Some(day)) => words.full.fill(&[("year", year), ("month", month), ("day", day)]),
            (Some(year), Some(month), None) => words.month_of_year.fill(&[("year", year), ("month", month)]),
            (Some(year), None, Some(day)) => words.day_of_year.fill(&[("year", year), ("day", day)]),
            (Some(year), None, None) => year.to_string(),
            (None, Some(month), Some(day)) => words.day_of_month.fill(&[("month", month), ("day", day)]),
            (None, Some(month), None) => month.to_string(),
            (None, None, day) => words.day.fill(&[("day", day.unwrap_or_default())]),
        }
    }

    fn year(&self, year: i32) -> String {
        match year {
            y if y < 0 => self.phrases.dates.before_christ.fill(&[("year", &(-y).to_string())]),
            y => y.to_string(),
        }
    }

    /// Joins items: "A, B and C", with `last` before the last one.
    pub(super) fn list(&self, items: &[String], last: &str) -> String {
        match items {
            [] => String::new(),
            [only] => only.clone(),
            [before @ .., end] => format!("{}{last}{end}", before.join(&self.phrases.lists.comma)),
        }
    }
}

/// Puts a text on one line and cuts it if it is too long for a sentence.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        // Enough for LONGEST characters of up to four bytes each: the rest of a huge cell is not copied.
        if line.len() > 4 * LONGEST {
            break;
        }
    }
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}
