//! Rounds of combat.

use serde_json::{Value, json};

use super::{answer, ask, chance, reasons, refused, with};

fn side() -> Value {
    json!({ "stands": 3, "attack": 3, "hits": 4, "armour": 4 })
}

/// Warriors with ladders against crossbows on a rampart.
fn wall() -> Value {
    json!({ "place": "wall", "attacker": side(), "defender": { "stands": 3, "attack": 3, "hits": 3 } })
}

fn fought(request: &Value, dice: &[u8]) -> Value {
    answer("breach.assault", &with(request, &json!({ "dice": dice })))
}

/// Who won, what follows, how far.
fn end(answer: &Value) -> (&str, &str, i64) {
    let text = |name: &str| answer[name].as_str().unwrap();
    (text("winner"), text("outcome"), answer["retreat_cm"].as_i64().unwrap())
}

#[test]
fn bg_ex_25_ladders_are_repulsed() {
    let dice = [6, 1, 2, 3, 4, 5, 2, 6, 1, 4, 5, 6, 1, 2, 3, 4, 4, 2, 1, 4, 3, 6, 2];
    let expected = json!({
        "attacker": { "dice": 9, "unsaved": 2, "stands_lost": 0, "odd_hits": 3, "score": 2 },
        "defender": { "dice": 9, "unsaved": 3, "stands_lost": 0, "odd_hits": 2, "score": 3 },
        "winner": "defender", "outcome": "repulsed", "retreat_cm": 1 });
    assert_eq!(fought(&wall(), &dice), expected);
}

#[test]
fn bg_ex_26_ladders_take_the_rampart() {
    let dice = [6, 6, 6, 3, 4, 5, 2, 6, 1, 4, 1, 2, 1, 2, 3, 3, 3, 2, 3];
    let round = fought(&wall(), &dice);
    assert_eq!(end(&round), ("attacker", "taken", 3));
    assert_eq!((&round["defender"]["stands_lost"], &round["defender"]["odd_hits"]), (&json!(1), &json!(1)));
}

#[test]
fn bg_ex_27_nobody_wins_on_the_ladders() {
    let dice = [6, 1, 2, 3, 4, 5, 2, 3, 1, 4, 1, 2, 1, 2, 3, 3, 3, 2, 3];
    assert_eq!(end(&fought(&wall(), &dice)), ("draw", "unresolved", 0));
}

fn siege_tower() -> Value {
    json!({ "place": "siege_tower", "attacker": with(&side(), &json!({ "stands": 1, "behind": 2 })),
        "defender": { "stands": 3, "attack": 3, "hits": 3 } })
}

#[test]
fn bg_ex_28_a_siege_tower_under_oil() {
    // 3 + 1 + 2 = 6 dice; 4 to 2.
    let general = with(&siege_tower(), &json!({ "attacker": { "character": 2 } }));
    let round = fought(&general, &[6, 4, 4, 1, 5, 2, 4, 3, 2, 6, 5, 1, 1, 2, 4, 5, 4, 2, 1]);
    assert_eq!(
        round["attacker"],
        json!({ "dice": 6, "unsaved": 4, "stands_lost": 0, "odd_hits": 2, "score": 4 })
    );
    assert_eq!(end(&round), ("attacker", "taken", 2));
    assert_eq!(round["defender"]["stands_lost"], 1);
}

#[test]
fn bg_ex_29_a_siege_tower_stays_or_goes_back() {
    let stays = fought(&siege_tower(), &[1, 1, 2, 3, 4, 4, 4, 6, 5, 1, 1, 2, 4, 1, 2, 3, 1, 4, 6]);
    assert_eq!(end(&stays), ("defender", "stays", 0));
    assert_eq!(stays["attacker"]["stands_lost"], 1);
    let lost = fought(&siege_tower(), &[1, 1, 2, 3, 4, 4, 4, 6, 5, 5, 1, 2, 4, 1, 2, 3, 1, 1, 6, 4]);
    assert_eq!(end(&lost), ("defender", "repulsed", 5));
    assert_eq!((&lost["attacker"]["stands_lost"], &lost["attacker"]["odd_hits"]), (&json!(1), &json!(1)));
}

/// One stand against one, at a side of a tower.
fn tower() -> Value {
    json!({ "place": "tower", "attacker": { "stands": 1, "behind": 2, "attack": 3, "hits": 4, "armour": 4 },
        "defender": { "stands": 1, "behind": 2, "attack": 3, "hits": 3 } })
}

#[test]
fn br_ex_05_one_stand_at_a_side_of_a_tower() {
    // Three stands, of which one fights: 3 dice, 2 hits; 4 and 5 would not hit.
    let round = fought(&tower(), &[6, 4, 6, 1, 1, 1]);
    assert_eq!((&round["attacker"]["dice"], &round["attacker"]["unsaved"]), (&json!(3), &json!(2)));
    assert_eq!(end(&round), ("attacker", "held", 0));
    assert_eq!(fought(&tower(), &[4, 5, 5, 1, 1, 1])["attacker"]["unsaved"], 0);
}

#[test]
fn br_ex_29_a_draw_at_a_tower() {
    // One stand of Attack 3, 1 hit; the defending stand 1 hit: nobody moves.
    let reply = ask("breach.assault", &with(&tower(), &json!({ "dice": [6, 4, 5, 4, 2, 3, 1] })));
    assert_eq!(end(&reply["answer"]), ("draw", "unresolved", 0));
    assert!(reasons(&reply).iter().any(|(rule, _)| rule == "BR-R67"));
}

#[test]
fn a_tower_is_taken_when_it_is_empty() {
    let last = with(&tower(), &json!({ "defender": { "behind": 0, "hits": 2 } }));
    assert_eq!(end(&fought(&last, &[6, 6, 1, 1, 1, 1])), ("attacker", "taken", 0));
    let flyers = with(&last, &json!({ "attacker": { "arm": "flyer" } }));
    assert_eq!(end(&fought(&flyers, &[6, 6, 1, 1, 1, 1])), ("attacker", "destroyed", 0));
    let two_units = with(&last, &json!({ "defender": { "units": 2 } }));
    assert_eq!(end(&fought(&two_units, &[6, 6, 1, 1, 1, 1])), ("attacker", "held", 0));
    assert_eq!(end(&fought(&tower(), &[1, 1, 1, 4, 4, 1, 1, 1])), ("defender", "repulsed", 2));
}

#[test]
fn bg_ex_13_knights_charge_handgunners() {
    // Knights at handgunners, who have hit one of them before: 5 to 2 + 1.
    let charge = json!({ "place": "open",
        "attacker": { "stands": 3, "attack": 3, "hits": 3, "armour": 4, "arm": "cavalry", "odd_hits": 1, "before": 1 },
        "defender": { "stands": 3, "attack": 3, "hits": 4, "armour": 6 } });
    let dice = [6, 5, 4, 4, 3, 3, 2, 2, 1, 1, 5, 6, 2, 6, 1, 3, 5, 4, 4, 4, 6, 1, 2, 3, 3, 5, 2, 4, 1, 6, 2];
    let expected = json!({
        "attacker": { "dice": 12, "unsaved": 5, "stands_lost": 1, "odd_hits": 0, "score": 5 },
        "defender": { "dice": 9, "unsaved": 2, "stands_lost": 1, "odd_hits": 1, "score": 3 },
        "winner": "attacker", "outcome": "retreat", "retreat_cm": 2 });
    assert_eq!(fought(&charge, &dice), expected);
}

#[test]
fn bg_ex_14_a_pursuit_in_the_field() {
    // 3 + 1 + 1 for one full 3 cm: five dice for each of two stands.
    let pursuit = json!({ "place": "open", "pursues_cm": 4,
        "attacker": { "stands": 2, "attack": 3, "hits": 3 }, "defender": { "stands": 1, "attack": 0, "hits": 6 } });
    let mut dice = vec![1; 10];
    dice[0] = 4;
    let round = fought(&pursuit, &dice);
    assert_eq!((&round["attacker"]["dice"], &round["defender"]["dice"]), (&json!(10), &json!(0)));
}

#[test]
fn bg_ex_37_a_gyrocopter_at_the_wall() {
    // A flyer on a wall: 1 die on 6, won by 1, and nobody takes the section.
    let flyer = json!({ "place": "wall",
        "attacker": { "stands": 1, "attack": 1, "hits": 3, "armour": 5, "arm": "flyer" },
        "defender": { "stands": 1, "attack": 3, "hits": 3 } });
    let round = fought(&flyer, &[6, 4, 3, 1, 5]);
    assert_eq!((&round["attacker"]["unsaved"], &round["defender"]["unsaved"]), (&json!(1), &json!(0)));
    assert_eq!(end(&round), ("attacker", "retreat", 1));
    assert_eq!(end(&fought(&flyer, &[1, 1, 1, 1])), ("draw", "fall_back", 0));
    let beaten = with(&flyer, &json!({ "options": { "flyers_beaten_on_walls": "destroyed" } }));
    assert_eq!(end(&fought(&flyer, &[1, 4, 1, 1, 1])), ("defender", "repulsed", 1));
    assert_eq!(end(&fought(&beaten, &[1, 4, 1, 1, 1])), ("defender", "destroyed", 0));
}

#[test]
fn bg_ex_38_a_rampart_attacked_from_inside() {
    // Captured ramparts from inside: 5+, 2 to 3.
    let inside = json!({ "place": "inside", "attacker": { "stands": 3, "attack": 3, "hits": 3, "armour": 6 },
        "defender": side() });
    let dice = [5, 6, 4, 5, 1, 2, 3, 6, 5, 4, 5, 1, 6, 2, 4, 4, 2, 1, 1, 3, 5, 6, 2, 2, 6, 3, 1];
    let round = fought(&inside, &dice);
    assert_eq!((&round["attacker"]["unsaved"], &round["defender"]["unsaved"]), (&json!(2), &json!(3)));
    assert_eq!(round["attacker"]["stands_lost"], 1);
    assert_eq!(end(&round), ("defender", "repulsed", 1));
}

#[test]
fn what_follows_depends_on_the_place() {
    // One hit of the attackers that nothing answers, and the other way round.
    let one = |place: &str| {
        json!({ "place": place, "attacker": { "stands": 1, "attack": 1, "hits": 4 },
            "defender": { "stands": 1, "attack": 1, "hits": 4 } })
    };
    for (place, bonus, won, lost, drawn) in [
        ("open", 1, ("attacker", "retreat", 1), ("defender", "repulsed", 1), "fall_back"),
        ("defended", 0, ("attacker", "retreat", 1), ("defender", "repulsed", 1), "fall_back"),
        ("wall", 0, ("attacker", "taken", 2), ("defender", "repulsed", 1), "unresolved"),
        ("siege_tower", 1, ("attacker", "taken", 2), ("defender", "stays", 0), "unresolved"),
        ("inside", 0, ("attacker", "taken", 0), ("defender", "repulsed", 1), "unresolved"),
        ("along", 1, ("attacker", "retreat", 1), ("defender", "repulsed", 1), "unresolved"),
        ("tower", 0, ("attacker", "held", 0), ("defender", "repulsed", 1), "unresolved"),
    ] {
        let mut dice = vec![1; 1 + bonus];
        dice[0] = 6;
        dice.push(1);
        assert_eq!(end(&fought(&one(place), &dice)), won, "{place}");
        dice[0] = 1;
        assert_eq!(end(&fought(&one(place), &dice)), ("draw", drawn, 0), "{place}");
        dice[1 + bonus] = 4;
        assert_eq!(end(&fought(&one(place), &dice)), lost, "{place}");
        let still = with(&one(place), &json!({ "charges": false }));
        assert_eq!(fought(&still, &[1, 1])["attacker"]["dice"], 1, "{place}: no charge, no bonus");
    }
    let least = |place: &str, bonus: usize| {
        (1..=6).find(|face| {
            let mut dice = vec![*face; 1 + bonus];
            dice.push(1);
            fought(&one(place), &dice)["attacker"]["unsaved"] != 0
        })
    };
    let places = [
        ("open", 1),
        ("defended", 0),
        ("wall", 0),
        ("siege_tower", 1),
        ("inside", 0),
        ("along", 1),
        ("tower", 0),
    ];
    assert_eq!(places.map(|(place, bonus)| least(place, bonus)), [4, 5, 6, 4, 5, 4, 6].map(Some));
}

#[test]
fn every_modifier_of_a_stand() {
    let dice = |place: &str, changes: Value| {
        let request = with(
            &json!({ "place": place, "attacker": { "stands": 2, "attack": 3, "hits": 6 },
                "defender": { "stands": 1, "attack": 0, "hits": 6 } }),
            &changes,
        );
        let reply = ask("breach.assault", &request);
        reply["odds"][0]["answer"]["attacker"]["dice"].as_i64().unwrap_or_else(|| panic!("{reply}"))
    };
    let attacker = |changes: Value| json!({ "attacker": changes });
    assert_eq!(dice("open", json!({})), 8);
    assert_eq!(dice("open", attacker(json!({ "arm": "monster" }))), 10);
    assert_eq!(dice("open", attacker(json!({ "arm": "chariot" }))), 10);
    assert_eq!(dice("defended", attacker(json!({ "arm": "chariot" }))), 6);
    assert_eq!(dice("open", attacker(json!({ "terror": true }))), 6);
    assert_eq!(dice("open", attacker(json!({ "confused": true }))), 6);
    assert_eq!(dice("open", attacker(json!({ "flanked": 1 }))), 7);
    assert_eq!(dice("open", attacker(json!({ "character": 4 }))), 12);
    assert_eq!(dice("open", json!({ "pursues_cm": 0 })), 8);
    assert_eq!(dice("open", json!({ "pursues_cm": 2.99 })), 8);
    assert_eq!(dice("open", json!({ "pursues_cm": 60 })), 48);
    let low = json!({ "attack": 1, "terror": true, "confused": true });
    assert_eq!(dice("wall", attacker(low.clone())), 1, "nobody rolls less than one die");
    assert_eq!(dice("wall", attacker(with(&low, &json!({ "character": 1 })))), 1);
}

#[test]
fn scores_count_what_could_be_taken_and_what_went_before() {
    let fight = json!({ "place": "defended", "charges": false,
        "attacker": { "stands": 1, "attack": 3, "hits": 4, "behind": 2, "supports": 2, "before": 3 },
        "defender": { "stands": 1, "attack": 1, "hits": 2, "odd_hits": 1, "units": 2 } });
    let round = fought(&fight, &[6, 6, 6, 4]);
    // Three hits, of which it could take one; two supports; three hits before and one now against it.
    assert_eq!(
        round["attacker"],
        json!({ "dice": 3, "unsaved": 3, "stands_lost": 0, "odd_hits": 1, "score": 3 })
    );
    assert_eq!(
        round["defender"],
        json!({ "dice": 1, "unsaved": 1, "stands_lost": 1, "odd_hits": 0, "score": 4 })
    );
    assert_eq!(end(&round), ("defender", "repulsed", 1));
}

#[test]
fn the_retreat_is_divided_among_the_units_and_the_wiped_out_go_nowhere() {
    let fight = json!({ "place": "open", "charges": false,
        "attacker": { "stands": 3, "attack": 1, "hits": 4 },
        "defender": { "stands": 1, "attack": 0, "hits": 6, "units": 2 } });
    assert_eq!(end(&fought(&fight, &[6, 6, 6])), ("attacker", "retreat", 2));
    let last = with(&fight, &json!({ "defender": { "hits": 3, "units": 1 } }));
    assert_eq!(end(&fought(&last, &[6, 6, 6])), ("attacker", "destroyed", 0));
    let walled = json!({ "place": "wall", "attacker": { "stands": 1, "attack": 1, "hits": 1 },
        "defender": { "stands": 1, "attack": 1, "hits": 1 } });
    assert_eq!(end(&fought(&walled, &[6, 1])), ("attacker", "taken", 0));
    assert_eq!(end(&fought(&walled, &[1, 4])), ("defender", "destroyed", 0));
    assert_eq!(end(&fought(&walled, &[6, 4])), ("draw", "unresolved", 0), "both wiped out");
    // Whoever is wiped out has lost, whatever the score.
    let bled = with(&walled, &json!({ "attacker": { "before": 3 } }));
    assert_eq!(end(&fought(&bled, &[6, 1])), ("attacker", "taken", 0));
}

#[test]
fn the_odds_of_a_duel() {
    let duel = json!({ "place": "along", "charges": false,
        "attacker": { "stands": 1, "attack": 1, "hits": 2 }, "defender": { "stands": 1, "attack": 1, "hits": 2 } });
    let odds = ask("breach.assault", &duel);
    assert_eq!(chance(&odds, &json!({ "winner": "attacker" })).to_string(), "1/4");
    assert_eq!(chance(&odds, &json!({ "winner": "draw" })).to_string(), "1/2");
}

#[test]
fn what_cannot_be_fought_is_refused_by_name() {
    let open = json!({ "place": "open", "attacker": side(), "defender": side() });
    for (changes, field, rule) in [
        (json!({ "place": "siege_tower" }), "attacker.stands", "BC-14.6-03"),
        (json!({ "place": "along" }), "attacker.stands", "BC-14.5-02"),
        (json!({ "place": "along", "attacker": { "stands": 1 } }), "defender.stands", "BC-14.5-02"),
        (json!({ "place": "tower" }), "attacker.stands", "BR-towers-07"),
        (json!({ "place": "tower", "attacker": { "stands": 1 } }), "defender.stands", "BR-towers-09"),
        (json!({ "place": "wall", "attacker": { "arm": "cavalry" } }), "attacker.arm", "BC-14.4-01"),
        (json!({ "place": "inside", "attacker": { "arm": "flyer" } }), "attacker.arm", "BC-14.4-01"),
        (json!({ "attacker": { "arm": "artillery" } }), "attacker.arm", "-"),
        (json!({ "defender": { "arm": "infantry" } }), "defender.arm", "-"),
        (json!({ "attacker": { "attack": 0 } }), "attacker.attack", "-"),
        (json!({ "attacker": { "odd_hits": 4 } }), "attacker.odd_hits", "BC-6-07"),
        (json!({ "defender": { "flanked": 4 } }), "defender.flanked", "BC-8.2-06"),
        (json!({ "place": "wall", "defender": { "flanked": 1 } }), "defender.flanked", "BC-14.4-04"),
        (json!({ "attacker": { "supports": 1 } }), "attacker.supports", "BC-8.3-02"),
        (
            json!({ "place": "wall", "attacker": { "supports": 1, "behind": 1 } }),
            "attacker.supports",
            "BC-8.3-03",
        ),
        (json!({ "place": "defended", "pursues_cm": 4 }), "pursues_cm", "BC-8.5-01"),
        (json!({ "pursues_cm": 60.01 }), "pursues_cm", "-"),
    ] {
        let refusal = refused("breach.assault", &with(&open, &changes));
        assert_eq!(refusal, (field.to_owned(), rule.to_owned()), "{changes}");
    }
    let tower =
        json!({ "place": "tower", "attacker": { "stands": 1, "flanked": 1 }, "defender": { "stands": 1 } });
    assert_eq!(
        refused("breach.assault", &with(&open, &tower)),
        ("attacker.flanked".to_owned(), "BR-towers-11".to_owned())
    );
    let pursuit = json!({ "place": "tower", "pursues_cm": 4, "attacker": { "stands": 1 }, "defender": { "stands": 1 } });
    assert_eq!(
        refused("breach.assault", &with(&open, &pursuit)),
        ("pursues_cm".to_owned(), "BR-towers-14".to_owned())
    );
    let tower = json!({ "place": "tower", "attacker": { "stands": 1 }, "defender": { "stands": 1, "behind": 1, "supports": 1 } });
    assert_eq!(
        refused("breach.assault", &with(&open, &tower)),
        ("defender.supports".to_owned(), "BR-towers-15".to_owned())
    );
}

#[test]
fn players_may_leave_a_rampart_open_to_the_courtyard_and_its_holders_alive() {
    let inside = json!({ "place": "inside", "attacker": { "stands": 1, "attack": 1, "hits": 4 },
        "defender": { "stands": 1, "attack": 1, "hits": 4 } });
    let open = with(&inside, &json!({ "options": { "rampart_inside": "open" } }));
    assert_eq!(end(&fought(&open, &[4, 4, 1])), ("attacker", "taken", 0), "two dice on 4");
    let along = with(&inside, &json!({ "options": { "beaten_from_inside": "retreat_along" } }));
    assert_eq!(end(&fought(&along, &[5, 1])), ("attacker", "taken", 1));
}
