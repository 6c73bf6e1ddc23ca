//! How the machine fares in the campaign of 1805: who wins how often, why, and how many decisions a side makes
//! in a turn. `campaign-duels SCENARIO FRENCH ALLIED GAMES [FIRST]`, each side `random` or `sensible`.

use std::collections::BTreeMap;

use campaign::game::{Outcome, State};
use campaign::terms::Army;
use kernel::{Desk, Game, Live, Setup, Silent};
use opponent::{Player, Random, Sensible};

fn player(name: &str) -> Box<dyn Player<State>> {
    if name == "random" { Box::new(Random) } else { Box::new(Sensible) }
}

/// One game, by its number: how it ended, and the decisions of each side, turn by turn.
fn play(scenario: &str, names: [&str; 2], number: u64, turns: &mut [Vec<u32>; 2]) -> Option<Outcome> {
    let setup = Setup { scenario: scenario.to_owned(), ..Setup::default() };
    let mut state = State::start(&setup).ok()?;
    let mut desk = Desk::new(Live::numbered(3 * number), Silent);
    let mut players = names.map(player);
    let mut streams = [1, 2].map(|place| Live::numbered(3 * number + place));
    let mut offered = Vec::new();
    let mut counted: BTreeMap<(u8, usize), u32> = BTreeMap::new();
    for _ in 0..opponent::LONGEST {
        let Some(place) = state.deciders().iter().next() else { break };
        let side = [Army::French, Army::AustroRussian][place];
        state.actions(side, &mut offered);
        let view = state.view(Some(side));
        let order = players[place].choose(side, &view, &offered, &mut streams[place]);
        if let Err(refusal) = state.validate(side, &order) {
            eprintln!("game {number}: {order:?} is refused: {refusal:?}");
            return None;
        }
        if std::env::var_os("TELL").is_some() {
            println!("{} {:?} {side:?} {order:?}", state.public.turn, state.public.phase);
        }
        *counted.entry((state.public.turn, place)).or_default() += 1;
        state.perform(side, &order, &mut desk);
    }
    for ((_, place), count) in counted {
        turns[place].push(count);
    }
    state.outcome()
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word =
        |place: usize, otherwise: &str| words.get(place).cloned().unwrap_or_else(|| otherwise.to_owned());
    let (scenario, french, allied) = (word(0, "austerlitz"), word(1, "sensible"), word(2, "random"));
    let games: u64 = word(3, "20").parse().unwrap_or(20);
    let first: u64 = word(4, "0").parse().unwrap_or(0);
    let mut turns: [Vec<u32>; 2] = Default::default();
    let mut ends: BTreeMap<String, u32> = BTreeMap::new();
    let mut totals = [0, 0];
    for number in first..first + games {
        let Some(outcome) = play(&scenario, [&french, &allied], number, &mut turns) else {
            *ends.entry("unfinished".to_owned()).or_default() += 1;
            continue;
        };
        let winner = outcome.winner.map_or("draw".to_owned(), |army| format!("{army:?}"));
        *ends.entry(winner.clone()).or_default() += 1;
        *ends.entry(format!("  {winner}, {:?}, {:?}", outcome.extent, outcome.reason)).or_default() += 1;
        totals = [totals[0] + outcome.totals[0], totals[1] + outcome.totals[1]];
    }
    println!("{scenario}, French {french}, Austro-Russians {allied}, {games} games from {first}");
    for (end, count) in ends {
        println!("{end}: {count}");
    }
    println!("totals: {totals:?}");
    for (side, mut counts) in ["French", "Austro-Russians"].into_iter().zip(turns) {
        counts.sort_unstable();
        let at = |part: usize| counts.get(counts.len() * part / 100).copied().unwrap_or(0);
        println!(
            "{side}: decisions a turn: median {}, nine in ten up to {}, most {}",
            at(50),
            at(90),
            at(99)
        );
    }
}
