//! [`Entities`]: the texts of a table, each once, with everything that they may mean. They do not depend on rows, so a
//! sample of the rows shares them.

use super::Reading;
use super::conventions::Conventions;
use super::names::Names;
use crate::meter::{Exceeded, Meter};
use crate::text::readings::{Readings, read_cell_by};
use crate::value::{Date, EntityId, Value};
use crate::words::Words;

/// Texts by id, and their readings.
pub(super) struct Entities {
    names: Names,
    numbers: Sparse<f64>,
    numbers2: Sparse<f64>,
    durations: Sparse<f64>,
    dates: Sparse<Option<Date>>,
    dates2: Sparse<Option<Date>>,
    /// End of each entity's parts in `parts`, up to the last entity that has any; they begin at the end of those
    /// before.
    part_ends: Vec<u32>,
    parts: Vec<EntityId>,
}

/// A value for each entity, up to the last one that has any. A reading that no text has takes no memory.
struct Sparse<T> {
    values: Vec<T>,
    none: T,
}

impl<T: Copy> Sparse<T> {
    fn new(none: T) -> Sparse<T> {
        Sparse { values: Vec::new(), none }
    }

    /// Sets a value; entities have to come in ascending order.
    fn set(&mut self, at: usize, value: T) {
        self.values.resize(at, self.none);
        self.values.push(value);
    }

    fn get(&self, at: usize) -> T {
        self.values.get(at).copied().unwrap_or(self.none)
    }
}

/// Bytes that the readings of an entity take, and a part of a list while it is read.
const READINGS: usize = 96;
const PART: usize = 96;

impl Entities {
    /// Reads every text by the convention of its column. Parts become entities after those of the cells, and have no
    /// parts of their own.
    pub(super) fn read(
        names: Names,
        conventions: &Conventions,
        words: &Words,
        meter: &Meter,
    ) -> Result<Entities, Exceeded> {
        let mut entities = Entities {
            names,
            numbers: Sparse::new(f64::NAN),
            numbers2: Sparse::new(f64::NAN),
            durations: Sparse::new(f64::NAN),
            dates: Sparse::new(None),
            dates2: Sparse::new(None),
            part_ends: Vec::new(),
            parts: Vec::new(),
        };
        let whole = entities.names.len();
        let mut at = 0;
        // The list grows while it is read: `set_parts` adds new entities at its end.
        while at < entities.names.len() {
            meter.take(READINGS)?;
            // A long text may be a list of as many parts as it has separators.
            meter.has_room(entities.names.get(at).len().saturating_mul(size_of::<&str>()))?;
            let readings = read_cell_by(entities.names.get(at), conventions.get(at), words);
            let parts: Vec<String> = match at < whole {
                true => {
                    let text: usize = readings.parts.iter().map(|part| part.len()).sum();
                    meter.has_room(text + readings.parts.len() * PART)?;
                    readings.parts.iter().map(|part| part.to_string()).collect()
                }
                false => Vec::new(),
            };
            let readings = readings.without_parts();
            entities.set_readings(at, &readings);
            entities.set_parts(at, &parts, meter)?;
            at += 1;
        }
        entities.names.shrink();
        Ok(entities)
    }

    fn set_readings(&mut self, at: usize, readings: &Readings) {
        let numbers = [
            (&mut self.numbers, readings.number),
            (&mut self.numbers2, readings.number2),
            (&mut self.durations, readings.duration),
        ];
        for (numbers, number) in numbers {
            if let Some(number) = number {
                numbers.set(at, number);
            }
        }
        for (dates, date) in [(&mut self.dates, readings.date), (&mut self.dates2, readings.date2)] {
            if date.is_some() {
                dates.set(at, date);
            }
        }
    }

    fn set_parts(&mut self, at: usize, parts: &[String], meter: &Meter) -> Result<(), Exceeded> {
        if !parts.is_empty() {
            self.part_ends.resize(at, self.parts.len() as u32);
            for part in parts {
                let part = intern(&mut self.names, part, meter)?;
                self.parts.push(part);
            }
            meter.take(parts.len() * 2 * size_of::<EntityId>())?;
            self.part_ends.push(self.parts.len() as u32);
        }
        Ok(())
    }

    pub(super) fn count(&self) -> usize {
        self.names.len()
    }

    pub(super) fn name(&self, entity: EntityId) -> &str {
        self.names.get(entity.0 as usize)
    }

    pub(super) fn named(&self, text: &str) -> Option<EntityId> {
        self.names.find(text)
    }

    pub(super) fn has_parts(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Returns the parts of a list; empty if the text is not a list.
    pub(super) fn parts(&self, entity: EntityId) -> &[EntityId] {
        let at = entity.0 as usize;
        let Some(&end) = self.part_ends.get(at) else { return &[] };
        let start = if at == 0 { 0 } else { self.part_ends[at - 1] };
        &self.parts[start as usize..end as usize]
    }

    /// Returns the number, date or duration of a reading. `Part` may have several values: see `parts`.
    pub(super) fn reading(&self, entity: EntityId, reading: Reading) -> Option<Value> {
        let at = entity.0 as usize;
        // NaN marks an entity without this reading; no cell reads as NaN.
        let number = |n: f64| (!n.is_nan()).then_some(Value::Number(n));
        match reading {
            Reading::Number => number(self.numbers.get(at)),
            Reading::Number2 => number(self.numbers2.get(at)),
            Reading::Duration => number(self.durations.get(at)),
            Reading::Date => self.dates.get(at).map(Value::Date),
            Reading::Date2 => self.dates2.get(at).map(Value::Date),
            Reading::Year => self.dates.get(at)?.year().map(|year| Value::Number(f64::from(year))),
            Reading::Month => self.dates.get(at)?.month().map(|month| Value::Number(f64::from(month))),
            Reading::Weekday => self.dates.get(at)?.weekday().map(|day| Value::Number(f64::from(day))),
            Reading::Part => None,
        }
    }
}

/// Bytes that a new name takes besides twice its text: its end, and its places in the hash table while that grows.
const NAME: usize = 64;

/// Returns the id of a text, new or known.
pub(super) fn intern(names: &mut Names, text: &str, meter: &Meter) -> Result<EntityId, Exceeded> {
    let (before, needed) = (names.len(), NAME + 2 * text.len());
    meter.has_room(needed)?;
    let id = names.intern(text);
    if names.len() > before {
        meter.take(needed)?;
    }
    Ok(id)
}
