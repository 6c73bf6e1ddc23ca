//! The combat results chart: two strengths, the ground and the circumstances enter; the numbers of
//! both sides and the loser leave. Whole pitched battles are rounds of it.

use kernel::{Clerk, Effect, Refusal, Verdict};
use rulebook::options::campaign::{CrtEnds, DefenderBonus, Options, SnowSix};
use rulebook::{phrase::campaign as phrase, rule};

use crate::battle::{Ending, Stance, Stances};
use crate::tables::{self, Level, Line};
use crate::terms::{Foraging, Party, Strength};

/// One attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attack {
    /// The attacker's strength.
    pub attacker: Strength,
    /// The defender's strength.
    pub defender: Strength,
    /// The line of the chart.
    pub line: Line,
    /// A further shift, positive to the right.
    pub shift: i32,
    /// The attacking commander's bonus.
    pub bonus: i32,
    /// The defending commander's bonus.
    pub defender_bonus: i32,
    /// Whether it snows.
    pub snow: bool,
    /// Whether it follows the attacker's own failed repulse.
    pub after_failed_repulse: bool,
    /// Who is in forage mode.
    pub foraging: Foraging,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outcome {
    /// The level of the ratio, before shifts.
    pub level: i32,
    /// The column used, 1 to 11.
    pub column: i32,
    /// The die used, 0 to 6.
    pub die: i32,
    /// The attacker's number.
    pub attacker: i32,
    /// The defender's number.
    pub defender: i32,
    /// Who lost.
    pub loser: Party,
}

/// The level of two strengths: the highest not above their ratio, in the defender's favour.
#[must_use]
pub fn level(attacker: Strength, defender: Strength) -> Level {
    let (a, d) = (i128::from(attacker.millionths().max(1)), i128::from(defender.millionths().max(1)));
    let level = if a >= 2 * d {
        a / d
    } else if 2 * a >= 3 * d {
        1
    } else if a >= d {
        0
    } else if 3 * a >= 2 * d {
        -1
    } else {
        -((d + a - 1) / a)
    };
    Level(i32::try_from(level).unwrap_or(i32::MAX))
}

/// The column of a level and the die modifier of a ratio beyond the line.
fn column_of(level: Level, line: Line, options: &Options, clerk: &mut impl Clerk) -> (i32, i32) {
    let printed = tables::combat_line(line);
    let first = printed.first().copied().unwrap_or(Level(-5));
    let last = printed.last().copied().unwrap_or(Level(5));
    let within = Level(level.0.clamp(first.0, last.0));
    let column =
        printed.iter().position(|&found| found == within).and_then(|place| i32::try_from(place + 1).ok());
    let (low, high) = match options.crt_ends {
        CrtEnds::LineInUse => (first, last),
        CrtEnds::Always5_1 => {
            let always = tables::combat_line(Line::Na);
            (always.first().copied().unwrap_or(first), always.last().copied().unwrap_or(last))
        }
    };
    let modifier = if level > high {
        clerk.modifier(rule!(CA_CRT_04), high.0.saturating_sub(level.0))
    } else if level < low {
        clerk.modifier(rule!(CA_CRT_05), low.0.saturating_sub(level.0))
    } else {
        0
    };
    if options.crt_ends == CrtEnds::Always5_1 && line == Line::A {
        clerk.applied(rule!(CA_R07));
    }
    (column.unwrap_or(1), modifier)
}

/// The column an attack starts from, without a word: how a defender judges his ground.
#[must_use]
pub fn first_column(attacker: Strength, defender: Strength, line: Line) -> i32 {
    let level = level(attacker, defender);
    let printed = tables::combat_line(line);
    let below = printed.iter().filter(|&&found| found <= level).count();
    let beyond = printed.last().map_or(0, |last| (level.0 - last.0).max(0));
    let short = printed.first().map_or(0, |first| (first.0 - level.0).max(0));
    i32::try_from(below).unwrap_or(0) + beyond - short
}

fn shifts(attack: &Attack, clerk: &mut impl Clerk) -> i32 {
    let mut shift = attack.shift;
    if attack.after_failed_repulse {
        shift += clerk.modifier(rule!(CA_CRT_09), -2);
    }
    if attack.foraging.includes(Party::Attacker) {
        shift += clerk.modifier(rule!(CA_CRT_12), -2);
    }
    if attack.foraging.includes(Party::Defender) {
        shift += clerk.modifier(rule!(CA_CRT_12), 2);
    }
    shift
}

/// Resolves one attack.
pub fn resolve(attack: &Attack, options: &Options, clerk: &mut impl Clerk) -> Outcome {
    let level = level(attack.attacker, attack.defender);
    clerk.because(rule!(CA_CRT_03), Effect::Set(level.printed().into()));
    let (start, beyond) = column_of(level, attack.line, options, clerk);
    clerk.because(rule!(CA_CRT_02), Effect::Set(start.into()));
    let wanted = start + shifts(attack, clerk);
    let columns = i32::try_from(tables::combat_line(attack.line).len()).unwrap_or(11);
    let column = wanted.clamp(1, columns);
    let natural = i32::from(clerk.d6());
    let mut die = natural + beyond;
    if column != wanted {
        die += clerk.modifier(rule!(CA_R08), column - wanted);
    }
    if attack.bonus > 0 {
        die += clerk.modifier(rule!(CA_CRT_10), -attack.bonus);
    }
    if attack.defender_bonus > 0 && options.defender_bonus == DefenderBonus::Adds1PerPoint {
        die += clerk.modifier(rule!(CA_R10), attack.defender_bonus);
    }
    if attack.snow {
        if options.snow_six == SnowSix::NaturalSix && natural == 6 {
            clerk.because(rule!(CA_R44), Effect::Modifier(0));
        } else {
            clerk.applied(rule!(CA_WEATHER_07));
            die += clerk.modifier(rule!(CA_CRT_11), 1);
        }
    }
    if !(0..=6).contains(&die) {
        die = die.clamp(0, 6);
        clerk.because(rule!(CA_CRT_13), Effect::Limit(die.into()));
    }
    let cell = tables::combat(column, die);
    let result = format!("{}/{}", cell.attacker, cell.defender);
    clerk.because(rule!(CA_CRT_01), Effect::Set(result.into()));
    clerk.applied(rule!(CA_CRT_06));
    match cell.loser {
        Party::Attacker => clerk.applied(rule!(CA_CRT_07)),
        Party::Defender => clerk.applied(rule!(CA_CRT_08)),
    }
    Outcome {
        level: level.0,
        column,
        die,
        attacker: cell.attacker,
        defender: cell.defender,
        loser: cell.loser,
    }
}

/// What came of several rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rounds {
    /// Rounds fought.
    pub round: i32,
    /// SP lost by attacker and defender.
    pub lost: [i32; 2],
    /// Rounds lost by each.
    pub rounds_lost: [i32; 2],
    /// How it ended.
    pub ending: Ending,
    /// Who retreats or is eliminated.
    pub loser: Option<Party>,
    /// Hexes of retreat.
    pub retreat: i32,
}

/// Fights rounds with the choices as given: attacker and defender alternate, losses weaken the next
/// round, and a round that either side wants as a pursuit battle ends the affair. Shift, repulse
/// and forage belong to the first attack; each commander's bonus to his own attacks.
///
/// # Errors
/// When a forager chooses a pitched battle, or the choices contradict the order of rounds.
pub fn rounds(
    first: &Attack,
    counter: Line,
    stances: &[Stances],
    options: &Options,
    clerk: &mut impl Clerk,
) -> Verdict<Rounds> {
    check_order(stances)?;
    if first.foraging.includes(Party::Defender)
        && let Some(place) = stances.iter().position(|choice| choice.defender == Stance::Pitched)
    {
        return Err(Refusal::rule(rule!(CA_TERRAIN_12), phrase::NO_PITCHED_BATTLE)
            .at(format!("rounds.{place}.defender")));
    }
    let full = [first.attacker.millionths(), first.defender.millionths()];
    let bonus = [first.bonus, first.defender_bonus];
    let mut fought = Rounds {
        round: 0,
        lost: [0; 2],
        rounds_lost: [0; 2],
        ending: Ending::Undecided,
        loser: None,
        retreat: 0,
    };
    for choice in stances {
        let active = if fought.round % 2 == 0 { Party::Attacker } else { Party::Defender };
        fought.round += 1;
        let left = |party: Party| {
            let index = party as usize;
            Strength::from_millionths(full[index] - i64::from(fought.lost[index]) * 1_000_000)
        };
        let (Some(attacker), Some(defender)) = (left(active), left(active.other())) else { break };
        let attack = Attack {
            attacker,
            defender,
            bonus: bonus[active as usize],
            defender_bonus: bonus[active.other() as usize],
            ..*first
        };
        let attack = if fought.round == 1 {
            attack
        } else {
            Attack {
                line: if active == Party::Attacker { first.line } else { counter },
                shift: 0,
                after_failed_repulse: false,
                foraging: Foraging::None,
                ..attack
            }
        };
        let outcome = resolve(&attack, options, clerk);
        let loser = if outcome.loser == Party::Attacker { active } else { active.other() };
        let mut numbers = [0; 2];
        numbers[active as usize] = outcome.attacker;
        numbers[active.other() as usize] = outcome.defender;
        let most = full.map(|strength| i32::try_from((strength + 999_999) / 1_000_000).unwrap_or(i32::MAX));
        let lose = |fought: &mut Rounds, party: Party| {
            let index = party as usize;
            fought.lost[index] = (fought.lost[index] + numbers[index]).min(most[index]);
        };
        if !choice.pitched() {
            lose(&mut fought, loser.other());
            fought.loser = Some(loser);
            fought.retreat = numbers[loser as usize];
            fought.ending = Ending::Retreat;
            break;
        }
        lose(&mut fought, Party::Attacker);
        lose(&mut fought, Party::Defender);
        fought.rounds_lost[loser as usize] += 1;
        let spent = [Party::Attacker, Party::Defender]
            .into_iter()
            .find(|&party| i64::from(fought.lost[party as usize]) * 1_000_000 >= full[party as usize]);
        if spent.is_some() {
            fought.ending = Ending::Eliminated;
            fought.loser = spent;
            break;
        }
    }
    Ok(fought)
}

/// The choice of the first round holds for the second, and nothing follows a pursuit battle.
///
/// # Errors
/// When the list says otherwise.
pub fn check_order(stances: &[Stances]) -> Verdict<()> {
    if let [first, second, ..] = stances
        && first != second
        && first.pitched()
    {
        return Err(Refusal::field("rounds.1", phrase::SECOND_ROUND_STANCE));
    }
    match stances.iter().position(|choice| !choice.pitched()) {
        Some(place) if place + 1 < stances.len() => {
            Err(Refusal::field(format!("rounds.{}", place + 1), phrase::ROUND_AFTER_PURSUIT))
        }
        _ => Ok(()),
    }
}
