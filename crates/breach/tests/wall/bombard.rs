//! Guns and rams against the works.

use serde_json::{Value, json};

use super::{answer, ask, chance, refused, with};

fn bombard() -> Value {
    json!({ "element": "wall", "destruction_dice": 1, "guns": [{ "gun": "bombard", "distance_cm": 50 }] })
}

fn standing(destruction_dice: i32) -> Value {
    json!({ "destroyed": false, "turn": 0, "destruction_dice": destruction_dice })
}

fn fallen(turn: i32) -> Value {
    json!({ "destroyed": true, "turn": turn, "destruction_dice": 0 })
}

#[test]
fn the_example_of_the_shapes() {
    // Two hits, 6 + 5 + 3 = 14.
    let request = with(&bombard(), &json!({ "dice": [5, 2, 6, 1, 6, 5, 3] }));
    assert_eq!(answer("breach.bombard", &request), standing(2));
}

#[test]
fn bg_ex_19_trebuchet_and_bombard_breach_a_wall() {
    let request = json!({ "element": "wall", "destruction_dice": 1,
        "guns": [{ "gun": "trebuchet", "distance_cm": 100 }, { "gun": "bombard", "distance_cm": 90 }],
        "dice": [6, 2, 3, 1, 4, 6, 5, 6, 2, 3, 6, 4, 5, 6, 3] });
    assert_eq!(answer("breach.bombard", &request), fallen(1));
}

#[test]
fn bg_ex_20_destruction_dice_stay() {
    // Two hits and a die: 15; next turn no hit, two dice: 12, and nothing is added.
    let request = with(&bombard(), &json!({ "turns": 2, "dice": [5, 5, 1, 1, 6, 5, 4, 1, 1, 1, 1, 6, 6] }));
    assert_eq!(answer("breach.bombard", &request), standing(2));
}

#[test]
fn br_ex_25_a_covered_ram_breaks_the_gate() {
    // 1 + 2 = 3 dice, 13 against 12.
    let request =
        json!({ "element": "gate", "destruction_dice": 2, "ram": { "item": "ram" }, "dice": [6, 4, 3] });
    let reply = ask("breach.bombard", &request);
    assert_eq!(reply["answer"], fallen(1));
    assert_eq!(answer("breach.bombard", &with(&request, &json!({ "dice": [6, 4, 2] }))), standing(3));
}

#[test]
fn nothing_hit_and_nothing_carried_is_not_tested() {
    let request = with(&bombard(), &json!({ "destruction_dice": 0, "dice": [4, 2, 4, 1] }));
    assert_eq!(answer("breach.bombard", &request), standing(0));
}

#[test]
fn the_resistances_are_those_of_the_table() {
    let path = format!("{}/../../rules/tables/breach/core_structures.csv", env!("CARGO_MANIFEST_DIR"));
    let mut rows = 0;
    for row in csv::Reader::from_path(path).unwrap().records() {
        let row = row.unwrap();
        let (element, resistance) = (row.get(0).unwrap(), row.get(1).unwrap().parse::<i64>().unwrap());
        // As many ones as the resistance do not bring it down, one two among them does.
        let mut dice = vec![1; usize::try_from(resistance).unwrap()];
        let ram = |dice: &[i32]| json!({ "element": element, "destruction_dice": 19, "ram": { "item": "ram" }, "dice": dice });
        dice.resize(20, 1);
        let spare = resistance - 20;
        if spare >= 0 {
            for die in dice.iter_mut().take(usize::try_from(spare).unwrap()) {
                *die = 2;
            }
            assert_eq!(answer("breach.bombard", &ram(&dice)), standing(20), "{element}");
            dice[19] = 2;
        }
        assert_eq!(answer("breach.bombard", &ram(&dice)), fallen(1), "{element}");
        rows += 1;
    }
    assert_eq!(rows, 6);
}

#[test]
fn the_weaker_works_fall_to_more_than_their_resistance() {
    let ram = |element: &str, dice: [i32; 3]| json!({ "element": element, "destruction_dice": 2, "ram": { "item": "ram" }, "dice": dice });
    assert_eq!(answer("breach.bombard", &ram("gate", [6, 5, 1])), standing(3));
    assert_eq!(answer("breach.bombard", &ram("gate", [6, 6, 1])), fallen(1));
    assert_eq!(answer("breach.bombard", &ram("palisade_wall", [6, 6, 3])), standing(3));
    assert_eq!(answer("breach.bombard", &ram("palisade_wall", [6, 6, 4])), fallen(1));
}

#[test]
fn guns_roll_their_own_attacks_and_faces() {
    for (gun, attacks, hits_on_five) in [
        ("cannon", 2, true),
        ("stone_thrower", 3, false),
        ("mangonel", 4, false),
        ("bombard", 4, true),
        ("trebuchet", 6, false),
    ] {
        let request = |dice: Vec<u8>| json!({ "element": "tower", "guns": [{ "gun": gun, "distance_cm": 60, "stands": 2 }], "dice": dice });
        let mut dice = vec![5; 2 * attacks];
        if hits_on_five {
            dice.extend(vec![1; 2 * attacks]);
            assert_eq!(answer("breach.bombard", &request(dice)), standing(1), "{gun}");
        } else {
            assert_eq!(answer("breach.bombard", &request(dice)), standing(0), "{gun}");
        }
    }
}

#[test]
fn a_ram_strikes_once_or_once_for_each_stand() {
    let ram = json!({ "element": "gate", "ram": { "item": "portable_ram" } });
    // Three stands of 4, 5 and 6: 15.
    let each = json!({ "options": { "ram_hits": "one_per_stand" }, "dice": [4, 5, 6] });
    assert_eq!(answer("breach.bombard", &with(&ram, &each)), fallen(1));
    assert_eq!(answer("breach.bombard", &with(&ram, &json!({ "dice": [6] }))), standing(1));
}

#[test]
fn the_odds_of_a_lone_ram_at_a_new_gate() {
    // Three turns of a ram at a new gate, with 1, 2 and 3 dice against 12: only the third can do it, with
    // 56 of the 216 throws of three dice.
    let ram = json!({ "element": "gate", "turns": 3, "ram": { "item": "ram" } });
    let odds = ask("breach.bombard", &ram);
    assert_eq!(chance(&odds, &json!({ "turn": 3 })).to_string(), "7/27");
    assert_eq!(chance(&odds, &json!({ "destroyed": false })).to_string(), "20/27");
}

#[test]
fn what_players_set_themselves_holds_where_they_chose_to() {
    let request = json!({ "element": "gate", "resistance": 5, "ram": { "item": "ram" }, "dice": [6] });
    assert_eq!(refused("breach.bombard", &request), ("resistance".to_owned(), "BR-R02".to_owned()));
    let custom = with(&request, &json!({ "options": { "structure_resistance": "custom" } }));
    assert_eq!(answer("breach.bombard", &custom), fallen(1));
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let gun = |gun: &str, distance: f64| json!([{ "gun": gun, "distance_cm": distance }]);
    for (changes, field, rule) in [
        (json!({ "guns": gun("cannon", 60.01) }), "guns.0.distance_cm", "BC-6-01"),
        (json!({ "guns": gun("mangonel", 19.99) }), "guns.0.distance_cm", "BR-R07"),
        (json!({ "guns": gun("mangonel", 90.01) }), "guns.0.distance_cm", "BR-R07"),
        (json!({ "guns": gun("trebuchet", 120.5) }), "guns.0.distance_cm", "BR-R07"),
        (json!({ "guns": null }), "guns", "-"),
        (json!({ "guns": [] }), "guns", "-"),
        (json!({ "ram": { "item": "ram" } }), "ram", "-"),
        (json!({ "turns": 7 }), "turns", "-"),
        (json!({ "destruction_dice": 21 }), "destruction_dice", "-"),
    ] {
        let refusal = refused("breach.bombard", &with(&bombard(), &changes));
        assert_eq!(refusal, (field.to_owned(), rule.to_owned()), "{changes}");
    }
}

#[test]
fn a_gate_that_is_a_wall_is_as_strong_as_one() {
    let ram = json!({ "element": "gate_tower", "destruction_dice": 3, "ram": { "item": "ram" }, "dice": [6, 6, 6, 3] });
    assert_eq!(answer("breach.bombard", &ram), standing(4), "21 against 25");
    let wall = with(&ram, &json!({ "options": { "gate_kind": "wall" } }));
    assert_eq!(answer("breach.bombard", &wall), fallen(1), "21 against 20");
}
