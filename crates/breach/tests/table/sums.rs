//! The sums around the table of a fantasy siege: the examples of the ledger, its tables cell by
//! cell, and what must hold for any siege.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::asking::{answer, ask, refused};
use crate::table;

fn budget(role: &str, attacker_points: i32) -> Value {
    answer("breach.budget", &json!({ "role": role, "attacker_points": attacker_points }))
}

/// The multipliers of a defender of so many points.
fn defender_multipliers(points: i32) -> (i64, i64) {
    let budget = budget("defender", 2 * points);
    assert_eq!(budget["army"], points);
    (budget["min_multiplier"].as_i64().unwrap(), budget["max_multiplier"].as_i64().unwrap())
}

#[test]
fn br_ex_01_half_the_points_for_the_defender() {
    assert_eq!(budget("defender", 3000)["army"], 1500);
}

#[test]
fn br_ex_02_multipliers_of_a_defender() {
    assert_eq!([1000, 1250, 1500].map(defender_multipliers), [(1, 1), (1, 2), (1, 2)]);
}

#[test]
fn br_ex_03_min_and_max_of_a_unit() {
    let of_a_unit = |points| {
        let (min, max) = defender_multipliers(points);
        (2 * min, 3 * max)
    };
    assert_eq!([500, 2000, 2500].map(of_a_unit), [(0, 3), (4, 6), (4, 9)]);
}

#[test]
fn br_ex_04_a_tower_of_four_stands() {
    let tower = answer("breach.tower", &json!({ "base_mm": [40, 40] }));
    assert_eq!(tower, json!({ "is_tower": true, "stands": 4 }));
}

#[test]
fn br_ex_11_the_purses_of_an_attacker() {
    assert_eq!(
        budget("attacker", 2000),
        json!({ "army": 2000, "equipment": 500, "artillery": 250, "min_multiplier": 2, "max_multiplier": 2 })
    );
}

#[test]
fn br_ex_12_the_purses_of_a_defender() {
    assert_eq!(
        budget("defender", 2000),
        json!({ "army": 1000, "equipment": 250, "artillery": 125, "min_multiplier": 1, "max_multiplier": 1 })
    );
}

#[test]
fn br_ex_14_quarters_are_rounded() {
    let of = |points| {
        let budget = budget("attacker", points);
        (budget["equipment"].clone(), budget["artillery"].clone())
    };
    assert_eq!(of(1250), (json!(315), json!(157.5)));
    assert_eq!(of(1500), (json!(375), json!(187.5)));
}

#[test]
fn br_ex_20_the_roll_for_the_end() {
    let least_die = |turn: i32, message_got_through: bool| {
        (1..=6).find(|die| {
            let request = json!({ "scenario": 3, "turn": turn, "message_got_through": message_got_through,
                "dice": [die] });
            answer("breach.end", &request)["ends"] == true
        })
    };
    assert_eq!(least_die(5, true), Some(6));
    assert_eq!(least_die(5, false), None);
    assert_eq!([6, 7, 8, 9, 10].map(|turn| least_die(turn, false)), [5, 4, 3, 2, 1].map(Some));
    assert!((6..=10).all(|turn| least_die(turn, false).is_some_and(|die| die + turn == 11)));
}

#[test]
fn br_ex_21_equipment_of_both_sides() {
    let (dwarfs, imperials) = (budget("attacker", 2000), budget("defender", 2000));
    assert_eq!(imperials["army"], 1000);
    assert_eq!((&dwarfs["equipment"], &dwarfs["artillery"]), (&json!(500), &json!(250)));
    assert_eq!(imperials["equipment"], 250);
}

fn section(kind: &str, attacker: i32, defender: i32) -> Value {
    json!({ "kind": kind, "attacker": attacker, "defender": defender })
}

fn destroyed(kind: &str) -> Value {
    json!({ "kind": kind, "attacker": 0, "defender": 3, "destroyed": true })
}

#[test]
fn br_ex_22_the_score_of_a_damaged_fortress() {
    let mut sections = vec![destroyed("wall"), destroyed("wall"), destroyed("wall"), destroyed("tower")];
    sections.push(destroyed("gate"));
    sections.extend(vec![section("wall", 2, 0); 4]);
    sections.push(section("courtyard", 3, 2));
    sections.extend(vec![section("wall", 0, 1); 4]);
    sections.push(section("tower", 0, 4));
    sections.push(section("wall", 1, 1));
    assert_eq!(sections.iter().filter(|section| section["kind"] == "wall").count(), 12);
    let reply = ask("breach.score", &json!({ "sections": sections }));
    assert_eq!(reply["answer"], json!({ "attacker": 400, "defender": 350, "winner": "attacker" }));
    for rule in ["BR-scenario-3-19", "BR-scenario-3-20", "BR-scenario-3-21", "BR-scenario-3-22"] {
        assert!(reply["because"].as_array().unwrap().iter().any(|because| because["rule"] == rule), "{rule}");
    }
}

#[test]
fn br_ex_23_the_score_of_a_whole_fortress() {
    let mut sections = vec![section("wall", 1, 0); 12];
    sections.extend(vec![section("tower", 1, 0); 2]);
    sections.extend([section("gate", 1, 0), section("courtyard", 1, 0)]);
    assert_eq!(answer("breach.score", &json!({ "sections": sections }))["attacker"], 1200);
}

#[test]
fn the_budgets_are_those_of_the_table() {
    for row in table("budgets") {
        let budget = budget("attacker", row["army_total"].parse().unwrap());
        assert_eq!(budget["equipment"].to_string(), row["equipment_allotment"]);
        assert_eq!(budget["artillery"].to_string(), row["siege_artillery_limit"]);
    }
}

#[test]
fn the_multipliers_are_those_of_the_table() {
    for row in table("minmax_multipliers") {
        let points: i32 = row["army_total"].parse().unwrap();
        for (role, size) in [("attacker", points), ("defender", 2 * points)] {
            let budget = budget(role, size);
            for bound in ["min", "max"] {
                let printed = &row[&format!("{role}_{bound}_multiplier")];
                assert_eq!(&budget[format!("{bound}_multiplier")].to_string(), printed, "{role} {points}");
            }
        }
    }
}

#[test]
fn the_chances_of_the_end_are_those_of_the_table() {
    for row in table("game_end_rolls") {
        let turn: i32 = row["turn"].parse().unwrap();
        let reply =
            ask("breach.end", &json!({ "scenario": 3, "turn": turn, "message_got_through": turn < 6 }));
        let ending = reply["odds"].as_array().unwrap().iter().find(|odds| odds["answer"]["ends"] == true);
        let (cases, of) = row["chance"].split_once('/').unwrap();
        let printed = kernel::Chance::new(cases.parse::<u128>().unwrap(), of.parse::<u128>().unwrap());
        assert_eq!(ending.unwrap()["p"], printed.to_string(), "turn {turn}");
    }
}

#[test]
fn before_the_first_roll_a_die_is_not_used() {
    let reply = ask("breach.end", &json!({ "scenario": 3, "turn": 5, "dice": [6] }));
    assert_eq!(reply["answer"], json!({ "ends": false }));
    assert_eq!(reply.get("dice"), None);
}

#[test]
fn only_the_third_scenario_is_ended_by_a_roll() {
    let end = |scenario: i32| refused("breach.end", &json!({ "scenario": scenario, "turn": 6 }));
    assert_eq!(end(1), ("scenario".to_owned(), "BR-scenario-1-16".to_owned()));
    assert_eq!(end(2), ("scenario".to_owned(), "BR-R45".to_owned()));
    assert_eq!(end(4).0, "scenario");
}

#[test]
fn an_element_below_40_mm_is_a_wall_unless_it_is_very_tall() {
    let tower = |request: Value| answer("breach.tower", &request);
    assert_eq!(tower(json!({ "base_mm": [39.9, 80] })), json!({ "is_tower": false, "stands": 0 }));
    assert_eq!(tower(json!({ "base_mm": [30, 30], "tall": true })), json!({ "is_tower": true, "stands": 1 }));
    let stands = |base: [f64; 2]| tower(json!({ "base_mm": base }))["stands"].clone();
    assert_eq!([[60.0, 40.0], [60.0, 60.0], [50.0, 50.0]].map(stands), [6, 8, 4]);
    for base in [json!([0, 40]), json!([-40, 40]), json!([40, 1_000_000])] {
        assert!(refused("breach.tower", &json!({ "base_mm": base })).0.starts_with("base_mm"));
    }
    assert!(refused("breach.tower", &json!({ "base_mm": [40] })).0.starts_with("base_mm"));
}

#[test]
fn a_tie_is_the_defenders_unless_the_option_says_otherwise() {
    let sections = json!([section("wall", 1, 0), section("wall", 0, 1)]);
    let winner = |options: Value| {
        answer("breach.score", &json!({ "sections": sections, "options": options }))["winner"].clone()
    };
    assert_eq!(winner(json!({})), "defender");
    assert_eq!(winner(json!({ "siege_tie": "attacker_wins" })), "attacker");
}

#[test]
fn a_courtyard_cannot_be_destroyed() {
    let sections = json!([section("wall", 1, 0), destroyed("courtyard")]);
    let (field, rule) = refused("breach.score", &json!({ "sections": sections }));
    assert_eq!(field, "sections.1.destroyed");
    assert_eq!(rule, "BR-scenario-3-22");
}

proptest! {
    /// More points never buy less, and the defender never has more than half.
    #[test]
    fn budgets_grow_with_the_game(points in 1_i32..100_000) {
        for role in ["attacker", "defender"] {
            let (less, more) = (budget(role, points), budget(role, points + 1));
            for what in ["army", "equipment", "artillery", "min_multiplier", "max_multiplier"] {
                prop_assert!(less[what].as_f64() <= more[what].as_f64(), "{} {}", role, what);
            }
        }
        prop_assert!(2 * budget("defender", points)["army"].as_i64().unwrap() <= i64::from(points));
    }

    /// The score does not depend on the order in which the sections are named.
    #[test]
    fn the_order_of_the_sections_does_not_matter(
        stands in prop::collection::vec((0_usize..4, 0_i32..5, 0_i32..5), 0..20),
    ) {
        let kinds = ["wall", "tower", "gate", "courtyard"];
        let mut sections: Vec<Value> = stands.iter().map(|&(kind, a, d)| section(kinds[kind], a, d)).collect();
        let first = answer("breach.score", &json!({ "sections": sections }));
        sections.reverse();
        prop_assert_eq!(first, answer("breach.score", &json!({ "sections": sections })));
    }
}
