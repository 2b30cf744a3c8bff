//! Views of a table: the rows that have a text, or all of them, in the order of a column. The page shows long tables by
//! them. A worker finds the rows, since it knows the readings of cells, and the server remembers those of the last view.

use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use tabwise::graph::{Column, Graph, Reading};
use tabwise::value::{EntityId, Value};

/// Choice and order of rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct View {
    /// Text that some cell of a row has, in any case; empty for all rows.
    pub find: String,
    /// Column that orders the rows; `None` for the order of the table.
    pub sort: Option<usize>,
    pub descending: bool,
}

impl View {
    /// The rows of a table in this view.
    pub(crate) fn rows(&self, graph: &Graph) -> Vec<u32> {
        let mut rows = self.found(graph);
        if let Some(column) = self.sort.and_then(|column| graph.columns().get(column)) {
            sort(&mut rows, column, graph, self.descending);
        }
        rows
    }

    /// The rows that have the text. Each distinct cell is looked at once.
    fn found(&self, graph: &Graph) -> Vec<u32> {
        let rows = 0..graph.row_count() as u32;
        if self.find.is_empty() {
            return rows.collect();
        }
        let text = self.find.to_lowercase();
        let has: Vec<bool> = graph.entities().map(|entity| graph.name(entity).to_lowercase().contains(&text)).collect();
        let is_found = |row: &u32| graph.columns().iter().any(|column| has[column.cells[*row as usize].0 as usize]);
        rows.filter(is_found).collect()
    }
}

/// Sorts rows by a column: by its dates or numbers if nearly all of its cells have them, else by its texts. Rows without a
/// value come last, and equal ones keep their order.
fn sort(rows: &mut [u32], column: &Column, graph: &Graph, descending: bool) {
    match [Reading::Date, Reading::Number].into_iter().find(|reading| is_of(column, graph, *reading)) {
        Some(reading) => sort_by(rows, descending, |row| value(column, graph, row, reading)),
        None => sort_by(rows, descending, |row| {
            Some(graph.name(column.cells[row as usize]).to_lowercase()).filter(|text| !text.is_empty())
        }),
    }
}

fn value(column: &Column, graph: &Graph, row: u32, reading: Reading) -> Option<Value> {
    graph.read(column.cells[row as usize], reading)
}

/// True if at least four of five cells that are not missing have a reading. A name with a number in it ("Land 5") is a text.
fn is_of(column: &Column, graph: &Graph, reading: Reading) -> bool {
    let is_filled = |entity: &EntityId| !graph.is_missing(*entity) && !graph.name(*entity).is_empty();
    let is_name = |entity: EntityId| reading == Reading::Number && graph.name(entity).starts_with(char::is_alphabetic);
    let is_read = |entity: &&EntityId| graph.has_reading(**entity, reading) && !is_name(**entity);
    let (all, read) =
        (column.cells.iter().filter(|entity| is_filled(entity)).count(), column.cells.iter().filter(is_read).count());
    all > 0 && read * 5 >= all * 4
}

fn sort_by<K: Ord>(rows: &mut [u32], descending: bool, key: impl Fn(u32) -> Option<K>) {
    match descending {
        true => rows.sort_by_cached_key(|row| (Reverse(key(*row)), *row)),
        false => rows.sort_by_cached_key(|row| {
            let key = key(*row);
            (key.is_none(), key, *row)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabwise::Table;
    use tabwise::words::Words;

    const GAMES: &str = "City,Held,Nations,Group\nRome,25 August 1960,83,Pool 2\nParis,14 May 1900,,Set 1\n\
                         paris,4 May 1924,44,Pool 10\nAthens,1896,1014,Pool 1\n";

    fn rows(view: &View) -> Vec<u32> {
        let table = Table::from_csv(GAMES).expect("it is a table");
        view.rows(&Graph::new(&table, &Words::embedded()))
    }

    fn sorted(column: usize, descending: bool) -> Vec<u32> {
        rows(&View { sort: Some(column), descending, ..View::default() })
    }

    #[test]
    fn rows_are_sorted_by_what_the_cells_mean() {
        assert_eq!(sorted(0, false), [3, 1, 2, 0], "by text, in any case");
        assert_eq!(sorted(1, false), [3, 1, 2, 0], "by date");
        assert_eq!(sorted(2, false), [2, 0, 3, 1], "by number");
        assert_eq!(sorted(2, true), [3, 0, 2, 1], "what is missing comes last");
        assert_eq!(sorted(3, false), [3, 2, 0, 1], "a name with a number is a text");
        assert_eq!(sorted(7, false), [0, 1, 2, 3], "there is no such column");
    }

    #[test]
    fn rows_are_found_by_a_text() {
        let find = |text: &str| rows(&View { find: text.to_owned(), ..View::default() });
        assert_eq!((find("PARIS"), find("may"), find("nowhere")), (vec![1, 2], vec![1, 2], vec![]));
        assert_eq!(rows(&View { find: "paris".to_owned(), sort: Some(1), descending: true }), [2, 1]);
    }
}
