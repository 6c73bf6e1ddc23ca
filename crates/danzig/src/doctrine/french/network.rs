//! The trenches: the natural network of the plan of the maps before the Hagelsberg, from the border of the
//! concentration area to the foot of the wall, then lodgements on both walls. What a gun would rake is
//! left until the gun is silent; the weakest battalion digs.

use super::super::{Mind, metres};
use super::{BREACHES, storm, weight};
use crate::action::Action;
use crate::ops::Unheard;
use crate::siege::sight::{check_raked, check_raking_distance, check_sight, prussian_guns};
use crate::siege::{Build, Facing, GROUND, LONG_M, Pose, Sited, Spot, WallId, WorkId, WorkKind, steps_on};
use crate::unit::{Arm, Marks, Place, Side, UnitId};

/// A work of the plan: what, where its centre lies in metres, and how long it is. All look at the city.
#[derive(Clone, Copy)]
struct Dig {
    kind: WorkKind,
    x: i32,
    y: i32,
    length: u8,
}

const fn dig(kind: WorkKind, x: i32, y: i32) -> Dig {
    Dig { kind, x, y, length: LONG_M }
}

/// So many battalions never dig.
const STORMERS: usize = 3;
/// So many batteries before the breach make no difference.
const LOUD: usize = 3;
/// The work before the main breach, from which the walls are built on.
const CROWN: (i32, i32) = (850, 1225);

/// No work of the second parallel lies deeper than this.
const SECOND: i32 = 1000;
/// The works of both parallels through which the way to the breach leads.
const WAY: [(i32, i32); 2] = [(950, 725), (900, 975)];

/// What is dug, in this order.
const PLAN: [Dig; 24] = {
    use WorkKind::{Battery, Parallel, Sap};
    [
        // The first parallel, and the second with room for the guns that silence the walls.
        dig(Sap, 1000, 550),
        dig(Sap, 1000, 650),
        dig(Parallel, 950, 725),
        dig(Battery, 1050, 725),
        dig(Sap, 950, 800),
        dig(Sap, 950, 900),
        dig(Battery, 900, 975),
        dig(Battery, 1000, 975),
        dig(Battery, 1100, 975),
        dig(Battery, 800, 975),
        // The bound to the wall, while its guns are silent: the third parallel, and the crowning, from where
        // 24-pounders reach both walls and no counter-attack reaches them.
        dig(Sap, 900, 1050),
        dig(Battery, 850, 1125),
        Dig { kind: Sap, x: 825, y: 1175, length: 50 },
        dig(Battery, 850, 1225),
        Dig { kind: Sap, x: 875, y: 1175, length: 50 },
        dig(Battery, 950, 1225),
        dig(Battery, 950, 1125),
        dig(Battery, 750, 1225),
        // Room for more guns, on a second way.
        dig(Battery, 850, 725),
        dig(Sap, 700, 550),
        dig(Sap, 700, 650),
        dig(Battery, 750, 725),
        dig(Battery, 650, 725),
        dig(Sap, 800, 1050),
    ]
};

/// The next thing to dig.
pub(super) fn build(mind: &Mind<'_>) -> Action {
    redoubt(mind).or_else(|| lodgement(mind)).or_else(|| planned(mind)).unwrap_or_else(|| mind.rest())
}

/// An emplacement on a printed redoubt costs nothing but a worker.
fn redoubt(mind: &Mind<'_>) -> Option<Action> {
    mind.best(|action| match action {
        Action::Build(Build::Redoubt { facing, worker, .. }) if *facing == Facing::CITY => {
            Some(100 - weight(mind, *worker))
        }
        _ => None,
    })
}

/// A work on a wall point that is to fall: a sap will do.
fn lodgement(mind: &Mind<'_>) -> Option<Action> {
    let siege = &mind.table().siege;
    // On the second wall only to enter it, and to stay.
    let enters = storm::is_last(mind) || !mind.table().danzig.second_line_done;
    let wanted: Vec<WallId> = BREACHES
        .into_iter()
        .flat_map(|first| [first, first.linked()])
        .filter(|point| enters || !point.is_second())
        .filter(|point| siege.work_on(*point).is_none() && siege.wall(*point).level <= 10)
        .collect();
    if wanted.is_empty() {
        return None;
    }
    let onto = mind.best(|action| {
        let Action::Build(Build::New { kind, pose, .. }) = action else { return None };
        let rect = pose.rect(*kind);
        let covered = wanted.iter().position(|point| rect.holds(GROUND.point(*point).fine(), 0))?;
        let kind = match kind {
            WorkKind::Sap => 30,
            WorkKind::Parallel => 20,
            WorkKind::Battery => 10,
        };
        Some(kind - 100 * i32::try_from(covered).ok()?)
    });
    let approach = || {
        // A sap that brings the next work onto the wall.
        mind.best(|action| {
            let Action::Build(Build::New { kind: WorkKind::Sap, pose, .. }) = action else { return None };
            let target = GROUND.point(*wanted.first()?);
            let head = pose.rect(WorkKind::Sap).muzzle().spot();
            let left = metres(head, target);
            (pose.at.y > 11_500 && left < 60 && head.y <= target.y).then_some(100 - left)
        })
    };
    let crowned = || work_at(mind, CROWN.0, CROWN.1).is_some();
    let onto = onto.map(|action| by_fit_hands(mind, action));
    onto.or_else(|| crowned().then(approach).flatten().map(|action| by_the_weakest(mind, action)))
}

/// The first work of the plan that can be dug and that no gun rakes; while the guns of the walls are silent
/// those of the bound come first.
fn planned(mind: &Mind<'_>) -> Option<Action> {
    let worker = diggers(mind).next()?;
    let bound = is_bound(mind);
    let (forward, other): (Vec<&Dig>, Vec<&Dig>) = PLAN
        .iter()
        .filter(|dig| work_at(mind, dig.x, dig.y).is_none() && is_time(dig, mind, bound))
        .partition(|dig| dig.y > SECOND);
    forward.into_iter().chain(other).find_map(|dig| {
        let pose = Pose { length: dig.length, ..Pose::new(Spot::metres(dig.x, dig.y), Facing::CITY) };
        let order = Action::Build(Build::New { kind: dig.kind, pose, worker });
        (!is_raked(mind, dig.kind, pose) && mind.allows(&order)).then_some(order)
    })
}

/// Whether it is time for a work: for the second parallel when the end is near, for what lies beyond it in
/// the bound.
fn is_time(dig: &Dig, mind: &Mind<'_>, bound: bool) -> bool {
    match dig.y {
        ..760 => true,
        760..=SECOND => storm::is_near(mind),
        _ => bound,
    }
}

/// Whether the walls are come up to now: the end is near and their guns are silent, or there is nothing left
/// to wait for.
pub(super) fn is_bound(mind: &Mind<'_>) -> bool {
    storm::is_ripe(mind) && (is_silent(mind) || storm::is_last(mind) && mind.table().turn >= 11)
}

/// Whether a work lies on the way to the breach: in the bound no other is mended.
pub(super) fn is_on_the_way(mind: &Mind<'_>, work: WorkId) -> bool {
    let Some(work) = mind.table().siege.work(work) else { return false };
    work.kind == WorkKind::Sap
        || i32::from(work.pose.at.y) > SECOND * 10
        || WAY.iter().any(|(x, y)| work.pose.at == Spot::metres(*x, *y))
}

/// Whether hardly a battery is left before the breach that could fire.
pub(super) fn is_silent(mind: &Mind<'_>) -> bool {
    let breach = GROUND.point(BREACHES[0]);
    let bears = |gun: &UnitId| match mind.table().unit(*gun).place {
        Place::Wall(point) => metres(GROUND.point(point), breach) < 600,
        _ => false,
    };
    prussian_guns(mind.table()).filter(bears).count() <= LOUD
}

/// The same order by the weakest battalion that may carry it out; on the second wall, where it will be
/// attacked, by the strongest.
fn by_fit_hands(mind: &Mind<'_>, action: Action) -> Action {
    let Action::Build(Build::New { kind, pose, .. }) = action else { return action };
    let rect = pose.rect(kind);
    let inner = WallId::all().any(|point| point.is_second() && rect.holds(GROUND.point(point).fine(), 0));
    if !inner {
        return by_the_weakest(mind, action);
    }
    let mut hands: Vec<UnitId> = mind.infantry(Side::French).collect();
    hands.sort_by_key(|unit| (std::cmp::Reverse(weight(mind, *unit)), *unit));
    hands
        .into_iter()
        .map(|worker| Action::Build(Build::New { kind, pose, worker }))
        .find(|order| mind.allows(order))
        .unwrap_or(action)
}

/// The same order by the weakest battalion that may carry it out.
fn by_the_weakest(mind: &Mind<'_>, action: Action) -> Action {
    let Action::Build(Build::New { kind, pose, .. }) = action else { return action };
    diggers(mind)
        .map(|worker| Action::Build(Build::New { kind, pose, worker }))
        .find(|order| mind.allows(order))
        .unwrap_or(action)
}

/// The battalions of the concentration area that dig, the weakest first; the strongest of all are kept for
/// the storm.
fn diggers(mind: &Mind<'_>) -> impl Iterator<Item = UnitId> {
    let table = mind.table();
    let mut all: Vec<UnitId> = mind.infantry(Side::French).collect();
    all.sort_by_key(|unit| (weight(mind, *unit), *unit));
    all.truncate(all.len().saturating_sub(STORMERS));
    all.retain(|unit| table.unit(*unit).place == Place::Concentration && !table.marked(*unit, Marks::WORKER));
    all.into_iter()
}

/// The work whose centre is here.
pub(super) fn work_at(mind: &Mind<'_>, x: i32, y: i32) -> Option<WorkId> {
    let at = Spot::metres(x, y);
    mind.table().siege.all_works().find(|(_, work)| work.pose.at == at).map(|(id, _)| id)
}

/// Whether a gun that can fire would sweep this work from end to end, wherever it looks now: it can turn.
/// Under the wall it makes little difference.
fn is_raked(mind: &Mind<'_>, kind: WorkKind, pose: Pose) -> bool {
    if kind == WorkKind::Sap || pose.at.y > 11_000 {
        return false;
    }
    let rect = pose.rect(kind);
    let table = mind.table();
    prussian_guns(table).filter_map(|gun| Sited::of(table, gun)).any(|gun| {
        check_raked(gun.centre, &rect, &mut Unheard).is_ok()
            && check_raking_distance(gun.centre, &rect, &mut Unheard).is_ok()
            && check_sight(&gun, rect.centre, |_| false).is_ok()
    }) && table.turn < 5
}

/// Whether a wall point is free of Prussian infantry.
pub(super) fn is_empty(mind: &Mind<'_>, point: WallId) -> bool {
    steps_on(mind.table(), Side::Prussian, Place::Wall(point)) == 0
}

/// Emplacements that hold no gun.
pub(super) fn free_emplacements(mind: &Mind<'_>) -> Vec<WorkId> {
    let table = mind.table();
    let taken = |id: WorkId| {
        table
            .at(Side::French, Place::Work(id))
            .any(|unit| unit.data().arm.is_artillery() && unit.data().arm != Arm::Infantry)
    };
    table
        .siege
        .network
        .iter()
        .filter(|id| table.siege.work(*id).is_some_and(|work| work.kind == WorkKind::Battery) && !taken(*id))
        .collect()
}
