//! What must hold for any list of an army: it is reckoned, its sums are those of the tables, and one
//! that keeps the rules is legal.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::asking::ask;
use crate::roster::roster;
use crate::table;

const EMPIRE: [&str; 15] = [
    "halberdiers",
    "handgunners",
    "crossbowmen",
    "flagellants",
    "skirmishers",
    "knights",
    "pistoliers",
    "volley_gun",
    "cannon",
    "steam_tank",
    "general",
    "hero",
    "wizard",
    "griffon",
    "war_altar",
];
const DWARF: [&str; 11] = [
    "warriors",
    "handgunners",
    "rangers",
    "slayers",
    "cannon",
    "flame_cannon",
    "gyrocopter",
    "general",
    "hero",
    "runesmith",
    "anvil",
];
const ITEMS: [&str; 11] = [
    "earthwork",
    "oil_rocks",
    "portable_ram",
    "ladders",
    "sow",
    "mantlets",
    "siege_tower",
    "ram",
    "mangonel",
    "bombard",
    "trebuchet",
];

fn counts(names: &'static [&'static str], most: i32) -> impl Strategy<Value = Value> {
    prop::collection::btree_map(prop::sample::select(names), 0..=most, 0..8).prop_map(|map| json!(map))
}

prop_compose! {
    /// Any list that can be read at all.
    fn any_list()(army in prop::sample::select(vec!["empire", "dwarf"]))
        (lines in counts(if army == "empire" { &EMPIRE } else { &DWARF }, 200), equipment in counts(&ITEMS, 200),
         army in Just(army), role in prop::sample::select(vec!["attacker", "defender"]), points in 1..=100_000_i32,
         siege in any::<bool>()) -> Value {
        json!({ "army": army, "role": role, "points": points, "siege": siege, "lines": lines,
            "equipment": equipment })
    }
}

prop_compose! {
    /// A list that keeps every rule: the least army, then whatever still fits.
    fn legal_list()(army in prop::sample::select(vec!["empire", "dwarf"]), attacks in any::<bool>(),
        points in 1000..=4000_i32, wishes in prop::collection::vec((0_usize..26, 0_i32..4), 0..40)) -> Value {
        let thousands = points / 1000;
        let up = if attacks { thousands } else { (points + 999) / 1000 };
        let list: Vec<_> = table(&format!("army_{army}")).into_iter().filter(|row| {
            // What is borne is left at home here.
            !["mount", "upgrade"].contains(&row["type"].as_str()) && row["id"] != "skirmishers" && row["id"] != "general"
        }).collect();
        let general = if army == "empire" { 125 } else { 155 };
        let mut lines = std::collections::BTreeMap::from([("general".to_owned(), 1)]);
        let mut left = points - general;
        for row in &list {
            let min = row["min_per_1000"].parse::<i32>().unwrap_or(0) * thousands;
            if min > 0 {
                lines.insert(row["id"].clone(), min);
                left -= min * row["points"].parse::<i32>().unwrap();
            }
        }
        let (equipment_left, quarter) = (points / 20 * 5, points / 4);
        let mut purse = equipment_left.min(quarter);
        let mut guns = purse / 2;
        let mut equipment = std::collections::BTreeMap::new();
        for (place, count) in wishes {
            if let Some(row) = list.get(place) {
                let price: i32 = row["points"].parse().unwrap();
                let have = lines.get(&row["id"]).copied().unwrap_or(0);
                let most = row["max_per_1000"].parse::<i32>().map_or(200, |max| max * up);
                let more = count.min(most - have).min(left / price).max(0);
                lines.insert(row["id"].clone(), have + more);
                left -= more * price;
            }
            let Some(item) = ITEMS.get(place) else { continue };
            let engine = ["mangonel", "bombard", "trebuchet"].contains(item);
            let open = match *item {
                "earthwork" => true,
                "oil_rocks" => !attacks,
                _ => attacks,
            };
            let price = match *item { "earthwork" => 15, "mangonel" => 80, "bombard" => 90, "trebuchet" => 120,
                "mantlets" | "siege_tower" | "ram" => 10, _ => 5 };
            let have: i32 = equipment.get(item).copied().unwrap_or(0);
            let most = if engine { thousands - have } else { 200 - have };
            let more = if open { count.min(most).min(purse / price) } else { 0 };
            let more = if engine { more.min(guns / price) } else { more };
            equipment.insert(*item, have + more);
            purse -= more * price;
            if engine { guns -= more * price; }
        }
        json!({ "army": army, "role": if attacks { "attacker" } else { "defender" }, "points": points,
            "lines": lines, "equipment": equipment })
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// No list is too odd to be reckoned, and whatever is wrong names a rule of the ledger.
    #[test]
    fn any_list_is_reckoned_and_every_violation_names_its_rule(list in any_list()) {
        let reply = ask("breach.roster", &list);
        let answer = &reply["answer"];
        prop_assert!(answer.is_object(), "{}", reply);
        let violations = answer["violations"].as_array().unwrap();
        prop_assert_eq!(answer["legal"] == true, violations.is_empty());
        for violation in violations {
            let rule = violation["rule"].as_str().unwrap();
            prop_assert!(rulebook::entry(rule).is_some(), "{}", violation);
            if let Some(line) = violation["line"].as_str() {
                let named = ["lines", "equipment"].iter().any(|purse| list[purse].get(line).is_some());
                prop_assert!(named || ["min", "general"].contains(&violation["what"].as_str().unwrap()), "{}", violation);
            }
        }
        let closed: Vec<&Value> = violations.iter().filter(|one| one["what"] == "closed").map(|one| &one["line"]).collect();
        for line in closed {
            prop_assert_eq!(violations.iter().filter(|one| &one["line"] == line).count(), 1);
        }
    }

    /// The sums are those of the lists.
    #[test]
    fn the_sums_are_those_of_the_lists(list in any_list()) {
        let answer = roster(&list);
        let sum = |names: &[&str], column: &str, purse: &str| -> i64 {
            names.iter().flat_map(|name| table(name)).map(|row| {
                let price: i64 = row[column].trim_start_matches('+').parse().unwrap();
                list[purse].get(&row["id"]).and_then(Value::as_i64).unwrap_or(0) * price
            }).sum()
        };
        let army = format!("army_{}", list["army"].as_str().unwrap());
        prop_assert_eq!(answer["army"].as_i64().unwrap(), sum(&[&army], "points", "lines"));
        prop_assert_eq!(answer["equipment"].as_i64().unwrap(), sum(&["equipment_siege", "equipment_artillery"], "cost", "equipment"));
        prop_assert_eq!(answer["artillery"].as_i64().unwrap(), sum(&["equipment_artillery"], "cost", "equipment"));
    }

    /// A list that keeps the rules is accepted.
    #[test]
    fn legal_lists_are_accepted(list in legal_list()) {
        prop_assert_eq!(&roster(&list)["violations"], &json!([]), "{}", list);
    }
}
