//! Corners that a reading of the books beside the answers found: options at the wall, flyers at towers,
//! several units of defenders, stands named twice.

use serde_json::json;

use crate::{answer, ask, reasons, refused};

/// BR-R83: hits beyond the third on a machine are lost, or fall on its unit.
#[test]
fn hits_beyond_the_machine_fall_on_its_unit_where_players_want_it_so() {
    let shots = |excess: &str| {
        answer(
            "breach.shoot",
            &json!({ "shooter": { "weapon": "cannon", "stands": 2 }, "distance_cm": 30,
                "target": { "stands": 3, "hits": 2, "machine": "ram", "earlier_hits": 2 }, "dice": [6, 6, 6, 1],
                "options": { "machine_excess_hits": excess } }),
        )
    };
    assert_eq!(shots("lost")["stands_lost"], 0);
    let carried = shots("carried");
    assert_eq!((&carried["stands_lost"], &carried["machine_destroyed"]), (&json!(1), &json!(true)));
    let oil = answer(
        "breach.oil",
        &json!({ "item": "siege_tower", "stands": 3, "hits": 2, "earlier_hits": 2, "dice": [6, 4, 4, 4, 1, 1, 1],
            "options": { "machine_excess_hits": "carried" } }),
    );
    assert_eq!(oil["stands_lost"], 1);
    let ram = answer(
        "breach.ram",
        &json!({ "element": "gate", "item": "ram", "stands": 3, "hits": 2,
            "reactions": [{ "weapon": "volley_gun" }], "dice": [2, 2, 2, 4, 6, 6, 6, 6, 1, 1, 1, 1, 1],
            "options": { "machine_excess_hits": "carried" } }),
    );
    assert_eq!(ram["stands_lost"], 1);
}

/// BR-R79: what was declared is resolved, whatever the first reaction came to.
#[test]
fn declared_reactions_are_all_resolved() {
    let asked = |order: &str, dice: &[u8]| {
        answer(
            "breach.ram",
            &json!({ "element": "gate", "item": "portable_ram", "stands": 3, "hits": 2,
                "reactions": [{ "weapon": "bow", "stands": 2 }, { "oil": true }], "dice": dice,
                "options": { "reaction_order": order } }),
        )
    };
    let one = asked("one_by_one", &[6, 6]);
    assert_eq!((&one["reactions"], &one["stands_lost"], &one["back_cm"]), (&json!(1), &json!(1), &json!(2)));
    let all = asked("all_declared", &[6, 6, 6, 5, 5, 1]);
    assert_eq!((&all["reactions"], &all["stands_lost"], &all["back_cm"]), (&json!(2), &json!(2), &json!(4)));
    assert_eq!(all["attempt"], "abandoned");
}

/// BR-R02, BR-R107 to BR-R109: the numbers of the options stand where none is named; without the option they
/// are refused, and a tower is stronger than a wall.
#[test]
fn br_r02_resistances_of_the_players() {
    let of = |element: &str, dice: &[u8], options: serde_json::Value| {
        json!({ "element": element, "destruction_dice": 1, "ram": { "item": "ram" }, "dice": dice,
            "options": options })
    };
    let own = |gate: &str, wall: &str, tower: &str| {
        json!({ "structure_resistance": "custom", "gate_resistance": gate, "wall_resistance": wall,
            "tower_resistance": tower })
    };
    let falls = |request: serde_json::Value| answer("breach.bombard", &request)["destroyed"].clone();
    assert_eq!(falls(of("gate", &[3, 4], own("6", "20", "30"))), true);
    assert_eq!(falls(of("gate", &[3, 3], own("6", "20", "30"))), false);
    assert_eq!(falls(of("wall", &[5, 6], own("12", "10", "15"))), true);
    assert_eq!(falls(of("wall", &[5, 5], own("12", "10", "15"))), false);
    // A palisade is weaker by 5; the structure of a gate tower stands halfway.
    assert_eq!(falls(of("palisade_wall", &[3, 3], own("12", "10", "15"))), true);
    assert_eq!(falls(of("palisade_tower", &[5, 6], own("12", "10", "15"))), true);
    assert_eq!(falls(of("palisade_tower", &[5, 5], own("12", "10", "15"))), false);
    assert_eq!(falls(of("gate_tower", &[6, 6], own("12", "10", "15"))), false);
    let alone = of("gate", &[3, 4], json!({ "gate_resistance": "6" }));
    assert_eq!(
        refused("breach.bombard", &alone),
        ("options.gate_resistance".to_owned(), "BR-R107".to_owned())
    );
    let low = of("tower", &[3, 4], own("12", "20", "20"));
    assert_eq!(
        refused("breach.bombard", &low),
        ("options.tower_resistance".to_owned(), "BR-towers-04".to_owned())
    );
}

/// The reasons quote what the option plays: nobody is destroyed who retreats along the rampart.
#[test]
fn beaten_from_inside_the_reasons_tell_the_option() {
    let reply = ask(
        "breach.assault",
        &json!({ "place": "inside", "attacker": { "stands": 1, "attack": 3, "hits": 3 },
            "defender": { "stands": 1, "attack": 1, "hits": 3 }, "dice": [6, 6, 1, 1],
            "options": { "beaten_from_inside": "retreat_along" } }),
    );
    let cited = |rule: &str| reasons(&reply).iter().any(|(cited, _)| cited == rule);
    assert!(cited("BR-R76") && !cited("BC-14.5-03"), "{reply}");
    assert_eq!((&reply["answer"]["outcome"], &reply["answer"]["retreat_cm"]), (&json!("taken"), &json!(2)));
}

/// BR-R69: the third scenario, played alone, learns from the options who won the second.
#[test]
fn help_that_was_fetched_ends_the_siege_a_turn_earlier() {
    let won = json!({ "scenario": 3, "turn": 5, "dice": [6], "options": { "garrison_won_2": "yes" } });
    assert_eq!(answer("breach.end", &won), json!({ "ends": true }));
}

#[test]
fn a_stand_is_named_once() {
    let request = json!({ "element": "wall", "units": [{ "stands": 3, "on": [2, 2] }] });
    assert_eq!(refused("breach.collapse", &request), ("units.0.on".to_owned(), "-".to_owned()));
}

/// BR-flyers-03 and -06: flyers alone reach a tower from outside, and press no second round.
#[test]
fn flyers_at_a_tower() {
    let fight = json!({ "attacker": { "attack": 3, "hits": 3 }, "defender": { "attack": 3, "hits": 1 } });
    let mut twice = json!({ "tower": { "sides": 1, "stands": 2, "flyers": true }, "fight": fight });
    twice["fight"]["rounds"] = json!(2);
    assert_eq!(refused("breach.contact", &twice), ("fight.rounds".to_owned(), "BR-flyers-03".to_owned()));
    let at = |way: &str| {
        json!({ "wall": { "sections": [{ "name": "T", "status": "tower", "unit": "u" }],
            "target": "T", "stands": 3, "way": way } })
    };
    assert_eq!(answer("breach.contact", &at("wings"))["touches"], json!(["T"]));
    assert_eq!(
        refused("breach.contact", &at("ladders")),
        ("wall.target".to_owned(), "BR-towers-06".to_owned())
    );
}

/// BR-R81: each stand strikes the unit on its own section; several units are no one body.
#[test]
fn a_fight_with_several_units_of_defenders_is_not_pooled() {
    let held = |second: &str| {
        json!({ "wall": { "sections": [{ "name": "A", "unit": "u" }, { "name": "B", "unit": second }],
                "target": "A", "stands": 2, "way": "ladders" },
            "fight": { "attacker": { "attack": 3, "hits": 3 }, "defender": { "attack": 1, "hits": 6 } } })
    };
    assert_eq!(refused("breach.contact", &held("v")), ("fight".to_owned(), "BR-R81".to_owned()));
    assert_eq!(
        answer("breach.contact", &{
            let mut one = held("u");
            one["dice"] = json!([6, 6, 6, 6, 6, 1, 1, 1]);
            one
        })["end"]["retreat_cm"],
        5
    );
}
