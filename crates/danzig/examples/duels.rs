//! Counts games of the doctrine of Danzig against itself, against the random player and against plans that
//! are known to be one-sided, and tells what decided them:
//! `danzig-duels FRENCH PRUSSIAN GAMES [FIRST] [OPTION=VALUE]...`, where a player is `random`, `sensible` or
//! the name of a [`Plan`]. The same numbers give the same games.

use std::process::ExitCode;
use std::time::Instant;

use danzig::doctrine::{Plan, worth};
use danzig::{Phase, Score, Side, State};
use kernel::{Desk, Game as _, Live, Setup, Silent};
use opponent::{LONGEST, Player, Random};

/// Who gives the orders of a side.
#[derive(Clone, Copy)]
enum Seat {
    Random,
    Planned(Plan),
}

impl Seat {
    fn named(name: &str) -> Option<Self> {
        match name {
            "random" => Some(Self::Random),
            _ => Plan::named(name).map(Self::Planned),
        }
    }
}

/// What is counted of one game.
struct Told {
    result: Score,
    surrendered: Option<u8>,
    decisions: u32,
    /// The turns on which the city was invested.
    invested: Vec<u8>,
    relieved: Option<u8>,
    zero: Option<u8>,
    second: Option<u8>,
    rounds_24: u16,
    rounds_12: u16,
    repairs: u8,
    morale: u8,
    lost: [i64; 2],
    /// Worth for the French at the beginning of each turn.
    worth: Vec<(u8, f64)>,
    refused: u32,
}

fn play(setup: &Setup, seats: [Seat; 2], number: u64) -> Option<Told> {
    let mut state = State::start(setup).ok()?;
    let stream = |place: u64| Live::numbered(number.wrapping_mul(3).wrapping_add(place));
    let mut desk = Desk::new(stream(0), Silent);
    let mut streams = [stream(1), stream(2)];
    let mut offered = Vec::new();
    let mut told = Told {
        result: Score::Draw,
        surrendered: None,
        decisions: 0,
        invested: Vec::new(),
        relieved: None,
        zero: None,
        second: None,
        rounds_24: 0,
        rounds_12: 0,
        repairs: 0,
        morale: 0,
        lost: [0; 2],
        worth: Vec::new(),
        refused: 0,
    };
    let mut turn = 0;
    let mut strength = [danzig::steps(&state, Side::French), danzig::steps(&state, Side::Prussian)];
    while let Some(place) = state.deciders().first() {
        if told.decisions >= LONGEST {
            break;
        }
        let side = State::SIDES[place];
        state.actions(side, &mut offered);
        let view = state.view(Some(side));
        let stream = &mut streams[place];
        let mut order = match seats[place] {
            Seat::Random => Player::<State>::choose(&mut Random, side, &view, &offered, stream),
            Seat::Planned(plan) => plan.order(side, &view, &offered),
        };
        if offered.binary_search(&order).is_err() && state.validate(side, &order).is_err() {
            told.refused += 1;
            order = Player::<State>::choose(&mut Random, side, &view, &offered, stream);
        }
        state.perform(side, &order, &mut desk);
        told.decisions += 1;
        let table = &state.table;
        if table.turn != turn {
            if std::env::var_os("EACH_TURN").is_some() {
                tell(&state, &told);
            }
            turn = table.turn;
            told.worth.push((turn, worth(&state, Side::French)));
        }
        if state.phase == Phase::Build
            && told.invested.last() != Some(&turn)
            && danzig::ops::invested(&state.table)
        {
            told.invested.push(turn);
        }
        for (done, seen) in [
            (table.danzig.relief_done, &mut told.relieved),
            (table.danzig.first_zero_done, &mut told.zero),
            (table.danzig.second_line_done, &mut told.second),
        ] {
            if done {
                seen.get_or_insert(turn);
            }
        }
        for (side, place) in [(Side::French, 0), (Side::Prussian, 1)] {
            let now = danzig::steps(&state, side);
            told.lost[place] += (strength[place] - now).max(0);
            strength[place] = now;
        }
    }
    let outcome = state.outcome()?;
    (told.result, told.surrendered) = (outcome.result, outcome.surrendered);
    let city = &state.table.danzig;
    (told.rounds_24, told.rounds_12) = (city.ammunition_24, city.ammunition_12);
    (told.repairs, told.morale) = (city.repair_pool, city.morale);
    Some(told)
}

/// The armies at the beginning of a turn.
fn tell(state: &State, told: &Told) {
    let table = &state.table;
    println!(
        "turn {}: decisions {} lost {:?} morale {} stars {:010b} 24s {} 12s {} repairs {}",
        table.turn,
        told.decisions,
        told.lost,
        table.danzig.morale,
        table.ops.stars,
        table.danzig.ammunition_24,
        table.danzig.ammunition_12,
        table.danzig.repair_pool
    );
    for side in State::SIDES {
        let mut line = String::new();
        for unit in danzig::UnitId::of_side(*side) {
            let counter = table.unit(unit);
            if !matches!(counter.place, danzig::Place::Away) {
                line += &format!(" {unit}/{}@{:?}", counter.steps, counter.place);
            }
        }
        println!("  {side:?}{line}");
    }
    let walls = danzig::siege::WallId::all().filter(|point| table.siege.wall(*point).level < 20);
    let walls: Vec<String> =
        walls.map(|point| format!("{point}:{}", table.siege.wall(point).level)).collect();
    let works: Vec<String> = table
        .siege
        .all_works()
        .map(|(_, work)| {
            let at = work.pose.at;
            format!("{:?}({},{}){}", work.kind, at.x / 10, at.y / 10, if work.damaged { "!" } else { "" })
        })
        .collect();
    println!("  walls {} works {}", walls.join(" "), works.join(" "));
}

/// Wilson's interval of 95 % in per cent.
#[allow(clippy::cast_precision_loss, reason = "counts of games")]
fn wilson(times: usize, of: usize) -> (f64, f64, f64) {
    let (z, n) = (1.96_f64, of.max(1) as f64);
    let share = times as f64 / n;
    let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    (share * 100.0, (middle - half) * 100.0, (middle + half) * 100.0)
}

#[allow(clippy::cast_precision_loss, reason = "counts of games")]
fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0_usize), |(sum, count), number| (sum + number, count + 1));
    sum / count.max(1) as f64
}

fn turns(games: &[Told], of: impl Fn(&Told) -> Option<u8>) -> String {
    let mut line = String::new();
    for turn in 1..=15 {
        let count = games.iter().filter(|game| of(game) == Some(turn)).count();
        if count > 0 {
            line += &format!(" {turn}: {count},");
        }
    }
    let never = games.iter().filter(|game| of(game).is_none()).count();
    format!("{line} never {never}")
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let seat = |at: usize| words.get(at).and_then(|name| Seat::named(name));
    let (Some(french), Some(prussian)) = (seat(0), seat(1)) else {
        eprintln!("danzig-duels FRENCH PRUSSIAN GAMES [FIRST] [OPTION=VALUE]...");
        return ExitCode::FAILURE;
    };
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
    let (count, first) = (number(2).unwrap_or(20), number(3).unwrap_or(0));
    let options = words.iter().filter_map(|word| word.split_once('='));
    let setup = Setup {
        options: options.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        ..Setup::default()
    };
    if let Err(refusal) = State::start(&setup) {
        eprintln!("{refusal:?}");
        return ExitCode::FAILURE;
    }
    let begun = Instant::now();
    let verbose = std::env::var_os("EACH_GAME").is_some();
    let mut games: Vec<Told> = Vec::new();
    for game in first..first + count {
        let Some(told) = play(&setup, [french, prussian], game) else { continue };
        if verbose {
            println!(
                "{game}: {:?} {:?} morale {} invested {:?} relieved {:?} zero {:?} second {:?} 24s {} 12s {} \
                 repairs {} lost {:?} decisions {} refused {}",
                told.result,
                told.surrendered,
                told.morale,
                told.invested,
                told.relieved,
                told.zero,
                told.second,
                told.rounds_24,
                told.rounds_12,
                told.repairs,
                told.lost,
                told.decisions,
                told.refused,
            );
            for (turn, worth) in &told.worth {
                println!("worth {turn} {worth:.3} {:?}", told.result);
            }
        }
        games.push(told);
    }
    report(&words, &games, begun.elapsed().as_secs_f64());
    ExitCode::SUCCESS
}

#[allow(clippy::cast_precision_loss, reason = "counts of games")]
fn report(words: &[String], games: &[Told], seconds: f64) {
    println!(
        "{}: {} games, {:.2} s a game",
        words.join(" "),
        games.len(),
        seconds / games.len().max(1) as f64
    );
    for result in [Score::FrenchVictory, Score::Draw, Score::PrussianMinor, Score::PrussianMajor] {
        let times = games.iter().filter(|game| game.result == result).count();
        let (share, low, high) = wilson(times, games.len());
        println!("  {result:?}: {times}, {share:.1} % ({low:.1} to {high:.1})");
    }
    println!("  surrender:{}", turns(games, |game| game.surrendered));
    println!("  first invested:{}", turns(games, |game| game.invested.first().copied()));
    println!("  first wall at 0:{}", turns(games, |game| game.zero));
    println!("  second wall entered:{}", turns(games, |game| game.second));
    println!("  relieved:{}", turns(games, |game| game.relieved));
    let average = |of: fn(&Told) -> f64| mean(games.iter().map(of));
    println!(
        "  turns invested by 12 {:.1}; left: 24-pdr {:.1}, 12-pdr {:.1}, repairs {:.1}, morale {:.1}; steps lost: \
         French {:.1}, Prussian {:.1}; decisions {:.0}, refused {:.2}",
        average(|game| game.invested.iter().filter(|turn| **turn <= 12).count() as f64),
        average(|game| f64::from(game.rounds_24)),
        average(|game| f64::from(game.rounds_12)),
        average(|game| f64::from(game.repairs)),
        average(|game| f64::from(game.morale)),
        average(|game| game.lost[0] as f64),
        average(|game| game.lost[1] as f64),
        average(|game| f64::from(game.decisions)),
        average(|game| f64::from(game.refused)),
    );
}
