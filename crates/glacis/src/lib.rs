//! The program as a library: games hosted over HTTP, kept in a database, and the questions of the
//! umpire. The command line is a thin layer over it.

pub mod host;
pub mod serve;
pub mod store;

use host::{Chooser, System};
use kernel::Live;
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
    vec![System::of::<danzig::State, DanzigTerminal>(&danzig::SCENARIOS)]
}

/// The player of Danzig's terminal game.
#[derive(Default)]
struct DanzigTerminal;

impl Chooser<danzig::State> for DanzigTerminal {
    fn choose(
        &self,
        state: &danzig::State,
        _: danzig::Side,
        actions: &[danzig::Action],
        stream: &mut Live,
    ) -> usize {
        danzig::auto_choice(state, actions, stream)
    }
}
