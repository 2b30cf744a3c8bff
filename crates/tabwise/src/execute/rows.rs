//! Sets of rows, as bits. A [`RowSet`] keeps only the words from its first to its last row, so that a set of one row
//! takes one word in a table of any length: a lambda over all rows makes such a set for each of them.

/// Set of rows of one table. A set that was ranked remembers the order; operations on sets forget it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RowSet {
    /// Number of the first word that is kept. The first and the last kept word are not zero, and the empty set starts
    /// at 0, so equal sets are equal in every field.
    start: usize,
    words: Vec<u64>,
    /// Number of rows of the table.
    len: usize,
    /// Rows from best to worst, if they were ranked.
    ranking: Option<Box<[u32]>>,
}

impl RowSet {
    /// Empty set for a table of `len` rows.
    pub fn empty(len: usize) -> RowSet {
        RowSet { start: 0, words: Vec::new(), len, ranking: None }
    }

    /// Set of all rows.
    pub fn full(len: usize) -> RowSet {
        let mut words = vec![!0; len.div_ceil(64)];
        clear_beyond(&mut words, len);
        RowSet { start: 0, words, len, ranking: None }
    }

    /// Set of one row.
    pub fn one(len: usize, row: u32) -> RowSet {
        RowSet::from_rows(len, std::iter::once(row as usize))
    }

    /// Set of these rows. Numbers beyond the table are ignored.
    pub fn from_rows(len: usize, rows: impl Iterator<Item = usize> + Clone) -> RowSet {
        let rows = rows.filter(|row| *row < len);
        let Some(first) = rows.clone().min() else { return RowSet::empty(len) };
        let last = rows.clone().max().expect("there is a first");
        let start = first / 64;
        let mut words = vec![0; last / 64 - start + 1];
        rows.for_each(|row| words[row / 64 - start] |= 1 << (row % 64));
        RowSet { start, words, len, ranking: None }
    }

    /// Set of the rows for which `keep` is true.
    pub fn filter(len: usize, keep: impl Fn(usize) -> bool) -> RowSet {
        let mut words = vec![0; len.div_ceil(64)];
        for (at, word) in words.iter_mut().enumerate() {
            let start = at * 64;
            for row in start..(start + 64).min(len) {
                *word |= u64::from(keep(row)) << (row - start);
            }
        }
        RowSet { start: 0, words, len, ranking: None }.trimmed()
    }

    /// Set of rows that were ranked, from best to worst; each row is listed once.
    pub fn ranked(len: usize, rows: Vec<u32>) -> RowSet {
        let set = RowSet::from_rows(len, rows.iter().map(|row| *row as usize));
        RowSet { ranking: Some(rows.into()), ..set }
    }

    /// Rows from best to worst, if they were ranked.
    pub fn ranking(&self) -> Option<&[u32]> {
        self.ranking.as_deref()
    }

    /// Number of rows of the table, not of the set: that is [`RowSet::count`].
    pub fn len(&self) -> usize {
        self.len
    }

    /// Tells if the set has no rows.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Tells if the set has more than one row.
    pub fn is_many(&self) -> bool {
        let mut words = self.words.iter().filter(|word| **word != 0);
        words.next().is_some_and(|first| !first.is_power_of_two()) || words.next().is_some()
    }

    /// Number of rows in the set.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Tells if a row is in the set.
    pub fn contains(&self, row: usize) -> bool {
        self.word(row / 64) >> (row % 64) & 1 == 1
    }

    /// Bytes of memory that the set takes.
    pub(super) fn memory(&self) -> usize {
        size_of_val(self.words.as_slice()) + self.ranking.as_deref().map_or(0, size_of_val)
    }

    /// Number of words that are kept.
    pub(super) fn weight(&self) -> usize {
        self.words.len()
    }

    /// Word with this number; zero outside those that are kept.
    fn word(&self, at: usize) -> u64 {
        at.checked_sub(self.start).and_then(|at| self.words.get(at)).copied().unwrap_or(0)
    }

    fn end(&self) -> usize {
        self.start + self.words.len()
    }

    /// Rows of both sets.
    pub fn and(&self, other: &RowSet) -> RowSet {
        let (start, end) = (self.start.max(other.start), self.end().min(other.end()));
        let words = (start..end).map(|at| self.word(at) & other.word(at)).collect();
        RowSet { start, words, len: self.len, ranking: None }.trimmed()
    }

    /// Rows of this set that are not in the other.
    pub fn without(&self, other: &RowSet) -> RowSet {
        let words = (self.start..self.end()).map(|at| self.word(at) & !other.word(at)).collect();
        RowSet { start: self.start, words, len: self.len, ranking: None }.trimmed()
    }

    /// Rows of either set.
    pub fn or(&self, other: &RowSet) -> RowSet {
        RowSet::union(self.len, [self, other].into_iter())
    }

    /// Rows of any of the sets.
    pub fn union<'s>(len: usize, sets: impl Iterator<Item = &'s RowSet> + Clone) -> RowSet {
        let sets = sets.filter(|set| !set.is_empty());
        let Some(start) = sets.clone().map(|set| set.start).min() else { return RowSet::empty(len) };
        let end = sets.clone().map(RowSet::end).max().expect("there is a first");
        let mut words = vec![0; end - start];
        for set in sets {
            words[set.start - start..].iter_mut().zip(&set.words).for_each(|(all, some)| *all |= some);
        }
        RowSet { start, words, len, ranking: None }
    }

    /// Replaces each row by the one after it; the last row is dropped.
    pub fn shifted_down(&self) -> RowSet {
        let end = (self.end() + 1).min(self.len.div_ceil(64));
        let before = |at: usize| if at == 0 { 0 } else { self.word(at - 1) >> 63 };
        let mut words: Vec<u64> = (self.start..end).map(|at| self.word(at) << 1 | before(at)).collect();
        clear_beyond(&mut words, self.len.saturating_sub(self.start * 64));
        RowSet { start: self.start, words, len: self.len, ranking: None }.trimmed()
    }

    /// Replaces each row by the one before it; the first row is dropped.
    pub fn shifted_up(&self) -> RowSet {
        let start = self.start.saturating_sub(1);
        let words = (start..self.end()).map(|at| self.word(at) >> 1 | self.word(at + 1) << 63).collect();
        RowSet { start, words, len: self.len, ranking: None }.trimmed()
    }

    /// Removes zero words at both ends.
    fn trimmed(mut self) -> RowSet {
        let last = self.words.iter().rposition(|word| *word != 0);
        self.words.truncate(last.map_or(0, |last| last + 1));
        let zeros = self.words.iter().take_while(|word| **word == 0).count();
        self.words.drain(..zeros);
        self.start = if self.words.is_empty() { 0 } else { self.start + zeros };
        self
    }

    /// Rows in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.words.iter().enumerate().flat_map(|(at, word)| {
            let mut left = *word;
            let start = (self.start + at) * 64;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                left &= left.checked_sub(1)?;
                Some(start + bit)
            })
        })
    }
}

/// Clears all bits but the first `len`.
fn clear_beyond(words: &mut [u64], len: usize) {
    if let Some(word) = words.get_mut(len / 64) {
        *word &= (1 << (len % 64)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn set(len: usize, rows: &[usize]) -> RowSet {
        RowSet::from_rows(len, rows.iter().copied())
    }

    #[test]
    fn sets_of_rows_are_sets() {
        for len in [1, 63, 64, 65, 128, 200] {
            let a: BTreeSet<usize> = (0..len).filter(|row| row % 7 == 3 || *row > 120).collect();
            let b: BTreeSet<usize> = (0..len).filter(|row| row % 5 == 3 && *row < 130).collect();
            let (x, y) = (RowSet::filter(len, |row| a.contains(&row)), RowSet::filter(len, |row| b.contains(&row)));
            let same = |set: RowSet, rows: BTreeSet<usize>| {
                assert!(set.iter().eq(rows.iter().copied()), "{set:?} {rows:?}");
                assert_eq!(set.count(), rows.len());
                assert_eq!(set, RowSet::from_rows(len, rows.iter().copied()));
                assert!((0..len + 70).all(|row| set.contains(row) == rows.contains(&row)));
            };
            same(x.and(&y), &a & &b);
            same(x.or(&y), &a | &b);
            same(x.without(&y), &a - &b);
            same(x.shifted_down(), a.iter().map(|row| row + 1).filter(|row| *row < len).collect());
            same(x.shifted_up(), a.iter().filter_map(|row| row.checked_sub(1)).collect());
            same(RowSet::full(len), (0..len).collect());
        }
    }

    #[test]
    fn one_row_is_small() {
        assert_eq!(RowSet::one(1_000_000, 999_999).weight(), 1);
        assert_eq!(RowSet::one(1_000_000, 64).shifted_up(), set(1_000_000, &[63]));
        assert_eq!(RowSet::one(65, 64).shifted_down(), RowSet::empty(65));
        assert_eq!(set(10, &[3, 12, 64]), set(10, &[3]));
    }
}
