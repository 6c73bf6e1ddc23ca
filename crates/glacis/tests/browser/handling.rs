//! Whether the page of a game follows the hand: what is clicked is what is meant, what was said before
//! is not in the way, and what the machine does is seen, all of it and once.

use serde_json::{Value, json};

use crate::driver::Browser;
use crate::game::{after, entries};
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
                browser.click("#preview .confirm");
            }
            after(&browser, before);
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
