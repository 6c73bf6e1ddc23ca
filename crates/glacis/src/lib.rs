//! The program as a library: games hosted over HTTP, kept in a database, and the questions of the
//! umpire. The command line is a thin layer over it.

pub mod host;
pub mod serve;
pub mod store;

use host::{Seeing, System};
use kernel::Live;
use opponent::Player;
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
    vec![System::of::<danzig::State, Seeing<DanzigPlayer>>(&danzig::SCENARIOS)]
}

/// The player of Danzig's computer seats.
#[derive(Clone, Copy, Debug, Default)]
struct DanzigPlayer;

impl Player<danzig::State> for DanzigPlayer {
    fn choose(
        &mut self,
        _: danzig::Side,
        view: &danzig::View,
        actions: &[danzig::Action],
        stream: &mut Live,
    ) -> usize {
        danzig::auto_choice(view, actions, stream)
    }
}
