//! The example game through the pages: two browsers write the orders of a night in secret, a battery is
//! placed with a tool, and neither whoever holds the other side's link nor a spectator learns anything.

use serde_json::{Value, json};

use crate::clicks::{clicks, count_clicks};
use crate::driver::{Browser, Driver};
use crate::example::example;
use crate::game::{after, confirmed, entries, order};
use crate::house_of;

/// The links of a new game in the dark: besieger, garrison, spectator.
fn begin(browser: &Browser<'_>, address: &str) -> [String; 3] {
    browser.go(address);
    let script = "const done = arguments[arguments.length - 1]; fetch('/api/games', { method: 'POST', headers: { 'content-type': 'application/json' },\
        body: JSON.stringify({ system: 'countermine', scenario: 'dark' }) }).then((r) => r.json()).then((made) =>\
        done(['besieger', 'garrison', 'spectator'].map((side) => made.seats.find((seat) => seat.side === side).link)))";
    let links = browser.run_async(script, &Value::Null);
    [0, 1, 2].map(|place| links[place].as_str().unwrap_or_default().to_owned())
}

/// Chooses a gallery on the ground and gives the order of this kind.
fn with_gallery(browser: &Browser<'_>, gallery: u16, kind: &str) {
    let before = entries(browser);
    browser.click_on(&format!(".piece[data-thing='u:g{gallery}']"));
    browser.wait(&format!("#selected .choice-copy[data-kind='{kind}']"));
    browser.click(&format!("#selected .choice-copy[data-kind='{kind}']"));
    confirmed(browser, before);
}

/// Everything that a browser can be given of this game, by every address there is.
fn everything(browser: &Browser<'_>) -> String {
    let script = "const done = arguments[arguments.length - 1]; const game = document.getElementById('game').dataset.game;\
        const orders = [0, 1, 2, 3].flatMap((g) => ['lay', 'sap', 'patrol', 'assault'].map((kind) => JSON.stringify({ [kind]: g })));\
        const asks = [`/g/${game}`, `/g/${game}/parts`, `/g/${game}/parts?since=0`, `/g/${game}?at=1`,\
            `/g/${game}/offers?kind=patrol`, `/g/${game}/offers?by=u:g1`, `/g/${game}/chances?piece=u:g1`, `/g/${game}/reach?pieces=u:g1`,\
            ...orders.map((action) => `/g/${game}/odds?action=${encodeURIComponent(action)}`),\
            ...[0, 1, 2, 3].map((g) => `/g/${game}/why?subject=u:g${g}`),\
            ...['', '/actions', '/actions?stage=kinds', '/actions?kind=patrol', '/log', '/log?since=0', '/luck', '/record'].map((part) => `/api/games/${game}${part}`)];\
        const read = (source) => new Promise((told) => { const heard = []; const stream = new EventSource(`/api/games/${game}/events?${source}`);\
            for (const kind of ['state', 'happened', 'refresh']) stream.addEventListener(kind, (event) => heard.push(event.data));\
            setTimeout(() => { stream.close(); told(heard.join()); }, 600); });\
        Promise.all([...asks.map((ask) => fetch(ask).then((r) => r.text())), read('since=0'), read('actions=true')]).then((all) => done(all.join('\\n')))";
    browser.run_async(script, &Value::Null).as_str().unwrap_or_default().to_lowercase()
}

/// What only the garrison may know of its countermine and of its order of the night.
const SECRETS: [&str; 6] =
    ["ex-laid", "ex-order-lay", "ex-over-the-mine", "ex-order-patrol", "\"lay\":2", "\"patrol\":"];

fn learns_nothing(browser: &Browser<'_>, who: &str) {
    let known = everything(browser);
    assert!(known.len() > 5_000, "{who} was given {known}");
    for secret in SECRETS {
        let at = known.find(secret).map(|at| {
            let from = known[..at].char_indices().rev().nth(80).map_or(0, |(from, _)| from);
            known[from..].chars().take(200).collect::<String>()
        });
        assert_eq!(at, None, "{who} learns {secret}");
    }
}

#[test]
fn a_night_of_secret_orders() {
    house_of("secret", vec![example()], |driver: &Driver, address| {
        let besieger = driver.browser(1280, 860, "en");
        let [besieging, garrisoned, watching] = begin(&besieger, address);
        let (garrison, hostile, spectator) = (
            driver.browser(1280, 860, "fr"),
            driver.browser(1280, 860, "en"),
            driver.browser(1280, 860, "en"),
        );
        besieger.go(&besieging);
        garrison.go(&garrisoned);
        // Somebody else has got hold of the besieger's link.
        hostile.go(&besieging);
        spectator.go(&watching);
        garrison.wait(".turn[data-deciding='garrison']");
        count_clicks(&garrison);
        with_gallery(&garrison, 2, "lay");
        assert_eq!(clicks(&garrison), 2, "the gallery, and what is done there");
        garrison.until(
            "its own mine is seen",
            "return document.querySelector('.piece[data-thing=\"u:g2\"] .mine') !== null",
        );
        learns_nothing(&hostile, "whoever holds the other link");
        learns_nothing(&spectator, "a spectator");

        // The besieger digs and places his battery anywhere; too near the wall the rules say why not.
        besieger.wait(".turn[data-deciding='besieger']");
        count_clicks(&besieger);
        with_gallery(&besieger, 0, "dig");
        assert_eq!(clicks(&besieger), 2, "what can be taken back is not asked about");
        besieger.wait(".tool[data-tool='battery']");
        besieger.click(".tool[data-tool='battery']");
        besieger.point("ground", (700.0, 480.0), false);
        besieger.wait(".ghost.held.wrong-place");
        besieger.hears("#card-ground", "EX-14");
        let before = entries(&besieger);
        count_clicks(&besieger);
        besieger.point("ground", (640.0, 250.0), true);
        besieger.wait("#preview .confirm");
        besieger.click("#preview .confirm");
        after(&besieger, before);
        assert_eq!(clicks(&besieger), 2, "where it is placed, and yes");
        besieger.wait("[data-thing='battery']");

        // The garrison holds its breath, and the night falls: both write.
        garrison.wait(".turn[data-deciding='garrison']");
        order(&garrison, "hold");
        for browser in [&besieger, &garrison] {
            browser.until("the night", "return document.querySelector('.turn[data-deciding]') !== null && document.querySelector('.turn h2').textContent.includes('night')");
        }
        with_gallery(&garrison, 3, "patrol");
        learns_nothing(&hostile, "whoever holds the other link, by night");
        learns_nothing(&spectator, "a spectator, by night");
        // What was written can be changed until the other has written, too.
        garrison.wait(".sealed");
        with_gallery(&garrison, 1, "patrol");
        learns_nothing(&hostile, "whoever holds the other link, after a change");
        besieger.until(
            "nothing has become stale",
            "return document.querySelector('.turn[data-deciding=\"besieger\"]') !== null",
        );
        with_gallery(&besieger, 0, "sap");
        // Both orders are open now, and the sap went unseen.
        for browser in [&besieger, &garrison, &hostile, &spectator] {
            browser.until("the morning", "return [...document.querySelectorAll('#journal li')].some((line) => line.textContent.toLowerCase().includes('ex-sapped'))");
        }
        assert!(everything(&spectator).contains("ex-order-patrol"), "what was secret is open now");
        // Those who ask for what they may not have hear of it; those who play have nothing to complain of.
        for browser in [&besieger, &garrison] {
            assert_eq!(browser.complaints(), Vec::<String>::new());
        }
        assert_eq!(json!(besieger.count(".piece")), json!(4));
    });
}
