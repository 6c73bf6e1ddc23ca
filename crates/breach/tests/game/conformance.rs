//! The contract of the kernel, checked at the nodes of random games.

use breach::game::{SCENARIOS, State};
use kernel::Setup;
use kernel::conformance::Suite;

#[test]
fn the_contract_holds() {
    let plain = SCENARIOS[..3].iter().map(|name| Setup { scenario: (*name).to_owned(), ..Setup::default() });
    // Lists written and units set up in secret.
    let secret = [("army_choice", "hidden"), ("deployment", "hidden"), ("infiltration", "on")];
    let options = secret.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let hidden = Setup { scenario: SCENARIOS[0].to_owned(), options: options.into() };
    // Whatever options add to what may be decided.
    let more = [
        ("army_choice", "open"),
        ("attack_allocation", "chosen"),
        ("equipment_per_unit", "several"),
        ("magic", "on"),
        ("structure_resistance", "custom"),
        ("gate_resistance", "6"),
    ];
    let options = more.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let agreed = Setup { scenario: SCENARIOS[2].to_owned(), options: options.into() };
    let setups = plain.chain([hidden, agreed]);
    let report =
        Suite::<State>::new(setups).games(1).most_decisions(20_000).every(61).width(4).pool(40).run();
    assert!(report.rolled > 0 && report.plain > 0 && report.refused > 0, "{report:?}");
}
