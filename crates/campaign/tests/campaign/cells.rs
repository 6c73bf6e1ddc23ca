//! Every cell of every chart, as the questions read it, against the CSV files as they lie on disk.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{answer, ask, effect, refused};

/// A table: each row by the names of its columns.
fn table(name: &str) -> Vec<BTreeMap<String, String>> {
    let path = format!("{}/../../rules/tables/campaign/{name}.csv", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(path).unwrap();
    let rows: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    assert!(!rows.is_empty());
    rows
}

fn number(text: &str) -> i64 {
    text.parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

/// Two dice with this sum.
fn two(sum: i64) -> String {
    let first = (sum - 1).min(6);
    format!("[{first}, {}]", sum - first)
}

/// A die from 1 to 6 and what must be added to it.
fn natural(die: i64) -> (i64, i64) {
    let face = die.clamp(1, 6);
    (face, die - face)
}

#[test]
fn combat_results() {
    let wide = table("combat_results");
    for row in table("combat_results_long") {
        let die = number(&row["die"]);
        let (face, _) = natural(die);
        let bonus = face - die;
        for (ground, ratio) in [("plain", &row["ratio_na"]), ("effect", &row["ratio_a"])] {
            let (attacker, defender) = ratio.split_once('-').unwrap();
            let request = format!(
                r#"{{"attacker_sp": {attacker}, "defender_sp": {defender}, "ground": "{ground}", "bonus": {bonus}, "dice": [{face}]}}"#
            );
            let found = answer("campaign.combat", &request);
            assert_eq!(found["ratio"], *ratio, "{request}");
            assert_eq!(found["die"], die);
            assert_eq!(found["attacker"], number(&row["attacker"]), "{request}");
            assert_eq!(found["defender"], number(&row["defender"]), "{request}");
            assert_eq!(found["loser"], row["loser"], "{request}");
            let column = format!("c{}", found["column"]);
            let line = if ground == "plain" { "NA" } else { "A" };
            let heading = wide.iter().find(|wide| wide["die"] == line).unwrap();
            assert_eq!(heading[&column], *ratio);
            let cell = &wide.iter().find(|wide| wide["die"] == row["die"]).unwrap()[&column];
            assert_eq!(*cell, format!("{}/{}", found["attacker"], found["defender"]));
        }
    }
}

#[test]
fn march_attrition() {
    let points = |column: &str| match column {
        "0" => vec![0],
        "1-3" => vec![1, 3],
        "4-6" => vec![4, 6],
        "7-10" => vec![7, 10],
        _ => vec![11, 40],
    };
    let marches = |distance: &str| match distance {
        "0" => vec!["0"],
        "0.5-2.5" => vec!["0.5", "2.5"],
        "3-4" => vec!["3", "4"],
        "4.5-5.5" => vec!["4.5", "5.5"],
        _ => vec!["6", "9"],
    };
    let dice = |band: &str| match band {
        "0-2" => vec![0, 2],
        "3-4" => vec![3, 4],
        "5-6" => vec![5, 6],
        "7-8" => vec![7, 8],
        "9-10" => vec![9, 10],
        _ => vec![11, 13],
    };
    let losses = table("march_attrition_losses");
    let rows = table("march_attrition_flat");
    assert_eq!(rows.len(), 1260);
    for row in rows {
        for size in [&row["size_min"], &row["size_max"]] {
            for points in points(&row["ap_or_forage"]) {
                let march = marches(&row["distance"])[0];
                for die in dice(&row["die"]) {
                    let (face, more) = natural(die);
                    let (extended, bonus) = (more.max(0), (-more).max(0));
                    let request = format!(
                        r#"{{"size_sp": {size}, "march_mp": {march}, "ap": {points}, "extended_mp": {extended}, "bonus": {bonus}, "dice": [{face}]}}"#
                    );
                    let found = answer("campaign.attrition", &request);
                    assert_eq!(found["loss_sp"], number(&row["loss_sp"]), "{request}");
                    assert_eq!(found["die"], die);
                    let line = losses.iter().find(|line| line["row"] == found["row"].to_string()).unwrap();
                    assert_eq!(number(&line[&format!("col{}", found["column"])]), found["loss_sp"]);
                }
            }
        }
        // The other end of the distance, and forage in place of points.
        let march = marches(&row["distance"]).pop().unwrap();
        let forage = points(&row["ap_or_forage"]).pop().unwrap();
        let (face, more) = natural(dice(&row["die"])[0]);
        let (forced, bonus) = (more.clamp(0, 4), (-more).max(0));
        let extended = more.max(0) - forced;
        let request = format!(
            r#"{{"size_sp": {}, "march_mp": {march}, "forage": {forage}.9, "forced_mp": {forced}, "extended_mp": {extended}, "bonus": {bonus}, "dice": [{face}]}}"#,
            row["size_min"]
        );
        assert_eq!(answer("campaign.attrition", &request)["loss_sp"], number(&row["loss_sp"]), "{request}");
    }
    for row in table("march_attrition_rows") {
        for (column, points) in
            [("ap_11_plus", 11), ("ap_7_10", 7), ("ap_4_6", 4), ("ap_1_3", 1), ("ap_0", 0)]
        {
            let Some((low, high)) = row[column].split_once('-') else { continue };
            for size in [low, high] {
                let request = format!(r#"{{"size_sp": {size}, "march_mp": 0, "ap": {points}, "dice": [1]}}"#);
                assert_eq!(answer("campaign.attrition", &request)["row"], number(&row["row"]), "{request}");
            }
        }
    }
    for row in table("march_attrition_columns") {
        for (column, die) in [
            ("die_0_2", 1),
            ("die_3_4", 3),
            ("die_5_6", 6),
            ("die_7_8", 8),
            ("die_9_10", 10),
            ("die_11_plus", 11),
        ] {
            let (face, extended) = natural(die);
            for march in [&row["mp_min"], &row["mp_max"]] {
                let request = format!(
                    r#"{{"size_sp": 9, "march_mp": {march}, "ap": 5, "extended_mp": {extended}, "dice": [{face}]}}"#
                );
                assert_eq!(
                    answer("campaign.attrition", &request)["column"],
                    number(&row[column]),
                    "{request}"
                );
            }
        }
    }
}

#[test]
fn artillery_fire() {
    for row in table("artillery_fire") {
        let die = number(&row["die"]);
        let (face, _) = natural(die);
        let bonus = face - die;
        for (column, guns) in [
            ("art_1", vec![1]),
            ("art_2_3", vec![2, 3]),
            ("art_4_5", vec![4, 5]),
            ("art_6_7", vec![6, 7]),
            ("art_8_plus", vec![8, 30]),
        ] {
            for guns in guns {
                let request = format!(r#"{{"artillery_sp": {guns}, "bonus": {bonus}, "dice": [{face}]}}"#);
                let found = answer("campaign.artillery", &request);
                assert_eq!(found, json!({"loss_sp": number(&row[column]), "die": die}), "{request}");
            }
        }
    }
}

#[test]
fn administrative_points() {
    let columns = table("admin_columns");
    for row in table("admin_points") {
        for column in &columns {
            let source = match column["supply_source"].as_str() {
                "vienna_2854" => "vienna",
                "krems_1154" => "krems",
                _ => "austro-russian",
            };
            for distance in [&column["distance_min"], &column["distance_max"]] {
                let request = format!(
                    r#"{{"source": "{source}", "distance": {distance}, "dice": {}}}"#,
                    two(number(&row["dice"]))
                );
                let expected = number(&row[&column["column"]]);
                assert_eq!(answer("campaign.admin", &request), json!({"ap": expected}), "{request}");
            }
        }
    }
}

#[test]
fn negotiation() {
    for row in table("negotiation") {
        for (column, levels) in [
            ("vm_-5_-4", vec![-5, -4]),
            ("vm_-3", vec![-3]),
            ("vm_-2", vec![-2]),
            ("vm_-1", vec![-1]),
            ("vm_0", vec![0]),
            ("vm_+1", vec![1]),
            ("vm_+2", vec![2]),
            ("vm_+3", vec![3]),
        ] {
            for morale in levels {
                let dice = two(number(&row["dice"]));
                let roll = |under_way: bool| {
                    answer(
                        "campaign.negotiation",
                        &format!(r#"{{"morale": {morale}, "under_way": {under_way}, "dice": {dice}}}"#),
                    )
                };
                let (first, later) = match row[column].as_str() {
                    "END" => {
                        (json!({"result": "refused", "turns": 0}), json!({"result": "refused", "turns": 0}))
                    }
                    "RA" => (json!({"result": "again", "turns": 0}), json!({"result": "again", "turns": 0})),
                    "STAR" => (
                        json!({"result": "again", "turns": 0}),
                        json!({"result": "marginal-victory", "turns": 0}),
                    ),
                    talks => (
                        json!({"result": "talks", "turns": number(&talks[1..])}),
                        json!({"result": "again", "turns": 0}),
                    ),
                };
                assert_eq!(roll(false), first, "{morale} {dice}");
                assert_eq!(roll(true), later, "{morale} {dice}");
            }
        }
    }
}

#[test]
fn weather() {
    for row in table("weather") {
        let die = number(&row["modified_die"]);
        let (face, more) = natural(die);
        let previous = match more {
            -1 => r#""previous_die": 1,"#,
            1 => r#""previous_die": 6,"#,
            _ => r#""previous_die": 3,"#,
        };
        let request = format!(r#"{{"month": "{}", {previous} "dice": [{face}]}}"#, row["month"]);
        let fog = row["fog_ruled"] == "yes";
        assert_eq!(
            answer("campaign.weather", &request),
            json!({"weather": row["weather"], "fog": fog, "die": die}),
            "{request}"
        );
    }
}

fn band(text: &str) -> Vec<i64> {
    match text.split_once('-') {
        Some((low, high)) if !low.is_empty() => vec![number(low), number(high)],
        _ => vec![number(text.trim_end_matches('+'))],
    }
}

#[test]
fn initiative() {
    for (name, option) in [("initiative_matrix", "plus_2"), ("initiative_matrix_printed", "plus_1")] {
        for row in table(name) {
            for passive in band(&row["passive_initiative"]) {
                for active in 0..=5_i64 {
                    let column = match (name, active) {
                        ("initiative_matrix", 0 | 1) => "active_0_1".to_owned(),
                        (_, 0) => "active_1".to_owned(),
                        _ => format!("active_{active}"),
                    };
                    let request = format!(
                        r#"{{"active": {active}, "passive": {passive}, "purpose": "pursuit", "options": {{"initiative_4_vs_1": "{option}"}}}}"#
                    );
                    let expected = number(&row[&column]);
                    assert_eq!(
                        answer("campaign.initiative", &request),
                        json!({"initiative": expected, "resistance": expected}),
                        "{request}"
                    );
                }
            }
        }
    }
}

#[test]
fn pursuit() {
    let dice = |band: &str| match band {
        "-1..0" => vec![-1, 0],
        "1..2" => vec![1, 2],
        "3..4" => vec![3, 4],
        "5..6" => vec![5, 6],
        _ => vec![7],
    };
    let chase = |initiative: i64, retreat: i64, die: i64, option: &str| {
        let (face, modifier) = natural(die);
        let request = format!(
            r#"{{"initiative": {initiative}, "retreat": {retreat}, "modifier": {modifier}, "dice": [{face}],
                "options": {{"pursuit_alignment": "{option}"}}}}"#
        );
        let found = answer("campaign.pursuit", &request);
        assert_eq!(found["die"], die, "{request}");
        found["advance"].as_i64().unwrap()
    };
    let rows = table("pursuit_flat");
    assert_eq!(rows.len(), 160);
    for row in &rows {
        for initiative in band(&row["pursuer_initiative"]) {
            for die in dice(&row["modified_die"]) {
                let retreat = number(row["retreat_length"].trim_end_matches('+'));
                let found = chase(initiative, retreat, die, "staircase");
                assert_eq!(found, number(&row["advance_and_losses"]), "{row:?}");
            }
        }
    }
    let advance = table("pursuit_advance");
    for row in table("pursuit_alignment") {
        for (name, column) in row.iter().filter(|(name, _)| name.starts_with("retreat")) {
            let retreat = number(name.trim_start_matches("retreat_").trim_end_matches("_plus"));
            for line in &advance {
                let die = dice(&line["modified_die"])[0];
                let expected = if column.is_empty() { 0 } else { number(&line[&format!("col{column}")]) };
                for initiative in band(&row["pursuer_initiative"]) {
                    assert_eq!(chase(initiative, retreat, die, "staircase"), expected);
                }
            }
        }
    }
    for row in table("pursuit_alignment_printed") {
        for retreat in 1..=8_i64 {
            let wanted = if retreat == 8 { "8+".to_owned() } else { retreat.to_string() };
            let column = row.iter().find(|(name, cell)| name.starts_with("col") && **cell == wanted);
            for line in &advance {
                let expected = column.map_or(0, |(name, _)| number(&line[name]));
                for initiative in band(&row["initiative"]) {
                    assert_eq!(
                        chase(initiative, retreat, dice(&line["modified_die"])[0], "printed"),
                        expected
                    );
                }
            }
        }
    }
}

fn cost(request: &str) -> Value {
    answer("campaign.move-cost", request)["mp"].clone()
}

fn decimal(text: &str) -> f64 {
    text.parse().unwrap()
}

#[test]
fn terrain_hexes() {
    for row in table("terrain_hexes") {
        let hex = row["terrain"].replace('_', "-");
        for (arm, column) in
            [("infantry", "infantry_mp"), ("artillery", "infantry_mp"), ("cavalry", "cavalry_mp")]
        {
            if row[column] == "other_terrain" {
                for (ground, mp) in [("clear", 1.0), ("hill", 1.5)] {
                    let request = format!(r#"{{"arm": "{arm}", "hex": "town", "ground": "{ground}"}}"#);
                    assert!((cost(&request).as_f64().unwrap() - mp).abs() < 1e-9, "{request}");
                }
                continue;
            }
            let request = format!(r#"{{"arm": "{arm}", "hex": "{hex}"}}"#);
            let found = cost(&request).as_f64().unwrap();
            assert!((found - decimal(&row[column])).abs() < 1e-9, "{request}: {found}");
        }
        // The fight: the line, the factors, the silent guns, the limit and the doubling.
        let line_a = row["crt_line"] == "A";
        let battle = format!(
            r#"{{"attacker": {{"infantry": 12, "cavalry": 4, "artillery": 2, "initiative": 3}},
                "defender": {{"infantry": 20, "initiative": 3}}, "hex": "{hex}", "pursue": false,
                "rounds": [{{"attacker": "pitched", "defender": "pitched"}}], "dice": {}}}"#,
            if row["attacker_artillery_allowed"] == "no" { "[3]" } else { "[6, 3]" }
        );
        let reply = ask("campaign.battle", &battle);
        assert!(reply["answer"].is_object(), "{battle} {reply}");
        let allowed = row["attacker_artillery_allowed"] != "no";
        assert_eq!(effect(&reply, "CA-terrain-08").is_none(), allowed, "{hex}");
        let factor = |column: &str| row[column].parse::<f64>().unwrap_or(1.0);
        let (mut foot, mut horse) = (12.0, 4.0);
        if let Ok(limit) = row["attacker_sp_limit"].parse::<f64>() {
            foot = limit;
            horse = 0.0;
            assert_eq!(effect(&reply, "CA-terrain-05"), Some(format!("at most {limit}")));
        }
        let attacker =
            foot * factor("attacking_infantry_factor") + horse * factor("attacking_cavalry_factor");
        let doubled = row["defender_factor_sp_limit"].parse::<f64>().unwrap_or(0.0);
        let defender = 20.0 + doubled * (decimal(&row["defender_factor"]) - 1.0).min(1.0);
        let one = format!(
            r#"{{"attacker_sp": {attacker}, "defender_sp": {defender}, "ground": "{}", "dice": [3]}}"#,
            if line_a { "effect" } else { "plain" }
        );
        let single = ask("campaign.combat", &one);
        for rule in ["CA-crt-02", "CA-crt-03"] {
            assert_eq!(effect(&reply, rule), effect(&single, rule), "{hex}: {one}");
        }
        assert_eq!(
            effect(&reply, "CA-terrain-12").is_some(),
            row["pitched_battle_always_allowed"] == "yes",
            "{hex}"
        );
    }
}

#[test]
fn forage_values() {
    let seen: BTreeMap<String, String> = table("terrain_hexes")
        .into_iter()
        .map(|row| (row["terrain"].clone(), row["forage_value"].clone()))
        .collect();
    // A hex of each kind that is on the map; the mountain is on none.
    for (kind, hex) in
        [("clear", "0102"), ("depot", "1822"), ("citadel", "2603"), ("town", "2521"), ("hill", "2222")]
    {
        let request = format!(r#"{{"hex": "{hex}", "options": {{"forage_area": "occupied_hex"}}}}"#);
        let found = answer("campaign.forage", &request)["value"].as_f64().unwrap();
        assert!((found - decimal(&seen[kind])).abs() < 1e-9, "{kind}");
    }
    for hex in campaign::terms::Hex::ALL {
        let (value, _) = kernel::scripted(&[], |clerk| campaign::terrain::forage_of(*hex, clerk)).unwrap();
        let name = serde_json::to_value(hex).unwrap().as_str().unwrap().replace('-', "_");
        assert_eq!(value, (decimal(&seen[&name]) * 100.0).round() as i32);
    }
}

#[test]
fn terrain_hexsides() {
    for row in table("terrain_hexsides") {
        let feature = row["feature"].replace('_', "-");
        for (arm, column) in [("infantry", "infantry_mp"), ("cavalry", "cavalry_mp")] {
            let request = match feature.as_str() {
                "primary-road" => format!(r#"{{"arm": "{arm}", "hex": "mountain", "road": "primary"}}"#),
                "secondary-road" => format!(r#"{{"arm": "{arm}", "hex": "mountain", "road": "secondary"}}"#),
                "enemy-zoc" => format!(
                    r#"{{"arm": "{arm}", "hex": "clear", "leaves_zoc": {{"enemy_sp": 9, "enemy_has_cavalry": true, "campaign": true}}}}"#
                ),
                side => format!(r#"{{"arm": "{arm}", "hex": "clear", "side": "{side}"}}"#),
            };
            if row[column].parse::<f64>().is_err() {
                assert_eq!(refused("campaign.move-cost", &request).0.as_deref(), Some("side"));
                let frozen = request.replace("}", r#", "weather": "snow"}"#);
                assert_eq!(row["treated_as_in_frost_or_snow"], "secondary_river");
                assert_eq!(cost(&frozen), json!(2));
                continue;
            }
            let base = if row["cost_mode"] == "replace" { 0.0 } else { 1.0 };
            let found = cost(&request).as_f64().unwrap();
            assert!((found - base - decimal(&row[column])).abs() < 1e-9, "{request}: {found}");
        }
        if feature.contains("road") || feature == "enemy-zoc" {
            continue;
        }
        let battle = format!(
            r#"{{"attacker": {{"infantry": 9, "initiative": 3}}, "defender": {{"infantry": 9, "initiative": 3}},
                "side": "{feature}", "stops_after": 1,
                "rounds": [{{"attacker": "pitched", "defender": "pitched"}}, {{"attacker": "pitched", "defender": "pitched"}}],
                "dice": [3]}}"#
        );
        let reply = ask("campaign.battle", &battle);
        match row["crt_line"].as_str() {
            "A" => {
                assert_eq!(effect(&reply, "CA-crt-02").as_deref(), Some("= 5"), "{feature}");
                assert_eq!(row["counterattack_across"], "optional");
                assert_eq!(reply["answer"]["ending"], "stopped");
            }
            _ => assert!(reply["refused"].is_object(), "{feature}"),
        }
    }
}

#[test]
fn ultimatum_morale_cavalry_and_communications() {
    for row in table("ultimatum") {
        for die in number(&row["die_min"])..=number(&row["die_max"]) {
            let (face, more) = natural(die);
            let morale = match more {
                -2 => 3,
                -1 => 2,
                _ => 0,
            };
            let found = answer("campaign.ultimatum", &format!(r#"{{"morale": {morale}, "dice": [{face}]}}"#));
            let result =
                row["result"].replace("prussia_leaves_coalition", "prussia-leaves").replace('_', "-");
            assert_eq!(found, json!({"result": result, "die": die}));
            assert_eq!(row["rolls_continue"] == "yes", result == "roll-again");
        }
    }
    for row in table("vienna_morale") {
        let event = row["condition"].replace('_', "-");
        let found = answer("campaign.morale", &format!(r#"{{"morale": 0, "events": ["{event}"]}}"#));
        assert_eq!(found["morale"], number(&row["change"]), "{event}");
        assert_eq!(found["operational_victory"], event == "napoleon-eliminated");
    }
    for row in table("cavalry_differential") {
        let least = decimal(&row["ratio_min"]);
        let most = row["ratio_max_excluded"].parse::<f64>().ok();
        let mut ratios = vec![least, least + 0.25];
        ratios.extend(most.map(|most| most - 0.01));
        for ratio in ratios {
            let (more, less) = ((ratio * 100.0).round(), 100);
            let (active, passive) =
                if row["superior_side"] == "passive" { (100, more as i64) } else { (more as i64, less) };
            let found =
                answer("campaign.cavalry", &format!(r#"{{"active": {active}, "passive": {passive}}}"#));
            assert_eq!(found["modifier"], number(&row["modifier"]), "{active}:{passive}");
        }
    }
    for row in table("communications") {
        let army = row["side"].replace('_', "-");
        for source in row["supply_sources"].split(' ') {
            let request = format!(
                r#"{{"army": "{army}", "hex": "{source}", "centre": "{source}", "source": "{source}"}}"#
            );
            let found = answer("campaign.supply", &request);
            assert_eq!(found["source"]["to"], source);
            assert_eq!(found["source"]["limit"], number(&row["supply_mp"]));
            assert_eq!(found["dispatch"]["limit"], number(&row["dispatch_mp"]));
            assert_eq!(found["line"], true);
        }
    }
}

#[test]
fn bridges() {
    for row in table("bridges") {
        let bridge = row["bridge"].replace('_', "-");
        let ask_for = |action: &str, all_cavalry: bool| {
            format!(r#"{{"bridge": "{bridge}", "action": "{action}", "all_cavalry": {all_cavalry}}}"#)
        };
        for (action, column, by) in [
            ("damage", row["damage_mp"].clone(), row["damage_by_all_cavalry"] == "yes"),
            ("repair", row["repair_mp"].clone(), row["repair_by_all_cavalry"] == "yes"),
        ] {
            assert_eq!(answer("campaign.bridge", &ask_for(action, false))["mp"], number(&column));
            let mounted = ask("campaign.bridge", &ask_for(action, true));
            assert_eq!(mounted.get("answer").is_some(), by, "{bridge} {action}");
        }
        assert_eq!(row["destroy_allowed"], "no");
        assert_eq!(
            refused("campaign.bridge", &ask_for("destroy", false)).1.as_deref(),
            Some("CA-bridges-06")
        );
        match row["capture_mp"].split_once('/') {
            Some((left, taken)) => {
                assert_eq!(answer("campaign.bridge", &ask_for("capture", false))["mp"], number(left));
                assert_eq!(
                    answer("campaign.bridge", &ask_for("capture-and-take-up", false))["mp"],
                    number(taken)
                );
                assert_eq!(row["capture_by_all_cavalry"], "no");
                assert_eq!(
                    refused("campaign.bridge", &ask_for("capture", true)).1.as_deref(),
                    Some("CA-bridges-11")
                );
            }
            None => {
                assert_eq!(row["capture_allowed"], "no");
                assert_eq!(
                    refused("campaign.bridge", &ask_for("capture", false)).1.as_deref(),
                    Some("CA-bridges-10")
                );
            }
        }
        assert_eq!(row["capacity_sp"], "unlimited");
        assert_eq!(answer("campaign.bridge", &ask_for("cross", false))["mp"], 1);
    }
}
