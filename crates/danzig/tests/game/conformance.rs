//! The contract of the kernel, checked at the nodes of random games.

use danzig::State;
use kernel::Setup;
use kernel::conformance::Suite;

fn setup(options: &[(&str, &str)]) -> Setup {
    Setup {
        scenario: danzig::SCENARIOS[0].to_owned(),
        options: options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
    }
}

#[test]
fn the_contract_holds() {
    let setups = [setup(&[]), setup(&[("kamenski_turn", "8"), ("repetition", "rolloff")])];
    let report =
        Suite::<State>::new(setups).games(1).most_decisions(200_000).every(997).free_geometry(true).run();
    assert!(report.rolled > 0 && report.plain > 0 && report.refused > 0, "{report:?}");
}
