//! `danzig.arc`: arc, sight and range of a gun, as facts or in a saved game.

use kernel::{Clerk, Inquiry, Metres, Question, Refusal, Verdict, Whole};
use rulebook::{phrase::danzig_siege as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::facts::{Position, facing, judged, sited};
use crate::siege::fire::bands_between;
use crate::siege::geometry::{Fine, in_arc};
use crate::siege::sight::{check_short_of_city, check_sight, in_kalke_box, metres_between, no_such_work};
use crate::siege::{GROUND, Sited, Spot, WallSet, WorkId};
use crate::{Options, Side, State, UnitId};

/// Arc, sight and range.
pub(super) struct Arc;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ArcRequest {
    /// Whose gun it is.
    side: Side,
    /// The centre of the gun.
    gun: Position,
    /// Where it looks: 0 is right, 90 up the map.
    facing: Whole<0, 359>,
    /// The centre of the target.
    target: Position,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(super) struct ArcAnswer {
    /// The target lies in the arc of 90 degrees.
    in_arc: bool,
    /// No wall hides it.
    in_sight: bool,
    /// From the front of the gun to the target.
    distance_m: Metres,
    /// The same on the map, in whole millimetres.
    distance_mm: i32,
    /// What the range takes off the factor.
    reduction: u8,
}

impl Question for Arc {
    const NAME: &'static str = "danzig.arc";
    type Options = Options;
    type Request = ArcRequest;
    type Answer = ArcAnswer;

    fn answer(request: &ArcRequest, _: &Options, clerk: &mut impl Clerk) -> Verdict<ArcAnswer> {
        let (gun, on) = request.gun.find("gun")?;
        let target = Mark::at(&request.target)?;
        let sited = Sited { centre: gun.fine(), facing: facing(request.facing), on };
        measure(request.side, &sited, &target, clerk)
    }
}

/// What is aimed at: its centre, where range is measured to, and the wall points it is on.
struct Mark {
    spot: Spot,
    front: Fine,
    on: WallSet,
}

impl Mark {
    fn at(position: &Position) -> Verdict<Self> {
        let (spot, on) = position.find("target")?;
        let on = on.map_or_else(WallSet::default, |point| WallSet::default().with(point));
        Ok(Self { spot, front: spot.fine(), on })
    }
}

fn measure(side: Side, sited: &Sited, mark: &Mark, clerk: &mut impl Clerk) -> Verdict<ArcAnswer> {
    let place: Fine = mark.spot.fine();
    let never = match side {
        Side::French => [
            (rule!(DZ_4_3_3_05), GROUND.greens.contains(&mark.spot)),
            (rule!(DZ_4_4_04), GROUND.in_city(place) && mark.on.is_empty()),
        ],
        Side::Prussian => {
            [(rule!(DZ_4_4_01), in_kalke_box(place)), (rule!(DZ_4_9_20), GROUND.in_zone(place))]
        }
    };
    for (rule, there) in never {
        if !rule.holds(!there) {
            return Err(Refusal::rule(rule, phrase::NO_FIRE_THERE).at("target"));
        }
    }
    let seen = clerk.rather(rule!(DZ_0_03), in_arc(sited.centre, sited.facing, place), Ok(()));
    let in_arc = judged(seen, clerk);
    let in_sight = match side {
        Side::French => {
            clerk.applied(rule!(DZ_4_4_03));
            judged(check_short_of_city(sited, place, |point| mark.on.contains(point)), clerk)
        }
        Side::Prussian => judged(check_sight(sited, place, |point| mark.on.contains(point)), clerk),
    };
    let distance_m = metres_between(sited.muzzle(), mark.front);
    // 25 mm of the map are 100 m of ground.
    let distance_mm = clerk.rather(rule!(DZ_0_02), (distance_m.count() + 200) / 400, 0);
    let distance_mm = clerk.rather(rule!(DZ_4_1_1_01), distance_mm, 0);
    let lost = clerk.modifier(rule!(DZ_4_5_1_03), -i32::from(bands_between(sited.muzzle(), mark.front)));
    let reduction = u8::try_from(-lost).unwrap_or(0);
    Ok(ArcAnswer { in_arc, in_sight, distance_m, distance_mm, reduction })
}

/// A gun of a saved game and what it might fire at: a place, or a work by its number.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GunArc {
    /// The gun.
    gun: UnitId,
    /// A place.
    target: Option<Position>,
    /// A field fortification, by its number.
    work: Option<WorkId>,
}

impl Inquiry for Arc {
    const NAME: &'static str = <Self as Question>::NAME;
    type Position = State;
    type Request = GunArc;
    type Answer = ArcAnswer;

    fn answer(state: &State, request: &GunArc, clerk: &mut impl Clerk) -> Verdict<ArcAnswer> {
        let mark = match (&request.target, request.work) {
            (Some(target), None) => Mark::at(target)?,
            (None, Some(id)) => {
                let work = state.table.siege.work(id).ok_or_else(|| no_such_work(id).at("work"))?;
                Mark { spot: work.pose.at, front: work.rect().muzzle(), on: work.covers }
            }
            _ => return Err(Refusal::field("target", phrase::ONE_TARGET)),
        };
        measure(request.gun.side(), &sited(&state.table, request.gun)?, &mark, clerk)
    }
}
