//! Section 7 of the terrain chapter: roads, bordered roads and roads between trees.

use kernel::{Centimetres, Clerk, Effect, Refusal, Verdict};
use rulebook::options::tabletop::{Options, RoadBonusRounding};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;

use super::state::{self, State};
use super::troops::{Arm, Formation, Troops};

/// Figures abreast that still take the road.
const INFANTRY_FRONT: i32 = 3;
const CAVALRY_FRONT: i32 = 2;

/// May this body take the advantages of a road? A column of companies within the front, or guns
/// limbered.
///
/// # Errors
/// When nobody said how wide the column is.
pub fn takes_road(troops: &Troops, clerk: &mut impl Clerk) -> Verdict<bool> {
    let (rule, limit) = match troops.arm {
        Arm::FootArtillery | Arm::HorseArtillery => {
            return Ok(clerk.holds(rule!(TE_7_1_02), troops.formation == Formation::Limbered));
        }
        Arm::Infantry => (rule!(TE_7_1_09), INFANTRY_FRONT),
        Arm::Cavalry | Arm::Cuirassiers | Arm::Officer => (rule!(TE_7_1_10), CAVALRY_FRONT),
    };
    let march_column = troops.formation.is_march_column();
    if !clerk.rather(rule!(TE_7_1_01), march_column, !march_column) {
        return Ok(false);
    }
    let limit = clerk.limit(rule, limit);
    if troops.abreast()? > limit {
        return Ok(clerk.makes(rule!(TE_7_1_03), Effect::Times(1, 1), false, true));
    }
    Ok(true)
}

/// A tenth of a distance, as the option rounds it (TE-R69).
fn tenth(distance: Centimetres, options: &Options) -> Centimetres {
    let d = distance.count();
    Centimetres::hundredths(match options.road_bonus_rounding {
        RoadBonusRounding::NearestHalfCm => 50 * ((d + 250) / 500),
        RoadBonusRounding::NearestTenthCm => 10 * ((d + 50) / 100),
        RoadBonusRounding::Exact => d / 10,
    })
}

/// What a road adds to the distance moved in one quarter, if the whole unit was on it from start
/// to end and its player wants it.
pub fn bonus(
    distance: Centimetres,
    whole_unit_on_road: bool,
    wanted: bool,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Centimetres {
    if !whole_unit_on_road {
        return clerk.value(rule!(TE_7_1_07), Centimetres::ZERO);
    }
    if !wanted {
        return clerk.value(rule!(TE_7_1_08), Centimetres::ZERO);
    }
    let more = clerk.value(rule!(TE_R69), tenth(distance, options));
    clerk.value(rule!(TE_7_1_05), more)
}

/// What a road adds to a charge bonus, once.
pub fn charge_bonus(bonus: Centimetres, options: &Options, clerk: &mut impl Clerk) -> Centimetres {
    clerk.value(rule!(TE_7_1_06), tenth(bonus, options))
}

/// A body on a road, seen by melee.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoadMelee {
    /// It has room for its line formation (TE-R71).
    pub room_to_deploy: bool,
    /// The road is lined with trees there.
    pub tree_lined: bool,
    /// This round is fought with the whole strength.
    pub whole_strength: bool,
    /// The round.
    pub round: i32,
}

/// The state in which a body fights on a road.
pub fn melee_state(troops: &Troops, road: RoadMelee, clerk: &mut impl Clerk) -> State {
    if road.tree_lined && road.whole_strength {
        return state::worsen(troops.state, State::Unformed, rule!(TE_7_3_01), clerk);
    }
    if !road.room_to_deploy && road.round >= 2 {
        return state::worsen(troops.state, State::Unformed, rule!(TE_7_2_03), clerk);
    }
    if road.tree_lined { troops.state } else { clerk.value(rule!(TE_7_2_02), troops.state) }
}

/// Whoever attacks in flank between the trees: the flank bonus stays, his order goes, and he meets
/// no light shelter.
pub fn flank_attack_between_trees(attacker: &Troops, clerk: &mut impl Clerk) -> State {
    clerk.because(rule!(TE_7_3_04), Effect::Set(phrase::COVER_NONE.into()));
    state::worsen(attacker.state, State::Unformed, rule!(TE_7_3_03), clerk)
}

/// May a flank attacker charge between the trees? Never (TE-R72).
///
/// # Errors
/// Always.
pub fn charge_between_trees() -> Verdict<()> {
    Refusal::rule(rule!(TE_R72), phrase::NO_CHARGE_THROUGH)
        .with("ground", phrase::GROUND_TREE_LINED_ROAD)
        .stands(())
}

/// The state of a body that leaves a tree-lined road.
pub fn leave_tree_lined(troops: &Troops, between_trees: bool, clerk: &mut impl Clerk) -> State {
    if between_trees {
        state::worsen(troops.state, State::Unformed, rule!(TE_7_3_05), clerk)
    } else {
        clerk.value(rule!(TE_7_3_05), troops.state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;

    fn column() -> Troops {
        Troops::new(Arm::Infantry, Formation::CompanyColumn).front(3)
    }

    fn added(hundredths: i32, options: &Options) -> i32 {
        told(|clerk| bonus(Centimetres::hundredths(hundredths), true, true, options, clerk)).0.count()
    }

    #[test]
    fn te_ex_26_the_tenth_of_a_road() {
        let options = Options::default();
        assert_eq!(added(450, &options), 50);
        assert_eq!(added(450, &options) * 2, 100);
        let (charge, _) = told(|clerk| charge_bonus(Centimetres::whole(4), &options, clerk));
        assert_eq!(charge, Centimetres::hundredths(50));
    }

    #[test]
    fn the_rounding_of_the_tenth_is_an_option() {
        let mut options = Options::default();
        assert_eq!([350, 400, 200, 450].map(|d| added(d, &options)), [50, 50, 0, 50]);
        options.road_bonus_rounding = RoadBonusRounding::NearestTenthCm;
        assert_eq!([350, 400, 200, 450].map(|d| added(d, &options)), [40, 40, 20, 50]);
        options.road_bonus_rounding = RoadBonusRounding::Exact;
        assert_eq!([350, 400, 200, 450].map(|d| added(d, &options)), [35, 40, 20, 45]);
    }

    #[test]
    fn who_takes_the_road() {
        let takes = |troops: &Troops| told(|clerk| takes_road(troops, clerk)).0.unwrap();
        let unsaid = Troops::new(Arm::Infantry, Formation::CompanyColumn);
        let needed = told(|clerk| takes_road(&unsaid, clerk)).0.unwrap_err();
        assert_eq!((needed.field.as_deref(), needed.reason), (Some("front"), phrase::FRONT_NEEDED));
        assert!(takes(&column()));
        assert!(!takes(&column().front(4)));
        assert!(!takes(&Troops::new(Arm::Infantry, Formation::Line)));
        assert!(takes(&Troops::new(Arm::Cavalry, Formation::Column).front(2)));
        assert!(!takes(&Troops::new(Arm::Cavalry, Formation::Column).front(3)));
        assert!(takes(&Troops::new(Arm::FootArtillery, Formation::Limbered)));
        assert!(!takes(&Troops::new(Arm::FootArtillery, Formation::InPosition)));
    }

    #[test]
    fn the_addition_needs_the_whole_unit_and_the_will() {
        let options = Options::default();
        let d = Centimetres::hundredths(450);
        assert_eq!(told(|clerk| bonus(d, false, true, &options, clerk)).0, Centimetres::ZERO);
        assert_eq!(told(|clerk| bonus(d, true, false, &options, clerk)).0, Centimetres::ZERO);
    }

    #[test]
    fn melee_on_roads() {
        let on = |room_to_deploy, tree_lined, round| {
            let road = RoadMelee { room_to_deploy, tree_lined, whole_strength: round > 1, round };
            told(|clerk| melee_state(&column(), road, clerk)).0
        };
        assert_eq!(on(true, false, 2), State::Formed);
        assert_eq!(on(false, false, 1), State::Formed);
        assert_eq!(on(false, false, 2), State::Unformed);
        assert_eq!(on(true, true, 1), State::Formed);
        assert_eq!(on(true, true, 2), State::Unformed);
        assert_eq!(told(|clerk| flank_attack_between_trees(&column(), clerk)).0, State::Unformed);
        assert_eq!(charge_between_trees().unwrap_err().rule, Some(rule!(TE_R72)));
    }

    #[test]
    fn leaving_between_trees_costs_the_formation() {
        assert_eq!(told(|clerk| leave_tree_lined(&column(), true, clerk)).0, State::Unformed);
        assert_eq!(told(|clerk| leave_tree_lined(&column(), false, clerk)).0, State::Formed);
    }
}
