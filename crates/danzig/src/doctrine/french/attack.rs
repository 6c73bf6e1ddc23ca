//! The attack on a star that the enemy holds: gather out of reach until there are enough, then close in on
//! every side at once, guns where they see him.

use super::super::Mind;
use super::super::march::Errand;
use super::posts::is_right_bank;
use crate::ops::{Hex, Terrain, map};
use crate::unit::{Side, UnitId, UnitSet};

/// Whoever is as near as this has gathered.
const GATHERED: u16 = 4;
/// Steps of foot for each step of the enemy, and a few more: then it is time.
const TIMES: u8 = 3;
/// Nobody comes from farther than this: the others keep their stars.
const FAR: u16 = 16;

/// The errands of those near a star, the nearest first.
pub(super) fn on(
    mind: &Mind<'_>,
    star: Hex,
    near: &[(u16, UnitId)],
    chasing: &mut UnitSet,
    errands: &mut Vec<Errand>,
) {
    let table = mind.table();
    let steps = |unit: UnitId| if unit.data().arm.is_artillery() { 0 } else { table.unit(unit).steps };
    let enemy: u8 = table.on_hex(Side::Prussian, star).map(|unit| table.unit(unit).steps).sum();
    let come: Vec<(u16, UnitId)> = near.iter().copied().filter(|(far, _)| *far <= FAR).collect();
    let all: u8 = come.iter().map(|(_, unit)| steps(*unit)).fold(0, u8::saturating_add);
    let there: u8 = come
        .iter()
        .filter(|(far, _)| *far <= GATHERED)
        .map(|(_, unit)| steps(*unit))
        .fold(0, u8::saturating_add);
    let enough = (enemy * TIMES + 2).min(all);
    let mut rooms = if there >= enough { rooms(mind, star, 1..=1) } else { rooms(mind, star, 2..=3) };
    let mut gun_rooms = rooms_for_guns(mind, star);
    for (_, unit) in come {
        let gun = unit.data().arm.is_artillery();
        let rooms = if gun { &mut gun_rooms } else { &mut rooms };
        let need = if gun { 1 } else { steps(unit) };
        let here = mind.hex_of(unit);
        let far = |hex: Hex| here.map_or(u16::MAX, |here| here.distance(hex));
        let best =
            rooms.iter_mut().filter(|(_, room)| *room >= need).min_by_key(|(hex, _)| (far(*hex), *hex));
        if let Some((hex, room)) = best {
            *room -= need;
            chasing.insert(unit);
            errands.push(Errand {
                units: UnitSet::of(unit),
                goals: vec![*hex],
                against: Some(star),
                digs: false,
            });
        }
    }
}

/// The hexes at this distance from a star from which it can be come at, and the steps each has room for.
fn rooms(mind: &Mind<'_>, star: Hex, at: std::ops::RangeInclusive<u16>) -> Vec<(Hex, u8)> {
    let map = map();
    Hex::all()
        .filter(|hex| at.contains(&hex.distance(star)) && !mind.enemies().any(|(_, enemy)| enemy == *hex))
        .filter(|hex| !map.shaded(*hex) && is_right_bank(*hex) == is_right_bank(star))
        .filter(|hex| hex.towards(star).is_none_or(|heading| !map.edge(*hex, heading).vistula()))
        .filter_map(|hex| match map.terrain(hex) {
            Terrain::Sea | Terrain::City | Terrain::Fort => None,
            Terrain::Forest | Terrain::Village => Some((hex, 4)),
            _ => Some((hex, 8)),
        })
        .collect()
}

/// Where a gun sees a star: one or two hexes off, on ground it can stand on; one gun a hex.
fn rooms_for_guns(mind: &Mind<'_>, star: Hex) -> Vec<(Hex, u8)> {
    let stands =
        |hex: Hex| !matches!(map().terrain(hex), Terrain::Forest | Terrain::Marsh | Terrain::Village);
    let mut rooms: Vec<(Hex, u8)> =
        rooms(mind, star, 2..=2).into_iter().filter(|(hex, _)| stands(*hex)).collect();
    rooms.iter_mut().for_each(|(_, room)| *room = 1);
    rooms
}
