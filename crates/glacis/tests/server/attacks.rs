//! Attacks on the server's time: while they are under way, the doctor is answered and orders are
//! carried out. The limits are generous for busy machines; each of these once stood still for many
//! seconds. `cargo xtask load --attacks` measures the same.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use yardstick::patience;

use crate::client::{Begun, Client, begin, begin_with};
use crate::house::{House, sqlite};

/// A table with so many bodies, in two armies.
pub(crate) fn crowd(count: u32) -> String {
    let bodies: Vec<serde_json::Value> = (0..count)
        .map(|place| {
            let (side, front, facing) = if place % 2 == 0 { ("blue", 10, 0) } else { ("red", 150, 180) };
            let at = [place / 2 % 20 * 15 + 10, front + place / 40 * 10];
            json!({
                "id": format!("b{place}"), "label": format!("Company {place}"), "side": side,
                "troops": { "infantry": { "class": "b", "companies": [
                    { "name": "one", "figures": 3, "fire": 4, "melee": 4 },
                ] } },
                "place": { "stand": { "at": at, "facing": facing, "formation": "line" } },
            })
        })
        .collect();
    json!({ "name": "A crowd", "width": 320, "depth": 300, "terrain": [], "bodies": bodies }).to_string()
}

/// A long game, to be taken over and looked back at.
const RECORD: &str = include_str!("../../../../scenarios/danzig/1807.record");

/// One request of an attack.
struct Attack {
    name: &'static str,
    method: &'static str,
    path: String,
    secret: String,
    body: String,
}

fn attacks(client: &mut Client) -> Vec<Attack> {
    let import = json!({ "record": RECORD }).to_string();
    let long = client.send("POST", "/api/import", &[], import.as_bytes());
    assert_eq!(long.status, 201, "{long:?}");
    let long = long.json();
    let secret = long["seats"][0]["secret"].as_str().unwrap();
    let past = format!("/g/{}?at=900", long["game"].as_str().unwrap());
    let get = |name, path: String| Attack {
        name,
        method: "GET",
        path,
        secret: secret.to_owned(),
        body: String::new(),
    };
    let post = |name, path: &str, body: String| Attack { method: "POST", body, ..get(name, path.to_owned()) };
    let scene = crowd(200);
    vec![
        get("32,000 words", format!("/rules?q={}", "a+".repeat(30_000))),
        get("as many words as are sought", format!("/rules?q={}", "a+the+of+".repeat(5))),
        get("a page of everything", "/rules/book/danzig".to_owned()),
        post("a crowd on a page", "/umpire/scene", format!("from=b0&table={}", scene.replace('"', "%22"))),
        post("a crowd in a question", "/api/ask/tabletop.shoot", {
            format!("{{\"scene\":{},\"shooter\":\"b0\",\"draw\":true}}", crowd(200))
        }),
        post("the odds of six rounds", "/api/ask/campaign.battle", {
            let force = json!({ "infantry": 60, "cavalry": 20, "artillery": 20, "initiative": 4 });
            let round = json!({ "attacker": "pitched", "defender": "pitched" });
            json!({ "attacker": force, "defender": force, "rounds": vec![round; 6] }).to_string()
        }),
        post("a long record to take over", "/api/import", import),
        get("a long game as it once stood", past),
    ]
}

/// Sends an attack over and over until it is told to stop.
fn press(house: &House, attack: &Attack, stop: &AtomicBool, sent: &AtomicUsize) {
    let mut client = house.client();
    while !stop.load(Ordering::Relaxed) {
        sent.fetch_add(1, Ordering::Relaxed);
        let bearer = format!("Bearer {}", attack.secret);
        let headers = [("authorization", bearer.as_str())];
        let answer = client.try_send(attack.method, &attack.path, &headers, attack.body.as_bytes());
        if answer.is_err() {
            // Refused before it was read to its end.
            client = house.client();
        }
    }
}

/// Ends an attack when its test ends, however it does.
struct Ended<'a>(&'a AtomicBool);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Gives an order that can be given for ever: digs, and takes back.
fn order(client: &mut Client, game: &Begun, n: u64) {
    let (path, body) = if n % 2 == 1 {
        ("/act", json!({ "seen": n, "action": { "dig": n / 2 % 4 } }))
    } else {
        ("/undo", json!({ "seen": n }))
    };
    let answer = client.post(&game.path(path), &game.besieger, &body);
    assert_eq!(answer.status, 200, "{answer:?}");
}

#[test]
fn orders_and_the_doctor_wait_for_no_attack() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let game = begin(&mut client);
    let lay = json!({ "seen": 0, "action": { "lay": 3 } });
    assert_eq!(client.post(&game.path("/act"), &game.garrison, &lay).status, 200);
    // Machines play against each other meanwhile, as fast as they can.
    let machines = json!({ "system": "danzig", "scenario": "danzig-1807",
        "seats": { "french": "sensible", "prussian": "sensible" } });
    for _ in 0..4 {
        begin_with(&mut client, &machines);
    }
    let mut n = 1;
    for attack in &attacks(&mut client) {
        let (stop, sent) = (AtomicBool::new(false), AtomicUsize::new(0));
        let mut waits: Vec<Duration> = Vec::new();
        // The server hangs up on whoever was long silent, as this one was while the last attack ended.
        let mut client = house.client();
        std::thread::scope(|scope| {
            let _ended = Ended(&stop);
            for _ in 0..6 {
                scope.spawn(|| press(&house, attack, &stop, &sent));
            }
            while sent.load(Ordering::Relaxed) < 6 {
                std::thread::yield_now();
            }
            for _ in 0..15 {
                let asked = Instant::now();
                assert_eq!(client.send("GET", "/healthz", &[], b"").status, 200);
                waits.push(asked.elapsed());
                let asked = Instant::now();
                order(&mut client, &game, n);
                waits.push(asked.elapsed());
                n += 1;
            }
        });
        waits.sort_unstable();
        let (median, worst) = (waits[waits.len() / 2], waits[waits.len() - 1]);
        assert!(median < patience(Duration::from_secs(1)), "{}: {median:?} at the median", attack.name);
        assert!(worst < patience(Duration::from_secs(4)), "{}: {worst:?} at worst", attack.name);
    }
}
