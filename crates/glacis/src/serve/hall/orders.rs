//! Orders: carried out in memory, written, then told. The orders of one game come one after the other;
//! nobody hears of one before it is on the disk.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;

use kernel::{Live, Offer, Refusal, phrase};

use super::journal::Journal;
use super::table::{News, Seen, Sitting, Table};
use super::{Hall, Trouble};
use crate::host::{Hosted, Order, Told};
use crate::serve::secrets;
use crate::store::{Append, Change, StoreFault, now};

/// A snapshot is taken after so many entries.
const SNAPSHOT_EVERY: u64 = 128;
/// Where nobody but computers sits they play for those who watch: each order is seen so long.
const PACE: Duration = Duration::from_millis(150);
/// When an order of the computer fails, the next is tried after this time.
const RECOVERY: Duration = Duration::from_secs(1);

/// Work that is finished even if the one who waits for it goes away: a client may hang up while his
/// order is being written, and the others must hear of it all the same.
struct Finished<T: 'static>(Option<Pin<Box<dyn Future<Output = T> + Send>>>);

impl<T: 'static> Future for Finished<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        // Taken out while it runs: what panicked is not run again.
        let Some(mut work) = self.0.take() else { return Poll::Pending };
        let polled = work.as_mut().poll(context);
        if polled.is_pending() {
            self.0 = Some(work);
        }
        polled
    }
}

impl<T: 'static> Drop for Finished<T> {
    fn drop(&mut self) {
        if let (Some(work), Ok(runtime)) = (self.0.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move { drop(work.await) });
        }
    }
}

impl Hall {
    /// The game as it stands, for reading.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn look<'a>(self: &Arc<Self>, table: &'a Arc<Table>) -> Result<Seen<'a>, Trouble> {
        let mut guard = table.sitting.lock().await;
        let opened_now = guard.is_none();
        let sitting = self.loaded(table, &mut guard).await?;
        if self.store.is_shared() && !opened_now {
            self.catch_up(table, sitting).await?;
        }
        if opened_now && sitting.game.to_move().is_some_and(|place| table.is_computer(place)) {
            self.clone().computer(table.clone());
        }
        Ok(Seen { guard })
    }

    /// The game, read from the store if it is not in memory.
    async fn loaded<'g>(
        &self,
        table: &Table,
        guard: &'g mut Option<Sitting>,
    ) -> Result<&'g mut Sitting, Trouble> {
        let sitting = match guard.take() {
            Some(sitting) => sitting,
            None => {
                let game = match self.resumed_game(table).await? {
                    Some(game) => game,
                    None => self.replayed_game(table).await?,
                };
                Sitting { game, journal: Journal::default() }
            }
        };
        Ok(guard.insert(sitting))
    }

    /// The game from its last snapshot and the lines since; nothing if that does not fit.
    async fn resumed_game(&self, table: &Table) -> Result<Option<Box<dyn Hosted>>, Trouble> {
        let Some((n, snapshot)) = self.store.snapshot(&table.id).await? else { return Ok(None) };
        let lines = self.store.lines(&table.id, n.saturating_sub(1)).await?;
        let Some((last, after)) = lines.split_first() else { return Ok(None) };
        let resumed = table.system.resume(&table.opened.header, table.seed(), &last.line, &snapshot);
        let Ok(mut game) = resumed else { return Ok(None) };
        let whole = after.iter().all(|entry| game.follow(&entry.line).is_ok());
        Ok(whole.then_some(game))
    }

    /// The game played again from the first line.
    async fn replayed_game(&self, table: &Table) -> Result<Box<dyn Hosted>, Trouble> {
        let mut game = table.system.open(&table.opened.header, table.seed())?;
        for entry in self.store.lines(&table.id, 0).await? {
            game.follow(&entry.line).map_err(|refusal| Trouble::Broken(refusal.to_string()))?;
        }
        Ok(game)
    }

    /// Adds what other processes appended, and tells those who listen here.
    async fn catch_up(&self, table: &Table, sitting: &mut Sitting) -> Result<(), Trouble> {
        if self.store.entries(&table.id).await? <= sitting.game.entries() {
            return Ok(());
        }
        for entry in self.store.lines(&table.id, sitting.game.entries()).await? {
            match sitting.game.follow(&entry.line) {
                Ok(told) => drop(table.tell(sitting, entry.n, entry.at, told)),
                Err(_) => {
                    // A line that takes back what a resumed game does not remember.
                    sitting.game = self.replayed_game(table).await?;
                    let refresh = Told::quiet("refresh");
                    sitting.journal = Journal::default();
                    table.tell(sitting, sitting.game.entries(), entry.at, refresh);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Gives an order: carried out, written, then told. The work goes on even if the one who gave
    /// the order hangs up, so that memory and store never disagree.
    ///
    /// # Errors
    /// The refusal, or that another order came first, or that the store fails.
    pub async fn order(
        self: &Arc<Self>,
        table: &Arc<Table>,
        place: usize,
        seen: u64,
        order: Order,
    ) -> Result<Arc<News>, Trouble> {
        let (hall, table) = (self.clone(), table.clone());
        let work = async move {
            let news = hall.carry_out(&table, place, seen, order).await?;
            let happening = &news.happening;
            if happening.to_move.is_some_and(|place| table.is_computer(place)) || happening.deed == "offer" {
                hall.computer(table);
            }
            Ok(news)
        };
        Finished(Some(Box::pin(work))).await
    }

    async fn carry_out(
        &self,
        table: &Table,
        place: usize,
        seen: u64,
        order: Order,
    ) -> Result<Arc<News>, Trouble> {
        let mut guard = table.sitting.lock().await;
        let sitting = self.loaded(table, &mut guard).await?;
        if seen != sitting.game.entries() && self.store.is_shared() {
            self.catch_up(table, sitting).await?;
        }
        let before = sitting.game.entries();
        // Only what takes back can fail for want of memory, and is then given again.
        let again = (!matches!(order, Order::Act { .. })).then(|| order.clone());
        let mut told = ordered(&mut sitting.game, seen, place, order);
        if let (Err(Trouble::Refused(refusal)), Some(order)) = (&told, again)
            && refusal.reason == phrase::NOTHING_TO_UNDO
            && sitting.game.is_forgetful()
        {
            sitting.game = self.replayed_game(table).await?;
            told = ordered(&mut sitting.game, seen, place, order);
        }
        let mut told = match told {
            Err(Trouble::Broken(detail)) => {
                // Whatever broke may have left the game in memory half-done.
                *guard = None;
                return Err(Trouble::Broken(detail));
            }
            told => told?,
        };
        let entries = sitting.game.entries();
        let due = before / SNAPSHOT_EVERY != entries / SNAPSHOT_EVERY;
        let at = now();
        let append = Append {
            game: table.id.clone(),
            before,
            at,
            lines: std::mem::take(&mut told.lines),
            snapshot: due.then(|| sitting.game.snapshot()),
        };
        match self.store.append(append).await {
            Ok(()) => {
                let news = table.tell(sitting, before + 1, at, told);
                if entries > before + 1 {
                    table.tell(sitting, before + 2, at, Told::quiet("reveal"));
                }
                Ok(news)
            }
            Err(fault) => {
                // What is in memory was never written: the record is the truth.
                *guard = None;
                if !matches!(fault, StoreFault::Conflict) {
                    return Err(fault.into());
                }
                let entries = self.loaded(table, &mut guard).await?.game.entries();
                Err(stale(entries, seen).into())
            }
        }
    }

    /// Tells listeners of what another process did, as soon as it is known.
    pub(super) fn changed(self: Arc<Self>, change: &Change) {
        let tables: Vec<Arc<Table>> = match change {
            Change::Game(id, _) => self.loaded_tables().get(id).cloned().into_iter().collect(),
            Change::Unknown => self.loaded_tables().values().cloned().collect(),
        };
        // What this process did itself comes back to it too.
        let least = match change {
            Change::Game(_, entries) => *entries,
            Change::Unknown => u64::MAX,
        };
        for table in tables {
            if table.listeners() == 0 || table.told() >= least {
                continue;
            }
            let hall = self.clone();
            tokio::spawn(async move {
                let mut guard = table.sitting.lock().await;
                let Ok(sitting) = hall.loaded(&table, &mut guard).await else { return };
                if sitting.game.entries() >= least {
                    return;
                }
                if hall.catch_up(&table, sitting).await.is_err() {
                    *guard = None;
                }
            });
        }
    }

    /// Lets the computer play as long as it is its decision.
    fn computer(self: Arc<Self>, table: Arc<Table>) {
        if table.thinking.swap(true, Ordering::AcqRel) {
            return;
        }
        tokio::spawn(async move {
            let alone = (0..table.sides.len()).all(|place| table.is_computer(place));
            while let Some(done) = self.computer_step(&table).await {
                match done {
                    Ok(()) if alone => tokio::time::sleep(PACE).await,
                    Ok(()) => {}
                    Err(_) => tokio::time::sleep(RECOVERY).await,
                }
            }
            table.thinking.store(false, Ordering::Release);
            // An order that came between the last look and here found the computer still thinking.
            let mut guard = table.sitting.lock().await;
            let awaited = match self.loaded(&table, &mut guard).await {
                Ok(sitting) => sitting.game.to_move().is_some_and(|place| table.is_computer(place)),
                Err(_) => false,
            };
            drop(guard);
            if awaited {
                self.computer(table);
            }
        });
    }

    /// One order of the computer; nothing when it has none to give.
    async fn computer_step(&self, table: &Table) -> Option<Result<(), Trouble>> {
        let (seen, place, order) = {
            let mut guard = table.sitting.lock().await;
            let game = &self.loaded(table, &mut guard).await.ok()?.game;
            let asked = game.offered().and_then(|(by, offer)| {
                let place = (0..table.sides.len()).find(|&place| place != by && table.is_computer(place))?;
                // It lets others take back, and plays on.
                Some((place, if offer == Offer::TakeBack { Order::Accept } else { Order::Decline }))
            });
            let (place, order) = match asked {
                Some(answer) => answer,
                None => {
                    let place = game.to_move().filter(|&place| table.is_computer(place))?;
                    let mut stream = Live::from_seed(secrets::random::<32>().ok()?);
                    (place, game.choose(&mut stream)?)
                }
            };
            (game.entries(), place, order)
        };
        Some(self.carry_out(table, place, seen, order).await.map(drop))
    }
}

fn stale(expected: u64, found: u64) -> Refusal {
    let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    Refusal::plain(phrase::STALE_ORDER).with("expected", number(expected)).with("found", number(found))
}

/// Gives an order to a game whose code may be wrong: a panic is this order's trouble alone.
fn ordered(game: &mut Box<dyn Hosted>, seen: u64, place: usize, order: Order) -> Result<Told, Trouble> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| game.order(seen, place, order)))
        .map_err(|_| Trouble::Broken("a rule panicked".to_owned()))?
        .map_err(Trouble::from)
}
