//! The assault in numbers, for players that learn: the clock, every unit with its stands, the characters, the
//! elements of the fortress and the earthworks, each at a place of its own.

use opponent::{Featured, Pen};
use tabletop::geometry::Point;

use crate::scenario::Side;

use super::plan::seat;
use super::state::{Place, STANDS, State, Unit, Whereabouts};
use super::view::View;

/// So many units have a place of their own: no set of units holds more.
const UNITS: usize = 64;
/// So many characters.
const CHARACTERS: usize = 16;
/// So many elements of the fortress.
const ELEMENTS: usize = 16;
/// So many sections of earthworks.
const EARTHWORKS: usize = 16;

impl Featured for State {
    fn features(view: &View, pen: &mut impl Pen) {
        let state = &view.state;
        let table = &state.table;
        pen.put("reader", view.reader.map_or(-1, number));
        pen.put("turn", state.turn);
        pen.put("active", number(state.active));
        pen.put("asked", state.asked.map_or(-1, number));
        pen.variant("scenario", Some(&table.scenario));
        pen.variant("step", state.steps.last());
        pen.put("stands_out", table.stands_out);
        pen.put("unit_in_hand", state.hand.unit.map_or(-1, |unit| i16::from(unit.0)));
        pen.put("commander_in_hand", state.hand.commander.map_or(-1, |one| i16::from(one.0)));
        pen.put("melee_round", state.melee.round);
        for side in [Side::Garrison, Side::Besieger] {
            let stores = &table.stores[seat(side)];
            pen.about(|| format!("stores[{}]", number(side)));
            pen.put("earthworks", stores.earthworks);
            pen.put("oil", stores.oil);
        }
        for slot in 0..UNITS {
            pen.about(|| format!("unit[{slot}]"));
            unit(slot, table.units.get(slot), pen);
        }
        for slot in 0..CHARACTERS {
            pen.about(|| format!("character[{slot}]"));
            let one = table.characters.get(slot);
            pen.put("side", one.map_or(-1, |one| number(one.side)));
            let (kind, x, y) = one.map_or((0, 0.0, 0.0), |one| match one.place {
                Whereabouts::With(unit) => (1u8, f64::from(unit.0), 0.0),
                Whereabouts::At(point) => (2, cm(point.x), cm(point.y)),
                Whereabouts::On(element) => (3, f64::from(element.0), 0.0),
                Whereabouts::Reserve => (4, 0.0, 0.0),
                Whereabouts::Out => (5, 0.0, 0.0),
                Whereabouts::Slain => (6, 0.0, 0.0),
            });
            pen.put("place", kind);
            pen.put("x", x);
            pen.put("y", y);
            pen.put("done", one.is_some_and(|one| one.done));
            pen.put("moved", one.is_some_and(|one| one.moved));
        }
        for slot in 0..ELEMENTS {
            pen.about(|| format!("element[{slot}]"));
            let works = table.elements.get(slot);
            pen.put("down", works.is_some_and(|works| works.down));
            pen.put("dice", works.map_or(0, |works| works.dice));
            pen.put("hits", works.map_or(0, |works| works.hits));
            pen.put("oil", works.is_some_and(|works| works.oil));
            pen.put("leaf_down", works.is_some_and(|works| works.leaf_down));
            pen.put("leaf_dice", works.map_or(0, |works| works.leaf_dice));
        }
        for slot in 0..EARTHWORKS {
            pen.about(|| format!("earthwork[{slot}]"));
            let work = table.earthworks.get(slot);
            pen.put("owner", work.map_or(-1, |work| number(work.owner)));
            pen.put("standing", work.is_some_and(|work| work.standing));
            point(work.map(|work| work.front), pen);
        }
    }
}

/// A unit and its stands.
fn unit(slot: usize, unit: Option<&Unit>, pen: &mut impl Pen) {
    pen.put("side", unit.map_or(-1, |unit| number(unit.side)));
    pen.put("began", unit.map_or(0, |unit| unit.began));
    pen.put("item", unit.map_or(0, |unit| unit.item as u8));
    pen.put("odd_hits", unit.map_or(0, |unit| unit.odd_hits));
    pen.put("orders", unit.map_or(0, |unit| unit.orders));
    pen.put("confused", unit.is_some_and(Unit::is_confused));
    pen.put("finished", unit.is_some_and(|unit| unit.marks.finished));
    pen.put("charged", unit.is_some_and(|unit| unit.marks.charged));
    pen.put("shot", unit.is_some_and(|unit| unit.marks.shot));
    pen.put("engaged", unit.is_some_and(|unit| unit.marks.engaged));
    pen.put("fought", unit.is_some_and(|unit| unit.marks.fought));
    for stand in 0..STANDS {
        pen.about(|| format!("unit[{slot}].stand[{stand}]"));
        let place = unit.and_then(|unit| unit.stands.get(stand)).map(|stand| stand.place);
        let kind = place.map_or(0u8, |place| match place {
            Place::Ground { .. } => 1,
            Place::Rampart { .. } => 2,
            Place::Tower { .. } => 3,
            Place::Reserve => 4,
            Place::Off => 5,
            Place::Out => 6,
            Place::Dead => 7,
        });
        pen.put("place", kind);
        pen.put("element", place.and_then(Place::element).map_or(-1, |element| i16::from(element.0)));
        point(
            place.and_then(|place| match place {
                Place::Ground { front, .. } => Some(front),
                _ => None,
            }),
            pen,
        );
    }
}

fn point(point: Option<Point>, pen: &mut impl Pen) {
    pen.put("x", point.map_or(0.0, |point| cm(point.x)));
    pen.put("y", point.map_or(0.0, |point| cm(point.y)));
}

/// Hundredths of a centimetre as centimetres.
fn cm(hundredths: i64) -> f64 {
    f64::from(i32::try_from(hundredths).unwrap_or(i32::MAX)) / 100.0
}

const fn number(side: Side) -> i16 {
    match side {
        Side::Garrison => 0,
        Side::Besieger => 1,
    }
}
