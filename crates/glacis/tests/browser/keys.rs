//! Hands without a mouse and hands on a phone: what has the focus is seen, letters act where they are
//! meant to, edges are told, counters are large enough to be touched and called by their name alone.

use danzig::{Action, Side};
use kernel::Game as _;
use serde_json::{Value, json};

use crate::driver::Browser;
use crate::game::{before_a_shot, begin, record_with, take_over};
use crate::hands::key;
use crate::house;

/// A game in which a French stack may march.
fn before_a_march() -> String {
    record_with(
        |_, _| None,
        |state, actions| {
            let marches = actions.iter().any(|action| matches!(action, Action::TakeUp { .. }));
            marches && state.to_move() == Some(Side::French)
        },
    )
}

/// Goes through everything that can have the focus, and names what something else covers.
fn covered(browser: &Browser<'_>, backwards: bool) -> Vec<String> {
    let script = "const one = document.activeElement; if (one === document.body || one.met) return null; one.met = true;\
        const box = one.getClientRects()[0]; const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);\
        return top && (one.contains(top) || top.contains(one)) ? '' : `${one.outerHTML.slice(0, 90)} under ${top?.outerHTML.slice(0, 60)}`";
    browser.run("for (const one of document.querySelectorAll('*')) delete one.met", &Value::Null);
    let (mut hidden, mut stops) = (Vec::new(), 0);
    loop {
        if backwards {
            browser.chord(key::SHIFT, key::TAB);
        } else {
            browser.press(key::TAB);
        }
        let found = browser.run(script, &Value::Null);
        let Some(told) = found.as_str() else { break };
        stops += 1;
        if !told.is_empty() {
            hidden.push(told.to_owned());
        }
    }
    assert!(stops > 15, "only {stops} stops");
    hidden
}

#[test]
fn what_has_the_focus_is_seen() {
    house("focus", |driver, address| {
        let browser = driver.browser(1280, 720, "fr");
        let calm = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
        browser.devtools("Emulation.setEmulatedMedia", &calm);
        let (french, _) = take_over(&browser, address, &before_a_shot());
        let pages = [
            (format!("{address}/umpire/campaign.combat"), "#answer .chart"),
            (format!("{address}/umpire/tabletop.fire"), "#answer .odds"),
            (french, "#journal > li"),
        ];
        for (page, ready) in pages {
            for (width, height) in [(1280, 720), (360, 640)] {
                for backwards in [false, true] {
                    browser.resize(width, height);
                    browser.go(&page);
                    browser.wait(ready);
                    let hidden = covered(&browser, backwards);
                    assert_eq!(hidden, Vec::<String>::new(), "{page}, {width} px, backwards: {backwards}");
                }
            }
        }
    });
}

/// Counts the orders that are sent from now on.
fn count_orders(browser: &Browser<'_>) {
    let script = "window.sent = 0; const send = window.fetch;\
        window.fetch = (to, more) => { if (more?.method === 'POST') window.sent++; return send(to, more); }";
    browser.run(script, &Value::Null);
}

/// How many orders were sent once this key was pressed on this element.
fn sent_by(browser: &Browser<'_>, key: &str, selector: &str) -> Value {
    browser.wait(selector);
    browser.until("at rest", "return document.querySelector('[aria-busy]') === null");
    browser.run("document.querySelector(arguments[0]).focus()", &json!(selector));
    browser.press(key);
    browser.run("return window.sent", &Value::Null)
}

#[test]
fn letters_act_on_the_table_and_on_the_maps_alone_if_wanted() {
    house("letters", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        let (_, prussian) = begin(&browser, address);
        browser.go(&prussian);
        browser.wait(".turn[data-deciding]");
        count_orders(&browser);
        for _ in 0..2 {
            let sent = sent_by(&browser, "n", ".turn h2").as_u64().unwrap_or_default();
            browser.press("t");
            browser.press(key::ENTER);
            browser.until("an order", &format!("return window.sent > {sent}"));
        }
        assert_eq!(sent_by(&browser, "u", ".masthead a"), json!(2), "on a link");
        assert_eq!(sent_by(&browser, "u", ".map:not([hidden]) svg.board"), json!(3), "on a map");
        assert_eq!(sent_by(&browser, "u", ".turn h2"), json!(4), "on the table");
        // The switch lies with the list of the keys, and is remembered.
        browser.press("?");
        browser.click("#help[open] #letters-on-map");
        browser.go(&prussian);
        browser.wait(".turn[data-deciding]");
        count_orders(&browser);
        assert_eq!(sent_by(&browser, "u", ".turn h2"), json!(0), "on the table");
        assert_eq!(sent_by(&browser, "u", "#both-maps"), json!(0), "on a button");
        assert_eq!(sent_by(&browser, "u", ".map:not([hidden]) svg.board"), json!(1), "on a map");
    });
}

/// Goes left until the edge is told.
fn goes_to_the_edge(browser: &Browser<'_>, map: &str, told: &str) {
    browser.wait(map);
    browser.run("document.querySelector(arguments[0]).focus()", &json!(map));
    for _ in 0..80 {
        browser.press(key::LEFT);
    }
    browser.hears("#spoken", told);
}

#[test]
fn the_edge_of_a_map_is_told() {
    house("edge", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        browser.go(&format!("{address}/umpire/campaign.reach"));
        goes_to_the_edge(&browser, "#map-1805", "The edge of the map");
        let (_, prussian) = begin(&browser, address);
        browser.go(&prussian);
        browser.wait(".turn[data-deciding]");
        goes_to_the_edge(&browser, ".map:not([hidden]) svg.board", "the edge of the map");
    });
}

#[test]
fn on_a_phone_a_map_opens_on_what_can_act() {
    house("stamp", |driver, address| {
        let phone = driver.browser(360, 740, "fr");
        let shot = take_over(&phone, address, &before_a_shot()).0;
        let march = take_over(&phone, address, &before_a_march()).0;
        for (game, name) in [(shot, "siege"), (march, "ops")] {
            phone.go(&game);
            phone.wait(&format!("#map-{name}:not([hidden]) .piece.can"));
            let script = "const frame = document.querySelector('.map:not([hidden])').getBoundingClientRect();\
                const boxes = [...document.querySelectorAll('.map:not([hidden]) .piece.can .counter .body')].map((one) => one.getBoundingClientRect())\
                .filter((one) => one.left >= frame.left && one.right <= frame.right && one.top >= frame.top && one.bottom <= frame.bottom);\
                return boxes.length && boxes.every((one) => one.width >= 24 && one.height >= 24)";
            assert_eq!(phone.run(script, &Value::Null), json!(true), "{name}");
            phone.picture(&format!("game-{name}-phone-fr"));
            // Only the map that is shown is fetched.
            let grounds = "return performance.getEntriesByType('resource').map((entry) => /danzig-(siege|ops)\\.fr\\.svg/.exec(entry.name)?.[1]).filter(Boolean)";
            phone.until("the ground", &format!("{grounds}.length > 0"));
            assert_eq!(phone.run(grounds, &Value::Null), json!([name]));
        }
    });
}

#[test]
fn a_counter_is_called_by_its_name_alone() {
    house("names", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        let (french, _) = take_over(&browser, address, &before_a_march());
        browser.go(&french);
        browser.wait(".piece.can");
        browser.click_on("#standing-ops .stack[data-size='1'] .piece.can");
        browser.wait("#marks-ops .reach");
        let aloud = "return [...document.querySelectorAll('svg.board text')].filter((one) => !one.closest('[aria-hidden=true]')).map((one) => one.textContent)";
        let aloud = browser.run(aloud, &Value::Null);
        assert_eq!(aloud, json!([]), "what is drawn on a map is not spoken beside its name");
        let tree = browser.devtools("Accessibility.getFullAXTree", &json!({}));
        let nodes = tree["nodes"].as_array().cloned().unwrap_or_default();
        let told = |node: &Value, what: &str| node[what]["value"].as_str().unwrap_or_default().to_owned();
        let counters: Vec<&Value> = nodes
            .iter()
            .filter(|node| told(node, "role") == "image" && told(node, "name").contains(", infantry, "))
            .collect();
        assert!(!counters.is_empty(), "there are counters on the map");
        let twice: Vec<String> =
            counters.iter().map(|node| told(node, "description")).filter(|told| !told.is_empty()).collect();
        assert_eq!(twice, Vec::<String>::new(), "no name is spoken twice");
    });
}
