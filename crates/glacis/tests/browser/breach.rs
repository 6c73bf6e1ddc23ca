//! A siege in a real Chromium: a whole turn of both sides with a ram, oil, ladders and a bombard, a charge
//! that is refused with its reason, a unit set up by hand, and the campaign after its first scenario.

use breach::game::{Action, Place, SCENARIOS, State, Step, Target, Troop, Unit, UnitId, Whereabouts};
use breach::lists::Line;
use breach::scenario::{Scenario, Side};
use breach::terms::Item;
use kernel::Game as _;
use opponent::Planner as _;
use serde_json::{Value, json};

use crate::clicks::{clicks, count_clicks};
use crate::driver::{Browser, patience};
use crate::game::{after, confirmed, entries, given};
use crate::house;

/// A record played by `choose` until `wanted`; nothing if the game ends before.
fn record(
    scenario: &str,
    options: &[(&str, &str)],
    seed: u8,
    choose: impl Fn(&State, &[Action], &mut kernel::Live) -> usize,
    wanted: impl Fn(&State, &[Action]) -> bool,
) -> Option<String> {
    let seed = [seed; 32];
    let setup = kernel::Setup {
        scenario: scenario.to_owned(),
        options: options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
    };
    let source = kernel::Source::Open(kernel::HexHash(seed));
    let mut game = kernel::Play::<State>::begin(&setup, source, Some(seed)).expect("the scenario is there");
    let mut record = format!("{}\n", game.header_line());
    let mut stream = kernel::Live::numbered(u64::from(seed[0]));
    let mut actions = Vec::new();
    while let Some(side) = game.state().asked {
        game.state().actions(side, &mut actions);
        if wanted(game.state(), &actions) {
            return Some(record);
        }
        let chosen = choose(game.state(), &actions, &mut stream);
        let step =
            game.decide(game.entries(), side, &actions[chosen]).expect("an action offered is accepted");
        record.push_str(&step.record_line);
        record.push('\n');
    }
    None
}

/// How far from the garrison's edge a unit stands.
fn depth(unit: &Unit) -> Option<i64> {
    let stand = unit.stands.iter().find_map(|stand| match stand.place {
        Place::Ground { front, .. } => Some(front.y),
        _ => None,
    });
    unit.machine.map(|(front, _)| front.y).or(stand)
}

/// The besieger brings his rams and ladders to the wall; the garrison lays its oil ready and waits.
fn approach(state: &State, actions: &[Action], _: &mut kernel::Live) -> usize {
    let unit = |id: UnitId| state.table.units.get(usize::from(id.0));
    let storms = |id: UnitId| {
        unit(id).is_some_and(|unit| {
            unit.troop == Troop::Line(Line::Warriors)
                && matches!(unit.item, Item::Ram | Item::PortableRam | Item::Ladders)
        })
    };
    let find = |wanted: &dyn Fn(&Action) -> bool| actions.iter().position(wanted);
    // Characters go with different units.
    let joined = |action: &Action| match action {
        Action::DeployCharacter { character, place: Whereabouts::With(with) } => {
            storms(*with) && (with.0 + character.0) % 3 == 0
        }
        _ => false,
    };
    // To within a charge of the wall and no nearer: the last stretch is for the test.
    let goal = |action: &Action| match action {
        Action::March(moves) => {
            let step = moves.first()?;
            let from = unit(step.unit).and_then(depth)?;
            let to = match (step.machine, step.stands.first().map(|way| way.to)) {
                (Some((front, _)), _) | (None, Some(Place::Ground { front, .. })) => front.y,
                _ => return None,
            };
            (to >= 2_500 && to < from).then_some(to)
        }
        _ => None,
    };
    let march = (0..).zip(actions).filter_map(|(at, action)| Some((goal(action)?, at))).min();
    let far = |id: UnitId| unit(id).and_then(depth).is_some_and(|depth| depth > 3_200);
    let ordered = |action: &Action| matches!(action, Action::Order(units) if matches!(units[..], [one] if storms(one) && far(one)));
    let quiet = |action: &Action| {
        matches!(
            action,
            Action::DeployTheRest
                | Action::EndInitiative
                | Action::EndShooting
                | Action::EndDig
                | Action::EndCharacters
                | Action::Decline
                | Action::Stand(_)
                | Action::Keep(_)
                | Action::Stay(_)
                | Action::Halt
                | Action::Dismiss
                | Action::EndOrders
        )
    };
    let besieger = state.asked == Some(Side::Besieger);
    find(&|action| matches!(action, Action::PlaceOil(_)))
        .or_else(|| find(&|action| *action == Action::GiveUpWorks))
        .or_else(|| find(&joined))
        .or_else(|| find(&ordered))
        .or(march.map(|(_, at)| at))
        .or_else(|| find(&|action| besieger && matches!(action, Action::TakeCommand(_))))
        .or_else(|| find(&quiet))
        .unwrap_or(0)
}

/// A position in which by initiative a ram can strike and ladders can be raised.
fn before_the_storm() -> String {
    let storm = |state: &State, actions: &[Action]| {
        let rams = actions.iter().any(|action| matches!(action, Action::InitiativeMachine { .. }));
        let ladders = actions.iter().any(
            |action| matches!(action, Action::InitiativeCharge(charge) if matches!(charge.target, Target::Wall(_))),
        );
        state.asked == Some(Side::Besieger)
            && matches!(state.steps.last(), Some(Step::Initiative))
            && rams
            && ladders
    };
    let found = (1..40).find_map(|seed| record(SCENARIOS[2], &[], seed, approach, storm));
    found.expect("in one of forty sieges the rams arrive")
}

/// Puts a record on the server and gives the addresses of its seats.
fn take_over(browser: &Browser<'_>, address: &str, record: &str) -> [String; 2] {
    browser.go(address);
    let script = "const done = arguments[arguments.length - 1]; fetch('/api/import', { method: 'POST', headers: { 'content-type': 'application/json' },\
        body: JSON.stringify({ record: arguments[0] }) }).then((r) => r.json()).then((made) =>\
        done(['garrison', 'besieger'].map((side) => made.seats?.find((seat) => seat.side === side)?.link ?? JSON.stringify(made))))";
    let seats = browser.run_async(script, &json!(record));
    [0, 1].map(|place| seats[place].as_str().unwrap_or_default().to_owned())
}

/// Gives the first order of a kind that is offered; false if none is.
fn give(browser: &Browser<'_>, kind: &str) -> bool {
    let open = "const kind = arguments[0];\
        const staged = document.querySelector(`#panel details.staged[data-kind=\"${kind}\"]`); if (staged) staged.open = true;\
        const one = document.querySelector(`#panel .choice[data-kind=\"${kind}\"]`); const folded = one?.closest('details'); if (folded) folded.open = true;\
        return Boolean(staged || one)";
    if browser.run(open, &json!(kind)) != json!(true) {
        return false;
    }
    let before = entries(browser);
    let any = format!("#panel .choice[data-kind='{kind}']");
    browser.wait(&any);
    // Oil before shots: a stand that falls ends the reactions.
    let oil = format!("{any}[data-action*='oil']");
    let choice = if kind == "react" && browser.count(&oil) > 0 { oil } else { any };
    browser.run("document.querySelector(arguments[0]).click()", &json!(choice));
    confirmed(browser, before);
    true
}

/// Whoever decides does the first of these that is offered, or else whatever ends his step.
fn go_on(seats: &[&Browser<'_>; 2], wanted: &[&str], done: &mut Vec<String>) {
    let script = "return document.querySelector('.turn')?.dataset.deciding !== undefined && !document.querySelector('#game[aria-busy]')";
    let start = std::time::Instant::now();
    let browser = loop {
        if let Some(browser) = seats.iter().find(|browser| browser.run(script, &Value::Null) == json!(true)) {
            break browser;
        }
        if seats[1].text(".turn").contains("won") {
            return;
        }
        assert!(start.elapsed() < patience(), "nobody decides: {}", seats[0].text(".turn"));
    };
    for kind in wanted {
        if give(browser, kind) {
            done.push((*kind).to_owned());
            return;
        }
    }
    let kinds = browser.run(
        "return [...new Set([...document.querySelectorAll('#panel .choice, #panel details.staged')].map((one) => one.dataset.kind))]",
        &Value::Null,
    );
    let kinds: Vec<&str> =
        kinds.as_array().map(|all| all.iter().filter_map(Value::as_str).collect()).unwrap_or_default();
    let quiet = [
        "end_initiative",
        "dismiss",
        "end_orders",
        "halt",
        "end_characters",
        "end_shooting",
        "end_dig",
        "decline",
        "stand",
        "keep",
        "stay",
        "stop",
        "advance_none",
        "waive_ram",
    ];
    let kind =
        quiet.iter().find(|kind| kinds.contains(*kind)).or(kinds.first()).expect("something is offered");
    assert!(give(browser, kind), "{kind}");
    done.push((*kind).to_owned());
}

#[test]
fn a_turn_of_both_sides_with_ram_oil_ladders_and_bombard() {
    house("storm", |driver, address| {
        let besieger = driver.browser(1280, 900, "en");
        let [garrison_seat, besieger_seat] = take_over(&besieger, address, &before_the_storm());
        let garrison = driver.browser(1280, 900, "fr");
        besieger.go(&besieger_seat);
        garrison.go(&garrison_seat);
        besieger.wait(".turn[data-deciding='besieger']");
        besieger.wait("[data-thing='w:gate']");
        besieger.picture("siege-day");
        besieger.night(true);
        besieger.picture("siege-night");
        besieger.night(false);
        // What a charge would come to is laid over the table before it is given.
        let open = "const one = document.querySelector(`#panel .choice[data-kind=\"initiative_charge\"]`); one.closest('details').open = true; one.click()";
        besieger.run(open, &Value::Null);
        besieger.wait("#marks-table .sketch .contact");
        besieger.picture("siege-charge");
        let seats = [&garrison, &besieger];
        let turn = besieger.text(".turn-number");
        let mut done = Vec::new();
        let wanted = [
            "initiative_charge",
            "initiative_machine",
            "react",
            "bombard",
            "shoot",
            "ram",
            "fight",
            "remove_stand",
        ];
        // A turn of the besieger, then one of the garrison.
        // The end roll after the second of them may end the siege with it.
        let over = |browser: &Browser<'_>| browser.text(".turn").contains("won");
        for _ in 0..300 {
            if besieger.text(".turn-number") != turn || over(&besieger) {
                break;
            }
            go_on(&seats, &wanted, &mut done);
        }
        for kind in ["initiative_machine", "initiative_charge", "react", "bombard", "ram"] {
            assert!(done.iter().any(|one| one == kind), "no {kind} in {done:?}");
        }
        besieger.hears("#journal", "pours oil");
        let ended = besieger.text(".turn-number") != turn || over(&besieger);
        assert!(ended, "both sides have had their turn: {done:?}");
        besieger.picture("siege-after");
        for browser in seats {
            assert_eq!(browser.complaints(), Vec::<String>::new());
        }
    });
}

#[test]
fn a_charge_and_a_ram_take_three_clicks_each() {
    house("storm-clicks", |driver, address| {
        let browser = driver.browser(1280, 900, "en");
        let [_, besieger_seat] = take_over(&browser, address, &before_the_storm());
        browser.go(&besieger_seat);
        for kind in ["initiative_machine", "initiative_charge"] {
            browser.wait(&format!("#panel .choice[data-kind='{kind}']"));
            let script = "return document.querySelector(`#panel .choice[data-kind=\"${arguments[0]}\"]`).dataset.subjects.split(' ')[0]";
            let unit = browser.run(script, &json!(kind));
            count_clicks(&browser);
            let before = entries(&browser);
            browser.click_on(&format!(".piece[data-thing='{}']", unit.as_str().unwrap_or_default()));
            let copy = format!("#selected .choice-copy[data-kind='{kind}']");
            browser.wait(&copy);
            browser.click(&copy);
            given(&browser, before);
            let made = clicks(&browser);
            assert!(made <= 3, "the unit, its order, and yes: {made} clicks for {kind}");
            if browser.count(".turn[data-deciding='besieger']") == 0 {
                break;
            }
        }
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn a_charge_that_cannot_be_made_says_why() {
    house("refused-charge", |driver, address| {
        let record = record(SCENARIOS[2], &[], 5, approach, |state, actions| {
            state.asked == Some(Side::Besieger)
                && matches!(state.steps.last(), Some(Step::Move))
                && state.turn == 1
                && actions.iter().any(|action| matches!(action, Action::March(_)))
        });
        let browser = driver.browser(1280, 900, "en");
        let [_, besieger_seat] = take_over(&browser, address, &record.expect("a first order"));
        browser.go(&besieger_seat);
        browser.wait(".turn[data-deciding='besieger']");
        // The unit of the order is chosen, and the wall far away pointed at.
        let unit = "const one = document.querySelector('.piece.can')?.dataset.thing ?? ''; return one";
        browser.until("a unit may act", "return document.querySelector('.piece.can') !== null || document.querySelector('#panel details.staged') !== null");
        let chosen = browser.run(unit, &Value::Null).as_str().unwrap_or_default().to_owned();
        let chosen = if chosen.is_empty() { moving(&browser) } else { chosen };
        browser.click_on(&format!(".piece[data-thing='{chosen}']"));
        browser.wait("#selected h3");
        browser.click_on("[data-thing='w:wall_front_2']");
        browser.until("the reason", "return document.querySelector('#preview .refusal a.rule') !== null");
        let told = browser.text("#preview .refusal");
        assert!(told.contains("BC-") || told.contains("BR-"), "{told}");
        browser.picture("siege-refused");
        // A free pose: the ghost says in red why it does not fit, and in green that it does.
        browser.click(".tool[data-tool='line'], .tool[data-tool='machine']");
        browser.point("table", (900.0, 60.0), false);
        browser.wait(".ghost.held.wrong-place");
        browser.until(
            "the reason beside the ghost",
            "return document.querySelector('#card-table .refusal') !== null",
        );
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

/// The unit of the order in hand where the page lists kinds only.
fn moving(browser: &Browser<'_>) -> String {
    browser.run("document.querySelector('#panel details.staged[data-kind=march]').open = true", &Value::Null);
    browser.wait("#panel .choice[data-kind='march']");
    let script =
        "return document.querySelector('#panel .choice[data-kind=march]').dataset.subjects.split(' ')[0]";
    browser.run(script, &Value::Null).as_str().unwrap_or_default().to_owned()
}

#[test]
fn the_campaign_goes_on_with_the_consequences() {
    house("linked", |driver, address| {
        let any = |state: &State, actions: &[Action], stream: &mut kernel::Live| {
            let side = state.asked.unwrap_or(Side::Garrison);
            let chosen = State::plan(side, &state.view(Some(side)), actions, stream);
            // What the machine thinks of itself is not on the list.
            let any = |stream: &mut kernel::Live| {
                stream.below(u32::try_from(actions.len()).unwrap_or(u32::MAX)) as usize
            };
            actions.iter().position(|action| *action == chosen).unwrap_or_else(|| any(stream))
        };
        let second = |state: &State, _: &[Action]| {
            state.table.scenario == Scenario::Help && state.winners == [Side::Besieger]
        };
        let record = (1..60).find_map(|seed| {
            record(SCENARIOS[3], &[], seed, any, second).filter(|one| one.lines().count() < 4_000)
        });
        let browser = driver.browser(1280, 900, "en");
        let [garrison_seat, _] = take_over(&browser, address, &record.expect("a campaign that goes on"));
        browser.go(&garrison_seat);
        browser.wait("#panel .legs");
        assert_eq!(browser.count(".legs li.past"), 1);
        assert!(browser.text(".legs li.past").contains("Won by"), "{}", browser.text(".legs"));
        let now = browser.text(".legs li.now");
        assert!(now.contains("Help for the tower") && now.contains("earthworks"), "{now}");
        assert!(browser.text(".turn-number").contains("Scenario 2 of 3"));
        browser.picture("siege-campaign");
        browser.resize(360, 740);
        browser.picture("siege-campaign-phone");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn an_army_is_set_up_by_hand_and_the_assault_is_asked_for_on_a_phone() {
    house("set-up", |driver, address| {
        let browser = driver.browser(1280, 900, "en");
        browser.go(address);
        let script = "const done = arguments[arguments.length - 1]; fetch('/api/games', { method: 'POST', headers: { 'content-type': 'application/json' },\
            body: JSON.stringify({ system: 'breach', scenario: 'keep' }) }).then((r) => r.json()).then((made) =>\
            done(made.seats?.find((seat) => seat.side === 'garrison')?.link ?? JSON.stringify(made)))";
        let link = browser.run_async(script, &Value::Null).as_str().unwrap_or_default().to_owned();
        browser.go(&link);
        browser.wait(".turn[data-deciding='garrison']");
        // An earthwork before the wall; too far from it the rules say why not.
        browser.click(".tool[data-tool='work']");
        browser.point("table", (900.0, 700.0), false);
        browser.wait(".ghost.held.wrong-place");
        browser.hears("#card-table", "BR-earthworks-03");
        let before = entries(&browser);
        browser.point("table", (900.0, 250.0), true);
        browser.click("#preview .confirm");
        after(&browser, before);
        browser.wait("[data-thing='k:0']");
        browser.picture("siege-set-up");
        // The umpire's page for the phone: where, who, against whom.
        browser.resize(360, 740);
        browser.go(&format!("{address}/umpire/breach.assault"));
        for id in ["place-wall", "by-dwarf-warriors", "on-empire-halberdiers"] {
            browser.run("document.getElementById(arguments[0]).click()", &json!(id));
        }
        browser.until(
            "the odds",
            "return document.querySelector('#answer')?.textContent.includes('%') === true",
        );
        browser.picture("assault-phone");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn an_army_is_built_with_live_sums_and_violations() {
    house("army", |driver, address| {
        let phone = driver.browser(360, 740, "en");
        // The ready army of the garrison in the third scenario, and one unit more than the points allow.
        let ready = "army=empire&equipment.earthwork=11&equipment.oil_rocks=15&lines.cannon=1&lines.crossbowmen=4&lines.general=1\
            &lines.halberdiers=5&lines.handgunners=3&lines.hero=1&lines.skirmishers=1&lines.volley_gun=1&points=1000&role=defender&scenario=3";
        phone.go(&format!("{address}/umpire/breach.roster?{}", ready.replace(' ', "")));
        phone.wait("#answer h2.legal");
        let more = "document.querySelector('[data-for=\"lines.halberdiers\"][data-step=\"1\"]').click()";
        phone.run(more, &Value::Null);
        phone.wait("#answer h2.illegal");
        phone.hears("#answer", "1045 of 1000");
        phone.hears("#answer .wrongs", "BR-R35");
        phone.run(&more.replace("\"1\"", "\"-1\""), &Value::Null);
        phone.wait("#answer h2.legal");
        // The address is the army.
        phone.until("the address", "return location.search.includes('lines.halberdiers=5')");
        assert_eq!(phone.complaints(), Vec::<String>::new());
    });
}

/// The set-up and the first turn are guided in both languages.
#[test]
fn a_newcomer_is_told_how_to_set_up() {
    house("siege-guide", |driver, address| {
        let record = record(SCENARIOS[2], &[], 5, approach, |state, _| {
            state.asked == Some(Side::Besieger) && matches!(state.steps.last(), Some(Step::Deploy))
        })
        .expect("it comes to the set-up");
        for (lang, deed) in [("en", "Click “set up the rest"), ("fr", "Cliquez «")] {
            let browser = driver.browser(1280, 900, lang);
            let [_, besieger_seat] = take_over(&browser, address, &record);
            browser.go(&besieger_seat);
            browser.wait("#guide:not([hidden])");
            let said = browser.text("#guide .guide-deed");
            assert!(said.starts_with(deed), "{said}");
            assert!(browser.count("#panel .guided") > 0, "it points at something: {said}");
            browser.picture(&format!("siege-guide-{lang}"));
            assert_eq!(browser.complaints(), Vec::<String>::new());
        }
    });
}
