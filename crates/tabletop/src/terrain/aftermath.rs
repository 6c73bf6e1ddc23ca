//! What follows a round of melee on the ground: recoil, following, who holds the obstacle, and the
//! morale of those caught in movement.

use kernel::{Centimetres, Clerk, Refusal, Verdict};
use rulebook::options::tabletop::Options;
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ground::Ground;
use super::obstacles::{ObstacleClass, cross};
use super::rivers::{self, Recoiled};
use super::state::{self, State};
use super::troops::Troops;

/// The ground a beaten body recoils over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RecoilPath {
    /// Some base is in a wood where it starts or where it ends.
    pub wood: bool,
    /// It is the garrison of a house.
    pub garrison: bool,
    /// Water or marsh behind it.
    pub into: Option<Ground>,
    /// How far behind it a house, a friend or the table's edge stands.
    pub stopped_after_cm: Option<Centimetres>,
    /// What stops it is a friendly unit.
    pub by_a_friend: bool,
    /// A linear obstacle it is pushed across.
    pub across: Option<ObstacleClass>,
}

/// Where a beaten body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Recoil {
    /// How far it goes back.
    pub distance_cm: Centimetres,
    /// Its state there.
    pub state: State,
    /// It is destroyed.
    pub destroyed: bool,
    /// A friend it ran into is disorganised.
    pub friend_disorganised: bool,
}

/// The recoil of the loser (TE-R98).
pub fn recoil(loser: &Troops, path: &RecoilPath, options: &Options, clerk: &mut impl Clerk) -> Recoil {
    if path.garrison {
        return Recoil {
            distance_cm: clerk.value(rule!(TE_5_5_18), Centimetres::ZERO),
            state: loser.state,
            destroyed: false,
            friend_disorganised: false,
        };
    }
    let full = if path.wood {
        clerk.value(rule!(TE_4_5_10), Centimetres::hundredths(150))
    } else {
        clerk.value(rule!(TE_R98), Centimetres::whole(3))
    };
    let distance = path.stopped_after_cm.map_or(full, |stop| full.min(stop.max(Centimetres::ZERO)));
    let stopped = distance < full;
    let mut after = loser.clone();
    after.state = after.state.max(State::Disorganised);
    if let Some(class) = path.across
        && let Some(imposed) = cross::imposes(class, loser, options, clerk)
    {
        after.state = after.state.max(imposed);
    }
    let mut destroyed = false;
    if let Some(water) = path.into {
        match rivers::pushed_into(water, &after, clerk) {
            Recoiled::Stands(state) => after.state = state,
            Recoiled::Destroyed => destroyed = true,
        }
    }
    Recoil {
        distance_cm: distance,
        state: after.state,
        destroyed,
        friend_disorganised: stopped && path.by_a_friend,
    }
}

/// Who won a round over an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Winner {
    /// Who came.
    Attacker,
    /// Who held it.
    Defender,
    /// Nobody.
    Nobody,
}

/// What the winner does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// Follows the loser across.
    Follow,
    /// Takes the obstacle and stays.
    #[default]
    Occupy,
}

/// A round over a linear obstacle that is over.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OverObstacle {
    /// Its class.
    pub class: ObstacleClass,
    /// Who won.
    pub winner: Winner,
    /// What the winner does.
    #[serde(default)]
    pub choice: Choice,
    /// Who came.
    pub attacker: Troops,
    /// Who held it.
    pub defender: Troops,
    /// Figures of the defender, along the outline, face different ways.
    #[serde(default)]
    pub defender_faces_several_ways: bool,
}

/// What follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct AfterObstacle {
    /// Who holds the obstacle now.
    pub held_by: Winner,
    /// How far the loser recoils.
    pub recoil_cm: Centimetres,
    /// The state of the attacker.
    pub attacker_state: State,
    /// The state of the defender.
    pub defender_state: State,
    /// Movement deducted for crossing.
    pub crossing_cost_cm: Centimetres,
    /// The winner has the bonus of following next round.
    pub follow_up_bonus: bool,
    /// The attacker may extend his front.
    pub attacker_may_extend: bool,
}

/// What follows a round over an obstacle.
///
/// # Errors
/// When the winner may not follow.
pub fn over_obstacle(
    round: &OverObstacle,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Verdict<AfterObstacle> {
    let three = Centimetres::whole(3);
    let mut after = AfterObstacle {
        held_by: Winner::Defender,
        recoil_cm: Centimetres::ZERO,
        attacker_state: round.attacker.state,
        defender_state: round.defender.state,
        crossing_cost_cm: Centimetres::ZERO,
        follow_up_bonus: false,
        attacker_may_extend: false,
    };
    match round.winner {
        Winner::Nobody => {
            after.recoil_cm = clerk.rather(rule!(TE_8_6_16), Centimetres::ZERO, three);
            after.attacker_may_extend = clerk.holds(rule!(TE_8_6_17), true);
        }
        Winner::Attacker => {
            let passes = clerk.holds(rule!(TE_8_6_05), true);
            after.recoil_cm = clerk.value(rule!(TE_8_6_11), three);
            after.defender_state =
                state::worsen(round.defender.state, State::Disorganised, rule!(TE_8_6_24), clerk);
            let follows = round.choice == Choice::Follow;
            if clerk.rather(rule!(TE_8_6_12), follows, !follows) {
                after.attacker_state = after.follow(round.class, &round.attacker, options, clerk)?;
            } else if passes {
                after.held_by = Winner::Attacker;
            }
        }
        Winner::Defender => {
            after.recoil_cm = clerk.value(rule!(TE_8_6_19), three);
            after.attacker_state = round.attacker.state.max(State::Disorganised);
            if round.choice == Choice::Follow {
                if !clerk.holds(rule!(TE_8_6_20), !round.defender_faces_several_ways) {
                    return Err(Refusal::rule(rule!(TE_8_6_20), phrase::FACES_SEVERAL_WAYS));
                }
                after.defender_state = after.follow(round.class, &round.defender, options, clerk)?;
            }
        }
    }
    Ok(after)
}

impl AfterObstacle {
    /// Following across costs no movement, but the order the obstacle takes: the state is given back.
    fn follow(
        &mut self,
        class: ObstacleClass,
        troops: &Troops,
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> Verdict<State> {
        if rule!(TE_R76).holds(troops.arm.is_mounted() && !class.is_light()) {
            return Err(Refusal::rule(rule!(TE_R76), phrase::NOT_ADMITTED)
                .with("arm", phrase::ARM_CAVALRY)
                .with("ground", class.word()));
        }
        self.held_by = Winner::Nobody;
        self.crossing_cost_cm = clerk.value(rule!(TE_8_6_13), Centimetres::ZERO);
        self.follow_up_bonus = clerk.holds(rule!(TE_8_6_15), true);
        let imposed = cross::imposes(class, troops, options, clerk).unwrap_or(troops.state);
        Ok(troops.state.max(imposed))
    }
}

/// The state of an attacker that recoiled from an obstacle and comes back to it.
pub fn come_back(attacker: &Troops, reformed: bool, clerk: &mut impl Clerk) -> State {
    if reformed {
        return attacker.state;
    }
    state::worsen(attacker.state, State::Disorganised, rule!(TE_8_6_25), clerk)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::houses::surrender::{Caught, Morale, caught_and_beaten};
    use crate::terrain::testing::told;
    use crate::terrain::troops::{Arm, Formation};

    fn line() -> Troops {
        Troops::new(Arm::Infantry, Formation::Line)
    }

    fn pushed(path: &RecoilPath) -> Recoil {
        told(|clerk| recoil(&line(), path, &Options::default(), clerk)).0
    }

    fn wall(winner: Winner, choice: Choice) -> OverObstacle {
        OverObstacle {
            class: ObstacleClass::Hard,
            winner,
            choice,
            attacker: Troops::new(Arm::Infantry, Formation::CompanyColumn),
            defender: line(),
            defender_faces_several_ways: false,
        }
    }

    fn ended(round: &OverObstacle) -> Verdict<AfterObstacle> {
        told(|clerk| over_obstacle(round, &Options::default(), clerk)).0
    }

    #[test]
    fn te_ex_33_an_attacker_wins_across_a_wall() {
        let after = ended(&wall(Winner::Attacker, Choice::Follow)).unwrap();
        assert_eq!((after.recoil_cm, after.defender_state), (Centimetres::whole(3), State::Disorganised));
        assert_eq!((after.attacker_state, after.crossing_cost_cm), (State::Unformed, Centimetres::ZERO));
        assert!(after.follow_up_bonus);
        let stayed = ended(&wall(Winner::Attacker, Choice::Occupy)).unwrap();
        assert_eq!((stayed.held_by, stayed.attacker_state), (Winner::Attacker, State::Formed));
    }

    #[test]
    fn te_ex_41_how_far_the_beaten_recoil() {
        let distance = |path: &RecoilPath| pushed(path).distance_cm.count();
        assert_eq!(distance(&RecoilPath { wood: true, ..RecoilPath::default() }), 150);
        assert_eq!(ended(&wall(Winner::Attacker, Choice::Occupy)).unwrap().recoil_cm.count(), 300);
        assert_eq!(distance(&RecoilPath { garrison: true, ..RecoilPath::default() }), 0);
        use crate::terrain::houses::assault::{Ended, Where, after_round};
        let (street, _) = told(|clerk| after_round(Where::Street, Ended::AttackerWon, clerk));
        assert_eq!(street.recoil_cm.count(), 300);
    }

    #[test]
    fn what_a_recoil_meets() {
        assert_eq!(pushed(&RecoilPath::default()).distance_cm, Centimetres::whole(3));
        let stopped = pushed(&RecoilPath {
            stopped_after_cm: Some(Centimetres::whole(1)),
            by_a_friend: true,
            ..RecoilPath::default()
        });
        assert_eq!((stopped.distance_cm, stopped.friend_disorganised), (Centimetres::whole(1), true));
        assert!(pushed(&RecoilPath { into: Some(Ground::River), ..RecoilPath::default() }).destroyed);
        let marsh = pushed(&RecoilPath { into: Some(Ground::Marsh), ..RecoilPath::default() });
        assert_eq!((marsh.state, marsh.destroyed), (State::Unformed, false));
        let over = pushed(&RecoilPath { across: Some(ObstacleClass::Hard), ..RecoilPath::default() });
        assert_eq!(over.state, State::Unformed);
    }

    #[test]
    fn draws_and_beaten_attackers() {
        assert!(ended(&wall(Winner::Nobody, Choice::Occupy)).unwrap().attacker_may_extend);
        let beaten = ended(&wall(Winner::Defender, Choice::Follow)).unwrap();
        assert_eq!((beaten.recoil_cm.count(), beaten.attacker_state), (300, State::Disorganised));
        assert_eq!((beaten.defender_state, beaten.follow_up_bonus), (State::Unformed, true));
        let bent =
            OverObstacle { defender_faces_several_ways: true, ..wall(Winner::Defender, Choice::Follow) };
        assert_eq!(ended(&bent).unwrap_err().rule, Some(rule!(TE_8_6_20)));
        let horse = OverObstacle {
            attacker: Troops::new(Arm::Cavalry, Formation::Line),
            ..wall(Winner::Attacker, Choice::Follow)
        };
        assert_eq!(ended(&horse).unwrap_err().rule, Some(rule!(TE_R76)));
        assert_eq!(told(|clerk| come_back(&line(), false, clerk)).0, State::Disorganised);
        assert_eq!(told(|clerk| come_back(&line(), true, clerk)).0, State::Formed);
    }

    #[test]
    fn a_unit_beaten_while_crossing_routs_on_a_halt() {
        let (result, _) = told(|clerk| caught_and_beaten(Morale::Halt, Caught::AtObstacle, clerk));
        assert_eq!(result, Morale::Rout);
    }
}
