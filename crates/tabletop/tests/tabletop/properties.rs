//! What must hold of any table: the four properties of the geometry, and that nothing a file can
//! say makes the umpire stumble or dawdle.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    unreachable_pub,
    reason = "a test may fail loudly, and shares its helpers"
)]

use std::time::{Duration, Instant as Clock};

use crate::{hold, large};
use kernel::{Desk, Live, Node, Silent};
use proptest::prelude::*;
use rulebook::options::tabletop::{CrestViewOverHill, Options};
use serde_json::{Value, json};
use tabletop::fire::declare::Declaration;
use tabletop::fire::ground::{Element, Ground, Part, Slot, Target};
use tabletop::scene::{Instant, Scene, Setup};
use tabletop::sight::{Outlook, View};

fn read(value: &Value) -> Option<Scene> {
    let setup: Setup = Node::parse(&value.to_string()).ok()?.read().ok()?;
    setup.check(&Options::default()).ok()
}

fn stand(x: f64, y: f64, facing: f64, formation: &str) -> Value {
    json!({ "stand": { "at": [x, y], "facing": facing, "formation": formation } })
}

fn body(id: &str, side: &str, figures: i32, place: Value) -> Value {
    json!({ "id": id, "side": side, "place": place,
        "troops": { "infantry": { "companies": [{ "name": "a", "figures": figures, "fire": 5 }] } } })
}

fn table(terrain: &[Value], bodies: &[Value]) -> Value {
    json!({ "name": "p", "width": 200, "depth": 200, "terrain": terrain, "bodies": bodies })
}

/// Losses inflicted on a body by body 0 firing at it, with a fixed die; 0 if it may not fire.
fn losses(scene: &Scene, target: usize) -> i32 {
    let options = Options::default();
    let ground = Ground::new(scene, &options);
    let declared = Declaration::new(
        Element { body: 0, part: Part::Whole },
        Slot::Joint,
        Target { body: target, side: None },
    );
    let mut desk = Desk::new(Live::from_seed([3; 32]), Silent);
    ground.resolve(declared, &mut desk).map_or(0, |fires| {
        fires
            .iter()
            .flat_map(|fired| &fired.hits)
            .filter(|hit| hit.target.body == target)
            .map(|hit| hit.losses.count())
            .sum()
    })
}

fn eligible(scene: &Scene, target: usize) -> bool {
    let options = Options::default();
    let ground = Ground::new(scene, &options);
    let mut desk = Desk::new(Live::from_seed([3; 32]), Silent);
    let element = Element { body: 0, part: Part::Whole };
    ground.is_eligible(element, Slot::Joint, Target { body: target, side: None }, &mut desk).is_ok()
}

fn sees(scene: &Scene) -> Vec<bool> {
    let options = Options::default();
    let outlook = Outlook::new(scene, &options, Instant::P2);
    let count = scene.bodies().len();
    (0..count)
        .flat_map(|a| (0..count).map(move |b| (a, b)))
        .filter(|(a, b)| a != b)
        .map(|(a, b)| View::new(&outlook, a, b).sees().is_ok())
        .collect()
}

/// Some terrain in the middle of the table.
fn terrain() -> impl Strategy<Value = Vec<Value>> {
    let element = (0..5_u8, 60..120_i32, 60..120_i32, 4..20_i32).prop_map(|(kind, x, y, size)| {
        let ring = json!([[x, y], [x + size, y], [x + size, y + size], [x, y + size]]);
        match kind {
            0 => json!({ "wood": { "outline": ring } }),
            1 => json!({ "field": { "kind": "tall-crops", "outline": ring } }),
            2 => json!({ "hill": { "outline": ring, "crest": [[x + 1, y + size / 2], [x + size - 1, y + size / 2]] } }),
            3 => json!({ "plateau": { "outline": ring,
                "crest": [[x + 1, y + 1], [x + size - 1, y + 1], [x + size - 1, y + size - 1], [x + 1, y + size - 1]] } }),
            _ => json!({ "obstacle": { "line": [[x, y], [x + size, y]], "class": "hard" } }),
        }
    });
    prop::collection::vec(element, 0..6).prop_map(|shapes| {
        shapes
            .into_iter()
            .enumerate()
            .map(|(k, shape)| json!({ "id": format!("e{k}"), "shape": shape }))
            .collect()
    })
}

/// A few bodies well apart from each other.
fn bodies() -> impl Strategy<Value = Vec<Value>> {
    let one = (0..4_u8, 1..9_i32, 0..36_i32, 0..8_i32, 0..8_i32);
    prop::collection::vec(one, 2..8).prop_map(|list| {
        list.into_iter()
            .enumerate()
            .map(|(k, (formation, figures, facing, dx, dy))| {
                let formation = ["line", "company-column", "skirmish", "double-line"][usize::from(formation)];
                let (column, row) = (k % 3, k / 3);
                #[allow(clippy::cast_precision_loss)]
                let (x, y) = (50.0 + 36.0 * column as f64, 50.0 + 36.0 * row as f64);
                let side = if k % 2 == 0 { "blue" } else { "red" };
                let figures = if formation == "skirmish" { figures.min(5) } else { figures };
                body(
                    &format!("b{k}"),
                    side,
                    figures,
                    stand(x + f64::from(dx), y + f64::from(dy), f64::from(facing) * 10.0, formation),
                )
            })
            .collect()
    })
}

/// Turns a whole scene by a quarter to the left about the middle of its square table and moves
/// nothing else: exact, so every answer must stay the same.
fn turned(value: &Value) -> Value {
    match value {
        Value::Array(list) => match list.as_slice() {
            [Value::Number(x), Value::Number(y)] => {
                json!([200.0 - y.as_f64().unwrap(), x.as_f64().unwrap()])
            }
            _ => Value::Array(list.iter().map(turned).collect()),
        },
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .map(|(key, value)| {
                    let value = if key == "facing" {
                        json!((value.as_f64().unwrap() + 270.0) % 360.0)
                    } else {
                        turned(value)
                    };
                    (key.clone(), value)
                })
                .collect(),
        ),
        other => other.clone(),
    }
}

/// Moves a whole scene.
fn moved(value: &Value, by: (f64, f64)) -> Value {
    match value {
        Value::Array(list) => match list.as_slice() {
            [Value::Number(x), Value::Number(y)] => {
                json!([x.as_f64().unwrap() + by.0, y.as_f64().unwrap() + by.1])
            }
            _ => Value::Array(list.iter().map(|value| moved(value, by)).collect()),
        },
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(key, value)| (key.clone(), moved(value, by))).collect())
        }
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn moving_straight_away_never_brings_a_target_into_range(
        gap in 1.0_f64..40.0, further in 0.0_f64..30.0, figures in 1..20_i32, weapon in prop::sample::select(vec!["musket", "rifle"]),
    ) {
        let at = |gap: f64| {
            let mut shooter = body("s", "blue", 12, stand(100.0, 20.0, 0.0, "line"));
            shooter["troops"]["infantry"]["companies"][0]["weapon"] = json!(weapon);
            let gap = (gap * 100.0).round() / 100.0;
            read(&table(&[], &[shooter, body("t", "red", figures, stand(100.0, 20.0 + gap, 180.0, "line"))])).unwrap()
        };
        if !eligible(&at(gap), 1) {
            prop_assert!(!eligible(&at(gap + further), 1));
        }
    }

    #[test]
    fn a_screen_never_raises_the_losses_behind_it(
        gap in 6.0_f64..20.0, before in 0.1_f64..0.9, width in 1..6_i32, figures in 2..16_i32,
    ) {
        let shooter = body("s", "blue", 12, stand(100.0, 20.0, 0.0, "line"));
        let target = body("t", "red", figures, stand(100.0, 20.0 + gap.round(), 180.0, "line"));
        let y = 20.0 + ((gap.round() - 2.5) * before * 10.0).round() / 10.0;
        let screen = body("k", "red", width, stand(100.0, y, 180.0, "skirmish"));
        let open = read(&table(&[], &[shooter.clone(), target.clone()])).unwrap();
        let screened = read(&table(&[], &[shooter, target, screen]));
        if let Some(screened) = screened {
            prop_assert!(losses(&screened, 1) <= losses(&open, 1));
        }
    }

    #[test]
    fn sight_does_not_depend_on_the_order_of_things(terrain in terrain(), bodies in bodies()) {
        if let Some(scene) = read(&table(&terrain, &bodies)) {
            let mut backwards = terrain.clone();
            backwards.reverse();
            let other = read(&table(&backwards, &bodies)).unwrap();
            prop_assert_eq!(sees(&scene), sees(&other));
            let options = Options::default();
            let (one, two) = (Outlook::new(&scene, &options, Instant::P2), Outlook::new(&other, &options, Instant::P2));
            for target in 1..scene.bodies().len() {
                let why = |outlook: &Outlook<'_>, scene: &Scene| {
                    View::new(outlook, 0, target).sees().err().map(|block| (block.rule, block.name(scene).to_owned(), block.at))
                };
                prop_assert_eq!(why(&one, &scene), why(&two, &other));
            }
        }
    }

    #[test]
    fn turning_or_moving_the_whole_table_changes_nothing(
        terrain in terrain(), bodies in bodies(), dx in 0..20_i32, dy in 0..20_i32,
    ) {
        let written = table(&terrain, &bodies);
        if let Some(scene) = read(&written) {
            let turned = read(&turned(&written)).unwrap();
            prop_assert_eq!(sees(&scene), sees(&turned));
            let moved = read(&moved(&written, (f64::from(dx), f64::from(dy)))).unwrap();
            prop_assert_eq!(sees(&scene), sees(&moved));
            for target in 1..scene.bodies().len() {
                prop_assert_eq!(losses(&scene, target), losses(&turned, target));
                prop_assert_eq!(losses(&scene, target), losses(&moved, target));
            }
        }
    }
}

/// A crowded table: bodies of all shapes at any angle among larger reliefs and woods with clearings.
fn crowd() -> impl Strategy<Value = Value> {
    let element = (0..5_u8, 20..150_i32, 20..150_i32, 8..34_i32).prop_map(|(kind, x, y, size)| {
        let ring = |by: i32| {
            json!([[x + by, y + by], [x + size - by, y + by], [x + size - by, y + size - by], [x + by, y + size - by]])
        };
        match kind {
            0 => json!({ "wood": { "outline": ring(0), "clearings": [ring(3)] } }),
            1 => json!({ "wood": { "outline": [[x, y], [x + size, y], [x + size / 2, y + size / 3], [x + 1, y + size]] } }),
            2 => json!({ "field": { "kind": "tall-crops", "outline": ring(0) } }),
            3 => json!({ "hill": { "outline": ring(0), "crest": [[x + 2, y + size / 2], [x + size - 2, y + size / 2 + 1]] } }),
            _ => json!({ "plateau": { "outline": ring(0), "crest": ring(2) } }),
        }
    });
    let one = (0..6_u8, 1..5_i32, 0..3600_i32, 0..60_i32, 0..60_i32);
    (prop::collection::vec(element, 0..9), prop::collection::vec(one, 4..17)).prop_map(|(shapes, list)| {
        let terrain: Vec<Value> = shapes
            .into_iter()
            .enumerate()
            .map(|(k, shape)| json!({ "id": format!("e{k}"), "shape": shape }))
            .collect();
        let bodies: Vec<Value> = list
            .into_iter()
            .enumerate()
            .map(|(k, (formation, figures, facing, dx, dy))| {
                let formation = ["line", "company-column", "skirmish", "double-line", "full-square", "line"]
                    [usize::from(formation)];
                #[allow(clippy::cast_precision_loss)]
                let (x, y) = (40.0 + 30.0 * (k % 4) as f64, 40.0 + 30.0 * (k / 4) as f64);
                let mut one = body(
                    &format!("b{k}"),
                    if (k + k / 4) % 2 == 0 { "blue" } else { "red" },
                    figures,
                    stand(
                        x + f64::from(dx) / 10.0,
                        y + f64::from(dy) / 10.0,
                        f64::from(facing) / 10.0,
                        formation,
                    ),
                );
                one["record"] = json!({ "revealed": k % 3 == 0 });
                if formation != "skirmish" {
                    let companies: Vec<Value> = (0..4)
                        .map(|c| json!({ "name": format!("c{c}"), "figures": figures + c % 2, "fire": 4 }))
                        .collect();
                    one["troops"]["infantry"]["companies"] = json!(companies);
                }
                one
            })
            .collect();
        table(&terrain, &bodies)
    })
}

/// Every pair of a table, seen quickly and seen plainly.
fn quickly_and_plainly(scene: &Scene, options: &Options) -> Result<usize, String> {
    let outlook = Outlook::new(scene, options, Instant::P2);
    let at = |place: usize| (place, scene.bodies()[place].at(Instant::P2));
    let mut seen = 0;
    for a in 0..scene.bodies().len() {
        for b in (0..scene.bodies().len()).filter(|&b| b != a) {
            let (quick, plain) =
                (View::new(&outlook, a, b).sees(), View::plainly(&outlook, at(a), at(b)).sees());
            if quick != plain {
                return Err(format!("{a} at {b}: {quick:?}, plainly {plain:?}"));
            }
            seen += usize::from(quick.is_ok());
        }
    }
    Ok(seen)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn a_quick_look_sees_what_a_plain_one_sees(written in crowd(), over in 0..3_usize) {
        let options = Options {
            crest_view_over_hill: [
                CrestViewOverHill::DeadGround15, CrestViewOverHill::BlocksAll, CrestViewOverHill::SeesAll,
            ][over],
            ..Options::default()
        };
        let scene = read(&written);
        prop_assume!(scene.is_some());
        let compared = quickly_and_plainly(&scene.unwrap(), &options);
        prop_assert!(compared.is_ok(), "{compared:?}");
    }
}

/// Every answer about a table: who sees, who may fire and what it does, who reaches whom, and the
/// ground of every melee.
fn answers(scene: &Value, pairs: &[(usize, usize)]) -> Vec<String> {
    let ask = |question: &str, request: Value| {
        let asking = tabletop::questions().into_iter().find(|asking| asking.name == question).unwrap();
        asking.ask(&request.to_string(), rulebook::Lang::En).json
    };
    let id = |k: usize| scene["bodies"][k]["id"].clone();
    let place = |k: usize| scene["bodies"][k]["place"]["stand"]["at"].clone();
    pairs
        .iter()
        .flat_map(|&(a, b)| {
            let (from, to) = (id(a), id(b));
            [
                ask("tabletop.sight", json!({ "scene": scene, "from": from, "to": to })),
                ask("tabletop.shoot", json!({ "scene": scene, "shooter": from })),
                ask("tabletop.shoot", json!({ "scene": scene, "shooter": from, "target": to })),
                ask(
                    "tabletop.move",
                    json!({ "on-table": { "scene": scene, "body": from, "to": [place(b)], "pace": "charge" } }),
                ),
                ask("tabletop.melee-ground", json!({ "on-table": { "scene": scene, "attacker": from, "defender": to } })),
            ]
        })
        .collect()
}

/// Two lines face to face at some place, so that there is a melee on whatever lies there.
fn duel(x: i32, y: i32) -> [Value; 2] {
    let (x, y) = (f64::from(x), f64::from(y));
    [body("a", "blue", 6, stand(x, y, 0.0, "line")), body("d", "red", 6, stand(x, y + 0.05, 180.0, "line"))]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_the_terrain_changes_no_answer(
        terrain in terrain(), x in 70..110_i32, y in 70..110_i32, by in 1..6_usize,
    ) {
        prop_assume!(terrain.len() > 1);
        let bodies = duel(x, y);
        let scene = table(&terrain, &bodies);
        let mut turned = terrain.clone();
        let len = turned.len();
        turned.rotate_left(by % len);
        let mut reversed = terrain;
        reversed.reverse();
        let pairs = [(0, 1), (1, 0)];
        let told = answers(&scene, &pairs);
        prop_assert_eq!(&told, &answers(&table(&turned, &bodies), &pairs));
        prop_assert_eq!(&told, &answers(&table(&reversed, &bodies), &pairs));
    }
}

#[test]
fn the_order_of_the_terrain_changes_nothing_on_the_scenes_of_the_house() {
    for text in SCENES {
        let scene: Value = serde_json::from_str(text).unwrap();
        let mut reversed = scene.clone();
        reversed["terrain"].as_array_mut().unwrap().reverse();
        let pairs: Vec<(usize, usize)> =
            (1..scene["bodies"].as_array().unwrap().len()).map(|k| (k - 1, k)).collect();
        assert_eq!(answers(&scene, &pairs), answers(&reversed, &pairs));
    }
}

#[test]
fn a_quick_look_at_the_large_table_sees_what_a_plain_one_sees() {
    let seen = quickly_and_plainly(&large::scene(30), &Options::default()).unwrap();
    assert!(seen > 100, "{seen}");
}

const SCENES: [&str; 4] = [
    include_str!("../../../../scenarios/tabletop/fortified-farm.json"),
    include_str!("../../../../scenarios/tabletop/village-street.json"),
    include_str!("../../../../scenarios/tabletop/square-charged.json"),
    include_str!("../../../../scenarios/tabletop/river-crossing.json"),
];

/// Changes one value somewhere in a scene.
fn spoil(value: &mut Value, path: &[usize], change: u8, number: f64) {
    let Some((&step, rest)) = path.split_first() else {
        *value = match change {
            0 => Value::Null,
            1 => json!(number),
            2 => json!(-number),
            3 => json!([]),
            4 => json!(1e300),
            5 => json!(""),
            6 => json!([value.clone(), value.clone()]),
            7 => json!({}),
            _ => json!((number * 7.0).round()),
        };
        return;
    };
    match value {
        Value::Array(list) if !list.is_empty() => {
            let place = step % list.len();
            if rest.is_empty() && change == 8 {
                let twice = list[place].clone();
                list.push(twice);
            } else {
                spoil(&mut list[place], rest, change, number);
            }
        }
        Value::Object(fields) if !fields.is_empty() => {
            let key = fields.keys().nth(step % fields.len()).unwrap().clone();
            if rest.is_empty() && change == 9 {
                fields.remove(&key);
            } else if let Some(inner) = fields.get_mut(&key) {
                spoil(inner, rest, change, number);
            }
        }
        leaf => spoil(leaf, &[], change, number),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn a_spoiled_scene_is_answered_or_refused_quickly_and_never_panics(
        which in 0..SCENES.len(),
        changes in prop::collection::vec((prop::collection::vec(0..40_usize, 1..7), 0..11_u8, -50.0_f64..250.0), 1..4),
        shooter in 0..9_usize, target in 0..9_usize,
    ) {
        let mut scene: Value = serde_json::from_str(SCENES[which]).unwrap();
        for (path, change, number) in &changes {
            spoil(&mut scene, path, *change, *number);
        }
        let started = Clock::now();
        hold::any_scene(&scene, shooter, target);
        prop_assert!(started.elapsed() < yardstick::patience(Duration::from_secs(10)));
    }

    #[test]
    fn any_text_at_all_is_refused_without_panic(text in "\\PC{0,200}") {
        hold::any_text(&text);
    }
}

#[test]
fn what_cannot_stand_on_a_table_is_refused_by_name() {
    let fault = |terrain: Value, bodies: Value| -> String {
        let text = json!({ "name": "f", "width": 100, "depth": 100, "terrain": terrain, "bodies": bodies })
            .to_string();
        match Node::parse(&text).unwrap().read::<Setup>() {
            Err(refusal) => refusal.to_string(),
            Ok(setup) => setup
                .check(&Options::default())
                .err()
                .map_or_else(String::new, |faults| faults[0].to_string()),
        }
    };
    let wood = |ring: Value| json!([{ "id": "grove", "shape": { "wood": { "outline": ring } } }]);
    let crossing = fault(wood(json!([[10, 10], [30, 30], [30, 10], [10, 30]])), json!([]));
    assert_eq!(crossing, "refused at terrain.0.shape.wood.outline: tabletop-scene-crosses-itself name=grove");
    let road = json!({ "id": "r", "shape": { "road": { "axis": [[0, 50], [100, 50]], "width": 4 } } });
    let house = |id: &str, x: i32| json!({ "id": id, "shape": { "house": { "corner": [x, 52.2], "length": 9, "width": 8 } } });
    let overlapping = fault(json!([road, house("mill", 40), house("inn", 45)]), json!([]));
    assert!(overlapping.contains("houses-overlap name=inn other=mill"), "{overlapping}");
    let lonely = fault(
        json!([{ "id": "hut", "shape": { "house": { "corner": [10, 10], "length": 9, "width": 8 } } }]),
        json!([]),
    );
    assert!(lonely.contains("house-without-road name=hut"), "{lonely}");
    let wall = fault(
        json!([{ "id": "wall", "shape": { "obstacle": { "line": [[5, 5], [5, 5]], "class": "hard" } } }]),
        json!([]),
    );
    assert!(wall.contains("no-length name=wall"), "{wall}");
    let off = fault(json!([]), json!([body("guard", "blue", 12, stand(99.0, 50.0, 0.0, "line"))]));
    assert!(off.contains("bodies.0.place") && off.contains("off-table name=guard"), "{off}");
    let twice = fault(
        json!([]),
        json!([
            body("a", "blue", 4, stand(50.0, 50.0, 0.0, "line")),
            body("b", "red", 4, stand(51.0, 50.0, 0.0, "line"))
        ]),
    );
    assert!(twice.contains("same-ground name=b other=a"), "{twice}");
    let hill = fault(
        json!([{ "id": "knoll", "shape": { "hill": { "outline": [[10, 10], [30, 10], [30, 30], [10, 30]], "crest": [[5, 20], [20, 20]] } } }]),
        json!([]),
    );
    assert!(hill.contains("crest-does-not-part name=knoll"), "{hill}");
}

#[test]
fn a_million_points_are_refused_at_once() {
    let small = json!({ "name": "f", "width": 100, "depth": 100, "terrain": [
        { "id": "grove", "shape": { "wood": { "outline": [[1, 1], [9, 1], [9, 9]] } } }] });
    let mut setup: Setup = Node::parse(&small.to_string()).unwrap().read().unwrap();
    if let tabletop::scene::Shape::Wood(wood) = &mut setup.terrain[0].shape {
        wood.outline =
            (0..1_000_000).map(|k| tabletop::geometry::Point::new(k % 9_000, k / 7 % 9_000)).collect();
    }
    let started = Clock::now();
    let faults = setup.check(&Options::default()).unwrap_err();
    assert!(started.elapsed() < yardstick::patience(Duration::from_secs(1)));
    assert!(faults[0].to_string().contains("too-many"), "{}", faults[0]);
}

#[test]
fn the_large_table_is_sound_and_lively() {
    let scene = large::scene(60);
    let figures: i64 = scene.bodies().iter().map(tabletop::scene::Body::strength).sum();
    assert_eq!((scene.bodies().len(), figures, scene.elements().len()), (60, 900, 80));
    let options = Options::default();
    let ground = Ground::new(&scene, &options);
    let declared = tabletop::fire::phase::automatic(&ground);
    let mut desk = Desk::new(Live::from_seed([7; 32]), Silent);
    let outcome = tabletop::fire::phase::resolve(&scene, &options, &declared, &mut desk).unwrap();
    assert!(outcome.fires.len() > 15, "{}", outcome.fires.len());
    assert!(outcome.suffered.len() > 10);
}
