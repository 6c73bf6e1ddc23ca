//! Machines that think ahead: on threads of their own, so that nobody waits for them, and for whoever asks
//! what they would do.

use serde_json::json;

use crate::client::{begin, begin_with, view};
use crate::house::{House, sqlite};

#[test]
fn a_machine_that_thinks_delays_neither_other_games_nor_those_who_read_its_own() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let thinking = json!({ "system": "countermine", "scenario": "broad", "seats": { "garrison": "search" } });
    // More of them than there are threads to think on, and every thought takes a second. On a slow computer
    // they may be done before anything else is: then it is tried again.
    let proven = (0..8).any(|_| {
        let game = begin(&mut client);
        let machines: Vec<_> = (0..6).map(|_| begin_with(&mut client, &thinking)).collect();
        let lay = json!({ "seen": 0, "action": { "lay": 1 } });
        let laid = client.post(&game.path("/act"), &game.garrison, &lay);
        assert_eq!(laid.status, 200, "{laid:?}");
        // The last of them is still thinking, and can be looked at meanwhile.
        let seen = view(&mut client, &machines[5], "besieger");
        // Each has its order in the end.
        for machine in &machines {
            let mut heard = house.client().events(&machine.path("/events"), &machine.besieger);
            assert!(heard.any(|(_, event)| event["to_move"] == "besieger"), "the machine never decides");
        }
        seen["entries"] == 0 && seen["to_move"] == "garrison"
    });
    assert!(proven, "whoever plays or looks waits until the machines have thought");
}

#[test]
fn what_a_machine_thought_of_a_game_that_went_on_is_thought_anew() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let body = json!({ "system": "countermine", "scenario": "broad", "seats": { "garrison": "search" } });
    let game = begin_with(&mut client, &body);
    // The machine thinks about its first order while somebody speaks: the record has grown under it.
    let said = client.post(&game.path("/words"), &game.besieger, &json!({ "seen": 0, "words": "Well?" }));
    assert_eq!(said.status, 200, "{said:?}");
    let mut heard = house.client().events(&game.path("/events"), &game.besieger);
    assert!(heard.any(|(_, event)| event["to_move"] == "besieger"), "the machine never decides");
    assert_eq!(view(&mut client, &game, "besieger")["entries"], 2);
}

#[test]
fn whoever_decides_is_advised_and_nobody_else() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let game = begin(&mut client);
    let address = format!("/g/{}/suggest?lang=en", game.id);
    let advice = client.get(&address, &game.garrison);
    assert_eq!(advice.status, 200, "{advice:?}");
    assert!(advice.body.contains("The machine would order: ex-order-lay"), "{}", advice.body);
    assert!(advice.body.contains("games played on in its head from here scored"), "{}", advice.body);
    assert!(advice.body.contains("data-action=\"{&quot;lay&quot;:"), "{}", advice.body);
    for other in [&game.besieger, &game.spectator] {
        let nothing = client.get(&address, other);
        assert_eq!(nothing.status, 200, "{nothing:?}");
        assert!(nothing.body.contains("no advice") && !nothing.body.contains("lay"), "{}", nothing.body);
    }
}

#[test]
fn a_game_is_reviewed_when_it_is_over_and_not_before() {
    let house = House::open(&sqlite());
    let mut client = house.client();
    let game = begin(&mut client);
    let address = format!("/g/{}/review?lang=en", game.id);
    let early = client.get(&address, &game.besieger);
    assert_eq!(early.status, 403, "{early:?}");
    let given_up = client.post(&game.path("/resign"), &game.garrison, &json!({ "seen": 0 }));
    assert_eq!(given_up.status, 200, "{given_up:?}");
    let review = client.get(&address, &game.besieger);
    assert_eq!(review.status, 200, "{review:?}");
    assert!(review.body.contains("Review of the game") && review.body.contains("nothing is marked"));
}
