//! Where things stand: a grid of cells that lists, for a box or a segment, the elements and bodies
//! near it, so that nobody looks at the whole table.

use crate::geometry::{Extent, Point, Segment};

/// The side of a cell in hundredths of a centimetre.
const CELL: i64 = 1000;

/// A grid over the table. Each cell lists, in ascending order, what reaches into it.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    columns: i64,
    rows: i64,
    cells: Vec<Vec<u32>>,
    extents: Vec<Extent>,
}

impl Grid {
    /// A grid over a table of this size, of things with these boxes; their places in the list are
    /// their numbers.
    #[must_use]
    pub fn new(width: i64, depth: i64, extents: Vec<Extent>) -> Self {
        let (columns, rows) = ((width / CELL + 1).max(1), (depth / CELL + 1).max(1));
        let count = usize::try_from(columns * rows).unwrap_or(1);
        let mut grid = Self { columns, rows, cells: vec![Vec::new(); count], extents: Vec::new() };
        for (number, extent) in (0_u32..).zip(&extents) {
            for cell in grid.cells_of(extent) {
                grid.cells[cell].push(number);
            }
        }
        grid.extents = extents;
        grid
    }

    fn cells_of(&self, extent: &Extent) -> impl Iterator<Item = usize> + use<> {
        let (columns, rows) = (self.columns, self.rows);
        let clamp = |value: i64, most: i64| (value / CELL).clamp(0, most - 1);
        let (left, right) = (clamp(extent.low.x, columns), clamp(extent.high.x, columns));
        let (low, high) = (clamp(extent.low.y, rows), clamp(extent.high.y, rows));
        let empty = extent.low.x > extent.high.x;
        (low..=high).filter(move |_| !empty).flat_map(move |row| {
            (left..=right).filter_map(move |column| usize::try_from(row * columns + column).ok())
        })
    }

    /// What may reach into a box, in ascending order, each once.
    #[must_use]
    pub fn near(&self, extent: &Extent) -> Vec<u32> {
        if extent.low.x > extent.high.x || extent.low.y > extent.high.y {
            return Vec::new();
        }
        let span = |low: i64, high: i64| ((high - low) / CELL + 1).max(0);
        let cells = span(extent.low.x.max(0), extent.high.x.min(self.columns * CELL))
            * span(extent.low.y.max(0), extent.high.y.min(self.rows * CELL));
        if usize::try_from(cells).is_ok_and(|cells| 2 * cells > self.extents.len()) {
            // A box over much of the table: looking at each thing once is quicker than at each cell.
            return (0_u32..)
                .zip(&self.extents)
                .filter(|(_, of)| of.meets(extent))
                .map(|(number, _)| number)
                .collect();
        }
        let mut found: Vec<u32> = self
            .cells_of(extent)
            .flat_map(|cell| self.cells[cell].iter().copied())
            .filter(|&number| {
                usize::try_from(number)
                    .ok()
                    .and_then(|number| self.extents.get(number))
                    .is_some_and(|of| of.meets(extent))
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What may reach into the band between two boxes: the hull of both, not the box around both.
    #[must_use]
    pub fn between(&self, a: &Extent, b: &Extent) -> Vec<u32> {
        if a.low.x > a.high.x || b.low.x > b.high.x {
            return Vec::new();
        }
        self.near(&a.and(*b))
            .into_iter()
            .filter(|&number| {
                usize::try_from(number)
                    .ok()
                    .and_then(|number| self.extents.get(number))
                    .is_some_and(|of| in_band(of, a, b))
            })
            .collect()
    }

    /// What may reach to a segment.
    #[must_use]
    pub fn along(&self, segment: Segment) -> Vec<u32> {
        let dot = |point: Point| Extent { low: point, high: point };
        self.between(&dot(segment.from), &dot(segment.to))
    }
}

/// Whether a box may meet the hull of two others: no line along a joint tangent parts them.
fn in_band(of: &Extent, a: &Extent, b: &Extent) -> bool {
    let corners = |e: &Extent| [e.low, Point::new(e.high.x, e.low.y), e.high, Point::new(e.low.x, e.high.y)];
    let (from, to, this) = (corners(a), corners(b), corners(of));
    // The direction between the middles; everything of the two boxes lies between two parallels.
    let (dx, dy) = (b.low.x + b.high.x - a.low.x - a.high.x, b.low.y + b.high.y - a.low.y - a.high.y);
    let across = |point: &Point| dx * point.y - dy * point.x;
    let (mut low, mut high) = (i64::MAX, i64::MIN);
    for point in from.iter().chain(&to) {
        low = low.min(across(point));
        high = high.max(across(point));
    }
    this.iter().any(|point| across(point) >= low) && this.iter().any(|point| across(point) <= high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_finds_what_it_passes_and_not_what_stands_aside() {
        let dot = |x, y| Extent::of([&Point::cm(x, y), &Point::cm(x + 2, y + 2)]);
        let grid = Grid::new(20_000, 12_000, vec![dot(50, 50), dot(90, 10), dot(150, 100)]);
        assert_eq!(grid.along(Segment::new(Point::cm(0, 0), Point::cm(100, 101))), [0]);
        assert_eq!(grid.near(&Extent::of([&Point::cm(0, 0), &Point::cm(100, 60)])), [0, 1]);
        assert!(grid.near(&Extent::of(&[])).is_empty());
    }
}
