//! Links to conditions: words that say what one column has to be. The header of a column of yes and no stands for yes
//! ("which are organic"), its opposite for no; months, weekdays, short years and quarters are said in other ways than
//! tables write them.

use super::columns::Said;
use super::{ColumnKind, ColumnLink, ConditionLink, Link, Vocabulary};
use crate::graph::{ColumnId, Graph, Reading};
use crate::text::{Tag, Token};
use crate::value::{Date, EntityId, Value};
use crate::words::Words;
use std::ops::Range;

/// Number of cells by which a column is judged.
const SAMPLE: usize = 500;

/// First letters of the weekdays.
const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// Finds the conditions that words name.
pub(super) fn condition_links(
    said: &[Said],
    tokens: &[Token],
    columns: &[ColumnLink],
    values: &[Link],
    graph: &Graph,
    vocabulary: &Vocabulary,
    words: &Words,
) -> Vec<ConditionLink> {
    let scene = Scene { said, tokens, graph, vocabulary, words };
    let mut links: Vec<ConditionLink> = columns.iter().filter_map(|link| scene.flag(link)).collect();
    let is_header = |at: usize| columns.iter().any(|l| l.kind == ColumnKind::Header && l.tokens.contains(&at));
    let opposites = graph.column_ids().flat_map(|column| scene.opposites(column));
    links.extend(opposites.filter(|link| !is_header(link.tokens.start)));
    links.extend(scene.months());
    links.extend(scene.weekdays());
    links.extend(scene.short_years());
    links.extend(scene.quarters());
    links.extend(values.iter().filter_map(|link| scene.split_date(link)));
    links
}

/// A question and its table.
struct Scene<'a> {
    said: &'a [Said<'a>],
    tokens: &'a [Token],
    graph: &'a Graph,
    vocabulary: &'a Vocabulary,
    words: &'a Words,
}

impl Scene<'_> {
    /// Yes, in a column of yes and no that is named.
    fn flag(&self, link: &ColumnLink) -> Option<ConditionLink> {
        let flag = self.vocabulary.flag(link.column)?;
        let asks = self.tokens[link.tokens.clone()].iter().any(|token| token.tag.is_wh());
        (!asks).then_some(ConditionLink {
            tokens: link.tokens.clone(),
            column: link.column,
            reading: None,
            value: Value::Entity(flag.yes),
            also: Vec::new(),
            kind: link.kind,
        })
    }

    /// No, in a column of yes and no whose opposite is named.
    fn opposites(&self, column: ColumnId) -> Vec<ConditionLink> {
        let header = self.vocabulary.header_words(column);
        let mut content = header.content();
        let (Some(flag), Some(word), None) = (self.vocabulary.flag(column), content.next(), content.next()) else {
            return Vec::new();
        };
        let is_opposite = |at: &usize| self.said[*at].is_opposite(word);
        let link = |at: usize| ConditionLink {
            tokens: at..at + 1,
            column,
            reading: None,
            value: Value::Entity(flag.no),
            also: Vec::new(),
            kind: ColumnKind::Kin,
        };
        (0..self.said.len()).filter(is_opposite).map(link).collect()
    }

    /// Columns whose header has a word or an abbreviation of it.
    fn columns_of<'s>(&'s self, word: &'s str) -> impl Iterator<Item = ColumnId> + 's {
        let is_of = move |column: &ColumnId| {
            let header = self.vocabulary.header_words(*column);
            header.words.iter().any(|own| own.lemma == word || own.longs.iter().any(|long| long == word))
        };
        self.graph.column_ids().filter(is_of)
    }

    /// Tells if the first cells of a column are whole numbers in a range, apart from cells without a number.
    fn is_within(&self, column: ColumnId, range: std::ops::RangeInclusive<f64>) -> bool {
        let cells = &self.graph.column(column).cells;
        let numbers = cells.iter().take(SAMPLE).filter_map(|cell| match self.graph.read(*cell, Reading::Number) {
            Some(Value::Number(n)) => Some(n),
            _ => None,
        });
        let mut count = 0;
        let fits = numbers.inspect(|_| count += 1).all(|n| n.fract() == 0.0 && range.contains(&n));
        fits && count > 0
    }

    fn link(&self, tokens: Range<usize>, column: ColumnId, number: f64) -> ConditionLink {
        let (reading, value) = (Some(Reading::Number), Value::Number(number));
        ConditionLink { tokens, column, reading, value, also: Vec::new(), kind: ColumnKind::Header }
    }

    /// Months by name, in a column of their numbers or of other names.
    fn months(&self) -> Vec<ConditionLink> {
        let month = |at: usize| {
            let token = &self.tokens[at];
            self.words.month(&token.text).filter(|_| token.tag != Tag::Md && token.tag != Tag::Aux)
        };
        let named: Vec<(usize, u8)> = (0..self.said.len()).filter_map(|at| Some((at, month(at)?))).collect();
        let mut links = Vec::new();
        for column in self.columns_of("month").filter(|_| !named.is_empty()) {
            if self.is_within(column, 1.0..=12.0) {
                links.extend(named.iter().map(|(at, month)| self.link(*at..at + 1, column, f64::from(*month))));
            } else {
                links.extend(named.iter().filter_map(|(at, month)| {
                    self.same_name(*at, column, |name| self.words.month(name) == Some(*month))
                }));
            }
        }
        links
    }

    /// Weekdays by another name than that of the table.
    fn weekdays(&self) -> Vec<ConditionLink> {
        let is_weekday = |text: &str| self.words.meaning(text).is_some_and(|meaning| meaning.weekday);
        let is_named = |said: &Said| is_weekday(said.text) || said.lemmas.iter().any(|lemma| is_weekday(lemma));
        let named: Vec<usize> = (0..self.said.len()).filter(|at| is_named(&self.said[*at])).collect();
        let columns = ["day", "weekday", "dow", "wday"].into_iter().flat_map(|word| self.columns_of(word));
        let mut links = Vec::new();
        for column in columns.filter(|_| !named.is_empty()) {
            links.extend(self.weekday_numbers(column, &named));
            links.extend(named.iter().filter_map(|at| {
                let day = self.said[*at].text.get(..3)?;
                self.same_name(*at, column, |name| {
                    is_weekday(name) && name.get(..3).is_some_and(|own| own.eq_ignore_ascii_case(day))
                })
            }));
        }
        links
    }

    /// The first entity of a column whose name means the same as a token but is spelled otherwise.
    fn same_name(&self, at: usize, column: ColumnId, is_same: impl Fn(&str) -> bool) -> Option<ConditionLink> {
        let cells = self.graph.column(column).cells.iter().take(SAMPLE);
        let entity = cells.copied().find(|cell| is_same(self.graph.name(*cell).trim_end_matches('.')))?;
        let is_spelled = self.graph.name(entity).eq_ignore_ascii_case(self.said[at].text);
        (!is_spelled).then_some(ConditionLink {
            tokens: at..at + 1,
            column,
            reading: None,
            value: Value::Entity(entity),
            also: Vec::new(),
            kind: ColumnKind::Kin,
        })
    }

    /// Years of four digits, in a column of years of two digits.
    fn short_years(&self) -> Vec<ConditionLink> {
        let named: Vec<(usize, i32)> =
            (0..self.said.len()).filter_map(|at| Some((at, year(self.said[at].text)?))).collect();
        let columns = self.columns_of("year").filter(|column| !named.is_empty() && self.is_within(*column, 0.0..=99.0));
        let mut links = Vec::new();
        for column in columns {
            let cells = &self.graph.column(column).cells;
            let has =
                |n: f64| cells.iter().any(|cell| self.graph.read(*cell, Reading::Number) == Some(Value::Number(n)));
            let short = named.iter().map(|(at, year)| (*at, f64::from(year % 100))).filter(|(_, year)| has(*year));
            links.extend(short.map(|(at, year)| self.link(at..at + 1, column, year)));
        }
        links
    }

    /// A date with its month, in a table that has the month in one column and the day or the year in others.
    fn split_date(&self, link: &Link) -> Option<ConditionLink> {
        let Value::Date(date) = link.value else { return None };
        let month = date.month()?;
        let months = self.month_numbers()?;
        let mut also = Vec::new();
        if let Some(day) = date.day() {
            also.push((self.day_numbers()?, Value::Number(f64::from(day))));
        }
        if let Some(year) = date.year() {
            also.push((self.year_numbers()?, Value::Number(f64::from(year))));
        }
        (!also.is_empty()).then(|| ConditionLink { also, ..self.link(link.tokens.clone(), months, f64::from(month)) })
    }

    /// The column of the numbers of months.
    fn month_numbers(&self) -> Option<ColumnId> {
        self.columns_of("month").find(|column| self.is_within(*column, 1.0..=12.0))
    }

    /// The column of the numbers of days in a month.
    fn day_numbers(&self) -> Option<ColumnId> {
        let columns = ["day", "date", "dom", "mday"].into_iter().flat_map(|word| self.columns_of(word));
        let mut columns = columns.filter(|column| !self.is_of_week(*column) && Some(*column) != self.month_numbers());
        columns.find(|column| self.is_within(*column, 1.0..=31.0))
    }

    /// The column of years of four digits.
    fn year_numbers(&self) -> Option<ColumnId> {
        self.columns_of("year").find(|column| self.is_within(*column, 1000.0..=2999.0))
    }

    fn is_of_week(&self, column: ColumnId) -> bool {
        let words = &self.vocabulary.header_words(column).words;
        words.iter().any(|word| ["week", "weekday", "dow", "wday"].contains(&word.text.as_str()))
    }

    /// Number of Mondays in a column of the numbers of weekdays, by the dates in its rows: 1 in some tables, 2 or 0 in others. The
    /// rows have to agree.
    fn number_of_monday(&self, column: ColumnId) -> Option<i64> {
        let [years, months, days] = [self.year_numbers()?, self.month_numbers()?, self.day_numbers()?];
        let number = |column: ColumnId, row: usize| match self.graph.column(column).cells.get(row).copied() {
            Some(cell) => match self.graph.read(cell, Reading::Number) {
                Some(Value::Number(n)) => Some(n as i64),
                _ => None,
            },
            None => None,
        };
        let monday = |row: usize| {
            let [year, month, day] = [years, months, days].map(|column| number(column, row));
            let date = Date::new(Some(year? as i32), Some(month? as u8), Some(day? as u8))?;
            // Weekdays count from 1 for Monday.
            Some((number(column, row)? - i64::from(date.weekday()?) + 1).rem_euclid(7))
        };
        let mut rows = (0..self.graph.row_count().min(SAMPLE)).filter_map(monday);
        let first = rows.next()?;
        rows.all(|other| other == first).then_some(first)
    }

    /// Weekdays by name, in a column of their numbers.
    fn weekday_numbers(&self, column: ColumnId, named: &[usize]) -> Vec<ConditionLink> {
        let is_of_numbers = self.is_of_week(column) && self.is_within(column, 0.0..=7.0);
        let Some(monday) = is_of_numbers.then(|| self.number_of_monday(column)).flatten() else { return Vec::new() };
        let cells = || self.graph.column(column).cells.iter();
        let is_there =
            |n: i64| cells().any(|cell| self.graph.read(*cell, Reading::Number) == Some(Value::Number(n as f64)));
        let link = |at: &usize| {
            let weekday = WEEKDAYS.iter().position(|day| self.said[*at].text.starts_with(day))? as i64;
            let number = (monday + weekday).rem_euclid(7);
            // Sunday is 7 where no day is 0.
            let number = if number == 0 && !is_there(0) { 7 } else { number };
            Some(self.link(*at..at + 1, column, number as f64))
        };
        named.iter().filter_map(link).collect()
    }

    /// Quarters of a year, in a column of names such as `Q42010`, or quarters in a column of their numbers.
    fn quarters(&self) -> Vec<ConditionLink> {
        let said = (0..self.said.len()).filter_map(|at| self.quarter(at));
        let named: Vec<(Range<usize>, u8, Option<i32>)> = said.collect();
        let mut links = Vec::new();
        for column in self.graph.column_ids().filter(|_| !named.is_empty()) {
            let cells = || self.graph.column(column).cells.iter().copied();
            let Some(first) = cells().next().and_then(|cell| read_quarter(self.graph.name(cell))) else {
                links.extend(self.quarter_numbers(column, &named));
                continue;
            };
            for (tokens, quarter, year) in named.iter().filter(|(_, _, year)| year.is_some() == first.1.is_some()) {
                let is_it = |cell: &EntityId| read_quarter(self.graph.name(*cell)) == Some((*quarter, *year));
                let is_spelled = |cell: &EntityId| {
                    let text: String = self.said[tokens.clone()].iter().map(|said| said.text).collect();
                    self.graph.name(*cell).eq_ignore_ascii_case(&text)
                };
                links.extend(cells().find(is_it).filter(|cell| !is_spelled(cell)).map(|cell| ConditionLink {
                    tokens: tokens.clone(),
                    column,
                    reading: None,
                    value: Value::Entity(cell),
                    also: Vec::new(),
                    kind: ColumnKind::Kin,
                }));
            }
        }
        links
    }

    /// Quarters in a column of their numbers.
    fn quarter_numbers(&self, column: ColumnId, named: &[(Range<usize>, u8, Option<i32>)]) -> Vec<ConditionLink> {
        let is_of = self.columns_of("quarter").any(|of| of == column) && self.is_within(column, 1.0..=4.0);
        let links = named.iter().filter(|_| is_of);
        links.map(|(tokens, quarter, _)| self.link(tokens.clone(), column, f64::from(*quarter))).collect()
    }

    /// A quarter that begins at a token: "Q4 2010", "third quarter of 2011", "2010 Q4".
    fn quarter(&self, at: usize) -> Option<(Range<usize>, u8, Option<i32>)> {
        let text = |at: usize| self.said.get(at).map_or("", |said| said.text);
        if let Some(year) = year(text(at)) {
            let (quarter, end) = self.quarter_alone(at + 1)?;
            return Some((at..end, quarter, Some(year)));
        }
        let (quarter, mut end) = self.quarter_alone(at)?;
        if at > 0 && year(text(at - 1)).is_some() {
            return None;
        }
        while matches!(text(end), "of" | "in" | "," | "-") {
            end += 1;
        }
        match year(text(end)) {
            Some(year) => Some((at..end + 1, quarter, Some(year))),
            None => self.quarter_alone(at).map(|(quarter, end)| (at..end, quarter, None)),
        }
    }

    /// A quarter without its year, and the token after it.
    fn quarter_alone(&self, at: usize) -> Option<(u8, usize)> {
        let text = self.said.get(at)?.text;
        if let [b'q', digit @ b'1'..=b'4'] = text.as_bytes() {
            return Some((digit - b'0', at + 1));
        }
        let ordinal = self.words.ordinal(text).or_else(|| {
            let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            digits.parse().ok().filter(|_| digits.len() < text.len())
        });
        let is_quarter = self.said.get(at + 1).is_some_and(|next| next.lemmas.iter().any(|lemma| lemma == "quarter"));
        let quarter = ordinal.filter(|n| is_quarter && (1.0..=4.0).contains(n))?;
        Some((quarter as u8, at + 2))
    }
}

/// A year of four digits.
fn year(text: &str) -> Option<i32> {
    let is_year = text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|_| is_year)
}

/// Reads the name of a quarter: `Q42010`, `2010-Q4`, `Q4`, `4Q10`.
fn read_quarter(name: &str) -> Option<(u8, Option<i32>)> {
    if name.len() > 10 {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    let (before, after) = lower.split_once('q')?;
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let is_plain = lower.chars().all(|c| c.is_ascii_digit() || matches!(c, 'q' | ' ' | '-' | '/' | '.' | '_'));
    let quarter = |text: &str| text.parse().ok().filter(|n| (1..=4).contains(n));
    let after = after.trim_start_matches([' ', '-']);
    let found = match (digits(before), after) {
        (year, after) if year.len() == 4 => (quarter(&digits(after))?, year.parse().ok()),
        (own, after) if own.len() == 1 => (quarter(&own)?, year(&digits(after))),
        _ => (quarter(after.get(..1)?)?, year(&digits(&after[1..]))),
    };
    is_plain.then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_are_read() {
        for (name, expected) in [
            ("Q42010", Some((4, Some(2010)))),
            ("2010-Q4", Some((4, Some(2010)))),
            ("2010 q1", Some((1, Some(2010)))),
            ("Q1 2012", Some((1, Some(2012)))),
            ("Q3", Some((3, None))),
            ("2Q2009", Some((2, Some(2009)))),
            ("Q5", None),
            ("Iraq", None),
            ("", None),
        ] {
            assert_eq!(read_quarter(name), expected, "{name}");
        }
    }
}
