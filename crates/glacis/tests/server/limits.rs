//! What one address may do, and what its neighbours may do nevertheless.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use yardstick::patience;

use crate::client::{begin, begin_with, view};
use crate::house::{House, Served, databases, sqlite};

fn limited() -> House {
    House::open_with(&sqlite(), "127.0.0.1:0".parse().unwrap(), 2000)
}

/// A request whose body never comes to its end.
fn half_sent(house: &House) -> TcpStream {
    let mut stream = TcpStream::connect(house.address).unwrap();
    let head = format!(
        "POST /api/ask/tabletop.fire HTTP/1.1\r\nhost: {}\r\ncontent-length: 1000\r\n\r\n{{\"shooter\"",
        house.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

/// Everything that comes until the connection is closed.
fn heard(mut stream: TcpStream) -> String {
    stream.set_read_timeout(Some(patience(Duration::from_secs(40)))).unwrap();
    let mut said = Vec::new();
    // Whoever is hung up on while he speaks is told so by his system.
    if let Err(error) = stream.read_to_end(&mut said) {
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "the server does not hang up");
    }
    String::from_utf8_lossy(&said).into_owned()
}

#[test]
fn half_sent_bodies_are_dropped_and_take_nobodys_place() {
    let house = limited();
    let mut client = house.client();
    let game = begin(&mut client);
    let began = Instant::now();
    let mut halves: Vec<TcpStream> = (0..540).map(|_| half_sent(&house)).collect();
    // This address has all its connections: the last are told so at once.
    let refused: Vec<String> = halves.split_off(530).into_iter().map(heard).collect();
    assert!(refused.iter().any(|said| said.starts_with("HTTP/1.1 429")), "{refused:?}");
    assert!(began.elapsed() < Duration::from_secs(9), "{:?}: too slow to tell", began.elapsed());
    // Whoever is connected plays on.
    let lay = json!({ "seen": 0, "action": { "lay": 1 } });
    assert_eq!(client.post(&game.path("/act"), &game.garrison, &lay).status, 200);
    // After ten seconds they are told why, and dropped.
    let said = heard(halves.remove(0));
    assert!(said.starts_with("HTTP/1.1 408") && said.contains("did not arrive in time"), "{said}");
    assert!(began.elapsed() > Duration::from_secs(9));
    drop(halves);
    assert_eq!(view(&mut house.client(), &game, "spectator")["entries"], 1);
}

#[test]
fn one_reader_does_not_take_all_streams_of_a_game() {
    let house = limited();
    let mut client = house.client();
    let game = begin(&mut client);
    let streams: Vec<_> = (0..128)
        .map(|_| {
            let mut client = house.client();
            let opened = client.get(&game.path("/events"), &game.spectator);
            assert_eq!(opened.status, 200, "{opened:?}");
            client
        })
        .collect();
    let refused = client.get(&game.path("/events?lang=fr"), &game.spectator);
    assert_eq!(refused.status, 429, "{refused:?}");
    assert!(refused.message().contains("trop de flux d’événements"), "{refused:?}");
    drop(streams);
    let began = Instant::now();
    while house.client().get(&game.path("/events"), &game.besieger).status != 200 {
        assert!(began.elapsed() < patience(Duration::from_secs(10)), "the places come back");
    }
}

#[test]
fn a_neighbour_who_asks_too_much_does_not_silence_a_player() {
    let house = House::open_with(&sqlite(), "127.0.0.1:0".parse().unwrap(), 5);
    let mut client = house.client();
    let game = begin(&mut client);
    let lay = json!({ "seen": 0, "action": { "lay": 1 } });
    assert_eq!(client.post(&game.path("/act"), &game.garrison, &lay).status, 200);
    let mut neighbour = house.client();
    let asked: Vec<u16> = (0..200).map(|_| neighbour.send("GET", "/api", &[], b"").status).collect();
    assert!(asked.contains(&429), "the address has asked enough: {asked:?}");
    let dig = json!({ "seen": 1, "action": { "dig": 1 } });
    assert_eq!(client.post(&game.path("/act"), &game.besieger, &dig).status, 200);
}

#[test]
fn an_address_begins_so_many_games_a_day() {
    let served = Served::open(&sqlite(), &["--games-a-day", "2"]);
    let mut client = served.client();
    let machines = json!({ "system": "danzig", "scenario": "danzig-1807",
        "seats": { "french": "sensible", "prussian": "sensible" } });
    begin_with(&mut client, &machines);
    begin_with(&mut client, &machines);
    let third = client.send("POST", "/api/games?lang=fr", &[], machines.to_string().as_bytes());
    assert_eq!((third.status, third.header("retry-after")), (429, Some("3600")), "{third:?}");
    assert!(third.message().contains("revenez demain"), "{third:?}");
    // What was never a game is not counted, and not let through either.
    let nothing = client.send("POST", "/api/games", &[], b"{}");
    assert_eq!(nothing.status, 400, "{nothing:?}");
}

#[test]
fn a_request_made_again_begins_nothing_and_costs_nothing() {
    let served = Served::open(&sqlite(), &["--games-a-day", "2"]);
    let mut client = served.client();
    let once = |word: &str| {
        json!({ "system": "danzig", "scenario": "danzig-1807", "once": word.repeat(32) }).to_string()
    };
    let first = client.send("POST", "/api/games", &[], once("07").as_bytes());
    assert_eq!(first.status, 201, "{first:?}");
    for _ in 0..3 {
        let again = client.send("POST", "/api/games", &[], once("07").as_bytes());
        assert_eq!((again.status, &again.body), (201, &first.body));
    }
    assert_eq!(client.send("POST", "/api/games", &[], once("08").as_bytes()).status, 201, "the second");
    assert_eq!(client.send("POST", "/api/games", &[], once("09").as_bytes()).status, 429, "the third");
    assert_eq!(client.send("POST", "/api/games", &[], once("08").as_bytes()).status, 201);
}

#[test]
fn games_that_nobody_plays_are_forgotten_where_the_host_wants_it() {
    for database in databases() {
        let danzig = |seats: Value| json!({ "system": "danzig", "scenario": "danzig-1807", "seats": seats });
        let (unplayed, played, machines) = {
            let served = Served::open(&database, &[]);
            let mut client = served.client();
            let unplayed = begin_with(&mut client, &danzig(json!({})));
            let played = begin_with(&mut client, &danzig(json!({ "prussian": "sensible" })));
            let machines =
                begin_with(&mut client, &danzig(json!({ "french": "sensible", "prussian": "sensible" })));
            let secret = played.answer["seats"][0]["secret"].as_str().unwrap().to_owned();
            let mut offered = Value::Null;
            let began = Instant::now();
            while offered["actions"].as_array().is_none_or(Vec::is_empty) {
                assert!(began.elapsed() < patience(Duration::from_secs(60)), "the computer does not answer");
                offered = client.get(&played.path("/actions"), &secret).json();
            }
            let order = json!({ "seen": offered["entries"], "action": offered["actions"][0] });
            assert_eq!(client.post(&played.path("/act"), &secret, &order).status, 200);
            (unplayed, (played, secret), machines)
        };
        // Nothing is forgotten unless it is wished for.
        {
            let served = Served::open(&database, &["--forget-machines", "30", "--forget-unplayed", "30"]);
            let mut client = served.client();
            for game in [&unplayed, &machines] {
                assert_eq!(client.get(&game.path(""), &game.spectator).status, 200, "a month is not over");
            }
        }
        let served = Served::open(&database, &["--forget-machines", "0", "--forget-unplayed", "0"]);
        let mut client = served.client();
        let began = Instant::now();
        for game in [&unplayed, &machines] {
            while client.get(&game.path(""), &game.spectator).status != 404 {
                assert!(began.elapsed() < patience(Duration::from_secs(20)), "it is still there");
            }
        }
        let (played, secret) = played;
        assert_eq!(client.get(&played.path(""), &secret).status, 200, "a game that is played stays");
    }
}

#[test]
fn what_is_too_much_is_refused_by_name() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let browser = [("accept", "text/html"), ("accept-language", "fr")];
    let words = client.send("GET", &format!("/rules?q={}", "a+".repeat(5000)), &browser, b"");
    assert_eq!(words.status, 400);
    assert!(words.body.contains("au plus 200 lettres"), "{words:?}");
    let words = client.send("GET", &format!("/rules?q={}", "a+".repeat(20)), &browser, b"");
    assert!(words.status == 400 && words.body.contains("au plus 16 mots"), "{words:?}");
    let long = client.send("GET", &format!("/rules?q={}", "a+".repeat(20_000)), &browser, b"");
    assert_eq!((long.status, long.body.contains("cette adresse est trop longue")), (414, true), "{long:?}");
    let long = client.send("GET", &format!("/api/ask?{}", "a".repeat(20_000)), &[], b"");
    assert_eq!((long.status, long.message().contains("too long")), (414, true), "{long:?}");
}

#[test]
fn a_long_table_is_sent_kept_and_shown_from_where_it_is_kept() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let table = crate::attacks::crowd(60);
    let sent = client.send("POST", "/umpire/scene", &[], format!("table={}", encoded(&table)).as_bytes());
    assert_eq!(sent.status, 303, "{sent:?}");
    let place = sent.header("location").unwrap().to_owned();
    assert!(place.starts_with("/umpire/scene?kept="), "{place}");
    let page = client.send("GET", &format!("{place}&from=b0"), &[], b"");
    assert_eq!(page.status, 200);
    assert!(page.body.contains(&format!("{place}&amp;from=b0&amp;to=b1")), "links lead on from there");
    assert!(page.body.len() < 300_000, "{} bytes", page.body.len());
    let gone = client.send("GET", "/umpire/scene?kept=0123456789abcdef", &[], b"");
    assert_eq!(gone.status, 400);
    assert!(gone.body.contains("this table was kept for a while and is forgotten"), "{gone:?}");
    let crowd = format!("table={}", encoded(&crate::attacks::crowd(500)));
    let many = client.send("POST", "/umpire/scene", &[], crowd.as_bytes());
    assert_eq!(many.status, 400);
    assert!(many.body.contains("500 are too many; at most 250"), "{many:?}");
}

/// A text as forms send it.
fn encoded(text: &str) -> String {
    let letter = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(letter).collect()
}
