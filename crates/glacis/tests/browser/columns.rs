//! The campaign in two browsers with fog between them: a column is marched by one order after its cost and risk were
//! shown, a march is refused with its reason, and neither side reads the other's names before there is contact; then
//! both play to the next turn.

use campaign::game::{Phase, State};
use kernel::Game as _;
use opponent::Planner as _;

use crate::clicks::{clicks, count_clicks};
use crate::driver::{Browser, Driver};
use crate::game::{after, confirmed, entries, given};
use crate::house;

/// A game in which the French may move on the first day, under a sky without fog.
fn before_the_march() -> String {
    for number in 1..=u8::MAX {
        let seed = [number; 32];
        let setup = kernel::Setup { scenario: "hollabrunn".to_owned(), ..kernel::Setup::default() };
        let source = kernel::Source::Open(kernel::HexHash(seed));
        let mut game =
            kernel::Play::<State>::begin(&setup, source, Some(seed)).expect("the scenario is there");
        let mut record = format!("{}\n", game.header_line());
        let mut stream = kernel::Live::numbered(u64::from(number));
        let mut actions = Vec::new();
        while let Some(side) = game.state().public.asked {
            if game.state().public.phase == Phase::Move {
                break;
            }
            game.state().actions(side, &mut actions);
            let order = State::plan(side, &game.state().view(Some(side)), &actions, &mut stream);
            let step = game.decide(game.entries(), side, &order).expect("what is offered is accepted");
            record.push_str(&step.record_line);
            record.push('\n');
        }
        if !game.state().public.fog {
            return record;
        }
    }
    unreachable!("every sky is foggy")
}

/// Puts a record on the server and gives the addresses of its seats.
fn take_over(browser: &Browser<'_>, address: &str, record: &str) -> [String; 2] {
    browser.go(address);
    let script = "const done = arguments[arguments.length - 1]; fetch('/api/import', { method: 'POST', headers: { 'content-type': 'application/json' },\
        body: JSON.stringify({ record: arguments[0] }) }).then((r) => r.json()).then((made) =>\
        done(['french', 'austro-russian'].map((side) => made.seats?.find((seat) => seat.side === side)?.link ?? JSON.stringify(made))))";
    let links = browser.run_async(script, &serde_json::json!(record));
    [0, 1].map(|place| links[place].as_str().unwrap_or_default().to_owned())
}

/// Does whatever comes next, the smallest thing first.
fn goes_on(browser: &Browser<'_>) {
    let before = entries(browser);
    let script = "const choice = document.querySelector('#panel .plain .ends, #panel .plain .choice, #panel .choice'); choice.click()";
    browser.run(script, &serde_json::Value::Null);
    confirmed(browser, before);
}

fn decides(browser: &Browser<'_>) -> bool {
    browser.count(".turn[data-deciding]") > 0
}

/// Everything that stands on a page, by every part of it.
fn page(browser: &Browser<'_>) -> String {
    let html = "return document.documentElement.outerHTML";
    browser.run(html, &serde_json::Value::Null).as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_day_of_both_armies() {
    house("columns", |driver: &Driver, address| {
        let french = driver.browser(1280, 900, "en");
        let [for_french, for_allied] = take_over(&french, address, &before_the_march());
        let allied = driver.browser(1280, 900, "en");
        french.go(&for_french);
        allied.go(&for_allied);
        french.wait(".turn[data-deciding='french']");
        allied.wait(".piece[data-thing='u:koutouzov']");
        for name in ["Soult", "Oudinot", "Legrand", "Murat"] {
            assert!(!page(&allied).contains(name), "the Austro-Russians read of {name}");
        }
        for name in ["Kutuzov", "Miloradovich", "Dokhturov"] {
            assert!(!page(&french).contains(name), "the French read of {name}");
        }

        // The list of the staff chooses a formation; where it may go is marked with what it costs.
        french.click(".roll summary");
        french.click(".enrolled[data-thing='u:oudinot']");
        french.wait(".reach[data-to='h:1647']");
        // Where an enemy stands nobody marches: the reason is told.
        french.run(
            "document.querySelector(\".piece[data-thing='u:x1446']\").dispatchEvent(new MouseEvent('click', { bubbles: true }))",
            &serde_json::Value::Null,
        );
        french.wait("#preview .refusal");
        assert!(
            french.text("#preview .refusal").contains("the enemy stands"),
            "{}",
            french.text("#preview .refusal")
        );
        // The march is told with its odds before it is ordered, and drawn.
        let before = entries(&french);
        french.run(
            "document.querySelector(\".reach[data-to='h:1647']\").dispatchEvent(new MouseEvent('click', { bubbles: true }))",
            &serde_json::Value::Null,
        );
        french.wait("#preview .outcomes");
        french.wait("#marks-map .sketch .lane");
        assert!(french.text("#preview").contains("reaches"), "what comes of it is told");
        assert_eq!(entries(&french), before, "nothing is ordered yet");
        french.click("#preview .confirm");
        after(&french, before);

        // Both go on to the next turn.
        let first = french.text(".turn-number");
        for _ in 0..200 {
            if french.text(".turn-number") != first {
                break;
            }
            if decides(&french) {
                goes_on(&french);
            } else if decides(&allied) {
                goes_on(&allied);
            } else {
                french.until("somebody decides", "return document.querySelector('.turn') !== null");
            }
        }
        assert_ne!(french.text(".turn-number"), first, "the day has no end");
        for browser in [&french, &allied] {
            assert_eq!(browser.complaints(), Vec::<String>::new());
        }
    });
}

/// A march whose odds are told takes three clicks: who, where to, and there again; what ends a step takes one.
#[test]
fn a_turn_of_columns_takes_few_clicks() {
    house("columns-clicks", |driver: &Driver, address| {
        let french = driver.browser(1280, 900, "en");
        let [for_french, _] = take_over(&french, address, &before_the_march());
        french.go(&for_french);
        french.wait(".turn[data-deciding='french']");
        french.click(".roll summary");
        count_clicks(&french);
        let before = entries(&french);
        french.click(".enrolled[data-thing='u:oudinot']");
        french.wait(".reach[data-to='h:1647']");
        // A hex where nobody stands: a counter of one's own would be chosen instead.
        let free = "return [...document.querySelectorAll('.reach')].find((one) => { const box = one.getBoundingClientRect();\
            return !document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2).some((under) => under.closest('.piece')); })?.dataset.to";
        let there = french.run(free, &serde_json::Value::Null);
        let there = format!(".reach[data-to='{}']", there.as_str().unwrap_or_default());
        french.click_on(&there);
        french.wait("#preview .outcomes");
        french.picture("columns-march");
        french.click_on(&there);
        after(&french, before);
        assert_eq!(clicks(&french), 3, "who, where to, and there again");
        // Everything else is left as it is: a click for each step, until the others decide.
        let mut steps = 0;
        while decides(&french) && french.count("#panel .plain .ends") > 0 && steps < 12 {
            let before = entries(&french);
            french.click("#panel .plain .ends");
            given(&french, before);
            steps += 1;
        }
        let made = clicks(&french);
        eprintln!("{made} clicks for a march and {steps} steps");
        assert!(!decides(&french), "the others decide: {}", french.text(".turn"));
        assert!(made <= 15, "{made} clicks");
        assert_eq!(french.complaints(), Vec::<String>::new());
    });
}

/// The first days are guided in both languages, as those of every game of the house.
#[test]
fn a_newcomer_is_told_what_to_click_on_his_first_day() {
    house("columns-guide", |driver: &Driver, address| {
        for (lang, deed) in [("en", "Click a formation"), ("fr", "Cliquez une formation")] {
            let french = driver.browser(1280, 900, lang);
            let [for_french, _] = take_over(&french, address, &before_the_march());
            french.go(&for_french);
            french.wait("#guide:not([hidden])");
            let said = french.text("#guide .guide-deed");
            assert!(said.starts_with(deed), "{said}");
            assert!(french.count("#panel .guided") > 0, "it points at something: {said}");
            french.picture(&format!("columns-guide-{lang}"));
            french.click("#guide-skip");
            french.until("no guide", "return document.querySelector('#guide').hidden");
            assert_eq!(french.complaints(), Vec::<String>::new());
        }
    });
}
