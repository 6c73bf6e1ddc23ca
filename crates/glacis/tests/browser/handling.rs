//! Whether the page of a game follows the hand: what is clicked is what is meant, what was said before
//! is not in the way, and what the machine does is seen, all of it and once.

use danzig::{Action, Side};
use serde_json::{Value, json};

use crate::driver::{Browser, Driver};
use crate::game::{after, entries, given, may_do_something, order, record_with, take_over};
use crate::hands::key;
use crate::house;

/// What the page asked for so far of the parts that change: how often, and how often the same.
fn asked(browser: &Browser<'_>) -> (u64, u64) {
    let script = "const all = performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => name.includes('/parts?'));\
        return [all.length, all.length - new Set(all).size]";
    let found = browser.run(script, &Value::Null);
    (found[0].as_u64().unwrap_or(u64::MAX), found[1].as_u64().unwrap_or(u64::MAX))
}

#[test]
fn whoever_watches_the_machine_sees_it_play_on() {
    house("watching", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        browser.go(address);
        browser.click("#watch-machine");
        browser.wait("#game .turn");
        browser.run("performance.setResourceTimingBufferSize(10000)", &Value::Null);
        // News come faster than this line can fetch what they speak of.
        browser.devtools("Network.enable", &json!({}));
        let slow =
            json!({ "offline": false, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1 });
        browser.devtools("Network.emulateNetworkConditions", &slow);
        let first = entries(&browser);
        for more in (30..=150).step_by(30) {
            let script =
                format!("return Number(document.querySelector('.turn').dataset.n) >= {}", first + more);
            browser.until(&format!("{more} orders more"), &script);
        }
        let told = browser.run(
            "const list = document.querySelector('#journal');\
             return [list.children.length > 20, Number(list.children[0].dataset.n) - Number(document.querySelector('.turn').dataset.n)]",
            &Value::Null,
        );
        assert_eq!(told[0], json!(true), "the journal goes on");
        assert!(
            told[1].as_i64().is_some_and(|behind| behind > -20),
            "the journal is as new as the table: {told}"
        );
        let (requests, again) = asked(&browser);
        assert_eq!(again, 0, "of {requests} requests so many asked for the same again");
        assert!(requests < 150, "{requests} requests for 150 orders");
        browser.picture("watching");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

/// The journal as it is read, with all that its lines open into.
fn journal(browser: &Browser<'_>) -> Vec<String> {
    let script = "return [...document.querySelectorAll('#journal > li')].map((line) => `${line.dataset.n} ${line.className} ${line.textContent}`)";
    let lines = browser.run(script, &Value::Null);
    lines.as_array().into_iter().flatten().filter_map(|line| line.as_str().map(str::to_owned)).collect()
}

#[test]
fn the_journal_tells_the_same_live_and_after_a_reload() {
    house("journal", |driver, address| {
        let browser = driver.browser(1280, 860, "fr");
        browser.go(address);
        browser.click("#new-game button.primary");
        browser.click("#seats a[data-side='french']");
        // The page was there for every order of the machine since; none of its own was written by itself.
        for _ in 0..12 {
            browser.wait(".turn[data-deciding]");
            let before = entries(&browser);
            if browser.count("#panel .plain .choice") > 0 {
                browser.click("#panel .plain .choice");
            } else {
                browser.click("#panel details.kind:not([open]) summary, #panel details.kind[open] .choice");
                browser.click("#panel details.kind[open] .choice");
            }
            given(&browser, before);
        }
        browser.wait(".turn[data-deciding]");
        let live = journal(&browser);
        let of = |side: &str| live.iter().filter(|line| line.contains(side)).count();
        assert!(of(" prussian ") > 3 && of(" french ") > 3, "both sides are told of: {live:#?}");
        let here = browser.run("return location.href", &Value::Null);
        browser.go(here.as_str().unwrap_or_default());
        browser.wait(".turn[data-deciding]");
        assert_eq!(journal(&browser), live);
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn a_double_click_begins_one_game() {
    house("once", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        browser.go(address);
        let count = "window.posts = 0; const plain = window.fetch;\
            window.fetch = (...how) => { if (how[1]?.method === 'POST') window.posts += 1; return plain(...how); }";
        browser.run(count, &Value::Null);
        let links = "return [...document.querySelectorAll('#seats .seat-link')].map((link) => link.href)";
        browser.run("document.querySelector('#new-game button.primary').scrollIntoView()", &Value::Null);
        browser.double_click("#new-game button.primary");
        browser.wait("#seats .seat-link");
        let first = browser.run(links, &Value::Null);
        assert_eq!(browser.run("return window.posts", &Value::Null), json!(1));
        assert_eq!(browser.count("#new-game button.primary:disabled"), 1, "until another one is wanted");
        browser.picture("begun");
        // Another game is another wish.
        browser.click("#another-game");
        browser.click("#new-game button.primary");
        browser.wait("#seats .seat-link");
        assert_ne!(browser.run(links, &Value::Null), first);
        // Other choices are, too.
        browser.run("document.getElementById('seat.prussian.human').click()", &Value::Null);
        browser.wait("#new-game button.primary:enabled");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

/// The French in a half-round of theirs, with a dozen counters that may march.
fn on_the_march() -> String {
    let may_march =
        |actions: &[Action]| actions.iter().filter(|action| matches!(action, Action::TakeUp { .. })).count();
    record_with(
        |_, _| None,
        |state, actions| kernel::Game::to_move(state) == Some(Side::French) && may_march(actions) >= 12,
    )
}

/// A counter of the operational map and the hex it stands in.
struct Standing {
    thing: String,
    hex: String,
    at: (f64, f64),
}

/// Two counters alone in their hexes that may march, the second within reach of the first; and a third.
fn neighbours(browser: &Browser<'_>) -> [Standing; 3] {
    browser.wait("#standing-ops .piece.can");
    let script = "window.found = null; (async () => {\
        const game = document.querySelector('#game').dataset.game;\
        const alone = [...document.querySelectorAll('#standing-ops .stack[data-size=\"1\"]')].filter((stack) => stack.querySelector('.piece.can'));\
        for (const one of alone) {\
            const reach = await (await fetch(`/g/${game}/reach?lang=en&pieces=${one.querySelector('.piece').dataset.thing}`)).json();\
            const near = (stack) => stack !== one && reach.places.some((place) => place.to === stack.dataset.stack && place.stops && !place.fire);\
            const other = alone.find(near);\
            const third = alone.find((stack) => stack !== one && stack !== other);\
            if (other && third) { window.found = [one, other, third].map((stack) => [stack.querySelector('.piece').dataset.thing, stack.dataset.stack, stack.dataset.at]); return; }\
        }\
        window.found = [];\
    })()";
    browser.run(script, &Value::Null);
    browser.until("two neighbours", "return window.found?.length === 3");
    let found = browser.run("return window.found", &Value::Null);
    [0, 1, 2].map(|place| {
        let text = |part: usize| found[place][part].as_str().unwrap_or_default().to_owned();
        let at = text(2);
        let (x, y) = at.split_once(' ').unwrap_or_default();
        Standing {
            thing: text(0),
            hex: text(1),
            at: (x.parse().unwrap_or_default(), y.parse().unwrap_or_default()),
        }
    })
}

/// A place in a hex that is in reach, beside the counter that stands there.
fn beside(browser: &Browser<'_>, standing: &Standing) -> (f64, f64) {
    let script = "const [hex, x, y] = arguments[0]; const svg = document.querySelector('svg.board[data-map=ops]');\
        for (let n = 0; n < 24; n += 1) {\
            const at = [x + 11 * Math.cos(n * Math.PI / 12), y + 11 * Math.sin(n * Math.PI / 12)];\
            const point = new DOMPoint(...at).matrixTransform(svg.getScreenCTM());\
            const there = document.elementsFromPoint(point.x, point.y);\
            if (there[0]?.closest('.reach')?.dataset.to === hex && !there.some((one) => one.closest('.piece'))) return at;\
        }\
        return null";
    let (x, y) = standing.at;
    let found = browser.run(script, &json!([standing.hex, x, y]));
    assert!(found.is_array(), "no place beside the counter in {}", standing.hex);
    (found[0].as_f64().unwrap_or_default(), found[1].as_f64().unwrap_or_default())
}

fn is_chosen(browser: &Browser<'_>, standing: &Standing) {
    browser.wait(&format!("#standing-ops .piece.selected[data-thing='{}']", standing.thing));
    assert_eq!(browser.count("#standing-ops .piece.selected"), 1);
}

#[test]
fn a_click_on_another_counter_of_ones_own_chooses_it() {
    house("choosing", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        let (french, _) = take_over(&browser, address, &on_the_march());
        browser.go(&french);
        let [one, other, third] = neighbours(&browser);
        let before = entries(&browser);
        browser.click_on(&format!("#standing-ops [data-thing='{}']", one.thing));
        is_chosen(&browser, &one);
        let mark = format!("#marks-ops .reach[data-to='{}']", other.hex);
        browser.wait(&mark);
        browser.point("ops", other.at, false);
        browser.picture("another-counter");
        browser.point("ops", other.at, true);
        is_chosen(&browser, &other);
        assert_eq!(entries(&browser), before, "nobody marched");
        // One marches onto a friend beside his counter; the list of orders has it, too.
        browser.click_on(&format!("#standing-ops [data-thing='{}']", one.thing));
        is_chosen(&browser, &one);
        browser.wait(&mark);
        let number = other.hex.trim_start_matches("h:");
        let listed = "return [...document.querySelectorAll('#selected .choice-copy')].filter((one) => one.textContent.includes(arguments[0])).length";
        assert_eq!(browser.run(listed, &json!(number)), json!(1), "in the list");
        browser.point("ops", beside(&browser, &other), true);
        after(&browser, before);
        let stacked = format!("#standing-ops [data-stack='{}'] [data-thing='{}']", other.hex, one.thing);
        browser.wait(&stacked);
        // Who is still in hand is put down for the one that is wanted now.
        browser.point("ops", third.at, true);
        is_chosen(&browser, &third);
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn a_refusal_goes_with_the_next_choice_order_or_news() {
    house("refusals", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        let (french, _) = take_over(&browser, address, &on_the_march());
        browser.go(&french);
        let [one, other, _] = neighbours(&browser);
        // Nobody marches into the sea: the rules say why, beside the maps and on a card.
        let refused = || {
            browser.click_on(&format!("#standing-ops [data-thing='{}']", one.thing));
            is_chosen(&browser, &one);
            browser.wait(&format!("#marks-ops .reach[data-to='{}']", other.hex));
            browser.point("ops", (80.0, 300.0), true);
            browser.wait("#preview .refusal");
            browser.wait("#card-ops:not([hidden])");
        };
        let gone = |what: &str| {
            let script = "return document.querySelector('#preview .refusal') === null && document.querySelector('#card-ops').hidden";
            browser.until(&format!("no refusal after {what}"), script);
        };
        refused();
        browser.run("document.querySelector('svg.board[data-map=ops]').focus()", &Value::Null);
        browser.press("n");
        gone("another choice");
        browser.press(key::ESCAPE);
        refused();
        let before = entries(&browser);
        browser.point("ops", beside(&browser, &other), true);
        after(&browser, before);
        gone("a march");
        let before = entries(&browser);
        browser.click("#undo");
        after(&browser, before);
        browser.press(key::ESCAPE);
        refused();
        // The same seat in another window ends the half-round.
        let elsewhere = driver.browser(1280, 860, "en");
        elsewhere.go(&french);
        order(&elsewhere, "end-phase");
        gone("news");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn enter_acts_with_the_counter_that_n_chose() {
    house("enter", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        // Beside the maps: a counter that is still to be placed goes to its first place, and there it stays.
        let (_, prussian) = crate::game::begin(&browser, address);
        browser.go(&prussian);
        browser.wait(".tray-unit.can");
        let focus = |map: &str| {
            browser.run("document.querySelector(`svg.board[data-map=${arguments[0]}]`).focus()", &json!(map))
        };
        focus("siege");
        browser.press("n");
        browser.wait(".tray-unit.selected");
        browser.press(key::ENTER);
        browser.wait(".cursor");
        assert_eq!(browser.count(".tray-unit.selected"), 1, "it is still chosen");
        let before = entries(&browser);
        browser.press(key::ENTER);
        after(&browser, before);
        // On the map: from the counter to where it may march, and there.
        let (french, _) = take_over(&browser, address, &on_the_march());
        browser.go(&french);
        browser.wait("#standing-ops .piece.can");
        focus("ops");
        browser.press("n");
        browser.wait("#marks-ops .reach");
        let chosen =
            browser.run("return document.querySelector('.piece.selected').dataset.thing", &Value::Null);
        let before = entries(&browser);
        browser.press(key::ENTER);
        let resting = |marks: &str| {
            let script = "const cursor = document.querySelector('#cursor-ops');\
                return [...document.querySelectorAll(arguments[0])].some((mark) => mark.dataset.at === `${cursor.getAttribute('cx')} ${cursor.getAttribute('cy')}`)";
            browser.run(script, &json!(marks)) == json!(true)
        };
        assert!(resting("#marks-ops .reach"), "the cursor is where it may march");
        let still =
            browser.run("return document.querySelector('.piece.selected')?.dataset.thing", &Value::Null);
        assert_eq!((still, entries(&browser)), (chosen, before));
        // The nearest place comes first, whatever the number of its hex.
        let nearest = browser.run(
            "const spot = (one) => one.dataset.at ? one.dataset.at.split(' ').map(Number) : [...one.getAttribute('transform').matchAll(/[-\\d.]+/g)].map(Number);\
                const [x, y] = spot(document.querySelector('.piece.selected')); const far = ([a, b]) => Math.hypot(a - x, b - y);\
                const cursor = document.querySelector('#cursor-ops');\
                const here = far([Number(cursor.getAttribute('cx')), Number(cursor.getAttribute('cy'))]);\
                return [...document.querySelectorAll('#marks-ops .reach')].every((mark) => far(spot(mark)) >= here - 0.1)",
            &Value::Null,
        );
        assert_eq!(nearest, json!(true));
        // The fortress fires at some of these places: to one where nobody does.
        for _ in 0..browser.count("#marks-ops .reach") {
            if resting("#marks-ops .reach:not(.fire):not(.no-stop)") {
                break;
            }
            browser.press("t");
        }
        browser.press(key::ENTER);
        after(&browser, before);
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

/// A shot of a siege gun, as far as the question whether it is to be fired.
fn aim<'a>(driver: &'a Driver, seat: &str, (width, height): (u32, u32)) -> Browser<'a> {
    let browser = driver.browser(width, height, "fr");
    browser.go(seat);
    browser.wait("#standing-siege .piece.can");
    browser.run("document.querySelector('svg.board[data-map=siege]').focus()", &Value::Null);
    browser.press("n");
    browser.wait("#marks-siege .target");
    browser.press("t");
    browser.press(key::ENTER);
    browser.wait("#preview .outcomes");
    browser
}

#[test]
fn the_button_that_fires_is_in_sight_on_every_screen() {
    house("confirm", |driver, address| {
        let record = record_with(
            |_, _| None,
            |state, actions| {
                let gun = actions.iter().find_map(|action| match action {
                    Action::FireSiegeGun { gun, .. } => Some(*gun),
                    _ => None,
                });
                gun.is_some_and(|gun| may_do_something(state, gun))
            },
        );
        let first = driver.browser(1280, 860, "fr");
        let (french, _) = take_over(&first, address, &record);
        for size in [(1280, 860), (1280, 720), (1024, 600), (390, 844)] {
            let browser = aim(driver, &french, size);
            let hidden = "return [...document.querySelectorAll('#preview .confirm')].filter((button) => {\
                const box = button.getBoundingClientRect();\
                const seen = (y) => button.contains(document.elementFromPoint(box.left + box.width / 2, y));\
                return box.top < 0 || box.bottom > innerHeight || !seen(box.top + 2) || !seen(box.bottom - 2);\
            }).map((button) => `${button.textContent} ${JSON.stringify(button.getBoundingClientRect())}`)";
            browser.picture(&format!("confirm-{}x{}", size.0, size.1));
            assert_eq!(browser.run(hidden, &Value::Null), json!([]), "at {size:?}");
            // A text that does not fit is read above the button.
            browser.run("const p = document.createElement('p'); p.style.height = '200vh'; document.querySelector('#preview h3').after(p)", &Value::Null);
            assert_eq!(browser.run(hidden, &Value::Null), json!([]), "under a long text, at {size:?}");
        }
    });
}
