//! What must hold on the table after every action, and how a game is played to its end.
#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::BTreeMap;

use danzig::ops::map;
use danzig::siege::{WallId, steps_on};
use danzig::{Action, Arm, Corps, Level, Phase, Place, Side, State, UnitId};
use kernel::Game as _;

/// Checks the whole table; the fault in words.
pub(crate) fn invariants(state: &State) -> Result<(), String> {
    let table = &state.table;
    let fail = |text: String| Err(format!("turn {}, {:?}: {text}", table.turn, state.phase));
    let mut hexes: BTreeMap<_, Side> = BTreeMap::new();
    for unit in UnitId::all() {
        let counter = table.unit(unit);
        let data = unit.data();
        if counter.steps > counter.most || counter.most > data.steps.max(2) {
            return fail(format!("{unit} has {} of {} of {} steps", counter.steps, counter.most, data.steps));
        }
        if counter.steps == 0 && !matches!(counter.place, Place::Eliminated | Place::Away) {
            return fail(format!("{unit} without a step stands at {:?}", counter.place));
        }
        match counter.place {
            Place::Hex(hex) => {
                if map().terrain(hex) == danzig::ops::Terrain::Sea {
                    return fail(format!("{unit} swims at {hex}"));
                }
                if data.arm == Arm::Fortress || data.level == Level::Battalion && data.side == Side::French {
                    return fail(format!("{unit} does not belong on the operational map"));
                }
                if *hexes.entry(hex).or_insert(data.side) != data.side {
                    return fail(format!("both sides stand in {hex}"));
                }
            }
            Place::Work(work) => {
                if table.siege.work(work).is_none() {
                    return fail(format!("{unit} stands in a work that is not there"));
                }
                if data.side == Side::Prussian {
                    return fail(format!("{unit} stands in a French work"));
                }
            }
            Place::Wall(point) if data.arm == Arm::Fortress => {
                let other = UnitId::all().find(|other| {
                    *other != unit
                        && other.data().arm == Arm::Fortress
                        && table.unit(*other).place == counter.place
                });
                if other.is_some() {
                    return fail(format!("two batteries on {point}"));
                }
                let settled = table.owed.is_empty();
                if settled && table.siege.wall(point).level <= 9 {
                    return fail(format!("{unit} on {point} at level {}", table.siege.wall(point).level));
                }
            }
            Place::Reserve if data.arm == Arm::Fortress || data.side == Side::French => {
                return fail(format!("{unit} is no garrison"));
            }
            Place::Concentration if data.arm.is_cavalry() || data.corps == Corps::Lannes => {
                return fail(format!("{unit} is barred from the siege map"));
            }
            _ => {}
        }
        let awaited = matches!(data.corps, Corps::Kamenski | Corps::Lannes);
        if awaited && table.turn < danzig::relief_turn(&table.options) && counter.place != Place::Away {
            return fail(format!("{unit} has come too early"));
        }
        if data.level == Level::Regiment {
            let divided = data.battalions.iter().any(|other| table.unit(*other).place.is_siege());
            if divided && counter.place != Place::Away {
                return fail(format!("{unit} is whole and divided"));
            }
        }
    }
    let at_rest = !matches!(state.hand, danzig::Hand::Exposed(_));
    if at_rest && table.owed.is_empty() && state.sortie.is_none() && state.counterattack.is_none() {
        for side in [Side::French, Side::Prussian] {
            for point in WallId::all() {
                let steps = steps_on(table, side, Place::Wall(point));
                if steps > 2 {
                    return fail(format!("{steps} steps of {side:?} on {point}"));
                }
            }
        }
        for (work, _) in table.siege.all_works() {
            let steps = steps_on(table, Side::French, Place::Work(work));
            if steps > 2 {
                return fail(format!("{steps} steps in {work:?}"));
            }
        }
    }
    for point in WallId::all() {
        if table.siege.wall(point).level > 20 {
            return fail(format!("{point} above level 20"));
        }
    }
    let stores = &table.danzig;
    if stores.repair_pool > 40
        || stores.ammunition_12 > 250
        || stores.ammunition_24 > 50
        || stores.construction > 10
    {
        return fail(format!("stores out of bounds: {stores:?}"));
    }
    if (state.phase == Phase::GameOver) != state.outcome.is_some() {
        return fail("over without an outcome".to_owned());
    }
    Ok(())
}

/// Actions of a state, in a fresh list.
pub(crate) fn offered(state: &State) -> Vec<Action> {
    let mut actions = Vec::new();
    state.actions(&mut actions);
    actions
}
