//! Walls that guns shoot to pieces (terrain chapter, end of section 8.5, and TE-R82). A battery and an obstacle,
//! the side of a house or the face of a redoubt before its muzzles enter; the stretches that change their class
//! leave, and are written to the table.

use kernel::{Centimetres, Clerk, Event, Refusal, Verdict, Whole};
use rulebook::phrase::{evening as say, tabletop_shoot};
use rulebook::rule;
use serde::{Deserialize, Serialize};

use super::{Evening, FiredAt, Phase, Written};
use crate::fire::Projectile;
use crate::fire::corridor::Corridor;
use crate::fire::ground::{Element, Ground, Part, Slot};
use crate::fire::priority::nobody;
use crate::geometry::{Point, Segment, turned};
use crate::scene::{
    Damage, DamageKind, ElementSetup, House, Instant, Kind, Obstacle, ObstacleClass, Piece, Setup, Shape,
};
use crate::terrain::obstacles::degrade::{self, Shelled, Shelling, Shot as Shell};

/// A wall that a battery fires at in this phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Battered {
    /// Who fires.
    pub(super) battery: String,
    /// At what.
    pub(super) element: String,
    /// The enemy behind it, if there is one.
    pub(super) target: Option<String>,
}

/// A length of wall is judged by cells of a millimetre of the table.
const CELL: i64 = 10;
/// Lanes are looked along so far apart.
const APART: i64 = 5;

/// What a wall is made of, seen from a battery.
enum Wall<'a> {
    Line(&'a Obstacle, Shelled),
    House(&'a House),
}

/// Where the fire along a lane strikes: how far, which side of a house, how far along the line or side.
#[derive(Clone, Copy)]
struct Struck {
    distance: i64,
    side: usize,
    along: i64,
}

/// What the balls have done: on which side of a house, from where to where.
pub(super) struct Breach {
    side: usize,
    stretches: Vec<(i64, i64)>,
    length: Centimetres,
}

impl<'a> Wall<'a> {
    fn of(kind: &'a Kind) -> Option<Self> {
        match kind {
            Kind::House(house) => Some(Self::House(house)),
            Kind::Redoubt(redoubt) => Some(Self::Line(&redoubt.faces, Shelled::Redoubt)),
            Kind::Obstacle(line) => {
                let hard = line.pieces.iter().any(|&(_, _, class)| class == ObstacleClass::Hard);
                Some(Self::Line(line, if hard { Shelled::HardLinear } else { Shelled::LightLinear }))
            }
            _ => None,
        }
    }

    const fn shelled(&self) -> Shelled {
        match self {
            Self::Line(_, shelled) => *shelled,
            Self::House(_) => Shelled::House,
        }
    }

    /// Where a lane first meets what still stands.
    fn struck(&self, lane: Segment) -> Option<Struck> {
        let far = |at: Point| Segment::new(lane.from, at).length();
        match self {
            Self::Line(line, _) => line
                .crossings(lane)
                .filter(|(.., class)| *class != ObstacleClass::Open)
                .map(|(at, along, _)| Struck { distance: far(lane.at(at)), side: 0, along })
                .min_by_key(|struck| struck.distance),
            Self::House(house) => house
                .sides
                .iter()
                .enumerate()
                .filter(|(_, side)| lane.crosses(side.left, side.right))
                .filter_map(|(number, side)| {
                    let at = lane.at(lane.meeting(side.left, side.right)?);
                    let along = Segment::new(side.left, at).length();
                    Some(Struck { distance: far(at), side: number, along })
                })
                .min_by_key(|struck| struck.distance),
        }
    }

    /// Whether a cell can still be degraded.
    fn is_intact(&self, side: usize, cell: i64) -> bool {
        let middle = cell * CELL + CELL / 2;
        match self {
            Self::Line(line, Shelled::Redoubt) => line.class_at(middle) == ObstacleClass::House,
            Self::Line(line, _) => line.class_at(middle) == ObstacleClass::Hard,
            Self::House(house) => {
                let hit = |damage: &Damage| {
                    usize::try_from(damage.side.get()) == Ok(side)
                        && (i64::from(damage.from.count())..i64::from(damage.to.count())).contains(&middle)
                };
                middle < house.sides[side].length && !house.setup.damage.iter().any(hit)
            }
        }
    }
}

/// What a battery does to a wall in its fire of the half-period, or why it cannot.
fn batter(
    ground: &Ground<'_>,
    battered: &Battered,
    projectile: Projectile,
    clerk: &mut impl Clerk,
) -> Verdict<Breach> {
    let scene = ground.scene;
    scene.body(&battered.battery, "battery")?;
    let element = scene.element(&battered.element, "element")?;
    let place = scene.bodies().iter().position(|body| body.id() == battered.battery).unwrap_or(0);
    let name = || element.name().to_owned();
    let Some(corridor) = Corridor::of(ground, place, Instant::P2) else {
        let body = scene.bodies()[place].name().to_owned();
        return Err(Refusal::field("battery", say::NOT_A_BATTERY).with("name", body));
    };
    let Some(wall) = Wall::of(&element.kind) else {
        return Err(Refusal::field("element", say::NO_OBSTACLE));
    };
    let range = i64::from(corridor.calibre.bands().range.count());
    let lane = |x: i64| {
        let at = |y: i64| turned(corridor.origin, corridor.facing, x, y);
        Segment::new(at(0), at(range))
    };
    // The axis goes through whoever is fired at, within the lane; else straight ahead.
    let target = battered.target.as_deref().map(|id| scene.body(id, "target")).transpose()?;
    let axis = target.map_or(0, |body| corridor.axis(body.now().centre).0);
    let within = |x: &i64| x.abs() <= corridor.half;
    let outwards = (0..).step_by(5).map(|far: i64| [axis - far, axis + far]).take(400).flatten();
    let centre = outwards.filter(within).find_map(|x| wall.struck(lane(x)));
    let Some(centre) = centre else {
        return Err(Refusal::field("element", say::NOT_IN_LANE).with("name", name()));
    };
    let steps = (2 * corridor.half / APART).max(0);
    let along = (0..=steps)
        .filter_map(|step| wall.struck(lane(step * APART - corridor.half)))
        .filter(|struck| struck.side == centre.side)
        .map(|struck| struck.along);
    let (low, high) = along.fold((centre.along, centre.along), |(low, high), at| (low.min(at), high.max(at)));
    let in_lane = |cell: &i64| (low..=high).contains(&(cell * CELL + CELL / 2));
    let mut cells: Vec<i64> = (low / CELL..=high / CELL)
        .filter(in_lane)
        .filter(|&cell| wall.is_intact(centre.side, cell))
        .collect();
    let slots = ground.slots(Element { body: place, part: Part::Whole }, clerk)?;
    let quarters = if slots.contains(&Slot::Joint) { 2 } else { 1 };
    let length = |hundredths: i64| Centimetres::hundredths(i32::try_from(hundredths).unwrap_or(i32::MAX));
    let intact = i64::try_from(cells.len()).unwrap_or(0) * CELL;
    let shelling = Shelling {
        target: wall.shelled(),
        calibre: Whole::new(corridor.calibre.pounds()).unwrap_or_default(),
        distance_cm: length(centre.distance),
        shot: if projectile == Projectile::Canister { Shell::Canister } else { Shell::Ball },
        quarters: Whole::new(quarters).unwrap_or_default(),
        batteries: Whole::default(),
        intact_cm: length(intact),
    };
    let damage = degrade::shell(&shelling, ground.options, clerk)?;
    if damage.becomes.is_none() {
        return Err(Refusal::rule(rule!(TE_8_5_13), say::NO_OBSTACLE));
    }
    cells.sort_by_key(|&cell| ((cell * CELL + CELL / 2 - centre.along).abs(), cell));
    cells.truncate(usize::try_from(i64::from(damage.degraded_cm.count()) / CELL).unwrap_or(0));
    cells.sort_unstable();
    let mut stretches: Vec<(i64, i64)> = Vec::new();
    for cell in cells {
        let (from, to) = (cell * CELL, (cell + 1) * CELL);
        match stretches.last_mut() {
            Some(last) if last.1 == from => last.1 = to,
            _ => stretches.push((from, to)),
        }
    }
    Ok(Breach { side: centre.side, stretches, length: damage.degraded_cm })
}

/// Writes a breach into an element.
fn write(element: &mut ElementSetup, breach: &Breach) {
    let length = |hundredths: i64| Centimetres::hundredths(i32::try_from(hundredths).unwrap_or(i32::MAX));
    for &(from, to) in &breach.stretches {
        let (from, to) = (length(from), length(to));
        match &mut element.shape {
            Shape::House(house) => {
                if let Some(side) = i32::try_from(breach.side).ok().and_then(Whole::new) {
                    house.damage.push(Damage { side, from, to, kind: DamageKind::Degraded });
                }
            }
            Shape::Redoubt(fort) => {
                carve(&mut fort.pieces, Piece { from, to, class: ObstacleClass::HardFinal });
            }
            Shape::Obstacle(line) => carve(&mut line.pieces, Piece { from, to, class: ObstacleClass::Light }),
            _ => {}
        }
    }
}

/// Puts a piece into a line: whatever was written there is cut.
fn carve(pieces: &mut Vec<Piece>, new: Piece) {
    let mut cut = Vec::new();
    for old in pieces.drain(..) {
        let before = Piece { to: old.to.min(new.from), ..old };
        let after = Piece { from: old.from.max(new.to), ..old };
        cut.extend([before, after].into_iter().filter(|piece| piece.from < piece.to));
    }
    cut.push(new);
    cut.sort_by_key(|piece| piece.from);
    for piece in cut {
        match pieces.last_mut() {
            Some(last) if last.to == piece.from && last.class == piece.class => last.to = piece.to,
            _ => pieces.push(piece),
        }
    }
}

/// Whether a battery may fire at a wall beside what the phase has seen.
pub(super) fn may(evening: &Evening, battered: &Battered, projectile: Projectile) -> Verdict<()> {
    let opening = evening.opening(&battered.battery).opening;
    let scene = opening.0.checked("table", &evening.options)?;
    let ground = Ground::new(&scene, &evening.options);
    let element = scene.element(&battered.element, "element")?;
    let place = scene.elements().iter().position(|other| other.id == element.id);
    let touches = |body: &crate::scene::Body| match &element.kind {
        Kind::Obstacle(line) => body.now().figures.iter().any(|one| line.gap_to(&one.base).touches()),
        _ => body.now().house == place || body.now().redoubt == place,
    };
    match &battered.target {
        Some(target) => {
            let body = scene.body(target, "target")?;
            if !rule!(TE_R82).holds(touches(body)) {
                return Err(
                    Refusal::rule(rule!(TE_R82), say::NOT_BEHIND).with("name", body.name().to_owned())
                );
            }
        }
        None => alone(evening, &ground, battered, matches!(element.kind, Kind::Obstacle(_)))?,
    }
    batter(&ground, battered, projectile, &mut nobody()).map(|_| ())
}

/// A wall that nobody stands behind is fired at only when there is nobody to fire at, and never a house.
fn alone(evening: &Evening, ground: &Ground<'_>, battered: &Battered, linear: bool) -> Verdict<()> {
    let scene = ground.scene;
    scene.body(&battered.battery, "battery")?;
    let place = scene.bodies().iter().position(|body| body.id() == battered.battery).unwrap_or(0);
    let name = || scene.bodies()[place].name().to_owned();
    ground.may_fire(place, &mut nobody())?;
    if evening.fired().iter().any(|fire| fire.shooter == battered.battery) {
        return Err(Refusal::rule(rule!(FE_2_3_08), tabletop_shoot::FIRED_ALREADY).with("body", name()));
    }
    if !linear {
        return Err(Refusal::rule(rule!(TE_R82), say::NOT_BEHIND).with("name", battered.element.clone()));
    }
    for element in ground.elements(place) {
        for &slot in ground.slots(element, &mut nobody())?.iter() {
            let enemies = (0..scene.bodies().len())
                .filter(|&other| ground.body(other).side() != ground.body(place).side());
            for target in enemies.flat_map(|other| ground.as_targets(other)) {
                if ground.is_eligible(element, slot, target, &mut nobody()).is_ok() {
                    let first = ground.body(target.body).name().to_owned();
                    return Err(Refusal::rule(rule!(TE_R82), say::ENEMY_FIRST).with("name", first));
                }
            }
        }
    }
    Ok(())
}

/// The walls of a phase are shot to pieces, one battery after the other, so that they add up. What the last of
/// them did is told.
pub(super) fn apply(
    table: &mut Setup,
    opening: &Setup,
    evening: &Evening,
    phase: &[Battered],
    clerk: &mut impl Clerk,
) {
    for (place, battered) in phase.iter().enumerate() {
        let now = Setup { terrain: table.terrain.clone(), ..opening.clone() };
        let Ok(scene) = now.checked("table", &evening.options) else { return };
        let ground = Ground::new(&scene, &evening.options);
        let last = place + 1 == phase.len();
        let breach = if last {
            batter(&ground, battered, Projectile::Ball, clerk)
        } else {
            batter(&ground, battered, Projectile::Ball, &mut nobody())
        };
        let Ok(breach) = breach else { continue };
        for element in table.terrain.iter_mut().filter(|element| element.id == battered.element) {
            write(element, &breach);
        }
        if last {
            let name = evening.called_element(&battered.element);
            clerk.happened(|| Event::new(say::BATTERED).with("name", name).with("length", breach.length));
        }
    }
}

/// A battery fires at a wall that nobody holds.
pub(super) fn fire(evening: &mut Evening, battery: &str, element: &str, clerk: &mut impl Clerk) {
    let Phase { opening, shots, mut battered } = evening.opening(battery);
    battered.push(Battered { battery: battery.to_owned(), element: element.to_owned(), target: None });
    let mut table = evening.table().clone();
    apply(&mut table, &opening.0, evening, &battered[battered.len() - 1..], clerk);
    evening.table = Written(table);
    evening.phase = Some(Phase { opening, shots, battered });
    evening.fired.push(FiredAt { shooter: battery.to_owned(), target: element.to_owned() });
}

impl Evening {
    /// The wall before an enemy that a battery would shoot to pieces together with its fire at him.
    #[must_use]
    pub fn wall_before(&self, battery: &str, target: &str) -> Option<String> {
        let scene = self.table().checked("table", self.options()).ok()?;
        let wished = |element: &str| Battered {
            battery: battery.to_owned(),
            element: element.to_owned(),
            target: Some(target.to_owned()),
        };
        scene
            .elements()
            .iter()
            .find(|element| may(self, &wished(&element.id), Projectile::Ball).is_ok())
            .map(|element| element.id.clone())
    }
}
