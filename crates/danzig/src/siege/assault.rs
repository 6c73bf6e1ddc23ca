//! Assaults on the walls and on the Kalke-Schanze (chapters 2.4.4, 4.7.4 and 4.8), what becomes of both
//! sides, surplus steps, and captures at the end of the turn (2.6).

use kernel::{Clerk, Refusal, Verdict};
use rulebook::{phrase::danzig_siege as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::common::{Brawl, STACK, check_room, displace_from, has_french, infantry_at, steps_on};
use super::exposure::{Errand, Exposure};
use super::fire::{Target, kalke_state};
use super::geometry::{Spot, within};
use super::ground::GROUND;
use super::melee::{Against, Defence, roll};
use super::route::{Danger, assault_level, check_line};
use super::sight::GunTarget;
use super::state::{KalkeSide, WallId, WallSet};
use super::tables::wall_effect;
use crate::state::{Owed, Table};
use crate::unit::{Arm, Marks, Place, Side, UnitId, UnitSet};

/// Most infantry steps in one assault.
pub(crate) const ASSAULT_STEPS: u8 = 4;

/// An assault: who, and on which wall point or side of the Kalke-Schanze.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Assault {
    /// The battalions.
    pub units: UnitSet,
    /// What they storm.
    pub at: GunTarget,
}

/// Whether an assault is legal.
///
/// # Errors
/// The rule that forbids it.
pub fn check_assault(table: &Table, assault: &Assault) -> Verdict<()> {
    if assault.units.is_empty() {
        return Err(Refusal::field("units", phrase::NOBODY));
    }
    let steps: u8 = assault.units.iter().map(|unit| table.unit(unit).steps).fold(0, u8::saturating_add);
    if !rule!(DZ_4_8_15).holds(steps <= ASSAULT_STEPS) {
        return Err(Refusal::rule(rule!(DZ_4_8_15), phrase::TOO_MANY_STEPS).with("steps", steps));
    }
    for unit in assault.units.iter() {
        check_stormer(table, unit)?;
    }
    match assault.at {
        GunTarget::Wall(point) => {
            check_wall(table, point)?;
            assault.units.iter().try_for_each(|unit| check_reach(table, unit, point))
        }
        GunTarget::Kalke(_) => {
            if !rule!(DZ_4_7_4_06).holds(table.siege.kalke.holder != Side::French) {
                return Err(Refusal::rule(rule!(DZ_4_7_4_06), phrase::OWN_KALKE));
            }
            if !rule!(DZ_R101).holds(!is_kalke_stormed(table)) {
                return Err(Refusal::rule(rule!(DZ_R101), phrase::KALKE_ALREADY_ASSAULTED));
            }
            for unit in assault.units.iter() {
                if !rule!(DZ_R60).holds(table.unit(unit).place == Place::KalkeBox) {
                    return Err(
                        Refusal::rule(rule!(DZ_R60), phrase::NOT_IN_THE_BOX).with("unit", unit.data().label)
                    );
                }
            }
            Ok(())
        }
    }
}

/// Whether a unit may storm anything this turn.
fn check_stormer(table: &Table, unit: UnitId) -> Verdict<()> {
    let refuse = |rule, reason| Err(Refusal::rule(rule, reason).with("unit", unit.data().label));
    if !rule!(DZ_4_8_14).holds(unit.side() == Side::French && unit.data().arm == Arm::Infantry) {
        return refuse(rule!(DZ_4_8_14), phrase::ONLY_INFANTRY);
    }
    if !rule!(DZ_R30).holds(!table.unit(unit).is_disordered()) {
        return refuse(rule!(DZ_R30), phrase::DISORDERED);
    }
    if !rule!(DZ_4_8_16).holds(!table.marked(unit, Marks::WORKER)) {
        return refuse(rule!(DZ_4_8_16), phrase::IS_A_WORKER);
    }
    if !rule!(DZ_R101).holds(!table.marked(unit, Marks::ASSAULTED)) {
        return refuse(rule!(DZ_R101), phrase::HAS_ASSAULTED);
    }
    Ok(())
}

/// Whether the Kalke-Schanze has been stormed this turn: it is once at most, like a wall point.
const fn is_kalke_stormed(table: &Table) -> bool {
    table.turn > 0 && table.siege.kalke.assaulted_on == table.turn
}

/// Whether a wall point may be stormed.
fn check_wall(table: &Table, point: WallId) -> Verdict<()> {
    let wall = table.siege.wall(point);
    if !rule!(DZ_4_8_14).holds(!has_french(table, point)) {
        return Err(Refusal::rule(rule!(DZ_4_8_14), phrase::OWN_WALL).with("point", point));
    }
    let low = wall_effect(wall.level).assault && wall.level <= assault_level(table);
    if !(rule!(DZ_4_7_1_08).holds(low) && rule!(DZ_2_4_4_01).holds(low)) {
        return Err(Refusal::rule(rule!(DZ_4_7_1_08), phrase::WALL_TOO_HIGH)
            .with("point", point)
            .with("level", wall.level));
    }
    if !rule!(DZ_R101).holds(wall.assaulted_on != table.turn || table.turn == 0) {
        return Err(Refusal::rule(rule!(DZ_R101), phrase::ALREADY_ASSAULTED).with("point", point));
    }
    Ok(())
}

/// Whether a unit can reach a point in an assault: 250 m in a straight line, over no standing wall.
fn check_reach(table: &Table, unit: UnitId, point: WallId) -> Verdict<()> {
    let place = table.unit(unit).place;
    let from = match place {
        Place::Work(id) => table.siege.work(id).map(|work| work.pose.at),
        Place::Open(spot) => Some(spot),
        Place::Wall(other) => Some(GROUND.point(other)),
        _ => None,
    };
    let b = GROUND.point(point).fine();
    let near = from.map(Spot::fine).filter(|a| rule!(DZ_4_8_14).holds(within(*a, b, 2500)));
    let Some(a) = near else {
        return Err(Refusal::rule(rule!(DZ_4_8_14), phrase::NOT_IN_REACH).with("point", point));
    };
    check_line(table, a, b, super::common::wall_under(table, place), Some(point))
}

/// Lists the assaults: for each point the single units and the pairs in reach.
pub fn list_assaults(table: &Table, mut each: impl FnMut(Assault)) {
    let ready: Vec<UnitId> = UnitId::of_side(Side::French)
        .filter(|unit| {
            matches!(
                table.unit(*unit).place,
                Place::Work(_) | Place::Open(_) | Place::Wall(_) | Place::KalkeBox
            ) && check_stormer(table, *unit).is_ok()
        })
        .collect();
    if ready.is_empty() {
        return;
    }
    let mut offer = |units: &[UnitId], at: GunTarget| {
        for (place, unit) in units.iter().enumerate() {
            each(Assault { units: UnitSet::of(*unit), at });
            for other in units.iter().skip(place + 1) {
                let pair: UnitSet = [*unit, *other].into_iter().collect();
                if table.unit(*unit).steps + table.unit(*other).steps <= ASSAULT_STEPS {
                    each(Assault { units: pair, at });
                }
            }
        }
        // As many weakened battalions as make four steps.
        let (mut all, mut steps) = (UnitSet::EMPTY, 0);
        for unit in units {
            if steps + table.unit(*unit).steps <= ASSAULT_STEPS {
                steps += table.unit(*unit).steps;
                all.insert(*unit);
            }
        }
        if all.len() > 2 {
            each(Assault { units: all, at });
        }
    };
    for point in WallId::all().filter(|point| check_wall(table, *point).is_ok()) {
        let near: Vec<UnitId> =
            ready.iter().copied().filter(|unit| check_reach(table, *unit, point).is_ok()).collect();
        offer(&near, GunTarget::Wall(point));
    }
    if table.siege.kalke.holder == Side::Prussian && !is_kalke_stormed(table) {
        let boxed: Vec<UnitId> =
            ready.iter().copied().filter(|unit| table.unit(*unit).place == Place::KalkeBox).collect();
        for side in KalkeSide::ALL {
            offer(&boxed, GunTarget::Kalke(side));
        }
    }
}

/// Where those who storm stand while they do.
pub(crate) const fn storming_place(assault: &Assault) -> Place {
    match assault.at {
        GunTarget::Wall(point) => Place::Wall(point),
        GunTarget::Kalke(_) => Place::KalkeBox,
    }
}

/// The one shot at an assault on a wall: no line is longer than 250 m.
pub(crate) fn dangers_of(assault: &Assault, clerk: &mut impl Clerk) -> Vec<Danger> {
    match assault.at {
        // Over open ground, and be it one step out of a work that touches the wall.
        GunTarget::Wall(point)
            if clerk.holds(rule!(DZ_4_7_1_09), true) && clerk.holds(rule!(DZ_4_8_18), true) =>
        {
            let target = Target::Open { village: false, damaged_trench: false };
            vec![Danger { at: GROUND.point(point), target }]
        }
        _ => Vec::new(),
    }
}

/// The assault sets out under the fire that it draws.
pub fn begin_assault(table: &mut Table, assault: &Assault, clerk: &mut impl Clerk) -> Exposure {
    let group = set_out(table, assault, clerk);
    let shots = dangers_of(assault, clerk).len();
    Exposure::new(Errand::Assault(*assault), group.into_iter(), shots)
}

/// The assault sets out, and the Prussian lets it come.
pub fn begin_unopposed(table: &mut Table, assault: &Assault, clerk: &mut impl Clerk) -> Exposure {
    let group = set_out(table, assault, clerk);
    Exposure::new(Errand::Assault(*assault), group.into_iter(), 0)
}

/// Those who storm leave where they stood; gives back who came from where.
fn set_out(table: &mut Table, assault: &Assault, clerk: &mut impl Clerk) -> Vec<(UnitId, Place)> {
    let group: Vec<(UnitId, Place)> =
        assault.units.iter().map(|unit| (unit, table.unit(unit).place)).collect();
    match assault.at {
        GunTarget::Wall(point) => {
            clerk.applied(rule!(DZ_4_8_14));
            table.siege.wall_mut(point).assaulted_on = table.turn;
        }
        GunTarget::Kalke(_) => table.siege.kalke.assaulted_on = table.turn,
    }
    for (unit, _) in &group {
        let state = table.unit_mut(*unit);
        state.marks.set(Marks::ASSAULTED);
        state.place = storming_place(assault);
    }
    group
}

/// Those who have come through storm. While steps lost in the melee are owed, it is left in
/// `table.siege.brawl`; then this is to be called again.
pub(crate) fn storm(table: &mut Table, assault: &Assault, exposure: &Exposure, clerk: &mut impl Clerk) {
    let left = exposure.left(table);
    if left.is_empty() && table.siege.brawl.is_none() {
        return;
    }
    let attackers: Vec<UnitId> = left.iter().map(|(unit, _)| *unit).collect();
    match assault.at {
        GunTarget::Wall(point) => storm_wall(table, point, &attackers, &left, clerk),
        GunTarget::Kalke(side) => storm_kalke(table, side, &attackers, clerk),
    }
}

/// Prussian infantry in order and undamaged batteries in a place.
fn garrison(table: &Table, place: Place) -> (Vec<UnitId>, Vec<UnitId>) {
    let infantry =
        infantry_at(table, Side::Prussian, place).filter(|unit| !table.unit(*unit).is_disordered());
    let batteries = table
        .at(Side::Prussian, place)
        .filter(|unit| unit.data().arm == Arm::Fortress && !table.marked(*unit, Marks::DAMAGED));
    (infantry.collect(), batteries.collect())
}

fn steps(table: &Table, units: &[UnitId]) -> u8 {
    units.iter().map(|unit| super::common::steps_of(table, *unit)).fold(0, u8::saturating_add)
}

/// Fights a melee; gives back whether the attacker wins and whether the defender has left. Nothing while
/// steps are owed: then the melee is left in `table.siege.brawl` and ended by the next call.
pub(crate) fn fight(
    table: &mut Table,
    attackers: &[UnitId],
    defenders: &[UnitId],
    defence: Defence,
    against: Against,
    clerk: &mut impl Clerk,
) -> Option<(bool, bool)> {
    if let Some(brawl) = table.siege.brawl.take() {
        return Some(brawl.end(table, clerk));
    }
    let options = table.options;
    let (_, result) = roll(steps(table, attackers), defence, against, &options, clerk);
    let brawl = Brawl::begin(table, attackers, defenders, result, clerk);
    if table.owed.is_empty() {
        return Some(brawl.end(table, clerk));
    }
    table.siege.brawl = Some(brawl);
    None
}

fn storm_wall(
    table: &mut Table,
    point: WallId,
    attackers: &[UnitId],
    origins: &[(UnitId, Place)],
    clerk: &mut impl Clerk,
) {
    let (infantry, batteries) = garrison(table, Place::Wall(point));
    let level = table.siege.wall(point).level;
    let under_way = table.siege.brawl.is_some();
    let left = table.at(Side::Prussian, Place::Wall(point)).next().is_some();
    let defended = under_way || clerk.holds(rule!(DZ_4_8_19), !(infantry.is_empty() && batteries.is_empty()));
    let won = if !defended {
        // A damaged battery alone is no defender.
        !left || clerk.holds(rule!(DZ_4_8_20), true)
    } else {
        let defenders = if infantry.is_empty() { &batteries } else { &infantry };
        let defence = Defence {
            steps: steps(table, &infantry),
            batteries: u8::try_from(batteries.len()).unwrap_or(u8::MAX),
            field_steps: 0,
        };
        let fought = fight(table, attackers, defenders, defence, Against::Wall(level), clerk);
        let Some((won, _)) = fought else { return };
        won
    };
    if !won {
        go_back(table, origins, point, clerk);
        return;
    }
    let standing = garrison(table, Place::Wall(point)).1;
    for battery in standing {
        clerk.applied(rule!(DZ_R63));
        table.unit_mut(battery).marks.set(Marks::DAMAGED);
    }
    if defended || !left || clerk.holds(rule!(DZ_4_3_2_07), true) {
        displace_from(table, point, clerk);
    }
    let turn = table.turn;
    let wall = table.siege.wall_mut(point);
    (wall.stormed_at, wall.stormed_on, wall.demolished_on) = (level, turn, 0);
    if point.is_second() {
        clerk.applied(rule!(DZ_4_1_1_11));
        table.danzig.second_line_entered(clerk);
    }
    if clerk.holds(rule!(DZ_4_8_25), steps_on(table, Side::French, Place::Wall(point)) > STACK) {
        table.owed.push(Owed::Excess(point));
    }
    clerk.happened(|| kernel::Event::new(phrase::POINT_STORMED).with("point", point));
}

/// Those who did not get in go back where they came from, or to the nearest work with room (DZ-R66).
fn go_back(table: &mut Table, origins: &[(UnitId, Place)], point: WallId, clerk: &mut impl Clerk) {
    clerk.applied(rule!(DZ_R66));
    for (unit, from) in origins {
        if table.unit(*unit).place != Place::Wall(point) || table.unit(*unit).is_disordered() {
            continue;
        }
        let home = match from {
            Place::Work(id) if check_room(table, *unit, *id).is_err() => {
                nearest_with_room(table, *unit, point)
                    .first()
                    .map_or(Place::Concentration, |id| Place::Work(*id))
            }
            from => *from,
        };
        table.unit_mut(*unit).place = home;
    }
}

/// The works with room nearest to a point and not behind a standing wall, more than one on a tie.
fn nearest_with_room(table: &Table, unit: UnitId, point: WallId) -> Vec<super::WorkId> {
    let place = GROUND.point(point).fine();
    let rooms: Vec<(i64, super::WorkId)> = table
        .siege
        .all_works()
        .filter(|(id, work)| {
            let onto = super::common::wall_under(table, Place::Work(*id));
            check_room(table, unit, *id).is_ok()
                && check_line(table, place, work.pose.at.fine(), Some(point), onto).is_ok()
        })
        .map(|(id, work)| (work.rect().squared_to(place), id))
        .collect();
    let least = rooms.iter().map(|(distance, _)| *distance).min();
    rooms.into_iter().filter(|(distance, _)| Some(*distance) == least).map(|(_, id)| id).collect()
}

fn storm_kalke(table: &mut Table, side: KalkeSide, attackers: &[UnitId], clerk: &mut impl Clerk) {
    let (infantry, batteries) = garrison(table, Place::Kalke);
    let damage = kalke_state(table.siege.kalke.damage[side as usize], &table.options);
    let undefended = table.siege.brawl.is_none() && infantry.is_empty() && batteries.is_empty();
    let won = if undefended {
        clerk.holds(rule!(DZ_R100), true)
    } else {
        let defenders = if infantry.is_empty() { &batteries } else { &infantry };
        let defence = Defence {
            // At most four steps fight on its walls.
            steps: steps(table, &infantry).min(4),
            batteries: u8::try_from(batteries.len()).unwrap_or(u8::MAX),
            field_steps: 0,
        };
        let against = Against::Kalke { damage, retake: false };
        let Some((won, _)) = fight(table, attackers, defenders, defence, against, clerk) else { return };
        won
    };
    if won {
        let there: Vec<UnitId> = table.at(Side::Prussian, Place::Kalke).collect();
        let guns_lost = clerk.rather(rule!(DZ_4_7_4_07), Place::Eliminated, Place::Kalke);
        for unit in there {
            let lost = unit.data().arm == Arm::Fortress;
            table.unit_mut(unit).place = if lost { guns_lost } else { Place::Reserve };
        }
        table.siege.kalke.holder = Side::French;
        if table.siege.kalke.taken_on == 0 {
            clerk.applied(rule!(DZ_4_7_4_04));
        }
        table.siege.kalke.taken_on = table.turn;
        clerk.happened(|| kernel::Event::new(phrase::KALKE_TAKEN));
    }
    for unit in attackers {
        if table.unit(*unit).place == Place::KalkeBox {
            table.unit_mut(*unit).place = if won { Place::Kalke } else { Place::Concentration };
        }
    }
}

/// The end of the step: nobody stays in the Kalke box.
pub fn end_assaults(table: &mut Table, clerk: &mut impl Clerk) {
    let boxed: Vec<UnitId> = table.at(Side::French, Place::KalkeBox).collect();
    for unit in boxed {
        table.unit_mut(unit).place = clerk.rather(rule!(DZ_4_7_4_09), Place::Concentration, Place::KalkeBox);
    }
}

/// Whether a surplus unit may leave a won point for a place.
///
/// # Errors
/// When there is no surplus, or it is not the nearest work with room.
pub fn check_excess(table: &Table, point: WallId, unit: UnitId, to: Place) -> Verdict<()> {
    let refuse = |reason| Err(Refusal::rule(rule!(DZ_4_8_25), reason).with("unit", unit.data().label));
    let there = unit.side() == Side::French && table.unit(unit).place == Place::Wall(point);
    let surplus = steps_on(table, Side::French, Place::Wall(point)) > STACK;
    if !rule!(DZ_4_8_25).holds(there && surplus) {
        return refuse(phrase::NO_SURPLUS);
    }
    let nearest = nearest_with_room(table, unit, point);
    let legal = match to {
        Place::Work(id) => nearest.contains(&id),
        Place::Concentration => nearest.is_empty(),
        _ => false,
    };
    if legal { Ok(()) } else { refuse(phrase::NOT_THE_NEAREST) }
}

/// Lists where surplus units may go.
pub fn list_excess(table: &Table, point: WallId, mut each: impl FnMut(UnitId, Place)) {
    if steps_on(table, Side::French, Place::Wall(point)) <= STACK {
        return;
    }
    for unit in infantry_at(table, Side::French, Place::Wall(point)) {
        let nearest = nearest_with_room(table, unit, point);
        if nearest.is_empty() {
            each(unit, Place::Concentration);
        }
        nearest.into_iter().for_each(|id| each(unit, Place::Work(id)));
    }
}

/// A surplus unit leaves a won point without being fired at.
pub fn place_excess(table: &mut Table, point: WallId, unit: UnitId, to: Place, clerk: &mut impl Clerk) {
    table.unit_mut(unit).place = to;
    clerk.applied(rule!(DZ_4_8_25));
    if steps_on(table, Side::French, Place::Wall(point)) > STACK {
        table.owed.push(Owed::Excess(point));
    }
}

/// The end of the turn: points with French infantry and no defender are French; points left empty are
/// Prussian again.
pub fn captures(table: &mut Table, clerk: &mut impl Clerk) {
    let (mut stormed, mut manned) = (WallSet::default(), WallSet::default());
    for unit in UnitId::all() {
        if let Place::Wall(point) = table.unit(unit).place {
            match unit.side() {
                Side::French if unit.data().arm == Arm::Infantry => stormed = stormed.with(point),
                Side::French => {}
                Side::Prussian => manned = manned.with(point),
            }
        }
    }
    for point in WallId::all() {
        let (french, prussian) = (stormed.contains(point), manned.contains(point));
        let work = table.siege.work_on(point).is_some();
        let wall = table.siege.wall_mut(point);
        if french && wall.holder != Side::French && clerk.holds(rule!(DZ_4_8_21), !prussian) {
            wall.holder = Side::French;
            clerk.happened(|| kernel::Event::new(phrase::POINT_TAKEN).with("point", point));
        } else if !french && !work && (wall.holder == Side::French || wall.stormed_on > 0) {
            clerk.applied(rule!(DZ_R82));
            (wall.holder, wall.stormed_on, wall.stormed_at, wall.demolished_on) = (Side::Prussian, 0, 0, 0);
        }
    }
}
