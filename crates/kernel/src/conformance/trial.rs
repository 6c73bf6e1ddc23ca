//! Whole random games of one system, many at a time: what the system holds after every action is
//! checked, and every record is verified and played again to the same state.
//!
//! `GLACIS_GAMES` says how many, `GLACIS_FIRST` with which one to begin (with one game, the way back to
//! a failure), `GLACIS_SECONDS` after how long no further one is begun.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::{Game, HexHash, Play, Record, Refusal, Setup, Source, Step};

/// How often each thing was met.
pub type Tally = BTreeMap<String, usize>;

/// One random game of a system: how it is set up, played and watched.
pub trait Trial: Sized {
    /// The game.
    type Game: Game;

    /// Most decisions before it counts as endless.
    const MOST: usize;

    /// Most actions that are ever offered at once.
    const OFFERED: usize = usize::MAX;

    /// The game of this number, and how it begins.
    fn begin(number: u64) -> (Self, Setup);

    /// Chooses one of the actions offered, by its place.
    fn choose(
        &mut self,
        state: &Self::Game,
        side: <Self::Game as Game>::Side,
        actions: &[<Self::Game as Game>::Action],
    ) -> usize;

    /// Looks at what an action came to.
    ///
    /// # Errors
    /// What does not hold, in words.
    fn check(
        &mut self,
        before: &Self::Game,
        action: &<Self::Game as Game>::Action,
        step: &Step,
        after: &Self::Game,
    ) -> Result<(), String>;

    /// Notes what was decided, in which state, so that the test can ask whether all was met.
    fn note(&self, before: &Self::Game, action: &<Self::Game as Game>::Action, tally: &mut Tally);

    /// Notes how the game ended.
    fn ended(&self, state: &Self::Game, tally: &mut Tally);
}

/// What the random games came to.
#[derive(Debug, Default)]
pub struct Played {
    /// How many were played.
    pub games: u64,
    /// How many decisions they took.
    pub decisions: usize,
    /// What was met.
    pub tally: Tally,
    /// What did not hold, each with the number of its game.
    pub faults: Vec<String>,
}

/// Which games are played where nobody says how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usual {
    /// The first so many, always: what they meet is counted on.
    Same(u64),
    /// At most so many from where the environment says, as long as it says.
    Others(u64),
}

/// Plays the usual games of this kind, or as many as the environment says, on all cores.
#[must_use]
pub fn random_games<T: Trial>(usual: Usual) -> Played {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (games, first, longest) = match (number("GLACIS_GAMES"), usual) {
        (None, Usual::Same(games)) => (games, 0, None),
        (asked, Usual::Same(games) | Usual::Others(games)) => (
            asked.unwrap_or(games),
            number("GLACIS_FIRST").unwrap_or(0),
            number("GLACIS_SECONDS").map(Duration::from_secs),
        ),
    };
    let began = Instant::now();
    let next = AtomicU64::new(0);
    let whole: Mutex<Played> = Mutex::default();
    let player = || {
        while longest.is_none_or(|longest| began.elapsed() < longest) {
            let played = next.fetch_add(1, Ordering::Relaxed);
            if played >= games {
                return;
            }
            let mut tally = Tally::new();
            let outcome = random_game::<T>(first + played, &mut tally);
            let mut whole = whole.lock().unwrap_or_else(PoisonError::into_inner);
            whole.games += 1;
            match outcome {
                Ok(decisions) => whole.decisions += decisions,
                Err(fault) => {
                    println!("game {}: {fault}", first + played);
                    whole.faults.push(format!("game {}: {fault}", first + played));
                }
            }
            for (met, count) in tally {
                *whole.tally.entry(met).or_default() += count;
            }
            if whole.games.is_multiple_of(200) {
                let Played { games: done, decisions, faults, .. } = &*whole;
                println!("{done} of {games} games, {decisions} decisions, {} faults", faults.len());
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(8) {
            scope.spawn(player);
        }
    });
    let whole = whole.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("{} games from {first}, {} decisions: {:#?}", whole.games, whole.decisions, whole.tally);
    whole
}

/// Plays the game of this number to its end, and again from its record; how many decisions it took.
///
/// # Errors
/// What does not hold, with the decision after which it did not.
pub fn random_game<T: Trial>(number: u64, tally: &mut Tally) -> Result<usize, String> {
    let refused = |refusal: Refusal| refusal.to_string();
    let (mut trial, setup) = T::begin(number);
    let mut secret = [0; 32];
    secret[..8].copy_from_slice(&number.to_le_bytes());
    let source = Source::Open(HexHash(secret));
    let mut game = Play::<T::Game>::begin(&setup, source, Some(secret)).map_err(refused)?;
    let mut record = format!("{}\n", game.header_line());
    let mut actions = Vec::new();
    for count in 0..T::MOST {
        let Some(side) = game.state().to_move() else {
            if game.state().outcome().is_none() {
                return Err("nobody is to move, and there is no outcome".to_owned());
            }
            trial.ended(game.state(), tally);
            let read = Record::read(&record).map_err(refused)?;
            let again = Play::<T::Game>::replay(&read, None).map_err(refused)?;
            let same = again.state() == game.state() && again.chain() == game.chain();
            return if same { Ok(count) } else { Err("the record gives another state".to_owned()) };
        };
        let before = game.state().clone();
        before.actions(side, &mut actions);
        if actions.len() > T::OFFERED {
            return Err(format!("decision {count}: {} actions are offered", actions.len()));
        }
        let action = actions.get(trial.choose(&before, side, &actions)).cloned();
        let action = action.ok_or_else(|| format!("decision {count}: nothing is offered"))?;
        let at = |fault: String| format!("decision {count}, {action:?}: {fault}");
        let step = game.decide(game.entries(), side, &action).map_err(refused).map_err(at)?;
        record.push_str(&step.record_line);
        record.push('\n');
        trial.note(&before, &action, tally);
        trial.check(&before, &action, &step, game.state()).map_err(at)?;
    }
    Err(format!("no end after {} decisions of {setup:?}", T::MOST))
}
