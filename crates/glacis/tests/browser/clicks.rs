//! How many clicks a turn takes, counted in the browser itself; what one click takes back; what is asked
//! before it is done; and what the page shows of what the other side did.

use std::collections::BTreeSet;

use danzig::siege::Build;
use danzig::{Action, Phase, Side};
use kernel::Game as _;
use serde_json::{Value, json};

use crate::driver::{Browser, patience};
use crate::game::{
    after, before_a_shot, before_the_first_trench, deciding, entries, given, order, record_with, take_over,
};
use crate::hands::key;
use crate::house;

/// Counts the clicks of a hand from now on.
pub(crate) fn count_clicks(browser: &Browser<'_>) {
    let script = "if (window.clicks === undefined) addEventListener('click', (event) => { if (event.isTrusted && event.detail) window.clicks += 1; }, true);\
        window.clicks = 0";
    browser.run(script, &Value::Null);
}

pub(crate) fn clicks(browser: &Browser<'_>) -> u64 {
    browser.run("return window.clicks", &Value::Null).as_u64().unwrap_or(u64::MAX)
}

/// The French at the beginning of their first half-round.
fn first_half_round() -> String {
    record_with(
        |_, _| None,
        |state, _| {
            state.to_move() == Some(Side::French) && state.phase == Phase::Half && state.table.turn == 1
        },
    )
}

#[test]
fn the_first_turn_of_the_french_takes_few_clicks() {
    house("first-turn", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        let (french, _) = take_over(&browser, address, &first_half_round());
        browser.go(&french);
        browser.wait("#panel [data-kind='play-half']");
        count_clicks(&browser);
        order(&browser, "play-half");
        let waiting = browser.count(".tray-unit");
        assert!(waiting > 10, "{waiting} counters wait");
        // One of them by hand: himself, and where he marches.
        let before = entries(&browser);
        browser.click(".tray-unit");
        browser.wait("#marks-ops .reach:not(.fire):not(.no-stop)");
        browser.picture("entry-and-march");
        browser.click_on("#marks-ops .reach:not(.fire):not(.no-stop)");
        after(&browser, before);
        assert_eq!(entries(&browser), before + 1, "the entry and the march are one order");
        assert_eq!(browser.count("#panel .plain [data-kind='put-down']"), 0, "nobody is in hand");
        assert_eq!(clicks(&browser), 3, "the half-round, the counter, the hex");
        // The others as it is proposed.
        browser.click("#panel details.kind:has([data-kind='march-along']) summary");
        while browser.count("#panel details.kind [data-kind='march-along']") > 0 {
            let before = entries(&browser);
            browser.click("#panel details.kind [data-kind='march-along']");
            given(&browser, before);
        }
        browser.picture("everybody-marched");
        let left = browser.count(".tray-unit");
        assert_eq!(left, 0, "{left} of {waiting} counters still wait");
        // Nobody is left to move: the step has ended by itself.
        assert_eq!(browser.count("#panel .plain [data-kind='end-phase']"), 0);
        let all = clicks(&browser);
        eprintln!("{all} clicks for {waiting} counters");
        assert!(all <= 45, "{all} clicks");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

/// The French in a half-round of theirs, with a counter that may march some hexes.
fn on_the_march() -> String {
    record_with(
        |_, _| None,
        |state, actions| {
            let marches = actions.iter().any(|action| {
                matches!(action, Action::MarchAlong(route)
                    if route.entry.is_none() && route.units.len() == 1 && route.path.iter().count() > 2)
            });
            state.to_move() == Some(Side::French) && marches
        },
    )
}

#[test]
fn a_whole_march_is_taken_back_with_one_click() {
    house("take-back", |driver, address| {
        let browser = driver.browser(1280, 860, "fr");
        let (french, _) = take_over(&browser, address, &on_the_march());
        browser.go(&french);
        browser.until(
            "a march is proposed",
            "return document.querySelector('#panel [data-kind=march-along]') !== null",
        );
        let far = "return [...document.querySelectorAll('#panel [data-kind=march-along]')].map((one) => JSON.parse(one.dataset.action)['march-along'])\
            .filter((route) => !route.entry && route.units.length === 1 && route.path.length > 2).map((route) => `u:${route.units[0]}`)[0]";
        let thing = browser.run(far, &Value::Null);
        let thing = thing.as_str().unwrap_or_default();
        let home = format!(
            "return document.querySelector(\"#standing-ops [data-thing='{thing}']\")?.closest('.stack').dataset.stack ?? null"
        );
        let stood = browser.run(&home, &Value::Null);
        let kind = "#panel details.kind:has([data-kind='march-along'])";
        if browser.count(&format!("{kind}[open]")) == 0 {
            browser.click(&format!("{kind} summary"));
        }
        let before = entries(&browser);
        browser.click(&format!("{kind} [data-subjects='{thing}']"));
        given(&browser, before);
        assert_ne!(browser.run(&home, &Value::Null), stood, "it has marched");
        let before = entries(&browser);
        browser.click("#undo");
        after(&browser, before);
        assert_eq!(browser.run(&home, &Value::Null), stood, "it stands where it stood");
        browser.wait("#journal li.taken-back");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn a_shot_takes_two_clicks() {
    house("shot", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        let (french, _) = take_over(&browser, address, &before_a_shot());
        browser.go(&french);
        browser.wait("#panel [data-sense='shot']");
        // A wall point at which somebody can do something.
        let script = "window.mark = null; (async () => {\
            const game = document.querySelector('#game').dataset.game;\
            for (const shot of document.querySelectorAll('#panel [data-sense=shot]')) {\
                const all = await (await fetch(`/g/${game}/chances?lang=en&piece=${shot.dataset.subjects}`)).json();\
                const some = all.find(([, share]) => share > 0); if (!some) continue;\
                const same = [...document.querySelectorAll('#panel [data-sense=shot]')].find((one) => JSON.stringify(JSON.parse(one.dataset.action)) === JSON.stringify(some[0]));\
                if (same) { window.mark = same.dataset.object; return; }\
            } window.mark = ''; })()";
        browser.run(script, &Value::Null);
        browser.until("a mark", "return Boolean(window.mark)");
        let mark = browser.run("return window.mark", &Value::Null);
        let mark = format!("#standing-siege [data-thing='{}']", mark.as_str().unwrap_or_default());
        count_clicks(&browser);
        let before = entries(&browser);
        browser.click_on(&mark);
        browser.wait("#preview .confirm");
        browser.wait("#preview #variant");
        browser.picture("a-shot");
        browser.click_on(&mark);
        after(&browser, before);
        assert_eq!(clicks(&browser), 2);
        browser.wait("#journal li:first-child .dice .die");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn a_pass_is_asked_about_and_the_other_side_is_seen() {
    house("pass", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        let (french_seat, prussian_seat) = take_over(&browser, address, &first_half_round());
        let other = driver.browser(360, 740, "fr");
        other.go(&prussian_seat);
        other.wait("#game .turn");
        browser.go(&french_seat);
        browser.wait("#panel [data-kind='pass']");
        let before = entries(&browser);
        browser.click("#panel [data-kind='pass']");
        browser.wait("#preview .confirm");
        assert_eq!(entries(&browser), before, "nothing is given up yet");
        browser.press(key::ESCAPE);
        order(&browser, "play-half");
        let before = entries(&browser);
        browser.click(".tray-unit");
        browser.wait("#marks-ops .reach:not(.fire):not(.no-stop)");
        browser.click_on("#marks-ops .reach:not(.fire):not(.no-stop)");
        after(&browser, before);
        // Who waits is shown what came, on the map and in words.
        other
            .until("what happened", "return document.querySelectorAll('#since:not([hidden]) li').length > 0");
        other.wait(".since-marks .came");
        other.picture("since-fr-360");
        // The journal goes back with the slider, and comes back whole.
        let journal =
            "return [...document.querySelectorAll('#journal > li')].map((line) => Number(line.dataset.n))";
        let whole = browser.run(journal, &Value::Null);
        browser.click("#replay [data-step='-1']");
        browser.hears("#replay output", &format!("{before} / "));
        browser.until(
            "the journal of then",
            &format!("return Number(document.querySelector('#journal > li').dataset.n) <= {before}"),
        );
        // The film plays on to the present.
        browser.click("#film");
        browser.wait(".turn[data-deciding]");
        browser.until(
            "the film ends",
            "return document.querySelector('#film').getAttribute('aria-pressed') === 'false'",
        );
        assert_eq!(browser.run(journal, &Value::Null), whole);
        assert_eq!(browser.run("return window.scrollX", &Value::Null), json!(0));
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

/// The construction points that are left.
fn points(browser: &Browser<'_>) -> u64 {
    let script = "return Number(document.querySelector('.tracks .bar.construction').closest('dd').textContent.match(/\\d+/)[0])";
    browser.run(script, &Value::Null).as_u64().unwrap_or(u64::MAX)
}

/// Where the first work of this tool is offered, if it is offered anywhere.
fn offered(browser: &Browser<'_>, tool: &str) -> Option<(f64, f64)> {
    let script = "const one = document.querySelector(`#panel .choice[data-pose^='${arguments[0]} ']`); return one ? one.dataset.at.split(' ').map(Number) : null";
    let at = browser.run(script, &json!(tool));
    Some((at[0].as_f64()?, at[1].as_f64()?))
}

#[test]
fn a_building_turn_takes_few_clicks() {
    house("building", |driver, address| {
        let french = driver.browser(1280, 860, "en");
        let (french_seat, prussian_seat) = take_over(&french, address, &before_the_first_trench());
        let prussian = driver.browser(1280, 860, "fr");
        prussian.go(&prussian_seat);
        prussian.wait("#game .turn");
        french.go(&french_seat);
        french.wait(".tools");
        count_clicks(&french);
        let all = points(&french);
        assert!(all >= 8, "{all} points");
        let mut works = 0;
        for tool in ["sap", "sap", "parallel", "parallel", "battery", "battery", "battery"] {
            let Some(at) = offered(&french, tool) else { continue };
            if french.count(&format!(".tool[data-tool='{tool}'][aria-pressed='true']")) == 0 {
                french.click(&format!(".tool[data-tool='{tool}']"));
            }
            let before = entries(&french);
            french.point("siege", at, false);
            french.wait(".ghost.held.fits");
            french.point("siege", at, true);
            french.wait("#preview .confirm");
            if works == 2 {
                french.picture("a-building-turn");
            }
            // A second click on the same place digs.
            french.point("siege", at, true);
            after(&french, before);
            works += 1;
            let start = std::time::Instant::now();
            while !deciding(&french) {
                assert!(start.elapsed() < patience(), "the French never decide again");
                if deciding(&prussian) && prussian.count("#panel [data-kind='decline']") > 0 {
                    order(&prussian, "decline");
                }
            }
            if french.count(".tools") == 0 || points(&french) == 0 {
                break;
            }
        }
        let left = if french.count(".tools") == 0 { 0 } else { points(&french) };
        if french.count("#panel .plain [data-kind='end-phase']") > 0 {
            order(&french, "end-phase");
        }
        let made = clicks(&french);
        eprintln!("{made} clicks for {works} works, {left} of {all} points left");
        assert!(works >= 5 && left <= 2, "{works} works, {left} points left");
        assert!(made <= 20, "{made} clicks for {works} works");
        assert_eq!(french.complaints(), Vec::<String>::new());
    });
}

/// The French with more than two works to repair, so that the step does not end with the second.
fn before_repairs() -> String {
    record_with(
        |_, _| None,
        |state, actions| {
            let works: BTreeSet<_> = actions
                .iter()
                .filter_map(|action| match action {
                    Action::Build(Build::Repair { work, .. }) => Some(*work),
                    _ => None,
                })
                .collect();
            state.phase == Phase::Repair && works.len() >= 3
        },
    )
}

#[test]
fn repairs_are_ticked_and_ordered_together() {
    house("ticked", |driver, address| {
        let browser = driver.browser(1280, 860, "fr");
        let (french, _) = take_over(&browser, address, &before_repairs());
        browser.go(&french);
        // The seed that the page puts into the dice is an entry as well; the page is read again after it.
        let kept = "return Object.keys(localStorage).some((key) => key.startsWith('glacis-seed-'))";
        browser.until("its seed is in the dice", kept);
        browser.go(&french);
        browser.wait(".turn[data-deciding='french']");
        let kind = "#panel details.kind:has(.tick)";
        if browser.count(&format!("{kind}[open]")) == 0 {
            browser.click(&format!("{kind} summary"));
        }
        count_clicks(&browser);
        let before = entries(&browser);
        browser.click("#panel .ticked li:nth-child(1) .tick");
        browser.click("#panel .ticked li:nth-child(2) .tick");
        browser.picture("ticked-fr");
        browser.click("#panel .order-ticked");
        let stands = |more: u64| {
            let script = format!(
                "return Number(document.querySelector('.turn').dataset.n) === {} && !document.querySelector('#game[aria-busy]')",
                before + more
            );
            browser.until("all of it", &script);
        };
        stands(2);
        assert_eq!(clicks(&browser), 3, "two ticks and the order");
        // They are taken back as they were given: together.
        browser.click("#undo");
        stands(4);
        browser.wait("#journal li.taken-back");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn who_passes_until_something_happens_is_not_asked_again() {
    house("passing", |driver, address| {
        let french = driver.browser(1280, 860, "en");
        let (french_seat, prussian_seat) = take_over(&french, address, &first_half_round());
        let prussian = driver.browser(1280, 860, "en");
        prussian.go(&prussian_seat);
        french.go(&french_seat);
        let march = || {
            order(&french, "play-half");
            let kind = "#panel details.kind:has([data-kind='march-along'])";
            if french.count(&format!("{kind}[open]")) == 0 {
                french.click(&format!("{kind} summary"));
            }
            let before = entries(&french);
            french.click(&format!("{kind} [data-kind='march-along']"));
            given(&french, before);
            order(&french, "end-phase");
        };
        french.wait("#panel [data-kind='play-half']");
        march();
        prussian.wait("#panel #pass-on");
        count_clicks(&prussian);
        prussian.click("#pass-on");
        french.wait("#panel [data-kind='play-half']");
        march();
        // He was asked again, and has passed without a click.
        french.wait("#panel [data-kind='play-half']");
        prussian.hears("#preview", "Passing until something happens");
        prussian.picture("passing");
        assert_eq!(clicks(&prussian), 1);
        // He wants to decide again.
        prussian.press(key::ESCAPE);
        march();
        prussian.wait("#panel [data-kind='pass']");
        assert_eq!(prussian.count("#pass-on[aria-pressed='false']"), 1);
        assert_eq!(prussian.complaints(), Vec::<String>::new());
    });
}
