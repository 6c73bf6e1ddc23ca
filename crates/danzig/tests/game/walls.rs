//! The walls of Danzig once more, from the map tables alone: on which side of them a place lies, what joins
//! the sides, and what the French have to have opened before they stand behind one.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use danzig::siege::{
    Assault, GROUND, GunTarget, OpenEnd, SiegeMap, SiegeMove, Spot, WallId, Work, WorkId, gun_at, is_french,
    is_manned,
};
use danzig::{Action, Place, Side, Table, UnitId};
use rulebook::options::danzig::WallAssaultMaxLevel;
use rulebook::tables::danzig::MAP_SIEGE_SHAPES;

/// A place in metres.
type At = (f64, f64);

/// A side of the walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ground {
    /// Before the first wall.
    Field,
    /// Between the walls.
    Ditch,
    /// Behind the second wall.
    City,
}

/// The lines of the map.
struct Lines {
    first: [Vec<At>; 2],
    second: Vec<At>,
    ditch: Vec<At>,
    city: Vec<At>,
}

static LINES: LazyLock<Lines> = LazyLock::new(|| {
    let line = |id: &str| -> Vec<At> {
        let row = MAP_SIEGE_SHAPES.iter().find(|row| row.id.word() == id).unwrap();
        let pair = |text: &str| {
            let (x, y) = text.split_once(',').unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        };
        row.points_xy_m.split_whitespace().map(pair).collect()
    };
    let (left, right, second) = (line("wall1H"), line("wall1B"), line("wall2"));
    let ditch = left.iter().chain(&right).chain(second.iter().rev()).copied().collect();
    let city = second.iter().copied().chain([(2300.0, 2000.0), (450.0, 2000.0)]).collect();
    Lines { first: [left, right], second, ditch, city }
});

fn inside((x, y): At, polygon: &[At]) -> bool {
    let mut within = false;
    for (at, (ax, ay)) in polygon.iter().enumerate() {
        let (bx, by) = polygon[(at + 1) % polygon.len()];
        if (*ay > y) != (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax) {
            within = !within;
        }
    }
    within
}

fn ground(at: At) -> Ground {
    match () {
        () if inside(at, &LINES.city) => Ground::City,
        () if inside(at, &LINES.ditch) => Ground::Ditch,
        () => Ground::Field,
    }
}

fn metres(spot: Spot) -> At {
    (f64::from(spot.x) / 10.0, f64::from(spot.y) / 10.0)
}

/// The corners of a work and its middle.
#[allow(clippy::cast_precision_loss, reason = "a plane of 2,800 m")]
fn body(work: &Work) -> Vec<At> {
    let metres = |fine: i64| fine as f64 / 163_840.0;
    let rect = work.rect();
    let corners = rect.corners().into_iter().chain([rect.centre]);
    corners.map(|corner| (metres(corner.x), metres(corner.y))).collect()
}

/// The sides on which a work may lie: one, or those that the points it covers divide.
fn sides(work: &Work) -> Result<BTreeSet<Ground>, String> {
    let mut found: BTreeSet<Ground> = body(work).into_iter().map(ground).collect();
    let mut opened = BTreeSet::new();
    for point in work.covers.iter() {
        opened.insert(Ground::Ditch);
        opened.insert(if point.is_second() { Ground::City } else { Ground::Field });
    }
    let lines = LINES.first.iter().chain([&LINES.second]).flatten();
    let poked = lines.copied().any(|vertex| inside(vertex, &body(work)[..4]));
    if opened.is_empty() && (found.len() > 1 || poked) {
        return Err(format!("{:?} lies across a wall at {:?}", work.kind, work.pose));
    }
    if !opened.is_empty() && !found.is_subset(&opened) {
        return Err(format!("{:?} lies across a wall it has not opened at {:?}", work.kind, work.pose));
    }
    found.append(&mut opened);
    Ok(found)
}

/// What is joined shares a side of the walls, and a work that is new can be reached from the zone by works
/// that touch on the same side of them.
pub(crate) fn works(before: &[Option<Work>], siege: &SiegeMap) -> Result<(), String> {
    let mut all: Vec<(WorkId, &Work, BTreeSet<Ground>)> = Vec::new();
    for (id, work) in siege.all_works() {
        all.push((id, work, sides(work)?));
    }
    for (id, work, here) in &all {
        if let Some((other, ..)) =
            all.iter().find(|(other, _, there)| work.links.contains(*other) && here.is_disjoint(there))
        {
            return Err(format!("{id:?} and {other:?} are joined through a wall"));
        }
    }
    let known = |id: WorkId| {
        before.get(id.index()).is_some_and(|slot| {
            slot.as_ref().is_some_and(|old| Some(old.pose) == siege.work(id).map(|work| work.pose))
        })
    };
    if all.iter().all(|(id, ..)| known(*id)) {
        return Ok(());
    }
    let mut reached: BTreeSet<WorkId> =
        all.iter().filter(|(_, work, _)| work.at_zone).map(|(id, ..)| *id).collect();
    loop {
        let next: Vec<WorkId> = all
            .iter()
            .filter(|(id, work, here)| {
                !reached.contains(id)
                    && all.iter().any(|(from, other, there)| {
                        reached.contains(from)
                            && !here.is_disjoint(there)
                            && work.rect().touches(&other.rect())
                    })
            })
            .map(|(id, ..)| *id)
            .collect();
        if next.is_empty() {
            break;
        }
        reached.extend(next);
    }
    match all
        .iter()
        .find(|(id, _, here)| !known(*id) && !reached.contains(id) && !here.contains(&Ground::Field))
    {
        Some((id, work, _)) => {
            Err(format!("{id:?} was built behind a wall at {:?}, and nothing leads there", work.pose))
        }
        None => Ok(()),
    }
}

/// Where two segments cross, as a part of the first.
fn crossing((ax, ay): At, (bx, by): At, (cx, cy): At, (dx, dy): At) -> Option<At> {
    let (ux, uy, vx, vy) = (bx - ax, by - ay, dx - cx, dy - cy);
    let turn = ux * vy - uy * vx;
    if turn == 0.0 {
        return None;
    }
    let part = ((cx - ax) * vy - (cy - ay) * vx) / turn;
    let along = ((cx - ax) * uy - (cy - ay) * ux) / turn;
    ((0.0..=1.0).contains(&part) && (0.0..=1.0).contains(&along)).then_some((ax + part * ux, ay + part * uy))
}

/// The point of a wall whose segment a place of it belongs to.
fn owner((x, y): At, second: bool) -> WallId {
    let away = |id: &WallId| {
        let (px, py) = metres(GROUND.point(*id));
        (px - x).hypot(py - y)
    };
    WallId::all().filter(|id| id.is_second() == second).min_by(|a, b| away(a).total_cmp(&away(b))).unwrap()
}

/// Whether a straight way passes the walls only where they were open when it was taken.
fn way(table: &Table, a: At, b: At, own: &[WallId]) -> Result<(), String> {
    let most = match table.options.wall_assault_max_level {
        WallAssaultMaxLevel::V16 => 16,
        WallAssaultMaxLevel::V15 => 15,
        WallAssaultMaxLevel::V14 => 14,
    };
    let empty =
        |point| !is_manned(table, point) && gun_at(table, Side::Prussian, Place::Wall(point)).is_none();
    let open = |point: WallId| {
        own.contains(&point)
            || (!point.is_second()
                && (is_french(table, point) || (table.siege.wall(point).level <= most && empty(point))))
    };
    for (line, second) in LINES.first.iter().map(|line| (line, false)).chain([(&LINES.second, true)]) {
        for pair in line.windows(2) {
            if let Some(at) = crossing(a, b, pair[0], pair[1])
                && !open(owner(at, second))
            {
                return Err(format!("a way from {a:?} to {b:?} through the wall at {}", owner(at, second)));
            }
        }
    }
    Ok(())
}

/// Where a unit stands on the plane, and the wall points under it.
fn stands(table: &Table, place: Place) -> Option<(At, Vec<WallId>)> {
    match place {
        Place::Open(spot) => Some((metres(spot), Vec::new())),
        Place::Wall(point) => Some((metres(GROUND.point(point)), vec![point])),
        Place::Work(id) => {
            let work = table.siege.work(id)?;
            Some((metres(work.pose.at), work.covers.iter().collect()))
        }
        _ => None,
    }
}

/// Whether an order that was carried out on this table led nobody through a standing wall.
pub(crate) fn order(before: &Table, action: &Action) -> Result<(), String> {
    let from = |unit: UnitId| stands(before, before.unit(unit).place);
    match *action {
        Action::Assault(Assault { units, at: GunTarget::Wall(point) }) => {
            for (start, mut own) in units.iter().filter_map(from) {
                own.push(point);
                way(before, start, metres(GROUND.point(point)), &own)?;
            }
            Ok(())
        }
        Action::SiegeMove(SiegeMove::Open { unit, exit, via, to, .. }) => {
            let start = exit.map_or_else(|| from(unit), |work| stands(before, Place::Work(work)));
            let end = match to {
                OpenEnd::Work(id) => stands(before, Place::Work(id)),
                OpenEnd::Spot(spot) => Some((metres(spot), Vec::new())),
                OpenEnd::Wall(point) => stands(before, Place::Wall(point)),
                OpenEnd::Concentration => None,
            };
            let own: Vec<WallId> =
                [&start, &end].into_iter().flatten().flat_map(|(_, own)| own.iter().copied()).collect();
            let stops: Vec<At> =
                [start.map(|s| s.0), via.map(metres), end.map(|e| e.0)].into_iter().flatten().collect();
            stops.windows(2).try_for_each(|leg| way(before, leg[0], leg[1], &own))
        }
        _ => Ok(()),
    }
}

/// The check itself: it sees a joint through the wall of H6, a work that nothing leads to, and one across.
#[test]
fn the_check_sees_works_behind_a_wall() {
    use danzig::siege::{Facing, Pose, WallSet, WorkKind, WorkSet};
    let work = |x, y, at_zone| {
        let pose = Pose::new(Spot::new(x, y), Facing::degrees(110));
        let (covers, links) = (WallSet::default(), WorkSet::default());
        Work { kind: WorkKind::Parallel, pose, damaged: false, worker: None, covers, at_zone, links }
    };
    let laid = |second: Work| {
        let mut siege = SiegeMap::default();
        siege.add_work(work(9059, 12_825, true)).unwrap();
        siege.add_work(second).unwrap();
        works(&[], &siege).unwrap_err()
    };
    let behind = work(8879, 13_320, false);
    assert!(laid(behind).contains("nothing leads there"));
    let joined = Work { links: [WorkId(0)].into_iter().collect(), ..behind };
    assert!(laid(joined).contains("joined through a wall"));
    assert!(laid(work(8975, 13_075, true)).contains("lies across a wall"));
}
