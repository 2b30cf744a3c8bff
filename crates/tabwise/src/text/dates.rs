//! Dates in text: `May 2010`, `12 June`, ISO, numeric dates in US and European order, year ranges and day ranges. A
//! text is split into lexemes (numbers, months, dashes, ...), which are read from left to right; parts of a date that
//! are not given stay unknown. Functions of the form `(lexemes, position) -> Option<(parts, end)>` read one pattern
//! each.

use super::lexemes::Lexeme::{self, *};
use super::lexemes::{Lexemes, MOST_LEXEMES, next_lexeme};
use crate::value::Date;
use crate::words::Words;

/// Range in which four digits alone are a year.
pub(super) const PLAUSIBLE_YEARS: std::ops::RangeInclusive<u32> = 1000..=2100;
/// Two-digit years below this are in the 2000s.
const PIVOT: u32 = 30;

/// Returns the dates that a cell names: one, or the two ends of a range, or the first two of a list.
pub(crate) fn read_dates(text: &str, words: &Words) -> Option<(Date, Option<Date>)> {
    let lexemes = Lexemes::cut(text, words);
    let all = lexemes.all();
    let start = skip_preface(all, 0);
    if let Some((first, second)) = dates_from(all, start) {
        return Some((first.date()?, second.and_then(Parts::date)));
    }
    // Inside other text only full dates count: "2010 FIFA World Cup" is not a date.
    (start + 1..all.len()).find_map(|at| full_date_inside(all, at)).map(|date| (date, None))
}

/// Reads a text that is a date and nothing else.
pub(crate) fn whole_date(text: &str, words: &Words) -> Option<Date> {
    let lexemes = Lexemes::cut(text, words);
    let (parts, end) = date_at(lexemes.all(), 0)?;
    if end == lexemes.all().len() && end < MOST_LEXEMES { parts.date() } else { None }
}

/// Reads dates that span tokens of a question. Each token is one lexeme; a token of several lexemes is a word.
pub(crate) struct TokenDates {
    lexemes: Vec<Lexeme>,
}

impl TokenDates {
    /// Makes a lexeme of each token.
    pub(super) fn new<'a>(tokens: impl Iterator<Item = &'a str>, words: &Words) -> TokenDates {
        let lexeme = |token: &'a str| match next_lexeme(token, 0, words) {
            // A token may keep its full stop: "sept.".
            (Some(lexeme), end) if end == token.len() || (end + 1 == token.len() && token.ends_with('.')) => lexeme,
            _ => Word,
        };
        let lexeme = |token: &'a str| if token.is_empty() { Word } else { lexeme(token) };
        TokenDates { lexemes: tokens.map(lexeme).collect() }
    }

    /// Returns the date that starts at a token, and the position after it.
    pub(super) fn date_at(&self, at: usize) -> Option<(Date, usize)> {
        let (parts, end) = date_at(&self.lexemes, at)?;
        Some((parts.date()?, end))
    }

    /// Returns the lexeme of a token.
    pub(super) fn lexeme(&self, at: usize) -> Lexeme {
        self.lexemes[at]
    }
}

/// The known parts of a date while it is read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Parts {
    year: Option<i32>,
    month: Option<u8>,
    day: Option<u8>,
}

impl Parts {
    fn date(self) -> Option<Date> {
        Date::new(self.year, self.month, self.day)
    }

    fn of(year: Option<u32>, month: Option<u8>, day: Option<u32>) -> Parts {
        Parts { year: year.map(|y| y as i32), month, day: day.map(|d| d as u8) }
    }

    fn is_full(self) -> bool {
        self.year.is_some() && self.month.is_some() && self.day.is_some()
    }

    fn is_year(self) -> bool {
        self.year.is_some() && self.month.is_none()
    }
}

/// Returns the dates that start at `at`, unless the text after them makes them something else ("2010 FIFA World Cup").
fn dates_from(all: &[Lexeme], at: usize) -> Option<(Parts, Option<Parts>)> {
    let (first, second, end) = match days_before_month(all, at) {
        Some((first, second, end)) => (first, Some(second), end),
        None => {
            let (first, next) = date_at(all, at)?;
            second_date(all, first, next)
        }
    };
    let fits = first.is_full()
        || ends(all, end)
        || (second.is_none() && first.month.is_some() && all.get(end) == Some(&Break));
    fits.then_some((first, second))
}

/// True if the text ends here, or goes on with a note in parentheses, an open end or a line break.
fn ends(all: &[Lexeme], at: usize) -> bool {
    let at = if matches!(all.get(at), Some(Dot | Comma | Break)) { at + 1 } else { at };
    match all.get(at) {
        None | Some(Open | OpenEnd) => true,
        Some(Hyphen | Dash | RangeWord) => matches!(all.get(at + 1), None | Some(OpenEnd | Open)),
        Some(Other) => at + 1 == all.len() && at > 0 && !matches!(all[at - 1], Dot | Comma | Break),
        _ => false,
    }
}

/// Returns the position after one or two weekdays or approximations and their full stops.
fn skip_preface(all: &[Lexeme], mut at: usize) -> usize {
    for _ in 0..2 {
        if let Some(Weekday | Approximation) = all.get(at) {
            at = skip(all, at + 1, |l| l == Dot);
            at = skip(all, at, |l| l == Comma);
        }
    }
    at
}

/// Reads a date with day, month and year somewhere in a text.
fn full_date_inside(all: &[Lexeme], at: usize) -> Option<Date> {
    let starts = matches!(all[at], Month(_)) || matches!(all[at..], [Number(..) | Ordinal(_), Month(_), ..]);
    let (parts, _) = if starts { date_at(all, at)? } else { return None };
    if parts.is_full() { parts.date() } else { None }
}

/// Reads one date at `at`; returns its parts and the position after it.
fn date_at(all: &[Lexeme], at: usize) -> Option<(Parts, usize)> {
    let at = skip_preface(all, at);
    match *all.get(at)? {
        Month(month) => Some(after_month(all, at + 1, month)),
        Number(year, 4) => Some(after_year(all, at + 1, year))
            .filter(|(parts, end)| parts.month.is_some() || PLAUSIBLE_YEARS.contains(&year) || *end > at + 1),
        Number(number, 1..=2) => {
            numeric_date(all, at).or_else(|| after_day(all, at + 1, number)).or_else(|| era_after(all, at + 1, number))
        }
        Number(year, _) => era_after(all, at + 1, year),
        Ordinal(day) => after_day(all, at + 1, day),
        Apostrophe => match all.get(at + 1..)? {
            [Number(year, 2), ..] => Some((Parts::of(Some(full_year(*year)), None, None), at + 2)),
            _ => None,
        },
        _ => None,
    }
    .filter(|(parts, _)| parts.date().is_some())
}

/// Reads the rest of `June 12, 2010`, `June 12`, `June 2010`, `June`.
fn after_month(all: &[Lexeme], at: usize, month: u8) -> (Parts, usize) {
    let at = skip(all, at, |l| matches!(l, Dot));
    let at = skip(all, at, |l| matches!(l, Hyphen | Slash | Comma | Filler) && followed_by_number(all, at));
    match all.get(at) {
        Some(&(Number(day @ 1..=31, 1..=2) | Ordinal(day @ 1..=31))) => {
            let (year, end) = year_after(all, at + 1);
            (Parts::of(year, Some(month), Some(day)), end)
        }
        _ => match year_after(all, at) {
            (Some(year), end) => (Parts::of(Some(year), Some(month), None), end),
            (None, _) => (Parts::of(None, Some(month), None), at),
        },
    }
}

/// Reads the rest of `12 June 2010`, `12th of June`, `12-Jun-98`.
fn after_day(all: &[Lexeme], at: usize, day: u32) -> Option<(Parts, usize)> {
    let at = skip(all, at, |l| matches!(l, Dot | Hyphen | Slash | Filler | Comma));
    let Some(&Month(month)) = all.get(at) else { return None };
    let day = (1..=31).contains(&day).then_some(day)?;
    let at = skip(all, at + 1, |l| matches!(l, Dot));
    let joined = matches!(all.get(at), Some(Hyphen | Slash)) && matches!(all.get(at + 1), Some(Number(_, 2 | 4)));
    match all.get(at + 1) {
        Some(&Number(year, 2)) if joined => Some((Parts::of(Some(full_year(year)), Some(month), Some(day)), at + 2)),
        _ => {
            let (year, end) = year_after(all, at + usize::from(joined));
            Some((Parts::of(year, Some(month), Some(day)), end))
        }
    }
}

/// Reads the rest of `2010-06-12`, `2010/6/12`, `2010, June 12`, `2010 June`, `2010-05`, `2010`.
fn after_year(all: &[Lexeme], at: usize, year: u32) -> (Parts, usize) {
    match all.get(at..) {
        Some([a, Number(month @ 1..=12, 1..=2), b, Number(day @ 1..=31, 1..=2), ..]) if a == b && joins(*a) => {
            (Parts::of(Some(year), Some(*month as u8), Some(*day)), at + 4)
        }
        // `2010-05` is a month, but `2003-04` is a season.
        Some([Hyphen, Number(month @ 1..=12, 2), ..]) if !is_season(year, *month) && ends(all, at + 2) => {
            (Parts::of(Some(year), Some(*month as u8), None), at + 2)
        }
        Some([Month(month), rest @ ..] | [Comma | Hyphen | Dot, Month(month), rest @ ..]) => {
            let end = all.len() - rest.len();
            match rest {
                [Number(day @ 1..=31, 1..=2) | Ordinal(day @ 1..=31), ..]
                | [Hyphen | Dot, Number(day @ 1..=31, 1..=2) | Ordinal(day @ 1..=31), ..] => {
                    let used = 1 + usize::from(matches!(rest[0], Hyphen | Dot));
                    (Parts::of(Some(year), Some(*month), Some(*day)), end + used)
                }
                _ => (Parts::of(Some(year), Some(*month), None), end),
            }
        }
        _ => era_after(all, at, year).unwrap_or((Parts::of(Some(year), None, None), at)),
    }
}

/// Reads `06/10/1996`, `6-10-1996`, `24.03.1984`: month first, unless that is impossible or dots are used.
fn numeric_date(all: &[Lexeme], at: usize) -> Option<(Parts, usize)> {
    let Some(&[Number(a, 1..=2), s, Number(b, 1..=2), t, Number(year, digits), ..]) = all.get(at..) else {
        return None;
    };
    // Scores also look like "23-0-0", so a two-digit year needs slashes, or dots and a year other than 0.
    let short = digits == 2 && s != Hyphen && year != 0 || digits == 2 && s == Slash;
    if s != t || !joins(s) || !(digits == 4 || short) {
        return None;
    }
    let year = if digits == 4 { year } else { full_year(year) };
    let (month, day) = if a > 12 || (s == Dot && b <= 12) { (b, a) } else { (a, b) };
    let parts = Parts::of(Some(year), Some(month as u8), Some(day));
    parts.date().map(|_| (parts, at + 5))
}

/// Reads both ends of `24–28 Feb 2010`.
fn days_before_month(all: &[Lexeme], at: usize) -> Option<(Parts, Parts, usize)> {
    let day = |l: &Lexeme| match *l {
        Number(day @ 1..=31, 1..=2) | Ordinal(day @ 1..=31) => Some(day),
        _ => None,
    };
    let [first, Hyphen | Dash | RangeWord | Slash, last, Month(_), ..] = all.get(at..)? else { return None };
    let (first, last) = (day(first)?, day(last)?);
    let (end, next) = after_day(all, at + 3, last)?;
    Some((Parts { day: Some(first as u8), ..end }, end, next))
}

/// Reads the other end of a range, or the next date of a list, after a first date.
fn second_date(all: &[Lexeme], first: Parts, at: usize) -> (Parts, Option<Parts>, usize) {
    match all.get(at) {
        Some(Hyphen | Dash | RangeWord | Slash) => range_end(all, first, at + 1).unwrap_or((first, None, at)),
        Some(Comma | Break | Other | Word) => match date_at(all, after_separator(all, at)) {
            Some((second, end)) if second.is_year() == first.is_year() => (first, Some(second), end_of_list(all, end)),
            _ => (first, None, at),
        },
        _ => (first, None, at),
    }
}

/// Returns the position after the separator of two dates of a list: a comma, a break, both, or one word ("and").
fn after_separator(all: &[Lexeme], at: usize) -> usize {
    at + 1 + usize::from(matches!(all.get(at..), Some([Comma, Break | Word, ..])))
}

/// Returns the position after the last date of a list.
fn end_of_list(all: &[Lexeme], mut at: usize) -> usize {
    while let Some(Comma | Break | Other | Word) = all.get(at) {
        match date_at(all, after_separator(all, at)) {
            Some((_, end)) => at = end,
            None => break,
        }
    }
    at
}

/// Reads the end of a range. The start takes its year from the end if it has none: "May 5 – June 6, 2010".
fn range_end(all: &[Lexeme], first: Parts, at: usize) -> Option<(Parts, Option<Parts>, usize)> {
    if let Some((second, end)) = short_end(all, first, at).or_else(|| date_at(all, at)) {
        let year = first.year.or(second.year);
        let first = Parts { year, ..first };
        let ordered = first.date()?.earliest() <= second.date()?.latest();
        let comparable = first.is_year() == second.is_year() || first.month.is_some();
        return (ordered && comparable).then_some((first, Some(second), end));
    }
    None
}

/// Reads an end of a range that omits the parts it shares with the start: `1871–97`, `July 9–11, 2010`.
fn short_end(all: &[Lexeme], first: Parts, at: usize) -> Option<(Parts, usize)> {
    let (number, digits) = match *all.get(at)? {
        Number(n, digits @ 1..=2) => (n, digits),
        Ordinal(n) => (n, 1),
        _ => return None,
    };
    if matches!(all.get(at + 1), Some(Month(_))) {
        return None;
    }
    if first.is_year() && digits == 2 {
        let year = later_year(first.year? as u32, number)?;
        return Some((Parts::of(Some(year), None, None), at + 1));
    }
    let day = (first.day.is_some() && first.year.is_none() && (1..=31).contains(&number)).then_some(number)?;
    let (year, end) = year_after(all, at + 1);
    Some((Parts::of(year, first.month, Some(day)), end))
}

/// Returns the year that two digits mean after an earlier year: 97 after 1871 is 1897, 00 after 1999 is 2000.
pub(crate) fn later_year(start: u32, two_digits: u32) -> Option<u32> {
    let year = start - start % 100 + two_digits;
    let year = if start % 100 == 99 && two_digits == 0 { year + 100 } else { year };
    (PLAUSIBLE_YEARS.contains(&start) && year > start).then_some(year)
}

/// True if `2003-04` is the season that starts in 2003 rather than April 2003.
pub(crate) fn is_season(year: u32, two_digits: u32) -> bool {
    (year + 1) % 100 == two_digits
}

fn full_year(two_digits: u32) -> u32 {
    if two_digits < PIVOT { 2000 + two_digits } else { 1900 + two_digits }
}

/// Reads a year after a month or a day, with the comma, full stop or "of" before it.
fn year_after(all: &[Lexeme], at: usize) -> (Option<u32>, usize) {
    let next = skip(all, at, |l| matches!(l, Comma | Dot | Filler));
    match all.get(next..) {
        Some([Number(year, 4), ..]) => (Some(*year), next + 1),
        Some([Number(year, 3), ..]) if next > at => (Some(*year), next + 1),
        Some([Apostrophe, Number(year, 2), ..]) => (Some(full_year(*year)), next + 2),
        _ => (None, at),
    }
}

/// Reads the rest of `44 BC`, `800 AD`.
fn era_after(all: &[Lexeme], at: usize, year: u32) -> Option<(Parts, usize)> {
    let Some(&Era(era)) = all.get(at) else { return None };
    Some((Parts { year: Some(year as i32 * era), ..Parts::default() }, at + 1))
}

fn joins(lexeme: Lexeme) -> bool {
    matches!(lexeme, Hyphen | Slash | Dot)
}

fn followed_by_number(all: &[Lexeme], at: usize) -> bool {
    matches!(all.get(at + 1), Some(Number(..) | Ordinal(_)))
}

/// Returns the position after the lexeme at `at` if it fits, else `at`.
fn skip(all: &[Lexeme], at: usize, fits: impl Fn(Lexeme) -> bool) -> usize {
    at + usize::from(all.get(at).is_some_and(|l| fits(*l)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dates(text: &str) -> String {
        match read_dates(text, &Words::embedded()) {
            None => "none".to_owned(),
            Some((first, None)) => first.to_string(),
            Some((first, Some(second))) => format!("{first} {second}"),
        }
    }

    #[test]
    fn one_date() {
        for (text, expected) in [
            ("May 2010", "2010-05-XX"),
            ("12 June", "XXXX-06-12"),
            ("June 12, 2010", "2010-06-12"),
            ("2010-06-12", "2010-06-12"),
            ("06/10/1996", "1996-06-10"),
            ("17/7/2012", "2012-07-17"),
            ("24.03.1984", "1984-03-24"),
            ("09/08/00", "2000-09-08"),
            ("c. 1850", "1850-XX-XX"),
            ("Sunday, May 26", "XXXX-05-26"),
            ("1977, June 28", "1977-06-28"),
            ("June", "XXXX-06-XX"),
            ("Feb. 9", "XXXX-02-09"),
            ("April 24, 1977 (age 37)", "1977-04-24"),
            ("elected July 13, 1874", "1874-07-13"),
            ("1958-present", "1958-XX-XX"),
            ("2010-05", "2010-05-XX"),
            ("44 BC", "-0044-XX-XX"),
            ("12-Jun-98", "1998-06-12"),
            ("1972*", "1972-XX-XX"),
        ] {
            assert_eq!(dates(text), expected, "{text}");
        }
    }

    #[test]
    fn two_dates() {
        for (text, expected) in [
            ("1984–1998", "1984-XX-XX 1998-XX-XX"),
            ("1871–97", "1871-XX-XX 1897-XX-XX"),
            ("1999/00", "1999-XX-XX 2000-XX-XX"),
            ("2003-04", "2003-XX-XX 2004-XX-XX"),
            ("24–28 Feb", "XXXX-02-24 XXXX-02-28"),
            ("August 11–14, 2011", "2011-08-11 2011-08-14"),
            ("2 March 1950 – 26 October 1951", "1950-03-02 1951-10-26"),
            ("May 5 – June 6, 2010", "2010-05-05 2010-06-06"),
            ("1936, 1937, 1940", "1936-XX-XX 1937-XX-XX"),
            ("May–June 2010", "2010-05-XX 2010-06-XX"),
        ] {
            assert_eq!(dates(text), expected, "{text}");
        }
    }

    #[test]
    fn no_date() {
        for text in
            ["8000", "3–1", "23-0-0", "19/25/97", "2010 FIFA World Cup", "May 68", "31", "12:30", "", "Mark 3", "1990s"]
        {
            assert_eq!(dates(text), "none", "{text}");
        }
    }
}
