//! Counts games of Danzig between two levels of play, each number played twice with the same dice, once from
//! either side: `danzig-levels ONE OTHER NUMBERS [FIRST]`, where a level is `random`, `sensible`, `search:30`
//! or `search:1000ms`.

use std::process::ExitCode;
use std::time::Instant;

use danzig::{Side, State};
use kernel::{Game as _, Setup};
use opponent::{Level, Searcher as _, duel};

/// What this side scores in the game of this number, and how many decisions it has.
fn score(levels: [Level; 2], side: Side, number: u64) -> Option<(f64, u32)> {
    let end = duel::<State>(&Setup::default(), &levels, number).ok()?;
    Some((end.last.outcome().map_or(0.5, |outcome| State::score(&outcome, side)), end.decisions))
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let level = |place: usize| words.get(place).and_then(|word| word.parse::<Level>().ok());
    let number = |place: usize| words.get(place).and_then(|word| word.parse::<u64>().ok());
    let (Some(one), Some(other), Some(numbers)) = (level(0), level(1), number(2)) else {
        eprintln!("danzig-levels ONE OTHER NUMBERS [FIRST]: {}", Level::FORMS);
        return ExitCode::from(2);
    };
    let first = number(3).unwrap_or(0);
    let begun = Instant::now();
    let mut sums = [0.0; 2];
    for number in first..first + numbers {
        for (sum, (levels, side)) in
            sums.iter_mut().zip([([one, other], Side::French), ([other, one], Side::Prussian)])
        {
            let Some((score, decisions)) = score(levels, side, number) else { return ExitCode::FAILURE };
            *sum += score;
            println!(
                "{number} {side:?} {score} {decisions} decisions, {:.0} s so far",
                begun.elapsed().as_secs_f64()
            );
        }
    }
    println!(
        "{one} scores as French {}, as Prussian {}, of {numbers} each, against {other}",
        sums[0], sums[1]
    );
    ExitCode::SUCCESS
}
