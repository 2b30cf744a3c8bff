//! Lookup of rows by entity: [`EntitySet`] for several entities in one pass, [`ColumnIndex`] for one entity many times.

use super::{Item, RowSet, Undefined};
use crate::graph::{ColumnId, Graph};
use crate::value::{EntityId, Value};

/// Set of entities, as bits.
pub(super) struct EntitySet(Vec<u64>);

impl EntitySet {
    pub(super) fn new(graph: &Graph, items: &[Item]) -> Result<EntitySet, Undefined> {
        let mut bits = vec![0; graph.entity_count().div_ceil(64)];
        for item in items {
            let Value::Entity(EntityId(id)) = item.value else { return Err(Undefined::Type) };
            bits[id as usize / 64] |= 1 << (id % 64);
        }
        Ok(EntitySet(bits))
    }

    pub(super) fn contains(&self, entity: EntityId) -> bool {
        self.0[entity.0 as usize / 64] >> (entity.0 % 64) & 1 == 1
    }
}

/// Rows of each entity in a column.
pub(super) struct ColumnIndex {
    /// Position in `rows` behind the last row of each entity.
    ends: Vec<u32>,
    /// Rows of the column, grouped by entity.
    rows: Vec<u32>,
}

impl ColumnIndex {
    pub(super) fn new(graph: &Graph, column: ColumnId) -> ColumnIndex {
        let cells = &graph.column(column).cells;
        // A counting sort: count the rows of each entity, sum up to get where they start, then move each start to its
        // end while the rows are filled in.
        let mut ends = vec![0u32; graph.entity_count() + 1];
        cells.iter().for_each(|entity| ends[entity.0 as usize + 1] += 1);
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        let mut rows = vec![0; cells.len()];
        for (row, entity) in cells.iter().enumerate() {
            let next = &mut ends[entity.0 as usize];
            rows[*next as usize] = row as u32;
            *next += 1;
        }
        ColumnIndex { ends, rows }
    }

    /// Rows of an entity, in ascending order.
    pub(super) fn rows(&self, entity: EntityId) -> &[u32] {
        let at = entity.0 as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.rows[start as usize..self.ends[at] as usize]
    }

    /// Rows of an entity as a set, for a table of `len` rows.
    pub(super) fn rows_of(&self, entity: EntityId, len: usize) -> RowSet {
        RowSet::from_rows(len, self.rows(entity).iter().map(|row| *row as usize))
    }
}
