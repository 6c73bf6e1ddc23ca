//! The contract of the kernel, checked at the nodes of random games.

use campaign::game::{SCENARIOS, State, twin};
use kernel::Setup;
use kernel::conformance::Suite;

#[test]
fn the_contract_holds() {
    let setups = SCENARIOS.iter().map(|name| Setup { scenario: (*name).to_owned(), ..Setup::default() });
    let report = Suite::<State>::new(setups)
        .games(2)
        .most_decisions(20_000)
        .every(43)
        .width(3)
        .pool(30)
        .twin(twin)
        .imagined_steps()
        .run();
    assert!(report.rolled > 0 && report.plain > 0 && report.refused > 0 && report.twins > 0, "{report:?}");
}
