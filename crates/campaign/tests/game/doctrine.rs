//! The machine's doctrine (section 10 of the law): it gives legal orders only, beats chance in the short scenarios from
//! either side, and does nothing for its own sake.

use campaign::game::{Action, State};
use campaign::terms::Army;
use kernel::{Desk, Game as _, Live, Setup, Silent};
use opponent::{Level, Planner as _, duel};

fn setup(scenario: &str) -> Setup {
    Setup { scenario: scenario.to_owned(), ..Setup::default() }
}

#[test]
fn it_beats_chance_from_either_side() {
    for scenario in ["austerlitz", "hollabrunn"] {
        let sides = [
            (Army::French, [Level::Sensible, Level::Random]),
            (Army::AustroRussian, [Level::Random, Level::Sensible]),
        ];
        for (side, levels) in sides {
            let ends = (0..20).map(|number| duel::<State>(&setup(scenario), &levels, number).unwrap().last);
            let won =
                ends.filter(|state| state.outcome().is_some_and(|end| end.winner == Some(side))).count();
            assert!(won >= 17, "{scenario}, {side:?}: {won} of 20");
        }
    }
}

/// Plays a game of the machine against itself and looks at every order before it is carried out.
fn watched(scenario: &str, number: u64, mut look: impl FnMut(&State, Army, &Action)) {
    let mut state = State::start(&setup(scenario)).unwrap();
    let mut desk = Desk::new(Live::numbered(number), Silent);
    let mut stream = Live::numbered(number + 1_000);
    let mut offered = Vec::new();
    while let Some(side) = state.public.asked {
        state.actions(side, &mut offered);
        let order = State::plan(side, &state.view(Some(side)), &offered, &mut stream);
        state.validate(side, &order).unwrap_or_else(|refusal| panic!("{order:?}: {refusal}"));
        look(&state, side, &order);
        state.perform(side, &order, &mut desk);
    }
}

#[test]
fn every_order_is_legal_and_every_march_leads_somewhere() {
    for scenario in ["austerlitz", "hollabrunn", "december"] {
        watched(scenario, 7, |state, side, order| {
            let Action::Order { formation, path } = order else { return };
            let host = state.host(side);
            assert_ne!(host.leader_at(*formation), path.last().copied(), "{order:?}");
            assert!(!host.flags(*formation).done, "{order:?}");
        });
    }
}

#[test]
fn it_attacks_where_it_is_stronger() {
    let mut fought = 0;
    watched("austerlitz", 3, |state, side, order| {
        let Action::Attack { hex, formations } = order else { return };
        let host = state.host(side);
        let own: i32 = formations.iter().map(|&head| host.strength(head).fighting()).sum();
        let seen = state.view(Some(side)).stacks.into_iter().flatten().find(|seen| seen.hex == *hex);
        // A band of strength is known of whoever is attacked by horse; the least of it is outweighed.
        let least = seen.and_then(|seen| seen.contact).map_or(1, |contact| i32::from(contact.class));
        assert!(own > least, "{order:?} with {own}");
        fought += 1;
    });
    assert!(fought > 0, "nobody attacked at Austerlitz");
}
