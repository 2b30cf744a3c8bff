//! Columns of times of day. `14:35` is a time of day or a length of time, and the column decides: all of its texts have to
//! be times of a day, no word of its header may say a length of time ("lap", "duration"), and something has to suggest
//! times of day. That is "am" or "pm" in a text, a word of the header ("departure", "opens"), or texts as in a
//! timetable: at least three different ones, two digits for the hour, some hour after noon, minutes in steps of five.

use super::Column;
use super::names::Names;
use crate::text::clock::read_time;
use crate::words::Words;
use rustc_hash::FxHashSet;

/// Number of different texts that make a timetable.
const FEWEST: usize = 3;
/// Seconds from midnight to one in the afternoon.
const AFTERNOON: f64 = 13.0 * 3600.0;

/// True if a column has nothing but times of day.
pub(super) fn is_of_times(column: &Column, names: &Names, words: &Words) -> bool {
    let header: Vec<String> = header_words(&column.header);
    let says =
        |is: &dyn Fn(&crate::words::Meaning) -> bool| header.iter().any(|word| words.meaning(word).is_some_and(is));
    let (mut seen, mut half_day, mut plain, mut late) = (FxHashSet::default(), false, true, false);
    for entity in &column.cells {
        let text = names.get(entity.0 as usize);
        if text.is_empty() || !seen.insert(*entity) {
            continue;
        }
        let Some(time) = read_time(text, words) else { return false };
        half_day |= time.half_day;
        plain &= time.is_plain;
        late |= time.seconds >= AFTERNOON;
    }
    let is_timetable = plain && late && seen.len() >= FEWEST;
    let is_suggested = half_day || is_timetable || says(&|meaning| meaning.time_of_day);
    !seen.is_empty() && is_suggested && !says(&|meaning| meaning.length_of_time)
}

/// Words of a header in lower case, also of one such as `departureTime`.
fn header_words(header: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in header.chars() {
        if !c.is_alphabetic() || before.is_lowercase() && c.is_uppercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphabetic()) {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words
}
