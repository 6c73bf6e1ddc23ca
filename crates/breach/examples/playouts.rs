//! How fast the sieges of Dans la brèche ! are played, the three scenarios in turn:
//! `breach-playouts [DECISIONS]`.

use breach::game::{SCENARIOS, State};
use kernel::Setup;
use kernel::conformance::playouts;

fn main() {
    let setups =
        SCENARIOS[..3].iter().map(|scenario| Setup { scenario: (*scenario).to_owned(), ..Setup::default() });
    playouts::<State>(&setups.collect::<Vec<_>>(), 100_000);
}
