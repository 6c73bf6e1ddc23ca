//! Games as they once stood. Whoever looks back moves to and fro: marks are kept along the way, so that
//! no look plays a whole record again. All marks of all games together have one budget in bytes.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use kernel::Refusal;
use tokio::sync::Mutex as AsyncMutex;

use super::hall::{Hall, LONGEST, Table};
use super::workshop::Progress;
use super::{Trouble, Whose};
use crate::host::Hosted;
use crate::store::StoredEntry;

/// A mark is kept after so many entries, as soon as nothing before it can be taken back alone.
const EVERY: u64 = 64;
/// After so many entries it is kept anywhere.
const ANYWHERE: u64 = 4 * EVERY;
/// The most bytes that the marks of all games take.
const MOST: usize = 32 << 20;
/// What it costs to remember one mark, beside its bytes.
const OVERHEAD: usize = 128;
/// So many lines of a record are read at once.
const AT_ONCE: u64 = 1024;

/// A game after some entry, as small as it can be written.
struct Mark {
    line: String,
    snapshot: Vec<u8>,
}

impl Mark {
    fn bytes(&self) -> usize {
        self.line.len() + self.snapshot.len() + OVERHEAD
    }
}

/// The marks of a game, by the number of entries played.
struct Marked {
    game: String,
    marks: BTreeMap<u64, Arc<Mark>>,
}

impl Marked {
    fn bytes(&self) -> usize {
        self.game.len() + OVERHEAD + self.marks.values().map(|mark| mark.bytes()).sum::<usize>()
    }

    /// Leaves every second mark out.
    fn thin(&mut self) {
        let mut keep = false;
        self.marks.retain(|_, _| {
            keep = !keep;
            keep
        });
    }
}

/// The marks of the games looked back at, the last one looked at in the end.
#[derive(Default)]
struct Marks(Vec<Marked>);

impl Marks {
    fn bytes(&self) -> usize {
        self.0.iter().map(Marked::bytes).sum()
    }

    /// Adds marks of a game. The games looked at longest ago make room, then every second of its own.
    fn keep(&mut self, game: &str, marks: impl IntoIterator<Item = (u64, Mark)>, most: usize) {
        let known = self.0.iter().position(|marked| marked.game == game);
        let mut marked = known.map_or_else(
            || Marked { game: game.to_owned(), marks: BTreeMap::new() },
            |place| self.0.remove(place),
        );
        marked.marks.extend(marks.into_iter().map(|(n, mark)| (n, Arc::new(mark))));
        while marked.bytes() > most && marked.marks.len() > 1 {
            marked.thin();
        }
        self.0.push(marked);
        while self.bytes() > most && !self.0.is_empty() {
            self.0.remove(0);
        }
    }
}

/// A game on its way: the last mark, the marks made since, and the lines to come.
struct Looking {
    game: Box<dyn Hosted>,
    marked: u64,
    marks: Vec<(u64, Mark)>,
    lines: VecDeque<StoredEntry>,
}

impl Looking {
    /// Goes one line further; whether there was one.
    fn step(&mut self) -> Result<bool, Refusal> {
        let Some(entry) = self.lines.pop_front() else { return Ok(false) };
        let report = self.game.follow(&entry.line)?;
        let since = self.game.entries() - self.marked;
        if since >= ANYWHERE || since >= EVERY && !report.dice.is_empty() {
            self.marked = self.game.entries();
            self.marks.push((self.marked, Mark { line: entry.line, snapshot: self.game.snapshot() }));
        }
        Ok(true)
    }
}

/// Games as they once stood.
#[derive(Default)]
pub(super) struct Past {
    marks: Mutex<Marks>,
    /// Of those who look back at one game, one at a time has it played again.
    turns: Mutex<HashMap<String, Weak<AsyncMutex<()>>>>,
}

impl Past {
    fn marks(&self) -> MutexGuard<'_, Marks> {
        self.marks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lock of a game, as long as anybody waits for it.
    fn turn(&self, game: &str) -> Arc<AsyncMutex<()>> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = turns.get(game).and_then(Weak::upgrade) {
            return turn;
        }
        turns.retain(|_, turn| turn.strong_count() > 0);
        let turn = Arc::default();
        turns.insert(game.to_owned(), Arc::downgrade(&turn));
        turn
    }

    /// The last mark not beyond this entry.
    fn nearest(&self, game: &str, at: u64) -> Option<Arc<Mark>> {
        let marks = self.marks();
        let marked = marks.0.iter().find(|marked| marked.game == game)?;
        marked.marks.range(..=at).next_back().map(|(_, mark)| mark.clone())
    }

    /// The game after so many entries; as it stands if it has fewer.
    pub(super) async fn after(
        &self,
        hall: &Hall,
        table: &Table,
        at: u64,
        whose: &Whose,
    ) -> Result<Box<dyn Hosted>, Trouble> {
        let turn = self.turn(&table.id);
        let _alone = turn.lock().await;
        let resumed = self
            .nearest(&table.id, at)
            .and_then(|mark| table.system.resume(table.header(), None, &mark.line, &mark.snapshot).ok());
        if let Some(game) = resumed {
            match self.go_on(hall, table, game, at, whose).await {
                // What goes back beyond the mark, only the whole record remembers.
                Err(Trouble::Refused(_)) => {}
                reached => return reached,
            }
        }
        self.go_on(hall, table, table.system.open(table.header(), None)?, at, whose).await
    }

    async fn go_on(
        &self,
        hall: &Hall,
        table: &Table,
        mut game: Box<dyn Hosted>,
        at: u64,
        whose: &Whose,
    ) -> Result<Box<dyn Hosted>, Trouble> {
        let began = Instant::now();
        let mut marked = game.entries();
        loop {
            let (after, last) = (game.entries(), at.min(game.entries().saturating_add(AT_ONCE)));
            let lines = if after < last { hall.lines_between(table, after, last).await? } else { Vec::new() };
            if lines.is_empty() {
                return Ok(game);
            }
            let looking = Looking { game, marked, marks: Vec::new(), lines: lines.into() };
            let left = LONGEST.saturating_sub(began.elapsed());
            // What was played so far is kept: who comes back goes on from there.
            let (done, looking) = match hall.readers().slices(whose, left, looking, Looking::step).await? {
                Progress::Done(looking) => (true, looking),
                Progress::Unfinished(looking) => (false, looking),
            };
            self.marks().keep(&table.id, looking.marks, MOST);
            if !done {
                return Err(Trouble::Busy);
            }
            (game, marked) = (looking.game, looking.marked);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(bytes: usize) -> Mark {
        Mark { line: String::new(), snapshot: vec![0; bytes] }
    }

    #[test]
    fn all_games_share_one_budget_and_the_last_one_looked_at_is_kept() {
        let most = 64 << 10;
        let mut marks = Marks::default();
        for game in ["a", "b", "c"] {
            marks.keep(game, (1..=20).map(|n| (64 * n, mark(1000))), most);
        }
        let games: Vec<&str> = marks.0.iter().map(|marked| marked.game.as_str()).collect();
        assert_eq!(games, ["b", "c"], "the one looked at longest ago made room");
        assert!(marks.bytes() <= most);
        // One game alone has no more than all: of a long one every second mark will do, and so on.
        marks.keep("b", (21..=1000).map(|n| (64 * n, mark(1000))), most);
        assert!(marks.bytes() <= most, "{}", marks.bytes());
        let b = marks.0.last().expect("the last one looked at");
        assert_eq!(b.game, "b");
        assert!((16..=58).contains(&b.marks.len()), "{}", b.marks.len());
        let far = b.marks.keys().zip(b.marks.keys().skip(1)).map(|(one, next)| next - one).max();
        assert!(far <= Some(64 * 64), "they are spread over the whole game: {far:?}");
    }

    #[test]
    fn a_game_has_one_lock_as_long_as_anybody_waits() {
        let past = Past::default();
        let one = past.turn("a");
        assert!(Arc::ptr_eq(&one, &past.turn("a")) && !Arc::ptr_eq(&one, &past.turn("b")));
        drop(one);
        drop(past.turn("c"));
        assert!(past.turns.lock().unwrap().len() <= 2, "nothing is remembered of those who left");
    }
}
