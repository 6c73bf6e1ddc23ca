//! The attack on a star that the enemy holds: guns first, from where he cannot answer, with the foot beside
//! them; it closes in on every side at once when there are enough for what is left of him, or where no gun
//! sees him.

use super::super::Mind;
use super::super::march::Errand;
use super::posts::is_right_bank;
use crate::ops::{Field, Hex, Terrain, map};
use crate::series::MeleeOdds;
use crate::unit::{Side, UnitId, UnitSet};

/// Whoever is as near as this has gathered.
const GATHERED: u16 = 4;
/// Steps of foot for each step of the enemy, and a few more: then it is time.
const TIMES: u8 = 3;
/// Nobody comes from farther than this: the others keep their stars.
const FAR: u16 = 16;
/// Guns come from farther: with them it costs nothing but rounds.
const FAR_GUNS: u16 = 30;

/// The errands of those near a star, the nearest first.
pub(super) fn on(
    mind: &Mind<'_>,
    star: Hex,
    near: &[(u16, UnitId)],
    chasing: &mut UnitSet,
    errands: &mut Vec<Errand>,
) {
    let table = mind.table();
    let (guns, foot): (Vec<_>, Vec<_>) = near.iter().partition(|(_, unit)| unit.data().arm.is_artillery());
    let enemy: u8 = table.on_hex(Side::Prussian, star).map(|unit| table.unit(unit).steps).sum();
    let mut go = |unit: UnitId, hex: Hex, against: Option<Hex>| {
        chasing.insert(unit);
        errands.push(Errand { units: UnitSet::of(unit), goals: vec![hex], against, digs: false });
    };
    let away = |unit: UnitId, hex: Hex| mind.hex_of(unit).map_or(u16::MAX, |here| here.distance(hex));
    // From two hexes off they hit him, and he cannot answer.
    let mut emplacements = emplacements(mind, star);
    let mut guarded = Vec::new();
    for (_, gun) in guns.into_iter().filter(|(far, _)| *far <= FAR_GUNS) {
        let nearest = emplacements.iter().copied().min_by_key(|hex| (away(gun, *hex), *hex));
        if let Some(hex) = nearest {
            emplacements.retain(|other| *other != hex);
            guarded.push(hex);
            go(gun, hex, Some(star));
        }
    }
    let come: Vec<UnitId> = foot.into_iter().filter(|(far, _)| *far <= FAR).map(|(_, unit)| unit).collect();
    let steps = |unit: UnitId| table.unit(unit).steps;
    let all: u8 = come.iter().map(|unit| steps(*unit)).fold(0, u8::saturating_add);
    let there: u8 = come
        .iter()
        .filter(|unit| away(**unit, star) <= GATHERED)
        .map(|unit| steps(*unit))
        .fold(0, u8::saturating_add);
    let enough = (enemy * TIMES + 2).min(all);
    let close = there >= enough && (guarded.is_empty() || is_weak(star, there, enemy));
    let mut rooms = if close { rooms(mind, star, 1..=1) } else { rooms(mind, star, 2..=3) };
    for unit in come {
        let need = steps(unit);
        // Whoever waits stands with the guns.
        let best = rooms
            .iter_mut()
            .filter(|(_, room)| *room >= need)
            .min_by_key(|(hex, _)| (!guarded.contains(hex), away(unit, *hex), *hex));
        if let Some((hex, room)) = best {
            *room -= need;
            go(unit, *hex, close.then_some(star));
        }
    }
}

/// Whether so many steps of foot can expect to throw so many of the enemy out of a hex, from three sides.
fn is_weak(star: Hex, there: u8, enemy: u8) -> bool {
    let (attack, defence) = match map().terrain(star) {
        Terrain::Village => (1, 2),
        Terrain::Forest => (1, 3),
        Terrain::Marsh => (2, 3),
        _ => (3, 3),
    };
    let odds = MeleeOdds::of(u32::from(there) * attack, u32::from(enemy) * defence).shifted(1);
    odds >= if is_right_bank(star) { MeleeOdds::ThreeToOne } else { MeleeOdds::TwoToOne }
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

/// Where a gun sees a star two hexes off, on ground it can stand on and under no other fire; one gun a hex.
fn emplacements(mind: &Mind<'_>, star: Hex) -> Vec<Hex> {
    let stands =
        |hex: Hex| !matches!(map().terrain(hex), Terrain::Forest | Terrain::Marsh | Terrain::Village);
    let field = Field::of(mind.table());
    rooms(mind, star, 2..=2)
        .into_iter()
        .map(|(hex, _)| hex)
        .filter(|hex| stands(*hex) && field.sees(*hex, star))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foot_closes_in_when_what_is_left_of_the_enemy_can_be_thrown_out() {
        // Heubude, beyond the river: 1 a step against 2, three to one with the column for three sides.
        assert!(is_weak(Hex::printed(2131), 24, 6));
        assert!(!is_weak(Hex::printed(2131), 23, 6));
        // Three Pigs Heads, where the broken have a way back: two to one.
        assert!(is_weak(Hex::printed(4212), 12, 4));
        assert!(!is_weak(Hex::printed(4212), 11, 4));
        // The wood of the Nehrung: 1 a step against 3.
        assert!(is_weak(Hex::printed(1627), 24, 4));
        assert!(!is_weak(Hex::printed(1627), 23, 4));
    }
}
