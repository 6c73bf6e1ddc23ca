//! Where a trench counter may lie (chapters 4.7.2 and 4.7.3, DZ-R80): contact, connection, length,
//! overlap, walls. Any pose enters; what it would touch and cover leaves, or the rule that forbids it.

use kernel::{Clerk, Refusal, RuleId, Verdict};
use rulebook::{phrase::danzig_siege as phrase, rule};

use super::geometry::{Rect, TOLERANCE_DM, near_segment, segments_touch, sides};
use super::ground::{GROUND, Piece};
use super::obstacle::{Obstacle, Shape};
use super::state::{LONG_M, Pose, SiegeMap, WallId, WallSet, Work, WorkId, WorkKind, WorkSet};
use super::tables::wall_effect;
use crate::ops::Unheard;

/// The shortest sap, in metres: what is needed to be drawn.
pub(crate) const SHORTEST_SAP_M: u8 = 10;

/// A place where a counter may lie, with what it touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The wall points it covers.
    pub covers: WallSet,
    /// It leaves the concentration area.
    pub at_zone: bool,
    /// The works it is joined to: they touch it, and no wall stands between.
    pub links: WorkSet,
}

/// Whether a work of this kind may be built here, and what it would touch.
///
/// # Errors
/// The rule that forbids it.
pub fn check_site(
    map: &SiegeMap,
    kind: WorkKind,
    pose: Pose,
    turn: u8,
    held_by_prussians: impl Fn(WallId) -> bool,
    clerk: &mut impl Clerk,
) -> Verdict<Site> {
    check_length(kind, pose, clerk)?;
    let rect = pose.rect(kind);
    let site = lay(map, kind, &rect, None)?;
    check_ground(&rect, site.covers)?;
    for point in site.covers.iter() {
        check_point(map, point, turn, held_by_prussians(point), clerk)?;
    }
    check_contact(map, kind, &rect, &site, clerk)?;
    if kind == WorkKind::Sap {
        check_run(map, site.links)?;
    }
    Ok(site)
}

/// A sap may be shortened near the walls; nothing else is ever shorter or longer than its counter.
fn check_length(kind: WorkKind, pose: Pose, clerk: &mut impl Clerk) -> Verdict<()> {
    if pose.length == LONG_M {
        return Ok(());
    }
    let refuse = |rule| Err(Refusal::rule(rule, phrase::LENGTH).with("length", pose.length));
    if !rule!(DZ_R14).holds(kind == WorkKind::Sap && pose.length < LONG_M) {
        return refuse(rule!(DZ_R14));
    }
    let fits = pose.length >= SHORTEST_SAP_M && pose.length.is_multiple_of(2) && near_walls(pose);
    if !clerk.holds(rule!(DZ_4_7_2_24), fits) {
        return refuse(rule!(DZ_4_7_2_24));
    }
    Ok(())
}

/// Whether a sap may be cut to this length where it lies.
///
/// # Errors
/// When it is not near the walls or no length for a sap.
pub(crate) fn check_short(pose: Pose) -> Verdict<()> {
    check_length(WorkKind::Sap, pose, &mut Unheard)
}

/// Whether a counter lies within one long side of a wall.
fn near_walls(pose: Pose) -> bool {
    let (ground, centre) = (&*GROUND, pose.at.fine());
    let reach = i64::from(LONG_M) * 10 + i64::from(pose.length) * 5;
    ground
        .first_wall
        .iter()
        .chain(&ground.second_wall)
        .any(|piece| near_segment(centre, piece.a, piece.b, reach))
}

/// What a counter would be joined to and cover; refused when it overlaps another.
///
/// # Errors
/// When it overlaps another work by more than the tolerance.
pub(crate) fn lay(map: &SiegeMap, kind: WorkKind, rect: &Rect, instead_of: Option<WorkId>) -> Verdict<Site> {
    let ground = &*GROUND;
    // Most trenches lie far below the walls.
    let covers = if top_of(rect) < ground.lowest_wall {
        WallSet::default()
    } else {
        WallId::all()
            .filter(|id| rect.holds(ground.point(*id).fine(), 0))
            .fold(WallSet::default(), WallSet::with)
    };
    let mut links = WorkSet::default();
    for (id, other) in map.all_works() {
        if Some(id) == instead_of {
            continue;
        }
        let theirs = other.rect();
        if !rect.touches(&theirs) {
            continue;
        }
        if rect.overlaps(&theirs) {
            return Err(Refusal::rule(rule!(DZ_R80), phrase::OVERLAP).with("work", id));
        }
        if ground.between((rect, covers), (&theirs, other.covers)).is_none() {
            links.insert(id);
        }
    }
    let at_zone = leaves_zone(kind, rect);
    Ok(Site { covers, at_zone, links })
}

/// Whether a sap's rear lies along the border of the concentration area, its axis square to it.
#[must_use]
pub fn leaves_zone(kind: WorkKind, rect: &Rect) -> bool {
    if kind != WorkKind::Sap {
        return false;
    }
    let ground = &*GROUND;
    let (right, left) = rect.rear();
    if right.y.min(left.y) > ground.zone_top + TOLERANCE_DM * super::geometry::FINE {
        return false;
    }
    ground
        .zone_borders
        .iter()
        .any(|(a, b)| near_segment(right, *a, *b, TOLERANCE_DM) && near_segment(left, *a, *b, TOLERANCE_DM))
        && !ground.in_zone(rect.centre)
}

/// The height of the topmost corner.
fn top_of(rect: &Rect) -> i64 {
    rect.corners().iter().map(|corner| corner.y).max().unwrap_or(0)
}

/// The ground itself: on the map, outside the area and the city, across no wall but where a point is
/// covered.
///
/// # Errors
/// What it would lie on or cross.
pub(crate) fn check_ground(rect: &Rect, covers: WallSet) -> Verdict<()> {
    let ground = &*GROUND;
    if rect.corners().iter().any(|corner| !ground.on_map(*corner)) {
        return Err(Refusal::rule(rule!(DZ_R80), phrase::OFF_MAP));
    }
    let inner = rect.shrunk(TOLERANCE_DM);
    let lowest = inner.corners().iter().map(|corner| corner.y).min().unwrap_or(0);
    if lowest <= ground.zone_top
        && (inner.corners().iter().any(|corner| ground.in_zone(*corner))
            || sides(&ground.zone).any(|(a, b)| rect.is_crossed_by(a, b)))
    {
        return Err(Refusal::rule(rule!(DZ_R80), phrase::IN_THE_ZONE));
    }
    // Nothing reaches the walls below their lowest point.
    if top_of(rect) < ground.lowest_wall {
        return Ok(());
    }
    // The counter is about as long as a segment: the line it covers runs on into the near halves of the
    // neighbours'.
    let through = |piece: &Piece| {
        covers.contains(piece.owner) || piece.towards.is_some_and(|next| covers.contains(next))
    };
    match ground.obstacle(Shape::Body(rect), through) {
        Some(Obstacle::Closed) => return Err(Refusal::rule(rule!(DZ_R64), phrase::BARRED)),
        Some(Obstacle::Wall(point)) => {
            return Err(Refusal::rule(rule!(DZ_R80), phrase::CROSSES_WALL).with("point", point));
        }
        None => {}
    }
    let in_city = ground.in_city(rect.centre) && !covers.iter().any(WallId::is_second);
    if !rule!(DZ_4_1_1_10).holds(!in_city) {
        return Err(Refusal::rule(rule!(DZ_4_1_1_10), phrase::IN_THE_CITY));
    }
    Ok(())
}

/// Whether a work may be built on a wall point.
///
/// # Errors
/// When the wall still stands, is held, or must first be demolished.
pub(crate) fn check_point(
    map: &SiegeMap,
    point: WallId,
    turn: u8,
    held: bool,
    clerk: &mut impl Clerk,
) -> Verdict<()> {
    let wall = map.wall(point);
    let refuse =
        |rule, reason| Err(Refusal::rule(rule, reason).with("point", point).with("level", wall.level));
    let standing = (11..=16).contains(&wall.stormed_at) && wall.stormed_on > 0 && wall.demolished_on == 0;
    let falling = wall.demolished_on == turn && turn > 0;
    if !rule!(DZ_4_8_24).holds(!standing && !falling) {
        return refuse(rule!(DZ_4_8_24), phrase::DEMOLISH_FIRST);
    }
    if !clerk.holds(rule!(DZ_4_7_2_22), wall_effect(wall.level).build) {
        return refuse(rule!(DZ_4_7_2_22), phrase::WALL_STANDS);
    }
    if !clerk.holds(rule!(DZ_4_8_23), !held) {
        return refuse(rule!(DZ_4_7_2_22), phrase::WALL_HELD);
    }
    if wall.stormed_on > 0 && !clerk.holds(rule!(DZ_4_8_22), wall.stormed_on != turn || turn == 0) {
        return refuse(rule!(DZ_4_8_22), phrase::STORMED_THIS_TURN);
    }
    Ok(())
}

/// Contact with the intact network, of the sort its kind asks for.
fn check_contact(
    map: &SiegeMap,
    kind: WorkKind,
    rect: &Rect,
    site: &Site,
    clerk: &mut impl Clerk,
) -> Verdict<()> {
    if site.at_zone && clerk.holds(rule!(DZ_4_7_2_06), true) {
        return Ok(());
    }
    let mut touched = None;
    for id in site.links.iter() {
        let Some(other) = map.work(id) else { continue };
        let rule = contact_rule(kind, other.kind);
        let joined = joins(kind, rect, other) && (kind == WorkKind::Sap || has_free_head(map, other));
        if !rule.holds(joined) {
            continue;
        }
        // What was built or repaired this turn may be built on.
        let fresh = other.worker.is_some();
        if map.network.contains(id) && (!fresh || clerk.holds(rule!(DZ_4_7_2_13), fresh)) {
            clerk.applied(rule);
            if clerk.holds(rule!(DZ_4_7_2_12), true) {
                return Ok(());
            }
        }
        touched = Some(id);
    }
    if touched.is_none() {
        check_unwalled(map, rect, site)?;
    }
    match (touched, kind) {
        (Some(id), _) => Err(Refusal::rule(rule!(DZ_4_7_2_12), phrase::NOT_CONNECTED).with("work", id)),
        (None, WorkKind::Sap) if site.links.is_empty() => {
            Err(Refusal::rule(rule!(DZ_4_7_2_06), phrase::SAP_NO_CONTACT))
        }
        (None, WorkKind::Sap) => Err(Refusal::rule(rule!(DZ_4_7_2_07), phrase::SAP_NO_CONTACT)),
        (None, _) if site.links.iter().any(|id| map.work(id).is_some_and(|w| w.kind != WorkKind::Sap)) => {
            Err(Refusal::rule(rule!(DZ_4_7_2_20), phrase::NO_CORNER))
        }
        (None, _) => Err(Refusal::rule(rule!(DZ_4_7_2_09), phrase::NO_SAP_END)),
    }
}

/// The rule by which a new counter is joined to an existing one.
const fn contact_rule(kind: WorkKind, other: WorkKind) -> RuleId {
    match (kind, other) {
        (WorkKind::Sap, _) => rule!(DZ_4_7_2_07),
        (_, WorkKind::Sap) => rule!(DZ_4_7_2_09),
        (_, _) => rule!(DZ_4_7_2_20),
    }
}

/// Whether no work lies within reach behind a wall: what touches it there is not joined to it.
fn check_unwalled(map: &SiegeMap, rect: &Rect, site: &Site) -> Verdict<()> {
    for (id, other) in map.all_works().filter(|(id, _)| !site.links.contains(*id)) {
        let theirs = other.rect();
        if !rect.touches(&theirs) {
            continue;
        }
        match GROUND.between((rect, site.covers), (&theirs, other.covers)) {
            Some(Obstacle::Wall(point)) => {
                return Err(Refusal::rule(rule!(DZ_R80), phrase::WALL_BETWEEN)
                    .with("work", id)
                    .with("point", point));
            }
            Some(Obstacle::Closed) => return Err(Refusal::rule(rule!(DZ_R64), phrase::BARRED)),
            None => {}
        }
    }
    Ok(())
}

/// Whether no second sap goes on from the head of this one; true of everything that is no sap.
fn has_free_head(map: &SiegeMap, work: &Work) -> bool {
    let (a, b) = work.rect().front();
    work.kind != WorkKind::Sap
        || !work.links.iter().filter_map(|id| map.work(id)).any(|next| {
            let (c, d) = next.rect().rear();
            next.kind == WorkKind::Sap && segments_touch(a, b, c, d, TOLERANCE_DM)
        })
}

/// Whether a new counter is in legal contact with an existing work.
fn joins(kind: WorkKind, rect: &Rect, other: &Work) -> bool {
    let theirs = other.rect();
    match (kind, other.kind) {
        (WorkKind::Sap, _) => {
            let (a, b) = rect.rear();
            sides(&theirs.corners()).any(|(c, d)| segments_touch(a, b, c, d, TOLERANCE_DM))
        }
        (_, WorkKind::Sap) => {
            let (a, b) = theirs.front();
            [rect.front(), rect.rear()].iter().any(|(c, d)| segments_touch(a, b, *c, *d, TOLERANCE_DM))
        }
        (_, _) => rect.corners().iter().any(|corner| {
            theirs.corners().iter().any(|other| super::geometry::within(*corner, *other, TOLERANCE_DM))
        }),
    }
}

/// No run of saps is longer than two.
fn check_run(map: &SiegeMap, links: WorkSet) -> Verdict<()> {
    let is_sap = |id: &WorkId| map.work(*id).is_some_and(|work| work.kind == WorkKind::Sap);
    let saps: Vec<WorkId> = links.iter().filter(is_sap).collect();
    let run_on =
        saps.iter().any(|id| map.work(*id).is_some_and(|work| work.links.iter().any(|next| is_sap(&next))));
    if !rule!(DZ_4_7_2_14).holds(saps.len() <= 1 && !run_on) {
        return Err(Refusal::rule(rule!(DZ_4_7_2_14), phrase::TOO_MANY_SAPS));
    }
    Ok(())
}
