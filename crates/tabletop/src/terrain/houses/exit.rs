//! Section 5.2, its end: leaving a house by will, by want of men, by fire.

use kernel::{Clerk, Refusal, Verdict, Whole};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use rulebook::tables::tabletop_terrain::HouseActionsAction as Takes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::state::{self, State};
use super::super::troops::{Formation, Troops};
use super::{Side, quarters};

/// The two ways out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// A column of companies formed in the main street.
    ByStreet,
    /// Straight out, without formation.
    Directly,
}

/// A unit that wants to leave.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Leaving {
    /// How.
    pub way: Way,
    /// By which side, directly.
    pub side: Option<Side>,
    /// The street is free and long enough for the column.
    #[serde(default = "yes")]
    pub street_free: bool,
    /// The side has free ground before it and no enemy touches it.
    #[serde(default = "yes")]
    pub side_free: bool,
    /// It wants to march off at forced march.
    #[serde(default)]
    pub forced_march: bool,
    /// A road leads out where the column wants to come out.
    #[serde(default = "yes")]
    pub road_at_exit: bool,
}

fn yes() -> bool {
    true
}

/// A unit that is out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Out {
    /// Quarters it takes.
    pub quarters: i32,
    /// Its state then.
    pub state: State,
    /// Its formation, if it has one.
    pub formation: Option<Formation>,
    /// The side by which it leaves.
    pub side: Option<Side>,
    /// It must re-form in line before anything else.
    pub must_reform_in_line: bool,
}

/// A unit leaves by its own will.
///
/// # Errors
/// Without room, or at forced march.
pub fn leave(leaving: &Leaving, clerk: &mut impl Clerk) -> Verdict<Out> {
    clerk.applied(rule!(TE_5_2_27));
    match leaving.way {
        Way::ByStreet => {
            if rule!(TE_5_2_29).holds(leaving.forced_march) {
                return Err(Refusal::rule(rule!(TE_5_2_29), phrase::NO_FORCED_MARCH_OUT));
            }
            if rule!(TE_R47).holds(!leaving.street_free) {
                return Err(Refusal::rule(rule!(TE_R47), phrase::STREET_NOT_FREE));
            }
            if !leaving.road_at_exit {
                clerk.applied(rule!(TE_5_2_30));
            }
            let (_, length) = quarters(Takes::LeaveByStreetInColumn, clerk);
            let length = clerk.value(rule!(TE_5_2_28), length);
            Ok(Out {
                quarters: length,
                state: State::Formed,
                formation: Some(Formation::CompanyColumn),
                side: leaving.side,
                must_reform_in_line: false,
            })
        }
        Way::Directly => {
            if rule!(TE_R47).holds(!leaving.side_free) {
                return Err(Refusal::rule(rule!(TE_R47), phrase::SIDE_NOT_FREE));
            }
            let (_, length) = quarters(Takes::LeaveDirectly, clerk);
            let length = clerk.value(rule!(TE_5_2_32), length);
            Ok(Out {
                quarters: length,
                state: State::Unformed,
                formation: None,
                side: leaving.side,
                must_reform_in_line: clerk.holds(rule!(TE_5_2_33), true),
            })
        }
    }
}

/// The state of a column attacked while some of its ranks are still in the street.
pub fn attacked_in_street(troops: &Troops, round: i32, clerk: &mut impl Clerk) -> State {
    if round < 2 {
        return clerk.value(rule!(TE_5_2_31), troops.state);
    }
    state::worsen(troops.state, State::Unformed, rule!(TE_5_2_31), clerk)
}

/// May a unit that came out directly do anything but re-form in line?
///
/// # Errors
/// Until it has.
pub fn after_direct_exit(reformed_in_line: bool, clerk: &mut impl Clerk) -> Verdict<()> {
    if !clerk.holds(rule!(TE_5_2_33), reformed_in_line) {
        return Err(Refusal::rule(rule!(TE_5_2_33), phrase::REFORM_IN_LINE));
    }
    Ok(())
}

/// A garrison that may have to go.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Evacuation {
    /// The house burns.
    #[serde(default)]
    pub burning: bool,
    /// Figures on each side: north, east, south, west.
    pub sides: [Whole<0, 99>; 4],
    /// Figures set aside.
    #[serde(default)]
    pub reserve: Whole<0, 99>,
    /// Sides by which nobody can leave.
    #[serde(default)]
    pub blocked: Vec<Side>,
    /// The side its player would choose.
    pub wanted: Option<Side>,
    /// Quarters gone since the cause without leaving.
    #[serde(default)]
    pub delay: Whole<0, 99>,
}

/// What a garrison has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Evacuated {
    /// It may stay.
    Stays,
    /// It leaves, thus.
    Leaves(Out),
    /// It has to choose one of several sides.
    Chooses(
        /// The sides with most figures.
        [Option<Side>; 4],
    ),
    /// It is destroyed.
    Destroyed,
}

/// Men of one figure, and buildings of one house.
const MEN: i32 = 40;
const BUILDINGS: i32 = 20;
/// Figures that still hold a house.
const LEAST: i32 = 3;

/// Men in each building of a house held by so many figures.
pub fn men_per_building(figures: i32, clerk: &mut impl Clerk) -> (i32, i32) {
    let men = clerk.value(rule!(TE_5_2_35), figures.saturating_mul(MEN));
    (men, men / BUILDINGS)
}

/// Must the garrison leave, and how?
pub fn evacuate(garrison: &Evacuation, clerk: &mut impl Clerk) -> Evacuated {
    let figures: i32 = garrison.sides.iter().map(|side| side.get()).sum::<i32>() + garrison.reserve.get();
    let small = figures < LEAST;
    if !garrison.burning && !small {
        return Evacuated::Stays;
    }
    let (rule, action) = if garrison.burning {
        (rule!(TE_5_2_36), Takes::EvacuateFire)
    } else {
        (rule!(TE_5_2_34), Takes::EvacuateBelow3Figures)
    };
    if !clerk.holds(rule, true) {
        return Evacuated::Stays;
    }
    let (_, length) = quarters(action, clerk);
    let length = clerk.limit(rule!(TE_5_2_39), length);
    if garrison.delay.get() + length > 2 {
        return Evacuated::Destroyed;
    }
    let free = |side: Side| !garrison.blocked.contains(&side);
    let any = || Side::ALL.into_iter().filter(|side| free(*side)).collect();
    let (state, allowed): (State, Vec<Side>) = if garrison.burning {
        let most = Side::ALL.iter().map(|side| garrison.sides[*side as usize].get()).max().unwrap_or(0);
        let fullest: Vec<Side> = Side::ALL
            .into_iter()
            .filter(|side| garrison.sides[*side as usize].get() == most && free(*side))
            .collect();
        let fullest = clerk.rather(rule!(TE_5_2_37), fullest, any());
        (clerk.value(rule!(TE_5_2_38), State::Disordered), fullest)
    } else {
        (clerk.value(rule!(TE_R49), State::Unformed), any())
    };
    let out = |side| {
        Evacuated::Leaves(Out {
            quarters: length,
            state,
            formation: None,
            side: Some(side),
            must_reform_in_line: true,
        })
    };
    match (allowed.as_slice(), garrison.wanted) {
        ([], _) => Evacuated::Destroyed,
        (sides, Some(wanted)) if sides.contains(&wanted) => out(wanted),
        ([only], _) => out(*only),
        (sides, _) => {
            let mut choice = [None; 4];
            for (slot, side) in choice.iter_mut().zip(sides) {
                *slot = Some(*side);
            }
            Evacuated::Chooses(choice)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;
    use crate::terrain::troops::Arm;

    fn leaving(way: Way) -> Leaving {
        Leaving {
            way,
            side: Some(Side::South),
            street_free: true,
            side_free: true,
            forced_march: false,
            road_at_exit: true,
        }
    }

    fn garrison(sides: [i32; 4]) -> Evacuation {
        Evacuation {
            burning: false,
            sides: sides.map(|figures| Whole::new(figures).unwrap()),
            reserve: Whole::default(),
            blocked: vec![],
            wanted: None,
            delay: Whole::default(),
        }
    }

    #[test]
    fn te_ex_14_men_in_each_building() {
        assert_eq!(told(|clerk| men_per_building(3, clerk)).0, (120, 6));
        assert_eq!(told(|clerk| men_per_building(2, clerk)).0, (80, 4));
        assert_eq!(told(|clerk| evacuate(&garrison([3, 0, 0, 0]), clerk)).0, Evacuated::Stays);
        let two = Evacuation { wanted: Some(Side::West), ..garrison([2, 0, 0, 0]) };
        let (Evacuated::Leaves(out), _) = told(|clerk| evacuate(&two, clerk)) else { panic!("stays") };
        assert_eq!((out.quarters, out.state, out.side), (2, State::Unformed, Some(Side::West)));
    }

    #[test]
    fn fire_drives_out_by_the_fullest_side() {
        let burning = |sides| Evacuation { burning: true, ..garrison(sides) };
        let (Evacuated::Leaves(out), _) = told(|clerk| evacuate(&burning([1, 4, 2, 2]), clerk)) else {
            panic!("stays")
        };
        assert_eq!((out.side, out.state), (Some(Side::East), State::Disordered));
        assert!(out.must_reform_in_line);
        assert!(matches!(
            told(|clerk| evacuate(&burning([4, 4, 0, 0]), clerk)).0,
            Evacuated::Chooses([Some(Side::North), Some(Side::East), None, None])
        ));
        let shut = Evacuation { blocked: vec![Side::East], ..burning([1, 4, 2, 2]) };
        assert_eq!(told(|clerk| evacuate(&shut, clerk)).0, Evacuated::Destroyed);
        let late = Evacuation { delay: Whole::new(1).unwrap(), ..burning([1, 4, 2, 2]) };
        assert_eq!(told(|clerk| evacuate(&late, clerk)).0, Evacuated::Destroyed);
    }

    #[test]
    fn two_ways_out() {
        let (out, _) = told(|clerk| leave(&leaving(Way::ByStreet), clerk));
        let out = out.unwrap();
        assert_eq!(
            (out.quarters, out.state, out.formation),
            (2, State::Formed, Some(Formation::CompanyColumn))
        );
        let no_road = Leaving { road_at_exit: false, ..leaving(Way::ByStreet) };
        let (out, said) = told(|clerk| leave(&no_road, clerk));
        assert!(out.is_ok() && said.contains(&"TE-5.2-30"));
        let fast = Leaving { forced_march: true, ..leaving(Way::ByStreet) };
        assert_eq!(told(|clerk| leave(&fast, clerk)).0.unwrap_err().rule, Some(rule!(TE_5_2_29)));
        let shut = Leaving { street_free: false, ..leaving(Way::ByStreet) };
        assert_eq!(told(|clerk| leave(&shut, clerk)).0.unwrap_err().reason, phrase::STREET_NOT_FREE);
        let (out, _) = told(|clerk| leave(&leaving(Way::Directly), clerk));
        let out = out.unwrap();
        assert_eq!((out.quarters, out.state, out.must_reform_in_line), (2, State::Unformed, true));
        let shut = Leaving { side_free: false, ..leaving(Way::Directly) };
        assert_eq!(told(|clerk| leave(&shut, clerk)).0.unwrap_err().reason, phrase::SIDE_NOT_FREE);
        assert_eq!(told(|clerk| after_direct_exit(false, clerk)).0.unwrap_err().rule, Some(rule!(TE_5_2_33)));
        assert!(told(|clerk| after_direct_exit(true, clerk)).0.is_ok());
    }

    #[test]
    fn a_column_in_the_street_cannot_deploy() {
        let column = Troops::new(Arm::Infantry, Formation::CompanyColumn);
        assert_eq!(told(|clerk| attacked_in_street(&column, 1, clerk)).0, State::Formed);
        assert_eq!(told(|clerk| attacked_in_street(&column, 2, clerk)).0, State::Unformed);
    }
}
