//! The checks of terrain elements, and their geometry.

use kernel::{Centimetres, Desk, Refusal, RuleId, Scripted, Silent};
use rulebook::phrase::tabletop_scene as say;

use super::relief::{prolonged, slopes};
use super::together::together;
use super::{Faults, MOST_POINTS, Table};
use crate::geometry::{Base, Extent, Facing, Point, Polygon, Segment, strip, turned};
use crate::scene::element::{
    Element, Hill, House, HouseSide, Kind, Obstacle, Plateau, Redoubt, Road, Water, hundredths, length_of,
};
use crate::scene::terrain::{
    DamageKind, ElementSetup, HillSetup, HouseSetup, Interval, ObstacleClass, Piece, PlateauSetup, Shape,
};
use crate::scene::{Setup, figures::crew_base, setup::Formation};
use crate::terrain::setup;

/// A clerk to whom nobody listens: faults are told, not explained.
pub(super) fn nobody() -> Desk<Scripted<'static>, Silent> {
    Desk::new(Scripted::new(&[]), Silent)
}

/// The narrowest strip or rectangle: half a centimetre.
const NARROWEST: i64 = 50;

/// How many points an element is written with.
pub(super) fn points(shape: &Shape) -> usize {
    match shape {
        Shape::Hill(hill) => hill.outline.len() + hill.crest.len(),
        Shape::Plateau(plateau) => plateau.outline.len() + plateau.crest.len(),
        Shape::Wood(wood) => wood.outline.len() + wood.clearings.iter().map(Vec::len).sum::<usize>(),
        Shape::Track(track) => track.axis.len(),
        Shape::Road(road) => road.axis.len() + road.tree_lined.len(),
        Shape::Water(water) => water.axis.len(),
        Shape::Marsh(marsh) => marsh.outline.len(),
        Shape::Field(field) => field.outline.len(),
        Shape::Obstacle(obstacle) => obstacle.line.len() + obstacle.pieces.len(),
        Shape::Redoubt(redoubt) => redoubt.line.len() + redoubt.pieces.len() + redoubt.gaps.len(),
        Shape::House(house) => 4 + house.damage.len(),
        Shape::Village(village) => village.houses.len(),
        Shape::Bridge(_) | Shape::Ford(_) | Shape::AbandonedBattery(_) => 4,
    }
}

/// Checks each element by itself, then what they owe one another.
pub(super) fn elements(setup: &Setup, table: &Table, faults: &mut Faults) -> Vec<Element> {
    let mut elements = Vec::with_capacity(setup.terrain.len());
    for (place, written) in setup.terrain.iter().enumerate() {
        let mut one = One { written, path: format!("terrain.{place}.shape"), table, faults };
        if let Some(kind) = one.kind() {
            let extent = extent_of(&kind);
            elements.push(Element {
                id: written.id.clone(),
                label: written.label.clone(),
                hidden_in: written.hidden_in.clone(),
                kind,
                extent,
            });
        }
    }
    if !faults.any() {
        together(&elements, table, faults);
    }
    elements
}

fn extent_of(kind: &Kind) -> Extent {
    match kind {
        Kind::Obstacle(obstacle) => Extent::of(&obstacle.line),
        Kind::Redoubt(redoubt) => Extent::of(&redoubt.faces.line),
        Kind::Abandoned(_, base) => base.extent,
        Kind::Hill(hill) => *hill.outline.extent(),
        Kind::Plateau(plateau) => *plateau.outline.extent(),
        Kind::House(house) => *house.area.extent(),
        Kind::Road(road) => *road.area.extent(),
        Kind::Water(water) => *water.area.extent(),
        Kind::Wood(area, _)
        | Kind::Track(_, area)
        | Kind::Bridge(_, area)
        | Kind::Ford(_, area)
        | Kind::Marsh(_, area)
        | Kind::Field(_, area) => *area.extent(),
        Kind::Village(_) => Extent::of(&[]),
    }
}

/// One element under check.
struct One<'a> {
    written: &'a ElementSetup,
    path: String,
    table: &'a Table,
    faults: &'a mut Faults,
}

impl One<'_> {
    fn fault(&mut self, field: &str, phrase: kernel::Phrase) {
        self.fault_by(None, field, phrase);
    }

    /// A fault by a rule of the terrain chapter.
    fn fault_by(&mut self, rule: Option<RuleId>, field: &str, phrase: kernel::Phrase) {
        let kind = match &self.written.shape {
            Shape::Hill(_) => "hill",
            Shape::Plateau(_) => "plateau",
            Shape::Wood(_) => "wood",
            Shape::Track(_) => "track",
            Shape::House(_) => "house",
            Shape::Village(_) => "village",
            Shape::Road(_) => "road",
            Shape::Bridge(_) => "bridge",
            Shape::Water(_) => "water",
            Shape::Ford(_) => "ford",
            Shape::Marsh(_) => "marsh",
            Shape::Field(_) => "field",
            Shape::Obstacle(_) => "obstacle",
            Shape::Redoubt(_) => "redoubt",
            Shape::AbandonedBattery(_) => "abandoned-battery",
        };
        let fault = Refusal::field(format!("{}.{kind}.{field}", self.path), phrase);
        self.faults.push(Refusal { rule, ..fault.with("name", self.written.id.clone()) });
    }

    fn kind(&mut self) -> Option<Kind> {
        match &self.written.shape {
            Shape::Hill(hill) => self.hill(hill).map(Kind::Hill),
            Shape::Plateau(plateau) => self.plateau(plateau).map(Kind::Plateau),
            Shape::Wood(wood) => {
                let outline = self.ring("outline", &wood.outline)?;
                let mut holes = Vec::new();
                for (place, clearing) in wood.clearings.iter().enumerate() {
                    let field = format!("clearings.{place}");
                    let hole = self.ring(&field, clearing)?;
                    if !hole.iter().all(|&point| Polygon::new(outline.clone()).holds_strictly(point)) {
                        self.fault(&field, say::CLEARING_OUTSIDE);
                        return None;
                    }
                    holes.push(hole);
                }
                Some(Kind::Wood(Polygon::with_holes(outline, holes), wood.kind))
            }
            Shape::Track(track) => {
                let (_, _, area) = self.strip("axis", &track.axis, track.width)?;
                Some(Kind::Track(track.clone(), area))
            }
            Shape::House(house) => self.house(house).map(Kind::House),
            Shape::Village(village) => Some(Kind::Village(village.clone())),
            Shape::Road(road) => {
                let (_, _, area) = self.strip("axis", &road.axis, road.width)?;
                let length = length_of(&road.axis);
                self.intervals("tree_lined", road.tree_lined.iter().copied(), length)?;
                Some(Kind::Road(Road { setup: road.clone(), area }))
            }
            Shape::Bridge(bridge) => {
                let corners = self.rectangle(bridge.corner, bridge.length, bridge.width, bridge.angle)?;
                Some(Kind::Bridge(bridge.clone(), Polygon::new(corners.to_vec())))
            }
            Shape::Water(water) => {
                let (left, right, area) = self.strip("axis", &water.axis, water.width)?;
                Some(Kind::Water(Water {
                    kind: water.kind,
                    axis: water.axis.clone(),
                    banks: [left, right],
                    area,
                }))
            }
            Shape::Ford(ford) => {
                let corners = self.rectangle(ford.corner, ford.length, ford.width, ford.angle)?;
                Some(Kind::Ford(ford.clone(), Polygon::new(corners.to_vec())))
            }
            Shape::Marsh(marsh) => {
                Some(Kind::Marsh(marsh.clone(), Polygon::new(self.ring("outline", &marsh.outline)?)))
            }
            Shape::Field(field) => {
                Some(Kind::Field(field.kind, Polygon::new(self.ring("outline", &field.outline)?)))
            }
            Shape::Obstacle(obstacle) => {
                let mut line = obstacle.line.clone();
                if obstacle.closed {
                    line.extend(obstacle.line.first().copied());
                }
                self.line("line", &line)?;
                self.pieces("pieces", line, obstacle.class, &obstacle.pieces).map(Kind::Obstacle)
            }
            Shape::Redoubt(redoubt) => {
                let ring = self.ring("line", &redoubt.line)?;
                if let Err(Refusal { rule, .. }) = setup::redoubt(redoubt.gaps.len(), &mut nobody()) {
                    self.fault_by(rule, "gaps", say::REDOUBT_WITHOUT_GAP);
                    return None;
                }
                let mut line = redoubt.line.clone();
                line.extend(redoubt.line.first().copied());
                let gaps = redoubt.gaps.iter().map(|gap| Piece {
                    from: gap.from,
                    to: gap.to,
                    class: ObstacleClass::Open,
                });
                let pieces: Vec<Piece> = gaps.chain(redoubt.pieces.iter().copied()).collect();
                let faces = self.pieces("pieces", line, ObstacleClass::House, &pieces)?;
                Some(Kind::Redoubt(Redoubt { setup: redoubt.clone(), interior: Polygon::new(ring), faces }))
            }
            Shape::AbandonedBattery(gun) => {
                let base = crew_base(gun.at, gun.facing, i64::from(gun.crew.get()), Formation::InPosition);
                self.on_table("at", base.corners.iter())?;
                Some(Kind::Abandoned(gun.clone(), base))
            }
        }
    }

    fn on_table<'p>(&mut self, field: &str, points: impl Iterator<Item = &'p Point>) -> Option<()> {
        for point in points {
            if !self.table.holds(*point) {
                self.fault(field, say::OFF_TABLE);
                return None;
            }
        }
        Some(())
    }

    /// A line: enough points, on the table, no edge without length.
    fn line(&mut self, field: &str, line: &[Point]) -> Option<()> {
        if line.len() < 2 || line.len() > MOST_POINTS {
            self.fault(field, say::POINTS);
            return None;
        }
        self.on_table(field, line.iter())?;
        if line.windows(2).any(|edge| edge[0] == edge[1]) {
            self.fault(field, say::NO_LENGTH);
            return None;
        }
        Some(())
    }

    /// A simple outline: three points or more, an area, no edge that meets another.
    fn ring(&mut self, field: &str, ring: &[Point]) -> Option<Vec<Point>> {
        if ring.len() < 3 || ring.len() > MOST_POINTS {
            self.fault(field, say::POINTS);
            return None;
        }
        self.on_table(field, ring.iter())?;
        let count = ring.len();
        let edge = |k: usize| Segment::new(ring[k], ring[(k + 1) % count]);
        if (0..count).any(|k| ring[k] == ring[(k + 1) % count]) {
            self.fault(field, say::NO_LENGTH);
            return None;
        }
        for a in 0..count {
            for b in a + 1..count {
                let beside = b == a + 1 || (a == 0 && b == count - 1);
                let clash = if beside {
                    // Neighbours share one point and must not run back over each other.
                    let (shared, one, other) = if b == a + 1 {
                        (edge(a).to, edge(a).from, edge(b).to)
                    } else {
                        (edge(a).from, edge(a).to, edge(b).from)
                    };
                    shared.turn(one, other) == 0
                        && (one.x - shared.x) * (other.x - shared.x)
                            + (one.y - shared.y) * (other.y - shared.y)
                            > 0
                } else {
                    edge(a).meets(edge(b))
                };
                if clash {
                    self.fault(field, say::CROSSES_ITSELF);
                    return None;
                }
            }
        }
        let mut ring = ring.to_vec();
        if Polygon::new(ring.clone()).outline() != ring.as_slice() {
            ring.reverse();
        }
        Some(ring)
    }

    fn strip(
        &mut self,
        field: &str,
        axis: &[Point],
        width: Centimetres,
    ) -> Option<(Vec<Point>, Vec<Point>, Polygon)> {
        self.line(field, axis)?;
        if !(NARROWEST..=5_000).contains(&hundredths(width)) {
            self.fault("width", say::SIZE);
            return None;
        }
        Some(strip(axis, hundredths(width)))
    }

    fn rectangle(
        &mut self,
        corner: Point,
        length: Centimetres,
        width: Centimetres,
        angle: Facing,
    ) -> Option<[Point; 4]> {
        let (length, width) = (hundredths(length), hundredths(width));
        for (field, side) in [("length", length), ("width", width)] {
            if !(NARROWEST..=10_000).contains(&side) {
                self.fault(field, say::SIZE);
                return None;
            }
        }
        // Along the angle, then to the left of it: counter-clockwise.
        let corners = [
            corner,
            turned(corner, angle, 0, length),
            turned(corner, angle, -width, length),
            turned(corner, angle, -width, 0),
        ];
        self.on_table("corner", corners.iter())?;
        Some(corners)
    }

    fn house(&mut self, written: &HouseSetup) -> Option<House> {
        let corners = self.rectangle(written.corner, written.length, written.width, written.angle)?;
        let lengths = [hundredths(written.length), hundredths(written.width)];
        for (place, damage) in written.damage.iter().enumerate() {
            let side = usize::try_from(damage.side.get()).unwrap_or(0);
            let range = 0..=lengths[side % 2];
            if damage.from >= damage.to
                || !range.contains(&hundredths(damage.from))
                || !range.contains(&hundredths(damage.to))
            {
                self.fault(&format!("damage.{place}"), say::INTERVAL);
                return None;
            }
        }
        let side = |k: usize| {
            let length = lengths[k % 2];
            let destroyed: i64 = written
                .damage
                .iter()
                .filter(|damage| {
                    usize::try_from(damage.side.get()) == Ok(k) && damage.kind == DamageKind::Destroyed
                })
                .map(|damage| hundredths(damage.to) - hundredths(damage.from))
                .sum();
            HouseSide {
                left: corners[k],
                right: corners[(k + 1) % 4],
                facing: written.angle.turned(900 - 900 * i32::try_from(k).unwrap_or(0)),
                length,
                capacity: u16::try_from(((length - destroyed) / 150).max(0)).unwrap_or(u16::MAX),
            }
        };
        Some(House {
            setup: written.clone(),
            area: Polygon::new(corners.to_vec()),
            sides: [side(0), side(1), side(2), side(3)],
        })
    }

    fn intervals(
        &mut self,
        field: &str,
        intervals: impl Iterator<Item = Interval>,
        length: i64,
    ) -> Option<()> {
        let mut end = None;
        for (place, interval) in intervals.enumerate() {
            let (from, to) = (hundredths(interval.from), hundredths(interval.to));
            if from >= to || from < 0 || to > length || end.is_some_and(|end| from < end) {
                self.fault(&format!("{field}.{place}"), say::INTERVAL);
                return None;
            }
            end = Some(to);
        }
        Some(())
    }

    /// Cuts a line into sorted, disjoint, maximal intervals by class.
    fn pieces(
        &mut self,
        field: &str,
        line: Vec<Point>,
        class: ObstacleClass,
        pieces: &[Piece],
    ) -> Option<Obstacle> {
        let length = length_of(&line);
        let mut cut: Vec<(i64, i64, ObstacleClass)> = Vec::new();
        let mut sorted: Vec<Piece> = pieces.to_vec();
        sorted.sort_by_key(|piece| (piece.from, piece.to));
        self.intervals(
            field,
            sorted.iter().map(|piece| Interval { from: piece.from, to: piece.to }),
            length,
        )?;
        let mut push = |from: i64, to: i64, class: ObstacleClass| {
            if from < to {
                match cut.last_mut() {
                    Some(last) if last.2 == class && last.1 == from => last.1 = to,
                    _ => cut.push((from, to, class)),
                }
            }
        };
        let mut at = 0;
        for piece in &sorted {
            push(at, hundredths(piece.from), class);
            push(hundredths(piece.from), hundredths(piece.to), piece.class);
            at = hundredths(piece.to);
        }
        push(at, length, class);
        Some(Obstacle { line, pieces: cut })
    }

    fn hill(&mut self, written: &HillSetup) -> Option<Hill> {
        let ring = self.ring("outline", &written.outline)?;
        self.line("crest", &written.crest)?;
        let outline = Polygon::new(ring);
        let long_crest = prolonged(&outline, &written.crest);
        let slopes = long_crest.as_ref().and_then(|crest| slopes(&outline, crest));
        let (Some(long_crest), Some(slopes)) = (long_crest, slopes) else {
            self.fault("crest", say::CREST_DOES_NOT_PART);
            return None;
        };
        Some(Hill { outline, crest: written.crest.clone(), long_crest, slopes })
    }

    fn plateau(&mut self, written: &PlateauSetup) -> Option<Plateau> {
        let outline = Polygon::new(self.ring("outline", &written.outline)?);
        let top = Polygon::new(self.ring("crest", &written.crest)?);
        let crossing = top.edges().any(|edge| outline.edges().any(|foot| foot.meets(edge)));
        if crossing || !top.outline().iter().all(|&point| outline.holds_strictly(point)) {
            self.fault("crest", say::CONTOUR_NOT_INSIDE);
            return None;
        }
        let mut contour = top.outline().to_vec();
        contour.extend(top.outline().first().copied());
        Some(Plateau { outline, top, contour })
    }
}

/// Whether a figure stands strictly in the ground of a house.
pub(super) fn stands_in(house: &House, base: &Base) -> bool {
    house.area.holds_strictly(base.centre)
}
