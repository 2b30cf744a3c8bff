//! Values as they are printed in an answer: a text as it stands in the table, a number without noise and with the unit of
//! its column, a date as `yyyy-mm-dd`, also one that the table writes in numbers of an order that differs between countries, a
//! table of groups line by line.

use super::{Groups, Sort};
use crate::execute::{Denotation, Executor, Group, Item, distinct};
use crate::explain::Explainer;
use crate::formula::{FormulaId, Formulas, Measure, Node};
use crate::graph::{Graph, Reading};
use crate::value::{Date, EntityId, Value, show_number, show_truth};
use std::borrow::Cow;

/// Prints what a formula denotes.
pub struct Printer<'a> {
    graph: &'a Graph,
    measure: Measure,
    /// Measures of the keys and the values of a table of groups.
    groups: (Measure, Measure),
    is_of_groups: bool,
    /// Digits of the values of groups.
    digits: Digits,
    dates: Dates,
}

impl<'a> Printer<'a> {
    /// Makes a printer for the denotation of a formula.
    pub fn new(executor: &'a Executor, formula: FormulaId) -> Printer<'a> {
        let formulas: &Formulas = executor.formulas();
        let node = formulas.node(formula);
        let groups = match node {
            Node::Group(of, key) => (formulas.measure(of), formulas.key_measure(key)),
            _ => (Measure::Plain, Measure::Plain), // only a group denotes a table
        };
        let (measure, is_of_groups) = (formulas.measure(formula), matches!(node, Node::Group(..)));
        Printer { graph: executor.graph(), measure, groups, is_of_groups, digits: Digits::Few, dates: Dates::Clear }
    }

    /// Makes a printer of bare values: no units, no rounding, texts as they stand in the table. Right answers are written so.
    pub fn plain(graph: &'a Graph) -> Printer<'a> {
        let groups = (Measure::Plain, Measure::Plain);
        let (digits, dates) = (Digits::All, Dates::AsWritten);
        Printer { graph, measure: Measure::Plain, groups, is_of_groups: false, digits, dates }
    }

    /// Values of an answer, each once; the lines of a table of groups. Rows are no answer.
    pub fn answer(&self, denotation: &Denotation) -> Vec<String> {
        match denotation {
            Denotation::Values(items) => self.values(items),
            Denotation::Groups(groups) => groups.iter().map(|group| self.cells(group).join(": ")).collect(),
            Denotation::Rows(_) | Denotation::Passing(_) => Vec::new(),
        }
    }

    fn values(&self, items: &[Item]) -> Vec<String> {
        distinct(items).into_iter().map(|value| self.measured(value, self.measure, Digits::All)).collect()
    }

    /// Cells of a line of a table of groups: the key and its values.
    fn cells(&self, group: &Group) -> [String; 2] {
        let (of, key) = self.groups;
        let values = distinct(&group.values).into_iter().map(|value| self.measured(value, key, self.digits));
        [self.measured(group.key.value, of, Digits::All), values.collect::<Vec<_>>().join(", ")]
    }

    /// A cell of an engine's line: of the first column or a further one, with a value of this sort.
    pub(super) fn cell(&self, at: usize, sort: Option<&Sort>, text: &str) -> String {
        let (measure, digits) = match (self.is_of_groups, at) {
            (false, _) => (self.measure, Digits::All),
            (true, 0) => (self.groups.0, Digits::All),
            (true, _) => (self.groups.1, self.digits),
        };
        match (sort, text.parse()) {
            (Some(Sort::Number), Ok(n)) => self.measured(Value::Number(n), measure, digits),
            (Some(Sort::Truth), _) => show_truth(matches!(text, "1" | "yes" | "true")).to_string(),
            _ => text.to_string(), // a text or a day is printed as it is
        }
    }

    fn measured(&self, value: Value, measure: Measure, digits: Digits) -> String {
        let Value::Number(n) = value else {
            let date = if self.dates == Dates::Clear { unclear_date(self.graph, value) } else { None };
            return date.map_or_else(|| show_value(self.graph, value), show_date);
        };
        let unit = match measure {
            Measure::Plain => None,
            Measure::Percent => return format!("{}%", show_number(readable(n))),
            Measure::Time(column) => match self.graph.show_time(column, n) {
                Some(time) => return time,
                None => None,
            },
            Measure::Of(column) => self.graph.column(column).unit.as_ref(),
        };
        match (unit, digits) {
            (Some(unit), _) => {
                let text = show_number(few_digits(n));
                // Amounts of money have no decimals or two.
                let cents = !unit.prefix.is_empty() && text.split_once('.').is_some_and(|(_, cents)| cents.len() == 1);
                unit.show(&if cents { text + "0" } else { text })
            }
            (None, Digits::Few) => show_number(few_digits(n)),
            (None, Digits::All) => show_number(n),
        }
    }
}

/// A value of an answer as a person reads it: a number that a division left with many decimals is rounded.
pub fn readable_value(value: &str) -> Cow<'_, str> {
    match value.parse::<f64>() {
        Ok(n) if value.split_once('.').is_some_and(|(_, decimals)| decimals.len() >= MANY) => {
            Cow::Owned(show_number(few_digits(n)))
        }
        _ => Cow::Borrowed(value),
    }
}

/// Digits of a computed number.
#[derive(Clone, Copy)]
enum Digits {
    /// All that it has.
    All,
    /// As many as a person reads, if a division left many.
    Few,
}

/// Dates that the table writes in numbers, such as 04/07/2012.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dates {
    /// As the table has them.
    AsWritten,
    /// As `yyyy-mm-dd`, so that day and month cannot be taken for each other.
    Clear,
}

/// The date of a cell that is three numbers, of which the year is not the first.
fn unclear_date(graph: &Graph, value: Value) -> Option<Date> {
    let Value::Entity(entity) = value else { return None };
    let mut numbers = graph.name(entity).split(['/', '.', '-']);
    let is_number = |text: &str, digits: std::ops::RangeInclusive<usize>| {
        digits.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
    };
    let is_date =
        is_number(numbers.next()?, 1..=2) && is_number(numbers.next()?, 1..=2) && is_number(numbers.next()?, 4..=4);
    if !is_date || numbers.next().is_some() {
        return None;
    }
    match graph.read(entity, Reading::Date) {
        Some(Value::Date(date)) if date.day().is_some() && date.month().is_some() => Some(date),
        _ => None,
    }
}

/// Number of decimals from which a number is taken for the result of a division; cells have fewer.
const MANY: usize = 7;

/// Rounds a number that is probably the result of a division.
fn few_digits(n: f64) -> f64 {
    let decimals = show_number(n).split_once('.').map_or(0, |(_, decimals)| decimals.len());
    if decimals >= MANY { readable(n) } else { n }
}

/// Rounds a number to two decimals, or to four significant digits if these are more.
fn readable(n: f64) -> f64 {
    let scale = 10_f64.powi(3_i32.saturating_sub(n.abs().log10().floor() as i32).clamp(2, 15));
    // A number so large that scaling overflows has no decimals.
    Some((n * scale).round() / scale).filter(|rounded| rounded.is_finite()).unwrap_or(n)
}

/// Returns what a formula denotes as a table; `None` unless it is one of groups.
pub fn groups_of(explainer: &mut Explainer, formula: FormulaId, denotation: &Denotation) -> Option<Groups> {
    let Denotation::Groups(groups) = denotation else { return None };
    let header = explainer.group_header(formula)?.to_vec();
    let printer = Printer::new(explainer.executor(), formula);
    Some(Groups { header, rows: groups.iter().map(|group| printer.cells(group).to_vec()).collect() })
}

/// The values of an answer as they are printed, each once.
pub fn answer_of(executor: &Executor, formula: FormulaId, denotation: &Denotation) -> Vec<String> {
    Printer::new(executor, formula).answer(denotation)
}

/// A value as it is printed in an answer: a text as it stands in the table, a number without noise, a date as
/// `yyyy-mm-dd` with `xx` for what is unknown, or as its year when nothing else is known.
pub fn show_value(graph: &Graph, value: Value) -> String {
    match value {
        Value::Entity(entity) => match with_decimal_comma(graph, entity) {
            Some(n) => show_number(n),
            None => graph.name(entity).to_string(),
        },
        Value::Number(n) => show_number(n),
        Value::Date(date) => show_date(date),
        Value::Truth(truth) => show_truth(truth).to_string(),
    }
}

/// The number of a cell that is written with a decimal comma. Beside computed numbers, `16,052` would be misread.
fn with_decimal_comma(graph: &Graph, entity: EntityId) -> Option<f64> {
    let name = graph.name(entity);
    let is_plain = name.contains(',') && name.chars().all(|c| c.is_ascii_digit() || ",.-+".contains(c));
    let Some(Value::Number(read)) = graph.read(entity, Reading::Number).filter(|_| is_plain) else { return None };
    (name.replace(',', "").parse() != Ok(read)).then_some(read)
}

fn show_date(date: Date) -> String {
    match (date.year(), date.month(), date.day()) {
        (Some(year), None, None) => year.to_string(),
        _ => date.to_string().to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_divisions_are_rounded() {
        let shown = |n: f64| show_number(few_digits(n));
        assert_eq!(shown(50.875 / 3.0), "16.96");
        assert_eq!(shown(1.0 / 81.0), "0.01235");
        assert_eq!(shown(-10_000.0 / 7.0), "-1428.57");
        assert_eq!(["94.77777777778", "St. Louis", "3.25"].map(readable_value), ["94.78", "St. Louis", "3.25"]);
        assert_eq!(
            [shown(48.858_222), shown(0.0), shown(1e300)],
            ["48.858222".to_string(), "0".into(), show_number(1e300)]
        );
    }
}
