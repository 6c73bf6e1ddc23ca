//! Every question of the operational map, with its refusals.

use rulebook::Lang;
use serde_json::{Value, json};

fn ask(name: &str, request: &Value) -> Value {
    let question = super::questions().into_iter().find(|asking| asking.name == name).unwrap();
    serde_json::from_str(&question.ask(&request.to_string(), Lang::En).json).unwrap()
}

#[test]
fn a_march_costs_what_the_terrain_says() {
    let reply = ask(
        "danzig.move",
        &json!({ "unit": "F01", "path": ["0901", "0902", "0903", "1003", "1104", "1204", "1305", "1405", "1506"] }),
    );
    assert_eq!(reply["answer"]["mp"], 8);
    assert_eq!(reply["answer"]["halted"], false);
    let reply = ask(
        "danzig.move",
        &json!({ "unit": "F45", "path": ["2403", "2404", "2405", "2406", "2407", "2408"] }),
    );
    assert_eq!(reply["refused"]["field"], "path.5");
    assert_eq!(reply["refused"]["rule"], "DZ-3.3.2-01");
    let reply = ask("danzig.move", &json!({ "unit": "F01", "path": ["3717", "3817", "3917", "4017"] }));
    assert_eq!(reply["answer"]["fortress_attacks"], 3);
    let zone = json!({ "unit": "F01", "path": ["2407", "2408", "2409", "2309"],
                       "others": [{ "unit": "P18", "hex": "2410", "facing": "west" }] });
    assert_eq!(ask("danzig.move", &zone)["refused"]["field"], "path.3");
    let far = json!({ "unit": "F01", "path": ["2407", "2607"] });
    assert_eq!(ask("danzig.move", &far)["refused"]["field"], "path.1");
    let gun = json!({ "unit": "F32", "path": ["2407"], "formation": "square" });
    assert_eq!(ask("danzig.move", &gun)["refused"]["field"], "formation");
}

#[test]
fn a_shot_gives_its_odds_or_its_result() {
    let fortress = json!({ "firers": [{ "kind": "fortress" }], "target": {} });
    let reply = ask("danzig.fire", &fortress);
    assert_eq!(reply["odds"].as_array().unwrap().len(), 6);
    let battery = json!({ "firers": [{ "kind": "french-battery", "distance": 2 }],
                          "target": { "terrain": "forest", "helpless": true }, "dice": [5] });
    let reply = ask("danzig.fire", &battery);
    assert_eq!(reply["answer"], json!({ "factor": 3, "roll": 6, "steps": 1, "morale_test": false }));
    let far = json!({ "firers": [{ "kind": "battalion", "distance": 2 }], "target": {} });
    assert_eq!(ask("danzig.fire", &far)["refused"]["field"], "firers.0.distance");
    let covered =
        json!({ "firers": [{ "kind": "battalion", "formation": "column" }], "target": { "redoubt": true } });
    assert_eq!(ask("danzig.fire", &covered)["refused"]["rule"], "DZ-TET-05");
}

#[test]
fn a_melee_counts_strengths_and_shifts() {
    let column = |steps: u8| json!({ "arm": "infantry", "formation": "column", "steps": steps });
    let request = json!({ "attackers": [column(4)], "defenders": [column(2)], "dice": [5] });
    let reply = ask("danzig.melee", &request);
    assert_eq!(reply["answer"]["odds"], "2:1");
    assert_eq!(reply["answer"]["defender"], json!({ "steps": 1, "disordered": true, "test": false }));
    // Its reasons tell both strengths and the result, as the table prints it.
    let told: Vec<&str> = reply["because"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|because| because["rule"] == "DZ-R88")
        .filter_map(|because| because["effect"].as_str())
        .collect();
    let strengths = told.iter().find_map(|effect| effect.strip_prefix("= ")?.split_once(" : "));
    let [attack, defence] = strengths.map_or(["", ""], |(attack, defence)| [attack, defence]);
    assert_eq!(attack.parse::<u32>().unwrap(), 2 * defence.parse::<u32>().unwrap(), "{told:?}");
    assert!(told.contains(&"= -/1D"), "{told:?}");
    let village = json!({ "attackers": [column(8)], "defenders": [{ "arm": "infantry", "formation": "adapted", "steps": 2 }],
                          "terrain": "village", "dice": [4] });
    let reply = ask("danzig.melee", &village);
    assert_eq!((&reply["answer"]["odds"], &reply["answer"]["defender"]["steps"]), (&json!("2:1"), &json!(1)));
    let horse = json!({ "attackers": [{ "arm": "light-cavalry", "formation": "formed", "steps": 3 }],
                        "defenders": [column(2)], "redoubt": true });
    assert_eq!(ask("danzig.melee", &horse)["refused"]["rule"], "DZ-R106");
    let flanked =
        json!({ "attackers": [column(2)], "defenders": [column(2)], "flank": true, "surrounded": true });
    let reply = ask("danzig.melee", &flanked);
    assert!(reply["odds"].as_array().unwrap().iter().all(|outcome| outcome["answer"]["odds"] == "2:1"));
}

#[test]
fn the_siege_train_does_not_fight_it_is_swept_aside() {
    let column = json!({ "arm": "infantry", "formation": "column", "steps": 4 });
    let gun = |arm: &str, disordered: bool| json!({ "arm": arm, "formation": "limbered", "steps": 1, "disordered": disordered });
    let met = |defenders: Value, dice: Value| {
        ask("danzig.melee", &json!({ "attackers": [column], "defenders": defenders, "dice": dice }))
    };
    let reply = met(json!([gun("siege24", false), gun("mortar", true)]), json!([1]));
    assert_eq!(reply["answer"]["train"], json!(["disordered", "eliminated"]), "{reply}");
    assert_eq!((&reply["answer"]["odds"], &reply["answer"]["die"]), (&json!(null), &json!(null)));
    let cited: Vec<&str> =
        reply["because"].as_array().unwrap().iter().filter_map(|because| because["rule"].as_str()).collect();
    assert_eq!(
        cited.iter().filter(|rule| ["DZ-3.3.2-02", "DZ-3.3.3-02"].contains(rule)).count(),
        2,
        "{cited:?}"
    );
    // Beside infantry only the infantry is fought: 4 steps against 2.
    let infantry = json!({ "arm": "infantry", "formation": "column", "steps": 2 });
    let reply = met(json!([infantry, gun("siege12", true)]), json!([5]));
    assert_eq!(
        (&reply["answer"]["odds"], &reply["answer"]["train"]),
        (&json!("2:1"), &json!(["eliminated"]))
    );
}

#[test]
fn a_march_of_what_cannot_be_on_the_map_is_refused_by_name() {
    let field = |request: Value| ask("danzig.move", &request)["refused"]["field"].clone();
    assert_eq!(field(json!({ "unit": "F01a", "path": ["0901", "0902"] })), "unit");
    assert_eq!(field(json!({ "unit": "P41", "path": ["0901", "0902"] })), "unit");
    let other =
        json!({ "unit": "F01", "path": ["0901", "0902"], "others": [{ "unit": "F02b", "hex": "0903" }] });
    assert_eq!(field(other), "others.0.unit");
    let dry = json!({ "unit": "F01", "path": ["0901", "0902"], "bridge": ["0903", "0904"] });
    assert_eq!(field(dry), "bridge");
    assert_eq!(field(json!({ "unit": "F01", "path": ["0136", "0135"] })), "path.0");
    assert_eq!(field(json!({ "unit": "F01", "path": ["3119", "3120"] })), "path.0");
}
