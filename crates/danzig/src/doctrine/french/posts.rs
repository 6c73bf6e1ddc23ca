//! Where the army of the operational map is wanted: the investment first (every star was last trodden by a
//! Frenchman), then the trenches, then Lannes against whoever comes out of the fort.

use super::super::Mind;
use super::super::march::{Errand, hex};
use super::attack;
use crate::ops::{Hex, map};
use crate::relief_turn;
use crate::unit::{Corps, Level, Place, Side, UnitId, UnitSet};

/// Who goes to the right bank, and where each stays. They cross by the Holm together.
const RIGHT_BANK: [(&str, u16); 9] = [
    ("F21", 1627),
    ("F01", 2131),
    ("F04", 1627),
    ("F02", 2229),
    ("F05", 2832),
    ("F10", 2036),
    ("F20", 2832),
    ("F32", 2030),
    ("F35", 2030),
];

/// Who stays on the left bank, and where: foot in the villages before the gate that stays open, with guns.
const LEFT_BANK: [(&str, u16); 9] = [
    ("F22", 4411),
    ("F11", 3204),
    ("F24", 1606),
    ("F03", 1815),
    ("F23", 2807),
    ("F08", 4212),
    ("F34", 4212),
    ("F09", 4515),
    ("F33", 4515),
];

/// Where Lannes stands: between the fort and the ferry.
const LANNES: [u16; 10] = [2426, 2325, 2426, 2325, 2528, 2528, 2428, 2428, 2329, 2329];

/// Everybody who is wanted elsewhere than where he is, those of the investment first.
pub(crate) fn errands(mind: &Mind<'_>) -> Vec<Errand> {
    let mut errands = Vec::new();
    let chasing = chases(mind, &mut errands);
    for unit in UnitId::of_side(Side::French).filter(|unit| !chasing.has(*unit)) {
        let counter = mind.table().unit(unit);
        if !matches!(counter.place, Place::Hex(_) | Place::Waiting) || counter.is_disordered() {
            continue;
        }
        let goals = match post(unit) {
            // Lannes wants the road.
            Some(star) if star == hex(2036) && mind.table().turn >= relief_turn(&mind.table().options) => {
                vec![hex(2034)]
            }
            Some(post) => vec![post],
            None => map().red_arrows.clone(),
        };
        let digs = post(unit).is_none();
        let there = matches!(counter.place, Place::Hex(here) if goals.contains(&here));
        if !there || digs {
            errands.push(Errand { units: UnitSet::of(unit), goals, against: None, digs });
        }
    }
    errands
}

/// Where a counter stays; none for those who dig.
fn post(unit: UnitId) -> Option<Hex> {
    let data = unit.data();
    if data.corps == Corps::Lannes {
        return LANNES.get(unit.index() - 68).map(|printed| hex(*printed));
    }
    RIGHT_BANK.iter().chain(&LEFT_BANK).find(|(code, _)| *code == data.code).map(|(_, printed)| hex(*printed))
}

/// Stars that the enemy trod last and to which nobody is on his way are sought by whoever is nearest on
/// their bank, even from his post; a star that the enemy holds by as many as are there.
fn chases(mind: &Mind<'_>, errands: &mut Vec<Errand>) -> UnitSet {
    let mut chasing = UnitSet::EMPTY;
    let lost = map().stars.iter().zip(0..).filter(|(_, place)| mind.table().ops.stars >> place & 1 == 0);
    let (held, open): (Vec<Hex>, Vec<Hex>) =
        lost.map(|(star, _)| *star).partition(|star| mind.enemies().any(|(_, hex)| hex == *star));
    for star in open {
        if is_on_his_way(mind, star) {
            continue;
        }
        let runner = near(mind, star, chasing).into_iter().find(|(_, unit)| !unit.data().arm.is_artillery());
        if let Some((_, unit)) = runner {
            chasing.insert(unit);
            errands.push(Errand::to(unit, vec![star]));
        }
    }
    // One after the other, the one first around which most are gathered.
    let mut held: Vec<(i32, Hex)> = held
        .into_iter()
        .map(|star| (near(mind, star, chasing).iter().take(4).map(|(far, _)| i32::from(*far)).sum(), star))
        .collect();
    held.sort_unstable();
    for (_, star) in held {
        attack::on(mind, star, &near(mind, star, chasing), &mut chasing, errands);
    }
    chasing
}

/// Who may go after a star from its bank, the nearest first.
fn near(mind: &Mind<'_>, star: Hex, chasing: UnitSet) -> Vec<(u16, UnitId)> {
    let mut near: Vec<(u16, UnitId)> = UnitId::of_side(Side::French)
        .filter(|unit| !chasing.has(*unit) && may_chase(mind, *unit))
        .filter_map(|unit| Some((mind.hex_of(unit)?, unit)))
        .filter(|(hex, _)| is_right_bank(*hex) == is_right_bank(star))
        .map(|(hex, unit)| (hex.distance(star), unit))
        .collect();
    near.sort_unstable();
    near
}

/// Whether one whose post it is will soon be there: on the first turn everybody is on his way, later those
/// who need no boat for it.
fn is_on_his_way(mind: &Mind<'_>, star: Hex) -> bool {
    let first = mind.table().turn == 1;
    UnitId::of_side(Side::French).filter(|unit| post(*unit) == Some(star)).any(|unit| {
        let counter = mind.table().unit(unit);
        !counter.is_disordered()
            && match counter.place {
                Place::Waiting => first,
                Place::Hex(here) => first || is_right_bank(here) == is_right_bank(star),
                _ => false,
            }
    })
}

/// Whether a hex lies beyond the Vistula, or on the dike that is reached from there, as far as the stars
/// are concerned.
pub(super) fn is_right_bank(hex: Hex) -> bool {
    hex.row() >= 22 && hex.column() < 28 || hex.row() >= 27 && hex.column() == 28
}

/// The field army runs after raiders; those who dig do not.
fn may_chase(mind: &Mind<'_>, unit: UnitId) -> bool {
    let data = unit.data();
    post(unit).is_some() && data.level != Level::Battalion && !mind.table().unit(unit).is_disordered()
}
