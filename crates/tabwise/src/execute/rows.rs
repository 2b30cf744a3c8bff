//! Sets of rows, as bits.

/// A set of rows of one table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RowSet {
    words: Vec<u64>,
    len: usize,
}

impl RowSet {
    pub fn empty(len: usize) -> RowSet {
        RowSet { words: vec![0; len.div_ceil(64)], len }
    }

    pub fn full(len: usize) -> RowSet {
        let mut rows = RowSet { words: vec![!0; len.div_ceil(64)], len };
        rows.clear_beyond();
        rows
    }

    /// The set of one row.
    pub fn one(len: usize, row: u32) -> RowSet {
        let mut rows = RowSet::empty(len);
        rows.insert(row as usize);
        rows
    }

    /// The rows for which `keep` holds.
    pub fn filter(len: usize, keep: impl Fn(usize) -> bool) -> RowSet {
        let mut rows = RowSet::empty(len);
        for (at, word) in rows.words.iter_mut().enumerate() {
            let start = at * 64;
            for row in start..(start + 64).min(len) {
                *word |= u64::from(keep(row)) << (row - start);
            }
        }
        rows
    }

    /// How many rows the table has.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn contains(&self, row: usize) -> bool {
        row < self.len && self.words[row / 64] >> (row % 64) & 1 == 1
    }

    pub fn insert(&mut self, row: usize) {
        if row < self.len {
            self.words[row / 64] |= 1 << (row % 64);
        }
    }

    pub fn and(&self, other: &RowSet) -> RowSet {
        self.zip(other, |a, b| a & b)
    }

    pub fn or(&self, other: &RowSet) -> RowSet {
        self.zip(other, |a, b| a | b)
    }

    fn zip(&self, other: &RowSet, op: impl Fn(u64, u64) -> u64) -> RowSet {
        let words = self.words.iter().zip(&other.words).map(|(a, b)| op(*a, *b)).collect();
        RowSet { words, len: self.len }
    }

    /// Each row replaced by the one after it; the last row has none.
    pub fn shifted_down(&self) -> RowSet {
        let mut carry = 0;
        let mut shifted = self.clone();
        for word in &mut shifted.words {
            let next = *word >> 63;
            *word = *word << 1 | carry;
            carry = next;
        }
        shifted.clear_beyond();
        shifted
    }

    /// Each row replaced by the one before it; the first row has none.
    pub fn shifted_up(&self) -> RowSet {
        let mut carry = 0;
        let mut shifted = self.clone();
        for word in shifted.words.iter_mut().rev() {
            let next = *word << 63;
            *word = *word >> 1 | carry;
            carry = next;
        }
        shifted
    }

    fn clear_beyond(&mut self) {
        let used = self.len % 64;
        if let Some(last) = self.words.last_mut().filter(|_| used != 0) {
            *last &= (1 << used) - 1;
        }
    }

    /// The rows, from the first to the last.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                left &= left.checked_sub(1)?;
                Some(at * 64 + bit)
            })
        })
    }
}
