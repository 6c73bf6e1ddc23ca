//! What the requests of the siege map share: places, works and troops as plain facts.

use kernel::{Clerk, Effect, Metres, Refusal, Verdict, Whole};
use rulebook::phrase::danzig_siege as phrase;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::siege::{
    Facing, GROUND, KalkeSide, LONG_M, Pose, SiegeMap, Sited, Spot, WallId, WallSet, Work, WorkKind, WorkSet,
};
use crate::{Arm, Danzig, Options, Owed, Place, Side, Table, UNITS, UnitId, UnitState};

/// A place: a named point of the map, or metres right and up.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Position {
    /// A wall point (`H5`, `b3`), a green point (`Hg5`), a side of Kalke (`K1`) or its guns (`kalke`).
    pub(super) point: Option<String>,
    /// Metres to the right.
    pub(super) x_m: Option<Metres>,
    /// Metres upwards.
    pub(super) y_m: Option<Metres>,
}

impl Position {
    /// The place, and the wall point it is.
    pub(super) fn find(&self, field: &str) -> Verdict<(Spot, Option<WallId>)> {
        match (&self.point, self.x_m, self.y_m) {
            (Some(name), None, None) => {
                if let Some(point) = WallId::of_code(name) {
                    return Ok((GROUND.point(point), Some(point)));
                }
                let green = WallId::second_wall()
                    .find(|point| green_name(*point) == *name)
                    .map(|point| GROUND.green(point));
                let kalke = match name.as_str() {
                    "K1" => Some(GROUND.kalke_side(KalkeSide::K1)),
                    "K2" => Some(GROUND.kalke_side(KalkeSide::K2)),
                    "K3" => Some(GROUND.kalke_side(KalkeSide::K3)),
                    "kalke" => Some(GROUND.kalke_guns),
                    _ => None,
                };
                let spot = green.or(kalke);
                spot.map(|spot| (spot, None))
                    .ok_or_else(|| Refusal::field(format!("{field}.point"), phrase::NO_SUCH_POINT))
            }
            (None, Some(x), Some(y)) => {
                let spot = Spot::new(
                    decimetres(x, &format!("{field}.x_m"))?,
                    decimetres(y, &format!("{field}.y_m"))?,
                );
                Ok((spot, WallId::all().find(|point| GROUND.point(*point) == spot)))
            }
            _ => Err(Refusal::field(field, phrase::POINT_OR_METRES)),
        }
    }
}

pub(super) fn green_name(point: WallId) -> String {
    let (half, number) = point.code().split_at(1);
    format!("{}g{number}", half.to_uppercase())
}

pub(super) fn decimetres(length: Metres, field: &str) -> Verdict<i16> {
    let hundredths = length.count();
    match i16::try_from(hundredths / 10) {
        Ok(dm) if (0..=28_000).contains(&dm) && hundredths % 10 == 0 => Ok(dm),
        _ => Err(Refusal::field(field, phrase::NOT_ON_THE_PLANE)),
    }
}

pub(super) fn facing(degrees: Whole<0, 359>) -> Facing {
    Facing::degrees(degrees.get())
}

/// Answers yes, or no with the rule as the reason.
pub(super) fn judged(verdict: Verdict<()>, clerk: &mut impl Clerk) -> bool {
    match verdict {
        Ok(()) => true,
        Err(refusal) => {
            if let Some(rule) = refusal.rule {
                clerk.because(rule, Effect::Refused);
            }
            false
        }
    }
}

/// A work on the map.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WorkFacts {
    /// What it is.
    pub(super) kind: WorkKind,
    /// Metres to the right, of its centre.
    pub(super) x_m: Metres,
    /// Metres upwards, of its centre.
    pub(super) y_m: Metres,
    /// Where its front looks: along a sap, across a parallel or battery.
    pub(super) facing: Whole<0, 359>,
    /// Its length, 100 unless a sap was shortened.
    pub(super) length_m: Option<Whole<10, 100>>,
    /// It has lost its first step.
    #[serde(default)]
    pub(super) damaged: bool,
}

impl WorkFacts {
    pub(super) fn pose(&self, field: &str) -> Verdict<Pose> {
        let at = Spot::new(
            decimetres(self.x_m, &format!("{field}.x_m"))?,
            decimetres(self.y_m, &format!("{field}.y_m"))?,
        );
        let length = self.length_m.map_or(LONG_M, |length| u8::try_from(length.get()).unwrap_or(LONG_M));
        Ok(Pose { at, facing: facing(self.facing), length })
    }
}

/// Lays works as facts, in order, whatever the rules of building say.
pub(super) fn lay_all(works: &[WorkFacts]) -> Verdict<SiegeMap> {
    let mut map = SiegeMap::default();
    for (at, facts) in works.iter().enumerate() {
        let pose = facts.pose(&format!("works.{at}"))?;
        let rect = pose.rect(facts.kind);
        let links: WorkSet =
            map.all_works().filter(|(_, other)| other.rect().touches(&rect)).map(|(id, _)| id).collect();
        let covers = WallId::all()
            .filter(|point| rect.holds(GROUND.point(*point).fine(), 0))
            .fold(WallSet::default(), WallSet::with);
        let site = crate::siege::leaves_zone(facts.kind, &rect);
        let work = Work {
            kind: facts.kind,
            pose,
            damaged: facts.damaged,
            worker: None,
            covers,
            at_zone: site,
            links,
        };
        if map.add_work(work).is_none() {
            return Err(Refusal::field("works", phrase::TOO_MANY_WORKS));
        }
    }
    Ok(map)
}

/// A battalion.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Battalion {
    /// Its steps.
    pub(super) steps: Whole<1, 2>,
    /// Its morale: 3, 4 or 5 (4 unless told).
    pub(super) morale: Option<Whole<3, 5>>,
}

/// An empty table.
pub(super) fn bare(options: &Options) -> Table {
    Table {
        options: *options,
        turn: 5,
        units: [UnitState::default(); UNITS],
        ops: crate::ops::OpsMap::default(),
        siege: SiegeMap::default(),
        danzig: Danzig::default(),
        owed: Vec::new(),
    }
}

/// Puts battalions of a side in a place: counters of the roster with the morale asked for.
pub(super) fn muster(
    table: &mut Table,
    side: Side,
    place: Place,
    battalions: &[Battalion],
    field: &str,
) -> Verdict<Vec<UnitId>> {
    let mut called = Vec::new();
    for (at, battalion) in battalions.iter().enumerate() {
        let morale = battalion.morale.map_or(4, Whole::get);
        let unit = UnitId::of_side(side).find(|unit| {
            let data = unit.data();
            data.arm == Arm::Infantry
                && data.level == crate::Level::Battalion
                && i32::from(data.morale) == morale
                && data.steps == 2
                && table.unit(*unit).place == Place::Away
        });
        let Some(unit) = unit else {
            return Err(Refusal::field(format!("{field}.{at}.morale"), phrase::NO_SUCH_BATTALION));
        };
        let state = table.unit_mut(unit);
        state.steps = u8::try_from(battalion.steps.get()).unwrap_or(2);
        state.most = 2;
        state.place = place;
        called.push(unit);
    }
    Ok(called)
}

/// Losses that the owner may share out are taken as a melee takes them: from the lowest morale.
pub(super) fn share_out(table: &mut Table, clerk: &mut impl Clerk) {
    while let Some(owed) = table.owed.pop() {
        if let Owed::Losses { among, steps, .. } = owed {
            for _ in 0..steps {
                let worst = crate::ops::exposed(table, among)
                    .iter()
                    .min_by_key(|unit| (unit.data().morale, table.unit(*unit).steps));
                if let Some(unit) = worst {
                    crate::siege::lose_step(table, unit, clerk);
                }
            }
        }
    }
}

pub(super) fn steps_left(table: &Table, units: &[UnitId]) -> u8 {
    units.iter().map(|unit| table.unit(*unit).steps).sum()
}

/// Where a gun of a saved game stands and looks.
pub(super) fn sited(table: &Table, gun: UnitId) -> Verdict<Sited> {
    Sited::of(table, gun)
        .filter(|_| gun.data().arm.is_artillery())
        .ok_or_else(|| Refusal::field("gun", phrase::NOT_EMPLACED).with("unit", gun.data().label))
}
