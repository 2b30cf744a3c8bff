//! The gate in front of all expensive work. It limits the number of requests that run, the number that wait, and the time
//! they wait, and it is fair: the next turn goes to the client with the fewest running requests, and when the queue is full
//! a client with many requests in it makes room for one with few. Work that turns out to be long moves to a lane of its own,
//! so that it does not hold up short work.

use crate::failure::{Failure, Reply};
use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// The gate. Clones are the same gate.
#[derive(Clone)]
pub(crate) struct Gate {
    queue: Arc<Mutex<Queue>>,
    max_wait: Duration,
}

struct Queue {
    /// Requests that may run at once; as many more may be in the lane of long work.
    at_once: usize,
    max_waiting: usize,
    /// Requests that run, with their clients.
    running: Vec<(u64, IpAddr, Lane)>,
    waiting: VecDeque<Waiting>,
    next: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum Lane {
    Short,
    Long,
}

struct Waiting {
    client: IpAddr,
    turn: oneshot::Sender<Turn>,
}

/// The right to run. Dropping it lets the next request run.
pub(crate) struct Turn {
    number: u64,
    gate: Gate,
}

impl Gate {
    /// Creates a gate for `at_once` running and `max_waiting` waiting requests, which wait for at most `max_wait`.
    pub(crate) fn new(at_once: usize, max_waiting: usize, max_wait: Duration) -> Gate {
        let queue = Queue { at_once, max_waiting, running: Vec::new(), waiting: VecDeque::new(), next: 0 };
        Gate { queue: Arc::new(Mutex::new(queue)), max_wait }
    }

    /// Waits for the turn of a client's request, within the limits.
    pub(crate) async fn turn(&self, client: IpAddr) -> Reply<Turn> {
        let waiting = {
            let mut queue = self.lock();
            queue.forget_the_gone();
            if queue.waiting.is_empty() && queue.has_place() {
                return Ok(queue.start(client, self));
            }
            queue.wait(client)?
        };
        // A turn that comes too late is dropped with the channel, and the next request gets it.
        match tokio::time::timeout(self.max_wait, waiting).await {
            Ok(Ok(turn)) => Ok(turn),
            _ => Err(Failure::busy()),
        }
    }

    /// Number of running requests.
    pub(crate) fn running(&self) -> usize {
        self.lock().running.len()
    }

    /// Number of waiting requests.
    pub(crate) fn waiting(&self) -> usize {
        let mut queue = self.lock();
        queue.forget_the_gone();
        queue.waiting.len()
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets waiting requests run while there are places.
    fn let_in(&self) {
        loop {
            let (turn, to) = {
                let mut queue = self.lock();
                queue.forget_the_gone();
                let Some(next) = queue.has_place().then(|| queue.next_waiting()).flatten() else { return };
                (queue.start(next.client, self), next.turn)
            };
            // A client that has just gone gives the turn back, which happens outside of the lock.
            drop(to.send(turn));
        }
    }
}

impl Queue {
    fn has_place(&self) -> bool {
        self.running.iter().filter(|(_, _, lane)| *lane == Lane::Short).count() < self.at_once
    }

    fn start(&mut self, client: IpAddr, gate: &Gate) -> Turn {
        self.next += 1;
        self.running.push((self.next, client, Lane::Short));
        Turn { number: self.next, gate: gate.clone() }
    }

    /// Drops waiting requests whose clients have gone.
    fn forget_the_gone(&mut self) {
        self.waiting.retain(|waiting| !waiting.turn.is_closed());
    }

    fn running_of(&self, client: IpAddr) -> usize {
        self.running.iter().filter(|(_, of, _)| *of == client).count()
    }

    fn waiting_of(&self, client: IpAddr) -> usize {
        self.waiting.iter().filter(|waiting| waiting.client == client).count()
    }

    /// Takes out the request of the client with the fewest running ones; the first of several.
    fn next_waiting(&mut self) -> Option<Waiting> {
        let (at, _) = self.waiting.iter().enumerate().min_by_key(|(_, waiting)| self.running_of(waiting.client))?;
        self.waiting.remove(at)
    }

    /// Takes a place in the queue. If it is full, the last request of the client with the most in it goes, unless that is
    /// the client who asks.
    fn wait(&mut self, client: IpAddr) -> Reply<oneshot::Receiver<Turn>> {
        if self.waiting.len() >= self.max_waiting {
            let greedy = self.waiting.iter().map(|waiting| waiting.client).max_by_key(|one| self.waiting_of(*one));
            let greedy = greedy.filter(|greedy| self.waiting_of(*greedy) > self.waiting_of(client) + 1);
            let last = self.waiting.iter().rposition(|waiting| Some(waiting.client) == greedy);
            self.waiting.remove(last.ok_or_else(Failure::busy)?);
        }
        let (turn, waiting) = oneshot::channel();
        self.waiting.push_back(Waiting { client, turn });
        Ok(waiting)
    }

    /// Moves running work to the lane of long work, if there is a place: half of them for one client, if there are others.
    fn lengthen(&mut self, number: u64) -> bool {
        let Some(at) = self.running.iter().position(|(one, _, _)| *one == number) else { return false };
        let client = self.running[at].1;
        let long: Vec<IpAddr> =
            self.running.iter().filter(|(_, _, lane)| *lane == Lane::Long).map(|(_, client, _)| *client).collect();
        let own = long.iter().filter(|one| **one == client).count();
        let alone = self.running.iter().map(|(_, of, _)| of).chain(self.waiting.iter().map(|one| &one.client));
        let alone = alone.into_iter().all(|of| *of == client);
        let has_place = long.len() < self.at_once && (alone || own < self.at_once.div_ceil(2));
        if has_place {
            self.running[at].2 = Lane::Long;
        }
        has_place
    }
}

impl Turn {
    /// Moves the work to the lane of long work; false if there is no place.
    pub(crate) fn lengthen(&self) -> bool {
        let moved = self.gate.lock().lengthen(self.number);
        if moved {
            self.gate.let_in();
        }
        moved
    }

    /// True if other requests wait for their turn.
    pub(crate) fn holds_up(&self) -> bool {
        self.gate.waiting() > 0
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.gate.lock().running.retain(|(number, _, _)| *number != self.number);
        self.gate.let_in();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAIT: Duration = Duration::from_millis(100);

    fn client(number: u8) -> IpAddr {
        IpAddr::from([127, 0, 0, number])
    }

    /// Queues a request and returns once it waits.
    async fn queued(gate: &Gate, client: IpAddr) -> tokio::task::JoinHandle<Reply<Turn>> {
        let before = gate.waiting();
        let task = tokio::spawn({
            let gate = gate.clone();
            async move { gate.turn(client).await }
        });
        while gate.waiting() == before && !task.is_finished() {
            tokio::task::yield_now().await;
        }
        task
    }

    #[tokio::test]
    async fn a_full_queue_and_a_long_wait_are_refused() {
        let gate = Gate::new(1, 1, WAIT);
        let first = gate.turn(client(1)).await.expect("there is a place");
        let second = queued(&gate, client(1)).await;
        assert!(gate.turn(client(1)).await.is_err(), "the queue is full");
        assert!(second.await.expect("it ends").is_err(), "it waited too long");
        drop(first);
        assert!(gate.turn(client(1)).await.is_ok(), "the gate is open again");
        assert_eq!((gate.running(), gate.waiting()), (0, 0));
    }

    #[tokio::test]
    async fn a_client_with_many_requests_makes_room_for_one_with_few() {
        let gate = Gate::new(1, 3, Duration::from_secs(5));
        let first = gate.turn(client(1)).await.expect("there is a place");
        let greedy = [queued(&gate, client(1)).await, queued(&gate, client(1)).await, queued(&gate, client(1)).await];
        let modest = tokio::spawn({
            let gate = gate.clone();
            async move { gate.turn(client(2)).await }
        });
        let [_, _, last] = greedy;
        assert!(last.await.expect("it ends").is_err(), "it made room");
        assert!(first.lengthen(), "long work has a lane of its own");
        assert!(modest.await.expect("it ends").is_ok(), "the client with fewer running requests is next");
    }

    #[tokio::test]
    async fn long_work_gives_its_place_to_short_work() {
        let gate = Gate::new(1, 4, WAIT);
        let long = gate.turn(client(1)).await.expect("there is a place");
        assert!(long.lengthen());
        let short = gate.turn(client(1)).await.expect("there is a place again");
        assert!(!short.lengthen(), "the lane is full");
        assert_eq!(gate.running(), 2);
    }
}
