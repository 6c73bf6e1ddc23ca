//! Orders: carried out in memory, written, then told. The orders of one game come one after the other;
//! nobody hears of one before it is on the disk.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;

use kernel::{Live, Offer, Refusal, phrase};
use opponent::Level;

use super::journal::Journal;
use super::table::{News, Seen, Sitting, Table};
use super::{Hall, Trouble};
use crate::host::{Hosted, Order, Report};
use crate::serve::secrets;
use crate::serve::workshop::Whose;
use crate::store::{Append, Change, Memory, Recalled, StoreFault, now};

/// A snapshot is taken after so many entries.
const SNAPSHOT_EVERY: u64 = 128;
/// Where nobody but computers sits they play for those who watch: each order is seen so long.
const PACE: Duration = Duration::from_millis(150);
/// A computer player who cannot give its order tries again after this time.
const LATER: Duration = Duration::from_secs(1);
/// So many entries of another process are told one by one.
const MOST_CAUGHT_UP: usize = 256;

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
        let sound = sitting.damage.is_none();
        if opened_now && sound && sitting.game.awaited().iter().any(|place| table.is_computer(place)) {
            self.clone().computer(table.clone());
        }
        Ok(Seen { guard })
    }

    /// The game, read from the store if it is not in memory.
    pub(super) async fn loaded<'g>(
        &self,
        table: &Table,
        guard: &'g mut Option<Sitting>,
    ) -> Result<&'g mut Sitting, Trouble> {
        let sitting = match guard.take() {
            Some(sitting) => sitting,
            None => self.opened(table, Memory::Short).await?,
        };
        Ok(guard.insert(sitting))
    }

    /// The game read from the store.
    async fn opened(&self, table: &Table, memory: Memory) -> Result<Sitting, Trouble> {
        let kept = {
            let _turn = self.opening.acquire().await;
            self.store.kept(&table.id).await?
        };
        let (system, opened) = (table.system, table.opened.clone());
        let recall = move || kept.recall(system, &opened, memory);
        match self.games.work(&Whose::Game(table.id.clone()), recall).await? {
            Ok(Recalled { game, damage, replayed }) => {
                self.opened.fetch_add(1, Ordering::Relaxed);
                self.replayed.fetch_add(replayed, Ordering::Relaxed);
                self.note(&table.id, damage.as_ref());
                Ok(Sitting { game, journal: Journal::default(), damage })
            }
            Err(damage) => {
                self.note(&table.id, Some(&damage));
                Err(Trouble::Damaged(damage))
            }
        }
    }

    /// Reads the game again. What was told of it stays told, unless it has changed.
    pub(super) async fn reopen(
        &self,
        table: &Table,
        sitting: &mut Sitting,
        memory: Memory,
    ) -> Result<(), Trouble> {
        let before = sitting.game.entries();
        let opened = self.opened(table, memory).await?;
        let journal = std::mem::take(&mut sitting.journal);
        *sitting = opened;
        if sitting.game.entries() == before {
            sitting.journal = journal;
        }
        Ok(())
    }

    /// Adds what other processes appended, and tells those who listen here.
    async fn catch_up(&self, table: &Table, sitting: &mut Sitting) -> Result<(), Trouble> {
        let entries = sitting.game.entries();
        let kept = self.store.entries(&table.id).await?;
        if kept == entries || sitting.damage.is_some() {
            return Ok(());
        }
        let lines = self.store.lines(&table.id, entries).await?;
        let few = lines.entries.len() <= MOST_CAUGHT_UP;
        let mut fits = kept > entries && few && lines.damage.is_none();
        for entry in &lines.entries {
            // A line that takes back what a resumed game does not remember does not fit.
            let followed = if fits { sitting.game.follow(&entry.line).ok() } else { None };
            let Some(told) = followed else {
                fits = false;
                break;
            };
            table.tell(sitting, entry.n, entry.at, told);
        }
        if !fits {
            self.reopen(table, sitting, Memory::Whole).await?;
            sitting.journal = Journal::default();
            let refresh = Report::quiet("refresh", sitting.game.as_ref());
            table.tell(sitting, sitting.game.entries(), now(), refresh);
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
            let (first, last) = &news;
            if last.happening.awaited.iter().any(|place| table.is_computer(place))
                || first.happening.deed == "offer"
            {
                hall.computer(table);
            }
            Ok(news.0)
        };
        Finished(Some(Box::pin(work))).await
    }

    /// Gives the news of the order itself, and of the last thing that followed from it.
    async fn carry_out(
        &self,
        table: &Table,
        place: usize,
        seen: u64,
        order: Order,
    ) -> Result<(Arc<News>, Arc<News>), Trouble> {
        let mut guard = table.sitting.lock().await;
        let sitting = self.loaded(table, &mut guard).await?;
        if seen != sitting.game.entries() && self.store.is_shared() {
            self.catch_up(table, sitting).await?;
        }
        sitting.sound()?;
        let before = sitting.game.entries();
        // Only what takes back can fail for want of memory, and is then given again.
        let again = (!matches!(order, Order::Act { .. })).then(|| order.clone());
        let mut told = ordered(&mut sitting.game, seen, place, order);
        if let (Err(Trouble::Refused(refusal)), Some(order)) = (&told, again)
            && refusal.reason == phrase::NOTHING_TO_UNDO
            && sitting.game.is_forgetful()
        {
            self.reopen(table, sitting, Memory::Whole).await?;
            sitting.sound()?;
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
            lines: told.iter_mut().map(|told| std::mem::take(&mut told.line)).collect(),
            snapshot: due.then(|| sitting.game.snapshot()),
        };
        match self.store.append(append).await {
            Ok(()) => {
                let mut news = Vec::new();
                for (n, told) in (before + 1..).zip(told) {
                    news.push(table.tell(sitting, n, at, told));
                }
                let (first, last) = (news.first().cloned(), news.pop());
                let nothing = || Trouble::Broken("an order without a line".to_owned());
                first.zip(last).ok_or_else(nothing)
            }
            Err(fault) => {
                // What is in memory was never written: the record is the truth.
                *guard = None;
                if !matches!(fault, StoreFault::Conflict) {
                    return Err(fault.into());
                }
                let sitting = self.loaded(table, &mut guard).await?;
                sitting.sound()?;
                Err(stale(sitting.game.entries(), seen).into())
            }
        }
    }

    /// Tells listeners of what another process did, as soon as it is known.
    pub(in crate::serve) fn changed(self: Arc<Self>, change: &Change) {
        let tables: Vec<Arc<Table>> = match change {
            Change::Game(id, _) => self.loaded_tables().get(id).cloned().into_iter().collect(),
            Change::Laid(..) => return,
            Change::Unknown => self.loaded_tables().values().cloned().collect(),
        };
        // What this process did itself comes back to it too.
        let least = match change {
            Change::Game(_, entries) => *entries,
            Change::Laid(..) | Change::Unknown => u64::MAX,
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
            let stopped = loop {
                match self.computer_step(&table).await {
                    Some(Ok(())) if alone => tokio::time::sleep(PACE).await,
                    Some(Ok(())) => {}
                    Some(Err(Trouble::Busy | Trouble::TooMuchAtOnce)) => tokio::time::sleep(LATER).await,
                    // Asked again it would break again: it stays silent until the game is opened anew.
                    Some(Err(Trouble::Broken(detail))) => return crate::serve::log(&detail),
                    stopped => break stopped,
                }
            };
            table.thinking.store(false, Ordering::Release);
            // What cannot be kept now is not tried again before somebody looks.
            if stopped.is_some() {
                return;
            }
            // An order that came between the last look and here found the computer still thinking.
            let mut guard = table.sitting.lock().await;
            let awaited = match self.loaded(&table, &mut guard).await {
                Ok(sitting) => sitting.game.awaited().iter().any(|place| table.is_computer(place)),
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
                // What can be asked of it at all it gives back, and plays on.
                Some((place, if offer == Offer::TakeBack { Order::Accept } else { Order::Decline }))
            });
            let (place, order) = match asked {
                Some(answer) => answer,
                None => {
                    let (place, level) = game
                        .awaited()
                        .iter()
                        .find_map(|place| table.level(place).map(|level| (place, level)))?;
                    let mut stream = Live::from_seed(secrets::random::<32>().ok()?);
                    if matches!(level, Level::Search(_)) {
                        let copy = game.fork();
                        drop(guard);
                        return self.think_apart(table, copy, place, level, stream).await;
                    }
                    // It thinks apart, with the game in its hands; if it is lost, the record is read again.
                    let sitting = guard.take()?;
                    let thought = move || (sitting.game.choose(place, level, &mut stream), sitting);
                    let whose = Whose::Game(table.id.clone());
                    let (order, sitting) = match self.games.work(&whose, thought).await {
                        Ok(thought) => thought,
                        Err(trouble) => return Some(Err(trouble)),
                    };
                    *guard = Some(sitting);
                    (place, order?)
                }
            };
            (guard.as_ref()?.game.entries(), place, order)
        };
        Some(self.carry_out(table, place, seen, order).await.map(drop))
    }
}

impl Hall {
    /// One order of a machine that thinks ahead: it has a copy of the game before it, and whoever plays, reads
    /// or takes back meanwhile does not wait for it. What has become of another game is thought about anew.
    async fn think_apart(
        &self,
        table: &Table,
        copy: Box<dyn Hosted>,
        place: usize,
        level: Level,
        mut stream: Live,
    ) -> Option<Result<(), Trouble>> {
        let seen = copy.entries();
        let thought = move || copy.choose(place, level, &mut stream);
        let order = match self.minds.work(&Whose::Game(table.id.clone()), thought).await {
            Ok(order) => order?,
            Err(trouble) => return Some(Err(trouble)),
        };
        match self.carry_out(table, place, seen, order).await {
            Err(Trouble::Refused(refusal)) if refusal.reason == phrase::STALE_ORDER => Some(Ok(())),
            done => Some(done.map(drop)),
        }
    }
}

fn stale(expected: u64, found: u64) -> Refusal {
    let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    Refusal::plain(phrase::STALE_ORDER).with("expected", number(expected)).with("found", number(found))
}

/// Gives an order to a game whose code may be wrong: a panic is this order's trouble alone.
fn ordered(
    game: &mut Box<dyn Hosted>,
    seen: u64,
    place: usize,
    order: Order,
) -> Result<Vec<Report>, Trouble> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| game.order(seen, place, order)))
        .map_err(|_| Trouble::Broken("a rule panicked".to_owned()))?
        .map_err(Trouble::from)
}
