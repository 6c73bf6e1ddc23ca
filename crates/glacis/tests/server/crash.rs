//! The plug is pulled at random moments under play: no acknowledged order is lost, and the server
//! starts again. `GLACIS_CRASHES` says how often (in all, over both databases); `cargo xtask crash`
//! does it 200 times.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use kernel::Live;
use serde_json::json;

use crate::client::{Begun, Client, begin};
use crate::house::{House, databases};

/// One player of a game: digs, takes back, digs again. Gives the number of the last entry that was
/// acknowledged; the next order may or may not have been written when the plug was pulled.
fn play(
    address: std::net::SocketAddr,
    game: &Begun,
    acknowledged: &AtomicU64,
    stop: &AtomicBool,
) -> Option<()> {
    let mut client = Client::try_to(address).ok()?;
    let bearer = format!("Bearer {}", game.besieger);
    let headers = [("authorization", bearer.as_str())];
    while !stop.load(Ordering::Relaxed) {
        let state = client.try_send("GET", &game.path(""), &headers, b"").ok()?;
        let state = state.json();
        let seen = state["entries"].as_u64()?;
        assert!(seen >= acknowledged.load(Ordering::SeqCst), "an acknowledged order is lost");
        let dug: u64 = state["view"]["dug"].as_array()?.iter().filter_map(serde_json::Value::as_u64).sum();
        let (path, order) = if dug == 0 {
            ("/act", json!({ "seen": seen, "action": { "dig": 1 } }))
        } else {
            ("/undo", json!({ "seen": seen }))
        };
        let answer =
            client.try_send("POST", &game.path(path), &headers, order.to_string().as_bytes()).ok()?;
        assert_eq!(answer.status, 200, "{answer:?}");
        acknowledged.store(answer.json()["n"].as_u64()?, Ordering::SeqCst);
    }
    Some(())
}

#[test]
fn no_acknowledged_order_is_lost_when_the_plug_is_pulled() {
    let crashes: u32 = std::env::var("GLACIS_CRASHES").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    let databases = databases();
    let each = crashes.div_ceil(u32::try_from(databases.len()).unwrap());
    for (number, database) in databases.iter().enumerate() {
        let mut moment = Live::numbered(1807 + number as u64);
        let mut house = House::open(database);
        let games: Vec<(Begun, AtomicU64)> = (0..4)
            .map(|_| {
                let mut client = house.client();
                let game = begin(&mut client);
                let lay = json!({ "seen": 0, "action": { "lay": 0 } });
                assert_eq!(client.post(&game.path("/act"), &game.garrison, &lay).status, 200);
                (game, AtomicU64::new(1))
            })
            .collect();
        for _ in 0..each {
            let stop = AtomicBool::new(false);
            let address = house.address;
            std::thread::scope(|scope| {
                for (game, acknowledged) in &games {
                    let stop = &stop;
                    scope.spawn(move || play(address, game, acknowledged, stop));
                }
                std::thread::sleep(Duration::from_micros(u64::from(20_000 + moment.below(80_000))));
                house.kill();
                stop.store(true, Ordering::Relaxed);
            });
            house.again();
            for (game, acknowledged) in &games {
                let state = house.client().get(&game.path(""), &game.besieger).json();
                let (found, least) =
                    (state["entries"].as_u64().unwrap(), acknowledged.load(Ordering::SeqCst));
                assert!(found == least || found == least + 1, "{least} acknowledged, {found} found");
                acknowledged.store(found, Ordering::SeqCst);
            }
        }
        // And every record is whole, to the last line.
        for (game, acknowledged) in &games {
            let both = format!("{},{}", game.besieger, game.garrison);
            let record = house.client().get(&game.path("/record"), &both).body;
            let record = kernel::Record::read(&record).unwrap();
            assert!(record.lines.len() as u64 >= acknowledged.load(Ordering::SeqCst));
            eprintln!("{each} crashes, {} orders kept in {}", record.lines.len(), game.id);
        }
    }
}
