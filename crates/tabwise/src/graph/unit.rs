//! [`Unit`]: the sign or word that nearly all numbers of a column carry, such as `$`, `%` or ` km`. It is kept for
//! printing; the numbers themselves are read without it.

use super::{Column, Graph, Reading};
use crate::text::numerals::next_numeral;
use crate::value::EntityId;
use crate::words::Words;
use rustc_hash::FxHashMap;

/// Text before and after each number of a column; one of them is not empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unit {
    /// Text before the number: `$`.
    pub prefix: String,
    /// Text after the number: `%`, ` km`.
    pub suffix: String,
}

impl Unit {
    /// Returns a printed number with the unit; a minus sign stays in front.
    ///
    /// ```
    /// use tabwise::graph::Unit;
    ///
    /// let dollars = Unit { prefix: "$".into(), suffix: String::new() };
    /// assert_eq!(dollars.show("-44.5"), "-$44.5");
    /// ```
    pub fn show(&self, number: &str) -> String {
        let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
        [sign, &self.prefix, digits, &self.suffix].concat()
    }

    /// Returns the sign or word alone.
    pub fn name(&self) -> &str {
        if self.prefix.is_empty() { self.suffix.trim() } else { self.prefix.trim() }
    }
}

/// Number of cells that show early if a column has a unit, and of those that must have it.
const EARLY: usize = 20;
const EARLY_MEASURED: usize = 15;

/// Finds the unit of a column: that of nine in ten of its cells that are not missing.
pub(super) fn unit(column: &Column, graph: &Graph, words: &Words) -> Option<Unit> {
    let present = || column.cells.iter().filter(|entity| !graph.is_missing(**entity));
    // Most columns have no unit, which shows early: of the first cells, most have one or the column has none.
    let early: Vec<Option<Unit>> = present().take(EARLY).map(|entity| unit_of(*entity, graph, words)).collect();
    if early.len() == EARLY && early.iter().flatten().count() < EARLY_MEASURED {
        return None;
    }
    let first = early.into_iter().flatten().next()?;
    // The same entities come again and again.
    let mut known: FxHashMap<EntityId, bool> = FxHashMap::default();
    let mut has = |entity: &EntityId| {
        *known.entry(*entity).or_insert_with(|| unit_of(*entity, graph, words).as_ref() == Some(&first))
    };
    let (mut count, mut measured) = (0, 0);
    for entity in present() {
        (count, measured) = (count + 1, measured + usize::from(has(entity)));
        if count == EARLY && measured < EARLY_MEASURED {
            return None;
        }
    }
    (measured * 10 >= count * 9).then_some(first)
}

/// Returns the unit in the text of an entity that is one number, and no date.
fn unit_of(entity: EntityId, graph: &Graph, words: &Words) -> Option<Unit> {
    if graph.has_reading(entity, Reading::Date) || !graph.has_reading(entity, Reading::Number) {
        return None;
    }
    let text = graph.name(entity);
    let numeral = next_numeral(text, 0, words)?;
    let before = text[..numeral.start].trim_start().trim_matches(|c| words.is_minus(c) || c == '+');
    // `1.234,5` is read as two numbers here, which makes no difference to what surrounds it.
    let after =
        text[numeral.end..].trim_end().trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '.'));
    let fits = is_currency(before, words) && is_measure(after, words) && !(before.is_empty() && after.is_empty());
    fits.then(|| Unit { prefix: before.to_owned(), suffix: after.to_owned() })
}

/// True for a currency before a number: `$`, `US$`, `EUR `; or nothing.
fn is_currency(text: &str, words: &Words) -> bool {
    let name = text.trim_end();
    let letters = name.trim_end_matches(|c| words.is_currency_sign(c));
    let signed = letters.len() < name.len() && letters.len() <= 2 && letters.bytes().all(|b| b.is_ascii_uppercase());
    name.is_empty() || signed || name.len() > 1 && words.meaning(name).is_some_and(|m| m.currency)
}

/// True for what may follow a number: a sign, a unit, a currency, or any word after a space; or nothing.
fn is_measure(text: &str, words: &Words) -> bool {
    let name = text.trim_start();
    let base = name.trim_end_matches(['²', '³', '2', '3']);
    let known = words.meaning(base).is_some_and(|m| m.unit || m.currency || m.seconds.is_some());
    let sign = |c: char| matches!(c, '%' | '‰' | '°') || words.is_currency_sign(c);
    let word = name.len() < text.len() && name.len() > 1 && name.chars().all(|c| c.is_lowercase());
    name.is_empty() || known || name.chars().count() == 1 && name.chars().all(sign) || word
}
