//! The legend of the maps: how counters, states, walls and works look, drawn as they are on the maps.

use kernel::board::Sign;
use kernel::{Game as _, Phrase, Setup};
use rulebook::phrase::danzig_board as words;

use super::counter::face;
use crate::draw::siege::METRE;
use crate::siege::{Facing, Pose, Spot, WallSet, Work, WorkKind, WorkSet};
use crate::state::State;
use crate::unit::{Arm, Marks, Nation, Side, UnitId};

/// What the signs mean: counters, their states, then what is on the ground.
pub(super) fn signs() -> Vec<Sign> {
    let Ok(state) = State::start(&Setup::default()) else { return Vec::new() };
    let mut signs: Vec<Sign> = Vec::new();
    let mut add = |picture: String, meaning: Phrase| signs.push(Sign { picture, meaning });
    let of = |side: Side, arm: Arm| UnitId::of_side(side).find(|unit| unit.data().arm == arm);
    for (side, arm, meaning) in [
        (Side::French, Arm::Infantry, words::LEGEND_FRENCH),
        (Side::Prussian, Arm::Infantry, words::LEGEND_PRUSSIAN),
        (Side::French, Arm::LightCavalry, words::LEGEND_CAVALRY),
        (Side::French, Arm::FieldArtillery, words::LEGEND_FIELD_GUNS),
        (Side::French, Arm::Siege24, words::LEGEND_SIEGE_GUNS),
        (Side::French, Arm::Mortar, words::LEGEND_MORTAR),
        (Side::Prussian, Arm::Fortress, words::LEGEND_FORTRESS),
    ] {
        if let Some(unit) = of(side, arm) {
            add(face(&state, unit), meaning);
        }
    }
    let french = |arm: Arm| {
        UnitId::of_side(Side::French)
            .find(|unit| unit.data().arm == arm && unit.data().nation == Nation::France)
    };
    for (unit, mark, meaning) in [
        (french(Arm::Infantry), Marks::DISORDERED, words::LEGEND_DISORDERED),
        (of(Side::Prussian, Arm::Fortress), Marks::DAMAGED, words::LEGEND_DAMAGED),
        (french(Arm::Infantry), Marks::WORKER, words::LEGEND_WORKER),
    ] {
        if let Some(unit) = unit {
            let mut state = state.clone();
            state.table.unit_mut(unit).marks.set(mark);
            add(face(&state, unit), meaning);
        }
    }
    add(
        r#"<g class="point worn" transform="scale(.3)"><circle class="ground" r="26"></circle><circle class="gauge-ground" r="22"></circle><path class="gauge" d="M0 -22A22 22 0 1 1 -22 0"></path><text class="level" y="7">15</text></g>"#.to_owned(),
        words::LEGEND_WALL,
    );
    for (kind, damaged, meaning) in [
        (WorkKind::Sap, false, words::LEGEND_SAP),
        (WorkKind::Parallel, false, words::LEGEND_PARALLEL),
        (WorkKind::Battery, false, words::LEGEND_BATTERY),
        (WorkKind::Parallel, true, words::LEGEND_RUINED),
    ] {
        add(work(kind, damaged), meaning);
    }
    let star = super::standing::star(0.0, 0.0);
    add(format!(r#"<path class="star" d="{star}" transform="scale(1.500)"></path>"#), words::LEGEND_STAR);
    add(
        r##"<path class="entry-arrow" d="M-4 5l4 -11l4 11l-2.600 -1.500v5h-2.800v-5Z"></path>"##.to_owned(),
        words::LEGEND_ARROW,
    );
    add(
        r#"<g class="hatched"><path d="M-11 7h22v-14h-22Z"></path><path d="M-11 0l7 -7M-11 7l14 -14M-4 7l14 -14M3 7l8 -8"></path></g>"#.to_owned(),
        words::LEGEND_UNDER_GUNS,
    );
    signs
}

/// A work as it is drawn on the map, brought to the size of a sign.
fn work(kind: WorkKind, damaged: bool) -> String {
    let pose = Pose::new(Spot::metres(0, 0), Facing::CITY);
    let work = Work {
        kind,
        pose,
        damaged,
        worker: None,
        covers: WallSet::default(),
        at_zone: false,
        links: WorkSet::default(),
    };
    let class = if damaged { "hurt" } else { "whole" };
    let scale = 0.17 / METRE;
    let (x, y) = crate::draw::siege::metres(pose.at);
    format!(
        r#"<g class="earth"><g class="{class}" transform="scale({scale:.3}) translate({:.1} {:.1})">{}{}</g></g>"#,
        -x * METRE,
        -y * METRE,
        crate::draw::siege::thrown_up(&work),
        crate::draw::siege::dug_out(&work)
    )
}
