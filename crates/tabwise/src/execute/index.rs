//! Lookup of rows by entity: [`EntitySet`] for several entities in one pass, [`ColumnIndex`] for one entity many times,
//! [`ReadIndex`] for the value of a reading many times. Cells that stand for a missing value are in none of them.

use super::{Item, RowSet, Undefined};
use crate::graph::{ColumnId, Graph, Reading};
use crate::value::{EntityId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Number of entities for each row from which they are not numbered through: those of a sample are few among many.
const SCATTERED: usize = 16;

fn is_scattered(graph: &Graph) -> bool {
    graph.entity_count() / SCATTERED > graph.row_count()
}

/// Set of entities.
pub(super) enum EntitySet {
    /// As bits.
    Bits(Vec<u64>),
    /// By hash, where bits would be mostly zeros.
    Few(FxHashSet<EntityId>),
}

impl EntitySet {
    pub(super) fn new(graph: &Graph, items: &[Item]) -> Result<EntitySet, Undefined> {
        if is_scattered(graph) {
            return EntitySet::few(graph, items);
        }
        let mut bits = vec![0; graph.entity_count().div_ceil(64)];
        for item in items {
            let Value::Entity(entity) = item.value else { return Err(Undefined::Type) };
            let EntityId(id) = entity;
            bits[id as usize / 64] |= u64::from(!graph.is_missing(entity)) << (id % 64);
        }
        Ok(EntitySet::Bits(bits))
    }

    fn few(graph: &Graph, items: &[Item]) -> Result<EntitySet, Undefined> {
        let entity = |item: &Item| match item.value {
            Value::Entity(entity) => Ok(entity),
            _ => Err(Undefined::Type),
        };
        let mut entities = items.iter().map(entity).collect::<Result<FxHashSet<EntityId>, Undefined>>()?;
        entities.retain(|entity| !graph.is_missing(*entity));
        Ok(EntitySet::Few(entities))
    }

    pub(super) fn contains(&self, entity: EntityId) -> bool {
        match self {
            EntitySet::Bits(bits) => bits[entity.0 as usize / 64] >> (entity.0 % 64) & 1 == 1,
            EntitySet::Few(entities) => entities.contains(&entity),
        }
    }
}

/// Rows of each entity in a column.
pub(super) struct ColumnIndex {
    /// Entities that have rows, in ascending order; empty if entities are numbered through.
    entities: Vec<EntityId>,
    /// Position in `rows` behind the last row of each entity.
    ends: Vec<u32>,
    /// Rows of the column, grouped by entity.
    rows: Vec<u32>,
}

impl ColumnIndex {
    pub(super) fn new(graph: &Graph, column: ColumnId) -> ColumnIndex {
        if is_scattered(graph) {
            return ColumnIndex::scattered(graph, column);
        }
        let cells = &graph.column(column).cells;
        // A counting sort: count the rows of each entity, sum up to get where they start, then move each start to its
        // end while the rows are filled in.
        let mut ends = vec![0u32; graph.entity_count() + 1];
        cells.iter().for_each(|entity| ends[entity.0 as usize + 1] += u32::from(!graph.is_missing(*entity)));
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        let mut rows = vec![0; cells.len()];
        for (row, entity) in cells.iter().enumerate().filter(|(_, entity)| !graph.is_missing(**entity)) {
            let next = &mut ends[entity.0 as usize];
            rows[*next as usize] = row as u32;
            *next += 1;
        }
        ColumnIndex { entities: Vec::new(), ends, rows }
    }

    fn scattered(graph: &Graph, column: ColumnId) -> ColumnIndex {
        let cells = graph.column(column).cells.iter().zip(0..).filter(|(entity, _)| !graph.is_missing(**entity));
        let mut cells: Vec<(EntityId, u32)> = cells.map(|(entity, row)| (*entity, row)).collect();
        cells.sort_unstable();
        let (mut entities, mut ends) = (Vec::new(), Vec::new());
        for (entity, end) in cells.iter().map(|(entity, _)| *entity).zip(1..) {
            if entities.last() != Some(&entity) {
                entities.push(entity);
                ends.push(end);
            }
            *ends.last_mut().expect("an entity was added") = end;
        }
        ColumnIndex { entities, ends, rows: cells.into_iter().map(|(_, row)| row).collect() }
    }

    /// Rows of an entity, in ascending order.
    pub(super) fn rows(&self, entity: EntityId) -> &[u32] {
        let at = match self.entities.is_empty() {
            true => entity.0 as usize,
            false => match self.entities.binary_search(&entity) {
                Ok(at) => at,
                Err(_) => return &[],
            },
        };
        let Some(&end) = self.ends.get(at) else { return &[] };
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.rows[start as usize..end as usize]
    }

    /// Rows of an entity as a set, for a table of `len` rows.
    pub(super) fn rows_of(&self, entity: EntityId, len: usize) -> RowSet {
        RowSet::from_rows(len, self.rows(entity).iter().map(|row| *row as usize))
    }
}

/// Rows of each number or part in a column.
pub(super) struct ReadIndex(FxHashMap<Value, Vec<u32>>);

impl ReadIndex {
    pub(super) fn new(graph: &Graph, column: ColumnId, reading: Reading) -> ReadIndex {
        let mut rows: FxHashMap<Value, Vec<u32>> = FxHashMap::default();
        let mut add = |value: Value, row: usize| {
            let found = rows.entry(value).or_default();
            // A text may have the same part twice.
            if found.last() != Some(&(row as u32)) {
                found.push(row as u32);
            }
        };
        let cells = graph.column(column).cells.iter().enumerate();
        for (row, entity) in cells.filter(|(_, entity)| !graph.is_missing(**entity)) {
            match (reading, graph.parts(*entity)) {
                (Reading::Part, []) => add(Value::Entity(*entity), row),
                (Reading::Part, parts) => parts.iter().for_each(|part| add(Value::Entity(*part), row)),
                _ => graph.read(*entity, reading).into_iter().for_each(|value| add(value, row)),
            }
        }
        rows.retain(|value, _| !matches!(value, Value::Entity(entity) if graph.is_missing(*entity)));
        ReadIndex(rows)
    }

    /// Rows of a value, in ascending order.
    pub(super) fn rows(&self, value: Value) -> &[u32] {
        self.0.get(&value).map_or(&[], Vec::as_slice)
    }
}
