//! Playing: two seats, orders, events, taking back, giving up, and the record at the end.

use serde_json::{Value, json};
use yardstick::patience;

use crate::client::{Begun, Client, begin, begin_with, play_one, view};
use crate::house::{House, databases, sqlite};

/// What all may hear of the countermine: that it is laid.
fn only_that() -> Value {
    json!([{ "event": "ex-mined", "text": "ex-mined" }])
}

#[test]
fn two_seats_play_and_a_restart_loses_nothing() {
    for database in databases() {
        let mut house = House::open(&database);
        let mut client = house.client();
        let game = begin(&mut client);
        let mut heard = house.client().events(&game.path("/events"), &game.besieger);
        assert_eq!(
            heard.next().unwrap(),
            (
                "state".into(),
                json!({ "n": 0, "to_move": "garrison", "deciders": ["garrison"], "over": false })
            )
        );

        let laid =
            client.post(&game.path("/act"), &game.garrison, &json!({ "seen": 0, "action": { "lay": 2 } }));
        assert_eq!((laid.status, &laid.json()["n"]), (200, &json!(1)), "{laid:?}");
        assert_eq!(laid.json()["said"][1]["event"], "ex-laid", "the garrison hears where it laid its mine");
        let (name, event) = heard.next().unwrap();
        assert_eq!(
            (name.as_str(), &event["n"], &event["to_move"]),
            ("happened", &json!(1), &json!("besieger"))
        );
        assert_eq!(event["said"], only_that(), "the besieger hears that it was laid, and nothing more");
        assert!(view(&mut client, &game, "besieger")["view"]["mine"].is_null());
        assert_eq!(view(&mut client, &game, "garrison")["view"]["mine"], 2);
        assert!(view(&mut client, &game, "spectator")["view"]["mine"].is_null());

        assert!(house.interrupt(), "a clean end");
        assert!(heard.next().is_none(), "the stream ends with the server");
        house.again();
        let mut client = house.client();
        assert_eq!(view(&mut client, &game, "garrison")["view"]["mine"], 2);
        let dug =
            client.post(&game.path("/act"), &game.besieger, &json!({ "seen": 1, "action": { "dig": 0 } }));
        assert_eq!(dug.status, 200, "{dug:?}");
    }
}

#[test]
fn of_two_orders_at_once_one_wins_and_the_other_is_told() {
    for database in databases() {
        let house = House::open(&database);
        let game = begin(&mut house.client());
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let racers: Vec<_> = (0..8)
                .map(|gallery| {
                    let (house, game) = (&house, &game);
                    scope.spawn(move || {
                        let order = json!({ "seen": 0, "action": { "lay": gallery % 4 } });
                        house.client().post(&game.path("/act"), &game.garrison, &order).status
                    })
                })
                .collect();
            racers.into_iter().map(|racer| racer.join().unwrap()).collect()
        });
        assert_eq!(statuses.iter().filter(|&&status| status == 200).count(), 1, "{statuses:?}");
        assert_eq!(statuses.iter().filter(|&&status| status == 409).count(), 7, "{statuses:?}");
        assert_eq!(view(&mut house.client(), &game, "garrison")["entries"], 1);
    }
}

fn act(client: &mut Client, game: &Begun, side: &str, seen: u64, action: &Value) -> u16 {
    client.post(&game.path("/act"), game.secret(side), &json!({ "seen": seen, "action": action })).status
}

#[test]
fn back_to_the_last_revelation_alone_and_beyond_it_by_consent() {
    for database in databases() {
        let mut house = House::open(&database);
        let mut client = house.client();
        let game = begin(&mut client);
        assert_eq!(act(&mut client, &game, "garrison", 0, &json!({ "lay": 1 })), 200);
        assert_eq!(act(&mut client, &game, "besieger", 1, &json!({ "dig": 1 })), 200);
        let undo = |client: &mut Client, seen: u64| {
            client.post(&game.path("/undo"), &game.besieger, &json!({ "seen": seen })).status
        };
        assert_eq!(undo(&mut client, 2), 200);
        assert_eq!(undo(&mut client, 3), 409, "the garrison's decision is not the besieger's to take back");
        assert_eq!(act(&mut client, &game, "besieger", 3, &json!({ "listen": 1 })), 200);
        assert_eq!(undo(&mut client, 4), 409, "what was heard cannot be unheard");
        assert_eq!(view(&mut client, &game, "besieger")["view"]["mine"], 1);

        let offer = json!({ "seen": 4, "offer": "take-back" });
        assert_eq!(client.post(&game.path("/offer"), &game.besieger, &offer).status, 200);
        assert_eq!(
            view(&mut client, &game, "garrison")["offered"],
            json!({ "by": "besieger", "offer": "take-back" })
        );
        // What is offered survives a crash like everything else.
        house.kill();
        house.again();
        let mut client = house.client();
        let accept = json!({ "seen": 5, "accept": true });
        assert_eq!(
            client.post(&game.path("/answer"), &game.besieger, &accept).status,
            409,
            "not one's own offer"
        );
        assert_eq!(client.post(&game.path("/answer"), &game.garrison, &accept).status, 200);
        assert!(
            view(&mut client, &game, "besieger")["view"]["mine"].is_null(),
            "as if nothing had been heard"
        );
        assert_eq!(view(&mut client, &game, "besieger")["entries"], 6, "but the record holds it all");
    }
}

#[test]
fn a_draw_a_resignation_and_the_seed_at_the_end() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let game = begin(&mut client);
    let offer = json!({ "seen": 0, "offer": "draw" });
    assert_eq!(client.post(&game.path("/offer"), &game.besieger, &offer).status, 200);
    assert_eq!(
        client.post(&game.path("/answer"), &game.garrison, &json!({ "seen": 1, "accept": false })).status,
        200
    );
    let offer = json!({ "seen": 2, "offer": "draw" });
    assert_eq!(client.post(&game.path("/offer"), &game.garrison, &offer).status, 200);
    assert_eq!(
        client.post(&game.path("/answer"), &game.besieger, &json!({ "seen": 3, "accept": true })).status,
        200
    );
    let state = view(&mut client, &game, "spectator");
    assert_eq!((&state["over"], &state["outcome"]), (&json!(true), &json!("drawn")));
    assert_eq!(act(&mut client, &game, "garrison", 5, &json!({ "lay": 1 })), 409);

    let game = begin(&mut client);
    assert_eq!(client.post(&game.path("/resign"), &game.besieger, &json!({ "seen": 0 })).status, 200);
    assert_eq!(view(&mut client, &game, "garrison")["outcome"], json!({ "resigned": "besieger" }));
    let record = client.get(&game.path("/record"), &game.spectator).body;
    assert!(record.lines().last().unwrap().contains("reveal"), "{record}");
}

#[test]
fn the_dice_are_committed_to_and_revealed_and_words_are_heard() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let game = begin(&mut client);
    let commitment = game.answer["commitment"].as_str().unwrap().to_owned();
    assert_eq!(view(&mut client, &game, "garrison")["header"]["seed"]["committed"], commitment);
    let words = json!({ "seen": 0, "words": "À la brèche !" });
    assert_eq!(client.post(&game.path("/words"), &game.besieger, &words).status, 200);
    let heard = client.get(&game.path("/log"), &game.garrison).json();
    assert_eq!((&heard[0]["deed"], &heard[0]["words"]), (&json!("words"), &json!("À la brèche !")));
    let long = json!({ "seen": 1, "words": "x".repeat(201) });
    assert_eq!(client.post(&game.path("/words"), &game.garrison, &long).status, 400);
    let refused = client.get(&game.path("/record"), &game.besieger);
    assert_eq!(refused.status, 403, "the record shows where the mine is: {refused:?}");
    let both = format!("{},{}", game.besieger, game.garrison);
    assert_eq!(client.get(&game.path("/record"), &both).status, 200, "whoever plays both sides may read it");

    let mut count = 0;
    while play_one(&mut client, &game, |count| count - 1).is_some_and(|answer| answer.status == 200) {
        count += 1;
        assert!(count < 100, "the game does not end");
    }
    let late = json!({ "seen": view(&mut client, &game, "garrison")["entries"], "words": "zu spät" });
    assert_eq!(client.post(&game.path("/words"), &game.garrison, &late).status, 409);
    let record = client.get(&game.path("/record"), &game.spectator);
    assert_eq!(record.status, 200);
    assert!(record.body.contains("À la brèche !") && record.body.contains("\"reveal\""));

    // Taken over by another server, every line is checked again; altered, it is refused.
    let other = House::open(&sqlite());
    let mut elsewhere = other.client();
    let import = json!({ "record": record.body });
    let imported = elsewhere.send("POST", "/api/import", &[], import.to_string().as_bytes());
    assert_eq!(imported.status, 201, "{imported:?}");
    let altered = json!({ "record": record.body.replace("\"dig\":3", "\"dig\":2") });
    let refused = elsewhere.send("POST", "/api/import", &[], altered.to_string().as_bytes());
    assert_eq!(refused.status, 400, "{refused:?}");
    assert!(refused.message().contains("was altered"), "{refused:?}");
    let luck = client.get(&game.path("/luck"), &game.spectator).json();
    assert!(luck["luck"].as_array().unwrap().iter().all(|line| line["die"] == 6), "{luck}");
}

#[test]
fn the_computer_takes_a_seat_and_plays_to_the_end() {
    for database in databases() {
        let house = House::open(&database);
        let mut client = house.client();
        let body = json!({
            "system": "countermine", "scenario": "narrow", "options": { "powder": "damp" },
            "seats": { "garrison": "sensible", "besieger": "sensible" },
        });
        let game = begin_with(&mut client, &body);
        assert_eq!(
            (game.besieger.as_str(), game.garrison.as_str()),
            ("", ""),
            "nobody sits down for a computer"
        );
        let began = std::time::Instant::now();
        while view(&mut client, &game, "spectator")["over"] != true {
            assert!(
                began.elapsed() < patience(std::time::Duration::from_secs(20)),
                "the computers do not finish"
            );
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        assert!(client.get(&game.path("/record"), &game.spectator).body.contains("reveal"));
    }
}

#[test]
fn a_long_game_opens_from_its_snapshot_and_still_takes_back() {
    for database in databases() {
        let mut house = House::open(&database);
        let mut client = house.client();
        let game = begin(&mut client);
        assert_eq!(act(&mut client, &game, "garrison", 0, &json!({ "lay": 1 })), 200);
        // Back and forth, past the first snapshot; the last thing before the crash is a decision.
        let mut n = 1;
        for turn in 0..150 {
            let (path, body) = if turn % 2 == 0 {
                ("/act", json!({ "seen": n, "action": { "dig": 1 } }))
            } else {
                ("/undo", json!({ "seen": n }))
            };
            assert_eq!(client.post(&game.path(path), &game.besieger, &body).status, 200);
            n += 1;
        }
        assert_eq!(act(&mut client, &game, "besieger", n, &json!({ "dig": 2 })), 200);
        house.kill();
        house.again();
        let mut client = house.client();
        assert_eq!(view(&mut client, &game, "besieger")["view"]["dug"], json!([0, 0, 1, 0]));
        let undo = client.post(&game.path("/undo"), &game.besieger, &json!({ "seen": n + 1 }));
        assert_eq!(undo.status, 200, "{undo:?}");
        // Twice at the very snapshot: a decision that only the whole record remembers.
        house.kill();
        house.again();
        let undo = house.client().post(&game.path("/undo"), &game.garrison, &json!({ "seen": n + 2 }));
        assert_eq!(undo.status, 200, "{undo:?}");
    }
}

#[test]
fn the_feed_and_the_log_tell_each_seat_its_part() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let game = begin(&mut client);
    let feed_of = |side: &str| {
        let seats = game.answer["seats"].as_array().unwrap();
        let link = seats.iter().find(|seat| seat["side"] == side).unwrap()["feed"].as_str().unwrap();
        link.split_once("/feed/").map(|(_, rest)| format!("/feed/{rest}")).unwrap()
    };
    assert_eq!(act(&mut client, &game, "garrison", 0, &json!({ "lay": 2 })), 200);
    let besieger = client.send("GET", &format!("{}?lang=fr", feed_of("besieger")), &[], b"");
    assert_eq!(
        (besieger.status, besieger.header("content-type").unwrap()),
        (200, "application/atom+xml; charset=utf-8")
    );
    assert!(
        besieger.body.contains("<title>À vous : countermine</title>") && !besieger.body.contains("ex-laid")
    );
    let garrison = client.send("GET", &feed_of("garrison"), &[], b"");
    assert!(garrison.body.contains("ex-laid") && garrison.body.contains("besieger to play"), "{garrison:?}");
    let wrong = feed_of("garrison").replace("/1/", "/0/");
    assert_eq!(client.send("GET", &wrong, &[], b"").status, 403);
    let log = client.get(&game.path("/log"), &game.besieger).json();
    assert_eq!((log[0]["n"].clone(), log[0]["said"].clone()), (json!(1), only_that()));
}

#[test]
fn who_comes_back_hears_what_he_missed_and_no_more() {
    for database in databases() {
        let mut house = House::open(&database);
        let mut client = house.client();
        let game = begin(&mut client);
        assert_eq!(act(&mut client, &game, "garrison", 0, &json!({ "lay": 2 })), 200);
        let mut heard = house.client().events(&game.path("/events"), &game.besieger);
        assert_eq!(heard.next().unwrap().1["n"], 1);
        drop(heard);
        assert_eq!(act(&mut client, &game, "besieger", 1, &json!({ "dig": 0 })), 200);
        assert_eq!(act(&mut client, &game, "besieger", 2, &json!({ "dig": 1 })), 200);
        let again = |house: &House, heard: u64| -> Vec<(String, Value)> {
            let events = house.client().events_after(&game.path("/events"), &game.besieger, Some(heard));
            events.take(usize::try_from(4 - heard.min(3)).unwrap()).collect()
        };
        let missed = again(&house, 1);
        let names: Vec<_> = missed.iter().map(|(name, event)| (name.as_str(), &event["n"])).collect();
        assert_eq!(names, [("happened", &json!(2)), ("happened", &json!(3)), ("state", &json!(3))]);
        assert_eq!(missed[0].1["said"][0]["event"], "ex-dug");
        // The garrison's secret stays one, however far back one asks.
        assert_eq!(again(&house, 0)[0].1["said"], only_that());
        assert_eq!(again(&house, 3)[0].0, "state", "nothing missed");
        assert_eq!(again(&house, 99)[0].0, "state", "nothing of the future");
        // The same after a restart, when the journal is read from the record.
        house.kill();
        house.again();
        assert_eq!(again(&house, 1), missed);
        // And what is asked for again is the same as what was told.
        let log = house.client().get(&game.path("/log?since=1"), &game.besieger).json();
        assert_eq!(log, json!([missed[0].1, missed[1].1]));
    }
}

#[test]
fn seat_links_become_cookies_and_hot_seats_hold_several() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let game = begin(&mut client);
    let link = |secret: &str| format!("/s/{}/{secret}", game.id);
    let sit = |client: &mut Client, secret: &str| {
        let answer = client.send("GET", &link(secret), &[], b"");
        assert_eq!(answer.status, 303);
        assert_eq!(answer.header("location"), Some(format!("/g/{}", game.id).as_str()));
        let cookie = answer.header("set-cookie").unwrap().to_owned();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
        cookie.split(';').next().unwrap().to_owned()
    };
    let (one, two) = (sit(&mut client, &game.besieger), sit(&mut client, &game.garrison));
    let page = client.send("GET", &format!("/g/{}?lang=fr", game.id), &[("cookie", &one)], b"");
    assert_eq!(page.status, 200);
    assert!(page.header("content-security-policy").unwrap().contains("script-src 'self'"));
    let hot = format!("{one}; {two}");
    let origin = format!("http://{}", house.address);
    for (seen, action) in [(0, json!({ "lay": 0 })), (1, json!({ "dig": 0 })), (2, json!({ "dig": 0 }))] {
        let order = json!({ "seen": seen, "action": action }).to_string();
        let headers = [("cookie", hot.as_str()), ("origin", origin.as_str())];
        assert_eq!(client.send("POST", &game.path("/act"), &headers, order.as_bytes()).status, 200);
    }
    let mine = client.send("GET", "/api/games", &[("cookie", &hot)], b"").json();
    assert_eq!((mine[0]["game"].as_str(), &mine[0]["entries"]), (Some(game.id.as_str()), &json!(3)));
}

#[test]
fn the_umpire_answers_over_http_as_at_the_command_line() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let names = client.send("GET", "/api/ask", &[], b"").json();
    assert!(names.as_array().unwrap().iter().any(|line| line["question"] == "tabletop.fire"), "{names}");
    let refused = client.send("POST", "/api/ask/tabletop.fire", &[], b"{\"shooters\": 3}");
    assert_eq!(refused.status, 400);
    assert!(refused.json()["refused"]["field"].is_string());
    assert_eq!(client.send("POST", "/api/ask/tabletop.nothing", &[], b"{}").status, 404);
    let api = client.send("GET", "/api", &[], b"").json();
    assert_eq!(api["openapi"], "3.1.0");
    let act = &api["paths"]["/api/games/{game}/act"]["post"]["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!(act["$ref"], "#/components/schemas/Act");
    assert_eq!(api["components"]["schemas"]["Act"]["additionalProperties"], false);
    assert!(api["paths"]["/api/ask/tabletop.fire"]["post"].is_object());
}

#[test]
fn the_same_request_made_again_is_answered_with_the_same_game() {
    for database in databases() {
        let mut house = House::open(&database);
        let request = |word: &str| json!({ "system": "countermine", "scenario": "broad", "seats": { "garrison": "sensible" }, "once": word });
        let word = "5a".repeat(32);
        // Two clicks at once, and six more.
        let games: Vec<Value> = std::thread::scope(|scope| {
            let clicks: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| begin_with(&mut house.client(), &request(&word)).answer))
                .collect();
            clicks.into_iter().map(|click| click.join().unwrap()).collect()
        });
        assert!(games.iter().all(|game| *game == games[0]), "{games:#?}");
        assert!(games[0]["commitment"].is_string());
        // The links open its seats, and the server need not remember for it.
        assert!(house.interrupt());
        house.again();
        let mut client = house.client();
        let again = begin_with(&mut client, &request(&word));
        assert_eq!(again.answer, games[0]);
        assert_eq!(view(&mut client, &again, "besieger")["seat"], "besieger");
        // Another word, other wishes or no word at all: another game.
        let mut other = request(&word);
        other["scenario"] = json!("narrow");
        let plain = json!({ "system": "countermine", "scenario": "broad" });
        for body in [request(&"a5".repeat(32)), other, plain.clone(), plain] {
            let game = begin_with(&mut client, &body);
            assert_ne!(game.id, again.id);
            assert_ne!(game.besieger, again.besieger);
        }
        // A word that could be guessed would give the seats away.
        let weak = client.send("POST", "/api/games", &[], request("1").to_string().as_bytes());
        assert_eq!((weak.status, &weak.json()["refused"]["field"]), (400, &json!("once")), "{weak:?}");
    }
}
