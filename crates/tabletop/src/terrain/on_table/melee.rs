//! Two bodies in contact on the table: the ground of their melee and who touches whom (geometry
//! page, section 7).

use kernel::{Clerk, Refusal, Verdict, Whole};
use rulebook::options::tabletop::Options;
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;

use super::super::melee::{self, Fighter, Place, Reached};
use super::super::obstacles::ObstacleClass;
use super::super::troops::Formation;
use super::{Bridges, centimetres, class, footing, is_on_road, near, ranked};
use crate::fire::measure::{Direction, direction};
use crate::fire::shelter::{is_on_tree_lined, mean_up, slope_of};
use crate::geometry::{Base, Extent, GRAIN, Point, Polygon, Segment, gap_to_line, into_frame};
use crate::scene::{self, Body, Element, Figure, Kind, Presence, Scene, size};

/// Two bodies in contact.
pub struct Contact {
    /// The ground of their melee: every element that has a say.
    pub places: Vec<Place>,
    /// Who came.
    pub attacker: Fighter,
    /// Who was there.
    pub defender: Fighter,
    /// Where the attacker touches the defender.
    pub reached: Reached,
    /// The defender holds a redoubt, and this is how its rear was reached.
    pub rear: Option<Rear>,
}

/// How the rear of a redoubt's garrison is reached (TE-R73).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rear {
    /// A base touches a figure of it from behind.
    FromBehind,
    /// A base is inside, and has come over no face that still stands.
    ByTheGap,
}

/// Two bodies in contact: the ground of their melee, and each as a fighter.
///
/// # Errors
/// When they are not in contact.
pub fn contact(
    scene: &Scene,
    attacker: &Body,
    defender: &Body,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Verdict<Contact> {
    let (a, d) = (attacker.now(), defender.now());
    if d.house.is_some() || a.house.is_some() {
        return Err(Refusal::plain(phrase::ASK_HOUSE));
    }
    let caught = footing::crossing(scene, &ranked(&d.figures), options);
    let between = if caught.is_none() { obstacle_between(scene, a, d) } else { None };
    let touching = |own: &Presence, enemy: &Presence| {
        own.front()
            .filter(|figure| match between {
                Some((line, _)) => {
                    line.gap_to(&figure.base).touches()
                        && enemy.front().any(|other| {
                            line.gap_to(&other.base).touches()
                                && rule!(TE_R77).holds(opposite(&figure.base, &other.base))
                        })
                }
                None => enemy.figures.iter().any(|other| meet(&figure.base, &other.base)),
            })
            .count()
    };
    let (mine, theirs) = (touching(a, d), touching(d, a));
    if mine == 0 && theirs == 0 {
        return Err(Refusal::plain(phrase::NOT_IN_CONTACT).with("gap", a.gap_to(d).centimetres()));
    }
    let fighter = |body: &Body, touching: usize| Fighter {
        troops: body.troops(),
        figures: Whole::new(i32::try_from(body.strength()).unwrap_or(1)).unwrap_or_default(),
        touching: i32::try_from(touching).ok().and_then(Whole::new).unwrap_or_default(),
        followed: false,
        moving: body.moved.iter().any(|&moved| moved > 0),
        charging: body.setup.record.contact.as_ref().is_some_and(|contact| contact.charging),
    };
    let mut places = ground_of(scene, attacker, defender);
    if let Some((line, class)) = between {
        clerk.applied(rule!(TE_R77));
        let touches = |body: &Presence| body.figures.iter().any(|figure| line.gap_to(&figure.base).touches());
        places.push(Place::Obstacle(melee::Obstacle {
            defender_touches: touches(d),
            // Who stands there in a later round has stayed there since the first.
            attacker_kept_contact: touches(a),
            ..over(class, false)
        }));
    } else if let Some(class) = caught {
        places.push(Place::Obstacle(over(class, true)));
    }
    if places.is_empty() {
        places.push(Place::Open);
    }
    let rear = rear_of_redoubt(scene, a, d);
    // A redoubt and an obstacle have rules of their own.
    let open = between.is_none() && rear.is_none();
    Ok(Contact {
        places,
        attacker: fighter(attacker, mine),
        defender: fighter(defender, theirs),
        reached: if open { reached(a, d) } else { Reached::Front },
        rear,
    })
}

/// Where a body touches its enemy: in front, if any figure meets another there.
fn reached(a: &Presence, d: &Presence) -> Reached {
    let met = d.figures.iter().flat_map(|held| {
        let own = a.front().filter(|figure| meet(&figure.base, &held.base));
        own.map(|figure| direction(held.base.centre, held.base.facing, figure.base.centre))
    });
    let met: Vec<Direction> = met.collect();
    if met.is_empty() || met.contains(&Direction::Front) {
        Reached::Front
    } else if met.contains(&Direction::Flank) {
        Reached::Flank
    } else {
        Reached::Rear
    }
}

/// Whether two bases meet along an edge: those that touch at a corner alone stand beside the width of
/// contact, where the overlap is counted (FE-2.3-02).
fn meet(own: &Base, other: &Base) -> bool {
    if !own.gap_to(other).touches() {
        return false;
    }
    let shared = |of: fn((i64, i64)) -> i64| {
        let span = |base: &Base| {
            let all = base.corners.map(|corner| of(into_frame(own.front, own.facing, corner)));
            (all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
        };
        let ((a, b), (c, d)) = (span(own), span(other));
        b.min(d) - a.max(c)
    };
    shared(|(x, _)| x).max(shared(|(_, y)| y)) >= GRAIN
}

/// The obstacle across which two bodies meet: one that the defender holds before any other, then the
/// strongest.
fn obstacle_between<'a>(
    scene: &'a Scene,
    a: &Presence,
    d: &Presence,
) -> Option<(&'a scene::Obstacle, ObstacleClass)> {
    near(scene, &d.extent.grown(10))
        .filter_map(|element| {
            let line = match &element.kind {
                Kind::Obstacle(obstacle) => obstacle,
                Kind::Redoubt(redoubt) => &redoubt.faces,
                _ => return None,
            };
            let way = Segment::new(a.centre, d.centre);
            let crossed = line.crossings(way).filter_map(|(_, _, of)| class(of)).max()?;
            let held = d.figures.iter().any(|figure| line.gap_to(&figure.base).touches());
            Some((held, crossed, line))
        })
        .max_by_key(|&(held, crossed, _)| (held, crossed))
        .map(|(_, crossed, line)| (line, crossed))
}

/// A first round over an obstacle.
const fn over(class: ObstacleClass, defender_caught: bool) -> melee::Obstacle {
    melee::Obstacle {
        class,
        defender_touches: true,
        attacker_kept_contact: false,
        from_open_side: false,
        defender_caught,
        followed_across: None,
    }
}

/// How an attacker has reached the rear of a body that holds a redoubt, if he has.
fn rear_of_redoubt(scene: &Scene, a: &Presence, d: &Presence) -> Option<Rear> {
    let Kind::Redoubt(redoubt) = &scene.elements().get(d.redoubt?)?.kind else { return None };
    let behind = d.figures.iter().any(|held| {
        a.figures.iter().any(|figure| {
            figure.base.gap_to(&held.base).touches()
                && direction(held.base.centre, held.base.facing, figure.base.centre) == Direction::Rear
        })
    });
    if behind {
        return Some(Rear::FromBehind);
    }
    let inside = a.figures.iter().any(|figure| redoubt.interior.holds(figure.base.centre));
    let over_a_face = footing::line_crossed(&ranked(&a.figures), &redoubt.faces).is_some();
    (inside && !over_a_face).then_some(Rear::ByTheGap)
}

/// Whether two bases stand opposite each other: the front of the one covers more than half of the
/// other's.
fn opposite(own: &Base, other: &Base) -> bool {
    let ends = |base: &Base| {
        [base.front_left(), base.front_right()].map(|point| into_frame(own.front, own.facing, point).0)
    };
    let ([a, b], [c, d]) = (ends(own), ends(other));
    let (low, high) = (a.min(b).max(c.min(d)), a.max(b).min(c.max(d)));
    let narrower = (a - b).abs().min((c - d).abs());
    (high - low) * 2 > narrower
}

/// The figures of a body that an enemy touches: of its first rank, or whoever is reached; across an
/// obstacle its first rank.
fn contacted<'a>(own: &'a Presence, enemy: &Presence) -> Vec<&'a Figure> {
    let touched = |figure: &&Figure| {
        enemy.figures.iter().any(|other| {
            other.base.extent.grown(10).meets(&figure.base.extent)
                && figure.base.gap_to(&other.base).touches()
        })
    };
    let front: Vec<&Figure> = own.front().filter(touched).collect();
    if !front.is_empty() {
        return front;
    }
    let any: Vec<&Figure> = own.figures.iter().filter(touched).collect();
    if any.is_empty() { own.front().collect() } else { any }
}

/// Two bodies on a relief, or one on it and the other at its foot (TE-R26).
fn slope_between(
    relief: &Element,
    outline: &Polygon,
    up: impl Fn(Point) -> i64,
    a: &Presence,
    d: &Presence,
) -> Option<melee::Slope> {
    let on = |presence: &Presence| presence.figures.iter().any(|figure| figure.base.overlaps(outline));
    if !on(a) && !on(d) {
        return None;
    }
    let (mine, theirs) = (contacted(a, d), contacted(d, a));
    // Where the bodies stand: fronts that meet share one line, their bases do not.
    let mean = |figures: &[&Figure]| {
        let sum: i64 = figures.iter().map(|figure| up(figure.base.centre)).sum();
        centimetres(sum / i64::try_from(figures.len()).unwrap_or(1).max(1))
    };
    // The one slope of all the figures, or none of them on the relief at all.
    let slope = |figures: &[&Figure]| {
        let mut slopes = figures.iter().map(|figure| slope_of(relief, figure));
        let first = slopes.next()?;
        slopes.all(|slope| slope == first).then_some(first)
    };
    let same_slope = match (slope(&mine), slope(&theirs)) {
        (Some(Some(mine)), Some(Some(theirs))) => mine == theirs,
        (Some(mine), Some(theirs)) => mine.is_some() || theirs.is_some(),
        _ => false,
    };
    Some(melee::Slope {
        attacker_cm: mean(&mine),
        defender_cm: mean(&theirs),
        same_slope,
        attacker_whole_front: mean_up(relief, a).is_some(),
        defender_whole_front: mean_up(relief, d).is_some(),
        attacker_on_slope: on(a),
    })
}

/// Every element but linear obstacles that has a say in a melee. None of them depends on the order
/// in which they were written, and none silences another (TE-R04).
fn ground_of(scene: &Scene, attacker: &Body, defender: &Body) -> Vec<Place> {
    let (a, d) = (attacker.now(), defender.now());
    let elements: Vec<&Element> = near(scene, &a.extent.and(d.extent)).collect();
    let mut places: Vec<Place> = Vec::new();
    places.extend(in_woods(&elements, a, d));
    places.extend(in_water(&elements, a, d));
    places.extend(on_a_way(scene, &elements, attacker, defender));
    for element in &elements {
        match &element.kind {
            Kind::Hill(scene::Hill { outline, crest, .. }) => {
                let up = |point| gap_to_line(point, crest).rounded_down();
                places.extend(slope_between(element, outline, up, a, d).map(Place::Slope));
            }
            Kind::Plateau(plateau) => {
                let on_top = |presence: &Presence| {
                    presence.figures.iter().all(|figure| plateau.top.holds(figure.base.centre))
                };
                let up = |point| {
                    if plateau.top.holds(point) {
                        0
                    } else {
                        gap_to_line(point, &plateau.contour).rounded_down()
                    }
                };
                if !(on_top(a) && on_top(d)) {
                    places.extend(slope_between(element, &plateau.outline, up, a, d).map(Place::Slope));
                }
            }
            Kind::Abandoned(_, gun) => {
                let touches = |presence: &Presence| {
                    presence.figures.iter().any(|figure| figure.base.gap_to(gun).touches())
                };
                if touches(d) {
                    places.push(Place::AbandonedBattery(melee::Battery {
                        defender_holds: true,
                        attacker_touches: touches(a),
                    }));
                }
            }
            _ => {}
        }
    }
    places
}

/// The trees around two bodies, whichever wood they belong to.
fn in_woods(elements: &[&Element], a: &Presence, d: &Presence) -> Option<Place> {
    let count_in = |presence: &Presence| {
        let under_trees = |figure: &&Figure| {
            elements
                .iter()
                .any(|element| matches!(&element.kind, Kind::Wood(area, _) if area.holds(figure.base.centre)))
        };
        presence.figures.iter().filter(under_trees).count()
    };
    let (mine, theirs) = (count_in(a), count_in(d));
    (mine + theirs > 0).then_some(Place::Wood(melee::Wood {
        attacker_in: mine > 0,
        defender_in: theirs > 0,
        defender_caught: theirs > 0 && theirs < d.figures.len(),
    }))
}

/// The water two bodies stand in, but for those whom a bridge carries.
fn in_water(elements: &[&Element], a: &Presence, d: &Presence) -> Option<Place> {
    let bridges = Bridges::near(elements);
    let wet = |presence: &Presence| {
        let bases = ranked(&presence.figures);
        elements.iter().any(|element| match &element.kind {
            Kind::Water(water) => bases
                .iter()
                .any(|one| one.base.overlaps(&water.area) && !bridges.carry(one, &bases, &water.area)),
            _ => false,
        })
    };
    let (mine, theirs) = (wet(a), wet(d));
    (mine || theirs).then_some(Place::Water(melee::Water {
        attacker_in: mine,
        defender_in: theirs,
        attacker_pushed_in: false,
        defender_pushed_in: false,
    }))
}

/// The road or bridge of a melee: between trees, over water, or with no room to deploy.
fn on_a_way(scene: &Scene, elements: &[&Element], attacker: &Body, defender: &Body) -> Option<Place> {
    let (a, d) = (attacker.now(), defender.now());
    let on_bridge = |presence: &Presence| {
        elements.iter().any(|element| match &element.kind {
            Kind::Bridge(_, area) => presence.figures.iter().any(|one| one.base.overlaps(area)),
            _ => false,
        })
    };
    let between_trees = |body: &Body| {
        let lined = |element: &&Element| matches!(&element.kind, Kind::Road(road) if is_on_tree_lined(road, body, body.now()));
        elements.iter().any(lined)
    };
    let (tree_lined, attacker_between_trees) = (between_trees(defender), between_trees(attacker));
    let (mine, theirs) = (on_bridge(a), on_bridge(d));
    let on_road = is_on_road(&ranked(&d.figures), elements) && d.formation.is_march_column();
    let room_to_deploy = !on_road || can_deploy(scene, elements, defender);
    if !(tree_lined || attacker_between_trees || mine || theirs || !room_to_deploy) {
        return None;
    }
    Some(Place::Road(melee::Road {
        room_to_deploy,
        tree_lined,
        bridge: theirs,
        attacker_on_bridge: mine,
        attacker_between_trees,
        flank: tree_lined && (450..=1350).contains(&a.facing.angle_to(d.facing)),
    }))
}

/// Whether a body on a road has room for its line: the rectangle of that formation, centred on its
/// first rank, meets nothing that prevents it (TE-R71).
fn can_deploy(scene: &Scene, elements: &[&Element], body: &Body) -> bool {
    let presence = body.now();
    let Some(head) = super::way::head(presence) else { return true };
    let (width, depth) = size(body.arm, Formation::Line);
    let line = Base::new(head, presence.facing, width * body.strength(), depth);
    let around: Vec<&Element> = near(scene, &Extent::of(&line.corners)).collect();
    let meets = |element: &&Element| match &element.kind {
        Kind::House(house) => line.overlaps(&house.area),
        Kind::Wood(area, _) | Kind::Marsh(_, area) => line.overlaps(area),
        Kind::Water(water) => {
            let deep = matches!(water.kind, scene::WaterKind::River | scene::WaterKind::LargeRiver);
            deep && line.overlaps(&water.area)
        }
        Kind::Obstacle(obstacle) => obstacle.standing().any(|edge| line.is_met_by(edge)),
        Kind::Redoubt(redoubt) => redoubt.faces.standing().any(|edge| line.is_met_by(edge)),
        Kind::Road(road) => is_on_tree_lined(road, body, presence),
        _ => false,
    };
    line.corners.iter().all(|&corner| scene.holds(corner)) && !around.iter().chain(elements).any(meets)
}
