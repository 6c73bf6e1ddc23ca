//! What both sides write at once: a player with the other side's link, and a spectator, learn nothing of
//! a sealed order from any byte they can fetch; and nothing is lost by a crash.

use serde_json::{Value, json};
use yardstick::patience;

use crate::client::{Answer, Begun, Client, begin_with, view};
use crate::house::{House, databases, sqlite};

fn act(client: &mut Client, game: &Begun, side: &str, seen: u64, action: &Value) -> Answer {
    client.post(&game.path("/act"), game.secret(side), &json!({ "seen": seen, "action": action }))
}

/// A game at its first night, after four orders.
fn night(client: &mut Client, dice: &Value) -> Begun {
    let mut body = json!({ "system": "countermine", "scenario": "dark" });
    if !dice.is_null() {
        body["dice"] = dice.clone();
    }
    let game = begin_with(client, &body);
    let orders = [
        ("garrison", json!({ "lay": 1 })),
        ("besieger", json!({ "dig": 2 })),
        ("besieger", json!({ "dig": 0 })),
        ("garrison", json!("hold")),
    ];
    for (seen, (side, action)) in (0..).zip(orders) {
        let answer = act(client, &game, side, seen, &action);
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    game
}

/// Everything that somebody with this secret can fetch of a game: paths and bodies.
fn everything(client: &mut Client, game: &Begun, secret: &str, feed: &str) -> Vec<(String, Answer)> {
    let api = [
        "",
        "?side=besieger",
        "?side=garrison",
        "?side=spectator",
        "/actions",
        "/actions?side=garrison",
        "/actions?stage=kinds",
        "/actions?stage=kinds&side=garrison",
        "/actions?kind=patrol",
        "/actions?kind=patrol&subject=2",
        "/log",
        "/log?side=garrison",
        "/luck",
        "/record",
    ];
    let mut paths: Vec<String> = api.iter().map(|rest| game.path(rest)).collect();
    for page in ["", "?at=5", "/parts?since=0", "/parts?at=5", "/odds", "/why", "/reach", "/chances"] {
        paths.push(format!("/g/{}{page}", game.id));
    }
    paths.extend(["/api/games".to_owned(), feed.to_owned(), "/api/health".to_owned()]);
    let mut seen = Vec::new();
    for path in paths {
        let answer = client.get(&path, secret);
        seen.push((path, answer));
    }
    seen
}

fn feed_of(game: &Begun, side: &str) -> String {
    let seats = game.answer["seats"].as_array().unwrap();
    let link = seats.iter().find(|seat| seat["side"] == side).unwrap()["feed"].as_str().unwrap();
    link.split_once("/feed/").map(|(_, rest)| format!("/feed/{rest}")).unwrap()
}

/// A body without what differs from game to game: names, hashes, moments.
fn same_for_all(text: &str, game: &Begun) -> String {
    let (mut plain, mut run) = (String::new(), String::new());
    for c in text.replace(&game.id, "GAME").chars().chain(['\n']) {
        if c.is_ascii_hexdigit() {
            run.push(c);
        } else {
            plain.push_str(if run.len() >= 64 { "HASH" } else { &run });
            plain.push(c);
            run.clear();
        }
    }
    for (open, close) in [("\"at\":", ","), ("<updated>", "</updated>")] {
        let mut from = 0;
        while let Some(at) = plain[from..].find(open).map(|at| from + at + open.len()) {
            let end = plain[at..].find(close).map_or(plain.len(), |end| at + end);
            plain.replace_range(at..end, "");
            from = at;
        }
    }
    plain
}

#[test]
fn a_sealed_order_is_in_no_byte_that_others_can_fetch() {
    for database in databases() {
        let house = House::open(&database);
        let mut client = house.client();
        // Two games that differ in nothing but what the garrison writes.
        let mut told: Vec<Vec<(String, u16, String)>> = Vec::new();
        for order in [json!({ "patrol": 2 }), json!("sleep")] {
            let game = night(&mut client, &Value::Null);
            let mut heard = house.client().events(&game.path("/events?actions=true"), &game.besieger);
            let mut watched = house.client().events(&game.path("/events"), &game.spectator);
            assert_eq!(heard.next().unwrap().1["deciders"], json!(["besieger", "garrison"]));
            assert_eq!(watched.next().unwrap().1["n"], 4);
            let sealed = act(&mut client, &game, "garrison", 4, &order);
            assert_eq!((sealed.status, &sealed.json()["deed"]), (200, &json!("seal")), "{sealed:?}");
            assert_eq!(view(&mut client, &game, "garrison")["own_order"], order);
            let mut fetched = Vec::new();
            for (side, stream) in [("besieger", &mut heard), ("spectator", &mut watched)] {
                let (name, event) = stream.next().unwrap();
                assert_eq!(
                    (name.as_str(), &event["deed"], &event["said"]),
                    ("happened", &json!("seal"), &json!([]))
                );
                assert_eq!(event["commitment"], sealed.json()["commitment"]);
                assert_eq!(event["deciders"], json!(["besieger"]));
                fetched.push((side.to_owned(), 200, same_for_all(&event.to_string(), &game)));
                for (path, answer) in everything(&mut client, &game, game.secret(side), &feed_of(&game, side))
                {
                    assert!(!answer.body.contains("patrol"), "{side} reads {path}: {}", answer.body);
                    let path = same_for_all(&path, &game);
                    fetched.push((
                        format!("{side} {path}"),
                        answer.status,
                        same_for_all(&answer.body, &game),
                    ));
                }
            }
            told.push(fetched);
        }
        for (one, other) in told[0].iter().zip(&told[1]) {
            // The feeds have words of their own in their addresses.
            let alike = one.0.contains("/feed/") || one.0 == other.0;
            assert!(alike && (one.1, &one.2) == (other.1, &other.2), "{one:#?} is told from {other:#?}");
        }
    }
}

#[test]
fn an_order_is_changed_until_the_last_is_in_and_nobody_is_late() {
    for database in databases() {
        let mut house = House::open(&database);
        let mut client = house.client();
        let game = night(&mut client, &Value::Null);
        let commitment = |answer: &Answer| answer.json()["commitment"].as_str().unwrap().to_owned();
        let first = act(&mut client, &game, "garrison", 4, &json!({ "patrol": 2 }));
        let again = act(&mut client, &game, "garrison", 4, &json!({ "patrol": 2 }));
        assert_ne!(commitment(&first), commitment(&again));
        let undone = client.post(&game.path("/undo"), &game.garrison, &json!({ "seen": 4 }));
        assert_eq!((undone.status, &undone.json()["deciders"]), (200, &json!(["besieger", "garrison"])));
        let last = act(&mut client, &game, "garrison", 4, &json!({ "patrol": 3 }));
        let known = view(&mut client, &game, "spectator");
        assert_eq!(known["sealed"], json!([{ "side": "garrison", "commitment": commitment(&last) }]));
        // The order outlives the server.
        house.kill();
        house.again();
        let mut client = house.client();
        assert_eq!(view(&mut client, &game, "garrison")["own_order"], json!({ "patrol": 3 }));
        let foreign = act(&mut client, &game, "besieger", 4, &json!({ "patrol": 1 }));
        assert_eq!(
            (foreign.status, foreign.message().contains("ex-not-by-night")),
            (422, true),
            "{foreign:?}"
        );
        let mut heard = house.client().events(&game.path("/events"), &game.garrison);
        assert_eq!(heard.next().unwrap().1["n"], 8);
        assert_eq!(act(&mut client, &game, "besieger", 4, &json!({ "sap": 2 })).status, 200);
        let events: Vec<Value> = heard.take(3).map(|(_, event)| event).collect();
        let short: Vec<[&Value; 3]> =
            events.iter().map(|event| [&event["n"], &event["by"], &event["deed"]]).collect();
        let [besieger, garrison, seal, decide] = ["besieger", "garrison", "seal", "decide"].map(Value::from);
        let [n9, n10, n11] = [9, 10, 11].map(Value::from);
        assert_eq!(short, [[&n9, &besieger, &seal], [&n10, &besieger, &decide], [&n11, &garrison, &decide]]);
        assert_eq!(events[2]["said"][2]["event"], "ex-sapped", "{events:?}");
        assert_eq!(view(&mut client, &game, "besieger")["view"]["dug"], json!([1, 0, 2, 0]));
        // The record opens what was committed to before, and anybody can check it.
        let resign = client.post(&game.path("/resign"), &game.garrison, &json!({ "seen": 11 }));
        assert_eq!(resign.status, 200, "{resign:?}");
        let record = client.get(&game.path("/record"), &game.spectator).body;
        let line = record.lines().find(|line| line.contains("\"patrol\":3")).unwrap();
        let opened: Value = serde_json::from_str(line).unwrap();
        let salt = blake3::Hash::from_hex(opened["deed"]["decide"]["salt"].as_str().unwrap()).unwrap();
        let text = [salt.as_bytes(), &b"{\"patrol\":3}"[..]].concat();
        let hash = blake3::Hash::from_bytes(blake3::derive_key("glacis sealed order commitment v1", &text));
        assert_eq!(hash.to_string(), commitment(&last));
    }
}

#[test]
fn at_a_real_table_the_dice_are_sent_when_all_orders_are_in() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let game = night(&mut client, &json!("table"));
    assert!(game.answer["commitment"].is_null(), "{:?}", game.answer);
    for (side, action) in [("besieger", json!({ "sap": 2 })), ("garrison", json!({ "patrol": 2 }))] {
        assert_eq!(act(&mut client, &game, side, 4, &action).status, 200);
    }
    let offered = client.get(&game.path("/actions"), &game.garrison).json();
    assert_eq!(
        (&offered["deciders"], &offered["actions"]),
        (&json!(["garrison"]), &json!([{ "patrol": 2 }]))
    );
    let order =
        |action: Value, dice: Value| json!({ "seen": offered["entries"], "action": action, "dice": dice });
    let changed = client.post(&game.path("/act"), &game.garrison, &order(json!("sleep"), json!([])));
    assert!(changed.status >= 400 && changed.message().contains("can no longer be changed"), "{changed:?}");
    let rolled = client.post(&game.path("/act"), &game.garrison, &order(json!({ "patrol": 2 }), json!([4])));
    assert_eq!(rolled.status, 200, "{rolled:?}");
    assert_eq!(view(&mut client, &game, "besieger")["view"]["dug"], json!([1, 0, 0, 0]));
}

#[test]
fn computers_write_their_orders_at_night() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    // Not every game comes to a night in which the garrison goes out.
    let told = |record: &String| record.contains("\"seal\"") && record.contains("\"patrol\"");
    let record = (0..20).map(|_| a_game_against_the_garrison(&mut client)).find(told);
    assert!(record.is_some(), "no night in twenty games");
}

/// The record of a game in which the computer plays the garrison.
fn a_game_against_the_garrison(client: &mut Client) -> String {
    let body = json!({ "system": "countermine", "scenario": "dark", "seats": { "garrison": "sensible" } });
    let game = begin_with(client, &body);
    let began = std::time::Instant::now();
    loop {
        assert!(began.elapsed() < patience(std::time::Duration::from_secs(60)), "the game does not end");
        let state = view(client, &game, "besieger");
        if state["over"] == true {
            return client.get(&game.path("/record"), &game.spectator).body;
        }
        let offered = client.get(&game.path("/actions"), &game.besieger).json();
        let Some(action) = offered["actions"].as_array().and_then(|actions| actions.last()) else { continue };
        let sealed = state["sealed"].as_array().unwrap().iter().any(|order| order["side"] == "besieger");
        if sealed || !state["deciders"].as_array().unwrap().contains(&json!("besieger")) {
            continue;
        }
        // The computer may have sealed meanwhile: that makes nothing stale.
        let answer = act(client, &game, "besieger", offered["entries"].as_u64().unwrap(), action);
        assert!(matches!(answer.status, 200 | 409), "{answer:?}");
    }
}

#[test]
fn five_thousand_orders_are_offered_in_stages() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let game = begin_with(&mut client, &json!({ "system": "countermine", "scenario": "vast" }));
    assert_eq!(act(&mut client, &game, "garrison", 0, &json!({ "lay": 1_700 })).status, 200);
    let mut stage = |rest: &str, secret: &str| client.get(&game.path(&format!("/actions{rest}")), secret);
    let kinds = stage("?stage=kinds", &game.besieger);
    assert!(kinds.body.len() < 300, "{}", kinds.body);
    assert_eq!(kinds.json()["kinds"][0], json!({ "kind": "dig", "count": 2_500 }));
    assert_eq!(
        stage("?kind=dig", &game.besieger).json()["subjects"][17],
        json!({ "subject": 17, "count": 1 })
    );
    assert_eq!(stage("?kind=dig&subject=17", &game.besieger).json()["actions"], json!([{ "dig": 17 }]));
    assert_eq!(
        stage("?kind=place&subject=none", &game.besieger).json()["actions"].as_array().unwrap().len(),
        4
    );
    assert_eq!(stage("?stage=kinds", &game.spectator).json()["kinds"], json!([]));
    let odd = stage("?stage=all", &game.besieger);
    assert_eq!((odd.status, &odd.json()["refused"]["field"]), (400, &json!("stage")), "{odd:?}");
}
