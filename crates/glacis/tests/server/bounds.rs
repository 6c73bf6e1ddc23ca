//! What one client may make large, and for whom: records, talk, looks back, streams of events.

use kernel::record::{HexHash, Source};
use kernel::{Game as _, MOST_ENTRIES, Play, Setup, StepKind};
use serde_json::{Value, json};

use crate::client::{Answer, Client, begin, begin_with, view};
use crate::house::{House, sqlite};

fn import(client: &mut Client, record: &str) -> Answer {
    client.send("POST", "/api/import", &[], json!({ "record": record }).to_string().as_bytes())
}

fn siege() -> Play<danzig::State> {
    let setup = Setup { scenario: "danzig-1807".to_owned(), ..Setup::default() };
    Play::begin(&setup, Source::Open(HexHash([7; 32])), None).unwrap()
}

/// The side whose decision it is.
fn decider(play: &Play<danzig::State>) -> danzig::Side {
    danzig::State::SIDES[play.state().deciders().first().unwrap()]
}

/// A siege that is set up, and whose last counter is then put down and taken back again and again: so
/// many entries, and a whole set-up that could be taken back after each.
fn undecided(entries: u64) -> String {
    let mut play = siege();
    let mut record = vec![play.header_line().to_owned()];
    let mut last = None;
    for _ in 0..100 {
        let (before, mut actions) = (play.clone(), Vec::new());
        let side = decider(&play);
        play.state().actions(side, &mut actions);
        let action = actions.pop().unwrap();
        let step = play.decide(play.entries(), side, &action).unwrap();
        if step.kind != StepKind::Plain {
            play = before;
            break;
        }
        record.push(step.record_line);
        last = Some((side, action));
    }
    let (side, action) = last.unwrap();
    while play.entries() + 1 < entries {
        record.push(play.undo(play.entries(), side).unwrap().record_line);
        record.push(play.decide(play.entries(), side, &action).unwrap().record_line);
    }
    record.join("\n") + "\n"
}

#[test]
fn looking_back_takes_little_memory_however_long_the_record() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let entries = 4000;
    let imported = import(&mut client, &undecided(entries));
    assert_eq!(imported.status, 201, "{imported:?}");
    let imported = imported.json();
    let (game, secret) =
        (imported["game"].as_str().unwrap(), imported["seats"][0]["secret"].as_str().unwrap());
    let seated = client.send("GET", &format!("/s/{game}/{secret}"), &[], b"");
    let cookie = seated.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let look = |at: u64| {
        let mut client = house.client();
        let page = client.send("GET", &format!("/g/{game}?at={at}"), &[("cookie", &cookie)], b"");
        (page.status, page.body.len())
    };
    assert_eq!(look(1).0, 200);
    let before = house.memory();
    // Several at once, and to and fro.
    let looks: Vec<(u16, usize)> = std::thread::scope(|scope| {
        let looks: Vec<_> =
            [3990, 3000, 3990, 700].map(|at| scope.spawn(move || look(at))).into_iter().collect();
        looks.into_iter().map(|look| look.join().unwrap()).collect()
    });
    for (status, length) in looks {
        assert_eq!((status, length > 10_000), (200, true));
    }
    assert_eq!(look(3980).0, 200);
    let more = house.memory().saturating_sub(before);
    assert!(more < 24 << 20, "{} MiB more for {entries} entries", more >> 20);
}

/// A record of words alone, well sealed: all that a forger can do.
fn chatter(words: u64) -> String {
    let mut play = siege();
    let header = play.header_line().to_owned();
    let side = decider(&play);
    let line = play.words(0, side, "x").unwrap().record_line;
    let (_, rest) = line.rsplit_once("\"chain\"").unwrap().0.split_once("\"n\":1").unwrap();
    let rest = rest.trim_end_matches(',');
    let mut record = header.clone() + "\n";
    let mut chain = hash_of(&header);
    for n in 1..=words {
        let body = format!("{{\"n\":{n}{rest}");
        let hash = blake3::keyed_hash(&chain, body.as_bytes());
        chain = *hash.as_bytes();
        record.push_str(&format!("{body},\"chain\":\"{hash}\"}}\n"));
    }
    record
}

/// The hash at the end of a line.
fn hash_of(line: &str) -> [u8; 32] {
    let value: Value = serde_json::from_str(line).unwrap();
    *blake3::Hash::from_hex(value["chain"].as_str().unwrap()).unwrap().as_bytes()
}

#[test]
fn a_record_that_is_too_long_or_too_full_of_talk_is_not_taken_over() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let long = import(&mut client, &chatter(MOST_ENTRIES));
    assert_eq!((long.status, long.json()["refused"]["field"].as_str()), (400, Some("record")), "{long:?}");
    assert!(long.message().contains("too long to be taken over: at most 49151 entries"), "{long:?}");
    let talk = import(&mut client, &chatter(1001));
    assert_eq!(talk.status, 400, "{talk:?}");
    let why = "the rules refuse line 1002: this side has spoken and proposed 1000 times";
    assert!(talk.message().contains(why), "{talk:?}");
    assert_eq!(import(&mut client, &chatter(1000)).status, 201);
}

#[test]
fn words_that_cannot_be_read_are_refused() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let game = begin(&mut client);
    for words in ["\u{1b}[2J", "a\0b", "one\r\ntwo"] {
        let said = json!({ "seen": 0, "words": words });
        let refused = client.post(&game.path("/words"), &game.besieger, &said);
        assert_eq!((refused.status, refused.json()["refused"]["field"].as_str()), (400, Some("words")));
        assert!(refused.message().contains("a character that cannot be read"), "{refused:?}");
    }
    assert_eq!(view(&mut client, &game, "besieger")["entries"], 0);
}

#[test]
fn one_seat_shuts_no_other_out() {
    let house = House::open(&sqlite());
    let game = begin(&mut house.client());
    let mut own: Vec<_> =
        (0..300).map(|_| house.client().events(&game.path("/events"), &game.besieger)).collect();
    let mut other = house.client().events(&game.path("/events"), &game.garrison);
    assert_eq!(other.next().unwrap().0, "state");
    let mut watching = house.client().events(&game.path("/events"), &game.spectator);
    assert_eq!(watching.next().unwrap().0, "state");
    // His own oldest made room, and were told so.
    let first: Vec<String> = own.swap_remove(0).map(|(name, _)| name).collect();
    assert_eq!(first, ["state", "replaced"]);
    let lay = json!({ "seen": 0, "action": { "lay": 1 } });
    // Whoever waits so long without a word is disconnected, and comes back.
    assert_eq!(house.client().post(&game.path("/act"), &game.garrison, &lay).status, 200);
    assert_eq!(other.next().unwrap().0, "happened");
    let newest = own.swap_remove(0);
    let heard: Vec<String> = newest.take(2).map(|(name, _)| name).collect();
    assert_eq!(heard, ["state", "happened"], "his newest goes on");
}

#[test]
fn with_a_machine_at_the_table_the_server_rolls() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let mut body = json!({ "system": "countermine", "scenario": "broad",
        "seats": { "garrison": "sensible" }, "dice": "table" });
    let refused = client.send("POST", "/api/games", &[], body.to_string().as_bytes());
    assert_eq!((refused.status, refused.json()["refused"]["field"].as_str()), (400, Some("dice")));
    assert!(refused.message().contains("the machine cannot roll on a real table"), "{refused:?}");
    body.as_object_mut().unwrap().remove("dice");
    let game = begin_with(&mut client, &body);
    // The machine may move between the look and the offer; then it is offered again.
    let mut offered = (0..1_000).map(|_| {
        let seen = view(&mut client, &game, "besieger")["entries"].clone();
        let offer = json!({ "seen": seen, "offer": "table-dice" });
        client.post(&game.path("/offer"), &game.besieger, &offer)
    });
    let refused = offered.find(|answer| !answer.message().contains("moved on")).unwrap();
    assert_eq!(refused.status, 409, "{refused:?}");
    assert!(refused.message().contains("the machine cannot roll on a real table"), "{refused:?}");
}

#[test]
fn nobody_sits_down_for_the_machine_not_even_who_began_the_game() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let body = json!({ "system": "countermine", "scenario": "broad", "seats": { "besieger": "sensible" },
        "once": "07".repeat(32) })
    .to_string();
    let begun = client.send("POST", "/api/games", &[], body.as_bytes()).json();
    // The secrets follow from the request, which its sender knows.
    let mint = blake3::derive_key("glacis request v1", body.as_bytes());
    let derived = blake3::derive_key("glacis new seat v1", &[mint.as_slice(), &0_i64.to_le_bytes()].concat());
    let secret = blake3::Hash::from_bytes(derived).to_hex()[..40].to_owned();
    let path = format!("/api/games/{}", begun["game"].as_str().unwrap());
    assert_eq!(client.get(&path, &secret).status, 403);
}
