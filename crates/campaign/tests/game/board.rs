//! The board: the sheet, what a march costs and risks before it is ordered, who is named how, and the machine player.

use campaign::HexId;
use campaign::game::{Action, LeaderId, Phase, SCENARIOS, State, Whereabouts};
use campaign::terms::Army;
use kernel::board::{Board as _, Gesture, Meant, Outlook, position};
use kernel::{Desk, Event, Game as _, Live, Setup, Silent};
use opponent::Planner as _;
use rulebook::Lang;

fn start(scenario: &str) -> State {
    State::start(&Setup { scenario: scenario.to_owned(), ..Setup::default() }).unwrap()
}

/// The French may move, on the first turn.
fn moving(scenario: &str) -> State {
    let mut state = start(scenario);
    state.public.phase = Phase::Move;
    state.public.asked = Some(Army::French);
    state
}

#[test]
fn the_sheet_is_as_large_as_its_drawing() {
    let (wide, high) = State::SHEETS[0].size;
    let drawing = campaign::sheet_svg(Lang::Fr);
    assert!(drawing.contains(&format!("viewBox=\"0 0 {wide} {high}\"")), "{}", &drawing[..200]);
    assert!(drawing.contains("Austerlitz"));
}

#[test]
fn leaders_and_troops_are_named_in_both_languages() {
    let leader = LeaderId::named("koutouzov").unwrap();
    assert_eq!(rulebook::name(leader.name(), Lang::En), "Kutuzov");
    assert_eq!(rulebook::name(leader.name(), Lang::Fr), "Koutouzov");
    let unit = campaign::game::UnitId::named("f-imperial-guard-foot").unwrap();
    assert_eq!(rulebook::name(unit.name(), Lang::Fr), "Garde impériale à pied");
}

#[test]
fn a_march_is_weighed_with_its_die_and_its_attrition() {
    let state = moving("november");
    let oudinot = LeaderId::named("oudinot").unwrap();
    let path: Vec<HexId> = ["1748", "1647", "1547"].iter().map(|hex| HexId::read(hex).unwrap()).collect();
    let order = Action::Order { formation: oudinot, path };
    let position = position(state, Some(Army::French));
    let said = |event: &Event| rulebook::speak(event.phrase, &event.facts, Lang::En);
    let forecast = position.forecast(&serde_json::to_string(&order).unwrap(), &said).unwrap();
    let outcomes = forecast.outcomes.unwrap();
    let sum: f64 = outcomes.iter().map(|(_, chance)| chance.as_f64()).sum();
    assert!((sum - 1.0).abs() < 1e-9);
    let share = |word: &str| -> f64 {
        let says = |outlook: &Outlook| matches!(outlook, Outlook::Settled(lines) if lines.iter().any(|line| line.contains(word)));
        outcomes.iter().filter(|(outlook, _)| says(outlook)).map(|(_, chance)| chance.as_f64()).sum()
    };
    // Initiative 3 without a command: he moves on 1 to 3, and what the march costs is told with it.
    assert!((share("does not move") - 0.5).abs() < 1e-9, "{outcomes:?}");
    assert!((share("reaches") - 0.5).abs() < 1e-9, "{outcomes:?}");
    assert!((share("the march") - 0.5).abs() < 1e-9, "{outcomes:?}");
    // The order can be seen before it is given.
    assert!(position.sketch(&serde_json::to_string(&order).unwrap()).unwrap().1.contains("lane"));
}

#[test]
fn what_is_too_far_for_today_is_a_goal_and_what_is_closed_is_refused() {
    let position = position(moving("november"), Some(Army::French));
    let gesture = |object: &str| Gesture {
        subject: Some("u:oudinot".to_owned()),
        object: Some(object.to_owned()),
        ..Gesture::default()
    };
    let Meant::Order(near) = position.meant(&gesture("h:1647")) else { unreachable!("it is in reach") };
    assert!(near.action.contains("order"), "{}", near.action);
    let Meant::Order(far) = position.meant(&gesture("h:1930")) else { unreachable!("it can be a goal") };
    assert!(far.action.contains("standing"), "{}", far.action);
    let Meant::Refused(refusal) = position.meant(&gesture("u:x1446")) else {
        unreachable!("an enemy stands there")
    };
    assert_eq!(refusal.reason.key(), "campaign-game-enemy-there");
}

#[test]
fn the_machine_plays_to_the_end_and_a_turn_costs_few_thoughts() {
    let mut turns: Vec<u32> = Vec::new();
    for (number, scenario) in (0..).zip([SCENARIOS[0], SCENARIOS[1], SCENARIOS[3]]) {
        let mut state = start(scenario);
        let mut stream = Live::numbered(number);
        let mut desk = Desk::new(Live::numbered(number + 100), Silent);
        let mut actions = Vec::new();
        let (mut counts, mut turn) = ([0; 2], state.public.turn);
        for _ in 0..20_000 {
            let Some(side) = state.to_move() else { break };
            if state.public.turn != turn {
                turn = state.public.turn;
                turns.extend(std::mem::take(&mut counts));
            }
            state.actions(side, &mut actions);
            let action = &State::plan(side, &state.view(Some(side)), &actions, &mut stream);
            counts[State::place(side)] += 1;
            state.perform(side, action, &mut desk);
        }
        assert!(state.outcome().is_some(), "{scenario} has no end");
    }
    turns.sort_unstable();
    let median = turns[turns.len() / 2];
    assert!(median < 25, "the median turn costs {median} decisions: {turns:?}");
}

/// Puts everybody of a hex somewhere else.
fn relocate(state: &mut State, army: Army, from: &str, to: &str) {
    let [from, to] = [from, to].map(|hex| Whereabouts::Map(HexId::read(hex).unwrap()));
    let host = &mut state.hosts[State::place(army)];
    let there: Vec<_> = host.leaders.values_mut().filter(|leader| leader.at == from).collect();
    assert!(!there.is_empty(), "nobody is in {from:?}");
    for leader in there {
        leader.at = to;
    }
}

#[test]
fn lines_of_supply_are_drawn_and_what_cuts_them_is_named() {
    let mut state = moving("november");
    let drawn = |state: &State| -> String {
        let standing = state.on_sheet(Some(Army::French), "map").into_iter().next();
        let Some(kernel::board::Standing::Drawing(drawing)) = standing else {
            panic!("the ground comes first")
        };
        drawing
    };
    let ground = drawn(&state);
    assert!(ground.contains(r#"class="supply""#) && !ground.contains("severed"), "{ground}");
    // Milhaud at 2848 between two enemies, whose zones lie on every hex about him.
    relocate(&mut state, Army::AustroRussian, "1446", "2849");
    relocate(&mut state, Army::AustroRussian, "2844", "2847");
    let ground = drawn(&state);
    assert!(ground.contains("supply cut") && ground.contains("severed"), "{ground}");
    let roll = state.roll(Some(Army::French)).unwrap();
    let cells: Vec<String> = roll.rows.iter().flat_map(|row| &row.cells).map(ToString::to_string).collect();
    assert!(cells.iter().any(|cell| cell.contains("campaign-board-supply-cut")), "{cells:?}");
}

#[test]
fn a_battle_has_a_card_with_the_odds_of_each_commitment() {
    let mut state = start("austerlitz");
    relocate(&mut state, Army::French, "2123", "2223");
    state.public.phase = Phase::Combat;
    state.public.phasing = Army::AustroRussian;
    state.public.asked = Some(Army::AustroRussian);
    assert!(state.reckoning(Some(Army::AustroRussian)).is_none(), "nothing is at stake yet");
    let mut offered = Vec::new();
    state.actions(Army::AustroRussian, &mut offered);
    let attack = offered.into_iter().find(|action| matches!(action, Action::Attack { .. })).unwrap();
    let warned = state.warnings(Army::AustroRussian, &attack);
    assert!(!warned.is_empty(), "what the attack may come to is told");
    state.perform(Army::AustroRussian, &attack, &mut Desk::new(Live::numbered(1), Silent));
    for side in [Army::French, Army::AustroRussian] {
        let card = state.reckoning(Some(side)).unwrap();
        assert_eq!(card.rows.len(), 2, "pitched and pursuit");
        assert!(card.rows.iter().all(|(_, cells)| cells.len() + 1 == card.heads.len()));
    }
    // The two sides reckon with the same dice: one has the better of the round or the other has.
    let share = |side: Army| -> i64 {
        let card = state.reckoning(Some(side)).unwrap();
        let text = card.rows[0].1[0].to_string();
        text.rsplit('=').next().and_then(|share| share.parse().ok()).unwrap()
    };
    let sum = share(Army::French) + share(Army::AustroRussian);
    assert!((99..=101).contains(&sum), "{sum}");
    assert!(state.reckoning(None).is_none(), "whoever only watches does not know the forces");
}

#[test]
fn the_paper_tells_what_is_news_and_nothing_else() {
    use rulebook::phrase::campaign_game as events;
    let taken = Event::new(events::TAKEN).with("hex", "1547");
    let news = State::news(&taken).unwrap();
    assert_eq!(rulebook::speak(news.phrase, &news.facts, Lang::En), "1547 has changed hands.");
    assert_eq!(rulebook::speak(news.phrase, &news.facts, Lang::Fr), "1547 a changé de mains.");
    assert!(State::news(&Event::new(events::STAFF)).is_none());
    let worn =
        |loss: i32| Event::new(events::WORN).with("who", "soult").with("loss", loss).with("hex", "1547");
    assert!(State::news(&worn(0)).is_none(), "a march without loss is no news");
    assert!(State::news(&worn(2)).is_some());
}
