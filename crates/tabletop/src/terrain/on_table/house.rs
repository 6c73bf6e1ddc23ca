//! A house on the table: what each side holds, who touches it, and the assault a body makes there.

use kernel::{Centimetres, Clerk, Refusal, Verdict, Whole};
use rulebook::options::tabletop::Options;
use rulebook::phrase::tabletop_terrain as phrase;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::houses::assault::{Attack, HouseFight, OccupiedSide, fight};
use super::super::houses::entry::AtTheDoor;
use super::super::houses::{Burnt, capacity};
use super::{centimetres, troops};
use crate::geometry::Segment;
use crate::scene::{self, Body, HouseSide, Kind, Scene};

/// One side of a house as it stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct SideNow {
    /// The side, 0 to 3.
    pub side: usize,
    /// Its length.
    pub length_cm: Centimetres,
    /// Figures it can hold.
    pub capacity: i32,
    /// Figures posted on it.
    pub posted: i32,
    /// Enemies of the garrison that touch it.
    pub attacked_by: Vec<String>,
}

/// A house as it stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct HouseNow {
    /// Who holds it.
    pub garrison: Option<String>,
    /// It burns.
    pub burning: bool,
    /// Its sides.
    pub sides: Vec<SideNow>,
}

fn house<'a>(scene: &'a Scene, id: &str) -> Verdict<(usize, &'a scene::House)> {
    scene.element(id, "house")?;
    scene
        .elements()
        .iter()
        .enumerate()
        .find_map(|(number, element)| match &element.kind {
            Kind::House(house) if element.id == id => Some((number, house)),
            _ => None,
        })
        .ok_or_else(|| Refusal::field("house", phrase::NOT_A_HOUSE).with("id", id))
}

fn garrison(scene: &Scene, number: usize) -> Option<&Body> {
    scene.bodies().iter().find(|body| body.now().house == Some(number))
}

fn posted(holder: Option<&Body>, side: usize) -> i32 {
    holder.map_or(0, |body| {
        let on_side = |face: u8| usize::from(face) == side;
        i32::try_from(body.now().figures.iter().filter(|figure| on_side(figure.face)).count()).unwrap_or(0)
    })
}

/// Length of a side that a body's first rank touches, and how many of its figures do.
fn contact(body: &Body, side: &HouseSide) -> (i64, i32) {
    let wall = side.wall();
    let along = |point| Segment::new(side.left, wall.nearest_to(point)).length();
    let mut touching = 0;
    let mut reach: Option<(i64, i64)> = None;
    for figure in body.now().figures.iter().filter(|figure| figure.rank == 0) {
        if figure.base.gap_to_segment(wall).touches() {
            touching += 1;
            let (a, b) = (along(figure.base.front_left()), along(figure.base.front_right()));
            let (low, high) = (a.min(b), a.max(b));
            reach = Some(reach.map_or((low, high), |(from, to)| (from.min(low), to.max(high))));
        }
    }
    (reach.map_or(0, |(from, to)| to - from), touching)
}

/// A house, its garrison and who stands at its walls.
///
/// # Errors
/// When there is no such house.
pub fn now(scene: &Scene, id: &str, options: &Options, clerk: &mut impl Clerk) -> Verdict<HouseNow> {
    let (number, house) = house(scene, id)?;
    let holder = garrison(scene, number);
    let sides = house
        .sides
        .iter()
        .enumerate()
        .map(|(place, side)| SideNow {
            side: place,
            length_cm: centimetres(side.length),
            capacity: capacity(centimetres(side.length), false, options, clerk),
            posted: posted(holder, place),
            attacked_by: scene
                .bodies()
                .iter()
                .filter(|body| {
                    holder.is_some_and(|holder| holder.side() != body.side())
                        && body.now().house.is_none()
                        && contact(body, side).1 > 0
                })
                .map(|body| body.id().to_owned())
                .collect(),
        })
        .collect();
    Ok(HouseNow { garrison: holder.map(|body| body.id().to_owned()), burning: house.setup.burning, sides })
}

/// One combat of an assault.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct AtSide {
    /// The side.
    pub side: usize,
    /// Who fights.
    pub fight: HouseFight,
}

/// The assault of a body on every side it touches, in its first or a later round at the wall.
///
/// # Errors
/// When it touches none, or nobody holds the house.
pub fn assault(
    scene: &Scene,
    id: &str,
    attacker: &Body,
    round: Whole<1, 99>,
    contact_quarter: Whole<1, 4>,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Verdict<Vec<AtSide>> {
    let (number, house) = house(scene, id)?;
    let holder = garrison(scene, number).ok_or_else(|| Refusal::field("house", phrase::HOUSE_EMPTY))?;
    let mut fights = Vec::new();
    for (place, side) in house.sides.iter().enumerate() {
        let (length, touching) = contact(attacker, side);
        let defenders = posted(Some(holder), place);
        let (Some(front), Some(defenders)) = (Whole::new(touching), Whole::new(defenders)) else { continue };
        // Figures on a side without defenders do not fight there (TE-R58).
        if defenders.get() == 0 {
            continue;
        }
        let at = OccupiedSide {
            side_cm: centimetres(side.length),
            front,
            contact_cm: Some(centimetres(length)),
            brought_up: Whole::default(),
            defenders,
            round,
            inside: false,
            strengths: None,
            contact_quarter,
        };
        fights.push(AtSide { side: place, fight: fight(&Attack::OccupiedSide(at), options, clerk)? });
    }
    if fights.is_empty() {
        return Err(Refusal::field("attacker", phrase::TOUCHES_NO_HELD_SIDE));
    }
    Ok(fights)
}

/// A body before a house, as the conditions of entry want it.
///
/// # Errors
/// When there is no such house, or the body touches no side of it.
pub fn at_the_door(scene: &Scene, id: &str, body: &Body) -> Verdict<AtTheDoor> {
    let (number, house) = house(scene, id)?;
    let holder = garrison(scene, number);
    let best = house
        .sides
        .iter()
        .map(|side| {
            let full = body
                .now()
                .figures
                .iter()
                .filter(|figure| {
                    let near = |point| side.wall().gap_to(point).touches();
                    figure.rank == 0 && near(figure.base.front_left()) && near(figure.base.front_right())
                })
                .count();
            (full, contact(body, side).1)
        })
        .max()
        .unwrap_or((0, 0));
    if best.1 == 0 {
        return Err(Refusal::field("body", phrase::TOUCHES_NO_SIDE));
    }
    let troops = troops(body);
    let whole = |count: i64| i32::try_from(count).unwrap_or(i32::MAX);
    Ok(AtTheDoor {
        figures: Whole::new(whole(body.strength())).unwrap_or_default(),
        first_rank: Whole::new(troops.abreast()).unwrap_or_default(),
        touching: i32::try_from(best.0).ok().and_then(Whole::new).unwrap_or_default(),
        by_its_end: best.0 == 0,
        after_forced_march: false,
        occupied: holder.is_some(),
        by_a_friend: holder.is_some_and(|holder| holder.side() == body.side()),
        holds_another_house: body.now().house.is_some(),
        burnt: house.setup.burning.then_some(Burnt::ThisPeriod),
        troops,
    })
}
