//! The guns of the fortress on the operational map (3.1.1, 3.8.2, DZ-R37): an attack of 7 on French
//! units that leave a shaded hex, and of 3, 2 or 1 on those near the zone in the Prussian defensive
//! fire step.

use kernel::{Clerk, Event};
use rulebook::options::danzig::FortressFirePer;
use rulebook::tables::danzig::FORTRESS_FIRE;
use rulebook::{phrase::danzig_ops as phrase, rule};

use super::field::Field;
use super::fire::suffer;
use super::hex::Hex;
use super::map::{Exposure, map};
use super::terrain::{Cover, fire_cover};
use super::volley::{FireFacts, shot};
use super::{HalfStep, Unheard};
use crate::{Place, Side, Table, UnitId, UnitSet};

impl Exposure {
    /// The fire value of the fortress there (3.1.1).
    #[must_use]
    pub fn fire_value(self) -> i32 {
        let from_zone = match self {
            Self::None => return 0,
            Self::Shaded => 0,
            Self::Ring(far) => i32::from(far),
        };
        FORTRESS_FIRE
            .iter()
            .find(|row| row.hexes_from_shaded_zone == from_zone)
            .map_or(0, |row| row.fire_value)
    }
}

/// The factor of the fortress against a hex, cover included.
pub(super) fn factor_at(field: &Field<'_>, hex: Hex) -> i32 {
    let cover = Cover { terrain: field.map.terrain(hex), redoubt: field.redoubt(hex), camp_side: false };
    let factor = field.fortress_exposure(hex).fire_value();
    if factor == 0 { 0 } else { factor + fire_cover(cover, &mut Unheard) }
}

/// The fortress fires at French counters in a hex; the die has no modifiers (DZ-R11).
fn fires_at(table: &mut Table, hex: Hex, among: UnitSet, clerk: &mut impl Clerk) {
    let field = Field::of(table);
    let value = field.fortress_exposure(hex).fire_value();
    let per_unit = table.options.fortress_fire_per == FortressFirePer::Unit;
    let cover = Cover { terrain: field.map.terrain(hex), redoubt: field.redoubt(hex), camp_side: false };
    let one = |table: &mut Table, among: UnitSet, clerk: &mut _| {
        let factor = Clerk::value(clerk, rule!(DZ_3_1_1_06), value);
        Clerk::applied(clerk, rule!(DZ_R37));
        if let Ok(strike) = shot(&FireFacts { factor, cover, ..FireFacts::default() }, clerk) {
            Clerk::happened(clerk, || {
                Event::new(phrase::FORTRESS_FIRE)
                    .with("hex", hex.to_string())
                    .with("factor", strike.factor)
                    .with("roll", strike.roll)
            });
            suffer(table, hex, among, strike.result, clerk);
        }
    };
    if per_unit {
        among.iter().for_each(|unit| one(table, UnitSet::of(unit), clerk));
    } else {
        one(table, among, clerk);
    }
}

/// The automatic attack of 7 on French counters that leave a shaded hex (3.1.1); true if it is made.
pub(super) fn opportunity(table: &mut Table, units: UnitSet, hex: Hex, clerk: &mut impl Clerk) -> bool {
    let french = units.iter().any(|unit| unit.side() == Side::French);
    if !french || !rule!(DZ_3_1_1_04).holds(map().exposure(hex, true) == Exposure::Shaded) {
        return false;
    }
    let field = Field::of(table);
    if map().cell(hex).star.is_some() && clerk.holds(rule!(DZ_3_1_1_05), true) {
        return false;
    }
    let shaded = field.fortress_exposure(hex) == Exposure::Shaded;
    // Whatever batteries there are, and wherever they look.
    if !(clerk.holds(rule!(DZ_3_1_1_01), shaded) && clerk.holds(rule!(DZ_3_1_1_02), true)) {
        return false;
    }
    let camp_alone = map().exposure(hex, false) != Exposure::Shaded;
    if camp_alone && !clerk.holds(rule!(DZ_3_8_2_01), true) {
        return false;
    }
    fires_at(table, hex, units, clerk);
    true
}

/// The automatic attacks of 3, 2 and 1 on French counters near the shaded zone, in the Prussian
/// defensive fire step (3.1.1).
pub fn fortress_defensive_fire(table: &mut Table, clerk: &mut impl Clerk) {
    table.ops.step_into(HalfStep::DefensiveFire);
    // The stacks as they stand before the first shot: whoever is driven back is not shot at again.
    let mut hexes = Vec::new();
    for unit in UnitId::of_side(Side::French) {
        if let Place::Hex(hex) = table.unit(unit).place
            && [true, false].iter().any(|&camp| matches!(map().exposure(hex, camp), Exposure::Ring(_)))
            && !hexes.contains(&hex)
        {
            hexes.push(hex);
        }
    }
    let stacks: Vec<UnitSet> = hexes.iter().map(|&hex| table.on_hex(Side::French, hex).collect()).collect();
    for (hex, stood) in hexes.into_iter().zip(stacks) {
        let field = Field::of(table);
        let among: UnitSet = field.at(hex).filter(|&unit| stood.has(unit)).collect();
        if among.is_empty() {
            continue;
        }
        if field.map.cell(hex).star.is_some() && clerk.holds(rule!(DZ_3_1_1_05), true) {
            continue;
        }
        let in_ring = matches!(field.fortress_exposure(hex), Exposure::Ring(_));
        if in_ring && clerk.holds(rule!(DZ_3_1_1_03), factor_at(&field, hex) > 0) {
            clerk.applied(rule!(DZ_3_1_1_04));
            fires_at(table, hex, among, clerk);
        }
    }
}
