//! Random games to the end: the invariants of the table hold after every action, and every record is
//! verified and played again to the same state. `GLACIS_GAMES` plays more of them, `GLACIS_FIRST`
//! begins elsewhere; `cargo xtask fuzz` plays ten thousand.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use danzig::State;
use kernel::{Game as _, HexHash, Live, Play, Record, Setup, Source};

use crate::common::{Guard, Manner, random_options};
use crate::told::told;

/// Most decisions a game may take before it counts as endless.
const MOST: usize = 300_000;

/// How often each kind of action was taken, and how the games ended.
type Tally = BTreeMap<String, usize>;

/// Plays the game of this number; the fault in words.
fn play(number: u64, tally: &mut Tally) -> Result<usize, String> {
    let manner = Manner::of(number);
    let mut stream = Live::numbered(number);
    let setup = Setup {
        scenario: danzig::SCENARIOS[0].to_owned(),
        options: if number % 3 == 2 { random_options(&mut stream) } else { BTreeMap::new() },
    };
    let mut secret = [0; 32];
    secret[..8].copy_from_slice(&number.to_le_bytes());
    let refused = |refusal: kernel::Refusal| refusal.to_string();
    let source = Source::Open(HexHash(secret));
    let mut game = Play::<State>::begin(&setup, source, Some(secret)).map_err(refused)?;
    let mut record = format!("{}\n", game.header_line());
    let mut guard = Guard::new(game.state());
    let mut actions = Vec::new();
    for count in 0..MOST {
        let state = game.state();
        let Some(side) = state.to_move() else {
            let outcome = state.outcome().ok_or("nobody is to move, and there is no outcome")?;
            *tally.entry(format!("outcome {:?}", outcome.result)).or_default() += 1;
            *tally.entry(format!("surrender {}", outcome.surrendered.is_some())).or_default() += 1;
            *tally.entry(format!("morale {:02} to the end", state.table.danzig.morale)).or_default() += 1;
            let second_line = state.table.danzig.second_line_done;
            *tally.entry(format!("second line entered {second_line}")).or_default() += 1;
            let read = Record::read(&record).map_err(refused)?;
            let again = Play::<State>::replay(&read, None).map_err(refused)?;
            let same = again.state() == game.state() && again.chain() == game.chain();
            return if same { Ok(count) } else { Err("the record gives another state".to_owned()) };
        };
        state.actions(side, &mut actions);
        if actions.is_empty() {
            return Err(format!("no action in {:?}", state.phase));
        }
        let action = actions[manner.choose(state, &actions, &mut stream)];
        let at = |fault: String| format!("decision {count}, after {action:?}: {fault}");
        let before = state.table.clone();
        let step = game.decide(game.entries(), side, &action).map_err(refused).map_err(at)?;
        if !step.dice.is_empty() {
            told(&before, &game.state().table, &step.said).map_err(at)?;
        }
        record.push_str(&step.record_line);
        record.push('\n');
        *tally.entry(kind(&action)).or_default() += 1;
        guard.check(game.state(), &action).map_err(at)?;
    }
    let state = game.state();
    Err(format!("no end: turn {}, round {}", state.table.turn, state.clock.round))
}

#[test]
fn games_come_to_an_end() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let games = number("GLACIS_GAMES").unwrap_or(200);
    let first = number("GLACIS_FIRST").unwrap_or(0);
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
                Err(fault) => {
                    println!("game {}: {fault}", first + played);
                    whole.2.push(format!("game {}: {fault}", first + played));
                }
            }
            for (kind, count) in tally {
                *whole.0.entry(kind).or_default() += count;
            }
            if (played + 1).is_multiple_of(200) {
                println!("{} of {games} games, {} decisions, {} faults", played + 1, whole.1, whole.2.len());
            }
        }
    };
    let hands = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(8);
    std::thread::scope(|scope| {
        for _ in 0..hands {
            scope.spawn(player);
        }
    });
    let (tally, decisions, faults) = whole.into_inner().unwrap();
    println!("{games} games from {first}, {decisions} decisions: {tally:#?}");
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(decisions > 0);
    if games >= 200 {
        // What must be reached, so that it is tried at all.
        for kind in [
            "Assault",
            "BoatsStart",
            "Build Mine",
            "Build New",
            "Charge",
            "Countermine",
            "DeclareCounterAttack",
            "DeclareSortie",
            "Desert",
            "ExplodeMine",
            "FireMortar",
            "FireSiegeGun",
            "RollDesertion",
            "second line entered true",
        ] {
            assert!(tally.contains_key(kind), "no game reached {kind}");
        }
    }
    // Through a breach the city is seldom starved of its heart as well.
    if games >= 5_000 {
        assert!(tally.contains_key("surrender true"), "no city surrendered");
    }
}

fn kind(action: &danzig::Action) -> String {
    let text = format!("{action:?}");
    let mut words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default().to_owned();
    match action {
        danzig::Action::Build(_) | danzig::Action::SiegeMove(_) | danzig::Action::March(_) => {
            format!("{first} {}", words.next().unwrap_or_default())
        }
        _ => first,
    }
}
