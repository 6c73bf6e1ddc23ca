//! Turning (tabletop core, sections 6 and 8): how a body stands and the direction of its next leg
//! enter; the facing after each quarter spent turning leaves. A column follows its head and open
//! order turns freely; a line or a battery turns 22.5° a quarter or turns about, and goes obliquely up
//! to 22.5°; a hollow square faces the march for a quarter and goes in any direction.

use rulebook::tables::tabletop_core::{FORMATION_CHANGE_TIMES, FormationChangeTimesTo};

use super::super::troops::Formation;
use super::rate_class;
use crate::Arm;
use crate::geometry::Facing;
use crate::scene::Body;

/// What a line turns in a quarter, and how far it goes obliquely, in tenths of a degree.
pub(super) const STEP: u16 = 225;

/// Whether ranks follow the head, instead of the whole body shifting.
pub(super) const fn follows_head(formation: Formation) -> bool {
    matches!(
        formation,
        Formation::CompanyColumn
            | Formation::DivisionColumn
            | Formation::ClosedColumn
            | Formation::Column
            | Formation::Limbered
    )
}

/// Freely turned bodies: open order and single riders.
pub(super) const fn turns_freely(formation: Formation) -> bool {
    matches!(formation, Formation::Skirmish | Formation::Foragers | Formation::Single)
}

/// The quarters a body takes to turn about.
fn about_face(body: &Body) -> usize {
    let class = rate_class(body).word();
    let known = FORMATION_CHANGE_TIMES.iter().find(|row| {
        body.arm == Arm::Infantry && row.class.word() == class && row.to == FormationChangeTimesTo::AboutFace
    });
    known.and_then(|row| usize::try_from(row.quarters).ok()).unwrap_or(1)
}

/// The facing after each quarter of turning that a body needs before it can go in a direction: the
/// fewest steps after which the direction is straight ahead or oblique.
pub(super) fn before(body: &Body, from: Facing, direction: Facing, first_leg: bool) -> Vec<Facing> {
    let formation = body.now().formation;
    if formation == Formation::HollowSquare && first_leg {
        return vec![from];
    }
    if turns_freely(formation) || follows_head(formation) || body.now().is_square() {
        return Vec::new();
    }
    let about = about_face(body);
    let wheeled = wheel(from, direction);
    let behind = wheel(from.turned(1800), direction);
    if about + behind.len() < wheeled.len() {
        let mut all = vec![from; about - 1];
        all.push(from.turned(1800));
        all.extend(behind);
        return all;
    }
    wheeled
}

/// The facings of a wheel, 22.5° a quarter.
fn wheel(from: Facing, direction: Facing) -> Vec<Facing> {
    let mut all = Vec::new();
    let mut facing = from;
    while facing.angle_to(direction) > STEP {
        let (left, right) = (facing.turned(-i32::from(STEP)), facing.turned(i32::from(STEP)));
        facing = if left.angle_to(direction) < right.angle_to(direction) { left } else { right };
        all.push(facing);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to(direction: i32) -> Vec<i32> {
        wheel(Facing::tenths(0), Facing::tenths(direction))
            .into_iter()
            .map(|facing| i32::from(facing.angle_to(Facing::tenths(0))))
            .collect()
    }

    #[test]
    fn a_wheel_stops_once_the_way_is_oblique() {
        assert_eq!(to(225), Vec::<i32>::new());
        assert_eq!(to(226), [225]);
        assert_eq!(to(-900), [225, 450, 675]);
        assert_eq!(to(900), [225, 450, 675]);
        assert_eq!(to(1800).len(), 7);
    }
}
