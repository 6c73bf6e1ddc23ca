//! Where the troops outside the walls stand: on the stars of the right bank and of the dike, which the
//! besieger reaches last; and where Kamenski lands and marches.

use super::super::march::{Errand, hex};
use super::super::{Mind, Plan};
use crate::action::Action;
use crate::ops::{Gate, Hex, map};
use crate::unit::{Arm, Corps, Place, Side, UnitId};

/// Who is set up outside the walls, and which star he holds.
const OUTSIDE: [(&str, u16); 8] = [
    ("P07", 2131),
    ("P08", 2131),
    ("P09", 1627),
    ("P10", 1627),
    ("P31", 2131),
    ("P32", 2832),
    ("P33", 2036),
    ("P34", 2832),
];

/// The star of a counter that fights outside.
fn star(unit: UnitId) -> Option<Hex> {
    OUTSIDE.iter().find(|(code, _)| *code == unit.data().code).map(|(_, printed)| hex(*printed))
}

/// Four battalions and the horse outside, as near to their stars as they may; the rest in reserve. Where
/// the guns go the plan of the maps says.
pub(super) fn set_up(mind: &Mind<'_>) -> Action {
    mind.best(|action| match action {
        Action::SetOutsideUnit { unit, hex } => star(*unit).map(|star| 1_000 - i32::from(hex.distance(star))),
        Action::SetCityUnit { unit, place: Place::Reserve } => star(*unit).is_none().then_some(1_000),
        Action::SetUpTheRest => Some(1),
        Action::SetUpDone => Some(2_000),
        _ => None,
    })
    .unwrap_or_else(|| mind.rest())
}

/// Kamenski lands as near to the city as he can.
pub(super) fn landing(mind: &Mind<'_>) -> Action {
    let gate = Gate::Langgarten.hexes().1;
    mind.best_or_rest(|action| match action {
        Action::PlaceKamenski { hex, .. } => Some(100 - i32::from(hex.distance(gate))),
        _ => None,
    })
}

/// Everybody outside who is wanted elsewhere than where he is.
pub(super) fn errands(mind: &Mind<'_>) -> Vec<Errand> {
    let relief = vec![Gate::Petershagen.hexes().0, Gate::Langgarten.hexes().0];
    UnitId::of_side(Side::Prussian)
        .filter(|unit| !mind.table().unit(*unit).is_disordered())
        .filter_map(|unit| {
            let here = mind.hex_of(unit)?;
            let goals = match unit.data().corps {
                Corps::Kamenski => relief.clone(),
                _ => vec![wanted(mind, unit)?],
            };
            (!goals.contains(&here)).then(|| Errand::to(unit, goals))
        })
        .chain(sallies(mind))
        .collect()
}

/// Whoever goes out of the city under a plan that fights outside: from star to star, and one stays on each
/// that was won.
fn sallies(mind: &Mind<'_>) -> Vec<Errand> {
    let table = mind.table();
    let stars = map().stars.iter().zip(0..).filter(|(_, place)| table.ops.stars >> place & 1 == 1);
    let goals: Vec<Hex> = stars
        .map(|(star, _)| *star)
        .filter(|star| mind.plan != Plan::Raids || steps_near(mind, *star) <= 3)
        .collect();
    if goals.is_empty() {
        return Vec::new();
    }
    let out = UnitId::of_side(Side::Prussian)
        .filter(|unit| unit.data().arm == Arm::Infantry && unit.data().corps == Corps::Garrison)
        .filter(|unit| star(*unit).is_none() && !table.unit(*unit).is_disordered())
        .take(mind.plan.battalions_outside());
    out.filter(|unit| match table.unit(*unit).place {
        Place::Reserve => true,
        Place::Hex(here) => {
            let holds = map().cell(here).star.is_some();
            !holds || table.on_hex(Side::Prussian, here).next() != Some(*unit)
        }
        _ => false,
    })
    .map(|unit| Errand::to(unit, goals.clone()))
    .collect()
}

/// French steps on a hex and beside it.
fn steps_near(mind: &Mind<'_>, hex: Hex) -> u8 {
    let near = mind.enemies().filter(|(_, other)| other.distance(hex) <= 1);
    near.map(|(unit, _)| mind.table().unit(unit).steps).sum()
}

/// The star a counter holds; horse rides to any star the French have left open.
fn wanted(mind: &Mind<'_>, unit: UnitId) -> Option<Hex> {
    let here = mind.hex_of(unit)?;
    if unit.data().arm.is_cavalry() {
        let guarded = |star: Hex| mind.enemies().any(|(_, hex)| hex.distance(star) <= 1);
        let french = |place: usize| mind.table().ops.stars >> place & 1 == 1;
        let open = map().stars.iter().enumerate().filter(|(place, star)| french(*place) && !guarded(**star));
        if let Some((_, open)) = open.min_by_key(|(_, star)| here.distance(**star)) {
            return Some(*open);
        }
    }
    star(unit)
}
