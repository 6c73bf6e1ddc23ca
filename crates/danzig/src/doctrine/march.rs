//! Marches: the steps that bring a stack nearest to where it is wanted, as one order; the boats where a
//! river lies between.

use super::Mind;
use super::field::{FAR, field};
use crate::action::Action;
use crate::ops::{
    Gate, Heading, Hex, Mover, Path, Route, Standpoint, Stride, Terrain, gate_open, heading as ops_heading,
    map,
};
use crate::state::Hand;
use crate::unit::{Arm, Formation, Place, UnitId, UnitSet};

/// Where a stack is wanted.
#[derive(Clone, Debug)]
pub(crate) struct Errand {
    /// Who goes; the first of them sets the pace.
    pub(crate) units: UnitSet,
    /// To the nearest of these.
    pub(crate) goals: Vec<Hex>,
    /// The enemy who shall be attacked from there.
    pub(crate) against: Option<Hex>,
    /// And from there into the concentration area.
    pub(crate) digs: bool,
}

impl Errand {
    /// A counter goes to the nearest of these and stays there.
    pub(crate) fn to(unit: UnitId, goals: Vec<Hex>) -> Self {
        Self { units: UnitSet::of(unit), goals, against: None, digs: false }
    }
}

/// The order that brings a stack nearer to its goal, if there is one.
pub(crate) fn towards(mind: &Mind<'_>, errand: &Errand) -> Option<Action> {
    let unit = errand.units.iter().next()?;
    let table = mind.table();
    let far = field(mind, unit.data().arm, &errand.goals);
    match table.unit(unit).place {
        Place::Waiting => enter(mind, errand, unit, &far),
        Place::Reserve => leave(mind, errand, unit, &far),
        Place::Hex(here) => {
            if let Some(boats) = boats(mind, errand, here, &far) {
                return Some(boats);
            }
            let mover = match mind.state.hand {
                Hand::Moving(mover) => mover,
                _ => Mover::fresh(errand.units),
            };
            let path = path(Standpoint::new(table.clone(), mover), errand, unit, &far, Vec::new())?;
            let order = Action::MarchAlong(Route { units: errand.units, entry: None, path });
            mind.allows(&order).then_some(order)
        }
        _ => None,
    }
}

/// Onto the map where it is nearest, and on.
fn enter(mind: &Mind<'_>, errand: &Errand, unit: UnitId, far: &[u16]) -> Option<Action> {
    let entries = mind.offered.iter().filter_map(|action| match action {
        Action::EnterMap { unit: other, hex } if *other == unit => Some(*hex),
        _ => None,
    });
    let hex = entries.min_by_key(|hex| far[hex.index()])?;
    let here = Standpoint::entered(mind.table(), errand.units, hex)?;
    let stays = here.check_stop().is_ok();
    let path = path(here, errand, unit, far, Vec::new());
    if path.is_none() && !stays {
        return None;
    }
    let order =
        Action::MarchAlong(Route { units: errand.units, entry: Some(hex), path: path.unwrap_or_default() });
    mind.allows(&order).then_some(order)
}

/// Out of the city by the gate from which it is nearest, and on.
fn leave(mind: &Mind<'_>, errand: &Errand, unit: UnitId, far: &[u16]) -> Option<Action> {
    let open = Gate::CITY.into_iter().filter(|gate| gate_open(mind.table(), *gate));
    let gate = open.min_by_key(|gate| far[gate.hexes().1.index()])?;
    let mut here = Standpoint::new(mind.table().clone(), Mover::fresh(errand.units));
    here.make(Stride::LeaveCity(gate)).ok()?;
    let path = path(here, errand, unit, far, vec![Stride::LeaveCity(gate)])?;
    let order = Action::MarchAlong(Route { units: errand.units, entry: None, path });
    mind.allows(&order).then_some(order)
}

/// The boats, where the way leads over the river from here.
fn boats(mind: &Mind<'_>, errand: &Errand, here: Hex, far: &[u16]) -> Option<Action> {
    if mind.state.clock.boats_used || !matches!(mind.state.hand, Hand::Empty) {
        return None;
    }
    let (heading, next) = here.around().min_by_key(|(_, next)| far[next.index()])?;
    let edge = map().edge(here, heading);
    if far[next.index()] >= far[here.index()] || !edge.vistula() || edge.ferry() {
        return None;
    }
    let order = Action::BoatsStart { units: errand.units, across: next };
    mind.allows(&order).then_some(order)
}

/// The steps that lead nearer after those made already, as far as the stack may stay where they end; before an enemy who holds the
/// goal it forms line and fires.
fn path(
    mut here: Standpoint,
    errand: &Errand,
    unit: UnitId,
    far: &[u16],
    mut strides: Vec<Stride>,
) -> Option<Path> {
    let mut good = if here.check_stop().is_ok() { strides.len() } else { 0 };
    while strides.len() < Path::MOST && here.goes_on {
        let Place::Hex(hex) = here.table.unit(unit).place else { break };
        if errand.digs && here.make(Stride::EnterConcentration).is_ok() {
            strides.push(Stride::EnterConcentration);
            good = strides.len();
            break;
        }
        if errand.goals.contains(&hex) {
            draw_up(&mut here, errand, unit, hex, &mut strides);
            good = strides.len().max(good);
            break;
        }
        let mut ways: Vec<_> = hex
            .around()
            .map(|(heading, next)| (far[next.index()], heading))
            .filter(|(cost, _)| *cost < far[hex.index()] && *cost < FAR)
            .collect();
        ways.sort_unstable();
        if ways.is_empty() {
            break;
        }
        // Only a column marches far, only a limbered gun at all.
        let marches = Formation::at_entry(unit.data().arm);
        let formed = here.table.unit(unit).formation;
        let drawn_up = matches!(formed, Formation::Line | Formation::Square | Formation::Unlimbered);
        if drawn_up && here.make(Stride::Form(marches)).is_ok() {
            strides.push(Stride::Form(marches));
        }
        let Some(stride) = ways
            .into_iter()
            .map(|(_, heading)| Stride::Go(heading))
            .find(|stride| here.make(*stride).is_ok())
        else {
            break;
        };
        strides.push(stride);
        if here.check_stop().is_ok() {
            good = strides.len();
        }
    }
    strides.truncate(good);
    Path::of(&strides).filter(|path| !path.is_empty())
}

/// Whoever has come up to the enemy turns to him: guns unlimber; foot forms line to fire, but a column
/// before a village, into which fire tells little. Where that is done already nothing is ordered.
fn draw_up(here: &mut Standpoint, errand: &Errand, unit: UnitId, hex: Hex, strides: &mut Vec<Stride>) {
    let Some(heading) = errand.against.and_then(|enemy| heading_to(hex, enemy)) else { return };
    let counter = here.table.unit(unit);
    let wanted = match unit.data().arm {
        Arm::FieldArtillery => Formation::Unlimbered,
        Arm::Infantry if errand.against.is_some_and(|enemy| map().terrain(enemy) == Terrain::Village) => {
            Formation::Column
        }
        Arm::Infantry => Formation::Line,
        _ => counter.formation,
    };
    let formed = counter.formation == wanted || map().terrain(hex).adapts();
    let turned = ops_heading(counter) == heading || counter.formation == Formation::Adapted;
    if !turned && here.check_stop().is_ok() && here.make(Stride::Turn(heading)).is_ok() {
        strides.push(Stride::Turn(heading));
    }
    if !formed && here.check_stop().is_ok() && here.make(Stride::Form(wanted)).is_ok() {
        strides.push(Stride::Form(wanted));
    }
}

/// The side through which a hex looks at another: that of the neighbour nearest to it.
fn heading_to(from: Hex, to: Hex) -> Option<Heading> {
    from.around().min_by_key(|(_, next)| next.distance(to)).map(|(heading, _)| heading)
}

/// A hex by its printed number.
pub(crate) const fn hex(printed: u16) -> Hex {
    Hex::printed(printed)
}
