//! Boiling oil and rocks.

use serde_json::{Value, json};

use super::{answer, ask, chance, reasons, refused, with};

fn ladders() -> Value {
    json!({ "item": "ladders", "stands": 3, "hits": 4, "armour": 4 })
}

fn poured(request: &Value, dice: &[u8]) -> Value {
    answer("breach.oil", &with(request, &json!({ "dice": dice })))
}

#[test]
fn the_example_of_the_shapes() {
    let expected = json!({ "attacks": 2, "unsaved": 1, "stands_lost": 0, "odd_hits": 1, "fails": false,
        "back_cm": 0 });
    assert_eq!(poured(&ladders(), &[4, 4, 5, 5, 2]), expected);
}

#[test]
fn br_ex_26_oil_stops_a_portable_ram() {
    // Three attacks, armour 6+ one worse is none: three hits of 3 a stand.
    let ram = json!({ "item": "portable_ram", "stands": 3, "hits": 3, "armour": 6 });
    let expected = json!({ "attacks": 3, "unsaved": 3, "stands_lost": 1, "odd_hits": 0, "fails": true,
        "back_cm": 3 });
    assert_eq!(poured(&ram, &[6, 4, 5, 6]), expected);
    // The 6 alone makes it fail; without a hit the unit stays where it is.
    let missed = poured(&ram, &[6, 1, 2, 3]);
    assert_eq!((&missed["fails"], &missed["back_cm"]), (&json!(true), &json!(0)));
    let reply = ask("breach.oil", &with(&ram, &json!({ "dice": [6, 1, 2, 3] })));
    assert!(reasons(&reply).iter().any(|(rule, _)| rule == "BR-R04"));
    let option = json!({ "options": { "oil_six_aborts_ramming": "no" } });
    assert_eq!(poured(&with(&ram, &option), &[6, 1, 2, 3])["fails"], false);
}

#[test]
fn bg_ex_23_oil_on_slayers() {
    // A 6 stops no assault: three hits on stands of 4.
    let slayers = with(&ladders(), &json!({ "armour": 0 }));
    let expected = json!({ "attacks": 3, "unsaved": 3, "stands_lost": 0, "odd_hits": 3, "fails": false,
        "back_cm": 0 });
    assert_eq!(poured(&slayers, &[6, 4, 5, 6]), expected);
}

#[test]
fn bg_ex_24_oil_and_the_tower_beside() {
    // Two hits of oil after three of the tower: five in all, a stand lost, five centimetres.
    let slayers = with(&ladders(), &json!({ "armour": 0, "earlier_hits": 3 }));
    let expected = json!({ "attacks": 2, "unsaved": 2, "stands_lost": 1, "odd_hits": 1, "fails": true,
        "back_cm": 5 });
    assert_eq!(poured(&slayers, &[4, 4, 5]), expected);
}

#[test]
fn bg_ex_28_a_siege_tower_under_oil() {
    let tower = json!({ "item": "siege_tower", "stands": 3, "hits": 4, "armour": 4 });
    let expected = json!({ "attacks": 1, "unsaved": 0, "stands_lost": 0, "odd_hits": 0, "fails": false,
        "back_cm": 0, "machine_destroyed": false });
    assert_eq!(poured(&tower, &[3, 4, 4]), expected);
}

#[test]
fn bg_ex_30_a_covered_ram_under_fire() {
    let ram = json!({ "item": "ram", "stands": 3, "hits": 4, "armour": 4 });
    let expected = json!({ "attacks": 3, "unsaved": 1, "stands_lost": 0, "odd_hits": 1, "fails": true,
        "back_cm": 1, "machine_destroyed": false });
    assert_eq!(poured(&ram, &[6, 3, 4, 5, 2, 5]), expected);
}

#[test]
fn a_machine_falls_to_its_third_hit_and_the_unit_goes_back_by_all_of_them() {
    for item in ["ram", "siege_tower"] {
        let machine = json!({ "item": item, "stands": 1, "hits": 1, "earlier_hits": 2 });
        let expected = json!({ "attacks": 2, "unsaved": 2, "stands_lost": 0, "odd_hits": 0, "fails": true,
            "back_cm": 4, "machine_destroyed": true });
        assert_eq!(poured(&machine, &[5, 4, 4, 3, 3]), expected, "{item}");
    }
}

#[test]
fn nobody_left_goes_nowhere() {
    let last = json!({ "item": "ladders", "stands": 1, "hits": 1 });
    let expected = json!({ "attacks": 2, "unsaved": 2, "stands_lost": 1, "odd_hits": 0, "fails": true,
        "back_cm": 0 });
    assert_eq!(poured(&last, &[5, 4, 4]), expected);
}

#[test]
fn the_attacks_are_those_of_the_table() {
    for (die, attacks) in (1..=6).zip([0, 1, 1, 2, 2, 3]) {
        let mut dice = vec![die];
        dice.extend(vec![1; attacks]);
        assert_eq!(poured(&ladders(), &dice)["attacks"], attacks, "{die}");
    }
    let odds = ask("breach.oil", &ladders());
    assert_eq!(chance(&odds, &json!({ "attacks": 2 })).to_string(), "1/3");
    // A hit in two, saved on 5 or 6: one in three gets through.
    assert_eq!(chance(&odds, &json!({ "attacks": 1, "unsaved": 1 })).to_string(), "1/9");
}

#[test]
fn hits_that_would_have_ended_the_attack_are_refused() {
    for (changes, rule) in [
        (json!({ "earlier_hits": 4 }), "BC-6-07"),
        (json!({ "item": "siege_tower", "earlier_hits": 3 }), "BC-14.6-01"),
        (json!({ "earlier_hits": 6 }), "-"),
    ] {
        let refusal = refused("breach.oil", &with(&ladders(), &changes));
        assert_eq!(refusal, ("earlier_hits".to_owned(), rule.to_owned()), "{changes}");
    }
}
