//! `glacis tournament`: everybody plays everybody from every side, and the strengths that follow.

use std::num::NonZero;
use std::process::ExitCode;

use opponent::Level;
use rulebook::phrase::simulate as words;

use super::simulate::{Progress, begun, interrupted, number, say, threads, with_games, word};
use super::{Failure, Language};
use crate::simulation::{Encounter, Going, Match, figure, in_order, strengths};

/// What `glacis tournament` is told.
#[derive(clap::Args)]
pub struct Args {
    /// The game.
    #[arg(value_parser = with_games())]
    system: String,
    /// The levels that play, joined by commas: `random,sensible,search:100`.
    #[arg(long, value_delimiter = ',', value_name = "LEVEL", required = true)]
    players: Vec<String>,
    /// So many games of every two players, from either side.
    #[arg(long, default_value_t = 20)]
    games: u64,
    /// Any text; the same text gives the same games.
    #[arg(long, default_value = "glacis")]
    seed: String,
    /// The scenario; without it, the first of the system.
    #[arg(long)]
    scenario: Option<String>,
    /// Options of the rulings: `name=value`, several times or joined by commas.
    #[arg(long, value_delimiter = ',', value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// So many games at once; without it, as many as there are cores.
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    #[command(flatten)]
    language: Language,
}

/// One way round of two players: who plays the first side, and who the other.
struct Pairing {
    one: usize,
    other: usize,
    games: Match,
}

/// Carries out `glacis tournament`.
///
/// # Errors
/// When there is no such level, scenario or option, or the game is not one for two sides.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let lang = args.language.get();
    let known = |name: &String| -> Result<Level, Failure> {
        name.parse().map_err(|_| format!("--players {name}: {}", Level::FORMS).into())
    };
    let levels = args.players.iter().map(known).collect::<Result<Vec<Level>, Failure>>()?;
    let games = begun(&args.system, &args.seed, args.scenario.as_deref(), &args.set)?;
    let sides = games.sides();
    let [first, _] = sides.as_slice() else {
        return Err(format!("{}: {}", args.system, sides.join(", ")).into());
    };
    let mut pairings = Vec::new();
    for one in 0..levels.len() {
        for other in (0..levels.len()).filter(|&other| other != one) {
            let mut games = games.clone();
            games.levels = vec![levels[one], levels[other]];
            pairings.push(Pairing { one, other, games });
        }
    }
    let stop = interrupted();
    let ways = u64::try_from(pairings.len()).unwrap_or(u64::MAX);
    let all = ways * args.games;
    let mut progress = Progress::begin(all, 0, lang);
    let mut scores = vec![(0_u64, 0.0); pairings.len()];
    let pairing_of = |number: u64| usize::try_from(number % ways).unwrap_or(0);
    in_order(
        0..all,
        threads(args.threads),
        &stop,
        |number| pairings[pairing_of(number)].games.row(number / ways),
        |number, row| {
            let row = row.map_err(|refusal| rulebook::refusal(&refusal, lang))?;
            let (games, score) = &mut scores[pairing_of(number)];
            *games += 1;
            *score += row.counted.scores.get(first).copied().unwrap_or(0.5);
            progress.tell(number + 1);
            Ok::<_, Failure>(Going::On)
        },
    )?;
    progress.clear();
    let encounters: Vec<Encounter> = pairings
        .iter()
        .zip(&scores)
        .map(|(pairing, (games, score))| Encounter {
            one: pairing.one,
            other: pairing.other,
            games: figure(*games),
            score: *score,
        })
        .collect();
    for (pairing, encounter) in pairings.iter().zip(&encounters) {
        let facts = [
            word("one", &args.players[pairing.one]),
            word("other", &args.players[pairing.other]),
            word("side", first),
            word("score", &encounter.score.to_string()),
            word("games", &encounter.games.to_string()),
        ];
        say(words::ENCOUNTER, &facts, lang)?;
    }
    let mut ranking: Vec<_> = args.players.iter().zip(strengths(levels.len(), &encounters)).collect();
    ranking.sort_by(|a, b| b.1.points.total_cmp(&a.1.points));
    for (place, (name, strength)) in (1..).zip(ranking) {
        let facts = [
            number("place", place),
            word("player", name),
            word("points", &format!("{:+.0}", strength.points)),
            word("margin", &format!("{:.0}", strength.margin)),
        ];
        say(words::STRENGTH, &facts, lang)?;
    }
    let played: u64 = scores.iter().map(|(games, _)| games).sum();
    Ok(if played == all { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
