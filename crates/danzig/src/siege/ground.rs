//! The printed siege map (chapters 4.4 and 4.7, DZ-R92): points, walls, zone, villages and redoubts,
//! read once from the map tables.

use std::sync::LazyLock;

use kernel::Metres;
use rulebook::tables::danzig::{MAP_SIEGE_POINTS, MapSiegeShapesId as Shape};

use super::geometry::{Facing, Fine, Spot, inside};
use super::state::{KalkeSide, Pose, RedoubtId, WALL_POINTS, WallId};

/// A piece of a wall line that belongs to the segment of one pink point.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// One end.
    pub a: Fine,
    /// The other end.
    pub b: Fine,
    /// The point of the segment.
    pub owner: WallId,
    /// The next point, if the piece lies on the way to it.
    pub towards: Option<WallId>,
}

/// The printed map.
#[derive(Debug)]
pub struct Ground {
    /// The pink points, in the order of [`WallId`].
    pub points: [Spot; WALL_POINTS],
    /// The green points, one behind each pair.
    pub greens: [Spot; WALL_POINTS / 2],
    /// The border of the map.
    pub edge: Vec<Fine>,
    /// The concentration area.
    pub zone: Vec<Fine>,
    /// The sides of the concentration area that do not lie on the edge of the map.
    pub zone_borders: Vec<(Fine, Fine)>,
    /// The villages.
    pub villages: Vec<Vec<Fine>>,
    /// The line of the first wall.
    pub first_wall: Vec<Piece>,
    /// The line of the second wall.
    pub second_wall: Vec<Piece>,
    /// Where nothing French passes: the gap before the Schidlitz gate, the ground between the ends of the
    /// two walls, and both sides of the city. With the walls they close the ground off all round.
    pub barriers: [(Fine, Fine); 5],
    /// The city blocks.
    pub city: Vec<Fine>,
    /// Everything behind the second wall.
    pub inner: Vec<Fine>,
    /// The height below which no wall lies.
    pub lowest_wall: i64,
    /// The height above which the concentration area does not reach.
    pub zone_top: i64,
    /// The outline of the Kalke-Schanze.
    pub kalke: Vec<Fine>,
    /// The box from which it is stormed.
    pub kalke_box: Vec<Fine>,
    /// The middles of its sides.
    pub kalke_sides: [Spot; 3],
    /// Where its guns stand.
    pub kalke_guns: Spot,
    /// The printed redoubts, each one counter with its long side along the x axis.
    pub redoubts: [Spot; 5],
}

/// The printed map.
pub static GROUND: LazyLock<Ground> = LazyLock::new(Ground::read);

fn decimetres(length: Metres) -> i16 {
    i16::try_from(length.count() / 10).unwrap_or(i16::MAX)
}

/// The place of a point of the map table.
fn point(id: &str) -> Spot {
    MAP_SIEGE_POINTS
        .iter()
        .find(|row| row.id == id)
        .map(|row| Spot::new(decimetres(row.x_m), decimetres(row.y_m)))
        .unwrap_or_default()
}

/// The vertices of a shape of the map table.
fn shape(id: Shape) -> Vec<Fine> {
    let mut vertices: Vec<Fine> = id
        .row()
        .points_xy_m
        .split_whitespace()
        .filter_map(|pair| {
            let (x, y) = pair.split_once(',')?;
            Some(Spot::metres(x.parse().ok()?, y.parse().ok()?).fine())
        })
        .collect();
    if vertices.len() > 2 && vertices.first() == vertices.last() {
        vertices.pop();
    }
    vertices
}

fn middle(a: Fine, b: Fine) -> Fine {
    Fine { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
}

/// Cuts a wall line into the segments of its points: halfway between neighbours, at the middle vertex
/// where the line bends between them, and whole at its ends.
fn pieces(line: &[Fine], points: &[Spot; WALL_POINTS], second: bool) -> Vec<Piece> {
    let owner_at = |vertex: Fine| {
        WallId::all().find(|id| id.is_second() == second && points[id.index()].fine() == vertex)
    };
    let owned: Vec<(usize, WallId)> =
        line.iter().enumerate().filter_map(|(at, vertex)| Some((at, owner_at(*vertex)?))).collect();
    let mut pieces = Vec::new();
    for (at, pair) in line.windows(2).enumerate() {
        let (&[a, b], before, after) = (
            &[pair[0], pair[1]],
            owned.iter().rev().find(|(place, _)| *place <= at),
            owned.iter().find(|(place, _)| *place > at),
        );
        match (before, after) {
            (Some(&(i, left)), Some(&(j, right))) if j == i + 1 => {
                let half = middle(a, b);
                pieces.push(Piece { a, b: half, owner: left, towards: Some(right) });
                pieces.push(Piece { a: half, b, owner: right, towards: Some(left) });
            }
            (Some(&(i, left)), Some(&(j, right))) => {
                let (owner, next) = if 2 * at + 1 < i + j { (left, right) } else { (right, left) };
                pieces.push(Piece { a, b, owner, towards: Some(next) });
            }
            (Some(&(_, owner)), None) | (None, Some(&(_, owner))) => {
                pieces.push(Piece { a, b, owner, towards: None });
            }
            (None, None) => {}
        }
    }
    pieces
}

impl Ground {
    fn read() -> Self {
        let mut points = [Spot::default(); WALL_POINTS];
        let mut greens = [Spot::default(); WALL_POINTS / 2];
        for id in WallId::all() {
            points[id.index()] = point(id.code());
            let (half, number) = id.code().split_at(1);
            greens[id.index() / 2] = point(&format!("{}g{number}", half.to_uppercase()));
        }
        let (left, right, wall2) = (shape(Shape::Wall1H), shape(Shape::Wall1B), shape(Shape::Wall2));
        let ends = |line: &[Fine]| {
            (line.first().copied().unwrap_or_default(), line.last().copied().unwrap_or_default())
        };
        let ((first_left, gap_left), (gap_right, first_right), (second_left, second_right)) =
            (ends(&left), ends(&right), ends(&wall2));
        let mut first_wall = pieces(&left, &points, false);
        first_wall.extend(pieces(&right, &points, false));
        let (edge, zone) = (shape(Shape::Map), shape(Shape::Zone));
        let on_edge = |a: Fine, b: Fine| {
            super::geometry::sides(&edge).any(|(c, d)| {
                super::geometry::near_segment(a, c, d, 0) && super::geometry::near_segment(b, c, d, 0)
            })
        };
        let zone_borders = super::geometry::sides(&zone).filter(|(a, b)| !on_edge(*a, *b)).collect();
        let lowest_wall = points.iter().map(|spot| spot.fine().y).min().unwrap_or_default();
        let zone_top = zone.iter().map(|corner| corner.y).max().unwrap_or_default();
        let mut inner = wall2.clone();
        let [city_right, city_left] = [Spot::metres(2300, 2000), Spot::metres(450, 2000)].map(Spot::fine);
        inner.extend([city_right, city_left]);
        Self {
            inner,
            lowest_wall,
            zone_top,
            points,
            greens,
            zone_borders,
            villages: [Shape::V1, Shape::V2, Shape::V3, Shape::V4].map(shape).to_vec(),
            first_wall,
            second_wall: pieces(&wall2, &points, true),
            barriers: [
                (gap_left, gap_right),
                (first_left, second_left),
                (first_right, second_right),
                (second_left, city_left),
                (second_right, city_right),
            ],
            city: shape(Shape::City),
            kalke: shape(Shape::Kalke),
            kalke_box: shape(Shape::Kalkebox),
            kalke_sides: ["K1", "K2", "K3"].map(point),
            kalke_guns: Spot::metres(200, 975),
            redoubts: ["R1", "R2", "R3", "R4", "R5"].map(point),
            edge,
            zone,
        }
    }

    /// The place of a pink point.
    #[must_use]
    pub const fn point(&self, id: WallId) -> Spot {
        self.points[id.index()]
    }

    /// The green point behind a pair.
    #[must_use]
    pub const fn green(&self, id: WallId) -> Spot {
        self.greens[id.index() / 2]
    }

    /// The middle of a side of the Kalke-Schanze.
    #[must_use]
    pub const fn kalke_side(&self, side: KalkeSide) -> Spot {
        self.kalke_sides[side as usize]
    }

    /// The counter that arms a printed redoubt, with its front up or down the map.
    #[must_use]
    pub fn redoubt(&self, id: RedoubtId, facing: Facing) -> Option<Pose> {
        Some(Pose::new(*self.redoubts.get(usize::from(id.0))?, facing))
    }

    /// Whether a place lies in the concentration area or on its border.
    #[must_use]
    pub fn in_zone(&self, place: Fine) -> bool {
        inside(place, &self.zone)
    }

    /// Whether a place lies on the map.
    #[must_use]
    pub fn on_map(&self, place: Fine) -> bool {
        inside(place, &self.edge)
    }

    /// Whether a place lies behind the second wall.
    #[must_use]
    pub fn in_city(&self, place: Fine) -> bool {
        inside(place, &self.inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_is_whole() {
        let ground = &*GROUND;
        assert!(ground.points.iter().chain(&ground.greens).all(|spot| spot.x > 0 && spot.y > 0));
        assert_eq!(ground.zone.len(), 6);
        assert_eq!(ground.zone_borders.len(), 5);
        assert!(ground.villages.iter().all(|village| village.len() == 4));
        // Each point has its segment: pieces on both sides of it.
        for id in WallId::all() {
            let wall = if id.is_second() { &ground.second_wall } else { &ground.first_wall };
            let touching = wall.iter().filter(|piece| piece.owner == id).count();
            assert!(touching >= 1 && (touching >= 2 || ["H9", "B1"].contains(&id.code())), "{id}");
            let place = ground.point(id).fine();
            assert!(wall.iter().any(|p| p.owner == id && (p.a == place || p.b == place)), "{id}");
        }
        // Linked pairs are 118 to 122 m apart, green points 100 to 106 m behind.
        for id in WallId::second_wall() {
            let pair = ground.point(id).fine().centimetres_to(ground.point(id.linked()).fine());
            assert!((11_750..=12_250).contains(&pair), "{id} {pair}");
            let green = ground.point(id).fine().centimetres_to(ground.green(id).fine());
            assert!((9_950..=10_650).contains(&green), "{id} {green}");
        }
    }
}
