//! How fast the siege of Danzig is played: `danzig-playouts [DECISIONS]`.

use danzig::State;
use kernel::Setup;
use kernel::conformance::playouts;

fn main() {
    playouts::<State>(&[Setup::default()], 1_000_000);
}
