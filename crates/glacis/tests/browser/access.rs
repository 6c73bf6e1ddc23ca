//! Every kind of page under axe-core: no barrier that it knows, by day and by night, in both
//! languages, on a desk and on a phone. The pages are found by following every link from the front
//! page, and a game is begun, played on and looked back at.

use serde_json::{Value, json};

use crate::driver::{Browser, Driver};
use crate::game::{before_a_shot, begin, take_over};
use crate::{house, skip};

/// Where axe-core lies; `cargo xtask test` says it.
const AXE: &str = "GLACIS_AXE";

/// A desk and a phone.
const SCREENS: [(u32, u32); 2] = [(1280, 860), (360, 740)];

/// The rules about colours.
const COLOURS: [&str; 2] = ["color-contrast", "link-in-text-block"];

/// Follows links from the front page, some hundred pages at a time, and notes of each page which kinds
/// of elements it has: what it is, what it is in, how it is dressed. Of addresses that differ in their
/// query one is enough; what is found by searching is sought.
const CRAWL: &str = r#"
const done = arguments[arguments.length - 1];
const house = (window.house ??= { open: ["/"], seen: new Set(["/"]), queries: new Set(), pages: [] });
const dress = (one) => one && [one.localName, one.getAttribute("class"), one.getAttribute("role"), one.getAttribute("type")].join(" ");
const look = async (address) => {
  const response = await fetch(address);
  if (!response.headers.get("content-type")?.startsWith("text/html")) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const all = [...page.body.querySelectorAll("*")];
  const group = /^\/umpire\/[a-z]+/.exec(address)?.[0] ?? "";
  house.pages.push({ address, size: all.length, kinds: new Set([group, ...all.map((one) => `${dress(one.parentElement)} > ${dress(one)}`)]) });
  const links = [...page.querySelectorAll("a[href^='/']")].map((link) => link.getAttribute("href"));
  const searches = [...page.querySelectorAll("input[type=search]")].map((field) => `${field.closest("form").getAttribute("action")}?${field.name}=mine`);
  for (const address of [...links, ...searches]) {
    const to = new URL(address, location.href);
    const place = to.pathname + to.search;
    if (/^\/(settings|api|assets|maps)\//.test(place) || house.seen.has(place)) continue;
    if (to.search && house.queries.has(to.pathname)) continue;
    if (to.search) house.queries.add(to.pathname);
    house.seen.add(place);
    house.open.push(place);
  }
};
(async () => {
  for (let round = 0; round < 60 && house.open.length; round++) await Promise.all(house.open.splice(0, 6).map(look));
  done(house.open.length);
})();
"#;

/// Of all pages the smallest that together have every kind of element.
const CHOOSE: &str = r#"
const known = new Set();
return window.house.pages.sort((a, b) => a.size - b.size || (a.address < b.address ? -1 : 1)).filter(({ kinds }) => {
  const before = known.size;
  for (const kind of kinds) known.add(kind);
  return known.size > before;
}).map(({ address }) => address);
"#;

/// What axe-core finds, and targets too small for a finger, as lines; a page with everything folded open, once it is at rest.
const LOOK: &str = r#"
const [rules, done] = arguments;
for (const one of document.querySelectorAll("details")) one.open = true;
const kinds = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const options = { resultTypes: ["violations"], runOnly: rules ?? kinds };
const line = (violation) => (node) => `${violation.id}: ${node.target.join(" ")}: ${node.any.concat(node.all, node.none).map((check) => check.message)[0] ?? ""}`;
const small = [...document.querySelectorAll("button, summary, input, select, textarea")].filter((one) => one.checkVisibility() && !one.closest(".vh"))
  .filter((one) => Math.min(one.getBoundingClientRect().width, one.getBoundingClientRect().height) < 24).map((one) => `under 24 pixels: ${one.outerHTML.slice(0, 90)}`);
axe.run(document, options).then(({ violations }) => done([...small, ...violations.flatMap((violation) => violation.nodes.slice(0, 3).map(line(violation)))]), (fault) => done([String(fault)]));
"#;

/// One who looks the pages over.
struct Auditor<'a> {
    browser: Browser<'a>,
    looks: usize,
    faults: Vec<String>,
}

impl<'a> Auditor<'a> {
    fn new(driver: &'a Driver, axe: &str) -> Self {
        let browser = driver.browser(1280, 860, "en");
        browser.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": axe }));
        Self { browser, looks: 0, faults: Vec::new() }
    }

    /// The page as it stands, on both screens, and by night on this one: night changes nothing but
    /// colours.
    fn look(&mut self, what: &str, by_night: (u32, u32)) {
        for screen in SCREENS {
            self.browser.resize(screen.0, screen.1);
            self.note(&format!("{what}, {} px", screen.0), &Value::Null);
            if screen == by_night {
                self.browser.night(true);
                self.note(&format!("{what}, {} px, by night", screen.0), &json!(COLOURS));
                self.browser.night(false);
            }
        }
    }

    fn note(&mut self, what: &str, rules: &Value) {
        self.looks += 1;
        let found = self.browser.run_async(LOOK, rules);
        let lines = found.as_array().unwrap_or_else(|| unreachable!("{what}: axe says {found}"));
        self.faults.extend(lines.iter().map(|line| format!("{what}: {line}")));
    }

    /// A page in both languages, after `then`.
    fn visit(&mut self, address: &str, ready: &str, then: impl Fn(&Browser<'_>)) {
        for (lang, by_night) in ["en", "fr"].into_iter().zip(SCREENS) {
            let mark = if address.contains('?') { '&' } else { '?' };
            self.browser.resize(SCREENS[0].0, SCREENS[0].1);
            self.browser.go(&format!("{address}{mark}lang={lang}"));
            self.browser.wait(ready);
            self.browser.until("at rest", "return document.querySelector('[aria-busy]') === null");
            then(&self.browser);
            self.look(&format!("{address} in {lang}"), by_night);
        }
    }
}

#[test]
fn no_page_is_a_barrier() {
    let Some(axe) = std::env::var_os(AXE) else {
        return skip("no_page_is_a_barrier", "axe-core");
    };
    let axe = std::fs::read_to_string(axe).expect("axe-core can be read");
    house("access", |driver, address| {
        let mut auditor = Auditor::new(driver, &axe);
        auditor.browser.go(address);
        while auditor.browser.run_async(CRAWL, &Value::Null) != json!(0) {}
        let rooms = auditor.browser.run(CHOOSE, &Value::Null);
        let rooms: Vec<&str> = rooms.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        assert!(rooms.len() > 20, "every room is found: {rooms:?}");
        for room in rooms.iter().chain(&["/nothing-here", "/g/nothing", "/umpire/nothing"]) {
            auditor.visit(&format!("{address}{room}"), "main h1", |_| {});
        }
        games(&mut auditor, address);
        eprintln!("{} pages, {} looks", rooms.len(), auditor.looks);
        assert!(auditor.faults.is_empty(), "{}", auditor.faults.join("\n"));
    });
}

/// A new game and one in the thick of it: both sides, a spectator, the past, dialogs, offers.
fn games(auditor: &mut Auditor<'_>, address: &str) {
    let nobody = |_: &Browser<'_>| {};
    let (_, prussian) = begin(&auditor.browser, address);
    auditor.look("the seats of a new game", SCREENS[1]);
    auditor.visit(&prussian, ".tray-unit", |browser| {
        browser.run("document.querySelector('.tray-unit').click()", &Value::Null);
        browser.wait(".target");
    });
    let (french, prussian) = take_over(&auditor.browser, address, &before_a_shot());
    auditor.visit(&french, "#journal > li", |browser| {
        browser.run("document.querySelector('.panel .choice[data-at]').click()", &Value::Null);
        browser.wait("#preview .outcomes");
    });
    let game = auditor.browser.run("return location.pathname", &Value::Null);
    let game = format!("{address}{}", game.as_str().unwrap_or_default());
    auditor.visit(&game, "#game", |browser| {
        browser.run("document.querySelector('#help').showModal()", &Value::Null);
    });
    auditor.visit(&game, "#game", |browser| browser.click("#both-maps"));
    auditor.visit(&game, "#journal a.rule", |browser| {
        browser.run("document.querySelector('#journal a.rule').click()", &Value::Null);
        browser.wait("#rule-sheet[open] .says");
    });
    auditor.visit(&format!("{game}?at=9"), "#game", nobody);
    // Without his seat he is a spectator; then he takes the other one.
    auditor.browser.devtools("Network.clearBrowserCookies", &json!({}));
    auditor.visit(&game, "#game", nobody);
    auditor.visit(&prussian, "#game", nobody);
}
