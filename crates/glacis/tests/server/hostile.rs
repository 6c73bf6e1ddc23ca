//! Clients that mean no good: each is refused with the right status and reason, and the game stands
//! as it stood.

use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};

use crate::client::{Answer, Begun, Client, begin, view};
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
            (
                "wrong turn",
                409,
                "the decision belongs to",
                game.garrison.clone(),
                json!({ "seen": 1, "action": "hold" }),
            ),
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
            ("a replayed request", 409, "the game has moved on", game.garrison.clone(), lay.clone()),
            (
                "from the future",
                409,
                "the game has moved on",
                game.besieger.clone(),
                json!({ "seen": 7, "action": { "dig": 1 } }),
            ),
            (
                "never offered",
                422,
                "ex-unfinished",
                game.besieger.clone(),
                json!({ "seen": 1, "action": { "assault": 0 } }),
            ),
            (
                "impossible",
                400,
                "impossible",
                game.besieger.clone(),
                json!({ "seen": 1, "action": { "dig": 200 } }),
            ),
            (
                "no such action",
                400,
                "none of",
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
                "rolls its own dice",
                game.besieger.clone(),
                json!({ "seen": 1, "action": { "dig": 1 }, "dice": [6] }),
            ),
            (
                "a negative place",
                400,
                "impossible",
                game.besieger.clone(),
                json!({ "seen": -1, "action": { "dig": 1 } }),
            ),
            ("no object", 400, "is not", game.besieger.clone(), json!([1])),
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
fn an_order_sent_again_is_carried_out_once() {
    for database in databases() {
        let mut house = House::open(&database);
        let mut client = house.client();
        let game = begin(&mut client);
        let lay = json!({ "seen": 0, "action": { "lay": 1 } });
        assert_eq!(client.post(&game.path("/act"), &game.garrison, &lay).status, 200);
        let before = whole(&mut client, &game);
        let replayed = client.post(&game.path("/act"), &game.garrison, &lay);
        assert_eq!(replayed.status, 409);
        assert!(replayed.message().contains("it stands at 1, the order was given at 0"), "{replayed:?}");
        // Nor after a restart, when nothing but the record remembers it.
        house.kill();
        house.again();
        let mut client = house.client();
        let replayed = client.post(&game.path("/act"), &game.garrison, &lay);
        assert_eq!(replayed.status, 409);
        assert_eq!(whole(&mut client, &game), before, "the game is untouched");
    }
}

#[test]
fn oversized_and_deeply_nested_bodies_are_not_read() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let game = begin(&mut client);
    let before = whole(&mut client, &game);
    let bearer = format!("Bearer {}", game.garrison);
    let headers = [("authorization", bearer.as_str())];
    let nested = |open: &str, close: &str| {
        format!("{{\"seen\":0,\"action\":{}1{}}}", open.repeat(5000), close.repeat(5000)).into_bytes()
    };
    let cases = [
        ("deep lists", nested("[", "]"), 400, "not JSON"),
        ("deep objects", nested("{\"a\":", "}"), 400, "not JSON"),
        ("no text", b"\xff\xfe".to_vec(), 400, "not JSON"),
        ("nothing", Vec::new(), 400, "not JSON"),
        ("large", vec![b' '; 100_000], 413, "too large"),
    ];
    for (name, body, status, word) in cases {
        let answer = house.client().send("POST", &game.path("/act"), &headers, &body);
        assert_eq!(answer.status, status, "{name}: {answer:?}");
        assert!(answer.message().contains(word), "{name}: {answer:?}");
    }
    // A list as deep as is read is still no order.
    let body = format!("{{\"seen\":0,\"action\":{}1{}}}", "[".repeat(100), "]".repeat(100));
    assert_eq!(client.send("POST", &game.path("/act"), &headers, body.as_bytes()).status, 400);
    assert_eq!(whole(&mut house.client(), &game), before, "the game is untouched");
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
    let [encrypted, elsewhere, other_port] = [
        format!("https://{}", house.address),
        format!("ftp://{}", house.address),
        "http://127.0.0.1:1".to_owned(),
    ];
    for (headers, status) in [
        (vec![("cookie", cookie.as_str()), ("origin", encrypted.as_str())], 403),
        (vec![("cookie", cookie.as_str()), ("origin", elsewhere.as_str())], 403),
        (vec![("cookie", cookie.as_str()), ("origin", other_port.as_str())], 403),
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
fn a_setting_leads_nowhere_but_to_a_page_of_this_house() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    for (to, place) in [
        ("/rules?q=a", "/rules?q=a"),
        ("/%09/evil.example", "/"),
        ("%09//evil.example", "/"),
        ("//evil.example", "/"),
        ("/%2Fevil.example", "/"),
        ("/%5Cevil.example", "/"),
        ("/%0d%0a/evil.example", "/"),
        ("https%3A%2F%2Fevil.example", "/"),
        ("/.//evil.example", "/"),
        ("/rules/..//evil.example", "/"),
    ] {
        let answer = client.send("GET", &format!("/settings/lang/fr?to={to}"), &[], b"");
        assert_eq!((answer.status, answer.header("location")), (303, Some(place)), "{to}");
    }
}

/// What is answered to a request as it stands.
fn answered(house: &House, request: &str) -> String {
    let mut stream = std::net::TcpStream::connect(house.address).unwrap();
    stream.set_read_timeout(Some(std::time::Duration::from_secs(20))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).unwrap();
    line
}

#[test]
fn a_request_that_is_put_together_wrongly_is_a_bad_one() {
    let house = House::open(&sqlite());
    let host = format!("host: {}", house.address);
    let two = answered(&house, &format!("GET /api/systems HTTP/1.1\r\n{host}\r\nhost: evil.example\r\n\r\n"));
    assert!(two.starts_with("HTTP/1.1 400"), "two hosts: {two}");
    let ask = format!("POST /api/ask/tabletop.fire HTTP/1.1\r\n{host}\r\ntransfer-encoding: chunked\r\n\r\n");
    let broken = answered(&house, &format!("{ask}zz\r\n{{}}\r\n0\r\n\r\n"));
    assert!(broken.starts_with("HTTP/1.1 400"), "broken chunks: {broken}");
    let large = format!("{:x}\r\n{}\r\n0\r\n\r\n", 65_600, "a".repeat(65_600));
    let large = answered(&house, &format!("{ask}{large}"));
    assert!(large.starts_with("HTTP/1.1 413"), "too large: {large}");
}

#[test]
fn no_letter_of_an_address_troubles_a_database() {
    for database in databases() {
        let house = House::open(&database);
        let mut client = house.client();
        let long = "a".repeat(3000);
        for game in
            ["%00", "a%00b", "%01", "%7f", "%0a", "%c3%a9", "%ff", "..%2f", "a%20b", "'", long.as_str()]
        {
            for path in [
                format!("/api/games/{game}"),
                format!("/api/games/{game}/events"),
                format!("/g/{game}"),
                format!("/s/{game}/secret"),
                format!("/feed/{game}/0/word"),
            ] {
                let answer = client.send("GET", &path, &[("authorization", "Bearer abc")], b"");
                if game == "%ff" {
                    // What is no text at all is no address.
                    assert!(matches!(answer.status, 400 | 404), "{path}: {answer:?}");
                    continue;
                }
                assert_eq!(answer.status, 404, "{path}: {answer:?}");
                assert!(answer.message().contains("there is no such game"), "{path}: {answer:?}");
            }
            for path in ["/rules/", "/umpire/", "/maps/", "/assets/", "/rules/book/"] {
                let answer = client.send("GET", &format!("{path}{game}"), &[], b"");
                assert!(matches!(answer.status, 400 | 404), "{path}{game}: {}", answer.status);
            }
        }
        assert_eq!(client.send("GET", "/healthz", &[], b"").status, 200);
    }
}

/// Ten thousand requests at once, over eight connections that do not wait for answers.
#[test]
fn a_flood_is_refused_and_the_game_goes_on() {
    let house = House::open_with(&sqlite(), "127.0.0.1:0".parse().unwrap(), 100);
    let mut client = house.client();
    let game = begin(&mut client);
    let before = whole(&mut client, &game);
    let lay = json!({ "seen": 0, "action": { "lay": 1 } });
    let answers: Vec<Answer> = std::thread::scope(|scope| {
        let floods: Vec<_> = (0..8)
            .map(|_| {
                let (house, game, lay) = (&house, &game, &lay);
                scope.spawn(move || house.client().flood(1250, &game.path("/act"), &game.besieger, lay))
            })
            .collect();
        floods.into_iter().flat_map(|flood| flood.join().unwrap()).collect()
    });
    assert_eq!(answers.len(), 10_000);
    let refused = answers.iter().filter(|answer| answer.status == 429).count();
    assert!(refused > 5000, "{refused} refused");
    for answer in &answers {
        match answer.status {
            // It is the garrison's decision.
            409 => assert!(answer.message().contains("the decision belongs to"), "{answer:?}"),
            429 => {
                assert!(answer.message().contains("too many requests"), "{answer:?}");
                assert_eq!(answer.header("retry-after"), Some("1"));
            }
            _ => panic!("{answer:?}"),
        }
    }
    assert_eq!(client.send("GET", "/healthz", &[], b"").status, 200, "the doctor is never turned away");
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert_eq!(whole(&mut client, &game), before, "the game is untouched");
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
