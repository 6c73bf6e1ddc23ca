//! The contract of the kernel, checked at the nodes of random games.

use breach::game::{SCENARIOS, State};
use kernel::Setup;
use kernel::conformance::Suite;

#[test]
fn the_contract_holds() {
    let setups = SCENARIOS[..3].iter().map(|name| Setup { scenario: (*name).to_owned(), ..Setup::default() });
    let report =
        Suite::<State>::new(setups).games(1).most_decisions(20_000).every(61).width(4).pool(40).run();
    assert!(report.rolled > 0 && report.plain > 0 && report.refused > 0, "{report:?}");
}
