//! What the games came to, as lines of the terminal.

use kernel::{Fact, Phrase};
use rulebook::{Lang, phrase::simulate as words};

use super::{Failure, Match};
use crate::simulation::{Summary, end_name};

/// The bars of histograms are so long at most.
const LONGEST: u64 = 50;

/// What was played, in a sentence.
pub(super) fn played(games: &Match, number_of_games: u64, lang: Lang) -> String {
    let sides = games.sides();
    let players: Vec<String> =
        sides.iter().zip(&games.levels).map(|(side, level)| format!("{side}={level}")).collect();
    let options: Vec<String> =
        games.setup.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let facts = [
        number("games", number_of_games),
        word("system", games.system()),
        word("scenario", &games.setup.scenario),
        word("seed", &games.seed),
        word("players", &[players, options].concat().join(", ")),
    ];
    rulebook::speak(words::PLAYED, &facts, lang).trim_end().to_owned()
}

/// The share of each end with its interval.
pub(super) fn shares(summary: &Summary, lang: Lang) -> Result<(), Failure> {
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    for (result, times) in &summary.results {
        let share = summary.share(*times);
        let facts = [
            word("result", &end_name(result.as_deref(), lang)),
            number("count", *times),
            word("percent", &percent(share.part)),
            word("low", &percent(share.low)),
            word("high", &percent(share.high)),
        ];
        say(words::SHARE, &facts, lang)?;
    }
    Ok(())
}

/// Everything: ends, turns, lengths, gauges over the turns and what changed them.
pub(super) fn report(summary: &Summary, lang: Lang) -> Result<(), Failure> {
    shares(summary, lang)?;
    let bar = |times: u64, most: u64| "#".repeat(usize::try_from(times * LONGEST / most.max(1)).unwrap_or(0));
    if !summary.turns.is_empty() {
        say(words::TURNS, &[], lang)?;
        for (turn, times) in &summary.turns {
            let facts = [
                number("turn", u64::from(*turn)),
                number("count", *times),
                word("bar", &bar(*times, summary.games)),
            ];
            say(words::TURN, &facts, lang)?;
        }
        let rest = summary.games - summary.turns.values().sum::<u64>();
        say(words::TO_THE_LAST, &[number("count", rest), word("bar", &bar(rest, summary.games))], lang)?;
    }
    let at = |percent: u64| u64::from(summary.lengths.quantile(percent).unwrap_or(0));
    say(words::LENGTH, &[number("median", at(50)), number("least", at(0)), number("most", at(100))], lang)?;
    let bins = summary.lengths.bins(8);
    let most = bins.iter().map(|(_, times)| *times).max().unwrap_or(1);
    for (from, times) in &bins {
        let facts = [
            Fact { name: "from", value: (*from).into() },
            number("count", *times),
            word("bar", &bar(*times, most)),
        ];
        say(words::LENGTH_BIN, &facts, lang)?;
    }
    for (gauge, turns) in &summary.curves {
        let name = rulebook::speak_key(&format!("server-gauge-{gauge}"), lang);
        let means: Vec<String> = turns.iter().map(|seen| format!("{:.1}", seen.mean())).collect();
        say(words::CURVE, &[word("gauge", &name), word("means", &means.join(" "))], lang)?;
        let causes: Vec<String> = summary
            .causes(gauge)
            .into_iter()
            .take(6)
            .map(|(kind, change)| format!("{kind} {change:+.2}"))
            .collect();
        if !causes.is_empty() {
            say(words::CAUSES, &[word("causes", &causes.join(", "))], lang)?;
        }
    }
    Ok(())
}

pub(in crate::terminal) fn say(phrase: Phrase, facts: &[Fact], lang: Lang) -> Result<(), Failure> {
    Ok(crate::terminal::tell(rulebook::speak(phrase, facts, lang).trim_end())?)
}

pub(in crate::terminal) fn number(name: &'static str, value: u64) -> Fact {
    Fact { name, value: i64::try_from(value).unwrap_or(i64::MAX).into() }
}

pub(in crate::terminal) fn word(name: &'static str, value: &str) -> Fact {
    Fact { name, value: value.into() }
}
