//! Opportunity fire at whoever is in the open on the siege map (chapters 4.1.1 and 4.8): those who
//! move, workers on their way, and assaults. One shot at a time; then what they set out for is done.

use kernel::Clerk;
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::assault::Assault;
use super::build::Build;
use super::common::strike;
use super::fire::{FORTRESS_FACTOR, Gun, Shot, Target, fire};
use super::moves::{SiegeMove, place_of, spot_of};
use super::route::{Danger, dangers, dangers_through, zone_exit};
use crate::ops::Unheard;
use crate::state::Table;
use crate::unit::{Place, Side, UnitId};

/// What somebody under fire has set out for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Errand {
    /// To work.
    Build(Build),
    /// To move.
    Move(SiegeMove),
    /// To storm.
    Assault(Assault),
}

/// Somebody in the open: the shots the Prussian may still take, and what is done after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exposure {
    /// Shots the Prussian may still take.
    pub shots: u8,
    /// What it is all for.
    pub errand: Errand,
    /// Who is on the way, and from where.
    pub group: [Option<(UnitId, Place)>; 4],
}

impl Exposure {
    pub(crate) fn new(errand: Errand, units: impl Iterator<Item = (UnitId, Place)>, shots: usize) -> Self {
        let mut group = [None; 4];
        units.zip(&mut group).for_each(|(unit, slot)| *slot = Some(unit));
        Self { shots: u8::try_from(shots).unwrap_or(u8::MAX), errand, group }
    }

    /// Those of the group who are still on the way, in order.
    pub(crate) fn left(&self, table: &Table) -> Vec<(UnitId, Place)> {
        let on_the_way = |unit: UnitId| {
            let state = table.unit(unit);
            state.steps > 0 && state.place != Place::Eliminated && !state.is_disordered()
        };
        self.group.iter().flatten().copied().filter(|(unit, _)| on_the_way(*unit)).collect()
    }
}

/// The shots of an exposure, all of them, as they were found when it began.
fn all_dangers(table: &Table, exposure: &Exposure) -> Vec<Danger> {
    match exposure.errand {
        Errand::Move(siege_move) => replay(table, exposure, &siege_move),
        Errand::Build(build) => super::build::dangers_of(table, &build),
        Errand::Assault(assault) => super::assault::dangers_of(&assault, &mut Unheard),
    }
}

/// Finds the shots of a move again while its group stands somewhere on the way.
fn replay(table: &Table, exposure: &Exposure, siege_move: &SiegeMove) -> Vec<Danger> {
    let Some((_, from)) = exposure.group[0] else { return Vec::new() };
    match *siege_move {
        SiegeMove::Through { to, .. } => {
            let start = if let Place::Work(id) = from { Some(id) } else { None };
            let way = table.siege.way(start, to).unwrap_or_default();
            dangers_through(&table.siege, &way, None)
        }
        SiegeMove::Open { exit, via, to, .. } => {
            let end = spot_of(table, place_of(to));
            let start_place = exit.map_or(from, Place::Work);
            let start = spot_of(table, start_place).or_else(|| via.or(end).map(zone_exit));
            let Some(start) = start else { return Vec::new() };
            let end = end.unwrap_or_else(|| zone_exit(via.unwrap_or(start)));
            let mut path = vec![start];
            path.extend(via);
            path.push(end);
            dangers(&table.siege, &path)
        }
        _ => Vec::new(),
    }
}

/// One opportunity shot of 7 at whoever is on the way.
pub fn exposed_shot(table: &mut Table, exposure: &mut Exposure, clerk: &mut impl Clerk) {
    let dangers = all_dangers(table, exposure);
    let at = dangers.len().saturating_sub(usize::from(exposure.shots));
    clerk.applied(rule!(DZ_4_1_1_07));
    exposure.shots = exposure.shots.saturating_sub(1);
    let left = exposure.left(table);
    let (Some(danger), false) = (dangers.get(at), left.is_empty()) else {
        exposure.shots = 0;
        return;
    };
    let place = match exposure.errand {
        Errand::Assault(assault) => super::assault::storming_place(&assault),
        Errand::Move(_) | Errand::Build(_) => Place::Open(danger.at),
    };
    for (unit, _) in &left {
        table.unit_mut(*unit).place = place;
    }
    // Wherever he is outside the intact network.
    if !clerk.holds(rule!(DZ_4_1_1_12), true) {
        return;
    }
    if matches!(danger.target, Target::Open { damaged_trench: true, .. }) {
        clerk.applied(rule!(DZ_4_1_1_13));
    }
    clerk.applied(rule!(DZ_4_1_1_06));
    let shot = Shot {
        gun: Gun::Fortress,
        printed: FORTRESS_FACTOR,
        bands: 0,
        target: danger.target,
        enfilade: false,
        night: false,
    };
    let options = table.options;
    let Ok(struck) = fire(&shot, &options, clerk) else { return };
    strike(table, Side::French, place, &struck, clerk);
    if exposure.left(table).is_empty() {
        exposure.shots = 0;
    }
}

/// One shot is waived.
pub fn waive_shot(_: &Table, exposure: &mut Exposure) {
    exposure.shots = exposure.shots.saturating_sub(1);
}

/// No shot is left: who is left in order does what he set out for.
pub fn arrive(table: &mut Table, exposure: &Exposure, clerk: &mut impl Clerk) {
    match exposure.errand {
        Errand::Build(build) => super::build::finish(table, &build, exposure, clerk),
        Errand::Assault(assault) => super::assault::storm(table, &assault, exposure, clerk),
        Errand::Move(siege_move) => {
            let place = match siege_move {
                SiegeMove::Network { to, .. } | SiegeMove::Through { to, .. } => Place::Work(to),
                SiegeMove::Back { .. } | SiegeMove::OutOfKalke { .. } => Place::Concentration,
                SiegeMove::Open { to, .. } => place_of(to),
                SiegeMove::Box { .. } => Place::KalkeBox,
                SiegeMove::IntoKalke { .. } => Place::Kalke,
            };
            clerk.applied(rule!(DZ_4_2_12));
            if let Place::Work(_) = place {
                clerk.applied(rule!(DZ_4_7_2_05));
            }
            for (unit, _) in exposure.left(table) {
                let state = table.unit_mut(unit);
                state.place = place;
                if let SiegeMove::Open { facing, .. } = siege_move {
                    state.facing = facing;
                    if unit.data().arm.is_artillery() && matches!(place, Place::Open(_)) {
                        clerk.applied(rule!(DZ_R41));
                    }
                }
            }
        }
    }
}
