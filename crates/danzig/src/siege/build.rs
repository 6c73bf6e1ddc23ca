//! Construction and repair (chapters 2.4.2, 4.7.2, 4.7.3, 4.8 and 8.0): points, workers, new works,
//! upgrades, printed redoubts, lodgements on the walls, the mine, removals and demolitions.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::{phrase::danzig_siege as phrase, rule};
use serde::{Deserialize, Serialize};

use super::candidates::candidates;
use super::common::{
    STACK, destroy_work, displace_from, infantry_at, is_manned, lower_wall, steps_on, wall_under,
};
use super::exposure::{Errand, Exposure};
use super::geometry::{Facing, Rect, TOLERANCE_DM, segments_touch, sides};
use super::ground::GROUND;
use super::moves::OPEN_POINTS;
use super::route::{Danger, check_line, dangers, dangers_through, zone_exit};
use super::sight::no_such_work;
use super::state::{LONG_M, Mine, Pose, RedoubtId, WallId, WallSet, Work, WorkId, WorkKind};
use super::tables::{Item, cost};
use super::trench::{Site, check_ground, check_site, lay};
use crate::ops::Unheard;
use crate::state::Table;
use crate::unit::{Arm, Marks, Place, Side, UnitId};

/// Something repaired, built, changed or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Build {
    /// A damaged work is made whole.
    Repair {
        /// The work.
        work: WorkId,
        /// Who works on it.
        worker: UnitId,
    },
    /// A new work, in the field or on a wall.
    New {
        /// What.
        kind: WorkKind,
        /// Where.
        pose: Pose,
        /// Who digs it.
        worker: UnitId,
    },
    /// A parallel becomes a battery emplacement.
    Upgrade {
        /// The parallel.
        work: WorkId,
        /// Who works on it.
        worker: UnitId,
    },
    /// A battery emplacement on a printed redoubt.
    Redoubt {
        /// The redoubt.
        redoubt: RedoubtId,
        /// Its front: up (90) or down (270) the map.
        facing: Facing,
        /// Who works on it.
        worker: UnitId,
    },
    /// A sap near the walls is cut short at its head.
    Shorten {
        /// The sap.
        work: WorkId,
        /// Its new length in metres.
        length: u8,
        /// Who works on it.
        worker: UnitId,
    },
    /// The mine.
    Mine {
        /// Where its marker lies: like a sap.
        pose: Pose,
    },
    /// A work is given up.
    Remove {
        /// The work.
        work: WorkId,
    },
}

impl Build {
    /// Whether it is a repair.
    #[must_use]
    pub const fn is_repair(&self) -> bool {
        matches!(self, Self::Repair { .. })
    }

    /// The construction points it costs.
    #[must_use]
    pub fn points(&self) -> u8 {
        match self {
            Self::Repair { .. } => cost(Item::Repair),
            Self::New { kind: WorkKind::Sap, .. } => cost(Item::Sap),
            Self::New { kind: WorkKind::Parallel, .. } => cost(Item::Parallel),
            Self::New { kind: WorkKind::Battery, .. } => cost(Item::BatteryNew),
            Self::Upgrade { .. } => cost(Item::BatteryFromParallel),
            Self::Redoubt { .. } => cost(Item::PrintedRedoubtBattery),
            Self::Mine { .. } => cost(Item::Mine),
            Self::Shorten { .. } | Self::Remove { .. } => cost(Item::Remove),
        }
    }

    const fn worker(&self) -> Option<UnitId> {
        match *self {
            Self::Repair { worker, .. }
            | Self::New { worker, .. }
            | Self::Upgrade { worker, .. }
            | Self::Redoubt { worker, .. }
            | Self::Shorten { worker, .. } => Some(worker),
            Self::Mine { .. } | Self::Remove { .. } => None,
        }
    }
}

/// Infantry that could still be named a worker, in the concentration area.
fn hands(table: &Table) -> impl Iterator<Item = UnitId> + '_ {
    infantry_at(table, Side::French, Place::Concentration).filter(|unit| {
        !table.unit(*unit).is_disordered()
            && !table.marked(*unit, Marks::WORKER)
            && table.unit(*unit).steps > 0
    })
}

/// Whether a unit may be the worker of an element whose units stand in these places.
fn check_worker(table: &Table, worker: UnitId, places: &[Place]) -> Verdict<()> {
    let refuse = |rule, reason| Err(Refusal::rule(rule, reason).with("unit", worker.data().label));
    let state = table.unit(worker);
    if !rule!(DZ_4_7_2_21).holds(worker.side() == Side::French && worker.data().arm == Arm::Infantry) {
        return refuse(rule!(DZ_4_7_2_21), phrase::NO_WORKER);
    }
    if !rule!(DZ_R30).holds(!state.is_disordered()) {
        return refuse(rule!(DZ_R30), phrase::DISORDERED);
    }
    if !rule!(DZ_4_8_05).holds(!table.marked(worker, Marks::WORKER)) {
        return refuse(rule!(DZ_4_8_05), phrase::IS_A_WORKER);
    }
    let there: u8 = places.iter().map(|place| steps_on(table, Side::French, *place)).sum();
    let fits = |steps: u8| there + steps <= STACK;
    if state.place == Place::Concentration {
        if rule!(DZ_R57).holds(fits(state.steps)) {
            return Ok(());
        }
        return Err(Refusal::rule(rule!(DZ_R57), phrase::NO_ROOM).with("steps", there));
    }
    let on_the_spot = places.contains(&state.place) && !hands(table).any(|unit| fits(table.unit(unit).steps));
    if !rule!(DZ_4_7_2_04).holds(on_the_spot) {
        return refuse(rule!(DZ_4_7_2_04), phrase::WORKER_FROM_THE_ZONE);
    }
    Ok(())
}

/// Whether something may be built.
///
/// # Errors
/// The rule that forbids it.
pub fn check_build(table: &Table, build: &Build) -> Verdict<()> {
    if let Build::Remove { work } = *build {
        return table.siege.work(work).map(drop).ok_or_else(|| no_such_work(work));
    }
    if !rule!(DZ_4_7_2_10).holds(table.danzig.may_build && table.turn >= 2) {
        return Err(Refusal::rule(rule!(DZ_4_7_2_10), phrase::NO_INFANTRY_TO_WORK));
    }
    if !rule!(DZ_4_7_2_10).holds(build.points() <= table.danzig.construction) {
        return Err(Refusal::rule(rule!(DZ_4_7_2_10), phrase::NO_POINTS)
            .with("points", build.points())
            .with("left", table.danzig.construction));
    }
    match *build {
        Build::Repair { work, worker } => {
            let element = existing(table, work)?;
            if !rule!(DZ_4_7_2_03).holds(element.damaged) {
                return Err(Refusal::rule(rule!(DZ_4_7_2_03), phrase::NOT_DAMAGED).with("work", work));
            }
            check_worker(table, worker, &[Place::Work(work)])?;
            // Who stands in it already has no way to go.
            let cut_off =
                table.unit(worker).place == Place::Concentration && way_to_repair(table, work).is_none();
            if !rule!(DZ_R81).holds(!cut_off) {
                return Err(Refusal::rule(rule!(DZ_R81), phrase::NOT_CONNECTED).with("work", work));
            }
            Ok(())
        }
        Build::New { kind, pose, worker } => {
            let site = site(table, kind, pose, &mut Unheard)?;
            let walls: Vec<Place> = site.covers.iter().map(Place::Wall).collect();
            check_worker(table, worker, &walls)
        }
        Build::Upgrade { work, worker } => {
            let element = existing(table, work)?;
            for (rule, never) in
                [(rule!(DZ_4_7_2_27), WorkKind::Sap), (rule!(DZ_4_7_2_08), WorkKind::Battery)]
            {
                if !rule.holds(element.kind != never) {
                    return Err(Refusal::rule(rule, phrase::NO_UPGRADE).with("work", work));
                }
            }
            check_connected(table, work)?;
            check_worker(table, worker, &[Place::Work(work)])
        }
        Build::Redoubt { redoubt, facing, worker } => {
            redoubt_site(table, redoubt, facing)?;
            check_worker(table, worker, &[])
        }
        Build::Shorten { work, length, worker } => {
            let element = existing(table, work)?;
            let shorter = element.kind == WorkKind::Sap && length < element.pose.length;
            if !rule!(DZ_4_7_2_24).holds(shorter) {
                return Err(Refusal::rule(rule!(DZ_4_7_2_24), phrase::LENGTH).with("length", length));
            }
            check_connected(table, work)?;
            shortened(table, work, length)?;
            check_worker(table, worker, &[Place::Work(work)])
        }
        Build::Mine { pose } => mine_site(table, pose).map(drop),
        Build::Remove { .. } => Ok(()),
    }
}

fn existing(table: &Table, work: WorkId) -> Verdict<&Work> {
    let element = table.siege.work(work).ok_or_else(|| no_such_work(work))?;
    if !rule!(DZ_R57).holds(element.worker.is_none()) {
        return Err(Refusal::rule(rule!(DZ_R57), phrase::HAS_A_WORKER).with("work", work));
    }
    Ok(element)
}

fn check_connected(table: &Table, work: WorkId) -> Verdict<()> {
    if rule!(DZ_R81).holds(table.siege.network.contains(work)) {
        return Ok(());
    }
    Err(Refusal::rule(rule!(DZ_R81), phrase::NOT_CONNECTED).with("work", work))
}

pub(super) fn site(table: &Table, kind: WorkKind, pose: Pose, clerk: &mut impl Clerk) -> Verdict<Site> {
    check_site(&table.siege, kind, pose, table.turn, |point| is_manned(table, point), clerk)
}

/// The emplacement on a printed redoubt (DZ-R99).
fn redoubt_site(table: &Table, redoubt: RedoubtId, facing: Facing) -> Verdict<(Pose, Site)> {
    let Some(pose) = GROUND.redoubt(redoubt, facing) else {
        return Err(Refusal::field("redoubt", phrase::NO_SUCH_REDOUBT));
    };
    if !rule!(DZ_R99).holds([90, 270].contains(&facing.get())) {
        return Err(Refusal::rule(rule!(DZ_R99), phrase::REDOUBT_FACING));
    }
    let bit = 1 << redoubt.0;
    let joined = rule!(DZ_4_7_3_01).holds(table.siege.redoubts_touched() & bit != 0);
    if !(joined && rule!(DZ_4_7_3_02).holds(table.siege.linked_redoubts & bit != 0)) {
        return Err(Refusal::rule(rule!(DZ_4_7_3_02), phrase::REDOUBT_NOT_LINKED));
    }
    let site = lay(&table.siege, WorkKind::Battery, &pose.rect(WorkKind::Battery), None)?;
    Ok((pose, site))
}

/// A sap cut short at its head, its rear left where it is.
fn shortened(table: &Table, work: WorkId, length: u8) -> Verdict<(Pose, Site)> {
    let element = table.siege.work(work).ok_or_else(|| no_such_work(work))?;
    let back = i64::from(element.pose.length - length) * 10 / 2;
    let centre = element.pose.at.fine().minus(element.pose.facing.vector().times(back));
    let pose = Pose { at: centre.spot(), facing: element.pose.facing, length };
    super::trench::check_short(pose)?;
    let rect = pose.rect(WorkKind::Sap);
    let site = lay(&table.siege, WorkKind::Sap, &rect, Some(work))?;
    // Cut off the point it covered, it must not lie across the wall any more.
    check_ground(&rect, site.covers)?;
    Ok((pose, site))
}

/// The wall point a mine would hit.
fn mine_site(table: &Table, pose: Pose) -> Verdict<WallId> {
    if !rule!(DZ_8_0_01).holds(!table.danzig.mine_used && table.siege.mine == Mine::None) {
        return Err(Refusal::rule(rule!(DZ_8_0_01), phrase::ONE_MINE));
    }
    if !rule!(DZ_R14).holds(pose.length == LONG_M) {
        return Err(Refusal::rule(rule!(DZ_R14), phrase::LENGTH).with("length", pose.length));
    }
    let rect: Rect = pose.rect(WorkKind::Sap);
    let (a, b) = rect.rear();
    let starts = table.siege.network.iter().filter_map(|id| table.siege.work(id)).any(|work| {
        let theirs = work.rect();
        sides(&theirs.corners()).any(|(c, d)| segments_touch(a, b, c, d, TOLERANCE_DM))
            && GROUND.between((&rect, WallSet::default()), (&theirs, work.covers)).is_none()
    });
    if !rule!(DZ_R55).holds(starts) {
        return Err(Refusal::rule(rule!(DZ_R55), phrase::MINE_NO_START));
    }
    let head = rect.muzzle();
    let corners = rect.corners();
    GROUND
        .first_wall
        .iter()
        .chain(&GROUND.second_wall)
        .filter(|piece| {
            let reached = rect.is_crossed_by(piece.a, piece.b)
                || sides(&corners).any(|(c, d)| segments_touch(piece.a, piece.b, c, d, TOLERANCE_DM));
            rule!(DZ_8_0_02).holds(reached)
        })
        .min_by_key(|piece| super::geometry::squared_to_segment(head, piece.a, piece.b))
        .map(|piece| piece.owner)
        .ok_or_else(|| Refusal::rule(rule!(DZ_8_0_02), phrase::MINE_TOO_SHORT))
}

/// The worker offered for an element whose units stand in these places.
pub(crate) fn pick(table: &Table, places: &[Place]) -> Option<UnitId> {
    let there: u8 = places.iter().map(|place| steps_on(table, Side::French, *place)).sum();
    hands(table)
        .filter(|unit| there + table.unit(*unit).steps <= STACK)
        .max_by_key(|unit| (table.unit(*unit).steps, std::cmp::Reverse(*unit)))
        .or_else(|| {
            places
                .iter()
                .flat_map(|place| infantry_at(table, Side::French, *place))
                .find(|unit| check_worker(table, *unit, places).is_ok())
        })
}

/// Lists the repairs, each with one worker; any other may be named.
pub fn list_repairs(table: &Table, mut each: impl FnMut(Build)) {
    if !table.danzig.may_build || table.danzig.construction == 0 {
        return;
    }
    for (work, element) in table.siege.all_works().filter(|(_, element)| element.damaged) {
        if element.worker.is_none()
            && let Some(worker) = pick(table, &[Place::Work(work)])
        {
            let build = Build::Repair { work, worker };
            if check_build(table, &build).is_ok() {
                each(build);
            }
        }
    }
}

/// Lists what may be built at sensible places, each with one worker; any other pose may be asked for.
pub fn list_builds(table: &Table, mut each: impl FnMut(Build)) {
    for (work, _) in table.siege.all_works() {
        each(Build::Remove { work });
    }
    if !table.danzig.may_build {
        return;
    }
    let points = table.danzig.construction;
    if let Some(worker) = pick(table, &[]) {
        if points >= 1 {
            candidates(
                &table.siege,
                table.turn,
                |point| is_manned(table, point),
                |kind, pose| {
                    let build = Build::New { kind, pose, worker };
                    if build.points() <= points {
                        // On a wall the French who stand there take room.
                        let rect = pose.rect(kind);
                        let high = rect.corners().iter().any(|corner| corner.y >= GROUND.lowest_wall);
                        if !high || check_build(table, &build).is_ok() {
                            each(build);
                        }
                    }
                },
            );
        }
        for redoubt in (0..5).map(RedoubtId) {
            if table.siege.linked_redoubts & (1 << redoubt.0) != 0 {
                for facing in [Facing::CITY, Facing::degrees(270)] {
                    let build = Build::Redoubt { redoubt, facing, worker };
                    if check_build(table, &build).is_ok() {
                        each(build);
                    }
                }
            }
        }
    }
    if points >= 1 {
        for work in table.siege.network.iter() {
            if table.siege.work(work).is_some_and(|w| w.kind == WorkKind::Parallel && w.worker.is_none())
                && let Some(worker) = pick(table, &[Place::Work(work)])
            {
                each(Build::Upgrade { work, worker });
            }
        }
    }
    if points >= cost(Item::Mine) && table.siege.mine == Mine::None && !table.danzig.mine_used {
        for work in table.siege.network.iter().filter_map(|id| table.siege.work(id)) {
            let rect = work.rect();
            if rect.muzzle().y + 1000 * super::geometry::FINE < GROUND.lowest_wall {
                continue;
            }
            let facing = work.pose.facing;
            let centre = rect.muzzle().plus(facing.vector().times(i64::from(LONG_M) * 5));
            let pose = Pose::new(centre.spot(), facing);
            if mine_site(table, pose).is_ok() {
                each(Build::Mine { pose });
            }
        }
    }
}

/// The shots drawn by a worker on his way to a repair beyond a break (DZ-R81).
pub(crate) fn dangers_of(table: &Table, build: &Build) -> Vec<Danger> {
    let Build::Repair { work, .. } = *build else { return Vec::new() };
    way_to_repair(table, work).unwrap_or_default()
}

/// The shots on the way to a work that is to be repaired: along the works while they touch each other,
/// else straight over the gap that a destroyed one has left, from wherever that draws the fewest. The
/// work itself counts as intact. Nothing when no such way is open.
fn way_to_repair(table: &Table, work: WorkId) -> Option<Vec<Danger>> {
    if let Some(way) = table.siege.way(None, work) {
        return Some(dangers_through(&table.siege, &way, Some(work)));
    }
    let mut map = table.siege.clone();
    map.work_mut(work)?.damaged = false;
    let to = map.work(work)?.pose.at;
    let onto = wall_under(table, Place::Work(work));
    let exits = map.network.iter().filter_map(|id| Some((Some(id), map.work(id)?.pose.at)));
    exits
        .chain([(None, zone_exit(to))])
        .filter(|(exit, from)| {
            let off = exit.and_then(|id| wall_under(table, Place::Work(id)));
            check_line(table, from.fine(), to.fine(), off, onto).is_ok()
        })
        .map(|(_, from)| dangers(&map, &[from, to]))
        .filter(|shots| shots.len() <= usize::from(OPEN_POINTS))
        .min_by_key(Vec::len)
}

/// The worker sets out.
pub fn begin_build(table: &mut Table, build: &Build, clerk: &mut impl Clerk) -> Exposure {
    let worker = build.worker().map(|worker| (worker, table.unit(worker).place));
    let on_the_spot = worker.is_some_and(|(_, place)| place != Place::Concentration);
    if worker.is_some() {
        clerk.applied(rule!(DZ_4_7_2_21));
    }
    let shots = match if on_the_spot { 0 } else { dangers_of(table, build).len() } {
        0 => 0,
        shots => clerk.rather(rule!(DZ_4_8_06), shots, 0),
    };
    Exposure::new(Errand::Build(*build), worker.into_iter(), shots)
}

/// The work is done, if the worker has come through.
pub(crate) fn finish(table: &mut Table, build: &Build, exposure: &Exposure, clerk: &mut impl Clerk) {
    if build.worker().is_some() && exposure.left(table).is_empty() {
        clerk.applied(rule!(DZ_R81));
        return;
    }
    let points = build.points();
    if points > 0 {
        let spent = clerk.modifier(rule!(DZ_4_7_2_15), -i32::from(points));
        let spent = clerk.rather(rule!(DZ_4_8_07), spent, 0);
        if clerk.holds(rule!(DZ_4_7_2_02), true) {
            let left = &mut table.danzig.construction;
            *left = left.saturating_add_signed(i8::try_from(spent).unwrap_or(0));
        }
    }
    match *build {
        Build::Repair { work, worker } => {
            if let Some(element) = table.siege.work_mut(work) {
                element.damaged = clerk.rather(rule!(DZ_4_7_2_03), false, true);
                element.worker = Some(worker);
            }
            table.siege.join();
            post(table, worker, work, clerk);
        }
        Build::New { kind, pose, worker } => {
            // The worker is on his way: the place is judged as it was when he set out.
            let Ok(site) = site(table, kind, pose, clerk) else { return };
            place(table, kind, pose, site, worker, clerk);
        }
        Build::Upgrade { work, worker } => {
            if let Some(element) = table.siege.work_mut(work) {
                element.kind = clerk.rather(rule!(DZ_4_7_2_08), WorkKind::Battery, element.kind);
                element.worker = Some(worker);
            }
            post(table, worker, work, clerk);
        }
        Build::Redoubt { redoubt, facing, worker } => {
            clerk.applied(rule!(DZ_4_7_3_01));
            let Ok((pose, site)) = redoubt_site(table, redoubt, facing) else { return };
            clerk.applied(rule!(DZ_4_7_3_02));
            place(table, WorkKind::Battery, pose, site, worker, clerk);
        }
        Build::Shorten { work, length, worker } => {
            let Ok((pose, site)) = shortened(table, work, length) else { return };
            clerk.applied(rule!(DZ_4_7_2_24));
            if let Some(mut element) = table.siege.remove_work(work) {
                element.pose = pose;
                element.links = site.links;
                element.covers = site.covers;
                element.worker = Some(worker);
                table.siege.put_back(work, element);
            }
            post(table, worker, work, clerk);
        }
        Build::Mine { pose } => {
            let Ok(under) = mine_site(table, pose) else { return };
            clerk.applied(rule!(DZ_8_0_02));
            table.siege.mine = Mine::Dug { pose, under, turn: table.turn };
            table.danzig.mine_used = clerk.rather(rule!(DZ_8_0_01), true, false);
        }
        Build::Remove { work } => {
            if clerk.holds(rule!(DZ_4_7_2_25), true) {
                destroy_work(table, work, clerk);
            }
        }
    }
}

/// The worker stands on his element and stays.
fn post(table: &mut Table, worker: UnitId, work: WorkId, clerk: &mut impl Clerk) {
    let state = table.unit_mut(worker);
    state.place = clerk.rather(rule!(DZ_4_7_2_04), Place::Work(work), state.place);
    state.marks.set(clerk.rather(rule!(DZ_4_8_05), Marks::WORKER, Marks::default()));
}

/// A new work lies on the map, with all that follows if it lies on a wall.
fn place(table: &mut Table, kind: WorkKind, pose: Pose, site: Site, worker: UnitId, clerk: &mut impl Clerk) {
    let Site { covers, at_zone, links } = site;
    let work = Work { kind, pose, damaged: false, worker: Some(worker), covers, at_zone, links };
    let Some(id) = table.siege.add_work(work) else { return };
    if !table.danzig.siege_works_begun {
        table.danzig.siege_works_begun = true;
        clerk.applied(rule!(DZ_R20));
    }
    for point in covers.iter() {
        displace_from(table, point, clerk);
        let down_to: u8 = clerk.value(rule!(DZ_4_7_2_23), 0);
        lower_wall(table, point, table.siege.wall(point).level.saturating_sub(down_to), clerk);
        let wall = table.siege.wall_mut(point);
        (wall.holder, wall.stormed_on, wall.stormed_at, wall.demolished_on) = (Side::French, 0, 0, 0);
        if !table.danzig.sorties_over {
            table.danzig.sorties_over = clerk.rather(rule!(DZ_4_9_10), true, false);
        }
        if point.is_second() {
            table.danzig.second_line_entered(clerk);
        }
        let there: Vec<UnitId> = infantry_at(table, Side::French, Place::Wall(point)).collect();
        for unit in there {
            table.unit_mut(unit).place = Place::Work(id);
        }
    }
    post(table, worker, id, clerk);
    clerk.happened(|| {
        kernel::Event::new(phrase::WORK_BUILT).with("work", id).with("unit", worker.data().label)
    });
}

/// Points stormed at 11 to 16 on an earlier turn lose ten levels to the infantry that holds them.
pub fn demolitions(table: &mut Table, clerk: &mut impl Clerk) {
    for point in WallId::all() {
        let wall = *table.siege.wall(point);
        let due = (11..=16).contains(&wall.stormed_at)
            && wall.stormed_on > 0
            && wall.stormed_on < table.turn
            && wall.demolished_on == 0;
        if !due {
            continue;
        }
        let there: Vec<UnitId> = infantry_at(table, Side::French, Place::Wall(point)).collect();
        if there.is_empty() {
            continue;
        }
        let turn = table.turn;
        table.siege.wall_mut(point).demolished_on = turn;
        let levels = -clerk.modifier(rule!(DZ_4_8_24), -10);
        lower_wall(table, point, u8::try_from(levels).unwrap_or(0), clerk);
        for unit in there {
            table.unit_mut(unit).marks.set(Marks::WORKER);
        }
    }
}
