//! The defender's plan: the garrison on the threatened front, the batteries at the nearest works, a
//! sortie now and then, a counter-attack on every lodgement, and Kamenski's landing.

use danzig::ops::Hex;
use danzig::siege::{BatteryTarget, GarrisonMove, WallId, WorkKind, gun_at, steps_on};
use danzig::{Action, Arm, Hand, Phase, Place, Side, State, UnitId, UnitSet};
use kernel::Game as _;

use crate::french::{breach, offered};
use crate::march::{hex, hex_of, step};

/// Turns on which the garrison sallies out.
const SORTIES: [u8; 3] = [4, 6, 7];

/// The front that is attacked: manned before all others.
const FRONT: [&str; 6] = ["H5", "h5", "H4", "H6", "H3", "H7"];

/// Where the counters are set up: four third battalions on the Holm, in the camp and in the fort, the
/// best on the Hagelsberg and the Bischofsberg, the others in reserve; the cavalry in the fort.
fn set_up(state: &State) -> Action {
    let offered = offered(state);
    let unit = offered.iter().find_map(|action| match action {
        Action::SetOutsideUnit { unit, .. } | Action::SetCityUnit { unit, .. } => Some(*unit),
        _ => None,
    });
    let Some(unit) = unit else {
        return if offered.contains(&Action::SetUpDone) { Action::SetUpDone } else { Action::SetUpTheRest };
    };
    let outside = |printed: u16| Action::SetOutsideUnit { unit, hex: hex(printed) };
    let wall = |code: &str| {
        let point = WallId::of_code(code).expect("a wall point");
        Action::SetCityUnit { unit, place: Place::Wall(point) }
    };
    match unit.data().code {
        "P07" => outside(1821),
        "P08" => outside(2021),
        "P09" => outside(520),
        "P10" => outside(521),
        "P01" => wall("H4"),
        "P02" => wall("H5"),
        "P04" => wall("H6"),
        "P05" => wall("B4"),
        "P13" => wall("H3"),
        "P14" => wall("H7"),
        _ if unit.data().arm.is_cavalry() => outside(723),
        _ => Action::SetCityUnit { unit, place: Place::Reserve },
    }
}

fn garrison(state: &State) -> Action {
    let table = &state.table;
    for code in FRONT {
        let point = WallId::of_code(code).expect("a wall point");
        let place = Place::Wall(point);
        let room = 2 - steps_on(table, Side::Prussian, place).min(2);
        if room < 2 {
            continue;
        }
        let mut free: Vec<UnitId> = table
            .at(Side::Prussian, Place::Reserve)
            .filter(|unit| unit.data().arm == Arm::Infantry && table.unit(*unit).steps == 2)
            .collect();
        free.sort_unstable_by_key(|unit| std::cmp::Reverse(unit.data().morale));
        for unit in free {
            let order = Action::Garrison(GarrisonMove::Infantry { unit, to: place });
            if state.validate(state.active(), &order).is_ok() {
                return order;
            }
        }
    }
    // One battery a turn from the Bischofsberg to the front that is attacked.
    for code in ["H2", "H8", "h4", "h6", "h3"] {
        let to = WallId::of_code(code).expect("a wall point");
        for battery in UnitId::of_side(Side::Prussian).filter(|unit| unit.data().arm == Arm::Fortress) {
            if matches!(table.unit(battery).place, Place::Wall(from) if from.0 >= 18) {
                let order = Action::Garrison(GarrisonMove::Battery { battery, to, facing: 270 });
                if state.validate(state.active(), &order).is_ok() {
                    return order;
                }
            }
        }
    }
    Action::EndPhase
}

/// The shot that hurts most: at a gun, in a damaged work, near.
fn shot(state: &State, offered: &[Action]) -> Action {
    let table = &state.table;
    offered
        .iter()
        .filter_map(|action| match action {
            Action::FireBattery { target, .. } => {
                let worth = match target {
                    BatteryTarget::Work(id) => {
                        let work = table.siege.work(*id)?;
                        let gun = gun_at(table, Side::French, Place::Work(*id));
                        let heavy = gun.is_some_and(|gun| gun.data().arm == Arm::Siege24);
                        i32::from(work.pose.at.y) + i32::from(heavy) * 500 + i32::from(gun.is_some()) * 700
                            - i32::from(work.kind == WorkKind::Sap) * 300
                    }
                    BatteryTarget::Open(_) | BatteryTarget::Wall(_) => 20_000,
                    BatteryTarget::Kalke => 100,
                };
                Some((worth, *action))
            }
            _ => None,
        })
        .max_by_key(|(worth, action)| (*worth, std::cmp::Reverse(*action)))
        .map_or(Action::EndPhase, |(_, action)| action)
}

/// Where Kamenski's regiments march: along the Nehrung for five rounds, then back to the fort.
fn nehrung(state: &State) -> Hex {
    if state.clock.round <= 5 { hex(1523) } else { hex(825) }
}

/// The next regiment of Kamenski to march.
fn relief(state: &State) -> Option<UnitId> {
    if state.table.turn != danzig::relief_turn(&state.table.options) {
        return None;
    }
    ["K01", "K02"].into_iter().filter_map(UnitId::of_code).find(|unit| {
        let units = UnitSet::of(*unit);
        hex_of(state, *unit).is_some_and(|here| here != nehrung(state))
            && !state.table.unit(*unit).is_disordered()
            && (state.phase == Phase::Half
                || state.validate(state.active(), &Action::TakeUp { units }).is_ok())
    })
}

/// The Prussian decision.
pub(crate) fn decide(state: &State) -> Action {
    let table = &state.table;
    let offered = offered(state);
    let first = |wanted: fn(&Action) -> bool| offered.iter().copied().find(wanted);
    let end = || if offered.contains(&Action::EndPhase) { Action::EndPhase } else { offered[0] };
    if !table.owed.is_empty() {
        return offered[0];
    }
    match (state.phase, state.hand) {
        (Phase::SetUp, _) => set_up(state),
        (Phase::Half, _) => {
            if relief(state).is_some() {
                Action::PlayHalf
            } else {
                Action::Pass
            }
        }
        (Phase::Move, Hand::Moving(mover)) => {
            let unit = mover.units.iter().next().expect("a stack");
            step(state, unit, &[nehrung(state)], &offered)
        }
        (Phase::Move, Hand::Empty) => match relief(state) {
            Some(unit) => Action::TakeUp { units: UnitSet::of(unit) },
            None => Action::EndPhase,
        },
        (Phase::Move, Hand::Leaving { .. } | Hand::Running { .. }) => {
            first(|a| matches!(a, Action::OpportunityShot { .. })).unwrap_or(offered[0])
        }
        (_, Hand::Exposed(_)) => Action::OpportunityFire,
        (Phase::Desertion, _) => offered
            .iter()
            .copied()
            .filter_map(|action| match action {
                Action::Desert { unit } => {
                    Some((table.unit(unit).place != Place::Reserve, unit.data().morale, action))
                }
                _ => None,
            })
            .min_by_key(|(walls, morale, action)| (*walls, *morale, *action))
            .map_or_else(|| offered[0], |(.., action)| action),
        (Phase::BatteryRepair, _) => {
            let places = || {
                offered.iter().filter_map(|action| match *action {
                    Action::RepairBattery { battery, point, .. } => Some((battery, point)),
                    _ => None,
                })
            };
            let at_home =
                |(battery, point): &(UnitId, WallId)| table.unit(*battery).place == Place::Wall(*point);
            places().find(at_home).or_else(|| places().next()).map_or(Action::EndPhase, |(battery, point)| {
                Action::RepairBattery { battery, point, facing: 270 }
            })
        }
        (Phase::ReplacementPrussian, _) => {
            first(|a| matches!(a, Action::ReplacePrussian { .. })).unwrap_or_else(end)
        }
        (Phase::ArrivalsKamenski, _) => offered
            .iter()
            .copied()
            .find(|action| {
                matches!(action, Action::PlaceKamenski { unit, hex: there }
                    if *there == if unit.data().code < "K03" { hex(825) } else { hex(421) })
            })
            .unwrap_or(offered[0]),
        (Phase::Fire, _) => first(|a| matches!(a, Action::Fire(_))).unwrap_or_else(end),
        (Phase::Enfilade, _) => {
            first(|a| matches!(a, Action::EnfiladeFire { .. })).unwrap_or(Action::EndPhase)
        }
        (Phase::GarrisonMove, _) => garrison(state),
        (Phase::BatteryFire, _) => shot(state, &offered),
        (Phase::WallRepair, _) => {
            let (front, behind) = breach();
            [front, behind]
                .into_iter()
                .map(|point| Action::RepairWall { point })
                .find(|action| offered.contains(action))
                .unwrap_or_else(end)
        }
        (Phase::Countermine, _) => first(|a| matches!(a, Action::Countermine)).unwrap_or_else(end),
        (Phase::Sortie, _) if SORTIES.contains(&table.turn) => offered
            .iter()
            .copied()
            .filter(|a| matches!(a, Action::DeclareSortie(_)))
            .max_by_key(|action| match action {
                Action::DeclareSortie(sortie) => sortie.groups.iter().flatten().count(),
                _ => 0,
            })
            .unwrap_or_else(end),
        (Phase::CounterAttack, _) => offered
            .iter()
            .copied()
            .filter_map(|action| match action {
                Action::DeclareCounterAttack(attack) => {
                    let steps: u8 = attack.units.iter().map(|unit| table.unit(unit).steps).sum();
                    Some((steps, attack.target.is_second(), action))
                }
                _ => None,
            })
            .max_by_key(|(steps, second, _)| (*second, *steps))
            .map_or_else(end, |(.., action)| action),
        (Phase::DefensiveFire, _) => first(|a| matches!(a, Action::DefensiveFire(_))).unwrap_or_else(end),
        (Phase::Benningsen | Phase::Dauntless | Phase::DesertionRoll, _) => offered[0],
        _ => end(),
    }
}
