//! The French fire step and the mine (chapters 2.4.1, 4.3.3, 4.3.4, 4.8 and 8.0), and the fire of the
//! fortress (4.4, 4.5.3 and 4.9): who may fire at what, and what comes of it.

use kernel::{Clerk, Refusal, Saying, Verdict};
use rulebook::options::danzig::MineEarliestExplosion;
use rulebook::{phrase::danzig_siege as phrase, rule};

use super::common::{damage_work, has_french, infantry_at, lower_wall, strike};
use super::fire::{Gun, Shot, Target, bands_between, check_range, fire, kalke_state};
use super::geometry::{Facing, in_arc};
use super::ground::GROUND;
use super::sight::{
    BatteryTarget, GunTarget, Sited, check_enfilade, check_short_of_city, check_sight, list_enfiladed,
    nearest_side, no_such_work, raking_gun,
};
use super::state::{KalkeSide, Mine, SHORT_M, WallId, WorkId, WorkSet};
use super::tables::bears_artillery;
use crate::ops::Unheard;
use crate::state::Table;
use crate::unit::{Arm, Marks, Place, Side, UnitId};

/// A gun or mortar in a battery emplacement, in order.
fn check_emplaced(table: &Table, gun: UnitId) -> Verdict<Sited> {
    let refuse = |rule, reason| Err(Refusal::rule(rule, reason).with("unit", gun.data().label));
    let state = table.unit(gun);
    if !rule!(DZ_R30).holds(!state.is_disordered()) {
        return refuse(rule!(DZ_R30), phrase::DISORDERED);
    }
    let behind = state.place == Place::Concentration;
    // A siege battery came there too late to be emplaced again before this step.
    if !rule!(DZ_4_3_3_04).holds(!(behind && calibre(gun.data().arm).is_some())) {
        return refuse(rule!(DZ_4_3_3_04), phrase::NOT_EMPLACED);
    }
    if !rule!(DZ_4_1_1_03).holds(!behind) {
        return refuse(rule!(DZ_4_1_1_03), phrase::NOT_EMPLACED);
    }
    let sited = Sited::of(table, gun);
    let in_trench = matches!(state.place, Place::Work(_));
    if !rule!(DZ_4_7_2_27).holds(sited.is_some() || !in_trench) {
        return refuse(rule!(DZ_4_7_2_27), phrase::NOT_EMPLACED);
    }
    match sited {
        Some(sited) if rule!(DZ_4_3_4_01).holds(in_trench) => Ok(sited),
        _ => refuse(rule!(DZ_4_3_4_01), phrase::NOT_EMPLACED),
    }
}

/// Whether a mortar may fire.
///
/// # Errors
/// When it is no mortar, not emplaced, disordered, or has fired.
pub fn check_mortar(table: &Table, mortar: UnitId) -> Verdict<()> {
    let label = mortar.data().label;
    if !rule!(DZ_4_3_4_01).holds(mortar.data().arm == Arm::Mortar) {
        return Err(Refusal::rule(rule!(DZ_4_3_4_01), phrase::NO_MORTAR).with("unit", label));
    }
    if !rule!(DZ_4_8_01).holds(!table.marked(mortar, Marks::FIRED)) {
        return Err(Refusal::rule(rule!(DZ_4_8_01), phrase::HAS_FIRED).with("unit", label));
    }
    check_emplaced(table, mortar).map(drop)
}

/// Lists the mortars that may fire.
pub fn list_mortars(table: &Table, each: impl FnMut(UnitId)) {
    UnitId::of_side(Side::French)
        .filter(|unit| unit.data().arm == Arm::Mortar && check_mortar(table, *unit).is_ok())
        .for_each(each);
}

/// A mortar fires at the city: a 6 starts a fire.
pub fn fire_mortar(table: &mut Table, mortar: UnitId, clerk: &mut impl Clerk) {
    clerk.applied(rule!(DZ_4_8_01));
    table.unit_mut(mortar).marks.set(Marks::FIRED);
    let spent = clerk.rather(rule!(DZ_4_3_4_03), 0, 1);
    table.danzig.ammunition_12 = table.danzig.ammunition_12.saturating_sub(spent);
    let die = clerk.d6();
    if clerk.value(rule!(DZ_4_3_4_02), die) == 6 {
        table.danzig.set_on_fire(clerk);
        clerk.happened(|| kernel::Event::new(phrase::CITY_BURNS));
    }
}

/// The gun of a French siege battery.
const fn calibre(arm: Arm) -> Option<Gun> {
    match arm {
        Arm::Siege24 => Some(Gun::Siege24),
        Arm::Siege12 => Some(Gun::Siege12),
        _ => None,
    }
}

/// Ammunition points of a calibre.
const fn ammunition(table: &mut Table, gun: Gun) -> &mut u16 {
    match gun {
        Gun::Siege24 => &mut table.danzig.ammunition_24,
        _ => &mut table.danzig.ammunition_12,
    }
}

/// The shot of a French siege battery at a target.
///
/// # Errors
/// The rule that forbids it.
pub fn check_gun_shot(table: &Table, gun: UnitId, at: GunTarget) -> Verdict<()> {
    french_shot(table, gun, at, &mut Unheard).map(drop)
}

/// The shot of a French siege battery at a target, if it may be fired.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn french_shot(
    table: &Table,
    unit: UnitId,
    at: GunTarget,
    clerk: &mut impl Clerk,
) -> Verdict<Shot> {
    let data = unit.data();
    let refuse = |rule, reason| Err(Refusal::rule(rule, reason).with("unit", data.label));
    if !rule!(DZ_2_4_1_01).holds(data.arm != Arm::FieldArtillery) {
        return refuse(rule!(DZ_2_4_1_01), phrase::NO_SIEGE_GUN);
    }
    let two_calibres = |gun: &Gun| rule!(DZ_4_3_3_01).holds(matches!(gun, Gun::Siege24 | Gun::Siege12));
    let Some(gun) = calibre(data.arm).filter(two_calibres) else {
        return refuse(rule!(DZ_4_3_3_01), phrase::NO_SIEGE_GUN);
    };
    let sited = check_emplaced(table, unit)?;
    let left = if gun == Gun::Siege24 { table.danzig.ammunition_24 } else { table.danzig.ammunition_12 };
    if !rule!(DZ_4_8_02).holds(left > 0) {
        return refuse(rule!(DZ_4_8_02), phrase::NO_AMMUNITION);
    }
    let target = match at {
        GunTarget::Wall(point) => {
            if !rule!(DZ_4_5_2_06).holds(!has_french(table, point)) {
                return Err(Refusal::rule(rule!(DZ_4_5_2_06), phrase::OWN_WALL).with("point", point));
            }
            Target::Wall(table.siege.wall(point).level)
        }
        GunTarget::Kalke(side) => {
            if !rule!(DZ_4_5_2_06).holds(table.siege.kalke.holder != Side::French) {
                return Err(Refusal::rule(rule!(DZ_4_5_2_06), phrase::OWN_KALKE));
            }
            Target::Kalke(kalke_state(table.siege.kalke.damage[side as usize], &table.options))
        }
    };
    let mark = at.spot().fine();
    // Nothing that stands on the way blocks the shot.
    if !clerk.holds(rule!(DZ_4_4_03), true) {
        return refuse(rule!(DZ_4_4_03), phrase::NO_FIRE_THERE);
    }
    // The emplacement looks one way, and so does its gun.
    if clerk.holds(rule!(DZ_4_3_3_03), true) {
        in_arc(sited.centre, sited.facing, mark)?;
    }
    check_short_of_city(&sited, mark, |point| at == GunTarget::Wall(point))?;
    let from = clerk.rather(rule!(DZ_4_5_1_01), sited.muzzle(), sited.centre);
    let bands = bands_between(from, mark);
    check_range(data.gun, bands)?;
    Ok(Shot { gun, printed: data.gun, bands, target, enfilade: false, night: false })
}

/// Lists every shot of the French siege batteries.
pub fn list_gun_shots(table: &Table, mut each: impl FnMut(UnitId, GunTarget)) {
    for unit in UnitId::of_side(Side::French).filter(|unit| calibre(unit.data().arm).is_some()) {
        if !matches!(table.unit(unit).place, Place::Work(_)) || check_emplaced(table, unit).is_err() {
            continue;
        }
        let targets = WallId::all().map(GunTarget::Wall).chain(KalkeSide::ALL.map(GunTarget::Kalke));
        for target in targets {
            if check_gun_shot(table, unit, target).is_ok() {
                each(unit, target);
            }
        }
    }
}

/// Of every siege gun that has come, why it cannot fire.
pub fn say_why_guns_are_silent(table: &Table, clerk: &mut impl Clerk) {
    for gun in UnitId::of_side(Side::French).filter(|unit| calibre(unit.data().arm).is_some()) {
        let at = match table.unit(gun).place {
            Place::Work(id) => table.siege.work(id).map(|work| work.pose.at.fine()),
            Place::Concentration => Some(GROUND.point(WallId(0)).fine()),
            _ => None,
        };
        let Some(at) = at else { continue };
        let nearest = || {
            WallId::first_wall()
                .filter(|point| !has_french(table, *point))
                .min_by_key(|point| GROUND.point(*point).fine().squared_to(at))
        };
        let why = || check_gun_shot(table, gun, GunTarget::Wall(nearest()?)).err();
        clerk.happened(|| {
            let why = why().map_or_else(
                || Saying::new(phrase::NO_FIRE_THERE),
                |refusal| Saying { phrase: refusal.reason, facts: refusal.facts },
            );
            kernel::Event::new(phrase::GUN_SILENT).with("gun", gun.data().label).with("why", why)
        });
    }
}

/// Why no battery of the fortress fires, where there are works to fire at.
pub fn say_why_batteries_are_silent(table: &Table, clerk: &mut impl Clerk) {
    if table.siege.all_works().next().is_some() {
        clerk.happened(|| kernel::Event::new(phrase::BATTERIES_SILENT));
    }
}

/// A French siege battery fires: ammunition, die, damage.
pub fn fire_gun(table: &mut Table, unit: UnitId, at: GunTarget, clerk: &mut impl Clerk) {
    let Ok(shot) = french_shot(table, unit, at, clerk) else { return };
    let options = table.options;
    // Every battery by itself: its own factor, whoever fires at the same point.
    let printed = clerk.rather(rule!(DZ_4_8_03), shot.printed, shot.printed.saturating_mul(2));
    let Ok(struck) = fire(&Shot { printed, ..shot }, &options, clerk) else { return };
    let spent = clerk.modifier(rule!(DZ_4_8_02), -1);
    let store = ammunition(table, shot.gun);
    *store = store.saturating_add_signed(i16::try_from(spent).unwrap_or(0));
    match at {
        GunTarget::Wall(point) => {
            strike(table, Side::Prussian, Place::Wall(point), &struck, clerk);
            lower_wall(table, point, struck.wall_levels, clerk);
        }
        GunTarget::Kalke(side) => {
            strike(table, Side::Prussian, Place::Kalke, &struck, clerk);
            let damage = &mut table.siege.kalke.damage[side as usize];
            let before = *damage;
            *damage = damage.saturating_add(struck.work_steps).min(3);
            let now = *damage;
            if now > before {
                clerk.happened(|| {
                    kernel::Event::new(phrase::KALKE_DAMAGED)
                        .with("side", format!("{side:?}"))
                        .with("damage", now)
                });
            }
        }
    }
}

/// So many shots at most are ordered at once.
pub const MOST_SHOTS: u8 = 40;

/// Whether a siege battery may fire so often at the same mark.
///
/// # Errors
/// The rule that forbids the first shot, or the field of a wrong number.
pub fn check_bombard(table: &Table, gun: UnitId, at: GunTarget, shots: u8) -> Verdict<()> {
    if !(2..=MOST_SHOTS).contains(&shots) {
        return Err(Refusal::field("shots", phrase::SO_MANY_SHOTS).with("most", i64::from(MOST_SHOTS)));
    }
    check_gun_shot(table, gun, at)
}

/// How far a mark has fallen: breached, and down altogether.
fn fallen(table: &Table, at: GunTarget) -> (bool, bool) {
    match at {
        GunTarget::Wall(point) => {
            let level = table.siege.wall(point).level;
            (!bears_artillery(level, &table.options), level == 0)
        }
        GunTarget::Kalke(side) => (false, table.siege.kalke.damage[side as usize] >= 3),
    }
}

/// A siege battery fires at the same mark, shot by shot: until it has fired so often, the mark has fallen,
/// it cannot fire any more, or somebody has to decide.
pub fn bombard(table: &mut Table, gun: UnitId, at: GunTarget, shots: u8, clerk: &mut impl Clerk) {
    let before = fallen(table, at);
    for _ in 0..shots {
        if check_gun_shot(table, gun, at).is_err() {
            return;
        }
        fire_gun(table, gun, at, clerk);
        if !table.owed.is_empty() || fallen(table, at) != before {
            return;
        }
    }
}

/// Whether the mine may go up now (DZ-R54).
#[must_use]
pub const fn mine_is_ripe(table: &Table) -> bool {
    let wait = match table.options.mine_earliest_explosion {
        MineEarliestExplosion::NPlus2 => 2,
        MineEarliestExplosion::NPlus1 => 1,
    };
    matches!(table.siege.mine, Mine::Dug { turn, .. } if table.turn >= turn + wait)
}

/// The mine goes up: as many levels as the die shows.
pub fn explode_mine(table: &mut Table, clerk: &mut impl Clerk) {
    let Mine::Dug { under, .. } = table.siege.mine else { return };
    table.siege.mine = Mine::Spent;
    let die = clerk.d6();
    let levels = clerk.modifier(rule!(DZ_8_0_04), -i32::from(die));
    clerk.applied(rule!(DZ_8_0_05));
    clerk.happened(|| kernel::Event::new(phrase::MINE_EXPLODES).with("point", under));
    lower_wall(table, under, u8::try_from(-levels).unwrap_or(0), clerk);
}

/// Whether the Prussian may roll against the mine.
#[must_use]
pub const fn may_countermine(table: &Table) -> bool {
    matches!(table.siege.mine, Mine::Dug { turn, .. } if table.turn > turn)
}

/// The counter-mine: a 6 removes the mine.
pub fn countermine(table: &mut Table, clerk: &mut impl Clerk) {
    let die = clerk.d6();
    if clerk.value(rule!(DZ_8_0_03), die) == 6 {
        table.siege.mine = Mine::Spent;
        clerk.happened(|| kernel::Event::new(phrase::COUNTERMINED));
    }
}

/// The works that an enfilading shot may be fired at now.
#[must_use]
pub fn enfiladed(table: &Table) -> WorkSet {
    let mut works = Vec::new();
    list_enfiladed(table, &mut works);
    works.into_iter().collect()
}

/// The one enfilading shot at a work at the end of construction.
pub fn enfilade_shot(table: &mut Table, id: WorkId, clerk: &mut impl Clerk) {
    let Some(work) = table.siege.work(id) else { return };
    let target = Target::Work { damaged: work.damaged };
    let shot = Shot { gun: Gun::Fortress, printed: 7, bands: 0, target, enfilade: true, night: false };
    let options = table.options;
    // Those of the Kalke-Schanze count, if they rake it.
    let Some(_) = raking_gun(table, id, clerk) else { return };
    clerk.applied(rule!(DZ_4_1_1_06));
    let Ok(struck) = fire(&shot, &options, clerk) else { return };
    strike(table, Side::French, Place::Work(id), &struck, clerk);
    damage_work(table, id, struck.work_steps, clerk);
}

/// The shot of a Prussian battery.
///
/// # Errors
/// The rule that forbids it.
pub fn check_battery_shot(table: &Table, battery: UnitId, at: BatteryTarget) -> Verdict<()> {
    prussian_shot(table, battery, at, &mut Unheard).map(drop)
}

/// The shot of a Prussian battery and the place it falls on, if it may be fired.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn prussian_shot(
    table: &Table,
    battery: UnitId,
    at: BatteryTarget,
    clerk: &mut impl Clerk,
) -> Verdict<(Shot, Place)> {
    let data = battery.data();
    let refuse = |rule, reason| Err(Refusal::rule(rule, reason).with("unit", data.label));
    if !rule!(DZ_4_9_04).holds(data.arm == Arm::Fortress) {
        return refuse(rule!(DZ_4_9_04), phrase::NO_SIEGE_GUN);
    }
    if !rule!(DZ_4_9_04).holds(!table.marked(battery, Marks::DAMAGED)) {
        return refuse(rule!(DZ_4_9_04), phrase::BATTERY_DAMAGED);
    }
    if !rule!(DZ_4_9_04).holds(!table.marked(battery, Marks::FIRED)) {
        return refuse(rule!(DZ_4_9_04), phrase::HAS_FIRED);
    }
    let Some(sited) = Sited::of(table, battery) else {
        return refuse(rule!(DZ_4_9_04), phrase::NOT_EMPLACED);
    };
    let check_there = |somebody: bool| {
        if rule!(DZ_4_1_1_04).holds(somebody) {
            return Ok(());
        }
        Err(Refusal::rule(rule!(DZ_4_1_1_04), phrase::NOBODY_THERE))
    };
    let (centre, front, target, place, on) = match at {
        BatteryTarget::Work(id) => {
            let work = table.siege.work(id).ok_or_else(|| no_such_work(id))?;
            let rect = work.rect();
            (rect.centre, rect.muzzle(), Target::Work { damaged: work.damaged }, Place::Work(id), work.covers)
        }
        BatteryTarget::Open(spot) => {
            let place = Place::Open(spot);
            check_there(table.at(Side::French, place).next().is_some())?;
            let gun = table.at(Side::French, place).find(|unit| unit.data().arm.is_artillery());
            let facing = gun.map_or(Facing::CITY, |gun| Facing::degrees(table.unit(gun).facing.into()));
            let front = spot.fine().plus(facing.vector().times(i64::from(SHORT_M) * 5));
            let village = super::moves::in_village(spot);
            let target = Target::Open { village, damaged_trench: false };
            (spot.fine(), front, target, place, super::WallSet::default())
        }
        BatteryTarget::Wall(point) => {
            let place = Place::Wall(point);
            check_there(infantry_at(table, Side::French, place).next().is_some())?;
            let spot = GROUND.point(point).fine();
            let target = Target::Wall(table.siege.wall(point).level);
            (spot, spot, target, place, super::WallSet::default().with(point))
        }
        BatteryTarget::Kalke => {
            let french = table.siege.kalke.holder == Side::French;
            check_there(french && table.at(Side::French, Place::Kalke).next().is_some())?;
            let side = nearest_side(sited.centre);
            let spot = GROUND.kalke_side(side).fine();
            let damage = kalke_state(table.siege.kalke.damage[side as usize], &table.options);
            (spot, spot, Target::Kalke(damage), Place::Kalke, super::WallSet::default())
        }
    };
    in_arc(sited.centre, sited.facing, centre)?;
    // Anywhere in the arc, were it not for the second wall.
    if !clerk.holds(rule!(DZ_4_4_01), true) {
        return refuse(rule!(DZ_4_4_01), phrase::NO_FIRE_THERE);
    }
    check_sight(&sited, centre, |point| on.contains(point))?;
    let enfilade = match at {
        BatteryTarget::Work(id) => {
            check_enfilade(&table.siege, &table.options, &sited, id, true, &mut Unheard).is_ok()
        }
        _ => false,
    };
    let front = clerk.rather(rule!(DZ_4_5_1_01), front, centre);
    let bands = bands_between(sited.muzzle(), front);
    if !enfilade {
        check_range(data.gun, bands)?;
    }
    Ok((Shot { gun: Gun::Prussian, printed: data.gun, bands, target, enfilade, night: false }, place))
}

/// Lists every shot of the Prussian batteries.
pub fn list_battery_shots(table: &Table, mut each: impl FnMut(UnitId, BatteryTarget)) {
    let mut targets: Vec<BatteryTarget> =
        table.siege.all_works().map(|(id, _)| BatteryTarget::Work(id)).collect();
    for unit in UnitId::of_side(Side::French) {
        let target = match table.unit(unit).place {
            Place::Open(spot) => BatteryTarget::Open(spot),
            Place::Wall(point) => BatteryTarget::Wall(point),
            Place::Kalke => BatteryTarget::Kalke,
            _ => continue,
        };
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    for battery in super::sight::prussian_guns(table).filter(|gun| !table.marked(*gun, Marks::FIRED)) {
        for target in &targets {
            if check_battery_shot(table, battery, *target).is_ok() {
                each(battery, *target);
            }
        }
    }
}

/// A Prussian battery fires.
pub fn fire_battery(table: &mut Table, battery: UnitId, at: BatteryTarget, clerk: &mut impl Clerk) {
    let Ok((shot, place)) = prussian_shot(table, battery, at, clerk) else { return };
    let options = table.options;
    clerk.applied(rule!(DZ_4_9_04));
    let fired = clerk.rather(rule!(DZ_6_1_08), Marks::FIRED, Marks::default());
    table.unit_mut(battery).marks.set(fired);
    // Every battery by itself: its own factor, whoever fires at the same target.
    let printed = clerk.rather(rule!(DZ_4_9_05), shot.printed, shot.printed.saturating_mul(2));
    let Ok(struck) = fire(&Shot { printed, ..shot }, &options, clerk) else { return };
    clerk.applied(rule!(DZ_4_1_1_04));
    // What falls on the French falls on them as on the Prussians.
    if clerk.holds(rule!(DZ_4_5_2_06), true) {
        strike(table, Side::French, place, &struck, clerk);
    }
    if let BatteryTarget::Work(id) = at {
        damage_work(table, id, struck.work_steps, clerk);
    }
}
