//! Random games to the end: the invariants hold after every action, and every record is verified and
//! played again to the same state. `GLACIS_GAMES` plays more of them, and with it
//! `GLACIS_FIRST` begins elsewhere.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use campaign::game::{SCENARIOS, State};
use kernel::{Game as _, HexHash, Live, Play, Record, Setup, Source};

use crate::invariants;

/// Most decisions a game may take before it counts as endless.
const MOST: usize = 100_000;

type Tally = BTreeMap<String, usize>;

fn play(number: u64, tally: &mut Tally) -> Result<usize, String> {
    let mut stream = Live::numbered(number);
    // Every twentieth game is a whole campaign.
    let scenario = SCENARIOS[match number % 20 {
        19 => 2 + usize::try_from(number / 20 % 2).unwrap(),
        other => usize::from(other % 4 == 3),
    }];
    let setup = Setup { scenario: scenario.to_owned(), ..Setup::default() };
    let mut secret = [0; 32];
    secret[..8].copy_from_slice(&number.to_le_bytes());
    let refused = |refusal: kernel::Refusal| refusal.to_string();
    let mut game =
        Play::<State>::begin(&setup, Source::Open(HexHash(secret)), Some(secret)).map_err(refused)?;
    let mut record = format!("{}\n", game.header_line());
    let mut actions = Vec::new();
    for count in 0..MOST {
        let state = game.state();
        let Some(side) = state.to_move() else {
            let outcome = state.outcome().ok_or("nobody is to move, and there is no outcome")?;
            *tally.entry(format!("{scenario}: {:?} {:?}", outcome.winner, outcome.reason)).or_default() += 1;
            let read = Record::read(&record).map_err(refused)?;
            let again = Play::<State>::replay(&read, None).map_err(refused)?;
            let same = again.state() == game.state() && again.chain() == game.chain();
            return if same { Ok(count) } else { Err("the record gives another state".to_owned()) };
        };
        state.actions(side, &mut actions);
        if actions.is_empty() || actions.len() > 160 {
            return Err(format!("{} actions in {:?}", actions.len(), state.public.phase));
        }
        let choice = stream.below(u32::try_from(actions.len()).unwrap()) as usize;
        let action = actions[choice].clone();
        let at = |fault: String| format!("decision {count}, {action:?}: {fault}");
        let step = game.decide(game.entries(), side, &action).map_err(refused).map_err(at)?;
        record.push_str(&step.record_line);
        record.push('\n');
        *tally.entry(kernel::Topic::named(&action).kind.to_owned()).or_default() += 1;
        invariants::check(game.state()).map_err(at)?;
    }
    Err(format!("no end: turn {} of {scenario}", game.state().public.turn))
}

#[test]
fn games_come_to_an_end() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let asked = number("GLACIS_GAMES");
    let games = asked.unwrap_or(200);
    // Other games than the usual ones are played where more of them are asked for.
    let first = asked.and(number("GLACIS_FIRST")).unwrap_or(0);
    let next = AtomicU64::new(0);
    let whole: Mutex<(Tally, usize, Vec<String>)> = Mutex::default();
    let player = || {
        loop {
            let played = next.fetch_add(1, Ordering::Relaxed);
            if played >= games {
                return;
            }
            let mut tally = Tally::new();
            let outcome = play(first + played, &mut tally);
            let mut whole = whole.lock().unwrap();
            match outcome {
                Ok(decisions) => whole.1 += decisions,
                Err(fault) => whole.2.push(format!("game {}: {fault}", first + played)),
            }
            for (kind, count) in tally {
                *whole.0.entry(kind).or_default() += count;
            }
        }
    };
    let hands = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(2);
    std::thread::scope(|scope| {
        for _ in 0..hands {
            scope.spawn(player);
        }
    });
    let (tally, decisions, faults) = whole.into_inner().unwrap();
    println!("{games} games from {first}, {decisions} decisions: {tally:#?}");
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
