//! The example game as a system of its own, registered where it is wanted: in tests and in the server
//! of the load tests.

use countermine::{Countermine, SCENARIOS};
use glacis::System;
use glacis::host::Plain;
use glacis::system::Game;
use pages::{Map, Playable};

/// The example game.
pub(crate) fn example() -> System {
    const MAPS: &[Map] = &[Map { name: "countermine-ground", draw: |_| countermine::ground(), places: None }];
    let asked = System::asked("countermine", Vec::new);
    System {
        shown: pages::System {
            maps: MAPS,
            game: Some(Playable::of::<Countermine>(&SCENARIOS, None)),
            ..asked.shown
        },
        game: Some(Game::of::<Countermine, Plain>(&SCENARIOS)),
        ..asked
    }
}
