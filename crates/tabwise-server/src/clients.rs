//! Connections and the clients behind them. When there are too many connections, one that has nothing to do makes room for a
//! new one: of those that never sent a whole request, the oldest of the client with the most. So clients that open many
//! connections and send little by little do not keep others out.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Notify;

/// All connections.
#[derive(Clone)]
pub(crate) struct Clients {
    seats: Arc<Mutex<Vec<Arc<Seat>>>>,
    most: usize,
}

/// The place of a connection.
pub(crate) struct Seat {
    address: IpAddr,
    opened: Instant,
    /// Number of requests that have arrived in full and are worked on.
    busy: AtomicUsize,
    /// True after a request was answered.
    is_known: AtomicBool,
    /// Told when the connection has to end.
    leave: Notify,
}

/// A connection, as requests see it.
#[derive(Clone)]
pub(crate) struct Client(Arc<Seat>);

/// A request that has arrived in full. Until it is dropped, its connection is not ended.
pub(crate) struct Arrived(Arc<Seat>);

impl Clients {
    pub(crate) fn new(most: usize) -> Clients {
        Clients { seats: Arc::default(), most: most.max(1) }
    }

    /// Takes a place for a new connection; `None` if every other one is being worked for.
    pub(crate) fn enter(&self, address: IpAddr) -> Option<Client> {
        let seat = Arc::new(Seat {
            address: known_as(address),
            opened: Instant::now(),
            busy: AtomicUsize::new(0),
            is_known: AtomicBool::new(false),
            leave: Notify::new(),
        });
        let mut seats = self.lock();
        if seats.len() >= self.most {
            let at = least_missed(&seats)?;
            seats.swap_remove(at).leave.notify_one();
        }
        seats.push(seat.clone());
        Some(Client(seat))
    }

    /// Gives a place back.
    pub(crate) fn leave(&self, client: &Client) {
        self.lock().retain(|seat| !Arc::ptr_eq(seat, &client.0));
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Seat>>> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Address by which a client is known. With IPv6 that is its network of 64 bits, because one client has every address of it.
fn known_as(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address => address,
    }
}

/// Finds the connection to end.
fn least_missed(seats: &[Arc<Seat>]) -> Option<usize> {
    let mut counts: HashMap<IpAddr, usize> = HashMap::new();
    seats.iter().for_each(|seat| *counts.entry(seat.address).or_default() += 1);
    let idle = seats.iter().enumerate().filter(|(_, seat)| seat.busy.load(Ordering::Relaxed) == 0);
    let rank =
        |seat: &Seat| (seat.is_known.load(Ordering::Relaxed), std::cmp::Reverse(counts[&seat.address]), seat.opened);
    idle.min_by_key(|(_, seat)| rank(seat)).map(|(at, _)| at)
}

impl Client {
    /// Address by which the client is known.
    pub(crate) fn address(&self) -> IpAddr {
        self.0.address
    }

    /// Marks that a request has arrived in full.
    pub(crate) fn arrived(&self) -> Arrived {
        self.0.busy.fetch_add(1, Ordering::Relaxed);
        Arrived(self.0.clone())
    }

    /// Marks that a request was answered.
    pub(crate) fn was_served(&self) {
        self.0.is_known.store(true, Ordering::Relaxed);
    }

    /// Waits until the connection has to end.
    pub(crate) async fn told_to_leave(&self) {
        self.0.leave.notified().await;
    }
}

impl Drop for Arrived {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_with_many_addresses_is_one() {
        let known = |address: &str| known_as(address.parse().expect("it is an address")).to_string();
        assert_eq!(known("2001:db8:0:7::1"), known("2001:db8:0:7:ffff::2"));
        assert_ne!(known("2001:db8:0:7::1"), known("2001:db8:0:8::1"));
        assert_eq!(known("::ffff:192.0.2.1"), "192.0.2.1");
        assert_ne!(known("192.0.2.1"), known("192.0.2.2"));
    }

    #[test]
    fn the_client_with_the_most_idle_connections_makes_room() {
        let address = |number: u8| IpAddr::from([127, 0, 0, number]);
        let clients = Clients::new(4);
        let all = [1, 2, 2, 2].map(|number| clients.enter(address(number)).expect("there is room"));
        all[1].was_served();
        let _busy = all[2].arrived();
        let fifth = clients.enter(address(3)).expect("an idle one makes room");
        let left = |client: &Client| !clients.lock().iter().any(|seat| Arc::ptr_eq(seat, &client.0));
        assert_eq!(all.each_ref().map(left), [false, false, false, true]);
        clients.leave(&fifth);
        assert_eq!(clients.lock().len(), 3);
    }
}
