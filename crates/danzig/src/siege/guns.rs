//! The French fire step and the mine (chapters 2.4.1, 4.3.3, 4.3.4, 4.8 and 8.0), and the fire of the
//! fortress (4.4, 4.5.3 and 4.9): who may fire at what, and what comes of it.

use kernel::{Clerk, Effect, Measure, Refusal, Verdict};
use rulebook::options::danzig::MineEarliestExplosion;
use rulebook::{phrase::danzig_siege as phrase, rule};

use super::common::{damage_work, has_french, infantry_at, lower_wall, strike};
use super::fire::{Gun, Shot, Target, bands_between, fire, kalke_state};
use super::geometry::{Facing, in_arc};
use super::ground::GROUND;
use super::sight::{
    BatteryTarget, GunTarget, Sited, check_enfilade, check_short_of_city, check_sight, list_enfiladed,
    nearest_side, no_such_work,
};
use super::state::{KalkeSide, Mine, SHORT_M, WallId, WorkId, WorkSet};
use crate::state::Table;
use crate::unit::{Arm, Marks, Place, Side, UnitId};

/// A gun or mortar in a battery emplacement, in order.
fn check_emplaced(table: &Table, gun: UnitId) -> Verdict<Sited> {
    let label = gun.data().label;
    if table.unit(gun).is_disordered() {
        return Err(Refusal::rule(rule!(DZ_R30), phrase::DISORDERED).with("unit", label));
    }
    match table.unit(gun).place {
        // It came there too late to be emplaced again before this step.
        Place::Concentration if calibre(gun.data().arm).is_some() => {
            Err(Refusal::rule(rule!(DZ_4_3_3_04), phrase::NOT_EMPLACED).with("unit", label))
        }
        Place::Concentration => {
            Err(Refusal::rule(rule!(DZ_4_1_1_03), phrase::NOT_EMPLACED).with("unit", label))
        }
        Place::Work(_) => Sited::of(table, gun)
            .ok_or_else(|| Refusal::rule(rule!(DZ_4_7_2_27), phrase::NOT_EMPLACED).with("unit", label)),
        _ => Err(Refusal::rule(rule!(DZ_4_3_4_01), phrase::NOT_EMPLACED).with("unit", label)),
    }
}

/// Whether a mortar may fire.
///
/// # Errors
/// When it is no mortar, not emplaced, disordered, or has fired.
pub fn check_mortar(table: &Table, mortar: UnitId) -> Verdict<()> {
    let label = mortar.data().label;
    if mortar.data().arm != Arm::Mortar {
        return Err(Refusal::rule(rule!(DZ_4_3_4_01), phrase::NO_MORTAR).with("unit", label));
    }
    if table.marked(mortar, Marks::FIRED) {
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
    table.unit_mut(mortar).marks.set(Marks::FIRED);
    clerk.applied(rule!(DZ_4_8_01));
    clerk.applied(rule!(DZ_4_3_4_03));
    let die = clerk.d6();
    clerk.because(rule!(DZ_4_3_4_02), Effect::Set(Measure::Number(die.into())));
    if die == 6 {
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
    french_shot(table, gun, at).map(drop)
}

/// The shot of a French siege battery at a target, if it may be fired.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn french_shot(table: &Table, unit: UnitId, at: GunTarget) -> Verdict<Shot> {
    let data = unit.data();
    let Some(gun) = calibre(data.arm) else {
        let rule = if data.arm == Arm::FieldArtillery { rule!(DZ_2_4_1_01) } else { rule!(DZ_4_3_3_01) };
        return Err(Refusal::rule(rule, phrase::NO_SIEGE_GUN).with("unit", data.label));
    };
    let sited = check_emplaced(table, unit)?;
    let left = if gun == Gun::Siege24 { table.danzig.ammunition_24 } else { table.danzig.ammunition_12 };
    if left == 0 {
        return Err(Refusal::rule(rule!(DZ_4_8_02), phrase::NO_AMMUNITION).with("unit", data.label));
    }
    let target = match at {
        GunTarget::Wall(point) => {
            if has_french(table, point) {
                return Err(Refusal::rule(rule!(DZ_4_5_2_06), phrase::OWN_WALL).with("point", point));
            }
            Target::Wall(table.siege.wall(point).level)
        }
        GunTarget::Kalke(side) => {
            if table.siege.kalke.holder == Side::French {
                return Err(Refusal::rule(rule!(DZ_4_5_2_06), phrase::OWN_KALKE));
            }
            Target::Kalke(kalke_state(table.siege.kalke.damage[side as usize], &table.options))
        }
    };
    in_arc(sited.centre, sited.facing, at.spot().fine())?;
    check_short_of_city(&sited, at.spot().fine(), |point| at == GunTarget::Wall(point))?;
    let bands = bands_between(sited.muzzle(), at.spot().fine());
    let shot = Shot { gun, printed: data.gun, bands, target, enfilade: false, night: false };
    if data.gun <= bands {
        return Err(Refusal::rule(rule!(DZ_R12), phrase::OUT_OF_RANGE)
            .with("factor", data.gun)
            .with("bands", bands));
    }
    Ok(shot)
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

/// A French siege battery fires: ammunition, die, damage.
pub fn fire_gun(table: &mut Table, unit: UnitId, at: GunTarget, clerk: &mut impl Clerk) {
    let Ok(shot) = french_shot(table, unit, at) else { return };
    let options = table.options;
    clerk.applied(rule!(DZ_4_4_03));
    clerk.applied(rule!(DZ_4_5_1_01));
    clerk.applied(rule!(DZ_4_3_3_03));
    clerk.applied(rule!(DZ_4_8_03));
    let Ok(struck) = fire(&shot, &options, clerk) else { return };
    let store = ammunition(table, shot.gun);
    *store = store.saturating_sub(1);
    clerk.modifier(rule!(DZ_4_8_02), -1);
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
    clerk.because(rule!(DZ_8_0_04), Effect::Modifier(-i32::from(die)));
    clerk.applied(rule!(DZ_8_0_05));
    clerk.happened(|| kernel::Event::new(phrase::MINE_EXPLODES).with("point", under));
    lower_wall(table, under, die, clerk);
}

/// Whether the Prussian may roll against the mine.
#[must_use]
pub const fn may_countermine(table: &Table) -> bool {
    matches!(table.siege.mine, Mine::Dug { turn, .. } if table.turn > turn)
}

/// The counter-mine: a 6 removes the mine.
pub fn countermine(table: &mut Table, clerk: &mut impl Clerk) {
    let die = clerk.d6();
    clerk.because(rule!(DZ_8_0_03), Effect::Set(Measure::Number(die.into())));
    if die == 6 {
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
    clerk.applied(rule!(DZ_4_5_3_01));
    clerk.applied(rule!(DZ_4_5_3_02));
    clerk.applied(rule!(DZ_4_5_3_03));
    let kalke = super::sight::prussian_guns(table).any(|gun| {
        table.unit(gun).place == Place::Kalke
            && Sited::of(table, gun)
                .is_some_and(|gun| check_enfilade(&table.siege, &options, &gun, id, false).is_ok())
    });
    if kalke {
        clerk.applied(rule!(DZ_4_7_4_02));
    }
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
    prussian_shot(table, battery, at).map(drop)
}

/// The shot of a Prussian battery and the place it falls on, if it may be fired.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn prussian_shot(table: &Table, battery: UnitId, at: BatteryTarget) -> Verdict<(Shot, Place)> {
    let data = battery.data();
    let refuse = |rule, reason| Err(Refusal::rule(rule, reason).with("unit", data.label));
    if data.arm != Arm::Fortress {
        return refuse(rule!(DZ_4_9_04), phrase::NO_SIEGE_GUN);
    }
    if table.marked(battery, Marks::DAMAGED) {
        return refuse(rule!(DZ_4_9_04), phrase::BATTERY_DAMAGED);
    }
    if table.marked(battery, Marks::FIRED) {
        return refuse(rule!(DZ_4_9_04), phrase::HAS_FIRED);
    }
    let Some(sited) = Sited::of(table, battery) else {
        return refuse(rule!(DZ_4_9_04), phrase::NOT_EMPLACED);
    };
    let nobody = || Refusal::rule(rule!(DZ_4_1_1_04), phrase::NOBODY_THERE);
    let (centre, front, target, place, on) = match at {
        BatteryTarget::Work(id) => {
            let work = table.siege.work(id).ok_or_else(|| no_such_work(id))?;
            let rect = work.rect();
            (rect.centre, rect.muzzle(), Target::Work { damaged: work.damaged }, Place::Work(id), work.covers)
        }
        BatteryTarget::Open(spot) => {
            let place = Place::Open(spot);
            if table.at(Side::French, place).next().is_none() {
                return Err(nobody());
            }
            let gun = table.at(Side::French, place).find(|unit| unit.data().arm.is_artillery());
            let facing = gun.map_or(Facing::CITY, |gun| Facing::degrees(table.unit(gun).facing.into()));
            let front = spot.fine().plus(facing.vector().times(i64::from(SHORT_M) * 5));
            let village = super::moves::in_village(spot);
            let target = Target::Open { village, damaged_trench: false };
            (spot.fine(), front, target, place, super::WallSet::default())
        }
        BatteryTarget::Wall(point) => {
            let place = Place::Wall(point);
            if infantry_at(table, Side::French, place).next().is_none() {
                return Err(nobody());
            }
            let spot = GROUND.point(point).fine();
            let target = Target::Wall(table.siege.wall(point).level);
            (spot, spot, target, place, super::WallSet::default().with(point))
        }
        BatteryTarget::Kalke => {
            if table.siege.kalke.holder != Side::French
                || table.at(Side::French, Place::Kalke).next().is_none()
            {
                return Err(nobody());
            }
            let side = nearest_side(sited.centre);
            let spot = GROUND.kalke_side(side).fine();
            let damage = kalke_state(table.siege.kalke.damage[side as usize], &table.options);
            (spot, spot, Target::Kalke(damage), Place::Kalke, super::WallSet::default())
        }
    };
    in_arc(sited.centre, sited.facing, centre)?;
    check_sight(&sited, centre, |point| on.contains(point))?;
    let enfilade = match at {
        BatteryTarget::Work(id) => check_enfilade(&table.siege, &table.options, &sited, id, true).is_ok(),
        _ => false,
    };
    let bands = bands_between(sited.muzzle(), front);
    if !enfilade && data.gun <= bands {
        return Err(Refusal::rule(rule!(DZ_R12), phrase::OUT_OF_RANGE)
            .with("factor", data.gun)
            .with("bands", bands));
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
    let Ok((shot, place)) = prussian_shot(table, battery, at) else { return };
    let options = table.options;
    table.unit_mut(battery).marks.set(Marks::FIRED);
    clerk.applied(rule!(DZ_4_9_04));
    clerk.applied(rule!(DZ_4_9_05));
    clerk.applied(rule!(DZ_6_1_08));
    clerk.applied(rule!(DZ_4_4_01));
    clerk.applied(rule!(DZ_4_5_1_01));
    clerk.applied(rule!(DZ_4_1_1_04));
    let Ok(struck) = fire(&shot, &options, clerk) else { return };
    clerk.applied(rule!(DZ_4_5_2_06));
    strike(table, Side::French, place, &struck, clerk);
    if let BatteryTarget::Work(id) = at {
        damage_work(table, id, struck.work_steps, clerk);
    }
}
