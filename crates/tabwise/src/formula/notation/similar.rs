//! Suggestions for misspelt names in error messages.

use crate::graph::Graph;

/// Number of names that are compared at most.
const COMPARED: usize = 50_000;
/// Number of names that are suggested at most.
const SUGGESTED: usize = 3;
/// Number of characters of a name that are compared.
const LONGEST: usize = 40;

/// Error message for a column that the table does not have.
pub(super) fn no_column(name: &str, graph: &Graph) -> String {
    let columns = graph.columns().iter().map(|column| column.name.as_str());
    let hint = match suggestions(name, columns.clone()) {
        Some(similar) => format!("did you mean {similar}?"),
        None => format!("it has {}", list(columns.take(12))),
    };
    format!("the table has no column {name:?}; {hint}")
}

/// Error message for a cell that the table does not have.
pub(super) fn no_cell(name: &str, graph: &Graph) -> String {
    let hint = match graph.column_named(name) {
        Some(_) => Some(format!("it has a column of this name: write {name:?}.x or R[{name:?}].x")),
        None => suggestions(name, graph.entities().take(COMPARED).map(|entity| graph.name(entity)))
            .map(|similar| format!("did you mean {similar}?")),
    };
    let hint = hint.unwrap_or_else(|| "give the whole text of a cell, or of a part of one".to_owned());
    format!("the table has no cell {name:?}; {hint}")
}

/// Lists the most similar names; `None` if no name is similar.
fn suggestions<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    let wanted = letters(name);
    let far = (wanted.len() / 3).max(1);
    let mut near: Vec<(usize, &str)> =
        known.filter_map(|other| Some((distance(&wanted, &letters(other), far)?, other))).collect();
    near.sort();
    (!near.is_empty()).then(|| list(near.into_iter().map(|(_, name)| name).take(SUGGESTED)))
}

fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

fn letters(name: &str) -> String {
    name.chars().flat_map(char::to_lowercase).take(LONGEST).collect()
}

/// Edit distance of two names, where swapped neighbours are one change; `None` beyond `far`. If `b` contains `a`, the distance counts as 1.
fn distance(a: &str, b: &str, far: usize) -> Option<usize> {
    if a.len() >= 3 && b.contains(a) {
        return Some(1);
    }
    if a.len().abs_diff(b.len()) > far {
        return None;
    }
    Some(strsim::osa_distance(a, b)).filter(|changes| *changes <= far)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested() {
        let names = ["Country", "City", "Number of medals"];
        let near = |name: &str| suggestions(name, names.into_iter());
        assert_eq!(near("Contry").as_deref(), Some("\"Country\""));
        assert_eq!(near("medals").as_deref(), Some("\"Number of medals\""));
        assert_eq!(near("Cty").as_deref(), Some("\"City\""));
        assert_eq!(near("Ctiy").as_deref(), Some("\"City\""));
        assert_eq!(near("Athlete"), None);
    }
}
