//! Siege fire (chapters 4.5.1 and 4.5.2): factor by range, die by cover, result and what it does to
//! infantry, guns, works and walls. A shot enters as facts, its effect leaves as numbers.

use kernel::{Clerk, Effect, Measure, Metres, Refusal, Verdict};
use rulebook::options::danzig::{KalkeSideDestroyedAt, Options, Result2OnTrench};
use rulebook::{phrase::danzig_siege as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::geometry::{FINE, Fine};
use super::state::INTACT;
use super::tables::{CHARTS, Charts, FireEffect, FireResult, FireSituation, fire_modifier, wall_effect};
use crate::series::fire_result;

/// What fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Gun {
    /// A French 24-pounder siege battery.
    #[serde(rename = "24pdr")]
    Siege24,
    /// A French 12-pounder siege battery.
    #[serde(rename = "12pdr")]
    Siege12,
    /// A Prussian siege battery.
    #[serde(rename = "prussian")]
    Prussian,
    /// A field battery.
    #[serde(rename = "field")]
    Field,
    /// The fortress as a whole: opportunity fire.
    #[serde(rename = "fortress")]
    Fortress,
}

impl Gun {
    /// The factor printed on its counters (`series-fire-range-siege.csv`).
    #[must_use]
    pub const fn printed(self) -> u8 {
        match self {
            Self::Siege24 => 8,
            Self::Siege12 => 6,
            Self::Prussian | Self::Fortress => FORTRESS_FACTOR,
            Self::Field => 5,
        }
    }
}

/// The factor of opportunity fire and of enfilade, whatever the range (DZ-4.1.1-05).
pub const FORTRESS_FACTOR: u8 = 7;

/// What a shot is aimed at, as far as it protects those in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A wall point without a work, at this level.
    Wall(u8),
    /// A field fortification.
    Work {
        /// It has lost its first step.
        damaged: bool,
    },
    /// A side of the Kalke-Schanze with this damage.
    Kalke(u8),
    /// Open ground.
    Open {
        /// In a village.
        village: bool,
        /// Inside a damaged trench that is crossed.
        damaged_trench: bool,
    },
}

/// One shot, as facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shot {
    /// What fires.
    pub gun: Gun,
    /// Its printed factor.
    pub printed: u8,
    /// How many bands the target is away: what the range takes off the factor.
    pub bands: u8,
    /// What is fired at.
    pub target: Target,
    /// Along both short sides of the target: factor 7 whatever the range.
    pub enfilade: bool,
    /// At a sortie, by night.
    pub night: bool,
}

/// What a shot did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Struck {
    /// The factor it was fired with.
    pub factor: u8,
    /// The modified die.
    pub roll: i32,
    /// The result.
    pub result: FireResult,
    /// Infantry steps the target's stack loses.
    pub infantry: u8,
    /// Every unit of the target tests its morale.
    pub test: bool,
    /// The guns of the target are hit.
    pub guns: bool,
    /// Levels the wall loses.
    pub wall_levels: u8,
    /// Steps the field fortification, or the side of Kalke, loses.
    pub work_steps: u8,
}

/// The range bands begun beyond the first, for a distance of the umpire (DZ-4.5.1-03, DZ-R12).
#[must_use]
pub fn bands_of(distance: Metres) -> u8 {
    let hundredths = i64::from(distance.count());
    let bands = match hundredths {
        ..=10_000 => 0,
        10_001..=25_000 => 1,
        _ => 1 + (hundredths - 1) / 25_000,
    };
    u8::try_from(bands).unwrap_or(u8::MAX)
}

/// The range bands begun beyond the first between two places of the map, exactly.
#[must_use]
pub fn bands_between(a: Fine, b: Fine) -> u8 {
    let square = a.squared_to(b);
    let within = |metres: i64| square <= (metres * 10 * FINE).pow(2);
    if within(100) {
        return 0;
    }
    (1..=20).find(|band| within(250 * i64::from(*band))).unwrap_or(u8::MAX)
}

/// The factor a gun fires with.
///
/// # Errors
/// When the range leaves nothing of it.
pub fn factor(shot: &Shot, clerk: &mut impl Clerk) -> Verdict<u8> {
    if shot.enfilade {
        let rule = if shot.gun == Gun::Fortress { rule!(DZ_4_5_3_04) } else { rule!(DZ_4_9_06) };
        return Ok(clerk.value(rule, FORTRESS_FACTOR));
    }
    if shot.gun == Gun::Fortress {
        return Ok(clerk.value(rule!(DZ_4_1_1_05), FORTRESS_FACTOR));
    }
    let bands = match shot.gun {
        Gun::Field => clerk.rather(rule!(DZ_4_3_1_01), shot.bands, 0),
        _ => shot.bands,
    };
    let mut factor = i32::from(shot.printed);
    if bands > 0 {
        let lost = clerk.modifier(rule!(DZ_4_5_1_03), -i32::from(bands));
        factor += clerk.rather(rule!(DZ_4_5_1_04), lost, 0);
    }
    check_range(shot.printed, shot.bands)?;
    Ok(u8::try_from(factor).unwrap_or(0))
}

/// Whether the range leaves anything of a factor.
///
/// # Errors
/// When it does not.
pub(crate) fn check_range(printed: u8, bands: u8) -> Verdict<()> {
    if rule!(DZ_R12).holds(printed > bands) {
        return Ok(());
    }
    Err(Refusal::rule(rule!(DZ_R12), phrase::OUT_OF_RANGE).with("factor", printed).with("bands", bands))
}

/// What the cover, or the night, does to the die.
pub fn die_modifier(target: Target, night: bool, clerk: &mut impl Clerk) -> i32 {
    if night {
        return clerk.modifier(rule!(DZ_4_9_13), fire_modifier(FireSituation::FireAtSortie));
    }
    let modifier = match target {
        Target::Wall(level) => {
            let modifier = clerk.rather(rule!(DZ_4_7_1_10), wall_effect(level).fire, 0);
            match level {
                0 => clerk.modifier(rule!(DZ_R09), modifier),
                INTACT => clerk.modifier(rule!(DZ_4_5_1_05), modifier),
                _ => clerk.modifier(rule!(DZ_4_7_1_07), modifier),
            }
        }
        Target::Work { damaged: false } | Target::Kalke(0) => {
            clerk.modifier(rule!(DZ_4_5_1_05), fire_modifier(FireSituation::TargetFortIntact))
        }
        Target::Kalke(3..) => clerk.modifier(rule!(DZ_R60), 0),
        Target::Work { damaged: true } | Target::Kalke(_) => {
            clerk.modifier(rule!(DZ_4_5_1_06), fire_modifier(FireSituation::TargetFortDamaged))
        }
        Target::Open { village: true, damaged_trench } => {
            let trench = fire_modifier(FireSituation::TargetFortDamaged);
            let added = if damaged_trench { clerk.rather(rule!(DZ_4_5_1_08), 0, trench) } else { 0 };
            let village = fire_modifier(FireSituation::OpenSegmentEndsInVillage);
            added + clerk.modifier(rule!(DZ_4_5_1_07), village)
        }
        Target::Open { village: false, damaged_trench: true } => {
            clerk.modifier(rule!(DZ_R17), fire_modifier(FireSituation::TargetFortDamaged))
        }
        Target::Open { village: false, damaged_trench: false } => 0,
    };
    clerk.rather(rule!(DZ_4_5_1_09), modifier, 0)
}

/// Fires one shot: factor, die, result, effect.
///
/// # Errors
/// When the range leaves nothing of the factor.
pub fn fire(shot: &Shot, options: &Options, clerk: &mut impl Clerk) -> Verdict<Struck> {
    let factor = factor(shot, clerk)?;
    let modifier = die_modifier(shot.target, shot.night, clerk);
    let roll = i32::from(clerk.d6()) + modifier;
    let charts = clerk.rather(rule!(DZ_4_5_2_07), &*CHARTS, &Charts::BLANK);
    let result = match FireResult::from(fire_result(factor.into(), roll)) {
        FireResult::None if roll <= 0 => {
            // Without the rule the lowest line of the table would be read.
            let lowest = FireResult::from(fire_result(factor.into(), 1));
            clerk.rather(rule!(DZ_4_5_2_01), FireResult::None, lowest.max(FireResult::Test))
        }
        result => result,
    };
    let rule = match result {
        FireResult::None => None,
        FireResult::Test => Some(rule!(DZ_4_5_2_02)),
        FireResult::One => Some(rule!(DZ_4_5_2_03)),
        FireResult::Two => Some(rule!(DZ_4_5_2_04)),
        FireResult::Three => Some(rule!(DZ_4_5_2_05)),
    };
    let told = match result {
        FireResult::None | FireResult::Test => Effect::Applied,
        FireResult::One => Effect::Set(Measure::Number(1)),
        FireResult::Two => Effect::Set(Measure::Number(2)),
        FireResult::Three => Effect::Set(Measure::Number(3)),
    };
    let effect = rule.map_or_else(FireEffect::default, |rule| {
        clerk.makes(rule, told, charts.effect(result), FireEffect::default())
    });
    let wall_levels = match (shot.target, shot.gun) {
        (Target::Wall(level), Gun::Siege24) => effect.wall_24.min(level),
        (Target::Wall(level), Gun::Siege12) => effect.wall_12.min(level),
        (Target::Wall(level), gun) if effect.wall_12 > 0 => {
            let rule = if gun == Gun::Field { rule!(DZ_4_4_05) } else { rule!(DZ_R44) };
            clerk.rather(rule, 0, effect.wall_12.min(level))
        }
        _ => 0,
    };
    let work_steps = match shot.target {
        Target::Work { damaged } if effect.work > 0 => {
            let steps = match options.result_2_on_trench {
                Result2OnTrench::TwoSteps if result == FireResult::Two => 2,
                _ => effect.work,
            };
            let steps = if result == FireResult::Two { clerk.value(rule!(DZ_R58), steps) } else { steps };
            steps.min(if damaged { 1 } else { 2 })
        }
        Target::Kalke(damage) if effect.work > 0 && shot.gun != Gun::Prussian => {
            let steps = u8::try_from(clerk.modifier(rule!(DZ_4_7_4_03), 1)).unwrap_or(0);
            if damage < kalke_destroyed_at(options) { steps } else { 0 }
        }
        _ => 0,
    };
    Ok(Struck {
        factor,
        roll,
        result,
        infantry: effect.infantry,
        test: effect.test,
        guns: effect.guns,
        wall_levels,
        work_steps,
    })
}

/// The damage at which a side of the Kalke-Schanze is destroyed (DZ-R59).
#[must_use]
pub const fn kalke_destroyed_at(options: &Options) -> u8 {
    match options.kalke_side_destroyed_at {
        KalkeSideDestroyedAt::V3 => 3,
        KalkeSideDestroyedAt::V2 => 2,
    }
}

/// The damage of a side as the tables of cover and melee count it: 0 intact, 3 destroyed.
#[must_use]
pub const fn kalke_state(damage: u8, options: &Options) -> u8 {
    if damage >= kalke_destroyed_at(options) { 3 } else { damage }
}

#[cfg(test)]
mod tests {
    use kernel::{Desk, Odds, Silent, scripted};

    use super::*;

    fn shot(gun: Gun, bands: u8, target: Target) -> Shot {
        Shot { gun, printed: gun.printed(), bands, target, enfilade: false, night: false }
    }

    /// Chances out of six of each result of a shot: none, *, 1, 2, 3.
    fn chances(shot: Shot) -> [u64; 5] {
        let odds = Odds::of(|dice| {
            fire(&shot, &Options::default(), &mut Desk::new(dice, Silent)).map(|struck| struck.result)
        })
        .unwrap();
        [FireResult::None, FireResult::Test, FireResult::One, FireResult::Two, FireResult::Three].map(
            |result| {
                let chance = odds.chance(&Ok(result)).to_string();
                let (numerator, denominator) = chance.split_once('/').unwrap();
                numerator.parse::<u64>().unwrap() * 6 / denominator.parse::<u64>().unwrap()
            },
        )
    }

    #[test]
    fn dz_ex_10_the_factor_falls_with_the_range() {
        let metres = [90, 100, 101, 250, 251, 500, 501, 750, 751, 1250, 1251];
        let expected = [6, 6, 5, 5, 4, 4, 3, 3, 2, 1, 0];
        for (metres, expected) in metres.into_iter().zip(expected) {
            let bands = bands_of(Metres::whole(metres));
            let shot = Shot { printed: 6, ..shot(Gun::Siege12, bands, Target::Wall(20)) };
            let factor = factor(&shot, &mut scripted_desk()).unwrap_or(0);
            assert_eq!(factor, expected, "{metres} m");
            // The map measures as the umpire does.
            let from = super::super::Spot::metres(100, 100).fine();
            let to = super::super::Spot::metres(100 + metres, 100).fine();
            assert_eq!(bands_between(from, to), bands, "{metres} m");
        }
    }

    fn scripted_desk() -> Desk<kernel::Scripted<'static>, kernel::Spoken> {
        Desk::new(kernel::Scripted::new(&[]), kernel::Spoken::default())
    }

    #[test]
    fn the_bands_are_those_of_the_table() {
        for row in &rulebook::tables::danzig::FIRE_RANGE_BANDS {
            let last = bands_of(row.up_to_m);
            let first = bands_of(Metres::hundredths(row.over_m.count() + 1));
            assert_eq!((-i32::from(first), -i32::from(last)), (row.factor_modifier, row.factor_modifier));
        }
    }

    #[test]
    fn the_printed_factors_and_ranges_are_those_of_the_table() {
        let guns = [("French 24", Gun::Siege24), ("French 12", Gun::Siege12), ("Prussian", Gun::Prussian)];
        for (name, gun) in guns.into_iter().chain([("French field", Gun::Field), ("fortress", Gun::Fortress)])
        {
            let row = rulebook::tables::danzig::SERIES_FIRE_RANGE_SIEGE
                .iter()
                .find(|row| row.weapon.starts_with(name))
                .unwrap();
            assert_eq!(i32::from(gun.printed()), row.printed_factor);
            let cells = [row.m_0_100, row.m_101_250, row.m_251_500, row.m_501_750, row.m_751_1000];
            for (bands, cell) in (0..).zip(cells) {
                let factor = factor(&shot(gun, bands, Target::Wall(20)), &mut scripted_desk()).unwrap_or(0);
                assert_eq!(i32::from(factor), cell, "{name} {bands}");
            }
        }
    }

    #[test]
    fn dz_ex_04_what_the_level_of_a_wall_allows() {
        let levels = [20, 19, 17, 16, 11, 10, 1, 0];
        let effects = levels.map(wall_effect);
        assert_eq!(effects.map(|effect| effect.fire), [-2, -1, -1, -1, -1, -1, -1, 0]);
        assert_eq!(effects.map(|effect| effect.assault), [false, false, false, true, true, true, true, true]);
        assert_eq!(
            effects.map(|effect| effect.artillery),
            [true, true, true, true, true, false, false, false]
        );
        assert_eq!(effects.map(|effect| effect.build), [false, false, false, false, false, true, true, true]);
        for (level, effect) in levels.into_iter().zip(effects) {
            let ((), notes) = scripted(&[], |clerk| {
                assert_eq!(die_modifier(Target::Wall(level), false, clerk), effect.fire);
            })
            .unwrap();
            assert!(notes.reasons().any(|because| because.rule == rule!(DZ_4_7_1_10)));
        }
    }

    #[test]
    fn dz_ex_22_a_field_battery_fires_at_a_sortie_by_night() {
        let group = Target::Open { village: false, damaged_trench: false };
        let shot = Shot {
            printed: 4,
            bands: bands_of(Metres::whole(300)),
            night: true,
            ..shot(Gun::Field, 0, group)
        };
        let (struck, _) = scripted(&[5], |clerk| fire(&shot, &Options::default(), clerk)).unwrap();
        let struck = struck.unwrap();
        assert_eq!((struck.factor, struck.roll), (2, 2));
        for die in 1..=3 {
            let (struck, notes) = scripted(&[die], |clerk| fire(&shot, &Options::default(), clerk)).unwrap();
            assert_eq!(struck.unwrap().result, FireResult::None);
            assert!(notes.reasons().any(|because| because.rule == rule!(DZ_4_5_2_01)));
        }
    }

    #[test]
    fn the_rates_of_the_companion_text() {
        let open = Target::Open { village: false, damaged_trench: false };
        assert_eq!(chances(shot(Gun::Fortress, 0, open)), [1, 1, 1, 2, 1]);
        assert_eq!(chances(shot(Gun::Fortress, 0, Target::Work { damaged: true })), [2, 1, 1, 2, 0]);
        assert_eq!(chances(shot(Gun::Fortress, 0, Target::Work { damaged: false })), [3, 1, 1, 1, 0]);
        // 24-pounders on a wall: 33 % and 50 % at 0-100 m, 17 % and 33 % to 250 m, 0 and 17 % to 500 m.
        let hits = |bands, level| chances(shot(Gun::Siege24, bands, Target::Wall(level)))[3];
        assert_eq!(
            [hits(0, 20), hits(0, 18), hits(1, 20), hits(1, 18), hits(2, 20), hits(2, 18)],
            [2, 3, 1, 2, 0, 1]
        );
        let work = |bands| chances(shot(Gun::Prussian, bands, Target::Work { damaged: false }));
        assert_eq!([0, 1, 2, 3].map(|bands| work(bands)[2] + work(bands)[3]), [2, 1, 1, 0]);
    }

    #[test]
    fn village_and_damaged_trench_do_not_add_up() {
        let (modifier, notes) = scripted(&[], |clerk| {
            die_modifier(Target::Open { village: true, damaged_trench: true }, false, clerk)
        })
        .unwrap();
        assert_eq!(modifier, -1);
        assert!(notes.reasons().any(|because| because.rule == rule!(DZ_4_5_1_08)));
    }

    #[test]
    fn a_result_of_two_takes_levels_by_calibre_and_never_more_than_are_left() {
        let strike = |gun, target, options: &Options| {
            let shot = Shot { printed: 9, ..shot(gun, 0, target) };
            scripted(&[5], |clerk| fire(&shot, options, clerk)).unwrap().0.unwrap()
        };
        let default = Options::default();
        assert_eq!(strike(Gun::Siege24, Target::Wall(12), &default).wall_levels, 2);
        assert_eq!(strike(Gun::Siege12, Target::Wall(12), &default).wall_levels, 1);
        assert_eq!(strike(Gun::Siege24, Target::Wall(1), &default).wall_levels, 1);
        assert_eq!(strike(Gun::Prussian, Target::Wall(12), &default).wall_levels, 0);
        assert_eq!(strike(Gun::Field, Target::Wall(12), &default).wall_levels, 0);
        let two = Options { result_2_on_trench: Result2OnTrench::TwoSteps, ..default };
        assert_eq!(strike(Gun::Prussian, Target::Work { damaged: false }, &default).work_steps, 1);
        assert_eq!(strike(Gun::Prussian, Target::Work { damaged: false }, &two).work_steps, 2);
        assert_eq!(strike(Gun::Prussian, Target::Work { damaged: true }, &two).work_steps, 1);
    }
}
