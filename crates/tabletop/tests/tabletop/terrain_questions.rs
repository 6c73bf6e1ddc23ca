//! The questions of the terrain chapter, asked as a player asks them: one JSON object in, one out.

#![allow(clippy::unwrap_used, clippy::needless_pass_by_value, reason = "helpers of tests")]

use crate::asked::ask;
use serde_json::{Value, json};

fn answer(name: &str, request: &Value) -> Value {
    let reply = ask(name, request);
    assert!(reply.get("refused").is_none(), "{request} was refused: {reply}");
    reply["answer"].clone()
}

fn refused(name: &str, request: &Value) -> String {
    let reply = ask(name, request);
    let refusal = &reply["refused"];
    assert!(refusal.is_object(), "{request} was answered: {reply}");
    assert!(!refusal["message"].as_str().unwrap().is_empty());
    refusal["rule"].as_str().or(refusal["field"].as_str()).unwrap_or_default().to_owned()
}

/// A battalion in column, six companies of two.
fn column(id: &str, side: &str, at: [f64; 2], facing: f64) -> Value {
    let companies: Vec<Value> =
        (1..=6).map(|number| json!({"name": number.to_string(), "figures": 2, "fire": 4})).collect();
    json!({"id": id, "side": side, "troops": {"infantry": {"companies": companies}},
        "place": {"stand": {"at": at, "facing": facing, "formation": "company-column"}}})
}

/// The same in line.
fn line(id: &str, side: &str, at: [f64; 2], facing: f64) -> Value {
    let mut body = column(id, side, at, facing);
    body["place"]["stand"]["formation"] = json!("line");
    body
}

fn scene(terrain: &[Value], bodies: &[Value]) -> Value {
    json!({"name": "trial", "width": 180, "depth": 120, "terrain": terrain, "bodies": bodies})
}

fn element(id: &str, kind: &str, shape: Value) -> Value {
    json!({"id": id, "shape": {kind: shape}})
}

fn block(low: [f64; 2], high: [f64; 2]) -> Value {
    json!([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
}

fn march(scene: &Value, to: &[[f64; 2]]) -> Value {
    json!({"on-table": {"scene": scene, "body": "1st", "to": to}})
}

#[test]
fn a_column_walks_two_centimetres_and_three_and_a_half_into_the_wood() {
    let wood = element("wood", "wood", json!({"outline": block([40.0, 22.0], [60.0, 60.0])}));
    let table = scene(&[wood], &[column("1st", "blue", [50.0, 20.0], 0.0)]);
    let moved = answer("tabletop.move", &march(&table, &[[50.0, 40.0]]))["on-table"].clone();
    assert_eq!(moved["march"]["distance_cm"], json!(5.5));
    assert_eq!(moved["march"]["state"], json!("unformed"));
    assert_eq!(moved["at"], json!([50, 25.5]));
    assert_eq!(moved["ground"], json!(["wood"]));
}

#[test]
fn a_column_crosses_a_hedge_two_ranks_in_a_half_period() {
    let hedge = element("hedge", "obstacle", json!({"line": [[30, 21], [70, 21]], "class": "light"}));
    let table = scene(&[hedge], &[column("1st", "blue", [50.0, 20.0], 0.0)]);
    let mut request = march(&table, &[[50.0, 60.0]]);
    let after = |quarters: i32, request: &mut Value| {
        request["on-table"]["quarters"] = json!(quarters);
        answer("tabletop.move", request)["on-table"]["march"].clone()
    };
    let first = after(2, &mut request);
    assert_eq!(first["costs"][1]["ranks_across"], json!(2));
    assert_eq!(first["state"], json!("disorganised"));
    let second = after(4, &mut request);
    assert_eq!(second["costs"][1]["ranks_across"], json!(4));
    assert_eq!(after(6, &mut request)["costs"][1]["ranks_across"], json!(6));
}

#[test]
fn a_column_half_over_a_hedge_goes_on_from_there() {
    let hedge = element("hedge", "obstacle", json!({"line": [[30, 15], [70, 15]], "class": "light"}));
    let table = scene(&[hedge], &[column("1st", "blue", [50.0, 20.0], 0.0)]);
    let moved = answer("tabletop.move", &march(&table, &[[50.0, 60.0]]))["on-table"].clone();
    assert_eq!(moved["march"]["costs"][0]["ranks_across"], json!(4));
}

#[test]
fn a_column_follows_its_head_onto_a_road_and_earns_its_tenth() {
    let road = element("road", "road", json!({"axis": [[50, 0], [50, 100]], "width": 5}));
    let table = scene(&[road], &[column("1st", "blue", [50.0, 20.0], 0.0)]);
    let moved = answer("tabletop.move", &march(&table, &[[50.0, 60.0]]))["on-table"].clone();
    assert_eq!(moved["march"]["quarters_cm"], json!([5, 5]));
    let plain = scene(&[], &[column("1st", "blue", [50.0, 20.0], 0.0)]);
    let turned = answer("tabletop.move", &march(&plain, &[[50.0, 22.0], [60.0, 22.0]]))["on-table"].clone();
    assert_eq!((turned["at"].clone(), turned["facing"].clone()), (json!([57, 22]), json!(90.0)));
}

#[test]
fn the_table_stops_a_march_where_its_rules_do() {
    let marsh = element("marsh", "marsh", json!({"outline": block([40.0, 22.0], [60.0, 60.0])}));
    let table = scene(&[marsh], &[column("1st", "blue", [50.0, 20.0], 0.0)]);
    assert_eq!(refused("tabletop.move", &march(&table, &[[50.0, 40.0]])), "TE-6.5-01");
    let bare = scene(&[], &[line("1st", "blue", [50.0, 60.0], 0.0)]);
    let mut aside = march(&bare, &[[90.0, 60.0]]);
    aside["on-table"]["pace"] = json!("backward");
    assert_eq!(refused("tabletop.move", &aside), "TE-R91");
    assert_eq!(refused("tabletop.move", &march(&bare, &[[50.0, 130.0]])), "on-table.to[0]");
    assert_eq!(
        refused("tabletop.move", &json!({"on-table": {"scene": bare, "body": "2nd", "to": [[1, 1]]}})),
        "on-table.body"
    );
}

#[test]
fn a_charge_on_the_table_meets_its_target_unless_ground_forbids() {
    let bodies = [column("1st", "blue", [50.0, 20.0], 0.0), line("foe", "red", [50.0, 28.0], 180.0)];
    let charge = |terrain: &[Value]| {
        let mut request = march(&scene(terrain, &bodies), &[[50.0, 40.0]]);
        request["on-table"]["pace"] = json!("charge");
        request
    };
    let moved = answer("tabletop.move", &charge(&[]))["on-table"].clone();
    assert_eq!((moved["contact"].clone(), moved["melee_bonus"].clone()), (json!("foe"), json!(true)));
    assert_eq!(moved["march"]["arrival_quarter"], json!(1));
    let field =
        element("field", "field", json!({"kind": "ploughed", "outline": block([30.0, 22.0], [70.0, 26.0])}));
    assert_eq!(refused("tabletop.move", &charge(&[field])), "TE-9.2-12");
    let hedge = element("hedge", "obstacle", json!({"line": [[30, 27.95], [70, 27.95]], "class": "light"}));
    assert!(["TE-8.6-01", "TE-8.6-02"].contains(&refused("tabletop.move", &charge(&[hedge])).as_str()));
}

#[test]
fn a_melee_on_the_table_finds_its_ground() {
    let fight = |terrain: &[Value], defender: [f64; 2]| {
        let bodies = [line("a", "blue", [50.0, 20.0], 0.0), line("d", "red", defender, 180.0)];
        json!({"on-table": {"scene": scene(terrain, &bodies), "attacker": "a", "defender": "d"}})
    };
    let open = answer("tabletop.melee-ground", &fight(&[], [50.0, 20.05]))["round"].clone();
    assert_eq!(open["attacker"]["fights"], json!(12));
    let wall = element("wall", "obstacle", json!({"line": [[30, 20.05], [70, 20.05]], "class": "hard"}));
    let walled = answer("tabletop.melee-ground", &fight(&[wall], [50.0, 20.1]))["round"].clone();
    assert_eq!(
        (walled["attacker"]["factor"].clone(), walled["defender"]["cover"].clone()),
        (json!(-2), json!("hard"))
    );
    let wood = element("wood", "wood", json!({"outline": block([20.0, 20.0], [80.0, 60.0])}));
    let wooded = answer("tabletop.melee-ground", &fight(&[wood], [50.0, 20.05]))["round"].clone();
    assert_eq!(wooded["defender"]["cover"], json!("light"));
    assert!(ask("tabletop.melee-ground", &fight(&[], [50.0, 40.0]))["refused"].is_object());
    let between_ranks = |attacker: Value, terrain: &[Value], defender: Value, n: i32| {
        let table = scene(terrain, &[attacker, defender]);
        let request = json!({"on-table": {"scene": table, "attacker": "a", "defender": "d", "round": n}});
        answer("tabletop.melee-ground", &request)["round"].clone()
    };
    // A column whose head is over the hedge and whose tail is not.
    let hedge = element("hedge", "obstacle", json!({"line": [[30, 25], [70, 25]], "class": "light"}));
    let caught = between_ranks(
        line("a", "blue", [50.0, 20.0], 0.0),
        &[hedge],
        column("d", "red", [50.0, 20.05], 180.0),
        1,
    );
    assert_eq!(
        (caught["defender"]["state"].clone(), caught["defender"]["cover"].clone()),
        (json!("unformed"), json!("none")),
        "caught while it crossed"
    );
    let river = [
        element("road", "road", json!({"axis": [[50, 0], [50, 120]], "width": 4})),
        element("stream", "water", json!({"kind": "stream", "axis": [[0, 24], [180, 24]], "width": 4})),
        element(
            "bridge",
            "bridge",
            json!({"corner": [47, 21], "length": 6, "width": 6, "over": "stream", "road": "road"}),
        ),
    ];
    let bridge = |n| {
        let (a, d) = (column("a", "blue", [50.0, 20.0], 0.0), column("d", "red", [50.0, 20.05], 180.0));
        between_ranks(a, &river, d, n)
    };
    assert_eq!(bridge(1)["attacker"]["factor"], json!(0), "nobody stands in the stream");
    assert_eq!(bridge(2)["defender"]["state"], json!("unformed"));
    assert_eq!(bridge(2)["attacker"]["state"], json!("formed"));
}

#[test]
fn a_march_as_facts_explains_itself() {
    let request = json!({"march": {"body": {"formation": "company-column", "front": 2}, "class": "A",
        "path": [{"cm": 2}, {"cm": 30, "ground": ["wood"]}]}});
    let reply = ask("tabletop.move", &request);
    assert_eq!(reply["answer"]["marched"]["distance_cm"], json!(5.5));
    let said: Vec<&str> =
        reply["because"].as_array().unwrap().iter().map(|line| line["rule"].as_str().unwrap()).collect();
    assert!(said.contains(&"TE-4.3-02") && said.contains(&"TE-4.3-03"));
    assert_eq!(reply["because"][1]["effect"], json!("×1/2"));
}

#[test]
fn formations_change_where_ground_lets_them() {
    let change = |ground: &[&str], fits: bool| json!({"change-formation": {"ground": ground, "fits": fits}});
    let unlimber = |ground: &[&str], fits: bool| json!({"unlimber": {"ground": ground, "fits": fits}});
    assert_eq!(answer("tabletop.move", &change(&["ploughed-land"], true)), json!("allowed"));
    assert_eq!(answer("tabletop.move", &change(&["plateau-top"], true)), json!("allowed"));
    assert_eq!(answer("tabletop.move", &change(&["road"], true)), json!("allowed"));
    for (ground, rule) in [
        ("hill-slope", "TE-2.4-04"),
        ("plateau-slope", "TE-3.3-02"),
        ("wood", "TE-4.3-05"),
        ("bridge", "TE-6.3-03"),
        ("ford", "TE-R66"),
        ("abandoned-battery", "TE-R88"),
    ] {
        assert_eq!(refused("tabletop.move", &change(&[ground], true)), rule, "{ground}");
    }
    assert_eq!(refused("tabletop.move", &change(&["plateau-top"], false)), "TE-3.3-03");
    assert_eq!(refused("tabletop.move", &change(&["street"], false)), "TE-R71");
    for (ground, rule) in [
        ("hill-crest", "TE-2.5-08"),
        ("hill-slope", "TE-2.5-09"),
        ("plateau-slope", "TE-3.3-04"),
        ("stream", "TE-6.2-05"),
        ("bridge", "TE-R67"),
        ("tall-crops", "TE-9.2-01"),
    ] {
        assert_eq!(refused("tabletop.move", &unlimber(&[ground], true)), rule, "{ground}");
    }
    assert_eq!(answer("tabletop.move", &unlimber(&["redoubt"], true)), json!("allowed"));
    assert_eq!(refused("tabletop.move", &unlimber(&["plateau-top"], false)), "TE-3.3-05");
}

#[test]
fn other_manoeuvres_on_the_spot() {
    let asks = |request: Value| answer("tabletop.move", &request);
    assert_eq!(
        asks(json!({"line-wood-edge": {"body": {}, "head_at_edge": true, "plain_quarters": 3}})),
        json!({"quarters": 6})
    );
    assert_eq!(
        asks(json!({"follow-crest": {"formation": "line"}})),
        json!({"stands": {"formation": "line", "state": "formed"}})
    );
    assert_eq!(
        asks(json!({"reform": {"body": {"state": "disorganised"}, "place": "slope"}})),
        json!({"quarters": 1})
    );
    let marching = json!({"reform": {"body": {"state": "unformed"}, "place": "clearing", "halted": false}});
    assert_eq!(refused("tabletop.move", &marching), "TE-R02");
    assert_eq!(
        asks(json!({"reform": {"body": {"state": "disordered", "status": "irregular"}}})),
        json!({"quarters": 5})
    );
    assert_eq!(
        asks(json!({"enter-redoubt": {"body": {}, "by_gap": true}})),
        json!({"stands": {"formation": "line", "state": "formed"}})
    );
    assert_eq!(
        asks(json!({"charge": {"charger": {"arm": "cavalry"}, "target": {"in_house": true}}})),
        json!({"charge": {"melee_bonus": false}})
    );
}

#[test]
fn a_house_from_the_door_to_the_white_flag() {
    let unit = json!({"troops": {"front": 3}, "figures": 12, "first_rank": 3, "touching": 3});
    assert_eq!(
        answer("tabletop.house", &json!({"enter": {"unit": unit, "quarter": 2}}))["entry"]["to_quarter"],
        json!(3)
    );
    let mut friend = unit.clone();
    friend["occupied"] = json!(true);
    friend["by_a_friend"] = json!(true);
    assert_eq!(refused("tabletop.house", &json!({"enter": {"unit": friend, "quarter": 2}})), "TE-5.2-25");
    assert_eq!(
        answer(
            "tabletop.house",
            &json!({"assault": {"occupied-side":
            {"side_cm": 5, "front": 6, "defenders": 3}}})
        )["fight"]["attackers"],
        json!(3)
    );
    assert_eq!(
        answer(
            "tabletop.house",
            &json!({"fold":
            {"front": 6, "contact_cm": 5, "side_cm": 5, "movement_left": true}})
        ),
        json!({"fold": {"fight": 3, "may_fold": 2}})
    );
    assert_eq!(
        answer(
            "tabletop.house",
            &json!({"morale":
            {"result": "retreat", "enemy_inside": true, "cause": "north"}})
        ),
        json!({"fate": "surrenders"})
    );
    assert_eq!(refused("tabletop.house", &json!({"pursue": {}})), "TE-5.6-06");
    assert_eq!(
        answer("tabletop.house", &json!({"fire-from": {"side": "north", "figures": 4}})),
        json!({"fire": {"figures": 4, "angle_degrees": 22.5, "state": "unformed"}})
    );
    assert_eq!(
        answer("tabletop.house", &json!({"evacuate": {"sides": [2, 0, 0, 0], "wanted": "west"}}))["evacuation"]
            ["men_per_building"],
        json!(4)
    );
}

#[test]
fn an_obstacle_crossed_shelled_and_fought_over() {
    let crossing = json!({"cross": {"class": "hard", "troops": {"ranks": 6}, "half_period_cm": 9}});
    assert_eq!(
        answer("tabletop.obstacle", &crossing),
        json!({"cross": {"half_periods": 6, "ranks_per_half_period": 1, "state": "unformed"}})
    );
    let shell =
        json!({"shell": {"target": "house", "calibre": 6, "distance_cm": 30, "quarters": 2, "intact_cm": 7}});
    assert_eq!(
        answer("tabletop.obstacle", &shell),
        json!({"damage": {"degraded_cm": 3, "becomes": "hard", "causes_losses": true}})
    );
    let round = json!({"after-round": {"class": "hard", "winner": "attacker", "choice": "follow",
        "attacker": {}, "defender": {"formation": "line"}}});
    assert_eq!(answer("tabletop.obstacle", &round)["after-round"]["attacker_state"], json!("unformed"));
    let extend = json!({"extend": {"in_contact": 3, "wanted": 30, "room": 40}});
    assert_eq!(answer("tabletop.obstacle", &extend), json!({"extended": [6, 9, 9, 9]}));
    assert_eq!(
        refused(
            "tabletop.obstacle",
            &json!({"shell": {"target": "house", "calibre": 5,
        "distance_cm": 30, "quarters": 2, "intact_cm": 7}})
        ),
        "shell.calibre"
    );
}

#[test]
fn sappers_fire_and_layouts() {
    let bridge = json!({"work": {"task": "build-bridge", "sappers": 3, "quarters": 8, "length_cm": 7}});
    assert_eq!(
        answer("tabletop.engineers", &bridge),
        json!({"work": {"done_cm": 4, "width_cm": 4.5, "complete": false, "quarters_needed": 16}})
    );
    let shelter = json!({"shelter": {"screens": [{"class": "hard", "distance_cm": 1.9}]}});
    assert_eq!(answer("tabletop.fire-ground", &shelter), json!({"shelter": {"cover": "hard", "factor": -3}}));
    assert_eq!(refused("tabletop.fire-ground", &json!({"plateau": {"from-plain": 15}})), "TE-3.4-05");
    let table = json!({"inventory": {"woods": 3, "watercourses": 1}, "sizes_cm": [0.5, 80],
        "watercourses": [{"kind": "river", "bridges": 1, "fords": 1}]});
    assert_eq!(answer("tabletop.layout", &table)["labels"], json!(["wooded", "valley"]));
    assert_eq!(
        refused("tabletop.layout", &json!({"watercourses": [{"kind": "river", "bridges": 1}]})),
        "TE-6.3-02"
    );
}

#[test]
fn bad_requests_name_their_field() {
    assert_eq!(
        refused("tabletop.move", &json!({"march": {"body": {"arm": "camels"}, "path": []}})),
        "march.body.arm"
    );
    assert_eq!(refused("tabletop.move", &json!({"march": {"body": {}, "path": []}})), "march.path");
    assert_eq!(
        refused("tabletop.move", &json!({"march": {"body": {}, "path": [{"cm": -1}]}})),
        "march.path.0.cm"
    );
    assert_eq!(
        refused("tabletop.move", &json!({"march": {"body": {}, "class": "Z", "path": [{"cm": 1}]}})),
        "march.class"
    );
}

#[test]
fn every_question_has_a_schema() {
    for question in tabletop::questions() {
        let schema = question.schema();
        assert_eq!(schema["question"], json!(question.name));
        assert!(schema["request"].is_object() && schema["answer"].is_object());
    }
}

#[test]
fn a_house_on_the_table_is_entered_and_stormed() {
    let farm = [
        element("road", "road", json!({"axis": [[40, 0], [40, 110]], "width": 4})),
        element("farm", "house", json!({"corner": [42.2, 50], "length": 6, "width": 6})),
    ];
    let mut garrison = column("holder", "red", [0.0, 0.0], 0.0);
    garrison["place"] = json!({"garrison": {"house": "farm", "posts": [
        {"side": 0, "company": "1", "figures": 2}, {"side": 0, "company": "2", "figures": 1},
        {"side": 2, "company": "3", "figures": 2}, {"side": 2, "company": "4", "figures": 2},
        {"side": 1, "company": "5", "figures": 2}, {"side": 3, "company": "6", "figures": 2}]}});
    let attacker = column("1st", "blue", [45.2, 49.95], 0.0);
    let held = scene(&farm, &[garrison, attacker.clone()]);
    let house =
        answer("tabletop.house", &json!({"on-table": {"scene": held, "house": "farm"}}))["house"].clone();
    assert_eq!(house["garrison"], json!("holder"));
    assert_eq!(
        (house["sides"][0]["capacity"].clone(), house["sides"][0]["posted"].clone()),
        (json!(4), json!(3))
    );
    assert_eq!(house["sides"][0]["attacked_by"], json!(["1st"]));
    let storm = json!({"assault-on-table": {"scene": held, "house": "farm", "attacker": "1st"}});
    let fights = answer("tabletop.house", &storm)["assault"].clone();
    assert_eq!(
        (fights[0]["fight"]["attackers"].clone(), fights[0]["fight"]["defenders"].clone()),
        (json!(2), json!(2))
    );
    let enter = |scene: &Value| json!({"enter-on-table": {"scene": scene, "house": "farm", "body": "1st", "quarter": 2}});
    assert_eq!(refused("tabletop.house", &enter(&held)), "TE-5.2-02");
    let empty = scene(&farm, &[attacker]);
    assert_eq!(answer("tabletop.house", &enter(&empty))["entry"]["to_quarter"], json!(3));
    let far = scene(&farm, &[column("1st", "blue", [45.2, 40.0], 0.0)]);
    assert_eq!(refused("tabletop.house", &enter(&far)), "enter-on-table.body");
    assert_eq!(
        refused("tabletop.house", &json!({"on-table": {"scene": far, "house": "road"}})),
        "on-table.house"
    );
}

#[test]
fn a_damaged_house_holds_fewer_and_protects_less_and_an_empty_side_lets_all_fight() {
    let farm = |damage: Value| {
        [
            element("road", "road", json!({"axis": [[40, 0], [40, 110]], "width": 4})),
            element(
                "farm",
                "house",
                json!({"corner": [42.2, 50], "length": 6, "width": 6, "damage": damage}),
            ),
        ]
    };
    let attacker = column("1st", "blue", [45.2, 49.95], 0.0);
    let house = |scene: Value| {
        answer("tabletop.house", &json!({"on-table": {"scene": scene, "house": "farm"}}))["house"].clone()
    };
    let breach = json!([{"side": 0, "from": 2, "to": 5, "kind": "destroyed"}]);
    let breached = house(scene(&farm(breach), std::slice::from_ref(&attacker)));
    assert_eq!(breached["sides"][0]["capacity"], json!(2), "3 cm of wall are left");
    let mut garrison = column("holder", "red", [0.0, 0.0], 0.0);
    let mut storm = |side: i32, damage: Value| {
        garrison["place"] = json!({"garrison": {"house": "farm", "posts": [
            {"side": side, "company": "1", "figures": 2}, {"side": side, "company": "2", "figures": 1}]}});
        let held = scene(&farm(damage), &[garrison.clone(), attacker.clone()]);
        let request = json!({"assault-on-table": {"scene": held, "house": "farm", "attacker": "1st"}});
        answer("tabletop.house", &request)["assault"][0]["fight"].clone()
    };
    let shelled = json!([{"side": 0, "from": 0, "to": 4.5, "kind": "degraded"}]);
    assert_eq!(storm(0, json!([]))["protection"], json!("house"));
    assert_eq!(storm(0, shelled)["protection"], json!("hard"));
    let by_empty_side = storm(2, json!([]));
    assert_eq!(
        (by_empty_side["attackers"].clone(), by_empty_side["defenders"].clone()),
        (json!(12), json!(12)),
        "everybody against everybody"
    );
    let officer = json!({"id": "aide", "side": "blue", "troops": {"officer": {}},
        "place": {"stand": {"at": [45.2, 49.95], "facing": 0, "formation": "single"}}});
    let watched = house(scene(&farm(json!([])), &[garrison, officer]));
    assert_eq!(watched["sides"][0]["attacked_by"], json!([]), "an officer attacks nothing");
}

#[test]
fn a_melee_on_a_hill_knows_who_is_above() {
    let hill = element(
        "hill",
        "hill",
        json!({"outline": block([20.0, 0.0], [80.0, 40.0]), "crest": [[25, 30], [75, 30]]}),
    );
    // Face to face on the slope, as TE-EX-03 has it: the one that waits above is formed and has the
    // bonus, the one that climbs is disorganised; the other way round it is the same.
    let fight = |a: f64, d: f64, facing: f64| {
        let bodies = [line("a", "blue", [50.0, a], facing), line("d", "red", [50.0, d], 180.0 - facing)];
        let request = json!({"on-table": {"scene": scene(std::slice::from_ref(&hill), &bodies), "attacker": "a", "defender": "d"}});
        answer("tabletop.melee-ground", &request)["round"].clone()
    };
    let climbing = fight(10.0, 10.05, 0.0);
    assert_eq!(climbing["attacker"]["state"], json!("disorganised"));
    assert_eq!(climbing["attacker"]["factor"], json!(-1));
    assert_eq!(climbing["defender"]["state"], json!("formed"));
    assert_eq!(climbing["defender"]["factor"], json!(2));
    assert_eq!(climbing["defender"]["parts"], json!([{"what": "above", "value": 2}]));
    let descending = fight(10.05, 10.0, 180.0);
    assert_eq!(descending["attacker"]["factor"], json!(1), "above, and disorganised by the descent");
    assert_eq!(descending["defender"]["factor"], json!(0));
    // At the very foot, touched from the plain.
    let at_foot = {
        let hill = element(
            "hill",
            "hill",
            json!({"outline": block([20.0, 10.02], [80.0, 40.0]), "crest": [[25, 30], [75, 30]]}),
        );
        let bodies = [line("a", "blue", [50.0, 10.0], 0.0), line("d", "red", [50.0, 10.05], 180.0)];
        json!({"on-table": {"scene": scene(&[hill], &bodies), "attacker": "a", "defender": "d"}})
    };
    let foot = answer("tabletop.melee-ground", &at_foot)["round"].clone();
    assert_eq!(
        (foot["attacker"]["factor"].clone(), foot["defender"]["factor"].clone()),
        (json!(0), json!(2))
    );
    let known = json!({"revealed": {"quiet_quarters": 4}});
    assert_eq!(answer("tabletop.fire-ground", &known), json!({"holds": false}));
}

#[test]
fn every_body_of_every_scene_gets_a_verdict() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/tabletop");
    let mut verdicts = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let scene: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let ids: Vec<&str> =
            scene["bodies"].as_array().unwrap().iter().map(|body| body["id"].as_str().unwrap()).collect();
        for id in &ids {
            for (x, y) in [(90, 60), (20, 100), (150, 10)] {
                let request =
                    json!({"on-table": {"scene": scene, "body": id, "to": [[x, y]], "quarters": 4}});
                let reply = ask("tabletop.move", &request);
                assert!(reply.get("answer").is_some() || reply.get("refused").is_some(), "{id}");
                verdicts += 1;
            }
        }
        for pair in ids.windows(2) {
            let request = json!({"on-table": {"scene": scene, "attacker": pair[0], "defender": pair[1]}});
            let reply = ask("tabletop.melee-ground", &request);
            assert!(reply.get("answer").is_some() || reply.get("refused").is_some());
        }
        for house in scene["terrain"].as_array().into_iter().flatten() {
            if house["shape"].get("house").is_some() {
                let house =
                    answer("tabletop.house", &json!({"on-table": {"scene": scene, "house": house["id"]}}));
                assert_eq!(house["house"]["sides"].as_array().unwrap().len(), 4);
            }
        }
    }
    assert!(verdicts > 20, "{verdicts}");
}

#[test]
fn a_line_turns_for_whole_quarters_and_a_column_follows_its_head() {
    let table = |formation: &str| {
        json!({ "name": "t", "width": 100, "depth": 100, "terrain": [], "bodies": [{ "id": "1st", "side": "blue",
            "troops": { "infantry": { "companies": [
                { "name": "a", "figures": 6, "fire": 4 }, { "name": "b", "figures": 6, "fire": 4 }] } },
            "place": { "stand": { "at": [50, 50], "facing": 0, "formation": formation } } }] })
    };
    let ask = |formation: &str, to: &[[f64; 2]], quarters: i32| {
        let mut request = march(&table(formation), to);
        request["on-table"]["quarters"] = json!(quarters);
        answer("tabletop.move", &request)["on-table"].clone()
    };
    // Obliquely up to 22.5 degrees for nothing: 3 cm a quarter.
    let oblique = ask("line", &[[52.0, 55.0]], 2);
    assert_eq!((&oblique["march"]["quarters_cm"], &oblique["facing"]), (&json!([3, 2.39]), &json!(0.0)));
    // To the right: three quarters of turning, then obliquely.
    let aside = ask("line", &[[60.0, 50.0]], 4);
    assert_eq!(aside["march"]["quarters_cm"], json!([0, 0, 0, 3]));
    assert_eq!((&aside["facing"], &aside["march"]["turning_quarters"]), (&json!(67.5), &json!(3)));
    assert_eq!(aside["at"], json!([53, 50]));
    // Not yet round: it stands where it stood, turned twice.
    let half = ask("line", &[[60.0, 50.0]], 2);
    assert_eq!((&half["at"], &half["facing"]), (&json!([50, 50]), &json!(45.0)));
    // To the rear: about in one quarter.
    let back = ask("line", &[[50.0, 45.0]], 2);
    assert_eq!((&back["march"]["quarters_cm"], &back["facing"]), (&json!([0, 3]), &json!(180.0)));
    // On the way: 1 cm of the second quarter is lost to the turn.
    let corner = ask("line", &[[50.0, 55.0], [60.0, 55.0]], 6);
    assert_eq!(corner["march"]["quarters_cm"], json!([3, 2, 0, 0, 0, 3]));
    // A column follows its head, a hollow square faces the march and then out again.
    assert_eq!(ask("company-column", &[[60.0, 50.0]], 2)["march"]["quarters_cm"], json!([4.5, 4.5]));
    let head = ask("hollow-square", &[[60.0, 50.0]], 1)["at"].clone();
    let aside = [[head[0].as_f64().unwrap() + 1.5, head[1].as_f64().unwrap()]];
    let square = ask("hollow-square", &aside, 3);
    assert_eq!(
        (&square["march"]["quarters_cm"], &square["march"]["arrived"]),
        (&json!([0, 1.5, 0]), &json!(true))
    );
    assert_eq!(ask("hollow-square", &aside, 2)["march"]["arrived"], false, "it does not face out yet");
    // A charge goes straight ahead, after 22.5 degrees at most.
    let mut request = march(&table("company-column"), &[[52.0, 54.0]]);
    request["on-table"]["pace"] = json!("charge");
    assert_eq!(refused("tabletop.move", &request), "TE-R91");
}

#[test]
fn no_schema_allows_null_where_the_reader_refuses_it() {
    for asking in tabletop::questions() {
        let request = asking.schema()["request"].to_string();
        assert!(!request.contains("null"), "{}: {request}", asking.name);
    }
    let request = json!({"shooter": {"weapon": "musket", "factor": 4, "figures": 12, "superior": null},
        "distance_cm": 6, "target": {"class": "mass"}});
    assert_eq!(refused("tabletop.fire", &request), "shooter.superior");
}

#[test]
fn a_front_that_nobody_said_is_asked_for_by_its_path() {
    let on_road = json!({"march": {"body": {}, "class": "A", "path": [{"cm": 9, "ground": ["road"], "on_road": true}]}});
    assert_eq!(refused("tabletop.move", &on_road), "march.body.front");
    let hedge = json!({"march": {"body": {"front": 2}, "class": "A", "path": [{"cm": 2}, {"cm": 9, "obstacle": "light"}]}});
    assert_eq!(refused("tabletop.move", &hedge), "march.body.ranks");
    let crossing = json!({"cross": {"class": "hard", "troops": {}, "half_period_cm": 9}});
    assert_eq!(refused("tabletop.obstacle", &crossing), "cross.troops.ranks");
    let fight = |attacker: Value| {
        let defender = json!({"troops": {"formation": "skirmish"}, "figures": 6, "touching": 3});
        json!({"round": {"place": {"wood": {"attacker_in": true}}, "attacker": attacker, "defender": defender}})
    };
    let unsaid = json!({"troops": {}, "figures": 12, "touching": 4});
    assert_eq!(refused("tabletop.melee-ground", &fight(unsaid)), "round.attacker.troops.front");
    let line = json!({"troops": {"formation": "line"}, "figures": 12, "touching": 4});
    assert_eq!(answer("tabletop.melee-ground", &fight(line))["round"]["attacker"]["fights"], json!(6));
}

/// FE-R14: where no cover at all is the option, one bare figure uncovers the target for every shooter, those
/// too who aim at sheltered figures only.
#[test]
fn one_bare_figure_uncovers_the_whole_target_where_players_want_it_so() {
    let hedge =
        |to: i32| json!({"id": "h", "shape": {"obstacle": {"line": [[40, 30], [to, 30]], "class": "hard"}}});
    let shot = |to: i32, options: Value| {
        let bodies = [line("L", "blue", [60.0, 24.0], 0.0), line("a", "red", [60.0, 31.0], 180.0)];
        let scene =
            json!({"name": "t", "width": 120, "depth": 120, "terrain": [hedge(to)], "bodies": bodies});
        let request = json!({"scene": scene, "shooter": "L", "target": "a", "dice": [1], "options": options});
        answer("tabletop.shoot", &request)["hits"][0]["losses"].clone()
    };
    let none = || json!({"partial_cover": "no_cover_at_all"});
    assert_eq!((shot(60, none()), shot(64, none())), (json!(40), json!(40)));
    assert_eq!(shot(60, json!({})), json!(30));
    assert_eq!(shot(80, none()), shot(80, json!({})), "wholly sheltered, the option changes nothing");
}
