//! Plays games between players of given strengths and counts who wins: `breach-duels SCENARIO GARRISON
//! BESIEGER GAMES [option=value ...]`.

use breach::game::State;
use breach::scenario::Side;
use kernel::{Game, Setup};
use opponent::{Level, duel};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [scenario, garrison, besieger, games, options @ ..] = &words[..] else {
        eprintln!("breach-duels SCENARIO GARRISON BESIEGER GAMES [option=value ...]");
        std::process::exit(2);
    };
    let level = |name: &String| Level::named(name).unwrap_or(Level::Random);
    let options = options.iter().filter_map(|word| word.split_once('='));
    let options = options.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let setup = Setup { scenario: scenario.clone(), options };
    let games: u64 = games.parse().unwrap_or(20);
    let (mut won, mut reasons) = (0, std::collections::BTreeMap::<String, u32>::new());
    let (mut decisions, mut turns) = (0, 0);
    for number in 0..games {
        match duel::<State>(&setup, &[level(garrison), level(besieger)], number) {
            Ok(played) => {
                decisions += played.decisions;
                turns += u32::from(played.last.turn);
                if let Some(end) = played.last.outcome() {
                    won += u32::from(end.winner == Side::Garrison);
                    *reasons.entry(format!("{:?} {:?}", end.winner, end.reason)).or_default() += 1;
                }
            }
            Err(refusal) => {
                eprintln!("{refusal:?}");
                std::process::exit(1);
            }
        }
    }
    println!("{scenario}: garrison {garrison} {won} of {games} against {besieger}; {reasons:?}");
    println!(
        "decisions a game {}, turns {}",
        u64::from(decisions) / games.max(1),
        u64::from(turns) / games.max(1)
    );
}
