//! [`Value`]: a possible meaning of a cell's text, and an element of a formula's denotation. A value is a number, a
//! date with missing parts, an entity (a string of the table, by id), or a truth. Values are compared, hashed and printed by
//! this module only, so that all parts of the library agree on these.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A string of a table, by its position in the graph's list of entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntityId(pub u32);

/// One value. Equality, order and hash are total: numbers compare by value, and a number is never NaN.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// A finite number; [`Value::number`] checks this.
    Number(f64),
    /// A date, perhaps with missing parts.
    Date(Date),
    /// A string of the table.
    Entity(EntityId),
    /// Yes or no: the answer to a question if something is so. No cell holds one.
    Truth(bool),
}

impl Value {
    /// Returns a number as a value; `None` for NaN and infinities, which no formula may denote.
    pub fn number(n: f64) -> Option<Value> {
        // Adding zero turns -0.0 into 0.0.
        n.is_finite().then_some(Value::Number(n + 0.0))
    }

    /// Sort and hash key: the kind of the value, then a number that sorts like the values of this kind.
    fn key(&self) -> (u8, u64) {
        match *self {
            Value::Number(n) => (0, order_bits(n)),
            Value::Date(d) => (1, d.key()),
            Value::Entity(e) => (2, u64::from(e.0)),
            Value::Truth(truth) => (3, u64::from(truth)),
        }
    }
}

/// Maps finite numbers to integers in the same order; 0.0 and -0.0 give the same integer.
fn order_bits(n: f64) -> u64 {
    let bits = (n + 0.0).to_bits();
    // The bits of positive numbers already sort like the numbers; setting the sign bit puts them above the negative
    // ones. The bits of negative numbers sort the other way round, so all of them are flipped.
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::Date(a), Value::Date(b)) => a == b,
            (Value::Entity(a), Value::Entity(b)) => a == b,
            (Value::Truth(a), Value::Truth(b)) => a == b,
            _ => false,
        }
    }
}
impl Eq for Value {}
impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}
impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        self.key().cmp(&other.key())
    }
}

/// A date of which any part may be unknown: `2010-05-XX` is May 2010, `XXXX-06-12` is 12 June of some year.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Date {
    /// [`Date::NO_YEAR`] if unknown.
    year: i16,
    /// 0 if unknown.
    month: u8,
    /// 0 if unknown.
    day: u8,
}

impl Date {
    const NO_YEAR: i16 = i16::MIN;

    /// Makes a date from its known parts. `None` if no part is known, if the parts name no day of the calendar (month
    /// 13, 30 February), or if the year has more than four digits. An unknown year may be a leap year.
    pub fn new(year: Option<i32>, month: Option<u8>, day: Option<u8>) -> Option<Date> {
        if year.is_none() && month.is_none() && day.is_none() {
            return None;
        }
        let year_part = match year {
            None => Date::NO_YEAR,
            Some(y) if (-9999..=9999).contains(&y) => y as i16,
            Some(_) => return None,
        };
        let longest = match month {
            None => 31,
            Some(m @ 1..=12) => days_in_month(year, m),
            Some(_) => return None,
        };
        if day.is_some_and(|d| d == 0 || d > longest) {
            return None;
        }
        Some(Date { year: year_part, month: month.unwrap_or(0), day: day.unwrap_or(0) })
    }

    /// Returns the year, if known; negative before the common era.
    pub fn year(self) -> Option<i32> {
        (self.year != Date::NO_YEAR).then_some(i32::from(self.year))
    }

    /// Returns the month from 1 to 12, if known.
    pub fn month(self) -> Option<u8> {
        (self.month != 0).then_some(self.month)
    }

    /// Returns the day of the month from 1, if known.
    pub fn day(self) -> Option<u8> {
        (self.day != 0).then_some(self.day)
    }

    /// Returns the day of the week, from 1 for Monday to 7 for Sunday, if all parts are known.
    pub fn weekday(self) -> Option<u8> {
        const MONDAY: Date = Date { year: 1970, month: 1, day: 5 };
        Some(self.days_since(MONDAY)?.rem_euclid(7) as u8 + 1)
    }

    /// True if every part known in both dates is the same: May 2010 agrees with 12 May 2010 and with "in May".
    pub fn agrees(self, other: Date) -> bool {
        fn same<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
            a.is_none() || b.is_none() || a == b
        }
        same(self.year(), other.year()) && same(self.month(), other.month()) && same(self.day(), other.day())
    }

    /// Returns the first day this date may mean, as a sortable number; unknown parts count as the smallest.
    pub fn earliest(self) -> i32 {
        self.ordinal(1, 1)
    }

    /// Returns the last day this date may mean, as a sortable number; unknown parts count as the largest.
    pub fn latest(self) -> i32 {
        self.ordinal(12, 31)
    }

    /// Sortable number of a day, with these values for an unknown month or day. Every month has 31 places, so this is
    /// not a count of days.
    fn ordinal(self, month: i32, day: i32) -> i32 {
        let year = self.year().unwrap_or(0);
        let month = self.month().map_or(month, i32::from);
        let day = self.day().map_or(day, i32::from);
        (year * 12 + month - 1) * 31 + day - 1
    }

    /// Returns the days from another date to this one; negative if this one is earlier. `None` unless both name a day of
    /// a year.
    pub fn days_since(self, other: Date) -> Option<i32> {
        Some(self.day_number()? - other.day_number()?)
    }

    /// Returns the whole months from another date to this one; negative if this one is earlier. Days count only if both
    /// are known. `None` unless both name a month of a year.
    pub fn months_since(self, other: Date) -> Option<i32> {
        let months = |date: Date| Some(date.year()? * 12 + i32::from(date.month()?));
        let between = months(self)? - months(other)?;
        let (Some(day), Some(other)) = (self.day(), other.day()) else { return Some(between) };
        // A month that has begun but not ended does not count.
        Some(between - i32::from(between > 0 && day < other) + i32::from(between < 0 && day > other))
    }

    /// Number of days since a fixed day, in the Gregorian calendar; `None` if the date names no day.
    fn day_number(self) -> Option<i32> {
        let (year, month, day) = (self.year()?, i32::from(self.month()?), i32::from(self.day()?));
        // Years begin in March here, so that the leap day is the last one and months need no table.
        let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        Some(365 * year + leap_days + (153 * month + 2) / 5 + day)
    }

    /// Returns the known parts as bits: 4 year, 2 month, 1 day.
    pub fn known(self) -> u8 {
        (u8::from(self.year().is_some()) << 2) | (u8::from(self.month != 0) << 1) | u8::from(self.day != 0)
    }

    /// Returns the bit of the largest known part. Only dates that begin with the same part can be ordered.
    pub fn begins_with(self) -> u8 {
        1 << self.known().ilog2()
    }

    /// Returns the date reduced to these parts (bits as in [`Date::known`]); `None` if not all of them are known.
    pub fn only(self, parts: u8) -> Option<Date> {
        let keep = |bit: u8| parts & bit != 0;
        let date = Date {
            year: if keep(4) { self.year } else { Date::NO_YEAR },
            month: if keep(2) { self.month } else { 0 },
            day: if keep(1) { self.day } else { 0 },
        };
        (parts != 0 && self.known() & parts == parts).then_some(date)
    }

    /// Sort key: year, month and day in 16, 8 and 8 bits. Unknown parts sort before known ones.
    fn key(self) -> u64 {
        // Shifts the year to 0..65536, so that negative years sort before positive ones.
        let year = (i32::from(self.year) - i32::from(i16::MIN)) as u64;
        year << 16 | u64::from(self.month) << 8 | u64::from(self.day)
    }
}

/// Length of a month; February has 29 days if the year is unknown.
fn days_in_month(year: Option<i32>, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 => match year {
            Some(y) if y % 4 != 0 || (y % 100 == 0 && y % 400 != 0) => 28,
            _ => 29,
        },
        _ => 31,
    }
}

impl PartialOrd for Date {
    fn partial_cmp(&self, other: &Date) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Date {
    fn cmp(&self, other: &Date) -> Ordering {
        self.key().cmp(&other.key())
    }
}

/// Written as `yyyy-mm-dd`, with `X` for the digits of unknown parts.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.year() {
            Some(y) if y < 0 => write!(f, "-{:04}", -y)?,
            Some(y) => write!(f, "{y:04}")?,
            None => f.write_str("XXXX")?,
        }
        for part in [self.month(), self.day()] {
            match part {
                Some(p) => write!(f, "-{p:02}")?,
                None => f.write_str("-XX")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Date {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Writes a number as a person would: no `.0`, and none of the digits that binary fractions add (0.1 + 0.2 is 0.3).
pub fn show_number(n: f64) -> String {
    // 13 significant digits: a double keeps at least 15, and rounding errors show in the last of them.
    let rounded: f64 = format!("{n:.12e}").parse().expect("a formatted number reads back");
    format!("{}", rounded + 0.0)
}

/// Writes a truth.
pub fn show_truth(truth: bool) -> &'static str {
    if truth { "yes" } else { "no" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_without_noise() {
        assert_eq!(show_number(0.1 + 0.2), "0.3");
        assert_eq!(show_number(12467.0), "12467");
        assert_eq!(show_number(-0.0), "0");
        assert_eq!(show_number(1e15), "1000000000000000");
    }

    #[test]
    fn dates_with_missing_parts() {
        let may = Date::new(Some(2010), Some(5), None).unwrap();
        let day = Date::new(Some(2010), Some(5), Some(12)).unwrap();
        assert_eq!(may.to_string(), "2010-05-XX");
        assert!(may.agrees(day) && may.earliest() <= day.earliest() && day.latest() <= may.latest());
        assert_eq!(day.only(may.known()), Some(may));
        assert_eq!(may.only(day.known()), None);
        assert_eq!((day.begins_with(), Date::new(None, Some(5), Some(1)).unwrap().begins_with()), (4, 2));
        assert_eq!(Date::new(None, None, None), None);
        assert_eq!(Date::new(Some(2011), Some(2), Some(29)), None);
        assert!(Date::new(None, Some(2), Some(29)).is_some());
    }

    #[test]
    fn days_of_the_week() {
        let weekday = |year, month, day| Date::new(Some(year), Some(month), Some(day)).unwrap().weekday();
        assert_eq!([weekday(2024, 1, 1), weekday(2000, 2, 29), weekday(1969, 7, 20)], [Some(1), Some(2), Some(7)]);
        assert_eq!(Date::new(Some(2024), Some(1), None).unwrap().weekday(), None);
    }

    #[test]
    fn days_and_months_between_dates() {
        let date = |y, m, d| Date::new(Some(y), Some(m), Some(d)).unwrap();
        assert_eq!(date(2000, 3, 1).days_since(date(2000, 2, 28)), Some(2));
        assert_eq!(date(1970, 1, 1).days_since(date(2024, 2, 29)), Some(-19782));
        assert_eq!(date(2001, 1, 1).days_since(date(1601, 1, 1)), Some(146_097));
        assert_eq!(date(2020, 3, 14).months_since(date(2020, 1, 15)), Some(1));
        assert_eq!(date(2020, 1, 15).months_since(date(2020, 3, 14)), Some(-1));
        assert_eq!(date(2020, 3, 15).months_since(date(2019, 1, 15)), Some(14));
        let year = Date::new(Some(2020), None, None).unwrap();
        assert_eq!((year.days_since(year), year.months_since(year)), (None, None));
    }

    #[test]
    fn values_have_a_total_order() {
        assert!(Value::Number(-2.0) < Value::Number(-1.0) && Value::Number(-1.0) < Value::Number(3.0));
        assert_eq!(Value::Number(0.0), Value::number(-0.0).unwrap());
        assert_eq!(Value::number(f64::NAN), None);
    }
}
