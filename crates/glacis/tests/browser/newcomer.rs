//! A newcomer who reads French walks through the house on small and large screens: nothing is cut
//! off, hidden or badly set, nothing moves where stillness was asked for, and his keyboard serves.

use serde_json::{Value, json};

use crate::driver::Browser;
use crate::game::begin;
use crate::hands::key;
use crate::house;
use crate::umpire::fits;

/// The rooms of the house, and what is there when they are ready.
const ROOMS: [(&str, &str); 8] = [
    ("/", "#new-game"),
    ("/umpire", ".questions"),
    ("/umpire/tabletop.fire", "#answer .odds"),
    ("/umpire/campaign.combat", "#answer .chart"),
    ("/umpire/campaign.reach?hex=1822", "#marks .reached"),
    ("/umpire/scene?from=battery", "#answer .targets"),
    ("/rules/DZ-4.7.2-10", ".rule-text"),
    ("/rules/glossary", ".terms"),
];

/// The scripts below speak of what can be seen.
fn faults(browser: &Browser<'_>, what: &str, script: &str) {
    let found = browser.run(script, &Value::Null);
    let here = browser.run("return `${location.pathname} at ${innerWidth}`", &Value::Null);
    assert_eq!(found, json!([]), "{what}, {here}");
}

/// Apostrophes and the spaces before high punctuation, in every text that is prose.
fn is_well_set(browser: &Browser<'_>) {
    let script = "const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); const bad = [];\
        while (walk.nextNode()) { const node = walk.currentNode;\
        if (!node.parentElement.closest('script, style, pre, code, kbd, textarea, [lang=en]') && /\\p{L}'\\p{L}| [:;?!%»]|(^|\\s)-\\d/u.test(node.data)) bad.push(node.data.trim()); }\
        return bad.slice(0, 5)";
    faults(browser, "badly set", script);
}

/// Words that do not fit into their button, chip or line.
fn is_not_cut(browser: &Browser<'_>) {
    let script = "return [...document.querySelectorAll('button, .chip label, .button, .tracks dt, .effect, h1, h2')]\
        .filter((one) => one.offsetParent && !one.closest('.vh') && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')\
        .map((one) => one.textContent.trim().slice(0, 40))";
    faults(browser, "cut off", script);
}

/// No animation, no transition, no gliding scroll.
fn is_still(browser: &Browser<'_>) {
    let script = "const still = (style) => /^(0s(, )?)+$/.test(style.transitionDuration) && style.animationName === 'none' && style.scrollBehavior === 'auto';\
        const moving = [...document.querySelectorAll('*')].filter((one) => !still(getComputedStyle(one))).map((one) => one.outerHTML.slice(0, 80));\
        return [...moving, ...document.getAnimations().map((one) => String(one.id))].slice(0, 5)";
    faults(browser, "moving", script);
}

#[test]
fn every_room_is_whole_and_well_set() {
    house("rooms", |driver, address| {
        let browser = driver.browser(1024, 768, "fr");
        let calm = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
        browser.devtools("Emulation.setEmulatedMedia", &calm);
        for (room, ready) in ROOMS {
            browser.go(&format!("{address}{room}"));
            browser.wait(ready);
            is_well_set(&browser);
            is_still(&browser);
            for (width, height) in [(360, 740), (1024, 768), (1920, 1080)] {
                browser.resize(width, height);
                fits(&browser);
                is_not_cut(&browser);
            }
        }
        // No chip is stretched alone on its last line.
        browser.go(&format!("{address}/umpire/tabletop.fire"));
        for width in [360, 1024, 1920] {
            browser.resize(width, 900);
            let script = "return [...document.querySelectorAll('.chips:not(.die-chips) .chip-line')].filter((line) => line.offsetParent)\
                .filter((line) => new Set([...line.children].map((chip) => Math.round(chip.getBoundingClientRect().width))).size > 1).map((line) => line.textContent)";
            faults(&browser, "chips of several widths", script);
        }
        // The buttons of a scene lie beside the drawing, not on it; the answer of the map is in sight.
        browser.go(&format!("{address}/umpire/scene?from=battery"));
        browser.wait(".sheet-zoom:not([hidden])");
        let hidden = "const low = document.querySelector('#scene-sheet').getBoundingClientRect().bottom;\
            return [...document.querySelectorAll('.sheet-zoom button')].filter((one) => one.getBoundingClientRect().top < low).map((one) => one.title)";
        faults(&browser, "over the drawing", hidden);
        browser.resize(1024, 768);
        browser.go(&format!("{address}/umpire/campaign.reach?hex=1822"));
        browser.wait("#answer h2");
        let low = "const top = document.querySelector('#answer h2').getBoundingClientRect().bottom; return top < innerHeight ? [] : [top]";
        faults(&browser, "under the edge of the screen", low);
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}

#[test]
fn a_first_game_in_french() {
    house("newcomer", |driver, address| {
        let browser = driver.browser(1024, 768, "fr");
        let (_, prussian_seat) = begin(&browser, address);
        is_not_cut(&browser);
        browser.go(&prussian_seat);
        browser.wait(".turn[data-deciding]");
        is_well_set(&browser);
        // Both maps with all their buttons fit the screen, the slider under them included.
        let low = "return [...document.querySelectorAll('.tabs button, #replay')].filter((one) => one.getBoundingClientRect().bottom > innerHeight).map((one) => one.outerHTML.slice(0, 60))";
        let rows = "const tops = new Set([...document.querySelectorAll('.tabs button')].map((one) => Math.round(one.getBoundingClientRect().top))); return tops.size === 1 ? [] : [...tops]";
        for script in [low, rows] {
            faults(&browser, "no room for the buttons", script);
        }
        is_not_cut(&browser);
        browser.click("#both-maps");
        browser.wait("#game.both");
        let small = "return [...document.querySelectorAll('svg.board')].map((one) => one.getBoundingClientRect().width).filter((width) => width < 500)";
        faults(&browser, "a map like a stamp", small);
        fits(&browser);
        // The key of the second map, as a French keyboard types it.
        let typed = json!({ "type": "keyDown", "key": "é", "code": "Digit2", "text": "é" });
        browser.devtools("Input.dispatchKeyEvent", &typed);
        browser.until("the second map alone", "return document.querySelector('#map-siege').hidden");
        // A counter is chosen and said once, then let go.
        browser.press("n");
        let said = browser.hears("#spoken", "peut agir");
        assert!(!said.contains("1 ordres"), "{said}");
        let name = said.split(',').next().unwrap_or_default();
        assert_eq!(said.matches(&format!("{name},")).count(), 1, "said once: {said}");
        browser.press(key::ESCAPE);
        browser.hears("#spoken", "choix abandonné");
        assert_eq!(browser.count("#game .selected"), 0);
        // The keys are named as they are printed.
        browser.press("?");
        browser.wait("#help[open]");
        let keys = browser.text("#help");
        assert!(keys.contains("Entrée") && keys.contains("Échap") && !keys.contains("PgUp"), "{keys}");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    });
}
