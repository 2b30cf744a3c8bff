//! Columns as the generator sees them: the kinds of questions that fit a column, the words for it, and its clean cells.
//! Messy columns are left out: a question about them would have no certain answer.

use super::english::spoken;
use super::phrasings::Phrasings;
use super::speech::Speech;
use std::collections::{BTreeMap, BTreeSet};
use tabwise::graph::{ColumnId, Graph, Reading};
use tabwise::value::{Date, EntityId, Value};

/// Kind of a column, which decides the slots it can fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Names of the rows, all different.
    Name,
    /// A few texts that repeat.
    Category,
    /// Amounts.
    Number,
    /// Years as numbers.
    Year,
    /// Dates with a year and a month.
    Date,
    /// True or false.
    Flag,
    /// Short texts of any kind.
    Text,
}

/// A column that can be asked about.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// The column in the graph.
    pub id: ColumnId,
    /// Words for it, the plainest first.
    pub said: Vec<String>,
    /// Other ways to speak of it.
    pub speech: Speech,
    /// Its kind.
    pub kind: Kind,
    /// Different texts that can be said, those in no other column first; for a flag, the text for yes.
    pub cells: Vec<String>,
    /// Number of cells in front of `cells` that are in no other column.
    pub own: usize,
    /// Numbers, or years of the dates, sorted.
    pub numbers: Vec<f64>,
    /// Dates with a day.
    pub dates: Vec<Date>,
    /// True if each number is larger than the one in the row before.
    pub is_rising: bool,
}

/// Words for the column of a header.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spoken {
    /// The words.
    pub words: String,
    /// True if the column says yes or no about each row.
    pub is_flag: bool,
    /// Other ways to speak of it.
    pub speech: Speech,
}

/// Texts of cells without a value.
const MISSING: [&str; 16] =
    ["", "-", "–", "—", "na", "n/a", "n.a.", "none", "null", "nan", "?", "tba", "tbd", "unknown", "--", "…"];

/// Tells if the text of a cell means that there is no value.
pub(super) fn is_missing(text: &str) -> bool {
    MISSING.contains(&text.trim().to_lowercase().as_str())
}

/// The columns of a table that can be asked about. `spoken` has the words for each column of the graph.
pub(super) fn columns(graph: &Graph, spoken: &[Option<Spoken>], phrasings: &Phrasings) -> Vec<Column> {
    let places = places(graph);
    let mut named = false;
    let mut columns = Vec::new();
    for (id, said) in graph.column_ids().zip(spoken) {
        let Some(said) = said.as_ref().filter(|said| is_only(&said.words, spoken)) else { continue };
        let Some(mut column) = column(graph, id, said, &places, phrasings) else { continue };
        if column.kind == Kind::Name && std::mem::replace(&mut named, true) {
            column.kind = Kind::Text;
        }
        column.said = ways(said, spoken);
        column.speech = said.speech.clone();
        columns.push(column);
    }
    columns
}

/// The words for each header of a table.
pub(super) fn spoken_headers(headers: &[String], phrasings: &Phrasings) -> Vec<Option<Spoken>> {
    let speech = |header: &str| phrasings.speech(header).cloned().unwrap_or_default();
    let one = |header: &String| Some(Spoken { words: spoken(header)?, is_flag: false, speech: speech(header) });
    headers.iter().map(one).collect()
}

/// Tells if no other column has these words.
fn is_only(words: &str, all: &[Option<Spoken>]) -> bool {
    all.iter().flatten().filter(|other| other.words == words).count() == 1
}

/// The words, their last one alone if it names no other column, and other ways to say it that no other column has.
fn ways(spoken: &Spoken, all: &[Option<Spoken>]) -> Vec<String> {
    let words = spoken.words.as_str();
    let head = words.rsplit(' ').next().unwrap_or(words);
    let elsewhere = all.iter().flatten().filter(|other| other.words != words);
    let is_free = head.len() > 3 && !words.contains(" of ") && !elsewhere.into_iter().any(|o| o.words.contains(head));
    let mut ways = vec![words.to_owned()];
    if head != words && is_free && head.chars().all(char::is_alphabetic) {
        ways.push(head.to_owned());
    }
    let others = || all.iter().flatten().filter(|other| other.words != words);
    let is_own = |way: &&String| others().all(|other| other.words != **way && !other.speech.said.contains(way));
    let further: Vec<String> = spoken.speech.said.iter().filter(is_own).filter(|way| *way != words).cloned().collect();
    ways.extend(further);
    ways
}

/// The number of columns that hold each entity.
fn places(graph: &Graph) -> BTreeMap<EntityId, usize> {
    let mut places = BTreeMap::new();
    for column in graph.columns() {
        let different: BTreeSet<EntityId> = column.cells.iter().copied().collect();
        different.into_iter().for_each(|entity| *places.entry(entity).or_default() += 1);
    }
    places
}

fn column(
    graph: &Graph,
    id: ColumnId,
    said: &Spoken,
    places: &BTreeMap<EntityId, usize>,
    phrasings: &Phrasings,
) -> Option<Column> {
    let cells = &graph.column(id).cells;
    let full: Vec<EntityId> = cells.iter().copied().filter(|cell| !is_missing(graph.name(*cell))).collect();
    if full.len() * 5 < cells.len() * 4 || full.len() < 4 {
        return None;
    }
    let mut different: Vec<EntityId> = Vec::new();
    let mut seen = BTreeSet::new();
    full.iter().for_each(|cell| different.extend(seen.insert(*cell).then_some(*cell)));
    let kind = if said.is_flag { Kind::Flag } else { kind(graph, &full, &different, said, phrasings)? };
    different.sort_by_key(|cell| places[cell] > 1);
    let clean = |cell: &&EntityId| is_sayable(graph.name(**cell));
    let own = if kind == Kind::Flag {
        0
    } else {
        different.iter().filter(clean).take_while(|cell| places[*cell] == 1).count()
    };
    let texts: Vec<String> = different.iter().filter(clean).map(|cell| graph.name(*cell).to_owned()).collect();
    let yes = texts.iter().find(|text| ["1", "true", "yes", "y"].contains(&text.to_lowercase().as_str())).cloned();
    Some(Column {
        id,
        said: Vec::new(),
        speech: Speech::default(),
        kind,
        cells: if kind == Kind::Flag { vec![yes?] } else { texts },
        own,
        is_rising: full.len() == cells.len() && numbers(graph, &full, kind).is_sorted_by(|a, b| a < b),
        numbers: sorted(numbers(graph, &full, kind)),
        dates: if kind == Kind::Date { dates(graph, &full) } else { Vec::new() },
    })
}

/// The kind of a column by its cells.
fn kind(
    graph: &Graph,
    full: &[EntityId],
    different: &[EntityId],
    said: &Spoken,
    phrasings: &Phrasings,
) -> Option<Kind> {
    let most = |is: &dyn Fn(&str, EntityId) -> bool| {
        full.iter().filter(|c| is(graph.name(**c), **c)).count() * 20 >= full.len() * 19
    };
    let is_year =
        |text: &str, _: EntityId| text.len() == 4 && text.parse().is_ok_and(|n: u32| (1200..2100).contains(&n));
    let looks_like_year = |text: &str| text.len() == 4 && text.parse().is_ok_and(|n: u32| (1800..2100).contains(&n));
    let years = full.iter().filter(|cell| looks_like_year(graph.name(**cell))).count();
    let is_ordinal =
        2 * years > full.len() || phrasings.ordinals.iter().any(|word| said.words.split(' ').any(|said| said == word));
    let short = |most: usize| different.iter().all(|cell| graph.name(*cell).chars().count() <= most);
    let textual = |text: &str, cell: EntityId| text.chars().any(char::is_alphabetic) && !is_amount(graph, text, cell);
    match () {
        () if most(&is_year) => (different.len() > 2).then_some(Kind::Year),
        () if most(&|text, cell| is_amount(graph, text, cell)) => {
            (!is_ordinal && different.len() > 3).then_some(Kind::Number)
        }
        () if most(&|_, cell| is_date(graph, cell)) => (different.len() > 2).then_some(Kind::Date),
        () if !most(&textual) => None,
        () if (2..=15).contains(&different.len()) && different.len() * 2 <= full.len() && short(28) => {
            Some(Kind::Category)
        }
        () if different.len() * 20 >= full.len() * 19 && short(60) => Some(Kind::Name),
        () => short(60).then_some(Kind::Text),
    }
}

/// Tells if a cell is one number, perhaps with a unit.
fn is_amount(graph: &Graph, text: &str, cell: EntityId) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let starts = text.starts_with(|c: char| c.is_ascii_digit() || "+-−–$€£.".contains(c));
    let one = graph.has_reading(cell, Reading::Number) && !graph.has_reading(cell, Reading::Number2);
    starts && letters <= 5 && text.len() <= 16 && !text.contains([':', '/']) && one
}

fn is_date(graph: &Graph, cell: EntityId) -> bool {
    let whole = |value: Value| matches!(value, Value::Date(date) if date.year().is_some() && date.month().is_some());
    graph.read(cell, Reading::Date).is_some_and(whole) && !graph.has_reading(cell, Reading::Date2)
}

/// Tells if a person would type a cell as it stands.
fn is_sayable(text: &str) -> bool {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '.' | '&' | ',');
    let count = text.chars().count();
    text.starts_with(char::is_alphanumeric)
        && (1..=36).contains(&count)
        && text.chars().all(allowed)
        && text.trim() == text
        && text.split(' ').count() <= 5
}

/// The numbers of a column; for dates, their years.
fn numbers(graph: &Graph, full: &[EntityId], kind: Kind) -> Vec<f64> {
    let number = |cell: &EntityId| match kind {
        Kind::Date => match graph.read(*cell, Reading::Date) {
            Some(Value::Date(date)) => date.year().map(f64::from),
            _ => None,
        },
        Kind::Number | Kind::Year => match graph.read(*cell, Reading::Number) {
            Some(Value::Number(n)) => Some(n),
            _ => None,
        },
        Kind::Name | Kind::Category | Kind::Flag | Kind::Text => None,
    };
    full.iter().filter_map(number).collect()
}

/// The dates of a column that have a day.
fn dates(graph: &Graph, full: &[EntityId]) -> Vec<Date> {
    let date = |cell: &EntityId| match graph.read(*cell, Reading::Date) {
        Some(Value::Date(date)) => date.day().map(|_| date),
        _ => None,
    };
    full.iter().filter_map(date).collect()
}

fn sorted(mut numbers: Vec<f64>) -> Vec<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers
}
