//! The gate in front of all expensive work. It limits the number of requests that run, the number that wait, and the time
//! they wait, and it is fair: the next turn goes to the client with the fewest running requests, and when the queue is full
//! a client with many requests in it makes room for one with few. Long work has a lane of its own, so that it does not hold
//! up short work: a request that is large starts there, and one that turns out to be long moves there.

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
    /// Requests that may run at once in each lane.
    at_once: usize,
    max_waiting: usize,
    /// Requests that run, with their clients.
    running: Vec<(u64, IpAddr, Lane)>,
    waiting: VecDeque<Waiting>,
    next: u64,
}

/// Lane of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    Short,
    Long,
}

struct Waiting {
    client: IpAddr,
    lane: Lane,
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
    pub(crate) async fn turn(&self, client: IpAddr, lane: Lane) -> Reply<Turn> {
        let waiting = {
            let mut queue = self.lock();
            queue.forget_the_gone();
            if queue.waiting_in(lane) == 0 && queue.has_place(client, lane) {
                return Ok(queue.start(client, lane, self));
            }
            queue.wait(client, lane)?
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
                let Some(next) = queue.next_waiting() else { return };
                (queue.start(next.client, next.lane, self), next.turn)
            };
            // A client that has just gone gives the turn back, which happens outside of the lock.
            drop(to.send(turn));
        }
    }
}

impl Queue {
    /// True if a request of this client may run. Of the places for long work, one client gets half if there are others.
    fn has_place(&self, client: IpAddr, lane: Lane) -> bool {
        let running = self.running.iter().filter(|(_, _, of)| *of == lane);
        let own = running.clone().filter(|(_, of, _)| *of == client).count();
        let most_own = match lane {
            Lane::Long if !self.is_alone(client) => self.at_once.div_ceil(2),
            _ => self.at_once,
        };
        running.count() < self.at_once && own < most_own
    }

    /// True if all requests are of this client.
    fn is_alone(&self, client: IpAddr) -> bool {
        let clients = self.running.iter().map(|(_, of, _)| of).chain(self.waiting.iter().map(|one| &one.client));
        clients.into_iter().all(|of| *of == client)
    }

    fn start(&mut self, client: IpAddr, lane: Lane, gate: &Gate) -> Turn {
        self.next += 1;
        self.running.push((self.next, client, lane));
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

    fn waiting_in(&self, lane: Lane) -> usize {
        self.waiting.iter().filter(|waiting| waiting.lane == lane).count()
    }

    /// Takes out a request that has a place: that of the client with the fewest running ones, the first of several.
    fn next_waiting(&mut self) -> Option<Waiting> {
        let waiting = self.waiting.iter().enumerate();
        let with_place = waiting.filter(|(_, waiting)| self.has_place(waiting.client, waiting.lane));
        let (at, _) = with_place.min_by_key(|(_, waiting)| self.running_of(waiting.client))?;
        self.waiting.remove(at)
    }

    /// Takes a place in the queue. If it is full, the last request of the client with the most in it goes, unless that is
    /// the client who asks.
    fn wait(&mut self, client: IpAddr, lane: Lane) -> Reply<oneshot::Receiver<Turn>> {
        if self.waiting.len() >= self.max_waiting {
            let greedy = self.waiting.iter().map(|waiting| waiting.client).max_by_key(|one| self.waiting_of(*one));
            let greedy = greedy.filter(|greedy| self.waiting_of(*greedy) > self.waiting_of(client) + 1);
            let last = self.waiting.iter().rposition(|waiting| Some(waiting.client) == greedy);
            self.waiting.remove(last.ok_or_else(Failure::busy)?);
        }
        let (turn, waiting) = oneshot::channel();
        self.waiting.push_back(Waiting { client, lane, turn });
        Ok(waiting)
    }

    /// Moves running work to the lane of long work, if there is a place.
    fn lengthen(&mut self, number: u64) -> bool {
        let Some(at) = self.running.iter().position(|(one, _, _)| *one == number) else { return false };
        let (_, client, lane) = self.running[at];
        let has_place = lane == Lane::Long || self.has_place(client, Lane::Long);
        if has_place {
            self.running[at].2 = Lane::Long;
        }
        has_place
    }

    fn lane(&self, number: u64) -> Lane {
        self.running.iter().find(|(one, _, _)| *one == number).map_or(Lane::Short, |(_, _, lane)| *lane)
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

    /// Lane in which the work is.
    pub(crate) fn lane(&self) -> Lane {
        self.gate.lock().lane(self.number)
    }

    /// True if other requests wait for their turn in the same lane.
    pub(crate) fn holds_up(&self) -> bool {
        let mut queue = self.gate.lock();
        queue.forget_the_gone();
        queue.waiting_in(queue.lane(self.number)) > 0
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
            async move { gate.turn(client, Lane::Short).await }
        });
        while gate.waiting() == before && !task.is_finished() {
            tokio::task::yield_now().await;
        }
        task
    }

    #[tokio::test]
    async fn a_full_queue_and_a_long_wait_are_refused() {
        let gate = Gate::new(1, 1, WAIT);
        let first = gate.turn(client(1), Lane::Short).await.expect("there is a place");
        let second = queued(&gate, client(1)).await;
        assert!(gate.turn(client(1), Lane::Short).await.is_err(), "the queue is full");
        assert!(second.await.expect("it ends").is_err(), "it waited too long");
        drop(first);
        assert!(gate.turn(client(1), Lane::Short).await.is_ok(), "the gate is open again");
        assert_eq!((gate.running(), gate.waiting()), (0, 0));
    }

    #[tokio::test]
    async fn a_client_with_many_requests_makes_room_for_one_with_few() {
        let gate = Gate::new(1, 3, Duration::from_secs(5));
        let first = gate.turn(client(1), Lane::Short).await.expect("there is a place");
        let greedy = [queued(&gate, client(1)).await, queued(&gate, client(1)).await, queued(&gate, client(1)).await];
        let modest = tokio::spawn({
            let gate = gate.clone();
            async move { gate.turn(client(2), Lane::Short).await }
        });
        let [_, _, last] = greedy;
        assert!(last.await.expect("it ends").is_err(), "it made room");
        assert!(first.lengthen(), "long work has a lane of its own");
        assert!(modest.await.expect("it ends").is_ok(), "the client with fewer running requests is next");
    }

    #[tokio::test]
    async fn long_work_gives_its_place_to_short_work() {
        let gate = Gate::new(1, 4, WAIT);
        let long = gate.turn(client(1), Lane::Short).await.expect("there is a place");
        assert!(long.lengthen());
        let short = gate.turn(client(1), Lane::Short).await.expect("there is a place again");
        assert!(!short.lengthen(), "the lane is full");
        assert_eq!(gate.running(), 2);
    }

    #[tokio::test]
    async fn large_work_waits_in_a_lane_of_its_own() {
        let gate = Gate::new(1, 4, WAIT);
        let large = gate.turn(client(1), Lane::Long).await.expect("there is a place");
        assert_eq!(large.lane(), Lane::Long);
        let (next, short) = tokio::join!(gate.turn(client(1), Lane::Long), async {
            while gate.waiting() == 0 {
                tokio::task::yield_now().await;
            }
            assert!(large.holds_up());
            gate.turn(client(1), Lane::Short).await
        });
        let short = short.expect("long work that waits does not keep short work waiting");
        assert!(next.is_err() && !short.holds_up());
    }
}
