//! Counts games of Dans la brèche ! between machines, and tells what decided them:
//! `breach-duels SCENARIO GARRISON BESIEGER GAMES [FIRST] [OPTION=VALUE]...`, each side `random` or `sensible`.
//! The same numbers give the same games. `EACH_GAME=1` tells every game, `EACH_TURN=1` the table before every
//! player turn, `EACH_ORDER=1` every order.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use breach::game::{Action, Outcome, Place, State};
use breach::scenario::Side;
use kernel::{Game as _, Setup, Verdict};
use opponent::{Level, watched};

const SIDES: [Side; 2] = [Side::Garrison, Side::Besieger];

/// What is counted of one game.
struct Told {
    end: Option<Outcome>,
    turn: u8,
    decisions: u32,
    /// Stands of garrison and besieger that are gone.
    lost: [u32; 2],
}

fn level(name: &str) -> Option<Level> {
    match name {
        "random" => Some(Level::Random),
        "sensible" => Some(Level::Sensible),
        _ => None,
    }
}

fn play(setup: &Setup, levels: &[Level; 2], number: u64) -> Verdict<Told> {
    let each = |name: &str| std::env::var_os(name).is_some();
    let (each_turn, each_order) = (each("EACH_TURN"), each("EACH_ORDER"));
    let mut seen = (0, Side::Garrison);
    let played = watched::<State>(setup, levels, number, |state, side, order| {
        if each_order && !matches!(order, Action::EndInitiative) {
            println!("{} {side:?} {order:?} -> {:?} {:?}", state.turn, state.steps.last(), state.hand);
        }
        if each_turn && state.turn > 0 && seen != (state.turn, state.active) {
            seen = (state.turn, state.active);
            tell(state);
        }
    })?;
    let last = played.last;
    if each_turn {
        tell(&last);
    }
    let lost = SIDES.map(|side| {
        last.table.units.iter().filter(|unit| unit.side == side).map(|unit| u32::from(unit.lost())).sum()
    });
    Ok(Told { end: last.outcome(), turn: last.turn, decisions: played.decisions, lost })
}

/// The table before a player turn.
fn tell(state: &State) {
    println!("turn {}, {:?}:", state.turn, state.active);
    for side in SIDES {
        let mut line = format!("  {side:?}");
        for unit in state.table.units.iter().filter(|unit| unit.side == side && unit.is_on_table()) {
            let places: Vec<String> = unit
                .alive()
                .filter_map(|at| match unit.stands[at].place {
                    Place::Ground { front, .. } => Some(format!("{},{}", front.x / 100, front.y / 100)),
                    place => place.element().map(|element| format!("#{}", element.0)),
                })
                .collect();
            let marks = [
                (unit.marks.confused, "?"),
                (unit.marks.engaged, "x"),
                (unit.stands.iter().any(|stand| stand.post.is_some()), "p"),
            ];
            let marks: String = marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect();
            line += &format!(" {}{marks}[{}]", unit.name(), places.join(" "));
        }
        println!("{line}");
    }
    let down: Vec<String> = state
        .table
        .elements
        .iter()
        .enumerate()
        .filter(|(_, works)| works.down || works.dice > 0 || works.leaf_down || works.leaf_dice > 0)
        .map(|(at, works)| match (works.down, works.leaf_down) {
            (true, _) => format!("{at} down"),
            (_, true) => format!("{at} leaf down {}", works.dice),
            _ => format!("{at} {}/{}", works.dice, works.leaf_dice),
        })
        .collect();
    let people: Vec<String> =
        state.table.characters.iter().map(|one| format!("{} {:?}", one.name(), one.place)).collect();
    println!("  works {} people {}", down.join(", "), people.join(", "));
}

/// Wilson's interval of 95 % in per cent.
fn wilson(times: u32, of: u32) -> (f64, f64, f64) {
    let (z, n) = (1.96_f64, f64::from(of.max(1)));
    let share = f64::from(times) / n;
    let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    (share * 100.0, (middle - half) * 100.0, (middle + half) * 100.0)
}

fn report(words: &[String], games: &[Told], seconds: f64) {
    let of = u32::try_from(games.len()).unwrap_or(u32::MAX);
    let mean = |sum: u32| f64::from(sum) / f64::from(of.max(1));
    println!("{}: {of} games, {:.2} s a game", words.join(" "), seconds / f64::from(of.max(1)));
    for side in SIDES {
        let won = games.iter().filter(|game| game.end.as_ref().is_some_and(|end| end.winner == side));
        let (share, low, high) = wilson(u32::try_from(won.clone().count()).unwrap_or(0), of);
        println!("  {side:?} wins {}: {share:.1} % ({low:.1} to {high:.1})", won.clone().count());
        let mut ends: BTreeMap<String, u32> = BTreeMap::new();
        for game in won {
            let why = game.end.as_ref().map_or(String::new(), |end| format!("{:?}", end.reason));
            *ends.entry(format!("{why} on turn {}", game.turn)).or_default() += 1;
        }
        for (end, count) in ends {
            println!("    {end}: {count}");
        }
    }
    for (at, side) in SIDES.into_iter().enumerate() {
        let lost: u32 = games.iter().map(|game| game.lost[at]).sum();
        let scored = games.iter().filter_map(|game| Some(game.end.as_ref()?.points?[at]));
        let points: f64 = scored.clone().map(f64::from).sum();
        let counted = f64::from(u32::try_from(scored.count()).unwrap_or(0)).max(1.0);
        println!(
            "  {side:?}: {:.1} stands lost, {:.0} points where they counted",
            mean(lost),
            points / counted
        );
    }
    println!("  {:.0} decisions a game", mean(games.iter().map(|game| game.decisions).sum()));
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let levels = (words.get(1).and_then(|name| level(name))).zip(words.get(2).and_then(|name| level(name)));
    let (Some(scenario), Some((garrison, besieger))) = (words.first(), levels) else {
        eprintln!("breach-duels SCENARIO GARRISON BESIEGER GAMES [FIRST] [OPTION=VALUE]...");
        return ExitCode::FAILURE;
    };
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
    let (count, first) = (number(3).unwrap_or(20), number(4).unwrap_or(0));
    let options = words.iter().filter_map(|word| word.split_once('='));
    let options = options.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let setup = Setup { scenario: scenario.clone(), options };
    let begun = Instant::now();
    let mut games = Vec::new();
    for game in first..first + count {
        match play(&setup, &[garrison, besieger], game) {
            Ok(told) => {
                if std::env::var_os("EACH_GAME").is_some() {
                    println!("{game}: turn {} lost {:?} {:?}", told.turn, told.lost, told.end);
                }
                games.push(told);
            }
            Err(refusal) => {
                eprintln!("{refusal:?}");
                return ExitCode::FAILURE;
            }
        }
    }
    report(&words, &games, begun.elapsed().as_secs_f64());
    ExitCode::SUCCESS
}
