//! The program as a library: games hosted over HTTP, kept in a database, and the questions of the
//! umpire. The command line is a thin layer over it.

pub mod host;
mod plain;
pub mod serve;
pub mod store;

use host::{Chooser, Gauge, System};
use kernel::{Game as _, Live, Saying, Told as _};
pub use plain::printable;
use rulebook::Asking;

/// All questions of all systems, by name.
#[must_use]
pub fn questions() -> Vec<Asking> {
    let mut all = tabletop::questions();
    all.extend(danzig::questions());
    all.extend(campaign::questions());
    all.extend(breach::questions());
    all.sort_by_key(|asking| asking.name);
    all
}

/// The systems whose games can be played.
#[must_use]
pub fn systems() -> Vec<System> {
    vec![System::of::<danzig::State, Danzig>(&danzig::SCENARIOS)]
}

/// Danzig as the server knows it: the player of its computer seats, the names of its orders, what its
/// dice are measured by.
#[derive(Default)]
struct Danzig;

impl Chooser<danzig::State> for Danzig {
    fn choose(
        &self,
        state: &danzig::State,
        side: danzig::Side,
        actions: &[danzig::Action],
        stream: &mut Live,
    ) -> usize {
        danzig::auto_choice(&state.view(Some(side)), actions, stream)
    }

    fn tell(state: &danzig::State, action: &danzig::Action) -> Option<Saying> {
        Some(state.tell(action))
    }

    fn gauges() -> &'static [Gauge<danzig::State>] {
        &[
            Gauge { name: "french-steps", read: |state| steps(state, danzig::Side::French) },
            Gauge { name: "prussian-steps", read: |state| steps(state, danzig::Side::Prussian) },
            Gauge { name: "walls", read: walls },
            Gauge { name: "morale", read: |state| i64::from(state.table.danzig.morale) },
        ]
    }
}

/// The steps of an army in play, less those it still owes.
fn steps(state: &danzig::State, side: danzig::Side) -> i64 {
    let table = &state.table;
    let counters = danzig::UnitId::of_side(side).map(|unit| table.unit(unit));
    let in_play =
        counters.filter(|counter| !matches!(counter.place, danzig::Place::Away | danzig::Place::Eliminated));
    let owed = table.owed.iter().map(|owed| match owed {
        danzig::Owed::Losses { side: whose, steps, .. } if *whose == side => i64::from(*steps),
        _ => 0,
    });
    in_play.map(|counter| i64::from(counter.steps)).sum::<i64>() - owed.sum::<i64>()
}

/// The levels of all wall points.
fn walls(state: &danzig::State) -> i64 {
    state.table.siege.walls.iter().map(|wall| i64::from(wall.level)).sum()
}
