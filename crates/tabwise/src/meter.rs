//! [`Meter`]: what a piece of work may use. Reading a table, making its graph and answering about it take memory and
//! steps from a meter before they use them, so that neither a number in a file nor the product of two sizes can take
//! more than the [`Budget`]. Exceeding it is one error, [`Exceeded`].
//!
//! Memory is an estimate of the bytes that are allocated at one time. `tests/memory.rs` compares it with what the
//! allocator counts: the peak stays below twice the budget.

use std::cell::Cell;

/// Memory and steps that a piece of work may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes of memory.
    pub memory: u64,
    /// Steps of work that grows faster than its input. A step takes about a nanosecond.
    pub steps: u64,
}

impl Budget {
    /// No limits, for tables that are known to be harmless.
    pub const UNLIMITED: Budget = Budget { memory: u64::MAX, steps: u64::MAX };
}

/// A budget that was not enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Exceeded {
    /// More memory would be needed.
    #[error(
        "this table needs more memory than the limit of {0} bytes; raise the limit \"memory\" if the input is trusted"
    )]
    Memory(u64),
    /// More steps would be needed.
    #[error("this input needs more than the limit of {0} steps; raise the limit \"steps\" if the input is trusted")]
    Steps(u64),
}

/// A budget, and what has been used of it.
#[derive(Debug)]
pub struct Meter {
    budget: Budget,
    memory: Cell<u64>,
    steps: Cell<u64>,
}

impl Meter {
    /// Starts with nothing used.
    pub fn new(budget: Budget) -> Meter {
        Meter { budget, memory: Cell::new(0), steps: Cell::new(0) }
    }

    /// Takes memory that is going to be allocated and kept.
    pub fn take(&self, bytes: usize) -> Result<(), Exceeded> {
        self.has_room(bytes)?;
        self.memory.set(self.memory.get() + bytes as u64);
        Ok(())
    }

    /// Checks that there is memory for something that lives for a moment only.
    pub fn has_room(&self, bytes: usize) -> Result<(), Exceeded> {
        if bytes as u64 <= self.room() { Ok(()) } else { Err(Exceeded::Memory(self.budget.memory)) }
    }

    /// Gives back memory that was taken.
    pub fn give_back(&self, bytes: usize) {
        self.memory.set(self.memory.get().saturating_sub(bytes as u64));
    }

    /// Budget that was started with.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Memory that is left.
    pub fn room(&self) -> u64 {
        self.budget.memory - self.memory.get()
    }

    /// Takes steps that are going to be made.
    pub fn step(&self, steps: usize) -> Result<(), Exceeded> {
        let all = self.steps.get().saturating_add(steps as u64);
        if all > self.budget.steps {
            return Err(Exceeded::Steps(self.budget.steps));
        }
        self.steps.set(all);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_never_more_than_the_budget() {
        let meter = Meter::new(Budget { memory: 100, steps: 10 });
        assert_eq!(meter.take(60), Ok(()));
        assert_eq!((meter.take(41), meter.has_room(41)), (Err(Exceeded::Memory(100)), Err(Exceeded::Memory(100))));
        assert_eq!((meter.has_room(40), meter.room()), (Ok(()), 40));
        meter.give_back(60);
        assert_eq!((meter.take(100), meter.take(usize::MAX)), (Ok(()), Err(Exceeded::Memory(100))));
        assert_eq!(
            (meter.step(10), meter.step(1), meter.step(usize::MAX)),
            (Ok(()), Err(Exceeded::Steps(10)), Err(Exceeded::Steps(10)))
        );
    }
}
