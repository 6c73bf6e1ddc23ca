//! Sorties (chapter 4.9): targets by the nearest-then-adjacent rule, one melee after the other; and the
//! sortie that retakes the Kalke-Schanze. What the French do against it is in
//! [`repulse`](super::repulse).

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::danzig::{KalkeSortieSteps, SortieTargets};
use rulebook::{phrase::danzig_siege as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::assault::fight;
use super::common::{Holders, STACK, damage_work, disorder, infantry_at, steps_of, steps_on};
use super::fire::kalke_state;
use super::garrison::serves;
use super::geometry::{Fine, Spot};
use super::ground::GROUND;
use super::melee::{Against, Defence};
use super::muster::Muster;
use super::sight::no_such_work;
use super::state::{KalkeSide, SiegeMap, WallId, WorkId};
use crate::state::Table;
use crate::unit::{Arm, Place, Side, UnitId, UnitSet};

/// Most groups, and so most targets, of a sortie.
pub(crate) const GROUPS: usize = 3;

/// What a group of a sortie attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SortieTarget {
    /// A field fortification.
    Work(WorkId),
    /// A side of the Kalke-Schanze; all groups attack it together.
    Kalke(KalkeSide),
}

/// A group: one two-step unit or two one-step units, before its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Group {
    /// The first unit.
    pub unit: UnitId,
    /// The second, if both have one step.
    pub with: Option<UnitId>,
    /// What it attacks.
    pub target: SortieTarget,
}

impl Group {
    fn units(&self) -> impl Iterator<Item = UnitId> + use<> {
        [Some(self.unit), self.with].into_iter().flatten()
    }
}

/// A sortie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Sortie {
    /// Its groups, the nearest target first.
    pub groups: [Option<Group>; GROUPS],
}

/// The sortie under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SortieRun {
    /// What was declared.
    pub sortie: Sortie,
    /// The field batteries that have fired at each group.
    pub fired: [UnitSet; GROUPS],
    /// The melee that comes next.
    pub next: u8,
}

/// The square of the distance of a work to the nearest point of the first wall (DZ-R47).
fn rank(map: &SiegeMap, id: WorkId) -> i64 {
    let Some(work) = map.work(id) else { return i64::MAX };
    let rect = work.rect();
    WallId::first_wall().map(|point| rect.squared_to(GROUND.point(point).fine())).min().unwrap_or(i64::MAX)
}

/// The works that may be the next target after these.
fn next_targets(table: &Table, chosen: &[WorkId]) -> Vec<WorkId> {
    let map = &table.siege;
    let open = |id: &WorkId| {
        !chosen.contains(id)
            && (chosen.is_empty()
                || table.options.sortie_targets == SortieTargets::ThreeNearest
                || chosen.iter().any(|c| map.work(*c).is_some_and(|work| work.links.contains(*id))))
    };
    let ranked: Vec<(i64, WorkId)> =
        map.all_works().map(|(id, _)| id).filter(open).map(|id| (rank(map, id), id)).collect();
    let least = ranked.iter().map(|(distance, _)| *distance).min();
    ranked.into_iter().filter(|(distance, _)| Some(*distance) == least).map(|(_, id)| id).collect()
}

/// Whether a unit may make a sortie.
fn check_sallier(table: &Table, unit: UnitId) -> Verdict<()> {
    let refuse = |rule, reason| Err(Refusal::rule(rule, reason).with("unit", unit.data().label));
    if !rule!(DZ_4_3_2_06).holds(unit.data().arm != Arm::Fortress) {
        return refuse(rule!(DZ_4_3_2_06), phrase::ONLY_INFANTRY);
    }
    if !rule!(DZ_4_9_11).holds(serves(table, unit)) {
        return refuse(rule!(DZ_4_9_11), phrase::ONLY_INFANTRY);
    }
    if !rule!(DZ_R30).holds(!table.unit(unit).is_disordered()) {
        return refuse(rule!(DZ_R30), phrase::DISORDERED);
    }
    if !rule!(DZ_4_9_11).holds(matches!(table.unit(unit).place, Place::Reserve | Place::Wall(_))) {
        return refuse(rule!(DZ_4_9_11), phrase::NOT_IN_THE_CITY);
    }
    Ok(())
}

/// Whether a sortie is legal.
///
/// # Errors
/// The rule that forbids it.
pub fn check_sortie(table: &Table, sortie: &Sortie) -> Verdict<()> {
    if !rule!(DZ_4_9_10).holds(!table.danzig.sorties_over) {
        return Err(Refusal::rule(rule!(DZ_4_9_10), phrase::SORTIES_OVER));
    }
    let groups: Vec<&Group> = sortie.groups.iter().flatten().collect();
    if groups.is_empty()
        || sortie.groups[0].is_none()
        || (sortie.groups[1].is_none() && sortie.groups[2].is_some())
    {
        return Err(Refusal::field("groups", phrase::NOBODY));
    }
    let mut used = UnitSet::EMPTY;
    let mut steps = 0;
    for unit in groups.iter().flat_map(|group| group.units()) {
        check_sallier(table, unit)?;
        if used.has(unit) {
            return Err(Refusal::field("groups", phrase::UNIT_TWICE).with("unit", unit.data().label));
        }
        used.insert(unit);
    }
    for group in &groups {
        let size: u8 = group.units().map(|unit| steps_of(table, unit)).sum();
        if !rule!(DZ_4_9_12).holds(size <= STACK) {
            return Err(Refusal::rule(rule!(DZ_4_9_12), phrase::GROUP_TOO_BIG).with("steps", size));
        }
        steps += size;
    }
    if let SortieTarget::Kalke(side) = groups[0].target {
        let kalke = &table.siege.kalke;
        let instead = groups.iter().all(|group| group.target == SortieTarget::Kalke(side));
        if !rule!(DZ_4_7_4_08).holds(instead) {
            return Err(Refusal::rule(rule!(DZ_4_7_4_08), phrase::KALKE_INSTEAD));
        }
        let lost_before = kalke.holder == Side::French && kalke.taken_on != 0 && kalke.taken_on < table.turn;
        if !rule!(DZ_4_7_4_08).holds(lost_before) {
            return Err(Refusal::rule(rule!(DZ_4_7_4_08), phrase::KALKE_NOT_TO_RETAKE));
        }
        let most = match table.options.kalke_sortie_steps {
            KalkeSortieSteps::V4 => 4,
            KalkeSortieSteps::V6 => 6,
        };
        if !rule!(DZ_R61).holds(steps <= most) {
            return Err(Refusal::rule(rule!(DZ_R61), phrase::TOO_MANY_STEPS).with("steps", steps));
        }
        return Ok(());
    }
    let mut chosen = Vec::new();
    for group in groups {
        let SortieTarget::Work(id) = group.target else {
            return Err(Refusal::rule(rule!(DZ_4_7_4_08), phrase::KALKE_INSTEAD));
        };
        if table.siege.work(id).is_none() {
            return Err(no_such_work(id));
        }
        let rule = if chosen.is_empty() { rule!(DZ_4_9_09) } else { rule!(DZ_R47) };
        if !rule.holds(next_targets(table, &chosen).contains(&id)) {
            return Err(Refusal::rule(rule, phrase::NOT_THE_NEXT_TARGET).with("work", id));
        }
        chosen.push(id);
    }
    Ok(())
}

/// Whether there is anything that a sortie may fall on: a work, or a French Kalke-Schanze.
fn may_sally(table: &Table) -> bool {
    !table.danzig.sorties_over && (!table.siege.works.is_empty() || is_kalke_to_retake(table))
}

const fn is_kalke_to_retake(table: &Table) -> bool {
    matches!(table.siege.kalke.holder, Side::French) && table.siege.kalke.taken_on < table.turn
}

/// Whether a unit may be named for a sortie after those who are named already.
///
/// # Errors
/// The rule that keeps it back.
pub fn check_sortie_muster(table: &Table, muster: &Muster, unit: UnitId) -> Verdict<()> {
    if !may_sally(table) {
        return Err(Refusal::rule(rule!(DZ_4_9_10), phrase::SORTIES_OVER));
    }
    check_sallier(table, unit)?;
    let Some(muster) = muster.with(unit) else {
        return Err(Refusal::field("unit", phrase::UNIT_TWICE).with("unit", unit.data().label));
    };
    let steps: u8 = muster.iter().map(|unit| steps_of(table, unit)).sum();
    if !rule!(DZ_4_9_12).holds(muster.groups(table).len() <= GROUPS) {
        return Err(Refusal::rule(rule!(DZ_4_9_12), phrase::TOO_MANY_STEPS).with("steps", steps));
    }
    Ok(())
}

/// Lists who may be named for a sortie.
pub fn list_sortie_muster(table: &Table, muster: &Muster, each: impl FnMut(UnitId)) {
    if may_sally(table) {
        UnitId::of_side(Side::Prussian)
            .filter(|unit| check_sortie_muster(table, muster, *unit).is_ok())
            .for_each(each);
    }
}

/// The targets in their order, the first of each tie.
fn targets_in_order(table: &Table) -> Vec<WorkId> {
    let mut targets = Vec::new();
    while targets.len() < GROUPS
        && let Some(id) = next_targets(table, &targets).first()
    {
        targets.push(*id);
    }
    targets
}

/// Lists the sorties of those who are named, in the order of their names: on the targets in theirs, and on
/// each side of a French Kalke-Schanze. While nobody is named: one, two and three groups of the strongest
/// and of the smallest units.
pub fn list_sorties(table: &Table, muster: &Muster, mut each: impl FnMut(Sortie)) {
    if !may_sally(table) {
        return;
    }
    if muster.is_empty() {
        return list_ready_sorties(table, each);
    }
    let groups = muster.groups(table);
    let sortie = |target: &dyn Fn(usize) -> Option<SortieTarget>| {
        let mut sortie = Sortie { groups: [None; GROUPS] };
        for (at, (slot, (unit, with))) in sortie.groups.iter_mut().zip(&groups).enumerate() {
            *slot = target(at).map(|target| Group { unit: *unit, with: *with, target });
        }
        sortie
    };
    let targets = targets_in_order(table);
    let on_works = (groups.len() <= targets.len())
        .then(|| sortie(&|at| targets.get(at).copied().map(SortieTarget::Work)));
    let on_kalke = KalkeSide::ALL.map(|side| sortie(&|_| Some(SortieTarget::Kalke(side))));
    on_works
        .into_iter()
        .chain(on_kalke)
        .filter(|sortie| check_sortie(table, sortie).is_ok())
        .for_each(&mut each);
}

fn list_ready_sorties(table: &Table, mut each: impl FnMut(Sortie)) {
    let kalke = is_kalke_to_retake(table);
    let mut units: Vec<UnitId> =
        UnitId::of_side(Side::Prussian).filter(|unit| check_sallier(table, *unit).is_ok()).collect();
    units.sort_by_key(|unit| {
        let reserve = table.unit(*unit).place == Place::Reserve;
        (!reserve, std::cmp::Reverse((steps_of(table, *unit), unit.data().morale)), *unit)
    });
    let strong: Vec<(UnitId, Option<UnitId>)> = pairs(table, &units);
    units.sort_by_key(|unit| (steps_of(table, *unit), unit.data().morale, *unit));
    let weak = pairs(table, &units);
    let targets = targets_in_order(table);
    let mut last = None;
    for force in [&strong, &weak] {
        for count in 1..=targets.len().min(force.len()) {
            let mut sortie = Sortie { groups: [None; GROUPS] };
            for ((slot, (unit, with)), id) in sortie.groups.iter_mut().zip(force).zip(&targets).take(count) {
                *slot = Some(Group { unit: *unit, with: *with, target: SortieTarget::Work(*id) });
            }
            if last != Some(sortie) && check_sortie(table, &sortie).is_ok() {
                each(sortie);
            }
            last = Some(sortie);
        }
    }
    if kalke {
        for side in KalkeSide::ALL {
            for count in 1..=2 {
                let mut sortie = Sortie { groups: [None; GROUPS] };
                for (slot, (unit, with)) in sortie.groups.iter_mut().zip(&strong).take(count) {
                    *slot = Some(Group { unit: *unit, with: *with, target: SortieTarget::Kalke(side) });
                }
                if check_sortie(table, &sortie).is_ok() && (count == 1 || sortie.groups[1].is_some()) {
                    each(sortie);
                }
            }
        }
    }
}

/// Groups of two steps from a list of units, in its order; not many more than a sortie has.
pub(super) fn pairs(table: &Table, units: &[UnitId]) -> Vec<(UnitId, Option<UnitId>)> {
    let mut groups: Vec<(UnitId, Option<UnitId>)> = Vec::new();
    for unit in units {
        if groups.len() > GROUPS {
            break;
        }
        let single = steps_of(table, *unit) == 1;
        match groups.last_mut() {
            Some((first, with @ None)) if single && steps_of(table, *first) == 1 => *with = Some(*unit),
            _ => groups.push((*unit, None)),
        }
    }
    groups
}

/// Where a group stands before its target, and the middle of its front edge.
pub(super) fn stand(map: &SiegeMap, at: usize, target: SortieTarget) -> (Spot, Fine) {
    match target {
        SortieTarget::Work(id) => match map.work(id) {
            Some(work) => {
                let (rect, vector) = (work.rect(), work.pose.facing.vector());
                (rect.muzzle().plus(vector.times(250)).spot(), rect.muzzle())
            }
            None => (Spot::default(), Fine::default()),
        },
        SortieTarget::Kalke(side) => {
            let (middle, guns) = (GROUND.kalke_side(side), GROUND.kalke_guns);
            let away = |a: i16, b: i16| a + (a - b).signum() * 250;
            let spread = i16::try_from(at).unwrap_or(0) * 10;
            (Spot::new(away(middle.x, guns.x), away(middle.y, guns.y) + spread), middle.fine())
        }
    }
}

/// The groups of a sortie go before their targets.
pub fn begin_sortie(table: &mut Table, sortie: &Sortie, clerk: &mut impl Clerk) -> SortieRun {
    let out = clerk.holds(rule!(DZ_4_1_2_01), true);
    let first = sortie.groups[0].map(|group| group.target);
    let (most, apart) = if let Some(SortieTarget::Kalke(_)) = first {
        clerk.applied(rule!(DZ_4_7_4_08));
        (GROUPS, true)
    } else {
        clerk.applied(rule!(DZ_4_9_09));
        // Three targets, each with a group before it.
        (clerk.rather(rule!(DZ_4_9_08), GROUPS, 0), clerk.holds(rule!(DZ_4_9_12), true))
    };
    for (at, group) in sortie.groups.iter().take(most).enumerate() {
        let Some(group) = group else { continue };
        let target = first.filter(|_| !apart).unwrap_or(group.target);
        let (spot, _) = stand(&table.siege, at, target);
        for unit in group.units().filter(|_| out) {
            table.unit_mut(unit).place = Place::Open(spot);
        }
    }
    SortieRun { sortie: *sortie, fired: [UnitSet::EMPTY; GROUPS], next: 0 }
}

/// Those of a group who are still before their target.
pub(super) fn left(table: &Table, group: &Group) -> Vec<UnitId> {
    group
        .units()
        .filter(|unit| {
            matches!(table.unit(*unit).place, Place::Open(_)) && !table.unit(*unit).is_disordered()
        })
        .collect()
}

/// Fights the next melee; true while another one is left, or while steps lost in this one are owed.
pub fn sortie_melee(table: &mut Table, run: &mut SortieRun, clerk: &mut impl Clerk) -> bool {
    let at = usize::from(run.next);
    let groups = run.sortie.groups;
    if let Some(Some(group)) = groups.get(at) {
        match group.target {
            SortieTarget::Work(id) => {
                melee_at_work(table, group, id, clerk);
                run.next += u8::from(table.siege.brawl.is_none());
            }
            SortieTarget::Kalke(side) => {
                melee_at_kalke(table, &groups, side, clerk);
                run.next = if table.siege.brawl.is_none() { 3 } else { 0 };
            }
        }
        if table.siege.brawl.is_some() {
            return true;
        }
    }
    let more = groups.get(usize::from(run.next)).is_some_and(Option::is_some);
    if !more {
        // All who were sent out end in the reserve, those in Kalke excepted.
        for unit in groups.iter().flatten().flat_map(Group::units) {
            if matches!(table.unit(unit).place, Place::Open(_)) {
                table.unit_mut(unit).place = Place::Reserve;
            }
        }
    }
    more
}

fn melee_at_work(table: &mut Table, group: &Group, id: WorkId, clerk: &mut impl Clerk) {
    let attackers = left(table, group);
    let Some(work) = table.siege.work(id).copied() else { return };
    let under_way = table.siege.brawl.is_some();
    if attackers.is_empty() && !under_way {
        return;
    }
    let place = Place::Work(id);
    let Holders { guns, defenders, defence } = Holders::of(table, place);
    let lost = if defenders.is_empty() && !under_way {
        clerk.holds(rule!(DZ_R48), true)
    } else {
        let against = Against::Sortie { damaged: work.damaged };
        let Some((_, lost)) = fight(table, &attackers, &defenders, defence, against, clerk) else { return };
        lost
    };
    if lost {
        for gun in guns {
            if table.unit(gun).place == place {
                disorder(table, gun, clerk);
            }
        }
        damage_work(table, id, clerk.rather(rule!(DZ_4_9_18), 1, 0), clerk);
    } else {
        damage_work(table, id, clerk.rather(rule!(DZ_4_9_19), 0, 1), clerk);
    }
}

fn melee_at_kalke(
    table: &mut Table,
    groups: &[Option<Group>; GROUPS],
    side: KalkeSide,
    clerk: &mut impl Clerk,
) {
    let attackers: Vec<UnitId> = groups.iter().flatten().flat_map(|group| left(table, group)).collect();
    let under_way = table.siege.brawl.is_some();
    if attackers.is_empty() && !under_way {
        return;
    }
    let infantry: Vec<UnitId> = infantry_at(table, Side::French, Place::Kalke).collect();
    let damage = kalke_state(table.siege.kalke.damage[side as usize], &table.options);
    let won = if infantry.is_empty() && !under_way {
        clerk.holds(rule!(DZ_R61), true)
    } else {
        let defence =
            Defence { steps: steps_on(table, Side::French, Place::Kalke).min(4), ..Defence::default() };
        let against = Against::Kalke { damage, retake: true };
        let Some((won, _)) = fight(table, &attackers, &infantry, defence, against, clerk) else { return };
        won
    };
    if won {
        for unit in infantry
            .iter()
            .copied()
            .filter(|unit| table.unit(*unit).place == Place::Kalke)
            .collect::<Vec<_>>()
        {
            table.unit_mut(unit).place = Place::Concentration;
        }
        table.siege.kalke.holder = Side::Prussian;
        clerk.happened(|| kernel::Event::new(phrase::KALKE_RETAKEN));
        for unit in attackers {
            if matches!(table.unit(unit).place, Place::Open(_)) {
                table.unit_mut(unit).place = Place::Kalke;
            }
        }
    }
}
