//! [`Dice`]: random choices that a seed decides, the same on every machine and for any number of threads.

use tabwise::hash::StableHash;

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub(super) struct Dice {
    hash: StableHash,
}

impl Dice {
    /// A sequence of its own for each seed and each piece of text.
    pub(super) fn new(seed: u64, of: &str) -> Dice {
        let mut hash = StableHash::new(seed);
        hash.write(of.as_bytes());
        Dice { hash }
    }

    /// A number below `count`; 0 if there is none.
    pub(super) fn below(&mut self, count: usize) -> usize {
        self.hash.add(1);
        // The upper bits of the hash are the best mixed ones.
        ((self.hash.finish() >> 16) % count.max(1) as u64) as usize
    }

    /// True in this many cases of a hundred.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items; `None` if there are none.
    pub(super) fn pick<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        items.get(self.below(items.len()))
    }

    /// The numbers up to a count in a random order.
    pub(super) fn shuffled(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for at in (1..count).rev() {
            order.swap(at, self.below(at + 1));
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_and_every_number_comes() {
        let throw =
            |seed, of| (0..200).map(|_| 0).scan(Dice::new(seed, of), |d, _| Some(d.below(6))).collect::<Vec<_>>();
        assert_eq!(throw(1, "a"), throw(1, "a"));
        assert_ne!(throw(1, "a"), throw(2, "a"));
        assert_ne!(throw(1, "a"), throw(1, "b"));
        assert!((0..6).all(|side| throw(1, "a").iter().filter(|n| **n == side).count() > 15));
    }
}
