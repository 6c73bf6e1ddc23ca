//! Vienna's morale, the negotiation chart and the Prussian ultimatum.

use kernel::{Clerk, Desk, Effect, Odds, Refusal, Silent, TooManyOutcomes, Verdict};
use rulebook::options::campaign::{Options, Pohrlitz15November, UltimatumStart};
use rulebook::{phrase::campaign as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tables::{self, Overture, UltimatumResult, ViennaMoraleCondition as Condition};

/// The lowest level of Vienna's morale.
pub const LOWEST_MORALE: i32 = -5;
/// The highest.
pub const HIGHEST_MORALE: i32 = 3;

/// Something that moves Vienna's morale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MoraleEvent {
    /// The French capture Olmütz.
    FrenchCaptureOlmutz,
    /// The Austro-Russians capture Brünn.
    AustroRussianCaptureBrunn,
    /// The Austro-Russians capture Pohrlitz.
    AustroRussianCapturePohrlitz,
    /// Napoleon is eliminated.
    NapoleonEliminated,
    /// The Austro-Russians win a critical battle.
    CriticalBattleWonByAustroRussian,
    /// The French win a critical battle.
    CriticalBattleWonByFrench,
}

/// Vienna's morale after the events of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Vienna {
    /// The level.
    pub morale: i32,
    /// Whether the Austro-Russians may declare an operational victory.
    pub may_declare: bool,
}

/// Moves Vienna's morale by the events of one turn.
///
/// # Errors
/// When a capture or the elimination is named twice: it counts once per turn at most.
pub fn morale(
    level: i32,
    events: &[MoraleEvent],
    from_15_november: bool,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Verdict<Vienna> {
    let mut vienna = Vienna { morale: level, may_declare: false };
    for (place, &event) in events.iter().enumerate() {
        let battle = matches!(
            event,
            MoraleEvent::CriticalBattleWonByAustroRussian | MoraleEvent::CriticalBattleWonByFrench
        );
        if !battle && events[..place].contains(&event) {
            return Err(Refusal::rule(rule!(CA_R30), phrase::EVENT_TWICE).at(format!("events.{place}")));
        }
        let (rule, condition) = match event {
            MoraleEvent::FrenchCaptureOlmutz => (rule!(CA_VIENNA_MORALE_02), Condition::FrenchCaptureOlmutz),
            MoraleEvent::AustroRussianCaptureBrunn => {
                (rule!(CA_VIENNA_MORALE_03), Condition::AustroRussianCaptureBrunn)
            }
            MoraleEvent::AustroRussianCapturePohrlitz => {
                (rule!(CA_VIENNA_MORALE_04), Condition::AustroRussianCapturePohrlitz)
            }
            MoraleEvent::NapoleonEliminated => (rule!(CA_VIENNA_MORALE_05), Condition::NapoleonEliminated),
            MoraleEvent::CriticalBattleWonByAustroRussian => {
                (rule!(CA_VIENNA_MORALE_07), Condition::CriticalBattleWonByAustroRussian)
            }
            MoraleEvent::CriticalBattleWonByFrench => {
                (rule!(CA_VIENNA_MORALE_07), Condition::CriticalBattleWonByFrench)
            }
        };
        let counts = event != MoraleEvent::AustroRussianCapturePohrlitz
            || match options.pohrlitz_15_november {
                Pohrlitz15November::No => !from_15_november,
                Pohrlitz15November::Yes => true,
                Pohrlitz15November::Only => from_15_november,
            };
        let change = if counts { tables::morale_change(condition) } else { 0 };
        let change = clerk.rather(rule!(CA_VIENNA_MORALE_01), change, 0);
        vienna.morale += clerk.modifier(rule, change);
        if !(LOWEST_MORALE..=HIGHEST_MORALE).contains(&vienna.morale) {
            let end = vienna.morale.clamp(LOWEST_MORALE, HIGHEST_MORALE);
            vienna.morale = clerk.limit(rule!(CA_VIENNA_MORALE_08), end);
        }
        vienna.may_declare |=
            clerk.holds(rule!(CA_VIENNA_MORALE_06), event == MoraleEvent::NapoleonEliminated);
    }
    Ok(vienna)
}

/// Where the negotiations stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Talks {
    /// None have opened yet.
    NotYet,
    /// They are under way, for so many more turns.
    UnderWay(i32),
    /// They were held and have ended; no others will open.
    Held,
    /// The French were refused for good.
    Refused,
    /// A star fell during negotiations: marginal French victory.
    Victory,
}

/// What a roll gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    /// Refused for good.
    Refused,
    /// Roll again next turn.
    Again,
    /// Negotiations open.
    Talks,
    /// Marginal French victory.
    MarginalVictory,
}

/// One roll at the end of a turn: what it gave, and the turns of negotiations it opened.
///
/// # Errors
/// When the French have been refused, or the game is over.
pub fn negotiate(morale: i32, talks: Talks, clerk: &mut impl Clerk) -> Verdict<(Reply, i32)> {
    if rule!(CA_NEGOTIATION_03).holds(matches!(talks, Talks::Refused | Talks::Victory)) {
        return Err(Refusal::rule(rule!(CA_NEGOTIATION_03), phrase::TALKS_CLOSED));
    }
    clerk.applied(rule!(CA_NEGOTIATION_02));
    let [first, second] = clerk.two_d6();
    let dice = clerk.value(rule!(CA_NEGOTIATION_01), i32::from(first) + i32::from(second));
    Ok(match tables::negotiation(dice, morale) {
        Overture::Refused => (clerk.rather(rule!(CA_NEGOTIATION_03), Reply::Refused, Reply::Again), 0),
        Overture::Again => (clerk.rather(rule!(CA_NEGOTIATION_04), Reply::Again, Reply::Refused), 0),
        Overture::Star => {
            let during = matches!(talks, Talks::UnderWay(_));
            let star = if during { Reply::MarginalVictory } else { Reply::Again };
            (clerk.rather(rule!(CA_NEGOTIATION_05), star, Reply::Refused), 0)
        }
        Overture::Talks(turns) if talks == Talks::NotYet => {
            (Reply::Talks, clerk.value(rule!(CA_NEGOTIATION_06), turns))
        }
        Overture::Talks(turns) => {
            clerk.rather(rule!(CA_NEGOTIATION_07), (Reply::Again, 0), (Reply::Talks, turns))
        }
    })
}

/// Where negotiations stand after a turn.
#[must_use]
pub fn after(talks: Talks, reply: Reply, turns: i32) -> Talks {
    match (reply, talks) {
        (Reply::Refused, _) => Talks::Refused,
        (Reply::MarginalVictory, _) => Talks::Victory,
        (Reply::Talks, _) => Talks::UnderWay(turns),
        (Reply::Again, Talks::UnderWay(left)) if left > 1 => Talks::UnderWay(left - 1),
        (Reply::Again, Talks::UnderWay(_)) => Talks::Held,
        (Reply::Again, same) => same,
    }
}

/// Where negotiations stand after so many turns, with their exact chances.
///
/// # Errors
/// When there are more outcomes than can be counted.
pub fn negotiate_ahead(morale: i32, talks: Talks, turns: i32) -> Result<Odds<Talks>, TooManyOutcomes> {
    let mut chain = Odds::certain(talks);
    for _ in 0..turns {
        chain = chain.and_then(|&talks| {
            if matches!(talks, Talks::Refused | Talks::Victory) {
                return Ok(Odds::certain(talks));
            }
            Odds::of(|dice| {
                negotiate(morale, talks, &mut Desk::new(dice, Silent))
                    .map_or(talks, |(reply, turns)| after(talks, reply, turns))
            })
        })?;
    }
    Ok(chain)
}

/// What an ultimatum roll gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ultimatum {
    /// The rolls have not begun.
    NotYet,
    /// The Prussian ultimatum is delivered.
    PrussianUltimatum,
    /// Nothing yet: again next turn.
    RollAgain,
    /// Prussia leaves the coalition.
    PrussiaLeaves,
}

/// The turn of 27-28 November.
const FIRST_ULTIMATUM_TURN: i32 = 7;

/// Rolls for the ultimatum at the end of `turn`, in a game that began on turn `began`; the second
/// value is the modified die, if one was rolled.
pub fn ultimatum(
    morale: i32,
    turn: i32,
    began: i32,
    options: &Options,
    clerk: &mut impl Clerk,
) -> (Ultimatum, Option<i32>) {
    let first = match options.ultimatum_start {
        UltimatumStart::TurnOf27November => FIRST_ULTIMATUM_TURN.max(began),
        UltimatumStart::FirstTurn => began,
    };
    if turn < first {
        clerk.because(rule!(CA_R32), Effect::Set(first.into()));
        return (Ultimatum::NotYet, None);
    }
    clerk.applied(rule!(CA_ULTIMATUM_02));
    let mut die = i32::from(clerk.d6());
    let modifier = match morale {
        3.. => -2,
        2 => -1,
        _ => 0,
    };
    if modifier != 0 {
        die += clerk.modifier(rule!(CA_ULTIMATUM_06), modifier);
    }
    let die = clerk.value(rule!(CA_ULTIMATUM_01), die);
    let (rule, result, without) = match tables::ultimatum(die) {
        UltimatumResult::PrussianUltimatum => {
            (rule!(CA_ULTIMATUM_03), Ultimatum::PrussianUltimatum, Ultimatum::RollAgain)
        }
        UltimatumResult::PrussiaLeavesCoalition => {
            (rule!(CA_ULTIMATUM_05), Ultimatum::PrussiaLeaves, Ultimatum::RollAgain)
        }
        UltimatumResult::RollAgain => (rule!(CA_ULTIMATUM_04), Ultimatum::RollAgain, Ultimatum::NotYet),
    };
    (clerk.rather(rule, result, without), Some(die))
}
