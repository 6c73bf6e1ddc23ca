//! Fair dice over HTTP: what a hostile client tries to know, to choose or to repeat them.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use yardstick::patience;

use crate::client::{Answer, Begun, Client, begin, begin_with, view};
use crate::house::{House, databases, sqlite};

/// Up to the moment before the first assault: 4 entries.
fn dug(client: &mut Client, game: &Begun, first: u64) -> u64 {
    let orders = [
        ("garrison", json!({ "lay": 3 })),
        ("besieger", json!({ "dig": 0 })),
        ("besieger", json!({ "dig": 0 })),
        ("garrison", json!("hold")),
    ];
    for (seen, (side, action)) in (first..).zip(orders) {
        let order = json!({ "seen": seen, "action": action });
        let answer = client.post(&game.path("/act"), game.secret(side), &order);
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    first + 4
}

fn assault(client: &mut Client, game: &Begun, seen: u64, dice: Option<Value>) -> Answer {
    let mut order = json!({ "seen": seen, "action": { "assault": 0 } });
    if let Some(dice) = dice {
        order["dice"] = dice;
    }
    client.post(&game.path("/act"), &game.besieger, &order)
}

#[test]
fn a_six_cannot_be_asked_for_however_often_one_tries() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let game = begin(&mut client);
    let mut seen = dug(&mut client, &game, 0);
    for round in 0..20 {
        let answers: Vec<Answer> =
            (1..=6).map(|face| assault(&mut client, &game, seen, Some(json!([face])))).collect();
        for answer in &answers {
            assert_eq!((answer.status, &answer.body), (400, &answers[0].body), "round {round}");
        }
        assert_eq!(answers[0].json()["refused"]["field"], "dice");
        assert!(answers[0].message().contains("rolls its own dice"), "{:?}", answers[0]);
        for (path, body) in [
            ("/offer", json!({ "seen": seen, "offer": "draw" })),
            ("/answer", json!({ "seen": seen + 1, "accept": false })),
        ] {
            assert_eq!(client.post(&game.path(path), &game.besieger, &body).status, 200);
        }
        seen += 2;
    }
    assert_eq!(assault(&mut client, &game, seen, None).status, 200);
    let french = client.send(
        "POST",
        &game.path("/act?lang=fr"),
        &[("authorization", &format!("Bearer {}", game.besieger))],
        json!({ "seen": seen, "action": { "assault": 0 }, "dice": [] }).to_string().as_bytes(),
    );
    assert!(french.message().contains("ses propres dés"), "{french:?}");
}

fn pledge(client: &mut Client, game: &Begun, side: &str, seed: &str) -> Answer {
    client.post(&game.path("/pledge"), game.secret(side), &json!({ "seed": seed }))
}

#[test]
fn each_seat_pledges_once_before_the_first_die_and_everybody_can_see_it() {
    for database in databases() {
        let mut house = House::open(&database);
        let mut client = house.client();
        let game = begin(&mut client);
        let free = &view(&mut client, &game, "spectator")["dice"];
        assert_eq!(
            (&free["source"], &free["may_pledge"]),
            (&json!("committed"), &json!(["besieger", "garrison"]))
        );
        assert_eq!(pledge(&mut client, &game, "garrison", &"0g".repeat(32)).status, 400);
        assert_eq!(pledge(&mut client, &game, "garrison", "07").status, 400);
        assert_eq!(pledge(&mut client, &game, "spectator", &"07".repeat(32)).status, 403);
        let pledged = pledge(&mut client, &game, "garrison", &"07".repeat(32));
        assert_eq!((pledged.status, &pledged.json()["deed"]), (200, &json!("pledge")), "{pledged:?}");
        let again = pledge(&mut client, &game, "garrison", &"08".repeat(32));
        assert_eq!(again.status, 409);
        assert!(again.message().contains("put its seed into the dice already"), "{again:?}");
        // Nobody's order was made stale by it.
        dug(&mut client, &game, 1);
        house.kill();
        house.again();
        let mut client = house.client();
        let hash = blake3::Hash::from_bytes(blake3::derive_key("glacis seat seed commitment v2", &[7; 32]));
        let dice = view(&mut client, &game, "besieger")["dice"].clone();
        assert_eq!(dice["pledges"], json!([{ "side": "garrison", "commitment": hash.to_string() }]));
        assert_eq!(dice["may_pledge"], json!(["besieger"]));
        assert_eq!(assault(&mut client, &game, 5, None).status, 200);
        let late = pledge(&mut client, &game, "besieger", &"09".repeat(32));
        assert_eq!(late.status, 409, "{late:?}");
        let over = view(&mut client, &game, "spectator")["over"] == true;
        assert!(late.message().contains(if over { "over" } else { "a die has been rolled" }), "{late:?}");
    }
}

#[test]
fn an_imported_game_says_so_and_takes_its_dice_from_here() {
    let (house, elsewhere) = (House::open(&sqlite()), House::open(&sqlite()));
    let mut client = elsewhere.client();
    let game = begin(&mut client);
    dug(&mut client, &game, 0);
    let both = format!("{},{}", game.besieger, game.garrison);
    let record = client.get(&game.path("/record"), &both).body;
    let old = view(&mut client, &game, "spectator")["dice"]["commitment"].clone();

    let mut client = house.client();
    let seeded = json!({ "record": record, "seed": "07".repeat(32) });
    let refused = client.send("POST", "/api/import", &[], seeded.to_string().as_bytes());
    assert_eq!(
        (refused.status, refused.json()["refused"]["field"].as_str()),
        (400, Some("seed")),
        "no seed is taken"
    );
    let imported =
        client.send("POST", "/api/import", &[], json!({ "record": record }).to_string().as_bytes());
    assert_eq!(imported.status, 201, "{imported:?}");
    let answer = imported.json();
    let secret = |side: &str| {
        let seats = answer["seats"].as_array().unwrap();
        seats.iter().find(|seat| seat["side"] == side).unwrap()["secret"].as_str().unwrap().to_owned()
    };
    let taken = Begun {
        id: answer["game"].as_str().unwrap().to_owned(),
        besieger: secret("besieger"),
        garrison: secret("garrison"),
        spectator: secret("spectator"),
        answer: answer.clone(),
    };
    let state = view(&mut client, &taken, "garrison");
    assert_eq!((&state["imported"], &state["entries"]), (&json!(5), &json!(5)));
    assert_eq!((&state["dice"]["source"], &state["dice"]["since"]), (&json!("committed"), &json!(5)));
    assert_eq!(state["dice"]["commitment"], answer["commitment"]);
    assert_ne!(state["dice"]["commitment"], old, "a commitment of this server");
    let feed = answer["seats"][0]["feed"].as_str().unwrap();
    let feed = client.send("GET", &feed[feed.find("/feed").unwrap()..], &[], b"").body;
    assert!(feed.contains("<subtitle>Imported: this game was begun elsewhere"), "{feed}");
    let mut heard = house.client().events(&taken.path("/events"), &taken.garrison);
    assert_eq!(heard.next().unwrap().1["imported"], 5);

    let own = assault(&mut client, &taken, 5, Some(json!([6])));
    assert_eq!((own.status, own.json()["refused"]["field"].as_str()), (400, Some("dice")));
    assert_eq!(pledge(&mut client, &taken, "garrison", &"07".repeat(32)).status, 200);
    assert_eq!(heard.next().unwrap().1["imported"], 5);
    // Dice of a real table, once both seats have agreed to them.
    let offer = json!({ "seen": 6, "offer": "table-dice" });
    assert_eq!(client.post(&taken.path("/offer"), &taken.besieger, &offer).status, 200);
    assert_eq!(assault(&mut client, &taken, 7, Some(json!([6]))).status, 400, "the other has not agreed");
    let accept = json!({ "seen": 7, "accept": true });
    assert_eq!(client.post(&taken.path("/answer"), &taken.garrison, &accept).status, 200);
    assert_eq!(view(&mut client, &taken, "garrison")["dice"]["source"], "table");
    assert_eq!(assault(&mut client, &taken, 8, Some(json!([2]))).status, 200);
}

#[test]
fn an_imported_siege_says_so_on_its_page_and_to_the_verifier() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let whole = include_str!("../../../../scenarios/danzig/1807.record");
    let record: String = whole.lines().take(200).map(|line| format!("{line}\n")).collect();
    let imported =
        client.send("POST", "/api/import", &[], json!({ "record": record }).to_string().as_bytes()).json();
    let (game, secret) =
        (imported["game"].as_str().unwrap(), imported["seats"][0]["secret"].as_str().unwrap());
    let seated = client.send("GET", &format!("/s/{game}/{secret}"), &[], b"");
    let cookie = seated.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    for (lang, told) in
        [("en", "Imported: this game was begun elsewhere"), ("fr", "cette partie a commencé ailleurs")]
    {
        for part in ["", "/parts"] {
            let page =
                client.send("GET", &format!("/g/{game}{part}?lang={lang}"), &[("cookie", &cookie)], b"");
            assert!(page.body.contains(told), "{lang}: {}", page.body);
        }
    }
    let resign = json!({ "seen": 200 });
    assert_eq!(client.post(&format!("/api/games/{game}/resign"), secret, &resign).status, 200);
    let record = client.get(&format!("/api/games/{game}/record"), secret).body;
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("imported{}.jsonl", std::process::id()));
    std::fs::write(&file, record).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_glacis"))
        .args(["verify", "--lang", "en"])
        .arg(file)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}");
    for told in ["with entry 200 another server took the game over", "every die follows from the seed"] {
        assert!(said.contains(told), "{told}: {said}");
    }
}

/// Plays the besieger against the machine until one of his assaults has failed; nothing if the game ended.
fn failed_assault(client: &mut Client, game: &Begun) -> Option<()> {
    let began = Instant::now();
    loop {
        assert!(began.elapsed() < patience(Duration::from_secs(20)), "the machine does not answer");
        let offered = client.get(&game.path("/actions"), &game.besieger).json();
        let actions = offered["actions"].as_array().unwrap();
        if view(client, game, "besieger")["over"] == true {
            return None;
        }
        let wanted = |kind: &str| actions.iter().find(|action| action[kind].is_number());
        let Some(action) = wanted("assault").or(wanted("dig")) else { continue };
        let order = json!({ "seen": offered["entries"], "action": action });
        let answer = client.post(&game.path("/act"), &game.besieger, &order);
        assert_eq!(answer.status, 200, "{answer:?}");
        if action["assault"].is_number() {
            return (answer.json()["over"] != true).then_some(());
        }
    }
}

/// Asks to take back, again if the machine moved meanwhile.
fn ask_back(client: &mut Client, game: &Begun) -> Answer {
    loop {
        let seen = view(client, game, "besieger")["entries"].clone();
        let answer =
            client.post(&game.path("/offer"), &game.besieger, &json!({ "seen": seen, "offer": "take-back" }));
        if !answer.body.contains("the game has moved on") {
            return answer;
        }
    }
}

#[test]
fn a_roll_is_taken_back_against_the_machine_only_where_that_was_chosen_and_is_counted() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    for chosen in [false, true] {
        let mut body =
            json!({ "system": "countermine", "scenario": "broad", "seats": { "garrison": "sensible" } });
        if chosen {
            body["machine_take_backs"] = json!(true);
        }
        // One assault in three takes the place at once; then there is another game.
        let game = (0..40).find_map(|_| {
            let game = begin_with(&mut client, &body);
            failed_assault(&mut client, &game).map(|()| game)
        });
        let game = game.expect("an assault that fails");
        let answer = ask_back(&mut client, &game);
        let state = view(&mut client, &game, "besieger");
        assert_eq!(state["machine_take_backs"], chosen);
        if !chosen {
            assert_eq!((answer.status, &state["rolls_taken_back"]), (409, &json!(0)), "{answer:?}");
            assert!(answer.message().contains("against the machine"), "{answer:?}");
            continue;
        }
        assert_eq!(answer.status, 200, "{answer:?}");
        let began = Instant::now();
        while view(&mut client, &game, "besieger")["rolls_taken_back"] != 1 {
            assert!(began.elapsed() < patience(Duration::from_secs(20)), "the machine does not agree");
        }
    }
}
