//! The gate in front of all expensive work. It limits the number of requests that run, the number that wait, and the
//! time they wait. Work runs on blocking threads, so that the server stays responsive, and a panic ends only the
//! request it happens in.

use crate::failure::{Failure, Reply};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The gate. Clones are the same gate.
#[derive(Clone)]
pub(crate) struct Gate {
    /// A permit for each request that may run.
    turns: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    at_once: usize,
    max_waiting: usize,
    max_wait: Duration,
}

impl Gate {
    /// Creates a gate for `at_once` running and `max_waiting` waiting requests, which wait for at most `max_wait`.
    pub(crate) fn new(at_once: usize, max_waiting: usize, max_wait: Duration) -> Gate {
        let turns = Arc::new(Semaphore::new(at_once));
        Gate { turns, waiting: Arc::default(), at_once, max_waiting, max_wait }
    }

    /// Runs work when there is a permit for it. It runs to its end even if the client has gone away, and holds its
    /// permit until then, so that the limit on running work holds in any case.
    pub(crate) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> Reply<T> + Send + 'static) -> Reply<T> {
        let turn = self.turn().await?;
        let done = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        match done.await {
            Ok(result) => result,
            Err(error) => match error.try_into_panic() {
                Ok(payload) => Err(Failure::panicked(&*payload)),
                Err(error) => Err(Failure::fault(&error.to_string())),
            },
        }
    }

    /// Number of running requests.
    pub(crate) fn running(&self) -> usize {
        self.at_once.saturating_sub(self.turns.available_permits())
    }

    /// Number of waiting requests.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Waits for a permit, within the limits.
    async fn turn(&self) -> Reply<OwnedSemaphorePermit> {
        if let Ok(turn) = self.turns.clone().try_acquire_owned() {
            return Ok(turn);
        }
        let _place = Place::take(&self.waiting, self.max_waiting).ok_or_else(Failure::busy)?;
        match tokio::time::timeout(self.max_wait, self.turns.clone().acquire_owned()).await {
            Ok(Ok(turn)) => Ok(turn),
            _ => Err(Failure::busy()),
        }
    }
}

/// A place in the queue. It is freed on drop, which also happens when the client goes away.
struct Place<'a>(&'a AtomicUsize);

impl Place<'_> {
    /// Takes a place, unless the queue is full.
    fn take(waiting: &AtomicUsize, most: usize) -> Option<Place<'_>> {
        let place = Place(waiting);
        (waiting.fetch_add(1, Ordering::Relaxed) < most).then_some(place)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;
    use axum::response::IntoResponse;

    fn status(reply: Reply<u32>) -> StatusCode {
        reply.map_or_else(|failure| failure.into_response().status(), |_| StatusCode::OK)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_panic_ends_only_its_own_work() {
        let gate = Gate::new(1, 1, Duration::from_secs(5));
        let reply = gate.run(|| panic!("on purpose")).await;
        assert_eq!(status(reply), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(gate.run(|| Ok(7)).await.ok(), Some(7));
        assert_eq!(gate.running(), 0);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_full_queue_and_a_long_wait_give_503() {
        let gate = Gate::new(1, 1, Duration::from_millis(100));
        let (end, wait) = std::sync::mpsc::channel::<()>();
        let first = tokio::spawn({
            let gate = gate.clone();
            async move { gate.run(move || Ok(u32::from(wait.recv().is_ok()))).await }
        });
        while gate.running() == 0 {
            tokio::task::yield_now().await;
        }
        let second = tokio::spawn({
            let gate = gate.clone();
            async move { gate.run(|| Ok(2)).await }
        });
        while gate.waiting() == 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(status(gate.run(|| Ok(3)).await), StatusCode::SERVICE_UNAVAILABLE, "the queue is full");
        assert_eq!(status(second.await.unwrap()), StatusCode::SERVICE_UNAVAILABLE, "it waited too long");
        end.send(()).unwrap();
        assert_eq!(status(first.await.unwrap()), StatusCode::OK);
        assert_eq!(status(gate.run(|| Ok(4)).await), StatusCode::OK, "the gate is open again");
    }
}
