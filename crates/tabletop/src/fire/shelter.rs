//! What shelters a figure from a fire (geometry page, section 6) and which of two bodies stands
//! higher (FE-R79). The table is read here; what each place is worth is said by `terrain::cover`.

use rulebook::options::tabletop::{Ditch, Options};
use rulebook::rule;

use super::Cover;
use super::measure::{Direction, direction};
use super::priority::nobody;
use crate::Arm;
use crate::geometry::{GRAIN, Point, Segment, crosses_line, gap_to_line};
use crate::scene::{
    Body, Element, Figure, Formation, Instant, Kind, Obstacle, Plateau, Presence, Road, Scene, WaterKind,
};
use crate::terrain::cover::{self, Screen};
use crate::terrain::ground::Ground;
use crate::terrain::obstacles::ObstacleClass;
use crate::terrain::on_table::class;

/// How near to a figure something must be to shelter it at all.
const NEAR: i64 = 200;

/// What shelters a figure of a body from a fire that starts at a point: the best single class.
#[must_use]
pub fn shelter(
    scene: &Scene,
    options: &Options,
    body: &Body,
    presence: &Presence,
    figure: &Figure,
    from: Point,
) -> Cover {
    cover::against_fire(&place(scene, options, body, presence, figure, from), &mut nobody())
}

/// The place of a figure as a fire from a point meets it.
fn place(
    scene: &Scene,
    options: &Options,
    body: &Body,
    presence: &Presence,
    figure: &Figure,
    from: Point,
) -> cover::Place {
    let mut place = cover::Place { garrison: presence.house.is_some(), ..cover::Place::default() };
    if place.garrison {
        return place;
    }
    let line = Segment::new(from, figure.base.centre);
    for number in scene.grid().near(&figure.base.extent.grown(NEAR)) {
        let Some(element) = usize::try_from(number).ok().and_then(|number| scene.elements().get(number))
        else {
            continue;
        };
        match &element.kind {
            Kind::Obstacle(obstacle) => {
                place.screens.extend(screen(obstacle, presence, figure, line));
            }
            Kind::Redoubt(redoubt) if redoubt.interior.holds(figure.base.centre) => {
                place.ground.push(Ground::Redoubt);
                place.across_face |= redoubt.faces.crossings(line).any(|(_, _, of)| class(of).is_some());
            }
            Kind::Redoubt(redoubt) => place.screens.extend(screen(&redoubt.faces, presence, figure, line)),
            Kind::Wood(area, _) if area.holds(figure.base.centre) => {
                place.ground.push(Ground::Wood);
                place.shooter_in_same_wood |= area.holds(from);
            }
            Kind::Road(road) if is_on_tree_lined(road, body, presence) => {
                place.ground.push(Ground::TreeLinedRoad);
            }
            Kind::Water(water)
                if water.kind == WaterKind::Ditch && options.ditch == Ditch::AsLightObstacle =>
            {
                let gap = figure.base.gap_to_line(&water.axis);
                place.screens.push(Screen {
                    class: ObstacleClass::Light,
                    distance_cm: gap.centimetres(),
                    crossed: crosses_line(line, &water.axis),
                    shooter_behind_it_too: gap_to_line(from, &water.axis).rounded() < NEAR,
                    column_in_flank: false,
                });
            }
            Kind::Abandoned(_, gun) => {
                let inside = presence.figures.iter().all(|figure| gun.holds(figure.base.centre));
                let behind = !inside
                    && figure.base.gap_to(gun).rounded() < NEAR
                    && gun.edges().any(|edge| line.crosses(edge.from, edge.to));
                if rule!(FE_3_7_26).holds(inside || behind) {
                    place.ground.push(Ground::AbandonedBattery);
                }
            }
            _ => {}
        }
    }
    place
}

/// A linear obstacle near a figure, and whether a fire crosses a stretch that still stands.
fn screen(obstacle: &Obstacle, presence: &Presence, figure: &Figure, line: Segment) -> Option<Screen> {
    let standing = obstacle.crossings(line).filter_map(|(at, _, of)| class(of).map(|class| (at, class)));
    let (_, class) = standing.max_by_key(|(at, _)| *at)?;
    let column = matches!(
        presence.formation,
        Formation::CompanyColumn | Formation::DivisionColumn | Formation::ClosedColumn | Formation::Column
    );
    Some(Screen {
        class,
        distance_cm: obstacle.gap_to(&figure.base).centimetres(),
        crossed: true,
        shooter_behind_it_too: gap_to_line(line.from, &obstacle.line).rounded() < NEAR,
        column_in_flank: column
            && direction(presence.centre, presence.facing, line.from) == Direction::Flank
            && presence.front().any(|figure| obstacle.gap_to(&figure.base).touches()),
    })
}

/// Whether a body marches on a stretch lined with trees: every rank between them.
#[must_use]
pub fn is_on_tree_lined(road: &Road, body: &Body, presence: &Presence) -> bool {
    if road.setup.tree_lined.is_empty() {
        return false;
    }
    let narrow = match (body.arm, presence.formation) {
        (Arm::Infantry, Formation::CompanyColumn) => in_front(presence) <= 3,
        (Arm::Cavalry | Arm::Cuirassiers, Formation::Column) => in_front(presence) <= 2,
        (Arm::FootArtillery | Arm::HorseArtillery, Formation::Limbered) => true,
        _ => false,
    };
    narrow
        && (0..presence.ranks()).all(|rank| {
            middle_of(presence, rank).is_some_and(|middle| {
                let width = i64::from(road.setup.width.count());
                gap_to_line(middle, &road.setup.axis).rounded() * 2 <= width && lined_at(road, middle)
            })
        })
}

fn in_front(presence: &Presence) -> usize {
    presence.figures.iter().filter(|figure| figure.rank == 0).count()
}

fn middle_of(presence: &Presence, rank: u16) -> Option<Point> {
    let mut in_rank = presence.figures.iter().filter(|figure| figure.rank == rank);
    let first = in_rank.next()?;
    let last = in_rank.next_back().unwrap_or(first);
    Some(first.base.centre.towards(last.base.centre, 1, 2))
}

/// Whether the nearest place of the axis is lined with trees.
fn lined_at(road: &Road, place: Point) -> bool {
    let mut before = 0;
    let mut nearest = None;
    for edge in road.setup.axis.windows(2) {
        let edge = Segment::new(edge[0], edge[1]);
        let foot = edge.nearest_to(place);
        let found = (foot.square_to(place), before + edge.from.gap_to(foot).rounded());
        if nearest.is_none_or(|best: (i64, i64)| found.0 < best.0) {
            nearest = Some(found);
        }
        before += edge.length();
    }
    nearest.is_some_and(|(_, along)| {
        road.setup
            .tree_lined
            .iter()
            .any(|part| (i64::from(part.from.count())..=i64::from(part.to.count())).contains(&along))
    })
}

/// Whether a target stands higher on a slope than the shooter (FE-R79).
#[must_use]
pub fn is_uphill(scene: &Scene, shooter: &Presence, target: &Presence) -> bool {
    if target.house.is_some() {
        return false;
    }
    let on = |presence: &Presence, element: &Element| {
        element.extent.meets(&presence.extent)
            && element
                .area()
                .is_some_and(|area| presence.figures.iter().any(|figure| figure.base.overlaps(area)))
    };
    let reliefs =
        || scene.elements().iter().filter(|element| matches!(element.kind, Kind::Hill(_) | Kind::Plateau(_)));
    let Some(relief) = reliefs().find(|element| on(target, element)) else { return false };
    if let Kind::Plateau(plateau) = &relief.kind
        && is_behind_contour(plateau, target)
    {
        return false;
    }
    match reliefs().find(|element| on(shooter, element)) {
        None => true,
        Some(other) if other.id != relief.id => false,
        Some(_) => match (mean_up(relief, shooter), mean_up(relief, target)) {
            (Some((mine, below)), Some((theirs, above))) => mine == theirs && below >= above + GRAIN,
            _ => false,
        },
    }
}

fn is_behind_contour(plateau: &Plateau, presence: &Presence) -> bool {
    presence.figures.iter().all(|figure| {
        figure.base.corners.iter().all(|&corner| plateau.top.holds(corner))
            && !figure.base.gap_to_line(&plateau.contour).touches()
    })
}

/// The slope a figure belongs to, by the middle of its front edge; on the crest, the one it faces.
/// A plateau has a single one, its top included.
#[must_use]
pub fn slope_of(relief: &Element, figure: &Figure) -> Option<usize> {
    let front = figure.base.front;
    match &relief.kind {
        Kind::Hill(hill) => {
            let ahead = crate::geometry::turned(front, figure.base.facing, 0, GRAIN);
            let holds = |k: &usize| hill.slopes[*k].holds(front);
            (0..2).filter(holds).max_by_key(|&k| (hill.slopes[k].holds(ahead), usize::MAX - k))
        }
        Kind::Plateau(plateau) => plateau.outline.holds(front).then_some(0),
        _ => None,
    }
}

/// The slope of a body's first rank and its mean distance to the crest; nothing if it stands on
/// more than one slope.
#[must_use]
pub fn mean_up(relief: &Element, presence: &Presence) -> Option<(usize, i64)> {
    let mut slope = None;
    let (mut sum, mut count) = (0, 0);
    for figure in presence.front() {
        let front = figure.base.front;
        let here = slope_of(relief, figure)?;
        let up = match &relief.kind {
            Kind::Hill(hill) => gap_to_line(front, &hill.crest).rounded_down(),
            Kind::Plateau(plateau) if plateau.top.holds(front) => 0,
            Kind::Plateau(plateau) => gap_to_line(front, &plateau.contour).rounded_down(),
            _ => return None,
        };
        if slope.is_some_and(|slope| slope != here) {
            return None;
        }
        slope = Some(here);
        sum += up;
        count += 1;
    }
    slope.map(|slope| (slope, sum / count.max(1)))
}

/// Whether a body is lower than a shooter placed high: off the relief, or on the same slope and
/// farther from the crest (TE-R28).
#[must_use]
pub fn is_lower(scene: &Scene, instant: Instant, shooter: &Body, other: &Body) -> bool {
    let (mine, theirs) = (shooter.at(instant), other.at(instant));
    let reliefs = scene.elements().iter().filter(|element| {
        matches!(element.kind, Kind::Hill(_) | Kind::Plateau(_)) && element.extent.meets(&mine.extent)
    });
    for relief in reliefs {
        let Some(area) = relief.area() else { continue };
        let on = |presence: &Presence| presence.figures.iter().any(|figure| figure.base.overlaps(area));
        if !on(mine) {
            continue;
        }
        if !on(theirs) {
            return true;
        }
        if let Kind::Plateau(plateau) = &relief.kind {
            let off_top =
                |p: &Presence| !p.figures.iter().any(|figure| plateau.top.holds(figure.base.centre));
            if !off_top(mine) {
                return off_top(theirs);
            }
        }
        return match (mean_up(relief, mine), mean_up(relief, theirs)) {
            (Some((a, up)), Some((b, down))) => a == b && down >= up + GRAIN,
            // Astride the crest, everything wholly on one slope is lower.
            (None, Some(_)) => true,
            _ => false,
        };
    }
    false
}
