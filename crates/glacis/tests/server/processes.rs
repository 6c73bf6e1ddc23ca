//! Several processes on one PostgreSQL serve the same games; one of them dies in play.

use serde_json::json;

use crate::client::{begin, play_one, view};
use crate::house::{House, postgres};

#[test]
fn three_processes_serve_one_game_and_one_is_killed() {
    let Some(database) = postgres() else { return };
    let mut houses: Vec<House> = (0..3).map(|_| House::open(&database)).collect();
    let game = begin(&mut houses[0].client());
    let mut heard: Vec<_> =
        houses.iter().map(|house| house.client().events(&game.path("/events"), &game.spectator)).collect();
    for events in &mut heard {
        assert_eq!(events.next().unwrap().1["n"], 0);
    }
    // Orders through each in turn, events through all.
    let mut n = 0;
    for round in 0..9 {
        let mut client = houses[round % 3].client();
        let answer = play_one(&mut client, &game, |_| 0).unwrap();
        assert_eq!(answer.status, 200, "{answer:?}");
        n += 1;
        for events in &mut heard {
            let (name, event) = events.next().unwrap();
            assert_eq!((name.as_str(), &event["n"]), ("happened", &json!(n)), "round {round}");
        }
    }
    // One is killed; the others go on as if nothing had been.
    houses[1].kill();
    drop(heard.remove(1));
    while let Some(answer) = play_one(&mut houses[if n % 2 == 0 { 0 } else { 2 }].client(), &game, |_| 0) {
        assert_eq!(answer.status, 200, "{answer:?}");
        n += 1;
        let events: Vec<u64> =
            heard.iter_mut().map(|events| events.next().unwrap().1["n"].as_u64().unwrap()).collect();
        assert_eq!(events[0], events[1], "both hear the same");
    }
    assert_eq!(view(&mut houses[0].client(), &game, "spectator")["over"], true);
    houses[1].again();
    assert_eq!(
        view(&mut houses[1].client(), &game, "spectator"),
        view(&mut houses[2].client(), &game, "spectator")
    );
}

#[test]
fn of_orders_through_three_processes_at_once_one_wins() {
    let Some(database) = postgres() else { return };
    let houses: Vec<House> = (0..3).map(|_| House::open(&database)).collect();
    let game = begin(&mut houses[0].client());
    for house in &houses {
        assert_eq!(view(&mut house.client(), &game, "garrison")["entries"], 0);
    }
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let racers: Vec<_> = (0..9)
            .map(|number| {
                let (house, game) = (&houses[number % 3], &game);
                scope.spawn(move || {
                    let order = json!({ "seen": 0, "action": { "lay": number % 4 } });
                    house.client().post(&game.path("/act"), &game.garrison, &order).status
                })
            })
            .collect();
        racers.into_iter().map(|racer| racer.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|&&status| status == 200).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|&&status| status == 409).count(), 8, "{statuses:?}");
    let states: Vec<_> = houses.iter().map(|house| view(&mut house.client(), &game, "garrison")).collect();
    assert!(states.iter().all(|state| state["entries"] == 1 && *state == states[0]), "{states:?}");
}
