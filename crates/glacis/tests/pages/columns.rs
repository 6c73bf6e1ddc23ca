//! The page of the campaign at every kind of decision that games of its scenarios come to: all of it is in words, its
//! markup is sound, every way in reach is an order that can be given; and two games that differ only in what is
//! hidden give the same pages, reaches, odds and reasons, to the last byte.

use std::collections::HashSet;
use std::mem::{Discriminant, discriminant};

use campaign::game::{Action, Phase, SCENARIOS, State, twin};
use campaign::terms::Army;
use kernel::board::{Board as _, Position, Standing, position};
use kernel::{Desk, Game as _, Live, Setup, Silent};
use opponent::{Planner as _, any_of};
use pages::game::{Seen, game_chances, game_odds, game_page, game_parts, game_reach, game_why};
use pages::{Query, Reader};
use rulebook::Lang;

use crate::markup;

/// Decisions of one kind offer the same kinds of orders in the same phase.
type Kind = (Discriminant<Phase>, bool, Vec<Discriminant<Action>>);

fn start(scenario: &str) -> State {
    State::start(&Setup { scenario: scenario.to_owned(), ..Setup::default() }).expect("a scenario")
}

/// Plays as the computer seats do, or at random, and looks at every state with what is offered there.
fn played(scenario: &str, number: u64, most: usize, mut look: impl FnMut(&State, &[Action])) -> State {
    let mut state = start(scenario);
    let mut desk = Desk::new(Live::numbered(number), Silent);
    let mut stream = Live::numbered(number);
    let mut actions = Vec::new();
    for _ in 0..most {
        let Some(side) = state.public.asked else { break };
        state.actions(side, &mut actions);
        look(&state, &actions);
        let order = if number.is_multiple_of(2) {
            State::plan(side, &state.view(Some(side)), &actions, &mut stream)
        } else {
            any_of(&actions, &mut stream).clone()
        };
        state.apply(side, &order, &mut desk).expect("what was offered is legal");
    }
    state
}

fn shown(position: &dyn Position, lang: Lang, seats: &[usize], over: bool) -> (String, String) {
    let system = glacis::systems::system(State::SYSTEM).expect("the registry knows it").shown;
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
    let seen = Seen {
        game: "g",
        days: &[],
        system: &system,
        position,
        seats,
        awaited: &awaited,
        sealed: None,
        entries: 0,
        at: None,
        told: &[],
        over,
        fairness: &fairness,
        damaged: None,
    };
    (game_page(&Reader::of(lang), &seen), game_parts(&Reader::of(lang), &seen))
}

fn told_in_words(state: &State) {
    let position = position(state.clone(), state.public.asked);
    for lang in Lang::ALL {
        let (whole, page) = shown(&*position, lang, &[0, 1], state.public.asked.is_none());
        assert_eq!(
            markup::faults_of_page(&whole),
            Vec::<String>::new(),
            "{lang:?}, {:?}",
            state.public.phase
        );
        for missing in ["campaign-board-", "campaign-say-", "campaign-game-", "{$", "{ $", "NaN", "inf "] {
            let place = page.find(missing).map(|at| page[at..].chars().take(60).collect::<String>());
            assert_eq!(place, None, "{lang:?}, {:?}", state.public.phase);
        }
    }
}

#[test]
fn every_kind_of_decision_of_the_campaign_is_put_into_words() {
    let mut kinds: HashSet<Kind> = HashSet::new();
    for (place, scenario) in SCENARIOS.iter().enumerate() {
        for number in [0, 1] {
            let most = if place < 2 { 700 } else { 400 };
            let last = played(scenario, number, most, |state, actions| {
                let mut offered: Vec<_> = actions.iter().map(discriminant).collect();
                offered.dedup();
                let hand = state.public.asked.is_some_and(|side| state.host(side).hand.is_some());
                if kinds.insert((discriminant(&state.public.phase), hand, offered)) {
                    told_in_words(state);
                }
            });
            told_in_words(&last);
        }
    }
    assert!(kinds.len() > 25, "only {} kinds of decisions", kinds.len());
}

#[test]
fn every_hex_in_reach_is_marched_to_by_an_order_that_can_be_given() {
    let (mut looked, mut ways) = (0, 0);
    played("hollabrunn", 0, 300, |state, _| {
        let Some(side) = state.public.asked.filter(|_| state.public.phase == Phase::Move && looked < 12)
        else {
            return;
        };
        let Some(head) = state
            .host(side)
            .heads()
            .into_iter()
            .find(|&head| state.host(side).hand.is_none() && !state.host(side).flags(head).done)
        else {
            return;
        };
        looked += 1;
        for reached in state.reach(side, &[format!("u:{}", head.id())]).expect("it can be taken in hand") {
            assert_eq!(reached.way.len(), 1, "a march is one order");
            state.validate(side, &reached.way[0]).expect("what is in reach can be ordered");
            assert!(reached.asks && reached.cost > 0, "it is asked about, and costs something");
            ways += 1;
        }
    });
    assert!(looked > 2 && ways > 100, "{looked} formations, {ways} ways");
}

/// Everything a reader can be shown of a state.
fn all_that_is_shown(state: &State, reader: Option<Army>) -> String {
    let imagined = State::imagine(&state.view(reader), &mut Live::numbered(11));
    let seats: Vec<usize> = reader.map(State::place).into_iter().collect();
    let over = state.public.asked.is_none();
    let pieces: Vec<String> = imagined
        .on_sheet(reader, "map")
        .into_iter()
        .flat_map(|one| match one {
            Standing::Stack(stack) => stack.pieces.into_iter().map(|piece| piece.id).collect(),
            _ => Vec::new(),
        })
        .collect();
    let mut actions = Vec::new();
    if let Some(side) = reader.filter(|side| state.public.asked == Some(*side)) {
        imagined.actions(side, &mut actions);
    }
    let position = position(imagined, reader);
    let mut shown_all = String::new();
    for lang in Lang::ALL {
        let (whole, parts) = shown(&*position, lang, &seats, over);
        shown_all += &whole;
        shown_all += &parts;
        let page_reader = Reader::of(lang);
        for action in actions.iter().step_by(actions.len() / 12 + 1) {
            let action = serde_json::to_string(action).expect("an order");
            shown_all += &game_odds(&page_reader, &*position, &action);
        }
        for pair in pieces.windows(2).step_by(pieces.len() / 8 + 1) {
            let (one, other) = (&pair[0], &pair[1]);
            shown_all +=
                &game_why(&page_reader, &*position, &Query::parse(&format!("subject={one}&object={other}")));
            shown_all +=
                &game_why(&page_reader, &*position, &Query::parse(&format!("subject={one}&object=h:1822")));
            shown_all += &game_reach(&page_reader, &*position, &Query::parse(&format!("pieces={one}")));
            shown_all += &game_chances(&*position, &Query::parse(&format!("piece={one}")));
        }
    }
    shown_all + &serde_json::to_string(&state.view(reader)).expect("a view")
}

#[test]
fn nothing_that_fog_hides_is_on_a_page_of_the_other_side() {
    let (mut pairs, mut fogs) = (0, 0);
    let mut choice = Live::numbered(5);
    for number in 0..4 {
        let mut met = 0;
        played(SCENARIOS[usize::try_from(number % 3).expect("small")], number, 260, |state, _| {
            met += 1;
            if met % 9 != 0 || pairs > 24 {
                return;
            }
            for side in [Army::French, Army::AustroRussian] {
                let Some(other) = twin(state, side, &mut choice) else { continue };
                assert!(
                    all_that_is_shown(state, Some(side)) == all_that_is_shown(&other, Some(side)),
                    "{side:?} is shown something hidden in {:?}",
                    state.public.phase
                );
                pairs += 1;
                fogs += usize::from(state.public.fog);
            }
        });
    }
    assert!(pairs > 8, "only {pairs} pairs, {fogs} of them in fog");
}

#[test]
fn an_enemy_is_drawn_as_he_is_seen_and_a_report_keeps_its_date() {
    // A spectator sees blocks of both sides and no name; a side its own names.
    let state = start("hollabrunn");
    let told = |reader: Option<Army>| {
        let imagined = State::imagine(&state.view(reader), &mut Live::numbered(1));
        shown(&*position(imagined, reader), Lang::En, &[], false).1
    };
    let (french, spectator) = (told(Some(Army::French)), told(None));
    assert!(french.contains("data-thing=\"u:soult\"") && french.contains("Soult"));
    assert!(!french.contains("data-thing=\"u:koutouzov\"") && !french.contains("Kutuzov"));
    assert!(!spectator.contains("Soult") && !spectator.contains("Kutuzov"));
    assert!(spectator.contains("unknown strength"));
    // What was seen and is no longer is dashed, with the day.
    let mut dated = 0;
    played("hollabrunn", 2, 700, |state, _| {
        let Some(side) = state.public.asked.filter(|_| dated == 0) else { return };
        let imagined = State::imagine(&state.view(Some(side)), &mut Live::numbered(1));
        let page = shown(&*position(imagined, Some(side)), Lang::En, &[], false).1;
        if page.contains("class=\"report") {
            assert!(page.contains("reported on") && page.contains("November"), "a report has its day");
            dated += 1;
        }
    });
    assert!(dated > 0, "no report grew old in this game");
}
