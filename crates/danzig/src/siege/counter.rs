//! Counter-attacks on the walls (chapter 4.9): from the green point, or from the second wall on the
//! first; the field guns on the second wall, one melee, and who stays.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::{phrase::danzig_siege as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::assault::fight;
use super::common::{
    Holders, STACK, destroy_work, disorder, french_on_walls, has_french, infantry_at, steps_of, strike,
};
use super::fire::{Gun, Shot, Target, bands_between, check_range, fire};
use super::garrison::serves;
use super::geometry::in_arc;
use super::ground::GROUND;
use super::melee::Against;
use super::muster::Muster;
use super::sight::Sited;
use super::state::WallId;
use crate::ops::Unheard;
use crate::state::{Owed, Table};
use crate::unit::{Arm, Marks, Place, Side, UnitId, UnitSet};

/// Most infantry steps in a counter-attack.
pub(crate) const COUNTER_STEPS: u8 = 4;

/// A counter-attack: who, and on which wall point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct CounterAttack {
    /// The battalions.
    pub units: UnitSet,
    /// The point to be retaken.
    pub target: WallId,
}

/// Where a counter-attack starts: the green point, or the linked second-wall point.
#[must_use]
pub const fn launch(target: WallId) -> Place {
    if target.is_second() { Place::Green(target) } else { Place::Wall(target.linked()) }
}

/// Whether a counter-attack is legal.
///
/// # Errors
/// The rule that forbids it.
pub fn check_counterattack(table: &Table, attack: &CounterAttack) -> Verdict<()> {
    let target = attack.target;
    if !rule!(DZ_4_9_21).holds(has_french(table, target)) {
        return Err(Refusal::rule(rule!(DZ_4_9_21), phrase::NO_FRENCH_THERE).with("point", target));
    }
    if attack.units.is_empty() {
        return Err(Refusal::field("units", phrase::NOBODY));
    }
    let from = launch(target);
    if let Place::Wall(point) = from
        && !rule!(DZ_4_9_22).holds(!has_french(table, point))
    {
        return Err(Refusal::rule(rule!(DZ_4_9_22), phrase::NOT_PRUSSIAN).with("point", point));
    }
    let mut steps = 0;
    for unit in attack.units.iter() {
        let refuse = |rule, reason| Err(Refusal::rule(rule, reason).with("unit", unit.data().label));
        if !rule!(DZ_4_9_21).holds(serves(table, unit)) {
            return refuse(rule!(DZ_4_9_21), phrase::ONLY_INFANTRY);
        }
        if !rule!(DZ_R30).holds(!table.unit(unit).is_disordered()) {
            return refuse(rule!(DZ_R30), phrase::DISORDERED);
        }
        let place = table.unit(unit).place;
        if !rule!(DZ_R51).holds(place == Place::Reserve || place == from) {
            return refuse(rule!(DZ_R51), phrase::NOT_IN_THE_CITY);
        }
        steps += steps_of(table, unit);
    }
    if !rule!(DZ_4_9_21).holds(attack.units.len() <= 2 && steps <= COUNTER_STEPS) {
        return Err(Refusal::rule(rule!(DZ_4_9_21), phrase::TOO_MANY_STEPS).with("steps", steps));
    }
    let waiting: u8 = infantry_at(table, Side::Prussian, from)
        .filter(|unit| !attack.units.has(*unit))
        .map(|unit| steps_of(table, unit))
        .sum();
    if !rule!(DZ_4_9_23).holds(steps + waiting <= COUNTER_STEPS) {
        return Err(Refusal::rule(rule!(DZ_4_9_23), phrase::TOO_MANY_STEPS).with("steps", steps + waiting));
    }
    Ok(())
}

/// Lists the counter-attacks of those who are named, on each French position. While nobody is named: of the
/// strongest battalion and of pairs of the four strongest.
pub fn list_counterattacks(table: &Table, muster: &Muster, mut each: impl FnMut(CounterAttack)) {
    if !muster.is_empty() {
        return french_on_walls(table)
            .iter()
            .map(|target| CounterAttack { units: muster.units(), target })
            .filter(|attack| check_counterattack(table, attack).is_ok())
            .for_each(each);
    }
    for target in french_on_walls(table).iter() {
        let from = launch(target);
        let mut units: Vec<UnitId> = UnitId::of_side(Side::Prussian)
            .filter(|unit| {
                serves(table, *unit)
                    && !table.unit(*unit).is_disordered()
                    && (table.unit(*unit).place == Place::Reserve || table.unit(*unit).place == from)
            })
            .collect();
        units.sort_by_key(|unit| {
            (
                table.unit(*unit).place != from,
                std::cmp::Reverse((steps_of(table, *unit), unit.data().morale)),
                *unit,
            )
        });
        units.truncate(4);
        for (at, unit) in units.iter().enumerate() {
            let alone = CounterAttack { units: UnitSet::of(*unit), target };
            if check_counterattack(table, &alone).is_ok() {
                each(alone);
            }
            for other in units.iter().skip(at + 1) {
                let both = CounterAttack { units: [*unit, *other].into_iter().collect(), target };
                if check_counterattack(table, &both).is_ok() {
                    each(both);
                }
            }
        }
    }
}

/// Whether a unit may be named for a counter-attack with those who are named already: somewhere they may
/// make it together.
///
/// # Errors
/// The rule that keeps it back.
pub fn check_counter_muster(
    table: &Table,
    muster: &Muster,
    unit: UnitId,
    check: impl Fn(&CounterAttack) -> Verdict<()>,
) -> Verdict<()> {
    let Some(muster) = muster.with(unit) else {
        return Err(Refusal::field("unit", phrase::UNIT_TWICE).with("unit", unit.data().label));
    };
    let mut refused = Refusal::rule(rule!(DZ_4_9_21), phrase::NOBODY_TO_ATTACK);
    for target in french_on_walls(table).iter() {
        match check(&CounterAttack { units: muster.units(), target }) {
            Ok(()) => return Ok(()),
            Err(refusal) => refused = refusal,
        }
    }
    Err(refused)
}

/// The counter-attackers take their place.
pub fn begin_counterattack(table: &mut Table, attack: &CounterAttack, clerk: &mut impl Clerk) {
    let from = launch(attack.target);
    clerk.applied(rule!(DZ_4_9_23));
    let waiting: Vec<UnitId> = table.at(Side::Prussian, from).collect();
    for unit in waiting {
        table.unit_mut(unit).marks.clear(Marks::ASSAULTED);
    }
    clerk.applied(rule!(DZ_4_9_21));
    let placed = clerk.holds(rule!(DZ_4_9_22), true);
    for unit in attack.units.iter() {
        let counter = table.unit_mut(unit);
        counter.place = if placed { from } else { counter.place };
        counter.marks.set(Marks::ASSAULTED);
    }
}

/// Those of a counter-attack who are still where it started.
fn returned(table: &Table, from: Place) -> impl Iterator<Item = UnitId> + '_ {
    infantry_at(table, Side::Prussian, from).filter(|unit| table.marked(*unit, Marks::ASSAULTED))
}

/// Whether a unit may be the one that stays after a counter-attack (DZ-4.9-24): on the won point, or
/// where it started, if those who only waited there leave it room.
#[must_use]
pub fn may_stay(table: &Table, target: WallId, from: Place, won: bool, unit: UnitId) -> bool {
    let place = if won { Place::Wall(target) } else { from };
    let waiting: u8 = infantry_at(table, Side::Prussian, place)
        .filter(|other| place != from || !table.marked(*other, Marks::ASSAULTED))
        .map(|other| steps_of(table, other))
        .sum();
    returned(table, from).any(|other| other == unit) && waiting + steps_of(table, unit) <= STACK
}

fn attackers(table: &Table, attack: &CounterAttack) -> Vec<UnitId> {
    let from = launch(attack.target);
    attack
        .units
        .iter()
        .filter(|unit| table.unit(*unit).place == from && !table.unit(*unit).is_disordered())
        .collect()
}

/// The shot of a field battery on the second wall at a counter-attack from a green point.
///
/// # Errors
/// The rule that forbids it.
pub fn check_counter_fire(table: &Table, attack: &CounterAttack, battery: UnitId) -> Verdict<()> {
    counter_shot(table, attack, battery, &mut Unheard).map(drop)
}

fn counter_shot(
    table: &Table,
    attack: &CounterAttack,
    battery: UnitId,
    clerk: &mut impl Clerk,
) -> Verdict<Shot> {
    let data = battery.data();
    let refuse = |rule, reason| Err(Refusal::rule(rule, reason).with("unit", data.label));
    if !rule!(DZ_4_3_3_05).holds(!matches!(data.arm, Arm::Siege12 | Arm::Siege24)) {
        return refuse(rule!(DZ_4_3_3_05), phrase::ONLY_FIELD_GUNS);
    }
    let field = data.side == Side::French && data.arm == Arm::FieldArtillery;
    if !clerk.holds(rule!(DZ_4_3_1_02), field) {
        return refuse(rule!(DZ_4_3_1_02), phrase::ONLY_FIELD_GUNS);
    }
    if !rule!(DZ_R30).holds(!table.unit(battery).is_disordered()) {
        return refuse(rule!(DZ_R30), phrase::DISORDERED);
    }
    if !rule!(DZ_R53).holds(!table.marked(battery, Marks::FIRED)) {
        return refuse(rule!(DZ_R53), phrase::HAS_FIRED);
    }
    if !rule!(DZ_R53).holds(attack.target.is_second()) {
        return refuse(rule!(DZ_R53), phrase::NOT_FROM_A_GREEN_POINT);
    }
    let on_second = |id| table.siege.work(id).is_some_and(|work| work.covers.iter().any(WallId::is_second));
    let sited = match table.unit(battery).place {
        Place::Work(id) if on_second(id) => Sited::of(table, battery),
        _ => None,
    };
    let Some(sited) = sited else { return refuse(rule!(DZ_4_3_1_02), phrase::NOT_EMPLACED) };
    if attackers(table, attack).is_empty() {
        return refuse(rule!(DZ_4_3_1_02), phrase::NOBODY_THERE);
    }
    let green = GROUND.green(attack.target).fine();
    in_arc(sited.centre, sited.facing, green)?;
    let bands = bands_between(sited.muzzle(), green);
    check_range(data.gun, bands)?;
    let target = Target::Open { village: false, damaged_trench: false };
    Ok(Shot { gun: Gun::Field, printed: data.gun, bands, target, enfilade: false, night: false })
}

/// Lists the field batteries that may fire at a counter-attack.
pub fn list_counter_fire(table: &Table, attack: &CounterAttack, each: impl FnMut(UnitId)) {
    UnitId::of_side(Side::French)
        .filter(|unit| {
            unit.data().arm == Arm::FieldArtillery && check_counter_fire(table, attack, *unit).is_ok()
        })
        .for_each(each);
}

/// A field battery fires at a counter-attack.
pub fn counter_fire(table: &mut Table, attack: &CounterAttack, battery: UnitId, clerk: &mut impl Clerk) {
    let Ok(shot) = counter_shot(table, attack, battery, clerk) else { return };
    let options = table.options;
    table.unit_mut(battery).marks.set(Marks::FIRED);
    let Ok(struck) = fire(&shot, &options, clerk) else { return };
    strike(table, Side::Prussian, launch(attack.target), &struck, clerk);
}

/// The melee of a counter-attack; who stays is owed. While steps lost in it are owed, it is left in
/// `table.siege.brawl`; then this is to be called again.
pub fn counter_melee(table: &mut Table, attack: &CounterAttack, clerk: &mut impl Clerk) {
    let target = attack.target;
    let from = launch(target);
    let attackers = attackers(table, attack);
    let under_way = table.siege.brawl.is_some();
    if attackers.is_empty() && !under_way {
        return;
    }
    let work = table.siege.work_on(target);
    let place = work.map_or(Place::Wall(target), Place::Work);
    let Holders { defenders, defence, .. } = Holders::of(table, place);
    let against = match work.and_then(|id| table.siege.work(id)) {
        Some(work) => Against::CounterWork { damaged: work.damaged },
        None => Against::CounterWall(table.siege.wall(target).level),
    };
    let won = if defenders.is_empty() && !under_way {
        clerk.holds(rule!(DZ_4_9_26), true)
    } else {
        let fought = fight(table, &attackers, &defenders, defence, against, clerk);
        let Some((won, _)) = fought else { return };
        // Whoever was disorganised in it is gone already.
        clerk.applied(rule!(DZ_4_9_27));
        won
    };
    if won {
        clerk.applied(rule!(DZ_R52));
        let rest: Vec<UnitId> = table.at(Side::French, place).collect();
        for unit in rest {
            disorder(table, unit, clerk);
        }
        if let Some(id) = work {
            destroy_work(table, id, clerk);
        }
        let wall = table.siege.wall_mut(target);
        (wall.holder, wall.stormed_on, wall.stormed_at, wall.demolished_on) = (Side::Prussian, 0, 0, 0);
        clerk.happened(|| kernel::Event::new(phrase::POINT_RETAKEN).with("point", target));
    }
    // A green point not left for the wall is the same as the city (DZ-4.9-02); and a point that others hold
    // already may have no room for anybody.
    let full = won && !returned(table, from).any(|unit| may_stay(table, target, from, won, unit));
    if full || !won && matches!(from, Place::Green(_)) {
        occupy(table, target, from, won, None, clerk);
    } else if returned(table, from).next().is_some() {
        table.owed.push(Owed::Occupier { target, from, won });
    }
}

/// One unit stays: on the won point, or where it attacked from; the others who attacked go to the reserve.
pub fn occupy(
    table: &mut Table,
    target: WallId,
    from: Place,
    won: bool,
    unit: Option<UnitId>,
    clerk: &mut impl Clerk,
) {
    let there: Vec<UnitId> = returned(table, from).collect();
    let one = clerk.holds(rule!(DZ_4_9_24), true);
    for other in there {
        let stays = Some(other) == unit || !one;
        table.unit_mut(other).place = match from {
            _ if stays && won => Place::Wall(target),
            Place::Wall(point) if stays => Place::Wall(point),
            _ => Place::Reserve,
        };
    }
}
