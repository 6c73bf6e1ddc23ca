//! The operational map as it stands: who is in which hex, who controls, who sees, what fits. A view
//! of the table made in one pass over the counters; nothing is kept between questions.

use rulebook::options::danzig::Options;

use super::bar::Bar;
use super::hex::{HEXES, Heading, Hex};
use super::map::{Exposure, Map, Terrain, WallSight, map};
use super::sight;
use super::terrain::Travel;
use crate::{Arm, Corps, Formation, Place, Side, Table, UNITS, UnitId, UnitSet, UnitState};

const NOBODY: u8 = u8::MAX;

/// The counters that may stand on this map at all: not the battalions of French regiments, the second one
/// of the Fusiliers, nor the batteries of the fortress.
const ON_MAP: [std::ops::Range<u8>; 3] = [0..38, 68..106, 118..127];

/// The most steps of infantry, or of cavalry, in a hex.
const STEPS_IN_OPEN: u8 = 8;
/// The same in forest and village.
const STEPS_IN_COVER: u8 = 4;

/// The operational map with its counters.
pub struct Field<'t> {
    /// The table it is a view of.
    pub table: &'t Table,
    /// The printed map.
    pub map: &'static Map,
    /// The first counter of each hex, and the next one after each counter, in the order of the roster.
    first: [u8; HEXES],
    next: [u8; UNITS],
}

impl<'t> Field<'t> {
    /// Looks at a table.
    #[must_use]
    pub fn of(table: &'t Table) -> Self {
        let mut first = [NOBODY; HEXES];
        let mut next = [NOBODY; UNITS];
        // From the last to the first: each comes before those already there.
        for range in ON_MAP.into_iter().rev() {
            let within = usize::from(range.start)..usize::from(range.end);
            let counters = table.units[within.clone()].iter().zip(&mut next[within]);
            for (at, (counter, next)) in range.zip(counters).rev() {
                if let Place::Hex(hex) = counter.place {
                    *next = std::mem::replace(&mut first[hex.index()], at);
                }
            }
        }
        Self { table, map: map(), first, next }
    }

    /// Whether the camp's guns count: not while the French alone hold it.
    #[must_use]
    pub fn camp_counts(&self) -> bool {
        let held = |side| self.map.camp.iter().any(|&hex| self.holder(hex) == Some(side));
        held(Side::Prussian) || !held(Side::French)
    }

    /// The options of the game.
    #[must_use]
    pub const fn options(&self) -> &'t Options {
        &self.table.options
    }

    /// A counter as it stands.
    #[must_use]
    pub fn unit(&self, unit: UnitId) -> &'t UnitState {
        self.table.unit(unit)
    }

    /// The counters in a hex, in order.
    pub fn at(&self, hex: Hex) -> impl Iterator<Item = UnitId> + '_ {
        let mut at = self.first[hex.index()];
        std::iter::from_fn(move || {
            let unit = (at != NOBODY).then(|| UnitId::new(at))?;
            at = self.next[unit.index()];
            Some(unit)
        })
    }

    /// Whether a counter stands in a hex by itself.
    #[must_use]
    pub fn is_alone(&self, unit: UnitId, hex: Hex) -> bool {
        usize::from(self.first[hex.index()]) == unit.index() && self.next[unit.index()] == NOBODY
    }

    /// Who holds a hex, if anybody stands there. Enemies never share one.
    #[must_use]
    pub fn holder(&self, hex: Hex) -> Option<Side> {
        let at = self.first[hex.index()];
        (at != NOBODY).then(|| UnitId::new(at).side())
    }

    /// Whether an enemy of a side stands in a hex.
    #[must_use]
    pub fn enemy_at(&self, hex: Hex, of: Side) -> bool {
        self.holder(hex) == Some(of.other())
    }

    /// The hex of a counter on the map.
    ///
    /// # Errors
    /// When it is not there.
    pub fn hex_of(&self, unit: UnitId) -> Result<Hex, Bar> {
        match self.unit(unit).place {
            Place::Hex(hex) => Ok(hex),
            _ => Err(Bar::NotHere),
        }
    }

    /// Whether a built redoubt stands in a hex.
    #[must_use]
    pub fn redoubt(&self, hex: Hex) -> bool {
        built(self.table, hex)
    }

    /// The ground of a hex: a built redoubt makes it clear (DZ-R19).
    #[must_use]
    pub fn ground(&self, hex: Hex) -> Terrain {
        if self.redoubt(hex) { Terrain::Clear } else { self.map.terrain(hex) }
    }

    /// Whether the bridge joins two hexes.
    #[must_use]
    pub fn bridge(&self, a: Hex, b: Hex) -> bool {
        self.table.ops.bridge.is_some_and(|ends| ends == (a, b) || ends == (b, a))
    }

    /// Whether the hexes under the siege map are closed to a side.
    #[must_use]
    pub fn covered(&self, hex: Hex, side: Side) -> bool {
        side == Side::Prussian && self.table.danzig.concentration_entered && self.map.cell(hex).siege_map
    }

    /// Which way a counter faces, if it has a facing at all.
    #[must_use]
    pub fn facing(&self, unit: UnitId) -> Option<Heading> {
        self.faces(unit).then(|| heading(self.unit(unit)))
    }

    /// Whether a counter has a facing where it stands: in a built redoubt everybody in order has one
    /// (DZ-3.8.3-04).
    #[must_use]
    pub(super) fn faces(&self, unit: UnitId) -> bool {
        faces(self.table, unit)
    }

    /// Whether a hexside of its hex is in front of a counter. Squares, skirmishers and adapted units
    /// have their front everywhere but in a redoubt, disordered and limbered ones nowhere.
    #[must_use]
    pub fn in_front(&self, unit: UnitId, side: Heading) -> bool {
        let state = self.unit(unit);
        if state.is_disordered() || state.formation == Formation::Limbered {
            return false;
        }
        !self.faces(unit) || heading(state).angle(side) <= 1
    }

    /// Whether a counter standing in `from` controls the hex beyond one of its hexsides (DZ-R94).
    #[must_use]
    pub fn controls(&self, unit: UnitId, from: Hex, side: Heading, hex: Hex) -> bool {
        let state = self.unit(unit);
        let formed = matches!(state.formation, Formation::Column | Formation::Line | Formation::Formed);
        if !formed || state.is_disordered() || heading(state).angle(side) > 1 {
            return false;
        }
        let edge = self.map.edge(from, side);
        let from_outside = edge.camp() && self.map.terrain(from) != Terrain::Camp;
        !edge.vistula() && !edge.wall() && !edge.gate() && !from_outside && !self.ground(hex).adapts()
    }

    /// The enemies of a side that control a hex.
    #[must_use]
    pub fn controllers(&self, hex: Hex, of: Side) -> UnitSet {
        let mut set = UnitSet::EMPTY;
        for heading in Heading::ALL {
            let Some(from) = hex.beyond(heading) else { continue };
            // Nearly always nobody is there.
            if self.first[from.index()] == NOBODY || !self.enemy_at(from, of) {
                continue;
            }
            for unit in self.at(from) {
                if self.controls(unit, from, heading.back(), hex) {
                    set.insert(unit);
                }
            }
        }
        set
    }

    /// Whether counters fit into a hex besides those already there (DZ-R94). Those of the set that
    /// stand there already are counted once.
    ///
    /// # Errors
    /// The bar when they do not.
    pub fn fits(&self, units: UnitSet, hex: Hex) -> Result<(), Bar> {
        self.room(units, hex, 0)
    }

    /// The same with so many steps more for each of the set.
    fn room(&self, units: UnitSet, hex: Hex, more: u8) -> Result<(), Bar> {
        self.takes(&self.load(units, more), units, hex)
    }

    /// What counters take up, with so many steps more for each.
    pub(super) fn load(&self, units: UnitSet, more: u8) -> Load {
        units.iter().fold(Load::default(), |load, unit| load.with(unit, self.unit(unit), more))
    }

    /// Whether a hex takes these counters, whose load is known, besides those of others already there.
    ///
    /// # Errors
    /// The bar when it does not.
    pub(super) fn takes(&self, load: &Load, units: UnitSet, hex: Hex) -> Result<(), Bar> {
        let cover = self.ground(hex).adapts();
        let limit = if cover { STEPS_IN_COVER } else { STEPS_IN_OPEN };
        let others = self.at(hex).filter(|&unit| !units.has(unit));
        let Load { foot, horse, guns, formed } =
            others.fold(*load, |load, unit| load.with(unit, self.unit(unit), 0));
        let mixed = foot > 0 && horse > 0 && (formed || cover);
        if foot > limit || horse > limit || guns > 1 || mixed { Err(Bar::Stacking) } else { Ok(()) }
    }

    /// Whether one hex sees another over the ground and the counters between (3.4).
    #[must_use]
    pub fn sees(&self, from: Hex, to: Hex) -> bool {
        if from.distance(to) <= 1 {
            return true;
        }
        let (here, there) = (self.map.cell(from).level, self.map.cell(to).level);
        let ground = sight::ground_is_clear(
            (from, here),
            (to, there),
            |hex| sight::height(self.map, hex),
            |hex| self.ground(hex).hides(),
        );
        // Other counters block on one level only.
        ground && (here != there || sight::clear_line(from, to, |hex| self.holder(hex).is_some()))
    }

    /// The fire of the fortress that a French counter in a hex lies under: its exposure, if the walls
    /// see it and no star protects it.
    #[must_use]
    pub fn fortress_exposure(&self, hex: Hex) -> Exposure {
        if self.map.exposure(hex, true) == Exposure::None && self.map.exposure(hex, false) == Exposure::None {
            return Exposure::None;
        }
        let camp_counts = self.camp_counts();
        let exposure = self.map.exposure(hex, camp_counts);
        if exposure == Exposure::None || self.map.cell(hex).star.is_some() {
            return Exposure::None;
        }
        let seen = match self.map.wall_sight(hex, camp_counts) {
            WallSight::Never => false,
            WallSight::Always => true,
            WallSight::OverUnits => self.map.wall_points(camp_counts).any(|point| {
                sight::from_wall(self.map, point, hex) == WallSight::OverUnits
                    && sight::clear_line(point, hex, |at| self.holder(at).is_some())
            }),
        };
        if seen { exposure } else { Exposure::None }
    }

    /// The movement points of a counter, before any road bonus.
    #[must_use]
    pub fn allowance(&self, unit: UnitId) -> u8 {
        unit.data().mp
    }
}

/// What counters take up in a hex (DZ-R94).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Load {
    /// Steps of infantry.
    foot: u8,
    /// Steps of cavalry.
    horse: u8,
    /// Guns.
    guns: u8,
    /// Some of the cavalry is formed.
    formed: bool,
}

impl Load {
    /// With one counter, and so many steps, more.
    fn with(mut self, unit: UnitId, state: &UnitState, more: u8) -> Self {
        let steps = state.steps.saturating_add(more);
        match unit.data().arm {
            Arm::Infantry => self.foot = self.foot.saturating_add(steps),
            Arm::LightCavalry | Arm::HeavyCavalry => {
                self.horse = self.horse.saturating_add(steps);
                // Adapted horse forms up as it comes out of its cover.
                let in_order = matches!(state.formation, Formation::Formed | Formation::Adapted);
                self.formed |= in_order && !state.is_disordered();
            }
            _ => self.guns = self.guns.saturating_add(1),
        }
        self
    }
}

/// The ground of a hex on a table: a built redoubt makes it clear (DZ-R19).
pub(super) fn ground_of(table: &Table, hex: Hex) -> Terrain {
    if built(table, hex) { Terrain::Clear } else { map().cell(hex).terrain }
}

/// Whether a built redoubt stands in a hex of a table.
fn built(table: &Table, hex: Hex) -> bool {
    map().cell(hex).redoubt.is_some_and(|place| table.ops.redoubts & (1 << place) != 0)
}

/// Whether a counter has a facing where it stands (DZ-3.8.3-04).
pub(super) fn faces(table: &Table, unit: UnitId) -> bool {
    let state = table.unit(unit);
    has_facing(state)
        || (!state.is_disordered() && matches!(state.place, Place::Hex(hex) if built(table, hex)))
}

/// The facing of a counter.
#[must_use]
pub fn heading(state: &UnitState) -> Heading {
    Heading::ALL[usize::from(state.facing % 6)]
}

/// Whether a counter in this state has a facing.
#[must_use]
pub const fn has_facing(state: &UnitState) -> bool {
    !state.is_disordered()
        && !matches!(state.formation, Formation::Square | Formation::Skirmish | Formation::Adapted)
}

/// Whether roads and tracks help a counter in this state (DZ-R39).
#[must_use]
pub(super) const fn uses_ways(state: &UnitState, travel: Travel) -> bool {
    state.is_disordered()
        || matches!(state.formation, Formation::Column | Formation::Limbered)
        || (matches!(travel, Travel::Cavalry) && !matches!(state.formation, Formation::Blown))
        || matches!(state.formation, Formation::Adapted)
}

/// Whether a counter belongs to Lannes.
#[must_use]
pub(super) fn is_lannes(unit: UnitId) -> bool {
    unit.data().corps == Corps::Lannes
}

/// Whether a counter has room for more steps in a hex.
#[must_use]
pub fn has_room(table: &Table, unit: UnitId, hex: Hex, more: u8) -> bool {
    Field::of(table).room(UnitSet::of(unit), hex, more).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_those_who_may_stand_here_are_looked_for() {
        for unit in UnitId::all() {
            let data = unit.data();
            let elsewhere = data.arm == Arm::Fortress || data.regiment.is_some();
            let number = u8::try_from(unit.index()).unwrap();
            assert_eq!(ON_MAP.iter().any(|range| range.contains(&number)), !elsewhere, "{unit}");
        }
    }
}
