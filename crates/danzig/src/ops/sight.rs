//! Lines of sight on the operational map (3.4 with the series rules, section 9): centre to centre,
//! over hexes that hide and heights that rise between. A line along a hexside is blocked only if the
//! hexes on both sides block it.

use super::hex::Hex;
use super::map::{Map, Terrain, WallSight};

/// Calls `blocks` for each place of the line between two hexes: the hex there, or the two hexes of
/// a hexside the line runs along. True if nothing blocks.
pub(super) fn clear_line(from: Hex, to: Hex, mut blocks: impl FnMut(Hex) -> bool) -> bool {
    let steps = i32::from(from.distance(to));
    let (a, b) = (from.cube(), to.cube());
    for at in 1..steps {
        let [one, other] = [1, -1].map(|nudge| {
            // Numerators over 64 * steps; the nudge is too small for anything but a tie.
            let nudges = [nudge, 2 * nudge, -3 * nudge];
            let mut point = [0; 3];
            for axis in 0..3 {
                point[axis] = (a[axis] * (steps - at) + b[axis] * at) * 64 + nudges[axis];
            }
            rounded(point, 64 * steps)
        });
        let blocked = |hex: Option<Hex>, blocks: &mut dyn FnMut(Hex) -> bool| hex.is_some_and(blocks);
        if blocked(one, &mut blocks) && (one == other || blocked(other, &mut blocks)) {
            return false;
        }
    }
    true
}

/// The hex nearest to a point given as cube coordinates over a denominator.
fn rounded(point: [i32; 3], denominator: i32) -> Option<Hex> {
    let mut cube = point.map(|value| (2 * value + denominator).div_euclid(2 * denominator));
    let mut worst = 0;
    let mut most = -1;
    for axis in 0..3 {
        let off = (cube[axis] * denominator - point[axis]).abs();
        if off > most {
            (worst, most) = (axis, off);
        }
    }
    cube[worst] = -cube[(worst + 1) % 3] - cube[(worst + 2) % 3];
    Hex::from_cube(cube)
}

/// Whether the ground between two hexes lets a look pass: `height` and `hides` speak of each hex
/// between them.
pub(super) fn ground_is_clear(
    from: (Hex, u8),
    to: (Hex, u8),
    height: impl Fn(Hex) -> u8,
    hides: impl Fn(Hex) -> bool,
) -> bool {
    let high = from.1.max(to.1);
    let level = from.1 == to.1;
    let top = if from.1 > to.1 { from.0 } else { to.0 };
    clear_line(from.0, to.0, |hex| {
        let here = height(hex);
        hides(hex) || here > high || (!level && here == high && hex.distance(top) > 1)
    })
}

/// How high a hex stands as an obstacle: walls rise one level above their ground.
#[must_use]
pub(super) fn height(map: &Map, hex: Hex) -> u8 {
    let cell = map.cell(hex);
    cell.level + u8::from(matches!(cell.terrain, Terrain::City | Terrain::Fort))
}

/// Whether a wall point sees a hex of the map, units apart.
pub(super) fn from_wall(map: &Map, point: Hex, hex: Hex) -> WallSight {
    let wall = map.cell(point).level + 1;
    let ground = map.cell(hex).level;
    if !ground_is_clear((point, wall), (hex, ground), |at| height(map, at), |at| map.terrain(at).hides()) {
        WallSight::Never
    } else if wall == ground {
        WallSight::OverUnits
    } else {
        WallSight::Always
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::hex::Heading;
    use super::*;

    fn between(from: u16, to: u16) -> Vec<String> {
        let mut seen = Vec::new();
        clear_line(Hex::printed(from), Hex::printed(to), |hex| {
            seen.push(hex.to_string());
            true
        });
        seen
    }

    #[test]
    fn a_line_along_a_hexside_has_two_hexes_and_any_other_one() {
        assert_eq!(between(1010, 1012), ["1011"]);
        let mut two = between(1010, 1111);
        two.sort();
        assert!(two.is_empty(), "neighbours have nothing between them: {two:?}");
        // Two columns on, the same height: the line runs along the side between the two middle hexes.
        let mut two = between(1010, 1210);
        two.sort();
        assert_eq!(two, ["1110", "1111"]);
    }

    #[test]
    fn what_rises_between_blocks() {
        let see = |a: (u16, u8), b: (u16, u8), middle: u8, hidden: bool| {
            ground_is_clear((Hex::printed(a.0), a.1), (Hex::printed(b.0), b.1), |_| middle, |_| hidden)
        };
        assert!(see((1010, 0), (1012, 0), 0, false));
        assert!(!see((1010, 0), (1012, 0), 1, false));
        assert!(!see((1010, 0), (1012, 0), 0, true));
        // The brow of the higher end blocks unless it touches that end.
        assert!(see((1010, 1), (1012, 0), 1, false));
        assert!(!see((1010, 1), (1013, 0), 1, false));
        assert!(see((1010, 2), (1013, 0), 1, false));
    }

    proptest! {
        #[test]
        fn lines_are_the_same_both_ways_and_made_of_neighbours(
            // Along the edge of the map one of the two hexes beside a line may be missing.
            a in (2_u16..50, 2_u16..36), b in (2_u16..50, 2_u16..36),
        ) {
            let [a, b] = [a, b].map(|(column, row)| Hex::at(column, row).unwrap());
            let hidden = |hex: Hex| hex.index().is_multiple_of(3);
            prop_assert_eq!(clear_line(a, b, hidden), clear_line(b, a, hidden));
            let mut last = a;
            clear_line(a, b, |hex| {
                assert!(hex.distance(last) <= 1, "{last} {hex}");
                last = hex;
                false
            });
            prop_assert!(a == b || last.distance(b) <= 1);
            prop_assert!(Heading::ALL.iter().all(|h| h.back().back() == *h));
        }
    }
}
