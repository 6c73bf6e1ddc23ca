//! A house on the table: what each side holds, who touches it, and the assault a body makes there.

use kernel::{Centimetres, Clerk, Refusal, Verdict, Whole};
use rulebook::options::tabletop::Options;
use rulebook::phrase::tabletop_terrain as phrase;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::houses::assault::{Attack, EmptySide, HouseFight, OccupiedSide, fight};
use super::super::houses::entry::{AtTheDoor, fit_to_enter};
use super::super::houses::{Burnt, capacity};
use super::centimetres;
use crate::Arm;
use crate::geometry::Segment;
use crate::scene::{self, Body, Damage, DamageKind, Figure, HouseSide, Kind, Scene};

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

fn damages(house: &scene::House, side: usize, kind: DamageKind) -> impl Iterator<Item = (i64, i64)> + '_ {
    let of_side =
        move |damage: &&Damage| usize::try_from(damage.side.get()) == Ok(side) && damage.kind == kind;
    let stretch = |damage: &Damage| (i64::from(damage.from.count()), i64::from(damage.to.count()));
    house.setup.damage.iter().filter(of_side).map(stretch)
}

/// What sappers left of the length of a side (TE-R85).
fn intact(house: &scene::House, side: usize) -> i64 {
    let gone: i64 = damages(house, side, DamageKind::Destroyed).map(|(from, to)| to - from).sum();
    (house.sides[side].length - gone).max(0)
}

/// Whether every figure posted on a side stands wholly behind wall that guns have degraded (TE-R82).
fn is_degraded(holder: &Body, house: &scene::House, side: usize) -> bool {
    let mut slots = holder.now().figures.iter().filter(|figure| usize::from(figure.face) == side);
    let behind = |figure: &Figure| {
        let (low, high) = (150 * i64::from(figure.file), 150 * (i64::from(figure.file) + 1));
        damages(house, side, DamageKind::Degraded).any(|(from, to)| from <= low && high <= to)
    };
    slots.all(behind)
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

/// Whether a body attacks a side of a house: some base of it is in contact with the wall, garrisoned
/// there or not, along more than a corner, or with a figure posted on that side (TE-5.5-06).
#[must_use]
pub(crate) fn attacks(body: &Body, holder: &Body, number: u8, side: &HouseSide) -> bool {
    if body.side() == holder.side() || body.arm == Arm::Officer || body.now().house.is_some() {
        return false;
    }
    let posted = || holder.now().figures.iter().filter(|figure| figure.face == number);
    contact(body, side).0 > 0
        || posted().any(|figure| {
            body.now().figures.iter().any(|enemy| {
                figure.base.extent.grown(10).meets(&enemy.base.extent)
                    && figure.base.gap_to(&enemy.base).touches()
            })
        })
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
            capacity: capacity(centimetres(intact(house, place)), false, options, clerk),
            posted: posted(holder, place),
            attacked_by: scene
                .bodies()
                .iter()
                .filter(|body| {
                    let number = u8::try_from(place).unwrap_or(u8::MAX);
                    holder.is_some_and(|holder| attacks(body, holder, number, side))
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
            side_cm: centimetres(intact(house, place)),
            front,
            contact_cm: Some(centimetres(length)),
            brought_up: Whole::default(),
            defenders,
            degraded: is_degraded(holder, house, place),
            round,
            inside: false,
            strengths: None,
            contact_quarter,
        };
        fights.push(AtSide { side: place, fight: fight(&Attack::OccupiedSide(at), options, clerk)? });
    }
    if fights.is_empty() {
        fights.push(by_empty_side(scene, id, attacker, holder, contact_quarter, options, clerk)?);
    }
    Ok(fights)
}

/// An attack by a side without defenders, for whoever meets the conditions of entry (TE-R59).
fn by_empty_side(
    scene: &Scene,
    id: &str,
    attacker: &Body,
    holder: &Body,
    contact_quarter: Whole<1, 4>,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Verdict<AtSide> {
    let (_, house) = house(scene, id)?;
    let side = (0..4)
        .filter(|&place| contact(attacker, &house.sides[place]).1 > 0)
        .max_by_key(|&place| contact(attacker, &house.sides[place]));
    let Some(side) = side else {
        return Err(Refusal::field("attacker", phrase::TOUCHES_NO_HELD_SIDE));
    };
    fit_to_enter(&at_the_door(scene, id, attacker)?, options, clerk)?;
    let all = |body: &Body| i32::try_from(body.strength()).ok().and_then(Whole::new).unwrap_or_default();
    let empty = EmptySide { attacker: all(attacker), garrison: all(holder), contact_quarter };
    Ok(AtSide { side, fight: fight(&Attack::EmptySide(empty), options, clerk)? })
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
    let troops = body.troops();
    let whole = |count: i64| i32::try_from(count).unwrap_or(i32::MAX);
    Ok(AtTheDoor {
        figures: Whole::new(whole(body.strength())).unwrap_or_default(),
        first_rank: troops.front.and_then(|front| Whole::new(front.get())).unwrap_or_default(),
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
