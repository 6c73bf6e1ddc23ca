//! Where a stack may march now: every place it can reach, what it costs to get there, by which way and
//! under whose fire. The strides are those of the rules themselves, made on copies of the table.

use std::collections::BTreeMap;

use danzig::ops::{
    Exposure, Heading, Hex, Mover, Stride, check_put_down, check_stride, check_take_up, make, map,
    opportunity,
};
use danzig::{Action, Hand, Phase, Place, Side, State, Table, UnitId, UnitSet};
use kernel::{Desk, Fact, Refusal, Scripted, Silent, Verdict};
use rulebook::phrase::board as words;
use serde_json::{Value, json};

use super::board::{hex_centre, on_sheet};
use super::choice::{hex_label, place_name};
use crate::reader::Reader;

/// No stack of this game gets farther than so many hexes.
const MOST: usize = 600;

/// The concentration area, where its mark is drawn.
pub(crate) fn zone_mark() -> danzig::siege::Spot {
    danzig::siege::Spot::metres(900, 240)
}

/// A place that can be reached, and how the stack stands there.
pub(crate) struct Reached {
    table: Table,
    mover: Mover,
    /// The strides that lead there.
    way: Vec<Stride>,
    /// Somebody may fire on the way.
    under_fire: bool,
}

impl Reached {
    fn left(&self) -> u8 {
        let most = self.mover.units.iter().map(|unit| unit.data().mp).min().unwrap_or(0);
        most.saturating_sub(self.mover.spent)
    }
}

/// Everything a stack can reach: hexes, and the concentration area if it can enter it.
#[derive(Default)]
pub(crate) struct Reach {
    taken_up: bool,
    units: UnitSet,
    hexes: BTreeMap<Hex, Reached>,
    zone: Option<Reached>,
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
fn farther(from: &Reached, stride: Stride) -> Option<Reached> {
    let (mut table, mut mover) = (from.table.clone(), from.mover);
    let mut desk = Desk::new(Scripted::new(&[]), Silent);
    make(&mut table, &mut mover, stride, &mut desk).ok()?;
    let under_fire = from.under_fire || draws_fire(&from.table, &from.mover, stride);
    let mut way = from.way.clone();
    way.push(stride);
    Some(Reached { table, mover, way, under_fire })
}

/// Looks for every place within the movement points of these units, the cheapest way first.
///
/// # Errors
/// Why they cannot be taken up.
pub(crate) fn reach(state: &State, units: UnitSet) -> Verdict<Reach> {
    let (mover, taken_up) = match state.hand {
        Hand::Moving(mover) => (mover, true),
        _ if state.phase == Phase::Move => {
            check_take_up(&state.table, state.clock.phasing, units)?;
            (Mover::fresh(units), false)
        }
        _ => return Ok(Reach::default()),
    };
    let start = Reached { table: state.table.clone(), mover, way: Vec::new(), under_fire: false };
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
        danzig::ops::list_strides(&here.table, &here.mover, |stride| strides.push(stride));
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
    fn orders(&self, reached: &Reached) -> Vec<Action> {
        let first = (!self.taken_up).then_some(Action::TakeUp { units: self.units });
        first.into_iter().chain(reached.way.iter().map(|stride| Action::March(*stride))).collect()
    }

    /// Why a hex cannot be reached; nothing if it can be.
    pub(crate) fn why_not(&self, state: &State, to: Hex) -> Option<Refusal> {
        if self.hexes.contains_key(&to) {
            return None;
        }
        let home = match state.hand {
            Hand::Moving(mover) => {
                Some(Reached { table: state.table.clone(), mover, way: Vec::new(), under_fire: false })
            }
            _ => Some(Reached {
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
    pub(crate) fn way_to(&self, to: Hex) -> Option<Vec<Action>> {
        self.hexes.get(&to).map(|reached| self.orders(reached))
    }

    /// As the page draws it: each place with its cost and the orders that lead there.
    pub(crate) fn to_json(&self, reader: &Reader, state: &State) -> Value {
        let one = |thing: String, name: String, (x, y): (f64, f64), map: &str, reached: &Reached| {
            let number = |name, value: u8| Fact { name, value: i64::from(value).into() };
            let facts = [
                Fact { name: "to", value: name.into() },
                number("cost", reached.mover.spent),
                number("left", reached.left()),
            ];
            let mut label = rulebook::speak(words::REACHED, &facts, reader.lang);
            let stops = check_put_down(&reached.table, &reached.mover).is_ok();
            for (phrase, said) in [
                (words::REACHED_UNDER_FIRE, reached.under_fire),
                (words::REACHED_HALTS, reached.mover.halted),
                (words::REACHED_NO_STOP, !stops),
            ] {
                if said {
                    label = format!("{label}, {}", reader.say(phrase));
                }
            }
            json!({
                "to": thing, "name": label, "map": map, "at": [x.round(), y.round()],
                "cost": reached.mover.spent, "left": reached.left(), "fire": reached.under_fire,
                "stops": stops, "halts": reached.mover.halted, "way": self.orders(reached),
            })
        };
        let mut places: Vec<Value> = self
            .hexes
            .iter()
            .map(|(hex, reached)| {
                one(format!("h:{hex}"), hex_label(reader, *hex), hex_centre(*hex), "ops", reached)
            })
            .collect();
        if let Some(reached) = &self.zone {
            let name = place_name(reader, state, Place::Concentration);
            places.push(one("zone".to_owned(), name, on_sheet(zone_mark()), "siege", reached));
        }
        json!({ "units": self.units.iter().map(|unit: UnitId| unit.to_string()).collect::<Vec<_>>(), "places": places })
    }
}
