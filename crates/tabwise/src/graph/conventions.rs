//! [`Conventions`]: how the numbers and dates of each column are written, and by that of which column an entity is read.

use super::Column;
use super::clock::is_of_times;
use super::names::Names;
use crate::text::convention::{Colons, Convention, DayMonth, Decimals, Evidence, FourDigits};
use crate::words::Words;

/// The convention of each entity, and notes on columns that another reader might take otherwise.
#[derive(Default)]
pub(super) struct Conventions {
    /// True for each column of times of day.
    pub times: Vec<bool>,
    /// By entity; empty if all have the usual one.
    by_entity: Vec<Convention>,
    /// Sentences on the columns with a decimal comma, and on each column whose dates may be read in two ways.
    pub notes: Vec<String>,
}

impl Conventions {
    /// Looks at the different texts of all columns.
    pub(super) fn of(columns: &[Column], names: &Names, words: &Words) -> Conventions {
        let mut seen = vec![usize::MAX; names.len()];
        let evidence: Vec<Evidence> =
            columns.iter().enumerate().map(|(at, column)| evidence(column, at, names, &mut seen)).collect();
        let table: Evidence = evidence.iter().copied().sum();
        let times: Vec<bool> = columns.iter().map(|column| is_of_times(column, names, words)).collect();
        let colons = |is_of_times: bool| if is_of_times { Colons::TimeOfDay } else { Colons::Length };
        let chosen = evidence.iter().zip(&times);
        let chosen: Vec<Convention> =
            chosen.map(|(one, times)| Convention { colons: colons(*times), ..one.convention(&table) }).collect();
        let by_entity = by_entity(columns, &chosen, names.len());
        let read = || {
            columns.iter().zip(&evidence).zip(&chosen).map(|((column, evidence), chosen)| (column, evidence, chosen))
        };
        let has_commas =
            |evidence: &Evidence, chosen: &Convention| chosen.decimals == Decimals::Comma && evidence.has_separators();
        let commas = read().filter(|(_, evidence, chosen)| has_commas(evidence, chosen)).map(|(column, ..)| column);
        let open = read().filter(|(_, evidence, _)| evidence.is_open(&table)).map(|(column, ..)| column);
        let notes = note_on_commas(&commas.collect::<Vec<_>>()).into_iter().chain(open.map(note_on_dates)).collect();
        Conventions { times, by_entity, notes }
    }

    /// Returns the convention of an entity.
    pub(super) fn get(&self, entity: usize) -> Convention {
        self.by_entity.get(entity).copied().unwrap_or_default()
    }
}

/// Evidence of a column; `seen` has the last column in which each entity was seen.
fn evidence(column: &Column, at: usize, names: &Names, seen: &mut [usize]) -> Evidence {
    let mut evidence = Evidence::default();
    for entity in &column.cells {
        let entity = entity.0 as usize;
        if std::mem::replace(&mut seen[entity], at) != at {
            evidence.add(names.get(entity));
        }
    }
    evidence
}

/// The convention of the first column that has an entity, for each entity. A year in one column is one in all.
fn by_entity(columns: &[Column], chosen: &[Convention], count: usize) -> Vec<Convention> {
    if chosen.iter().all(|one| *one == Convention::default()) {
        return Vec::new();
    }
    let mut by_entity = vec![Convention::default(); count];
    // The first column comes last, so that its convention stays.
    for (column, convention) in columns.iter().zip(chosen).rev() {
        column.cells.iter().for_each(|entity| by_entity[entity.0 as usize] = *convention);
    }
    let of_years = columns.iter().zip(chosen).filter(|(_, convention)| convention.digits == FourDigits::Year);
    for entity in of_years.flat_map(|(column, _)| &column.cells) {
        by_entity[entity.0 as usize].digits = FourDigits::Year;
    }
    by_entity
}

/// Number of columns that a note names.
const NAMED: usize = 3;

fn note_on_commas(columns: &[&Column]) -> Option<String> {
    let mut names: Vec<String> = columns.iter().take(NAMED).map(|column| format!("{:?}", column.name)).collect();
    match columns.len().saturating_sub(NAMED) {
        0 => {}
        1 => names.push("1 more column".to_owned()),
        more => names.push(format!("{more} more columns")),
    }
    let last = names.pop()?;
    let all = if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) };
    Some(format!("the numbers of {all} are read with a decimal comma"))
}

fn note_on_dates(column: &Column) -> String {
    let order = match Convention::default().order {
        DayMonth::MonthFirst => "month",
        DayMonth::DayFirst => "day",
    };
    format!("the dates of {:?} may begin with the day or the month; they are read with the {order} first", column.name)
}
