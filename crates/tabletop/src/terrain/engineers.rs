//! Section 8.7 of the terrain chapter: sappers. Works advance by complete pieces, quarter by
//! quarter, each sapper on his own front of 1.5 cm (TE-R84).

use kernel::{Centimetres, Clerk, Refusal, RuleId, Verdict, Whole};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use rulebook::tables::tabletop_terrain::{EngineerProfileAttribute as Attribute, EngineerWorkTask as Kind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::batteries::Guns;

/// What sappers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// A bridge from the bank.
    BuildBridge,
    /// A barricade, a palisade.
    BuildLightShelter,
    /// A hedge comes down.
    DestroyLightShelter,
    /// A wall comes down.
    DestroyHardShelter,
    /// A house or a redoubt comes down.
    DestroyHouseOrRedoubt,
    /// Guns are made useless.
    SpikeBattery,
}

impl Task {
    const fn row(self) -> (Kind, RuleId) {
        match self {
            Self::BuildBridge => (Kind::BuildBridge, rule!(TE_8_7_03)),
            Self::BuildLightShelter => (Kind::BuildLightShelter, rule!(TE_8_7_04)),
            Self::DestroyLightShelter => (Kind::DestroyLightShelter, rule!(TE_8_7_05)),
            Self::DestroyHardShelter => (Kind::DestroyHardShelter, rule!(TE_8_7_06)),
            Self::DestroyHouseOrRedoubt => (Kind::DestroyHouseOrRedoubt, rule!(TE_8_7_07)),
            Self::SpikeBattery => (Kind::SpikeBattery, rule!(TE_8_7_08)),
        }
    }
}

/// Sappers at work.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// What they do.
    pub task: Task,
    /// Sappers side by side.
    pub sappers: Whole<0, 999>,
    /// Quarters of work, melee and movement not counted.
    pub quarters: Whole<0, 999>,
    /// Length of the work: the front of an obstacle, or the width of the water.
    pub length_cm: Option<Centimetres>,
    /// From the sappers to the nearest house or wood.
    pub to_house_or_wood_cm: Option<Centimetres>,
    /// They touch what they work on.
    #[serde(default = "yes")]
    pub in_contact: bool,
    /// They stand still, and neither fire nor fight.
    #[serde(default = "yes")]
    pub undisturbed: bool,
    /// The enemy holds or touches that side.
    #[serde(default)]
    pub held_by_enemy: bool,
    /// The guns to be spiked.
    #[serde(default)]
    pub guns: Guns,
}

fn yes() -> bool {
    true
}

/// How far the work has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Progress {
    /// Length built or cleared.
    pub done_cm: Centimetres,
    /// Width of a bridge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width_cm: Option<Centimetres>,
    /// Whether it is finished.
    pub complete: bool,
    /// Quarters of work in all until it is.
    pub quarters_needed: i32,
    /// The guns afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guns: Option<Guns>,
}

/// No work is longer than ten tables.
const LONGEST: i32 = 1_000_000;

/// How near wood must be to build with.
const MATERIAL: Centimetres = Centimetres::whole(30);

/// What the sappers have achieved.
///
/// # Errors
/// Without sappers, without material, without contact, or under the enemy's hands.
pub fn work(work: &Work, clerk: &mut impl Clerk) -> Verdict<Progress> {
    if !clerk.holds(rule!(TE_8_7_01), work.sappers.get() > 0) {
        return Err(Refusal::rule(rule!(TE_8_7_01), phrase::NO_SAPPERS));
    }
    if rule!(TE_R84).holds(!work.undisturbed) {
        return Err(Refusal::rule(rule!(TE_R84), phrase::SAPPERS_DISTURBED));
    }
    if rule!(TE_R84).holds(!work.in_contact) {
        return Err(Refusal::rule(rule!(TE_R84), phrase::SAPPERS_NOT_IN_CONTACT));
    }
    if rule!(TE_R85).holds(work.held_by_enemy && work.task != Task::BuildBridge) {
        return Err(Refusal::rule(rule!(TE_R85), phrase::HELD_BY_ENEMY));
    }
    let (kind, rule) = work.task.row();
    let row = kind.row();
    let needed_per_piece = clerk.rather(rule!(TE_8_7_09), row.quarters_per_piece.max(1), 1);
    if work.task == Task::SpikeBattery {
        if work.guns == Guns::Served {
            return Err(Refusal::rule(rule, phrase::GUNS_STILL_SERVED));
        }
        let needed_per_piece = clerk.value(rule, needed_per_piece);
        let complete = work.quarters.get() >= needed_per_piece;
        return Ok(Progress {
            done_cm: Centimetres::ZERO,
            width_cm: None,
            complete,
            quarters_needed: needed_per_piece,
            guns: Some(if complete { Guns::Spiked } else { work.guns }),
        });
    }
    if work.task == Task::BuildLightShelter {
        let near = work.to_house_or_wood_cm.is_some_and(|distance| distance < MATERIAL);
        if !near {
            return Err(Refusal::rule(rule, phrase::NO_MATERIAL).with("limit", MATERIAL));
        }
    }
    let piece = row.piece_length_cm.unwrap_or(Centimetres::whole(1)).count().max(1);
    let front = row.front_per_sapper_cm.map_or(150, Centimetres::count);
    let needed_per_piece = clerk.value(rule, needed_per_piece);
    let sappers = work.sappers.get();
    let pieces = work.quarters.get() / needed_per_piece;
    if work.task == Task::BuildBridge {
        let width = work.length_cm.map_or(0, Centimetres::count).clamp(0, LONGEST);
        let periods = (width + piece - 1) / piece;
        let done = (pieces * piece).min(width);
        return Ok(Progress {
            done_cm: Centimetres::hundredths(done),
            width_cm: Some(Centimetres::hundredths(sappers * front)),
            complete: done >= width,
            quarters_needed: periods * needed_per_piece,
            guns: None,
        });
    }
    let reach = (sappers * piece).max(1);
    let length = work.length_cm.map_or(reach, |length| Centimetres::count(length).clamp(0, LONGEST));
    // Each sapper clears his own piece and then shifts to the next untouched one.
    let rounds = (length + reach - 1) / reach;
    let done = (pieces * reach).min(length);
    if work.task != Task::BuildLightShelter && done > 0 {
        clerk.applied(rule!(TE_R85));
    }
    Ok(Progress {
        done_cm: Centimetres::hundredths(done),
        width_cm: None,
        complete: done >= length,
        quarters_needed: rounds * needed_per_piece,
        guns: None,
    })
}

/// The values of a sapper, from those of the most common infantry figure of his nation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Melee factor.
    pub melee: i32,
    /// Fire factor.
    pub fire: i32,
    /// Budget points.
    pub budget: i32,
}

/// The profile of a sapper.
pub fn profile(common: Profile, clerk: &mut impl Clerk) -> Profile {
    let mut add = |attribute: Attribute| clerk.modifier(rule!(TE_8_7_02), attribute.row().modifier);
    Profile {
        melee: common.melee.saturating_add(add(Attribute::MeleeFactor)),
        fire: common.fire.saturating_add(add(Attribute::FireFactor)),
        budget: common.budget.saturating_add(add(Attribute::BudgetPoints)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;

    fn site(task: Task, sappers: i32, quarters: i32, length: i32) -> Work {
        Work {
            task,
            sappers: Whole::new(sappers).unwrap(),
            quarters: Whole::new(quarters).unwrap(),
            length_cm: Some(Centimetres::hundredths(length)),
            to_house_or_wood_cm: None,
            in_contact: true,
            undisturbed: true,
            held_by_enemy: false,
            guns: Guns::Served,
        }
    }

    #[test]
    fn te_ex_45_sappers_bridge_a_river() {
        for (period, done) in [(1, 200), (2, 400), (3, 600), (4, 700)] {
            let bridge = site(Task::BuildBridge, 3, 4 * period, 700);
            let progress = told(|clerk| work(&bridge, clerk)).0.unwrap();
            assert_eq!(progress.done_cm.count(), done);
            assert_eq!(progress.width_cm, Some(Centimetres::hundredths(450)));
            assert_eq!(progress.complete, period == 4);
            assert_eq!(progress.quarters_needed, 16);
        }
    }

    #[test]
    fn te_ex_46_sappers_side_by_side() {
        let mut barricade = site(Task::BuildLightShelter, 4, 4, 600);
        barricade.to_house_or_wood_cm = Some(Centimetres::hundredths(2990));
        assert!(told(|clerk| work(&barricade, clerk)).0.unwrap().complete);
        barricade.to_house_or_wood_cm = Some(Centimetres::whole(30));
        assert_eq!(told(|clerk| work(&barricade, clerk)).0.unwrap_err().rule, Some(rule!(TE_8_7_04)));
        for (task, quarters) in
            [(Task::DestroyLightShelter, 4), (Task::DestroyHardShelter, 8), (Task::DestroyHouseOrRedoubt, 12)]
        {
            let clearing = site(task, 4, quarters, 600);
            let progress = told(|clerk| work(&clearing, clerk)).0.unwrap();
            assert_eq!((progress.complete, progress.quarters_needed), (true, quarters), "{task:?}");
            let early = site(task, 4, quarters - 1, 600);
            assert!(told(|clerk| work(&early, clerk)).0.unwrap().done_cm.count() < 600);
        }
        let mut guns = site(Task::SpikeBattery, 1, 1, 0);
        assert_eq!(told(|clerk| work(&guns, clerk)).0.unwrap_err().reason, phrase::GUNS_STILL_SERVED);
        guns.guns = Guns::Abandoned;
        assert_eq!(told(|clerk| work(&guns, clerk)).0.unwrap().guns, Some(Guns::Spiked));
    }

    #[test]
    fn who_may_work_and_when() {
        let refused = |site: &Work| told(|clerk| work(site, clerk)).0.unwrap_err().rule;
        let wall = site(Task::DestroyHardShelter, 2, 8, 300);
        assert_eq!(
            refused(&Work { sappers: Whole::new(0).unwrap(), ..wall.clone() }),
            Some(rule!(TE_8_7_01))
        );
        assert_eq!(refused(&Work { undisturbed: false, ..wall.clone() }), Some(rule!(TE_R84)));
        assert_eq!(refused(&Work { in_contact: false, ..wall.clone() }), Some(rule!(TE_R84)));
        assert_eq!(refused(&Work { held_by_enemy: true, ..wall }), Some(rule!(TE_R85)));
    }

    #[test]
    fn a_sapper_fights_worse_and_costs_more() {
        let (sapper, _) = told(|clerk| profile(Profile { melee: 5, fire: 4, budget: 14 }, clerk));
        assert_eq!(sapper, Profile { melee: 4, fire: 2, budget: 24 });
    }
}
