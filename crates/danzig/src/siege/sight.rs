//! Arc, range, sight and enfilade (chapters 4.4, 4.5.1 and 4.5.3): who may fire at what, from where to
//! where it is measured, and along which works a gun rakes.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::danzig::{Enfilade750mAppliesTo, EnfiladeInFireStepMaxM};
use rulebook::{phrase::danzig_siege as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::build::site;
use super::geometry::Spot;
use super::geometry::{DM, Facing, Fine, Rect, cross, in_arc, within};
use super::ground::GROUND;
use super::state::{KalkeSide, LONG_M, Pose, SHORT_M, SiegeMap, WallId, Work, WorkId, WorkKind};
use super::trench::Site;
use crate::ops::Unheard;
use crate::state::Table;
use crate::unit::{Place, Side, UnitId};

/// The reach of enfilade, in metres (DZ-4.5.3-03).
pub const ENFILADE_M: i64 = 750;

/// A gun in position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sited {
    /// Its centre.
    pub centre: Fine,
    /// Where it looks.
    pub facing: Facing,
    /// The wall point it stands on.
    pub on: Option<WallId>,
}

impl Sited {
    /// The middle of its front edge, from which range is measured.
    #[must_use]
    pub const fn muzzle(&self) -> Fine {
        let (depth, breadth) = (SHORT_M as i64 * DM, LONG_M as i64 * DM);
        Rect::new(self.centre, self.facing, depth, breadth).muzzle()
    }

    /// Where a gun counter stands on the siege map; `None` when it is not in a firing position.
    #[must_use]
    pub fn of(table: &Table, gun: UnitId) -> Option<Self> {
        let state = table.unit(gun);
        let facing = Facing::degrees(state.facing.into());
        match state.place {
            Place::Wall(point) => Some(Self { centre: GROUND.point(point).fine(), facing, on: Some(point) }),
            Place::Kalke => Some(Self { centre: GROUND.kalke_guns.fine(), facing, on: None }),
            Place::Work(id) => {
                let work = table.siege.work(id)?;
                (work.kind == WorkKind::Battery).then(|| Self {
                    centre: work.pose.at.fine(),
                    facing: work.pose.facing,
                    on: work.covers.iter().next(),
                })
            }
            Place::Open(spot) => Some(Self { centre: spot.fine(), facing, on: None }),
            _ => None,
        }
    }
}

/// What a French siege gun may fire at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GunTarget {
    /// A point of either wall.
    Wall(WallId),
    /// A side of the Kalke-Schanze.
    Kalke(KalkeSide),
}

impl GunTarget {
    /// The place that is aimed at.
    #[must_use]
    pub fn spot(self) -> Spot {
        match self {
            Self::Wall(point) => GROUND.point(point),
            Self::Kalke(side) => GROUND.kalke_side(side),
        }
    }
}

/// What a Prussian battery may fire at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BatteryTarget {
    /// A field fortification and those in it.
    Work(WorkId),
    /// Units in the open.
    Open(Spot),
    /// French units on a wall point without a work.
    Wall(WallId),
    /// The French in the Kalke-Schanze.
    Kalke,
}

/// Whether the second wall hides a target from a Prussian gun (DZ-4.4-02).
///
/// # Errors
/// The segment that hides it.
pub fn check_sight(gun: &Sited, target: Fine, target_on: impl Fn(WallId) -> bool) -> Verdict<()> {
    over_second_wall(gun, target, target_on, rule!(DZ_4_4_02))
}

/// Whether a French gun would fire over the second wall, even at another part of it (DZ-4.4-04).
///
/// # Errors
/// The segment in the way.
pub fn check_short_of_city(gun: &Sited, target: Fine, target_on: impl Fn(WallId) -> bool) -> Verdict<()> {
    over_second_wall(gun, target, target_on, rule!(DZ_4_4_04))
}

/// The second wall between a gun and its target, their own segments excepted (DZ-R15).
fn over_second_wall(
    gun: &Sited,
    target: Fine,
    target_on: impl Fn(WallId) -> bool,
    rule: kernel::RuleId,
) -> Verdict<()> {
    let between = GROUND.second_wall.iter().map(|piece| (piece.owner, piece)).find(|(owner, piece)| {
        Some(*owner) != gun.on && !target_on(*owner) && cross(gun.centre, target, piece.a, piece.b)
    });
    if rule.holds(between.is_none()) {
        return Ok(());
    }
    let refusal = Refusal::rule(rule, phrase::BEHIND_THE_WALL);
    Err(match between {
        Some((point, _)) => refusal.with("point", point),
        None => refusal,
    })
}

/// Whether a line from a gun crosses one short side of a counter and then the other, in their insides.
///
/// # Errors
/// When it sees the long side only.
pub fn check_raked(gun: Fine, rect: &Rect, clerk: &mut impl Clerk) -> Verdict<()> {
    // In the counter's own frame: `along` its long axis, `off` its long axis.
    let way = gun.minus(rect.centre);
    let (half_long, half_short) = (rect.aside, rect.ahead);
    let along = way.dot(half_long).abs();
    let off = way.dot(half_short).abs();
    // Beyond a short side, and |off| / half_short² · half_long² < |along|, both scaled by their halves.
    let beyond = along > half_long.dot(half_long);
    let (long, short) = (i128::from(half_long.dot(half_long)), i128::from(half_short.dot(half_short)));
    let inside = i128::from(off) * long < i128::from(along) * short;
    if clerk.holds(rule!(DZ_4_5_3_02), beyond && inside) {
        return Ok(());
    }
    Err(Refusal::rule(rule!(DZ_4_5_3_02), phrase::NOT_RAKED))
}

/// Whether a whole counter lies within 750 m of a gun.
///
/// # Errors
/// When a corner lies beyond.
pub fn check_raking_distance(gun: Fine, rect: &Rect, clerk: &mut impl Clerk) -> Verdict<()> {
    let near = rect.corners().iter().all(|corner| within(gun, *corner, ENFILADE_M * DM));
    if clerk.holds(rule!(DZ_4_5_3_03), near) {
        return Ok(());
    }
    let farthest = rect.corners().iter().map(|corner| gun.centimetres_to(*corner)).max().unwrap_or(0);
    let metres = kernel::Metres::hundredths(i32::try_from(farthest).unwrap_or(i32::MAX));
    Err(Refusal::rule(rule!(DZ_4_5_3_03), phrase::TOO_FAR_TO_RAKE).with("distance", metres))
}

/// Whether a Prussian gun enfilades a work: at the end of construction, or in the fire step.
///
/// # Errors
/// The condition that is not met.
pub fn check_enfilade(
    map: &SiegeMap,
    options: &crate::Options,
    gun: &Sited,
    id: WorkId,
    fire_step: bool,
    clerk: &mut impl Clerk,
) -> Verdict<()> {
    let Some(work) = map.work(id) else { return Err(no_such_work(id)) };
    if !rule!(DZ_4_5_3_05).holds(work.kind != WorkKind::Sap && !work.is_on_wall()) {
        return Err(Refusal::rule(rule!(DZ_4_5_3_05), phrase::NEVER_RAKED).with("work", id));
    }
    let rect = work.rect();
    // The cheap test first: most guns look at a long side.
    check_raked(gun.centre, &rect, clerk)?;
    in_arc(gun.centre, gun.facing, rect.centre)?;
    check_sight(gun, rect.centre, |_| false)?;
    if fire_step && options.enfilade_in_fire_step_max_m == EnfiladeInFireStepMaxM::Unlimited {
        return Ok(());
    }
    match options.enfilade_750m_applies_to {
        Enfilade750mAppliesTo::Counter => check_raking_distance(gun.centre, &rect, clerk),
        Enfilade750mAppliesTo::Network => {
            map.all_works().try_for_each(|(_, work)| check_raking_distance(gun.centre, &work.rect(), clerk))
        }
    }
}

/// The works that some undamaged Prussian battery rakes at the end of construction (DZ-4.5.3-01).
pub fn list_enfiladed(table: &Table, into: &mut Vec<WorkId>) {
    let guns: Vec<Sited> = raking_guns(table).filter_map(|gun| Sited::of(table, gun)).collect();
    let raked = |id: WorkId| {
        guns.iter()
            .any(|gun| check_enfilade(&table.siege, &table.options, gun, id, false, &mut Unheard).is_ok())
    };
    into.extend(table.siege.all_works().map(|(id, _)| id).filter(|id| raked(*id)));
}

/// The batteries that may rake at the end of construction: those of the Kalke-Schanze too (DZ-4.7.4-02).
fn raking_guns(table: &Table) -> impl Iterator<Item = UnitId> + '_ {
    prussian_guns(table)
        .filter(|gun| table.unit(*gun).place != Place::Kalke || rule!(DZ_4_7_4_02).holds(true))
}

/// The batteries that would rake a work at the end of construction as the table stands.
#[must_use]
pub fn rakers(table: &Table, id: WorkId) -> Vec<UnitId> {
    let rakes = |gun: &UnitId| {
        Sited::of(table, *gun).is_some_and(|sited| {
            check_enfilade(&table.siege, &table.options, &sited, id, false, &mut Unheard).is_ok()
        })
    };
    raking_guns(table).filter(rakes).collect()
}

/// The batteries that would rake a new work, if it may be dug there.
#[must_use]
pub fn would_be_raked(table: &Table, kind: WorkKind, pose: Pose) -> Vec<UnitId> {
    let judged = site(table, kind, pose, &mut Unheard);
    let Ok(Site { covers, at_zone, links }) = judged else { return Vec::new() };
    let mut table = table.clone();
    let work = Work { kind, pose, damaged: false, worker: None, covers, at_zone, links };
    table.siege.add_work(work).map(|id| rakers(&table, id)).unwrap_or_default()
}

/// A battery that rakes a work at the end of construction, one of the Kalke-Schanze if there is any.
pub(super) fn raking_gun(table: &Table, id: WorkId, clerk: &mut impl Clerk) -> Option<UnitId> {
    let in_kalke = |gun: &UnitId| table.unit(*gun).place == Place::Kalke;
    let check = |gun: UnitId, clerk: &mut Unheard| {
        let sited = Sited::of(table, gun)?;
        check_enfilade(&table.siege, &table.options, &sited, id, false, clerk).ok().map(|()| sited)
    };
    let raking = || raking_guns(table).filter(|gun| check(*gun, &mut Unheard).is_some());
    let gun = raking().find(in_kalke).or_else(|| raking().next())?;
    check_enfilade(&table.siege, &table.options, &Sited::of(table, gun)?, id, false, clerk).ok()?;
    if in_kalke(&gun) {
        clerk.applied(rule!(DZ_4_7_4_02));
    }
    Some(gun)
}

/// The undamaged Prussian batteries on the siege map.
pub fn prussian_guns(table: &Table) -> impl Iterator<Item = UnitId> + '_ {
    UnitId::of_side(Side::Prussian).filter(|unit| {
        unit.data().arm == crate::Arm::Fortress
            && !table.marked(*unit, crate::Marks::DAMAGED)
            && matches!(table.unit(*unit).place, Place::Wall(_) | Place::Kalke)
    })
}

/// The refusal of a work that is not on the map.
#[must_use]
pub fn no_such_work(id: WorkId) -> Refusal {
    Refusal::plain(phrase::NO_SUCH_WORK).with("work", id)
}

/// The side of the Kalke-Schanze nearest to a gun (DZ-R100).
#[must_use]
pub fn nearest_side(gun: Fine) -> KalkeSide {
    KalkeSide::ALL
        .into_iter()
        .min_by_key(|side| gun.squared_to(GROUND.kalke_side(*side).fine()))
        .unwrap_or(KalkeSide::K3)
}

/// Whether a place lies in the box from which the Kalke-Schanze is stormed.
#[must_use]
pub fn in_kalke_box(place: Fine) -> bool {
    super::geometry::inside(place, &GROUND.kalke_box)
}

/// The length of a fine way in whole metres, rounded up, for messages.
#[must_use]
pub fn metres_between(a: Fine, b: Fine) -> kernel::Metres {
    kernel::Metres::hundredths(i32::try_from(a.centimetres_to(b)).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use kernel::scripted;
    use proptest::prelude::*;

    use super::super::geometry::FINE;
    use super::*;
    use crate::siege::state::Pose;

    /// Millimetres of the map, offset so that they are positive.
    #[allow(clippy::cast_possible_truncation, reason = "a few hundred millimetres")]
    fn mm(x: f64, y: f64) -> Fine {
        Fine { x: ((x + 300.0) * 40.0) as i64 * FINE, y: ((y + 300.0) * 40.0) as i64 * FINE }
    }

    #[test]
    fn dz_ex_31_which_guns_rake_a_trench() {
        let rect = Rect::new(mm(12.5, 0.0), Facing::CITY, 500, 1000);
        assert_eq!(rect.corners().map(|c| c.x).iter().min(), Some(&mm(0.0, 0.0).x));
        let raked = |x, y| check_raked(mm(x, y), &rect, &mut Unheard).is_ok();
        let near = |x, y| check_raking_distance(mm(x, y), &rect, &mut Unheard).is_ok();
        assert!(raked(-100.0, 0.0) && near(-100.0, 0.0));
        assert!(raked(-100.0, 50.0) && near(-100.0, 50.0));
        assert!(!raked(-100.0, 60.0));
        assert!(raked(-180.0, 0.0) && !near(-180.0, 0.0));
        assert!(!raked(12.5, 100.0));
        assert!(raked(-100.0, 56.225) && !raked(-100.0, 56.25));
        let farthest = |x, y| rect.corners().iter().map(|c| mm(x, y).centimetres_to(*c)).max().unwrap();
        assert_eq!(farthest(-180.0, 0.0), 82_038);
        assert_eq!(farthest(-180.0, 0.0) / 100, 820);
        assert!(farthest(-180.0, 0.0) > 750 * 100);
        assert_eq!(farthest(-100.0, 0.0) / 100, 500);
        assert_eq!(farthest(-100.0, 50.0) / 100, 548);
    }

    /// The wall points of both walls that see a French lodgement on a point.
    fn seeing(target: &str, second: bool) -> Vec<&'static str> {
        let target = WallId::of_code(target).unwrap();
        WallId::all()
            .filter(|id| *id != target && id.is_second() == second)
            .filter(|id| {
                let centre = GROUND.point(*id).fine();
                let gun = Sited { centre, facing: Facing::CITY, on: Some(*id) };
                check_sight(&gun, GROUND.point(target).fine(), |on| on == target).is_ok()
            })
            .map(WallId::code)
            .collect()
    }

    #[test]
    fn the_second_wall_hides_lodgements_as_the_plan_says() {
        assert_eq!(seeing("h5", true), ["h3", "h4", "h6", "h7", "b7"]);
        assert_eq!(seeing("h5", false).len(), 18);
        let hidden: Vec<&str> = WallId::second_wall()
            .map(WallId::code)
            .filter(|code| !seeing("H5", true).contains(code))
            .collect();
        assert_eq!(hidden, ["h1", "b4", "b6", "b8", "b9"]);
        assert_eq!(seeing("H5", false).len(), 17);
    }

    #[test]
    fn ranges_of_the_natural_network() {
        let battery = |x, y| Sited { centre: Spot::metres(x, y).fine(), facing: Facing::CITY, on: None };
        let range = |gun: Sited, point: &str| {
            let target = GROUND.point(WallId::of_code(point).unwrap()).fine();
            gun.muzzle().centimetres_to(target) / 100
        };
        assert_eq!(range(battery(850, 1125), "H5"), 140);
        assert_eq!(range(battery(850, 1125), "H3"), 246);
        assert_eq!(range(battery(850, 1125), "H7"), 246);
        assert_eq!(range(battery(850, 1125), "h5"), 260);
        assert_eq!(range(battery(850, 1290), "h5"), 95);
    }

    #[test]
    fn enfilade_of_the_natural_network() {
        let kalke = GROUND.kalke_guns.fine();
        let raked_by_kalke = |x, y| {
            let rect = Pose::new(Spot::metres(x, y), Facing::CITY).rect(WorkKind::Parallel);
            check_raked(kalke, &rect, &mut Unheard).is_ok()
                && check_raking_distance(kalke, &rect, &mut Unheard).is_ok()
        };
        let first: Vec<i32> =
            [650, 750, 850, 950, 1050].into_iter().filter(|x| raked_by_kalke(*x, 725)).collect();
        assert_eq!(first, [750]);
        let second: Vec<i32> =
            [700, 800, 900, 1000].into_iter().filter(|x| raked_by_kalke(*x, 975)).collect();
        assert_eq!(second, [700, 800]);
        let third: Vec<i32> = [650, 750, 850, 950].into_iter().filter(|x| raked_by_kalke(*x, 1125)).collect();
        assert_eq!(third, [650, 750, 850]);
        let walls = |x, y| -> Vec<&'static str> {
            let rect = Pose::new(Spot::metres(x, y), Facing::CITY).rect(WorkKind::Parallel);
            WallId::all()
                .filter(|id| {
                    let centre = GROUND.point(*id).fine();
                    let gun = Sited { centre, facing: Facing::CITY, on: Some(*id) };
                    check_raked(centre, &rect, &mut Unheard).is_ok()
                        && check_raking_distance(centre, &rect, &mut Unheard).is_ok()
                        && check_sight(&gun, rect.centre, |_| false).is_ok()
                })
                .map(WallId::code)
                .collect()
        };
        assert_eq!(walls(650, 1125), ["H7", "H8", "H9"]);
        assert_eq!(walls(850, 1125), ["B2"]);
        assert_eq!(walls(950, 1125), ["B2", "B3"]);
        assert!([650, 750, 850, 950, 1050].iter().all(|x| walls(*x, 725).is_empty()));
    }

    #[test]
    fn the_arc_is_exact_at_its_edges() {
        let gun = Spot::metres(1000, 1000).fine();
        let see = |x, y| in_arc(gun, Facing::CITY, Spot::metres(x, y).fine());
        assert!(see(1000, 1500).is_ok() && see(1500, 1500).is_ok() && see(500, 1500).is_ok());
        let refusal = see(1501, 1500).unwrap_err();
        assert_eq!(refusal.rule, Some(rule!(DZ_4_5_1_02)));
        assert_eq!(see(1000, 999).unwrap_err().rule, Some(rule!(DZ_4_5_1_02)));
    }

    proptest! {
        /// Enfilade and arc do not change when everything is turned by a right angle.
        #[test]
        fn a_quarter_turn_changes_nothing(
            x in -900_i32..900, y in -900_i32..900, degrees in 0_i32..360, aim in 0_i32..360,
        ) {
            let turn = |x: i32, y: i32| Spot::metres(1400 - y, 1400 + x).fine();
            let straight = |x: i32, y: i32| Spot::metres(1400 + x, 1400 + y).fine();
            let (facing, aim) = (Facing::degrees(degrees), Facing::degrees(aim));
            let rect = Rect::new(straight(0, 0), facing, 500, 1000);
            let turned = Rect::new(turn(0, 0), facing.turned(90), 500, 1000);
            prop_assert_eq!(check_raked(straight(x, y), &rect, &mut Unheard).is_ok(), check_raked(turn(x, y), &turned, &mut Unheard).is_ok());
            prop_assert_eq!(
                in_arc(straight(x, y), aim, straight(0, 0)).is_ok(),
                in_arc(turn(x, y), aim.turned(90), turn(0, 0)).is_ok()
            );
        }

        /// Four arcs of 90 degrees see everything, and overlap only on their edges.
        #[test]
        fn four_arcs_cover_the_plane(x in -900_i32..900, y in -900_i32..900) {
            let gun = Spot::metres(1000, 1000).fine();
            let target = Spot::metres(1000 + x, 1000 + y).fine();
            let seen = [0, 90, 180, 270].map(|degrees| in_arc(gun, Facing::degrees(degrees), target).is_ok());
            let count = seen.iter().filter(|seen| **seen).count();
            prop_assert!(count >= 1 && (count == 1 || x.abs() == y.abs()));
        }

        /// Counters touch or overlap each other mutually, and a counter holds its own corners.
        #[test]
        fn touching_is_mutual(
            x in -150_i32..150, y in -150_i32..150, a in 0_i32..360, b in 0_i32..360,
        ) {
            let one = Rect::new(Spot::metres(1400, 1000).fine(), Facing::degrees(a), 1000, 500);
            let two = Rect::new(Spot::metres(1400 + x, 1000 + y).fine(), Facing::degrees(b), 500, 1000);
            prop_assert_eq!(one.touches(&two), two.touches(&one));
            prop_assert_eq!(one.overlaps(&two), two.overlaps(&one));
            prop_assert!(!one.overlaps(&two) || one.touches(&two));
            prop_assert!(one.corners().iter().all(|corner| one.holds(*corner, 0)));
        }
    }

    #[test]
    fn refusals_speak() {
        let (refusal, _) = scripted(&[], |_| {
            check_raked(mm(12.5, 100.0), &Rect::new(mm(12.5, 0.0), Facing::CITY, 500, 1000), &mut Unheard)
        })
        .unwrap();
        assert_eq!(refusal.unwrap_err().rule, Some(rule!(DZ_4_5_3_02)));
    }
}
