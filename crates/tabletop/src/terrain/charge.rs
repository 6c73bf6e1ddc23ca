//! Where a charge may go (TE-R25) and at whom: the ground the charger covers, and the ground the
//! unit charged stands on or holds.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::tabletop::{ChargeAgainstHouse, ChargeOccupantFromOpenSide, Ditch, Options};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use schemars::JsonSchema;
use serde::Deserialize;

use super::ground::{self, Ground};
use super::state::{self, State};
use super::tables::ChargeAt;
use super::troops::Troops;
use super::{rivers, roads};

/// The unit charged, as ground sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Charged {
    /// The elements it stands in.
    pub ground: Vec<Ground>,
    /// The charger's bases stay off those elements.
    pub from_outside: bool,
    /// It touches a linear obstacle or the face of a redoubt.
    pub holds_obstacle: bool,
    /// The charge comes from the side where that obstacle is not.
    pub from_open_side: bool,
    /// It is the garrison of a house.
    pub in_house: bool,
    /// It is coming out of water and its whole first rank is out.
    pub first_rank_out_of_water: bool,
    /// It stands on a tree-lined road and the charge comes between the trees.
    pub between_trees: bool,
}

/// The way a charge takes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Way {
    /// Every element a base of the charger enters.
    pub ground: Vec<Ground>,
    /// It stays on a road strip from start to contact.
    pub on_road: bool,
    /// A linear obstacle lies across it.
    pub crosses_obstacle: bool,
}

/// A charge that may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// Whether the charge bonus counts in the melee.
    pub melee_bonus: bool,
}

/// No charge goes over a linear obstacle, light or hard.
///
/// # Errors
/// When one does.
pub(crate) fn not_across(charges_across: bool) -> Verdict<()> {
    if rule!(TE_8_6_02).holds(charges_across) {
        return Err(Refusal::rule(rule!(TE_8_6_02), phrase::NO_CHARGE_ACROSS));
    }
    Ok(())
}

/// May this body charge that unit along this way?
///
/// # Errors
/// The rule that forbids it.
pub fn may_charge(
    charger: &Troops,
    way: &Way,
    target: &Charged,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Verdict<Charge> {
    if rule!(TE_R03).holds(charger.state >= State::Unformed) {
        return Err(Refusal::rule(rule!(TE_R03), phrase::NOT_IN_ORDER_TO_CHARGE)
            .with("state", state::word(charger.state)));
    }
    let ditch = way.ground.contains(&Ground::Ditch) && options.ditch == Ditch::AsLightObstacle;
    not_across(way.crosses_obstacle || ditch)?;
    let on_road = clerk.holds(rule!(TE_R25), way.on_road);
    let bridged = way.ground.contains(&Ground::Bridge);
    for element in ground::elements(&way.ground, options, clerk) {
        // A road takes a charge through everything but water, and over that on a bridge (TE-R70).
        if !on_road || (element.ground.is_watercourse() && !bridged) {
            element.charge_through()?;
        }
    }
    if target.between_trees {
        roads::charge_between_trees()?;
    }
    if target.holds_obstacle {
        let open = target.from_open_side
            && options.charge_occupant_from_open_side == ChargeOccupantFromOpenSide::Allowed;
        if !clerk.holds(rule!(TE_R81), open) {
            Refusal::rule(rule!(TE_8_6_01), phrase::HOLDS_OBSTACLE).stands(())?;
        }
    }
    if target.in_house {
        if options.charge_against_house == ChargeAgainstHouse::Forbidden {
            Refusal::rule(rule!(TE_R25), phrase::NO_CHARGE_AT_HOUSE).stands(())?;
        }
        return Ok(Charge { melee_bonus: clerk.value(rule!(TE_5_5_04), 0) != 0 });
    }
    for element in ground::elements(&target.ground, options, clerk) {
        match element.charge_at() {
            ChargeAt::Yes | ChargeAt::NoMeleeBonus => {}
            ChargeAt::No => {
                let rule = match element.ground {
                    Ground::Wood | Ground::ForestTrack | Ground::Ride => rule!(TE_4_5_02),
                    Ground::Redoubt => rule!(TE_8_6_01),
                    _ => rule!(TE_R88),
                };
                Refusal::rule(rule, phrase::NO_CHARGE_AT).with("ground", element.ground.word()).stands(())?;
            }
            ChargeAt::FromOutside => {
                if !clerk.holds(rule!(TE_R25), target.from_outside) {
                    element.charge_through()?;
                }
            }
            ChargeAt::OnceFirstRankOut => {
                rivers::may_be_charged(target.first_rank_out_of_water, target.from_outside, clerk)?;
            }
        }
    }
    Ok(Charge { melee_bonus: true })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;
    use crate::terrain::troops::{Arm, Formation};

    fn cavalry() -> Troops {
        Troops::new(Arm::Cavalry, Formation::Line)
    }

    fn charge(way: &Way, target: &Charged, options: &Options) -> Verdict<Charge> {
        told(|clerk| may_charge(&cavalry(), way, target, options, clerk)).0
    }

    fn refused(way: &Way, target: &Charged) -> Option<kernel::RuleId> {
        charge(way, target, &Options::default()).err().and_then(|refusal| refusal.rule)
    }

    fn through(ground: Ground) -> Way {
        Way { ground: vec![ground], ..Way::default() }
    }

    #[test]
    fn te_ex_58_where_cavalry_may_charge() {
        let plain = Way::default();
        let hedge = Charged { holds_obstacle: true, ..Charged::default() };
        let across = Way { crosses_obstacle: true, ..Way::default() };
        assert_eq!(refused(&across, &hedge), Some(rule!(TE_8_6_02)));
        let open_side = Charged { from_open_side: true, ..hedge };
        assert_eq!(refused(&plain, &open_side), Some(rule!(TE_8_6_01)));
        let standing_in = |ground| Charged { ground: vec![ground], from_outside: true, ..Charged::default() };
        assert_eq!(refused(&plain, &standing_in(Ground::Wood)), Some(rule!(TE_4_5_02)));
        assert_eq!(refused(&plain, &standing_in(Ground::HillSlope)), None);
        assert_eq!(refused(&plain, &standing_in(Ground::PloughedLand)), None);
    }

    #[test]
    fn no_charge_covers_these_grounds() {
        for (ground, rule) in [
            (Ground::HillSlope, rule!(TE_2_4_03)),
            (Ground::PlateauSlope, rule!(TE_3_3_02)),
            (Ground::Wood, rule!(TE_4_5_02)),
            (Ground::Stream, rule!(TE_6_2_07)),
            (Ground::Ford, rule!(TE_R66)),
            (Ground::TallCrops, rule!(TE_R87)),
            (Ground::PloughedLand, rule!(TE_9_2_12)),
            (Ground::AbandonedBattery, rule!(TE_R88)),
        ] {
            assert_eq!(refused(&through(ground), &Charged::default()), Some(rule), "{ground:?}");
            let inside = Charged { ground: vec![ground], ..Charged::default() };
            assert!(refused(&Way::default(), &inside).is_some(), "{ground:?}");
        }
        let road = Way { on_road: true, ..through(Ground::PloughedLand) };
        assert_eq!(refused(&road, &Charged::default()), None);
        let water = Way { on_road: true, ..through(Ground::Stream) };
        assert_eq!(refused(&water, &Charged::default()), Some(rule!(TE_6_2_07)), "no bridge, no charge");
        let bridge = Way { ground: vec![Ground::Stream, Ground::Bridge], ..water };
        assert_eq!(refused(&bridge, &Charged::default()), None);
    }

    #[test]
    fn a_charge_at_a_house_has_no_melee_bonus_or_is_forbidden() {
        let house = Charged { in_house: true, ..Charged::default() };
        let mut options = Options::default();
        assert_eq!(charge(&Way::default(), &house, &options), Ok(Charge { melee_bonus: false }));
        options.charge_against_house = ChargeAgainstHouse::Forbidden;
        assert_eq!(charge(&Way::default(), &house, &options).unwrap_err().rule, Some(rule!(TE_R25)));
    }

    #[test]
    fn the_open_side_of_an_obstacle_is_an_option() {
        let open = Charged { holds_obstacle: true, from_open_side: true, ..Charged::default() };
        let options = Options {
            charge_occupant_from_open_side: ChargeOccupantFromOpenSide::Allowed,
            ..Options::default()
        };
        assert!(charge(&Way::default(), &open, &options).is_ok());
    }

    #[test]
    fn a_ditch_stops_a_charge_as_water_or_as_a_hedge() {
        let way = through(Ground::Ditch);
        assert_eq!(refused(&way, &Charged::default()), Some(rule!(TE_6_2_07)));
        let options = Options { ditch: Ditch::AsLightObstacle, ..Options::default() };
        let refusal = charge(&way, &Charged::default(), &options).unwrap_err();
        assert_eq!(refusal.rule, Some(rule!(TE_8_6_02)));
    }

    #[test]
    fn a_unit_out_of_the_stream_with_its_first_rank_may_be_charged() {
        let wading = Charged { ground: vec![Ground::Stream], from_outside: true, ..Charged::default() };
        assert_eq!(refused(&Way::default(), &wading), Some(rule!(TE_6_2_08)));
        let out = Charged { first_rank_out_of_water: true, ..wading };
        assert_eq!(refused(&Way::default(), &out), None);
    }

    #[test]
    fn an_unformed_unit_does_not_charge_and_nobody_between_trees() {
        let body = cavalry().in_state(State::Unformed);
        let (verdict, _) =
            told(|clerk| may_charge(&body, &Way::default(), &Charged::default(), &Options::default(), clerk));
        assert_eq!(verdict.unwrap_err().rule, Some(rule!(TE_R03)));
        let lined = Charged { between_trees: true, ..Charged::default() };
        assert_eq!(refused(&Way::default(), &lined), Some(rule!(TE_R72)));
    }
}
