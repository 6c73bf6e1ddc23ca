//! French movement on the siege map (chapters 2.4.3, 4.1.1 and 4.8): along the network, through damaged
//! trench, over open ground, to and from the Kalke-Schanze. The fire it draws is in
//! [`exposure`](super::exposure).

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::danzig::ReinforceBareWallPoint;
use rulebook::{phrase::danzig_siege as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::common::{STACK, check_room, has_french, is_french, steps_on};
use super::exposure::{Errand, Exposure};
use super::garrison::KALKE_STEPS;
use super::geometry::Spot;
use super::ground::GROUND;
pub(crate) use super::route::in_village;
use super::route::{Danger, check_line, dangers, dangers_through, zone_exit};
use super::state::{WallId, WorkId, WorkSet};
use crate::ops::Unheard;
use crate::state::Table;
use crate::unit::{Arm, Corps, Marks, Place, Side, UnitId};

/// Movement points of infantry in the open, 250 m each (DZ-4.8-10).
pub(crate) const OPEN_POINTS: u8 = 6;

/// Where a move in the open ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OpenEnd {
    /// In a work.
    Work(WorkId),
    /// On open ground.
    Spot(Spot),
    /// On a French-held wall point without a work.
    Wall(WallId),
    /// In the concentration area.
    Concentration,
}

/// A move of the French siege step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SiegeMove {
    /// Along intact works, any distance, without fire.
    Network {
        /// Who.
        unit: UnitId,
        /// Into this work.
        to: WorkId,
    },
    /// Along intact works back to the concentration area.
    Back {
        /// Who.
        unit: UnitId,
    },
    /// Along the works, damaged ones included: under fire there.
    Through {
        /// Who.
        unit: UnitId,
        /// Into this work.
        to: WorkId,
    },
    /// Over open ground, in one group of at most two steps or one field battery.
    Open {
        /// Who.
        unit: UnitId,
        /// Who goes with him: a second one-step unit of the same place.
        with: Option<UnitId>,
        /// The work of his intact trench from which he leaves it, if not his own.
        exit: Option<WorkId>,
        /// A bend on the way.
        via: Option<Spot>,
        /// Where it ends.
        to: OpenEnd,
        /// Where a field battery that stops in the open looks, in degrees.
        facing: u16,
    },
    /// From the concentration area into the Kalke box.
    Box {
        /// Who.
        unit: UnitId,
    },
    /// From the concentration area through the box into a French Kalke-Schanze.
    IntoKalke {
        /// Who.
        unit: UnitId,
    },
    /// From a French Kalke-Schanze back to the concentration area.
    OutOfKalke {
        /// Who.
        unit: UnitId,
    },
}

impl SiegeMove {
    /// The units that move.
    fn units(&self) -> [Option<UnitId>; 2] {
        match *self {
            Self::Open { unit, with, .. } => [Some(unit), with],
            Self::Network { unit, .. }
            | Self::Back { unit }
            | Self::Through { unit, .. }
            | Self::Box { unit }
            | Self::IntoKalke { unit }
            | Self::OutOfKalke { unit } => [Some(unit), None],
        }
    }
}

/// The works a unit can reach along intact trench, and whether the concentration area too.
fn reach(table: &Table, place: Place) -> (WorkSet, bool) {
    match place {
        Place::Concentration => (table.siege.network, true),
        Place::Work(id) if table.siege.network.contains(id) => (table.siege.network, true),
        Place::Work(id) => (table.siege.reach(id), false),
        _ => (WorkSet::default(), false),
    }
}

/// Whether a unit may move at all in this step.
fn check_mover(table: &Table, unit: UnitId) -> Verdict<()> {
    let refuse = |rule, reason| Err(Refusal::rule(rule, reason).with("unit", unit.data().label));
    let state = table.unit(unit);
    if !rule!(DZ_4_1_1_09).holds(unit.side() == Side::French && state.place.is_siege()) {
        return refuse(rule!(DZ_4_1_1_09), phrase::NOT_ON_THE_MAP);
    }
    if !rule!(DZ_R30).holds(!state.is_disordered()) {
        return refuse(rule!(DZ_R30), phrase::DISORDERED);
    }
    if !rule!(DZ_4_8_05).holds(!table.marked(unit, Marks::WORKER)) {
        return refuse(rule!(DZ_4_8_05), phrase::IS_A_WORKER);
    }
    if !rule!(DZ_4_1_1_09).holds(!table.marked(unit, Marks::MOVED)) {
        return refuse(rule!(DZ_4_1_1_09), phrase::HAS_MOVED);
    }
    if !rule!(DZ_R73).holds(unit.data().corps != Corps::Lannes) {
        return refuse(rule!(DZ_R73), phrase::NOT_ON_THE_MAP);
    }
    Ok(())
}

/// Whether a move is legal.
///
/// # Errors
/// The rule that forbids it.
pub fn check_move(table: &Table, siege_move: &SiegeMove) -> Verdict<()> {
    plan(table, siege_move, &mut Unheard).map(drop)
}

/// Checks a move and finds the shots it draws.
fn plan(table: &Table, siege_move: &SiegeMove, clerk: &mut impl Clerk) -> Verdict<Vec<Danger>> {
    for unit in siege_move.units().into_iter().flatten() {
        check_mover(table, unit)?;
    }
    let no_way = |unit: UnitId| {
        Refusal::rule(rule!(DZ_4_1_1_08), phrase::NO_INTACT_WAY).with("unit", unit.data().label)
    };
    match *siege_move {
        SiegeMove::Network { unit, to } => {
            let (works, _) = reach(table, table.unit(unit).place);
            if table.siege.work(to).is_none() {
                return Err(super::sight::no_such_work(to));
            }
            let led_to = works.contains(to) && table.unit(unit).place != Place::Work(to);
            if !(rule!(DZ_4_1_1_08).holds(led_to) && clerk.holds(rule!(DZ_4_8_08), led_to)) {
                return Err(no_way(unit));
            }
            check_room(table, unit, to)?;
            // Out of everybody's sight.
            if clerk.holds(rule!(DZ_4_1_1_02), true) {
                return Ok(Vec::new());
            }
            let at = table.siege.work(to).map(|work| work.pose.at).unwrap_or_default();
            Ok(dangers(&table.siege, &[at, zone_exit(at)]))
        }
        SiegeMove::Back { unit } => {
            let place = table.unit(unit).place;
            let led_home = place != Place::Concentration && reach(table, place).1;
            if !clerk.holds(rule!(DZ_4_1_1_08), led_home) {
                return Err(no_way(unit));
            }
            Ok(Vec::new())
        }
        SiegeMove::Through { unit, to } => through(table, unit, to, clerk),
        SiegeMove::Open { .. } => open(table, siege_move, clerk),
        SiegeMove::Box { unit } => {
            check_to_kalke(table, unit)?;
            if !rule!(DZ_4_7_4_09).holds(table.siege.kalke.holder != Side::French) {
                return Err(Refusal::rule(rule!(DZ_4_7_4_09), phrase::OWN_KALKE));
            }
            if !clerk.holds(rule!(DZ_4_7_4_05), table.at(Side::French, Place::KalkeBox).count() < 2) {
                return Err(Refusal::rule(rule!(DZ_4_7_4_05), phrase::BOX_FULL));
            }
            Ok(Vec::new())
        }
        SiegeMove::IntoKalke { unit } => {
            check_to_kalke(table, unit)?;
            if !clerk.holds(rule!(DZ_4_7_4_09), table.siege.kalke.holder == Side::French) {
                return Err(Refusal::rule(rule!(DZ_4_7_4_09), phrase::NOT_OWN_KALKE));
            }
            let there = steps_on(table, Side::French, Place::Kalke);
            if !rule!(DZ_4_7_4_01).holds(there + table.unit(unit).steps <= KALKE_STEPS) {
                return Err(Refusal::rule(rule!(DZ_4_7_4_01), phrase::NO_ROOM).with("steps", there));
            }
            Ok(Vec::new())
        }
        SiegeMove::OutOfKalke { unit } => {
            if !rule!(DZ_R60).holds(table.unit(unit).place == Place::Kalke) {
                return Err(
                    Refusal::rule(rule!(DZ_R60), phrase::NOT_IN_KALKE).with("unit", unit.data().label)
                );
            }
            Ok(Vec::new())
        }
    }
}

fn check_to_kalke(table: &Table, unit: UnitId) -> Verdict<()> {
    let ready = unit.data().arm == Arm::Infantry && table.unit(unit).place == Place::Concentration;
    if !rule!(DZ_4_7_4_05).holds(ready) {
        return Err(
            Refusal::rule(rule!(DZ_4_7_4_05), phrase::KALKE_FROM_THE_ZONE).with("unit", unit.data().label)
        );
    }
    Ok(())
}

/// A way along the works with damaged ones in it.
fn through(table: &Table, unit: UnitId, to: WorkId, clerk: &mut impl Clerk) -> Verdict<Vec<Danger>> {
    let refuse = |rule, reason| Err(Refusal::rule(rule, reason).with("unit", unit.data().label));
    if !rule!(DZ_4_8_11).holds(!unit.data().arm.is_siege_train()) {
        return refuse(rule!(DZ_4_8_11), phrase::SIEGE_TRAIN_IN_THE_OPEN);
    }
    let from = match table.unit(unit).place {
        Place::Concentration => None,
        Place::Work(id) => Some(id),
        _ => return refuse(rule!(DZ_4_1_1_08), phrase::NO_INTACT_WAY),
    };
    if from == Some(to) {
        return refuse(rule!(DZ_4_1_1_08), phrase::NO_INTACT_WAY);
    }
    let Some(way) = table.siege.way(from, to) else {
        return refuse(rule!(DZ_4_1_1_08), phrase::NO_INTACT_WAY);
    };
    check_room(table, unit, to)?;
    let fired_at = clerk.holds(rule!(DZ_4_7_2_18), true);
    let shots = if fired_at { dangers_through(&table.siege, &way, None) } else { Vec::new() };
    check_points(unit, shots.len(), &mut Unheard)?;
    Ok(shots)
}

fn check_points(unit: UnitId, needed: usize, clerk: &mut impl Clerk) -> Verdict<()> {
    let most = if unit.data().arm == Arm::Infantry { OPEN_POINTS } else { unit.data().mp };
    if !clerk.holds(rule!(DZ_4_8_10), needed <= usize::from(most)) {
        return Err(Refusal::rule(rule!(DZ_4_8_10), phrase::TOO_FAR).with("unit", unit.data().label));
    }
    Ok(())
}

/// The centre of the place a unit stands on.
pub(super) fn spot_of(table: &Table, place: Place) -> Option<Spot> {
    match place {
        Place::Work(id) => table.siege.work(id).map(|work| work.pose.at),
        Place::Open(spot) => Some(spot),
        Place::Wall(point) => Some(GROUND.point(point)),
        _ => None,
    }
}

/// A way over open ground.
fn open(table: &Table, siege_move: &SiegeMove, clerk: &mut impl Clerk) -> Verdict<Vec<Danger>> {
    let SiegeMove::Open { unit, with, exit, via, to, facing } = *siege_move else { return Ok(Vec::new()) };
    let refuse = |rule, reason| Err(Refusal::rule(rule, reason).with("unit", unit.data().label));
    let place = table.unit(unit).place;
    if !rule!(DZ_4_8_11).holds(!unit.data().arm.is_siege_train()) {
        return refuse(rule!(DZ_4_8_11), phrase::SIEGE_TRAIN_IN_THE_OPEN);
    }
    if facing >= 360 {
        return Err(Refusal::field("facing", phrase::BAD_FACING));
    }
    if let Place::Wall(point) = place
        && table.options.reinforce_bare_wall_point == ReinforceBareWallPoint::False
    {
        return Err(Refusal::rule(rule!(DZ_R102), phrase::BARE_POINT_KEPT).with("point", point));
    }
    if let Some(other) = with {
        let both = table.unit(unit).steps + table.unit(other).steps;
        let foot = unit.data().arm == Arm::Infantry && other.data().arm == Arm::Infantry;
        if other == unit || !foot || both > STACK || table.unit(other).place != place {
            return refuse(rule!(DZ_R17), phrase::NO_GROUP);
        }
    }
    let start_place = match exit {
        Some(work) if reach(table, place).0.contains(work) => Place::Work(work),
        Some(_) => return refuse(rule!(DZ_4_1_1_08), phrase::NO_INTACT_WAY),
        None => place,
    };
    let end = end_of(table, unit, with, to)?;
    let first = via.or(end);
    let start = match (start_place, first) {
        (Place::Concentration, Some(next)) => zone_exit(next),
        (start_place, _) => match spot_of(table, start_place) {
            Some(spot) => spot,
            None => return refuse(rule!(DZ_4_1_1_09), phrase::NOT_ON_THE_MAP),
        },
    };
    let end = end.unwrap_or_else(|| zone_exit(via.unwrap_or(start)));
    let (from_wall, to_wall) =
        (super::common::wall_under(table, start_place), super::common::wall_under(table, place_of(to)));
    let mut path = vec![start];
    path.extend(via);
    path.push(end);
    for leg in path.windows(2) {
        let [a, b] = [leg[0].fine(), leg[1].fine()];
        if !rule!(DZ_4_1_1_09).holds(GROUND.on_map(b)) {
            return refuse(rule!(DZ_4_1_1_09), phrase::OFF_MAP);
        }
        if !rule!(DZ_4_1_1_10).holds(!(via == Some(leg[1]) && GROUND.in_city(b))) {
            return refuse(rule!(DZ_4_1_1_10), phrase::IN_THE_CITY);
        }
        check_line(table, a, b, from_wall, to_wall)?;
    }
    let shots = dangers(&table.siege, &path);
    check_points(unit, shots.len(), clerk)?;
    Ok(if clerk.holds(rule!(DZ_4_8_12), true) { shots } else { Vec::new() })
}

pub(super) fn place_of(to: OpenEnd) -> Place {
    match to {
        OpenEnd::Work(id) => Place::Work(id),
        OpenEnd::Spot(spot) => Place::Open(spot),
        OpenEnd::Wall(point) => Place::Wall(point),
        OpenEnd::Concentration => Place::Concentration,
    }
}

/// The spot where a move in the open ends, if the unit may end there; `None` is the concentration area.
fn end_of(table: &Table, unit: UnitId, with: Option<UnitId>, to: OpenEnd) -> Verdict<Option<Spot>> {
    let steps: u8 = [Some(unit), with].iter().flatten().map(|unit| table.unit(*unit).steps).sum();
    match to {
        OpenEnd::Concentration => Ok(None),
        OpenEnd::Work(id) => {
            check_room(table, unit, id)?;
            if let Some(other) = with
                && steps_on(table, Side::French, Place::Work(id)) + steps > STACK
            {
                check_room(table, other, id)?;
                return Err(Refusal::rule(rule!(DZ_4_2_05), phrase::NO_ROOM)
                    .with("steps", steps_on(table, Side::French, Place::Work(id))));
            }
            Ok(table.siege.work(id).map(|work| work.pose.at))
        }
        OpenEnd::Wall(point) => {
            if unit.data().arm != Arm::Infantry
                || !is_french(table, point)
                || table.siege.work_on(point).is_some()
            {
                return Err(Refusal::rule(rule!(DZ_R102), phrase::ONLY_BY_ASSAULT).with("point", point));
            }
            if table.options.reinforce_bare_wall_point == ReinforceBareWallPoint::False {
                return Err(Refusal::rule(rule!(DZ_R102), phrase::ONLY_BY_ASSAULT).with("point", point));
            }
            let there = steps_on(table, Side::French, Place::Wall(point));
            if !rule!(DZ_4_2_06).holds(there + steps <= STACK) {
                return Err(Refusal::rule(rule!(DZ_4_2_06), phrase::NO_ROOM).with("steps", there));
            }
            Ok(Some(GROUND.point(point)))
        }
        OpenEnd::Spot(spot) => {
            let place = spot.fine();
            if !rule!(DZ_4_1_1_09).holds(GROUND.on_map(place) && !GROUND.in_zone(place)) {
                return Err(Refusal::rule(rule!(DZ_4_1_1_09), phrase::OFF_MAP));
            }
            if !rule!(DZ_4_1_1_10).holds(!GROUND.in_city(place)) {
                return Err(Refusal::rule(rule!(DZ_4_1_1_10), phrase::IN_THE_CITY));
            }
            let taken = UnitId::of_side(Side::French)
                .filter(|other| *other != unit && Some(*other) != with)
                .any(|other| {
                    matches!(table.unit(other).place, Place::Open(there)
                    if (i32::from(there.x) - i32::from(spot.x)).abs() < 500
                        && (i32::from(there.y) - i32::from(spot.y)).abs() < 500)
                });
            let on_work = table.siege.all_works().any(|(_, work)| work.rect().holds(place, 0));
            if taken || on_work {
                return Err(Refusal::rule(rule!(DZ_R104), phrase::SPOT_TAKEN));
            }
            Ok(Some(spot))
        }
    }
}

/// Lists the moves: every move in the network, and sensible ones elsewhere.
pub fn list_moves(table: &Table, mut each: impl FnMut(SiegeMove)) {
    // Room in each work, once for all.
    let mut steps = [0_u8; super::state::MOST_WORKS];
    let mut gun = WorkSet::default();
    for unit in UnitId::of_side(Side::French) {
        if let Place::Work(id) = table.unit(unit).place {
            if unit.data().arm.is_artillery() {
                gun.insert(id);
            } else if let Some(slot) = steps.get_mut(id.index()) {
                *slot += table.unit(unit).steps;
            }
        }
    }
    let emplacements: WorkSet = table
        .siege
        .all_works()
        .filter(|(_, work)| work.kind == super::WorkKind::Battery)
        .map(|(id, _)| id)
        .collect();
    let all: WorkSet = table.siege.all_works().map(|(id, _)| id).collect();
    let mut reaches: Vec<(WorkId, WorkSet)> = Vec::new();
    for unit in UnitId::of_side(Side::French) {
        let state = table.unit(unit);
        if !state.place.is_siege() || check_mover(table, unit).is_err() {
            continue;
        }
        let artillery = unit.data().arm.is_artillery();
        let fits = |id: WorkId| {
            if artillery {
                emplacements.contains(id) && !gun.contains(id)
            } else {
                steps.get(id.index()).is_some_and(|there| there + state.steps <= STACK)
            }
        };
        let (works, home) = match state.place {
            Place::Work(id) if !table.siege.network.contains(id) => {
                match reaches.iter().find(|(from, _)| *from == id) {
                    Some((_, works)) => (*works, false),
                    None => {
                        let works = table.siege.reach(id);
                        reaches.push((id, works));
                        (works, false)
                    }
                }
            }
            place => reach(table, place),
        };
        for to in works.iter() {
            if state.place != Place::Work(to) && fits(to) {
                each(SiegeMove::Network { unit, to });
            }
        }
        if home && state.place != Place::Concentration {
            each(SiegeMove::Back { unit });
        }
        if unit.data().arm.is_siege_train() {
            continue;
        }
        let cut_off = all.without(works);
        if matches!(state.place, Place::Concentration | Place::Work(_)) {
            for to in cut_off.iter().filter(|to| fits(*to)) {
                let through = SiegeMove::Through { unit, to };
                if check_move(table, &through).is_ok() {
                    each(through);
                }
            }
        }
        list_open(table, unit, fits, &mut each);
        if unit.data().arm == Arm::Infantry {
            for kalke in [SiegeMove::Box { unit }, SiegeMove::IntoKalke { unit }] {
                if state.place == Place::Concentration && check_move(table, &kalke).is_ok() {
                    each(kalke);
                }
            }
            if state.place == Place::Kalke {
                each(SiegeMove::OutOfKalke { unit });
            }
        }
    }
}

/// Sensible moves in the open: out of it, out of a work that is cut off, to a bare point held.
fn list_open(table: &Table, unit: UnitId, fits: impl Fn(WorkId) -> bool, each: &mut impl FnMut(SiegeMove)) {
    let place = table.unit(unit).place;
    let exposed = match place {
        Place::Open(_) | Place::Wall(_) => true,
        Place::Work(id) => !table.siege.network.contains(id),
        _ => false,
    };
    let mut offer = |to: OpenEnd| {
        let siege_move = SiegeMove::Open { unit, with: None, exit: None, via: None, to, facing: 90 };
        if check_move(table, &siege_move).is_ok() {
            each(siege_move);
        }
    };
    if exposed && let Some(from) = spot_of(table, place) {
        offer(OpenEnd::Concentration);
        let nearest = table
            .siege
            .all_works()
            .filter(|(id, work)| !work.damaged && Place::Work(*id) != place && fits(*id))
            .min_by_key(|(id, work)| (work.rect().squared_to(from.fine()), *id));
        if let Some((id, _)) = nearest {
            offer(OpenEnd::Work(id));
        }
    }
    if unit.data().arm == Arm::Infantry
        && let Some(from) = spot_of(table, place)
    {
        for point in WallId::all() {
            if table.siege.wall(point).holder == Side::French
                && place != Place::Wall(point)
                && super::geometry::within(from.fine(), GROUND.point(point).fine(), 2500)
                && has_french(table, point)
            {
                offer(OpenEnd::Wall(point));
            }
        }
    }
}

/// A move begins: who moves leaves his place; the shots it draws are in the exposure.
pub fn begin_move(table: &mut Table, siege_move: &SiegeMove, clerk: &mut impl Clerk) -> Exposure {
    let shots = plan(table, siege_move, clerk).unwrap_or_default();
    let group: Vec<(UnitId, Place)> =
        siege_move.units().into_iter().flatten().map(|unit| (unit, table.unit(unit).place)).collect();
    if let SiegeMove::Network { unit, .. } = siege_move {
        let arm = unit.data().arm;
        if arm == Arm::FieldArtillery {
            clerk.applied(rule!(DZ_4_3_1_04));
        }
        if arm.is_artillery() {
            clerk.applied(rule!(DZ_4_8_09));
        }
    }
    for (unit, _) in &group {
        table.unit_mut(*unit).marks.set(Marks::MOVED);
    }
    Exposure::new(Errand::Move(*siege_move), group.into_iter(), shots.len())
}
