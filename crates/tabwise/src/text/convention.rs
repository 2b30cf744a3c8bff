//! [`Convention`]: the way in which numbers and dates of a column are written, where a single text may be read in two
//! ways. `1,234` is a thousand or a bit more than one, `02/01/2020` is in February or in January, `1500` is a number or
//! a year; other texts of the column decide, or else those of the other columns.

use super::dates::PLAUSIBLE_YEARS;

/// Writing of numbers and dates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Convention {
    /// Sign before decimals.
    pub decimals: Decimals,
    /// Order of day and month between slashes or hyphens.
    pub order: DayMonth,
    /// Meaning of four digits.
    pub digits: FourDigits,
    /// Meaning of numbers with a colon between them.
    pub colons: Colons,
}

/// Sign before decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decimals {
    /// `1,234.5`
    #[default]
    Point,
    /// `1.234,5`
    Comma,
}

/// Order of day and month.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DayMonth {
    /// `12/31/2020`
    #[default]
    MonthFirst,
    /// `31/12/2020`
    DayFirst,
}

/// Meaning of four digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FourDigits {
    /// A year, or a number.
    #[default]
    Year,
    /// Nothing but a number, like the other numbers of the column.
    Number,
}

/// Meaning of numbers with a colon between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colons {
    /// A length of time: `3:45` is 3 minutes and 45 seconds.
    #[default]
    Length,
    /// A time of day: `3:45` is a quarter to four.
    TimeOfDay,
}

/// Number of texts that speak for each way of writing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evidence {
    point: usize,
    comma: usize,
    either_number: usize,
    month_first: usize,
    day_first: usize,
    either_date: usize,
    years: usize,
    numbers: usize,
}

impl Evidence {
    /// Takes a text into account.
    pub fn add(&mut self, text: &str) {
        if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
            self.numbers += 1;
            self.years += usize::from(is_year(text));
            return;
        }
        let decimals = decimals(text);
        self.numbers += usize::from(decimals.is_some());
        match decimals {
            Some(Sure(Decimals::Point)) => self.point += 1,
            Some(Sure(Decimals::Comma)) => self.comma += 1,
            Some(Either) => self.either_number += 1,
            None => {}
        }
        match numeric_date(text).and_then(|date| date.order(text)) {
            Some(Sure(DayMonth::MonthFirst)) => self.month_first += 1,
            Some(Sure(DayMonth::DayFirst)) => self.day_first += 1,
            Some(Either) => self.either_date += 1,
            None => {}
        }
    }

    /// Returns the convention of a column, given the evidence of all columns of the table.
    pub fn convention(&self, table: &Evidence) -> Convention {
        let own = self.point + self.comma > 0;
        let (numbers, share) = if own { (self, 10) } else { (table, 2) };
        let dates = if self.is_decided() { self } else { table };
        // A comma among many thousands is a slip; other columns have to be surer.
        let comma = numbers.comma * share >= numbers.comma + numbers.either_number && numbers.comma > 0;
        Convention {
            decimals: if comma && numbers.point == 0 { Decimals::Comma } else { Decimals::Point },
            order: if dates.day_first > dates.month_first { DayMonth::DayFirst } else { DayMonth::MonthFirst },
            digits: if self.years * 10 < self.numbers * 9 { FourDigits::Number } else { FourDigits::Year },
            colons: Colons::default(),
        }
    }

    /// True if some number has a separator, which the convention decides on.
    pub fn has_separators(&self) -> bool {
        self.point + self.comma + self.either_number > 0
    }

    /// True if nothing tells day from month, neither in the column nor in the table.
    pub fn is_open(&self, table: &Evidence) -> bool {
        self.either_date > 0 && !self.is_decided() && !table.is_decided()
    }

    fn is_decided(&self) -> bool {
        self.day_first != self.month_first
    }
}

/// Evidence of several columns.
impl std::iter::Sum for Evidence {
    fn sum<I: Iterator<Item = Evidence>>(all: I) -> Evidence {
        all.fold(Evidence::default(), |a, b| Evidence {
            point: a.point + b.point,
            comma: a.comma + b.comma,
            either_number: a.either_number + b.either_number,
            month_first: a.month_first + b.month_first,
            day_first: a.day_first + b.day_first,
            either_date: a.either_date + b.either_date,
            years: a.years + b.years,
            numbers: a.numbers + b.numbers,
        })
    }
}

/// What one text says.
#[derive(Clone, Copy)]
enum Says<T> {
    Sure(T),
    Either,
}
use Says::{Either, Sure};

/// True for four digits that may be a year.
pub(super) fn is_year(text: &str) -> bool {
    text.len() == 4 && text.parse().is_ok_and(|year| PLAUSIBLE_YEARS.contains(&year))
}

/// Returns the place of the digits and separators of a text that is one number, perhaps with a sign or a unit.
fn number_run(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let is_part = |b: &u8| b.is_ascii_digit() || matches!(b, b'.' | b',');
    let start = bytes.iter().position(is_part)?;
    let end = start + bytes[start..].iter().take_while(|b| is_part(b)).count();
    let alone = !text[..start].contains(char::is_alphanumeric) && !bytes[end..].iter().any(u8::is_ascii_digit);
    // A full stop or a comma at the end belongs to the text.
    let end = start + text[start..end].trim_end_matches(['.', ',']).len();
    (alone && start < end).then_some((start, end))
}

/// Returns the sign before the decimals of a text that is one number with separators.
fn decimals(text: &str) -> Option<Says<Decimals>> {
    let (start, end) = number_run(text)?;
    let run = &text[start..end];
    let count = |sign: char| run.matches(sign).count();
    let grouped = |sign: char| run.split(sign).skip(1).all(|group| group.len() == 3);
    match (count(','), count('.')) {
        (0, 0) => None,
        (1, 0) => Some(single(run, ',', Decimals::Comma)),
        (0, 1) => Some(single(run, '.', Decimals::Point)),
        (1, _) if run.rfind(',') > run.rfind('.') => Some(Sure(Decimals::Comma)),
        (_, 1) if run.rfind('.') > run.rfind(',') => Some(Sure(Decimals::Point)),
        (_, 0) if grouped(',') => Some(Sure(Decimals::Point)),
        (0, _) if grouped('.') => Some(Sure(Decimals::Comma)),
        _ => None,
    }
}

/// Judges the only separator of a number: three digits after it may be thousands, unless `0` or many digits come before.
fn single(run: &str, sign: char, decimals: Decimals) -> Says<Decimals> {
    let (whole, rest) = run.split_once(sign).unwrap_or((run, ""));
    let thousands = rest.len() == 3 && (1..=3).contains(&whole.len()) && !whole.starts_with('0');
    if thousands { Either } else { Sure(decimals) }
}

/// Returns a number with a decimal comma as one with a decimal point; `None` for other texts.
pub(super) fn with_point(text: &str) -> Option<String> {
    let (start, end) = number_run(text)?;
    let turn = |c: char| match c {
        ',' => '.',
        '.' => ',',
        c => c,
    };
    let turned: String = text[start..end].chars().map(turn).collect();
    // Groups of thousands come before the decimals.
    let (whole, decimals) = turned.split_once('.').unwrap_or((&turned, ""));
    let is_number = whole.split(',').skip(1).all(|group| group.len() == 3) && !decimals.contains(['.', ',']);
    is_number.then(|| [&text[..start], &turned, &text[end..]].concat())
}

/// The first two numbers of a date such as `02/01/2020`, by their places in the text.
struct NumericDate {
    first: std::ops::Range<usize>,
    second: std::ops::Range<usize>,
    end: usize,
}

impl NumericDate {
    fn order(&self, text: &str) -> Option<Says<DayMonth>> {
        let number = |range: &std::ops::Range<usize>| text[range.clone()].parse::<u32>().ok();
        match (number(&self.first)?, number(&self.second)?) {
            (13..=31, 1..=12) => Some(Sure(DayMonth::DayFirst)),
            (1..=12, 13..=31) => Some(Sure(DayMonth::MonthFirst)),
            (a @ 1..=12, b @ 1..=12) if a != b => Some(Either),
            _ => None,
        }
    }
}

/// Finds a date of three numbers, the year last, at the start of a text.
fn numeric_date(text: &str) -> Option<NumericDate> {
    let bytes = text.as_bytes();
    let digits = |at: usize| bytes[at.min(bytes.len())..].iter().take_while(|b| b.is_ascii_digit()).count();
    let first = 0..digits(0);
    let sign = *bytes.get(first.end).filter(|b| matches!(b, b'/' | b'-'))?;
    let second = first.end + 1..first.end + 1 + digits(first.end + 1);
    let year = second.end + 1;
    let end = year + digits(year);
    let fits = bytes.get(second.end) == Some(&sign)
        && (1..=2).contains(&first.len())
        && (1..=2).contains(&second.len())
        && matches!(end - year.min(end), 2 | 4);
    fits.then_some(NumericDate { first, second, end })
}

/// Returns a text with day and month of its dates exchanged, if both are given as numbers and either may be the month.
pub(super) fn with_month_first(text: &str) -> Option<String> {
    let mut turned = String::with_capacity(text.len());
    let (mut at, mut found) = (0, false);
    while at < text.len() {
        let fresh = !text[..at].ends_with(|c: char| c.is_ascii_digit() || matches!(c, '/' | '-'));
        let rest = &text[at..];
        match numeric_date(rest).filter(|date| fresh && matches!(date.order(rest), Some(Either))) {
            Some(NumericDate { first, second, end }) => {
                let sign = &rest[first.end..second.start];
                turned.extend([&rest[second.clone()], sign, &rest[first], &rest[second.end..end]]);
                (at, found) = (at + end, true);
            }
            None => {
                let next = rest.chars().next().map_or(1, char::len_utf8);
                turned.push_str(&rest[..next]);
                at += next;
            }
        }
    }
    found.then_some(turned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convention(texts: &[&str]) -> Convention {
        let mut evidence = Evidence::default();
        texts.iter().for_each(|text| evidence.add(text));
        evidence.convention(&Evidence::default())
    }

    #[test]
    fn one_text_decides_for_a_column() {
        let decimals = |texts: &[&str]| convention(texts).decimals;
        assert_eq!(decimals(&["1,845", "0,535"]), Decimals::Comma);
        assert_eq!(decimals(&["1.234", "1.234,5 €"]), Decimals::Comma);
        assert_eq!(decimals(&["24,874,500", "785,863"]), Decimals::Point);
        assert_eq!(decimals(&["1,234", "0.5"]), Decimals::Point);
        assert_eq!(decimals(&["1,845", "5,0", "2.5"]), Decimals::Point);
        assert_eq!(decimals(&["1,845", "-1,24"]), Decimals::Comma);
        let order = |texts: &[&str]| convention(texts).order;
        assert_eq!(order(&["02/01/2020", "31/12/2019"]), DayMonth::DayFirst);
        assert_eq!(order(&["02/01/2020", "12/31/2019"]), DayMonth::MonthFirst);
        assert_eq!(order(&["02/01/2020"]), DayMonth::MonthFirst);
        let digits = |texts: &[&str]| convention(texts).digits;
        assert_eq!(digits(&["1990", "1995", "n/a"]), FourDigits::Year);
        assert_eq!(digits(&["1990", "995", "2105"]), FourDigits::Number);
    }

    #[test]
    fn texts_are_turned() {
        assert_eq!(with_point("-1.184,5 kg").as_deref(), Some("-1,184.5 kg"));
        assert_eq!(with_point("0,535").as_deref(), Some("0.535"));
        assert_eq!(with_point("1.234").as_deref(), Some("1,234"));
        assert_eq!(with_point("Mark 3,5"), None);
        assert_eq!(with_point("04.05.2015"), None);
        assert_eq!(with_month_first("02/01/2020 14:35").as_deref(), Some("01/02/2020 14:35"));
        assert_eq!(with_month_first("1-2-2020 to 3-2-2020").as_deref(), Some("2-1-2020 to 2-3-2020"));
        assert_eq!(with_month_first("31/12/2019"), None);
    }
}
