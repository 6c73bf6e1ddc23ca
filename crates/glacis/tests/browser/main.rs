//! The pages in a real Chromium: clicks, keys, two seats in two browsers. Where there is no
//! Chromium the tests say so and are counted as skipped.

mod driver;
mod game;
mod hands;

use std::io::Write as _;
use std::net::SocketAddr;

use driver::Driver;
use glacis::serve::{Running, Start, start};
use glacis::store::Place;
use serde_json::{Value, json};

/// A server on a database of its own, and a driver; nothing where there is no Chromium.
fn house(name: &str, test: impl FnOnce(&Driver, &str)) {
    let Some(driver) = Driver::start() else {
        eprintln!("skipped (1): {name}, there is no chromedriver here; `cargo xtask test` installs one");
        // Whoever runs the tests may count what was skipped.
        if let Some(note) = std::env::var_os("GLACIS_SKIPPED") {
            let file = std::fs::OpenOptions::new().create(true).append(true).open(note);
            file.and_then(|mut file| writeln!(file, "{name}")).expect("the note can be written");
        }
        return;
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let folder = std::env::temp_dir().join(format!("glacis-browser-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let running: Running = runtime
        .block_on(start(Start {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            database: Place::Sqlite(folder.join("glacis.db")),
            base_url: None,
            rate: None,
            behind_proxy: false,
            systems: glacis::systems(),
            questions: glacis::questions(),
        }))
        .unwrap_or_else(|fault| unreachable!("the server does not start: {fault:?}"));
    let address = running.base_url.clone();
    test(&driver, &address);
    runtime.block_on(running.stop());
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_phone_at_the_gaming_table() {
    house("phone", |driver, address| {
        let phone = driver.browser(360, 740, "fr");
        phone.go(&format!("{address}/umpire/tabletop.fire"));
        // The answer is there at once, with the shooter that comes first.
        phone.wait("#answer .odds");
        let overflow = "return document.documentElement.scrollWidth <= 360";
        assert_eq!(phone.run(overflow, &Value::Null), json!(true), "the page is wider than the phone");
        phone.picture("umpire-fire-phone-fr");
        // A die gives a result with its reasons.
        phone.run("document.querySelector('#dice-4').click()", &Value::Null);
        phone.wait("#answer .result");
        assert!(phone.text("#answer").contains("FE-"), "{}", phone.text("#answer"));
        // The whole question is in the address.
        phone.until("the address", "return location.search.includes('dice=4')");
        // The last shooter is remembered.
        phone.run("document.querySelector('[id=\"shooter.weapon-rifle\"]').click()", &Value::Null);
        phone.until("kept", "return Object.values(localStorage).some(v => v.includes('rifle'))");
        phone.go(&format!("{address}/umpire/tabletop.fire"));
        phone.until("remembered", "return document.querySelector('[id=\"shooter.weapon-rifle\"]').checked");
        // The switch changes the language and comes back here.
        phone.click(".settings a[hreflang='en']");
        phone.until("English", "return document.documentElement.lang === 'en'");
        assert!(phone.text("h1").contains("fire"), "{}", phone.text("h1"));
        assert_eq!(phone.complaints(), Vec::<String>::new());
    });
}

#[test]
fn rules_are_found_and_open_on_the_spot() {
    house("rules", |driver, address| {
        let browser = driver.browser(1280, 860, "en");
        browser.go(&format!("{address}/rules?q=contre-mine"));
        assert!(browser.count(".hits li") > 0);
        browser.picture("rules-search");
        browser.click(".hits a.rule");
        browser.wait("dialog[open] .says");
        browser.go(&format!("{address}/rules/FE-5-16"));
        assert!(
            browser.count("main a[href^='/umpire/tabletop.fire?']") == 1,
            "the rule names the question that uses it"
        );
        browser.picture("rule");
        browser.go(&format!("{address}/rules/glossary"));
        browser.picture("glossary");
        browser.go(&format!("{address}/umpire/campaign.combat?attacker_sp=18&defender_sp=9&ground=plain"));
        browser.wait("#answer .odds");
        browser.picture("umpire-combat");
        // The map of 1805: a click on it asks, and marks what can be reached.
        browser.go(&format!("{address}/umpire/campaign.reach"));
        browser.wait("svg.explorer");
        browser
            .run("document.querySelector('form[data-live]').elements.arm.value = 'infantry'", &Value::Null);
        browser.click("svg.explorer");
        browser.wait("#also .start");
        browser.until("an answer", "return document.querySelector('#also .reached') !== null || document.querySelector('#answer .refusal') !== null");
        browser.picture("map-1805");
        browser.go(&format!("{address}/rules/nothing-here"));
        assert!(browser.text("h1").len() > 5);
    });
}
