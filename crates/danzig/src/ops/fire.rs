//! Fire on the operational map (3.1.1, 3.3, 3.5, series rules 10): the fortress, opportunity fire,
//! defensive and offensive fire. Firers and a target hex enter, results leave through
//! [`losses`](super::losses).

use kernel::{Clerk, Event, Verdict};
use rulebook::{phrase::danzig_ops as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bar::Bar;
use super::field::{Field, heading};
use super::hex::{Heading, Hex};
use super::losses::{lose_steps, test_all};
use super::map::{Exposure, Terrain};
use super::march::{Mover, Stride, leaves};
use super::series::FireResult;
use super::terrain::Cover;
use super::volley::{FireFacts, Firer, covered, shot};
use super::{HalfStep, Unheard, fortress};
use crate::{Arm, Formation, Marks, Place, Side, Table, UnitId, UnitSet};

/// One attack by fire: a hex and those who fire at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Attack {
    /// The hex fired at.
    pub target: Hex,
    /// Who fires: at most one counter of each hex.
    pub firers: UnitSet,
}

/// Whether a hex lies in the front of a counter at any distance: within 60 degrees of its facing.
fn in_arc(field: &Field<'_>, unit: UnitId, from: Hex, to: Hex) -> bool {
    field.facing(unit).is_none_or(|facing| within_front(facing, from, to))
}

/// Whether `to` lies within 60 degrees of a heading from `from`.
fn within_front(facing: Heading, from: Hex, to: Hex) -> bool {
    const AHEAD: [[i32; 3]; 6] = [[0, 1, -1], [1, 0, -1], [1, -1, 0], [0, -1, 1], [-1, 0, 1], [-1, 1, 0]];
    let ahead = AHEAD[facing as usize];
    let (a, b) = (from.cube(), to.cube());
    let mut dot = 0;
    let mut square = 0;
    for axis in 0..3 {
        let delta = b[axis] - a[axis];
        dot += delta * ahead[axis];
        square += delta * delta;
    }
    // cos 60 = 1/2, and the heading has square length 2.
    dot > 0 && 2 * dot * dot >= square
}

/// What a counter adds to a shot at a hex.
fn factor_at(field: &Field<'_>, unit: UnitId, target: Hex) -> Result<(Firer, u8), Bar> {
    let data = unit.data();
    let from = field.hex_of(unit)?;
    match data.arm {
        Arm::Siege12 | Arm::Siege24 => Bar::SiegeGunsLimbered.bars(true)?,
        Arm::Mortar => Bar::MortarsLimbered.bars(true)?,
        Arm::Fortress => return Err(Bar::FortressBattery),
        _ => {}
    }
    let firer = Firer::of(field, unit);
    if firer == Firer::Silent {
        return Err(if field.unit(unit).is_disordered() { Bar::Disordered } else { Bar::CannotFire });
    }
    Bar::Crossing.bars(field.table.ops.boats[unit.side() as usize].units.has(unit))?;
    let factor = firer.factor(from.distance(target));
    Bar::OutOfRange.bars(factor == 0)?;
    Bar::OutOfArc.bars(!in_arc(field, unit, from, target))?;
    let from_walls = field.map.terrain(from) == Terrain::Fort;
    Bar::StarImmune.bars(from_walls && field.map.cell(target).star.is_some())?;
    Bar::NoSight.bars(!field.sees(from, target))?;
    Ok((firer, factor))
}

/// Whether a hex may be fired at by a side at all.
fn check_target(field: &Field<'_>, side: Side, target: Hex) -> Result<(), Bar> {
    Bar::FrenchAtWalls.bars(field.map.terrain(target) == Terrain::Fort)?;
    Bar::NoTarget.bars(!field.enemy_at(target, side))
}

/// Whether a counter has its shot of this step.
fn has_shot(field: &Field<'_>, unit: UnitId, defensive: bool) -> Result<(), Bar> {
    let marks = field.unit(unit).marks;
    if marks.has(Marks::FIRED) || (defensive && marks.has(Marks::FIRED_OPPORTUNITY)) {
        Err(Bar::FiredAlready)
    } else {
        Ok(())
    }
}

/// The facts of a shot by several counters at a hex, or at some of the counters in it.
fn facts_of(
    field: &Field<'_>,
    firers: UnitSet,
    target: Hex,
    among: UnitSet,
    clerk: &mut impl Clerk,
) -> FireFacts {
    let mut facts = facts_of_target(field, target, among);
    for unit in firers.iter() {
        let Ok(from) = field.hex_of(unit) else { continue };
        let Ok((firer, factor)) = factor_at(field, unit, target) else { continue };
        facts.factor += firer.adds(factor, clerk);
        let inside = field.map.terrain(from) == Terrain::Camp;
        facts.cover.camp_side |= facts.cover.terrain == Terrain::Camp && !inside;
        facts.raked |= among.iter().any(|unit| {
            let state = field.unit(unit);
            let stiff = matches!(state.formation, Formation::Line | Formation::Unlimbered);
            stiff && !state.is_disordered() && !within_front(heading(state), target, from)
        });
    }
    facts
}

/// What the target is, whoever fires.
fn facts_of_target(field: &Field<'_>, target: Hex, among: UnitSet) -> FireFacts {
    let mut facts = FireFacts {
        cover: Cover { terrain: field.map.terrain(target), redoubt: field.redoubt(target), camp_side: false },
        ..FireFacts::default()
    };
    let mut troops = 0;
    let mut skirmishers = 0;
    let mut helpless = 0;
    let mut column = 0;
    let mut batteries = 0;
    for unit in among.iter() {
        let state = field.unit(unit);
        let guns = unit.data().arm.is_artillery();
        troops += u32::from(!guns);
        skirmishers += u32::from(state.formation == Formation::Skirmish);
        helpless += u32::from(state.is_disordered() || state.formation == Formation::Limbered);
        batteries += u32::from(state.formation == Formation::Unlimbered);
        facts.dense |= state.formation == Formation::Square && !state.is_disordered();
        if state.formation == Formation::Column {
            column += state.steps;
        }
    }
    facts.dense |= column >= 6;
    facts.skirmish = troops > 0 && skirmishers == troops;
    let open = !field.ground(target).hides() && !facts.cover.redoubt;
    facts.guns_alone = troops == 0 && batteries > 0 && open;
    facts.helpless = helpless > 0 && helpless == among.len();
    facts
}

fn may_fire(field: &Field<'_>, side: Side, defensive: bool, attack: &Attack) -> Result<(), Bar> {
    check_target(field, side, attack.target)?;
    let step = if defensive { HalfStep::DefensiveFire } else { HalfStep::Fire };
    Bar::TargetTaken.bars(field.table.ops.step == step && field.table.ops.targets.has(attack.target))?;
    Bar::CannotFire.bars(attack.firers.is_empty())?;
    let mut total = 0;
    let mut hexes = [None; 8];
    for unit in attack.firers.iter() {
        Bar::CannotFire.bars(unit.side() != side)?;
        has_shot(field, unit, defensive)?;
        let (_, factor) = factor_at(field, unit, attack.target)?;
        let from = field.hex_of(unit)?;
        let Some(free) = hexes.iter_mut().find(|hex| hex.is_none() || **hex == Some(from)) else {
            return Err(Bar::SecondOfStack);
        };
        Bar::SecondOfStack.bars(free.is_some())?;
        *free = Some(from);
        total += i32::from(factor);
    }
    let facts = facts_of(field, attack.firers, attack.target, stack(field, attack.target), &mut Unheard);
    if covered(&FireFacts { factor: total, ..facts }, &mut Unheard) < 1 {
        return Err(Bar::CoverTooGood);
    }
    Ok(())
}

fn stack(field: &Field<'_>, hex: Hex) -> UnitSet {
    field.at(hex).collect()
}

/// Whether a side may make this attack in its fire step.
///
/// # Errors
/// The refusal.
pub fn check_fire(table: &Table, side: Side, defensive: bool, attack: &Attack) -> Verdict<()> {
    Ok(may_fire(&Field::of(table), side, defensive, attack)?)
}

/// The most different hexes one step lists as targets.
const MOST_TARGETS: usize = 64;

/// The targets of a side with those who may fire at each; `fresh` leaves out who has fired before.
fn each_target(
    field: &Field<'_>,
    side: Side,
    may: impl Fn(UnitId) -> bool,
    mut each: impl FnMut(Hex, UnitSet),
) {
    let mut targets = [(Hex::default(), UnitSet::EMPTY); MOST_TARGETS];
    let mut count = 0;
    let mut add = |hex: Hex, unit: UnitId| {
        if let Some(found) = targets[..count].iter_mut().find(|(known, _)| *known == hex) {
            found.1.insert(unit);
        } else if count < MOST_TARGETS {
            targets[count] = (hex, UnitSet::of(unit));
            count += 1;
        }
    };
    for unit in UnitId::of_side(side) {
        let Place::Hex(from) = field.unit(unit).place else { continue };
        let range = Firer::of(field, unit).range();
        if range == 0 || !may(unit) {
            continue;
        }
        let mut aim = |hex: Hex| {
            if check_target(field, side, hex).is_ok() && factor_at(field, unit, hex).is_ok() {
                add(hex, unit);
            }
        };
        if range == 1 {
            from.around().for_each(|(_, hex)| aim(hex));
        } else {
            for enemy in UnitId::of_side(side.other()) {
                if let Place::Hex(hex) = field.unit(enemy).place
                    && hex.distance(from) <= range
                    && field.at(hex).next() == Some(enemy)
                {
                    aim(hex);
                }
            }
        }
    }
    for (hex, firers) in &targets[..count] {
        each(*hex, *firers);
    }
}

/// The strongest firer of every hex: of a stack only one fires.
fn best_of_each_hex(field: &Field<'_>, firers: UnitSet, target: Hex) -> UnitSet {
    let mut best = UnitSet::EMPTY;
    for unit in firers.iter() {
        let strength = |unit| factor_at(field, unit, target).map_or(0, |(_, factor)| factor);
        let place = field.unit(unit).place;
        let rival = best.iter().find(|&other| field.unit(other).place == place);
        match rival {
            None => best.insert(unit),
            Some(other) if strength(unit) > strength(other) => {
                best.remove(other);
                best.insert(unit);
            }
            Some(_) => {}
        }
    }
    best
}

/// Lists attacks of a side in its fire step: each counter alone, and for each target all that bear on
/// it, the best of every hex.
pub fn list_fire(table: &Table, side: Side, defensive: bool, mut each: impl FnMut(Attack)) {
    let field = Field::of(table);
    let may = |unit| has_shot(&field, unit, defensive).is_ok();
    each_target(&field, side, may, |target, firers| {
        let mut offer = |firers: UnitSet| {
            let attack = Attack { target, firers };
            if may_fire(&field, side, defensive, &attack).is_ok() {
                each(attack);
            }
        };
        firers.iter().for_each(|unit| offer(UnitSet::of(unit)));
        let best = best_of_each_hex(&field, firers, target);
        if best.len() > 1 {
            offer(best);
        }
    });
}

/// Whether any counter of either side could be fired at where it stands, by counters or by the
/// fortress (DZ-R32).
#[must_use]
pub fn anyone_targeted(table: &Table) -> bool {
    let field = Field::of(table);
    let rung = UnitId::of_side(Side::French).any(|unit| {
        matches!(field.unit(unit).place, Place::Hex(hex)
            if matches!(field.fortress_exposure(hex), Exposure::Ring(_)) && fortress::factor_at(&field, hex) > 0)
    });
    if rung {
        return true;
    }
    let mut any = false;
    for side in [Side::French, Side::Prussian] {
        each_target(
            &field,
            side,
            |_| true,
            |target, firers| {
                let best = best_of_each_hex(&field, firers, target);
                let facts = facts_of(&field, best, target, stack(&field, target), &mut Unheard);
                any |= covered(&facts, &mut Unheard) > 0;
            },
        );
    }
    any
}

/// The facts of an attack that may be made, for whoever wants its odds.
///
/// # Errors
/// The refusal.
pub(crate) fn aimed(
    table: &Table,
    defensive: bool,
    attack: &Attack,
    clerk: &mut impl Clerk,
) -> Verdict<FireFacts> {
    let side = attack.firers.iter().next().map_or(Side::French, UnitId::side);
    check_fire(table, side, defensive, attack)?;
    let field = Field::of(table);
    Ok(facts_of(&field, attack.firers, attack.target, stack(&field, attack.target), clerk))
}

/// Makes an attack that was checked.
pub fn fire(table: &mut Table, defensive: bool, attack: &Attack, clerk: &mut impl Clerk) {
    table.ops.step_into(if defensive { HalfStep::DefensiveFire } else { HalfStep::Fire });
    table.ops.targets.insert(attack.target);
    clerk.applied(rule!(DZ_3_5_01));
    let field = Field::of(table);
    clerk.applied(rule!(DZ_3_4_01));
    let among = stack(&field, attack.target);
    let facts = facts_of(&field, attack.firers, attack.target, among, clerk);
    for unit in attack.firers.iter() {
        table.unit_mut(unit).marks.set(Marks::FIRED);
    }
    if let Ok(strike) = shot(&facts, clerk) {
        clerk.happened(|| {
            Event::new(phrase::FIRE)
                .with("hex", attack.target.to_string())
                .with("factor", strike.factor)
                .with("roll", strike.roll)
        });
        suffer(table, attack.target, among, strike.result, clerk);
    }
}

/// The result of a shot falls on a stack.
pub(super) fn suffer(
    table: &mut Table,
    hex: Hex,
    among: UnitSet,
    result: FireResult,
    clerk: &mut impl Clerk,
) {
    match result {
        FireResult::None => {}
        FireResult::Test => test_all(table, hex, among, clerk),
        FireResult::Steps(steps) => lose_steps(table, hex, among, steps, clerk),
    }
}

/// Those of the other side who may fire at a stack as it leaves its hex: unlimbered guns within two
/// hexes and infantry beside it, in front of them, once per movement step.
#[must_use]
pub fn opportunity(table: &Table, mover: &Mover, stride: Stride) -> UnitSet {
    let mut set = UnitSet::EMPTY;
    if !leaves(stride) {
        return set;
    }
    let Some((side, left)) = mover.units.iter().next().and_then(|unit| match table.unit(unit).place {
        Place::Hex(hex) => Some((unit.side(), hex)),
        _ => None,
    }) else {
        return set;
    };
    let near = UnitId::of_side(side.other())
        .any(|unit| matches!(table.unit(unit).place, Place::Hex(hex) if hex.distance(left) <= 2));
    if near {
        opportunity_at(&Field::of(table), side, mover.units, left, &mut set);
    }
    set
}

/// Those who may fire at counters leaving a hex.
pub(super) fn opportunity_at(field: &Field<'_>, side: Side, moving: UnitSet, left: Hex, set: &mut UnitSet) {
    if check_target(field, side.other(), left).is_err() {
        return;
    }
    for unit in UnitId::of_side(side.other()) {
        let Place::Hex(from) = field.unit(unit).place else { continue };
        let near = if unit.data().arm.is_artillery() { 2 } else { 1 };
        if from.distance(left) > near || field.unit(unit).marks.has(Marks::FIRED_OPPORTUNITY) {
            continue;
        }
        if factor_at(field, unit, left).is_ok() {
            let facts = facts_of(field, UnitSet::of(unit), left, moving, &mut Unheard);
            if covered(&facts, &mut Unheard) > 0 {
                set.insert(unit);
            }
        }
    }
}

/// A counter fires at counters that are about to leave their hex.
pub fn opportunity_shot(table: &mut Table, firer: UnitId, moving: UnitSet, clerk: &mut impl Clerk) {
    let hex = moving.iter().find_map(|unit| match table.unit(unit).place {
        Place::Hex(hex) => Some(hex),
        _ => None,
    });
    let Some(hex) = hex else { return };
    let here: UnitSet = moving.iter().filter(|&unit| table.unit(unit).place == Place::Hex(hex)).collect();
    clerk.applied(rule!(DZ_3_5_01));
    table.unit_mut(firer).marks.set(Marks::FIRED_OPPORTUNITY);
    let facts = facts_of(&Field::of(table), UnitSet::of(firer), hex, here, clerk);
    if let Ok(strike) = shot(&facts, clerk) {
        clerk.happened(|| {
            Event::new(phrase::FIRE)
                .with("hex", hex.to_string())
                .with("factor", strike.factor)
                .with("roll", strike.roll)
        });
        suffer(table, hex, here, strike.result, clerk);
    }
}
