//! The melee of the siege map (chapters 4.7.4, 4.8 and 4.9, series chapter 11): strengths, odds and
//! the table. Modifiers enter as the situation, blows on both sides leave.

use kernel::{Clerk, Effect, Measure};
use rulebook::options::danzig::{MeleeModifierActsOn, Options};
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tables::{Melee, Situation, melee_modifier};
use crate::series::{MeleeOdds, MeleeResult, in_halves, melee_result};

/// What the attacker meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
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
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Defence {
    /// Infantry steps.
    pub steps: u8,
    /// Undamaged Prussian siege batteries; they count only without infantry.
    pub batteries: u8,
    /// Steps of field batteries; they count only without infantry.
    pub field_steps: u8,
}

/// Strengths in halves, so that half a point per step is a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
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
    let in_table = clerk.holds(rule!(DZ_4_8_26), true);
    let melee_modifier = |melee, situation| if in_table { melee_modifier(melee, situation) } else { 0 };
    match against {
        Against::Wall(level) => {
            let column =
                clerk.modifier(rule!(DZ_4_8_17), melee_modifier(Melee::WallAssault, Situation::Column));
            let wall = melee_modifier(
                Melee::WallAssault,
                if level > 0 { Situation::WallLevel1_16 } else { Situation::WallLevel0 },
            );
            column
                + if level > 0 {
                    clerk.modifier(rule!(DZ_4_8_17), wall)
                } else {
                    clerk.modifier(rule!(DZ_R09), wall)
                }
        }
        Against::Kalke { damage, retake } => {
            let (melee, rule) = if retake {
                (Melee::KalkeRetake, rule!(DZ_4_7_4_08))
            } else {
                (Melee::KalkeAssault, rule!(DZ_4_7_4_06))
            };
            let side = match damage {
                0 => Situation::SideIntact,
                1 | 2 => Situation::SideDamaged,
                _ => Situation::SideDestroyed,
            };
            clerk.modifier(rule, melee_modifier(melee, Situation::Column))
                + clerk.modifier(rule, melee_modifier(melee, side))
        }
        Against::Sortie { damaged } => {
            let work = if damaged {
                Situation::FieldFortificationDamaged
            } else {
                Situation::FieldFortificationIntact
            };
            clerk.modifier(rule!(DZ_4_9_17), melee_modifier(Melee::Sortie, Situation::Column))
                + clerk.modifier(rule!(DZ_4_9_17), melee_modifier(Melee::Sortie, work))
        }
        Against::CounterWork { damaged } => {
            let cover = if damaged {
                Situation::DefenderInADamagedFieldFortificationOrOnAWallPointAtLevel1_20
            } else {
                Situation::DefenderInAnIntactFieldFortification
            };
            clerk.modifier(rule!(DZ_4_9_25), melee_modifier(Melee::CounterAttack, Situation::Column))
                + clerk.modifier(rule!(DZ_4_9_25), melee_modifier(Melee::CounterAttack, cover))
        }
        Against::CounterWall(level) => {
            let cover = if level > 0 {
                Situation::DefenderInADamagedFieldFortificationOrOnAWallPointAtLevel1_20
            } else {
                Situation::DefenderOnAWallPointAtLevel0WithoutFieldFortification
            };
            clerk.modifier(rule!(DZ_4_9_25), melee_modifier(Melee::CounterAttack, Situation::Column))
                + clerk.modifier(rule!(DZ_4_9_25), melee_modifier(Melee::CounterAttack, cover))
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
    let value = clerk.value(rule!(DZ_R50), VALUE);
    let steps = i32::from(attacking_steps);
    match options.melee_modifier_acts_on {
        MeleeModifierActsOn::ValuePerStep => {
            // Never below half a point per step.
            let twice = (2 * (value + modifier)).max(1) * steps;
            let defender = if defence.steps > 0 {
                2 * value * i32::from(defence.steps)
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

/// Rolls a melee: the odds, the die, what it does to both sides.
pub fn roll(
    attacking_steps: u8,
    defence: Defence,
    against: Against,
    options: &Options,
    clerk: &mut impl Clerk,
) -> (MeleeOdds, MeleeResult) {
    let strengths = strengths(attacking_steps, defence, against, options, clerk);
    clerk.because(rule!(DZ_R50), Effect::Set(in_halves(strengths.attacker, strengths.defender)));
    let odds = MeleeOdds::of(strengths.attacker, strengths.defender);
    let die = clerk.d6();
    let result = melee_result(odds, die);
    let told = Effect::Set(Measure::Name(result.to_string()));
    (odds, clerk.makes(rule!(DZ_R88), told, result, MeleeResult::default()))
}

#[cfg(test)]
mod tests {
    use kernel::scripted;

    use super::*;
    use crate::series::Toll;

    fn ratio(steps: u8, defending: u8, against: Against) -> (u32, u32, MeleeOdds) {
        let infantry = Defence { steps: defending, ..Defence::default() };
        let (found, _) =
            scripted(&[], |clerk| strengths(steps, infantry, against, &Options::default(), clerk)).unwrap();
        (found.attacker / 2, found.defender / 2, MeleeOdds::of(found.attacker, found.defender))
    }

    #[test]
    fn dz_ex_07_a_sortie_against_three_intact_works() {
        assert_eq!(ratio(2, 2, Against::Sortie { damaged: false }), (2, 4, MeleeOdds::OneToTwo));
        // The other reading gives the same column.
        let total = Options { melee_modifier_acts_on: MeleeModifierActsOn::Total, ..Options::default() };
        let infantry = Defence { steps: 2, ..Defence::default() };
        let sortie = Against::Sortie { damaged: false };
        let (found, _) = scripted(&[], |clerk| strengths(2, infantry, sortie, &total, clerk)).unwrap();
        assert_eq!(MeleeOdds::of(found.attacker, found.defender), MeleeOdds::OneToTwo);
        // Two attacking groups disorganised, the third loses a step, no French unit leaves.
        for (die, attacker) in [(2, "D"), (3, "D"), (4, "1")] {
            let ((_, MeleeResult { attacker: hit, defender }), _) =
                scripted(&[die], |clerk| roll(2, infantry, sortie, &Options::default(), clerk)).unwrap();
            assert_eq!((hit.disordered, hit.steps), (attacker == "D", u8::from(attacker == "1")));
            assert_eq!(defender, Toll::default());
        }
    }

    #[test]
    fn dz_ex_20_kalke_intact_damaged_destroyed() {
        let kalke = |damage| ratio(4, 4, Against::Kalke { damage, retake: false });
        assert_eq!(kalke(0), (4, 8, MeleeOdds::OneToTwo));
        assert_eq!(kalke(1), (8, 8, MeleeOdds::Even));
        assert_eq!(kalke(2), (8, 8, MeleeOdds::Even));
        assert_eq!(kalke(3), (12, 8, MeleeOdds::ThreeToTwo));
    }

    #[test]
    fn dz_ex_21_a_counter_attack_on_work_and_bare_wall() {
        assert_eq!(ratio(4, 2, Against::CounterWork { damaged: false }), (4, 4, MeleeOdds::Even));
        assert_eq!(ratio(4, 2, Against::CounterWall(5)), (8, 4, MeleeOdds::TwoToOne));
        assert_eq!(ratio(4, 2, Against::CounterWall(0)), (12, 4, MeleeOdds::ThreeToOne));
        assert_eq!(ratio(4, 2, Against::CounterWork { damaged: true }), (8, 4, MeleeOdds::TwoToOne));
    }

    #[test]
    fn dz_4_8_17_column_and_wall_of_an_assault() {
        assert_eq!(ratio(4, 2, Against::Wall(16)), (8, 4, MeleeOdds::TwoToOne));
        assert_eq!(ratio(4, 2, Against::Wall(1)), (8, 4, MeleeOdds::TwoToOne));
        assert_eq!(ratio(4, 2, Against::Wall(0)), (12, 4, MeleeOdds::ThreeToOne));
    }

    #[test]
    fn a_battery_alone_defends_with_two() {
        let battery = Defence { batteries: 1, ..Defence::default() };
        let wall = Against::Wall(12);
        let (found, _) =
            scripted(&[], |clerk| strengths(4, battery, wall, &Options::default(), clerk)).unwrap();
        assert_eq!(found, Strengths { attacker: 16, defender: 4 });
    }
}
