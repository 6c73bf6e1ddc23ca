//! Where a stack may march now: every place it can reach, what it costs to get there, by which way and
//! under whose fire. A counter that waits beside the map is followed from every hex where it may enter,
//! guns limber first. The strides are those of the rules themselves, made on copies of the table.

use std::collections::BTreeMap;

use kernel::board::{Reached, Spot, ThingId};
use kernel::{Game as _, Measure, Refusal, Saying, Verdict};
use rulebook::phrase::danzig_board as words;

use super::choice::zone_mark;
use super::names::hex_label;
use super::{OPS, SIEGE};
use crate::action::Action;
use crate::draw::ops::hex_centre;
use crate::draw::siege::metres;
use crate::ops::{
    self, Exposure, Heading, Hex, Mover, Path, Route, Standpoint, Stride, check_stride, check_take_up,
    list_strides, map, opportunity,
};
use crate::state::{Hand, Phase, State, Table};
use crate::unit::{Formation, Place, Side, UnitId, UnitSet};

/// No stack of this game gets farther than so many hexes.
const MOST: usize = 600;

/// A place that can be reached, and how the stack stands there.
struct Stage {
    here: Standpoint,
    /// Where it came onto the map.
    entry: Option<Hex>,
    /// The strides that lead there.
    way: Vec<Stride>,
    /// Somebody may fire on the way.
    under_fire: bool,
}

impl Stage {
    const fn first(here: Standpoint, entry: Option<Hex>) -> Self {
        Self { here, entry, way: Vec::new(), under_fire: false }
    }

    fn left(&self) -> u8 {
        let most = self.here.mover.units.iter().map(|unit| unit.data().mp).min().unwrap_or(0);
        most.saturating_sub(self.here.mover.spent)
    }

    fn hex(&self) -> Option<Hex> {
        hex_of(&self.here.table, &self.here.mover)
    }

    /// One stride farther, if the rules allow it.
    fn farther(&self, stride: Stride) -> Option<Self> {
        let mut here = self.here.clone();
        here.make(stride).ok()?;
        let under_fire = self.under_fire || draws_fire(&self.here.table, &self.here.mover, stride);
        let mut way = self.way.clone();
        way.push(stride);
        Some(Self { here, entry: self.entry, way, under_fire })
    }
}

/// Everything a stack can reach: hexes, and the concentration area if it can enter it.
#[derive(Default)]
pub(super) struct Reach {
    units: UnitSet,
    from: Vec<Stage>,
    hexes: BTreeMap<Hex, Stage>,
    zone: Option<Stage>,
}

fn hex_of(table: &Table, mover: &Mover) -> Option<Hex> {
    match table.unit(mover.units.iter().next()?).place {
        Place::Hex(hex) => Some(hex),
        _ => None,
    }
}

/// Whether leaving this hex lets anybody fire.
fn draws_fire(table: &Table, mover: &Mover, stride: Stride) -> bool {
    let french = mover.units.iter().any(|unit| unit.side() == Side::French);
    let fortress =
        french && hex_of(table, mover).is_some_and(|hex| map().exposure(hex, true) == Exposure::Shaded);
    fortress || !opportunity(table, mover, stride).is_empty()
}

/// Where a march may begin: where the stack stands, or every hex where it may come onto the map.
fn beginnings(state: &State, units: UnitSet) -> Verdict<Vec<Stage>> {
    let table = &state.table;
    let waiting = |unit: &UnitId| table.unit(*unit).place == Place::Waiting;
    let unit = match (state.hand, state.phase) {
        (Hand::Moving(mover), _) => {
            return Ok(vec![Stage::first(Standpoint::new(table.clone(), mover), None)]);
        }
        (Hand::Empty, Phase::Move) => units.iter().next(),
        _ => return Ok(Vec::new()),
    };
    let Some(unit) = unit.filter(waiting) else {
        check_take_up(table, state.clock.phasing, units)?;
        return Ok(vec![Stage::first(Standpoint::new(table.clone(), Mover::fresh(units)), None)]);
    };
    let mut hexes = Vec::new();
    ops::list_entries(table, |one| one == unit, |_, hex| hexes.push(hex));
    let may = |hex: &Hex| state.validate(unit.side(), &Action::EnterMap { unit, hex: *hex });
    if let Some(first) = hexes.first() {
        may(first)?;
    }
    let entered = hexes.into_iter().filter(|hex| may(hex).is_ok());
    Ok(entered
        .filter_map(|hex| Some(Stage::first(Standpoint::entered(table, units, hex)?, Some(hex))))
        .collect())
}

/// Looks for every place within the movement points of these units, the cheapest way first; a way that
/// has kept to the road goes farther than another to the same place.
///
/// # Errors
/// Why they cannot be taken up.
pub(super) fn reach(state: &State, units: UnitSet) -> Verdict<Reach> {
    let from = beginnings(state, units)?;
    let home = from.first().filter(|first| first.entry.is_none()).and_then(Stage::hex);
    let units = from.first().map_or(units, |first| first.here.mover.units);
    let mut edge: Vec<Stage> = Vec::new();
    for first in beginnings(state, units)? {
        edge.extend(first.farther(Stride::Form(Formation::Limbered)));
        edge.push(first);
    }
    let mut reach = Reach { units, from, ..Reach::default() };
    let mut seen = std::collections::BTreeSet::new();
    while let Some(next) =
        (0..edge.len()).min_by_key(|&place| (edge[place].here.mover.spent, edge[place].way.len()))
    {
        let stage = edge.swap_remove(next);
        let (hex, mover) = (stage.hex(), stage.here.mover);
        let known = hex.is_some_and(|hex| !seen.insert((hex, mover.by_road, mover.halted)));
        if known || seen.len() >= 2 * MOST || stage.way.len() >= Path::MOST {
            continue;
        }
        let mut strides: Vec<Stride> = Vec::new();
        list_strides(&stage.here.table, &mover, |stride| strides.push(stride));
        for stride in strides {
            match stride {
                Stride::EnterConcentration if reach.zone.is_none() => reach.zone = stage.farther(stride),
                Stride::Go(_) | Stride::LeaveCity(_) | Stride::LeaveConcentration(_) => {
                    edge.extend(stage.farther(stride).filter(|there| there.hex().is_some()));
                }
                _ => {}
            }
        }
        if let Some(hex) = hex {
            // The cheapest way at which one can stay comes before one at which one cannot.
            let better = |known: &Stage| known.here.check_stop().is_err() && stage.here.check_stop().is_ok();
            if reach.hexes.get(&hex).is_none_or(better) {
                reach.hexes.insert(hex, stage);
            }
        }
    }
    if let Some(home) = home {
        reach.hexes.remove(&home);
    }
    Ok(reach)
}

impl Reach {
    /// The order that leads to a hex.
    fn order(&self, reached: &Stage) -> Option<Action> {
        let path = Path::of(&reached.way)?;
        Some(Action::MarchAlong(Route { units: self.units, entry: reached.entry, path }))
    }

    /// Why a hex cannot be reached; nothing if it can be.
    pub(super) fn why_not(&self, to: Hex) -> Option<Refusal> {
        if self.hexes.contains_key(&to) {
            return None;
        }
        let nearest = self
            .hexes
            .values()
            .chain(&self.from)
            .filter_map(|from| {
                let heading: Heading = from.hex()?.towards(to)?;
                let Standpoint { table, mover, .. } = &from.here;
                let refusal = check_stride(table, mover, Stride::Go(heading)).err()?;
                Some((mover.spent, refusal))
            })
            .min_by_key(|(spent, _)| *spent)
            .map(|(_, refusal)| refusal);
        nearest.or_else(|| {
            let points = self.units.iter().map(|unit| unit.data().mp).min().unwrap_or(0);
            Some(Refusal::plain(words::TOO_FAR).with("hex", to.to_string()).with("points", i64::from(points)))
        })
    }

    /// The order that leads to a hex, if it can be reached.
    pub(super) fn way_to(&self, to: Hex) -> Option<Action> {
        self.hexes.get(&to).and_then(|reached| self.order(reached))
    }

    /// Each place with its cost and the orders that lead there.
    pub(super) fn places(&self) -> Vec<Reached<Action>> {
        let one = |to: ThingId, name: Measure, at: (&'static str, Spot), reached: &Stage| {
            let (cost, left) = (reached.here.mover.spent, reached.left());
            let stops = reached.here.check_stop().is_ok();
            let (under_fire, halts) = (reached.under_fire, reached.here.mover.halted);
            let mut label: Vec<Measure> = vec![
                Saying::new(words::REACHED).with("to", name).with("cost", cost).with("left", left).into(),
            ];
            let said = [
                (words::REACHED_UNDER_FIRE, under_fire),
                (words::REACHED_HALTS, halts),
                (words::REACHED_NO_STOP, !stops),
            ];
            label.extend(said.into_iter().filter(|(_, so)| *so).map(|(phrase, _)| phrase.into()));
            Reached {
                to,
                at,
                name: Measure::Several(label),
                cost: cost.into(),
                left: left.into(),
                under_fire,
                stops,
                halts,
                asks: false,
                way: self.order(reached).into_iter().collect(),
            }
        };
        let hexes = self
            .hexes
            .iter()
            .map(|(hex, reached)| one(format!("h:{hex}"), hex_label(*hex), (OPS, hex_centre(*hex)), reached));
        let zone = self.zone.as_ref().map(|reached| {
            let name = words::PLACE_CONCENTRATION.into();
            one("zone".to_owned(), name, (SIEGE, metres(zone_mark())), reached)
        });
        hexes.chain(zone).collect()
    }
}
