//! What hides a whole target at once, so that nobody walks every line behind it. A thing in one
//! piece that stands between an eye and a target stops each line that has points of it on both
//! sides: pure geometry, which only ever saves lines that the tests of `block` would stop as well.

use crate::geometry::{Extent, Point, hull};

/// A thing in one piece that stops every low line through it: joined bases, a wood, a house, a
/// relief.
#[derive(Clone, Copy)]
pub(super) struct Shade<'a> {
    corners: &'a [Point],
    extent: Extent,
}

/// Points as a convex group: eyes, or what they look at.
pub(super) struct Group<'a> {
    corners: &'a [Point],
    extent: Extent,
}

impl<'a> Group<'a> {
    pub(super) const fn new(corners: &'a [Point], extent: Extent) -> Self {
        Self { corners, extent }
    }
}

/// A shade as one eye sees it: its outermost points to the left and to the right.
#[derive(Clone, Copy)]
pub(super) struct Fan {
    left: Point,
    right: Point,
}

impl Fan {
    /// Whether a line from the eye passes between the outermost points.
    pub(super) const fn stops(&self, eye: Point, to: Point) -> bool {
        eye.turn(to, self.left) > 0 && eye.turn(to, self.right) < 0
    }

    /// Whether every line from the eye to a group does.
    pub(super) fn hides(&self, eye: Point, corners: &[Point]) -> bool {
        corners.iter().all(|&corner| self.stops(eye, corner))
    }
}

impl<'a> Shade<'a> {
    pub(super) const fn new(corners: &'a [Point], extent: Extent) -> Self {
        Self { corners, extent }
    }

    /// Whether every line from one group to another passes through it.
    pub(super) fn hides(&self, from: &Group<'_>, to: &Group<'_>) -> bool {
        if !self.stands_between(from, to) {
            return false;
        }
        let (dx, dy) = direction(&from.extent, &to.extent);
        let across = |point: &&Point| dx * point.y - dy * point.x;
        let (Some(&left), Some(&right)) =
            (self.corners.iter().max_by_key(across), self.corners.iter().min_by_key(across))
        else {
            return false;
        };
        let fan = Fan { left, right };
        from.corners.iter().all(|&eye| fan.hides(eye, to.corners))
    }

    /// How an eye sees it, if it stands between the eye and all of a group.
    pub(super) fn fan(&self, eye: Point, to: &Group<'_>) -> Option<Fan> {
        let alone = [eye];
        let from = Group::new(&alone, Extent { low: eye, high: eye });
        if !self.stands_between(&from, to) {
            return None;
        }
        let (&first, rest) = self.corners.split_first()?;
        Some(rest.iter().fold(Fan { left: first, right: first }, |fan, &corner| Fan {
            left: if eye.turn(fan.left, corner) > 0 { corner } else { fan.left },
            right: if eye.turn(fan.right, corner) < 0 { corner } else { fan.right },
        }))
    }

    /// Whether one straight line parts the eyes from this thing and their target, and another parts
    /// the target from it and the eyes: what meets this thing then does so between its ends.
    fn stands_between(&self, from: &Group<'_>, to: &Group<'_>) -> bool {
        let ahead = |a: &Extent, this: &Extent, b: &Extent| {
            (a.high.x <= this.low.x && a.high.x < b.low.x)
                || (this.high.x <= a.low.x && b.high.x < a.low.x)
                || (a.high.y <= this.low.y && a.high.y < b.low.y)
                || (this.high.y <= a.low.y && b.high.y < a.low.y)
        };
        let mut after_eyes = ahead(&from.extent, &self.extent, &to.extent);
        let mut before_target = ahead(&to.extent, &self.extent, &from.extent);
        if !(after_eyes && before_target) {
            let (dx, dy) = direction(&from.extent, &to.extent);
            let along = |point: &Point| dx * point.x + dy * point.y;
            let least = |corners: &[Point]| corners.iter().map(along).min().unwrap_or(i64::MIN);
            let most = |corners: &[Point]| corners.iter().map(along).max().unwrap_or(i64::MAX);
            let (last_eye, first_mark) = (most(from.corners), least(to.corners));
            let apart = last_eye < first_mark;
            after_eyes |= apart && last_eye <= least(self.corners);
            before_target |= apart && most(self.corners) <= first_mark;
        }
        after_eyes && before_target
    }
}

/// From the middle of one box to the middle of another, twice as far.
const fn direction(from: &Extent, to: &Extent) -> (i64, i64) {
    (to.low.x + to.high.x - from.low.x - from.high.x, to.low.y + to.high.y - from.low.y - from.high.y)
}

/// The convex hull of some eyes, and the box around them.
pub(super) fn around(eyes: Vec<Point>) -> (Vec<Point>, Extent) {
    let extent = Extent::of(&eyes);
    (hull(eyes).outline().to_vec(), extent)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: [Point; 4] = [Point::cm(-10, 50), Point::cm(10, 50), Point::cm(10, 52), Point::cm(-10, 52)];

    fn group(corners: &[Point]) -> Group<'_> {
        Group::new(corners, Extent::of(corners))
    }

    #[test]
    fn a_wide_thing_between_hides_and_a_thing_beside_or_behind_does_not() {
        let eyes = [Point::cm(-4, 0), Point::cm(4, 0)];
        let marks = [Point::cm(-3, 100), Point::cm(3, 100), Point::cm(3, 105), Point::cm(-3, 105)];
        let shade = Shade::new(&BOX, Extent::of(&BOX));
        assert!(shade.hides(&group(&eyes), &group(&marks)));
        assert!(shade.fan(eyes[0], &group(&marks)).is_some_and(|fan| fan.hides(eyes[0], &marks)));
        let wide = [Point::cm(-40, 0), Point::cm(40, 0)];
        assert!(!shade.hides(&group(&wide), &group(&marks)), "seen past its ends");
        let near = marks.map(|mark| mark.moved(0, -6000));
        assert!(!shade.hides(&group(&eyes), &group(&near)), "before it, not behind");
        let aside = marks.map(|mark| mark.moved(4000, 0));
        assert!(!shade.hides(&group(&eyes), &group(&aside)));
    }
}
