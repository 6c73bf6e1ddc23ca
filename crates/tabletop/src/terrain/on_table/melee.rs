//! Two bodies in contact on the table: the ground of their melee and who touches whom (geometry
//! page, section 7).

use kernel::{Clerk, Refusal, Verdict, Whole};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;

use super::super::melee::{self, Fighter, Place};
use super::{centimetres, class, near, troops};
use crate::fire::shelter::{is_on_tree_lined, mean_up};
use crate::geometry::{Base, Point, Segment, gap_to_line, into_frame};
use crate::scene::{self, Body, Element, Kind, Presence, Scene};

/// Two bodies in contact: the ground of their melee, and each as a fighter.
///
/// # Errors
/// When they are not in contact.
pub fn contact(
    scene: &Scene,
    attacker: &Body,
    defender: &Body,
    clerk: &mut impl Clerk,
) -> Verdict<(Place, Fighter, Fighter)> {
    let (a, d) = (attacker.now(), defender.now());
    if d.house.is_some() || a.house.is_some() {
        return Err(Refusal::plain(phrase::ASK_HOUSE));
    }
    let between = near(scene, &d.extent.grown(10)).find_map(|element| {
        let line = match &element.kind {
            Kind::Obstacle(obstacle) => obstacle,
            Kind::Redoubt(redoubt) => &redoubt.faces,
            _ => return None,
        };
        let crossed =
            line.crossings(Segment::new(a.centre, d.centre)).filter_map(|(_, _, of)| class(of)).max()?;
        Some((line, crossed))
    });
    let touching = |own: &Presence, enemy: &Presence| {
        own.front()
            .filter(|figure| match between {
                Some((line, _)) => {
                    line.gap_to(&figure.base).touches()
                        && enemy.front().any(|other| {
                            line.gap_to(&other.base).touches() && opposite(&figure.base, &other.base)
                        })
                }
                None => enemy.figures.iter().any(|other| figure.base.gap_to(&other.base).touches()),
            })
            .count()
    };
    let (mine, theirs) = (touching(a, d), touching(d, a));
    if mine == 0 && theirs == 0 {
        return Err(Refusal::plain(phrase::NOT_IN_CONTACT).with("gap", a.gap_to(d).centimetres()));
    }
    let fighter = |body: &Body, touching: usize| Fighter {
        troops: troops(body),
        figures: Whole::new(i32::try_from(body.strength()).unwrap_or(1)).unwrap_or_default(),
        touching: i32::try_from(touching).ok().and_then(Whole::new).unwrap_or_default(),
        followed: false,
        moving: body.moved.iter().any(|&moved| moved > 0),
        charging: body.setup.record.contact.as_ref().is_some_and(|contact| contact.charging),
    };
    let place = match between {
        Some((line, class)) => Place::Obstacle(melee::Obstacle {
            class,
            defender_touches: d.figures.iter().any(|figure| line.gap_to(&figure.base).touches()),
            attacker_kept_contact: false,
            from_open_side: false,
            defender_caught: false,
            followed_across: None,
        }),
        None => open_place(scene, attacker, defender),
    };
    clerk.applied(rule!(TE_R77));
    Ok((place, fighter(attacker, mine), fighter(defender, theirs)))
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

/// Two bodies on a relief, or one on it and the other at its foot (TE-R26).
fn slope_between(
    relief: &Element,
    outline: &crate::geometry::Polygon,
    crest: &[Point],
    a: &Presence,
    d: &Presence,
) -> Option<melee::Slope> {
    let on = |presence: &Presence| presence.figures.iter().any(|figure| figure.base.overlaps(outline));
    if !on(a) && !on(d) {
        return None;
    }
    let mean = |presence: &Presence| {
        let (sum, count) = presence.front().fold((0, 0), |(sum, count), figure| {
            (sum + gap_to_line(figure.base.front, crest).rounded_down(), count + 1)
        });
        centimetres(sum / i64::max(count, 1))
    };
    let (mine, theirs) = (mean_up(relief, a), mean_up(relief, d));
    let at_foot =
        |presence: &Presence| presence.front().all(|figure| !outline.holds_strictly(figure.base.front));
    let same_slope = match (mine, theirs) {
        (Some((mine, _)), Some((theirs, _))) => mine == theirs,
        (Some(_), None) => at_foot(d),
        (None, Some(_)) => at_foot(a),
        (None, None) => false,
    };
    Some(melee::Slope {
        attacker_cm: mean(a),
        defender_cm: mean(d),
        same_slope,
        attacker_whole_front: mine.is_some(),
        defender_whole_front: theirs.is_some(),
        attacker_on_slope: on(a),
    })
}

/// The ground of a melee without an obstacle between the two.
fn open_place(scene: &Scene, attacker: &Body, defender: &Body) -> Place {
    let (a, d) = (attacker.now(), defender.now());
    for element in near(scene, &a.extent.and(d.extent)) {
        let count_in = |presence: &Presence, area: &crate::geometry::Polygon| {
            presence.figures.iter().filter(|figure| area.holds(figure.base.centre)).count()
        };
        match &element.kind {
            Kind::Wood(area, _) => {
                let (mine, theirs) = (count_in(a, area), count_in(d, area));
                if mine + theirs > 0 {
                    return Place::Wood(melee::Wood {
                        attacker_in: mine > 0,
                        defender_in: theirs > 0,
                        defender_caught: theirs > 0 && theirs < d.figures.len(),
                    });
                }
            }
            Kind::Water(water) => {
                let wet = |presence: &Presence| {
                    presence.figures.iter().any(|figure| figure.base.overlaps(&water.area))
                };
                if wet(a) || wet(d) {
                    return Place::Water(melee::Water {
                        attacker_in: wet(a),
                        defender_in: wet(d),
                        attacker_pushed_in: false,
                        defender_pushed_in: false,
                    });
                }
            }
            Kind::Hill(scene::Hill { outline, crest, .. }) => {
                if let Some(slope) = slope_between(element, outline, crest, a, d) {
                    return Place::Slope(slope);
                }
            }
            Kind::Plateau(plateau) => {
                let on_top = |presence: &Presence| {
                    presence.figures.iter().all(|figure| plateau.top.holds(figure.base.centre))
                };
                if !(on_top(a) && on_top(d))
                    && let Some(slope) = slope_between(element, &plateau.outline, &plateau.contour, a, d)
                {
                    return Place::Slope(slope);
                }
            }
            Kind::Abandoned(_, gun) => {
                let holds = d.figures.iter().any(|figure| figure.base.gap_to(gun).touches());
                if holds {
                    return Place::AbandonedBattery(melee::Battery {
                        defender_holds: true,
                        attacker_touches: a.figures.iter().any(|figure| figure.base.gap_to(gun).touches()),
                    });
                }
            }
            Kind::Road(road) if is_on_tree_lined(road, defender, d) => {
                return Place::Road(melee::Road {
                    room_to_deploy: false,
                    tree_lined: true,
                    bridge: false,
                    flank: (450..=1350).contains(&a.facing.angle_to(d.facing)),
                });
            }
            _ => {}
        }
    }
    Place::Open
}
