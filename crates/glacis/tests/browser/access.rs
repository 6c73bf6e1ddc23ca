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

/// Follows links from the front page, a hundred pages at a time, and notes of each page which kinds
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
  for (let round = 0; round < 20 && house.open.length; round++) await Promise.all(house.open.splice(0, 6).map(look));
  done(house.open.length);
})();
"#;

/// Of all pages so many that together have every kind of element: small ones rather than large ones,
/// and none whose kinds the others have.
const CHOOSE: &str = r#"
const carriers = new Map();
const count = (page, by) => { for (const kind of page.kinds) carriers.set(kind, (carriers.get(kind) ?? 0) + by); };
const chosen = window.house.pages.sort((a, b) => a.size - b.size || (a.address < b.address ? -1 : 1)).filter((page) => {
  const fresh = [...page.kinds].some((kind) => !carriers.get(kind));
  if (fresh) count(page, 1);
  return fresh;
});
return chosen.filter((page) => {
  const needed = [...page.kinds].some((kind) => carriers.get(kind) === 1);
  if (!needed) count(page, -1);
  return needed;
}).map(({ address }) => address);
"#;

/// What axe-core finds, and targets too small for a finger, as lines; a page with everything folded open, once it is at rest.
const LOOK: &str = r#"
const done = arguments[arguments.length - 1];
for (const one of document.querySelectorAll("details")) one.open = true;
const kinds = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const options = { resultTypes: ["violations"], runOnly: kinds };
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

    /// The page as it stands, on both screens: by day on the first, by night on the other.
    fn look(&mut self, what: &str, screens: [(u32, u32); 2]) {
        for ((width, height), night) in screens.into_iter().zip([false, true]) {
            self.browser.resize(width, height);
            self.browser.night(night);
            self.looks += 1;
            let found = self.browser.run_async(LOOK, &Value::Null);
            let lines = found.as_array().unwrap_or_else(|| unreachable!("{what}: axe says {found}"));
            let light = if night { "night" } else { "day" };
            self.faults.extend(lines.iter().map(|line| format!("{what}, {width} px, by {light}: {line}")));
        }
        self.browser.night(false);
    }

    /// Takes a seat, and gives the address of its game.
    fn sit_down(&self, seat: &str) -> String {
        self.browser.go(seat);
        self.browser.wait("#game");
        let game = self.browser.run("return location.href", &Value::Null);
        game.as_str().unwrap_or_default().to_owned()
    }

    /// A page in both languages, after `then`: each language meets each screen and each light, and each
    /// screen each light.
    fn visit(&mut self, address: &str, ready: &str, then: impl Fn(&Browser<'_>)) {
        for (lang, screens) in [("en", SCREENS), ("fr", [SCREENS[1], SCREENS[0]])] {
            let mark = if address.contains('?') { '&' } else { '?' };
            self.browser.resize(SCREENS[0].0, SCREENS[0].1);
            self.browser.go(&format!("{address}{mark}lang={lang}"));
            self.browser.wait(ready);
            self.browser.until("at rest", "return document.querySelector('[aria-busy]') === null");
            then(&self.browser);
            self.look(&format!("{address} in {lang}"), screens);
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
        loop {
            let open = auditor.browser.run_async(CRAWL, &Value::Null);
            assert!(open.is_u64(), "the links cannot be followed: {open}");
            if open == json!(0) {
                break;
            }
        }
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
    auditor.look("the seats of a new game", SCREENS);
    let script = "return document.querySelector('#seats a[data-side=spectator]').href";
    let spectator = auditor.browser.run(script, &Value::Null);
    let game = auditor.sit_down(&prussian);
    auditor.visit(&game, ".tray-unit", |browser| {
        browser.run("document.querySelector('.tray-unit').click()", &Value::Null);
        browser.wait(".target");
    });
    let (french, prussian) = take_over(&auditor.browser, address, &before_a_shot());
    let game = auditor.sit_down(&french);
    auditor.visit(&game, "#journal > li", |browser| {
        browser.run("document.querySelector('.panel .choice[data-at]').click()", &Value::Null);
        browser.wait("#preview .outcomes");
    });
    auditor.visit(&game, "#game", |browser| {
        browser.run("document.querySelector('#help').showModal()", &Value::Null);
    });
    auditor.visit(&game, "#game", |browser| browser.click("#both-maps"));
    auditor.visit(&game, "#journal a.rule", |browser| {
        browser.run("document.querySelector('#journal a.rule').click()", &Value::Null);
        browser.wait("#rule-sheet[open] .says");
    });
    auditor.visit(&format!("{game}?at=9"), "#game", nobody);
    // Without a seat he is refused; then he takes the other one, and looks on at the new game.
    auditor.browser.devtools("Network.clearBrowserCookies", &json!({}));
    auditor.visit(&game, "main h1", nobody);
    for seat in [prussian.as_str(), spectator.as_str().unwrap_or_default()] {
        let game = auditor.sit_down(seat);
        auditor.visit(&game, "#game", nobody);
    }
}
