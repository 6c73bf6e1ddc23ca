//! The map: sound data, the distances the scenario names, marches and lines over it.

use campaign::map::{HexId, map};
use campaign::routes::{Enemy, Field};
use campaign::terms::{Arm, Game, Road, Weather};
use kernel::MovementPoints;
use serde_json::json;

use crate::{answer, ask, effect, refused};

fn hex(text: &str) -> HexId {
    HexId::read(text).unwrap()
}

#[test]
fn the_data_of_the_map_are_sound() {
    assert_eq!(map().faults(), Vec::<String>::new());
    assert_eq!(map().cells().len(), 2106);
    assert_eq!(map().cells().iter().filter(|cell| !cell.in_play).count(), 12);
}

#[test]
fn neighbours_know_each_other_and_share_their_hexside() {
    for cell in map().cells() {
        for direction in 0..6 {
            let Some(next) = cell.id.neighbour(direction) else { continue };
            let back = (direction + 3) % 6;
            assert_eq!(next.neighbour(back), Some(cell.id));
            assert_eq!(map().cell(next).sides[back], cell.sides[direction], "{}", cell.id);
            assert_eq!(map().cell(next).roads[back], cell.roads[direction], "{}", cell.id);
        }
    }
}

#[test]
fn the_primary_road_distances_of_the_scenario_hold() {
    for (army, source, centre, hexes) in [
        ("french", "2854", "2534", 22),
        ("french", "2854", "1930", 29),
        ("french", "2854", "1822", 37),
        ("french", "2854", "2521", 44),
        ("french", "2854", "2603", 60),
        ("french", "1154", "1547", 9),
        ("french", "1154", "1038", 20),
        ("french", "1154", "1930", 33),
        ("french", "1154", "1822", 41),
        ("austro-russian", "2501", "2603", 3),
        ("austro-russian", "2501", "2509", 9),
        ("austro-russian", "2501", "2516", 16),
        ("austro-russian", "2501", "1822", 26),
        ("austro-russian", "3701", "2603", 12),
        ("austro-russian", "3701", "2516", 25),
        ("austro-russian", "3701", "1822", 35),
        ("austro-russian", "3918", "2521", 14),
        ("austro-russian", "3918", "1822", 21),
        ("austro-russian", "3929", "2521", 18),
        ("austro-russian", "3929", "1822", 25),
    ] {
        let request =
            format!(r#"{{"army": "{army}", "hex": "{centre}", "centre": "{centre}", "source": "{source}"}}"#);
        assert_eq!(answer("campaign.supply", &request)["road_hexes"], hexes, "{source} to {centre}");
    }
}

#[test]
fn a_line_of_communication_crosses_bridges_for_nothing() {
    // One hex of primary road over a bridge: half a point for the line, one and a half for whoever marches.
    let line = answer("campaign.supply", r#"{"army": "french", "hex": "2703", "centre": "2603"}"#);
    assert_eq!(line["centre"]["mp"], json!(0.5));
    let march = answer("campaign.reach", r#"{"hex": "2703", "arm": "cavalry", "to": "2603"}"#);
    assert_eq!(march["hexes"][0]["mp"], json!(1.5));
}

#[test]
fn a_path_explains_its_cost() {
    // Brünn to the Olmütz road: a bridge over the Zwittawa, then the imperial road.
    let reply = ask("campaign.reach", r#"{"hex": "1822", "arm": "infantry", "to": "2220"}"#);
    let found = &reply["answer"]["hexes"][0];
    assert_eq!(found["path"], json!(["1822", "1922", "2021", "2121", "2220"]));
    assert_eq!(found["mp"], json!(3));
    assert!(effect(&reply, "CA-terrain-17").is_some() && effect(&reply, "CA-terrain-27").is_some());
    assert_eq!(
        refused("campaign.reach", r#"{"hex": "1822", "arm": "infantry", "to": "2603"}"#).0.as_deref(),
        Some("to")
    );
}

#[test]
fn a_march_stops_at_its_allowance_and_grows_with_it() {
    let count = |request: &str| answer("campaign.reach", request)["count"].as_i64().unwrap();
    let foot = count(r#"{"hex": "1822", "arm": "infantry"}"#);
    assert_eq!(foot, count(r#"{"hex": "1822", "arm": "artillery"}"#));
    assert!(count(r#"{"hex": "1822", "arm": "infantry", "extended_mp": 2}"#) > foot);
    assert!(count(r#"{"hex": "1822", "arm": "infantry", "mp": 1}"#) < foot);
    let mixed = answer("campaign.reach", r#"{"hex": "1822", "arm": "mixed"}"#);
    assert!(mixed["count"].as_i64().unwrap() <= foot);
    for reached in mixed["hexes"].as_array().unwrap() {
        assert!(reached["mp"].as_f64().unwrap() <= 6.0 && reached["cavalry_mp"].as_f64().unwrap() <= 9.0);
    }
    assert_eq!(
        refused("campaign.reach", r#"{"hex": "1822", "arm": "mixed", "to": "0101"}"#).0.as_deref(),
        Some("to")
    );
}

#[test]
fn frost_opens_the_ponds_and_the_enemy_bars_the_way() {
    let options = Default::default();
    let lake = map()
        .cells()
        .iter()
        .find_map(|cell| {
            let direction = cell.sides.iter().position(|side| *side == campaign::terms::Side::Lake)?;
            Some((cell.id, direction))
        })
        .unwrap();
    let (from, direction) = lake;
    for (weather, open) in
        [(Weather::Clear, false), (Weather::Frost, true), (Weather::Snow, true), (Weather::Mud, false)]
    {
        let field = Field::new(map(), weather, Game::Campaign, &[], &[], &options);
        let (step, _) =
            kernel::scripted(&[], |clerk| field.step(Arm::Infantry, from, direction, clerk)).unwrap();
        assert_eq!(step.is_ok(), open, "{weather:?}");
    }
    let enemy = Enemy { hex: hex("2121"), sp: 500, cavalry: true, foraging: false };
    let field = Field::new(map(), Weather::Clear, Game::Campaign, &[enemy], &[], &options);
    let ways = field.ways(Arm::Infantry, hex("1822"), MovementPoints::whole(6));
    assert_eq!(ways.cost(hex("2121")), None);
    assert!(field.in_zone(hex("2021")) && !field.in_zone(hex("1822")));
    // Leaving 2021, in its zone, costs two more than it would.
    let free = Field::new(map(), Weather::Clear, Game::Campaign, &[], &[], &options);
    let step = |field: &Field<'_>| {
        let direction = hex("2021").towards(hex("1922")).unwrap();
        kernel::scripted(&[], |clerk| field.step(Arm::Infantry, hex("2021"), direction, clerk))
            .unwrap()
            .0
            .unwrap()
    };
    assert_eq!(step(&field).unwrap(), step(&free).unwrap() + MovementPoints::whole(2));
    assert_eq!(
        refused(
            "campaign.reach",
            r#"{"hex": "2121", "arm": "cavalry", "enemies": [{"hex": "2121", "sp": 2}]}"#
        )
        .0
        .as_deref(),
        Some("hex")
    );
}

#[test]
fn a_line_of_communication_says_why_it_is_cut() {
    let ask_for = |enemies: &str, friends: &str| {
        answer(
            "campaign.supply",
            &format!(
                r#"{{"army": "french", "hex": "2742", "centre": "2854", "enemies": [{enemies}], "friends": [{friends}]}}"#
            ),
        )
    };
    let open = ask_for("", "");
    assert_eq!((&open["line"], &open["command"]), (&json!(true), &json!(true)));
    assert_eq!(open["centre"]["reason"], "within");
    assert_eq!(open["centre"]["mp"], json!(6.5));
    // A wall of enemies across the Marchfeld.
    let wall: Vec<String> =
        (1..=39).step_by(2).map(|column| format!(r#"{{"hex": "{column:02}48", "sp": 5}}"#)).collect();
    let cut = ask_for(&wall.join(","), "");
    assert_eq!((&cut["line"], &cut["command"]), (&json!(false), &json!(false)));
    assert_eq!(cut["centre"]["reason"], "cut-by-enemy");
    // The gaps of the wall lie in zones of control: open only where friends stand.
    assert_eq!(ask_for(&wall.join(","), r#""2847""#)["line"], false);
    assert_eq!(ask_for(&wall.join(","), r#""2847", "2848""#)["line"], true);
    let far = answer("campaign.supply", r#"{"army": "french", "hex": "0101", "centre": "2854"}"#);
    assert_eq!(far["centre"]["reason"], "too-far");
    assert_eq!((&far["line"], &far["command"]), (&json!(false), &json!(false)));
    // Beyond the reach of the centre, but not of the army commander.
    let relayed = |commander: &str| {
        answer(
            "campaign.supply",
            &format!(r#"{{"army": "austro-russian", "hex": "3929", "centre": "1822" {commander}}}"#),
        )
    };
    assert_eq!(relayed("")["command"], true);
    let away = answer("campaign.supply", r#"{"army": "austro-russian", "hex": "2534", "centre": "2603"}"#);
    assert_eq!(away["command"], false);
    let near = answer(
        "campaign.supply",
        r#"{"army": "austro-russian", "hex": "2534", "centre": "2603", "commander": "1822"}"#,
    );
    assert_eq!(near["command"], true);
    assert_eq!(near["dispatch"]["from"], "1822");
    let inactive = ask(
        "campaign.supply",
        r#"{"army": "austro-russian", "hex": "2534", "centre": "2603", "commander": "1822", "inactive_centre": true}"#,
    );
    let told = &inactive["answer"];
    assert_eq!((&told["line"], &told["command"]), (&json!(true), &json!(false)));
    assert_eq!(
        effect(&inactive, "CA-attrition-09").as_deref(),
        Some("refused"),
        "its points may not be used"
    );
}

#[test]
fn a_battle_scenario_counts_roads_as_one_and_forbids_orders_beyond_eighteen() {
    let near = answer("campaign.supply", r#"{"army": "french", "hex": "2742", "game": "battle"}"#);
    assert_eq!(near["source"]["mp"], json!(13));
    assert_eq!(near["command"], true);
    let reply = ask("campaign.supply", r#"{"army": "french", "hex": "1822", "game": "battle"}"#);
    assert_eq!(reply["answer"]["command"], false);
    assert_eq!(effect(&reply, "CA-attrition-08").as_deref(), Some("refused"));
    assert!(effect(&reply, "CA-attrition-07").is_some());
}

#[test]
fn foragers_share_what_is_there() {
    let free = answer("campaign.forage", r#"{"hex": "2521"}"#);
    let less = answer("campaign.forage", r#"{"hex": "2521", "used": ["2520"], "enemies": ["2522"]}"#);
    assert!(less["value"].as_f64() < free["value"].as_f64());
    assert_eq!(less["hexes"].as_array().unwrap().len() + 2, free["hexes"].as_array().unwrap().len());
    assert!(map().cell(hex("2521")).roads.contains(&Road::Primary));
}
