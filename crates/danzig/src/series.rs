//! The three shared tables of the series (series rules, 10, 11 and 13; rulings DZ-R87 to DZ-R89):
//! fire, melee and morale. Factors, strengths and morale values enter, results leave. Both maps use
//! them.

use std::fmt;
use std::sync::LazyLock;

use kernel::{Clerk, Measure};
use rulebook::rule;
use rulebook::tables::danzig::{SERIES_FIRE, SERIES_MELEE};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A result of the fire table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FireResult {
    /// No effect.
    None,
    /// Every unit of the target tests its morale.
    Test,
    /// So many steps are lost.
    Steps(u8),
}

impl FireResult {
    fn of(cell: &str) -> Self {
        match cell {
            "*" => Self::Test,
            "-" => Self::None,
            number => number.parse().map_or(Self::None, Self::Steps),
        }
    }

    /// Steps lost.
    #[must_use]
    pub const fn steps(self) -> u8 {
        match self {
            Self::Steps(steps) => steps,
            Self::None | Self::Test => 0,
        }
    }
}

static FIRE: LazyLock<[[FireResult; 6]; 9]> = LazyLock::new(|| {
    let mut table = [[FireResult::None; 6]; 9];
    for (line, row) in table.iter_mut().zip(&SERIES_FIRE) {
        *line = row.roll.map(FireResult::of);
    }
    table
});

/// The fire table: a factor of 1 or more and a modified roll. A roll of 0 or less has no effect,
/// above 6 it counts as 6; factors above 9 count as 9.
#[must_use]
pub fn fire_result(factor: i32, roll: i32) -> FireResult {
    if factor < 1 || roll < 1 {
        return FireResult::None;
    }
    let place = |number: i32, most: usize| usize::try_from(number - 1).unwrap_or(0).min(most);
    FIRE[place(factor, 8)][place(roll, 5)]
}

/// A column of the melee table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
pub enum MeleeOdds {
    /// One to three, or worse.
    #[serde(rename = "1:3")]
    OneToThree,
    /// One to two.
    #[serde(rename = "1:2")]
    OneToTwo,
    /// Even.
    #[serde(rename = "1:1")]
    Even,
    /// Three to two.
    #[serde(rename = "3:2")]
    ThreeToTwo,
    /// Two to one.
    #[serde(rename = "2:1")]
    TwoToOne,
    /// Three to one.
    #[serde(rename = "3:1")]
    ThreeToOne,
    /// Four to one, or better.
    #[serde(rename = "4:1")]
    FourToOne,
}

impl MeleeOdds {
    /// The columns, from the worst to the best for the attacker.
    pub const ALL: [Self; 7] = [
        Self::OneToThree,
        Self::OneToTwo,
        Self::Even,
        Self::ThreeToTwo,
        Self::TwoToOne,
        Self::ThreeToOne,
        Self::FourToOne,
    ];

    /// The column of two strengths in the same unit, rounded down in the defender's favour.
    #[must_use]
    pub const fn of(attack: u32, defence: u32) -> Self {
        if defence == 0 || attack >= 4 * defence {
            Self::FourToOne
        } else if attack >= 3 * defence {
            Self::ThreeToOne
        } else if attack >= 2 * defence {
            Self::TwoToOne
        } else if 2 * attack >= 3 * defence {
            Self::ThreeToTwo
        } else if attack >= defence {
            Self::Even
        } else if 2 * attack >= defence {
            Self::OneToTwo
        } else {
            Self::OneToThree
        }
    }

    /// Shifted to the attacker's advantage.
    #[must_use]
    pub fn shifted(self, columns: u8) -> Self {
        Self::ALL[(self as usize + usize::from(columns)).min(6)]
    }

    /// As the table prints it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["1:3", "1:2", "1:1", "3:2", "2:1", "3:1", "4:1"][self as usize]
    }
}

/// What a melee does to one side.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Toll {
    /// Steps lost.
    pub steps: u8,
    /// Every unit is disordered.
    pub disordered: bool,
    /// Every unit tests its morale.
    pub test: bool,
}

impl Toll {
    fn of(cell: &str) -> Self {
        Self {
            steps: cell.bytes().find(u8::is_ascii_digit).map_or(0, |digit| digit - b'0'),
            disordered: cell.contains('D'),
            test: cell.contains('*'),
        }
    }
}

impl fmt::Display for Toll {
    /// As the table prints it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::default() {
            return f.write_str("-");
        }
        if self.steps > 0 {
            write!(f, "{}", self.steps)?;
        }
        f.write_str(if self.disordered { "D" } else { "" })?;
        f.write_str(if self.test { "*" } else { "" })
    }
}

/// Two strengths in halves as they are told, the attacker's first.
#[must_use]
pub(crate) fn in_halves(attack: u32, defence: u32) -> Measure {
    let told = |halves: u32| match (halves / 2, halves % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "½".to_owned(),
        (whole, _) => format!("{whole}½"),
    };
    Measure::Name(format!("{} : {}", told(attack), told(defence)))
}

/// A result of the melee table.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct MeleeResult {
    /// For the attacker.
    pub attacker: Toll,
    /// For the defender.
    pub defender: Toll,
}

impl fmt::Display for MeleeResult {
    /// As the table prints it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.attacker, self.defender)
    }
}

static MELEE: LazyLock<[[MeleeResult; 6]; 7]> = LazyLock::new(|| {
    let mut table = [[MeleeResult::default(); 6]; 7];
    for (line, row) in table.iter_mut().zip(&SERIES_MELEE) {
        *line = row.roll.map(|cell| {
            let (attacker, defender) = cell.split_once('/').unwrap_or((cell, ""));
            MeleeResult { attacker: Toll::of(attacker), defender: Toll::of(defender) }
        });
    }
    table
});

/// The melee table: a column and a die.
#[must_use]
pub fn melee_result(odds: MeleeOdds, die: u8) -> MeleeResult {
    MELEE[odds as usize][usize::from(die.clamp(1, 6) - 1)]
}

/// A morale test: passed when the die is not above the value left after modifiers.
pub fn morale_test(value: u8, at_half: bool, friend_disordered: bool, clerk: &mut impl Clerk) -> bool {
    let mut needed = i32::from(value);
    if at_half {
        needed += clerk.modifier(rule!(DZ_R89), -1);
    }
    if friend_disordered {
        needed += clerk.modifier(rule!(DZ_R89), -1);
    }
    i32::from(clerk.d6()) <= needed
}

#[cfg(test)]
mod tests {
    use kernel::{Desk, Odds, Silent, scripted};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_fire_table_keeps_what_the_document_fixes() {
        for factor in 1..=9 {
            assert_eq!(fire_result(factor, 0), FireResult::None);
            for roll in 1..=6 {
                let here = fire_result(factor, roll);
                assert!(here <= fire_result(factor, roll + 1) && here <= fire_result(factor + 1, roll));
                assert!(roll == 6 || here < FireResult::Steps(3), "a 3 only at the top roll");
            }
        }
        assert_eq!(fire_result(7, 6), FireResult::Steps(3));
        assert_eq!(fire_result(7, 9), FireResult::Steps(3));
        assert_eq!(fire_result(12, 1), FireResult::Steps(1));
        assert_eq!(fire_result(0, 6), FireResult::None);
        assert_eq!(fire_result(1, 5), FireResult::Test);
    }

    #[test]
    fn single_shots_have_the_expected_steps_of_the_companion() {
        let expected = |factor, modifier| {
            let total: u32 = (1..=6).map(|die| u32::from(fire_result(factor, die + modifier).steps())).sum();
            (total, 6)
        };
        assert_eq!(expected(7, 0), (8, 6)); // 1.33
        assert_eq!(expected(7, -1), (5, 6)); // 0.83
        assert_eq!(expected(7, -2), (3, 6)); // 0.50
        assert_eq!(expected(2, 0), (1, 6)); // 0.17
        assert_eq!(expected(5, 0), (4, 6)); // 0.67
    }

    #[test]
    fn the_melee_table_reads_as_printed() {
        let worst = melee_result(MeleeOdds::OneToThree, 1);
        assert_eq!(worst.attacker, Toll { steps: 2, disordered: true, test: false });
        assert_eq!(worst.defender, Toll::default());
        let draw = melee_result(MeleeOdds::OneToTwo, 6);
        assert_eq!(
            (draw.attacker.steps, draw.defender),
            (1, Toll { steps: 1, disordered: false, test: true })
        );
        assert_eq!(melee_result(MeleeOdds::FourToOne, 6).defender.steps, 2);
    }

    #[test]
    fn odds_are_rounded_down_for_the_defender() {
        use MeleeOdds as O;
        for (attack, defence, odds) in [
            (1, 4, O::OneToThree),
            (1, 3, O::OneToThree),
            (2, 4, O::OneToTwo),
            (3, 4, O::OneToTwo),
            (4, 4, O::Even),
            (5, 4, O::Even),
            (6, 4, O::ThreeToTwo),
            (8, 4, O::TwoToOne),
            (11, 4, O::TwoToOne),
            (12, 4, O::ThreeToOne),
            (16, 4, O::FourToOne),
            (5, 0, O::FourToOne),
        ] {
            assert_eq!(O::of(attack, defence), odds, "{attack}:{defence}");
        }
    }

    #[test]
    fn a_test_is_passed_at_the_value_and_halves_and_friends_lower_it() {
        let chance = |value, half, friend| {
            Odds::of(|dice| morale_test(value, half, friend, &mut Desk::new(dice, Silent)))
                .unwrap()
                .chance(&true)
                .to_string()
        };
        assert_eq!(chance(5, false, false), "5/6");
        assert_eq!(chance(4, false, false), "2/3");
        assert_eq!(chance(3, false, false), "1/2");
        assert_eq!(chance(4, true, true), "1/3");
        let (passed, notes) = scripted(&[3], |clerk| morale_test(4, true, false, clerk)).unwrap();
        assert!(passed);
        assert_eq!(notes.lines()[0].to_string(), "DZ-R89 -1");
    }

    proptest! {
        #[test]
        fn more_attackers_never_have_worse_odds(a in 0_u32..99, d in 0_u32..99) {
            prop_assert!(MeleeOdds::of(a, d) <= MeleeOdds::of(a + 1, d));
            prop_assert!(MeleeOdds::of(a, d) >= MeleeOdds::of(a, d + 1));
            prop_assert!(MeleeOdds::of(a, d).shifted(2) >= MeleeOdds::of(a, d));
        }
    }
}
