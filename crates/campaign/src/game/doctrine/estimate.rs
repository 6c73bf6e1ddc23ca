//! What a staff takes an enemy stack for: what it knows of it, else the mean of what the enemy can have.

use rulebook::tables::campaign::GameWeightsKey as Weight;

use crate::map::HexId;
use crate::terms::Army;

use super::super::knowledge::{Contact, Seen, Shown, range};
use super::super::roster::{enemy, place};
use super::super::setup;
use super::super::state::{Host, State, Whereabouts};
use super::weight;

/// An enemy stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foe {
    pub(super) hex: HexId,
    /// The SP it is taken for.
    pub(super) sp: i32,
    /// Whether nobody is there but vedettes.
    pub(super) vedettes: bool,
}

/// The enemy stacks that a side sees.
pub(super) fn foes(state: &State, side: Army, seen: &[Seen]) -> Vec<Foe> {
    let stacks = seen.iter().filter(|seen| !seen.headquarters);
    let count = i32::try_from(stacks.clone().count()).unwrap_or(i32::MAX);
    let mean = (remaining(state, enemy(side)) / count.max(1)).max(weight(Weight::StackLeast) / 100);
    stacks
        .map(|seen| Foe {
            hex: seen.hex,
            sp: seen.contact.map_or(mean, |contact| told(contact, mean)),
            vedettes: seen.contact.is_some_and(|contact| contact.commander == Shown::Vedette),
        })
        .collect()
}

/// What contact tells of a stack: the middle of its band, or its class.
fn told(contact: Contact, mean: i32) -> i32 {
    match (contact.open, contact.band) {
        (Some(open), _) => open.iter().sum(),
        (None, Some(band)) => {
            let (least, most) = range(band);
            i32::midpoint(least, most.min(2 * least))
        }
        (None, None) if contact.class < 3 => i32::from(contact.class),
        (None, None) => mean,
    }
}

/// The SP that an army has brought to the map and not lost in action: both are known to everybody.
pub(super) fn remaining(state: &State, army: Army) -> i32 {
    let public = &state.public;
    let host = &setup::table(public.scenario, public.options).hosts[place(army)];
    entered(host, public.turn) - state.base(army).lost
}

/// The SP of an army as it was set up that have entered by a turn.
fn entered(host: &Host, turn: u8) -> i32 {
    let here = |at: Whereabouts| match at {
        Whereabouts::Map(_) => true,
        Whereabouts::Due { turn: due, .. } => due <= turn,
        Whereabouts::Called | Whereabouts::Lost => false,
    };
    let units = host.units.values().filter(|unit| {
        let leader = unit.leader.and_then(|leader| host.leaders.get(&leader));
        here(leader.map_or(unit.at, |leader| leader.at))
    });
    units.map(|unit| unit.sp).sum()
}
