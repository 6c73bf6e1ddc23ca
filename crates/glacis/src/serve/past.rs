//! Games as they once stood. Whoever looks back moves to and fro: marks are kept along the way, so that
//! no look plays a whole record again.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kernel::Refusal;

use super::hall::{Hall, LONGEST, Table};
use super::workshop::Progress;
use super::{Trouble, Whose};
use crate::host::Hosted;
use crate::store::StoredEntry;

/// A mark is kept after so many entries.
const EVERY: u64 = 64;
/// The most marks that are kept of one game.
const MOST_MARKS: usize = 256;
/// The most games whose marks are kept.
const MOST_GAMES: usize = 8;

/// A game and its marks, by the number of entries played.
type Marked = (String, BTreeMap<u64, Box<dyn Hosted>>);

/// A game on its way, the marks made on it, and the lines to come.
type Looking = (Box<dyn Hosted>, BTreeMap<u64, Box<dyn Hosted>>, VecDeque<StoredEntry>);

/// The marks of the games looked back at, the last one looked at in the end.
#[derive(Default)]
pub(super) struct Past(Mutex<Vec<Marked>>);

impl Past {
    fn marked(&self) -> MutexGuard<'_, Vec<Marked>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The last mark not beyond this entry.
    fn nearest(&self, game: &str, at: u64) -> Option<Box<dyn Hosted>> {
        let games = self.marked();
        let (_, marks) = games.iter().find(|(known, _)| known == game)?;
        marks.range(..=at).next_back().map(|(_, game)| game.fork())
    }

    fn keep(&self, game: &str, marks: BTreeMap<u64, Box<dyn Hosted>>) {
        let mut games = self.marked();
        let known = games.iter().position(|(known, _)| known == game);
        let mut kept = known.map_or_else(|| (game.to_owned(), BTreeMap::new()), |place| games.remove(place));
        kept.1.extend(marks);
        // Of a long game every second mark will do, then every fourth, and so on.
        let mut apart = EVERY;
        while kept.1.len() > MOST_MARKS {
            apart *= 2;
            kept.1.retain(|n, _| n.is_multiple_of(apart));
        }
        games.push(kept);
        if games.len() > MOST_GAMES {
            games.remove(0);
        }
    }

    /// The game after so many entries; as it stands if it has fewer.
    pub(super) async fn after(
        &self,
        hall: &Hall,
        table: &Table,
        at: u64,
        whose: &Whose,
    ) -> Result<Box<dyn Hosted>, Trouble> {
        let game = match self.nearest(&table.id, at) {
            Some(game) => game,
            None => table.system.open(table.header(), None)?,
        };
        let lines: VecDeque<StoredEntry> = hall.lines_between(table, game.entries(), at).await?.into();
        let step = |(game, marks, lines): &mut Looking| {
            let Some(entry) = lines.pop_front() else { return Ok::<_, Refusal>(false) };
            game.follow(&entry.line)?;
            if game.entries().is_multiple_of(EVERY) {
                marks.insert(game.entries(), game.fork());
            }
            Ok(true)
        };
        let replayed = hall.readers().slices(whose, LONGEST, (game, BTreeMap::new(), lines), step).await?;
        // What was played so far is kept: who comes back goes on from there.
        let (done, (game, marks, _)) = match replayed {
            Progress::Done(state) => (true, state),
            Progress::Unfinished(state) => (false, state),
        };
        self.keep(&table.id, marks);
        if done { Ok(game) } else { Err(Trouble::Busy) }
    }
}
