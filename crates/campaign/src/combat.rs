//! The combat results chart: two strengths, the ground and the circumstances enter; the numbers of
//! both sides and the loser leave. Whole pitched battles are rounds of it.

use kernel::{Clerk, Effect, Refusal, Stages, Verdict};
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

impl Attack {
    /// An attack on this line of the chart, without shift, bonus or snow, nobody in forage mode.
    #[must_use]
    pub fn new(attacker: Strength, defender: Strength, line: Line) -> Self {
        Self {
            attacker,
            defender,
            line,
            shift: 0,
            bonus: 0,
            defender_bonus: 0,
            snow: false,
            after_failed_repulse: false,
            foraging: Foraging::None,
        }
    }
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
    // No army is a billion times another; beyond that the level says no more.
    Level(i32::try_from(level.clamp(-1_000_000_000, 1_000_000_000)).unwrap_or(0))
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
    let level = clerk.value(rule!(CA_CRT_03), level(attack.attacker, attack.defender));
    let (start, beyond) = column_of(level, attack.line, options, clerk);
    let wanted = clerk.value(rule!(CA_CRT_02), start) + shifts(attack, clerk);
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
    let spared = attack.snow && options.snow_six == SnowSix::NaturalSix && natural == 6;
    if spared {
        clerk.because(rule!(CA_R44), Effect::Modifier(0));
    }
    if clerk.holds(rule!(CA_WEATHER_07), attack.snow && !spared) {
        die += clerk.modifier(rule!(CA_CRT_11), 1);
    }
    if !(0..=6).contains(&die) {
        die = clerk.limit(rule!(CA_CRT_13), die.clamp(0, 6));
    }
    let cell = clerk.value(rule!(CA_CRT_01), tables::combat(column, die));
    let (attacker, defender) =
        clerk.rather(rule!(CA_CRT_06), (cell.attacker, cell.defender), (cell.defender, cell.attacker));
    let print = match cell.loser {
        Party::Attacker => rule!(CA_CRT_07),
        Party::Defender => rule!(CA_CRT_08),
    };
    let loser = clerk.rather(print, cell.loser, cell.loser.other());
    Outcome { level: level.0, column, die, attacker, defender, loser }
}

/// Several rounds with the choices as given: attacker and defender alternate, losses weaken the next
/// round, and a round that either side wants as a pursuit battle ends the affair. Shift, repulse
/// and forage belong to the first attack; each commander's bonus to his own attacks.
#[derive(Clone, Copy, Debug)]
pub struct Affair<'a> {
    /// The first attack.
    pub first: Attack,
    /// The line of the counterattacks.
    pub counter: Line,
    /// The choices, round by round.
    pub stances: &'a [Stances],
}

/// How an affair stands, and in the end what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rounds {
    /// Rounds fought.
    pub round: i32,
    /// SP lost by attacker and defender.
    pub lost: [i32; 2],
    /// Rounds lost by each.
    pub rounds_lost: [i32; 2],
    /// How it ended; undecided while it goes on.
    pub ending: Ending,
    /// Who retreats or is eliminated.
    pub loser: Option<Party>,
    /// Hexes of retreat.
    pub retreat: i32,
}

impl Affair<'_> {
    /// Fights it to the end.
    ///
    /// # Errors
    /// When a forager chooses a pitched battle, or the choices contradict the order of rounds.
    pub fn fight(&self, options: &Options, clerk: &mut impl Clerk) -> Verdict<Rounds> {
        let open = self.open()?;
        Ok(self.stances.iter().fold(open, |fought, &choice| self.round(fought, choice, options, clerk)))
    }

    /// Every end with its exact chance: the rounds of [`fight`](Self::fight), equal states merged
    /// between them.
    ///
    /// # Errors
    /// Those of [`fight`](Self::fight), or more outcomes than can be counted.
    pub fn odds(&self, options: &Options) -> Verdict<Stages<Rounds>> {
        let open = Stages::first(|_| self.open())?;
        self.stances.iter().try_fold(open, |affair, &choice| {
            affair.then(|&fought, clerk| Ok(self.round(fought, choice, options, clerk)))
        })
    }

    fn open(&self) -> Verdict<Rounds> {
        check_order(self.stances)?;
        if rule!(CA_TERRAIN_12).holds(self.first.foraging.includes(Party::Defender))
            && let Some(place) = self.stances.iter().position(|choice| choice.defender == Stance::Pitched)
        {
            return Err(Refusal::rule(rule!(CA_TERRAIN_12), phrase::NO_PITCHED_BATTLE)
                .at(format!("rounds.{place}.defender")));
        }
        Ok(Rounds {
            round: 0,
            lost: [0; 2],
            rounds_lost: [0; 2],
            ending: Ending::Undecided,
            loser: None,
            retreat: 0,
        })
    }

    /// One round, unless the affair has ended.
    fn round(
        &self,
        mut fought: Rounds,
        choice: Stances,
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> Rounds {
        let active = if fought.round % 2 == 0 { Party::Attacker } else { Party::Defender };
        let (Some(attacker), Some(defender)) =
            (self.left(&fought, active), self.left(&fought, active.other()))
        else {
            return fought;
        };
        if fought.ending != Ending::Undecided {
            return fought;
        }
        fought.round += 1;
        let outcome = resolve(&self.attack(fought.round, active, attacker, defender), options, clerk);
        let loser = if outcome.loser == Party::Attacker { active } else { active.other() };
        let mut numbers = [0; 2];
        numbers[active as usize] = outcome.attacker;
        numbers[active.other() as usize] = outcome.defender;
        if choice.pitched() {
            self.lose(&mut fought, Party::Attacker, numbers);
            self.lose(&mut fought, Party::Defender, numbers);
            fought.rounds_lost[loser as usize] += 1;
            let spent = |&party: &Party| self.left(&fought, party).is_none();
            if let Some(spent) = [Party::Attacker, Party::Defender].into_iter().find(spent) {
                fought.ending = Ending::Eliminated;
                fought.loser = Some(spent);
            }
        } else {
            self.lose(&mut fought, loser.other(), numbers);
            fought.loser = Some(loser);
            fought.retreat = numbers[loser as usize];
            fought.ending = Ending::Retreat;
        }
        fought
    }

    /// The attack of a round.
    fn attack(&self, round: i32, active: Party, attacker: Strength, defender: Strength) -> Attack {
        let bonus = [self.first.bonus, self.first.defender_bonus];
        let attack = Attack {
            attacker,
            defender,
            bonus: bonus[active as usize],
            defender_bonus: bonus[active.other() as usize],
            ..self.first
        };
        if round == 1 {
            return attack;
        }
        Attack {
            line: if active == Party::Attacker { self.first.line } else { self.counter },
            shift: 0,
            after_failed_repulse: false,
            foraging: Foraging::None,
            ..attack
        }
    }

    /// What a side had at first, in millionths of a point.
    const fn full(&self, party: Party) -> i64 {
        match party {
            Party::Attacker => self.first.attacker.millionths(),
            Party::Defender => self.first.defender.millionths(),
        }
    }

    /// What is left of a side, if anything is.
    fn left(&self, fought: &Rounds, party: Party) -> Option<Strength> {
        Strength::from_millionths(self.full(party) - i64::from(fought.lost[party as usize]) * 1_000_000)
    }

    /// A side loses its number, as far as it has points.
    fn lose(&self, fought: &mut Rounds, party: Party, numbers: [i32; 2]) {
        let most = i32::try_from((self.full(party) + 999_999) / 1_000_000).unwrap_or(i32::MAX);
        let index = party as usize;
        fought.lost[index] = (fought.lost[index] + numbers[index]).min(most);
    }
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
