//! Ways outside intact trench (chapters 4.1.1 and 4.8, DZ-R16, DZ-R41, DZ-R64): how a path is cut into
//! open stretches, where the shots fall, and which walls it may cross.

#![allow(clippy::cast_possible_truncation, reason = "lengths on a plane 2,800 m wide")]

use kernel::{Refusal, Verdict};
use rulebook::{phrase::danzig_siege as phrase, rule};

use super::common::{gun_at, is_french, is_manned};
use super::fire::Target;
use super::geometry::{DM, FINE, Fine, Rect, Spot};
use super::ground::{GROUND, Piece};
use super::obstacle::{Obstacle, Shape};
use super::state::{SiegeMap, WallId, Work, WorkId};
use crate::state::Table;
use crate::unit::{Place, Side};

/// Metres of open ground that one shot is drawn for, and that cost one movement point.
pub(crate) const STRETCH_M: i64 = 250;

/// A shot drawn on the way: where the group then is, and what covers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Danger {
    /// Where the group is when it is fired at.
    pub at: Spot,
    /// What protects it there.
    pub target: Target,
}

/// One shot for every 250 m begun (DZ-4.1.1-07).
fn stretch_m() -> i64 {
    if rule!(DZ_4_1_1_07).holds(true) { STRETCH_M } else { 2 * STRETCH_M }
}

/// The shots that a path of these spots draws, in order. Parts inside intact works and inside the
/// concentration area draw none; each other stretch draws one for every 250 m begun.
#[must_use]
pub fn dangers(map: &SiegeMap, path: &[Spot]) -> Vec<Danger> {
    let mut shots = Vec::new();
    let mut open_cm = 0_i64;
    let mut last = None;
    let end_stretch = |open_cm: &mut i64, last: &mut Option<Spot>, shots: &mut Vec<Danger>| {
        if *open_cm % (stretch_m() * 100) > 0
            && let Some(spot) = *last
        {
            shots.push(danger(map, spot));
        }
        *open_cm = 0;
        *last = None;
    };
    for leg in path.windows(2) {
        let (a, b) = (leg[0], leg[1]);
        let length = a.fine().centimetres_to(b.fine());
        if length == 0 {
            continue;
        }
        let mut at = 0_i64;
        for (from, to) in safe(map, a.fine(), b.fine(), length) {
            if from > at {
                walk(map, a, b, length, at, from, &mut open_cm, &mut last, &mut shots);
            }
            if to > at {
                end_stretch(&mut open_cm, &mut last, &mut shots);
                at = to;
            }
        }
        if at < length {
            walk(map, a, b, length, at, length, &mut open_cm, &mut last, &mut shots);
        }
    }
    end_stretch(&mut open_cm, &mut last, &mut shots);
    shots
}

/// Goes on in the open from one place of a leg to another, with a shot after every 250 m.
#[allow(clippy::too_many_arguments, reason = "one step of the walk above")]
fn walk(
    map: &SiegeMap,
    a: Spot,
    b: Spot,
    length: i64,
    from: i64,
    to: i64,
    open_cm: &mut i64,
    last: &mut Option<Spot>,
    shots: &mut Vec<Danger>,
) {
    let stretch = stretch_m() * 100;
    let mut at = from;
    while at < to {
        let step = (stretch - *open_cm % stretch).min(to - at);
        at += step;
        *open_cm += step;
        let spot = part_way(a, b, at, length);
        *last = Some(spot);
        if *open_cm % stretch == 0 {
            shots.push(danger(map, spot));
        }
    }
}

fn part_way(a: Spot, b: Spot, done: i64, length: i64) -> Spot {
    let part = |from: i16, to: i16| {
        let way = (i64::from(to) - i64::from(from)) * done;
        let rounded = (2 * way + length.signum() * length).div_euclid(2 * length.max(1));
        from.saturating_add(i16::try_from(rounded).unwrap_or(0))
    };
    Spot::new(part(a.x, b.x), part(a.y, b.y))
}

/// What protects a group that is fired at here (DZ-R17).
fn danger(map: &SiegeMap, at: Spot) -> Danger {
    let damaged_trench = map.all_works().any(|(_, work)| work.damaged && work.rect().holds(at.fine(), DM));
    Danger { at, target: Target::Open { village: in_village(at), damaged_trench } }
}

/// The parts of a leg that are safe, in centimetres along it, in order.
fn safe(map: &SiegeMap, a: Fine, b: Fine, length: i64) -> Vec<(i64, i64)> {
    let mut parts: Vec<(i64, i64)> = Vec::new();
    let mut add = |span: Option<(f64, f64)>| {
        if let Some((from, to)) = span {
            let cm = |part: f64| (part * length as f64).round() as i64;
            if cm(to) > cm(from) {
                parts.push((cm(from), cm(to)));
            }
        }
    };
    add(span_in(a, b, &GROUND.zone));
    for (_, work) in map.all_works().filter(|(_, work)| !work.damaged) {
        add(span_in(a, b, &counter_clockwise(&work.rect())));
    }
    parts.sort_unstable();
    // Works that touch within the tolerance leave no open ground between them.
    let mut merged: Vec<(i64, i64)> = Vec::new();
    for (from, to) in parts {
        match merged.last_mut() {
            Some((_, end)) if from <= *end + super::geometry::TOLERANCE_DM * 10 => *end = (*end).max(to),
            _ => merged.push((from, to)),
        }
    }
    merged
}

fn counter_clockwise(rect: &Rect) -> [Fine; 4] {
    let [front_left, front_right, rear_right, rear_left] = rect.corners();
    [front_left, rear_left, rear_right, front_right]
}

/// The part of a segment inside a convex polygon, as fractions of it.
fn span_in(a: Fine, b: Fine, polygon: &[Fine]) -> Option<(f64, f64)> {
    let area: i128 = super::geometry::sides(polygon).map(|(p, q)| i128::from(p.cross(q) / FINE)).sum();
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for (p, q) in super::geometry::sides(polygon) {
        let side = if area >= 0 { q.minus(p) } else { p.minus(q) };
        let (start, end) = (side.cross(a.minus(p)) as f64, side.cross(b.minus(p)) as f64);
        if start < 0.0 && end < 0.0 {
            return None;
        }
        if start < 0.0 {
            from = from.max(start / (start - end));
        } else if end < 0.0 {
            to = to.min(start / (start - end));
        }
    }
    (from < to).then_some((from, to))
}

/// Whether more than half of a battalion counter here lies on the grey buildings of a village
/// (DZ-4.5.1-07).
#[must_use]
pub fn in_village(at: Spot) -> bool {
    let half = 250.0;
    let (x, y) = (f64::from(at.x), f64::from(at.y));
    let covered: f64 = GROUND
        .villages
        .iter()
        .map(|village| {
            let corners =
                village.iter().map(|corner| (corner.x as f64 / FINE as f64, corner.y as f64 / FINE as f64));
            clipped_area(corners.collect(), x - half, x + half, y - half, y + half)
        })
        .sum();
    2.0 * covered > 4.0 * half * half
}

/// The area of a polygon inside an upright rectangle.
fn clipped_area(mut polygon: Vec<(f64, f64)>, left: f64, right: f64, bottom: f64, top: f64) -> f64 {
    // Each border as a half-plane a·x + b·y + c >= 0.
    let borders = [(1.0, 0.0, -left), (-1.0, 0.0, right), (0.0, 1.0, -bottom), (0.0, -1.0, top)];
    let inside = |(a, b, c): (f64, f64, f64), p: &(f64, f64)| a * p.0 + b * p.1 + c;
    for border in borders {
        let mut kept = Vec::with_capacity(polygon.len() + 2);
        for (at, here) in polygon.iter().enumerate() {
            let next = &polygon[(at + 1) % polygon.len()];
            let (d, e) = (inside(border, here), inside(border, next));
            if d >= 0.0 {
                kept.push(*here);
            }
            if (d > 0.0 && e < 0.0) || (d < 0.0 && e > 0.0) {
                let part = d / (d - e);
                kept.push((here.0 + part * (next.0 - here.0), here.1 + part * (next.1 - here.1)));
            }
        }
        polygon = kept;
        if polygon.is_empty() {
            return 0.0;
        }
    }
    let twice: f64 =
        polygon.iter().zip(polygon.iter().cycle().skip(1)).map(|(p, q)| p.0 * q.1 - p.1 * q.0).sum();
    (twice / 2.0).abs()
}

/// The shots drawn on a way along works, damaged ones included: one stretch for each run of damaged
/// works, a counter being as long as it is.
#[must_use]
pub(crate) fn dangers_through(map: &SiegeMap, way: &[WorkId], spare: Option<WorkId>) -> Vec<Danger> {
    let mut shots = Vec::new();
    let mut open = 0;
    for id in way {
        let under_fire = |work: &&Work| rule!(DZ_4_1_1_13).holds(work.damaged) && Some(*id) != spare;
        let Some(work) = map.work(*id).filter(under_fire) else {
            open = 0;
            continue;
        };
        let before = shots_for(open);
        open += i64::from(work.pose.length);
        for _ in before..shots_for(open) {
            let at = work.pose.at;
            shots.push(Danger { at, target: Target::Open { village: in_village(at), damaged_trench: true } });
        }
    }
    shots
}

fn shots_for(metres: i64) -> i64 {
    (metres + stretch_m() - 1) / stretch_m()
}

/// Whether a line may run over the walls: the first only at a French-held segment, or one that may be
/// stormed and has no Prussian unit; the second only into the target; the closed ground never.
///
/// # Errors
/// The segment, or the closed ground, that stops it.
pub(crate) fn check_line(
    table: &Table,
    a: Fine,
    b: Fine,
    from: Option<WallId>,
    to: Option<WallId>,
) -> Verdict<()> {
    let open = |piece: &Piece| {
        let point = piece.owner;
        let own = Some(point) == from || Some(point) == to;
        own || (!point.is_second() && (is_french(table, point) || is_abandoned(table, point)))
    };
    match GROUND.obstacle(Shape::Line(a, b), open) {
        None => Ok(()),
        Some(Obstacle::Closed) => Err(Refusal::rule(rule!(DZ_R64), phrase::BARRED)),
        Some(Obstacle::Wall(point)) => {
            let rule = if point.is_second() { rule!(DZ_4_1_1_10) } else { rule!(DZ_R64) };
            if !rule.holds(false) {
                return Err(Refusal::rule(rule, phrase::WALL_IN_THE_WAY).with("point", point));
            }
            Ok(())
        }
    }
}

/// Whether a wall point may be stormed and has no Prussian unit.
fn is_abandoned(table: &Table, point: WallId) -> bool {
    table.siege.wall(point).level <= assault_level(table)
        && !is_manned(table, point)
        && gun_at(table, Side::Prussian, Place::Wall(point)).is_none()
}

/// The highest level at which a wall point may be assaulted (DZ-R06).
#[must_use]
pub(crate) const fn assault_level(table: &Table) -> u8 {
    use rulebook::options::danzig::WallAssaultMaxLevel as Max;
    match table.options.wall_assault_max_level {
        Max::V16 => 16,
        Max::V15 => 15,
        Max::V14 => 14,
    }
}

/// The spot of the border of the concentration area nearest to a place.
#[must_use]
pub(crate) fn zone_exit(to: Spot) -> Spot {
    let place = to.fine();
    let nearest = GROUND.zone_borders.iter().map(|(a, b)| {
        let (along, way) = (b.minus(*a), place.minus(*a));
        let length = i128::from(along.dot(along)).max(1);
        let done = i128::from(way.dot(along)).clamp(0, length);
        let part = |x: i64| (i128::from(x) * done / length) as i64;
        a.plus(Fine { x: part(along.x), y: part(along.y) })
    });
    nearest.min_by_key(|spot| spot.squared_to(place)).map_or(to, Fine::spot)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Facing, Pose, SiegeMap, Work, WorkKind, WorkSet};
    use super::*;

    fn trench(map: &mut SiegeMap, kind: WorkKind, x: i32, y: i32, facing: i32, damaged: bool) -> WorkId {
        let pose = Pose::new(Spot::metres(x, y), Facing::degrees(facing));
        let links: WorkSet = map
            .all_works()
            .filter(|(_, other)| other.rect().touches(&pose.rect(kind)))
            .map(|(id, _)| id)
            .collect();
        let work = Work {
            kind,
            pose,
            damaged,
            worker: None,
            covers: super::super::WallSet::default(),
            at_zone: false,
            links,
        };
        map.add_work(work).unwrap()
    }

    #[test]
    fn dz_ex_02_one_shot_for_every_250_m_begun() {
        let map = SiegeMap::default();
        let start = Spot::metres(1000, 700);
        let shots = |metres| dangers(&map, &[start, Spot::metres(1000 + metres, 700)]).len();
        assert_eq!([250, 251, 500, 501].map(shots), [1, 2, 2, 3]);
    }

    #[test]
    fn dz_ex_03_damaged_sap_gap_and_open_ground() {
        // A damaged sap, intact trench, a 40 m gap, intact trench, then 300 m of open ground.
        let map = &mut SiegeMap::default();
        trench(map, WorkKind::Sap, 450, 700, 0, true);
        trench(map, WorkKind::Sap, 550, 700, 0, false);
        trench(map, WorkKind::Sap, 690, 700, 0, false);
        let path = [Spot::metres(400, 700), Spot::metres(1040, 700)];
        let shots = dangers(map, &path);
        let covers: Vec<bool> =
            shots.iter().map(|s| matches!(s.target, Target::Open { damaged_trench: true, .. })).collect();
        assert_eq!(covers, [true, false, false, false]);
        // One in the damaged sap, one in the gap, two for 300 m of 250 m each.
        assert_eq!((shots.len(), shots[2..].len()), (4, 2));
        assert_eq!(shots[0].at, Spot::metres(500, 700));
        assert_eq!(shots[2].at, Spot::metres(990, 700));
    }

    #[test]
    fn a_run_of_damaged_works_is_one_stretch() {
        let map = &mut SiegeMap::default();
        let way: Vec<WorkId> =
            (0..4).map(|at| trench(map, WorkKind::Sap, 450 + 100 * at, 700, 0, at > 0)).collect();
        assert_eq!(dangers_through(map, &way, None).len(), 2);
        assert_eq!(dangers_through(map, &way, way.last().copied()).len(), 1);
        assert_eq!(dangers_through(map, &way[..1], None).len(), 0);
    }

    #[test]
    fn villages_cover_more_than_half_a_counter_or_not_at_all() {
        assert!(in_village(Spot::metres(1350, 900)));
        assert!(!in_village(Spot::metres(1000, 900)));
        // Stolzenberg begins at x = 1700: half a counter is not more than half.
        assert!(!in_village(Spot::metres(1700, 870)));
        assert!(in_village(Spot::metres(1701, 870)));
    }

    proptest! {
        /// As many shots as 250 m begun, whatever the direction.
        #[test]
        fn one_shot_for_each_stretch_begun(x in 400_i32..2400, y in 600_i32..1100) {
            let (a, b) = (Spot::metres(1300, 800), Spot::metres(x, y));
            let length = a.fine().centimetres_to(b.fine());
            let shots = i64::try_from(dangers(&SiegeMap::default(), &[a, b]).len()).unwrap();
            prop_assert_eq!(shots, (length + 24_999) / 25_000);
        }

        /// Cutting a straight path in two draws no fewer shots, and at most one more.
        #[test]
        fn a_bend_never_helps(x in 400_i32..2400, part in 1_i64..99) {
            let (a, b) = (Spot::metres(400, 800), Spot::metres(x + 100, 800));
            let middle = part_way(a, b, part, 100);
            let map = SiegeMap::default();
            prop_assert_eq!(dangers(&map, &[a, b]).len(), dangers(&map, &[a, middle, b]).len());
        }
    }
}
