//! The page of a siege at every kind of decision that random games of all its scenarios come to: all of it
//! is in words, its markup is sound, and every order that is offered can be looked at before it is given.

use std::collections::HashSet;
use std::mem::{Discriminant, discriminant};

use breach::game::{Action, SCENARIOS, State, Step};
use kernel::board::{Board as _, Gesture, Meant, Standing, When, position};
use kernel::{Desk, Game as _, Live, Setup, Silent};
use opponent::Planner as _;
use pages::game::{Seen, game_page, game_parts};
use rulebook::Lang;

use crate::markup;

/// Decisions of one kind offer the same kinds of orders in the same step.
type Kind = (Option<Discriminant<Step>>, Vec<Discriminant<Action>>);

fn start(scenario: &str) -> State {
    State::start(&Setup { scenario: scenario.to_owned(), ..Setup::default() }).expect("a scenario")
}

/// Plays at random and looks at every state with what is offered there.
fn played(scenario: &str, number: u64, most: usize, mut look: impl FnMut(&State, &[Action])) -> State {
    let mut state = start(scenario);
    let mut desk = Desk::new(Live::numbered(number), Silent);
    let mut stream = Live::numbered(number);
    let mut actions = Vec::new();
    for _ in 0..most {
        let Some(side) = state.asked else { break };
        state.actions(side, &mut actions);
        look(&state, &actions);
        let chosen = State::plan(side, &state.view(Some(side)), &actions, &mut stream);
        state.apply(side, &chosen, &mut desk).expect("what was offered is legal");
    }
    state
}

fn told_in_words(state: &State) {
    let system = glacis::systems::system(State::SYSTEM).expect("the registry knows it").shown;
    let position = position(state.clone(), state.asked);
    let awaited = position.deciders();
    let fairness = kernel::Fairness {
        provenance: kernel::Provenance {
            since: 0,
            source: kernel::Source::Committed(kernel::HexHash([7; 32])),
            pledges: Vec::new(),
            checked: false,
        },
        adopted: None,
        machines: vec![1],
        take_backs: true,
        rolls_taken_back: 0,
        may_pledge: Vec::new(),
    };
    for lang in [Lang::Fr, Lang::En] {
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
            over: state.asked.is_none(),
            fairness: &fairness,
            damaged: None,
        };
        let page = game_parts(&pages::Reader::of(lang), &seen);
        let whole = game_page(&pages::Reader::of(lang), &seen);
        assert_eq!(
            markup::faults_of_page(&whole),
            Vec::<String>::new(),
            "{lang:?}, {:?}",
            state.steps.last()
        );
        for missing in ["breach-board-", "breach-say-", "breach-game-", "{$", "{ $", "NaN", "inf "] {
            let place = page.find(missing).map(|at| page[at..].chars().take(60).collect::<String>());
            assert_eq!(place, None, "{lang:?}, {:?}", state.steps.last());
        }
    }
}

#[test]
fn every_kind_of_decision_of_a_siege_is_put_into_words() {
    let mut kinds: HashSet<Kind> = HashSet::new();
    for (scenario, number) in SCENARIOS.iter().flat_map(|scenario| [1, 2].map(|number| (*scenario, number))) {
        let last = played(scenario, number, 900, |state, actions| {
            let mut offered: Vec<_> = actions.iter().map(discriminant).collect();
            offered.dedup();
            if kinds.insert((state.steps.last().map(discriminant), offered)) {
                told_in_words(state);
            }
        });
        told_in_words(&last);
    }
    assert!(kinds.len() > 30, "only {} kinds of decisions", kinds.len());
}

#[test]
fn what_is_offered_lies_where_its_pose_says() {
    // A pose that the page holds and gives back as a gesture means the order that was offered there.
    let mut held = 0;
    played("keep", 3, 260, |state, actions| {
        let side = state.asked.expect("somebody decides");
        let position = position(state.clone(), Some(side));
        for action in
            actions.iter().filter(|action| matches!(action, Action::Deploy { .. } | Action::PlaceWork { .. }))
        {
            let Some(pose) = state.choice(side, action).pose else { continue };
            #[allow(clippy::cast_possible_truncation, reason = "millimetres of a table")]
            let at = (pose.at.0.round() as i32, pose.at.1.round() as i32);
            let gesture = Gesture {
                at: Some(at),
                tool: Some(pose.tool.to_owned()),
                facing: Some(i32::from(pose.facing)),
                ..Gesture::default()
            };
            match position.meant(&gesture) {
                Meant::Order(offered) => {
                    held += 1;
                    let there = offered.choice.pose.expect("a pose");
                    let off = (there.at.0 - pose.at.0).hypot(there.at.1 - pose.at.1);
                    assert!(off <= 1.5, "{pose:?} became {there:?}");
                }
                // A millimetre is enough to stand on somebody's foot; never to mean nothing.
                Meant::Refused(refusal) => assert!(refusal.rule.is_some(), "{pose:?}: {refusal:?}"),
                Meant::NobodyChosen => unreachable!("{pose:?} means nothing"),
            }
        }
    });
    assert!(held > 20, "only {held} poses held");
}

#[test]
fn a_fight_is_weighed_exactly_before_it_is_chosen() {
    let mut weighed = 0;
    for (scenario, number) in (0..12).flat_map(|number| ["help", "keep"].map(|scenario| (scenario, number))) {
        played(scenario, number, 1_500, |state, actions| {
            let Some(fight) = actions.iter().find(|action| matches!(action, Action::Fight(_))) else {
                return;
            };
            if weighed >= 12 {
                return;
            }
            let position = position(state.clone(), state.asked);
            let order = serde_json::to_string(fight).expect("an order");
            let said = |event: &kernel::Event| rulebook::speak(event.phrase, &event.facts, Lang::En);
            let forecast = position.forecast(&order, &said).expect("it may be chosen");
            let Some(outcomes) = forecast.outcomes else { return };
            let sum: f64 = outcomes.iter().map(|(_, chance)| chance.as_f64()).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{sum}");
            assert!(outcomes.len() > 1, "a round has dice: {outcomes:?}");
            weighed += 1;
        });
    }
    assert!(weighed >= 8, "only {weighed} fights were weighed");
}

#[test]
fn the_campaign_shows_what_the_next_scenario_inherits() {
    for number in 0..40 {
        let mut after_first = None;
        played("campaign", number, 6_000, |state, _| {
            if after_first.is_none() && state.winners.len() == 1 {
                after_first = Some(state.clone());
            }
        });
        let Some(state) = after_first else { continue };
        let legs = state.status(None).legs;
        assert_eq!(legs.iter().map(|leg| leg.when).collect::<Vec<_>>(), [When::Past, When::Now, When::Ahead]);
        let besieger = state.winners == [breach::scenario::Side::Besieger];
        // A hundred points buy six sections for the besieger who has won the race.
        let told = pages::Reader::of(Lang::En).tell(&legs[1].told[0]);
        assert_eq!(told.contains("6 sections"), besieger, "{told}");
        assert!(
            state.on_sheet(None, "table").iter().any(|one| matches!(one, Standing::Stack(_)))
                || state.turn == 0
        );
        return;
    }
    unreachable!("no campaign came to its second scenario");
}
