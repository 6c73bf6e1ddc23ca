//! How fast the campaign of 1805 is played, its scenarios in turn: `campaign-playouts [DECISIONS]`.

use campaign::game::{SCENARIOS, State};
use kernel::Setup;
use kernel::conformance::playouts;

fn main() {
    let setups =
        SCENARIOS.iter().map(|scenario| Setup { scenario: (*scenario).to_owned(), ..Setup::default() });
    playouts::<State>(&setups.collect::<Vec<_>>(), 100_000);
}
