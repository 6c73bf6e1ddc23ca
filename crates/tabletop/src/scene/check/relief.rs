//! The geometry of reliefs: a crest as drawn enters; the crest prolonged to the foot and the two
//! slopes it parts leave.

use crate::geometry::{Gap, Point, Polygon, Segment};

/// The crest prolonged along its end segments to the outline; nothing if it leaves the outline.
pub(super) fn prolonged(outline: &Polygon, crest: &[Point]) -> Option<Vec<Point>> {
    let inner = crest.get(1..crest.len() - 1)?;
    if !inner.iter().all(|&point| outline.holds_strictly(point)) {
        return None;
    }
    let crosses_out = crest.windows(2).any(|edge| {
        let segment = Segment::new(edge[0], edge[1]);
        outline
            .edges()
            .any(|foot| foot.meets(segment) && !foot.holds(crest[0]) && !foot.holds(crest[crest.len() - 1]))
    });
    if crosses_out || !outline.holds(crest[0]) || !outline.holds(crest[crest.len() - 1]) {
        return None;
    }
    let end = |last: Point, before: Point| -> Option<Option<Point>> {
        if outline.edges().any(|foot| foot.holds(last)) {
            return Some(None);
        }
        // Far enough to leave any table.
        let reach = Gap::whole(before.square_to(last)).rounded().max(1);
        let far = before.towards(last, 300_000, reach);
        let ray = Segment::new(last, far);
        outline
            .edges()
            .filter_map(|foot| ray.meeting(foot.from, foot.to))
            .min()
            .map(|ratio| Some(ray.at(ratio)))
    };
    let first = end(crest[0], crest[1])?;
    let last = end(crest[crest.len() - 1], crest[crest.len() - 2])?;
    let long: Vec<Point> = first.into_iter().chain(crest.iter().copied()).chain(last).collect();
    let simple = (0..long.len() - 1).all(|a| {
        (a + 2..long.len() - 1)
            .all(|b| !Segment::new(long[a], long[a + 1]).meets(Segment::new(long[b], long[b + 1])))
    });
    simple.then_some(long)
}

/// The two slopes: left of the drawing direction, then right of it.
pub(super) fn slopes(outline: &Polygon, crest: &[Point]) -> Option<[Polygon; 2]> {
    let ring = outline.outline();
    let edge_of = |point: Point| {
        (0..ring.len()).min_by_key(|&k| Segment::new(ring[k], ring[(k + 1) % ring.len()]).gap_to(point))
    };
    let (start, end) = (*crest.first()?, *crest.last()?);
    let (from, to) = (edge_of(start)?, edge_of(end)?);
    // From the end of the crest counter-clockwise along the foot to its start.
    let walk = |from: usize, to: usize, begin: Point, finish: Point| -> Vec<Point> {
        let mut corners = Vec::new();
        let mut k = from;
        let wraps = from == to && ring[from].square_to(begin) > ring[from].square_to(finish);
        if from != to || wraps {
            loop {
                k = (k + 1) % ring.len();
                corners.push(ring[k]);
                if k == to {
                    break;
                }
            }
        }
        corners
    };
    let left = crest.iter().copied().chain(walk(to, from, end, start));
    let right = crest.iter().rev().copied().chain(walk(from, to, start, end));
    let dedup = |points: Vec<Point>| {
        let mut points = points;
        points.dedup();
        if points.first() == points.last() {
            points.pop();
        }
        points
    };
    let (left, right) = (dedup(left.collect()), dedup(right.collect()));
    (left.len() >= 3 && right.len() >= 3).then(|| [Polygon::new(left), Polygon::new(right)])
}
