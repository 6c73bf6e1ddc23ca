//! The machine across the table: it shows that it is thinking and what it is after, and gives advice to whoever
//! asks for it.

use serde_json::Value;

use crate::driver::{Browser, Driver};
use crate::example::example;
use crate::game::{confirmed, entries};
use crate::{house, house_of};

/// The link of a seat of a new game.
fn begun(browser: &Browser<'_>, address: &str, body: &str, side: &str) -> String {
    browser.go(address);
    let script = format!(
        "const done = arguments[arguments.length - 1]; fetch('/api/games', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }},\
        body: JSON.stringify({body}) }}).then((r) => r.json()).then((made) => done(made.seats.find((seat) => seat.side === '{side}').link))"
    );
    browser.run_async(&script, &Value::Null).as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_machine_shows_that_it_thinks_and_advises_whoever_asks() {
    house_of("advice", vec![example()], |driver: &Driver, address| {
        let browser = driver.browser(1280, 860, "en");
        let body = "{ system: 'countermine', scenario: 'broad', seats: { garrison: 'search' } }";
        // It has to wait for its turn to think: there is time to see that it does.
        for _ in 0..8 {
            begun(&browser, address, body, "besieger");
        }
        let link = begun(&browser, address, body, "besieger");
        browser.go(&link);
        // When it has laid its mine it is the besieger's decision.
        browser.wait(".thinking[role='status']");
        browser.wait("#suggest");
        assert!(browser.text(".turn").contains("You decide"), "{}", browser.text(".turn"));
        let before = entries(&browser);
        browser.click("#suggest");
        browser.wait(".advised");
        assert!(browser.text(".advice").contains("The machine would order"), "{}", browser.text(".advice"));
        assert!(browser.text(".advice .worth").contains("in a hundred"), "{}", browser.text(".advice"));
        browser.picture("advice");
        browser.click(".advised");
        confirmed(&browser, before);
    });
}

#[test]
fn the_machine_tells_what_it_is_after() {
    house("intention", |driver: &Driver, address| {
        for (lang, wide, words) in [("en", 1280, "shall be mine"), ("fr", 360, "seront à moi")] {
            let browser = driver.browser(wide, 800, lang);
            let body = "{ system: 'danzig', scenario: 'danzig-1807', seats: { french: 'sensible' } }";
            let link = begun(&browser, address, body, "prussian");
            browser.go(&link);
            browser.wait(".intention");
            let said = browser.text(".intention");
            assert!(said.contains(words), "{said}");
            browser.picture(&format!("intention-{lang}"));
        }
    });
}
