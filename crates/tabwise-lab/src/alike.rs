//! Likeness of tables: tables of one kind, such as seasons or medals, have headers with the same words. A word counts the more
//! the fewer tables have it.

use std::collections::{BTreeMap, BTreeSet};

/// The words of some tables' headers, each with its weight; the squares of a table's weights add up to 1.
pub(crate) struct Likeness {
    words: Vec<BTreeMap<String, f64>>,
}

impl Likeness {
    /// Likeness of tables with these headers.
    pub(crate) fn of<'h>(tables: impl Iterator<Item = Vec<&'h str>>) -> Likeness {
        let said: Vec<BTreeSet<String>> = tables.map(|headers| headers.into_iter().flat_map(words).collect()).collect();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        said.iter().flatten().for_each(|word| *counts.entry(word).or_default() += 1);
        let weight = |word: &String| (said.len() as f64 / counts[word.as_str()] as f64).ln();
        let weighted = |words: &BTreeSet<String>| {
            let weights: Vec<(String, f64)> = words.iter().map(|word| (word.clone(), weight(word))).collect();
            let norm = weights.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
            weights.into_iter().map(|(word, weight)| (word, weight / norm)).collect()
        };
        Likeness { words: said.iter().map(weighted).collect() }
    }

    /// Likeness of two tables, from 0 to 1.
    fn between(&self, one: usize, other: usize) -> f64 {
        self.words[one].iter().filter_map(|(word, weight)| Some(weight * self.words[other].get(word)?)).sum()
    }

    /// All tables, those of a kind one after the other: the table that is most like its `near` nearest, then these, and so
    /// on with the tables that are left.
    pub(crate) fn order(&self, near: usize) -> Vec<usize> {
        let mut left: Vec<usize> = (0..self.words.len()).collect();
        let mut order = Vec::new();
        while !left.is_empty() {
            let nearest = left.iter().map(|table| self.nearest(*table, &left, near));
            let sums = nearest.map(|nearest| nearest.iter().map(|(_, likeness)| likeness).sum::<f64>());
            let middle = left.iter().zip(sums).reduce(|best, one| if one.1 > best.1 { one } else { best });
            let (middle, _) = middle.expect("there are tables left");
            let kind: Vec<usize> = self.nearest(*middle, &left, near).into_iter().map(|(table, _)| table).collect();
            left.retain(|table| !kind.contains(table));
            order.extend(kind);
        }
        order
    }

    /// The tables that are most like one of them, itself included, the most alike first.
    fn nearest(&self, table: usize, among: &[usize], near: usize) -> Vec<(usize, f64)> {
        let mut all: Vec<(usize, f64)> = among.iter().map(|other| (*other, self.between(table, *other))).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        all.truncate(near.max(1));
        all
    }
}

/// The words of a header, in lower case.
fn words(header: &str) -> Vec<String> {
    header.to_lowercase().split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_a_kind_stand_together() {
        let headers =
            ["Year,Title,Role", "Rank,Nation,Gold", "Year,Film,Role", "Nation,Gold,Total", "Film (year),Role"];
        let likeness = Likeness::of(headers.iter().map(|table| table.split(',').collect()));
        assert!((likeness.between(0, 0) - 1.0).abs() < 1e-12 && likeness.between(0, 1) == 0.0);
        let mut kinds: Vec<Vec<usize>> = likeness.order(3).chunks(3).map(<[usize]>::to_vec).collect();
        kinds.iter_mut().for_each(|kind| kind.sort_unstable());
        assert_eq!(kinds, [vec![0, 2, 4], vec![1, 3]]);
    }

    #[test]
    fn tables_without_words_are_like_none() {
        let likeness = Likeness::of([vec!["1"], vec![], vec!["A"]].into_iter());
        assert_eq!(likeness.order(2).len(), 3);
    }
}
