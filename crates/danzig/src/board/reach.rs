//! Where a stack may march now: every place it can reach, what it costs to get there, by which way and
//! under whose fire. The strides are those of the rules themselves, made on copies of the table.

use std::collections::BTreeMap;

use kernel::board::{Reached, Spot, ThingId};
use kernel::{Desk, Measure, Refusal, Saying, Scripted, Silent, Verdict};
use rulebook::phrase::danzig_board as words;

use super::choice::zone_mark;
use super::names::hex_label;
use super::{OPS, SIEGE};
use crate::action::Action;
use crate::draw::ops::hex_centre;
use crate::draw::siege::metres;
use crate::ops::{
    Exposure, Heading, Hex, Mover, Stride, check_put_down, check_stride, check_take_up, list_strides, make,
    map, opportunity,
};
use crate::state::{Hand, Phase, State, Table};
use crate::unit::{Place, Side, UnitSet};

/// No stack of this game gets farther than so many hexes.
const MOST: usize = 600;

/// A place that can be reached, and how the stack stands there.
struct Standpoint {
    table: Table,
    mover: Mover,
    /// The strides that lead there.
    way: Vec<Stride>,
    /// Somebody may fire on the way.
    under_fire: bool,
}

impl Standpoint {
    fn left(&self) -> u8 {
        let most = self.mover.units.iter().map(|unit| unit.data().mp).min().unwrap_or(0);
        most.saturating_sub(self.mover.spent)
    }
}

/// Everything a stack can reach: hexes, and the concentration area if it can enter it.
#[derive(Default)]
pub(super) struct Reach {
    taken_up: bool,
    units: UnitSet,
    hexes: BTreeMap<Hex, Standpoint>,
    zone: Option<Standpoint>,
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

/// One stride farther, if the rules allow it.
fn farther(from: &Standpoint, stride: Stride) -> Option<Standpoint> {
    let (mut table, mut mover) = (from.table.clone(), from.mover);
    let mut desk = Desk::new(Scripted::new(&[]), Silent);
    make(&mut table, &mut mover, stride, &mut desk).ok()?;
    let under_fire = from.under_fire || draws_fire(&from.table, &from.mover, stride);
    let mut way = from.way.clone();
    way.push(stride);
    Some(Standpoint { table, mover, way, under_fire })
}

/// Looks for every place within the movement points of these units, the cheapest way first.
///
/// # Errors
/// Why they cannot be taken up.
pub(super) fn reach(state: &State, units: UnitSet) -> Verdict<Reach> {
    let (mover, taken_up) = match state.hand {
        Hand::Moving(mover) => (mover, true),
        _ if state.phase == Phase::Move => {
            check_take_up(&state.table, state.clock.phasing, units)?;
            (Mover::fresh(units), false)
        }
        _ => return Ok(Reach::default()),
    };
    let start = Standpoint { table: state.table.clone(), mover, way: Vec::new(), under_fire: false };
    let home = hex_of(&state.table, &mover);
    let mut reach = Reach { taken_up, units: mover.units, ..Reach::default() };
    let mut edge = vec![start];
    while let Some(next) =
        (0..edge.len()).min_by_key(|&place| (edge[place].mover.spent, edge[place].way.len()))
    {
        let here = edge.swap_remove(next);
        let hex = hex_of(&here.table, &here.mover);
        if hex.is_some_and(|hex| reach.hexes.contains_key(&hex)) || reach.hexes.len() >= MOST {
            continue;
        }
        let mut strides: Vec<Stride> = Vec::new();
        list_strides(&here.table, &here.mover, |stride| strides.push(stride));
        for stride in strides {
            match stride {
                Stride::EnterConcentration if reach.zone.is_none() => reach.zone = farther(&here, stride),
                Stride::Go(_) | Stride::LeaveCity(_) | Stride::LeaveConcentration(_) => {
                    let there =
                        farther(&here, stride).filter(|there| hex_of(&there.table, &there.mover).is_some());
                    edge.extend(there);
                }
                _ => {}
            }
        }
        if let Some(hex) = hex {
            reach.hexes.insert(hex, here);
        }
    }
    if let Some(home) = home {
        reach.hexes.remove(&home);
    }
    Ok(reach)
}

impl Reach {
    /// The orders that lead to a hex.
    fn orders(&self, reached: &Standpoint) -> Vec<Action> {
        let first = (!self.taken_up).then_some(Action::TakeUp { units: self.units });
        first.into_iter().chain(reached.way.iter().map(|stride| Action::March(*stride))).collect()
    }

    /// Why a hex cannot be reached; nothing if it can be.
    pub(super) fn why_not(&self, state: &State, to: Hex) -> Option<Refusal> {
        if self.hexes.contains_key(&to) {
            return None;
        }
        let home = match state.hand {
            Hand::Moving(mover) => {
                Some(Standpoint { table: state.table.clone(), mover, way: Vec::new(), under_fire: false })
            }
            _ => Some(Standpoint {
                table: state.table.clone(),
                mover: Mover::fresh(self.units),
                way: Vec::new(),
                under_fire: false,
            }),
        };
        let nearest = self
            .hexes
            .values()
            .chain(home.as_ref())
            .filter_map(|from| {
                let heading: Heading = hex_of(&from.table, &from.mover)?.towards(to)?;
                let refusal = check_stride(&from.table, &from.mover, Stride::Go(heading)).err()?;
                Some((from.mover.spent, refusal))
            })
            .min_by_key(|(spent, _)| *spent)
            .map(|(_, refusal)| refusal);
        nearest.or_else(|| {
            let points = self.units.iter().map(|unit| unit.data().mp).min().unwrap_or(0);
            Some(Refusal::plain(words::TOO_FAR).with("hex", to.to_string()).with("points", i64::from(points)))
        })
    }

    /// The orders that lead to a hex, if it can be reached.
    pub(super) fn way_to(&self, to: Hex) -> Option<Vec<Action>> {
        self.hexes.get(&to).map(|reached| self.orders(reached))
    }

    /// Each place with its cost and the orders that lead there.
    pub(super) fn places(&self) -> Vec<Reached<Action>> {
        let one = |to: ThingId, name: Measure, at: (&'static str, Spot), reached: &Standpoint| {
            let (cost, left) = (reached.mover.spent, reached.left());
            let stops = check_put_down(&reached.table, &reached.mover).is_ok();
            let (under_fire, halts) = (reached.under_fire, reached.mover.halted);
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
                way: self.orders(reached),
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
