//! The melee of the siege map (chapters 4.7.4, 4.8 and 4.9, series chapter 11): strengths, odds and
//! the table. Modifiers enter as the situation, blows on both sides leave.

use kernel::{Clerk, Effect, Measure};
use rulebook::options::danzig::{MeleeModifierActsOn, Options};
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tables::{Blow, CHARTS, melee_modifier};

/// A column of the melee table, attacker to defender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Ratio {
    /// 1:3 or worse.
    #[serde(rename = "1:3")]
    OneToThree,
    /// 1:2.
    #[serde(rename = "1:2")]
    OneToTwo,
    /// 1:1.
    #[serde(rename = "1:1")]
    OneToOne,
    /// 3:2.
    #[serde(rename = "3:2")]
    ThreeToTwo,
    /// 2:1.
    #[serde(rename = "2:1")]
    TwoToOne,
    /// 3:1.
    #[serde(rename = "3:1")]
    ThreeToOne,
    /// 4:1 or better.
    #[serde(rename = "4:1")]
    FourToOne,
}

impl Ratio {
    /// The columns with their terms, from the worst.
    const ALL: [(Self, u32, u32); 7] = [
        (Self::OneToThree, 1, 3),
        (Self::OneToTwo, 1, 2),
        (Self::OneToOne, 1, 1),
        (Self::ThreeToTwo, 3, 2),
        (Self::TwoToOne, 2, 1),
        (Self::ThreeToOne, 3, 1),
        (Self::FourToOne, 4, 1),
    ];

    /// The column of two strengths, rounded down in the defender's favour.
    #[must_use]
    pub fn of(attacker: u32, defender: u32) -> Self {
        let reached = |(_, a, d): &&(Self, u32, u32)| attacker * d >= defender * a;
        Self::ALL.iter().rev().find(reached).map_or(Self::OneToThree, |(ratio, ..)| *ratio)
    }

    /// The next column in the attacker's favour.
    #[must_use]
    pub const fn better(self) -> Self {
        match self {
            Self::OneToThree => Self::OneToTwo,
            Self::OneToTwo => Self::OneToOne,
            Self::OneToOne => Self::ThreeToTwo,
            Self::ThreeToTwo => Self::TwoToOne,
            Self::TwoToOne => Self::ThreeToOne,
            Self::ThreeToOne | Self::FourToOne => Self::FourToOne,
        }
    }
}

/// What the attacker meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Against {
    /// A French assault on a wall point at this level.
    Wall(u8),
    /// An assault on a side of the Kalke-Schanze, damage 0 to 3, by either side.
    Kalke {
        /// The damage: 0 intact, 1 or 2 damaged, 3 destroyed.
        damage: u8,
        /// The Prussians come to retake it.
        retake: bool,
    },
    /// A sortie against a field fortification.
    Sortie {
        /// The work has lost its first step.
        damaged: bool,
    },
    /// A counter-attack on a field fortification on a wall.
    CounterWork {
        /// The work has lost its first step.
        damaged: bool,
    },
    /// A counter-attack on a bare wall point at this level.
    CounterWall(u8),
}

/// Who defends, beside infantry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Defence {
    /// Infantry steps.
    pub steps: u8,
    /// Undamaged Prussian siege batteries; they count only without infantry.
    pub batteries: u8,
    /// Steps of field batteries; they count only without infantry.
    pub field_steps: u8,
}

/// Strengths in halves, so that half a point per step is a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Strengths {
    /// Twice the attacker's strength.
    pub attacker: u32,
    /// Twice the defender's strength.
    pub defender: u32,
}

/// Base value of an infantry step (DZ-R50).
const VALUE: i32 = 2;

/// The modifiers of the attacker's value, each with its rule.
fn modifiers(against: Against, clerk: &mut impl Clerk) -> i32 {
    clerk.applied(rule!(DZ_4_8_26));
    match against {
        Against::Wall(level) => {
            let column = clerk.modifier(rule!(DZ_4_8_17), melee_modifier("wall_assault", "column"));
            let wall =
                melee_modifier("wall_assault", if level > 0 { "wall level 1-16" } else { "wall level 0" });
            column
                + if level > 0 {
                    clerk.modifier(rule!(DZ_4_8_17), wall)
                } else {
                    clerk.modifier(rule!(DZ_R09), wall)
                }
        }
        Against::Kalke { damage, retake } => {
            let (melee, rule) = if retake {
                ("kalke_retake", rule!(DZ_4_7_4_08))
            } else {
                ("kalke_assault", rule!(DZ_4_7_4_06))
            };
            let side = match damage {
                0 => "side intact",
                1 | 2 => "side damaged",
                _ => "side destroyed",
            };
            clerk.modifier(rule, melee_modifier(melee, "column"))
                + clerk.modifier(rule, melee_modifier(melee, side))
        }
        Against::Sortie { damaged } => {
            let work = if damaged { "field fortification damaged" } else { "field fortification intact" };
            clerk.modifier(rule!(DZ_4_9_17), melee_modifier("sortie", "column"))
                + clerk.modifier(rule!(DZ_4_9_17), melee_modifier("sortie", work))
        }
        Against::CounterWork { damaged } => {
            let cover = if damaged {
                "defender in a damaged field fortification or on a wall point at level 1-20"
            } else {
                "defender in an intact field fortification"
            };
            clerk.modifier(rule!(DZ_4_9_25), melee_modifier("counter_attack", "column"))
                + clerk.modifier(rule!(DZ_4_9_25), melee_modifier("counter_attack", cover))
        }
        Against::CounterWall(level) => {
            let cover = if level > 0 {
                "defender in a damaged field fortification or on a wall point at level 1-20"
            } else {
                "defender on a wall point at level 0 without field fortification"
            };
            clerk.modifier(rule!(DZ_4_9_25), melee_modifier("counter_attack", "column"))
                + clerk.modifier(rule!(DZ_4_9_25), melee_modifier("counter_attack", cover))
        }
    }
}

/// The strengths of both sides.
pub fn strengths(
    attacking_steps: u8,
    defence: Defence,
    against: Against,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Strengths {
    let modifier = modifiers(against, clerk);
    clerk.because(rule!(DZ_R50), Effect::Set(Measure::Number(VALUE.into())));
    let steps = i32::from(attacking_steps);
    match options.melee_modifier_acts_on {
        MeleeModifierActsOn::ValuePerStep => {
            // Never below half a point per step.
            let twice = (2 * (VALUE + modifier)).max(1) * steps;
            let defender = if defence.steps > 0 {
                2 * VALUE * i32::from(defence.steps)
            } else {
                2 * 2 * i32::from(defence.batteries) + 2 * i32::from(defence.field_steps)
            };
            Strengths { attacker: positive(twice), defender: positive(defender) }
        }
        MeleeModifierActsOn::Total => {
            let twice = (2 * (steps + modifier)).max(1);
            let defender = if defence.steps > 0 {
                2 * i32::from(defence.steps)
            } else {
                2 * i32::from(defence.batteries) + i32::from(defence.field_steps)
            };
            Strengths { attacker: positive(twice), defender: positive(defender) }
        }
    }
}

fn positive(value: i32) -> u32 {
    u32::try_from(value).unwrap_or(0)
}

/// Rolls a melee: the odds, the die, the blows on attacker and defender.
pub fn roll(
    attacking_steps: u8,
    defence: Defence,
    against: Against,
    options: &Options,
    clerk: &mut impl Clerk,
) -> (Ratio, Blow, Blow) {
    let strengths = strengths(attacking_steps, defence, against, options, clerk);
    let ratio = Ratio::of(strengths.attacker, strengths.defender);
    let die = clerk.d6();
    clerk.applied(rule!(DZ_R88));
    let (attacker, defender) = CHARTS.melee(ratio, die);
    (ratio, attacker, defender)
}

#[cfg(test)]
mod tests {
    use kernel::scripted;
    use proptest::prelude::*;

    use super::*;

    fn ratio(steps: u8, defending: u8, against: Against) -> (u32, u32, Ratio) {
        let infantry = Defence { steps: defending, ..Defence::default() };
        let (found, _) =
            scripted(&[], |clerk| strengths(steps, infantry, against, &Options::default(), clerk)).unwrap();
        (found.attacker / 2, found.defender / 2, Ratio::of(found.attacker, found.defender))
    }

    #[test]
    fn dz_ex_07() {
        assert_eq!(ratio(2, 2, Against::Sortie { damaged: false }), (2, 4, Ratio::OneToTwo));
        // The other reading gives the same column.
        let total = Options { melee_modifier_acts_on: MeleeModifierActsOn::Total, ..Options::default() };
        let infantry = Defence { steps: 2, ..Defence::default() };
        let sortie = Against::Sortie { damaged: false };
        let (found, _) = scripted(&[], |clerk| strengths(2, infantry, sortie, &total, clerk)).unwrap();
        assert_eq!(Ratio::of(found.attacker, found.defender), Ratio::OneToTwo);
        // Two attacking groups disorganised, the third loses a step, no French unit leaves.
        for (die, attacker) in [(2, "D"), (3, "D"), (4, "1")] {
            let ((_, hit, defender), _) =
                scripted(&[die], |clerk| roll(2, infantry, sortie, &Options::default(), clerk)).unwrap();
            assert_eq!((hit.disorder, hit.steps), (attacker == "D", u8::from(attacker == "1")));
            assert_eq!(defender, Blow::default());
        }
    }

    #[test]
    fn dz_ex_20() {
        let kalke = |damage| ratio(4, 4, Against::Kalke { damage, retake: false });
        assert_eq!(kalke(0), (4, 8, Ratio::OneToTwo));
        assert_eq!(kalke(1), (8, 8, Ratio::OneToOne));
        assert_eq!(kalke(2), (8, 8, Ratio::OneToOne));
        assert_eq!(kalke(3), (12, 8, Ratio::ThreeToTwo));
    }

    #[test]
    fn dz_ex_21() {
        assert_eq!(ratio(4, 2, Against::CounterWork { damaged: false }), (4, 4, Ratio::OneToOne));
        assert_eq!(ratio(4, 2, Against::CounterWall(5)), (8, 4, Ratio::TwoToOne));
        assert_eq!(ratio(4, 2, Against::CounterWall(0)), (12, 4, Ratio::ThreeToOne));
        assert_eq!(ratio(4, 2, Against::CounterWork { damaged: true }), (8, 4, Ratio::TwoToOne));
    }

    #[test]
    fn a_battery_alone_defends_with_two() {
        let battery = Defence { batteries: 1, ..Defence::default() };
        let wall = Against::Wall(12);
        let (found, _) =
            scripted(&[], |clerk| strengths(4, battery, wall, &Options::default(), clerk)).unwrap();
        assert_eq!(found, Strengths { attacker: 16, defender: 4 });
    }

    proptest! {
        #[test]
        fn the_ratio_never_flatters_the_attacker(attacker in 0_u32..100, defender in 1_u32..100) {
            let found = Ratio::of(attacker, defender);
            let (_, a, d) = Ratio::ALL[found as usize];
            prop_assert!(attacker * d >= defender * a || found == Ratio::OneToThree);
            prop_assert!(Ratio::of(attacker + 1, defender) >= found);
        }
    }
}
