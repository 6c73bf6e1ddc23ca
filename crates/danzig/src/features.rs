//! The table in numbers, for players that learn: the clock, the city and its stores, every counter, every
//! wall point and every work, each at a place of its own.

use opponent::features::variants;
use opponent::{Featured, Pen};

use crate::siege::{MOST_WORKS, Mine, WallId, WorkKind};
use crate::state::{Phase, State};
use crate::unit::{Marks, Place, Side, UnitId, UnitState};
use crate::view::View;

impl Featured for State {
    fn features(view: &View, pen: &mut impl Pen) {
        let state = &view.state;
        let table = &state.table;
        pen.put("reader", view.reader.map_or(-1.0, |side| f64::from(side_number(side))));
        pen.put("turn", table.turn);
        pen.put("round", state.clock.round);
        pen.put("phasing", side_number(state.clock.phasing));
        pen.put("passes", state.clock.passes);
        pen.put("moved", state.clock.moved);
        pen.put("last_half", state.clock.last_half);
        pen.one_of("phase", Some(state.phase as usize), variants::<Phase>());
        city(state, pen);
        maps(state, pen);
        for unit in UnitId::all() {
            pen.about(|| format!("unit[{unit}]"));
            counter(table.unit(unit), pen);
        }
        for (number, wall) in (0u8..).zip(&table.siege.walls) {
            pen.about(|| format!("wall[{}]", WallId(number)));
            pen.put("level", wall.level);
            pen.put("holder", side_number(wall.holder));
            pen.put("stormed_on", wall.stormed_on);
        }
        for slot in 0..MOST_WORKS {
            pen.about(|| format!("work[{slot}]"));
            let work = table.siege.works.get(slot).and_then(Option::as_ref);
            let kind = work.map_or(0u8, |work| match work.kind {
                WorkKind::Sap => 1,
                WorkKind::Parallel => 2,
                WorkKind::Battery => 3,
            });
            pen.put("kind", kind);
            pen.put("x", work.map_or(0, |work| work.pose.at.x));
            pen.put("y", work.map_or(0, |work| work.pose.at.y));
            pen.put("facing", work.map_or(0, |work| work.pose.facing.get()));
            pen.put("damaged", work.is_some_and(|work| work.damaged));
        }
    }
}

/// The city, the stores and the events that come once.
fn city(state: &State, pen: &mut impl Pen) {
    let danzig = &state.table.danzig;
    pen.about(|| "city".to_owned());
    pen.put("morale", danzig.morale);
    pen.put("repair_pool", danzig.repair_pool);
    pen.put("ammunition_12", danzig.ammunition_12);
    pen.put("ammunition_24", danzig.ammunition_24);
    pen.put("construction", danzig.construction);
    pen.put("may_build", danzig.may_build);
    pen.put("siege_works_begun", danzig.siege_works_begun);
    pen.put("concentration_entered", danzig.concentration_entered);
    pen.put("sorties_over", danzig.sorties_over);
    pen.put("relief_done", danzig.relief_done);
    pen.put("benningsen_done", danzig.benningsen_done);
    pen.put("first_zero_done", danzig.first_zero_done);
    pen.put("second_line_done", danzig.second_line_done);
    pen.put("mine_used", danzig.mine_used);
}

/// What stands on the maps that is no counter, wall or work.
fn maps(state: &State, pen: &mut impl Pen) {
    let (ops, siege) = (&state.table.ops, &state.table.siege);
    pen.about(|| "ops".to_owned());
    pen.put("redoubts", ops.redoubts.count_ones());
    pen.put("bridge", ops.bridge.is_some());
    pen.put("bridge_column", ops.bridge.map_or(0, |(end, _)| end.column()));
    pen.put("bridge_row", ops.bridge.map_or(0, |(end, _)| end.row()));
    for star in 0..16 {
        pen.about(|| format!("star[{star}]"));
        pen.put("french", ops.stars >> star & 1);
    }
    pen.about(|| "kalke".to_owned());
    pen.put("holder", side_number(siege.kalke.holder));
    for (name, damage) in ["first", "second", "third"].into_iter().zip(siege.kalke.damage) {
        pen.put(name, damage);
    }
    pen.about(|| "mine".to_owned());
    pen.put(
        "state",
        match siege.mine {
            Mine::None => 0u8,
            Mine::Dug { .. } => 1,
            Mine::Spent => 2,
        },
    );
}

/// A counter: where it is, what is left of it, and how it stands.
fn counter(counter: &UnitState, pen: &mut impl Pen) {
    let (place, x, y) = whereabouts(counter.place);
    pen.put("place", place);
    pen.put("x", x);
    pen.put("y", y);
    pen.put("facing", counter.facing);
    pen.put("steps", counter.steps);
    pen.put("most", counter.most);
    pen.put("formation", counter.formation as u8);
    pen.put("disordered", counter.is_disordered());
    pen.put("damaged", counter.marks.has(Marks::DAMAGED));
    pen.put("moved", counter.marks.has(Marks::MOVED));
    pen.put("fired", counter.marks.has(Marks::FIRED));
}

/// The kind of a place, 0 to 12, and where it lies: column and row on the operational map, decimetres in the
/// open, the number of a wall point or work otherwise.
fn whereabouts(place: Place) -> (u8, i32, i32) {
    match place {
        Place::Away => (0, 0, 0),
        Place::Waiting => (1, 0, 0),
        Place::Eliminated => (2, 0, 0),
        Place::Hex(hex) => (3, hex.column().into(), hex.row().into()),
        Place::Crossing(hex) => (4, hex.column().into(), hex.row().into()),
        Place::Reserve => (5, 0, 0),
        Place::Wall(wall) => (6, wall.0.into(), 0),
        Place::Green(wall) => (7, wall.0.into(), 0),
        Place::Kalke => (8, 0, 0),
        Place::KalkeBox => (9, 0, 0),
        Place::Concentration => (10, 0, 0),
        Place::Work(work) => (11, work.0.into(), 0),
        Place::Open(spot) => (12, spot.x.into(), spot.y.into()),
    }
}

const fn side_number(side: Side) -> u8 {
    side as u8
}
