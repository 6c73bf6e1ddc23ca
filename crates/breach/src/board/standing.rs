//! What stands on the table, from the ground upwards: country, earthworks, the works of the fortress, the
//! units as counters of as many stands as they have, machines, characters.

use std::fmt::Write as _;

use kernel::board::{Picture, Piece, Spot, Stack, Standing, Thing, Waiting};
use kernel::{Game as _, Measure, Saying};
use rulebook::phrase::breach_board as words;
use tabletop::geometry::Facing;

use super::names::{
    person, person_spot, person_thing, unit, unit_spot, unit_thing, works, works_spot, works_thing,
};
use crate::draw::ground::{area, country, spot};
use crate::draw::stone::{Brow, Form, Leaf, Stonework};
use crate::draw::troops::{self, units};
use crate::game::say::{item, side};
use crate::game::{
    Character, CharacterId, ElementId, Kind, Look, Place, State, Unit, UnitId, Whereabouts, WorkId,
};
use crate::scenario::Side;
use crate::terms::{Arm, Item};

/// Counters are drawn twice as large as their picture: a unit of it is two millimetres.
pub(super) const SCALE: f64 = 2.0;
/// So high above the ground a flyer is drawn, in units of its picture.
const ALOFT: f64 = 7.0;

/// How a facing of the table is turned on the sheet, which lies with the south above, in degrees.
pub(super) fn turned(facing: Facing) -> f64 {
    (f64::from(facing.count()) / 10.0 + 180.0).rem_euclid(360.0)
}

/// An element as it is drawn.
pub(super) fn stonework(state: &State, element: ElementId) -> Option<Stonework> {
    let part = state.table.plan().element(element)?;
    let held = state.table.elements.get(usize::from(element.0)).copied().unwrap_or_default();
    let form = match part.kind {
        Kind::Wall => Form::Wall,
        Kind::Tower | Kind::LoneTower => Form::Tower,
        Kind::Gate if held.leaf_down => Form::Gate(Leaf::Broken),
        Kind::Gate if state.table.gate_is_open(element) => Form::Gate(Leaf::Open),
        Kind::Gate => Form::Gate(Leaf::Shut),
    };
    // On the sheet the north is below and the east to the left.
    let brow = match part.outward.map(Facing::count) {
        Some(0) if part.kind == Kind::Wall => Brow::Near,
        Some(900) => Brow::Left,
        Some(1_800) => Brow::Far,
        Some(2_700) => Brow::Right,
        _ => Brow::Round,
    };
    Some(Stonework {
        form,
        ground: area(&part.rect),
        brow,
        dice: held.dice,
        leaf_dice: held.leaf_dice,
        hits: held.hits.saturating_add(held.leaf_hits),
        down: held.down,
        oil: held.oil,
        flag: state.table.held_by(element).filter(|_| part.kind != Kind::Wall),
    })
}

/// What an element is called aloud: its name, its damage, its oil, who holds it.
fn works_label(state: &State, element: ElementId, stone: &Stonework) -> Measure {
    let mut label = vec![works(&state.table, element)];
    if stone.down {
        label.push(words::BREACH.into());
    }
    if stone.dice > 0 {
        label.push(Saying::new(words::DICE).with("dice", stone.dice).into());
    }
    if stone.hits > 0 {
        label.push(Saying::new(words::HITS_NOW).with("hits", stone.hits).into());
    }
    match stone.form {
        Form::Gate(Leaf::Broken) => label.push(words::LEAF_BROKEN.into()),
        Form::Gate(Leaf::Open) => label.push(words::LEAF_OPEN.into()),
        Form::Gate(Leaf::Shut) if stone.leaf_dice > 0 => {
            label.push(Saying::new(words::LEAF_DICE).with("dice", stone.leaf_dice).into());
        }
        _ => {}
    }
    if stone.oil {
        label.push(words::OIL.into());
    }
    if let Some(holder) = state.table.held_by(element) {
        label.push(Saying::new(words::HELD).with("side", side(holder)).into());
    }
    Measure::Several(label)
}

/// Whether what a side has set up is kept from a reader: then it stands where it was imagined, and is not shown.
fn is_veiled(state: &State, reader: Option<Side>, side: Side) -> bool {
    state.hides_places() && reader != Some(side)
}

/// Everything on the sheet that a reader may see.
pub(super) fn table(state: &State, reader: Option<Side>) -> Vec<Standing> {
    let plan = state.table.plan();
    let mut standing = vec![Standing::Drawing(country(plan)), Standing::Drawing(zones(state))];
    standing.extend(earthworks(state));
    let mut elements: Vec<(ElementId, Stonework)> =
        plan.each().filter_map(|(id, _)| Some((id, stonework(state, id)?))).collect();
    // What is farther from the reader is drawn first.
    elements.sort_by(|(_, a), (_, b)| (a.ground[1] + a.ground[3]).total_cmp(&(b.ground[1] + b.ground[3])));
    for (id, stone) in &elements {
        let Some(thing) = works_thing(state, *id) else { continue };
        let [x, y, w, d] = stone.ground;
        let up = if stone.down { 0.0 } else { stone.form.height() };
        let hold = format!(
            r#"<rect class="hold" x="{x:.1}" y="{:.1}" width="{w:.1}" height="{:.1}"></rect>"#,
            y - up,
            d + up
        );
        standing.push(Standing::Thing(Thing {
            id: thing,
            class: if stone.down { "works down" } else { "works" }.to_owned(),
            label: works_label(state, *id, stone),
            at: stone.middle(),
            picture: Picture::InPlace(stone.draw() + &hold),
        }));
    }
    entrance(state, &mut standing);
    let mut pieces: Vec<(bool, f64, Piece)> = Vec::new();
    let shown = |side: Side| !is_veiled(state, reader, side);
    for (id, unit) in state.table.each().filter(|(_, unit)| unit.is_on_table() && shown(unit.side)) {
        pieces.extend(piece(state, id, unit).map(|piece| (state.table.is_on_works(unit), piece.at.1, piece)));
    }
    pieces.sort_by(|a, b| (a.0, a.1).partial_cmp(&(b.0, b.1)).unwrap_or(std::cmp::Ordering::Equal));
    let people = state.table.people().filter(|(_, one)| one.is_on_table() && shown(one.side));
    let people: Vec<Piece> = people.filter_map(|(id, one)| character_piece(state, id, one)).collect();
    for piece in pieces.into_iter().map(|(.., piece)| piece).chain(people) {
        standing.push(Standing::Stack(Stack {
            id: format!("s:{}", piece.id),
            at: piece.at,
            pieces: vec![piece],
        }));
    }
    standing
}

/// The zones where the side that sets up may do so.
fn zones(state: &State) -> String {
    use crate::game::Step;
    use crate::scenario::Scenario;
    let setting_up =
        matches!(state.steps.last(), Some(Step::Deploy | Step::DeployCharacters | Step::Works(_)));
    let Some(side) = state.asked.filter(|_| setting_up) else { return String::new() };
    let rect = |x: f64, y: f64, w: f64, h: f64| {
        format!(
            r#"<rect class="zone {}" x="{x}" y="{y}" width="{w}" height="{h}"></rect>"#,
            troops::class(side)
        )
    };
    match (state.table.scenario, side) {
        (Scenario::Watchtower | Scenario::Help, Side::Garrison) => rect(0.0, 0.0, 1_800.0, 200.0),
        (Scenario::Watchtower | Scenario::Help, Side::Besieger) => rect(0.0, 1_000.0, 1_800.0, 200.0),
        // Fifteen centimetres from the works; more than seventy-five for the besieger.
        (Scenario::Keep, Side::Garrison) => format!(
            r#"<path class="zone {}" d="M570 0V160A150 150 0 0 0 720 310H1080A150 150 0 0 0 1230 160V0Z"></path>"#,
            troops::class(side)
        ),
        (Scenario::Keep, Side::Besieger) => format!(
            r#"<path class="zone {}" d="M0 370A750 750 0 0 0 720 910H1080A750 750 0 0 0 1800 370V1200H0Z"></path>"#,
            troops::class(side)
        ),
    }
}

fn earthworks(state: &State) -> impl Iterator<Item = Standing> {
    (0..).map(WorkId).zip(&state.table.earthworks).filter(|(_, work)| work.standing).map(|(id, work)| {
        let rect = work.rect();
        let corners = rect.corners.map(spot);
        let (cx, cy) = spot(rect.centre);
        let mut picture = String::from(r#"<path class="s-earth" d="M"#);
        for (number, (x, y)) in corners.iter().enumerate() {
            let _ = write!(picture, "{}{:.1} {:.1}", if number > 0 { "L" } else { "" }, x - cx, y - cy);
        }
        let turn = turned(work.facing);
        let _ = write!(
            picture,
            r#"Z"></path><path class="s-dug" d="M-18 1h36" transform="rotate({turn:.0})"></path><path class="s-joint" d="M-16 -4v3M-10 -4v3M-4 -4v3M2 -4v3M8 -4v3M14 -4v3" transform="rotate({turn:.0})"></path>"#
        );
        Standing::Thing(Thing {
            id: format!("k:{}", id.0),
            class: "earth".to_owned(),
            label: Saying::new(words::EARTHWORK).with("side", side(work.owner)).into(),
            at: (cx, cy),
            picture: Picture::Around(picture),
        })
    })
}

/// The declared entrance of the watchtower: a door on that side.
fn entrance(state: &State, standing: &mut Vec<Standing>) {
    let Some((front, facing)) =
        state.table.entrance.and_then(|slot| state.table.plan().elements.first()?.slot(slot))
    else {
        return;
    };
    let (x, y) = spot(front);
    standing.push(Standing::Drawing(format!(
        r#"<g class="entrance" transform="translate({x:.1} {y:.1}) rotate({:.0})"><path class="s-leaf" d="M-7 -1v-5a7 5 0 0 1 14 0v5Z"></path><path class="s-plank" d="M0 -1v-9M-3.500 -1v-8M3.500 -1v-8"></path><path class="lane" d="M0 22V6M-4 11L0 5L4 11"></path></g>"#,
        turned(facing)
    )));
}

/// Where the stands of a unit in a tower are drawn: two by two.
const QUARTERS: [Spot; 4] = [(-8.5, -7.0), (8.5, -7.0), (-8.5, 7.0), (8.5, 7.0)];

/// The places of a tower that its troops take, unit after unit.
fn quarter(state: &State, element: ElementId, id: UnitId, at: usize) -> Spot {
    let stands = state.table.each().flat_map(|(other, unit)| {
        let inside = move |stand: usize| {
            unit.stands.get(stand).is_some_and(|one| one.place == Place::Tower { element })
        };
        unit.alive().filter(move |&stand| inside(stand)).map(move |stand| (other, stand))
    });
    let number = stands.into_iter().position(|one| one == (id, at)).unwrap_or(0);
    QUARTERS[number % QUARTERS.len()]
}

/// A unit of the table as a counter.
fn piece(state: &State, id: UnitId, one: &Unit) -> Option<Piece> {
    let at = unit_spot(state, one)?;
    Some(Piece {
        id: unit_thing(state, id)?,
        side: State::place(one.side),
        label: unit_label(state, one),
        caption: one.name().into(),
        at,
        scale: SCALE,
        turn: None,
        picture: picture(state, id, one, at),
    })
}

/// What a unit is called aloud: who, how strong, what it carries, in what state, where.
pub(super) fn unit_label(state: &State, one: &Unit) -> Measure {
    let mut label = vec![
        unit(one),
        Saying::new(words::STANDS).with("stands", one.strength()).with("of", one.began).into(),
    ];
    for carried in [one.item].into_iter().chain(one.spare).filter(|carried| *carried != Item::None) {
        label.push(item(carried).into());
    }
    if one.odd_hits > 0 {
        label.push(Saying::new(words::ODD_HITS).with("hits", one.odd_hits).into());
    }
    let marks = one.marks;
    for (is, word) in [
        (marks.engaged, words::ENGAGED),
        (one.is_confused(), words::CONFUSED),
        (marks.finished, words::FINISHED),
        (marks.shot, words::HAS_SHOT),
        (marks.dread, words::DREAD),
    ] {
        if is {
            label.push(word.into());
        }
    }
    let place = one.alive().next().and_then(|at| one.stands.get(at)).map(|stand| stand.place);
    if let Some(element) = place.and_then(Place::element) {
        label.push(works(&state.table, element));
    }
    Measure::Several(label)
}

/// The stands of a unit around its middle.
pub(super) fn picture(state: &State, id: UnitId, one: &Unit, middle: Spot) -> String {
    let profile = one.profile();
    let flies = profile.arm == Arm::Flyer;
    let mut class = format!("counter {}", troops::class(one.side));
    if one.is_confused() {
        class.push_str(" confused");
    }
    if one.marks.finished || one.marks.moved_once {
        class.push_str(" moved");
    }
    let mut picture = arcs(state, one, middle);
    let _ = write!(picture, r#"<g class="{class}">"#);
    for (number, at) in one.alive().enumerate() {
        let Some(stand) = one.stands.get(at) else { continue };
        let Some((spot, turn, scale)) = pose(state, id, one, at, stand.place) else { continue };
        let (x, y) = ((spot.0 - middle.0) / SCALE, (spot.1 - middle.1) / SCALE);
        let tilt = if one.is_confused() { turn - 11.0 } else { turn };
        if flies {
            let _ = write!(
                picture,
                r#"<ellipse class="shadow" cx="{x:.1}" cy="{:.1}" rx="6" ry="4"></ellipse>"#,
                y + ALOFT
            );
        }
        let lift = if flies { ALOFT } else { 0.0 };
        let _ = write!(
            picture,
            r#"<g transform="translate({x:.1} {:.1}) rotate({tilt:.0}) scale({scale})">{}{}</g>"#,
            y - lift,
            troops::stand(one.side, one.troop, profile.base, one.is_skirmisher(at)),
            if number == 0 || one.item != Item::PortableRam {
                troops::carried(one.item, profile.base.1)
            } else {
                String::new()
            },
        );
    }
    if let (Some(rect), Some((_, facing))) = (one.machine_rect(), one.machine) {
        let (x, y) = spot(rect.centre);
        let _ = write!(
            picture,
            r#"<g transform="translate({:.1} {:.1}) rotate({:.0})">{}</g>"#,
            (x - middle.0) / SCALE,
            (y - middle.1) / SCALE,
            turned(facing),
            troops::machine(one.item, one.side)
        );
    }
    picture.push_str("</g>");
    for hit in 0..one.odd_hits.min(4) {
        let _ = write!(
            picture,
            r#"<circle class="hit" cx="{:.1}" cy="-8" r="1.300"></circle>"#,
            3.2 * f64::from(hit) - 4.0
        );
    }
    if one.marks.engaged {
        picture.push_str(r#"<path class="swords" d="M-4 -12l8 8M4 -12l-8 8M-4 -6l2 2M4 -6l-2 2"></path>"#);
    }
    picture
}

/// Where a stand is drawn, how it is turned and how large.
fn pose(state: &State, id: UnitId, one: &Unit, at: usize, place: Place) -> Option<(Spot, f64, f64)> {
    match place {
        Place::Ground { facing, .. } => {
            let rect = state.table.stand_rect(one, at)?;
            Some((spot(rect.centre), turned(facing), 1.0))
        }
        Place::Rampart { element, look } => {
            let outward = state.table.plan().element(element)?.outward.unwrap_or(Facing::NORTH);
            let turn = turned(outward) + if look == Look::In { 180.0 } else { 0.0 };
            Some((works_spot(state, element)?, turn, 0.68))
        }
        Place::Tower { element } => {
            let (x, y) = works_spot(state, element)?;
            let (dx, dy) = quarter(state, element, id, at);
            Some(((x + dx, y + dy), 180.0, 0.42))
        }
        Place::Reserve | Place::Off | Place::Out | Place::Dead => None,
    }
}

/// Where a unit shoots and how far it charges: shown while it is chosen.
fn arcs(state: &State, one: &Unit, middle: Spot) -> String {
    let profile = one.profile();
    let Some(rect) = one.alive().next().and_then(|at| state.table.stand_rect(one, at)) else {
        return String::new();
    };
    let facing = match one.alive().next().and_then(|at| one.stands.get(at)).map(|stand| stand.place) {
        Some(Place::Rampart { element, .. }) => {
            state.table.plan().element(element).and_then(|part| part.outward)
        }
        _ => None,
    }
    .unwrap_or(rect.facing);
    let (fx, fy) = spot(rect.front());
    let turn = turned(facing);
    let mut drawn = format!(
        r#"<g class="arcs" transform="translate({:.1} {:.1}) rotate({turn:.0})">"#,
        (fx - middle.0) / SCALE,
        (fy - middle.1) / SCALE
    );
    let (least, most) = (units(profile.range.0), units(profile.range.1));
    if most > 0.0 && profile.engine {
        let half = units(profile.base.0) / 2.0;
        let _ = write!(
            drawn,
            r#"<path class="arc" d="M{:.1} {:.1}H{half:.1}V{:.1}H{:.1}Z"></path>"#,
            -half, -least, -most, -half
        );
    } else if most > 0.0 && (profile.all_round || matches!(one.stands[0].place, Place::Tower { .. })) {
        let _ = write!(drawn, r#"<circle class="arc" r="{most:.1}"></circle>"#);
    } else if most > 0.0 {
        let _ = write!(
            drawn,
            r#"<path class="arc" d="M{:.1} 0A{most:.1} {most:.1} 0 0 1 {most:.1} 0Z"></path>"#,
            -most
        );
    }
    let charge = units(state.table.charge_pace(one));
    if !profile.engine && profile.arm != Arm::Artillery {
        let _ = write!(
            drawn,
            r#"<path class="charge" d="M{:.1} 0A{charge:.1} {charge:.1} 0 0 1 {charge:.1} 0"></path>"#,
            -charge
        );
    }
    drawn + "</g>"
}

fn character_piece(state: &State, id: CharacterId, one: &Character) -> Option<Piece> {
    let mut label = vec![person(one)];
    if let Whereabouts::With(unit_id) = one.place
        && let Some(with) = state.table.unit(unit_id)
    {
        label.push(Saying::new(words::WITH).with("unit", unit(with)).into());
    }
    if one.done {
        label.push(words::DONE.into());
    }
    Some(Piece {
        id: person_thing(state, id)?,
        side: State::place(one.side),
        label: Measure::Several(label),
        caption: one.name().into(),
        at: person_spot(state, one)?,
        scale: SCALE * 0.75,
        turn: None,
        picture: troops::character(one.side, one.line),
    })
}

/// Units and characters that are not on the table yet.
pub(super) fn beside(state: &State, reader: Option<Side>) -> Vec<Waiting> {
    let held = |one: &Unit| one.stands.iter().any(|stand| matches!(stand.place, Place::Reserve | Place::Off));
    let units = state
        .table
        .each()
        .filter(|(_, unit)| held(unit) && !unit.marks.left_out && !is_veiled(state, reader, unit.side))
        .filter_map(|(id, one)| {
            let (width, depth) = one.profile().base;
            // Deep bases are drawn smaller, so that they fit their place.
            let scale = if depth > width { 0.62 } else { 1.0 };
            Some(Waiting {
                id: unit_thing(state, id)?,
                label: unit_label(state, one),
                caption: unit(one),
                picture: format!(
                    r#"<g class="counter {}" transform="scale({scale})">{}</g>"#,
                    troops::class(one.side),
                    troops::stand(one.side, one.troop, (width, depth), false)
                ),
                rests: false,
                broken: false,
            })
        });
    let people =
        state.table.people().filter(|(_, one)| one.place == Whereabouts::Reserve).filter_map(|(id, one)| {
            Some(Waiting {
                id: person_thing(state, id)?,
                label: person(one),
                caption: person(one),
                picture: troops::character(one.side, one.line),
                rests: false,
                broken: false,
            })
        });
    units.chain(people).collect()
}
