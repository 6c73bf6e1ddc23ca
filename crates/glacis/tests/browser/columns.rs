//! The campaign in two browsers with fog between them: a column is marched by one order after its cost and risk were
//! shown, a march is refused with its reason, and neither side reads the other's names before there is contact; then
//! both play to the next turn. A battle is joined, committed, fought and pursued; a report ages from day to day.

use campaign::game::{Action, Phase, State};
use campaign::terms::Army;
use kernel::Game as _;
use opponent::Planner as _;
use serde_json::Value;

use crate::clicks::{clicks, count_clicks};
use crate::driver::{Browser, Driver};
use crate::game::{after, confirmed, entries, given};
use crate::house;

/// A game that the machine has played until something is so, and then something else as well: the first that fits.
fn played_until(
    scenario: &str,
    here: impl Fn(&State, &Action) -> bool,
    fits: impl Fn(&State) -> bool,
) -> String {
    for number in 1..=u8::MAX {
        let seed = [number; 32];
        let setup = kernel::Setup { scenario: scenario.to_owned(), ..kernel::Setup::default() };
        let source = kernel::Source::Open(kernel::HexHash(seed));
        let mut game =
            kernel::Play::<State>::begin(&setup, source, Some(seed)).expect("the scenario is there");
        let mut record = format!("{}\n", game.header_line());
        let mut stream = kernel::Live::numbered(u64::from(number));
        let mut actions = Vec::new();
        while let Some(side) = game.state().public.asked {
            game.state().actions(side, &mut actions);
            let order = State::plan(side, &game.state().view(Some(side)), &actions, &mut stream);
            if here(game.state(), &order) {
                break;
            }
            let step = game.decide(game.entries(), side, &order).expect("what is offered is accepted");
            record.push_str(&step.record_line);
            record.push('\n');
        }
        if fits(game.state()) {
            return record;
        }
    }
    unreachable!("no game comes to that")
}

/// A game in which the French may move on the first day, under a sky without fog.
fn before_the_march() -> String {
    let moves = |state: &State, _: &Action| state.public.phase == Phase::Move;
    played_until("hollabrunn", moves, |state| !state.public.fog)
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
    browser.run(script, &Value::Null);
    confirmed(browser, before);
}

fn decides(browser: &Browser<'_>) -> bool {
    browser.count(".turn[data-deciding]") > 0
}

/// Everything that stands on a page, by every part of it.
fn page(browser: &Browser<'_>) -> String {
    let html = "return document.documentElement.outerHTML";
    browser.run(html, &Value::Null).as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_day_of_both_armies() {
    house("columns", |driver: &Driver, address| {
        let french = driver.browser(1280, 900, "en");
        let [for_french, for_allied] = take_over(&french, address, &before_the_march());
        let allied = driver.browser(1280, 900, "fr");
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

        // The lines of supply are drawn, and the days have their paper.
        assert!(french.count(".supply") > 0, "no line of supply is drawn");
        assert!(french.text(".gazette").contains("The weather"), "{}", french.text(".gazette"));
        assert!(allied.text(".gazette").contains("Le temps"), "{}", allied.text(".gazette"));
        // The list of the staff chooses a formation; where it may go is marked with what it costs.
        french.click(".roll summary");
        french.click(".enrolled[data-thing='u:oudinot']");
        french.wait(".reach[data-to='h:1647']");
        // Where an enemy stands nobody marches: the reason is told.
        french.run(
            "document.querySelector(\".piece[data-thing='u:x1446']\").dispatchEvent(new MouseEvent('click', { bubbles: true }))",
            &Value::Null,
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
            &Value::Null,
        );
        french.wait("#preview .outcomes");
        french.wait("#marks-map .sketch .lane");
        french.wait("#marks-map .sketch .arrival");
        french.picture("campaign-march");
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
        // Whoever goes on opens the second day: both can be leafed through.
        goes_on(next_of(&french, &allied));
        french.until("the second day", "return document.querySelectorAll('#day option').length === 2");
        for (width, height) in [(1280, 900), (1920, 1080), (360, 740)] {
            french.resize(width, height);
            french.picture(&format!("campaign-{width}"));
        }
        for browser in [&french, &allied] {
            assert_eq!(browser.complaints(), Vec::<String>::new());
        }
    });
}

/// Gives the order that a button of the page stands for, by a part of it.
fn gives(browser: &Browser<'_>, order: &str) {
    let before = entries(browser);
    let script = "const found = [...document.querySelectorAll('#panel .choice')].filter((choice) => choice.dataset.action.includes(arguments[0]));\
        found.at(-1)?.click(); return found.length";
    let found = browser.run(script, &Value::from(order));
    assert_ne!(found.as_u64(), Some(0), "no {order} is offered");
    confirmed(browser, before);
}

/// Waits until one of two browsers may decide, and says which.
fn next_of<'b, 'd>(one: &'b Browser<'d>, other: &'b Browser<'d>) -> &'b Browser<'d> {
    for _ in 0..2_000 {
        if let Some(found) = [one, other].into_iter().find(|browser| decides(browser)) {
            return found;
        }
        std::thread::yield_now();
    }
    unreachable!("nobody decides: {} | {}", one.text(".turn"), other.text(".turn"))
}

#[test]
fn a_battle_joined_committed_fought_and_pursued() {
    let strikes = |_: &State, order: &Action| matches!(order, Action::Attack { .. });
    let fights =
        |state: &State| state.public.phase == Phase::Combat && state.public.phasing == Army::AustroRussian;
    let record = played_until("austerlitz", strikes, fights);
    house("battle", |driver: &Driver, address| {
        let attacker = driver.browser(1280, 900, "en");
        let [for_french, for_allied] = take_over(&attacker, address, &record);
        let defender = driver.browser(1280, 900, "fr");
        attacker.go(&for_allied);
        defender.go(&for_french);
        attacker.wait(".turn[data-deciding='austro-russian']");
        // What an attack may come to is told before it is ordered.
        attacker.run(
            "for (const kind of document.querySelectorAll('details.kind')) kind.open = true; document.querySelector(\"#panel .choice[data-kind='attack']\").click()",
            &Value::Null,
        );
        attacker.until("the odds of the attack", "return document.querySelector('#preview')?.textContent.includes('have the better of the first round')");
        let before = entries(&attacker);
        attacker.click("#preview .confirm");
        after(&attacker, before);
        // Both see the card of the battle with the odds of each commitment, and commit themselves in secret.
        for (browser, word) in [(&attacker, "pitched battle"), (&defender, "bataille rangée")] {
            browser.wait(".reckoning tbody tr:nth-child(2)");
            assert!(browser.text(".reckoning").contains(word), "{}", browser.text(".reckoning"));
        }
        attacker.picture("campaign-battle");
        gives(&attacker, r#"{"stance":"pursuit"}"#);
        defender.wait(".turn[data-deciding='french']");
        gives(&defender, r#"{"stance":"pursuit"}"#);
        let mut pursued = false;
        for _ in 0..40 {
            let browser = next_of(&attacker, &defender);
            if browser.count("#panel .choice[data-kind='pursue']") > 0 {
                gives(browser, "pursue");
                pursued = true;
            } else if browser.count(".reckoning") == 0 {
                break;
            } else {
                goes_on(browser);
            }
        }
        assert!(pursued, "nobody was pursued");
        attacker.wait(".gazette article");
        assert!(attacker.text(".gazette").contains("Battle at"), "{}", attacker.text(".gazette"));
        for browser in [&attacker, &defender] {
            assert_eq!(browser.complaints(), Vec::<String>::new());
        }
    });
}

#[test]
fn a_report_ages() {
    // A report of two turns ago at least, of a hex in which nobody is seen now.
    let old = |state: &State| {
        let view = state.view(Some(Army::French));
        let seen: Vec<_> = view.stacks.iter().flatten().map(|seen| seen.hex).collect();
        let reports = view.own.map(|own| own.reports).unwrap_or_default();
        let ages = |report: &campaign::game::Report| {
            report.turn + 2 <= state.public.turn
                && !report.seen.headquarters
                && !seen.contains(&report.seen.hex)
        };
        reports.iter().filter(|report| ages(report)).count() > 2
    };
    let moves = |state: &State, _: &Action| {
        state.public.phase == Phase::Move && state.public.phasing == Army::French && state.public.turn >= 4
    };
    let record = played_until("november", moves, old);
    house("report", |driver: &Driver, address| {
        let french = driver.browser(1280, 900, "en");
        let [for_french, _] = take_over(&french, address, &record);
        french.go(&for_french);
        french.wait(".report");
        french.picture("campaign-reports");
        let look = "return [...document.querySelectorAll('.report')].map((one) => [one.dataset.thing, Number(one.getAttribute('class').match(/age-(\\d+)/)[1]), one.getAttribute('aria-label')])";
        let reports = |browser: &Browser<'_>| -> Vec<(String, u64, String)> {
            serde_json::from_value(browser.run(look, &Value::Null)).expect("reports as they are drawn")
        };
        let now = reports(&french);
        assert!(now.iter().any(|(_, age, _)| *age > 1), "{now:?}");
        // The morning of the turn before, by the list of days.
        french.run(
            "const days = document.querySelector('#day'); days.selectedIndex = days.options.length - 2; days.dispatchEvent(new Event('change', { bubbles: true }))",
            &Value::Null,
        );
        french.until(
            "the day before",
            "return document.querySelector('.turn-number').textContent.includes('3')",
        );
        let then = reports(&french);
        let aged = now.iter().find_map(|(thing, age, label)| {
            let (_, before, said) = then.iter().find(|(other, _, _)| other == thing)?;
            Some((*age, *before, label.clone(), said.clone()))
        });
        let (age, before, label, said) = aged.expect("a report that was there the day before");
        assert_eq!(age, before + 1, "{label} after {said}");
        assert!(label.contains("reported on"), "{label}");
        assert_eq!(french.complaints(), Vec::<String>::new());
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
        let there = french.run(free, &Value::Null);
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
