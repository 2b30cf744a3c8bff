//! The clean-up that makes a table to compute with from a table made for the eye.

use super::grid::Grid;
use super::{ReadSettings, Table, TableError};

pub(super) fn table(grid: Grid, _settings: &ReadSettings) -> Result<Table, TableError> {
    let width = grid.rows.iter().map(Vec::len).max().unwrap_or(0);
    let text = |place: Option<u32>| place.map_or("", |id| grid.cells[id as usize].text.as_str());
    let is_header = |row: &Vec<Option<u32>>| row.iter().flatten().all(|&id| grid.cells[id as usize].is_header);
    let leading = grid.rows.iter().take_while(|row| is_header(row)).count().max(1).min(grid.rows.len());
    let mut header: Vec<Vec<&str>> = vec![Vec::new(); width];
    for row in &grid.rows[..leading] {
        for (column, &place) in row.iter().enumerate() {
            let text = text(place);
            if !text.is_empty() && !header[column].contains(&text) {
                header[column].push(text);
            }
        }
    }
    let mut rows: Vec<Vec<&str>> = grid.rows[leading..].iter().map(|row| (0..width).map(|c| text(row.get(c).copied().flatten())).collect()).collect();
    rows.retain(|row| !row.iter().all(|cell| *cell == row[0]));
    let mut keep: Vec<usize> = (0..width).filter(|&c| rows.iter().filter(|row| !row[c].is_empty()).count() > 1).collect();
    let header: Vec<String> = header.into_iter().map(|h| h.join("\n")).collect();
    let mut merged: Vec<Vec<usize>> = Vec::new();
    for c in keep.drain(..) {
        if let Some(last) = merged.last_mut() {
            let p = last[0];
            if header[p] == header[c] && rows.iter().all(|row| row[p] == row[c]) {
                last.push(c);
                continue;
            }
        }
        merged.push(vec![c]);
    }
    let mut table = Table::new(merged.iter().map(|m| header[m[0]].clone()).collect());
    for row in &rows {
        table.push_row(merged.iter().map(|m| row[m[0]]));
    }
    Ok(table)
}
