//! The streams of events of players. Every seat has a few places of its own, which nobody else can
//! take; whoever opens more closes his own oldest.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// The most streams that one seat has open.
pub(super) const MOST_OF_A_SEAT: usize = 8;

/// A seat: its game and its place.
type Seat = (String, usize);

/// The open streams of a seat, the oldest first: each is told when it has to make room.
type Open = VecDeque<(u64, oneshot::Sender<()>)>;

#[derive(Default)]
struct Known {
    seats: HashMap<Seat, Open>,
    last: u64,
}

/// The streams of all seats.
#[derive(Default)]
pub(super) struct Streams(Mutex<Known>);

impl Streams {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a stream for a seat; if it has as many as it may, its oldest ends.
    pub(super) fn open(self: &Arc<Self>, game: &str, place: usize) -> Stream {
        let seat = (game.to_owned(), place);
        let (end, ended) = oneshot::channel();
        let mut known = self.known();
        known.last += 1;
        let number = known.last;
        let open = known.seats.entry(seat.clone()).or_default();
        if open.len() >= MOST_OF_A_SEAT
            && let Some((_, oldest)) = open.pop_front()
        {
            // It may have gone by itself.
            let _ = oldest.send(());
        }
        open.push_back((number, end));
        drop(known);
        Stream { streams: self.clone(), seat, number, ended }
    }
}

/// A stream of a seat, as long as it is open.
pub(super) struct Stream {
    streams: Arc<Streams>,
    seat: Seat,
    number: u64,
    ended: oneshot::Receiver<()>,
}

impl Stream {
    /// Waits until it has to make room for a newer one.
    pub(super) async fn replaced(&mut self) {
        // Without a word nobody asked it to.
        if (&mut self.ended).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let mut known = self.streams.known();
        if let Some(open) = known.seats.get_mut(&self.seat) {
            open.retain(|(number, _)| *number != self.number);
            if open.is_empty() {
                known.seats.remove(&self.seat);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_seat_closes_its_own_oldest_and_nobody_elses() {
        let streams = Arc::new(Streams::default());
        let mut other = streams.open("game", 1);
        let mut own: Vec<Stream> = (0..=MOST_OF_A_SEAT).map(|_| streams.open("game", 0)).collect();
        let ended: Vec<bool> = own.iter_mut().map(|one| one.replaced().now_or_never().is_some()).collect();
        assert!(ended[0] && !ended[1..].contains(&true), "{ended:?}");
        assert!(other.replaced().now_or_never().is_none());
        drop((own, other));
        assert!(streams.known().seats.is_empty(), "nothing is remembered of those who left");
    }
}
