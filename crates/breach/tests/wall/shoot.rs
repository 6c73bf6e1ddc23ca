//! Volleys.

use serde_json::{Value, json};

use super::{answer, ask, chance, reasons, refused, with};

/// The example of the shapes, with its dice.
pub(crate) fn request() -> Value {
    json!({ "shooter": { "weapon": "handgun", "stands": 3 }, "distance_cm": 25,
        "target": { "stands": 3, "hits": 4, "armour": 4 }, "dice": [4, 6, 5, 5, 4, 2, 6, 3] })
}

fn shot(changes: &Value) -> Value {
    answer("breach.shoot", &with(&request(), changes))
}

#[test]
fn bg_ex_16_two_volleys_in_the_open() {
    // Three hits, armour 5+: two unsaved; 6 + 3 = 9 cm, a six: confused.
    let expected = json!({ "attacks": 3, "unsaved": 2, "stands_lost": 0, "odd_hits": 2, "driven_cm": 9,
        "confused": true, "routed": false });
    assert_eq!(shot(&json!({})), expected);
    let second = json!({ "target": { "earlier_hits": 2 }, "dice": [2, 1, 3, 6, 3] });
    assert_eq!(shot(&second), with(&expected, &json!({ "unsaved": 0 })));
}

#[test]
fn bg_ex_18_cannons_at_the_rampart() {
    // Two cannons on a rampart: 5+ needed, no save; 3 - 2 = 1 die of drive back.
    let cannons = json!({ "shooter": { "weapon": "cannon", "stands": 4 }, "distance_cm": 60,
        "target": { "stands": 3, "hits": 3, "armour": 0, "cover": "fortified" },
        "dice": [5, 6, 5, 2, 1, 3, 4, 2, 5] });
    let expected = json!({ "attacks": 8, "unsaved": 3, "stands_lost": 1, "odd_hits": 0, "driven_cm": 5,
        "confused": false, "routed": false });
    assert_eq!(answer("breach.shoot", &cannons), expected);
}

#[test]
fn bg_ex_39_a_bounce_that_meets_nobody() {
    let cannon = json!({ "shooter": { "weapon": "cannon", "stands": 2 }, "distance_cm": 40,
        "target": { "stands": 3, "hits": 3 }, "drive_back": false, "dice": [4, 5, 2, 6] });
    let answer = answer("breach.shoot", &cannon);
    assert_eq!(
        (&answer["attacks"], &answer["unsaved"], &answer["stands_lost"]),
        (&json!(4), &json!(3), &json!(1))
    );
    assert_eq!((&answer["driven_cm"], &answer["confused"]), (&json!(0), &json!(false)));
    let through = with(&cannon, &json!({ "shooter": { "further_stands": 2 }, "dice": [4, 5, 2, 6, 1, 1] }));
    assert_eq!(super::answer("breach.shoot", &through)["attacks"], 6);
}

#[test]
fn bg_ex_40_mantlets_from_the_front() {
    // Behind mantlets: 5+, one unsaved at 6+, and 1 - 1 = 0 dice.
    let bows = json!({ "shooter": { "weapon": "bow", "stands": 3 }, "distance_cm": 30,
        "target": { "stands": 3, "hits": 4, "armour": 6, "cover": "defended" }, "dice": [4, 5, 6, 6, 1] });
    let expected = json!({ "attacks": 3, "unsaved": 1, "stands_lost": 0, "odd_hits": 1, "driven_cm": 0,
        "confused": false, "routed": false });
    assert_eq!(answer("breach.shoot", &bows), expected);
}

#[test]
fn bg_ex_41_a_sow_shot_to_pieces() {
    let sow = json!({ "shooter": { "weapon": "bow", "stands": 3 }, "distance_cm": 30,
        "target": { "stands": 3, "hits": 4, "armour": 5, "machine": "sow" }, "dice": [4, 5, 6, 1, 2, 3] });
    let first = json!({ "attacks": 3, "unsaved": 2, "stands_lost": 0, "odd_hits": 2, "driven_cm": 0,
        "confused": false, "routed": false, "machine_destroyed": false });
    assert_eq!(answer("breach.shoot", &sow), first);
    let again = with(&sow, &json!({ "target": { "earlier_hits": 2 }, "dice": [4, 4, 1, 2, 2] }));
    let second = with(&first, &json!({ "odd_hits": 0, "machine_destroyed": true }));
    assert_eq!(answer("breach.shoot", &again), second);
}

#[test]
fn bg_ex_54_a_volley_gun_misfires() {
    let gun = json!({ "shooter": { "weapon": "volley_gun", "stands": 1 }, "distance_cm": 9,
        "target": { "stands": 3, "hits": 4 }, "drive_back": false, "dice": [1, 1, 1, 4, 5, 6, 2, 3] });
    let lost = answer("breach.shoot", &gun);
    assert_eq!((&lost["unsaved"], &lost["gun_destroyed"]), (&json!(0), &json!(false)));
    let two = answer("breach.shoot", &with(&gun, &json!({ "distance_cm": 15, "dice": [1, 1, 6, 5] })));
    assert_eq!((&two["attacks"], &two["unsaved"]), (&json!(4), &json!(2)));
    let burst = answer("breach.shoot", &with(&gun, &json!({ "dice": [1, 1, 1, 1, 5, 6, 2, 3] })));
    assert_eq!((&burst["unsaved"], &burst["gun_destroyed"]), (&json!(0), &json!(true)));
    // Against a charger it bursts with six hits, against which armour is one worse.
    let charge = json!({ "at_charger": true, "target": { "armour": 5 },
        "dice": [1, 1, 1, 1, 5, 6, 2, 3, 6, 5, 5, 5, 5, 5] });
    let burst = answer("breach.shoot", &with(&gun, &charge));
    assert_eq!(
        (&burst["attacks"], &burst["unsaved"], &burst["stands_lost"]),
        (&json!(8), &json!(5), &json!(1))
    );
    let dice_at = |distance: f64| {
        let reply = ask("breach.shoot", &with(&gun, &json!({ "distance_cm": distance, "dice": null })));
        reply["odds"][0]["answer"]["attacks"].as_i64().unwrap()
    };
    assert_eq!([0.0, 10.0, 10.01, 20.0, 20.01, 30.0].map(dice_at), [8, 8, 4, 4, 2, 2]);
}

#[test]
fn bg_ex_55_driven_off_the_field() {
    // Four hits before this volley of none: 6 + 6 + 5 + 4 = 21 cm, more than 20.
    let routed =
        shot(&json!({ "target": { "stands": 2, "earlier_hits": 4 }, "dice": [1, 1, 1, 6, 6, 5, 4] }));
    let expected = json!({ "attacks": 3, "unsaved": 0, "stands_lost": 0, "odd_hits": 0, "driven_cm": 21,
        "confused": true, "routed": true });
    assert_eq!(routed, expected);
    let stays = shot(&json!({ "target": { "stands": 2, "earlier_hits": 4 }, "dice": [1, 1, 1, 5, 5, 5, 5] }));
    assert_eq!((&stays["driven_cm"], &stays["routed"]), (&json!(20), &json!(false)));
}

#[test]
fn each_arm_routs_beyond_its_own_pace() {
    for (arm, dice, routed) in [
        ("artillery", [6, 4, 1, 1], true),
        ("cavalry", [6, 6, 6, 6], false),
        ("chariot", [6, 6, 6, 6], false),
        ("monster", [6, 6, 6, 3], true),
        ("infantry", [6, 6, 6, 2], false),
        ("flyer", [6, 6, 6, 6], false),
    ] {
        let mut all = vec![1, 1, 1];
        all.extend(dice);
        let driven = shot(&json!({ "target": { "arm": arm, "earlier_hits": 4 }, "dice": all }));
        assert_eq!(driven["routed"], routed, "{arm}");
    }
}

#[test]
fn what_counts_is_the_phase_and_what_is_left_over() {
    // Six hits before on stands of 4: one is gone already, two are odd; two more remove the next.
    let next = shot(&json!({ "target": { "stands": 2, "earlier_hits": 6, "armour": 0 }, "drive_back": false,
        "dice": [4, 4, 1] }));
    assert_eq!((&next["stands_lost"], &next["odd_hits"]), (&json!(1), &json!(0)));
    // Nobody is left: nothing odd, nobody driven.
    let all = shot(&json!({ "target": { "stands": 1, "hits": 1, "armour": 0 }, "dice": [4, 4, 4] }));
    let expected = json!({ "attacks": 3, "unsaved": 3, "stands_lost": 1, "odd_hits": 0, "driven_cm": 0,
        "confused": false, "routed": false });
    assert_eq!(all, expected);
}

#[test]
fn covers_are_hit_as_the_table_says_and_balls_go_through_one() {
    let least = |weapon: &str, cover: &str| {
        (1..=6).find(|face| {
            let shooter = json!({ "weapon": weapon, "stands": 1 });
            let attacks = match weapon {
                "cannon" => 2,
                "bombard" => 4,
                _ => 1,
            };
            let request = json!({ "shooter": shooter, "distance_cm": 30, "drive_back": false,
                "target": { "stands": 3, "hits": 6, "cover": cover }, "dice": vec![*face; attacks] });
            answer("breach.shoot", &request)["unsaved"] != 0
        })
    };
    let covers = ["open", "defended", "fortified", "tower"];
    assert_eq!(covers.map(|cover| least("bow", cover)), [4, 5, 6, 6].map(Some));
    assert_eq!(covers.map(|cover| least("cannon", cover)), [4, 4, 5, 5].map(Some));
    assert_eq!(covers.map(|cover| least("bombard", cover)), [4, 4, 5, 5].map(Some));
}

#[test]
fn armour_is_what_the_weapon_leaves_of_it() {
    let saves_on = |weapon: &str, attacks: usize, changes: Value| {
        (1..=6).find(|face| {
            let mut dice = vec![4];
            dice.extend(vec![1; attacks - 1]);
            dice.push(*face);
            let request = json!({ "shooter": { "weapon": weapon, "stands": 1 }, "distance_cm": 15,
                "target": { "stands": 3, "hits": 4, "armour": 4 }, "drive_back": false, "dice": dice });
            let reply = ask("breach.shoot", &with(&request, &changes));
            reply["answer"]["unsaved"] == 0
        })
    };
    assert_eq!(saves_on("handgun", 1, json!({})), Some(5));
    assert_eq!(saves_on("bow", 1, json!({})), Some(4));
    assert_eq!(saves_on("pistol", 1, json!({})), Some(4));
    assert_eq!(saves_on("elven_bolt_thrower", 3, json!({})), Some(4));
    assert_eq!(saves_on("bolt_thrower", 2, json!({})), None, "no armour against bolts: a die too many");
    assert_eq!(saves_on("cannon", 2, json!({})), None);
    assert_eq!(saves_on("cannon", 2, json!({ "at_charger": true })), Some(4), "grapeshot");
    assert_eq!(saves_on("bow", 1, json!({ "target": { "machine": "ram" } })), Some(3));
    assert_eq!(saves_on("handgun", 1, json!({ "target": { "machine": "ram" } })), Some(4));
    assert_eq!(saves_on("handgun", 1, json!({ "target": { "armour": 6 } })), None);
}

#[test]
fn some_are_never_driven_back() {
    for (changes, rule) in
        [(json!({ "target": { "fanatic": true } }), "BC-17-01"), (json!({ "at_charger": true }), "BC-6-12")]
    {
        let request = with(&request(), &with(&changes, &json!({ "dice": [4, 6, 5, 5, 4, 2] })));
        let reply = ask("breach.shoot", &request);
        assert_eq!((&reply["answer"]["unsaved"], &reply["answer"]["driven_cm"]), (&json!(2), &json!(0)));
        assert_eq!(reply["answer"]["confused"], false);
        assert!(reasons(&reply).iter().any(|(told, _)| told == rule), "{rule}");
    }
    let tower = json!({ "target": { "cover": "tower", "armour": 0 }, "dice": [6, 6, 6] });
    assert_eq!(shot(&tower)["driven_cm"], 0);
    let normal = json!({ "target": { "cover": "tower", "armour": 0 }, "dice": [6, 6, 6, 4],
        "options": { "tower_drive_back": "normal" } });
    assert_eq!(shot(&normal)["driven_cm"], 4, "two dice less in fortifications");
}

#[test]
fn the_odds_of_one_bow() {
    // Hit in two, not saved in two: a quarter; a six in six among the dice of the drive back.
    let bow = json!({ "shooter": { "weapon": "bow", "stands": 1 }, "distance_cm": 30,
        "target": { "stands": 3, "hits": 4, "armour": 4 } });
    let odds = ask("breach.shoot", &bow);
    assert_eq!(chance(&odds, &json!({ "unsaved": 0 })).to_string(), "3/4");
    assert_eq!(chance(&odds, &json!({ "confused": true })).to_string(), "1/24");
    assert_eq!(chance(&odds, &json!({ "driven_cm": 3 })).to_string(), "1/24");
}

#[test]
fn what_cannot_be_shot_is_refused_by_name() {
    let plain = with(&request(), &json!({ "dice": null, "target": { "armour": 0 } }));
    let gun = |weapon: &str, changes: Value| {
        let gun = json!({ "shooter": { "weapon": weapon, "stands": 1 }, "distance_cm": 30 });
        with(&gun, &changes)
    };
    for (changes, field, rule) in [
        (json!({ "distance_cm": 30.01 }), "distance_cm", "BC-6-01"),
        (gun("pistol", json!({ "distance_cm": 15.01 })), "distance_cm", "BC-6-01"),
        (gun("elven_bolt_thrower", json!({ "distance_cm": 40.5 })), "distance_cm", "BC-6-01"),
        (gun("volley_gun", json!({ "distance_cm": 30.5 })), "distance_cm", "BC-7-07"),
        (gun("cannon", json!({ "distance_cm": 61 })), "distance_cm", "BC-6-01"),
        (gun("trebuchet", json!({ "distance_cm": 19 })), "distance_cm", "BR-R07"),
        (gun("bombard", json!({ "distance_cm": 91 })), "distance_cm", "BR-R07"),
        (gun("cannon", json!({ "shooter": { "attack": 2 } })), "shooter.attack", "-"),
        (gun("volley_gun", json!({ "shooter": { "stands": 2 } })), "shooter.stands", "BC-7-07"),
        (gun("stone_thrower", json!({ "at_charger": true })), "shooter.weapon", "BC-7-05"),
        (gun("mangonel", json!({ "at_charger": true })), "shooter.weapon", "BR-R07"),
        (gun("bombard", json!({ "at_charger": true })), "shooter.weapon", "BR-R07"),
        (gun("trebuchet", json!({ "at_charger": true })), "shooter.weapon", "BR-R07"),
        (json!({ "shooter": { "further_stands": 1 } }), "shooter.further_stands", "BC-7-03"),
        (
            gun("bolt_thrower", json!({ "shooter": { "further_stands": 1 } })),
            "shooter.further_stands",
            "BC-7-03",
        ),
        (
            gun("cannon", json!({ "shooter": { "further_stands": 1 }, "at_charger": true })),
            "shooter.further_stands",
            "BC-7-04",
        ),
        (
            gun("bombard", json!({ "shooter": { "further_stands": 1 }, "target": { "cover": "tower" } })),
            "shooter.further_stands",
            "BR-R68",
        ),
        (json!({ "at_charger": true, "target": { "cover": "defended" } }), "target.cover", "BC-8.7-02"),
        (json!({ "target": { "cover": "fortified", "machine": "ram" } }), "target.cover", "BC-14.6-01"),
        (json!({ "target": { "cover": "defended", "arm": "cavalry" } }), "target.cover", "BC-8.7-01"),
        (json!({ "target": { "machine": "sow", "arm": "monster" } }), "target.machine", "BR-R05"),
        (json!({ "target": { "machine": "ram", "earlier_hits": 3 } }), "target.earlier_hits", "BC-14.6-01"),
        (json!({ "target": { "earlier_hits": 13 } }), "target.earlier_hits", "-"),
    ] {
        let refusal = refused("breach.shoot", &with(&plain, &changes));
        assert_eq!(refusal, (field.to_owned(), rule.to_owned()), "{changes}");
    }
}
