//! Orders.

use serde_json::{Value, json};

use super::{answer, ask, chance, reasons, refused, with};

fn hero() -> Value {
    json!({ "character": "hero", "command": 8, "units": [{ "distance_cm": 12 }], "dice": [5, 4] })
}

fn unit(changes: &Value) -> Value {
    with(&json!({ "distance_cm": 12 }), changes)
}

fn needed(request: &Value) -> i64 {
    let reply = ask("breach.order", request);
    let answer = if reply["odds"].is_array() { &reply["odds"][0]["answer"] } else { &reply["answer"] };
    answer["needed"].as_i64().unwrap_or_else(|| panic!("{request}: {reply}"))
}

#[test]
fn a_plain_order_is_the_command_alone() {
    let failed = json!({ "needed": 8, "result": "failure", "move": "half", "orders_end": "character" });
    assert_eq!(answer("breach.order", &hero()), failed);
    let obeyed = json!({ "needed": 8, "result": "success", "move": "full", "orders_end": "no" });
    assert_eq!(answer("breach.order", &with(&hero(), &json!({ "dice": [4, 4] }))), obeyed);
    // 26 of the 36 throws show eight or less, one is a twelve.
    let odds = ask("breach.order", &with(&hero(), &json!({ "dice": null })));
    assert_eq!(chance(&odds, &json!({ "result": "success" })).to_string(), "13/18");
    assert_eq!(chance(&odds, &json!({ "result": "failure" })).to_string(), "1/4");
    assert_eq!(chance(&odds, &json!({ "blunder": "away" })).to_string(), "1/108");
    assert_eq!(chance(&odds, &json!({ "blunder": "charge" })).to_string(), "1/216");
}

#[test]
fn bg_ex_06_a_second_order_far_away() {
    let order = json!({ "character": "general", "command": 10, "order": 2,
        "units": [{ "distance_cm": 47.3, "enemy_near": true }, { "distance_cm": 12 }], "dice": [3, 3] });
    let reply = ask("breach.order", &order);
    assert_eq!(
        reply["answer"],
        json!({ "needed": 6, "result": "success", "move": "full", "orders_end": "no" })
    );
    for reason in [("BC-4.2-04", "-2"), ("BC-4.2-05", "-1"), ("BC-4.2-06", "-1")] {
        let told = reasons(&reply);
        assert!(told.contains(&(reason.0.to_owned(), reason.1.to_owned())), "{reason:?}: {told:?}");
    }
}

#[test]
fn bg_ex_07_a_failed_first_order() {
    let order = with(&hero(), &json!({ "units": [unit(&json!({ "lost_stands": 1 }))] }));
    let failed = json!({ "needed": 7, "result": "failure", "move": "half", "orders_end": "character" });
    assert_eq!(answer("breach.order", &order), failed);
    let general = answer("breach.order", &with(&order, &json!({ "character": "general" })));
    assert_eq!(general["orders_end"], "all");
}

#[test]
fn bg_ex_08_a_blunder_without_an_enemy_near() {
    let order = with(&hero(), &json!({ "units": [unit(&json!({})), unit(&json!({}))], "dice": [6, 6, 2] }));
    let away = json!({ "needed": 8, "result": "blunder", "move": "none", "orders_end": "character",
        "blunder": "away" });
    assert_eq!(answer("breach.order", &order), away);
}

#[test]
fn every_distance_has_its_penalty() {
    for (distance, penalty) in [
        (0.0, 0),
        (20.0, 0),
        (20.01, 1),
        (40.0, 1),
        (40.01, 2),
        (60.0, 2),
        (60.01, 3),
        (100.0, 4),
        (300.0, 14),
    ] {
        let order = json!({ "character": "general", "command": 9, "units": [{ "distance_cm": distance }] });
        assert_eq!(needed(&order), 9 - penalty, "{distance} cm");
    }
}

#[test]
fn every_penalty_counts_once_in_a_brigade_but_the_worst_losses() {
    let bad = |lost: i32| unit(&json!({ "lost_stands": lost, "enemy_near": true, "dense": true }));
    assert_eq!(
        needed(&with(&hero(), &json!({ "units": [bad(1), bad(2), bad(0), bad(1)], "dice": null }))),
        4
    );
    assert_eq!(needed(&with(&hero(), &json!({ "order": 2, "road": true, "dice": null }))), 8);
    assert_eq!(needed(&with(&hero(), &json!({ "order": 3, "dice": null }))), 6);
    assert_eq!(needed(&with(&hero(), &json!({ "blunders": 6, "dice": null }))), 2);
}

#[test]
fn what_is_needed_is_not_limited_and_nothing_may_be_enough() {
    let order = json!({ "character": "wizard", "command": 1, "blunders": 6,
        "units": [{ "distance_cm": 20, "lost_stands": 3, "enemy_near": true, "dense": true }], "dice": [1, 1] });
    let failed = json!({ "needed": -10, "result": "failure", "move": "half", "orders_end": "character" });
    assert_eq!(answer("breach.order", &order), failed);
}

#[test]
fn the_blunders_are_those_of_the_table() {
    let blunder = |die: u8, options: Value| {
        let order = with(&hero(), &json!({ "dice": [6, 6, die], "options": options }));
        let answer = answer("breach.order", &order);
        assert_eq!((&answer["result"], &answer["orders_end"]), (&json!("blunder"), &json!("character")));
        (answer["blunder"].as_str().unwrap().to_owned(), answer["move"].as_str().unwrap().to_owned())
    };
    let named = ["minus-1", "away", "away", "halt", "halt", "charge"];
    for (die, name) in (1..).zip(named) {
        assert_eq!(blunder(die, json!({})), (name.to_owned(), "none".to_owned()));
    }
    assert_eq!(blunder(4, json!({ "core_edition": "classic" })), ("halt".to_owned(), "half".to_owned()));
    assert_eq!(blunder(6, json!({ "core_edition": "classic" })), ("charge".to_owned(), "none".to_owned()));
}

#[test]
fn a_general_never_blunders_but_stays_on_a_twelve() {
    let order = with(&hero(), &json!({ "character": "general", "command": 10, "dice": [6, 6] }));
    let failed = json!({ "needed": 10, "result": "failure", "move": "none", "orders_end": "all" });
    assert_eq!(answer("breach.order", &order), failed);
}

#[test]
fn a_later_order_that_fails_moves_nobody() {
    let order = with(&hero(), &json!({ "order": 2 }));
    assert_eq!(answer("breach.order", &order)["move"], "none");
    let classic = with(&hero(), &json!({ "options": { "core_edition": "classic" } }));
    assert_eq!(answer("breach.order", &classic)["move"], "none");
}

#[test]
fn the_classic_edition_knows_no_third_and_last_order() {
    let tenth = with(&hero(), &json!({ "order": 10, "dice": null }));
    assert_eq!(refused("breach.order", &tenth), ("order".to_owned(), "BC-4.2-10".to_owned()));
    assert_eq!(needed(&with(&tenth, &json!({ "options": { "core_edition": "classic" } }))), -1);
}

#[test]
fn machines_take_one_order_or_pay_for_another() {
    for (item, rule) in [
        ("mantlets", "BR-R30"),
        ("portable_ram", "BR-portable-ram-04"),
        ("ram", "BR-R30"),
        ("siege_tower", "BR-R30"),
        ("sow", "BR-R30"),
    ] {
        let order =
            with(&hero(), &json!({ "order": 2, "units": [unit(&json!({ "item": item }))], "dice": null }));
        assert_eq!(refused("breach.order", &order), ("order".to_owned(), rule.to_owned()), "{item}");
        let several = json!({ "options": { "machine_orders": "several_with_extra_penalty" } });
        assert_eq!(needed(&with(&order, &several)), 6, "{item}");
    }
    let ladders =
        with(&hero(), &json!({ "order": 2, "units": [unit(&json!({ "item": "ladders" }))], "dice": null }));
    assert_eq!(needed(&ladders), 7);
}

#[test]
fn orders_that_cannot_be_given_are_refused_by_name() {
    let one = |changes: Value| json!([{ "distance_cm": 12 }, unit(&changes)]);
    for (changes, field, rule) in [
        (json!({ "units": one(json!({ "distance_cm": 60.01 })) }), "units.1.distance_cm", "BC-4.2-01"),
        (
            json!({ "character": "wizard", "units": one(json!({ "distance_cm": 20.01 })) }),
            "units.1.distance_cm",
            "BC-4.2-01",
        ),
        (
            json!({ "character": "general", "units": one(json!({ "distance_cm": 20.5, "arm": "flyer" })) }),
            "units.1.distance_cm",
            "BC-4.2-02",
        ),
        (json!({ "units": one(json!({ "arm": "cavalry", "item": "ram" })) }), "units.1.item", "BR-R05"),
        (
            json!({ "units": one(json!({ "arm": "monster", "item": "ladders" })) }),
            "units.1.item",
            "BR-ladders-02",
        ),
        (
            json!({ "units": one(json!({ "arm": "chariot", "item": "portable_ram" })) }),
            "units.1.item",
            "BR-portable-ram-03",
        ),
        (json!({ "road": true }), "road", "BC-4.2-09"),
        (json!({ "units": [] }), "units", "-"),
        (json!({ "units": vec![unit(&json!({})); 5] }), "units", "BC-4.3-01"),
        (json!({ "order": 11 }), "order", "-"),
        (json!({ "command": 11 }), "command", "-"),
        (json!({ "blunders": 7 }), "blunders", "-"),
    ] {
        let refusal = refused("breach.order", &with(&hero(), &changes));
        assert_eq!(refusal, (field.to_owned(), rule.to_owned()), "{changes}");
    }
}
