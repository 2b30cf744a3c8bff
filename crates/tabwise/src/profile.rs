//! [`Profile`]: what is known of a big table without looking at every row again, and the samples of its rows that the
//! search for an answer looks at. A formula that was found by a sample is executed on all rows.
//!
//! A sample has three kinds of rows. Those with the most of what the question names come first, so that rows which meet
//! all of its conditions are there if the table has any. Then come the rows with the smallest and the largest values, so
//! that a bound which some row exceeds is exceeded in the sample, and rows drawn by lot, with a fixed seed.

use crate::graph::{Column, Graph, Reading};
use crate::hash::StableHash;
use crate::value::{EntityId, Value};
use std::collections::BTreeMap;

/// Rows of a big table that every sample has.
pub struct Profile {
    rows: Vec<u32>,
    /// Columns and readings whose values can be compared.
    ordered: Vec<(usize, Reading)>,
}

/// Readings whose values can be compared.
const ORDERED: [Reading; 3] = [Reading::Number, Reading::Date, Reading::Duration];
/// Number of cells by which the readings of a column are judged.
const JUDGED: usize = 300;
/// Number of rows of a sample that are drawn by lot.
const DRAWN: usize = 500;
/// Number of rows of a sample with what the question names, at most.
const NAMED: usize = 600;
/// Fewest rows with the same of what the question names, if the table has them.
const FEWEST: usize = 24;
/// Number of rows with the same of what the question names up to which the rows before and after them are in a sample: that
/// is what "next" is about.
const FOLLOWED: usize = 32;
/// Number of combinations of what the question names that are in a sample.
const MOST_GROUPS: usize = 24;
/// Number of things named that are told apart.
const MOST_NAMED: usize = 16;
/// Seed of the rows that are drawn by lot.
const SEED: u64 = 0x7461_6277;

impl Profile {
    /// Number of rows up to which the search looks at all of them.
    pub const LONG: usize = 4096;

    /// Looks at a table; `None` if it is so small that samples are of no use.
    pub fn of(graph: &Graph) -> Option<Profile> {
        (graph.row_count() > Profile::LONG).then(|| Profile::of_part(graph))
    }

    /// Looks at some rows of a table that is elsewhere. However few they are, a search looks at as many of them as of a table
    /// that is here, so that the same question has the same candidates.
    pub fn of_part(graph: &Graph) -> Profile {
        let columns = graph.columns().iter().enumerate();
        let ordered: Vec<(usize, Reading)> = columns
            .flat_map(|(at, column)| ORDERED.into_iter().map(move |reading| (at, column, reading)))
            .filter(|(_, column, reading)| is_read(graph, column, *reading))
            .map(|(at, _, reading)| (at, reading))
            .collect();
        let mut profile = Profile { rows: drawn(graph.row_count()), ordered };
        let all = 0..graph.row_count() as u32;
        profile.rows.extend(profile.ordered.iter().flat_map(|by| extremes(graph, *by, all.clone())));
        profile
    }

    /// Takes a sample for a question that names these things, each of which may be one of several values.
    pub fn sample(&self, graph: &Graph, named: &[Vec<Value>]) -> Graph {
        let mut rows = self.rows.clone();
        if !named.is_empty() {
            self.add_named(graph, named, &mut rows);
        }
        rows.sort_unstable();
        rows.dedup();
        graph.sample(&rows)
    }

    /// Adds rows with things that are named, those with most of them first. Rows that have the same things share the room that is left.
    fn add_named(&self, graph: &Graph, named: &[Vec<Value>], rows: &mut Vec<u32>) {
        let named = &named[..named.len().min(MOST_NAMED)];
        let is_bound = named.iter().flatten().any(|value| !matches!(value, Value::Entity(_)));
        let mut groups = groups(graph, &marks(graph, named));
        groups.truncate(MOST_GROUPS);
        let (mut room, mut left) = (NAMED, groups.len());
        for group in groups {
            let share = (room / left).max(FEWEST);
            match group.len() > share {
                true => rows.extend((0..share).map(|at| group[at * group.len() / share])),
                false => rows.extend(&group),
            }
            if group.len() <= FOLLOWED {
                let last = graph.row_count() as u32 - 1;
                rows.extend(group.iter().flat_map(|row| [row.saturating_sub(1), (row + 1).min(last)]));
            }
            if is_bound {
                rows.extend(self.ordered.iter().flat_map(|by| extremes(graph, *by, group.iter().copied())));
            }
            room = room.saturating_sub(share.min(group.len()));
            left -= 1;
        }
    }
}

/// Tells if a fifth of the first cells of a column have a reading.
fn is_read(graph: &Graph, column: &Column, reading: Reading) -> bool {
    let cells: Vec<&EntityId> = column.cells.iter().filter(|cell| !graph.is_missing(**cell)).take(JUDGED).collect();
    let count = cells.iter().filter(|cell| graph.has_reading(***cell, reading)).count();
    count > 0 && count * 5 >= cells.len()
}

/// Rows drawn by lot: one from each of as many stretches of the table, or all if there are no more.
fn drawn(row_count: usize) -> Vec<u32> {
    if row_count <= DRAWN {
        return (0..row_count as u32).collect();
    }
    let row = |at: usize| {
        let [start, end] = [at, at + 1].map(|at| at * row_count / DRAWN);
        let mut hash = StableHash::new(SEED);
        hash.add(at as u64);
        (start + hash.finish() as usize % (end - start)) as u32
    };
    (0..DRAWN).map(row).collect()
}

/// First rows with the smallest and the largest value.
fn extremes(graph: &Graph, (column, reading): (usize, Reading), rows: impl Iterator<Item = u32>) -> Vec<u32> {
    let cells = &graph.columns()[column].cells;
    let mut found: Option<[(Value, u32); 2]> = None;
    let mut last = None;
    for row in rows {
        let entity = cells[row as usize];
        if last.replace(entity) == Some(entity) {
            continue;
        }
        let Some(value) = graph.read(entity, reading) else { continue };
        let [least, most] = found.get_or_insert([(value, row); 2]);
        if value < least.0 {
            *least = (value, row);
        }
        if value > most.0 {
            *most = (value, row);
        }
    }
    found.into_iter().flatten().map(|(_, row)| row).collect()
}

/// The things named that each entity is, as bits.
fn marks(graph: &Graph, named: &[Vec<Value>]) -> Vec<u16> {
    let mut marks = vec![0; graph.entity_count()];
    let values = named.iter().enumerate().flat_map(|(at, values)| values.iter().map(move |value| (1 << at, value)));
    for (bit, value) in values {
        match value {
            Value::Entity(entity) => marks[entity.0 as usize] |= bit,
            Value::Number(_) | Value::Date(_) => {
                let own = graph.entities().filter(|entity| is_value(graph, *entity, *value));
                own.for_each(|entity| marks[entity.0 as usize] |= bit);
            }
            Value::Truth(_) => {}
        }
    }
    if graph.has_parts() {
        for entity in graph.entities() {
            let parts = graph.parts(entity).iter().fold(0, |bits, part| bits | marks[part.0 as usize]);
            marks[entity.0 as usize] |= parts;
        }
    }
    marks
}

/// Tells if a text may be read as a value.
fn is_value(graph: &Graph, entity: EntityId, value: Value) -> bool {
    let has = |reading: Reading| match (graph.read(entity, reading), value) {
        (Some(Value::Date(own)), Value::Date(date)) => own.agrees(date),
        (own, value) => own == Some(value),
    };
    let readings = match value {
        Value::Date(_) => &[Reading::Date, Reading::Date2][..],
        _ => &[Reading::Number, Reading::Number2, Reading::Duration, Reading::Year, Reading::Month, Reading::Weekday],
    };
    readings.iter().any(|reading| has(*reading))
}

/// Rows that have something named, by what they have; most things first.
fn groups(graph: &Graph, marks: &[u16]) -> Vec<Vec<u32>> {
    let mut rows = vec![0u16; graph.row_count()];
    for column in graph.columns() {
        rows.iter_mut().zip(&column.cells).for_each(|(bits, entity)| *bits |= marks[entity.0 as usize]);
    }
    let mut groups: BTreeMap<(u32, u16), Vec<u32>> = BTreeMap::new();
    for (row, bits) in rows.into_iter().enumerate().filter(|(_, bits)| *bits != 0) {
        groups.entry((bits.count_zeros(), bits)).or_default().push(row as u32);
    }
    groups.into_values().collect()
}
