//! A game that is over, judged: the decisions after which the outcome to be expected was most another.

use std::collections::VecDeque;

use kernel::Saying;

use super::{Hall, LONGEST, Table, Trouble};
use crate::host::{Hosted, Judged};
use crate::serve::workshop::Whose;
use crate::store::StoredEntry;

/// So many decisions are marked.
const MOST: usize = 12;
/// What changes less is not worth a mark.
const LEAST: f64 = 0.01;

/// A decision that mattered.
pub struct Marked {
    /// The number of its entry.
    pub n: u64,
    /// Who decided, by place.
    pub side: Option<usize>,
    /// What was ordered.
    pub order: Option<Saying>,
    /// Where the game stood.
    pub moment: Option<Saying>,
    /// What it was worth before, and on average over its dice.
    pub judged: Judged,
    /// What it was worth then.
    pub after: f64,
}

impl Marked {
    fn change(&self) -> f64 {
        (self.after - self.judged.before).abs()
    }
}

/// A record that is read with a judge beside it.
struct Reading {
    game: Box<dyn Hosted>,
    lines: VecDeque<StoredEntry>,
    marked: Vec<Marked>,
}

impl Reading {
    /// Goes one line further; whether there was one.
    fn step(&mut self) -> Result<bool, Trouble> {
        let Some(entry) = self.lines.pop_front() else { return Ok(false) };
        let judged = self.game.judge_line(&entry.line);
        let told = self.game.follow(&entry.line).map_err(|refusal| Trouble::Broken(refusal.to_string()))?;
        if let Some(judged) = judged {
            let after = self.game.judge();
            let mark =
                Marked { n: entry.n, side: told.side, order: told.order, moment: told.moment, judged, after };
            if mark.change() >= LEAST {
                self.marked.push(mark);
                self.marked.sort_by(|a, b| b.change().total_cmp(&a.change()).then(a.n.cmp(&b.n)));
                self.marked.truncate(MOST);
            }
        }
        Ok(true)
    }
}

impl Hall {
    /// The decisions of a game after which the outcome to be expected was most another, in their order.
    ///
    /// # Errors
    /// When the store fails, or too much is being worked out.
    pub async fn review(&self, table: &Table, whose: &Whose) -> Result<Vec<Marked>, Trouble> {
        let game = table.system.open(&table.opened.header, table.seed)?;
        let lines = self.lines(table, 0).await?.into();
        let reading = Reading { game, lines, marked: Vec::new() };
        let mut marked = self.readers.slices(whose, LONGEST, reading, Reading::step).await?.done()?.marked;
        marked.sort_by_key(|mark| mark.n);
        Ok(marked)
    }
}
