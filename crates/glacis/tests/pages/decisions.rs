//! The page of a game at every kind of decision that the record of 1807 and random games come to: all
//! of it is in words, and its markup is sound.

use std::collections::HashSet;
use std::mem::{Discriminant, discriminant};

use danzig::{Action, Hand, Owed, Phase, State};
use kernel::board::position;
use kernel::{Desk, Game as _, Live, Play, Record, Setup, Silent};
use pages::game::{Seen, game_page, game_parts};
use rulebook::Lang;

use crate::markup;

/// Decisions of one kind offer the same kinds of orders in the same phase.
type Kind = (Phase, Discriminant<Hand>, Option<Discriminant<Owed>>, Vec<Discriminant<Action>>);

#[derive(Default)]
struct Kinds(HashSet<Kind>);

impl Kinds {
    /// Looks at the page, if no decision of this kind has been seen.
    fn meet(&mut self, state: &State, actions: &[Action]) {
        let owed = state.table.owed.last().map(discriminant);
        let mut offered: Vec<_> = actions.iter().map(discriminant).collect();
        offered.dedup();
        if self.0.insert((state.phase, discriminant(&state.hand), owed, offered)) {
            told_in_words(state);
        }
    }
}

#[test]
fn every_kind_of_decision_is_put_into_words() {
    let mut kinds = Kinds::default();
    let mut actions = Vec::new();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/danzig/1807.record");
    let record = Record::read(&std::fs::read_to_string(file).expect("a record")).expect("a whole record");
    Play::<State>::replay_with(&record, None, |play, _| {
        play.state().actions(play.state().active(), &mut actions);
        kinds.meet(play.state(), &actions);
    })
    .expect("a true record");
    for number in 0..8 {
        let mut state = State::start(&Setup::default()).expect("the standard game");
        let mut desk = Desk::new(Live::numbered(number), Silent);
        let mut stream = Live::numbered(number);
        while let Some(side) = state.to_move() {
            state.actions(state.active(), &mut actions);
            kinds.meet(&state, &actions);
            let chosen = match number % 2 {
                0 => danzig::auto_choice(&state.view(Some(side)), &actions, &mut stream),
                _ => stream.below(u32::try_from(actions.len()).expect("a short list")) as usize,
            };
            state.apply(side, &actions[chosen], &mut desk).expect("what was offered is legal");
        }
        told_in_words(&state);
    }
    assert!(kinds.0.len() > 70, "only {} kinds of decisions", kinds.0.len());
}

/// An imported game against the machine, with a pledge, a roll taken back, and everything to be told.
fn fairness() -> kernel::Fairness {
    let hash = kernel::HexHash([7; 32]);
    let provenance = kernel::Provenance {
        since: 3,
        source: kernel::Source::Committed(hash),
        pledges: vec![(0, hash)],
        checked: false,
    };
    kernel::Fairness {
        provenance,
        adopted: Some(3),
        machines: vec![1],
        take_backs: true,
        rolls_taken_back: 2,
        may_pledge: vec![1],
    }
}

/// No key stands for a missing message, no variable for a missing fact.
fn told_in_words(state: &State) {
    let system = glacis::systems::system(State::SYSTEM).expect("the registry knows it").shown;
    let position = position(state.clone(), state.to_move());
    let awaited = position.deciders();
    for lang in [Lang::Fr, Lang::En] {
        let over = state.to_move().is_none();
        let fairness = fairness();
        let seen = Seen {
            game: "g",
            days: &[],
            system: &system,
            position: &*position,
            seats: &[0, 1],
            awaited: &awaited,
            sealed: None,
            entries: 0,
            at: None,
            told: &[],
            over,
            fairness: &fairness,
            damaged: None,
        };
        let page = game_parts(&pages::Reader::of(lang), &seen);
        let whole = game_page(&pages::Reader::of(lang), &seen);
        assert_eq!(markup::faults_of_page(&whole), Vec::<String>::new(), "{lang:?}, {:?}", state.phase);
        assert_eq!(markup::faults(&page), Vec::<String>::new(), "{lang:?}, {:?}", state.phase);
        for missing in ["board-", "danzig-say-", "danzig-ops-", "danzig-siege-", "{$", "{ $"] {
            let place = page.find(missing).map(|at| page[at..].chars().take(60).collect::<String>());
            assert_eq!(place, None, "{lang:?}, {:?}: {:?}", state.phase, state.table.owed.last());
        }
    }
}
