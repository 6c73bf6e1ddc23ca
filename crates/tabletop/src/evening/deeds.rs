//! What a body does on the spot for a quarter: it changes formation, re-forms, goes into a house or comes
//! out of it (terrain chapter, section 5.2). A table and a body enter; the body as it is written
//! afterwards leaves, or why not.

use kernel::{Refusal, Verdict, Whole};
use rulebook::options::tabletop::Options;
use rulebook::phrase::evening as say;
use rulebook::phrase::tabletop_terrain as phrase;

use super::Clock;
use crate::fire::priority::nobody;
use crate::geometry::turned;
use crate::scene::{
    Action as Done, ActionKind, Body, BodySetup, Busy, Company, Formation, GarrisonAt, HouseAction,
    HouseSide, Kind, Muster, Place, Post, Scene, Setup, Shape, Stand, State,
};
use crate::terrain::ground;
use crate::terrain::houses::entry;
use crate::terrain::houses::exit::{self, Leaving, Out, Way};
use crate::terrain::on_table::{self, house};
use crate::terrain::state;

/// A body that has done something, and how many quarters it takes in all.
pub(super) struct Changed {
    pub(super) body: BodySetup,
    pub(super) quarters: i32,
}

/// The table with a body as it is written anew, if it may lie so.
pub(super) fn stands(table: &Setup, options: &Options, body: &BodySetup) -> Verdict<()> {
    let mut after = table.clone();
    for known in after.bodies.iter_mut().filter(|known| known.id == body.id) {
        *known = body.clone();
    }
    after.checked("table", options).map(|_| ())
}

/// Writes down that a quarter went on it.
fn noted(body: &mut BodySetup, clock: Clock, kind: ActionKind) {
    let quarter = Whole::new(if clock.is_second() { 2 } else { 1 }).unwrap_or_default();
    body.record.actions.push(Done { quarter, kind });
}

/// Writes down where a body is before it goes.
pub(super) fn leaves(body: &mut BodySetup, clock: Clock) {
    let (here, record) = (body.place.clone(), &mut body.record);
    if clock.is_second() {
        record.start.get_or_insert_with(|| here.clone());
        record.middle.get_or_insert(here);
    } else {
        record.start.get_or_insert(here);
    }
}

/// Writes down where a body came from, and that a quarter went on it.
fn gone(body: &mut BodySetup, clock: Clock, to: Place) {
    leaves(body, clock);
    body.place = to;
    noted(body, clock, ActionKind::House);
}

/// Whether a body may change formation where it stands, as far as its state and its ground have a word.
///
/// # Errors
/// Why not.
pub(super) fn may_form(scene: &Scene, options: &Options, body: &Body) -> Verdict<()> {
    if !matches!(body.setup.place, Place::Stand(_)) {
        return Err(Refusal::field("body", say::NOT_IN_RANKS).with("name", body.id().to_owned()));
    }
    state::may_act(&body.troops(), body.imposed.is_some(), &mut nobody())?;
    let grounds = on_table::grounds(scene, body);
    if body.battery().is_some() {
        return ground::may_unlimber(&grounds, true, options, &mut nobody());
    }
    ground::may_change_formation(&grounds, true, options, &mut nobody())
}

/// A body changes formation, its front where it was; guns limber up or go into position.
pub(super) fn form(
    table: &Setup,
    options: &Options,
    clock: Clock,
    id: &str,
    formation: Formation,
) -> Verdict<Changed> {
    let scene = table.checked("table", options)?;
    let body = scene.body(id, "body")?;
    may_form(&scene, options, body)?;
    let mut next = body.setup.clone();
    if let Place::Stand(stand) = &mut next.place {
        if stand.formation == formation {
            return Err(Refusal::field("formation", say::FORMED_SO).with("name", id.to_owned()));
        }
        (stand.formation, stand.front) = (formation, None);
    }
    let guns = matches!(next.troops, Muster::Artillery(_));
    noted(&mut next, clock, if guns { ActionKind::Limber } else { ActionKind::ChangeFormation });
    let fits = stands(table, options, &next);
    let grounds = on_table::grounds(&scene, body);
    if guns && formation == Formation::InPosition {
        ground::may_unlimber(&grounds, fits.is_ok(), options, &mut nobody())?;
    } else {
        ground::may_change_formation(&grounds, fits.is_ok(), options, &mut nobody())?;
    }
    fits?;
    Ok(Changed { body: next, quarters: 1 })
}

/// Whether a body has lost its order and may find it again where it stands.
///
/// # Errors
/// Why not.
pub(super) fn may_reform(body: &Body) -> Verdict<i32> {
    let written = body.setup.state;
    if written == State::Formed {
        return Err(Refusal::field("body", say::FORMED_ALREADY).with("name", body.id().to_owned()));
    }
    if let Some(imposed) = body.imposed {
        return Err(Refusal::rule(imposed.rule, say::GROUND_HOLDS).with("name", body.id().to_owned()));
    }
    if body.in_melee {
        return Err(Refusal::rule(rulebook::rule!(TE_R02), phrase::NOT_HALTED));
    }
    Ok(state::reform_quarters(written, body.setup.status, &mut nobody()))
}

/// A body re-forms for a quarter, and is formed once `spent` quarters before this one were enough.
pub(super) fn reform(
    table: &Setup,
    options: &Options,
    clock: Clock,
    id: &str,
    spent: i32,
) -> Verdict<Changed> {
    let scene = table.checked("table", options)?;
    let body = scene.body(id, "body")?;
    let quarters = may_reform(body)?;
    let mut next = body.setup.clone();
    if spent + 1 >= quarters {
        next.state = State::Formed;
    }
    noted(&mut next, clock, ActionKind::Reform);
    stands(table, options, &next)?;
    Ok(Changed { body: next, quarters })
}

/// The companies of a body, each with its figures.
fn companies(troops: &Muster) -> &[Company] {
    match troops {
        Muster::Infantry(drill) => &drill.companies,
        Muster::Cavalry(weight) => &weight.companies,
        Muster::Artillery(_) | Muster::Officer(_) => &[],
    }
}

/// The figures of a body spread over the sides by their length, company after company; who finds no
/// room is the reserve.
fn posts(troops: &Muster, room: &[i32]) -> Vec<Post> {
    let figures: i32 = companies(troops).iter().map(|company| company.figures.get()).sum();
    let all: i32 = room.iter().sum();
    let mut left: Vec<(&str, i32)> =
        companies(troops).iter().map(|company| (company.name.as_str(), company.figures.get())).collect();
    let mut posts = Vec::new();
    let (mut before, mut placed) = (0, 0);
    for (side, most) in room.iter().enumerate() {
        before += most;
        let upto = if figures >= all { before } else { figures * before / all.max(1) };
        let mut wanted = upto - placed;
        placed = upto;
        for (company, there) in &mut left {
            let here = wanted.min(*there);
            let side = i32::try_from(side).ok().and_then(Whole::new);
            // None is a post of nobody: a post has a figure at least.
            if let Some((side, figures)) = side.zip(Whole::new(here)) {
                posts.push(Post { side, company: (*company).to_owned(), figures, moving: false });
                *there -= here;
                wanted -= here;
            }
        }
    }
    posts
}

/// The figures of a body at the walls of a house, as they are laid there by hand.
///
/// # Errors
/// When there is no such body or house.
pub fn garrison(table: &Setup, options: &Options, id: &str, at: &str) -> Verdict<Place> {
    let body = table.bodies.iter().find(|body| body.id == id);
    let body = body.ok_or_else(|| Refusal::field("body", say::NO_SUCH).with("name", id.to_owned()))?;
    // The house alone: whatever else lies wrongly is no matter here.
    let terrain =
        table.terrain.iter().filter(|element| matches!(element.shape, Shape::House(_) | Shape::Road(_)));
    let bare = Setup { bodies: Vec::new(), terrain: terrain.cloned().collect(), ..table.clone() };
    let scene = bare.checked("scene", options)?;
    let sides = house::now(&scene, at, options, &mut nobody())?.sides;
    let room: Vec<i32> = sides.iter().map(|side| side.capacity).collect();
    let posts = posts(&body.troops, &room);
    Ok(Place::Garrison(GarrisonAt { house: at.to_owned(), posts, busy: None }))
}

/// A body begins to enter a house it touches.
pub(super) fn enter(table: &Setup, options: &Options, clock: Clock, id: &str, at: &str) -> Verdict<Changed> {
    let scene = table.checked("table", options)?;
    let body = scene.body(id, "body")?;
    let door = house::at_the_door(&scene, at, body)?;
    let quarter = i32::try_from(clock.0).unwrap_or(i32::MAX).saturating_add(1);
    let entry = entry::enter(&door, quarter, options, &mut nobody())?;
    let quarters = entry.to_quarter - entry.from_quarter + 1;
    let sides = house::now(&scene, at, options, &mut nobody())?.sides;
    let room: Vec<i32> = sides.iter().map(|side| side.capacity).collect();
    let mut next = body.setup.clone();
    let posts = posts(&next.troops, &room);
    let busy = Whole::new(quarters).map(|quarters| Busy { action: HouseAction::Entering, quarters });
    next.state = entry.state;
    gone(&mut next, clock, Place::Garrison(GarrisonAt { house: at.to_owned(), posts, busy }));
    stands(table, options, &next)?;
    Ok(Changed { body: next, quarters })
}

/// Whether a garrison may leave by a side.
///
/// # Errors
/// Why not.
pub(super) fn may_leave(scene: &Scene, options: &Options, body: &Body, side: u8) -> Verdict<Out> {
    let Place::Garrison(garrison) = &body.setup.place else {
        return Err(Refusal::field("body", say::NOT_IN_A_HOUSE).with("name", body.id().to_owned()));
    };
    let now = house::now(scene, &garrison.house, options, &mut nobody())?;
    let touched = now.sides.get(usize::from(side)).is_none_or(|side| !side.attacked_by.is_empty());
    let leaving = Leaving {
        way: Way::Directly,
        side: None,
        street_free: true,
        side_free: !touched,
        forced_march: false,
        road_at_exit: true,
    };
    exit::leave(&leaving, &mut nobody())
}

/// The place before a side of a house: its middle, so far out, facing away from it.
fn before(side: &HouseSide, out: i64) -> Stand {
    let middle = side.left.towards(side.right, 1, 2);
    let at = turned(middle, side.facing, 0, out);
    Stand { at, facing: side.facing, formation: Formation::Line, front: None }
}

/// A garrison leaves by a side, and stands before it without order.
pub(super) fn leave(table: &Setup, options: &Options, clock: Clock, id: &str, side: u8) -> Verdict<Changed> {
    let scene = table.checked("table", options)?;
    let body = scene.body(id, "body")?;
    let out = may_leave(&scene, options, body, side)?;
    let house = body.now().house.and_then(|place| scene.elements().get(place));
    let Some(Kind::House(walls)) = house.map(|house| &house.kind) else {
        return Err(Refusal::field("body", say::NOT_IN_A_HOUSE).with("name", id.to_owned()));
    };
    let Some(wall) = walls.sides.get(usize::from(side)) else {
        return Err(Refusal::field("side", phrase::SIDE_NOT_FREE));
    };
    let mut refused = None;
    // As near as the ground allows.
    for far in [200, 300, 450, 600] {
        let mut next = body.setup.clone();
        next.state = next.state.max(out.state);
        gone(&mut next, clock, Place::Stand(before(wall, far)));
        match stands(table, options, &next) {
            Ok(()) => return Ok(Changed { body: next, quarters: out.quarters }),
            Err(refusal) => refused.get_or_insert(refusal),
        };
    }
    Err(refused.unwrap_or_else(|| Refusal::field("side", phrase::SIDE_NOT_FREE)))
}

/// Puts a body on the table as it is written anew.
pub(super) fn put(table: &mut Setup, changed: &BodySetup) {
    for known in table.bodies.iter_mut().filter(|known| known.id == changed.id) {
        *known = changed.clone();
    }
}
