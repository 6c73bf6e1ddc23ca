//! Clients that mean no good: each is refused with the right status and reason, and the game stands
//! as it stood.

use serde_json::{Value, json};

use crate::client::{Begun, Client, begin, view};
use crate::house::{House, databases, sqlite};

/// The game as both sides see it, to compare.
fn whole(client: &mut Client, game: &Begun) -> [Value; 2] {
    [view(client, game, "besieger"), view(client, game, "garrison")]
}

#[test]
fn nobody_acts_or_sees_where_he_should_not() {
    for database in databases() {
        let house = House::open(&database);
        let mut client = house.client();
        let game = begin(&mut client);
        let other = begin(&mut client);
        let lay = json!({ "seen": 0, "action": { "lay": 1 } });
        assert_eq!(client.post(&game.path("/act"), &game.garrison, &lay).status, 200);
        let before = whole(&mut client, &game);
        let dig = json!({ "seen": 1, "action": { "dig": 1 } });
        let act = game.path("/act");
        let cases: Vec<(&str, u16, &str, String, Value)> = vec![
            ("wrong turn", 409, "", game.garrison.clone(), json!({ "seen": 1, "action": "hold" })),
            (
                "wrong side",
                403,
                "seat",
                game.garrison.clone(),
                json!({ "seen": 1, "action": { "dig": 1 }, "side": "besieger" }),
            ),
            ("a spectator", 403, "seat", game.spectator.clone(), dig.clone()),
            ("another game's secret", 403, "secret", other.besieger.clone(), dig.clone()),
            ("a guess", 403, "secret", "0".repeat(40), dig.clone()),
            ("a replayed request", 409, "", game.garrison.clone(), lay.clone()),
            ("from the future", 409, "", game.besieger.clone(), json!({ "seen": 7, "action": { "dig": 1 } })),
            (
                "never offered",
                422,
                "",
                game.besieger.clone(),
                json!({ "seen": 1, "action": { "assault": 0 } }),
            ),
            ("impossible", 400, "", game.besieger.clone(), json!({ "seen": 1, "action": { "dig": 200 } })),
            (
                "no such action",
                400,
                "",
                game.besieger.clone(),
                json!({ "seen": 1, "action": { "bribe": 1 } }),
            ),
            (
                "an unknown field",
                400,
                "field",
                game.besieger.clone(),
                json!({ "seen": 1, "action": { "dig": 1 }, "dices": [6] }),
            ),
            (
                "dice of one's own",
                400,
                "",
                game.besieger.clone(),
                json!({ "seen": 1, "action": { "dig": 1 }, "dice": [6] }),
            ),
            (
                "a negative place",
                400,
                "",
                game.besieger.clone(),
                json!({ "seen": -1, "action": { "dig": 1 } }),
            ),
            ("no object", 400, "", game.besieger.clone(), json!([1])),
        ];
        for (name, status, word, secret, body) in cases {
            let answer = client.post(&act, &secret, &body);
            assert_eq!(answer.status, status, "{name}: {answer:?}");
            assert!(!answer.message().is_empty() && answer.message().contains(word), "{name}: {answer:?}");
        }
        assert_eq!(client.send("POST", &act, &[], dig.to_string().as_bytes()).status, 401);
        assert_eq!(client.send("GET", &game.path(""), &[], b"").status, 401);
        assert_eq!(client.get(&game.path("?side=garrison"), &game.besieger).status, 403);
        assert_eq!(client.get("/api/games/none", &game.besieger).status, 404);
        assert_eq!(client.get(&game.path("/actions"), &game.garrison).json()["actions"], json!([]));
        assert_eq!(client.send("PUT", &act, &[], b"").status, 405);
        assert_eq!(whole(&mut client, &game), before, "the game is untouched");
    }
}

#[test]
fn oversized_and_deeply_nested_bodies_are_not_read() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let game = begin(&mut client);
    let bearer = format!("Bearer {}", game.garrison);
    let headers = [("authorization", bearer.as_str())];
    let deep = format!("{{\"seen\":0,\"action\":{}1{}}}", "[".repeat(5000), "]".repeat(5000));
    assert_eq!(client.send("POST", &game.path("/act"), &headers, deep.as_bytes()).status, 400);
    assert_eq!(client.send("POST", &game.path("/act"), &headers, b"\xff\xfe").status, 400);
    assert_eq!(client.send("POST", &game.path("/act"), &headers, b"").status, 400);
    let large = vec![b' '; 100_000];
    let answer = house.client().send("POST", &game.path("/act"), &headers, &large);
    assert_eq!(answer.status, 413);
    assert!(!answer.message().is_empty());
    assert_eq!(view(&mut house.client(), &game, "garrison")["entries"], 0);
}

#[test]
fn other_sites_and_other_names_are_refused() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let game = begin(&mut client);
    let sat = client.send("GET", &format!("/s/{}/{}", game.id, game.garrison), &[], b"");
    let cookie = sat.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let lay = json!({ "seen": 0, "action": { "lay": 1 } }).to_string();
    let own = format!("http://{}", house.address);
    for (headers, status) in [
        (vec![("cookie", cookie.as_str()), ("origin", "https://evil.example")], 403),
        (vec![("cookie", cookie.as_str()), ("origin", "null")], 403),
        (vec![("cookie", cookie.as_str())], 403),
        (vec![("cookie", cookie.as_str()), ("sec-fetch-site", "cross-site")], 403),
        (vec![("cookie", cookie.as_str()), ("origin", own.as_str()), ("host", "evil.example")], 403),
        (vec![("cookie", cookie.as_str()), ("origin", own.as_str())], 200),
    ] {
        let answer = client.send("POST", &game.path("/act"), &headers, lay.as_bytes());
        assert_eq!(answer.status, status, "{headers:?}: {answer:?}");
    }
    let rebound = client.send("GET", &game.path(""), &[("host", "evil.example"), ("cookie", &cookie)], b"");
    assert_eq!(rebound.status, 403, "a name that only points here is not ours");
}

#[test]
fn a_flood_is_refused_and_the_game_goes_on() {
    let house = House::open_with(&sqlite(), "127.0.0.1:0".parse().unwrap(), 100);
    let mut client = house.client();
    let game = begin(&mut client);
    let lay = json!({ "seen": 0, "action": { "lay": 1 } });
    let began = std::time::Instant::now();
    let mut statuses = std::collections::BTreeMap::<u16, u32>::new();
    for _ in 0..10_000 {
        *statuses.entry(client.post(&game.path("/act"), &game.besieger, &lay).status).or_default() += 1;
    }
    let took = began.elapsed().as_secs_f64();
    assert!(statuses[&429] > 5000, "{statuses:?} in {took:.1} s");
    assert_eq!(statuses.keys().copied().collect::<Vec<_>>(), [409, 429], "{statuses:?}");
    assert_eq!(client.send("GET", "/healthz", &[], b"").status, 200, "the doctor is never turned away");
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert_eq!(client.post(&game.path("/act"), &game.garrison, &lay).status, 200);
}

#[test]
fn secrets_are_nowhere_but_in_the_one_answer() {
    let database = sqlite();
    let mut house = House::open(&database);
    let mut client = house.client();
    let game = begin(&mut client);
    for side in ["besieger", "garrison", "spectator"] {
        let seen = view(&mut client, &game, side).to_string();
        assert!(
            ![&game.besieger, &game.garrison, &game.spectator].iter().any(|secret| seen.contains(*secret))
        );
    }
    assert!(house.interrupt());
    let file = database.address.strip_prefix("sqlite:").unwrap();
    let folder = std::path::Path::new(file).parent().unwrap();
    for file in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        for secret in [&game.besieger, &game.garrison, &game.spectator] {
            assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()));
        }
    }
}
