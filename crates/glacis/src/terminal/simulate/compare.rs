//! Two settings on the same seeds, until it is known whether they differ.

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use rulebook::{Lang, phrase::simulate as words};

use super::{Args, Failure, Match, Progress, changed, number, refused, say, tell, threads, word};
use crate::simulation::{Comparison, Going, Known, Summary, in_order};

pub(super) fn run(args: &Args, games: &Match, stop: &AtomicBool, lang: Lang) -> Result<ExitCode, Failure> {
    let other = changed(games.clone(), "--compare", &args.compare)?;
    let side = games.sides().into_iter().next().unwrap_or_default();
    let enough = f64::from(args.enough) / 100.0;
    let mut test = Comparison::default();
    let (mut before, mut after) = (Summary::default(), Summary::default());
    let mut progress = Progress::begin(args.games, 0, lang);
    in_order(
        0..args.games,
        threads(args.threads),
        stop,
        |number| Ok((games.row(number)?, other.row(number)?)),
        |_, pair| {
            let (one, two) = pair.map_err(|refusal| refused(&refusal, lang))?;
            let score = |row: &crate::simulation::Row| row.counted.scores.get(&side).copied().unwrap_or(0.5);
            test.add(score(&one), score(&two));
            before.add(&one);
            after.add(&two);
            progress.tell(test.pairs());
            let known = test.known(enough) != Known::NotYet;
            Ok::<_, Failure>(if known { Going::Enough } else { Going::On })
        },
    )?;
    progress.clear();
    for (games, summary) in [(games, &before), (&other, &after)] {
        super::super::tell(&tell::played(games, summary.games, lang))?;
        tell::shares(summary, lang)?;
    }
    let percent = |share: f64| format!("{:+.1}", share * 100.0);
    let (difference, margin) = (test.difference(), test.margin());
    let facts = [
        word("side", &side),
        word("options", &args.compare.join(", ")),
        number("pairs", test.pairs()),
        word("percent", &percent(difference)),
        word("low", &percent((difference - margin).max(-1.0))),
        word("high", &percent((difference + margin).min(1.0))),
        word("chance", &format!("{:.2}", test.chance() * 100.0)),
        number("enough", args.enough.into()),
    ];
    let (verdict, code) = match test.known(enough) {
        Known::Differ => (words::DIFFER, ExitCode::SUCCESS),
        Known::Alike => (words::ALIKE, ExitCode::SUCCESS),
        Known::NotYet => (words::NOT_YET, ExitCode::FAILURE),
    };
    say(verdict, &facts, lang)?;
    Ok(code)
}
