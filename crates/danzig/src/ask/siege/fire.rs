//! `danzig.siege-fire`: one shot on the siege map, as facts or by a gun of a saved game.

use kernel::{Clerk, Inquiry, Metres, Question, Refusal, Verdict, Whole};
use rulebook::{phrase::danzig_siege as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::facts::decimetres;
use crate::ops::Unheard;
use crate::siege::fire::{Gun, Shot, Target, bands_of, fire};
use crate::siege::{
    BatteryTarget, FireResult, GunTarget, INTACT, KalkeSide, Spot, WallId, WorkId, french_shot, prussian_shot,
};
use crate::{Arm, Options, State, UnitId};

/// One shot on the siege map.
pub(super) struct SiegeFire;

/// What is fired at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Aim {
    /// A wall point.
    Wall,
    /// A field fortification.
    Work,
    /// Open ground.
    Open,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SiegeFireRequest {
    /// What fires.
    gun: Gun,
    /// The factor printed on its counter.
    factor: Option<Whole<1, 99>>,
    /// From its front to the target.
    distance_m: Metres,
    /// What is fired at.
    target: Aim,
    /// The level of the wall point.
    level: Option<Whole<0, 20>>,
    /// The work has lost its first step.
    #[serde(default)]
    damaged: bool,
    /// The target is in a village.
    #[serde(default)]
    village: bool,
    /// The shot enfilades.
    #[serde(default)]
    enfilade: bool,
    /// The target is a sortie.
    #[serde(default)]
    night: bool,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(super) struct SiegeFireAnswer {
    factor: u8,
    roll: i32,
    result: FireResult,
    infantry_steps: u8,
    morale_test: bool,
    wall_levels: u8,
    work_steps: u8,
}

impl Question for SiegeFire {
    const NAME: &'static str = "danzig.siege-fire";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = SiegeFireRequest;
    type Answer = SiegeFireAnswer;

    fn answer(
        request: &SiegeFireRequest,
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> Verdict<SiegeFireAnswer> {
        if request.distance_m.count() < 0 {
            return Err(Refusal::field("distance_m", phrase::NEGATIVE));
        }
        let level = request.level.map_or(INTACT, |level| u8::try_from(level.get()).unwrap_or(INTACT));
        for (given, field, aim) in [
            (level != INTACT, "level", Aim::Wall),
            (request.damaged, "damaged", Aim::Work),
            (request.village, "village", Aim::Open),
        ] {
            if given && request.target != aim {
                return Err(Refusal::field(field, phrase::NOT_OF_THIS_TARGET));
            }
        }
        if request.night && request.gun != Gun::Field {
            return Err(Refusal::rule(rule!(DZ_4_3_1_03), phrase::NIGHT_IS_FOR_FIELD_GUNS).at("night"));
        }
        let target = match request.target {
            Aim::Wall => Target::Wall(level),
            Aim::Work => Target::Work { damaged: request.damaged },
            Aim::Open => Target::Open { village: request.village, damaged_trench: false },
        };
        let shot = Shot {
            gun: request.gun,
            printed: request
                .factor
                .and_then(|factor| u8::try_from(factor.get()).ok())
                .unwrap_or_else(|| request.gun.printed()),
            bands: bands_of(request.distance_m),
            target,
            enfilade: request.enfilade,
            night: request.night,
        };
        resolve(&shot, options, clerk).map_err(|refusal| refusal.at("distance_m"))
    }
}

fn resolve(shot: &Shot, options: &Options, clerk: &mut impl Clerk) -> Verdict<SiegeFireAnswer> {
    let mut shot = *shot;
    if !shot.enfilade && shot.gun != Gun::Fortress {
        shot.printed = clerk.value(rule!(DZ_4_5_1_03), shot.printed);
    }
    let struck = fire(&shot, options, clerk)?;
    Ok(SiegeFireAnswer {
        factor: struck.factor,
        roll: struck.roll,
        result: struck.result,
        infantry_steps: struck.infantry,
        morale_test: struck.test,
        wall_levels: struck.wall_levels,
        work_steps: struck.work_steps,
    })
}

/// A shot in a saved game; exactly one target is named.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GunShot {
    /// The French siege battery or the Prussian battery that fires.
    gun: UnitId,
    /// A wall point.
    wall: Option<WallId>,
    /// A side of the Kalke-Schanze.
    kalke: Option<KalkeSide>,
    /// A field fortification, by its number.
    work: Option<WorkId>,
    /// Units in the open: metres to the right.
    x_m: Option<Metres>,
    /// Metres upwards.
    y_m: Option<Metres>,
}

impl GunShot {
    fn spot(&self) -> Verdict<Option<Spot>> {
        match (self.x_m, self.y_m) {
            (None, None) => Ok(None),
            (Some(x), Some(y)) => Ok(Some(Spot::new(decimetres(x, "x_m")?, decimetres(y, "y_m")?))),
            (Some(_), None) => Err(Refusal::field("y_m", phrase::ONE_TARGET)),
            (None, Some(_)) => Err(Refusal::field("x_m", phrase::ONE_TARGET)),
        }
    }
}

impl Inquiry for SiegeFire {
    const NAME: &'static str = <Self as Question>::NAME;
    const ROLLS: bool = <Self as Question>::ROLLS;
    type Position = State;
    type Request = GunShot;
    type Answer = SiegeFireAnswer;

    fn answer(state: &State, request: &GunShot, clerk: &mut impl Clerk) -> Verdict<SiegeFireAnswer> {
        let table = &state.table;
        let fortress = request.gun.data().arm == Arm::Fortress;
        let shot = match (request.wall, request.kalke, request.work, request.spot()?) {
            (Some(point), None, None, None) if fortress => {
                prussian_shot(table, request.gun, BatteryTarget::Wall(point), &mut Unheard)?.0
            }
            (Some(point), None, None, None) => {
                french_shot(table, request.gun, GunTarget::Wall(point), &mut Unheard)?
            }
            (None, Some(_), None, None) if fortress => {
                prussian_shot(table, request.gun, BatteryTarget::Kalke, &mut Unheard)?.0
            }
            (None, Some(side), None, None) => {
                french_shot(table, request.gun, GunTarget::Kalke(side), &mut Unheard)?
            }
            (None, None, Some(work), None) if fortress => {
                prussian_shot(table, request.gun, BatteryTarget::Work(work), &mut Unheard)?.0
            }
            (None, None, None, Some(spot)) if fortress => {
                prussian_shot(table, request.gun, BatteryTarget::Open(spot), &mut Unheard)?.0
            }
            (None, None, Some(_), None) => return Err(Refusal::field("work", phrase::NOT_OF_THIS_TARGET)),
            (None, None, None, Some(_)) => return Err(Refusal::field("x_m", phrase::NOT_OF_THIS_TARGET)),
            _ => return Err(Refusal::plain(phrase::ONE_TARGET)),
        };
        resolve(&shot, &table.options, clerk)
    }
}
